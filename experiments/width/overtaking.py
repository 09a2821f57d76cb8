"""When mean-field networks come nearer to a reference than networks of the NTK scaling do (width:G14)."""

from collections.abc import Mapping
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.divergence import divergence
from experiments.width.families import FAMILIES
from numerics.activations import leaky_softplus
from numerics.losses import logistic_gradient
from numerics.width_model import Sample, Scaling, draw_neurons, output, scaling, step

MODELS = ("MF", "NTK")
REFERENCE, POINTS, COMPONENTS = 16, 16, 8
SIGMA, RATE = 0.3, 8.0
"""The reference's factors sigma* (over the root of its width) and eta*: its logits start small, and it learns."""

SHOWN = (0, 20, 79)
"""Steps at which the divergence is weighed by itself."""


def measure(
    *, replicates: Replicates, data: None, rho: np.ndarray, model: np.ndarray, step: np.ndarray, networks: int
) -> Mapping[str, np.ndarray]:
    """Divergence from the reference before every step of full-batch training, and how their variances compare.

    A seed is a problem, points whose label is the sign of a component, and a group of networks of every model and
    width; logits at the points themselves.
    """
    del data
    curves, shares = [], []
    for key in list(replicates.keys()):
        places, first, *others = jax.random.split(key, 2 + len(rho) * len(model))
        x = jax.random.normal(places, (POINTS, COMPONENTS), dtype=jnp.float32)
        runs = partial(_run, x=x, networks=networks, steps=len(step))
        reference = np.asarray(runs(first, _rates("NTK", 1.0), width=REFERENCE), np.float64)
        curve, share = [], []
        for place, ratio in enumerate(rho):
            keys = others[place * len(model) :]
            logits = [
                np.asarray(runs(one, _rates(str(name), float(ratio)), width=int(REFERENCE * ratio)), np.float64)
                for one, name in zip(keys, model, strict=False)
            ]
            curve.append([divergence(of_one, reference) for of_one in logits])
            share.append([_variance_ratio(of_one, reference) for of_one in logits])
        curves.append(curve)
        shares.append(share)
    return {"divergence": np.array(curves), "variance": np.array(shares)}


def _rates(name: str, ratio: float) -> Scaling:
    """Factors at a multiple of the reference's width."""
    family = FAMILIES[name]
    return scaling(
        jnp.asarray(ratio, jnp.float32), q_sigma=family.q_sigma, q_a=family.q_a, q_w=family.q_w,
        sigma=SIGMA * REFERENCE**-0.5, rate_a=RATE, rate_w=RATE, dtype=jnp.float32,
    )  # fmt: skip


@partial(jax.jit, static_argnames=("width", "networks", "steps"))
def _run(key: Array, rates: Scaling, *, x: Array, width: int, networks: int, steps: int) -> Array:
    """Logits before every step, shape (network, step, point)."""
    y = jnp.sign(x[:, 0])

    def one(own: Array) -> Array:
        def advance(now, _):
            logits = output(now, rates.sigma, leaky_softplus, x)
            sample = Sample(x, logistic_gradient(logits, y))
            return step(now, rates, leaky_softplus, sample, sample), logits

        start = draw_neurons(own, width=width, inputs=COMPONENTS, dtype=jnp.float32)
        return jax.lax.scan(advance, start, None, length=steps)[1]

    return jax.lax.map(one, jax.random.split(key, networks))


def _variance_ratio(model: np.ndarray, reference: np.ndarray) -> np.ndarray:
    return np.mean(model.var(axis=0, ddof=1) / reference.var(axis=0, ddof=1), axis=-1)


def overtaken(gap: np.ndarray) -> np.ndarray:
    """Where a curve along the last axis comes below 0 for good, by a straight line between two steps; NaN if never.

    Examples
    --------
    >>> overtaken(np.array([[3.0, 1.0, -1.0, -2.0], [1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -3.0]])).tolist()
    [1.5, nan, 2.25]
    """
    above = gap > 0
    last = gap.shape[-1] - 1 - np.argmax(above[..., ::-1], axis=-1)
    met = above.any(axis=-1) & ~above[..., -1] & np.isfinite(gap).all(axis=-1)
    at = np.where(met, last, 0)[..., None]
    left, right = (np.take_along_axis(gap, at + shift, axis=-1)[..., 0] for shift in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(met, at[..., 0] + left / (left - right), np.nan)


def step_of_overtaking(data: xr.Dataset) -> xr.Dataset:
    """Logarithm of the step from which on mean-field is nearer, both models as wide as each other; and with the
    mean-field networks of the narrowest version beside NTK networks of every width.
    """
    curves = data["divergence"].transpose("seed", "rho", "step", "model")
    mean_field, ntk = (curves.sel(model=name).values for name in MODELS)
    narrow = np.broadcast_to(mean_field[:, :1], mean_field.shape)
    made = {
        "measured": np.log(overtaken(mean_field - ntk)),
        "measured[one width for all]": np.log(overtaken(narrow - ntk)),
    }
    return xr.Dataset({name: (("seed", "rho"), values) for name, values in made.items()}).assign_coords(
        rho=data["rho"].values
    )


def rises(data: xr.Dataset) -> xr.Dataset:
    """Divergence less that at the smallest width, at a few steps."""
    shown = data["divergence"].isel(model=0, drop=True).isel(step=list(SHOWN))
    share = data["variance"].isel(model=0, drop=True).isel(step=list(SHOWN))
    narrow, wide = shown.isel(rho=0, drop=True), shown.isel(rho=slice(1, None))
    ratios = data["rho"].values
    made = xr.Dataset({"measured": (wide - narrow).drop_vars("rho")})
    return made.assign_coords(
        ratio=("rho", ratios[1:] / ratios[0]), share=share.isel(rho=0, drop=True).mean("seed").drop_vars("step")
    )


def _grid(rho: tuple[float, ...], networks: int, seeds: int) -> Grid:
    return Grid(
        inner={"rho": rho, "model": MODELS, "step": tuple(range(80))},
        settings={"networks": networks},
        seeds=seeds,
        first_seed=200,
    )


STUDY = Study(
    name="width.overtaking",
    title="Mean-field and NTK versions of a reference of width 16: divergences from it along training",
    measure=measure,
    variables={
        "divergence": Variable(("seed", "rho", "model", "step"), "1", "mean divergence of the fitted normal laws"),
        "variance": Variable(("seed", "rho", "model", "step"), "1", "mean variance over the reference's"),
    },
    grids={"quick": _grid((4.0, 8.0, 12.0, 16.0), 12, 10), "full": _grid((4.0, 10.0, 25.0, 64.0), 24, 40)},
    checks=(
        Check(
            "width.overtaking",
            step_of_overtaking,
            Margin(0.1, "physics", "as much as the least effect: a width that does not matter is no rise"),
            profiles=("full",),
            minimum_effect=0.1,
        ),
        Check(
            "width.mean_field_divergence",
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
