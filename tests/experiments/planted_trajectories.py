"""Stored trajectories with planted maxima, and the verdict of a law of the topic on them."""

import numpy as np
import xarray as xr

from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_runs import VARIABLES
from experiments.registry import check_of
from experiments.verdict import judge
from theory.registry import laws

RECORDS = 21
TIME = np.linspace(0, 1, RECORDS)


def planted(sign=1.0, seeds=10, study=STUDY, profile="full"):
    """Curves with one hump; maxima go as rate^-0.8 S^0.5 (sign 1) or the other way (sign -1)."""
    settings = study.grids[profile].settings
    own = "rate_factor" if "rate_factor" in settings else "rate"
    rate, size = np.array(settings[own]), np.array(settings["batch_size"], dtype=float)
    effective = rate / (1 - np.array(settings.get("momentum", 0.0)))
    height = (effective**-0.8 * (size / 32) ** 0.5) ** sign
    noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((seeds, rate.size, 1)))
    hump = 2 + 20 * height[None, :, None] * noise * (TIME * (1 - TIME) * 4)[None, None, :] ** 2
    shape = hump.shape
    arrays = {name: np.ones(shape) for name, variable in VARIABLES.items() if len(variable.dims) == 3}
    arrays |= {name: hump for name in ("lambda_H", "lambda_K", "lambda_KM", "trace_K")}
    falling = 1 / hump
    arrays |= {"lambda_K_smallest": falling * hump * 0.01, "lambda_KM_smallest": falling * hump * 0.05}
    arrays["loss"] = np.broadcast_to(2.3 - 2.25 * TIME, shape)
    arrays["accuracy"] = np.broadcast_to(0.1 + 0.9 * TIME, shape)
    arrays["growth"] = np.full(shape, 0.5)
    arrays["lambda_H_residual"] = np.full(shape, 1e-6)
    found = {name: (VARIABLES[name].dims, np.asarray(value)) for name, value in arrays.items()}
    found["natural_lambda_H"] = (("seed",), np.full(seeds, 1000.0))
    for name, length in (("spectrum_K", 5), ("spectrum_H", 5), ("embedding", 16)):
        values = np.random.default_rng(1).random((*shape, length))
        found[name] = (VARIABLES[name].dims, -np.sort(-values, axis=-1))
    data = xr.Dataset(found, coords={"network": next(iter(study.grids[profile].axes["network"]))})
    counted = data.assign_coords(run=np.arange(rate.size), record=np.arange(RECORDS))
    return counted.expand_dims("network").assign_attrs(profile=profile)


def verdict(law, data):
    study, check = check_of(f"breakeven.{law}")
    return judge(laws()[f"breakeven.{law}"], study, check, data)
