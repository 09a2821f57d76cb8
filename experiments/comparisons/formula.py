"""Formula and PowerLaw: ratios to a prediction, and exponents with a free prefactor."""

from functools import partial

import numpy as np
import xarray as xr

from experiments.bridge import predict
from experiments.comparison import Part
from experiments.comparisons.doubts import bending
from experiments.comparisons.parts import doubted, exact, sampled, shared
from experiments.comparisons.reading import SEED, columns, flattened, need, seeded, uncertainty
from experiments.study import Margin
from numerics.slopes import slopes
from theory.claims import Formula, PowerLaw

WIDE = "the margin reaches 0, so any smaller number agrees"


def formula(claim: Formula, observation: xr.Dataset, margin: Margin, level: float) -> list[Part]:
    """Per seed measured / predicted, which is 1; parts along every dimension other than seed.

    If the observation has ``bound``, the uncertainty of ``measured``, then no chance enters any seed: the interval
    spans measured +- bound over the seeds, without a level.
    """
    measured = seeded(need(observation, "measured", "Formula").astype(np.float64))
    value = predict(claim.value, observation)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = measured / value
    ratio = ratio.transpose(SEED, ...)
    samples, labels, _ = columns(ratio, (SEED,))
    if "bound" in observation.variables:
        half_width = abs(uncertainty(observation) / value).broadcast_like(ratio).transpose(*ratio.dims)
        reach = columns(half_width, (SEED,))[0]
        return exact(labels, samples, reach, 1.0, margin.value, shared(level, len(labels)))
    parts = sampled(labels, samples, 1.0, margin.value, shared(level, len(labels)))
    return [doubted(part, lambda: WIDE if margin.value >= 1 else "") for part in parts]


def power_law(claim: PowerLaw, observation: xr.Dataset, margin: Margin, level: float) -> list[Part]:
    """Per seed the least-squares slope of log |measured| against log control; parts along the other
    dimensions.
    """
    measured = seeded(need(observation, "measured", "PowerLaw"))
    control = need(observation, str(claim.control), "PowerLaw")
    samples, labels, sizes = log_slopes(measured, control)
    exponent = flattened(predict(claim.exponent, observation), sizes)
    each = shared(level, len(labels))
    values, _, _ = columns(abs(measured.astype(np.float64)), (SEED, str(control.dims[0])))
    levels = np.abs(control.values.astype(np.float64))
    parts = sampled(labels, samples, exponent, margin.value, each)
    return [
        doubted(part, partial(bending, values[:, :, index], levels, margin.value, each))
        for index, part in enumerate(parts)
    ]


def log_slopes(measured: xr.DataArray, control: xr.DataArray) -> tuple[np.ndarray, list[str], dict[str, int]]:
    """Slopes of shape (seeds, columns), the columns' labels, and the sizes of the flattened dimensions.

    A column with a value that is zero or not finite has no slope: NaN, in that seed.
    """
    if control.ndim != 1 or control.size < 2:
        raise ValueError(
            f"compare: control {control.name} has shape {control.shape}; it must run along one "
            "dimension with at "
            "least 2 levels; let observe arrange it"
        )
    along = str(control.dims[0])
    values, labels, sizes = columns(abs(measured.astype(np.float64)), (SEED, along))
    values = np.moveaxis(values, 1, -1)  # (seeds, columns, levels)
    good = (np.isfinite(values) & (values > 0)).all(axis=-1)
    found = np.full(good.shape, np.nan)
    if good.any():
        found[good] = slopes(np.abs(control.values.astype(np.float64)), values[good])
    return found, labels, sizes
