"""``assay verify``: the main job, with live progress, one table at the end, pictures, and a clean stop."""

import argparse
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.commands.shared import (
    LAWS_OR_TOPICS,
    RESULTS,
    a_path,
    add_json,
    add_out,
    chosen,
    print_json,
    require_writable,
    writing,
)

if TYPE_CHECKING:
    from experiments.verify import Cell, Finished, Measuring


MOST = 1_000_000
"""More seeds or processes than this are a slip of the hand, and would only fill memory."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("names", nargs="*", metavar="LAW|TOPIC", help=LAWS_OR_TOPICS)
    parser.add_argument(
        "--profile",
        choices=("quick", "full", "paper"),
        default="quick",
        help="size of the grids: quick is minutes, full an evening, paper a GPU's work (default: quick)",
    )
    parser.add_argument("--seeds", type=count, metavar="N", help="independent seeds instead of the grids' own number")
    parser.add_argument("--fresh", action="store_true", help="remove what is stored of the chosen laws' studies first")
    parser.add_argument("--data", type=a_path, metavar="PATH", help=".npz or .jsonl.gz that replaces the default data")
    add_out(parser)
    parser.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster that measures the cells")
    parser.add_argument("--workers", type=count, default=1, metavar="N", help="processes that measure (default: 1)")
    parser.add_argument("--no-plots", action="store_true", help="draw no pictures")
    add_json(parser)


def count(text: str) -> int:
    """A whole number from 1 to MOST, for argparse."""
    if not re.fullmatch(r"0*[1-9][0-9]{0,6}", text) or int(text) > MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1 and at most {MOST}")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Verify and print; exit status 130 after Ctrl-C."""
    laws = chosen("verify", arguments.names)
    require_writable("verify", arguments.out)
    from experiments import verify
    from experiments.commands.drawing import Pictures
    from experiments.commands.progress import display
    from experiments.listing import listed

    listed()  # the laws are loaded here: from now on 'assay laws' need not load them
    events = verify.verify(
        tuple(arguments.names), arguments.profile, out=arguments.out, seeds=arguments.seeds,
        fresh=arguments.fresh, data=arguments.data, dask=arguments.dask, workers=arguments.workers,
    )  # fmt: skip
    last: Cell | Measuring | None = None
    finished: Finished | None = None
    try:
        with (
            closing(events),  # whatever happens: a store that is closed as the interpreter ends would wait for ever
            writing("verify", arguments.out, "; what was measured is kept"),
            interrupts() as heard,
            display() as shown,
            Pictures(arguments.out, len(laws)) as pictures,
        ):
            for event in events:
                heard()
                shown.show(event)
                if isinstance(event, (verify.Cell, verify.Measuring)):
                    last = event
                elif isinstance(event, verify.Judged) and not arguments.no_plots:
                    pictures.add(event.result)
                elif isinstance(event, verify.Finished):
                    finished = event
            drawn = pictures.all()
    except KeyboardInterrupt:
        return _stopped(arguments, last)
    if finished is None:
        raise ValueError("verify: the run ended without a result; run it again to continue")
    if arguments.json:
        print_json(finished.record())
        return finished.exit_status
    _print(finished, arguments, drawn)
    return finished.exit_status


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """Raise KeyboardInterrupt at Ctrl-C, and once more when asked: a library's callback may have swallowed it."""
    normal = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not normal or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came: list[int] = []

    def hear(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    def heard() -> None:
        if came:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stopped(arguments: argparse.Namespace, last: "Cell | Measuring | None") -> int:
    from experiments.cli import STOPPED

    kept = f"{last.done} of {last.total} cells of {last.study} are kept" if last else "finished proofs are kept"
    again = shlex.join(["assay", "verify", *arguments.names, *_options(arguments)])
    print(f"assay: stopped; {kept} in {arguments.out}; say '{again}' again to continue", file=sys.stderr)
    return STOPPED


def _options(arguments: argparse.Namespace) -> list[str]:
    """The options that a run needs again to continue; ``--fresh`` is none of them."""
    standard = {
        "profile": "quick", "seeds": None, "data": None, "out": Path(RESULTS), "dask": None, "workers": 1,
    }  # fmt: skip
    given = {name: getattr(arguments, name) for name in standard}
    return [word for name, value in given.items() if value != standard[name] for word in (f"--{name}", str(value))]


def _print(finished: "Finished", arguments: argparse.Namespace, pictures: list[Path]) -> None:
    from experiments.commands import table
    from experiments.verdict import summary

    console = table.console()
    console.print(table.results_table(finished.results))
    console.print()
    lines = [*table.budget_lines(finished.results, finished.budget), *table.undecided_lines(finished.results)]
    tally = ", ".join(f"{number} {word}" for word, number in summary(finished.results).items())
    proofs = [result.proof for result in finished.results if result.proof != "none"]
    proved = proofs.count("PROVED")
    lines += [*table.alike_lines(finished.results), *table.doubt_lines(finished.results)]
    lines += table.fault_lines(finished.results)
    count, spent = len(finished.results), f"{finished.seconds:.0f} s"
    lines.append(f"{count} laws: {tally}; {proved} of {len(proofs)} derivations PROVED; {spent}.")
    plots = f"; pictures in {arguments.out / 'plots'}" if pictures else ""
    lines.append(f"Stores and verdicts.json in {arguments.out}{plots}; 'assay report' writes them up.")
    for text in lines:
        console.print(text, markup=False, soft_wrap=True)
