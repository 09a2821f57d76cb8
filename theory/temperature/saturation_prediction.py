"""The saturating ratio at a point: rho = (tau_z/||Z0|| at large logits) / (tau_z/||Z0|| at small logits).

rho^2 = N/(N + S) with N = (1 - a)^2 sum_mn (Theta_x^2)_mn ([labels equal] - 1/K), the drive at a uniform softmax, and
S = sum_mn (Theta_x^2)_mn (P_same(c_mn) - 1/K), what the winners add; a is the label smoothing.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, Rational, sqrt

from theory.predictors import Input, OutsideDomain, Predictor, Undefined
from theory.temperature import inputs
from theory.temperature.gaussian_logits import MOST, same_argmax
from theory.temperature.same_argmax import correlation_of

NONE = Integer(0)
WAYS = "give K with Theta_x, logit_correlation and labels, or K with isotropic=true"


def saturating_ratio(
    K: Any,
    Theta_x: Any = None,
    logit_correlation: Any = None,
    labels: Any = None,
    isotropic: Any = False,
    label_smoothing: Any = NONE,
) -> Mapping[str, Expr | Undefined]:
    """Rho in expectation over the initial logits: exact where P_same is.

    Parameters
    ----------
    K : number of classes
    Theta_x : M x M kernel between points; the full kernel is I_K (x) Theta_x
    logit_correlation : correlation c of the initial logits of any two points
    labels : M integers, equal where two points share their class
    isotropic : true for Theta_x = 1 and c = 0 with any number of points
    label_smoothing : the share a of every label that is spread over the classes

    Raises
    ------
    OutsideDomain
        For K below 2, a matrix that is no kernel, a correlation that M points cannot have, more than K labels.

    Examples
    --------
    >>> saturating_ratio(Integer(10), isotropic=True, label_smoothing=Rational(1, 4))
    {'rho': 3/5}
    >>> one = Integer(1)
    >>> saturating_ratio(Integer(2), [[one]], Integer(0), [Integer(0)])["rho"]
    sqrt(2)/2
    """
    classes = inputs.count("K", K, 2, MOST)
    smoothing = inputs.number("label_smoothing", label_smoothing, least=0)
    if smoothing >= 1:
        raise OutsideDomain(f"label_smoothing is {smoothing}; give a number in [0, 1)")
    kept = (1 - smoothing) ** 2
    if not isinstance(isotropic, bool):
        raise OutsideDomain(f"isotropic is {isotropic}; give true or false")
    given = [value is not None for value in (Theta_x, logit_correlation, labels)]
    if isotropic:
        if any(given):
            raise OutsideDomain(f"isotropic=true stands beside a kernel, a correlation or labels; {WAYS}")
        return {"rho": sqrt(kept / (1 + kept))}
    if not all(given):
        raise OutsideDomain(f"Theta_x, logit_correlation or labels is missing; {WAYS}")
    ids = _labels(labels, classes)
    kernel = inputs.kernel("Theta_x", Theta_x, len(ids), f"there are {len(ids)} labels")
    zero = Fraction(0)
    square = [[sum((a * b for a, b in zip(left, right, strict=True)), zero) for right in kernel] for left in kernel]
    c = _correlation(logit_correlation, len(ids))
    points = range(len(ids))
    own = sum((square[m][m] for m in points), zero)
    pairs = sum((square[m][n] for m in points for n in points if m != n), zero)
    alike = sum((square[m][n] for m in points for n in points if ids[m] == ids[n]), zero)
    small = kept * _exact(alike - (own + pairs) / Fraction(classes))
    added = _exact(own) * (1 - Rational(1, classes))
    if pairs:
        added += _exact(pairs) * (same_argmax(classes, c) - Rational(1, classes))
    if small == 0:
        return {"rho": Undefined("a uniform softmax leaves nothing to learn: Theta_x (Y - 1/K) vanishes")}
    return {"rho": sqrt(small / (small + added))}


def _labels(labels: Any, classes: int) -> list[int]:
    allowed = f"give a list of integers from 0 on, one a point, with at most K = {classes} different values"
    if not isinstance(labels, list) or not labels:
        raise OutsideDomain(f"labels is {labels}; {allowed}")
    for label in labels:
        if not isinstance(label, Integer) or label < 0:
            raise OutsideDomain(f"labels holds {label}; {allowed}")
    if len(set(labels)) > classes:
        raise OutsideDomain(f"labels has {len(set(labels))} different values; {allowed}")
    return [int(label) for label in labels]


def _correlation(value: Any, points: int) -> Rational:
    c = correlation_of("logit_correlation", value)
    if points > 1 and c < -Rational(1, points - 1):
        raise OutsideDomain(
            f"logit_correlation is {c}, which {points} points cannot all have; give at least -1/{points - 1}"
        )
    return c


def _exact(number: Fraction) -> Rational:
    return Rational(number.numerator, number.denominator)


PREDICTORS = (
    Predictor(
        name="temperature.saturation_ratio",
        laws=("temperature.saturation_ratio",),
        inputs=(
            Input("K", "number of classes, at least 2"),
            Input("Theta_x", "M x M tangent kernel between points, symmetric, positive semidefinite", required=False),
            Input("logit_correlation", "correlation of the initial logits of any two points", required=False),
            Input("labels", "class ids of the M points, integers from 0 on", required=False),
            Input("isotropic", "true for an isotropic kernel and uncorrelated logits", default=False, required=False),
            Input("label_smoothing", "share of each label spread over the classes", NONE, required=False),
        ),
        evaluate=saturating_ratio,
        summary="tau_z/||Z0|| at large over that at small logits, averaged over initial logits",
    ),
)
