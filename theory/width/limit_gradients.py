"""The gradient at logits that vanish as the width grows, and at logits that diverge (width:X1, width:E14)."""

from sympy import Expr, Integer, Rational, exp, oo, symbols

from theory.claims import Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.steps import Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

HALF = Rational(1, 2)
d, power, size = symbols("d power size", positive=True)
label, logit = symbols("y u", real=True)
VANISHING = -label / (1 + exp(label * logit * d**-power))
DIVERGING = 1 / (1 + exp(-size * d**power))


def _scalars(source_) -> World:
    return World(
        {power: draw(source_, 1, 2), size: draw(source_), label: source_.choice((-1, 1)), logit: draw(source_, -3, 3)}
    )


def _gradient(value: Expr, end: Expr, because: str) -> Derivation:
    step = Tends("gradient", value, d, oo, end, because=because)
    return Derivation(premises=(), steps=(step,), worlds=_scalars)


LAWS = (
    Law(
        name="width.limit_gradient_half",
        title="Where logits vanish as the width grows, the gradient tends to -y/2.",
        status=Status.THEOREM,
        source=source(
            "SM B",
            (
                "width:X1",
                "width:X2",
                "width:E14",
                "width:R01",
                "width:R04",
                "width:R05",
                "width:R06",
                "width:R09",
                "width:R10",
                "width:R11",
            ),
            "Logits of negative order: gradient -y/2.",
        ),
        quantities=(
            Quantity(d, "width: number of hidden neurons"),
            Quantity(power, "minus the order of the logits"),
            Quantity(label, "label, -1 or 1"),
            Quantity(logit, "normalised logit"),
        ),
        regime="A normalised logit that does not depend on the width.",
        derivation=_gradient(VANISHING, -label / 2, "The exponent tends to 0."),
        claim=Limit(VANISHING, d, oo, -label / 2),
        rivals=(Rival("hinge", Limit(VANISHING, d, oo, -label), "that of logits that diverge on the wrong side"),),
    ),
    Law(
        name="width.limit_gradient_hinge",
        title="Where logits diverge on the wrong side, the gradient's size tends to 1.",
        status=Status.THEOREM,
        source=source(
            "SM B",
            ("width:X1", "width:X2", "width:E14", "width:R03", "width:R08", "width:R13"),
            "Logits of positive order, misclassified: -y.",
        ),
        quantities=(
            Quantity(d, "width: number of hidden neurons"),
            Quantity(power, "order of the logits"),
            Quantity(size, "minus label times normalised logit, positive where the point is misclassified"),
        ),
        regime="A misclassified point whose normalised logit does not depend on the width.",
        derivation=_gradient(DIVERGING, Integer(1), "The exponential tends to 0."),
        claim=Limit(DIVERGING, d, oo, Integer(1)),
        rivals=(Rival("half", Limit(DIVERGING, d, oo, HALF), "that of logits that vanish"),),
    ),
)
