"""Mean-field's divergence in the plotted width, and when NTK's passes it: planted curves, and a few real steps."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare, for_rival
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width.overtaking import MODELS, STUDY, measure, overtaken
from theory.registry import laws

RHO = np.array([4.0, 10.0, 25.0, 64.0])
STEPS = np.arange(80)
SHARE = 0.25


def planted(size: float = 0.5) -> xr.Dataset:
    """Mean-field's divergences that rise by ``size`` times ln rho, NTK's that grow in training at every width."""
    random = np.random.default_rng(0)
    mean_field = 0.3 + size * (np.log(RHO / RHO[0]) - SHARE * (1 - RHO[0] / RHO))
    both = np.stack(
        [np.broadcast_to(mean_field[:, None], (4, 80)), np.broadcast_to(0.1 + 0.002 * STEPS**2.0, (4, 80))], axis=1
    )
    noise = random.normal(1.0, 0.01, (16, 4, 2, 1))
    return xr.Dataset(
        {
            "divergence": (("seed", "rho", "model", "step"), both * noise),
            "variance": (("seed", "rho", "model", "step"), np.full((16, 4, 2, 80), SHARE)),
        },
        coords={"rho": RHO, "model": list(MODELS), "step": STEPS},
    )


def verdict(name: str, data: xr.Dataset, select=None) -> Verdict:
    _, check = check_of(name)
    observed = check.observe(data.sel(dict(check.select if select is None else select)))
    return compare(laws()[name].claim, observed, check.margin, minimum_effect=check.minimum_effect).verdict


@pytest.mark.parametrize("name", [check.law for check in STUDY.checks])
def test_planted_curves_agree_and_what_is_wrong_does_not(name):
    _, check = check_of(name)
    law = laws()[name]
    assert verdict(name, planted()) is Verdict.AGREES
    observed = check.observe(planted().sel(dict(check.select)))
    for rival in law.rivals:
        found = compare(
            rival.claim, for_rival(observed, rival.name), check.margin, minimum_effect=check.minimum_effect,
            against=law.claim,
        )  # fmt: skip
        assert found.verdict is Verdict.DISAGREES, rival.name
    for system in check.counter_systems:
        assert verdict(name, planted(), system.select) is Verdict.DISAGREES, system.name
    assert verdict(name, planted(0.0)) is Verdict.DISAGREES, "a divergence that stays"


def test_a_curve_that_is_never_passed_has_no_step_of_overtaking():
    gap = np.array([[2.0, 1.0, 0.5], [-1.0, -2.0, -3.0], [1.0, np.nan, -1.0]])
    assert np.isnan(overtaken(gap)).all()
    assert overtaken(np.array([1.0, -3.0])) == 0.25


@pytest.mark.slow
def test_a_few_steps_of_real_networks():
    found = measure(
        replicates=Replicates("planted", {}, (0,)), data=None, rho=np.array([2.0, 16.0]), model=np.array(MODELS),
        step=np.arange(3), networks=12,
    )  # fmt: skip
    curves, shares = found["divergence"][0], found["variance"][0]
    assert curves.shape == shares.shape == (2, 2, 3)
    assert (np.diff(curves[:, 0], axis=0) > 0.4).all(), "mean-field's rises with the width"
    assert (shares[1, 0] < 0.5).all() and (shares[:, 1] > 0.3).all()
