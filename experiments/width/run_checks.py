"""Which laws the runs weigh (``width.runs``), and how their numbers are read."""

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from experiments.study import Check, Margin
from experiments.width.checks import exponent
from experiments.width.run_points import PLACES

Observe = Callable[[xr.Dataset], xr.Dataset]

SETTLED, BEHIND = 0.25, -0.125
"""Largest difference of two exponents at which two quantities count as of one order, and the smallest one of a change
and what it changes: half of what it is at the place nearest below the edge."""

SIGNS = tuple(name for name, place in PLACES.items() if place.signs)
CUT = ("both smaller", "both small", "quarter", "input small", "output half", "default")
"""Places without growth at which learning is looked at, by the larger of both steps: -7/4, -3/4, -1/4 led by both
layers and by either, 1/2."""

SHARES = ("quarter", "input small", "output small", "output half", "output leads, settled", "default")
"""Places without growth at which the two layers' shares are compared."""

GROWTH = ("quarter", "output leads, settled", "default", "output leads little", "output leads", "above")
"""Places by the sum of both steps' orders: -1/2, -1/4, 0, 1/4, 1/2, 1; that of 1/4 is not in every profile."""


def placed(data: xr.Dataset) -> xr.Dataset:
    """Exponents along the places and widths under the laws' names."""
    places = [PLACES[str(name)] for name in data["place"].values]
    fields = ("q_sigma", "q_a", "q_w", "alpha", "omega")
    along = {name: ("place", [getattr(place, name) for place in places]) for name in fields}
    equal = {"q": ("place", [place.q_a for place in places])}
    made = data.assign_coords({**along, **equal, "q_sign": ("place", [place.q_a for place in places])})
    return made.assign_coords(d=("width", data["width"].values)) if "width" in data.dims else made


def at(variable: str, places: tuple[str, ...], step: int, k: int | None = None, **part: int) -> Observe:
    """One variable before one step at some places; ``k`` is what the law calls that step."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        chosen = data[variable].sel(place=list(places), step=step, drop=False).isel(part)
        made = placed(xr.Dataset({"measured": chosen}).drop_vars("step"))
        return made if k is None else made.assign_coords(k=k)

    return observe


def _flat(data: xr.Dataset, parts: Mapping[str, Callable[[xr.Dataset], xr.DataArray]]) -> xr.DataArray:
    """Several arrays (seed, width) along one dimension ``part``."""
    found = [made(data).reset_coords(drop=True) for made in parts.values()]
    return xr.concat(found, dim=xr.IndexVariable("part", list(parts)), coords="minimal", compat="override")


def _of(variable: str, *part: int) -> Callable[[xr.Dataset], xr.DataArray]:
    def take(data: xr.Dataset) -> xr.DataArray:
        found = data[variable]
        last = [str(dim) for dim in found.dims if dim not in ("seed", "width")]
        return found.isel(dict(zip(last, part, strict=True)))

    return take


def before_the_first_step(data: xr.Dataset) -> xr.Dataset:
    """Quantities at default scaling whose order the law gives as zero, powers of the width put to where it has them."""
    d = data["width"]
    parts: dict[str, Callable[[xr.Dataset], xr.DataArray]] = {
        "logits": _of("first_logits"),
        "K_w": _of("first_kernels", 1),
        "change by input weights": _of("first_logits_linear", 1),
        "K_aw": _of("first_increments", 0),
        "K_wa": _of("first_increments", 2),
        "K_a / d": lambda data: _of("first_kernels", 0)(data) / d,
        "change by output weights / d": lambda data: _of("first_logits_linear", 0)(data) / d,
        "d K_ww": lambda data: _of("first_increments", 1)(data) * d,
    }
    return xr.Dataset({"measured": _flat(data, parts)}).assign_coords(d=("width", d.values))


def after_the_first_step(data: xr.Dataset) -> xr.Dataset:
    """Everything at default scaling before the second step."""
    here = data.sel(place="default", step=1)
    parts = {"logits": _of("logits")}
    parts |= {f"K_{name}": _of("kernels", i) for i, name in enumerate("aw")}
    parts |= {f"change by {name}": _of("logits_linear", i) for i, name in enumerate("aw")}
    parts |= {f"K_{name}": _of("increments", i) for i, name in enumerate(("aw", "ww", "wa"))}
    made = xr.Dataset({"measured": _flat(here, parts)})
    return made.assign_coords(d=("width", data["width"].values), q_sigma=-0.5, q_a=1.0, k=0)


def _inside(difference: xr.DataArray, least: float = -SETTLED) -> xr.DataArray:
    """Whether two exponents are one, seed by seed and place by place."""
    return ((difference >= least) & (difference <= SETTLED)).astype(float).where(difference.notnull())


def settled(data: xr.Dataset) -> xr.Dataset:
    """Whether the change of the logits by the output weights has one order before the third and the fifth step."""
    places = [name for name in GROWTH if name in data["place"].values]
    by_a = exponent(data["logits_linear"].isel(layer=0).sel(place=places))
    difference = by_a.sel(step=4, drop=True) - by_a.sel(step=2, drop=True)
    made = _pointed(xr.Dataset({"inside": _inside(difference)}))
    return made.assign_coords({"q_a + 2*q_sigma + q_w": made["q_a"] + 2 * made["q_sigma"] + made["q_w"]})


def learning(data: xr.Dataset) -> xr.Dataset:
    """Whether the larger of both layers' increments has the order of the logits, before the third step."""
    here = data.sel(place=list(CUT), step=2)
    larger = exponent(here["logits_linear"]).max("layer", skipna=False)
    made = _pointed(xr.Dataset({"inside": _inside(larger - exponent(here["logits"]), BEHIND)}))
    steps = xr.concat([made["q_a"], made["q_w"]], dim="layer") + made["q_sigma"]
    return made.assign_coords({"Max(q_a + q_sigma, q_sigma + q_w)": steps.max("layer")})


