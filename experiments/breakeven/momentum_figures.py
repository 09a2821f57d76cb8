"""The paper's Figures 20 to 25, on momentum and decaying learning rates."""

from collections.abc import Callable

import numpy as np

from experiments.breakeven.maxima_panels import row_of_points, said_factors
from experiments.breakeven.momentum_claims import FAMILIES, WITHOUT_NOISE, Fixed, family
from experiments.breakeven.momentum_trajectories import STUDY as MOMENTUM
from experiments.breakeven.trajectory_summary import RATE
from experiments.figures import Datasets, Figure

SHOWN = ("lambda_k", "ratio_km", "lambda_h", "trace_k")


def _rows(control: str, *settings: Fixed) -> Callable[[np.ndarray, Datasets], None]:
    """Draw one row of panels for each group of runs."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        for row, fixed in zip(axes, settings, strict=True):
            row_of_points(row, family(datasets[MOMENTUM.name], control, fixed), control, SHOWN)

    return draw


def _said(control: str, *settings: Fixed) -> Callable[[Datasets], str]:
    def found(datasets: Datasets) -> str:
        groups = [family(datasets[MOMENTUM.name], control, fixed) for fixed in settings]
        words = [
            f"S = {fixed['batch_size']}: {said_factors(runs, SHOWN)}"
            for fixed, runs in zip(settings, groups, strict=True)
        ]
        return "Smoothed maxima from the lowest to the highest level. " + ". ".join(words) + "."

    return found


FIGURES = (
    Figure(
        name="breakeven.figure_20",
        title="Maxima over momentum: S = 16 above, all points in every step below",
        place="Figures 20 and 21, Appendix F",
        claim="More momentum acts as a larger learning rate: smaller lambda_K and lambda_H, better conditioning.",
        studies=(MOMENTUM.name,),
        draw=_rows("momentum", FAMILIES["over_momentum"][2], WITHOUT_NOISE),
        found=_said("momentum", FAMILIES["over_momentum"][2], WITHOUT_NOISE),
        panels=(2, 4),
        row_height=2.6,
    ),
    Figure(
        name="breakeven.figure_22",
        title="Maxima over the learning rate at momentum 0.9",
        place="Figures 22 and 23, Appendix F",
        claim="Both conjectures hold at a fixed momentum of 0.9.",
        studies=(MOMENTUM.name,),
        draw=_rows(RATE, FAMILIES["over_rate_with_momentum"][2]),
        found=_said(RATE, FAMILIES["over_rate_with_momentum"][2]),
        panels=(1, 4),
    ),
    Figure(
        name="breakeven.figure_24",
        title="Maxima over the learning rate, divided by 10 half-way through training",
        place="Figures 24 and 25, Appendix G",
        claim="The decay does not change the order of the maxima.",
        studies=(MOMENTUM.name,),
        draw=_rows(RATE, FAMILIES["over_rate_with_decay"][2]),
        found=_said(RATE, FAMILIES["over_rate_with_decay"][2]),
        panels=(1, 4),
    ),
)
