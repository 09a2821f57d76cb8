"""The paper's Figures 7 and 26: batch normalisation over the learning rate and over the batch size."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import xarray as xr

from experiments.breakeven.maxima_panels import beside, row_of_points, said_beside, said_factors
from experiments.breakeven.normalised_claims import LEAST, over, without
from experiments.breakeven.normalised_trajectories import STUDY
from experiments.breakeven.trajectory_summary import STATISTICS, converged, largest
from experiments.figures import Datasets, Figure
from experiments.pictures import style

SHOWN = tuple(LEAST)
ALONG = {"lambda_KM": "lambda_KM", "scale_norm": "||gamma||, last normalisation"}
"""Curves of the lower row."""


def _all(data: xr.Dataset, control: str) -> xr.Dataset:
    """All runs, and which of them do not fit in every seed."""
    runs = over(data, control)
    share = converged(runs).mean("seed").values
    words = [
        f"{value:.3g} ({part:.0%} fit)" for value, part in zip(runs[control].values, share, strict=True) if part < 1
    ]
    return runs.assign_attrs(excluded=f"nothing, though not all fit: {', '.join(words)}" if words else "")


def _draw(control: str) -> Callable[[np.ndarray, Datasets], None]:
    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        runs = _all(datasets[STUDY.name], control)
        row_of_points(axes[0], runs, control, SHOWN)
        for panel, (name, words) in zip(axes[1], ALONG.items(), strict=False):
            for run in range(runs.sizes["run"]):
                values = runs[name].isel(run=run).mean("seed").values
                look = {"color": style.GREYS[run], "linestyle": style.LINES[run % len(style.LINES)]}
                panel.plot(values, label=f"{float(runs[control][run]):.3g}", **look)
            style.label(panel, "record", words)
            style.legend(panel)
        for panel in axes[1][len(ALONG) :]:
            panel.set_axis_off()

    return draw


def _said(control: str) -> Callable[[Datasets], str]:
    def found(datasets: Datasets) -> str:
        return (
            "Smoothed maxima from the lowest to the highest level: "
            f"{said_factors(_all(datasets[STUDY.name], control), SHOWN)}."
        )

    return found


@dataclass(frozen=True)
class Pair:
    """A number that the paper gives for both: SimpleCNN-BN at its lowest rate, SimpleCNN at a moderate one."""

    statistic: str
    normalised: float
    plain: float
    said: str
    largest: bool = True


PAIRS = (
    Pair("lambda_km", 12.05, 3.30, "lambda_K"),
    Pair("ratio_km", 0.343, 0.24, "lambda*_K/lambda_K"),
    Pair("projection", 1.90, 2.02, "||g||/||g_5||"),
    Pair("projection", 1.37, 1.09, "least ||g||/||g_5||", largest=False),
    Pair("lambda_km", 10.3, 16.0, "lambda_K (older version)"),
    Pair("spread_km", 12.14, 11.55, "Tr K/lambda_K (older version)"),
    Pair("projection", 1.90, 1.88, "||g||/||g_5|| (older version)"),
    Pair("projection", 1.37, 1.12, "least ||g||/||g_5|| (older version)", largest=False),
)
"""Maxima of Section 4.3 (breakeven:X9), the minima that stand in brackets beside two of them, and what the older
version of the paper has in their place.
"""


def extreme(curve: xr.DataArray, of_largest: bool) -> xr.DataArray:
    """Largest or smallest value of the smoothed curve."""
    return largest(curve, "smoothed") if of_largest else -largest(-curve, "smoothed")


def pair(data: xr.Dataset) -> dict[str, tuple[float, float]]:
    """The paper's ratio, normalised at the lowest rate over plain at a moderate one, and ours."""
    runs = over(data, "learning_rate").isel(run=0), without(data)

    def ours(one: Pair) -> float:
        low, plain = (extreme(STATISTICS[one.statistic](run), one.largest).values for run in runs)
        return float(np.exp(np.log(low).mean() - np.log(plain).mean()))

    return {one.said: (one.normalised / one.plain, ours(one)) for one in PAIRS}


def _both(axes: np.ndarray, datasets: Datasets) -> None:
    who = ("paper, SimpleCNN on CIFAR-10", "ours, tanh network on digits")
    of = "largest values, and least ones: normalised at its lowest rate over plain at a moderate rate"
    beside(axes.flat[0], pair(datasets[STUDY.name]), who, of)


def _said_both(datasets: Datasets) -> str:
    words = said_beside(pair(datasets[STUDY.name]))
    return f"Normalised at its lowest rate over plain at a moderate one, the paper's ratio and ours: {words}."


FIGURES = (
    Figure(
        name="breakeven.figure_7",
        title="Batch normalisation over the learning rate: maxima, and lambda_KM and the scales along training",
        place="Figure 7, Section 4.3",
        claim="The conjectures hold; lambda_K starts high and decays for all but the lowest rate; high rates first "
        "shrink the scales.",
        studies=(STUDY.name,),
        draw=_draw("learning_rate"),
        found=_said("learning_rate"),
        panels=(2, 4),
        row_height=2.6,
    ),
    Figure(
        name="breakeven.figure_26",
        title="Batch normalisation over the batch size: maxima, and lambda_KM and the scales along training",
        place="Figure 26, Appendix H",
        claim="A smaller batch acts as a larger rate, except the smallest, whose conditioning is worse.",
        studies=(STUDY.name,),
        draw=_draw("batch_size"),
        found=_said("batch_size"),
        panels=(2, 4),
        row_height=2.6,
    ),
    Figure(
        name="breakeven.figure_normalised_pair",
        title="Batch normalisation at a low rate beside the plain network at a moderate rate",
        place="Section 4.3",
        claim="Normalisation with a low rate has lambda_K 12.05 against 3.30, lambda*_K/lambda_K 0.343 against 0.24, "
        "and ||g||/||g_5|| 1.90 against 2.02 at most, 1.37 against 1.09 at least: a high rate is needed for a smooth "
        "loss.",
        studies=(STUDY.name,),
        draw=_both,
        found=_said_both,
    ),
)
