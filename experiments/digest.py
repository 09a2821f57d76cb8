"""A digest: many verdicts on one claim in a table and in words, *holds for X, fails for Y*.

A claim of a paper is often a family of laws, one for each statistic and each control. A module of
``experiments/TOPIC`` may hold ``DIGESTS``, a tuple of Digest that says which law stands in which row and column; the
report shows them for the stores at hand and for a run that was kept (``experiments.kept_runs``).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from experiments.registry import modules
from theory.registry import TOPICS

WORDS = {
    "agrees": "holds for",
    "disagrees": "fails for",
    "undecided": "undecided for",
    "observed": "observed only for",
    "not measured": "not measured for",
}
"""How verdicts are told, in this order."""

Record = Mapping[str, Any]
"""JSON record of a law's result (``experiments.result``)."""


@dataclass(frozen=True)
class Digest:
    """Laws of one claim, by row and column.

    Parameters
    ----------
    name
        ``topic.name``.
    title
        The claim in one sentence.
    laws
        Column -> row -> name of the law.
    factors
        Whether the laws' estimates are logarithms, which are shown as factors.
    """

    name: str
    title: str
    laws: Mapping[str, Mapping[str, str]]
    factors: bool = False

    @property
    def topic(self) -> str:
        """First part of the name."""
        return self.name.split(".", 1)[0]

    @property
    def rows(self) -> tuple[str, ...]:
        """All rows, in the order in which columns name them."""
        return tuple(dict.fromkeys(row for column in self.laws.values() for row in column))


@cache
def digests() -> dict[str, Digest]:
    """Every digest by name."""
    listed = [digest for topic in TOPICS for module in modules(topic) for digest in getattr(module, "DIGESTS", ())]
    return {digest.name: digest for digest in listed}


def word_of(record: Record | None) -> str:
    """The verdict of a record in one word; one that has numbers and no verdict was only observed.

    Examples
    --------
    >>> word_of({"verdict": "agrees"}), word_of({"verdict": None, "estimate": 1.0}), word_of(None)
    ('agrees', 'observed', 'not measured')
    """
    if record is None:
        return "not measured"
    if record.get("verdict"):
        return str(record["verdict"])
    return "not measured" if record.get("estimate") is None else "observed"


def sentences(digest: Digest, records: Mapping[str, Record]) -> tuple[str, ...]:
    """One sentence a column: for which rows the claim holds, fails, or is undecided.

    Examples
    --------
    >>> digest = Digest("breakeven.example", "Things fall.", {"over eta": {"lambda_H": "a", "lambda_K": "b"}})
    >>> sentences(digest, {"a": {"verdict": "agrees"}, "b": {"verdict": "disagrees"}})
    ('over eta: holds for lambda_H; fails for lambda_K.',)
    """
    told = []
    for column, laws in digest.laws.items():
        by_word: dict[str, list[str]] = {}
        for row, law in laws.items():
            by_word.setdefault(word_of(records.get(law)), []).append(row)
        parts = [f"{said} {', '.join(by_word[word])}" for word, said in WORDS.items() if word in by_word]
        told.append(f"{column}: {'; '.join(parts)}.")
    return tuple(told)


def cell(record: Record | None, factors: bool) -> str:
    """Verdict with the estimate and its interval.

    Examples
    --------
    >>> cell({"verdict": "agrees", "estimate": 1.0, "low": 0.5, "high": 1.5, "n": 10}, False)
    'agrees 1 [0.5, 1.5]'
    >>> cell({"verdict": "agrees", "estimate": 0.0, "low": None, "high": None}, True)
    'agrees x1'
    """
    word = word_of(record)
    if record is None or record.get("estimate") is None:
        return word
    low, high = record.get("low"), record.get("high")
    if low is not None and low == high:  # exact: a multiple of a rounding bound, which says nothing here
        return word
    shown, sign = (math.exp, "x") if factors else (float, "")
    interval = f" [{shown(low):.3g}, {shown(high):.3g}]" if low is not None and high is not None else ""
    return f"{word} {sign}{shown(record['estimate']):.3g}{interval}"
