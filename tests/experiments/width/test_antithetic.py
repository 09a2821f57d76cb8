"""Pairs of opposite output weights: one network's change is that of small steps, and biased pairs keep theirs."""

import numpy as np
import xarray as xr

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Grid, Replicates
from experiments.width.antithetic import STUDY, measure
from theory.registry import laws

GRID: Grid = STUDY.grids["quick"]


def found(seeds: int = 2):
    replicates = Replicates(STUDY.name, {}, tuple(range(seeds)))
    names = {name: np.array(values) for name, values in GRID.inner.items()}
    return measure(replicates=replicates, data=None, **names, width=32)


def test_a_symmetric_pair_cancels_at_first_order_and_a_biased_one_does_not():
    values = found()
    assert values["pair"].shape == values["single"].shape == (2, 2, 3)
    symmetric, biased = values["pair"][:, 0], values["pair"][:, 1]
    np.testing.assert_allclose(symmetric[:, 1] / symmetric[:, 2], 10.0, rtol=0.1)
    np.testing.assert_allclose(biased[:, 1] / biased[:, 2], 1.0, rtol=0.1)
    assert (values["single"][:, 0, 2] > 10 * symmetric[:, 2]).all(), "each network's own change stays"
    assert not np.allclose(values["pair"][0], values["pair"][1], rtol=1e-3)


def test_the_margin_tells_a_falling_pair_from_one_that_stays():
    sizes = np.array(GRID.inner["size"])
    noise = np.random.default_rng(0).normal(1.0, 0.05, (24, 2, 3))
    pair = noise * np.stack([sizes, np.full(3, 0.8)])
    data = xr.Dataset(
        {"pair": (("seed", "start", "size"), pair), "single": (("seed", "start", "size"), noise)},
        coords={"start": list(GRID.inner["start"]), "size": sizes},
    )
    _, check = check_of("width.antithetic")
    law = laws()[check.law]
    observed = check.observe(data.sel(check.select))
    assert compare(law.claim, observed, check.margin).verdict is Verdict.AGREES
    wrong = compare(law.rivals[0].claim, observed, check.margin, against=law.claim)
    assert wrong.verdict is Verdict.DISAGREES
    stays = check.observe(data.sel(check.counter_systems[0].select))
    assert compare(law.claim, stays, check.margin).verdict is Verdict.DISAGREES
