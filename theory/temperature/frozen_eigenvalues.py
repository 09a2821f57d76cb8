"""Eigenvalues of a frozen softmax Jacobian (T20): the secular equation, and bounds on what other classes add to it.

All is in units of the share p_i of class i. The eigenvalue is c(x) p_i. Larger neighbour and smaller neighbour are
the classes i - 1 and i + 1, with p_i/p_(i-1) = x v(x) and p_(i+1)/p_i = x w(x); the ratios of the classes beyond
them are larger(a, x) = p_i/p_a and smaller(b, x) = p_b/p_i.
"""

import random
from dataclasses import replace

from sympy import And, Eq, Expr, Function, Implies, Integer, Lambda, Ne, Rational, Sum, Symbol
from sympy import Limit as SymbolicLimit
from sympy.logic.boolalg import Boolean

from theory.claims import Limit
from theory.definitions.temperature import i
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import merged
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Squeezed, Tends, Termwise
from theory.proof.steps.follows import Follows
from theory.proof.steps.step import Step
from theory.proof.worlds import World

x = Symbol("x", positive=True)
a, b = (Symbol(name, integer=True, positive=True) for name in "ab")
further = Symbol("further", integer=True, nonnegative=True)
s = Symbol("s", real=True)
v_0, w_0 = (Symbol(name, nonnegative=True) for name in ("v_0", "w_0"))
v, w = (Function(name, nonnegative=True) for name in "vw")
larger, smaller = (Function(name, positive=True) for name in ("larger", "smaller"))
c, count, up, down, far_up, far_down, excess, slope = (
    Function(name, real=True) for name in ("c", "count", "up", "down", "far_up", "far_down", "excess", "slope")
)

FROZEN = Limit(c(x), x, Integer(0), i / (i - 1), Integer(1))
NEAR = 8 * (further + 2) * x <= 1


def names(*premises: Define | Suppose) -> tuple[str, ...]:
    """How steps refer to premises."""
    return tuple(premise.name for premise in premises)


def over_larger(term: Expr) -> Sum:
    """Sum over the i - 2 classes beyond the larger neighbour."""
    return Sum(term, (a, 1, i - 2))


def over_smaller(term: Expr) -> Sum:
    """Sum over the classes beyond the smaller neighbour."""
    return Sum(term, (b, 1, further))


def where_small(fact: Boolean) -> Boolean:
    """The fact, where x is small."""
    return Implies(NEAR, fact, evaluate=False)


ADDED = over_larger(c(x) * larger(a, x) / (1 - c(x) * larger(a, x)))
TAKEN = over_smaller(smaller(b, x) / (c(x) - smaller(b, x)))
COUNTED = 1 / (1 - c(x) * x * v(x)) + over_larger(1 / (1 - c(x) * larger(a, x)))

SMALL = Suppose("x is small", NEAR)
NOT_FIRST = Suppose("not the largest", i >= 2)
SECULAR = Suppose(
    "secular equation",
    Eq(1 / (c(x) - 1), count(x) - x * w(x) / (c(x) - x * w(x)) - TAKEN, evaluate=False),
    forall=(x,),
)
PLACE = Suppose("between its share and the next", where_small(And(c(x) > 1, c(x) * x * v(x) < 1)), forall=(x,))
BELOW = Suppose("below all larger shares", where_small(c(x) * larger(a, x) < 1), forall=(a, x))
LARGEST = Suppose("x is the largest ratio of neighbours", where_small(And(v(x) <= 1, w(x) <= 1)), forall=(x,))
FAR_LARGER = Suppose("far larger classes", where_small(larger(a, x) <= x**2), forall=(a, x))
FAR_SMALLER = Suppose("far smaller classes", where_small(smaller(b, x) <= x**2), forall=(b, x))
V_SETTLES = Suppose("larger neighbour", Eq(SymbolicLimit(v(x), x, 0), v_0, evaluate=False))
W_SETTLES = Suppose("smaller neighbour", Eq(SymbolicLimit(w(x), x, 0), w_0, evaluate=False))
MATTERS = Suppose("the neighbours do not cancel", Ne(i**2 * v_0, (i - 1) ** 2 * w_0, evaluate=False))

