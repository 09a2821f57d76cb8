"""Spectra of softmax Jacobians: by automatic differentiation in float64, and with 80 digits where it would be noise."""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses

DIGITS = 80
GAPS = (6.0, 8.0, 10.0, 12.0, 14.0)
PLACES = (2, 3, 4)
GROWTH_BETAS = (20.0, 40.0, 80.0)
SPREAD = 2.0
CLASSES = 4
LOGIT_SCALES = (1e-3, 1e-1, 1.0, 3.0, 10.0)
ROUNDING = 1e3 * float(np.finfo(np.float64).eps)

jacobian = jax.jit(jax.jacfwd(losses.softmax))


def laplacian(logits: np.ndarray) -> Any:
    """The softmax Jacobian with the digits that are set."""
    shares = [share(logits, place) for place in range(len(logits))]
    return mpmath.diag(shares) - mpmath.matrix(shares) * mpmath.matrix(shares).T


def spectrum(logits: np.ndarray) -> list[Any]:
    """Eigenvalues of the softmax Jacobian with 80 digits, ascending, the smallest (a zero) left out."""
    with mpmath.workdps(DIGITS):
        return sorted(mpmath.eigsy(laplacian(logits), eigvals_only=True))[1:]


def vectors(logits: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """The spectrum, and the entries of each eigenvector over that at its own class (eigenvalue, class), 2 to K."""
    with mpmath.workdps(DIGITS):
        values, columns = mpmath.eigsy(laplacian(logits))
        size = len(logits)
        order = sorted(range(size), key=lambda place: values[place])[1:]
        entries = [
            [float(columns[row, column] / columns[own, column]) for row in range(size)]
            for own, column in zip(range(1, size), reversed(order), strict=True)
        ]
        return [values[place] for place in order], np.array(entries)


def share(logits: np.ndarray, place: int) -> Any:
    """Softmax of one class with 80 digits."""
    with mpmath.workdps(DIGITS):
        weights = [mpmath.exp(mpmath.mpf(float(z))) for z in logits]
        return weights[place] / mpmath.fsum(weights)


def secular(logits: np.ndarray) -> tuple[list[float], list[float]]:
    """Sum over classes of p/(p - mu) at every eigenvalue but 0, and the same of the terms' sizes."""
    with mpmath.workdps(DIGITS):
        shares = [share(logits, place) for place in range(len(logits))]
        terms = [[p / (p - mu) for p in shares] for mu in spectrum(logits)]
        return [float(mpmath.fsum(row)) for row in terms], [float(mpmath.fsum(map(abs, row))) for row in terms]


def ladder(random: np.random.Generator, gap: float, separated: bool) -> np.ndarray:
    """Descending logits whose gaps are ``gap`` and more, or logits of two close pairs with the gap between them."""
    extra = np.sort(random.uniform(0.0, 0.5, size=CLASSES))[::-1]
    steps = gap * np.arange(CLASSES)[::-1] if separated else gap * (np.arange(CLASSES) < CLASSES // 2)
    return steps + extra


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    gap: np.ndarray,
    place: np.ndarray,
    beta: np.ndarray,
    logit_scale: np.ndarray,
    points: int,
) -> Mapping[str, Any]:
    """Ratios of eigenvalues to shares, condition numbers, and the Jacobians themselves."""
    ratios, scaled, growth, entries, shares, products, tilts, sums = [], [], [], [], [], [], [], []
    for random in replicates.generators():
        eigenvalues = {}
        frozen = np.empty((gap.size, place.size))
        ends = np.empty(gap.size)
        tilt = np.empty((gap.size, place.size, CLASSES))
        offsets = np.random.default_rng(random.integers(2**31))
        state = offsets.bit_generator.state
        for level, g in enumerate(gap):
            offsets.bit_generator.state = state
            logits = ladder(offsets, float(g), system == "separated")
            eigenvalues, tilt[level] = vectors(logits)
            for column, i in enumerate(place):
                frozen[level, column] = float(eigenvalues[CLASSES - int(i)] / share(logits, int(i) - 1))
            ends[level] = float(eigenvalues[-1] / eigenvalues[0] * share(logits, CLASSES - 1) / share(logits, 1))
        ratios.append(frozen)
        tilts.append(tilt)
        scaled.append(ends)
        growth.append([condition(random_points(random, points, system == "separated"), float(b)) for b in beta])
        z = random.normal(size=CLASSES)
        z = z / z.std()
        found = np.asarray(jnp.stack([jacobian(jnp.asarray(scale * z)) for scale in logit_scale]))
        entries.append(found)
        shares.append(np.asarray(jnp.stack([losses.softmax(jnp.asarray(scale * z)) for scale in logit_scale])))
        products.append([float(mpmath.fprod(spectrum(scale * z))) for scale in logit_scale])
        sums.append([secular(scale * z) for scale in logit_scale])
    return {
        "ratio": np.array(ratios),
        "scaled": np.array(scaled),
        "kappa": np.array(growth),
        "jacobian": np.array(entries),
        "share": np.array(shares),
        "product": np.array(products),
        "tilt": np.array(tilts),
        "secular": np.array(sums)[:, :, 0],
        "secular_terms": np.array(sums)[:, :, 1],
    }


def random_points(random: np.random.Generator, points: int, spread: bool) -> np.ndarray:
    """Random logits of several points, scaled to one spread of gaps; or one wrong logit for all wrong classes."""
    z = -np.sort(-random.normal(size=(points, CLASSES)), axis=1)
    if not spread:
        return np.concatenate([np.abs(z[:1, :1]), np.zeros((1, CLASSES - 1))], axis=1)
    return z * SPREAD / (np.max(z[:, 0] - z[:, -1]) - np.min(z[:, 0] - z[:, 1]))


def condition(logits: np.ndarray, beta: float) -> float:
    """Largest over smallest nonzero eigenvalue of the block-diagonal Jacobian of all points."""
    found = [value for row in logits for value in spectrum(beta * row)]
    return float(max(found) / min(found))


def frozen(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of eigenvalue over share from its limit, along the largest ratio of neighbours."""
    found = dataset["ratio"].rename(gap="x").assign_coords(x=np.exp(-dataset["gap"].values))
    i = dataset["place"].astype(float)
    found = found.assign_coords(i=("place", i.values))
    return xr.Dataset({"error": abs(found - i / (i - 1)), "measured": found})


def larger_entries(dataset: xr.Dataset) -> xr.Dataset:
    """Entries of the eigenvectors at each larger class, and how far they are from their limit."""
    found = entries(dataset, [(i, j) for i in PLACES for j in range(1, i)])
    return xr.Dataset({"error": abs(found + 1 / (found["i"] - 1)), "measured": found})


def smaller_entries(dataset: xr.Dataset) -> xr.Dataset:
    """Entries of the eigenvectors at each smaller class."""
    found = entries(dataset, [(i, j) for i in PLACES for j in range(i + 1, CLASSES + 1)])
    return xr.Dataset({"error": abs(found), "measured": found})


def entries(dataset: xr.Dataset, pairs: list[tuple[int, int]]) -> xr.DataArray:
    """Entries for pairs of an eigenvector's own class and another one, along the largest ratio of neighbours."""
    own, other = (xr.DataArray(np.array(column), dims="pair") for column in zip(*pairs, strict=True))
    found = dataset["tilt"].sel(place=own).isel(class_=other - 1).rename(gap="x")
    return found.drop_vars("place").assign_coords(x=np.exp(-dataset["gap"].values), i=own.astype(float))


def secular_equation(dataset: xr.Dataset) -> xr.Dataset:
    """The sum at every eigenvalue, beside the size of its terms."""
    left = dataset["secular"]
    return xr.Dataset(
        {
            "left": left,
            "right": xr.zeros_like(left),
            "right[one]": xr.ones_like(left),
            "right[a class each]": xr.full_like(left, CLASSES),
            "bound": ROUNDING * dataset["secular_terms"],
        }
    )


def frozen_condition(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of the scaled condition number from its limit."""
    found = dataset["scaled"].rename(gap="x").assign_coords(x=np.exp(-dataset["gap"].values), K=float(CLASSES))
    return xr.Dataset({"error": abs(found - 2 * (CLASSES - 1) / CLASSES), "measured": found})


def growth(dataset: xr.Dataset) -> xr.Dataset:
    """Condition numbers along exp(beta), at logits of one spread."""
    found = dataset["kappa"].rename(beta="exp_beta").assign_coords(exp_beta=np.exp(dataset["beta"].values))
    return xr.Dataset({"measured": found}, coords={"spread": SPREAD})


def null(dataset: xr.Dataset) -> xr.Dataset:
    """Row sums of the Jacobian."""
    sums = dataset["jacobian"].sum("other", skipna=False)
    p = dataset["share"]
    return xr.Dataset(
        {
            "left": sums,
            "right": xr.zeros_like(sums),
            "right[shares]": p**2,
            "right[minus half a square]": -(p**2) / 2,
            "bound": ROUNDING * p,
        }
    )


def trace(dataset: xr.Dataset) -> xr.Dataset:
    """Sum of the diagonal, beside what the shares give."""
    p = dataset["share"]
    places = xr.DataArray(np.arange(CLASSES), dims="entry")
    diagonal = dataset["jacobian"].isel(class_=places, other=places).sum("entry", skipna=False)
    right = 1 - (p**2).sum("class_", skipna=False)
    return xr.Dataset({"left": diagonal, "right": right, "right[one]": xr.ones_like(right), "bound": ROUNDING})


def pseudo_determinant(dataset: xr.Dataset) -> xr.Dataset:
    """Product of the nonzero eigenvalues, beside that of the shares."""
    shares = dataset["share"].prod("class_", skipna=False)
    return xr.Dataset(
        {
            "left": dataset["product"],
            "right": CLASSES * shares,
            "right[twice]": 2 * shares,
            "right[shares alone]": shares,
            "bound": ROUNDING * shares,
        }
    )


APART, PAIRS = {"system": "separated"}, {"system": "pairs"}
GRID = Grid(
    axes={"system": ("separated", "pairs")},
    inner={
        "gap": GAPS,
        "place": PLACES,
        "beta": GROWTH_BETAS,
        "logit_scale": LOGIT_SCALES,
    },
    settings={"points": 5},
    seeds=12,
)
SCALED = ("seed", "logit_scale")

STUDY = Study(
    name="temperature.conditioning",
    title="Spectra of softmax Jacobians",
    measure=measure,
    variables={
        "ratio": Variable(("seed", "gap", "place"), "1", "eigenvalue over the share of its class"),
        "scaled": Variable(("seed", "gap"), "1", "condition number of a block over the ratio of shares 2 and K"),
        "kappa": Variable(("seed", "beta"), "1", "condition number of several points"),
        "jacobian": Variable((*SCALED, "class_", "other"), "1", "softmax Jacobian by automatic differentiation"),
        "share": Variable((*SCALED, "class_"), "1", "softmax"),
        "tilt": Variable(("seed", "gap", "place", "class_"), "1", "entry of an eigenvector over that at its class"),
        "secular": Variable((*SCALED, "eigen"), "1", "sum over classes of p/(p - mu) at an eigenvalue"),
        "secular_terms": Variable((*SCALED, "eigen"), "1", "the same of the terms' sizes"),
        "product": Variable(SCALED, "1", "product of the nonzero eigenvalues"),
    },
    grids={"quick": GRID, "full": GRID, "paper": GRID},
    checks=(
        Check(
            law="temperature.frozen_eigenvalues",
            observe=frozen,
            margin=Margin(
                0.1, "physics", "the error falls like x; x^2 is 1 away, and gaps of 6 bend the slope by 0.01"
            ),
            select=APART,
            counter_systems=(CounterSystem("pairs", PAIRS, "classes that are close share their eigenvalues"),),
        ),
        Check(
            law="temperature.frozen_eigenvectors",
            observe=larger_entries,
            margin=Margin(0.1, "physics", "entries of 1/3 and more are what the printed vector leaves out"),
            select=APART,
            counter_systems=(CounterSystem("pairs", PAIRS, "classes that are close share their eigenvectors"),),
        ),
        Check(
            law="temperature.frozen_eigenvector_tail",
            observe=smaller_entries,
            margin=Margin(0.1, "physics", "classes that move together have entries of order 1"),
            select=APART,
            counter_systems=(CounterSystem("pairs", PAIRS, "classes that are close share their eigenvectors"),),
        ),
        Check(
            law="temperature.softmax_secular",
            observe=secular_equation,
            margin=Margin(1.0, "dtype", "a sum of K terms, each rounded once to float64"),
        ),
        Check(
            law="temperature.frozen_condition_number",
            observe=frozen_condition,
            margin=Margin(0.2, "physics", "the error must fall by a factor 5 from a gap of 6 to one of 14"),
            select=APART,
            counter_systems=(CounterSystem("pairs", PAIRS, "the ends are not frozen in pairs"),),
        ),
        Check(
            law="temperature.conditioning_growth",
            observe=growth,
            margin=Margin(0.06, "physics", "3 % of the spread; O(1) in the logarithm bends the slope by 1 %"),
            select=APART,
            counter_systems=(CounterSystem("one gap", PAIRS, "where all wrong classes are alike the ratio is K p_1"),),
        ),
        Check(
            law="temperature.softmax_jacobian_null",
            observe=null,
            margin=Margin(1.0, "dtype", "a sum of K entries in float64"),
        ),
        Check(
            law="temperature.softmax_trace",
            observe=trace,
            margin=Margin(1.0, "dtype", "a sum of K entries in float64"),
        ),
        Check(
            law="temperature.pseudo_determinant",
            observe=pseudo_determinant,
            margin=Margin(1.0, "dtype", "a product of K shares in float64"),
        ),
    ),
)
