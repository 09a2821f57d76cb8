"""Where in the plane of scalings networks are measured: exponents (q_sigma, q) of a representative of each
region.
"""

from collections.abc import Mapping
from types import MappingProxyType

REPRESENTATIVES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "R01": (-1.0, 0.5),
        "R02": (-0.5, 0.0),
        "R03": (0.0, -0.5),
        "R04": (-1.0, 0.75),
        "R05": (-0.75, 0.5),
        "R06": (-0.675, 0.525),
        "R07": (-0.5, 0.25),
        "R08": (0.0, -0.25),
        "R09": (-1.5, 1.5),
        "R10": (-1.0, 1.0),
        "R11": (-0.75, 0.75),
        "R12": (-0.5, 0.5),
        "R13": (0.0, 0.0),
    }
)
"""One point of each region, as the catalogue of regions gives it (width:R01-R13); that of R06 is moved towards
the middle of its triangle, away from where a step's size is 0."""

HOLDING: Mapping[str, str] = MappingProxyType(
    {
        "R01": "3",
        "R02": "1 and 2 and 3",
        "R03": "3",
        "R04": "none",
        "R05": "2",
        "R06": "none",
        "R07": "1",
        "R08": "none",
        "R09": "4",
        "R10": "2 and 4",
        "R11": "4",
        "R12": "1 and 4",
        "R13": "4",
    }
)
"""What a representative stands for: the paper's statements that are to hold there."""
