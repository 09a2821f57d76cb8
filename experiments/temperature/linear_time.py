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
    lost = flatness(dataset)
    bound = ROUNDING * (conditioning(dataset) + lost + lost.sel(beta=1.0, drop=True)) * (scaled + reference)
    return xr.Dataset(
        {"left": scaled, "right": reference, "bound": bound, "eta": eta, "eta_tilde": eta_tilde, "tau_lin": tau}
    )


def flatness(dataset: xr.Dataset) -> xr.DataArray:
    """What the Jacobian of a saturated softmax loses: p - p p^T keeps the rounding of p, 1e-16 of 1, times the rate.

    The kernel then multiplies it by at least eta~ |Theta R| / |R| = |Z'| / |R|; here in units of what is left, |Z''|.
    """
    rate, points = norm(dataset["rate"]), dataset.sizes["point"] * dataset.sizes["class_"]
    return rate**2 / (dataset["residual"] * points**0.5 * norm(dataset["second_of_plane"]))


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
