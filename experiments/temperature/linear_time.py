"""The timescale of the linearised dynamics at every temperature, from second derivatives of the tangent plane."""

import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.temperature.early_learning import conditioning, norm
from experiments.temperature.nonlinear_time import OWN, ROUNDING, STUDY, units


def equal_logits(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_lin at each beta and at beta = 1, at equal initial logits."""
    eta, eta_tilde = units(dataset)
    tau = norm(dataset["rate"]) / norm(dataset["second_of_plane"])
    scaled = eta_tilde * tau
    reference = scaled.sel(beta=1.0, drop=True).broadcast_like(scaled)
    bound = ROUNDING * conditioning(dataset) * (scaled + reference)
    return xr.Dataset(
        {"left": scaled, "right": reference, "bound": bound, "eta": eta, "eta_tilde": eta_tilde, "tau_lin": tau}
    )


CHECK = (
    STUDY.name,
    Check(
        law="temperature.tau_lin",
        observe=equal_logits,
        margin=Margin(1.0, "dtype", "rounding of second derivatives in float64"),
        select=OWN,
        counter_systems=(
            CounterSystem(
                "both halves trained",
                {"system": "both_halves", "activation": "erf"},
                "its correlation changes with beta, and with it the direction of Z0 and the kernel",
            ),
        ),
    ),
)