def learning_by_signs(data: xr.Dataset) -> xr.Dataset:
    """Whether the whole change of the logits has the order of the logits under sign descent."""
    here = data.sel(place=list(SIGNS), step=2)
    return _pointed(xr.Dataset({"inside": _inside(exponent(here["change"]) - exponent(here["logits"]), BEHIND)}))


def _pointed(data: xr.Dataset) -> xr.Dataset:
    return placed(data.drop_vars("step", errors="ignore")).rename(place="point")


def channels(data: xr.Dataset) -> xr.Dataset:
    """Where both layers' increments have one order, from either side of it.

    The difference of their exponents is taken for a straight line in the control; where it meets zero is the edge.
    For a reader who looks at the difference of the orders themselves, it is between two places that it meets zero too.
    """
    here = data.sel(place=list(SHARES), step=2)
    by_layer = exponent(here["logits_linear"])
    difference = by_layer.isel(layer=0) - by_layer.isel(layer=1)
    steps = np.array([(p.q_sigma + p.q_a, p.q_sigma + p.q_w) for p in (PLACES[name] for name in SHARES)])
    control = abs(steps[:, 0]) - abs(steps[:, 1])
    below, above = np.flatnonzero(control <= 1e-9), np.flatnonzero(control >= -1e-9)
    plain = [SHARES.index(name) for name in ("input small", "default")]
    return xr.Dataset(
        {
            "lower": _meets_zero(difference.isel(place=below), control[below]),
            "upper": _meets_zero(difference.isel(place=above), control[above]),
            f"upper[{EQUAL_ONLY}]": _meets_zero(difference.isel(place=plain), (steps[:, 0] - steps[:, 1])[plain]),
        }
    )


EQUAL_ONLY = "equal exponents only"


def _meets_zero(difference: xr.DataArray, control: np.ndarray) -> xr.DataArray:
    along = xr.DataArray(control, dims="place")
    centred = along - along.mean()
    slope = (difference * centred).sum("place", skipna=False) / (centred**2).sum()
    return (along.mean() - difference.mean("place", skipna=False) / slope).reset_coords(drop=True)


_TENTH = Margin(0.1, "physics", "a fifth of the 1/2 by which a mean and a fluctuation, or one step more, differ")
_QUARTER = Margin(0.1, "physics", "less than half of the 1/4 by which the nearest rival differs at these places")
_SIDES = Margin(0.1, "physics", "less than half of the 1/4 by which the nearest place lies beside the edge")
_LARGE = ("large output", "large input", "large both")

_CHECKS = (
    Check(law="width.default_first", observe=before_the_first_step, margin=_TENTH),
    Check(law="width.default_later", observe=after_the_first_step, margin=_TENTH),
    Check(law="width.weights_above", observe=at("weights", ("above",), 2, k=0), margin=_TENTH),
    Check(law="width.increment_by_output", observe=at("logits_linear", _LARGE, 0, layer=0), margin=_QUARTER),
    Check(law="width.increment_by_input", observe=at("logits_linear", _LARGE, 0, layer=1), margin=_QUARTER),
    Check(
        law="width.first_change",
        observe=at("change", ("default", "mean-field", "input small", "output small"), 0),
        margin=_TENTH,
    ),
    Check(law="width.moves_inside", observe=at("moves", ("quarter", "mean-field"), 1, k=0), margin=_TENTH),
    Check(law="width.growing_weights", observe=settled, margin=_SIDES),
    Check(law="width.total_learning", observe=learning, margin=_SIDES),
    Check(
        law="width.both_channels",
        observe=channels,
        margin=Margin(0.1, "physics", "a fifth of the 1/2 at which the outermost places lie"),
    ),
    Check(law="width.sign_band", observe=learning_by_signs, margin=_SIDES),
)

CHECKS = tuple(("width.runs", check) for check in _CHECKS)
"""Growth, learning and sign descent are judged by the behaviour at places on either side of an edge."""
