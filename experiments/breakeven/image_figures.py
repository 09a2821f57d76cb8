"""The paper's reported maxima of SimpleCNN on CIFAR-10 beside ours, of the same network on smaller images; and which
runs on images converge and bind.
"""

import numpy as np

from experiments.breakeven.flag_figures import figure_of
from experiments.breakeven.image_batch_claims import CONVOLUTIONAL
from experiments.breakeven.image_claims import STUDY_OF, weighed
from experiments.breakeven.image_trajectories import NETWORKS
from experiments.breakeven.maxima_panels import beside, said_beside
from experiments.breakeven.reported_numbers import OVER_RATES, both, said_when
from experiments.breakeven.trajectory_summary import RATE
from experiments.figures import Datasets, Figure

NETWORK = "simple_cnn"
STUDY = STUDY_OF[NETWORK]


def tenfold(datasets: Datasets) -> dict[str, tuple[float, float]]:
    """For each reported pair the paper's factor and ours, brought to a tenfold rate."""
    runs = weighed(datasets[STUDY.name], NETWORK)
    return {one.said: both(one, runs) for one in OVER_RATES}


def draw(axes: np.ndarray, datasets: Datasets) -> None:
    """Both factors, one line a statistic."""
    of = "factor of the smoothed maximum for ten times the learning rate"
    beside(axes.flat[0], tenfold(datasets), ("paper, SimpleCNN on CIFAR-10", "ours, on 128 of its images"), of)


def found(datasets: Datasets) -> str:
    """Both factors in words, and between which levels ours were measured."""
    runs = weighed(datasets[STUDY.name], NETWORK)
    low, *_, high = runs[RATE].values
    return (
        f"Factors for a tenfold rate, the paper's and ours: {said_beside(tenfold(datasets))}. Ours between eta "
        f"{low:.3g} and {high:.3g}. {said_when(runs)} Few and small images: ratios compare, values do not."
    )


FIGURES = (
    Figure(
        name="breakeven.figure_reported_numbers_images",
        title="The paper's reported maxima as factors, beside those of the same network on images",
        place="Section 4.2",
        claim="From eta = 0.01 to 0.1 lambda_H falls 8.0-fold and lambda_K 4.9-fold.",
        studies=(STUDY.name,),
        draw=draw,
        found=found,
    ),
    *(figure_of(f"figure_flags_{name}", f"{words} on images", STUDY_OF[name]) for name, words in NETWORKS.items()),
    figure_of("figure_flags_simple_cnn_batch_sizes", "SimpleCNN on images, over batch sizes", CONVOLUTIONAL),
)
