"""Label smoothing lowers the ratio of tau_z / ||Z0|| at large and at small logits (temperature:T33).

One step beyond temperature.small_logit_constant and temperature.large_logit_constant: their constants are the
inverse sizes of Theta (Y - 1/K) and Theta (Y - E). With an isotropic kernel and initial logits that know
nothing of the labels Theta drops out of the ratio, and every class is equally often the largest logit.
"""

import random

from sympy import IndexedBase, KroneckerDelta, Rational, Symbol, sqrt

from theory.claims import Formula
from theory.definitions.temperature import K, k, over_classes
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import piecewise, radicals, rational
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World

label_smoothing = Symbol("label_smoothing", real=True)
rho_sat, small, large = (Symbol(name, real=True) for name in ("rho_sat", "small", "large"))
correct = Symbol("c", integer=True, positive=True)
winner = Symbol("w", integer=True, positive=True)
Y = IndexedBase("Y", real=True)

CLAIM = Formula(rho_sat, (1 - label_smoothing) / sqrt(1 + (1 - label_smoothing) ** 2))

PART = Suppose("a part of the label is kept", label_smoothing < 1)
CORRECT = Suppose("the label is a class", correct <= K)
LABELS = Define("smoothed labels", Y[k], (1 - label_smoothing) * KroneckerDelta(k, correct) + label_smoothing / K)
SMALL = Define("residual at small logits", small, over_classes((Y[k] - 1 / K) ** 2))
LARGE = Define(
    "mean residual at large logits",
    large,
    over_classes(over_classes((Y[k] - KroneckerDelta(k, winner)) ** 2) / K, winner),
)
RATIO = Define("saturating ratio", rho_sat, sqrt(small / large))


def a_label(source: random.Random) -> World:
    """A few classes, one of them correct, and some smoothing."""
    classes = source.randint(2, 5)
    return World(
        {
            K: classes,
            correct: source.randint(1, classes),
            k: source.randint(1, classes),
            winner: source.randint(1, classes),
            label_smoothing: Rational(source.randint(0, 9), 10),
        }
    )


DERIVATION = Derivation(
    premises=(PART, CORRECT, LABELS, SMALL, LARGE, RATIO),
    steps=(
        Equal(
            "what a uniform softmax leaves",
            small,
            (1 - label_smoothing) ** 2 * (1 - 1 / K),
            uses=(LABELS.name, SMALL.name, CORRECT.name),
        ),
        Equal(
            "what a certain softmax leaves",
            large,
            (1 + (1 - label_smoothing) ** 2) * (1 - 1 / K),
            uses=(LABELS.name, LARGE.name, CORRECT.name),
        ),
        Equal(
            "ratio",
            CLAIM.quantity,
            CLAIM.value,
            uses=(
                RATIO.name,
                "what a uniform softmax leaves",
                "what a certain softmax leaves",
                PART.name,
            ),
            normal=(rational, radicals, piecewise),
            because="the number of classes is a common factor",
        ),
    ),
    worlds=a_label,
)

LAWS = (
    Law(
        name="temperature.label_smoothing_ratio",
        title="Label smoothing lowers tau_z per logit at large logits against that at small logits",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.3, beyond",
            ("temperature:T33",),
            "isotropic kernel, labels (1 - a) Y + a/K: the ratio is (1 - a) / sqrt(1 + (1 - a)^2) for any K",
        ),
        quantities=(
            Quantity(rho_sat, "tau_z / ||Z0|| at large logits over that at small logits"),
            Quantity(label_smoothing, "share of each label that is spread evenly over the classes"),
        ),
        regime="isotropic kernel, initial logits independent of the labels; squared norms averaged over points. "
        "The ratio is defined from the two ends, each class winning equally often; "
        "its link to tau_z is not derived here.",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("no smoothing", Formula(rho_sat, 1 / sqrt(2)), "takes smoothing for a change of learning rate"),
            Rival(
                "small logits alone",
                Formula(rho_sat, (1 - label_smoothing) / sqrt(2)),
                "smooths the residual of a uniform softmax and forgets that of a certain one",
            ),
        ),
    ),
)
