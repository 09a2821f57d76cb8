"""``assay doctor``: what is installed and found; with ``--calibration``, how often verdicts are wrong."""

import argparse

from experiments.commands.shared import add_out, columns


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--calibration", action="store_true", help="plant truths of each kind and count the wrong verdicts"
    )
    add_out(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; status 1 where a calibration fails."""
    from experiments import doctor

    if not arguments.calibration:
        print(columns(doctor.findings(arguments.out)))
        return 0
    from experiments.calibration import calibrate

    failed = False
    print(columns([_HEADER]), flush=True)
    for calibration in calibrate():
        failed |= not calibration.passed
        print(columns([_padded(row) for row in doctor.calibration_rows([calibration])]), flush=True)
    return 1 if failed else 0


_WIDTHS = (10, 44, 9, 6, 8, 6)


def _padded(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell.ljust(width) for cell, width in zip(row, _WIDTHS, strict=True))


_HEADER = _padded(("kind", "planted", "data sets", "wrong", "allowed", "passed"))
