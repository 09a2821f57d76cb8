"""Why four errors have the orders that they have: what a definition leaves, over its control, has a limit (T05-T19).

Each is written with a remainder of its own, a sum whose every term settles; that it does not settle at 0 is the only
hypothesis beside the definitions.
"""

import random

from sympy import Expr, Function, IndexedBase, Integer, KroneckerDelta, Lambda, Ne, Rational, Symbol, exp, log, sqrt

from theory.definitions.inequalities import above
from theory.definitions.temperature import (
    K,
    M,
    Theta,
    Y,
    i,
    j,
    k,
    labels_of,
    m,
    n,
    over_classes,
    over_logits,
    softmax_of,
)
from theory.proof.derivation import Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import derivatives, radicals, rational, sums
from theory.proof.premises import Define, Premise, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.steps.follows import Follows
from theory.proof.steps.step import Step
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

scale, time, x = (Symbol(name, positive=True) for name in ("logit_scale", "time", "x"))
error, left, move, share = (Function(name, real=True) for name in ("error", "left", "move", "share"))
ZERO, FINITE = Integer(0), (derivatives, sums, rational)
U = IndexedBase("U", real=True)


def order_of(control: Symbol, exponent: Expr, *uses: Premise | Step) -> Follows:
    """The last step: the error follows its control at 0."""
    return Follows("order", error(control), control, exponent, ZERO, uses=names(*uses))


gap, wrong = (Function(name, real=True) for name in ("gap", "wrong"))
GAP = Define("gap between the scaled logits", gap(x), -log(x))
WRONG = Define("softmax of the wrong class", wrong(x), exp(-gap(x) / 2) / (exp(gap(x) / 2) + exp(-gap(x) / 2)))
LACK = Define("what its exponential has too much", error(x), x - wrong(x))
BY_RATIO = Equal("softmax by the ratio", wrong(x), x / (1 + x), uses=names(GAP, WRONG), forall=(x,))
EXCESS = Equal("excess of the exponential", error(x), x**2 / (1 + x), uses=names(BY_RATIO, LACK), forall=(x,))
CONFIDENT = Derivation(
    premises=(GAP, WRONG, LACK),
    steps=(BY_RATIO, EXCESS, order_of(x, Integer(2), EXCESS)),
    worlds=lambda source: World({x: Rational(1, source.randint(2, 9))}),
)

Z = smooth("Z")
V, A = derivative(Z, 3), derivative(derivative(Z, 3), 3)
bend, bends = (Function(name, real=True) for name in ("bend", "bends"))
LINE = Z(m, i, 0) + time * V(m, i, 0)
MOVES = Suppose("something moves", above(over_logits(V(m, i, 0) ** 2, m, i), 0))
TURNS = Suppose("its velocity changes", above(over_logits(A(m, i, 0) ** 2, m, i), 0))
OFF_LINE = Define(
    "distance from the line, over its length",
    error(time),
    sqrt(over_logits((Z(m, i, time) - LINE) ** 2, m, i)) / (time * sqrt(over_logits(V(m, i, 0) ** 2, m, i))),
)
BEND = Define(
    "distance of a logit over the square of time",
    bend(m, i, time),
    (Z(m, i, time) - LINE) / time**2,
    "only its square enters",
)
BENDS = Define("squares of all", bends(time), over_logits(bend(m, i, time) ** 2, m, i))
BY_BENDS = Equal(
    "distance by these",
    error(time),
    time * sqrt(bends(time)) / sqrt(over_logits(V(m, i, 0) ** 2, m, i)),
    uses=names(OFF_LINE, BEND, BENDS),
    normal=(sums, radicals, rational),
    forall=(time,),
)
BENDS_SETTLE = Tends(
    "they settle", bends(time), time, ZERO, over_logits(A(m, i, 0) ** 2, m, i) / 4, uses=names(BEND, BENDS)
)


def a_smooth_path(source: random.Random) -> World:
    """Cubic paths of a few logits."""
    point, class_, t = (Symbol(name, real=True) for name in ("point", "class_", "t"))
    c = [fraction(source) for _ in range(4)]
    path = c[0] * point + c[1] * point * class_ * t + c[2] * (point + class_) * t**2 + c[3] * t**3
    return World({M: 2, K: 2, time: fraction(source), Z: Lambda((point, class_, t), path)})


EARLY = Derivation(
    premises=(MOVES, TURNS, OFF_LINE, BEND, BENDS),
    steps=(BY_BENDS, BENDS_SETTLE, order_of(time, Integer(1), BY_BENDS, BENDS_SETTLE, MOVES, TURNS)),
    worlds=a_smooth_path,
)


def differences(row: tuple[Expr, ...], class_: Symbol) -> Expr:
    """Sum over the classes of how far the direction at one lies above that at each."""
    return over_classes(U[(*row, class_)] - U[(*row, k)], k)


def moves(row: tuple[Expr, ...], class_: Symbol) -> tuple[Define, Define, Equal]:
    """Softmax along the direction U, its distance from a uniform one over the scale, and that written in differences.

    Examples
    --------
    >>> moves((), i)[1].body
    (share(i, logit_scale) - 1/K)/logit_scale
    """
    at = (*row, class_, scale)
    high, other = exp(scale * U[(*row, class_)]), exp(scale * U[(*row, k)])
    along = Define("softmax along a direction", share(*at), softmax_of(scale * U[(*row, class_)], class_, k))
    moved = Define("move of a share", move(*at), (share(*at) - 1 / K) / scale)
    opened = Equal(
        "move by differences",
        move(*at),
        over_classes((high - other) / scale, k) / (K * over_classes(other, k)),
        uses=names(along, moved),
        forall=at,
    )
    return along, moved, opened


