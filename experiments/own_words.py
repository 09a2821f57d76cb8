"""Which descriptions of stored variables still hold in what was observed of them."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray

MOST = 5
"""Values of an observed array that are looked for among the stored ones."""


def own_words(observation: xr.Dataset, stored: xr.Dataset) -> xr.Dataset:
    """The observation without the names and units that arithmetic carried over from what was stored.

    A ratio of a stored variable to another keeps that one's attributes, and is neither. A selection of stored values
    keeps them rightly, and so does whatever was described anew.

    Examples
    --------
    >>> stored = xr.Dataset({"time": ("seed", [1.0, 2.0, 4.0], {"long_name": "time", "units": "s"})})
    >>> with xr.set_options(keep_attrs=True):
    ...     found = xr.Dataset({"measured": stored["time"][1:].rename(seed="late"), "error": stored["time"] / 8})
    >>> told = own_words(found, stored)
    >>> told["measured"].attrs, told["error"].attrs
    ({'long_name': 'time', 'units': 's'}, {})
    """
    said: dict[str, list[NDArray]] = {}
    for variable in stored.variables.values():
        said.setdefault(str(variable.attrs.get("long_name")), []).append(variable.values)
    found = observation.copy()  # the values are shared, the attributes are not
    for name, array in observation.variables.items():
        words = array.attrs.get("long_name")
        carried = "units" in array.attrs if words is None else str(words) in said
        if carried and not any(_among(array.values, values) for values in said.get(str(words), ())):
            kept = {key: value for key, value in array.attrs.items() if key not in ("long_name", "units")}
            found[name].attrs = kept
    return found


def _among(values: NDArray, stored: NDArray) -> bool:
    """Whether the first few numbers of one array stand in the other; true where there is no number to tell."""
    if values.dtype.kind not in "fiu" or stored.dtype.kind not in "fiu":
        return True
    known = values[np.isfinite(values)]
    if not known.size:
        return True
    few = known[np.linspace(0, known.size - 1, MOST).astype(int)]
    return bool(all((stored == value).any() for value in few))
