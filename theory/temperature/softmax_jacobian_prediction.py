"""The spectrum of the softmax Jacobian at a point, to fifteen digits however far apart its eigenvalues lie.

Equal logits give exact answers. Elsewhere the nonzero eigenvalues are the roots of the secular equation
sum_j p_j / (p_j - mu) = 0, one strictly between neighbouring probabilities: each is found by itself, so that the
smallest keeps its digits beside the largest.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import mpmath
from sympy import Expr, Float, Integer, Rational, exp

from theory.predictors import Input, OutsideDomain, Predictor
from theory.temperature import inputs

DIGITS = 50
CLOSE = 30
"""Digits to which a root is polished."""


def softmax_jacobian(z: Any, beta: Any) -> Mapping[str, Any]:
    """Eigenvalues (ascending), pseudo-determinant K prod p and trace 1 - sum p^2 of diag(p) - p p^T.

    Parameters
    ----------
    z : list of K >= 2 raw logits
    beta : inverse temperature, positive

    Raises
    ------
    OutsideDomain
        For fewer than two logits, infinite ones, or a beta that is not positive.

    Examples
    --------
    >>> softmax_jacobian([Integer(1)] * 2, Integer(3))
    {'eigenvalues': [0, 1/2], 'pseudo_determinant': 1/2, 'trace': 1/2}
    """
    scaled = _scaled(z, beta)
    classes = len(scaled)
    if len(set(scaled)) == 1:
        share = Rational(1, classes)
        return {
            "eigenvalues": [Integer(0), *[share] * (classes - 1)],
            "pseudo_determinant": share ** (classes - 1),
            "trace": 1 - share,
        }
    levels = sorted(set(scaled), reverse=True)
    narrow = min(above - below for above, below in pairwise(levels))
    with mpmath.workdps(DIGITS + _decades(narrow)):
        weights = [mpmath.exp(_real(level - levels[0])) for level in levels]
        counts = [scaled.count(level) for level in levels]
        total = mpmath.fsum(n * w for n, w in zip(counts, weights, strict=True))
        levelled = [w / total for w in weights]
        found = [p for p, n in zip(levelled, counts, strict=True) for _ in range(n - 1)]
        found += [_between(levelled, counts, place) for place in range(1, len(levels))]
        below_top = mpmath.fsum([(counts[0] - 1) * weights[0], *[n * w for n, w in _others(counts, weights)]])
        trace = weights[0] * below_top * counts[0] + mpmath.fsum(
            n * w * (total - w) for n, w in _others(counts, weights)
        )
        product = classes * mpmath.fprod(p**n for p, n in zip(levelled, counts, strict=True))
        return {
            "eigenvalues": [Integer(0), *(Float(value, CLOSE) for value in sorted(found))],
            "pseudo_determinant": Float(product, CLOSE),
            "trace": Float(trace / total**2, CLOSE),
        }


def conditioning(z: Any, beta: Any) -> Mapping[str, Expr]:
    """Leading kappa+ of one frozen block, (2 (K - 1) / K) exp(beta (z_2 - z_K)).

    Parameters
    ----------
    z : list of K >= 2 raw logits, strictly descending
    beta : inverse temperature, positive

    Raises
    ------
    OutsideDomain
        For logits that do not descend strictly, or a beta that is not positive.

    Examples
    --------
    >>> conditioning([Integer(3), Integer(2), Integer(1)], Integer(1))["kappa_plus_leading"]
    4*E/3
    """
    scaled = _scaled(z, beta)
    if any(above <= below for above, below in pairwise(scaled)):
        raise OutsideDomain("z does not descend strictly; give logits from the largest to the smallest, no two equal")
    classes = len(scaled)
    return {"kappa_plus_leading": Rational(2 * (classes - 1), classes) * exp(scaled[1] - scaled[-1])}


def _scaled(z: Any, beta: Any) -> list[Rational]:
    if not isinstance(z, list) or len(z) < 2:
        raise OutsideDomain("z is not a list of two logits or more; give one such as [3,2,1,0]")
    factor = inputs.number("beta", beta, positive=True)
    return [factor * inputs.number(f"z[{place}]", logit) for place, logit in enumerate(z)]


def _others(counts: list[int], weights: list[Any]) -> list[tuple[int, Any]]:
    return list(zip(counts[1:], weights[1:], strict=True))


def _between(levels: list[Any], counts: list[int], place: int) -> Any:
    """The eigenvalue between the probabilities number ``place - 1`` and ``place`` (descending).

    The secular function rises from -oo to oo there. Multiplied by its two poles it is finite at both ends; steps
    of Newton are taken on that, and where one leaves the bracket its geometric mean instead.
    """
    high, low = levels[place - 1], levels[place]
    top, bottom = high, low
    mu = mpmath.sqrt(high * low)
    tolerance = mpmath.mpf(10) ** -CLOSE * min(1, (top - bottom) / bottom)
    for _ in range(10000):
        terms = [n * p / (p - mu) for n, p in zip(counts, levels, strict=True)]
        slopes = [t / (p - mu) for t, p in zip(terms, levels, strict=True)]
        value, slope = mpmath.fsum(terms), mpmath.fsum(slopes)
        low, high = (low, mu) if value > 0 else (mu, high)
        poles, turned = (top - mu) * (mu - bottom), top + bottom - 2 * mu
        step = value * poles / (slope * poles + value * turned)
        after = mu - step
        if not low < after < high:
            after = mpmath.sqrt(low * high)
        if abs(after - mu) <= tolerance * mu:
            return after
        mu = after
    raise ArithmeticError("softmax_jacobian: an eigenvalue was not found to its digits")


def _decades(gap: Rational) -> int:
    """How many digits are lost where logits lie so close."""
    return max(0, len(str(int(1 / gap))))


def _real(number: Rational) -> Any:
    return mpmath.mpf(int(number.p)) / int(number.q)


LOGITS = Input("z", "raw logits: a list of two numbers or more, such as [3,2,1,0]")
BETA = Input("beta", "inverse temperature: a positive number")

PREDICTORS = (
    Predictor(
        name="temperature.softmax_jacobian",
        laws=("temperature.softmax_jacobian_null", "temperature.softmax_trace", "temperature.pseudo_determinant"),
        inputs=(LOGITS, BETA),
        evaluate=softmax_jacobian,
        summary="spectrum of diag(p) - p p^T: eigenvalues, product of the nonzero ones (K prod p), trace",
    ),
    Predictor(
        name="temperature.conditioning",
        laws=("temperature.frozen_condition_number",),
        inputs=(Input("z", "raw logits, strictly descending: a list of two numbers or more"), BETA),
        evaluate=conditioning,
        summary="leading ratio of the largest to the smallest nonzero eigenvalue of one frozen softmax Jacobian",
    ),
)
