"""What ln kappa+ per beta lacks to the spread of the gaps, at temperatures so low that nearly all are frozen (T23).

From beta = 20 to 80, where the growth itself is measured, one gap in ten is still of order 1/beta and the constant that
is left in ln kappa+ has no sign of its own: eighty seeds gave the order -0.86, between -1.07 and -0.65.
"""

from collections.abc import Mapping
from typing import Any

import mpmath
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.conditioning import SPREAD, random_points

DIGITS = 900
"""Shares go down to exp(-beta spread), 1e-695 at the lowest temperature."""
SYSTEMS = ("separated", "one_gap")


def measure(replicates: Replicates, data: None, system: str, beta: np.ndarray, points: int) -> Mapping[str, Any]:
    """Logarithm of the condition number of the block-diagonal softmax Jacobian of all points."""
    found = []
    for random in replicates.generators():
        logits = random_points(random, points, system == "separated")
        found.append([growth(logits, float(b)) for b in beta])
    return {"log_kappa": np.array(found)}


def growth(logits: np.ndarray, beta: float) -> float:
    """Ln of largest over smallest nonzero eigenvalue."""
    with mpmath.workdps(DIGITS):
        values = [value for row in logits for value in _spectrum(row, beta)]
        return float(mpmath.log(max(values) / min(values)))


def _spectrum(row: np.ndarray, beta: float) -> list[Any]:
    weights = [mpmath.exp(mpmath.mpf(beta) * mpmath.mpf(float(z))) for z in row]
    shares = [weight / mpmath.fsum(weights) for weight in weights]
    matrix = mpmath.diag(shares) - mpmath.matrix(shares) * mpmath.matrix(shares).T
    return sorted(mpmath.eigsy(matrix, eigvals_only=True))[1:]


def missing(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of ln kappa+ per beta from the spread of the gaps."""
    return xr.Dataset({"measured": abs(dataset["log_kappa"] / dataset["beta"] - SPREAD)})


def _grid(betas: tuple[float, ...], seeds: int) -> Grid:
    return Grid(axes={"system": SYSTEMS}, inner={"beta": betas}, settings={"points": 5}, seeds=seeds)


STUDY = Study(
    name="temperature.growth_order",
    title="Condition numbers of several points at very low temperatures",
    measure=measure,
    variables={"log_kappa": Variable(("seed", "beta"), "1", "ln of the condition number of several points")},
    grids={
        "quick": _grid((100.0, 200.0), 10),
        "full": _grid((200.0, 400.0, 800.0), 60),
        "paper": _grid((200.0, 400.0, 800.0), 200),
    },
    checks=(
        Check(
            law="temperature.conditioning_growth_order",
            observe=missing,
            margin=Margin(0.3, "physics", "rivals are 1 away; few gaps are of order 1/beta"),
            select={"system": "separated"},
            counter_systems=(
                CounterSystem("one gap", {"system": "one_gap"}, "its condition number does not grow at all"),
            ),
            profiles=("full", "paper"),
        ),
    ),
)
