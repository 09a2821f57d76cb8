"""Eigenvectors of a frozen softmax Jacobian: class i against the mean of all larger ones (T20)."""

import random
from dataclasses import replace

from sympy import Eq, Function, Integer, Lambda, Rational
from sympy import Limit as SymbolicLimit

from theory.claims import Limit
from theory.definitions.temperature import i, m
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Imported, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World
from theory.temperature.frozen_eigenvalues import FROZEN_DERIVATION
from theory.temperature.frozen_path import HYPOTHESES, NOT_FIRST, SHAPES, a_path, c, t, x

ratio = Function("ratio", positive=True)
larger_entry, smaller_entry = (Function(name, real=True) for name in ("larger_entry", "smaller_entry"))

LARGER = Limit(larger_entry(x), x, Integer(0), -1 / (i - 1))
SMALLER = Limit(smaller_entry(x), x, Integer(0), Integer(0))

EIGENVALUE = Imported("frozen eigenvalue", FROZEN_DERIVATION)
FAR_APART = Suppose("shares are far apart", Eq(SymbolicLimit(ratio(x), x, 0), 0, evaluate=False))
LARGER_ROW = Suppose(
    "row of a larger class",
    Eq(larger_entry(x) - c(x) * ratio(x) * larger_entry(x), 1 - c(x), evaluate=False),
    forall=(x,),
)
SMALLER_ROW = Suppose(
    "row of a smaller class",
    Eq(ratio(x) * smaller_entry(x) - c(x) * smaller_entry(x), (1 - c(x)) * ratio(x), evaluate=False),
    forall=(x,),
)


def with_entries(source: random.Random) -> World:
    """A path of eigenvalues, one more ratio, and the entries that the two rows then ask for."""
    path = a_path(source)
    value = path.values[SHAPES["c"]](path.values[m], path.values[i], t)
    size = Rational(source.randint(1, 5), 6) * t
    return World(
        {
            **path.values,
            ratio: Lambda(t, size),
            larger_entry: Lambda(t, (1 - value) / (1 - value * size)),
            smaller_entry: Lambda(t, (1 - value) * size / (size - value)),
        }
    )


def derivation(row: Suppose, claim: Limit, solved: Equal, *also: Suppose) -> Derivation:
    """One row of the eigenvalue equation, solved for its entry, in the limit."""
    return Derivation(
        premises=(*HYPOTHESES, EIGENVALUE, FAR_APART, row),
        steps=(
            solved,
            Tends(
                "entry of a frozen eigenvector",
                claim.quantity,
                x,
                Integer(0),
                claim.value,
                uses=(solved.name, EIGENVALUE.name, FAR_APART.name, *(premise.name for premise in also)),
            ),
        ),
        worlds=with_entries,
    )


LARGER_DERIVATION = derivation(
    LARGER_ROW,
    LARGER,
    Equal(
        "its entry",
        larger_entry(x),
        (1 - c(x)) / (1 - c(x) * ratio(x)),
        uses=(LARGER_ROW.name,),
        forall=(x,),
        because="rows of the Jacobian less the eigenvalue are p_j times the same number",
    ),
)
SMALLER_DERIVATION = derivation(
    SMALLER_ROW,
    SMALLER,
    Equal(
        "its entry",
        smaller_entry(x),
        (1 - c(x)) * ratio(x) / (ratio(x) - c(x)),
        uses=(SMALLER_ROW.name,),
        forall=(x,),
    ),
    NOT_FIRST,
)

NEIGHBOURS = Quantity(x, "largest ratio of the shares of neighbours, exp(-beta (least gap))")
PLACE = Quantity(i, "place of a class, the largest logit first")
FROZEN_PATH = (
    "any number of classes along a path on which all shares come apart, as in temperature.frozen_eigenvalues; the rows "
    "(p_j - mu) V_j = p_j (overlap) are those of temperature.softmax_secular, over that of class i"
)

LAWS = (
    Law(
        name="temperature.frozen_eigenvectors",
        title="In the eigenvector of class i all larger classes share -1/(i - 1) of its entry alike",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.2, eqs 34 and 36",
            ("temperature:T20", "temperature:E21"),
            "v_i is e_i less the mean of e_j over all j < i, up to O(exp(-beta gap))",
        ),
        quantities=(
            Quantity(larger_entry, "entry of the eigenvector at a class with a larger share, over that at class i"),
            NEIGHBOURS,
            PLACE,
        ),
        regime=FROZEN_PATH,
        derivation=LARGER_DERIVATION,
        claim=LARGER,
        rivals=(
            Rival("none", replace(LARGER, value=Integer(0)), "eq 36 as printed: e_i and an exponentially small rest"),
            Rival("plus", replace(LARGER, value=1 / (i - 1)), "the sign that eq 36 prints"),
        ),
    ),
    Law(
        name="temperature.frozen_eigenvector_tail",
        title="In the eigenvector of class i the smaller classes have no part",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.2, eqs 34 and 36",
            ("temperature:T20",),
            "entries of v_i at classes smaller than i vanish like exp(-beta gap)",
        ),
        quantities=(
            Quantity(smaller_entry, "entry of the eigenvector at a class with a smaller share, over that at class i"),
            NEIGHBOURS,
        ),
        regime=FROZEN_PATH,
        derivation=SMALLER_DERIVATION,
        claim=SMALLER,
        rivals=(Rival("alike", replace(SMALLER, value=Integer(1)), "all classes from i on move together"),),
    ),
)
