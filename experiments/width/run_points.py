"""Scalings at which whole runs are measured: three exponents, weights of other sizes at the start, sign descent."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Place(NamedTuple):
    """Exponents of a run: of the scale, of both rates, of what the initial weights are multiplied by; then the rule,
    and how many networks a seed trains there: more where runs differ more.
    """

    q_sigma: float
    q_a: float
    q_w: float
    alpha: float = 0.0
    omega: float = 0.0
    signs: float = 0.0
    networks: int = 2


def _by_steps(step_a: float, step_w: float, networks: int = 2) -> Place:
    """A place at q_sigma = -1/2, by the orders of either layer's step."""
    return Place(-0.5, step_a + 0.5, step_w + 0.5, networks=networks)


def _sign(q_sign: float, networks: int = 2) -> Place:
    return Place(-0.5, q_sign, q_sign, signs=1.0, networks=networks)


PLACES: Mapping[str, Place] = MappingProxyType(
    {
        "default": Place(-0.5, 1.0, 0.0, networks=8),
        "above": _by_steps(0.5, 0.5, 16),
        "quarter": _by_steps(-0.25, -0.25, 6),
        "mean-field": Place(-1.0, 1.0, 1.0),
        "large output": Place(-0.5, 0.0, 0.0, alpha=0.5),
        "large input": Place(-0.5, 0.0, 0.0, omega=0.5),
        "large both": Place(-0.5, 0.25, -0.25, alpha=0.25, omega=0.5),
        "output leads": _by_steps(1.0, -0.5, 6),
        "output leads, settled": _by_steps(0.5, -0.75, 10),
        "input small": _by_steps(-0.25, -0.75, 6),
        "output small": _by_steps(-0.75, -0.25, 6),
        "output half": _by_steps(-0.5, -0.25, 6),
        "both small": _by_steps(-0.75, -1.0, 8),
        "sign -3/4": _sign(-0.75, 10),
        "sign -1/4": _sign(-0.25),
        "sign 0": _sign(0.0),
        "sign 1/4": _sign(0.25, 8),
        "both smaller": _by_steps(-1.75, -1.75),
        "output leads little": _by_steps(0.5, -0.25, 12),
    }
)
"""What is measured in every profile comes first: a place behind it leaves the networks of those before as they are."""

QUICK = tuple(name for name in PLACES if name != "output leads little")
"""Without the place at which weights grow slowest: it takes more seeds to see that they do."""
