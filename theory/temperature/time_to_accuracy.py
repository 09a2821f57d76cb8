"""The time to learn a given share of the training points scales with tau_z (fig 2)."""

from sympy import Integer, Symbol

from theory.claims import Bound
from theory.law import Law, Quantity, Rival, Source, Status

spread_raw, spread_rescaled = Symbol("spread_raw", nonnegative=True), Symbol("spread_rescaled", nonnegative=True)

CLAIM = Bound(spread_rescaled, spread_raw / 10)

LAWS = (
    Law(
        name="temperature.time_to_accuracy",
        title="In units of tau_z the time to a given accuracy hardly depends on the size of the initial logits",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "sec 2.3, fig 2",
            ("temperature:F2", "temperature:E38"),
            "over five decades of rms Z0 the log of the time to an accuracy spreads ten times less in units of tau_z",
        ),
        quantities=(
            Quantity(spread_raw, "standard deviation over the logit scales of the log of the time to an accuracy"),
            Quantity(spread_rescaled, "the same with the time in units of tau_z"),
        ),
        regime="linearised training at one temperature, rms of Z0 from 1e-3 to 100, accuracies above the initial one",
        derivation=None,
        claim=CLAIM,
        rivals=(
            Rival("exact collapse", Bound(spread_rescaled, spread_raw / 1000), "takes tau_z for the only timescale"),
            Rival("worse", Bound(spread_raw, spread_rescaled / Integer(10)), "what the printed order of panels says"),
        ),
    ),
)
