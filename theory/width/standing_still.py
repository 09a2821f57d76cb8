"""Where no sample is misclassified a limit with a hinge stands still, and networks are exponentially near it
(width:G3, width:R03).
"""

from sympy import Function, Integer, Rational, exp, log, oo, symbols
from sympy import Limit as LimitOf

from theory.claims import PowerLaw
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, exponentials, rational
from theory.proof.steps import Equal, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

HALF = Rational(1, 2)
d, power, margin, margin_wide = symbols("d power margin margin_wide", positive=True)
gain, gain_wide, gain_limit = symbols("gain gain_wide gain_limit", positive=True)
z = symbols("z", real=True)
size, small = (Function(name, positive=True) for name in ("size", "small"))
network, network_wide, limit, gap, gap_wide, fall = symbols("network network_wide limit gap gap_wide fall")
LOGIT = margin * d**power
LOGIT_WIDE = margin_wide * d**power


_SIZE = Define("size of the logistic gradient", size(z), 1 / (1 + exp(z)))
_SMALL = Define("what a right logit leaves", small(z), exp(-z))
_NETWORK = Define("move of the network", network, gain * size(LOGIT))
_WIDE = Define("move of the wider network", network_wide, gain_wide * size(LOGIT_WIDE))
_LIMIT = Define(
    "move of the limit",
    limit,
    gain_limit * LimitOf(size(LOGIT), d, oo),
    "a multiple of no move is none",
)
_NOTHING = "the limit does not move, and any power of nothing is nothing"
_GAP = Define("distance to the limit", gap, network - limit, _NOTHING)
_GAP_WIDE = Define("the wider network's", gap_wide, network_wide - limit, _NOTHING)
_WIDER = Suppose("larger logits", margin_wide > margin)
_FALL = Define("fall of the logarithm", fall, log(gap) - log(gap_wide))

STILL = Tends(
    "the limit stands still",
    size(LOGIT),
    d,
    oo,
    Integer(0),
    uses=(_SIZE.name,),
    because="The logit diverges on the right side, where the hinge has no slope.",
)
LEAVES = Equal(
    "a small gradient",
    size(z),
    small(z) / (1 + small(z)),
    uses=(_SIZE.name, _SMALL.name),
    normal=(exponentials, rational),
    because="One over 1 + e^z is e^(-z) over 1 + e^(-z).",
    forall=(z,),
)
NO_MOVE = Equal(
    "no move", limit, Integer(0), uses=(_LIMIT.name, STILL.name), because="Without a gradient there is no step."
)
DERIVATION = Derivation(
    premises=(_SIZE, _SMALL, _NETWORK, _WIDE, _LIMIT, _GAP, _GAP_WIDE, _FALL, _WIDER),
    steps=(
        STILL,
        LEAVES,
        NO_MOVE,
        Equal(
            "its distance",
            gap,
            gain * small(LOGIT) / (1 + small(LOGIT)),
            uses=(_NETWORK.name, _GAP.name, NO_MOVE.name, LEAVES.name),
            because="All that the network moves is its distance.",
        ),
        Equal(
            "the wider one's distance",
            gap_wide,
            gain_wide * small(LOGIT_WIDE) / (1 + small(LOGIT_WIDE)),
            uses=(_WIDE.name, _GAP_WIDE.name, NO_MOVE.name, LEAVES.name),
            because="The same at another width, whose kernels may be other ones.",
        ),
        Equal(
            "products",
            fall,
            log(gain) - log(gain_wide) + log(small(LOGIT)) - log(small(LOGIT_WIDE))
            + log(1 + small(LOGIT_WIDE)) - log(1 + small(LOGIT)),
            uses=(_FALL.name, "its distance", "the wider one's distance"),
            normal=(exponentials,),
            because="The logarithm of a product.",
        ),
        Equal(
            "the fall",
            fall,
            (margin_wide - margin) * d**power + log(gain) - log(gain_wide)
            + log(1 + small(LOGIT_WIDE)) - log(1 + small(LOGIT)),
            uses=("products", _SMALL.name),
            normal=(exponentials, expanded),
            because="What a right logit leaves is its exponential.",
        ),
        Follows(
            "grows with the logits",
            fall,
            d,
            power,
            uses=("the fall", _SMALL.name, _WIDER.name),
            because="Kernels and the rest of the gradient stay of order one.",
        ),
    ),
    worlds=lambda random: World(
        {
            d: draw(random), z: draw(random), power: HALF, margin: draw(random), margin_wide: draw(random, 10, 20),
            gain: draw(random), gain_wide: draw(random), gain_limit: draw(random),
        }
    ),
)  # fmt: skip

LAWS = (
    Law(
        name="width.limit_standstill",
        title="Where no sample is misclassified a limit with a hinge stands still, and the distance to it falls like "
        "exp(-margin d^(q_sigma + 1/2)): faster than any power of the width.",
        status=Status.THEOREM,
        source=source(
            "SM B, equation 85",
            ("width:R03", "width:G3", "width:X1", "width:E14"),
            "With diverging logits that start as the field a step on two correctly classified samples moves nothing.",
        ),
        quantities=(
            Quantity(d, "width: number of hidden neurons"),
            Quantity(fall, "logarithm of the distance to the limit, less that of a network wider by a fixed factor"),
            Quantity(power, "order of the initial logits, q_sigma + 1/2"),
        ),
        regime="q_sigma > -1/2 and q_sigma + q = -1/2, where normalised logits start as the field; samples that are "
        "right, label times logit being margin d^power, and margin_wide d^power in the wider network. One step of a "
        "network whose kernel is any positive number, its fluctuation included; later steps add moves of that size.",
        assumptions=(_WIDER.fact,),
        derivation=DERIVATION,
        claim=PowerLaw(fall, d, power),
        rivals=(
            Rival(
                "a power of the width",
                PowerLaw(fall, d, Integer(0)),
                "that of a limit that moves: d^(-1/2), whose logarithm falls by the same number from width to width",
            ),
            Rival("logits squared", PowerLaw(fall, d, 2 * power), "a normal law's tail at the margin"),
        ),
    ),
)
