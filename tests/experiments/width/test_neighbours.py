"""Rises of divergences by neighbours: planted ones agree, and rivals and stays do not; one small measurement."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare, for_rival
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width import neighbours
from theory.registry import laws

LAW = "width.mean_field_neighbours"
RHO, SHARE = np.array([4.0, 16.0, 64.0]), 0.25


def planted(factor: float) -> xr.Dataset:
    """Divergences that rise by ``factor`` times what the law says."""
    ratio = RHO / RHO[0]
    rise = factor * (np.log(ratio) - SHARE * (1 - 1 / ratio)) / 2
    random = np.random.default_rng(0)
    values = 1.0 + rise[None, :, None, None] + 0.05 * random.standard_normal((24, 3, 1, 3))
    dims = ("seed", "rho", "model", "step")
    return xr.Dataset(
        {"divergence": (dims, values), "variance": (dims, np.full_like(values, SHARE))},
        coords={"rho": RHO, "step": [0, 20, 39], "model": ["MF"]},
    )


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, Verdict.AGREES), (0.0, Verdict.DISAGREES)])
def test_planted_rises(factor, verdict):
    _, check = check_of(LAW)
    law, found = laws()[LAW], neighbours.rises(planted(factor))
    assert compare(law.claim, found, check.margin).verdict is verdict
    for rival in law.rivals:
        weighed = compare(rival.claim, for_rival(found, rival.name), check.margin, against=law.claim)
        assert weighed.verdict is Verdict.DISAGREES


@pytest.mark.slow
def test_a_wider_mean_field_network_is_farther():
    found = neighbours.measure(
        replicates=Replicates("test", {}, (0,)), data=None, rho=np.array([4.0, 16.0]), model=np.array(["MF"]),
        step=np.array([0]), networks=24, steps=1,
    )  # fmt: skip
    near, far = found["divergence"][0, :, 0, 0]
    assert far - near > 0.3
    assert found["variance"][0, 1, 0, 0] < found["variance"][0, 0, 0, 0]
