"""What the paper's experiment says of its models: which is closest to the reference, and whose kernels evolve."""

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.width.divergence import Logits, gains
from experiments.width.paper import REFERENCE

FIRST, PLAIN = "IC-MF", "MF"
LATE = 20


def logits_of(data: xr.Dataset) -> tuple[dict[str, Logits], Logits]:
    """Logits (seed, step, test point) of every scaled model, and of the reference."""
    ordered = data["logits"].transpose("model", "seed", "step", "test_point")
    found = {str(name): ordered.sel(model=name).values for name in data["model"].values}
    return found, found.pop(REFERENCE)


def _gained(data: xr.Dataset, first: str, other: str, chosen: slice = slice(None)) -> xr.DataArray:
    """Gain of one model over every other one (seed, other, step), the others along a dimension of that name."""
    models, reference = logits_of(data)
    names = [name for name in models if name != first]
    found = gains(models, reference, first, chosen=chosen)
    return xr.DataArray(found, dims=("seed", other, "step"), coords={other: names, "step": data["step"].values[chosen]})


def _ranked(data: xr.Dataset, chosen: slice = slice(None)) -> xr.Dataset:
    one_setup = data.isel(setup=0, drop=True)
    made = xr.Dataset(
        {
            "measured": _gained(one_setup, FIRST, "other", chosen),
            "measured[mean-field first]": _gained(one_setup, PLAIN, "another", chosen),
        }
    )
    return made.assign_coords(k=("step", made["step"].values))


def ranking(data: xr.Dataset) -> xr.Dataset:
    """All recorded steps."""
    return _ranked(data)


def ranking_late(data: xr.Dataset) -> xr.Dataset:
    """Recorded steps from the twentieth on."""
    return _ranked(data, slice(int(np.searchsorted(data["step"].values, LATE)), None))


def ranking_setups(data: xr.Dataset) -> xr.Dataset:
    """The corrected model over plain mean-field at every setup; and the other way round."""
    two = data.sel(model=[REFERENCE, FIRST, PLAIN])

    def at_every(first: str) -> xr.DataArray:
        found = [_gained(two.sel(setup=setup, drop=True), first, "other") for setup in two["setup"].values]
        return xr.concat([one.isel(other=0, drop=True) for one in found], dim=two["setup"])

    made = xr.Dataset({"measured": at_every(FIRST), "measured[the reverse]": at_every(PLAIN)})
    return made.assign_coords(k=("step", made["step"].values))


def growth(data: xr.Dataset) -> xr.Dataset:
    """Growth of the mean kernel diagonal from the first record to the last."""
    kernel = data["kernel"].isel(setup=0, drop=True)
    grown = (kernel.isel(step=-1) / kernel.isel(step=0)).drop_vars("step", errors="ignore")
    measured = grown.drop_sel(model=REFERENCE)
    return xr.Dataset({"measured": measured}).assign_coords(growth_ref=float(grown.sel(model=REFERENCE).mean("seed")))


EFFECT = 0.1
"""Smallest gain that counts: a divergence larger by a tenth, on average over the logarithm."""

_TENTH = Margin(EFFECT, "physics", "a divergence larger by a tenth; a model of the reference's own law gains nothing")
CHECKS = (
    ("width.paper", Check(law="width.ranking", observe=ranking, margin=_TENTH, minimum_effect=EFFECT)),
    ("width.paper", Check(law="width.ranking_late", observe=ranking_late, margin=_TENTH, minimum_effect=EFFECT)),
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
    ("width.paper_wide", Check(law="width.ranking_wide", observe=ranking, margin=_TENTH, minimum_effect=EFFECT,
                               profiles=("full",))),
    ("width.paper_setups", Check(law="width.ranking_setups", observe=ranking_setups, margin=_TENTH,
                                 minimum_effect=EFFECT)),
)  # fmt: skip
