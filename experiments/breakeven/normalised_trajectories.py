"""Trajectories of a network with batch normalisation over learning rate and batch size, beside the plain network's."""

from collections.abc import Mapping

from experiments.breakeven.batch_runs import VARIABLES, measure
from experiments.study import Grid, Study
from numerics.data import digits

RATES = (0.02, 0.04, 0.08, 0.16, 0.32, 1.28)
"""At the last one the labels are hardly fitted any more: it is for what is said of the highest rates alone."""
BASE = 0.04
"""Of the runs over batch sizes."""
SIZE = 64
"""Of the runs over rates."""
PLAIN_RATE = 0.16
"""Moderate rate, of the run without normalisation: eight times the lowest of those with it (the paper: ten times)."""
BATCH_SIZES = (8, 16, 32, 128)

PLAIN = (PLAIN_RATE, SIZE, False)
RUNS = (*((rate, SIZE, True) for rate in RATES), *((BASE, size, True) for size in BATCH_SIZES), PLAIN)
"""Learning rate, batch size, and whether the network is normalised."""
EXTREMES = (
    *((rate, SIZE, True) for rate in (RATES[0], RATES[-2], RATES[-1])),
    *((BASE, size, True) for size in (8, 16, 128)),
    PLAIN,
)


SIZES: Mapping[str, int] = {"points": 256, "lanczos_steps": 12, "gram_batches": 25, "gram_size": 32, "fresh": 8}
"""Points of the training set, products with the Hessian, L and M of K^M, batches for the projection ratio; the paper's
are Lanczos on 5 % of the set, L = 25 and M = 128 (breakeven:D11)."""


def grid(
    network: str,
    runs: tuple[tuple[float, int, bool], ...],
    records: int,
    seeds: int,
    *,
    flow: float,
    natural: tuple[float, float],
    block: int = 1,
    sizes: Mapping[str, int] = SIZES,
) -> Grid:
    """Grid of runs: (learning rate, batch size, whether normalised); `natural` is the rate and flow of the run that
    shows how sharp the task gets.
    """
    rate, batch_size, normalised = zip(*runs, strict=True)
    return Grid(
        axes={"network": (network,)},
        inner={"run": tuple(range(len(runs)))},
        settings={
            "rate": rate,
            "batch_size": batch_size,
            "normalised": normalised,
            "block": block,
            "records": records,
            "flow": flow,
            "natural_rate": natural[0],
            "natural_flow": natural[1],
            **sizes,
        },
        seeds=seeds,
        block=1,
    )


STUDY = Study(
    name="breakeven.normalised_trajectories",
    title="Hessian and mini-batch gradient covariance along SGD with batch normalisation, and without, tanh network",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": grid("MLP-rand", EXTREMES, 9, 1, flow=20.0, natural=(0.01, 5.0)),
        "full": grid("MLP-rand", RUNS, 17, 10, flow=60.0, natural=(0.01, 12.0)),
        "paper": grid("MLP-rand", RUNS, 81, 20, flow=120.0, natural=(0.005, 40.0)),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)
