"""Gradients of every mini-batch of small random quadratics: their distance, the loss change, and mean squares."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.sampling import SCHEMES, indicators
from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.stability import batch_matrices

EPSILON = float(np.finfo(np.float64).eps)


def measure(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    batch_size: np.ndarray,
    learning_rate: np.ndarray,
    population: int,
    dimension: int,
) -> Mapping[str, np.ndarray]:
    """All batches of a random set of losses (1/2) x H_i x - b_i x, at a random place."""
    del data
    found: dict[str, list] = {name: [] for name in VARIABLES}
    for random in replicates.generators():
        hessians = random.standard_normal((population, dimension, dimension))
        hessians = hessians @ hessians.transpose(0, 2, 1) / dimension
        pulls, place = random.standard_normal((population, dimension)), random.standard_normal(dimension)
        gradients = hessians @ place - pulls
        full, curvature = gradients.mean(axis=0), hessians.mean(axis=0)
        covariance = np.cov(gradients.T, bias=True)

        pull = pulls.mean(axis=0)
        loss = lambda x, curvature=curvature, pull=pull: (  # noqa: E731
            np.einsum("...i,ij,...j->...", x, curvature, x) / 2 - x @ pull
        )
        test = random.standard_normal((dimension, dimension))
        test = test + test.T
        square = lambda matrices, test=test: np.einsum("ij,bjk,kl,bli->b", test, matrices, test, matrices)  # noqa: E731
        distance, change, squares = [], [], []
        for size in batch_size:
            batches = SCHEMES[scheme].every(population, int(size))
            means = gradients[batches].mean(axis=1)
            distance.append(np.mean(np.sum((means - full) ** 2, axis=1)))
            change.append([np.mean(loss(place - rate * means)) - loss(place) for rate in learning_rate])
            squares.append(np.mean(square(batch_matrices(hessians, batches))))
        found["distance"].append(distance)
        found["change"].append(change)
        found["squares"].append(squares)
        found["trace"].append(np.trace(covariance))
        found["squared_gradient"].append(full @ full)
        found["along"].append(full @ curvature @ full)
        found["noise_curvature"].append(np.trace(curvature @ covariance))
        found["of_the_mean"].append(square(curvature[None])[0])
        found["of_examples"].append(np.mean(square(hessians)))
        found["scale"].append(np.abs(loss(place)) + full @ full * (1 + np.trace(curvature)))
    return {name: np.array(values) for name, values in found.items()}


ROUNDING = 1000 * EPSILON
"""Of a sum of up to a thousand terms, in units of their size; every batch is listed."""


def _sampled(data: xr.Dataset, found: xr.Dataset) -> xr.Dataset:
    return found.assign_coords(
        w=("scheme", indicators(data["scheme"].values)), S=("batch_size", data["batch_size"].values), N=POPULATION
    )


def distances(data: xr.Dataset) -> xr.Dataset:
    """Mean squared distance of a batch gradient, and the trace that belongs to it."""
    return _sampled(
        data, xr.Dataset({"measured": data["distance"], "Tr_K": data["trace"], "bound": ROUNDING * data["distance"]})
    )


def loss_changes(data: xr.Dataset) -> xr.Dataset:
    """Mean loss change over all batches; the bound is that of sums of up to a thousand terms."""
    found = xr.Dataset(
        {
            "left": data["change"],
            "gg": data["squared_gradient"],
            "gHg": data["along"],
            "Tr_HK": data["noise_curvature"],
            "bound": ROUNDING * data["scale"],
        }
    )
    return _sampled(data, found).assign_coords(eta=("learning_rate", data["learning_rate"].values))


def mean_squares(data: xr.Dataset) -> xr.Dataset:
    """Mean over batches of <X, H_B X H_B> for a random X."""
    return _sampled(
        data,
        xr.Dataset(
            {
                "measured": data["squares"],
                "XHXH": data["of_the_mean"],
                "XHiXHi": data["of_examples"],
                "bound": ROUNDING * data["squares"],
            }
        ),
    )


VARIABLES = {
    "distance": Variable(("seed", "batch_size"), "1", "mean squared distance of a batch gradient from the full one"),
    "change": Variable(("seed", "batch_size", "learning_rate"), "1", "mean change of the full loss in one step"),
    "squares": Variable(("seed", "batch_size"), "1", "mean over batches of <X, H_B X H_B>"),
    "trace": Variable(("seed",), "1", "trace of the population covariance of the gradients"),
    "squared_gradient": Variable(("seed",), "1", "squared norm of the full gradient"),
    "along": Variable(("seed",), "1", "g^T H g of the full gradient"),
    "noise_curvature": Variable(("seed",), "1", "trace of Hessian times covariance"),
    "of_the_mean": Variable(("seed",), "1", "<X, H X H> of the mean Hessian"),
    "of_examples": Variable(("seed",), "1", "mean over examples of <X, H_i X H_i>"),
    "scale": Variable(("seed",), "1", "size of the terms that are added up"),
}
POPULATION = 6


def _grid(seeds: int) -> Grid:
    return Grid(
        axes={"scheme": tuple(SCHEMES)},
        inner={"batch_size": (1, 2, 4), "learning_rate": (0.1, 0.5)},
        settings={"population": POPULATION, "dimension": 4},
        seeds=seeds,
    )


STUDY = Study(
    name="breakeven.gradient_noise",
    title="Gradients of every mini-batch of small random quadratics",
    measure=measure,
    variables=VARIABLES,
    grids=dict(zip(PROFILES, (_grid(16), _grid(100), _grid(400)), strict=True)),
    checks=(
        Check(
            law="breakeven.trace_noise",
            observe=distances,
            margin=Margin(0.05, "physics", "less than a third of the sixth to the covariance with N - 1"),
        ),
        Check(
            law="breakeven.expected_loss_change",
            observe=loss_changes,
            margin=Margin(1.0, "dtype", "one rounding bound of a float64 mean of losses"),
        ),
        Check(
            law="breakeven.mean_square_hessian",
            observe=mean_squares,
            margin=Margin(1e-6, "dtype", "far above the rounding of a float64 mean; every batch is listed"),
        ),
    ),
)
