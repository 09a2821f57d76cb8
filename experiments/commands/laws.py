"""``assay laws``: every law with its kind, source, proof state and last verdict."""

import argparse
import textwrap

from experiments.commands.shared import add_json, add_out, columns, print_json


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_json(parser)
    add_out(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the laws by topic."""
    from experiments.proofs import cached_proof
    from experiments.records import last_verdicts
    from theory.registry import laws

    last = last_verdicts(arguments.out)
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
        (law["name"], law["kind"], law["status"], law["proof"], law["verdict"] or "not measured")
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
