"""Both ends of a Gaussian softmax's confidence: quadratic in small logits, the largest normal at large ones (T09).

At small logits the mean is taken over an ensemble of weighted starts, of which no more is asked than the second
moments of independent normals.
"""

import random

from sympy import And, Eq, Function, Implies, IndexedBase, Integer, KroneckerDelta, Limit, Ne, Rational, Symbol, exp, oo

from theory.claims import Formula, PowerLaw
from theory.claims import Limit as LimitClaim
from theory.definitions.temperature import MEANINGS, K, k, over_classes, softmax_of
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Cases, Equal, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.residual_norm import IDS, WEIGHTS, a, draws, g, logit_scale, over_draws, w

i, j = (Symbol(name, integer=True, positive=True) for name in "ij")
v = Symbol("v", integer=True, positive=True)
curvature = Symbol("curvature", real=True)
top = Symbol("top", real=True)
moment = IndexedBase("moment", real=True)
gap = IndexedBase("gap", positive=True)
normal = IndexedBase("normal", real=True)
p_at, confident_at, share, lead_at, deficit = (
    Function(name, real=True) for name in ("p", "confident", "share", "lead", "deficit")
)

CURVATURE_CLAIM = Formula(curvature, (K - 1) / K**2)
LARGEST_CLAIM = LimitClaim(lead_at(logit_scale), logit_scale, oo, top)
DEFICIT_CLAIM = PowerLaw(deficit(logit_scale), logit_scale, Integer(-2))

SOFTMAX = Define("softmax", p_at(a, i, logit_scale), softmax_of(logit_scale * g[a, i], i, k))
CONFIDENT = Define("mean confidence", confident_at(logit_scale), over_draws(over_classes(p_at(a, k, logit_scale) ** 2)))
PER_SQUARE = (confident_at(logit_scale) - 1 / K) / logit_scale**2
CURVATURE = Define("its quadratic term", curvature, Limit(PER_SQUARE, logit_scale, 0, "+"))
MOMENT = Define("second moments", moment[k, j], over_draws(g[a, k] * g[a, j]))
NORMAL = Suppose(
    "they are those of independent normals",
    Implies(And(k <= K, j <= K), Eq(moment[k, j], KroneckerDelta(k, j), evaluate=False), evaluate=False),
    forall=(k, j),
)
TILT = (p_at(a, k, logit_scale) - 1 / K) / logit_scale
QUADRATIC = over_draws(over_classes((over_classes(g[a, k] - g[a, j], j) / K**2) ** 2))

NORMALS = Define("normals by their gaps to the largest", normal[k], top - (1 - KroneckerDelta(k, v)) * gap[k])
WINNER = Suppose("the largest is that of a class", v <= K)
SHARES = Define("softmax of one draw", share(k, logit_scale), softmax_of(logit_scale * normal[k], k, j))
LEAD = Define("softmax-weighted normal", lead_at(logit_scale), over_classes(normal[k] * share(k, logit_scale)))
NEARBY = KroneckerDelta(k, v) + (1 - KroneckerDelta(k, v)) * exp(-logit_scale * gap[k])
FAR = (1 - KroneckerDelta(k, v)) * exp(-logit_scale * gap[k])


def some_normals(source: random.Random) -> World:
    """Two logits on two turned squares, weighed so that their second moments are those of independent normals."""
    c, d, h = source.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17)))
    near, far = Rational(source.randint(1, 4), 5), Rational(source.randint(6, 9), 5)
    part = (far**2 - 1) / (far**2 - near**2)
    corners = [(x, y) for x in (1, -1) for y in (1, -1)]
    return World(
        {
            K: 2,
            draws: 8,
            g: [
                [size * Rational(c * x - d * y, h), size * Rational(d * x + c * y, h)]
                for size in (near, far)
                for x, y in corners
            ],
            w: [share / 4 for share in (part, 1 - part) for _ in corners],
            a: source.randint(1, 8),
            logit_scale: fraction(source),
            **{place: source.randint(1, 2) for place in (i, j, k)},
        }
    )


def some_gaps(source: random.Random) -> World:
    """Three normals, the largest at any of the classes."""
    places = {place: source.randint(1, 3) for place in (j, k, v)}
    sizes = {top: fraction(source), logit_scale: fraction(source)}
    return World({K: 3, gap: table(source, 3, low=1, high=3), **places, **sizes})


CURVATURE_DERIVATION = Derivation(
    premises=(SOFTMAX, WEIGHTS, CONFIDENT, CURVATURE, MOMENT, NORMAL),
    steps=(
        Equal(
            "probabilities sum to 1",
            over_classes(p_at(a, k, logit_scale)),
            Integer(1),
            uses=(SOFTMAX.name,),
            forall=(a,),
        ),
        Equal(
            "distance to a uniform softmax",
            TILT,
            over_classes((exp(logit_scale * g[a, k]) - exp(logit_scale * g[a, j])) / logit_scale, j)
            / (K * over_classes(exp(logit_scale * g[a, j]), j)),
            uses=(SOFTMAX.name,),
            forall=(a, k),
        ),
        Equal(
            "confidence of a start",
            over_classes(TILT**2),
            (over_classes(p_at(a, k, logit_scale) ** 2) - 1 / K) / logit_scale**2,
            uses=("probabilities sum to 1",),
            because="what a confidence has more than a uniform one is the square of the distance to it",
            forall=(a,),
        ),
        Equal(
            "mean confidence of all",
            PER_SQUARE,
            over_draws(over_classes(TILT**2)),
            uses=(CONFIDENT.name, WEIGHTS.name, "confidence of a start"),
        ),
        Tends(
            "at small logits",
            PER_SQUARE,
            logit_scale,
            Integer(0),
            QUADRATIC,
            uses=("mean confidence of all", "distance to a uniform softmax"),
            because="probabilities differ from 1/K by s (g_k - mean g)/K",
        ),
        Equal(
            "in second moments",
            QUADRATIC,
            over_classes(moment[k, k]) / K**2 - over_classes(over_classes(moment[k, j]), j) / K**3,
            uses=(MOMENT.name,),
        ),
        Equal(
            "curvature",
            CURVATURE_CLAIM.quantity,
            CURVATURE_CLAIM.value,
            uses=(CURVATURE.name, "at small logits", "in second moments", NORMAL.name),
            because="K squares have the mean 1 each, and products of different normals none",
        ),
    ),
    worlds=some_normals,
)

