"""The verdict of every comparison is that of the interval which is printed."""

import math

import numpy as np
import pytest
from comparing import AGREES, DISAGREES, UNDECIDED, margin
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.comparison import Comparison
from experiments.comparisons.parts import sampled


@settings(max_examples=30)
@given(st.floats(-3, 3), st.floats(0.001, 0.2), st.integers(10, 40))
def test_verdict_is_that_of_the_printed_interval(deviation: float, scatter: float, seeds: int) -> None:
    draws = 1 + deviation * 0.1 + scatter * np.random.default_rng(seeds).standard_normal((seeds, 1))
    part = sampled([""], draws, 1.0, 0.1, 0.99)[0]
    inside, outside = part.low >= 0.9 and part.high <= 1.1, part.low > 1.1 or part.high < 0.9
    assert part.verdict is (AGREES if inside else DISAGREES if outside else UNDECIDED)
    assert part.contains == (part.low <= 1 <= part.high)
    assert part.standard_error == pytest.approx(draws.std(ddof=1) / math.sqrt(seeds))


def test_one_bad_part_decides() -> None:
    bad, good = sampled(["bad", "good"], np.tile([2.0, 1.0], (10, 1)), 1.0, 0.1, 0.99)
    found = Comparison("l", "s", "Formula", (good, bad), margin(0.1))
    assert found.verdict is DISAGREES and found.worst is bad
    assert Comparison("l", "s", "Formula", (good,), margin(0.1)).verdict is AGREES
