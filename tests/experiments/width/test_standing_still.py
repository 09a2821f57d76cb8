"""Networks whose limit stands still: planted distances, and what a wrong sample makes of the same network."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width.standing_still import LARGEST, PLACES, SAMPLES, measure
from theory.registry import laws

LAW, (_, CHECK) = laws()["width.limit_standstill"], check_of("width.limit_standstill")
WIDTHS = np.array([16, 64, 256, 1024])


def planted(of_the_width: bool = False) -> xr.Dataset:
    """Distances that fall exponentially, or like d^(-1/2) everywhere; those with a wrong sample always do that."""
    random = np.random.default_rng(0)
    powers = np.array([q_sigma + 0.5 for q_sigma, _ in PLACES.values()])
    d = WIDTHS[:, None, None].astype(float)
    exponential = np.exp(-LARGEST * (d / WIDTHS[-1]) ** powers) / (1 + np.exp(-LARGEST * (d / WIDTHS[-1]) ** powers))
    slow = np.broadcast_to(d**-0.5, exponential.shape)
    both = np.stack([slow if of_the_width else exponential, slow], axis=-1)
    distance = both * np.exp(random.normal(0.0, 0.05, (WIDTHS.size, 24, powers.size, 2)))
    return xr.Dataset(
        {"distance": (("width", "seed", "place", "samples"), distance)},
        coords={"width": WIDTHS, "place": list(PLACES), "samples": list(SAMPLES)},
    )


def verdict(data: xr.Dataset, claim) -> Verdict:
    return compare(claim, CHECK.observe(data), CHECK.margin, against=LAW.claim).verdict


def test_an_exponential_agrees_and_what_is_wrong_does_not():
    own = planted().sel(dict(CHECK.select))
    assert verdict(own, LAW.claim) is Verdict.AGREES
    for rival in LAW.rivals:
        assert verdict(own, rival.claim) is Verdict.DISAGREES, rival.name
    for system in CHECK.counter_systems:
        assert verdict(planted().sel(dict(system.select)), LAW.claim) is Verdict.DISAGREES, system.name


def test_a_power_of_the_width_disagrees():
    assert verdict(planted(of_the_width=True).sel(dict(CHECK.select)), LAW.claim) is Verdict.DISAGREES


@pytest.mark.parametrize("widths", [(16, 64, 200)])
def test_widths_must_stand_in_one_ratio(widths):
    data = planted().isel(width=slice(3)).assign_coords(width=list(widths))
    with pytest.raises(ValueError, match="ratio"):
        CHECK.observe(data.sel(dict(CHECK.select)))


@pytest.mark.slow
def test_a_right_sample_moves_next_to_nothing_and_a_wrong_one_does():
    found = measure(
        replicates=Replicates("planted", {"width": 64}, (0, 1)), data=None, width=64, place=np.array(list(PLACES)),
        samples=np.array(SAMPLES), networks=8, wide=64,
    )["distance"]  # fmt: skip
    assert found.shape == (2, 2, 2)
    at_logit = np.exp(-LARGEST)  # derivative of the logistic loss at the declared logit, to leading order
    assert (found[..., 0] < at_logit).all() and (found[..., 0] > 0.1 * at_logit).all()
    assert (found[..., 1] > 1e-3).all()
