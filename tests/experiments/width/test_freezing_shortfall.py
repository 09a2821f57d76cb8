"""The shortfall of networks that stand still: planted shares, thresholds, and one small measurement."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare, for_rival
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width import freezing_shortfall
from theory.registry import laws

LAW = "width.freezing_shortfall"


def planted(samples: float) -> xr.Dataset:
    """Shares of networks with ``samples`` normal logits a step, none of which is below the threshold."""
    random, k, below = np.random.default_rng(0), np.array([1, 2]), 0.06
    still = np.exp(-samples * k * np.sqrt(2 / np.pi) * below) * (1 + 0.002 * random.standard_normal((1, 24, 2)))
    dims = ("width", "seed", "k")
    return xr.Dataset(
        {"still": (dims, still), "threshold": (dims, np.full_like(still, below))}, coords={"width": [16384], "k": k}
    )


@pytest.mark.parametrize(("samples", "verdict"), [(2.0, Verdict.AGREES), (1.0, Verdict.DISAGREES)])
def test_planted_shares(samples, verdict):
    _, check = check_of(LAW)
    law, found = laws()[LAW], freezing_shortfall.lost(planted(samples))
    assert compare(law.claim, found, check.margin).verdict is verdict
    (rival,) = law.rivals
    weighed = compare(rival.claim, for_rival(found, rival.name), check.margin, against=law.claim).verdict
    assert weighed is (Verdict.DISAGREES if samples == 2.0 else Verdict.AGREES)


@pytest.mark.slow
def test_small_logits_move_networks_whose_samples_are_right():
    found = freezing_shortfall.measure(
        replicates=Replicates("test", {"width": 1024}, (0,)), data=None, width=1024, model=np.array(["R13"]),
        k=np.array([1, 2]), samples=np.array(freezing_shortfall.SAMPLES), networks=600,
    )  # fmt: skip
    still, below = found["still"][0, 0], found["threshold"][0, 0]
    assert np.all(np.diff(still, axis=-1) < 0) and np.all(still[0] < still[1])
    expected = 2 * np.array([1, 2]) * np.sqrt(2 / np.pi) * below[0]
    error = np.sqrt((1 - still[0]) / still[0] / 600)
    assert np.all(np.abs(-np.log(still[0]) - expected) < 4 * error + 0.1 * expected)
