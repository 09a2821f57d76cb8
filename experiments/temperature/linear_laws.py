"""Models that are linear in their parameters: what each law says of the trajectories, the flow and the rest."""

from typing import Any

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.temperature.linear_training import CLASSES, DECAY, POINTS, RATE, ROUNDING, STUDY


def norm(array: xr.DataArray) -> xr.DataArray:
    """Largest entry over points and classes."""
    return abs(array).max(("point", "class_"), skipna=False)


def pseudo_inverse(matrices: np.ndarray, **options: Any) -> np.ndarray:
    """Generalised inverses of matrices on the last two axes; of one with lost numbers, none."""
    lost = ~np.isfinite(matrices).all(axis=(-1, -2), keepdims=True)
    found = np.linalg.pinv(np.where(lost, 0.0, matrices), **options)
    return np.where(np.broadcast_to(lost, found.shape), np.nan, found)


def scaled(dataset: xr.Dataset) -> xr.DataArray:
    """Scaled logits of the training points along the way."""
    return dataset["beta"] * dataset["logits"].isel(any_point=slice(0, POINTS)).rename(any_point="point")


def collapse(dataset: xr.Dataset) -> xr.Dataset:
    """Trajectories at each temperature, and at beta = 1."""
    found = scaled(dataset)
    reference = found.sel(beta=1.0, drop=True)
    return xr.Dataset(
        {
            "left": found,
            "right": reference.broadcast_like(found),
            "bound": ROUNDING * (1 + norm(reference).max("step")),
            "Z0_held": reference.isel(step=0, drop=True),
        }
    )


def propagated(dataset: xr.Dataset) -> xr.Dataset:
    """Change of the logits of a point that is not trained on, and what the kernel makes of the training logits."""
    z = dataset["logits"].transpose("seed", ..., "beta", "step", "any_point", "class_")
    jacobian = dataset["jacobian"].transpose("seed", ..., "row", "parameter").values
    trained, other = jacobian[..., : POINTS * CLASSES, :], jacobian[..., POINTS * CLASSES :, :]
    kernel, cross = trained @ np.swapaxes(trained, -1, -2), other @ np.swapaxes(trained, -1, -2)
    through = cross @ pseudo_inverse(kernel, rcond=1e-10, hermitian=True)
    values = z.values
    flat = values[..., :POINTS, :].reshape(*values.shape[:-2], POINTS * CLASSES)
    change = flat - flat[..., :1, :]
    along = lambda matrix, vector: np.einsum("...cr,...bsr->...bsc", matrix, vector)  # noqa: E731
    dims = (*z.dims[:-2], "class_")
    left = z.isel(any_point=POINTS) - z.isel(any_point=POINTS, step=0)
    bound = 1e-9 * abs(z).max(("step", "any_point", "class_"))
    return xr.Dataset(
        {
            "left": left,
            "right": (dims, along(through, change)),
            "right[printed in eq 13]": (dims, along(through, flat)),
            "right[no inverse]": (dims, along(cross, change)),
            "bound": bound,
        }
    )


def sums(dataset: xr.Dataset) -> xr.Dataset:
    """Sums over classes of every point's logits, now and at the start."""
    z = dataset["logits"]
    total = z.sum("class_", skipna=False)
    return xr.Dataset(
        {
            "left": total,
            "right": total.isel(step=0, drop=True).broadcast_like(total),
            "bound": ROUNDING * abs(z).max(("step", "any_point", "class_")),
            "z_first": z.isel(class_=0, drop=True),
            "K": float(CLASSES),
        }
    )


def coefficients(dataset: xr.Dataset) -> xr.Dataset:
    """Coefficients of the displacement in the Jacobian's rows, summed over the classes of each point."""
    theta = dataset["theta"].transpose("seed", "beta", "step", "parameter")
    jacobian = dataset["jacobian"].transpose("seed", "row", "parameter").values[:, : POINTS * CLASSES]
    found = np.einsum("srp,sbtp->sbtr", pseudo_inverse(np.swapaxes(jacobian, -1, -2)), theta.values)
    c = xr.DataArray(
        found.reshape(*found.shape[:-1], POINTS, CLASSES), dims=("seed", "beta", "step", "point", "class_")
    ).assign_coords(beta=dataset["beta"])
    return xr.Dataset(
        {
            "left": c.sum("class_", skipna=False),
            "right": xr.zeros_like(c.sum("class_", skipna=False)),
            "bound": 1e-10 * norm(c).max("step"),
            "c_first": c.isel(class_=0, drop=True),
        }
    )


