"""Real networks that do not move: planted shares, and networks that cannot stay."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width.freezing_networks import SAMPLES, STUDY, measure
from theory.registry import laws

WIDTHS = np.array([64, 1024, 16384])
MODELS = ("R08", "R13", "R12")


def planted(end: float = 1.0) -> xr.Dataset:
    """Shares that come to ``end`` times 4^(-k), and moves that come to all or nothing; none stays at sym-default."""
    random = np.random.default_rng(0)
    k = np.array([1.0, 2.0])
    short = 1 - 3.0 / WIDTHS[:, None, None, None] ** 0.5
    frozen = end * short * 4.0**-k * random.normal(1.0, 0.01, (3, 24, 3, 2))
    frozen[:, :, MODELS.index("R12")] = 0.0
    rest = WIDTHS[:, None, None] ** -0.25 * random.normal(1.0, 0.02, (3, 24, 3))
    coords = {"width": WIDTHS, "model": list(MODELS), "k": [1, 2], "samples": list(SAMPLES)}
    moved = np.stack([rest, 1 - rest], axis=-1)
    return xr.Dataset(
        {
            "frozen": (("width", "seed", "model", "k"), frozen),
            "moved": (("width", "seed", "model", "samples"), moved),
        },
        coords=coords,
    )


@pytest.mark.parametrize("name", [check.law for check in STUDY.checks])
def test_planted_shares_agree_and_what_is_wrong_does_not(name):
    _, check = check_of(name)
    law = laws()[name]
    observed = check.observe(planted().sel(check.select))
    assert compare(law.claim, observed, check.margin).verdict is Verdict.AGREES
    for rival in law.rivals:
        found = compare(rival.claim, observed, check.margin, against=law.claim)
        assert found.verdict is Verdict.DISAGREES, rival.name
    for system in check.counter_systems:
        other = check.observe(planted().sel(system.select))
        assert compare(law.claim, other, check.margin).verdict is Verdict.DISAGREES, system.name


def test_another_share_disagrees():
    _, check = check_of("width.freezing_networks")
    observed = check.observe(planted(2.0).sel(check.select))
    assert compare(laws()[check.law].claim, observed, check.margin).verdict is Verdict.DISAGREES


def test_a_wrong_sample_moves_more_than_right_ones_and_bounded_logits_do_not_freeze():
    found = measure(
        replicates=Replicates(STUDY.name, {"width": 256}, (0, 1)), data=None, width=256,
        model=np.array(MODELS), k=np.array([1, 2]), samples=np.array(SAMPLES), networks=60,
    )  # fmt: skip
    assert found["frozen"].shape == (2, 3, 2) and found["moved"].shape == (2, 3, 2)
    right, wrong = found["moved"][:, :2, 0], found["moved"][:, :2, 1]
    assert (wrong > right + 0.3).all()
    assert (found["frozen"][:, 2] == 0).all() and (found["frozen"][:, :2, 0] > 0).all()
    assert (found["frozen"][:, :2, 1] < found["frozen"][:, :2, 0]).all(), "later steps move what stayed"
    assert not np.allclose(found["moved"][0], found["moved"][1], rtol=1e-3)
