"""Errors that fall exponentially, and at which rate: the softmax of saturated logits, and a damped start."""

from dataclasses import replace

from sympy import Symbol

from theory.claims import Formula
from theory.definitions.momentum import damping
from theory.law import Law, Quantity, Rival, Source, Status
from theory.temperature.damped_orders import SATURATED_TIME, rate

gap, second = (Symbol(name, positive=True) for name in ("gap", "second_gap"))

SATURATED = Formula(rate, gap)
DAMPED = Formula(rate, damping)

LAWS = (
    Law(
        name="temperature.saturated_constant_rate",
        title="tau_z over ||Z0|| reaches its saturated value exponentially, at the rate of the network's smallest gap",
        status=Status.CONJECTURE,
        source=Source(
            "temperature",
            "sec 2.3",
            ("temperature:T07",),
            "a softmax lacks exp(-s gap) to a one-hot vector, and of all points that with the smallest gap lacks most",
        ),
        quantities=(
            Quantity(rate, "decay of the error of eta~ tau_z / ||Z0|| per unit of the rms s of the logits", "1/s"),
            Quantity(gap, "smallest difference of the two largest logits over the points, at rms 1"),
            Quantity(second, "the second smallest"),
        ),
        regime="one network and its own points, s times the smallest gap from 12 to 24; averaged over a continuum of "
        "gaps the error falls like 1/s instead (temperature.averaged_saturation_order); not derived: a rate under sums "
        "of symbolic length, of which the smallest gap is picked by no step",
        derivation=None,
        claim=SATURATED,
        rivals=(
            Rival("second gap", replace(SATURATED, value=second), "where the closest point did not count"),
            Rival("twice the gap", replace(SATURATED, value=2 * gap), "where the error's first order cancelled"),
        ),
    ),
    Law(
        name="temperature.momentum_saturated_time_rate",
        title="Once damped, momentum's time is gamma tau_z + 1/gamma but for an exponential of the damping",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.3, app B",
            ("temperature:T26",),
            "what the start leaves decays like exp(-gamma~ tau)",
        ),
        quantities=(
            Quantity(rate, "decay of tau - gamma~ d - 1/gamma~ in canonical time tau, d the displacement over g"),
            Quantity(damping, "canonical damping gamma~"),
        ),
        regime="constant drive g, as in temperature.momentum_early, at any time; measured at canonical times of 2 to 4 "
        "over the damping, with steps far shorter than that",
        derivation=SATURATED_TIME,
        claim=DAMPED,
        rivals=(
            Rival("twice the damping", replace(DAMPED, value=2 * damping), "an error of second order"),
            Rival("half the damping", replace(DAMPED, value=damping / 2), "what oscillations would decay at"),
        ),
    ),
)