COUNT = Define("what larger classes count", count(x), COUNTED)
UP = Define("what the larger neighbour adds", up(x), c(x) * x * v(x) / (1 - c(x) * x * v(x)))
DOWN = Define("what the smaller neighbour takes", down(x), x * w(x) / (c(x) - x * w(x)))
FAR_UP = Define("what far larger classes add, over x", far_up(x), ADDED / x)
FAR_DOWN = Define("what far smaller classes take, over x", far_down(x), TAKEN / x)
EXCESS = Define("excess", excess(x), up(x) + x * far_up(x) - down(x) - x * far_down(x))
SLOPE = Define("excess over x", slope(x), excess(x) / x)
FIRST_ORDER = Define("first order", s, i * v_0 / (i - 1) - (i - 1) * w_0 / i)


def a_path(source: random.Random) -> World:
    """A line for c(x), and the ratio of the smaller neighbour that the secular equation then asks for."""
    place, more = source.randint(2, 4), source.randint(0, 2)
    t = Symbol("t")
    high, low = Rational(source.randint(1, 3), 4), Rational(source.randint(1, 3), 8)
    above, below = (Rational(source.randint(1, 3), 4) * t**2 for _ in range(2))
    first = Rational(place, place - 1)
    ratio = first - (first * high - low / first) / (place - 1) ** 2 * t
    counted = 1 / (1 - ratio * t * high) + (place - 2) / (1 - ratio * above)
    taken = counted - more * below / (ratio - below) - 1 / (ratio - 1)
    return World(
        {
            i: place,
            further: more,
            x: Rational(1, source.randint(40, 60)),
            a: 1,
            b: 1,
            c: Lambda(t, ratio),
            v: Lambda(t, high),
            w: Lambda(t, ratio * taken / (t * (1 + taken))),
            larger: Lambda((a, t), above),
            smaller: Lambda((b, t), below),
            v_0: high,
            w_0: low,
        }
    )


def holds(name: str, fact: Boolean, *uses: Define | Suppose | Step) -> Holds:
    """The fact at every small x; all that is used of other places is used at x."""
    return Holds(name, fact, uses=names_of(uses), instances=instances(uses), forall=(x,))


def termwise(name: str, smaller_sum: Expr, larger_sum: Expr, *uses: Define | Suppose | Step) -> Termwise:
    """The same for two sums."""
    return Termwise(name, smaller_sum, larger_sum, uses=names_of(uses), instances=instances(uses), forall=(x,))


def names_of(uses: tuple[Define | Suppose | Step, ...]) -> tuple[str, ...]:
    """Names, and that x is small."""
    return (SMALL.name, *(part.name for part in uses))


def instances(uses: tuple[Define | Suppose | Step, ...]) -> tuple[tuple[str, dict[Expr, Expr]], ...]:
    """Every quantified part at its own symbols."""
    return tuple(
        (part.name, {symbol: symbol for symbol in part.forall})  # type: ignore[union-attr]
        for part in uses
        if getattr(part, "forall", ()) and not isinstance(part, Equal)
    )


def squeezed(name: str, quantity: Expr, lower: Expr, upper: Expr, *uses: Step) -> Squeezed:
    """The quantity vanishes with x."""
    bounds = tuple(part.name for part in uses)
    return Squeezed(name, quantity, x, Integer(0), Integer(0), lower, upper, uses=bounds)


COUNTS = Equal(
    "each larger class counts 1 and a little more",
    count(x),
    i - 1 + up(x) + ADDED,
    uses=names(COUNT, UP, NOT_FIRST),
    normal=(merged,),
    forall=(x,),
)
BY_SECULAR = Equal(
    "excess by the secular equation",
    excess(x),
    1 / (c(x) - 1) - (i - 1),
    uses=(COUNTS.name, *names(SECULAR, DOWN, FAR_UP, FAR_DOWN, EXCESS)),
    forall=(x,),
)
RATIO = Equal(
    "eigenvalue over share", c(x), 1 + 1 / (i - 1 + excess(x)), uses=("excess by the secular equation",), forall=(x,)
)
CORRECTION = Equal(
    "first correction",
    c(x),
    i / (i - 1) - x * slope(x) / ((i - 1) * (i - 1 + excess(x))),
    uses=(RATIO.name, SLOPE.name),
    forall=(x,),
)

