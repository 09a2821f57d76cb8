"""The exact edge of SGD for a list of Hessians, at a point (breakeven:L14).

C = (H (x) I + I (x) H)/2 and D = (1 - c) H (x) H + c mean H_i (x) H_i act on symmetric matrices. The edge is 2/mu with
the largest mu for which D X = mu C X has a solution outside the kernel of C. A rational mu is found exactly: a
candidate from 60 digits is checked by the rank of D - mu C.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import mpmath
from sympy import Expr, Float, Integer, Matrix, Rational, oo
from sympy.polys.domains import QQ
from sympy.polys.matrices import DomainMatrix

from theory.breakeven.inputs import batch_noise, number
from theory.predictors import Input, OutsideDomain, Predictor, Undefined

LARGEST_DIMENSION, MOST_EXAMPLES = 6, 200
DIGITS, SPARE = 60, 20
LARGEST_DENOMINATOR = 10**12

Square = list[list[Rational]]


def hessians(value: Any) -> list[Matrix]:
    """Symmetric positive semidefinite matrices of one size, two or more of them.

    Examples
    --------
    >>> [one.shape for one in hessians([[[Integer(1)]], [[Integer(3)]]])]
    [(1, 1), (1, 1)]
    """
    wanted = "give a list such as [[[1,0],[0,2]],[[3,1],[1,1]]]"
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_EXAMPLES:
        raise OutsideDomain(f"H is not a list of 2 to {MOST_EXAMPLES} matrices; {wanted}")
    found = []
    for place, rows in enumerate(value):
        if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == len(rows) for row in rows):
            raise OutsideDomain(f"H[{place}] is not a square matrix; {wanted}")
        if not 1 <= len(rows) <= LARGEST_DIMENSION:
            raise OutsideDomain(f"H[{place}] has {len(rows)} rows; give matrices of 1 to {LARGEST_DIMENSION} rows")
        if found and len(rows) != found[0].rows:
            raise OutsideDomain(f"H[{place}] has {len(rows)} rows, H[0] {found[0].rows}; give matrices of one size")
        made = Matrix([[number(f"H[{place}]", entry) for entry in row] for row in rows])
        if made != made.T:
            raise OutsideDomain(f"H[{place}] is not symmetric; {wanted}")
        if not positive_semidefinite(made):
            raise OutsideDomain(f"H[{place}] has a negative eigenvalue; give positive semidefinite matrices")
        found.append(made)
    return found


def positive_semidefinite(matrix: Matrix) -> bool:
    """Whether a symmetric rational matrix has no negative eigenvalue, by exact elimination.

    Examples
    --------
    >>> positive_semidefinite(Matrix([[1, 1], [1, 1]])), positive_semidefinite(Matrix([[1, 2], [2, 1]]))
    (True, False)
    """
    rest = matrix
    while rest.rows:
        pivot = next((k for k in range(rest.rows) if rest[k, k] != 0), None)
        if pivot is None:
            return all(entry == 0 for entry in rest)
        if rest[pivot, pivot] < 0:
            return False
        column = rest[:, pivot]
        rest = rest - column * column.T / rest[pivot, pivot]
        rest.row_del(pivot)
        rest.col_del(pivot)
    return True


def pencil(matrices: Sequence[Matrix], share: Rational) -> tuple[Matrix, Matrix]:
    """C and D as matrices on symmetric matrices, in the basis of E_ab + E_ba (a < b) and E_aa.

    Examples
    --------
    >>> pencil([Matrix([[1]]), Matrix([[3]])], Rational(1))
    (Matrix([[2]]), Matrix([[5]]))
    """
    size, count = matrices[0].rows, len(matrices)
    mean = sum(matrices, Matrix.zeros(size, size)) / count
    basis = list(combinations_with_replacement(range(size), 2))
    linear, square = [], []
    for a, b in basis:
        unit = Matrix.zeros(size, size)
        unit[a, b] = unit[b, a] = 1
        first = (mean * unit + unit * mean) / 2
        scatter = sum((one * unit * one for one in matrices), Matrix.zeros(size, size)) / count
        second = (1 - share) * mean * unit * mean + share * scatter
        linear.append([first[k, m] for k, m in basis])
        square.append([second[k, m] for k, m in basis])
    return Matrix(linear).T, Matrix(square).T


def _exact_rank(matrix: Matrix) -> int:
    return DomainMatrix.from_Matrix(matrix).convert_to(QQ).rank()


def _candidate(value: Any) -> Rational:
    """The simplest rational near a number of many digits."""
    return Rational(str(mpmath.nstr(value, DIGITS - SPARE))).limit_denominator(LARGEST_DENOMINATOR)


def largest_ratio(linear: Matrix, square: Matrix, mean: Matrix) -> Expr:
    """Largest mu with square X = mu linear X outside the kernel of linear; exact where it is rational."""
    size = mean.rows
    basis = list(combinations_with_replacement(range(size), 2))
    with mpmath.workdps(DIGITS):
        values, vectors = mpmath.eigsy(_floating(mean))
        kernel = size - _exact_rank(mean)
        # In the eigenbasis of the mean Hessian C is diagonal: (a_k + a_m)/2; D keeps the kernel of H.
        kept = [(k, m) for k, m in combinations_with_replacement(range(size), 2) if m >= kernel]
        columns = []
        for k, m in kept:
            unit = vectors[:, k] * vectors[:, m].T
            unit = (unit + unit.T) / (2 if k == m else mpmath.sqrt(2))
            scale = 1 / mpmath.sqrt((values[k] + values[m]) / 2)
            columns.append([unit[a, b] * scale for a, b in basis])
        packed, weights = mpmath.matrix(columns).T, [1 if a == b else 2 for a, b in basis]
        applied = _floating(square) * packed
        form = mpmath.matrix(len(kept), len(kept))
        for row in range(len(kept)):
            for column in range(len(kept)):
                form[row, column] = sum(
                    weight * packed[k, row] * applied[k, column] for k, weight in enumerate(weights)
                )
        form = (form + form.T) / 2
        top = max(mpmath.eigsy(form, eigvals_only=True))
        candidate = _candidate(top)
        if _exact_rank(square - candidate * linear) < _exact_rank(linear) and mpmath.almosteq(
            _floating(Matrix([[candidate]]))[0], top, mpmath.mpf(10) ** -(DIGITS - SPARE)
        ):
            return candidate
        return Float(str(mpmath.nstr(top, DIGITS - 5)), DIGITS - 10)


def _floating(matrix: Matrix) -> Any:
    return mpmath.matrix([[mpmath.mpf(int(x.p)) / int(x.q) for x in matrix.row(k)] for k in range(matrix.rows)])


def _one_direction(matrices: Sequence[Matrix], mean: Matrix, share: Rational) -> Expr | Undefined:
    """2 lam/(lam^2 + c Var(e^T H_i e)) along the top eigenvector e of the mean Hessian, if it is one direction."""
    size = mean.rows
    with mpmath.workdps(DIGITS):
        values, vectors = mpmath.eigsy(_floating(mean))
        top, vector = values[size - 1], vectors[:, size - 1]
        candidate = _candidate(top)
        kernel = (mean - candidate * Matrix.eye(size)).nullspace() if _is_root(mean, candidate) else []
        close = size > 1 and top - values[size - 2] < mpmath.mpf(10) ** -(DIGITS // 2) * top
        if len(kernel) > 1 or (close and not kernel):
            return Undefined("the largest eigenvalue of the mean Hessian belongs to more than one direction")
        if kernel:
            direction = kernel[0]
            length = (direction.T * direction)[0]
            along = [(direction.T * one * direction)[0] / length for one in matrices]
            spread = sum((one - candidate) ** 2 for one in along) / len(along)
            return 2 * candidate / (candidate**2 + share * spread)
        along = [(vector.T * _floating(one) * vector)[0] for one in matrices]
        noise = mpmath.mpf(int(share.p)) / int(share.q)
        spread = sum((one - top) ** 2 for one in along) / len(along)
        return Float(str(mpmath.nstr(2 * top / (top**2 + noise * spread), DIGITS - 5)), DIGITS - 10)


def _is_root(mean: Matrix, candidate: Rational) -> bool:
    return _exact_rank(mean - candidate * Matrix.eye(mean.rows)) < mean.rows


def _multidimensional_edge(H: Any, S: Any) -> Mapping[str, Any]:
    matrices = hessians(H)
    share = batch_noise(Integer(len(matrices)), S)
    size = matrices[0].rows
    mean = sum(matrices, Matrix.zeros(size, size)) / len(matrices)
    if all(entry == 0 for entry in mean):
        return {"eta_max": oo, "eta_max_one_direction": oo}
    linear, square = pencil(matrices, share)
    return {
        "eta_max": 2 / largest_ratio(linear, square, mean),
        "eta_max_one_direction": _one_direction(matrices, mean, share),
    }


PREDICTORS = (
    Predictor(
        name="breakeven.multidimensional_edge",
        laws=("breakeven.multidimensional_edge", "breakeven.one_direction_is_necessary"),
        inputs=(
            Input("H", "the examples' Hessians: a list of symmetric positive semidefinite matrices of one size"),
            Input("S", "examples in a mini-batch, without replacement: an integer from 1 to their number"),
        ),
        evaluate=_multidimensional_edge,
        summary="Largest learning rate that is stable in mean square, and the edge along the top direction alone.",
    ),
)
