"""Initial sums of growing networks: kernels and logits at several scalings, and starts that break a hypothesis.

Everything is a sum over neurons at the start, so no network is trained. A seed is a group of networks, more of them
where they are narrower; what is stored is a group's mean, root mean square or median.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import xarray as xr
from scipy.special import erf, expit

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable

SCALINGS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "NTK": (-0.5, 0.0),
        "mean-field": (-1.0, 1.0),
        "sym-default": (-0.5, 0.5),
        "intermediate": (-0.75, 0.5),
        "large": (0.0, 0.0),
    }
)
"""Exponents (q_sigma, q) of networks whose width is rho times the reference's."""

COMPONENTS, SLOPE, INDEX = 2, 0.1, 1.5


def _softplus(z: np.ndarray) -> np.ndarray:
    return (1 - SLOPE) * np.logaddexp(0.0, z) + SLOPE * z


def _slope(z: np.ndarray) -> np.ndarray:
    return (1 - SLOPE) * expit(z) + SLOPE


INPUTS = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, np.sqrt(0.75)]])
"""Unit vectors: the first two are orthogonal, the first and third are sixty degrees apart."""

STARTS = {"symmetric": 0.0, "biased": 1.0}
PAIRS: Mapping[str, tuple[Callable[[np.ndarray], np.ndarray], int, int]] = MappingProxyType(
    {"odd, orthogonal": (erf, 0, 1), "odd, generic": (erf, 0, 2), "leaky softplus, orthogonal": (_softplus, 0, 1)}
)
WEIGHTS = ("normal", "t(1.5)")


