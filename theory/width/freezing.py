"""Where initial logits diverge, a network may not move at all for some steps (width:G3, G4)."""

from collections.abc import Callable

from sympy import Expr, Function, Integer, Rational, Symbol, symbols

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World
from theory.width.meanings import source

k = Symbol("k", integer=True)
sign_a, sign_w = symbols("sign_a sign_w", real=True)
share = Symbol("share")
frozen = Function("frozen")
FROZEN = 4**-k


def over_labels(seen: Callable[[int, int], Expr]) -> Expr:
    """Mean over the labels of both samples, fair coins."""
    return sum((seen(y_a, y_w) for y_a in (-1, 1) for y_w in (-1, 1)), Integer(0)) / 4


def _right(label: int, sign: Expr) -> Expr:
    """1 where a label of +-1 is the sign of a logit, else 0."""
    return (1 + label * sign) / 2


DERIVATION = Derivation(
    premises=(
        Define(
            "both samples are right",
            share,
            over_labels(lambda y_a, y_w: _right(y_a, sign_a) * _right(y_w, sign_w)),
            "fair labels make the mean the same for any signs, which is what the law says",
        ),
        Define("before the first step", frozen(0), Integer(1)),
        Define("one more step", frozen(k + 1), frozen(k) * share),
    ),
    steps=(
        Equal(
            "one step in four",
            share,
            Rational(1, 4),
            uses=("both samples are right",),
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
    worlds=lambda random: World({sign_a: random.choice((-1, 1)), sign_w: random.choice((-1, 1)), k: 2}),
)

LAWS = (
    Law(
        name="width.freezing",
        title="Where initial logits diverge, a network has not moved after k steps with probability 4^(-k).",
        status=Status.THEOREM,
        source=source(
            "Proposition 1 and SM B, equation 85",
            ("G3", "G4", "P1", "R08", "R13"),
            "With diverging initial logits a step on two correctly classified samples moves nothing; later steps do, "
            "by the sign of the initial logits.",
        ),
        quantities=(
            Quantity(k, "number of steps"),
            Quantity(frozen, "probability that a network has not moved"),
        ),
        regime="q_sigma > -1/2 and q_sigma + q > -1/2 in the limit of infinite width; single samples with fair labels, "
        "fresh at every step and independent of the network.",
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
