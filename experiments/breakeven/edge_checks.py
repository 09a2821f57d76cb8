"""The stated check of the edge of stability (breakeven:V9): where the late sharpness of descent lies, seed by seed."""

from collections.abc import Callable

import numpy as np
import xarray as xr

from experiments.breakeven.edge_of_stability import HEAVY, MOMENTUM, STUDY, late_sharpness
from experiments.breakeven.stated_checks import ALL, Outcome, drawn_from, said_of
from experiments.figures import Datasets, Figure
from experiments.study import Study

PLAIN, WITH_MOMENTUM = (0.95, 1.15), (0.88, 1.15)
"""Late mean of the sharpness over its threshold, without momentum and with it."""
BELOW = 0.7
"""What the control stays under."""
BINDING, EASY = "random labels", "constant target"


def outcomes_of(
    study: Study, momentum: float, bounds: tuple[float, float]
) -> Callable[[Datasets], tuple[Outcome, ...]]:
    """For each learning rate the share of seeds inside the bounds, of those that get to the edge, and of controls."""

    def outcomes(datasets: Datasets) -> tuple[Outcome, ...]:
        data = datasets[study.name]
        threshold = (2 + 2 * momentum) / data["learning_rate"]
        found = []
        for place, rate in enumerate(data["learning_rate"].values):
            late = {task: _late(data, task, threshold).isel(learning_rate=place) for task in (BINDING, EASY)}
            inside = (late[BINDING] >= bounds[0]) & (late[BINDING] <= bounds[1])
            reached = (data["sharpness"] / threshold).sel(task=BINDING).isel(learning_rate=place).max("record") >= 1
            below = late[EASY] < BELOW
            words = f"late sharpness over its threshold in {bounds[0]} to {bounds[1]} at eta {rate:.3g}"
            for kept, said, values in (
                (inside, words, late[BINDING]),
                (reached, f"the threshold is reached at eta {rate:.3g}", None),
                (below, f"the control stays below {BELOW} at eta {rate:.3g}", late[EASY]),
            ):
                number = "" if values is None else f"mean {float(values.mean()):.3f}"
                found.append(Outcome("V9", said, float(np.mean(kept.values)), ALL, number, True))
        return tuple(found)

    return outcomes


def _late(data: xr.Dataset, task: str, threshold: xr.DataArray) -> xr.DataArray:
    return late_sharpness(data.sel(task=task))["measured"] / threshold


def _figure(name: str, words: str, study: Study, momentum: float, bounds: tuple[float, float]) -> Figure:
    outcomes = outcomes_of(study, momentum, bounds)
    return Figure(
        name=f"breakeven.{name}",
        title=f"Where the sharpness of full-batch descent {words} comes to rest, by the share of seeds",
        place="Section 3: at S = N the break-even point lies at 2/eta",
        claim="Descent reaches the curvature at which it would become unstable and stays there.",
        studies=(study.name,),
        draw=drawn_from(outcomes),
        found=said_of(outcomes),
        row_height=5.0,
    )


FIGURES = (
    _figure("figure_edge_checks", "without momentum", STUDY, 0.0, PLAIN),
    _figure("figure_edge_checks_momentum", f"with momentum {MOMENTUM}", HEAVY, MOMENTUM, WITH_MOMENTUM),
)
