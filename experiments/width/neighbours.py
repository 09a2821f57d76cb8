"""Mean-field's divergence from the reference by nearest neighbours, where no law is fitted (width:G14)."""

from collections.abc import Mapping
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width import overtaking
from numerics.neighbours import neighbour_divergence


def measure(
    *, replicates: Replicates, data: None, rho: np.ndarray, model: np.ndarray, step: np.ndarray, networks: int,
    steps: int,
) -> Mapping[str, np.ndarray]:  # fmt: skip
    """Mean over points of the divergence before some of the steps of full-batch training, and of the variances' ratio.

    A seed is a problem and a group of networks of every model and width, as in ``experiments.width.overtaking``.
    """
    del data
    chosen = np.asarray(step, dtype=int)
    found, shares = [], []
    for key in list(replicates.keys()):
        places, first, *others = jax.random.split(key, 2 + len(rho) * len(model))
        x = jax.random.normal(places, (overtaking.POINTS, overtaking.COMPONENTS), dtype=jnp.float32)
        runs = partial(overtaking._run, x=x, networks=networks, steps=steps)
        reference = np.asarray(runs(first, overtaking._rates("NTK", 1.0), width=overtaking.REFERENCE), np.float64)[
            :, chosen
        ]
        grid = [(str(name), float(ratio)) for ratio in rho for name in model]
        logits = [
            np.asarray(runs(one, overtaking._rates(*cell), width=int(overtaking.REFERENCE * cell[1])), np.float64)[
                :, chosen
            ]
            for one, cell in zip(others, grid, strict=True)
        ]
        shape = (len(rho), len(model), len(chosen))
        near = [np.mean(neighbour_divergence(each, reference), axis=-1) for each in logits]
        spread = [np.mean(each.var(axis=0, ddof=1) / reference.var(axis=0, ddof=1), axis=-1) for each in logits]
        found.append(np.reshape(near, shape))
        shares.append(np.reshape(spread, shape))
    return {"divergence": np.array(found), "variance": np.array(shares)}


def rises(data: xr.Dataset) -> xr.Dataset:
    """Divergence less that at the smallest width."""
    shown, share = (data[name].isel(model=0, drop=True) for name in ("divergence", "variance"))
    narrow, wide = shown.isel(rho=0, drop=True), shown.isel(rho=slice(1, None))
    ratios = data["rho"].values
    made = xr.Dataset({"measured": (wide - narrow).drop_vars("rho")})
    return made.assign_coords(
        ratio=("rho", ratios[1:] / ratios[0]), share=share.isel(rho=0, drop=True).mean("seed").drop_vars("step")
    )


def _grid(rho: tuple[float, ...], networks: int, seeds: int) -> Grid:
    return Grid(
        inner={"rho": rho, "model": overtaking.MODELS, "step": (0, 20, 39)},
        settings={"networks": networks, "steps": 40},
        seeds=seeds,
        first_seed=300,
    )


STUDY = Study(
    name="width.neighbours",
    title="Mean-field versions of a reference of width 16: divergences from it by nearest neighbours",
    measure=measure,
    variables={
        "divergence": Variable(("seed", "rho", "model", "step"), "1", "mean divergence by third neighbours"),
        "variance": Variable(("seed", "rho", "model", "step"), "1", "mean variance over the reference's"),
    },
    grids={"quick": _grid((4.0, 8.0, 16.0), 12, 10), "full": _grid((4.0, 16.0, 64.0), 48, 24)},
    checks=(
        Check(
            "width.mean_field_neighbours",
            rises,
            Margin(0.25, "physics", "a quarter of the distance to twice as much, and to a divergence that stays"),
            select={"model": ["MF"]},
            counter_systems=(
                CounterSystem("NTK scaling", {"model": ["NTK"]}, "its variance tends to one of the reference's size"),
            ),
            profiles=("full",),
        ),
    ),
    precision="float32",
    reduction="mean",
)
