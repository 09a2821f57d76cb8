"""Progress of a verification on stderr: a live line on a terminal, an occasional plain line elsewhere."""

import sys
import time
from abc import abstractmethod
from contextlib import AbstractContextManager
from typing import final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from experiments.verify import Cell, Event, Judged, Measuring, Proved, Proving, Told

EVERY = 20.0
"""Seconds between plain lines about cells."""


class Display(AbstractContextManager["Display"]):
    """Shows events as they come; a context manager, so that the terminal is left as it was."""

    @abstractmethod
    def show(self, event: Event) -> None:
        """Show one event."""


@final
class PlainLines(Display):
    """Occasional lines: proofs that fail, the start and end of each study, verdicts."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._proofs = ""

    def __exit__(self, *_: object) -> None:
        """Nothing to put back."""

    def show(self, event: Event) -> None:
        """Print a line where the event is worth one, at most one about cells or proofs in EVERY seconds."""
        if isinstance(event, Proving):
            self._proofs = f"checking derivations: {event.index + 1} of {event.total}"
        text = line(event)
        if isinstance(event, Proved) and not event.cached:
            text = "\n".join(part for part in (text, self._now_and_then(self._proofs)) if part)
        if isinstance(event, Cell) and event.status == "done" and event.done < event.total:
            text = self._now_and_then(text)
        if text:
            print(text, file=sys.stderr, flush=True)

    def _now_and_then(self, text: str) -> str:
        if time.monotonic() - self._last < EVERY:
            return ""
        self._last = time.monotonic()
        return text


@final
class LiveLine(Display):
    """One bar for the proofs and one for each study; failures and verdicts scroll by above them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bars = Progress(
            TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(),
            TimeElapsedColumn(), TextColumn("[dim]{task.fields[note]}"), console=console, transient=True,
        )  # fmt: skip
        self._tasks: dict[str, int] = {}

    def __enter__(self) -> "LiveLine":
        """Start the bars."""
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bars away."""
        self._bars.stop()

    def show(self, event: Event) -> None:
        """Move a bar, or print a line above the bars."""
        if isinstance(event, Proving):
            self._move("proofs", event.index, event.total, event.law)
        elif isinstance(event, Proved):
            self._bars.advance(self._tasks["proofs"])  # pyright: ignore[reportArgumentType]
        elif isinstance(event, Measuring):
            self._move(event.study, event.done, event.total, "continuing" if event.done else "")
        elif isinstance(event, Cell):
            point = ", ".join(f"{name}={value}" for name, value in event.coordinates.items())
            self._move(event.study, event.done, event.total, f"{point} {event.seconds:.1f} s")
        failed = isinstance(event, Proved) and event.failures
        lost = isinstance(event, Cell) and event.status == "failed"
        anew = isinstance(event, Measuring) and event.earlier_seeds
        if failed or lost or anew or isinstance(event, (Judged, Told)):
            self._console.print(line(event), highlight=False, markup=False)

    def _move(self, name: str, done: int, total: int, note: str) -> None:
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=total, note=note)
        self._bars.update(self._tasks[name], completed=done, total=total, note=note)  # pyright: ignore[reportArgumentType]


def display() -> Display:
    """Live bars where stderr is a terminal, plain lines elsewhere."""
    console = Console(stderr=True)
    return LiveLine(console) if console.is_terminal else PlainLines()


def line(event: Event) -> str:
    """One line on an event; empty where there is nothing to say."""
    if isinstance(event, Proved):
        told = ((f"step {step}" if step else "its check", state, why) for step, state, why in event.failures)
        return "\n".join(f"{event.law}: {what} is {state}: {why}" for what, state, why in told)
    if isinstance(event, Measuring):
        kept = f", {event.done} stand already" if event.done else ""
        earlier = (
            f"; {event.earlier_seeds} seeds drawn earlier are not pooled with these" if event.earlier_seeds else ""
        )
        return f"measuring {event.study}: {event.total} cells{kept}{earlier}"
    if isinstance(event, Cell):
        message = f" ({event.message})" if event.message else ""
        return f"{event.study}: {event.done} of {event.total} cells, last {event.status}{message}"
    if isinstance(event, Told):
        return event.sentence
    if isinstance(event, Judged):
        return f"{event.result.law}: {event.result.told}"
    return ""