LARGEST_DERIVATION = Derivation(
    premises=(NORMALS, WINNER, SHARES, LEAD),
    steps=(
        Cases(
            "the largest apart",
            Eq(exp(logit_scale * normal[k]), exp(logit_scale * top) * NEARBY, evaluate=False),
            (Eq(k, v), Ne(k, v)),
            uses=(NORMALS.name,),
            normal=(exponentials, sums, rational),
            forall=(k,),
        ),
        Equal(
            "softmax of a draw in gaps",
            share(k, logit_scale),
            NEARBY / (1 + over_classes(FAR)),
            uses=(SHARES.name, WINNER.name, "the largest apart"),
            normal=(sums, rational),
            because="the largest normal is a common factor of all exponentials",
            forall=(k,),
        ),
        Equal(
            "distance to the largest",
            lead_at(logit_scale),
            top - over_classes(gap[k] * FAR) / (1 + over_classes(FAR)),
            uses=(LEAD.name, NORMALS.name, WINNER.name, "softmax of a draw in gaps"),
            normal=(sums, rational),
        ),
        Tends(
            "the largest normal",
            LARGEST_CLAIM.quantity,
            LARGEST_CLAIM.control,
            LARGEST_CLAIM.point,
            LARGEST_CLAIM.value,
            uses=("distance to the largest",),
            because="every other class is exponentially unlikely in its gap",
        ),
    ),
    worlds=some_gaps,
)

SCALE = Quantity(logit_scale, "standard deviation s of the scaled logits")

LAWS = (
    Law(
        name="temperature.confidence_curvature",
        title="Small Gaussian logits are confident by s^2 (K - 1)/K^2 more than a uniform softmax",
        status=Status.THEOREM,
        source=Source("temperature", "app C, beyond", IDS, "E sum p^2 = 1/K + s^2 (K - 1)/K^2 + O(s^4)"),
        quantities=(
            Quantity(curvature, "mean of (sum_k p_k^2 - 1/K) / s^2 at small s"),
            Quantity(K, *MEANINGS[K]),
        ),
        regime="s much below 1; any ensemble of starts with the second moments of independent normals (the normals "
        "themselves are its limit: a premise); their odd orders have no mean, so that the error is of order s^2",
        derivation=CURVATURE_DERIVATION,
        claim=CURVATURE_CLAIM,
        rivals=(
            Rival("mean kept", Formula(curvature, 1 / K), "forgets that a common shift of the logits changes nothing"),
            Rival("halved", Formula(curvature, (K - 1) / (2 * K**2)), "a Taylor coefficient taken for a derivative"),
        ),
    ),
    Law(
        name="temperature.confidence_at_large_logits",
        title="At large logits s (1 - E sum p^2) tends to the mean largest of K normals",
        status=Status.THEOREM,
        source=Source("temperature", "app C, beyond", IDS, "1 - Y2 ~ m_K / s with m_K = E max of K standard normals"),
        quantities=(
            SCALE,
            Quantity(top, "largest of K standard normals (its mean is m_K)"),
            Quantity(Symbol("middle"), "mean of K standard normals"),
        ),
        regime="shown at every draw without ties, whose mean is taken; s (1 - Y2) is that mean by Stein's identity "
        "(temperature.confidence_identity). The order of the averaged error is temperature.confidence_deficit.",
        derivation=LARGEST_DERIVATION,
        claim=LARGEST_CLAIM,
        rivals=(
            Rival(
                "no winner", LimitClaim(lead_at(logit_scale), logit_scale, oo, Symbol("middle")), "a uniform softmax"
            ),
        ),
    ),
    Law(
        name="temperature.confidence_deficit",
        title="What the softmax-weighted normal lacks to the largest falls like s^-2",
        status=Status.CONJECTURE,
        source=Source("temperature", "app C, beyond", IDS, "m_K - s (1 - Y2) is of order s^-2: two logits nearly tie"),
        quantities=(Quantity(Symbol("deficit"), "m_K - s (1 - Y2)"), SCALE),
        regime="s much above 1: a gap below 1/s has a chance of order 1/s and costs of order 1/s; not derived: it "
        "takes the density of the smallest gap at 0. That it is at most of order 1/s is a step of "
        "temperature.averaged_saturation_order",
        derivation=None,
        claim=DEFICIT_CLAIM,
        rivals=(
            Rival("first order", PowerLaw(deficit(logit_scale), logit_scale, Integer(-1)), "counts the ties alone"),
            Rival("third order", PowerLaw(deficit(logit_scale), logit_scale, Integer(-3)), "a density without ties"),
        ),
    ),
)
