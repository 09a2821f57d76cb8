"""What lets accuracy fall from large weights, in a recurrent network and with the initial logits: each beside a system
in which it must not (F5, F6).
"""

from dataclasses import replace

from sympy import Function, Symbol

from theory.claims import Trend
from theory.definitions.temperature import MEANINGS, beta
from theory.law import Law, Quantity, Rival, Source, Status

scale = Symbol("logit_scale", positive=True)
accuracy = Function("accuracy", positive=True)
IN_BETA, IN_SCALE = Trend(accuracy(beta), beta, -1), Trend(accuracy(scale), scale, -1)
ACCURACY = Quantity(Symbol("accuracy"), "test accuracy at the learning rate that validation points chose")
BETA, SIZE = Quantity(beta, *MEANINGS[beta]), Quantity(scale, "root mean square of the scaled logits at the start")
FEATURES = "what a larger beta costs is the network's departure from its linearisation"
STRIPES = "on a stripe of one coordinate in 20, one hidden layer of ReLU, plain SGD"


def observed(name: str, title: str, claim: Trend, place: str, ids: tuple[str, ...], said: str, regime: str) -> Law:
    """A law of this file."""
    return Law(
        name=f"temperature.{name}",
        title=title,
        status=Status.EMPIRICAL,
        source=Source("temperature", place, tuple(f"temperature:{one}" for one in ids), said),
        quantities=(ACCURACY, BETA if claim.control == beta else SIZE),
        regime=regime,
        derivation=None,
        claim=claim,
        rivals=(Rival("rises", replace(claim, direction=1), "the other way"),),
    )


LAWS = (
    observed(
        "large_weights_with_features_in_beta",
        "From large weights accuracy falls as beta grows where features can be learned, and does not where they cannot",
        IN_BETA,
        "sec 3.3.1, fig 6a",
        ("F6", "E41"),
        FEATURES,
        f"{STRIPES}, weights three times as large, rms of the initial logits 0.01, beta from 0.01 to 10",
    ),
    observed(
        "recurrent_accuracy_with_features_in_beta",
        "A recurrent network's accuracy falls at large beta, and that of its linearisation does not",
        IN_BETA,
        "sec 3.3.3, fig 6c",
        ("F6", "E41"),
        FEATURES,
        "gated recurrent unit of 32 units on sentences of 16 words that negate one another, beta from 0.1 to 100",
    ),
    observed(
        "accuracy_with_opinion_in_logit_scale",
        "Accuracy falls with initial logits that tell classes apart, and not with such as all classes share",
        IN_SCALE,
        "sec 3.2, fig 5a",
        ("F5",),
        "what must be unlearned is the softmax's own opinion, which logits that all classes share do not touch",
        f"{STRIPES}, beta = 0.1, rms from 0.01 to 100",
    ),
)
