"""Eigenvalues of a frozen softmax Jacobian, and how fast their ratio grows (T20, T23).

In units of its share p_i, class i has i - 1 larger ones, 1/(x v(a)), and K - i smaller ones, x w(b): x is the
largest ratio of neighbours. Its eigenvalue is c(x) p_i.
"""

import random
from dataclasses import replace

from sympy import Eq, Function, Integer, Lambda, Ne, Rational, Sum, Symbol, cancel, oo
from sympy import Limit as SymbolicLimit
from sympy import limit as limit_of

from theory.claims import Limit, PowerLaw
from theory.definitions.temperature import MEANINGS, K, i
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import merged
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

x = Symbol("x", positive=True)
a, b = (Symbol(name, integer=True, positive=True) for name in "ab")
s = Symbol("s", real=True)
v, w, c, excess, slope, up, down, count = (
    Function(name, real=True) for name in ("v", "w", "c", "excess", "slope", "up", "down", "count")
)

FROZEN = Limit(c(x), x, Integer(0), i / (i - 1), Integer(1))


def over_larger(term: object) -> Sum:
    """Sum over the classes with larger shares."""
    return Sum(term, (a, 1, i - 1))


def over_smaller(term: object) -> Sum:
    """Sum over the classes with smaller shares."""
    return Sum(term, (b, 1, K - i))


SMALLER = x * over_smaller(w(b, x) / (c(x) - x * w(b, x)))
NOT_FIRST = Suppose("not the largest", i >= 2)
SECULAR = Suppose(
    "secular equation",
    Eq(1 / (c(x) - 1), count(x) - SMALLER, evaluate=False),
    forall=(x,),
)
COUNT = Define("what larger classes count", count(x), over_larger(1 / (1 - c(x) * x * v(a, x))))
UP = Define("what larger classes add", up(x), over_larger(c(x) * x * v(a, x) / (1 - c(x) * x * v(a, x))))
DOWN = Define("what smaller classes take", down(x), SMALLER)
EXCESS = Define("excess", excess(x), up(x) - down(x))
SLOPE = Define("excess over x", slope(x), excess(x) / x)
FREEZES = Suppose("frozen", Eq(SymbolicLimit(excess(x), x, 0), 0, evaluate=False))
FIRST_ORDER = Suppose("at first order", Eq(SymbolicLimit(slope(x), x, 0), s, evaluate=False))
MATTERS = Suppose("the neighbours do not cancel", Ne(s, 0, evaluate=False))


def names(*premises: Define | Suppose) -> tuple[str, ...]:
    """How steps refer to premises."""
    return tuple(premise.name for premise in premises)


def one_smaller_class(source: random.Random) -> World:
    """A line for c(x), and the smaller share that the secular equation then asks for."""
    place = source.randint(2, 3)
    t = Symbol("t")
    ratio = Rational(place, place - 1) + source.randint(1, 3) * t
    added = (place - 1) * ratio * t / (1 - ratio * t)
    taken = cancel(place - 1 + added - 1 / (ratio - 1))
    return World(
        {
            i: place,
            K: place + 1,
            x: Rational(1, source.randint(20, 40)),
            c: Lambda(t, ratio),
            v: Lambda((a, t), 1),
            w: Lambda((b, t), cancel(ratio * taken / (t * (1 + taken)))),
            s: limit_of(cancel((added - taken) / t), t, 0),
        }
    )


FROZEN_DERIVATION = Derivation(
    premises=(NOT_FIRST, COUNT, SECULAR, UP, DOWN, EXCESS, SLOPE, FREEZES, FIRST_ORDER, MATTERS),
    steps=(
        Equal(
            "each larger class counts 1 and a little more",
            count(x),
            i - 1 + up(x),
            uses=names(COUNT, UP),
            normal=(merged,),
            forall=(x,),
        ),
        Equal(
            "excess by the secular equation",
            excess(x),
            1 / (c(x) - 1) - (i - 1),
            uses=("each larger class counts 1 and a little more", *names(SECULAR, DOWN, EXCESS)),
            forall=(x,),
        ),
        Equal(
            "eigenvalue over share",
            c(x),
            1 + 1 / (i - 1 + excess(x)),
            uses=("excess by the secular equation",),
            forall=(x,),
        ),
        Equal(
            "first correction",
            c(x),
            i / (i - 1) - x * slope(x) / ((i - 1) * (i - 1 + excess(x))),
            uses=("eigenvalue over share", SLOPE.name),
            forall=(x,),
        ),
        Follows(
            "rate",
            FROZEN.quantity - FROZEN.value,
            x,
            Integer(1),
            Integer(0),
            uses=("first correction", *names(FREEZES, FIRST_ORDER, MATTERS, NOT_FIRST)),
        ),
        Tends(
            "frozen eigenvalue",
            FROZEN.quantity,
            x,
            Integer(0),
            FROZEN.value,
            uses=("eigenvalue over share", *names(FREEZES, NOT_FIRST)),
        ),
    ),
    worlds=one_smaller_class,
)

first, last, scaled = (Function(name, real=True) for name in ("c_2", "c_K", "kappa_scaled"))
CONDITION = Limit(scaled(x), x, Integer(0), 2 * (K - 1) / K)
SECOND_CLASS = Suppose("eigenvalue of the second class", Eq(SymbolicLimit(first(x), x, 0), 2, evaluate=False))
LAST_CLASS = Suppose("eigenvalue of the last class", Eq(SymbolicLimit(last(x), x, 0), K / (K - 1), evaluate=False))
SEVERAL = Suppose("two classes or more", K >= 2)
SCALED = Define("ratio in units of the shares", scaled(x), first(x) / last(x))
CONDITION_DERIVATION = Derivation(
    premises=(SECOND_CLASS, LAST_CLASS, SCALED),
    steps=(
        Tends(
            "ratio of the ends",
            CONDITION.quantity,
            x,
            Integer(0),
            CONDITION.value,
            uses=names(SECOND_CLASS, LAST_CLASS, SCALED),
            because="p_2/p_K is exp(beta (z_2 - z_K)): the largest share cancels",
        ),
    ),
    worlds=lambda source: _two_ends(source, x),
)


