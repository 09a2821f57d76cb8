"""What is installed and found here, in a few lines."""

import importlib.metadata
import os
import platform
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from experiments.calibration import Calibration

PACKAGES = ("jax", "jaxlib", "numpy", "scipy", "sympy", "xarray", "zarr", "neural-tangents")


def findings(out: Path) -> list[tuple[str, str]]:
    """Pairs of a heading and a line: versions, devices, precision, neural-tangents, data sets, free disk."""
    machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return [
        ("assay", f"{version('assay')} on {machine}"),
        ("versions", ", ".join(f"{name} {version(name)}" for name in PACKAGES)),
        ("devices", _told(devices)),
        ("precision", _told(precision)),
        ("neural-tangents", _told(neural_tangents)),
        ("data sets", _told(data_sets)),
        ("free disk", free_disk(out)),
    ]


def _told(look: Callable[[], str]) -> str:
    """What is found, or why nothing can be said (JAX told to use a device that is not there, say)."""
    try:
        return look()
    except Exception as error:  # whatever is broken here, the doctor goes on
        why = " ".join(str(error).split()) or type(error).__name__
        return f"cannot be told: {why}"


def version(package: str) -> str:
    """Installed version of a distribution, or a word for its absence."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def devices() -> str:
    """JAX's devices, whether a GPU is among them, and the number of cores.

    Raises
    ------
    RuntimeError
        If JAX is told to use a platform that is not there.
    """
    import jax

    asked = os.environ.get("JAX_PLATFORMS", "")
    try:
        found = jax.devices()
    except (RuntimeError, AssertionError) as error:
        raise RuntimeError(f"JAX finds no device on JAX_PLATFORMS={asked}") from error
    names = [" ".join(dict.fromkeys((device.platform, device.device_kind.lower()))) for device in found]
    counted = [f"{names.count(name)} x {name}" for name in dict.fromkeys(names)]
    if all(device.platform == "cpu" for device in found):
        counted.append(f"JAX_PLATFORMS={asked} asks for no other" if asked else "JAX sees no GPU")
    return f"{', '.join(counted)}; {os.cpu_count()} CPU cores"


def precision() -> str:
    """Whether float32 matrix products keep all 24 bits here, found by multiplying a number that needs 13."""
    import jax
    import jax.numpy as jnp

    fine = jnp.full((16, 16), 1.0 + 2.0**-12, dtype=jnp.float32)
    identity = jnp.eye(16, dtype=jnp.float32)
    default = float((fine @ identity)[0, 0]) == 1.0 + 2.0**-12
    asked = float(jnp.matmul(fine, identity, precision=jax.lax.Precision.HIGHEST)[0, 0]) == 1.0 + 2.0**-12
    products = (
        "full"
        if default
        else ("reduced by default, full where asked" if asked else "REDUCED even where asked")
    )
    x64 = "on" if jax.config.read("jax_enable_x64") else "off (each study sets and restores it)"
    return f"float32 matrix products: {products}; float64: {x64}"


def neural_tangents() -> str:
    """Whether neural-tangents loads through the one module that touches it."""
    from numerics import infinite_width

    try:
        with infinite_width.neural_tangents() as package:
            return f"loads, {package.__name__} {version('neural-tangents')}"
    except ImportError as error:
        return str(error)


def data_sets() -> str:
    """Data sets in the folder of ``ASSAY_DATA`` and in the download cache."""
    import pooch

    from numerics.data_files import ENVIRONMENT_VARIABLE, find_data_sets
    from numerics.downloads import CIFAR10_SHA256, FASHION_MNIST_SHA256, IMDB_SHA256

    folder = os.environ.get(ENVIRONMENT_VARIABLE)
    named = ", ".join(sorted(path.name for path in find_data_sets().values())) if folder else ""
    if not folder:
        named = f"{ENVIRONMENT_VARIABLE} is not set"
    elif not named:
        named = f"none in {ENVIRONMENT_VARIABLE} = {folder}"
    cache = Path(pooch.os_cache("assay"))
    fetched = (*CIFAR10_SHA256, *FASHION_MNIST_SHA256, *IMDB_SHA256)
    cached = [name for name in fetched if (cache / name).is_file()]
    return f"digits (ships with scikit-learn); {named}; downloaded: {', '.join(cached) or 'none'}"


def free_disk(out: Path) -> str:
    """Free space where the results go."""
    there = out.absolute()
    while not there.exists():
        there = there.parent
    return f"{shutil.disk_usage(there).free / 2**30:.1f} GiB at {out}"


def calibration_rows(calibrations: Iterable[Calibration]) -> Iterable[tuple[str, str, str, str, str, str]]:
    """Rows of the calibration's table: kind, what was planted, data sets, wrong answers, allowed, passed."""
    for calibration in calibrations:
        for planted, count, wrong, allowed in calibration.rows:
            good = "yes" if wrong <= allowed else "NO"
            yield calibration.kind, planted, str(count), str(wrong), str(allowed), good
