"""Planted truth for each kind of claim, through the real comparison and verdict code.

A data set is drawn with a known deviation from the claim, at the standard error that a study may plan at
most: margin / (t + 2) for the part with the largest scatter (the others have a tenth of it). What comes
out is counted: a true law may hardly ever *disagree* and seldom be undecided, a law at the edge of its
margin may hardly ever *disagree*, a law that is wrong by 2.5 margins must *disagree*.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import xarray as xr
from sympy import Function, Integer, Rational, Symbol, oo

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.comparisons.parts import MAJORITY, shared
from experiments.study import Margin
from numerics.equivalence import planned_standard_error
from theory.claims import (
    CLAIMS,
    Band,
    Bound,
    Boundary,
    Claim,
    Formula,
    Identity,
    Limit,
    Partition,
    PowerLaw,
    Regime,
    Trend,
)

SEEDS = 48
LEVEL = 0.99
EXACT, EDGE, PLANTED = 0.0, 1.0, 2.5
DATA_SETS = {EXACT: 1000, EDGE: 1000, PLANTED: 400}


@dataclass(frozen=True)
class Calibration:
    """Counts for one kind of claim, with the numbers that are allowed.

    ``rows`` are ``(what was planted and counted, data sets, count, allowed count)``.
    """

    kind: str
    rows: tuple[tuple[str, int, int, int], ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether no count is above what is allowed."""
        return all(count <= allowed for _, _, count, allowed in self.rows)


Draw = Callable[[np.random.Generator, float], xr.Dataset]


@dataclass(frozen=True)
class Plant:
    """A claim and a way to draw its observation with a deviation given in margins.

    ``allowed`` are the largest counts of: *disagrees* and undecided at the exact value, *disagrees* at the
    margin's edge, not *disagrees* at 2.5 margins.
    """

    claim: Claim
    margin: Margin
    draw: Draw
    minimum_effect: float = 0.0
    allowed: tuple[int, int, int, int] = (1, 80, 12, 12)


def calibrate(kinds: tuple[str, ...] = (), seed: int = 0) -> Iterator[Calibration]:
    """Calibrate each kind of claim (all nine for an empty tuple), one after the other.

    Raises
    ------
    ValueError
        For a kind that is none of the nine.
    """
    unknown = sorted(set(kinds) - set(PLANTS))
    if unknown:
        raise ValueError(f"calibrate: {unknown[0]} is no kind of claim; choose from {', '.join(PLANTS)}")
    for index, claim in enumerate(CLAIMS):
        if not kinds or claim.kind in kinds:
            yield calibrate_plant(claim.kind, PLANTS[claim.kind](), np.random.default_rng([seed, index]))


def calibrate_plant(kind: str, plant: Plant, generator: np.random.Generator) -> Calibration:
    """Count the verdicts on data sets that are exact, at the margin's edge, and 2.5 margins off."""
    start = time.perf_counter()
    counts: dict[float, dict[Verdict, int]] = {}
    for deviation, sets in DATA_SETS.items():
        counts[deviation] = dict.fromkeys(Verdict, 0)
        for _ in range(sets):
            observation = plant.draw(generator, deviation)
            found = compare(
                plant.claim, observation, plant.margin, minimum_effect=plant.minimum_effect, level=LEVEL
            )
            counts[deviation][found.verdict] += 1
    missed = DATA_SETS[PLANTED] - counts[PLANTED][Verdict.DISAGREES]
    found_counts = (
        ("exact: disagrees", EXACT, counts[EXACT][Verdict.DISAGREES]),
        ("exact: undecided", EXACT, counts[EXACT][Verdict.UNDECIDED]),
        ("at the margin's edge: disagrees", EDGE, counts[EDGE][Verdict.DISAGREES]),
        ("off by 2.5 margins: missed", PLANTED, missed),
    )
    rows = tuple(
        (name, DATA_SETS[at], count, allowed)
        for (name, at, count), allowed in zip(found_counts, plant.allowed, strict=True)
    )
    return Calibration(kind, rows, time.perf_counter() - start)


def scatter(margin: float, parts: int) -> float:
    """Standard deviation over seeds at which the standard error is the largest that may be planned."""
    return planned_standard_error(margin, SEEDS, shared(LEVEL, parts)) * math.sqrt(SEEDS)


def _margin(value: float) -> Margin:
    return Margin(value, "physics", "planted")


def _formula() -> Plant:
    size, beta, tau = 0.1, Symbol("beta"), Symbol("tau")

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        ratio = 1 + deviation * size + scatter(size, 1) * generator.standard_normal(SEEDS)
        return xr.Dataset({"measured": ("seed", ratio * 1.5)}, coords={"beta": 2.0})

    return Plant(Formula(tau, 3 / beta), _margin(size), draw)


def _power_law() -> Plant:
    size, width = 0.1, Symbol("width")
    levels = 2.0 ** np.arange(6, 11)

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        exponent = -0.5 + deviation * size + scatter(size, 1) * generator.standard_normal(SEEDS)
        return xr.Dataset(
            {"measured": (("seed", "width"), 3.0 * levels ** exponent[:, None])}, coords={"width": levels}
        )

    return Plant(PowerLaw(Symbol("kernel"), width, Rational(-1, 2)), _margin(size), draw)


def _limit() -> Plant:
    size, width = 0.1, Symbol("width")
    levels = 2.0 ** np.arange(6, 11)

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        rate = -1.0 + deviation * size + scatter(size, 1) * generator.standard_normal(SEEDS)
        return xr.Dataset({"error": (("seed", "width"), levels ** rate[:, None])}, coords={"width": levels})

    return Plant(Limit(Function("f")(width), width, oo, Integer(0), Integer(-1)), _margin(size), draw)


