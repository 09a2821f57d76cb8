"""How much rarer than 4^(-k) networks of finite width stand still: small logits move them all the same (width:G3)."""

from random import Random

from sympy import Integral, Limit, S, Symbol, erf, exp, log, pi, sqrt, symbols

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps import Equal, Integrates, Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

k = Symbol("k", integer=True, positive=True)
threshold = symbols("threshold", positive=True)
u = Symbol("u", real=True)
NORMAL = exp(-(u**2) / 2) / sqrt(2 * pi)
"""Density of a logit over its deviation."""
rate, small, standing = symbols("rate small standing")
RATE = 2 * k * sqrt(2 / pi)


def _a_world(random: Random) -> World:
    return World({k: random.randint(1, 4), threshold: draw(random)})


DERIVATION = Derivation(
    premises=(
        Define("chance of a logit below the threshold", small, Integral(NORMAL, (u, -threshold, threshold))),
        Define("chance that none of the samples has one", standing, (1 - small) ** (2 * k)),
        Define("what is lost, over the threshold", rate, Limit(-log(standing) / threshold, threshold, S.Zero)),
    ),
    steps=(
        Integrates("normal logit", NORMAL, u, -threshold, threshold, erf(u / sqrt(2)) / 2),
        Tends(
            "lost first",
            -log(standing) / threshold,
            threshold,
            S.Zero,
            RATE,
            uses=("chance that none of the samples has one", "chance of a logit below the threshold", "normal logit"),
            because="The density of a normal logit at 0, on both sides of it, for both samples of every step.",
        ),
        Equal("rate", rate, RATE, uses=("what is lost, over the threshold", "lost first")),
    ),
    worlds=_a_world,
)

LAWS = (
    Law(
        name="width.freezing_shortfall",
        title="Of networks whose samples are all right a share moves all the same: 2 k sqrt(2/pi) times the logit at "
        "which a right sample's step just counts, over the size of logits.",
        status=Status.THEOREM,
        source=source(
            "Proposition 1 and SM B, equation 85",
            ("width:G3", "width:R08", "width:R13"),
            "In finite networks a correct sample with a small logit still moves something: the share comes from below.",
        ),
        quantities=(
            Quantity(rate, "minus the logarithm of the share that stands still, over the threshold"),
            Quantity(k, "number of steps"),
            Quantity(threshold, "logit at which a right sample's step just counts, over the deviation of logits"),
        ),
        regime="Small thresholds; normal logits; samples taken for independent, which matters at second order. Fair "
        "labels are all right with probability 4^(-k) at any width, so that a share of 4^(-k) exp(-rate threshold) "
        "stands still. A step by a gradient of 1 changes logits by d^(q_sigma + q + 1/2) of their size, a right sample "
        "of logit u by 1/(1 + e^u) of that: the threshold is the logarithm of the width, times q_sigma + q + 1/2, over "
        "d^(q_sigma + 1/2), at first order.",
        derivation=DERIVATION,
        claim=Formula(rate, RATE),
        rivals=(Rival("one sample a step", Formula(rate, RATE / 2), "one sample for both layers"),),
    ),
)