def _two_ends(source: random.Random, control: Symbol) -> World:
    """Ratios that settle at 2 and K/(K - 1), towards 0 or, in the inverse, infinity."""
    classes = source.randint(3, 5)
    t = Symbol("t")
    near = t if control == x else 1 / t
    return World(
        {
            K: classes,
            control: Rational(1, 30) if control == x else Integer(30),
            spread: fraction(source),
            first: Lambda(t, 2 + source.randint(1, 3) * near),
            last: Lambda(t, Rational(classes, classes - 1) + source.randint(1, 3) * near),
        }
    )


exp_beta, spread = Symbol("exp_beta", positive=True), Symbol("spread", positive=True)
kappa = Function("kappa_plus", real=True)
GROWTH = PowerLaw(kappa(exp_beta), exp_beta, spread)
LARGEST = Suppose("eigenvalue of the closest pair", Eq(SymbolicLimit(first(exp_beta), exp_beta, oo), 2, evaluate=False))
SMALLEST = Suppose(
    "eigenvalue of the widest point", Eq(SymbolicLimit(last(exp_beta), exp_beta, oo), K / (K - 1), evaluate=False)
)
KAPPA = Define(
    "ratio of the ends of the spectrum",
    kappa(exp_beta),
    first(exp_beta) / last(exp_beta) * exp_beta**spread,
    "exponents do not see a factor",
)
GROWTH_DERIVATION = Derivation(
    premises=(LARGEST, SMALLEST, SEVERAL, KAPPA),
    steps=(
        Follows(
            "growth",
            GROWTH.quantity,
            exp_beta,
            spread,
            uses=names(LARGEST, SMALLEST, SEVERAL, KAPPA),
            because="largest is 2 exp(-beta min(z_1 - z_2)), smallest K/(K - 1) exp(-beta max(z_1 - z_K))",
        ),
    ),
    worlds=lambda source: _two_ends(source, exp_beta),
)

PLACE = "app A.3.2, eqs 31-36"
CLASS = Quantity(i, "place of a class, the largest logit first; its eigenvalue lies between p_i and p_(i-1)")
CLASSES = Quantity(K, *MEANINGS[K])
NEIGHBOURS = Quantity(x, "largest ratio of the shares of neighbours, exp(-beta (least gap))")
SETTLED = "that these limits are those of temperature.frozen_eigenvalues at the two ends is a premise"

LAWS = (
    Law(
        name="temperature.frozen_eigenvalues",
        title="Where all gaps are wide the eigenvalue of class i is i/(i - 1) times its share",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T20", "temperature:E21"),
            "lambda_i = (i/(i-1)) exp(-beta (z_1 - z_i)) up to a factor 1 + O(exp(-beta gap)), for every class from 2",
        ),
        quantities=(NEIGHBOURS, CLASS),
        regime="class i far from those above and below; from the secular equation sum_j p_j/(p_j - mu) = 0. That the "
        "sums over the other classes vanish like x, and the place of the eigenvalue, are premises",
        derivation=FROZEN_DERIVATION,
        claim=FROZEN,
        rivals=(
            Rival("one", replace(FROZEN, value=Integer(1)), "eq 36 as printed, without the prefactor"),
            Rival("its place", replace(FROZEN, value=i), "eq 34 taken up the list: i in place of i/(i-1)"),
        ),
    ),
    Law(
        name="temperature.frozen_condition_number",
        title="The nonzero eigenvalues of a frozen block spread over (2 (K - 1)/K) exp(beta (z_2 - z_K))",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T20", "temperature:T23"),
            "kappa+ of one block is (2 (K - 1)/K) exp(beta (z_2 - z_K)) to leading order",
        ),
        quantities=(NEIGHBOURS, CLASSES),
        regime="one point, all gaps wide; " + SETTLED,
        derivation=CONDITION_DERIVATION,
        claim=CONDITION,
        rivals=(
            Rival("printed", replace(CONDITION, value=Integer(2)), "eqs 34 and 36: 2 over 1"),
            Rival("one", replace(CONDITION, value=Integer(1)), "the printed bound exp(beta (z_2 - z_K))"),
        ),
    ),
    Law(
        name="temperature.conditioning_growth",
        title="At random logits the condition number grows with beta at the rate of the spread of gaps",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.2, eq 37",
            ("temperature:T23", "temperature:E23"),
            "ln kappa+ = beta (max (z_1 - z_K) - min (z_1 - z_2)) + O(1) over the points, not beta |z_1|",
        ),
        quantities=(
            Quantity(exp_beta, "exp(beta)"),
            Quantity(spread, "max over points of z_1 - z_K, minus min over points of z_1 - z_2"),
        ),
        regime="block-diagonal softmax Jacobian of several points at fixed raw logits; " + SETTLED,
        derivation=GROWTH_DERIVATION,
        claim=GROWTH,
        rivals=(
            Rival("half", replace(GROWTH, exponent=spread / 2), "the gap to the mean in place of the spread"),
            Rival("none", replace(GROWTH, exponent=Integer(0)), "conditioning that the temperature does not touch"),
        ),
    ),
)
