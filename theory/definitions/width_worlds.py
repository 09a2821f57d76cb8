"""Worlds of the one-hidden-layer network: exact exponents, a few equally likely initial neurons, a concrete
activation.
"""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from sympy import Integer, Lambda, Rational, Symbol, sqrt

from theory.asymptotics import draws, neuron
from theory.definitions import width as symbols
from theory.growth import ddphi, dphi, phi
from theory.proof.worlds import World, Worlds

STEPS = 8
PAIRS = 2

_z = Symbol("z", real=True)
_activation = (Rational(11, 10) * _z + Rational(9, 10) * sqrt(1 + _z**2)) / 2


Range = tuple[Fraction | int, Fraction | int]


def worlds(sigma: Range = (-2, 1), size: Range = (-1, 1)) -> Worlds:
    """Worlds of equal learning-rate exponents, multiples of one quarter.

    The activation is ((1 + slope) z + (1 - slope) sqrt(1 + z^2)) / 2 with slope 1/10: smooth, linear at both
    ends. Output weights come in pairs of opposite sign beside the same input weight, so that they are
    symmetric and independent of it. Inputs are positive: with inputs of one component a negative one can make
    terms cancel that more components keep apart.

    Parameters
    ----------
    sigma
        Range of q_sigma.
    size
        Range of q_sigma + q, the size of a step.
    """

    def world(source: random.Random) -> World:
        q_sigma = _quarters(source, sigma)
        return _neurons(source, lambda: {symbols.q_sigma: q_sigma, symbols.q: _quarters(source, size) - q_sigma})

    return world


def worlds_of_three(sigma: Range = (-2, 1), of_a: Range = (-1, 1), of_w: Range = (-1, 1)) -> Worlds:
    """Worlds of two learning-rate exponents; ranges are of q_sigma, q_sigma + q_a and q_sigma + q_w."""

    def world(source: random.Random) -> World:
        q_sigma = _quarters(source, sigma)
        rates = {symbols.q_a: _quarters(source, of_a) - q_sigma, symbols.q_w: _quarters(source, of_w) - q_sigma}
        return _neurons(source, lambda: {symbols.q_sigma: q_sigma, **rates})

    return world


def with_values(base: Worlds, more: Callable[[random.Random], Mapping[Any, Any]]) -> Worlds:
    """The same worlds with further values, or others."""

    def world(source: random.Random) -> World:
        return World({**base(source).values, **more(source)})

    return world


def mirrored(source: random.Random, sign: int) -> dict[tuple[Integer, ...], Rational]:
    """Values of a number of each neuron; those of a pair are equal (sign 1) or opposite (sign -1)."""
    table = {}
    for j in range(1, PAIRS + 1):
        size = _number(source) * source.choice((-1, 1))
        table[(Integer(j),)], table[(Integer(2 * PAIRS + 1 - j),)] = size, sign * size
    return table


def _quarters(source: random.Random, limits: Range) -> Rational:
    low, high = limits
    return Rational(source.randint(int(4 * low), int(4 * high)), 4)


def _number(source: random.Random) -> Rational:
    return Rational(source.randint(2, 15), 7)


def _neurons(source: random.Random, exponents: Callable[[], Mapping[Any, Any]]) -> World:
    def number() -> Rational:
        return _number(source)

    values: dict[Any, Any] = {
        symbols.d: 1000,
        symbols.k: source.randint(0, 1),
        symbols.m: source.randint(0, 1),
        **exponents(),
        draws: 2 * PAIRS,
        neuron: 1,
        phi: Lambda(_z, _activation),
        dphi: Lambda(_z, _activation.diff(_z)),
        ddphi: Lambda(_z, _activation.diff(_z, 2)),
    }
    for constant in (
        symbols.sigma_star, symbols.eta_a_star, symbols.eta_w_star, symbols.x, symbols.x_other,
    ):  # fmt: skip
        values[constant] = number()
    for sample in (symbols.x_a, symbols.x_w):
        values[sample] = {(Integer(step),): number() for step in range(STEPS)}
    for gradient in (symbols.g_a, symbols.g_w):
        values[gradient] = {(Integer(step),): Rational(source.randint(8, 14), 15) for step in range(STEPS)}
    output, inputs = {}, {}
    for j in range(1, PAIRS + 1):
        size_of_one, direction = number(), number() * source.choice((-1, 1))
        for place, sign in ((j, 1), (2 * PAIRS + 1 - j, -1)):
            output[(Integer(0), Integer(place))] = sign * size_of_one
            inputs[(Integer(0), Integer(place))] = direction
    values[symbols.a], values[symbols.w] = output, inputs
    return World(values)
