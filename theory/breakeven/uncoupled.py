"""Runs that obey the paper's four assumptions, step by step: what its theorems do not exclude.

Unstable, the curvature falls and the distance grows (breakeven:A3); stable, the curvature grows and the distance
falls, unless that would enter the unstable region (breakeven:A4). A run is a list of points (curvature, distance).
Two examples of curvature lam +- s with s^2 = lam/psi^2 make the variance of their gradients lam (alpha = 1); with S =
1 the noise factor is 1. Stability is decided by listing both batches, not by a threshold.
"""

from collections.abc import Sequence
from itertools import pairwise

from sympy import Expr, Integer, Rational, expand, sqrt

from theory.breakeven import enumeration

Point = tuple[Rational, Rational]


def growth_at(point: Point, rate: Rational) -> Expr:
    """Growth of the mean squared distance in a step at a curvature and a distance, S = 1 of two examples.

    Examples
    --------
    At psi = 1/3, eta = 1/10 the break-even curvature is 20 - 9 = 11.

    >>> growth_at((Integer(11), Rational(1, 3)), Rational(1, 10))
    1
    """
    curvature, distance = point
    spread = sqrt(curvature) / distance
    return expand(enumeration.growth([curvature - spread, curvature + spread], 1, rate))


def obeys(path: Sequence[Point], rate: Rational) -> bool:
    """Whether each step of a path obeys assumptions 3 and 4.

    Where it is unstable, the curvature falls and the distance grows in the next step. Elsewhere the distance falls
    and the curvature grows, unless growing would lead into the unstable region: at a break-even point it stays.

    Examples
    --------
    >>> obeys([(Integer(1), Integer(2)), (Integer(2), Integer(1))], Rational(1, 10))
    True
    >>> obeys([(Integer(1), Integer(1)), (Integer(2), Integer(2))], Rational(1, 10))
    False
    """
    for here, there in pairwise(path):
        growth = growth_at(here, rate)
        if growth > 1:
            allowed = there[0] < here[0] and there[1] > here[1]
        elif growth == 1:
            allowed = there[0] == here[0] and there[1] < here[1]
        else:
            allowed = there[0] > here[0] and there[1] < here[1] and growth_at(there, rate) <= 1
        if not allowed:
            return False
    return True


def rising(rate: Rational, first: Rational, last: Rational, steps: int = 4) -> list[Point]:
    """A stable path from (1, first) up to the break-even point at the distance `last`.

    Examples
    --------
    >>> rising(Rational(1, 10), Integer(1), Rational(1, 3), 1)
    [(1, 1), (11, 1/3)]
    """
    end = 2 / rate - 1 / last**2
    shares = [Rational(step, steps) for step in range(steps + 1)]
    return [(1 + share * (end - 1), first + share * (last - first)) for share in shares]


def larger_rate_breaks_even_later() -> tuple[bool, bool]:
    """Whether both runs obey the assumptions from one start, and whether the larger rate breaks even first."""
    rates = (Rational(1, 5), Rational(1, 10))
    paths = (rising(rates[0], Integer(10), Rational(99, 10)), rising(rates[1], Integer(10), Rational(3, 10)))
    allowed = all(
        obeys(path, rate) and all(growth_at(point, rate) < 1 for point in path[:-1]) and growth_at(path[-1], rate) == 1
        for path, rate in zip(paths, rates, strict=True)
    )
    return bool(allowed and paths[0][0] == paths[1][0]), bool(paths[0][-1][0] < paths[1][-1][0])
