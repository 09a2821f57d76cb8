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
    from experiments.proofs import cached_proof
    from experiments.records import Damaged, by_version
    from theory.registry import laws

    try:
        last, earlier = by_version(arguments.out)
    except Damaged as error:
        print(f"laws: {error}, so no last verdict is known; assay verify puts it aside", file=sys.stderr)
        last, earlier = {}, {}
    listed = []
    for law in laws().values():
        verdict = last.get(law.name, {}).get("verdict")
        source = law.source
        listed.append(
            {
                "name": law.name,
                "kind": law.claim.kind,
                "status": law.status.value,
                "source": f"{source.sentence} ({source.paper}, {source.place}; {', '.join(source.ids)})",
                "proof": cached_proof(law),
                "verdict": verdict,
            }
        )
    if arguments.json:
        print_json({"laws": listed})
        return 0
    rows = [
        (law["name"], law["kind"], law["status"], law["proof"], _word(law["name"], last, earlier))
        for law in listed
    ]
    heading = ("law", "kind", "status", "proof", "last verdict")
    first, *rest = columns([heading, *rows]).splitlines()
    print(first)
    for law, row in zip(listed, rest, strict=True):
        print(row)
        print(textwrap.fill(law["source"], 110, initial_indent="    ", subsequent_indent="    "))
    print(f"{len(listed)} laws")
    return 0


def _word(law: str, last: Mapping[str, Mapping], earlier: Mapping[str, Mapping]) -> str:
    """The last verdict in words; one of an earlier version of the sources is not told."""
    return "of an earlier version" if law in earlier else last.get(law, {}).get("word", "not measured")
