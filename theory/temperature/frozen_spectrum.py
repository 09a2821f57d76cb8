"""How fast the ratio of a frozen softmax Jacobian's eigenvalues grows (T20, T23), from those of its two ends."""

import random
from dataclasses import replace

from sympy import Expr, Function, Integer, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.claims import Limit, PowerLaw
from theory.definitions.temperature import MEANINGS, K, i, m
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.frozen_eigenvalues import FROZEN, LIMIT_DERIVATION
from theory.temperature.frozen_path import OF_THE_LIMIT, further, paths, somewhere, x

beyond = Symbol("beyond", integer=True, nonnegative=True)
scaled = Function("kappa_scaled", real=True)


def of_class(name: str, point: Expr, place: Expr, more: Expr) -> tuple[Imported, tuple[Suppose, ...]]:
    """The eigenvalue of one class of one point, and the hypotheses that it rests on there.

    Examples
    --------
    >>> of_class("second", Integer(1), Integer(2), beyond)[0].fact
    Eq(Limit(c(1, 2, x), x, 0, dir='+'), 2)
    """
    at = ((m, point), (i, place), (further, more))
    there = ((f"{name}: {h.name}", h, _taken(h.fact, dict(at))) for h in OF_THE_LIMIT)
    given = tuple(Suppose(said, fact, forall=h.forall) for said, h, fact in there if fact != S.true)
    return Imported(name, LIMIT_DERIVATION, at), given


def _taken(fact: Boolean, at: dict[Symbol, Expr]) -> Boolean:
    """The fact there; only of numbers is it asked whether it is true, which takes SymPy a while."""
    parts = [a.xreplace(at) if isinstance(fact, Relational) else _taken(a, at) for a in fact.args]  # type: ignore
    decided = all(a.is_number for a in parts) if isinstance(fact, Relational) else {S.true, S.false} & set(parts)
    return fact.func(*parts) if decided else fact.func(*parts, evaluate=False)


def eigenvalue(point: Expr, place: Expr, small: Expr = x) -> Expr:
    """Of one class at one point, over its share."""
    return FROZEN.quantity.xreplace({m: point, i: place, x: small})


CONDITION = Limit(scaled(x), x, Integer(0), 2 * (K - 1) / K)
SECOND_CLASS, SECOND_GIVEN = of_class("eigenvalue of the second class", m, Integer(2), beyond)
LAST_CLASS, LAST_GIVEN = of_class("eigenvalue of the last class", m, K, Integer(0))
SEVERAL_HERE = next(given for given in LAST_GIVEN if given.fact == (K >= 2))
SCALED = Define("ratio in units of the shares", scaled(x), eigenvalue(m, Integer(2)) / eigenvalue(m, K))
CONDITION_DERIVATION = Derivation(
    premises=(*SECOND_GIVEN, *LAST_GIVEN, SECOND_CLASS, LAST_CLASS, SCALED),
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
    worlds=lambda source: _ends(source, 1, 1),
)


def _ends(source: random.Random, first: int, last: int) -> World:
    """Paths of the second class of one point and of the last of another one, or of the same."""
    classes = source.randint(3, 5)
    more = source.randint(0, classes - 3)
    functions, _ = paths(source, {(first, 2): more, (last, classes): 0})
    return World(
        {
            **functions,
            **somewhere(source),
            m: first,
            K: classes,
            beyond: more,
            exp_beta: 30,
            spread: fraction(source),
            closest: fraction(source),
            widest: fraction(source),
        }
    )


exp_beta, spread, closest, widest = (
    Symbol(name, positive=True) for name in ("exp_beta", "spread", "gap_closest", "gap_widest")
)
kappa = Function("kappa_plus", real=True)
GROWTH = PowerLaw(kappa(exp_beta), exp_beta, spread)
LARGEST, LARGEST_GIVEN = of_class("eigenvalue of the closest pair", Integer(1), Integer(2), beyond)
SMALLEST, SMALLEST_GIVEN = of_class("eigenvalue of the widest point", Integer(2), K, Integer(0))
SEVERAL = next(given for given in SMALLEST_GIVEN if given.fact == (K >= 2))
KAPPA = Define(
    "ratio of the ends of the spectrum",
    kappa(exp_beta),
    eigenvalue(Integer(1), Integer(2), exp_beta**-closest)
    / eigenvalue(Integer(2), K, exp_beta**-widest)
    * exp_beta**spread,
    "exponents do not see a factor",
)
GROWTH_DERIVATION = Derivation(
    premises=(*LARGEST_GIVEN, *SMALLEST_GIVEN, LARGEST, SMALLEST, KAPPA),
    steps=(
        Follows(
            "growth",
            GROWTH.quantity,
            exp_beta,
            spread,
            uses=names(LARGEST, SMALLEST, KAPPA, SEVERAL),
            because="largest is 2 exp(-beta min(z_1 - z_2)), smallest K/(K - 1) exp(-beta max(z_1 - z_K))",
        ),
    ),
    worlds=lambda source: _ends(source, 1, 2),
)

PLACE = "app A.3.2, eqs 31-36"
CLASSES = Quantity(K, *MEANINGS[K])
NEIGHBOURS = Quantity(x, "largest ratio of the shares of neighbours, exp(-beta (least gap))")
ROOTS = (
    "each of the two eigenvalues is the root of its secular equation between two shares, as in "
    "temperature.frozen_eigenvalues, which gives its limit"
)

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
        quantities=(NEIGHBOURS, CLASSES, Quantity(m, *MEANINGS[m])),
        regime="one point, all gaps wide; " + ROOTS,
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
        regime="block-diagonal softmax Jacobian of several points at fixed raw logits; " + ROOTS,
        derivation=GROWTH_DERIVATION,
        claim=GROWTH,
        rivals=(
            Rival("half", replace(GROWTH, exponent=spread / 2), "the gap to the mean in place of the spread"),
            Rival("none", replace(GROWTH, exponent=Integer(0)), "conditioning that the temperature does not touch"),
        ),
    ),
)
