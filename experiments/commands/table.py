"""The table that ends a verification, the budget, and what to do about undecided laws."""

import math
from collections.abc import Iterable, Sequence
from typing import IO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from experiments.comparison import Part, Verdict
from experiments.result import FAILED, Result
from experiments.verdict import Budget, faults
from numerics.equivalence import planned_standard_error
from theory.law import Status

WIDTH = 220
"""Least width of the table: narrower terminals wrap its lines."""

NAMED = 4
"""Laws named in a line that speaks of many."""

_STYLES = {"agrees": "green", "disagrees": "bold red", "undecided": "yellow", "not measured": "dim",
           "observed": "dim", FAILED: "bold red"}  # fmt: skip


def console(file: IO[str] | None = None) -> Console:
    """Console on stdout (or ``file``), at least as wide as the table needs: a cut name helps nobody."""
    found = Console(file=file, highlight=False)
    return Console(file=file, highlight=False, width=max(found.width, WIDTH) if found.is_terminal else WIDTH)


def results_table(results: Iterable[Result]) -> Table:
    """One row a law: name, kind, predicted, estimate, interval, margin, n, verdict, controls, proof.

    Theorems come first, in the order of the topics; what is no theorem stands below them under a heading.
    """
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("law", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    for name in ("predicted", "estimate", "interval", "margin", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("verdict", "controls", "proof"):
        table.add_column(name, no_wrap=True)
    told = list(results)
    theorems = [result for result in told if result.status == Status.THEOREM.value]
    others = [result for result in told if result.status != Status.THEOREM.value]
    for result in [*theorems, *others]:
        if theorems and others and result is others[0]:
            table.add_row()
            table.add_row(Text("conjectures and empirical laws", style="bold"))
        numbers = _numbers(result)
        proof_style = "" if result.proof in ("PROVED", "none") else "bold red"
        table.add_row(
            result.law, result.kind, *numbers, Text(result.told, style=_STYLES[result.word]), controls_word(result),
            Text(result.proof, style=proof_style),
        )  # fmt: skip
    return table


def budget_lines(results: tuple[Result, ...], budget: Budget) -> list[str]:
    """Planned and achieved standard errors, and the chance of any false *disagrees*, in plain lines."""
    kept = "below 1 %, as it must be" if budget.kept else "NOT below 1 %"
    lines = [
        f"Budget: {budget.parts} compared numbers; chance of any false 'disagrees' in the suite "
        f"{budget.false_disagrees:.2g} ({kept})."
    ]
    shares = [(share, result.law, part) for result in results for share, part in _shares(result)]
    if shares:
        share, law, part = max(shares, key=lambda row: row[0])
        detail = (
            f"{part.standard_error:.2g} of {share and part.standard_error / share:.2g}"
            if part.standard_error
            else "0"
        )
        lines.append(
            f"Standard errors: achieved over planned (distance to the edge over t + 2) is {share:.2f} at most, at {law}"
            f"{f' ({part.label})' if part.label else ''}: {detail}."
        )
    lines += [f"Over budget: {name}" for name in budget.over_budget]
    return lines


def undecided_lines(results: Iterable[Result]) -> list[str]:
    """Each undecided law with the seeds that it needs, each law whose controls did not all disagree, and for each
    reason the laws whose measurement failed and those that were not measured.
    """
    lines: list[str] = []
    unmeasured: dict[tuple[str, str], list[str]] = {}
    for result in results:
        if result.verdict is Verdict.UNDECIDED and result.comparison is not None:
            parts = [part for part in result.comparison.parts if part.verdict is Verdict.UNDECIDED]
            needed = [part.seeds_needed for part in parts if part.seeds_needed]
            how = f"needs {max(needed)} seeds: rerun with --seeds {max(needed)}" if needed else _why(parts)
            lines.append(f"Undecided: {result.law} {how}.")
        if result.observed:
            continue
        if result.verdict is None and result.note:
            unmeasured.setdefault((result.word, result.note.rstrip(".")), []).append(result.law)
        idle = [f"{each.name}{f' ({each.note})' if each.note else ''}" for each in result.controls if not each.fires]
        if idle:
            lines.append(
                f"Not to be trusted: {result.law}: its controls {', '.join(idle)} must disagree and do not."
            )
    lines += [f"{word.capitalize()}: {_some(names)}: {note}." for (word, note), names in unmeasured.items()]
    return lines


def alike_lines(results: Iterable[Result]) -> list[str]:
    """Laws of which no compared number scatters over its seeds, in one line: what is drawn anew should scatter."""
    names = []
    for result in results:
        parts = result.comparison.parts if result.comparison is not None and not result.observed else ()
        drawn = [part for part in parts if part.level is not None and part.standard_error is not None]
        if drawn and all(part.alike for part in drawn):
            names.append(result.law)
    return [f"No scatter: {_some(names)}: every seed gave the same number, so no chance was weighed."] if names else []


def doubt_lines(results: Iterable[Result]) -> list[str]:
    """What the verdict *agrees* does not show, one line a law."""
    lines = []
    for result in results:
        if result.verdict is not Verdict.AGREES or result.comparison is None:
            continue
        first, *more = [part for part in result.comparison.parts if part.doubt] or [None]
        if first is not None:
            where = f" ({first.label})" if first.label else ""
            others = f", and {len(more)} more" if more else ""
            lines.append(f"Look closer: {result.law}{where}: {first.doubt}{others}.")
    return lines


def fault_lines(results: Iterable[Result]) -> list[str]:
    """Why the run ends with exit status 1, in one line; no line where it does not."""
    found = "; ".join(f"{what}: {_some(names)}" for what, names in faults(results).items())
    return [f"Exit status 1: {found}."] if found else []


def controls_word(result: Result) -> str:
    """How many controls disagree, as all must."""
    if not result.controls:
        return "-"
    fired = sum(control.fires for control in result.controls)
    return f"{fired}/{len(result.controls)} disagree"


def _numbers(result: Result) -> tuple[str, str, str, str, str]:
    if result.comparison is None or not result.comparison.parts:
        return ("-", "-", "-", "-", "-")
    part = result.comparison.worst
    return (
        written(part.predicted),
        written(part.estimate),
        f"[{written(part.low)}, {written(part.high)}]",
        f"{'±' if part.side == 'both' else ''}{written(part.margin)}",
        str(part.n),
    )


def written(value: float) -> str:
    """Four significant digits; a dash for NaN.

    Examples
    --------
    >>> written(0.123456), written(2.0), written(float("nan"))
    ('0.1235', '2', '-')
    """
    return "-" if math.isnan(value) else f"{value:.4g}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _shares(result: Result) -> Iterable[tuple[float, Part]]:
    for part in result.comparison.parts if result.comparison and not result.observed else ():
        error = part.standard_error
        if (
            error is not None
            and part.level is not None
            and math.isfinite(error)
            and part.n >= 2
            and part.margin > 0
        ):
            yield error / planned_standard_error(part.room, part.n, part.level), part


def _why(parts: Iterable[Part]) -> str:
    notes = sorted({part.note for part in parts if part.note})
    return "is not decided by more seeds" + (f": {'; '.join(notes)}" if notes else "")