SQUARE = holds("the square of x is smaller still", 16 * x**2 <= x)
TAKE = termwise("far smaller classes take", Integer(0), TAKEN, SQUARE, PLACE, FAR_SMALLER)
TAKE_TWICE = termwise(
    "no more than twice their ratios", TAKEN, over_smaller(2 * smaller(b, x)), SQUARE, PLACE, FAR_SMALLER
)
ARE_SMALL = termwise("and those are small", over_smaller(2 * smaller(b, x)), over_smaller(2 * x**2), FAR_SMALLER)
FAR_TAKEN = holds(
    "taken by far smaller classes",
    And(x * far_down(x) >= 0, x * far_down(x) <= 2 * further * x**2),
    FAR_DOWN, TAKE, TAKE_TWICE, ARE_SMALL,
)  # fmt: skip
TAKEN_OVER_X = holds("taken by them, over x", And(far_down(x) >= 0, far_down(x) <= 2 * further * x), FAR_TAKEN)
RATIO_BOUND = holds("ratio of the smaller neighbour", x * w(x) <= x, LARGEST)
NEAR_TAKEN = holds(
    "taken by the smaller neighbour", And(down(x) >= 0, down(x) <= 2 * x * w(x)), DOWN, PLACE, RATIO_BOUND
)
NEAR_TAKEN_BOUND = holds(
    "taken by the smaller neighbour, at most", And(down(x) >= 0, down(x) <= 2 * x), RATIO_BOUND, NEAR_TAKEN
)
ADD = termwise("far larger classes add", Integer(0), ADDED, BELOW, PLACE)
NEAR_ADDS = holds("the larger neighbour adds", up(x) >= 0, UP, PLACE)
FAR_ADDS = holds("added by far larger classes", x * far_up(x) >= 0, FAR_UP, ADD)
AT_LEAST = holds(
    "excess is no less than -1/2", 2 * excess(x) >= -1, EXCESS, NEAR_ADDS, FAR_ADDS, NEAR_TAKEN_BOUND, FAR_TAKEN
)
THREE = holds("no more than three shares", c(x) <= 3, RATIO, AT_LEAST, NOT_FIRST)
THREE_TIMES = holds("at most three", c(x) * v(x) <= 3, THREE, LARGEST)
THREE_X = holds("at most three x", c(x) * x * v(x) <= 3 * x, THREE_TIMES)
NEAR_ADDED = holds("added by the larger neighbour", up(x) <= 2 * c(x) * x * v(x), UP, PLACE, THREE_X)
NEAR_ADDED_BOUND = holds("added by the larger neighbour, at most", up(x) <= 6 * x, NEAR_ADDED, THREE_X)
FAR_BELOW = Holds(
    "far larger shares are far above",
    c(x) * larger(a, x) <= 3 * x**2,
    uses=names_of((THREE, FAR_LARGER)),
    instances=instances((THREE, FAR_LARGER)),
    forall=(a, x),
)
ADD_TWICE = termwise(
    "no more than twice what they see", ADDED, over_larger(2 * c(x) * larger(a, x)), SQUARE, PLACE, FAR_BELOW
)
SEE_LITTLE = termwise("and that is little", over_larger(2 * c(x) * larger(a, x)), over_larger(6 * x**2), FAR_BELOW)
FAR_ADDED = holds(
    "added by far larger classes, at most",
    x * far_up(x) <= 6 * (i - 2) * x**2,
    FAR_UP, NOT_FIRST, ADD_TWICE, SEE_LITTLE,
)  # fmt: skip
ADDED_OVER_X = holds("added by them, over x", And(far_up(x) >= 0, far_up(x) <= 6 * (i - 2) * x), FAR_ADDS, FAR_ADDED)
LOWEST, HIGHEST = -2 * x - 2 * further * x**2, 6 * x + 6 * (i - 2) * x**2
NOT_FAR_BELOW = holds(
    "excess is not far below 0", excess(x) >= LOWEST, EXCESS, NEAR_ADDS, FAR_ADDS, NEAR_TAKEN_BOUND, FAR_TAKEN
)
NOT_FAR_ABOVE = holds(
    "nor far above", excess(x) <= HIGHEST, EXCESS, NEAR_ADDED_BOUND, FAR_ADDED, NEAR_TAKEN_BOUND, FAR_TAKEN
)
BOUNDS = (
    SQUARE, TAKE, TAKE_TWICE, ARE_SMALL, FAR_TAKEN, TAKEN_OVER_X, RATIO_BOUND, NEAR_TAKEN, NEAR_TAKEN_BOUND,
    ADD, NEAR_ADDS, FAR_ADDS, AT_LEAST, THREE, THREE_TIMES, THREE_X, NEAR_ADDED, NEAR_ADDED_BOUND, FAR_BELOW,
    ADD_TWICE, SEE_LITTLE, FAR_ADDED, ADDED_OVER_X, NOT_FAR_BELOW, NOT_FAR_ABOVE,
)  # fmt: skip

