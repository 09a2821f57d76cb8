"""The stated check of the edge of stability on planted sharpness."""

import numpy as np
import pytest
import xarray as xr

from experiments.breakeven.edge_checks import BINDING, EASY, FIGURES, PLAIN, outcomes_of
from experiments.breakeven.edge_of_stability import STUDY
from experiments.figures import drawn

RATES = np.array([0.1, 0.2])


def planted(late):
    """Three seeds that rise to 1.1 times the threshold and rest at `late` times it; the control rests at half."""
    rest = {BINDING: late, EASY: 0.5}
    curves = [[np.concatenate([np.linspace(0.3, 1.1, 5) * rest[task], np.full(5, rest[task])])] * 3 for task in rest]
    sharpness = np.array(curves)[:, :, None] * (2 / RATES)[:, None]
    dims = ("task", "seed", "learning_rate", "record")
    arrays = {"sharpness": (dims, sharpness), "residual": (dims, 0.01 * sharpness), "loss": (dims, sharpness)}
    return xr.Dataset(arrays, coords={"task": list(rest), "learning_rate": RATES})


@pytest.mark.parametrize(("late", "expected"), [(1.0, [True, True, True]), (0.8, [False, False, True])])
def test_what_rests_at_the_edge_passes_and_what_rests_below_it_fails(late, expected):
    found = outcomes_of(STUDY, 0.0, PLAIN)({STUDY.name: planted(late)})
    assert [one.holds for one in found] == 2 * expected


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_the_figures_draw_and_speak(figure):
    data = {name: planted(1.0) for name in figure.studies}
    assert drawn(figure, data).axes and figure.found(data).endswith(".")
