"""Where initial logits diverge, a network may not move at all for some steps (width:G3, G4)."""

from collections.abc import Callable

from sympy import Expr, Function, Integer, Limit, Rational, Symbol, exp, oo, symbols

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps import Equal, Induct, Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

k = Symbol("k", integer=True)
sign_a, sign_w = symbols("sign_a sign_w", real=True)
share = Symbol("share")
frozen = Function("frozen")
FROZEN = 4**-k
d, size, power = symbols("d size power", positive=True)
if_right, if_wrong = symbols("moves_if_right moves_if_wrong")
RIGHT, WRONG = (1 / (1 + exp(sign * size * d**power)) for sign in (1, -1))
"""Size of the logistic gradient at a logit size d^power, on a sample of its sign and on one of the other."""


def over_labels(seen: Callable[[int, int], Expr]) -> Expr:
    """Mean over the labels of both samples, fair coins."""
    return sum((seen(y_a, y_w) for y_a in (-1, 1) for y_w in (-1, 1)), Integer(0)) / 4


def _still(label: int, sign: Expr) -> Expr:
    """What is left of 1 after a sample's gradient, where the logit has this sign."""
    right = (1 + label * sign) / 2
    return 1 - right * if_right - (1 - right) * if_wrong


DERIVATION = Derivation(
    premises=(
        Define(
            "gradient of a sample that is right",
            if_right,
            Limit(RIGHT, d, oo),
            "a multiple of no gradient is none",
        ),
        Define("gradient of a sample that is wrong", if_wrong, Limit(WRONG, d, oo)),
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
        Tends(
            "right samples stop",
            RIGHT,
            d,
            oo,
            Integer(0),
            because="Their logits diverge with the right sign: the gradient vanishes, faster than any power of d.",
        ),
        Tends("wrong samples move", WRONG, d, oo, Integer(1), because="The exponential tends to 0."),
        Equal(
            "one step in four",
            share,
            Rational(1, 4),
            uses=(
                "neither sample moves anything",
                "gradient of a sample that is right",
                "gradient of a sample that is wrong",
                "right samples stop",
                "wrong samples move",
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
    worlds=lambda random: World(
        {sign_a: random.choice((-1, 1)), sign_w: random.choice((-1, 1)), k: 2, size: draw(random), power: 1}
    ),
)

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
        "fresh at every step and independent of the network. Premises: a network has not moved exactly if all of its "
        "samples were right; chances of fresh labels multiply.",
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
)
