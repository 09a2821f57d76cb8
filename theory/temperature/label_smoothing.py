"""Label smoothing lowers the ratio of tau_z / ||Z0|| at large and at small logits (temperature:T33).

One step beyond temperature.small_logit_constant and temperature.large_logit_constant: `isotropic_ends` takes tau_z
to both ends for any labels; here the labels are smoothed ones, and the logits turn round the classes.
"""

from sympy import Integer, KroneckerDelta, sqrt

from theory.claims import Formula
from theory.definitions.temperature import K, k, over_classes
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import piecewise, radicals, rational
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal
from theory.temperature.isotropic_ends import (
    CLASS,
    EQUALLY_OFTEN,
    FIRST,
    ISOTROPIC,
    LARGE,
    SMALL,
    Y,
    a_start,
    correct,
    label_smoothing,
    large,
    rho_sat,
    small,
)
from theory.temperature.isotropic_ends import DERIVATION as BOTH_ENDS

CLAIM = Formula(rho_sat, (1 - label_smoothing) / sqrt(1 + (1 - label_smoothing) ** 2))

PART = Suppose("a part of the label is kept", label_smoothing < 1)
CORRECT = Suppose("the label is a class", correct <= K)
LABELS = Define("labels", Y[k], (1 - label_smoothing) * KroneckerDelta(k, correct) + label_smoothing / K)
ENDS = Imported("both ends", BOTH_ENDS)
SUM = Equal("labels sum to 1", over_classes(Y[k]), Integer(1), uses=(LABELS.name, CORRECT.name))

DERIVATION = Derivation(
    premises=(PART, CORRECT, CLASS, FIRST, ISOTROPIC, ENDS, LABELS, SMALL, LARGE),
    steps=(
        EQUALLY_OFTEN,
        SUM,
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
            uses=(LABELS.name, LARGE.name, CORRECT.name, FIRST.name, EQUALLY_OFTEN.name),
        ),
        Equal(
            "ratio",
            CLAIM.quantity,
            CLAIM.value,
            uses=(ENDS.name, "what a uniform softmax leaves", "what a certain softmax leaves", PART.name),
            normal=(rational, radicals, piecewise),
            because="the number of classes is a common factor",
        ),
    ),
    worlds=a_start,
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
        regime="isotropic kernel; initial logits that are exchangeable between the classes whatever the label, so "
        "that turning the classes changes no average; squared norms averaged over points, of which one is shown",
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
