"""Networks that stand still while their samples are right: planted changes, and those of another kind."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare, for_rival
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.width.freezing import SAMPLES
from theory.registry import laws

NAME = "width.limit_path_frozen"


def planted(falls: float) -> xr.Dataset:
    """What steps make of the logits at two widths: it falls if samples are right, and is all if one is not."""
    random = np.random.default_rng(0)
    right = random.uniform(0.2, 0.4, (24, 2, 2)) * np.array([1.0, falls])[:, None]
    wrong = 1 - random.uniform(0.1, 0.2, (24, 2, 2)) * np.array([1.0, 1e-8])[:, None]
    return xr.Dataset(
        {"moved": (("seed", "power", "k", "samples"), np.stack([right, wrong], axis=-1))},
        coords={"power": [2.0, 16.0], "k": [1, 2], "samples": list(SAMPLES)},
    )


@pytest.mark.parametrize(
    ("falls", "verdict"), [(0.0, Verdict.AGREES), (1e-4, Verdict.AGREES), (1.0, Verdict.DISAGREES)]
)
def test_changes_that_fall_agree_and_those_that_stay_do_not(falls, verdict):
    law, (_, check) = laws()[NAME], check_of(NAME)
    observed = check.observe(planted(falls).sel(dict(check.select)))
    assert compare(law.claim, observed, check.margin).verdict is verdict
    if verdict is Verdict.AGREES:
        (rival,) = law.rivals
        weighed = compare(rival.claim, for_rival(observed, rival.name), check.margin, against=law.claim)
        assert weighed.verdict is Verdict.DISAGREES


def test_a_wrong_sample_disagrees():
    law, (_, check) = laws()[NAME], check_of(NAME)
    (system,) = check.counter_systems
    other = check.observe(planted(0.0).sel(dict(system.select)))
    assert compare(law.claim, other, check.margin).verdict is Verdict.DISAGREES
