"""Networks of numeric width beside their limits, by the gradient that logits have in the end."""

import xarray as xr

from experiments.study import Check, Margin

_MARGIN = Margin(0.1, "physics", "an error that does not fall stays at its first size; a tenth of that is far from it")


def distances(data: xr.Dataset) -> xr.Dataset:
    """Distance to the limit along the numeric width, and to other limits."""
    names = {"distance": "error", "logistic": "distance_logistic", "mean_field": "measured[neurons that move]"}
    made = data[list(names)].rename(names)
    made = made.assign(measured=made["error"])
    return made.assign_coords(d=("power", 10.0 ** data["power"].values), at_mean_field=0.0)


CHECKS = tuple(
    ("width.limits_numeric", Check(f"width.limit_step_{kind}", distances, _MARGIN, select={"model": models}))
    for kind, models in (
        ("half", ["R01", "R04", "R09"]),
        ("logistic", ["R02", "R05"]),
        ("hinge", ["R03", "R06", "R07", "R08", "R11", "R12", "R13"]),
    )
)
"""Mean-field itself has the same limit as the rival that stands for it."""
