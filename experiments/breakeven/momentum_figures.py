"""The paper's Figures 20 to 25, on momentum and decaying learning rates, and its reported numbers beside ours."""

from collections.abc import Callable

import numpy as np
import xarray as xr

from experiments.breakeven.momentum_claims import FAMILIES, WITHOUT_NOISE, Fixed
from experiments.breakeven.momentum_trajectories import STUDY as MOMENTUM
from experiments.breakeven.trajectories import CONVOLUTIONAL
from experiments.breakeven.trajectory_conjectures import sweep
from experiments.breakeven.trajectory_figures import NAMES, RATE, points
from experiments.breakeven.trajectory_summary import STATISTICS, admitted, chosen, described, largest
from experiments.figures import Datasets, Figure
from experiments.pictures import style

SHOWN = ("lambda_k", "ratio_km", "lambda_h", "trace_k")


def _runs(data: xr.Dataset, control: str, fixed: Fixed) -> xr.Dataset:
    return admitted(chosen(described(data, MOMENTUM), control, **fixed))


def _row(control: str, fixed: Fixed) -> Callable[[np.ndarray, Datasets], None]:
    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        runs = _runs(datasets[MOMENTUM.name], control, fixed)
        for panel, name in zip(axes.flat, SHOWN, strict=True):
            if runs.sizes["run"]:
                points(panel, runs, control, name)
            else:
                panel.text(0.5, 0.5, "not run in this profile", ha="center", fontsize=style.SIZE)

    return draw


def _both(axes: np.ndarray, datasets: Datasets) -> None:
    control, _, fixed = FAMILIES["over_momentum"]
    _row(control, fixed)(axes[0], datasets)
    _row(control, WITHOUT_NOISE)(axes[1], datasets)


def _said(control: str, *settings: Fixed) -> Callable[[Datasets], str]:
    def found(datasets: Datasets) -> str:
        parts = []
        for fixed in settings:
            runs = _runs(datasets[MOMENTUM.name], control, fixed)
            if not runs.sizes["run"]:
                return "These runs are no part of this profile."
            ratios = [_change(runs, name) for name in SHOWN]
            words = ", ".join(f"{NAMES[name]} x{ratio:.2f}" for name, ratio in zip(SHOWN, ratios, strict=True))
            parts.append(f"S = {int(runs['batch_size'][0])}: {words}; left out: {runs.attrs['excluded'] or 'nothing'}")
        return "Smoothed maxima from the lowest to the highest level. " + ". ".join(parts) + "."

    return found


def _change(runs: xr.Dataset, name: str) -> float:
    top = np.log(largest(STATISTICS[name](runs), "smoothed").transpose("run", "seed").values).mean(axis=1)
    return float(np.exp(top[-1] - top[0]))


REPORTED = {
    "lambda_km": (0.68, 3.30, RATE, "lambda_K, eta .1 over .01"),
    "ratio_km": (0.37, 0.24, RATE, "lambda*_K/lambda_K, eta .1 over .01"),
    "lambda_h": (26.27, 211.17, RATE, "lambda_H, eta .1 over .01"),
    "trace_k": (5.56, 10.86, "batch_size", "Tr K, S 10 over 100"),
}
"""The paper's maxima for SimpleCNN (Section 4.2): at the setting that it says has the smaller curvature, the other."""


def exponents(data: xr.Dataset) -> dict[str, tuple[float, float]]:
    """For each reported number the paper's exponent in the control and ours, from the ends of the grid."""
    found = {}
    for name, (one, other, control, _) in REPORTED.items():
        runs = sweep(data, CONVOLUTIONAL, control)
        ends = np.log(runs[control].values.astype(float)[[0, -1]])
        sign = 1.0 if control == RATE else -1.0
        found[name] = (
            sign * float(np.log(one / other) / np.log(10.0)),
            float(np.log(_change(runs, name)) / (ends[1] - ends[0])),
        )
    return found


def _exponents(axes: np.ndarray, datasets: Datasets) -> None:
    both = exponents(datasets[CONVOLUTIONAL.name])
    panel = axes.flat[0]
    places = np.arange(len(both))
    for index, (who, column) in enumerate((("paper, SimpleCNN on CIFAR-10", 0), ("ours, SimpleCNN-tiny on digits", 1))):
        values = [pair[column] for pair in both.values()]
        panel.plot(
            values, places, label=who, color=style.GREYS[index], marker=style.MARKERS[index],
            markersize=7, linestyle="none",
        )  # fmt: skip
    panel.axvline(0.0, color=style.SOFT, linewidth=0.7)
    panel.set_yticks(places, [REPORTED[name][3] for name in both])
    panel.set_position((0.3, 0.3, 0.65, 0.55))
    style.label(panel, "exponent of the smoothed maximum in the learning rate or the batch size", "")
    style.legend(panel)


def _said_exponents(datasets: Datasets) -> str:
    both = exponents(datasets[CONVOLUTIONAL.name])
    words = "; ".join(f"{NAMES[name]} {paper:+.2f} and {ours:+.2f}" for name, (paper, ours) in both.items())
    return f"Exponents, the paper's and ours: {words}. Other networks, data and sizes: ratios compare, values do not."


FIGURES = (
    Figure(
        name="breakeven.figure_20",
        title="Maxima over momentum: S = 16 above, all points in every step below",
        place="Figures 20 and 21, Appendix F",
        claim="More momentum acts as a larger learning rate: smaller lambda_K and lambda_H, better conditioning.",
        studies=(MOMENTUM.name,),
        draw=_both,
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
        draw=_row(RATE, FAMILIES["over_rate_with_momentum"][2]),
        found=_said(RATE, FAMILIES["over_rate_with_momentum"][2]),
        panels=(1, 4),
    ),
    Figure(
        name="breakeven.figure_24",
        title="Maxima over the learning rate, divided by 10 half-way through training",
        place="Figures 24 and 25, Appendix G",
        claim="The decay does not change the order of the maxima.",
        studies=(MOMENTUM.name,),
        draw=_row(RATE, FAMILIES["over_rate_with_decay"][2]),
        found=_said(RATE, FAMILIES["over_rate_with_decay"][2]),
        panels=(1, 4),
    ),
    Figure(
        name="breakeven.figure_reported_numbers",
        title="The paper's reported maxima as exponents, beside ours",
        place="Section 4.2",
        claim="From eta = 0.01 to 0.1 lambda_H falls 8.0-fold and lambda_K 4.9-fold; from S = 10 to 100 Tr K doubles.",
        studies=(CONVOLUTIONAL.name,),
        draw=_exponents,
        found=_said_exponents,
    ),
)
