"""Pictures of a verification, drawn in a process beside the measuring where there are many."""

import sys
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from pathlib import Path
from typing import Any, final

from experiments.beside import beside, worth_it
from experiments.commands.plot import draw_figure, draw_law
from experiments.figures import figures
from experiments.result import Result


@final
class Pictures:
    """Draws laws as they are judged, and at the end the papers' figures whose studies were all measured.

    Parameters
    ----------
    out
        Folder of the stores; pictures go to ``out/plots``.
    most
        How many laws may come: a few are drawn at the end in this process.
    """

    def __init__(self, out: Path, most: int) -> None:
        self._out = out
        self._many = worth_it(most)
        self._measured: list[Result] = []
        self._jobs: dict[str, Future | Callable[[], Path]] = {}
        self._pool: ProcessPoolExecutor | None = None
        self._stack = ExitStack()

    def __enter__(self) -> "Pictures":
        """Nothing is started before the first law comes."""
        return self

    def __exit__(self, *error: Any) -> None:
        """Stop what still draws."""
        self._stack.close()

    def add(self, result: Result) -> None:
        """Draw a judged law, now or later; one that was not measured has no picture."""
        if result.comparison is not None:
            self._measured.append(result)
            self._submit(result.law, draw_law, result, self._out)

    def all(self) -> list[Path]:
        """Where the pictures lie; one that fails is said on stderr and does not stop the others."""
        if not self._measured:
            return []
        studies = {result.study for result in self._measured}
        for name, figure in figures().items():
            if studies.issuperset(figure.studies):
                self._submit(name, draw_figure, name, self._out)
        found = []
        for name, job in self._jobs.items():
            try:
                found.append(job.result() if isinstance(job, Future) else job())
            except KeyboardInterrupt:
                raise
            except BrokenProcessPool:
                print(f"plot {name}: the process that draws was killed; run assay plot {name}", file=sys.stderr)
            except Exception as error:  # a picture is no reason to lose a table of verdicts
                print(f"plot {name}: {type(error).__name__}: {error}", file=sys.stderr)
        return found

    def _submit(self, name: str, draw: Callable[..., Path], *arguments: Any) -> None:
        if not self._many:
            self._jobs[name] = lambda: draw(*arguments)
            return
        if self._pool is None:
            self._pool = self._stack.enter_context(beside())
        self._jobs[name] = self._pool.submit(draw, *arguments)
