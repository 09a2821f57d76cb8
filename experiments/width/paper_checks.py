"""What the paper's experiment says of its models: which is closest to the reference, and whose kernels evolve."""

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.width.divergence import Logits, divergence, excesses, supported
from experiments.width.paper import REFERENCE

FIRST, PLAIN = "IC-MF", "MF"
LATE = 20
ROUNDING = 1e-4
"""Relative rounding of a divergence from float32 logits."""


def logits_of(data: xr.Dataset) -> tuple[dict[str, Logits], Logits]:
    """Logits (seed, step, test point) of every scaled model, and of the reference."""
    ordered = data["logits"].transpose("model", "seed", "step", "test_point")
    found = {str(name): ordered.sel(model=name).values for name in data["model"].values}
    return found, found.pop(REFERENCE)


def _bound(data: xr.Dataset, first: str, averaged: bool) -> xr.Dataset:
    """Divergence of one model, and what the interval leaves of every other one's excess over it."""
    models, reference = logits_of(data)
    steps = data["step"].values
    chosen = slice(int(np.searchsorted(steps, LATE)), None)
    own = divergence(models[first], reference)
    smaller = np.array([own.mean()]) if averaged else own[chosen]
    found = excesses(models, reference, first, averaged=averaged, chosen=chosen)
    dims = ("other", "average" if averaged else "step")
    larger = xr.DataArray(np.stack([smaller * np.exp(supported(one)) for one in found.values()]), dims=dims)
    coords = {"other": list(found)} | ({} if averaged else {"step": steps[chosen]})
    made = xr.Dataset({"larger": larger, "smaller": (dims[1], smaller), "bound": (dims[1], ROUNDING * smaller)})
    return made.assign_coords(coords)


def _ranked(data: xr.Dataset, averaged: bool) -> xr.Dataset:
    one_setup = data.isel(setup=0, drop=True)
    made = _bound(one_setup, FIRST, averaged)
    return _with_rival(made, _bound(one_setup, PLAIN, averaged).rename(other="another"), "mean-field first")


def _with_rival(made: xr.Dataset, rival: xr.Dataset, name: str) -> xr.Dataset:
    """The same with the two models in each other's place, for the rival of that name."""
    replaced = {f"{part}[{name}]": rival[part] for part in ("larger", "bound")}
    return made.assign({"KL_mean_field": rival["smaller"], **replaced})


def ranking(data: xr.Dataset) -> xr.Dataset:
    """The mean over recorded steps."""
    return _ranked(data, averaged=True)


def ranking_late(data: xr.Dataset) -> xr.Dataset:
    """Every recorded step from the twentieth on."""
    return _ranked(data, averaged=False)


def ranking_setups(data: xr.Dataset) -> xr.Dataset:
    """The corrected model and plain mean-field at every setup, averaged over steps; and the other way round."""
    two = data.sel(model=[REFERENCE, FIRST, PLAIN])
    found = {first: [_bound(two.sel(setup=s), first, True) for s in data["setup"].values] for first in (FIRST, PLAIN)}
    made, rival = (xr.concat([one.drop_vars("other") for one in found[f]], dim="setup") for f in (FIRST, PLAIN))
    return _with_rival(made, rival, "the reverse").assign_coords(setup=data["setup"].values)


def growth(data: xr.Dataset) -> xr.Dataset:
    """Growth of the mean kernel diagonal from the first record to the last."""
    kernel = data["kernel"].isel(setup=0, drop=True)
    grown = (kernel.isel(step=-1) / kernel.isel(step=0)).drop_vars("step", errors="ignore")
    measured = grown.drop_sel(model=REFERENCE)
    return xr.Dataset({"measured": measured}).assign_coords(growth_ref=float(grown.sel(model=REFERENCE).mean("seed")))


_INTERVALS = Margin(1.0, "dtype", "one rounding bound of the divergences; the intervals are in what is compared")
CHECKS = (
    ("width.paper", Check(law="width.ranking", observe=ranking, margin=_INTERVALS)),
    ("width.paper", Check(law="width.ranking_late", observe=ranking_late, margin=_INTERVALS, observed=("quick",))),
    (
        "width.paper",
        Check(
            law="width.kernel_evolution",
            observe=growth,
            margin=Margin(0.1, "physics", "an eighth of the distance to constant kernels"),
            select={"model": [REFERENCE, FIRST, PLAIN]},
            counter_systems=(
                CounterSystem(
                    "NTK scaling", {"model": [REFERENCE, "NTK"]}, "its kernels change by the inverse width alone"
                ),
            ),
        ),
    ),
    ("width.paper_setups", Check(law="width.ranking_setups", observe=ranking_setups, margin=_INTERVALS)),
)
