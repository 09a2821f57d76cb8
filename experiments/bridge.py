"""From symbols to numbers: a claim's expressions evaluated at labelled coordinates, by name."""

from collections.abc import Mapping
from typing import Any

import xarray as xr
from sympy import Basic
from sympy.logic.boolalg import Boolean


def predict(expression: Basic, inputs: xr.Dataset | xr.DataArray | Mapping[str, Any]) -> xr.DataArray:
    """Evaluate an expression in float64 where its symbols take the values of the inputs' names."""
    raise NotImplementedError


def holds(relation: Boolean, inputs: Mapping[str, Any]) -> bool:
    """Whether a condition holds at one point, decided in exact rationals."""
    raise NotImplementedError
