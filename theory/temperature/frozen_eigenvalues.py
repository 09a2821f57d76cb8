"""Eigenvalues of a frozen softmax Jacobian (T20): the secular equation, and bounds on what other classes add to it."""

from dataclasses import replace

from sympy import And, Expr, Integer, Ne
from sympy.logic.boolalg import Boolean

from theory.claims import Limit
from theory.definitions.inequalities import at_least, at_most
from theory.definitions.temperature import MEANINGS, i, m
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import merged
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Squeezed, Tends, Termwise
from theory.proof.steps.follows import Follows
from theory.proof.steps.step import Step
from theory.proof.told import names
from theory.temperature.frozen_path import (
    ADDED,
    BELOW,
    COUNT,
    DOWN,
    EXCESS,
    FAR_DOWN,
    FAR_LARGER,
    FAR_SMALLER,
    FAR_UP,
    FIRST_ORDER,
    HYPOTHESES,
    LARGEST,
    MATTERS,
    NOT_FIRST,
    OF_THE_LIMIT,
    PLACE,
    SECULAR,
    SLOPE,
    SMALL,
    TAKEN,
    UP,
    V_SETTLES,
    W_SETTLES,
    a,
    a_path,
    b,
    c,
    count,
    down,
    excess,
    far_down,
    far_up,
    further,
    larger,
    over_larger,
    over_smaller,
    s,
    slope,
    smaller,
    up,
    v,
    w,
    x,
)

FROZEN = Limit(c(x), x, Integer(0), i / (i - 1), Integer(1))


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

SQUARE = holds("the square of x is smaller still", at_most(16 * x**2, x))
TAKE = termwise("far smaller classes take", Integer(0), TAKEN, SQUARE, PLACE, FAR_SMALLER)
TAKE_TWICE = termwise(
    "no more than twice their ratios", TAKEN, over_smaller(2 * smaller(b, x)), SQUARE, PLACE, FAR_SMALLER
)
ARE_SMALL = termwise("and those are small", over_smaller(2 * smaller(b, x)), over_smaller(2 * x**2), FAR_SMALLER)
FAR_TAKEN = holds(
    "taken by far smaller classes",
    And(at_least(x * far_down(x), 0), at_most(x * far_down(x), 2 * further * x**2)),
    FAR_DOWN, TAKE, TAKE_TWICE, ARE_SMALL,
)  # fmt: skip
TAKEN_OVER_X = holds(
    "taken by them, over x", And(at_least(far_down(x), 0), at_most(far_down(x), 2 * further * x)), FAR_TAKEN
)
RATIO_BOUND = holds("ratio of the smaller neighbour", at_most(x * w(x), x), LARGEST)
NEAR_TAKEN = holds(
    "taken by the smaller neighbour",
    And(at_least(down(x), 0), at_most(down(x), 2 * x * w(x))),
    DOWN,
    PLACE,
    RATIO_BOUND,
)
NEAR_TAKEN_BOUND = holds(
    "taken by the smaller neighbour, at most",
    And(at_least(down(x), 0), at_most(down(x), 2 * x)),
    RATIO_BOUND,
    NEAR_TAKEN,
)
ADD = termwise("far larger classes add", Integer(0), ADDED, BELOW, PLACE)
NEAR_ADDS = holds("the larger neighbour adds", at_least(up(x), 0), UP, PLACE)
FAR_ADDS = holds("added by far larger classes", at_least(x * far_up(x), 0), FAR_UP, ADD)
AT_LEAST = holds(
    "excess is no less than -1/2", at_least(2 * excess(x), -1), EXCESS, NEAR_ADDS, FAR_ADDS, NEAR_TAKEN_BOUND, FAR_TAKEN
)
THREE = holds("no more than three shares", at_most(c(x), 3), RATIO, AT_LEAST, NOT_FIRST)
THREE_TIMES = holds("at most three", at_most(c(x) * v(x), 3), THREE, LARGEST)
THREE_X = holds("at most three x", at_most(c(x) * x * v(x), 3 * x), THREE_TIMES)
NEAR_ADDED = holds("added by the larger neighbour", at_most(up(x), 2 * c(x) * x * v(x)), UP, PLACE, THREE_X)
NEAR_ADDED_BOUND = holds("added by the larger neighbour, at most", at_most(up(x), 6 * x), NEAR_ADDED, THREE_X)
FAR_BELOW = Holds(
    "far larger shares are far above",
    at_most(c(x) * larger(a, x), 3 * x**2),
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
    at_most(x * far_up(x), 6 * (i - 2) * x**2),
    FAR_UP, NOT_FIRST, ADD_TWICE, SEE_LITTLE,
)  # fmt: skip
ADDED_OVER_X = holds(
    "added by them, over x", And(at_least(far_up(x), 0), at_most(far_up(x), 6 * (i - 2) * x)), FAR_ADDS, FAR_ADDED
)
LOWEST, HIGHEST = -2 * x - 2 * further * x**2, 6 * x + 6 * (i - 2) * x**2
NOT_FAR_BELOW = holds(
    "excess is not far below 0", at_least(excess(x), LOWEST), EXCESS, NEAR_ADDS, FAR_ADDS, NEAR_TAKEN_BOUND, FAR_TAKEN
)
NOT_FAR_ABOVE = holds(
    "nor far above", at_most(excess(x), HIGHEST), EXCESS, NEAR_ADDED_BOUND, FAR_ADDED, NEAR_TAKEN_BOUND, FAR_TAKEN
)
TO_THE_LIMIT = (
    SQUARE, TAKE, TAKE_TWICE, ARE_SMALL, FAR_TAKEN, RATIO_BOUND, NEAR_TAKEN, NEAR_TAKEN_BOUND,
    ADD, NEAR_ADDS, FAR_ADDS, AT_LEAST, THREE, THREE_TIMES, THREE_X, NEAR_ADDED, NEAR_ADDED_BOUND, FAR_BELOW,
    ADD_TWICE, SEE_LITTLE, FAR_ADDED, NOT_FAR_BELOW, NOT_FAR_ABOVE,
)  # fmt: skip
BOUNDS = (*TO_THE_LIMIT, TAKEN_OVER_X, ADDED_OVER_X)

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

EIGENVALUE = Tends(
    "frozen eigenvalue",
    FROZEN.quantity,
    x,
    Integer(0),
    FROZEN.value,
    uses=(RATIO.name, VANISHES.name, NOT_FIRST.name),
)
OPENED = (COUNT, UP, DOWN, FAR_UP, FAR_DOWN, EXCESS)
LIMIT_DERIVATION = Derivation(
    premises=(*OF_THE_LIMIT, *OPENED),
    steps=(COUNTS, BY_SECULAR, RATIO, *TO_THE_LIMIT, VANISHES, EIGENVALUE),
    worlds=a_path,
)
"""The limit alone, which rests on fewer hypotheses than the rate."""
FROZEN_DERIVATION = Derivation(
    premises=(*HYPOTHESES, *OPENED, SLOPE, FIRST_ORDER),
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
        EIGENVALUE,
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
            Quantity(m, *MEANINGS[m]),
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
