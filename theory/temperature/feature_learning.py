"""What temperature and initial logits do to the accuracy of trained networks where features matter: experiments."""

from dataclasses import replace

from sympy import Function, Symbol

from theory.claims import Trend
from theory.definitions.temperature import MEANINGS, beta
from theory.law import Law, Quantity, Rival, Source, Status

scale = Symbol("logit_scale", positive=True)
accuracy = Function("accuracy", positive=True)
IN_BETA, IN_SCALE = Trend(accuracy(beta), beta, -1), Trend(accuracy(scale), scale, -1)
ACCURACY = Quantity(Symbol("accuracy"), "test accuracy at the learning rate that validation points chose")
SIZES = Quantity(scale, "root mean square of the scaled logits at the start")
FLOW = "at fixed eta~ the deviation from the linearisation goes like 1/beta; whether features help is the task's"
STRIPES = "on a stripe of one coordinate in 20, one hidden layer of ReLU, plain SGD"


def observed(name: str, title: str, claim: Trend, place: str, item: str, sentence: str, regime: str) -> Law:
    """A law of this file."""
    control = Quantity(beta, *MEANINGS[beta]) if claim.control == beta else SIZES
    return Law(
        name=f"temperature.{name}",
        title=title,
        status=Status.EMPIRICAL,
        source=Source("temperature", place, (f"temperature:{item}",), sentence),
        quantities=(ACCURACY, control),
        regime=regime,
        derivation=None,
        claim=claim,
        rivals=(Rival("rises", replace(claim, direction=1), "the other way"),),
    )


LAWS = (
    observed(
        "accuracy_in_beta",
        "On a task where features matter test accuracy falls as beta grows",
        IN_BETA,
        "sec 3.2, fig 5a",
        "F5",
        FLOW,
        f"{STRIPES}, beta from 0.01 to 10, rms of the initial logits at most 0.1; above that a plateau",
    ),
    observed(
        "accuracy_in_logit_scale",
        "Test accuracy falls where initial logits are large",
        IN_SCALE,
        "sec 3.2, fig 5a",
        "F5",
        "little below 1, where the softmax is uniform; a saturated one must first unlearn its own opinion",
        f"{STRIPES}, beta = 0.1, rms from 0.01 to 100",
    ),
    observed(
        "large_weights_in_beta",
        "Networks from large weights are the better the smaller beta",
        IN_BETA,
        "sec 3.3.1, fig 6a",
        "F6",
        "a poor start is mended by a small beta alone",
        f"{STRIPES}, weights three times as large, beta from 0.01 to 100",
    ),
    observed(
        "recurrent_accuracy_in_beta",
        "A recurrent network does worse at large beta",
        IN_BETA,
        "sec 3.3.3, fig 6c",
        "F6",
        "the best beta lies inside, and from there on accuracy falls",
        "gated recurrent unit of 32 units on sentences of 16 words that negate one another, beta from 0.1 to 100",
    ),
)
