"""How sharp the tasks get when nothing holds them back, at the rate that breakeven:V12 states.

A run counts as bound by 2/eta where the task exceeds it, which the trajectories tell by full-batch descent at a small
rate, though not everywhere as small as a fifth of 1/lambda_nat. Here descent starts where theirs does (the same study's
draws of start and labels) and its rate is that small. A run stops once it is sharper than 2/eta of the lowest rate
that the trajectories have: nothing more is asked of it, and to go on could only make it sharper. The tanh network, of
which a step costs a tenth to a fiftieth, also goes the whole way at both rates.

Which seeds meet the condition on the rate is seen afterwards; one that does not tells nothing (NaN).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import xarray as xr

from experiments.breakeven.image_trajectories import BLOCK, DATA
from experiments.breakeven.natural_runs import VARIABLES, measure
from experiments.breakeven.trajectory_conjectures import in_every_seed
from experiments.breakeven.trajectory_summary import plain
from experiments.study import Check, Grid, Margin, Study
from numerics.data import Data, digits

SHARE = 0.2
"""Largest rate in units of 1/lambda_nat (breakeven:V12)."""
USED = 0.005
"""Rate at which the trajectories of the tanh network tell its natural sharpness; its own edge is 400."""
LOWEST: Mapping[str, float] = {"tanh": 0.05, "convolutional": 0.03, "mlp": 0.03, "simple_cnn": 0.035}
"""Lowest learning rate of the trajectories of each network: the one whose 2/eta is the highest."""


def small_rate(data: xr.Dataset) -> xr.Dataset:
    """The run at the lowest rate; its sharpness is NaN where that rate exceeds a fifth of 1/lambda_nat."""
    run = data.isel(network=0, rate=0)
    return run.assign(largest=run["largest"].where(run["largest"] * run["rate"] <= SHARE))


def exceeded(lowest: float) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: 2/eta of the lowest rate of the trajectories, and the natural sharpness of each seed."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        run = small_rate(data)
        top = run["largest"]
        edge = xr.full_like(top, 2 / lowest).where(top.notnull())
        return plain(smaller=edge, larger=top, lambda_nat=top, bound=run["residual"]).assign_coords(eta=lowest)

    return observe


def at_both_rates(data: xr.Dataset) -> xr.Dataset:
    """The natural sharpness by the small rate, beside that by the rate that the trajectories use."""
    used = data["largest"].isel(network=0).sel(rate=USED)
    return plain(measured=small_rate(data)["largest"], lambda_used=used).assign_coords(eta=USED)


def _grid(
    network: str, rates: tuple[float, ...], of: str, seeds: int, first_seed: int = 0, **settings: float | None
) -> Grid:
    """Grid of descents from the starts of a study."""
    whole = {"points": 256, "block": 1, "lanczos_steps": 10, "enough": None, **settings}
    return Grid(
        axes={"network": (network,)},
        inner={"rate": rates},
        settings={"of": f"breakeven.{of}", **whole},
        seeds=seeds,
        first_seed=first_seed,
        block=1,
    )


def _stopped(
    name: str,
    network: str,
    of: str,
    rate: float,
    data: Callable[[], Data],
    first_seed: int = 0,
    flow: float = 10.0,
    records: int = 31,
    **more: float,
) -> Study:
    """Study of a network whose runs stop a fiftieth beyond 2/eta of its lowest rate."""
    enough = round(1.02 * 2 / LOWEST[name], 2)
    full = _grid(network, (rate,), of, 10, first_seed, flow=flow, records=records, enough=enough, **more)
    return Study(
        name=f"breakeven.natural_sharpness_{name}",
        title=f"Full-batch descent at a rate below a fifth of 1/lambda_nat, until 2/eta is exceeded: {network}",
        measure=measure,
        variables=VARIABLES,
        grids={
            "quick": _grid(network, (rate,), of, 1, first_seed, flow=2 * rate, records=2, enough=enough, **more),
            "full": full,
            "paper": replace(full, settings={**full.settings, "points": 256, "block": 1}, first_seed=0),
        },
        checks=(
            in_every_seed(
                f"task_exceeds_the_edge_{name}", exceeded(LOWEST[name]), "one residual of the eigenpair", only_full=True
            ),
        ),
        precision="float64",
        reduction="mean",
        data=data,
        takes_data=True,
    )


STUDY = Study(
    name="breakeven.natural_sharpness",
    title="Full-batch descent of the tanh network at a rate below a fifth of 1/lambda_nat, and at that of its "
    "trajectories",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": _grid("MLP-rand", (0.0009, USED), "trajectories", 1, flow=0.01, records=2),
        "full": _grid("MLP-rand", (0.0009, USED), "trajectories", 10, flow=32.0, records=17),
        "paper": _grid("MLP-rand", (0.0005, USED), "trajectories", 20, flow=60.0, records=61),
    },
    checks=(
        Check(
            law="breakeven.natural_sharpness_by_either_rate",
            observe=at_both_rates,
            margin=Margin(
                0.3,
                "physics",
                "half of the distance to the ratio at which a run is no longer admitted: 2/eta of the lowest rate is "
                "40, and the least sharp seed of the trajectories reaches 104",
            ),
            profiles=("full", "paper"),
        ),
    ),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)
STOPPED: Mapping[str, Study] = {
    "tanh": _stopped("tanh", "MLP-rand", "trajectories", 0.004, digits, flow=40.0, records=61),
    "convolutional": _stopped("convolutional", "SimpleCNN-tiny", "convolutional_rates", 0.0022, digits),
    "mlp": _stopped("mlp", "MLP 300-100", "mlp_trajectories", 0.0024, DATA["mlp"], first_seed=10),
    "simple_cnn": _stopped(
        "simple_cnn", "SimpleCNN", "simple_cnn_trajectories", 0.0015, DATA["simple_cnn"],
        first_seed=3, records=41, points=128, block=BLOCK, lanczos_steps=8,
    ),
}  # fmt: skip
"""By network.

The convolutional network on images was run once before at 0.0025 with half as many records: between two of them five
of the ten seeds went from below 2/eta to more than a fifth of 1/rate, and told nothing.
"""
STUDIES = (STUDY, *STOPPED.values())
