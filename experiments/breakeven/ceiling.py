"""Break-even curvatures of small sets, every batch listed, against the full-batch threshold."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.closures import fixed_ratio, fixed_variance, proportional, upper_edge
from experiments.breakeven.sampling import SCHEMES
from experiments.study import Check, Grid, Margin, Replicates, Study, Variable

CLOSURES = {
    "fixed variance": lambda deviations, rate: fixed_variance(deviations, 0.5 / rate),
    "fixed ratio": lambda deviations, rate: fixed_ratio(deviations, 1.0),
    "gradient variance proportional to curvature": lambda deviations, rate: proportional(deviations, 0.5 / rate, 1.0),
}


def measure(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    closure: str,
    batch_size: np.ndarray,
    learning_rate: np.ndarray,
    population: int,
) -> Mapping[str, np.ndarray]:
    """The largest curvature that a step over all batches lets pass, for random patterns of curvatures."""
    del data
    listed = [SCHEMES[scheme].every(population, int(size)) for size in batch_size]
    edge = np.empty((len(replicates.ids), batch_size.size, learning_rate.size))
    for seed, random in enumerate(replicates.generators()):
        draw = random.standard_gamma(1.0, population)
        deviations = (draw - draw.mean()) / draw.std()
        for row, batches in enumerate(listed):
            for column, rate in enumerate(learning_rate):
                family = CLOSURES[closure](deviations, float(rate))
                edge[seed, row, column] = upper_edge(family, 1.0, float(rate), batches)
    return {"edge": edge}


def against_the_threshold(data: xr.Dataset) -> xr.Dataset:
    """Measured edges beside the learning rate; the allowance is the tolerance of the root finder."""
    edge = data["edge"]
    found = xr.Dataset({"smaller": edge, "lam": edge, "bound": 1e-10 * abs(edge)})
    return found.assign_coords(eta=("learning_rate", data["learning_rate"].values))


def _grid(seeds: int, population: int) -> Grid:
    return Grid(
        axes={"scheme": tuple(SCHEMES), "closure": tuple(CLOSURES)},
        inner={"batch_size": tuple(range(1, population + 1)), "learning_rate": (0.01, 0.3)},
        settings={"population": population},
        seeds=seeds,
    )


STUDY = Study(
    name="breakeven.ceiling",
    title="Largest stable curvature in every closure, over all batches of small sets",
    measure=measure,
    variables={
        "edge": Variable(("seed", "batch_size", "learning_rate"), "1", "curvature at which the growth passes 1")
    },
    grids={"quick": _grid(10, 5), "full": _grid(100, 6), "paper": _grid(400, 6)},
    checks=(
        Check(
            law="breakeven.ceiling",
            observe=against_the_threshold,
            margin=Margin(1.0, "dtype", "one tolerance of the root finder, 1e-10 of the edge"),
        ),
    ),
)
