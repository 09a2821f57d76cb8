"""``assay plot NAME``: the picture of a law, or a figure of a paper, from stored results."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.commands.shared import add_out, writing

if TYPE_CHECKING:
    from experiments.result import Result

FORMATS = ("png", "svg", "pdf")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "name",
        metavar="LAW|FIGURE",
        help="a law that was verified, or a figure of a paper, such as breakeven.figure_4 (a topic lists its figures)",
    )
    add_out(parser)
    parser.add_argument("--format", choices=FORMATS, default="png", help="file format (default: png)")


def run(arguments: argparse.Namespace) -> int:
    """Draw and print where the picture lies."""
    from experiments.figures import earlier, figures
    from theory.registry import TOPICS, laws, unknown

    name = arguments.name
    if name in figures():
        told = earlier(figures()[name], arguments.out)
        try:
            with writing("plot", arguments.out):
                path = draw_figure(name, arguments.out, arguments.format)
        except LookupError as error:
            if not told:
                raise
            raise ValueError(f"{told}, for it lacks {error}") from error
        if told:
            print(told, file=sys.stderr)
        print(path)
        return 0
    if name in TOPICS:
        shown = ", ".join(figure for figure in figures() if figure.startswith(f"{name}."))
        raise ValueError(f"plot: {name} is a topic; name one of its laws, or one of its figures: {shown}")
    if name not in laws():
        raise ValueError(f"plot: {unknown(name, (*laws(), *figures()), 'law or figure')}")
    from experiments.verify import stored_result

    result = stored_result(name, arguments.out)
    if result.comparison is None:
        raise ValueError(f"plot: {name} has no measurement in {arguments.out}; run 'assay verify {name}'")
    with writing("plot", arguments.out):
        path = draw_law(result, arguments.out, arguments.format)
    print(path)
    return 0


def draw_figure(name: str, out: Path, suffix: str = "png") -> Path:
    """Draw a paper's figure into ``OUT/plots`` and return its path."""
    from experiments.figures import drawn, figures, stored
    from experiments.plot import save

    figure = figures()[name]
    return save(drawn(figure, stored(figure, out)), out / "plots" / f"{name}.{suffix}")


def draw_law(result: "Result", out: Path, suffix: str = "png") -> Path:
    """Draw a judged law's picture into ``OUT/plots`` and return its path."""
    from experiments.plot import picture_of, save
    from experiments.verify import observation

    return save(picture_of(result, observation(result.law, out)), out / "plots" / f"{result.law}.{suffix}")
