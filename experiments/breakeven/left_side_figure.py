"""The left side of Eq. 1, measured directly along real trajectories, and the sharpness in units of 2/eta."""

import numpy as np
import xarray as xr

from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_figures import over_rates
from experiments.figures import Datasets, Figure
from experiments.pictures import style
from numerics.intervals import interval

LEVEL = 0.99
REACH = 10.0
"""How far beyond the means a picture reaches: intervals over two seeds would leave nothing else to see."""


def draw(axes: np.ndarray, datasets: Datasets) -> None:
    """Means of the logarithms over seeds with 99 % intervals, at each record, for each learning rate."""
    runs = over_rates(datasets[STUDY.name])
    sides = (
        (runs["growth"], "left side of Eq. 1 along e_H"),
        (runs["lambda_H"] * runs["learning_rate"] / 2, "lambda_H over 2/eta"),
    )
    for panel, (curve, name) in zip(axes.flat, sides, strict=True):
        means = []
        for run in range(runs.sizes["run"]):
            logs = np.log(curve.isel(run=run).transpose("seed", "record").values[:, 1:])
            found = interval(logs, LEVEL)
            records = np.arange(1, logs.shape[1] + 1)
            means.append(np.exp(found.estimate))
            panel.fill_between(records, np.exp(found.low), np.exp(found.high), color=style.GREYS[run], alpha=0.12)
            panel.plot(
                records, means[-1], color=style.GREYS[run], marker=style.MARKERS[run], markersize=3,
                linewidth=1.0, label=f"eta = {float(runs['learning_rate'][run]):.3g}",
            )  # fmt: skip
        panel.axhline(1.0, color=style.PREDICTED, linewidth=1.0)
        low, high = panel.get_ylim()
        panel.set_ylim(max(low, np.min(means) / REACH), min(high, np.max(means) * REACH))
        style.logarithmic(panel, "y")
        panel.locator_params(axis="x", integer=True)
        style.label(panel, "record (equal steps of flow time)", name)
        style.legend(panel)


def found(datasets: Datasets) -> str:
    """Means over seeds with 99 % intervals: the median over the sharp part of training, and the highest sharpness."""
    runs = over_rates(datasets[STUDY.name])
    sharp = runs["lambda_H"] >= runs["lambda_H"].max("record") / 2
    middle = _said(runs["growth"].where(sharp).median("record"))
    over = (runs["growth"].where(sharp) >= 1).sum(("seed", "record")) / sharp.sum(("seed", "record"))
    words = ", ".join(
        f"{rate:.3g}: {said} ({share:.0%} of the records at 1 or more)"
        for rate, said, share in zip(runs["learning_rate"].values, middle, over.values, strict=True)
    )
    beyond = ", ".join(_said(runs["lambda_H"].max("record") * runs["learning_rate"] / 2))
    return (
        "Median over the records at which lambda_H is at least half of its maximum, geometric mean over seeds with its "
        f"99 % interval, by learning rate: {words}. The largest lambda_H over 2/eta: {beyond}."
    )


def _said(values: xr.DataArray) -> list[str]:
    """Geometric mean over seeds and its interval, one for each run."""
    within = interval(np.log(values.transpose("seed", "run").values), LEVEL)
    rows = np.exp(np.stack([within.estimate, within.low, within.high], axis=-1))
    return [f"{middle:.2f} [{low:.2f}, {high:.2f}]" for middle, low, high in rows]


FIGURES = (
    Figure(
        name="breakeven.figure_left_side",
        title="The left side of Eq. 1 along training, by per-example curvatures",
        place="Section 3, Eq. 1",
        claim="Training comes to the point where the left side is 1 and then stays where it is at most 1.",
        studies=(STUDY.name,),
        draw=draw,
        found=found,
        panels=(1, 2),
    ),
)
