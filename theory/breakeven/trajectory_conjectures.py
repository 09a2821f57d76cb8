"""The two conjectures about maxima along a trajectory (breakeven:C1, C2), for each statistic by itself.

What is conjectured of "lambda_K" or "the conditioning" is a different statement for the exact K and for K^M, for
raw and for smoothed curves: each is a law, so that one may hold where another fails.
"""

from collections.abc import Mapping

from sympy import Symbol

from theory.breakeven.trajectory_statistics import (
    LAMBDA_H,
    LAMBDA_K,
    LAMBDA_KM,
    RATIO_K,
    RATIO_KM,
    TRACE_K,
    Statistic,
    one_way,
)
from theory.definitions.breakeven import S, eta
from theory.law import Law

FALLING = {LAMBDA_H: "Conjecture 1", LAMBDA_K: "Conjecture 1", LAMBDA_KM: "Conjecture 1", TRACE_K: "Conjecture 2"}
RISING = {RATIO_K: "Conjecture 2", RATIO_KM: "Conjecture 2"}
"""Which way each statistic is said to go when the learning rate grows, and by which conjecture."""

VIEWS: Mapping[str, str] = {
    "raw": "the largest recorded value",
    "smoothed": "the largest value of a moving average over three records",
}
NETWORKS: Mapping[str, str] = {
    "": "tanh network, random labels",
    "_convolutional": "convolutional network, half of the labels random",
}
IMAGES: Mapping[str, str] = {
    "simple_cnn": "SimpleCNN, clean labels",
    "mlp": "ReLU network 300-100, clean labels",
}
"""The paper's own networks, on images."""
WORDS: Mapping[Symbol, str] = {eta: "rate", S: "batch_size"}
SAID: Mapping[Symbol, str] = {eta: "a larger learning rate", S: "a larger batch"}


def _law(statistic: Statistic, with_rate: int, conjecture: str, view: str, control: Symbol, network: str) -> Law:
    direction = with_rate if control == eta else -with_rate
    ids = ("breakeven:C1", "breakeven:V10") if conjecture == "Conjecture 1" else ("breakeven:C2", "breakeven:V11")
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_{view}_over_{WORDS[control]}{network}",
        f"{conjecture}, {view} {statistic.symbol}: {SAID[control]} makes its maximum {moves} ({NETWORKS[network]}).",
        statistic,
        control,
        direction,
        place=conjecture,
        ids=ids,
        sentence=f"The maximum over training of the {statistic.meaning} is {moves} for {SAID[control]}.",
        regime=f"Digits, {NETWORKS[network]}; {VIEWS[view]}; runs that converge and whose 2/eta the task exceeds.",
        view=f"{view} max",
    )


def _on_images(statistic: Statistic, direction: int, network: str) -> Law:
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_over_rate_{network}",
        f"On images {SAID[eta]} makes the smoothed maximum of {statistic.symbol} {moves} ({IMAGES[network]}).",
        statistic,
        eta,
        direction,
        place="Conjectures 1 and 2, Section 4.2",
        ids=("breakeven:C1", "breakeven:C2", "breakeven:V17"),
        sentence=f"The maximum over training of the {statistic.meaning} is {moves} for {SAID[eta]}.",
        regime=f"{IMAGES[network]}, on the images that are given; runs that converge and whose 2/eta the task exceeds.",
        view="smoothed max",
    )


CONJECTURES = tuple(
    _law(statistic, direction, conjecture, view, control, network)
    for network in NETWORKS
    for control in WORDS
    for direction, group in ((-1, FALLING), (1, RISING))
    for statistic, conjecture in group.items()
    for view in VIEWS
)
ON_IMAGES = tuple(
    _on_images(statistic, direction, network)
    for network in IMAGES
    for statistic, direction in {LAMBDA_H: -1, LAMBDA_KM: -1, RATIO_KM: 1}.items()
)
LAWS = (*CONJECTURES, *ON_IMAGES)
