"""How fast frozen eigenvalues, eigenvectors and condition numbers reach their limits (T20): in x, by the neighbours."""

import random

from sympy import Eq, Expr, Function, Integer, Lambda, Ne, Rational, Symbol
from sympy import Limit as SymbolicLimit

from theory.definitions.temperature import K, i, m
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World
from theory.temperature.frozen_eigenvalues import (
    CORRECTION,
    FROZEN_DERIVATION,
    LIMIT_DERIVATION,
    NOT_ZERO,
    OPENED,
    SLOPE_SETTLES,
    VANISHES,
)
from theory.temperature.frozen_path import (
    FIRST_ORDER,
    HYPOTHESES,
    MATTERS,
    NOT_FIRST,
    SLOPE,
    V_SETTLES,
    W_SETTLES,
    a_path,
    c,
    further,
    paths,
    s,
    somewhere,
    t,
    v_0,
    w_0,
    x,
)
from theory.temperature.frozen_spectrum import LAST_CLASS, LAST_GIVEN, SECOND_GIVEN, SEVERAL_HERE, beyond, eigenvalue

ZERO = Integer(0)
error = Function("error", real=True)
OF_THE_RATE = tuple(h for h in HYPOTHESES if h is not MATTERS)
FIRST = Tends(
    "first order of an eigenvalue",
    (c(x) - i / (i - 1)) / x,
    x,
    ZERO,
    -s / (i - 1) ** 2,
    uses=(CORRECTION.name, SLOPE_SETTLES.name, VANISHES.name, NOT_FIRST.name),
)
UP_TO_IT = FROZEN_DERIVATION.steps[: FROZEN_DERIVATION.steps.index(NOT_ZERO)]
RATE = Derivation((*OF_THE_RATE, *OPENED, SLOPE, FIRST_ORDER), (*UP_TO_IT, FIRST), a_path)

rest, ends = (Function(name, real=True) for name in ("rest", "rest_of_the_last"))
v_2, w_2, v_K, w_K = (Symbol(name, nonnegative=True) for name in ("v_2", "w_2", "v_K", "w_K"))


def first_order(name: str, place: Expr, more: Expr, v: Symbol, w: Symbol) -> tuple[Imported, tuple[Suppose, Suppose]]:
    """The first order of one class of the point m, and where its neighbours' ratios settle."""
    at = ((m, m), (i, place), (further, more), (v_0, v), (w_0, w))
    settled = tuple(Suppose(f"{name}: {h.name}", h.fact.xreplace(dict(at))) for h in (V_SETTLES, W_SETTLES))
    return Imported(name, RATE, at), settled  # type: ignore[return-value]


SECOND, SECOND_SETTLES = first_order("first order of the second class", Integer(2), beyond, v_2, w_2)
LAST, LAST_SETTLES = first_order("first order of the last class", K, ZERO, v_K, w_K)
LAST_LIMIT = K / (K - 1)
OF_SECOND = Define("rest of the second class", rest(x), (eigenvalue(m, Integer(2)) - 2) / x)
OF_LAST = Define("rest of the last class", ends(x), (eigenvalue(m, K) - LAST_LIMIT) / x)
RATIO = Define(
    "distance of the scaled condition number from its limit",
    error(x),
    eigenvalue(m, Integer(2)) / eigenvalue(m, K) - 2 * (K - 1) / K,
)
APART = Suppose(
    "the ends do not move alike",
    Ne(
        -LAST_LIMIT * (2 * v_2 - w_2 / 2) + 2 * (K * v_K / (K - 1) - (K - 1) * w_K / K) / (K - 1) ** 2,
        0,
        evaluate=False,
    ),
)
SECOND_SETTLED = Tends("it settles", rest(x), x, ZERO, -(2 * v_2 - w_2 / 2), uses=names(OF_SECOND, SECOND))
LAST_SETTLED = Tends(
    "so does that of the last",
    ends(x),
    x,
    ZERO,
    -(K * v_K / (K - 1) - (K - 1) * w_K / K) / (K - 1) ** 2,
    uses=names(OF_LAST, LAST),
)
BY_RESTS = Equal(
    "distance by both",
    error(x),
    x * (rest(x) * LAST_LIMIT - 2 * ends(x)) / (LAST_LIMIT * eigenvalue(m, K)),
    uses=names(RATIO, OF_SECOND, OF_LAST),
    forall=(x,),
)


