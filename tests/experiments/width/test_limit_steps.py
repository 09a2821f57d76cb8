"""What a step does on the way to a limit: planted distances and excesses, and those that are wrong."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare, for_rival
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.width.limit_paths import CHECKS as PATHS
from experiments.width.limit_steps import CHECKS
from experiments.width.limits import MODELS
from experiments.width.small_steps import STARTS
from experiments.width.small_steps import STUDY as SMALL
from theory.registry import laws

NAMES = [check.law for _, check in (*CHECKS, *PATHS)] + [check.law for check in SMALL.checks]


def planted(fall: float = 1e-3, order: float = 1.0) -> xr.Dataset:
    """Distances that fall by ``fall``, far from other limits; an excess over the kernels of t^order."""
    random = np.random.default_rng(0)
    models, power, sizes = list(MODELS), np.array([2.0, 16.0]), np.array([0.1, 0.01, 0.001])
    own = random.uniform(0.1, 0.2, (12, 2, len(models))) * np.array([1.0, fall])[:, None]
    beyond = random.uniform(0.5, 1.0, (12, 1, 1))
    return xr.Dataset(
        {
            "distance": (("seed", "power", "model"), own),
            "mean_field": (("seed", "power", "model"), own + 0.5),
            "logistic": (("seed", "model"), random.uniform(0.3, 0.6, (12, len(models)))),
            "excess": (("seed", "start", "step_power"), np.stack([sizes**order, sizes**0.0]) * beyond),
            "K_a": (("seed",), random.uniform(1.0, 2.0, 12)),
        },
        coords={"model": models, "power": power, "step_power": [1.0, 2.0, 3.0], "start": list(STARTS)},
    )


def observed(name: str, data: xr.Dataset) -> xr.Dataset:
    _, check = check_of(name)
    return check.observe(data.sel(dict(check.select)))


@pytest.mark.parametrize("name", NAMES)
def test_planted_numbers_agree_and_rivals_do_not(name):
    _, check = check_of(name)
    law, found = laws()[name], observed(name, planted())
    assert compare(law.claim, found, check.margin).verdict is Verdict.AGREES
    for rival in law.rivals:
        weighed = compare(rival.claim, for_rival(found, rival.name), check.margin, against=law.claim)
        assert weighed.verdict is Verdict.DISAGREES, rival.name
    for system in check.counter_systems:
        other = check.observe(planted().sel(dict(system.select)))
        assert compare(law.claim, other, check.margin).verdict is Verdict.DISAGREES, system.name


@pytest.mark.parametrize("name", NAMES)
def test_a_distance_that_stays_disagrees(name):
    _, check = check_of(name)
    still = observed(name, planted(fall=1.0, order=0.0))
    assert compare(laws()[name].claim, still, check.margin).verdict is Verdict.DISAGREES
