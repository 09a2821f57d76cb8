"""Which laws the networks of growing width weigh (``width.scaling``), and how their numbers are read."""

from collections.abc import Callable

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.width.points import HOLDING, REPRESENTATIVES
from numerics.slopes import slopes

SEGMENT = ("R02", "R05", "R10")
"""Representatives from the NTK end to the mean-field end of the segment of intermediate scalings."""

Observe = Callable[[xr.Dataset], xr.Dataset]

ZERO = {"A": 0.085, "B": 0.085, "C": 0.1, "D": 0.07}
"""Largest size at which a group of networks' exponent counts as zero: less than half of the smallest exponent
other than 0 at the representatives, which is 0.175 for A and B, 0.25 for C and 0.15 for D."""


def placed(data: xr.Dataset) -> xr.Dataset:
    """Coordinates q_sigma and q along the points, and d along the widths."""
    along = [REPRESENTATIVES[str(name)] for name in data["point"].values]
    made = data.assign_coords(
        q_sigma=("point", [place[0] for place in along]), q=("point", [place[1] for place in along])
    )
    return made.assign_coords(d=("width", data["width"].values)) if "width" in data.dims else made


def at_representatives(variable: str, points: tuple[str, ...] = tuple(REPRESENTATIVES)) -> Observe:
    """Reads one stored variable at the thirteen representatives, or at some of them."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        return placed(xr.Dataset({"measured": data[variable]}).sel(point=list(points)))

    return observe


def exponent(values: xr.DataArray) -> xr.DataArray:
    """Logarithmic slope in the width, seed by seed; NaN where a width gave no number."""
    ordered = values.transpose(..., "width")
    good = np.isfinite(ordered.values).all(axis=-1)
    found = np.full(good.shape, np.nan)
    if good.any():
        found[good] = slopes(values["width"].values.astype(float), ordered.values[good])
    return xr.DataArray(
        found,
        dims=ordered.dims[:-1],
        coords={k: v for k, v in ordered.coords.items() if "width" not in v.dims},
    )


def orders(data: xr.Dataset) -> xr.DataArray:
    """The four exponents that tell regions apart, at each representative: width:D4 and half the kernels'
    relative change.
    """
    here = data.sel(point=list(REPRESENTATIVES))
    logits = exponent(here["logits"])
    kernels = exponent(here["kernels"])
    change = (exponent(here["kernels_full"]) - kernels).mean("kernel", skipna=False) / 2
    kernels = kernels.mean("kernel", skipna=False)
    return xr.concat(
        [logits, kernels, kernels - logits, change],
        dim=xr.IndexVariable("feature", list(ZERO)),
        coords="minimal",
    )


def signs(data: xr.Dataset) -> xr.Dataset:
    """Sign of each exponent, zero within its tolerance."""
    found = orders(data)
    tolerance = xr.DataArray(list(ZERO.values()), dims="feature", coords={"feature": list(ZERO)})
    signature = xr.where(abs(found) <= tolerance, 0.0, np.sign(found))
    made = xr.Dataset({"signature": signature.drop_vars("start", errors="ignore").rename(point="regime")})
    along = list(REPRESENTATIVES.values())
    return made.assign_coords(
        q_sigma=("regime", [place[0] for place in along]), q=("regime", [place[1] for place in along])
    )


def statements(data: xr.Dataset) -> xr.Dataset:
    """Whether each exponent is zero within its tolerance; representatives are named by the statements that
    hold there.
    """
    found = signs(data)
    names = [HOLDING[str(region)] for region in found["regime"].values]
    zero = (found["signature"] == 0).astype(float).where(found["signature"].notnull())
    return found.assign(signature=zero).assign_coords(regime=names)


MAXIMAL = {"NTK": (0, 1, 2), "MF": (1, 3), "sym-default": (0, 3)}
"""Which statements, counted from 0, a limit that none dominates satisfies."""


def dominance(data: xr.Dataset) -> xr.Dataset:
    """Whether the statements of each undominated limit hold together; representatives are named by what they are."""
    found = statements(data)
    holds = found["signature"]
    of = [holds.isel(feature=list(chosen)).prod("feature", skipna=False) for chosen in MAXIMAL.values()]
    names = {" and ".join(str(number + 1) for number in chosen): name for name, chosen in MAXIMAL.items()}
    together = xr.concat(of, dim=xr.IndexVariable("feature", list(MAXIMAL)), coords="minimal")
    kinds = [names.get(str(holding), "dominated") for holding in found["regime"].values]
    return found.drop_vars(("signature", "feature")).assign(signature=together).assign_coords(regime=kinds)


def along_the_segment(data: xr.Dataset) -> xr.Dataset:
    """Initial kernels and first-order changes of trained logits on the segment, under one name."""
    kernels_ = at_representatives("kernels", SEGMENT)(data)["measured"].rename(kernel="part")
    increments = at_representatives("logits_linear", SEGMENT)(data)["measured"].rename(layer="part")
    names = ("K_a", "K_w", "increment by output weights", "increment by input weights")
    both = xr.concat([kernels_.drop_vars("part", errors="ignore"), increments.drop_vars("part", errors="ignore")],
                     dim="part").assign_coords(part=list(names))  # fmt: skip
    made = xr.Dataset({"measured": both})
    return made.assign_coords(p=("point", -made["q_sigma"].values))


SYMMETRIC = {"start": "symmetric"}
_ONE_SLOPE = Margin(
    0.1,
    "physics",
    "a fifth of the 1/2 by which a mean and a fluctuation differ; the thirteen scalings share the sums "
    "over neurons, so each quantity has one measured slope, shifted by exact powers of the width",
)
_SHARES = Margin(
    0.4,
    "physics",
    "less than half of the distance between one sign and the next, as a mean over groups of networks",
)

_CHECKS = (
    Check(
        law="width.initial_logits",
        observe=at_representatives("logits"),
        margin=_ONE_SLOPE,
        select=SYMMETRIC,
    ),
    Check(
        law="width.initial_kernels",
        observe=at_representatives("kernels"),
        margin=_ONE_SLOPE,
        select=SYMMETRIC,
    ),
    Check(
        law="width.kernel_increment_first",
        observe=at_representatives("increments_first"),
        margin=_ONE_SLOPE,
        select=SYMMETRIC,
        counter_systems=(
            CounterSystem(
                "biased output weights",
                {"start": "biased"},
                "output weights with a mean give the increments' sum a mean: the printed exponent is right for them",
            ),
        ),
    ),
    Check(
        law="width.kernel_increment_later",
        observe=at_representatives("increments_later"),
        margin=Margin(
            0.1,
            "physics",
            "less than half of the 1/4 by which a centred sum differs where q_sigma + q = -1/4",
        ),
        select=SYMMETRIC,
    ),
    Check(
        law="width.kernel_increment_full",
        observe=at_representatives("kernels_full"),
        margin=Margin(
            0.1,
            "physics",
            "less than half of the 1/4 by which the linear part differs where q_sigma + q = -1/4",
        ),
        select=SYMMETRIC,
    ),
    Check(
        law="width.learning_inside",
        observe=at_representatives("logits_linear"),
        margin=Margin(0.1, "physics", "a fifth of the 1/2 by which a mean and a fluctuation differ"),
        select=SYMMETRIC,
    ),
    Check(
        law="width.intermediate",
        observe=along_the_segment,
        margin=Margin(0.1, "physics", "less than half of the 1/4 by which initial logits differ at p = 3/4"),
        select=SYMMETRIC,
    ),
    Check(
        law="width.biased_increments",
        observe=at_representatives("increments_first"),
        margin=Margin(0.1, "physics", "a fifth of the 1/2 by which a mean and a fluctuation differ"),
        select={"start": "biased"},
        counter_systems=(
            CounterSystem("symmetric output weights", SYMMETRIC, "without a mean the increments' sum fluctuates"),
        ),
    ),
    Check(law="width.dominance", observe=dominance, margin=_SHARES, select=SYMMETRIC),
    Check(law="width.regions", observe=signs, margin=_SHARES, select=SYMMETRIC),
    Check(law="width.statements", observe=statements, margin=_SHARES, select=SYMMETRIC),
)

CHECKS = tuple(("width.scaling", check) for check in _CHECKS)