def measure(
    *,
    replicates: Replicates,
    data: None,
    width: int,
    scaling: np.ndarray,
    start: np.ndarray,
    pair: np.ndarray,
    weights: np.ndarray,
    neurons: int,
    reference: int,
    unusual: int,
) -> Mapping[str, np.ndarray]:
    """Group means of initial kernels and squared logits, and typical kernels of unusual starts.

    ``neurons`` are those of all networks of a group together; ``unusual`` networks of every width serve the starts
    that break a hypothesis.
    """
    del data
    found = []
    for random in replicates.generators():
        usual = _draw(random, int(width), max(neurons // int(width), 1))
        kernel, square = _at_scalings_of(usual, [str(name) for name in scaling], int(width) / reference, start)
        few = _draw(random, int(width), unusual)
        found.append({"mean_kernel": kernel, "square": square, **_unusual(few, random, pair, weights)})
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


class _Drawn(NamedTuple):
    """Output weights (network, neuron) and what input weights make of the inputs (input, network, neuron)."""

    a: np.ndarray
    reach: np.ndarray


def _draw(random: np.random.Generator, width: int, networks: int) -> _Drawn:
    a = random.normal(size=(networks, width))
    w = random.normal(size=(networks, width, COMPONENTS))
    return _Drawn(a, np.moveaxis(w @ INPUTS.T, -1, 0))


def _at_scalings_of(
    drawn: _Drawn, scalings: list[str], ratio: float, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    values, slopes = _softplus(drawn.reach), _slope(drawn.reach)
    logits = [np.einsum("nw,inw->in", drawn.a + STARTS[str(name)], values) for name in starts]
    of_a = np.einsum("nw,nw->n", values[0], values[2]).mean()
    of_w = np.einsum("nw,nw,nw->n", drawn.a**2, slopes[0], slopes[2]).mean() * (INPUTS[0] @ INPUTS[2])
    kernels, squares = [], []
    for name in scalings:
        q_sigma, q = SCALINGS[name]
        sigma, rate = ratio**q_sigma, ratio**q
        kernels.append([rate * sigma**2 * of_a, rate * sigma**2 * of_w])
        squares.append([np.mean((sigma * one) ** 2) for one in logits])
    return np.array(kernels), np.array(squares)


def _unusual(
    drawn: _Drawn, random: np.random.Generator, pairs: np.ndarray, weights: np.ndarray
) -> dict[str, np.ndarray]:
    slopes = _slope(drawn.reach)
    squares = {"normal": drawn.a**2, "t(1.5)": random.standard_t(INDEX, size=drawn.a.shape) ** 2}
    of_pairs = []
    for name in pairs:
        activation, one, other = PAIRS[str(name)]
        of_pairs.append(_size((activation(drawn.reach[one]) * activation(drawn.reach[other])).sum(axis=-1)))
    typical = [np.median((squares[str(name)] * slopes[0] * slopes[2]).sum(axis=-1)) for name in weights]
    return {"pair_kernel": np.array(of_pairs), "typical": np.array(typical)}


def _size(values: np.ndarray) -> np.ndarray:
    return np.sqrt(np.mean(values**2))


def _at_scalings(data: xr.Dataset) -> xr.Dataset:
    along = np.transpose([SCALINGS[str(name)] for name in data["scaling"].values])
    return data.assign_coords(q_sigma=("scaling", along[0]), q=("scaling", along[1]))


def ratios(variable: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Group means at the next width over those at the smallest, the reference; groups are independent."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        reference, *wide = sorted(float(width) for width in data["width"].values)
        wider = data[variable].sel(width=wide[:1])
        made = xr.Dataset({"measured": wider / data[variable].sel(width=reference, drop=True)})
        return _at_scalings(made).assign_coords(d=("width", wider["width"].values), d_star=reference)

    return observe


def along_width(variable: str, **fixed: float) -> Callable[[xr.Dataset], xr.Dataset]:
    """A variable along the widths, with the values of what does not vary."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        return xr.Dataset({"measured": data[variable]}).assign_coords({"d": ("width", data["width"].values), **fixed})

    return observe


_UNIT = {"q_sigma": 0.0, "q_a": 0.0, "q_w": 0.0}
_RATIO = Margin(
    0.15, "physics", "less than half of the distance to 1, the unbiased reference's ratio, at every other scaling"
)


def _grid(powers: tuple[int, ...], neurons: int, unusual: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": tuple(2**power for power in powers)},
        inner={"scaling": tuple(SCALINGS), "start": tuple(STARTS), "pair": tuple(PAIRS), "weights": WEIGHTS},
        settings={"neurons": neurons, "reference": 2 ** powers[0], "unusual": unusual},
        seeds=seeds,
    )


STUDY = Study(
    name="width.initial_sums",
    title="Initial kernels and logits of growing networks, and starts that break a hypothesis",
    measure=measure,
    variables={
        "mean_kernel": Variable(("seed", "scaling", "layer"), "1", "mean initial kernel, inputs sixty degrees apart"),
        "square": Variable(("seed", "scaling", "start"), "1", "mean squared initial logit"),
        "pair_kernel": Variable(("seed", "pair"), "1", "kernel of output weights at two inputs, root mean square"),
        "typical": Variable(("seed", "weights"), "1", "kernel of the input weights, median over networks"),
    },
    grids={
        "quick": _grid((8, 10, 12, 14), 2**17, 20, 40),
        "full": _grid((8, 10, 12, 14, 16), 2**20, 64, 40),
    },
    checks=(
        Check(law="width.initial_kernel_ratio", observe=ratios("mean_kernel"), margin=_RATIO),
        Check(
            law="width.initial_variance_ratio",
            observe=ratios("square"),
            margin=_RATIO,
            select={"start": "symmetric"},
            counter_systems=(
                CounterSystem("biased output weights", {"start": "biased"}, "its square adds one power of the ratio"),
            ),
        ),
        Check(
            law="width.heavy_tails",
            observe=along_width("typical", excess=1 / INDEX - 0.5, **_UNIT),
            margin=Margin(0.1, "physics", "less than a third of the 1/3 by which the law of large numbers differs"),
            select={"weights": "t(1.5)"},
            counter_systems=(
                CounterSystem("normal output weights", {"weights": "normal"}, "their squares have a mean: exponent 1"),
            ),
        ),
        Check(
            law="width.orthogonal_inputs",
            observe=along_width("pair_kernel", **_UNIT),
            margin=Margin(0.1, "physics", "a fifth of the 1/2 by which a mean and a fluctuation differ"),
            select={"pair": "odd, orthogonal"},
            counter_systems=(
                CounterSystem("generic inputs", {"pair": "odd, generic"}, "correlated activations: a mean"),
                CounterSystem("leaky softplus", {"pair": "leaky softplus, orthogonal"}, "not odd: the sum has a mean"),
            ),
        ),
    ),
)
