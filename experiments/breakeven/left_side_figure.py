"""The left side of Eq. 1, measured directly along real trajectories, and the sharpness in units of 2/eta."""

import numpy as np

from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_figures import over_rates
from experiments.figures import Datasets, Figure
from experiments.pictures import style
from numerics.intervals import interval

LEVEL = 0.99


def draw(axes: np.ndarray, datasets: Datasets) -> None:
    """Means of the logarithms over seeds with 99 % intervals, at each record, for each learning rate."""
    runs = over_rates(datasets[STUDY.name])
    sides = (
        (runs["growth"], "left side of Eq. 1 along e_H"),
        (runs["lambda_H"] * runs["learning_rate"] / 2, "lambda_H over 2/eta"),
    )
    for panel, (curve, name) in zip(axes.flat, sides, strict=True):
        for run in range(runs.sizes["run"]):
            logs = np.log(curve.isel(run=run).transpose("seed", "record").values[:, 1:])
            found = interval(logs, LEVEL)
            records = np.arange(1, logs.shape[1] + 1)
            panel.fill_between(records, np.exp(found.low), np.exp(found.high), color=style.GREYS[run], alpha=0.12)
            panel.plot(
                records, np.exp(found.estimate), color=style.GREYS[run], marker=style.MARKERS[run], markersize=3,
                linewidth=1.0, label=f"eta = {float(runs['learning_rate'][run]):.3g}",
            )  # fmt: skip
        panel.axhline(1.0, color=style.PREDICTED, linewidth=1.0)
        style.logarithmic(panel, "y")
        style.label(panel, "record (equal steps of flow time)", name)
        style.legend(panel)


def found(datasets: Datasets) -> str:
    """Medians over seeds and the sharp part of training, and how often the left side exceeds 1."""
    runs = over_rates(datasets[STUDY.name])
    sharp = runs["lambda_H"] >= runs["lambda_H"].max("record") / 2
    middle = runs["growth"].where(sharp).median(("seed", "record")).values
    over = (runs["growth"].where(sharp) >= 1).sum(("seed", "record")) / sharp.sum(("seed", "record"))
    words = ", ".join(
        f"{rate:.3g}: {value:.2f} ({share:.0%} of the records at 1 or more)"
        for rate, value, share in zip(runs["learning_rate"].values, middle, over.values, strict=True)
    )
    highest = (runs["lambda_H"].max("record") * runs["learning_rate"] / 2).mean("seed").values
    beyond = ", ".join(f"{value:.2f}" for value in highest)
    return (
        f"Median where lambda_H is at least half of its maximum, by learning rate: {words}. The largest lambda_H over "
        f"2/eta, means over seeds: {beyond}."
    )


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
