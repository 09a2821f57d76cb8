"""``assay report``: write all stored results up in one HTML file."""

import argparse
import sys
from pathlib import Path

from experiments.commands.shared import add_out


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_out(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judge the stored studies again, draw, write, and print where the report lies.

    Raises
    ------
    ValueError
        If nothing is stored.
    """
    import datetime

    from experiments import report
    from experiments.proofs import cached_proof
    from experiments.verdict import budget, unmeasured
    from experiments.verify import stored_result
    from theory.registry import errata, laws

    results = []
    for law in laws().values():
        try:
            results.append(stored_result(law.name, arguments.out))
        except ValueError as error:  # no study, no store, or a store of another version: told in the report
            results.append(unmeasured(law, cached_proof(law), str(error)))
    if all(result.comparison is None for result in results):
        raise ValueError(
            f"report: {arguments.out} holds no results; run 'assay verify' first, or pass its --out"
        )
    pictures = _pictures(results, arguments.out) | _figures(arguments.out)
    content = report.page(
        results, laws(), errata().values(), pictures, budget(results), datetime.date.today(),
        _openings(results, arguments.out),
    )  # fmt: skip
    print(report.write(arguments.out / "report.html", content))
    return 0


def _openings(results: list, out: Path) -> dict:
    from experiments.digest import digests
    from experiments.digest_pages import opening
    from experiments.kept_runs import kept, stale
    from experiments.stored import read_attributes, store_path

    records = {result.law: result.record() for result in results}
    measured = sorted({result.study for result in results if result.comparison is not None})
    profiles = {name: (read_attributes(store_path(out, name)) or {}).get("profile", "") for name in measured}
    found = {}
    for topic in dict.fromkeys(digest.topic for digest in digests().values()):
        run = kept(topic)
        found[topic] = opening(topic, digests().values(), records, profiles, run, stale(run) if run else {})
    return found


def _pictures(results: list, out: Path) -> dict[str, bytes]:
    from experiments.plot import picture_of, png

    found = {}
    for result in results:
        if result.comparison is None:
            continue
        try:
            found[result.law] = png(picture_of(result, out))
        except Exception as error:  # a picture is no reason to lose a report
            print(f"plot {result.law}: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def _figures(out: Path) -> dict[str, bytes]:
    from experiments.figures import drawn, figures, stored
    from experiments.plot import png
    from experiments.stored import store_path

    found = {}
    for figure in figures().values():
        if not all(store_path(out, study).exists() for study in figure.studies):
            continue
        try:
            found[figure.name] = png(drawn(figure, stored(figure, out)))
        except Exception as error:  # a picture is no reason to lose a report
            print(f"plot {figure.name}: {type(error).__name__}: {error}", file=sys.stderr)
    return found
