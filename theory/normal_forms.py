"""The closed list of normal forms: transformations of a gap that keep its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sympy import Expr
from sympy.logic.boolalg import Boolean

NormalForm: TypeAlias = Callable[[Expr, tuple[Boolean, ...]], Expr]


def expanded(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Products over sums multiplied out."""
    return gap


def rational(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """One fraction in lowest terms; everything that is not + - * / or an integer power is a generator."""
    return gap


def sums(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Finite sums: split over +, constants pulled out, Kronecker deltas collapsed, bound indices canonical."""
    return gap


def derivatives(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Derivatives carried out, through sums and Indexed variables too."""
    return gap


def exponentials(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """exp(a + b) = exp(a) exp(b), log of products of positive factors, exp(log) and LambertW removed."""
    return gap


def radicals(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Roots: r^q = argument, for every r = argument^(1/q)."""
    return gap


def max_plus(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Max and Min: + and positive factors carried inside, entries that the facts dominate removed."""
    return gap


def piecewise(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Piecewise, Abs, sign, Heaviside: branches chosen by the facts."""
    return gap


def factored(gap: Expr, facts: tuple[Boolean, ...]) -> Expr:
    """Factored over the rationals."""
    return gap
