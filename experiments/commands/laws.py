"""``assay laws``: every law with its kind, source, proof state and last verdict."""

import argparse
import sys
import textwrap
from collections.abc import Mapping

from experiments.commands.shared import add_json, add_out, columns, print_json


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_json(parser)
    add_out(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the laws by topic."""
    from experiments.listing import listed
    from experiments.proofs import kept_proof
    from experiments.records import Damaged, by_version

    known = listed()
    try:
        last, earlier = by_version(arguments.out, {law.name: law.module for law in known})
    except Damaged as error:
        print(f"laws: {error}, so no last verdict is known; assay verify puts it aside", file=sys.stderr)
        last, earlier = {}, {}
    told = [
        {
            "name": law.name,
            "kind": law.kind,
            "status": law.status,
            "source": law.source,
            "proof": kept_proof(law.name, law.module) if law.derived else "none",
            "verdict": last.get(law.name, {}).get("verdict"),
        }
        for law in known
    ]
    if arguments.json:
        print_json({"laws": told})
        return 0
    rows = [
        (law["name"], law["kind"], law["status"], law["proof"], _word(law["name"], last, earlier))
        for law in told
    ]
    heading = ("law", "kind", "status", "proof", "last verdict")
    first, *rest = columns([heading, *rows]).splitlines()
    print(first)
    for law, row in zip(told, rest, strict=True):
        print(row)
        print(textwrap.fill(law["source"], 110, initial_indent="    ", subsequent_indent="    "))
    print(f"{len(told)} laws")
    return 0


def _word(law: str, last: Mapping[str, Mapping], earlier: Mapping[str, Mapping]) -> str:
    """The last verdict in words; one of an earlier version of the sources is not told."""
    return "of an earlier version" if law in earlier else last.get(law, {}).get("word", "not measured")
