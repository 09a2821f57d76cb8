"""Where descent with momentum comes to rest, at the numbers that breakeven:V9 states: momentum 0.9 and eta 0.2 bind.

Controls on the same task are rates whose edge lies above what the task reaches: eta 0.05 at momentum 0.5, where it is
60, and eta 0.02 at momentum 0.9, where it is 190. All were declared before any run. In the full profile the first is no
control to the end: trained until it is fitted, the task comes to a sharpness of 57 by itself (0.63 of the edge after
1600 steps, 0.96 after 8000).
"""

from __future__ import annotations  # figures are listed without matplotlib

import numpy as np
import xarray as xr

from experiments.breakeven.edge_checks import BELOW, WITH_MOMENTUM
from experiments.breakeven.edge_of_stability import VARIABLES, late_sharpness, measure
from experiments.breakeven.stated_checks import ALL, Outcome, drawn_from, said_of
from experiments.figures import Datasets, Figure
from experiments.study import Check, CounterSystem, Grid, Margin, Study
from numerics.data import digits

BINDING, BLUNT = 0.2, ((0.5, 0.05), (0.9, 0.02))
"""Learning rate that binds at either momentum; (momentum, learning rate) that do not."""


def _grid(seeds: int, points: int, widths: tuple[int, ...], steps: int, records: int, lanczos_steps: int) -> Grid:
    return Grid(
        axes={"task": ("random labels",), "momentum": (0.5, 0.9)},
        inner={"learning_rate": (0.02, 0.05, BINDING)},
        settings={
            "points": points, "widths": widths, "steps": steps, "records": records, "lanczos_steps": lanczos_steps,
        },
        seeds=seeds,
        block=1,
    )  # fmt: skip


def rest(data: xr.Dataset) -> xr.Dataset:
    """Late sharpness at either momentum, whose value the claim needs too."""
    return late_sharpness(data).assign_coords(beta=("momentum", data["momentum"].values))


STUDY = Study(
    name="breakeven.stated_edges",
    title="Sharpness along full-batch descent with momentum 0.5 and 0.9, mean squared error, tanh network, digits",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": _grid(2, 16, (4,), 20, 8, 4),
        "full": _grid(10, 256, (32,) * 4, 8000, 200, 20),
        "paper": _grid(24, 512, (64,) * 4, 20000, 400, 24),
    },
    checks=(
        Check(
            law="breakeven.heavy_ball_edge_as_stated",
            observe=rest,
            margin=Margin(0.12, "physics", "less than half of the distance to the edge of plain descent, a third"),
            profiles=("full", "paper"),
            select={"task": "random labels", "learning_rate": [BINDING]},
            counter_systems=(
                CounterSystem(
                    "a rate of 0.02",
                    {"task": "random labels", "learning_rate": [0.02]},
                    "its edge, 150 or 190, lies above what the task reaches",
                ),
            ),
        ),
    ),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)


def outcomes(datasets: Datasets) -> tuple[Outcome, ...]:
    """breakeven:V9 with momentum: rests at its edge after having reached it; the controls stay below."""
    data = datasets[STUDY.name].sel(task="random labels")
    threshold = (2 + 2 * data["momentum"]) / data["learning_rate"]
    late = rest(data)["measured"] / threshold
    top = (data["sharpness"] / threshold).max("record", skipna=False)
    low, high = WITH_MOMENTUM
    found = []
    for momentum in data["momentum"].values:
        one, place = late.sel(momentum=momentum, learning_rate=BINDING), f"beta {momentum:.2g}, eta {BINDING}"
        inside, reached = (one >= low) & (one <= high), top.sel(momentum=momentum, learning_rate=BINDING) >= 1
        found += [
            _outcome(f"late sharpness over its edge in {low} to {high} at {place}", inside, one),
            _outcome(f"the edge is reached at {place}", reached, top.sel(momentum=momentum, learning_rate=BINDING)),
        ]
    for momentum, rate in BLUNT:
        one = late.sel(momentum=momentum, learning_rate=rate)
        highest = top.sel(momentum=momentum, learning_rate=rate)
        place = f"beta {momentum:.2g}, eta {rate}"
        found += [
            _outcome(f"the control stays below {BELOW} at {place}", one < BELOW, one),
            _outcome(f"the control never reaches its edge at {place}", highest < 1, highest),
        ]
    return tuple(found)


def _outcome(said: str, holds: xr.DataArray, values: xr.DataArray) -> Outcome:
    return Outcome("V9", said, float(np.mean(holds.values)), ALL, f"mean {float(values.mean(skipna=False)):.3f}", True)


FIGURES = (
    Figure(
        name="breakeven.figure_edge_checks_as_stated",
        title="Where the sharpness of full-batch descent with momentum comes to rest, as breakeven:V9 states it",
        place="Appendix F, on momentum",
        claim="Momentum acts as a larger learning rate does.",
        studies=(STUDY.name,),
        draw=drawn_from(outcomes),
        found=said_of(outcomes),
        row_height=4.0,
    ),
)
