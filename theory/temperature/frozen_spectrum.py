"""How fast the ratio of a frozen softmax Jacobian's eigenvalues grows (T20, T23), from those of its two ends."""

import random
from dataclasses import replace

from sympy import Eq, Function, Integer, Lambda, Rational, Symbol, oo
from sympy import Limit as SymbolicLimit

from theory.claims import Limit, PowerLaw
from theory.definitions.temperature import MEANINGS, K
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.frozen_path import names, x

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
CLASSES = Quantity(K, *MEANINGS[K])
NEIGHBOURS = Quantity(x, "largest ratio of the shares of neighbours, exp(-beta (least gap))")
SETTLED = "the limits of the two eigenvalues, derived in temperature.frozen_eigenvalues for any one class, are premises"

LAWS = (
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
