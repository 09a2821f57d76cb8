"""Planted truth for each of the nine kinds of claim, through the real comparisons; and lies that must
show.
"""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
import xarray as xr

from experiments import calibration
from experiments.calibration import PLANTS, Plant, calibrate, calibrate_plant
from theory.claims import CLAIMS


@pytest.mark.parametrize("kind", [claim.kind for claim in CLAIMS])
def test_verdicts_keep_their_promises(kind: str) -> None:
    (found,) = calibrate((kind,))
    assert found.kind == kind and len(found.rows) == 4
    assert [sets for _, sets, _, _ in found.rows] == [1000, 1000, 1000, 400]
    assert found.passed, found.rows


def test_all_nine_kinds_are_there() -> None:
    assert list(PLANTS) == [claim.kind for claim in CLAIMS]
    with pytest.raises(ValueError, match="Theory is no kind of claim; choose from Identity, Bound"):
        list(calibrate(("Theory",)))


def spoiled(plant: Plant, spoil: Callable[[xr.Dataset, np.random.Generator], xr.Dataset]) -> Plant:
    return dataclasses.replace(
        plant, draw=lambda source, deviation: spoil(plant.draw(source, deviation), source)
    )


@pytest.mark.parametrize(
    ("row", "spoil"),
    [
        (1, lambda data, source: data + source.normal(0, 0.2, 48)),
        (2, lambda data, source: data + 0.05),
        (3, lambda data, source: data * 0 + 1.5),
    ],
)
def test_a_lie_shows_in_its_row(
    row: int, spoil: Callable[[xr.Dataset, np.random.Generator], xr.Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    """More scatter than planned leaves true laws undecided; a bias kills them at the edge; a constant
    hides plants.
    """
    monkeypatch.setattr(calibration, "DATA_SETS", {0.0: 300, 1.0: 300, 2.5: 100})
    found = calibrate_plant("Formula", spoiled(PLANTS["Formula"](), spoil), np.random.default_rng(1))
    name, _, count, allowed = found.rows[row]
    assert not found.passed and count > allowed, name


def test_it_draws_the_same_sets_again() -> None:
    draws = [PLANTS["Formula"]().draw(np.random.default_rng([0, 2]), 0.0) for _ in range(2)]
    assert draws[0].identical(draws[1])
