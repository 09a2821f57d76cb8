"""Roots of rising convex functions to any number of digits: what the closed forms with Lambert's W need."""

from collections.abc import Callable
from typing import Any

import mpmath
from sympy import Rational

Real = Any
"""An mpmath number, which carries no types."""

Function = Callable[[Real], Real]


def convex_root(value: Function, slope: Function, beyond: Real) -> Real:
    """The root of a rising convex function by Newton's method from a point at or beyond it.

    From there every iterate is nearer and still beyond, so the first that is not ends it.

    Examples
    --------
    >>> round(float(convex_root(lambda x: x**2 - 2, lambda x: 2 * x, mpmath.mpf(2))), 12)
    1.414213562373
    """
    here = mpmath.mpf(beyond)
    while True:
        nearer = here - value(here) / slope(here)
        if nearer >= here:
            return here
        if abs(nearer - here) <= abs(here) * mpmath.mpf(10) ** (3 - mpmath.mp.dps):
            return nearer
        here = nearer


def rise(drive: Real, start: Real) -> Real:
    """The d > 0 with d + e^start (e^d - 1) = drive: how far a gap rises.

    Examples
    --------
    >>> round(float(rise(mpmath.mpf(1) + mpmath.e - 1, mpmath.mpf(0))), 12)
    1.0
    """
    weight = mpmath.exp(start)
    bound = min(drive, mpmath.log1p(drive / weight))
    return convex_root(lambda d: d + weight * mpmath.expm1(d) - drive, lambda d: 1 + weight * mpmath.exp(d), bound)


def balance(control: Real) -> Real:
    """The u > 0 with u (1 + e^u) = control: where decay balances the drive of one point of two classes.

    Examples
    --------
    >>> round(float(balance(mpmath.mpf(1) + mpmath.e)), 12)
    1.0
    """
    bound = min(control / 2, mpmath.lambertw(control).real)
    return convex_root(lambda u: u * (1 + mpmath.exp(u)) - control, lambda u: 1 + (1 + u) * mpmath.exp(u), bound)


def real(number: Rational) -> Real:
    """A rational at the working precision.

    Examples
    --------
    >>> real(Rational(1, 2))
    mpf('0.5')
    """
    return mpmath.mpf(int(number.p)) / int(number.q)
