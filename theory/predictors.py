"""What ``assay predict`` serves: closed forms at a point, exact in and exact out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class OutsideDomain(ValueError):
    """A given value lies outside the law's domain; the message is one sentence."""


@dataclass(frozen=True)
class Undefined:
    """An output that the law does not define at this point, and why."""

    reason: str


@dataclass(frozen=True)
class Input:
    """One named input: what it is, how it is written, and its default (None when it must be given)."""

    name: str
    meaning: str
    default: Any = None
    required: bool = True


@dataclass(frozen=True)
class Predictor:
    """A stable name of ``assay predict``.

    ``evaluate`` takes the inputs by name, as exact SymPy numbers, (nested) lists of them, strings or booleans, and
    returns the outputs by name: SymPy numbers (exact or mpmath-backed Floats), strings, booleans, lists or mappings of
    these, or :class:`Undefined`. It raises :class:`OutsideDomain` with one sentence.
    """

    name: str
    laws: tuple[str, ...]
    inputs: tuple[Input, ...]
    evaluate: Callable[..., Mapping[str, Any]]
    summary: str
