"""Where initial logits diverge, a network may not move at all for some steps (width:G3, G4)."""

from collections.abc import Callable
from random import Random

from sympy import Expr, Function, Integer, Limit, Rational, Symbol, exp, expand, oo, symbols

from theory.claims import Formula
from theory.claims import Limit as LimitClaim
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps import Equal, Induct, Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

k = Symbol("k", integer=True)
sign_a, sign_w = symbols("sign_a sign_w", real=True)
share, observed = symbols("share share_of_networks")
frozen = Function("frozen")
FROZEN = 4**-k
d, size, power, gain, lead = symbols("d size power gain lead", positive=True)
if_right, if_wrong = symbols("moves_if_right moves_if_wrong")


def moved_by(sign: int) -> Expr:
    """What a sample's step makes of the logits, over itself and what they were.

    The logits are of size d^power, right where the sign is 1 and wrong where it is -1; a gradient of 1 changes them by
    gain d^lead of themselves.
    """
    before_over_change = (1 + exp(sign * size * d**power)) / (gain * d**lead)
    return 1 / (1 + expand(before_over_change))


RIGHT, WRONG = moved_by(1), moved_by(-1)


def over_labels(seen: Callable[[int, int], Expr]) -> Expr:
    """Mean over the labels of both samples, fair coins."""
    return sum((seen(y_a, y_w) for y_a in (-1, 1) for y_w in (-1, 1)), Integer(0)) / 4


def _still(label: int, sign: Expr) -> Expr:
    """What is left of 1 after a sample's gradient, where the logit has this sign."""
    right = (1 + label * sign) / 2
    return 1 - right * if_right - (1 - right) * if_wrong


STOPS = Tends(
    "right samples move nothing",
    RIGHT,
    d,
    oo,
    Integer(0),
    because="Their gradient falls faster than any power of d: what it changes is nothing beside what was there.",
)
MOVES = Tends(
    "wrong samples move all",
    WRONG,
    d,
    oo,
    Integer(1),
    because="Their gradient tends to 1, and kernels outgrow the logits by d^lead.",
)


def _a_world(random: Random) -> World:
    signs = {sign_a: random.choice((-1, 1)), sign_w: random.choice((-1, 1))}
    return World({**signs, k: 2, size: draw(random), gain: draw(random), power: 1, lead: 1})


DERIVATION = Derivation(
    premises=(
        Define(
            "move by a sample that is right",
            if_right,
            Limit(RIGHT, d, oo),
            "a multiple of no move is none",
        ),
        Define("move by a sample that is wrong", if_wrong, Limit(WRONG, d, oo)),
        Define(
            "neither sample moves anything",
            share,
            over_labels(lambda y_a, y_w: _still(y_a, sign_a) * _still(y_w, sign_w)),
            "fair labels make the mean the same for any signs, which is what the law says",
        ),
        Define("before the first step", frozen(0), Integer(1)),
        Define("one more step", frozen(k + 1), frozen(k) * share),
    ),
    steps=(
        STOPS,
        MOVES,
        Equal(
            "one step in four",
            share,
            Rational(1, 4),
            uses=(
                "neither sample moves anything",
                "move by a sample that is right",
                "move by a sample that is wrong",
                STOPS.name,
                MOVES.name,
            ),
            because="Whatever the signs of the two logits, one of the four pairs of labels agrees with both.",
        ),
        Induct(
            "still frozen",
            k,
            frozen(k),
            FROZEN,
            uses=("before the first step", "one more step", "one step in four"),
            because="While nothing has moved, logits keep their signs and fresh labels are as likely as before.",
        ),
    ),
    worlds=_a_world,
)

_NETWORKS = source(
    "Proposition 1 and SM B, equation 85",
    ("width:G3", "width:G4", "width:R08", "width:R13"),
    "In finite networks a correct sample with a small logit still moves something: the share comes from below.",
)
_OBSERVED = "share of networks whose logits have changed by less than a tenth of their size"
_SINGLE = "q_sigma > -1/2 and q_sigma + q > -1/2; single samples with fair labels, fresh at every step."