def both_ends(source: random.Random) -> World:
    """Paths of the second and of the last class of one point."""
    classes = source.randint(3, 5)
    more = source.randint(0, classes - 3)
    functions, found = paths(source, {(1, 2): more, (1, classes): 0})
    settled = dict(zip((v_2, w_2, v_K, w_K), found, strict=True))
    return World({**functions, **somewhere(source), **settled, m: 1, K: classes, beyond: more})


CONDITION_NUMBER = Derivation(
    premises=(
        *(*SECOND_GIVEN, *SECOND_SETTLES, *LAST_GIVEN, *LAST_SETTLES, LAST_CLASS, SECOND, LAST),
        *(OF_SECOND, OF_LAST, RATIO, APART),
    ),
    steps=(
        SECOND_SETTLED,
        LAST_SETTLED,
        BY_RESTS,
        Follows(
            "order",
            error(x),
            x,
            Integer(1),
            ZERO,
            uses=names(SECOND_SETTLED, LAST_SETTLED, BY_RESTS, LAST_CLASS, APART, SEVERAL_HERE),
        ),
    ),
    worlds=both_ends,
)

near = Symbol("ratio_0", nonnegative=True)
ratio = Function("ratio", positive=True)
entry = Function("larger_entry", real=True)
EIGENVALUE, EIGENVALUE_FIRST = Imported("frozen eigenvalue", LIMIT_DERIVATION), Imported("its first order", RATE)
NEIGHBOUR = Suppose("the share's ratio over x settles", Eq(SymbolicLimit(ratio(x), x, 0), near, evaluate=False))
ROW = Suppose(
    "row of a larger class",
    Eq(entry(x) - c(x) * x * ratio(x) * entry(x), 1 - c(x), evaluate=False),
    forall=(x,),
)
FAR = Define("distance of the entry from its limit", error(x), entry(x) + 1 / (i - 1))
OF_CLASS = Define("rest of the eigenvalue", rest(x), (c(x) - i / (i - 1)) / x)
ENTRY_MOVES = Suppose("the entry moves", Ne(s / (i - 1) - i * near / (i - 1), 0, evaluate=False))
SOLVED = Equal("its entry", entry(x), (1 - c(x)) / (1 - c(x) * x * ratio(x)), uses=names(ROW), forall=(x,))
REST_SETTLED = Tends("it settles", rest(x), x, ZERO, -s / (i - 1) ** 2, uses=names(OF_CLASS, EIGENVALUE_FIRST))
BY_REST = Equal(
    "distance by it",
    error(x),
    -x * ((i - 1) * rest(x) + c(x) * ratio(x)) / ((i - 1) * (1 - c(x) * x * ratio(x))),
    uses=names(SOLVED, FAR, OF_CLASS),
    forall=(x,),
)


def with_entry(source: random.Random) -> World:
    """A path of eigenvalues, the ratio of one more share, and the entry that the row then asks for."""
    path = a_path(source)
    value = c(t).xreplace({m: path.values[m], i: path.values[i]})
    size = Rational(source.randint(1, 5), 6)
    found = path.values[value.func](*value.args)
    return World(
        {
            **path.values,
            ratio: Lambda(t, size),
            near: size,
            entry: Lambda(t, (1 - found) / (1 - found * t * size)),
        }
    )


VANISHING = Tends("x vanishes", x, x, ZERO, ZERO)
EIGENVECTOR = Derivation(
    premises=(*OF_THE_RATE, EIGENVALUE, EIGENVALUE_FIRST, NEIGHBOUR, ROW, FAR, OF_CLASS, ENTRY_MOVES),
    steps=(
        SOLVED,
        REST_SETTLED,
        BY_REST,
        VANISHING,
        Follows(
            "order",
            error(x),
            x,
            Integer(1),
            ZERO,
            uses=names(BY_REST, REST_SETTLED, VANISHING, EIGENVALUE, NEIGHBOUR, ENTRY_MOVES, NOT_FIRST),
        ),
    ),
    worlds=with_entry,
)
