"""The paper's reported maxima beside ours, as factors for a tenfold control, since values do not compare."""

from dataclasses import dataclass

import numpy as np

from experiments.breakeven.maxima_panels import RATE, beside, factor, said_beside
from experiments.breakeven.trajectories import CONVOLUTIONAL, CONVOLUTIONAL_RATES
from experiments.breakeven.trajectory_conjectures import sweep
from experiments.figures import Datasets, Figure


@dataclass(frozen=True)
class Reported:
    """Two maxima for SimpleCNN (Section 4.2): at the lower level of a control, and at ten times that level."""

    statistic: str
    low: float
    high: float
    control: str
    said: str


REPORTED = (
    Reported("lambda_km", 3.30, 0.68, RATE, "lambda_K, eta .01 to .1"),
    Reported("ratio_km", 0.24, 0.37, RATE, "lambda*_K/lambda_K, eta .01 to .1"),
    Reported("lambda_h", 211.17, 26.27, RATE, "lambda_H, eta .01 to .1"),
    Reported("trace_k", 5.56, 10.86, "batch_size", "Tr K, S 10 to 100"),
)


STUDIED = {RATE: CONVOLUTIONAL_RATES, "batch_size": CONVOLUTIONAL}


def tenfold(datasets: Datasets) -> dict[str, tuple[float, float]]:
    """For each reported pair the paper's factor, and ours between the ends of the grid brought to a tenfold control."""
    found = {}
    for one in REPORTED:
        study = STUDIED[one.control]
        runs = sweep(datasets[study.name], study, one.control)
        ends = np.log10(runs[one.control].values.astype(float)[[0, -1]])
        found[one.said] = one.high / one.low, float(factor(runs, one.statistic) ** (1 / (ends[1] - ends[0])))
    return found


def draw(axes: np.ndarray, datasets: Datasets) -> None:
    """Both factors, one line a statistic."""
    who = ("paper, SimpleCNN on CIFAR-10", "ours, SimpleCNN-tiny on digits")
    of = "factor of the smoothed maximum for ten times the learning rate or the batch size"
    beside(axes.flat[0], tenfold(datasets), who, of)


def found(datasets: Datasets) -> str:
    """Both factors in words."""
    return (
        f"Factors for a tenfold control, the paper's and ours: {said_beside(tenfold(datasets))}. "
        "Other networks, data and sizes: ratios compare, values do not."
    )


FIGURES = (
    Figure(
        name="breakeven.figure_reported_numbers",
        title="The paper's reported maxima as factors, beside ours",
        place="Section 4.2",
        claim="From eta = 0.01 to 0.1 lambda_H falls 8.0-fold and lambda_K 4.9-fold; from S = 10 to 100 Tr K doubles.",
        studies=tuple(study.name for study in STUDIED.values()),
        draw=draw,
        found=found,
    ),
)