LAWS = (
    Law(
        name="width.freezing",
        title="Where initial logits diverge, a network has not moved after k steps with probability 4^(-k).",
        status=Status.THEOREM,
        source=source(
            "Proposition 1 and SM B, equation 85",
            ("width:G3", "width:G4", "width:P1", "width:R08", "width:R13"),
            "With diverging initial logits a step on two correctly classified samples moves nothing; later steps do, "
            "by the sign of the initial logits.",
        ),
        quantities=(
            Quantity(k, "number of steps"),
            Quantity(frozen, "probability that a network has not moved"),
        ),
        regime="q_sigma > -1/2 and q_sigma + q > -1/2 in the limit of infinite width; single samples with fair labels, "
        "fresh at every step and independent of the network. Initial logits are of size d^power, power = q_sigma + "
        "1/2, and a gradient of 1 changes them by d^lead of themselves, lead = q_sigma + q + 1/2 (width:E1, width:E4). "
        "Premise: chances of fresh labels multiply.",
        derivation=DERIVATION,
        claim=Formula(frozen(k), FROZEN),
        rivals=(
            Rival(
                "as printed: for good",
                Formula(frozen(k), Rational(1, 4) + 0 * k),
                "the printed indicator of normalised logits, which are 0 as long as nothing has moved, is never true",
            ),
            Rival("one sample in two", Formula(frozen(k), 2**-k), "one sample for both layers"),
        ),
    ),
    Law(
        name="width.freezing_repair",
        title="With one misclassified sample a step outgrows diverging initial logits: nothing stays frozen.",
        status=Status.THEOREM,
        source=source(
            "Proposition 1, Condition 2",
            ("width:G3", "width:P1", "width:L3", "width:R08", "width:R13"),
            "The band is sufficient where at least one sample was misclassified, or a full batch holds such a point.",
        ),
        quantities=(
            Quantity(d, "width: number of hidden neurons"),
            Quantity(gain, "change of the logits by a gradient of 1 over themselves, over d^lead"),
            Quantity(lead, "order of that ratio, q_sigma + q + 1/2"),
            Quantity(size, "minus label times initial logit over d^power, positive where the sample is misclassified"),
            Quantity(power, "order of the initial logits, q_sigma + 1/2"),
        ),
        regime="q_sigma > -1/2 and q_sigma + q > -1/2; the change by a sample that is right vanishes beside it. What a "
        "step makes of the logits: its change over the sum of the change and what they were.",
        derivation=Derivation(premises=(), steps=(MOVES,), worlds=_a_world),
        claim=LimitClaim(WRONG, d, oo, Integer(1)),
        rivals=(
            Rival(
                "of the order of the logits",
                LimitClaim(WRONG, d, oo, Rational(1, 2)),
                "what a step does at the band's lower edge, lead = 0",
            ),
        ),
    ),
    Law(
        name="width.freezing_networks",
        title="Of wide real networks a share of 4^(-k) has not moved after k steps.",
        status=Status.EMPIRICAL,
        source=_NETWORKS,
        quantities=(Quantity(observed, _OBSERVED), Quantity(k, "number of steps")),
        regime=_SINGLE + " At the largest width measured.",
        derivation=None,
        claim=Formula(observed, FROZEN),
        rivals=(
            Rival("as printed: for good", Formula(observed, Rational(1, 4) + 0 * k), "see width.freezing"),
            Rival("one sample in two", Formula(observed, 2**-k), "one sample for both layers"),
        ),
    ),
    Law(
        name="width.freezing_approach",
        title="That share comes nearer to 1/4 the wider the networks are, after one step.",
        status=Status.EMPIRICAL,
        source=_NETWORKS,
        quantities=(Quantity(observed, _OBSERVED), Quantity(d, "width: number of hidden neurons")),
        regime=_SINGLE,
        derivation=None,
        claim=LimitClaim(observed, d, oo, Rational(1, 4)),
        rivals=(Rival("one sample in two", LimitClaim(observed, d, oo, Rational(1, 2)), "one sample for both layers"),),
    ),
)
