"""Gaussian expectations of activations by drawing pairs, and by quadrature (width:X5)."""

from collections.abc import Mapping

import jax.numpy as jnp
import numpy as np
import xarray as xr
from scipy import special

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics.activations import leaky_softplus
from numerics.expectations import quadrature

NORMS = ((1.0, 1.5), (0.5, 2.0))
ANGLES = (0.4, 1.2, 2.2, 2.9)
SLOPES = (0.1, 0.5)


def pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Norms of both inputs and the angle between them, for every pair."""
    found = [(one, other, angle) for one, other in NORMS for angle in ANGLES]
    norm, other, angle = np.array(found).T
    return norm, other, angle


def measure(*, replicates: Replicates, data: None, draws: int, nodes: int) -> Mapping[str, np.ndarray]:
    """Means over drawn input weights; and, by quadrature, of leaky softplus and of softplus."""
    del data
    norm, other, angle = (part[:, None] for part in pairs())
    found = {name: [] for name in ("relu_values", "relu_slopes", "erf_values", "erf_slopes")}
    for random in replicates.generators():
        first, second = random.standard_normal((2, draws))
        z, z_other = norm * first, other * (np.cos(angle) * first + np.sin(angle) * second)
        both = {
            "relu_values": np.maximum(z, 0) * np.maximum(z_other, 0),
            "relu_slopes": (z > 0) & (z_other > 0),
            "erf_values": special.erf(z) * special.erf(z_other),
            "erf_slopes": (4 / np.pi) * np.exp(-(z**2) - z_other**2),
        }
        for name, values in both.items():
            found[name].append(values.mean(axis=1))
    return {name: np.array(values) for name, values in found.items()} | _by_quadrature(nodes, len(replicates.ids))


def _by_quadrature(nodes: int, seeds: int) -> dict[str, np.ndarray]:
    """Expectations of leaky softplus, shape (seed, slope, pair), and of softplus, (seed, pair); all seeds are equal."""
    norm, other, angle = (jnp.asarray(part) for part in pairs())
    at = norm**2, other**2, norm * other * jnp.cos(angle)
    leaky = [quadrature(lambda z, slope=slope: leaky_softplus(z, slope), nodes)(*at) for slope in SLOPES]
    bend = quadrature(lambda z: leaky_softplus(z, 0.0), nodes)(*at)
    parts = {
        "leaky_values": [one.phi_phi for one in leaky],
        "leaky_slopes": [one.dphi_dphi for one in leaky],
        "bend_values": bend.phi_phi,
        "bend_slopes": bend.dphi_dphi,
    }
    return {name: np.repeat(np.asarray(part)[None], seeds, axis=0) for name, part in parts.items()}


def drawn(name: str, at_pairs: slice = slice(None)):
    """Reads one of the drawn means, with the inputs' norms, angles and what the closed forms need."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        norm, other, angle = pairs()
        made = xr.Dataset({"measured": data[name]}).assign_coords(
            norm=("pair", norm),
            norm_other=("pair", other),
            theta=("pair", angle),
            root=("pair", np.sqrt(1 + 2 * norm**2)),
            root_other=("pair", np.sqrt(1 + 2 * other**2)),
            inner=("pair", norm * other * np.cos(angle)),
        )
        return made.isel(pair=at_pairs)

    return observe


def leaky(kind: str):
    """Leaky softplus against softplus, by quadrature alone; rounding of sums over all nodes."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        norm, other, angle = pairs()
        left, bend = (data[name].isel(seed=0, drop=True) for name in (f"leaky_{kind}", f"bend_{kind}"))
        symbol = {"values": "E_psi_psi", "slopes": "E_dpsi_dpsi"}[kind]
        made = xr.Dataset({"left": left, symbol: bend, "bound": ROUNDING * (1.0 + abs(left))})
        return made.assign_coords(slope=("slope", list(SLOPES)), inner=("pair", norm * other * np.cos(angle)))

    return observe


ROUNDING = 1e-13
"""Of sums over 64 x 64 nodes in float64."""

_POSITIVE = slice(0, 2)
_DRAWN = Margin(0.05, "physics", "a fifth and less of the distances to the rivals at these pairs")
_EXACT = Margin(1.0, "dtype", "one rounding bound of a sum over all nodes")
STUDY = Study(
    name="width.kernels",
    title="Means of products of activations over drawn Gaussian pairs, and by quadrature",
    measure=measure,
    variables={
        "relu_values": Variable(("seed", "pair"), "1", "mean of phi phi' of the rectifier"),
        "relu_slopes": Variable(("seed", "pair"), "1", "mean of phi' phi' of the rectifier"),
        "erf_values": Variable(("seed", "pair"), "1", "mean of phi phi' of erf"),
        "erf_slopes": Variable(("seed", "pair"), "1", "mean of phi' phi' of erf"),
        "leaky_values": Variable(("seed", "slope", "pair"), "1", "E phi phi' of leaky softplus"),
        "leaky_slopes": Variable(("seed", "slope", "pair"), "1", "E phi' phi' of leaky softplus"),
        "bend_values": Variable(("seed", "pair"), "1", "E phi phi' of softplus"),
        "bend_slopes": Variable(("seed", "pair"), "1", "E phi' phi' of softplus"),
    },
    grids={
        "quick": Grid(settings={"draws": 40_000, "nodes": 64}, seeds=24),
        "full": Grid(settings={"draws": 1_000_000, "nodes": 96}, seeds=24),
        "paper": Grid(settings={"draws": 4_000_000, "nodes": 128}, seeds=24),
    },
    checks=(
        Check("width.kernel_relu_values", drawn("relu_values", _POSITIVE), _DRAWN),
        Check("width.kernel_relu_slopes", drawn("relu_slopes", _POSITIVE), _DRAWN),
        Check("width.kernel_erf_values", drawn("erf_values"), _DRAWN),
        Check("width.kernel_erf_slopes", drawn("erf_slopes"), _DRAWN),
        Check("width.kernel_leaky_values", leaky("values"), _EXACT),
        Check("width.kernel_leaky_slopes", leaky("slopes"), _EXACT),
    ),
)
