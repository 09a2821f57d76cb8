"""The closed form of tau_z at a point: eta~ tau_z = ||Z0||_F / ||Theta_x (Y - softmax Z0)||_F.

Logits, labels and kernel come in exact. Where every row of Z0 is constant the softmax is 1/K and the
answer is exact; elsewhere it is an algebraic function of exponentials, evaluated with as many digits as the
cancellation in Theta_x (Y - p) needs. Whether that product vanishes is decided exactly, not by its size.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import mpmath
from sympy import Expr, Float, Rational, sqrt

from theory.predictors import Input, OutsideDomain, Predictor, Undefined
from theory.temperature import inputs
from theory.temperature.inputs import Rows

_PRIME = 2**127 - 1
_PLACES = (3**71 + 2, 5**47 + 6, 7**41 + 10)
"""Where a rational function is tested modulo the prime: a nonzero one vanishes at all of them with a chance
below (degree / 2**127)**3."""


def early_time(Z0: Any, Y: Any, Theta_x: Any) -> Mapping[str, Expr | Undefined]:
    """eta~ tau_z for block-diagonal kernels Theta = I_K (x) Theta_x.

    Parameters
    ----------
    Z0 : M rows of K scaled initial logits
    Y : M one-hot rows of length K
    Theta_x : M x M, symmetric and positive semidefinite

    Raises
    ------
    OutsideDomain
        For other shapes, infinite logits, rows that are not one-hot, or a matrix that is no kernel.

    Examples
    --------
    One point, two classes, equal logits: r = (1/2, -1/2), ||Z0|| = sqrt 2, ||Theta_x r|| = sqrt 2.

    >>> one, zero = Rational(1), Rational(0)
    >>> early_time([[one, one]], [[one, zero]], [[2 * one]])["tau"]
    1
    """
    logits, labels, kernel = _checked(Z0, Y, Theta_x)
    if _drive_vanishes(logits, labels, kernel):
        return {"tau": Undefined("the residual Theta_x (Y - softmax Z0) vanishes: the logits never move")}
    if all(len(set(row)) == 1 for row in logits):
        return {"tau": _with_uniform_softmax(logits, labels, kernel)}
    return {"tau": _with_exponentials(logits, labels, kernel)}


def _checked(Z0: Any, Y: Any, Theta_x: Any) -> tuple[Rows, Rows, Rows]:
    logits, labels = inputs.matrix("Z0", Z0), inputs.matrix("Y", Y)
    points, classes = len(logits), len(logits[0])
    if (len(labels), len(labels[0])) != (points, classes):
        raise OutsideDomain(
            f"Y is {len(labels)} x {len(labels[0])} and Z0 is {points} x {classes}; give both one row a "
            f"point and one column a class"
        )
    for number, row in enumerate(labels):
        if sorted(row) != [0] * (classes - 1) + [1]:
            written = ", ".join(str(entry) for entry in row)
            raise OutsideDomain(f"Y has the row [{written}] at {number}; give one-hot rows: one 1, zeros elsewhere")
    kernel = inputs.kernel("Theta_x", Theta_x, points, f"Z0 has {points} rows")
    return logits, labels, kernel


def _drive_vanishes(logits: Rows, labels: Rows, kernel: Rows) -> bool:
    """Whether every entry of Theta_x (Y - softmax Z0) is exactly zero.

    With x = exp(1/N), N a common denominator of the logits, each entry is a rational function of x with
    rational coefficients; x is transcendental (Lindemann), so an entry is zero only if the function is.
    """
    scale = lcm(*(entry.denominator for row in logits for entry in row))
    powers = [[int(entry * scale) for entry in row] for row in logits]
    weights = [[_modular(entry) for entry in row] for row in kernel]
    for x in _PLACES:
        residuals = []
        for power, label in zip(powers, labels, strict=True):
            exponentials = [pow(x, exponent - max(power), _PRIME) for exponent in power]
            inverse = pow(sum(exponentials), -1, _PRIME)
            residuals.append([int(y) - e * inverse for y, e in zip(label, exponentials, strict=True)])
        columns = list(zip(*residuals, strict=True))
        for row in weights:
            for column in columns:
                if sum(w * r for w, r in zip(row, column, strict=True)) % _PRIME:
                    return False
    return True


def _modular(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, _PRIME) % _PRIME


def _with_uniform_softmax(logits: Rows, labels: Rows, kernel: Rows) -> Expr:
    uniform = Fraction(1, len(logits[0]))
    columns = [[entry - uniform for entry in column] for column in zip(*labels, strict=True)]
    drive = [sum(w * r for w, r in zip(row, column, strict=True)) for row in kernel for column in columns]
    start = Fraction(sum(entry**2 for row in logits for entry in row))
    squared = start / sum(entry**2 for entry in drive)
    return sqrt(Rational(squared.numerator, squared.denominator))


def _with_exponentials(logits: Rows, labels: Rows, kernel: Rows) -> Expr:
    """Digits are doubled until the cancellation in Theta_x r leaves at least 30."""
    digits = 60
    while True:
        with mpmath.workdps(digits):
            residuals = [_residual(row, label) for row, label in zip(logits, labels, strict=True)]
            drive, size = mpmath.mpf(0), mpmath.mpf(0)
            for weights in kernel:
                for column in zip(*residuals, strict=True):
                    terms = [_real(w) * r for w, r in zip(weights, column, strict=True)]
                    drive += mpmath.fsum(terms) ** 2
                    size += mpmath.fsum(terms, absolute=True) ** 2
            if drive > size * mpmath.mpf(10) ** (2 * (30 - digits)):
                norm = mpmath.sqrt(mpmath.fsum(_real(entry) ** 2 for row in logits for entry in row))
                return Float(norm / mpmath.sqrt(drive), 30)
        digits *= 2


def _residual(logits: list[Fraction], label: list[Fraction]) -> list[Any]:
    """Y - softmax(Z) without cancellation: the correct class gets the sum of the others' probabilities."""
    top = max(logits)
    exponentials = [mpmath.exp(_real(entry - top)) for entry in logits]
    total = mpmath.fsum(exponentials)
    others = mpmath.fsum(e for e, y in zip(exponentials, label, strict=True) if y == 0)
    return [(others if y else -e) / total for e, y in zip(exponentials, label, strict=True)]


def _real(number: Fraction) -> Any:
    return mpmath.mpf(number.numerator) / number.denominator


PREDICTORS = (
    Predictor(
        name="temperature.tau_z",
        laws=("temperature.tau_z",),
        inputs=(
            Input("Z0", "scaled initial logits: M rows of K numbers, such as [[1,0],[0,2]]"),
            Input("Y", "labels: M one-hot rows of K numbers"),
            Input("Theta_x", "block-diagonal tangent kernel: M x M, symmetric, positive semidefinite"),
        ),
        evaluate=early_time,
        summary="early learning timescale eta~ tau_z = ||Z0|| / ||Theta_x (Y - softmax Z0)||",
    ),
)
