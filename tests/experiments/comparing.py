"""What the tests of comparisons share: a margin, the verdict on an observation, and noise drawn once."""

from typing import Any

import numpy as np
import xarray as xr
from sympy import Eq, Function, Symbol

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.study import Margin

AGREES, DISAGREES, UNDECIDED = Verdict.AGREES, Verdict.DISAGREES, Verdict.UNDECIDED
beta, width, q, x, y = (Symbol(name) for name in ("beta", "width", "q", "x", "y"))
quantity = Function("quantity")(beta)
seen: Any = Eq(Symbol("seen"), 1)
NOISE = np.random.default_rng(7).standard_normal((12, 4))


def margin(value: float, relative: bool = False) -> Margin:
    """A margin that is planted."""
    return Margin(value, "physics", "planted", relative)


def verdict(claim: object, data: xr.Dataset, size: float = 0.1, **options: object) -> Verdict:
    """Verdict on a claim with a margin of that size."""
    return compare(claim, data, margin(size), **options).verdict  # pyright: ignore[reportArgumentType]
