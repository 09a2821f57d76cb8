"""``assay report``: write all stored results up in one HTML file."""

import argparse
import sys
from pathlib import Path

from experiments.commands.shared import add_out, require_writable, writing


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
    from experiments.registry import studies
    from experiments.stored import store_path
    from experiments.telling import told_figures, told_laws
    from experiments.verdict import budget
    from theory.registry import errata, laws

    require_writable("report", arguments.out)
    told = {one.result.law: one for one in told_laws(arguments.out)}
    results = [told[name].result for name in laws()]
    if all(result.comparison is None for result in results):
        here = (study for study in studies().values() if store_path(arguments.out, study.name).exists())
        notes = (told[check.law].result.note for study in here for check in study.checks)
        why = next((f" that can be told ({note})" for note in notes), "")
        raise ValueError(f"report: {arguments.out} holds no results{why}; run 'assay verify' first, or pass its --out")
    images = [(name, one.picture, one.complaint) for name, one in told.items()]
    pictures = {}
    for name, image, complaint in (*images, *told_figures(arguments.out)):
        if image is not None:
            pictures[name] = image
        if complaint:
            print(complaint, file=sys.stderr)
    content = report.page(
        results, laws(), errata().values(), pictures, budget(results), datetime.date.today(),
        _openings(results, arguments.out),
    )  # fmt: skip
    with writing("report", arguments.out):
        path = report.write(arguments.out / "report.html", content)
    print(path)
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