VANISHES = squeezed("excess vanishes", excess(x), LOWEST, HIGHEST, NOT_FAR_BELOW, NOT_FAR_ABOVE)
FAR_UP_VANISHES = squeezed("far larger classes do not matter", far_up(x), Integer(0), 6 * (i - 2) * x, ADDED_OVER_X)
FAR_DOWN_VANISHES = squeezed(
    "far smaller classes do not matter", far_down(x), Integer(0), 2 * further * x, TAKEN_OVER_X
)
UP_VANISHES = squeezed("the larger neighbour vanishes", up(x), Integer(0), 6 * x, NEAR_ADDS, NEAR_ADDED_BOUND)
DOWN_VANISHES = squeezed("the smaller neighbour vanishes", down(x), Integer(0), 2 * x, NEAR_TAKEN_BOUND)
VANISHING = (VANISHES, FAR_UP_VANISHES, FAR_DOWN_VANISHES, UP_VANISHES, DOWN_VANISHES)
IN_PARTS = Equal(
    "excess over x in parts",
    slope(x),
    c(x) * v(x) * (1 + up(x)) + far_up(x) - w(x) * (1 + down(x)) / c(x) - far_down(x),
    uses=names(UP, DOWN, SLOPE, EXCESS),
    forall=(x,),
)
SLOPE_SETTLES = Tends(
    "excess over x settles",
    slope(x),
    x,
    Integer(0),
    s,
    uses=(
        IN_PARTS.name,
        RATIO.name,
        *(step.name for step in VANISHING),
        *names(V_SETTLES, W_SETTLES, FIRST_ORDER, NOT_FIRST),
    ),
)
NOT_ZERO = Holds("it is not 0", Ne(s, 0, evaluate=False), uses=names(FIRST_ORDER, MATTERS, NOT_FIRST))

HYPOTHESES = (
    SMALL, NOT_FIRST, SECULAR, PLACE, BELOW, LARGEST, FAR_LARGER, FAR_SMALLER, V_SETTLES, W_SETTLES, MATTERS,
)  # fmt: skip
FROZEN_DERIVATION = Derivation(
    premises=(*HYPOTHESES, COUNT, UP, DOWN, FAR_UP, FAR_DOWN, EXCESS, SLOPE, FIRST_ORDER),
    steps=(
        COUNTS,
        BY_SECULAR,
        RATIO,
        CORRECTION,
        *BOUNDS,
        *VANISHING,
        IN_PARTS,
        SLOPE_SETTLES,
        NOT_ZERO,
        Follows(
            "rate",
            FROZEN.quantity - FROZEN.value,
            x,
            Integer(1),
            Integer(0),
            uses=(CORRECTION.name, VANISHES.name, SLOPE_SETTLES.name, NOT_ZERO.name, NOT_FIRST.name),
        ),
        Tends(
            "frozen eigenvalue",
            FROZEN.quantity,
            x,
            Integer(0),
            FROZEN.value,
            uses=(RATIO.name, VANISHES.name, NOT_FIRST.name),
        ),
    ),
    worlds=a_path,
)

LAWS = (
    Law(
        name="temperature.frozen_eigenvalues",
        title="Where all gaps are wide the eigenvalue of class i is i/(i - 1) times its share",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.2, eqs 31-36",
            ("temperature:T20", "temperature:E21"),
            "lambda_i = (i/(i-1)) exp(-beta (z_1 - z_i)) up to a factor 1 + O(exp(-beta gap)), for every class from 2",
        ),
        quantities=(
            Quantity(x, "largest ratio of the shares of neighbours, exp(-beta (least gap))"),
            Quantity(i, "place of a class, the largest logit first; its eigenvalue lies between p_i and p_(i-1)"),
        ),
        regime="any number of classes whose neighbours' ratios are at most x; class i's eigenvalue is the root of the "
        "secular equation sum_j p_j/(p_j - mu) = 0 (temperature.softmax_secular) between p_i and p_(i-1); for "
        "the rate, one of its own neighbours is among the closest, and the two do not cancel",
        derivation=FROZEN_DERIVATION,
        claim=FROZEN,
        rivals=(
            Rival("one", replace(FROZEN, value=Integer(1)), "eq 36 as printed, without the prefactor"),
            Rival("its place", replace(FROZEN, value=i), "eq 34 taken up the list: i in place of i/(i-1)"),
        ),
    ),
)
