"""Real networks against limits with a hinge: planted distances, and every limit is met by one of the studies."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width.limit_networks import HINGED, HINGES, LIKE, measure, measure_hinged
from experiments.width.limits import MODELS
from experiments.width.limits import STUDY as NUMERIC
from theory.registry import laws
from theory.width.limit_models import RATE

WIDTHS = np.array([64.0, 512.0, 4096.0, 32768.0])
NAMES = (*HINGED, "default")


def planted(factor: float = 1.0) -> xr.Dataset:
    """Distances that fall at ``factor`` times the conjectured rate."""
    names = {str(symbol): symbol for symbol in RATE.free_symbols}
    places = [{names["q_sigma"]: p[0], names["q"]: p[1]} for p in HINGED.values()]
    rates = np.array([float(RATE.xreplace(place)) for place in places] + [-0.5])
    noise = np.random.default_rng(0).normal(0.0, 0.2, (WIDTHS.size, 48, rates.size))
    gap = WIDTHS[:, None, None] ** (factor * rates) * np.exp(noise)
    return xr.Dataset({"gap": (("width", "seed", "model"), gap)}, coords={"width": WIDTHS, "model": list(NAMES)})


@pytest.mark.parametrize("name", [check.law for check in HINGES.checks])
def test_planted_distances_agree_and_rivals_do_not(name):
    _, check = check_of(name)
    law = laws()[name]
    observed = check.observe(planted())
    assert compare(law.claim, observed, check.margin, minimum_effect=check.minimum_effect).verdict is Verdict.AGREES
    for rival in law.rivals:
        found = compare(rival.claim, observed, check.margin, minimum_effect=check.minimum_effect, against=law.claim)
        assert found.verdict is Verdict.DISAGREES, rival.name
    still = check.observe(planted(0.0))
    found = compare(law.claim, still, check.margin, minimum_effect=check.minimum_effect)
    assert found.verdict is Verdict.DISAGREES, "a distance that stays"


def test_every_limit_meets_numeric_and_real_networks():
    assert set(NUMERIC.grids["quick"].inner["model"]) == set(MODELS)
    assert set(LIKE) | set(NAMES) == set(MODELS) and not set(LIKE) & set(NAMES)


def test_both_distances_are_of_the_same_networks():
    given = {"replicates": Replicates("planted", {"width": 16}, (0, 1)), "data": None, "width": 16, "networks": 1,
             "nodes": 4, "model": np.array(["R02", "R10"])}  # fmt: skip
    relative, gap = measure(**given)["distance"], measure_hinged(**given)["gap"]
    size = gap / relative
    assert relative.shape == (2, 2) and (size > 0).all()
    assert not np.allclose(size, 1.0, rtol=1e-2)
