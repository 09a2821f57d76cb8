"""Natural sharpness at a fifth of 1/lambda_nat: laws and figures on planted numbers, and whose starts they are."""

import jax
import numpy as np
import pytest
import xarray as xr

from experiments.breakeven import batch_runs, natural_runs
from experiments.breakeven.natural_figures import FIGURES, outcomes_of
from experiments.breakeven.natural_sharpness import LOWEST, SHARE, STOPPED, STUDY
from experiments.comparison import Verdict
from experiments.figures import drawn
from experiments.registry import studies
from experiments.study import Replicates
from experiments.verdict import judge
from numerics.data import digits
from theory.registry import laws

SEEDS = 10


def network_of(study):
    return next((name for name, one in STOPPED.items() if one is study), "tanh")


def planted(study, times, used=None):
    """Descents whose largest lambda_H is `times` that of 2/eta of the lowest rate, about 10 % apart by seed."""
    rates = np.array(study.grids["full"].inner["rate"])
    edge = 2 / LOWEST[network_of(study)]
    seeds = 1 + 0.1 * np.arange(SEEDS) / SEEDS
    largest = edge * seeds[:, None] * np.array([times] if rates.size == 1 else [times, used or times])
    arrays = {"start": np.ones(SEEDS), "largest": largest, "residual": 1e-3 * largest, "reached": np.ones_like(largest)}
    data = xr.Dataset({name: (study.variables[name].dims, array) for name, array in arrays.items()}, {"rate": rates})
    return data.expand_dims(network=study.grids["full"].axes["network"]).assign_attrs(profile="full")


def trajectories(study, natural):
    """The kept runs that go with it: all at lambda_H = 1 but for the natural sharpness."""
    kept = studies()[study.grids["full"].settings["of"]]
    runs = len(kept.grids["full"].settings["batch_size"])
    shape = (SEEDS, runs, 2)
    arrays = {name: (("seed", "run", "record"), np.ones(shape)) for name in ("lambda_H", "accuracy", "loss")}
    data = xr.Dataset({**arrays, "natural_lambda_H": ("seed", np.full(SEEDS, natural))}, {"run": np.arange(runs)})
    network = kept.grids["full"].axes["network"]
    return kept, data.expand_dims(network=network).assign_attrs(profile="full")


def weighed(study, law, data):
    return judge(laws()[law], study, next(check for check in study.checks if check.law == law), data)


@pytest.mark.parametrize("study", STOPPED.values(), ids=STOPPED)
def test_a_task_above_the_edge_agrees_and_one_below_it_does_not(study):
    law = study.checks[0].law
    above, below = weighed(study, law, planted(study, 1.05)), weighed(study, law, planted(study, 0.8))
    assert above.verdict is Verdict.AGREES
    assert all(control.fires for control in above.controls)
    assert below.verdict is Verdict.DISAGREES


@pytest.mark.parametrize("study", STOPPED.values(), ids=STOPPED)
def test_a_rate_above_a_fifth_tells_nothing(study):
    law, rate = study.checks[0].law, study.grids["full"].inner["rate"][0]
    edge = 2 / LOWEST[network_of(study)]
    assert weighed(study, law, planted(study, 1.2 * SHARE / rate / edge)).verdict is not Verdict.AGREES


def test_the_sharpness_by_either_rate_is_the_same_within_a_margin():
    law = STUDY.checks[0].law
    same, half = weighed(STUDY, law, planted(STUDY, 3.0)), weighed(STUDY, law, planted(STUDY, 3.0, used=6.0))
    assert same.verdict is Verdict.AGREES
    assert all(control.fires for control in same.controls)
    assert half.verdict is Verdict.DISAGREES


@pytest.mark.parametrize("study", STOPPED.values(), ids=STOPPED)
def test_the_stated_check_holds_and_fails(study):
    kept, runs = trajectories(study, natural=1e3)
    holds = lambda times: [  # noqa: E731
        one.holds for one in outcomes_of(study, kept)({study.name: planted(study, times), kept.name: runs})
    ]
    rate = study.grids["full"].inner["rate"][0]
    beyond = 1.2 * SHARE / rate * LOWEST[network_of(study)] / 2
    assert holds(1.05) == [True, True, True]
    assert holds(0.8) == [True, True, False]
    assert holds(beyond) == [True, False, True]
    other = {study.name: planted(study, 1.05), kept.name: runs.assign(lambda_H=2 * runs["lambda_H"])}
    assert [one.holds for one in outcomes_of(study, kept)(other)] == [False, True, True]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_the_figures_draw_and_speak(figure):
    study = studies()[figure.studies[0]]
    kept, runs = trajectories(study, natural=1e3)
    data = {study.name: planted(study, 1.05), kept.name: runs}
    assert drawn(figure, data).axes
    assert figure.found(data).startswith("V12 holds") and figure.found(data).endswith("by run.")


@pytest.mark.slow
def test_descent_begins_where_the_trajectories_begin_and_stops_when_it_has_seen_enough():
    settings = {"points": 32, "block": 1, "lanczos_steps": 8, "network": "MLP-rand", "data": digits()}
    same = Replicates("breakeven.other", {"network": "MLP-rand"}, (2, 3))
    mine = Replicates("breakeven.mine", {"network": "MLP-rand"}, (2, 3))
    rate = np.array([0.01])
    with jax.enable_x64(True):
        theirs = batch_runs.measure(
            replicates=same, run=np.arange(1), rate=(0.01,), batch_size=(8,), normalised=(False,), records=1, flow=0.1,
            natural_rate=0.01, natural_flow=0.5, gram_batches=3, gram_size=4, fresh=1, **settings,
        )  # fmt: skip
        run = lambda of, enough: natural_runs.measure(  # noqa: E731
            replicates=mine, rate=rate, of=of, flow=0.5, records=12, enough=enough, **settings
        )
        whole, stopped, other = run("breakeven.other", None), run("breakeven.other", 0.1), run("breakeven.mine", None)
    assert whole["start"] == pytest.approx(theirs["lambda_H"][:, 0, 0], rel=1e-4)
    assert whole["largest"][:, 0] == pytest.approx(theirs["natural_lambda_H"][:, 0], rel=1e-4)
    assert other["start"] != pytest.approx(whole["start"], rel=1e-2)
    assert whole["reached"] == pytest.approx(0.5)
    assert (stopped["reached"] == 0).all()
    assert (stopped["largest"][:, 0] == stopped["start"]).all()
