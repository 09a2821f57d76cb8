"""What a store says of its making: versions, device, and the meaning of its axes."""

import os
import platform
from functools import cache
from importlib import metadata

from experiments.study import Study
from theory.registry import laws

PACKAGES = ("assay", "jax", "jaxlib", "numpy", "scipy", "sympy", "xarray", "zarr")


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that the numbers depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def machine() -> str:
    """The device that JAX computes on by default.

    Raises
    ------
    ValueError
        If JAX finds none: ``JAX_PLATFORMS`` asks for one that is not here.
    """
    import jax

    try:
        device = jax.devices()[0]
    except (RuntimeError, AssertionError) as error:
        asked = os.environ.get("JAX_PLATFORMS", "")
        raise ValueError(f"verify: JAX finds no device on JAX_PLATFORMS={asked}; set it to cpu or unset it") from error
    return f"{device.platform}: {device.device_kind}"


def axis_attributes(study: Study, axis: str) -> dict[str, str]:
    """Unit and long name of an axis: as one of the study's laws explains the symbol of that name, else its
    name.
    """
    if axis == "seed":
        return {"units": "1", "long_name": "independent replicate"}
    for check in study.checks:
        law = laws().get(check.law)
        for quantity in law.quantities if law is not None else ():
            if quantity.name == axis:
                return {"units": quantity.unit, "long_name": quantity.meaning}
    return {"units": "1", "long_name": axis.rstrip("_").replace("_", " ")}
