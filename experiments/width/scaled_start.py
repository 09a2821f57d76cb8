"""Reference networks and their scaled versions at the start: logits of many drawn networks (width:X8)."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from experiments.width.divergence import divergence
from experiments.width.families import FAMILIES, scaled
from experiments.width.paper import REFERENCE_WIDTH

COMPONENTS = 3
INPUT = np.array([1.0, -0.5, 0.8])
SLOPE = 0.1


def measure(
    *, replicates: Replicates, data: None, model: np.ndarray, rho: np.ndarray, networks: int
) -> Mapping[str, np.ndarray]:
    """Divergences and initial sums over groups of networks; one group a seed."""
    del data
    found = {name: [] for name in ("divergence", "corrected", "sum")}
    for random in replicates.generators():
        logit_ref = _sums(random, REFERENCE_WIDTH, networks)
        of_one = {name: [] for name in found}
        for ratio in rho:
            sums = _sums(random, int(REFERENCE_WIDTH * ratio), networks)
            factors = [scaled(FAMILIES[str(name)], float(ratio)) for name in model]
            logits = [by.scale * (1.0 + by.frozen) * sums for by in factors]
            fits = [divergence(logit[:, None, None], logit_ref[:, None, None]) for logit in logits]
            of_one["divergence"].append([float(fit[0]) for fit in fits])
            by = scaled(FAMILIES["IC-MF"], float(ratio))
            one = sums[:4]
            of_one["sum"].append(one)
            of_one["corrected"].append(by.scale * one + by.frozen * by.scale * one)
        for name, values in of_one.items():
            found[name].append(values)
    return {name: np.array(values) for name, values in found.items()}


def _sums(random: np.random.Generator, width: int, networks: int) -> np.ndarray:
    """Of each network the sum over neurons of a phi, in hat units."""
    size = float(np.linalg.norm(INPUT))
    value = random.standard_normal((networks, width)) * size  # w.x of standard normal w
    value = np.where(value > 0, value, SLOPE * value)
    output = random.standard_normal((networks, width))
    return np.sum(output * value, axis=1)


def divergences(data: xr.Dataset) -> xr.Dataset:
    """Divergence of the fitted normal law of a mean-field network's logit from the reference's."""
    shown = data["divergence"].sel(model="MF", drop=True)
    return xr.Dataset({"measured": shown}).assign_coords(q_sigma=FAMILIES["MF"].q_sigma)


def corrected(data: xr.Dataset) -> xr.Dataset:
    """Initial logits of the corrected model beside the sums that they are made of."""
    return xr.Dataset({"measured": data["corrected"], "sum_0": data["sum"]}).assign_coords(scale=1.0)


STUDY = Study(
    name="width.scaled_start",
    title="Initial logits of scaled networks beside those of a reference of width 128",
    measure=measure,
    variables={
        "divergence": Variable(("seed", "rho", "model"), "1", "divergence of the fitted normal laws"),
        "corrected": Variable(("seed", "rho", "network"), "1", "initial logit of the corrected model"),
        "sum": Variable(("seed", "rho", "network"), "1", "sum over its neurons"),
    },
    grids={
        profile: Grid(
            inner={"model": ("MF",), "rho": rho},
            settings={"networks": networks},
            seeds=24,
        )
        for profile, rho, networks in zip(
            PROFILES, ((4.0, 16.0), (8.0, 64.0), (8.0, 64.0, 512.0)), (600, 1000, 1000), strict=True
        )
    },
    checks=(
        Check(
            "width.kl_initial",
            divergences,
            Margin(0.15, "physics", "less than half of the distance to the second-order form"),
        ),
        Check(
            "width.icmf_start",
            corrected,
            Margin(0.05, "physics", "the form of SM D is off by a quarter at 16 times the width"),
        ),
    ),
)
