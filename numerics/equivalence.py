"""Three-valued verdicts within a margin declared in advance, and the chances that they are wrong."""

from collections.abc import Iterable
from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special, stats

from numerics.samples import Floats, check_level

Word = Literal["agrees", "disagrees", "undecided"]


def classify(low: float, high: float, predicted: float, margin: float) -> Word:
    """Say how an interval stands to predicted +- margin.

    *agrees*: wholly inside (the edges belong to the inside); *disagrees*: wholly outside; *undecided*: it
    straddles an edge. Infinite ends are allowed and can only be *undecided* or, on the far side, *disagrees*.

    Errors
        ValueError for NaN, low > high, a prediction that is not finite, or a margin that is not positive.

    Examples
    --------
    >>> classify(0.95, 1.04, 1.0, 0.05), classify(1.06, 1.2, 1.0, 0.05), classify(0.9, 1.0, 1.0, 0.05)
    ('agrees', 'disagrees', 'undecided')
    """
    return cast(Word, classify_each(low, high, predicted, margin).item())


def classify_each(
    low: ArrayLike, high: ArrayLike, predicted: ArrayLike, margin: ArrayLike
) -> NDArray[np.str_]:
    """:func:`classify` on arrays that broadcast; returns an array of words.

    Examples
    --------
    >>> classify_each([0.95, 1.06, 0.9], [1.04, 1.2, 1.0], 1.0, 0.05).tolist()
    ['agrees', 'disagrees', 'undecided']
    """
    low, high, predicted, margin = (np.asarray(v, dtype=np.float64) for v in (low, high, predicted, margin))
    if np.any(np.isnan(low)) or np.any(np.isnan(high)) or np.any(low > high):
        raise ValueError(f"classify: the interval [{low}, {high}] is NaN or reversed; pass low <= high")
    if not np.all(np.isfinite(predicted)):
        raise ValueError(f"classify: predicted={predicted} is not finite; pass a finite prediction")
    if not np.all((margin > 0) & np.isfinite(margin)):
        raise ValueError(f"classify: margin={margin} is not positive and finite; declare a margin > 0")
    bottom, top = predicted - margin, predicted + margin
    inside = (low >= bottom) & (high <= top)
    outside = (high < bottom) | (low > top)
    return np.where(inside, "agrees", np.where(outside, "disagrees", "undecided"))


def contains(low: float, high: float, predicted: float) -> bool:
    """Whether the interval holds the exact value, which is a separate matter from the margin.

    Examples
    --------
    >>> contains(0.9, 1.1, 1.0), contains(1.01, 1.1, 1.0)
    (True, False)
    """
    if np.isnan([low, high, predicted]).any() or low > high:
        raise ValueError(
            f"contains: [{low}, {high}] and {predicted}; NaN or reversed; pass low <= high and a number"
        )
    return bool(low <= predicted <= high)


def planned_standard_error(margin: float, n: int, level: float = 0.99) -> float:
    """The largest standard error that n seeds may plan: margin / (t + 2), t the two-sided quantile.

    Examples
    --------
    >>> round(1 / planned_standard_error(1.0, 10), 2), round(1 / planned_standard_error(1.0, 10_000), 2)
    (5.25, 4.58)
    """
    _check_budget("planned_standard_error", margin=margin, n=n, level=level)
    return margin / (float(stats.t.ppf((1 + level) / 2, n - 1)) + 2.0)


def seeds_needed(
    standard_deviation: float, margin: float, level: float = 0.99, least: int = 10, most: int = 1_000_000
) -> int:
    """The fewest seeds n >= ``least`` with standard_deviation / sqrt(n) <= :func:`planned_standard_error`.

    Errors
        ValueError for a margin, deviation or level out of range, or where more than ``most`` seeds would be
        needed.

    Examples
    --------
    >>> seeds_needed(0.1, 1.0), seeds_needed(1.0, 1.0)      # (t + 2)^2 is 23.22 at 23 seeds, 23.11 at 24
    (10, 24)
    """
    _check_budget("seeds_needed", margin=margin, n=least, level=level)
    if not (standard_deviation >= 0 and np.isfinite(standard_deviation)):
        raise ValueError(
            f"seeds_needed: standard_deviation={standard_deviation} is not finite and >= 0; pass one that is"
        )
    if standard_deviation / np.sqrt(most) > planned_standard_error(margin, most, level):
        raise ValueError(
            f"seeds_needed: a standard deviation of {standard_deviation:.3g} needs more than {most} seeds "
            f"for a margin of {margin:.3g}; measure a quantity with less scatter"
        )
    low, high = least - 1, most
    while high - low > 1:  # the condition is monotone in n
        middle = (low + high) // 2
        if standard_deviation / np.sqrt(middle) <= planned_standard_error(margin, middle, level):
            high = middle
        else:
            low = middle
    return high