def _band() -> Plant:
    size, q = 0.05, Symbol("q")
    points = np.array([-2.0, -1.0, -0.5, 0.0, 1.0])

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        noise = scatter(size, 2) * generator.standard_normal((2, SEEDS))
        return xr.Dataset(
            {
                "lower": ("seed", -1.5 + 0.1 * noise[0]),
                "upper": ("seed", -0.25 + deviation * size + noise[1]),
                "inside": (("seed", "point"), np.tile((points >= -1.5) & (points <= -0.25), (SEEDS, 1))),
            },
            coords={"q": ("point", points)},
        )

    learns = Symbol("learns")
    return Plant(Band(learns, q, Rational(-3, 2), Rational(-1, 4)), _margin(size), draw)  # pyright: ignore


def _boundary() -> Plant:
    size, x, y = 0.05, Symbol("x"), Symbol("y")
    along, across = np.linspace(0.0, 1.0, 5), np.linspace(-20 * size, 20 * size, 201)
    places = (along[:, None] + 0 * across).ravel()
    heights = (along[:, None] ** 2 + across).ravel()
    residual = heights - places**2
    resolution = (across[1] - across[0]) / 2
    tongue = (residual > size) & (places == along[2])  # one far point in ten, all side by side

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        """Half of the data sets have the curve planted off, the others that share of seeds whose points know of each
        other and lie on the wrong side: in margins of a half, so that all seeds is the most.
        """
        curve = generator.integers(2)
        shift = curve * deviation * size + scatter(size - resolution, 2) * generator.standard_normal(SEEDS)
        wrong = generator.random(SEEDS) < (1 - curve) * deviation * MAJORITY
        return xr.Dataset(
            {"behaves": (("seed", "point"), (residual <= shift[:, None]) ^ (wrong[:, None] & tongue))},
            coords={"x": ("point", places), "y": ("point", heights)},
        )

    return Plant(Boundary(Symbol("stable"), x, y, x**2), _margin(size), draw)  # pyright: ignore


def _trend() -> Plant:
    size, control, levels = 1.0, Symbol("eta"), np.arange(5.0)
    centred = levels - levels.mean()
    reach = np.linalg.norm(4 * centred / (centred @ centred))

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        rise = (2.0 + size - deviation * size) / 4 * levels
        noise = scatter(size, 1) / reach * generator.standard_normal((SEEDS, 5))
        return xr.Dataset({"measured": (("seed", "eta"), -(rise + noise))}, coords={"eta": levels})

    return Plant(Trend(Function("sharpness")(control), control, -1), _margin(size), draw, minimum_effect=2.0)


def _partition() -> Plant:
    size, q = 0.1, Symbol("q")
    regimes = (
        Regime("low", q < 0, (Integer(0), Integer(0))),
        Regime("middle", (q >= 0) & (q <= 1), (q, Integer(0))),
        Regime("high", q > 1, (Integer(0), Integer(1))),
    )
    places = np.array([-1.0, 1.0, 2.0])
    signatures = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])

    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        noise = scatter(size, 7) * generator.standard_normal((SEEDS, 3, 2))
        noise *= np.where(np.arange(6).reshape(3, 2) == 3, 1.0, 0.1)
        planted = np.where(np.arange(6).reshape(3, 2) == 3, deviation * size, 0.0)
        return xr.Dataset(
            {"signature": (("seed", "regime", "feature"), signatures + planted + noise)},
            coords={"regime": [regime.name for regime in regimes], "q": ("regime", places)},
        )

    return Plant(Partition(regimes), _margin(size), draw)


def _rounding(generator: np.random.Generator, deviation: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One sum in two orders of addition, at 20 points, with the bound on their distance; one point is
    moved.
    """
    terms = generator.standard_normal((20, 50))
    forwards, backwards = np.cumsum(terms, axis=1)[:, -1], np.cumsum(terms[:, ::-1], axis=1)[:, -1]
    bound = 50 * np.finfo(np.float64).eps * np.abs(terms).sum(axis=1)
    if deviation:
        at = generator.integers(20)
        # At the edge the gap is just inside the bound, whatever the last bit of the sum does.
        backwards[at] = forwards[at] + bound[at] * (deviation if deviation > EDGE else 0.99)
    return forwards, backwards, bound


def _identity() -> Plant:
    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        left, right, bound = _rounding(generator, deviation)
        return xr.Dataset({"left": ("point", left), "right": ("point", right), "bound": ("point", bound)})

    return Plant(Identity(Symbol("a"), Symbol("b")), _margin(1.0), draw, allowed=(0, 0, 0, 0))


def _bound() -> Plant:
    def draw(generator: np.random.Generator, deviation: float) -> xr.Dataset:
        larger, smaller, bound = _rounding(generator, deviation)
        return xr.Dataset(
            {"smaller": ("point", smaller), "larger": ("point", larger), "bound": ("point", bound)}
        )

    return Plant(Bound(Symbol("a"), Symbol("b")), _margin(1.0), draw, allowed=(0, 0, 0, 0))


PLANTS: dict[str, Callable[[], Plant]] = {
    "Identity": _identity,
    "Bound": _bound,
    "Formula": _formula,
    "PowerLaw": _power_law,
    "Band": _band,
    "Boundary": _boundary,
    "Trend": _trend,
    "Partition": _partition,
    "Limit": _limit,
}
