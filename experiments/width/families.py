"""The ways in which a reference network is scaled with its width (width:X7), and the corrected mean-field model."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Family(NamedTuple):
    """Exponents of the output weights' standard deviation and of both learning rates in hat units.

    ``corrected`` is 1 where a frozen sum keeps the initial logits at the reference's size.
    """

    q_sigma: float
    q_a: float
    q_w: float
    corrected: float = 0.0


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "IC-MF": Family(-1.0, 1.0, 1.0, 1.0),
        "MF": Family(-1.0, 1.0, 1.0),
        "NTK": Family(-0.5, 0.0, 0.0),
        "sym-default": Family(-0.5, 0.5, 0.5),
        "default": Family(-0.5, 1.0, 0.0),
    }
)


class Scaled(NamedTuple):
    """What multiplies the reference's output scale and learning rates (original units), and the frozen sum's factor."""

    scale: float
    output: float
    inputs: float
    frozen: float


def scaled(family: Family, rho: float) -> Scaled:
    """Factors of a family at rho times the reference's width; the frozen sum is in units of the initial one.

    Examples
    --------
    >>> scaled(FAMILIES["MF"], 4.0)
    Scaled(scale=0.25, output=0.25, inputs=4.0, frozen=0.0)
    >>> scaled(FAMILIES["IC-MF"], 4.0).frozen
    1.0
    """
    scale = rho**family.q_sigma
    return Scaled(
        scale,
        rho ** (family.q_a + 2 * family.q_sigma),
        rho**family.q_w,
        family.corrected * (rho**-0.5 / scale - 1.0),
    )
