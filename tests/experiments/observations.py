"""A planted observation for each kind of claim, with the law that it obeys and one that it does not."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import xarray as xr
from sympy import Function, Integer, Rational, Symbol, sign, sqrt

from experiments.study import Margin
from theory.claims import (
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
from theory.law import Law, Quantity, Rival, Source, Status

x, y = Symbol("x", positive=True), Symbol("y", positive=True)
quantity = Function("quantity")(x)
stable = Function("stable")(x) > 0
SEEDS = 12


def law(claim: Claim, rival: Claim) -> Law:
    """Law with a stand-in for its derivation."""
    kind = claim.kind
    rate: Any = SimpleNamespace(conclusion=getattr(claim, "rate_statement", None))
    derivation: Any = SimpleNamespace(conclusion=claim.statement, steps=(rate,))
    return Law(
        name=f"width.planted_{kind.lower()}",
        title=f"A planted {kind}: what the picture of this kind of claim looks like",
        status=Status.THEOREM,
        source=Source("none", "nowhere", ("width:P1",), "planted for a test"),
        quantities=(Quantity(x, "the control"), Quantity(y, "the second control", "1/s")),
        regime="everywhere",
        derivation=derivation,
        claim=claim,
        rivals=(Rival("planted wrong", rival, "it is wrong on purpose"),),
    )


def claims() -> dict[str, tuple[Claim, Claim]]:
    """The claim of each kind that the observation obeys, and one that it does not."""
    half = Rational(1, 2)
    inner, outer = (
        Regime("inner", x < 1, (Integer(0), Integer(1))),
        Regime("outer", x >= 1, (Integer(1), half)),
    )
    side = sign(x - 1, evaluate=False)
    below = side * (side - 1) / 2  # 1 where x < 1, else 0
    swapped = Regime("inner", x < 1, outer.signature), Regime("outer", x >= 1, inner.signature)
    return {
        "Identity": (Identity(quantity, x), Identity(quantity, 2 * x)),
        "Bound": (Bound(quantity, x), Bound(quantity, x / 10)),
        "Formula": (Formula(quantity, 2 / x), Formula(quantity, 4 / x)),
        "PowerLaw": (PowerLaw(quantity, x, -half), PowerLaw(quantity, x, Integer(-1))),
        "Band": (Band(stable, x, Integer(1), Integer(2)), Band(stable, x, half, Integer(4))),
        "Boundary": (Boundary(stable, x, y, sqrt(x)), Boundary(stable, x, y, x**2)),
        "Trend": (Trend(quantity, x, 1), Trend(quantity, x, -1)),
        "Partition": (
            Partition((inner, outer), features=(1 - below, (1 + below) / 2)),
            Partition(swapped, features=(below, 1 - below / 2)),
        ),
        "Limit": (
            Limit(quantity, x, Integer(0), Integer(1), Integer(1)),
            Limit(quantity, x, Integer(0), Integer(1), Integer(3)),
        ),
    }


def observation(kind: str, seed: int = 0) -> xr.Dataset:
    """Data that obey ``claims()[kind][0]``, with small noise from seed to seed."""
    return _OBSERVATIONS[kind](np.random.default_rng(seed))


def margin(kind: str) -> Margin:
    """Margin declared for the planted law."""
    if kind in ("Identity", "Bound"):
        return Margin(1.0, "dtype", "the rounding of one product")
    return Margin(0.1, "physics", "less than half the distance to the planted wrong version")


def _identity(draw: np.random.Generator) -> xr.Dataset:
    right = np.geomspace(1e-3, 1e3, 40)
    bound = 4 * np.finfo(np.float64).eps * right
    left = right + bound * draw.uniform(-0.6, 0.6, 40)
    return _dataset(
        {"left": (("point",), left), "right": (("point",), right), "bound": (("point",), bound)},
        {"x": ("point", right)},
    )


def _bound(draw: np.random.Generator) -> xr.Dataset:
    larger = np.geomspace(0.1, 100, 40)
    smaller = larger * draw.uniform(0.05, 0.95, 40)
    variables = {
        "smaller": (("point",), smaller),
        "larger": (("point",), larger),
        "bound": (("point",), 1e-12 * larger),
    }
    return _dataset(variables, {"x": ("point", larger)})


def _formula(draw: np.random.Generator) -> xr.Dataset:
    control = np.geomspace(0.1, 10, 6)
    measured = 2 / control * (1 + 0.02 * draw.standard_normal((SEEDS, 6)))
    return _dataset({"measured": (("seed", "x"), measured)}, {"x": control})


def _power_law(draw: np.random.Generator) -> xr.Dataset:
    control = 2.0 ** np.arange(5, 12)
    prefactor = np.array([1.0, 3.0])[None, :, None]
    noise = np.exp(0.05 * draw.standard_normal((SEEDS, 2, 7)))
    coords = {"x": control, "readout": ["trained", "fixed"]}
    return _dataset({"measured": (("seed", "readout", "x"), prefactor * control**-0.5 * noise)}, coords)


def _band(draw: np.random.Generator) -> xr.Dataset:
    control = np.linspace(0.2, 3.0, 29)
    edges = np.array([1.0, 2.0]) * (1 + 0.01 * draw.standard_normal((SEEDS, 2)))
    inside = (control >= edges[:, :1]) & (control <= edges[:, 1:])
    variables = {
        "lower": (("seed",), edges[:, 0]),
        "upper": (("seed",), edges[:, 1]),
        "inside": (("seed", "point"), inside),
    }
    return _dataset(variables, {"x": ("point", control)})


def _boundary(draw: np.random.Generator) -> xr.Dataset:
    across, up = (part.ravel() for part in np.meshgrid(np.linspace(0.1, 4, 16), np.linspace(0.1, 3, 16)))
    edge = np.sqrt(across) * (1 + 0.01 * draw.standard_normal((SEEDS, across.size)))
    return _dataset(
        {"behaves": (("seed", "point"), up <= edge)}, {"x": ("point", across), "y": ("point", up)}
    )


def _trend(draw: np.random.Generator) -> xr.Dataset:
    control = np.arange(1.0, 6.0)
    measured = (
        np.log(control) + 0.1 * draw.standard_normal((SEEDS, 5)) + 0.2 * draw.standard_normal((SEEDS, 1))
    )
    return _dataset({"measured": (("seed", "x"), measured)}, {"x": control})


def _partition(draw: np.random.Generator) -> xr.Dataset:
    signature = np.array([[0.0, 1.0], [1.0, 0.5]]) + 0.02 * draw.standard_normal((SEEDS, 2, 2))
    coords = {"regime": ["inner", "outer"], "feature": ["kernel", "logits"], "x": ("regime", [0.5, 2.0])}
    return _dataset({"signature": (("seed", "regime", "feature"), signature)}, coords)


def _limit(draw: np.random.Generator) -> xr.Dataset:
    control = np.geomspace(1e-3, 1e-1, 6)
    error = control * np.exp(0.05 * draw.standard_normal((SEEDS, 6)))
    return _dataset({"error": (("seed", "x"), error)}, {"x": control})


def _dataset(variables: dict, coords: dict) -> xr.Dataset:
    data = xr.Dataset(variables, coords=coords)
    for name in variables:
        data[name].attrs = {"long_name": f"planted {name}", "units": "1"}
    return data


_OBSERVATIONS = {
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
