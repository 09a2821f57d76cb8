"""That accuracy falls with beta because features are learned: the fall of the phase plane, beside what has none."""

from dataclasses import replace

from sympy import Function, Symbol

from theory.claims import Trend
from theory.definitions.temperature import MEANINGS, beta
from theory.law import Law, Quantity, Rival, Source, Status

FALLS = Trend(Function("accuracy", positive=True)(beta), beta, -1)

LAWS = (
    Law(
        name="temperature.accuracy_with_features_in_beta",
        title="Test accuracy falls as beta grows where features can be learned, and does not where they cannot",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "sec 3.2, fig 5a",
            ("temperature:F5", "temperature:E41"),
            "what a larger beta costs is the network's departure from its linearisation",
        ),
        quantities=(
            Quantity(Symbol("accuracy"), "test accuracy at the learning rate that validation points chose"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="on a stripe of one coordinate in 20, one hidden layer of ReLU, plain SGD, rms of the initial logits "
        "0.01, beta from 0.01 to 10",
        derivation=None,
        claim=FALLS,
        rivals=(Rival("rises", replace(FALLS, direction=1), "the other way"),),
    ),
)
