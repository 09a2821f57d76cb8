"""Momentum's edge at the stated numbers: planted sharpness at it, below it, and controls that reach theirs."""

import numpy as np
import xarray as xr

from experiments.breakeven.stated_edges import BINDING, FIGURES, STUDY, outcomes
from experiments.comparison import Verdict
from experiments.figures import drawn
from experiments.verdict import judge
from theory.registry import laws

(CHECK,) = STUDY.checks
(FIGURE,) = FIGURES


def planted(share=1.0, blunt=17.0, seeds=10):
    """Late sharpness at a share of the edge where the rate binds, else at what the task reaches."""
    axes, rates = STUDY.grids["full"].axes, np.array(STUDY.grids["full"].inner["learning_rate"])
    momenta = np.array(axes["momentum"])
    edge = (2 + 2 * momenta[:, None]) / rates
    level = np.where(rates == BINDING, share * edge, blunt)
    noise = 1 + 0.003 * np.random.default_rng(0).standard_normal((seeds, 1))
    shape = (1, momenta.size, seeds, rates.size, 8)
    sharpness = np.broadcast_to((level[:, None, :] * noise)[None, ..., None], shape).copy()
    sharpness[..., 2] *= 1.05
    dims = ("task", "momentum", "seed", "learning_rate", "record")
    arrays = {"sharpness": sharpness, "residual": np.full(shape, 1e-6), "loss": np.ones(shape)}
    coords = {"task": list(axes["task"]), "momentum": momenta, "learning_rate": rates}
    return xr.Dataset({name: (dims, value) for name, value in arrays.items()}, coords, {"profile": "full"})


def result(data):
    return judge(laws()[CHECK.law], STUDY, CHECK, data)


def test_rest_at_the_edge_agrees_and_elsewhere_does_not():
    there = result(planted())
    assert there.verdict is Verdict.AGREES and all(control.fires for control in there.controls)
    assert {part.n for part in there.comparison.parts} == {10}
    for share in (0.7, 1.4):
        assert result(planted(share)).verdict is Verdict.DISAGREES


def test_the_stated_check_fails_where_the_edge_is_missed_or_a_control_reaches_its_own():
    assert all(one.holds for one in outcomes({STUDY.name: planted()}))
    assert [one.holds for one in outcomes({STUDY.name: planted(0.85)})] == [False] * 4 + [True] * 4
    sharp = outcomes({STUDY.name: planted(blunt=61.0)})
    assert [one.holds for one in sharp] == [True] * 4 + [False, False, True, True]


def test_its_figure_draws_and_speaks():
    data = {STUDY.name: planted()}
    assert drawn(FIGURE, data).axes
    assert FIGURE.found(data).startswith("V9 holds for late sharpness over its edge in 0.88 to 1.15 at beta 0.5, eta")