def flow(dataset: xr.Dataset) -> xr.Dataset:
    """The rate of the logits after some training, and its parts by themselves."""
    beta = dataset["beta"]
    eta, lam = RATE / beta**2, DECAY * beta**2
    drive, change = dataset["drive"], dataset["change"]
    right = eta * (beta * drive - lam * change)
    return xr.Dataset(
        {
            "left": dataset["flow"],
            "right": right,
            "bound": ROUNDING * (norm(eta * beta * drive) + norm(eta * lam * change)),
            "eta": eta,
            "lam": lam,
            "drive[m, i]": drive,
            "dz[m, i]": change,
        }
    )


def rest(dataset: xr.Dataset) -> xr.Dataset:
    """Change of the scaled logits where Newton's method on the regularised loss ends, and the drive there."""
    beta = dataset["beta"]
    lam = DECAY * beta**2
    left, drive = beta * dataset["rest_change"], dataset["rest_drive"]
    right = beta**2 / lam * drive
    return xr.Dataset(
        {"left": left, "right": right, "bound": 1e-10 * (norm(left) + norm(right)), "lam": lam, "drive[m, i]": drive}
    )


def turned(dataset: xr.Dataset) -> xr.Dataset:
    """How the flow beside the rest changes along a perturbation, and the matrix of the linear theory on it."""
    beta = dataset["beta"]
    eta, lam = RATE / beta**2, DECAY * beta**2
    order = ("seed", "beta", "point", "class_")
    nudge, p = dataset["nudge"].transpose(*order), dataset["rest_softmax"].transpose(*order)
    bent = p * (nudge - (p * nudge).sum("class_", skipna=False))
    jacobian = dataset["jacobian"].transpose("seed", "row", "parameter").values[:, : POINTS * CLASSES]
    kernel = jacobian @ np.swapaxes(jacobian, -1, -2)
    flat = bent.values.reshape(*bent.shape[:2], POINTS * CLASSES)
    seen = bent.copy(data=np.einsum("sab,stb->sta", kernel, flat).reshape(bent.shape))
    parts = {"one temperature": beta * seen + lam * nudge, "no decay": beta**2 * seen}
    right = -eta * (beta**2 * seen + lam * nudge)
    bound = 1e-9 * (norm(right) + norm(eta * lam * nudge))
    rivals = {f"right[{name}]": -eta * part for name, part in parts.items()}
    return xr.Dataset({"left": dataset["turn"], "right": right, "bound": bound, **rivals})


def curved(dataset: xr.Dataset) -> xr.Dataset:
    """Second derivative of the regularised loss along a random direction, and along one that moves no logit."""
    lam = DECAY * dataset["beta"] ** 2
    return xr.Dataset(
        {
            "smaller": lam * dataset["size"],
            "larger": dataset["curvature"],
            "bound": ROUNDING * abs(dataset["curvature"]),
            "lam": lam,
            "size": dataset["size"],
            "curvature": dataset["curvature"],
        }
    )


LINEAR = ["block", "coupled", "free"]
DECAYED = {"system": "coupled"}
NOT_LINEAR = CounterSystem("a curved model", {"system": "curved"}, "its kernel changes as its parameters move")
ROUNDED = Margin(1.0, "dtype", "each instance carries a bound for the rounding of its own sums in float64")
CHECKS = tuple(
    (STUDY.name, check)
    for check in (
        Check(
            law="temperature.discrete_collapse",
            observe=collapse,
            margin=ROUNDED,
            select={"system": LINEAR},
            counter_systems=(NOT_LINEAR,),
        ),
        Check(
            law="temperature.kernel_propagation",
            observe=propagated,
            margin=ROUNDED,
            select={"system": "free"},
            counter_systems=(NOT_LINEAR,),
        ),
        Check(
            law="temperature.conserved_sum",
            observe=sums,
            margin=ROUNDED,
            select={"system": "block"},
            counter_systems=(CounterSystem("classes that share features", DECAYED, "their kernel mixes the classes"),),
        ),
        Check(
            law="temperature.conserved_coefficients",
            observe=coefficients,
            margin=ROUNDED,
            select=DECAYED,
        ),
        Check(law="temperature.regularised_flow", observe=flow, margin=ROUNDED, select=DECAYED),
        Check(law="temperature.regularised_fixed_point", observe=rest, margin=ROUNDED, select=DECAYED),
        Check(law="temperature.relaxation_matrix", observe=turned, margin=ROUNDED, select=DECAYED),
        Check(
            law="temperature.relaxation_at_least_decay",
            observe=curved,
            margin=ROUNDED,
            select=DECAYED,
        ),
    )
)
