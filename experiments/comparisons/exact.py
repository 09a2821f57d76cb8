"""Identity and Bound: exact claims, weighed point by point against a rounding bound."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from sympy import Expr

from experiments.bridge import predict
from experiments.comparison import Part, Verdict
from experiments.comparisons.parts import Side, doubted, undecided, weighed
from experiments.comparisons.reading import labels_of, need
from experiments.study import Margin
from theory.claims import Bound, Identity


def identity(claim: Identity, observation: xr.Dataset, margin: Margin, against: Identity) -> list[Part]:
    """Largest |left - right| in rounding bounds: predicted 0, allowed up to the margin (1 bound, say).

    ``against`` is the law's own claim: a rival's side that differs from it is evaluated from the rival's
    expression.
    """
    left = _side(observation, "left", claim.left, against.left, "Identity")
    right = _side(observation, "right", claim.right, against.right, "Identity")
    note = _looseness(observation, left, right)
    size = None if 0 in (claim.left, claim.right) else _larger(left, right)
    return [_largest(abs(left - right), observation, margin, "Identity", "both", note, size)]


def bound(claim: Bound, observation: xr.Dataset, margin: Margin, against: Bound) -> list[Part]:
    """Largest excess of the smaller over the larger side, in rounding allowances; negative where there is
    slack.
    """
    smaller = _side(observation, "smaller", claim.smaller, against.smaller, "Bound")
    larger = _side(observation, "larger", claim.larger, against.larger, "Bound")
    slack = larger - smaller
    note = f"slack from {float(slack.min()):.3g} to {float(slack.max()):.3g}; "
    note += _looseness(observation, smaller, larger)
    size = None if 0 in (claim.smaller, claim.larger) else _larger(smaller, larger)
    return [_largest(-slack, observation, margin, "Bound", "below", note, size)]


def _larger(one: xr.DataArray, other: xr.DataArray) -> xr.DataArray:
    """The size of the larger of two sides."""
    return abs(one).where(abs(one) >= abs(other), abs(other))


def _looseness(observation: xr.Dataset, one: xr.DataArray, other: xr.DataArray) -> str:
    """The largest bound in units of the largest of what it allows to differ: a loose bound is seen."""
    if "bound" not in observation.variables:
        return ""
    largest = max(float(abs(one).max()), float(abs(other).max()))
    bound = float(observation["bound"].max())
    return f"largest bound / largest side {bound / largest:.2g}" if largest > 0 else "both sides are 0 throughout"


def _side(observation: xr.Dataset, name: str, own: Expr, laws: Expr, kind: str) -> xr.DataArray:
    """The measured side where the claim says there what the law says, or where it was measured for this rival;
    otherwise the claim's expression.
    """
    if name in observation.variables and (own == laws or "rival" in observation[name].attrs):
        return observation[name].astype(np.float64)
    try:
        return predict(own, observation)
    except ValueError as error:
        if own == laws:
            need(observation, name, kind)
        raise ValueError(
            f"compare: the {name} side {own} differs from the law's and cannot be evaluated ({error}); "
            f"give its inputs, or a variable {name}[NAME OF THE RIVAL]"
        ) from error


def _largest(
    gap: xr.DataArray,
    observation: xr.Dataset,
    margin: Margin,
    kind: str,
    side: Side,
    note: str = "",
    size: xr.DataArray | None = None,
) -> Part:
    """The worst point; undecided where no point tells anything, as the sides themselves are within what is allowed
    (``size`` is the larger of the two; None where one of them is 0 by the claim, which has no size) or infinite.
    """
    allowance = need(observation, "bound", kind).astype(np.float64)
    if bool((allowance < 0).any()):
        raise ValueError(f"compare: bound {float(allowance.min()):.3g} is negative; a rounding bound is at least 0")
    gap, allowance = xr.broadcast(gap, allowance)
    values, allowed = gap.values.reshape(-1), allowance.transpose(*gap.dims).values.reshape(-1)
    units = _in_bounds(values, allowed)
    finite = ~np.isnan(units)
    if not finite.any():
        return undecided("", f"none of {units.size} points gave a number", margin.value, 0.0, units.size)
    where = int(np.nanargmax(units))
    place = labels_of(gap, [str(dim) for dim in gap.dims])[where] if gap.ndim else ""
    label = f"worst of {units.size} points: {place}" if place else ""
    worst = float(units[where])
    missing = int(np.count_nonzero(~finite))
    if missing and worst <= margin.value:
        note = f"{missing} of {units.size} points gave no number"
        return undecided(label, note, margin.value, 0.0, units.size)
    part = weighed(label, 0.0, worst, worst, worst, margin.value, units.size, side=side, note=note)
    telling = np.isfinite(values)
    if size is not None:
        sizes = size.broadcast_like(gap).transpose(*gap.dims).values.reshape(-1)
        telling &= (sizes > margin.value * allowed) | (allowed == 0)
    seen = int(np.count_nonzero(telling))
    if part.verdict is Verdict.AGREES and 0 < 2 * seen <= units.size:
        told = f"{seen} of {units.size} points tell: elsewhere what is allowed is no less than what is compared"
        return doubted(part, lambda: told)
    if part.verdict is Verdict.AGREES and not seen:
        note = f"none of {units.size} points tells anything: what is allowed is no less than what is compared"
        return undecided(label, note, margin.value, 0.0, units.size)
    return part


def _in_bounds(values: NDArray[np.float64], allowed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gap over allowance, with 0/0 = 0; an allowance that is not finite gives no number, unless the gap is
    infinite.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        units = np.where(values == 0, 0.0, values / allowed)
    return np.where(np.isfinite(allowed), units, np.where(values == np.inf, np.inf, np.nan))