first = Symbol("first_order", real=True)
ALONG, MOVE, MOVED = moves((), i)
ENTRY = Define(
    "distance of an entry from that of a uniform softmax",
    error(scale),
    KroneckerDelta(i, j) * share(i, scale) - share(i, scale) * share(j, scale) - (KroneckerDelta(i, j) / K - 1 / K**2),
)
LEFT = Define(
    "what is left over the scale",
    left(scale),
    KroneckerDelta(i, j) * move(i, scale)
    - (move(i, scale) + move(j, scale)) / K
    - scale * move(i, scale) * move(j, scale),
)
FIRST = Define(
    "its first order",
    first,
    KroneckerDelta(i, j) * differences((), i) / K**2 - (differences((), i) + differences((), j)) / K**3,
)
ENTRY_MOVES = Suppose("the entry moves", Ne(first, 0, evaluate=False))
BY_MOVES = Equal(
    "entry by the moves", error(scale), scale * left(scale), uses=names(ENTRY, MOVE, LEFT), forall=(scale,)
)
LEFT_SETTLES = Tends("it settles", left(scale), scale, ZERO, first, uses=names(MOVED, LEFT, FIRST), normal=FINITE)


def a_direction(source: random.Random) -> World:
    """A few classes and a direction of their logits."""
    classes = source.randint(2, 4)
    return World(
        {
            K: classes,
            i: source.randint(1, classes),
            j: source.randint(1, classes),
            scale: fraction(source),
            U: table(source, classes),
        }
    )


JACOBIAN = Derivation(
    premises=(ALONG, MOVE, ENTRY, LEFT, FIRST, ENTRY_MOVES),
    steps=(MOVED, BY_MOVES, LEFT_SETTLES, order_of(scale, Integer(1), BY_MOVES, LEFT_SETTLES, ENTRY_MOVES)),
    worlds=a_direction,
)

start = IndexedBase("drive_uniform", real=True)
square_start = Symbol("square_uniform", real=True)
square, turn = (Function(name, real=True) for name in ("square", "turn"))
ALONG_ALL, MOVE_ALL, MOVED_ALL = moves((n,), j)
START = Define("drive of a uniform softmax", start[m, i], over_logits(Theta[m, i, n, j] * (Y[n, j] - 1 / K)))
SQUARE_START = Define("its square", square_start, over_logits(start[m, i] ** 2, m, i))
SQUARE = Define(
    "square of the drive",
    square(scale),
    over_logits(over_logits(Theta[m, i, n, j] * (Y[n, j] - share(n, j, scale))) ** 2, m, i),
)
TURN = Define("move of the drive over the scale", turn(m, i, scale), over_logits(Theta[m, i, n, j] * move(n, j, scale)))
OVER_SCALE = Define("move of its square", left(scale), (square(scale) - square_start) / scale)
SLOPE = Define(
    "slope of the square",
    first,
    -2 * over_logits(start[m, i] * over_logits(Theta[m, i, n, j] * differences((n,), j)) / K**2, m, i),
)
DRIVEN = Suppose("something moves", above(square_start, 0))
TURNED = Suppose("the drive changes", Ne(first, 0, evaluate=False))
CONSTANT = Define(
    "constant of tau_z over its limit, less 1", error(scale), sqrt(square_start) / sqrt(square(scale)) - 1
)
SQUARE_OPENED = Equal(
    "square by the moves",
    left(scale),
    scale * over_logits(turn(m, i, scale) ** 2, m, i) - 2 * over_logits(start[m, i] * turn(m, i, scale), m, i),
    uses=names(OVER_SCALE, SQUARE, SQUARE_START, START, TURN, MOVE_ALL),
    forall=(scale,),
)
SQUARE_MOVES = Tends(
    "its move settles",
    left(scale),
    scale,
    ZERO,
    first,
    uses=names(SQUARE_OPENED, MOVED_ALL, TURN, SLOPE, START),
    normal=FINITE,
)
SQUARE_SETTLES = Tends(
    "so does the square",
    square(scale),
    scale,
    ZERO,
    square_start,
    uses=names(ALONG_ALL, SQUARE, SQUARE_START, START),
    normal=FINITE,
)
BY_SQUARE = Equal(
    "constant by the square",
    error(scale),
    -scale * left(scale) / (sqrt(square(scale)) * (sqrt(square_start) + sqrt(square(scale)))),
    uses=names(CONSTANT, OVER_SCALE),
    normal=(radicals, rational),
    forall=(scale,),
)


def directions(source: random.Random) -> World:
    """Two points of two classes, their directions, labels and kernel."""
    return World(
        {
            M: 2,
            K: 2,
            m: source.randint(1, 2),
            n: source.randint(1, 2),
            i: source.randint(1, 2),
            j: source.randint(1, 2),
            scale: fraction(source),
            U: table(source, 2, 2),
            Theta: table(source, 2, 2, 2, 2),
            Y: labels_of(source, 2, 2),
        }
    )


SMALL_LOGITS = Derivation(
    premises=(ALONG_ALL, MOVE_ALL, START, SQUARE_START, SQUARE, TURN, OVER_SCALE, SLOPE, DRIVEN, TURNED, CONSTANT),
    steps=(
        MOVED_ALL,
        SQUARE_OPENED,
        SQUARE_MOVES,
        SQUARE_SETTLES,
        BY_SQUARE,
        order_of(scale, Integer(1), BY_SQUARE, SQUARE_MOVES, SQUARE_SETTLES, DRIVEN, TURNED),
    ),
    worlds=directions,
)
