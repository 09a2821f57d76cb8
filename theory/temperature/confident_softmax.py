"""Both ends of a Gaussian softmax's confidence: quadratic in small logits, the largest normal at large ones (T09)."""

import random

from sympy import Expr, Function, IndexedBase, Integer, KroneckerDelta, Sum, Symbol, exp, oo

from theory.claims import Formula, Limit, PowerLaw
from theory.definitions.temperature import MEANINGS, K, k, over_classes, softmax_of
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational, sums
from theory.proof.premises import Define
from theory.proof.steps import Equal, Expand, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.residual_norm import IDS, logit_scale

i, j = (Symbol(name, integer=True, positive=True) for name in "ij")
R = Symbol("R", integer=True, positive=True)
curvature = Symbol("curvature", real=True)
top = Symbol("top", real=True)
g, moment = (IndexedBase(name, real=True) for name in ("g", "moment"))
gap = IndexedBase("gap", positive=True)
p_at, confident_at, lead_at, deficit = (Function(name, real=True) for name in ("p", "confident", "lead", "deficit"))

CURVATURE_CLAIM = Formula(curvature, (K - 1) / K**2)
LARGEST_CLAIM = Limit(lead_at(logit_scale), logit_scale, oo, top)
DEFICIT_CLAIM = PowerLaw(deficit(logit_scale), logit_scale, Integer(-2))

SOFTMAX = Define("softmax", p_at(i, logit_scale), softmax_of(logit_scale * g[i], i, k))
CONFIDENT = Define("confidence", confident_at(logit_scale), over_classes(p_at(k, logit_scale) ** 2))
MOMENT = Define("second moments of independent normals", moment[k, j], KroneckerDelta(k, j))
CURVATURE = Define(
    "mean of the quadratic term",
    curvature,
    over_classes(moment[k, k]) / K**2 - over_classes(over_classes(moment[k, j]), j) / K**3,
)

PARTITION = 1 + Sum(exp(-logit_scale * gap[k]), (k, 1, R))
LEAD = Define(
    "softmax-weighted normal, the largest counted by itself",
    lead_at(logit_scale),
    top - Sum(gap[k] * exp(-logit_scale * gap[k]), (k, 1, R)) / PARTITION,
)


def some_normals(source: random.Random) -> World:
    """Three classes."""
    return World(
        {
            K: 3,
            k: source.randint(1, 3),
            j: source.randint(1, 3),
            g: table(source, 3, low=-2, high=2),
            logit_scale: fraction(source),
        }
    )


def some_gaps(source: random.Random) -> World:
    """A largest normal and two others below it."""
    return World({R: 2, top: fraction(source), gap: table(source, 2, low=1, high=3), logit_scale: fraction(source)})


def quadratic() -> Expr:
    """Quadratic term of the confidence in the scale, before it is averaged."""
    return over_classes(g[k] ** 2) / K**2 - over_classes(g[k]) ** 2 / K**3


CURVATURE_DERIVATION = Derivation(
    premises=(SOFTMAX, CONFIDENT, MOMENT, CURVATURE),
    steps=(
        Expand(
            "confidence at small logits",
            confident_at(logit_scale),
            1 / K + logit_scale**2 * quadratic(),
            logit_scale,
            Integer(0),
            3,
            uses=(SOFTMAX.name, CONFIDENT.name),
            normal=(exponentials, sums, rational),
            because="probabilities differ from 1/K by s (g_k - mean g)/K",
        ),
        Equal(
            "curvature",
            CURVATURE_CLAIM.quantity,
            CURVATURE_CLAIM.value,
            uses=(MOMENT.name, CURVATURE.name),
            because="K squares have the mean 1 each, and products of different normals none",
        ),
    ),
    worlds=some_normals,
)

LARGEST_DERIVATION = Derivation(
    premises=(LEAD,),
    steps=(
        Tends(
            "the largest normal",
            LARGEST_CLAIM.quantity,
            LARGEST_CLAIM.control,
            LARGEST_CLAIM.point,
            LARGEST_CLAIM.value,
            uses=(LEAD.name,),
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
        regime="independent standard normals, s much below 1; odd orders have no mean, so the error is of order s^2",
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
            Rival("no winner", Limit(lead_at(logit_scale), logit_scale, oo, Symbol("middle")), "a uniform softmax"),
        ),
    ),
    Law(
        name="temperature.confidence_deficit",
        title="What the softmax-weighted normal lacks to the largest falls like s^-2",
        status=Status.CONJECTURE,
        source=Source("temperature", "app C, beyond", IDS, "m_K - s (1 - Y2) is of order s^-2: two logits nearly tie"),
        quantities=(Quantity(Symbol("deficit"), "m_K - s (1 - Y2)"), SCALE),
        regime="s much above 1: a gap below 1/s has a chance of order 1/s and costs of order 1/s; measured only",
        derivation=None,
        claim=DEFICIT_CLAIM,
        rivals=(
            Rival("first order", PowerLaw(deficit(logit_scale), logit_scale, Integer(-1)), "counts the ties alone"),
            Rival("third order", PowerLaw(deficit(logit_scale), logit_scale, Integer(-3)), "a density without ties"),
        ),
    ),
)
