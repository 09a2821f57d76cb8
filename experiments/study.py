"""A study: one measurement on a grid, and the checks that it feeds.

Flow: ``run`` calls ``measure`` once per cell (a point of the grid's axes and a block of seeds) and stores what it
returns; ``assemble`` (in ``experiments.stored``) gives one Dataset with the cells' axes, ``seed`` and the inner
dimensions; a check's ``observe`` turns that Dataset into an *observation*: a Dataset with the variables that its
law's kind of claim needs (see ``experiments.compare``).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import xarray as xr

Profile = Literal["quick", "full", "paper"]
PROFILES: tuple[Profile, ...] = ("quick", "full", "paper")


@dataclass(frozen=True)
class Variable:
    """What a stored array is: dimensions (``seed`` first), unit, long name."""

    dims: tuple[str, ...]
    units: str
    long_name: str


@dataclass(frozen=True)
class Replicates:
    """The seeds of one cell: stable streams of random numbers, one per replicate.

    ``ids`` are replicate numbers. Keys and generators depend on (study, cell, replicate) alone, so adding a
    cell, a seed or a law moves no draw.
    """

    study: str
    cell: Mapping[str, Any]
    ids: tuple[int, ...]

    def keys(self) -> Any:
        """JAX keys, shape (seeds,)."""
        import jax.numpy as jnp

        from numerics.keys import key

        return jnp.stack([key(self.study, self.cell, replicate) for replicate in self.ids])

    def generators(self) -> list[np.random.Generator]:
        """NumPy generators, one per seed."""
        from numerics.keys import generator

        return [generator(self.study, self.cell, replicate) for replicate in self.ids]


@dataclass(frozen=True)
class Grid:
    """Points of one profile.

    Parameters
    ----------
    axes
        Cell axes: name -> values (numbers or strings). Each combination, times each block of seeds, is a cell.
    inner
        Coordinates handed to ``measure`` whole, as arrays; they become dimensions of what it returns.
    settings
        Fixed keyword arguments of ``measure`` (sizes, step counts); part of the fingerprint.
    seeds
        Number of independent replicates, fixed before looking.
    first_seed
        Number of the first replicate: what is declared anew after a look goes on behind the seeds looked at.
    block
        Seeds per cell (0: all of them in one).
    keep
        Predicate on an axes' combination; leaves out those for which it is false.
    """

    axes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    inner: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: int = 1
    first_seed: int = 0
    block: int = 0
    keep: Callable[[Mapping[str, Any]], bool] | None = None


@dataclass(frozen=True)
class Margin:
    """Largest deviation from the predicted value that still counts as agreement, and where it comes from.

    ``value`` is in the units of what is compared: the exponent for a power law, the ratio to the prediction for a
    formula, a multiple of the observation's own rounding bound for an identity or a bound.
    ``origin`` is ``physics`` (less than half the distance to the nearest rival), ``finite size`` or ``dtype``.
    ``relative`` concerns the edges of a band and the curve of a boundary: false compares differences, in units of
    the control; true compares ratios of measured to predicted edge.
    """

    value: float
    origin: Literal["physics", "finite size", "dtype"]
    because: str
    relative: bool = False


@dataclass(frozen=True)
class CounterSystem:
    """Another system sent through the same ``measure``, for which the law must come out *disagrees*.

    ``select`` picks it from the study's Dataset, as the check's own ``select`` picks the law's system.
    """

    name: str
    select: Mapping[str, Any]
    because: str


@dataclass(frozen=True)
class Check:
    """One law weighed on a study's data.

    Parameters
    ----------
    law
        Name of the law.
    observe
        Dataset of the study (after ``select``) -> observation Dataset for the law's kind of claim.
    margin
        Declared in advance.
    select
        Part of the Dataset that holds the law's own system (``Dataset.sel`` keywords).
    counter_systems
        Must all disagree.
    profiles
        Profiles in which this check is made.
    observed
        Those of them that show the numbers without a verdict, because their seeds are too few for one.
    minimum_effect
        For a trend: the smallest effect that counts.
    """

    law: str
    observe: Callable[[xr.Dataset], xr.Dataset]
    margin: Margin
    select: Mapping[str, Any] = field(default_factory=dict)
    counter_systems: tuple[CounterSystem, ...] = ()
    profiles: tuple[Profile, ...] = PROFILES
    observed: tuple[Profile, ...] = ()
    minimum_effect: float = 0.0


@dataclass(frozen=True)
class Study:
    """One ``measure``, its grids and its checks.

    ``measure(replicates=Replicates, data=Data | None, **cell axes, **inner arrays, **settings)`` returns named
    arrays whose dimensions are declared in ``variables``; it imports nothing from ``theory`` and holds no law.
    ``precision`` sets JAX's x64 flag around the call (and restores it).

    Parameters
    ----------
    name
        ``topic.name``; the store is ``OUT/NAME.zarr``.
    data
        Loader of the default data (None: the study needs none); ``--data PATH`` replaces what it gives when
        ``takes_data`` is true.
    """

    name: str
    title: str
    measure: Callable[..., Mapping[str, Any]]
    variables: Mapping[str, Variable]
    grids: Mapping[Profile, Grid]
    checks: tuple[Check, ...]
    precision: Literal["float64", "float32"] = "float64"
    reduction: Literal["sum", "mean", "none"] = "none"
    data: Callable[[], Any] | None = None
    takes_data: bool = False
    plot: Callable[..., Any] | None = None

    @property
    def topic(self) -> str:
        """First part of the name."""
        return self.name.split(".", 1)[0]
