"""``assay plot LAW``: the picture of a law from its stored results."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.commands.shared import add_out

if TYPE_CHECKING:
    from experiments.result import Result

FORMATS = ("png", "svg", "pdf")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("law", metavar="LAW", help="a law that was verified")
    add_out(parser)
    parser.add_argument("--format", choices=FORMATS, default="png", help="file format (default: png)")


def run(arguments: argparse.Namespace) -> int:
    """Draw and print where the picture lies."""
    from theory.registry import laws, unknown

    if arguments.law not in laws():
        raise ValueError(f"plot: {unknown(arguments.law, tuple(laws()), 'law')}")
    from experiments.verify import stored_result

    result = stored_result(arguments.law, arguments.out)
    if result.comparison is None:
        raise ValueError(
            f"plot: {arguments.law} has no measurement in {arguments.out}; run 'assay verify {arguments.law}'"
        )
    print(draw_law(result, arguments.out, arguments.format))
    return 0


def draw_law(result: "Result", out: Path, suffix: str = "png") -> Path:
    """Draw a judged law's picture into ``OUT/plots`` and return its path."""
    from experiments.plot import picture_of, save

    return save(picture_of(result, out), out / "plots" / f"{result.law}.{suffix}")
