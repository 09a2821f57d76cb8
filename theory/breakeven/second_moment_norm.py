"""What becomes of the second moments of SGD in many dimensions up to the exact edge (breakeven:L14).

A step moves the second moments X = E x x^T to Q X, the mean over batches of (1 - eta H_B) X (1 - eta H_B), which is
self-adjoint: <Q X, X'> = <X, Q X'>. Where no symmetric matrix gains, <X, Q X> <= <X, X>, the norm of X never grows;
what happens where one gains is ``theory.breakeven.second_moment_growth``. No eigenvalue of Q is asked for.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from typing import Any

from sympy import (
    Eq,
    Expr,
    IndexedBase,
    KroneckerDelta,
    Le,
    Matrix,
    Rational,
    Sum,
    Symbol,
    eye,
)

from theory.breakeven.noise_factor import PAPER
from theory.claims import Bound
from theory.definitions.breakeven import batch, batches, eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)
a, b, d = (Symbol(name, integer=True, positive=True) for name in ("a", "b", "d"))
chance = IndexedBase("q", nonnegative=True)
upper, lower = IndexedBase("y^+", nonnegative=True), IndexedBase("y^-", nonnegative=True)
turned, weight = IndexedBase("H_ab", real=True), IndexedBase("K", real=True)
m0, m1, m2, m3 = (Symbol(f"m_{power}", real=True) for power in range(4))


def _form(x: Expr, y: Expr) -> Expr:
    """<X, Q X> of a matrix that is diagonal in the basis a, x at the place a and y the same at the place b."""
    return Sum(x * y * weight[a, b], (a, 1, d), (b, 1, d))


_Y, _Y_B = upper[a] - lower[a], upper[b] - lower[b]
_SIZE, _SIZE_B = upper[a] + lower[a], upper[b] + lower[b]

WEIGHTS = Define(
    "weights",
    weight[a, b],
    Sum(chance[batch] * (KroneckerDelta(a, b) - eta * turned[batch, a, b]) ** 2, (batch, 1, batches)),
    convention="no more than its sign is asked for",
)
"""Mean square over batches of the entries of 1 - eta H_B in a basis in which X - Q X is diagonal."""
PARTS = Suppose("one sign each", Eq(upper[a] * lower[a], 0, evaluate=False), forall=(a,))
"""An eigenvalue of X - Q X has a positive part or a negative one."""
SQUARE = Suppose("square of the difference", Eq(m0 - 2 * m1 + m2, Sum(_Y**2, (a, 1, d)), evaluate=False))
FORM = Suppose("form of the difference", Eq(m1 - 2 * m2 + m3, _form(_Y, _Y_B), evaluate=False))
"""<X - Q X, X - Q X> and <X - Q X, Q (X - Q X)> by the moments m_j = <X, Q^j X>, Q being self-adjoint, and by the
eigenvalues of X - Q X."""
SUM_GAINS_NOT = Suppose("the sum gains not", Le(m1 + 2 * m2 + m3, m0 + 2 * m1 + m2))
SIZE_GAINS_NOT = Suppose("the size gains not", Le(_form(_SIZE, _SIZE_B), Sum(_SIZE**2, (a, 1, d)), evaluate=False))
"""No symmetric matrix gains; of X + Q X, and of the matrix of the sizes of the eigenvalues of X - Q X, it is said."""


def _step(hessians: list[Matrix], rate: Rational, x: Matrix) -> Any:
    total = sum(((eye(2) - rate * one) * x * (eye(2) - rate * one) for one in hessians), Matrix.zeros(2, 2))
    return total / len(hessians)


def _matrices_world(source: random.Random) -> World:
    """Two or three batches' positive semidefinite Hessians of two rows, and a matrix X with X - Q X diagonal."""
    hessians = []
    for _ in range(source.randint(2, 3)):
        factor = Matrix(2, 2, [draw(source, -3, 3) for _ in range(4)])
        hessians.append(factor * factor.T)
    rate = Rational(source.randint(1, 8), 4) / max(one.trace() for one in hessians)
    places = [draw(source, -9, 9) for _ in range(2)]
    units = [Matrix([[1, 0], [0, 0]]), Matrix([[0, 1], [1, 0]]), Matrix([[0, 0], [0, 1]])]
    columns = [one - _step(hessians, rate, one) for one in units]
    system = Matrix([[column[0], column[1], column[3]] for column in columns]).T
    parts = system.LUsolve(Matrix([places[0], 0, places[1]]))
    powers: list[Any] = [sum((part * one for part, one in zip(parts, units, strict=True)), Matrix.zeros(2, 2))]
    for _ in range(3):
        powers.append(_step(hessians, rate, powers[-1]))
    moments = [(powers[0] * power).trace() for power in powers]
    return World(
        {
            d: 2,
            a: source.randint(1, 2),
            b: source.randint(1, 2),
            batches: len(hessians),
            chance: [Rational(1, len(hessians))] * len(hessians),
            turned: [one.tolist() for one in hessians],
            eta: rate,
            upper: [max(place, Rational(0)) for place in places],
            lower: [max(-place, Rational(0)) for place in places],
            **dict(zip((m0, m1, m2, m3), moments, strict=True)),
        }
    )


SHRINK = Law(
    name="breakeven.second_moments_never_grow",
    title="Where no symmetric matrix gains in a step, the norm of the second moments never grows: SGD is stable.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 in more than one dimension",
        ("breakeven:L14", "breakeven:D5"),
        "Where <X, Q X> <= <X, X> for all symmetric X the norm of Q X is at most that of X: sup_t E |x_t|^2 is finite.",
    ),
    quantities=(
        Quantity(m2, "squared norm <Q X, Q X> of the second moments after a step", "length^4"),
        Quantity(m0, "squared norm <X, X> before it", "length^4"),
    ),
    regime="Quadratics of any dimension with one minimum and fresh batches. Premises: the step Q of the second moments "
    "is self-adjoint, and the symmetric matrix X - Q X is diagonal in some orthonormal basis.",
    derivation=Derivation(
        premises=(WEIGHTS, PARTS, SQUARE, FORM, SUM_GAINS_NOT, SIZE_GAINS_NOT),
        steps=(
            Equal(
                "squares of the sizes",
                Sum(_SIZE**2, (a, 1, d)),
                Sum(_Y**2, (a, 1, d)),
                uses=("one sign each",),
                normal=_FORMS,
                because="An eigenvalue and its size have one square.",
            ),
            Holds(
                "two positive forms",
                2 * _form(upper[a], upper[b]) + 2 * _form(lower[a], lower[b]) >= 0,
                uses=("weights",),
                because="No weight is negative: each is a mean of squares.",
            ),
            Holds(
                "the difference loses no more than all",
                m0 - m1 - m2 + m3 >= 0,
                uses=(
                    "squares of the sizes",
                    "two positive forms",
                    "square of the difference",
                    "form of the difference",
                    "the size gains not",
                ),
                because="The forms of Y and of the sizes add up to the two; so -<Y, Q Y> is at most <Y, Y>.",
            ),
            Holds(
                "never grows",
                Bound(m2, m0).statement,
                uses=("the difference loses no more than all", "the sum gains not"),
                because="The two add up to 2 (<X, X> - <Q X, Q X>).",
            ),
        ),
        worlds=_matrices_world,
    ),
    claim=Bound(m2, m0),
    rivals=(Rival("grows", Bound(m0, m2), "takes the norm for one that never falls"),),
)

LAWS = (SHRINK,)
