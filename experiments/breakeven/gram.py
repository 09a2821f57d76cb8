"""Gram matrices of mini-batch gradients, drawn in three ways: their mean trace."""

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.subsets import distinct, independent

POPULATION, COORDINATES = 12, 3

Draw = Callable[[np.random.Generator, int, int, int], np.ndarray]


def _disjoint(random: np.random.Generator, count: int, batches: int, size: int) -> np.ndarray:
    order = np.argsort(random.random((count, POPULATION)), axis=1)
    return order[:, : batches * size].reshape(count, batches, size)


def _separate(random: np.random.Generator, count: int, batches: int, size: int) -> np.ndarray:
    return distinct(random, count * batches, POPULATION, size).reshape(count, batches, size)


def _repeated(random: np.random.Generator, count: int, batches: int, size: int) -> np.ndarray:
    return independent(random, count * batches, POPULATION, size).reshape(count, batches, size)


SCHEMES: Mapping[str, tuple[Draw, int, int]] = {
    "disjoint": (_disjoint, 1, 1),
    "independent": (_separate, 1, 0),
    "replacement": (_repeated, 0, 0),
}
"""How L batches are drawn at once; whether examples are distinct within a batch, and between batches."""


def measure(
    *, replicates: Replicates, data: None, scheme: str, size: np.ndarray, batches: int, draws: int
) -> Mapping[str, np.ndarray]:
    """Traces of many Gram matrices of the gradients of `batches` batches, for each batch size."""
    del data
    draw, *_ = SCHEMES[scheme]
    traces, total = [], []
    for random in replicates.generators():
        gradients = random.standard_normal((POPULATION, COORDINATES)) + random.standard_normal(COORDINATES)
        total.append(np.sum((gradients - gradients.mean(axis=0)) ** 2) / POPULATION)
        found = []
        for members in size:
            means = gradients[draw(random, draws, batches, int(members))].mean(axis=2)
            centred = means - means.mean(axis=1, keepdims=True)
            gram = np.einsum("dlc,dmc->dlm", centred, centred) / batches
            found.append(np.mean(np.trace(gram, axis1=1, axis2=2)))
        traces.append(found)
    return {"gram": np.array(traces), "trace": np.array(total)}


def traces(data: xr.Dataset) -> xr.Dataset:
    """Mean trace of each scheme and size, and the trace of the per-example covariance."""
    names = data["scheme"].values
    found = xr.Dataset({"measured": data["gram"], "Tr_K": data["trace"]})
    return found.assign_coords(
        w=("scheme", [SCHEMES[str(name)][1] for name in names]),
        u=("scheme", [SCHEMES[str(name)][2] for name in names]),
        M=("size", data["size"].values),
        L=BATCHES,
        N=POPULATION,
    )


BATCHES = 3


def _grid(draws: int, seeds: int) -> Grid:
    return Grid(
        axes={"scheme": tuple(SCHEMES)},
        inner={"size": (2, 4)},
        settings={"batches": BATCHES, "draws": draws},
        seeds=seeds,
    )


STUDY = Study(
    name="breakeven.gram",
    title="Trace of the Gram matrix of three mini-batch gradients, drawn in three ways",
    measure=measure,
    variables={
        "gram": Variable(("seed", "size"), "1", "mean trace of the Gram matrix"),
        "trace": Variable(("seed",), "1", "trace of the population covariance of the gradients"),
    },
    grids=dict(zip(PROFILES, (_grid(6000, 16), _grid(60000, 16), _grid(200000, 24)), strict=True)),
    checks=(
        Check(
            law="breakeven.gram_trace",
            observe=traces,
            margin=Margin(0.03, "physics", "a third of the 9 % between one pass and the factor 1/M"),
        ),
    ),
)