def chance_of_disagreement(
    standard_error: float, n: int, margin: float, deviation: float = 0.0, level: float = 0.99
) -> float:
    r"""The chance that one verdict is *disagrees* when the truth lies ``deviation`` from the prediction.

    Formula: with the estimate Gaussian of standard deviation :math:`\sigma` and its standard error
    :math:`\sigma\sqrt{W/\nu}`, W chi-square with :math:`\nu=n-1`, independent,
    :math:`P = E\,\Phi(-(m-\delta)/\sigma - t\sqrt{W/\nu}) + E\,\Phi(-(m+\delta)/\sigma - t\sqrt{W/\nu})`:
    two tails of shifted (non-central) t laws. ``deviation=0`` gives the chance of a false *disagrees*.

    Samples that are not Gaussian: at the planned standard error a false *disagrees* at the exact value stays as rare
    (an outlier that moves the mean widens the interval as much), but at the margin's edge it is not half of 1 - level
    any more: at 10 seeds 4.7 % for exponential and 9 % for lognormal samples (unit log-scatter) on the side of the
    short tail, 1.3 to 2 % for samples drawn again from measured ones (0.7 to 0.8 % at 52 seeds). A law that is 2.5
    margins off is missed by at most 2.4 % (exponential) and 0.2 % (measured ones) of verdicts.

    Accuracy
        1e-10 relative, also where the chance is 1e-100 (the integral over W is done in log W, where the
        trapezoidal rule converges geometrically).

    Examples
    --------
    >>> chance_of_disagreement(planned_standard_error(1.0, 10), 10, 1.0) < 1e-5
    True
    >>> round(chance_of_disagreement(1e-3, 10, 1.0, deviation=1.0), 6)     # at the edge: half of 1 %
    0.005
    """
    _check_budget("chance_of_disagreement", margin=margin, n=n, level=level)
    if standard_error == 0:
        return float(abs(deviation) > margin)
    _check_error("chance_of_disagreement", standard_error)
    near, far = (margin - deviation) / standard_error, (margin + deviation) / standard_error
    scale, mass = _scaled_errors(n - 1)
    reach = stats.t.ppf((1 + level) / 2, n - 1) * scale
    return float(mass @ (special.ndtr(-near - reach) + special.ndtr(-far - reach)))


def chance_of_agreement(
    standard_error: float, n: int, margin: float, deviation: float = 0.0, level: float = 0.99
) -> float:
    """The chance that one verdict is *agrees*; same model and accuracy as :func:`chance_of_disagreement`.

    Examples
    --------
    >>> [round(chance_of_agreement(planned_standard_error(1.0, n), n, 1.0), 2) for n in (10, 24, 64)]
    [0.9, 0.94, 0.95]
    """
    _check_budget("chance_of_agreement", margin=margin, n=n, level=level)
    if standard_error == 0:
        return float(abs(deviation) <= margin)
    _check_error("chance_of_agreement", standard_error)
    scale, mass = _scaled_errors(n - 1)
    slack = margin / standard_error - stats.t.ppf((1 + level) / 2, n - 1) * scale
    shift = deviation / standard_error
    return float(mass @ np.where(slack > 0, special.ndtr(slack - shift) - special.ndtr(-slack - shift), 0.0))


def minimum_detectable_deviation(
    standard_error: float, n: int, margin: float, level: float = 0.99, power: float = 0.95
) -> float:
    """The smallest deviation of the truth that comes out *disagrees* with probability ``power``.

    Examples
    --------
    >>> minimum_detectable_deviation(planned_standard_error(1.0, 10), 10, 1.0) < 2.5
    True
    """
    check_level("minimum_detectable_deviation", power)
    _check_budget("minimum_detectable_deviation", margin=margin, n=n, level=level)
    if standard_error == 0:
        return margin
    _check_error("minimum_detectable_deviation", standard_error)

    def missing(units: float) -> float:
        deviation = margin + units * standard_error
        return chance_of_disagreement(standard_error, n, margin, deviation, level) - power

    # chance(disagrees) at deviation = 0 may exceed a tiny power only when the margin is far inside the noise.
    bottom = -margin / standard_error
    if missing(bottom) >= 0:
        return 0.0
    top = 1.0
    while missing(top) < 0:
        top *= 2.0
    units = cast(float, optimize.brentq(missing, bottom, top, xtol=1e-10))
    return margin + units * standard_error


def chance_of_any(chances: Iterable[float]) -> float:
    """Bound the chance that any of several verdicts is wrong: the sum of their chances, at most 1.

    A bound without independence (Boole), so it holds where laws share seeds.

    Examples
    --------
    >>> chance_of_any([0.001, 0.002])
    0.003
    """
    total = 0.0
    for chance in chances:
        if not 0.0 <= chance <= 1.0:
            raise ValueError(f"chance_of_any: {chance} is not a probability; pass numbers in [0, 1]")
        total += chance
    return min(1.0, total)


def _scaled_errors(freedom: int) -> tuple[Floats, Floats]:
    """Return nodes s and masses with sum(mass * f(s)) = E f(sqrt(W / freedom)), W chi-square."""
    shape = freedom / 2
    width = np.sqrt(1 / shape) if shape > 1 else 1.0 / shape
    grid = np.log(shape) + np.linspace(-60 * max(width, 1.0), 12 * min(width, 1.0) + 3.0 * (shape < 50), 6001)
    log_mass = shape * grid - np.exp(grid) - special.gammaln(shape) + np.log(grid[1] - grid[0])
    return np.sqrt(np.exp(grid) / shape), np.exp(log_mass)


def _check_budget(who: str, margin: float, n: int, level: float) -> None:
    check_level(who, level)
    if not (margin > 0 and np.isfinite(margin)):
        raise ValueError(
            f"{who}: margin={margin}; a positive finite number is allowed; declare such a margin"
        )
    if n < 2:
        raise ValueError(f"{who}: n={n} seeds; needs at least 2; run more seeds")


def _check_error(who: str, standard_error: float) -> None:
    if not (standard_error > 0 and np.isfinite(standard_error)):
        raise ValueError(
            f"{who}: standard_error={standard_error} is not finite and >= 0; pass the one that was achieved"
        )
