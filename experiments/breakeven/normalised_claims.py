"""Claims about networks with batch normalisation weighed on their trajectories, beside the plain network's."""

from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.normalised_trajectories import BASE, SIZE, STUDY
from experiments.breakeven.trajectory_conjectures import in_every_seed, trend
from experiments.breakeven.trajectory_summary import (
    STATISTICS,
    admitted,
    chosen,
    described,
    largest,
    maximum,
    needed,
    observed_along,
    plain,
)

LEAST: Mapping[str, float] = {"lambda_h": 1.3, "lambda_km": 1.3, "ratio_km": 1.2, "projection": 1.1}
"""Factor between the ends of the grid below which a change counts as none."""
SMALLEST = 8
FIXED: Mapping[str, Mapping[str, float | bool]] = {
    "learning_rate": {"batch_size": SIZE, "normalised": True},
    "batch_size": {"learning_rate": BASE, "normalised": True},
}
"""What is held fixed where a control varies."""
WORDS = {"learning_rate": ("rate", "eta"), "batch_size": ("batch_size", "S")}
QUARTER = 4


def over(data: xr.Dataset, control: str) -> xr.Dataset:
    """All runs with normalisation over a control, those that do not converge too."""
    return chosen(described(data, STUDY), control, **FIXED[control])


def compared(data: xr.Dataset, control: str) -> xr.Dataset:
    """The runs that are compared: without the smallest batch, which is said to be an exception."""
    runs = over(data, control)
    return admitted(runs.isel(run=runs["batch_size"].values > SMALLEST))


def maxima(name: str, control: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe the smoothed maximum along the control."""
    _, symbol = WORDS[control]
    return lambda data: observed_along(
        control, symbol, compared(needed(data, name), control), name, maximum("smoothed")
    )


def without(data: xr.Dataset) -> xr.Dataset:
    """The plain network at its moderate rate."""
    return chosen(described(data, STUDY), "learning_rate", normalised=False).isel(run=0)


def _sides(small: tuple[str, xr.DataArray], large: tuple[str, xr.DataArray]) -> xr.Dataset:
    """Both sides of an inequality under the names that its law gives them; rounding of float32."""
    (one, smaller), (other, larger) = small, large
    bound = 1e-6 * abs(larger)
    return plain(**{one: smaller, other: larger, "smaller": smaller, "larger": larger, "bound": bound})


def noisier_start(data: xr.Dataset) -> xr.Dataset:
    """lambda_KM of the first record, without normalisation and with it."""
    first = [runs["lambda_KM"].isel(record=0) for runs in (without(data), over(data, "learning_rate").isel(run=0))]
    return _sides(("plain_start", first[0]), ("start", first[1]))


def decay(data: xr.Dataset) -> xr.Dataset:
    """Largest smoothed lambda_KM after a quarter of the records, at all rates but the lowest, and the start."""
    curve = over(data, "learning_rate").isel(run=slice(1, None))["lambda_KM"]
    later = largest(curve.isel(record=slice(curve.sizes["record"] // QUARTER, None)), "smoothed")
    return _sides(("later", later.max("run", skipna=False)), ("start", curve.isel(record=0).mean("run", skipna=False)))


def scales(data: xr.Dataset) -> xr.Dataset:
    """Least norm of the last scales in the first quarter, the larger of the two highest rates', and the start."""
    norm = over(data, "learning_rate")["scale_norm"].isel(run=slice(-2, None))
    early = norm.isel(record=slice(1, norm.sizes["record"] // QUARTER + 1)).min("record", skipna=False)
    return _sides(
        ("early_scale", early.max("run", skipna=False)),
        ("initial_scale", norm.isel(record=0).mean("run", skipna=False)),
    )


def low_rate(name: str, small: str, large: str, *, plain_first: bool) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: smoothed maxima of the normalised network at its lowest rate and of the plain one, in either order."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        pair = (over(data, "learning_rate").isel(run=0), without(data))
        tops = [largest(STATISTICS[name](run), "smoothed") for run in pair]
        one, other = tops[::-1] if plain_first else tops
        return _sides((small, one), (large, other))

    return observe


def smallest_batch(name: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: the smoothed maximum at the smallest batch, and the least one at the others."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        runs = over(data, "batch_size")
        tops = largest(STATISTICS[name](runs), "smoothed")
        return _sides(
            (f"{name}_smallest", tops.isel(run=0)),
            (f"{name}_others", tops.isel(run=slice(1, None)).min("run", skipna=False)),
        )

    return observe


_ROUNDING = "1e-6, float32 rounding of an eigenvalue or a norm"
_OF_SEEDS: Mapping[str, Callable[[xr.Dataset], xr.Dataset]] = {
    "normalised_start_is_noisier": noisier_start,
    "normalised_lambda_km_decays": decay,
    "normalised_scales_first_shrink": scales,
    "normalised_low_rate_lambda_km": low_rate("lambda_km", "plain_top", "top", plain_first=True),
    "normalised_low_rate_ratio_km": low_rate("ratio_km", "best_ratio", "plain_ratio", plain_first=False),
    "normalised_low_rate_projection": low_rate("projection", "best_projection", "plain_projection", plain_first=False),
    "normalised_smallest_batch_ratio_km": smallest_batch("ratio_km"),
    "normalised_smallest_batch_projection": smallest_batch("projection"),
}
CHECKS = (
    *(
        (STUDY.name, trend(f"max_{name}_over_{word}_normalised", maxima(name, control), factor))
        for control, (word, _) in WORDS.items()
        for name, factor in LEAST.items()
    ),
    *((STUDY.name, in_every_seed(law, observe, _ROUNDING)) for law, observe in _OF_SEEDS.items()),
)
