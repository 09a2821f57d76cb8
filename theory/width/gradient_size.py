"""The logistic gradient of a misclassified sample has a size between one half and one (width:E14, L1.1)."""

from sympy import Abs, Eq, Integer, Or, Rational, exp, symbols

from theory.claims import Bound
from theory.definitions.tangents import BELOW_ONE, left
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.steps import Holds
from theory.proof.worlds import World, rational
from theory.width.meanings import source

HALF = Rational(1, 2)
label, logit, gradient = symbols("y f g", real=True)

_LARGER = "a bound from below holds for a larger gradient too, and of either sign"

GRADIENT = Define("gradient of the logistic loss in the logit", gradient, -label / (1 + exp(label * logit)), _LARGER)
_ONE, _OTHER = (Eq(label, Integer(value), evaluate=False) for value in (1, -1))
LABELS = Suppose("labels are 1 and -1", Or(_ONE, _OTHER))
WRONG = Suppose("the sample is misclassified", label * logit < 0)
GROWS = Imported("the exponential is below 1 left of 0", BELOW_ONE)

CLAIM = Bound(HALF, Abs(gradient))
BELOW = Holds(
    "the loss is still steep",
    exp(label * logit) < 1,
    uses=(WRONG.name, GROWS.name),
    instances=((GROWS.name, {left: label * logit}),),
    because="A misclassified sample lies on the steep side of the loss.",
)
DERIVATION = Derivation(
    premises=(GRADIENT, LABELS, WRONG, GROWS),
    steps=(
        BELOW,
        Holds(
            "at least one half",
            CLAIM.statement,
            uses=(GRADIENT.name, LABELS.name, BELOW.name),
            because="1 + exp(y f) is below 2.",
        ),
    ),
    worlds=lambda source: World(
        {label: (sign := source.choice((-1, 1))), logit: -sign * rational(source, 1, 3), left: -rational(source)}
    ),
)

LAWS = (
    Law(
        name="width.gradient_size",
        title="On a misclassified sample the logistic gradient is at least one half, at every width.",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statement 1",
            ("width:E14", "width:L1", "width:G2"),
            "So it takes no order away from a step: q_gradient = 0 while samples are misclassified.",
        ),
        quantities=(Quantity(gradient, "gradient of the loss in the logit"),),
        regime="Labels 1 and -1; the sign is that of the finite network's logit, however small it is.",
        assumptions=(WRONG.fact,),
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "as large as far from the boundary",
                Bound(Integer(1), Abs(gradient)),
                "takes the value for diverging logits, a hinge, for that of every sample",
            ),
        ),
    ),
)
