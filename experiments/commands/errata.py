"""``assay errata``: where the papers' text and the derivations differ, and why one should believe it."""

import argparse
import re
from typing import TYPE_CHECKING, Any

from experiments.commands.shared import add_json, print_json

if TYPE_CHECKING:
    from theory.errata import Erratum


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the errata by topic and number; evidence that is exact is checked on the spot."""
    from experiments.evidence import evidence_text
    from theory.registry import errata

    listed = sorted(errata().values(), key=_order)
    if arguments.json:
        print_json({"errata": [record(erratum) for erratum in listed]})
        return 0
    for erratum in listed:
        print(f"{erratum.id}  {erratum.where}")
        print(f"  {erratum.sentence}")
        print(f"    printed:  {erratum.printed}")
        print(f"    derived:  {erratum.derived}")
        if erratum.law:
            print(f"    law:      {erratum.law}")
        for evidence in erratum.evidence:
            print(f"    {evidence.kind}: {evidence_text(evidence)}")
        print()
    print(f"{len(listed)} errata")
    return 0


def record(erratum: "Erratum") -> dict[str, Any]:
    """JSON record of an erratum."""
    from experiments.evidence import evidence_record

    return {
        "id": erratum.id,
        "where": erratum.where,
        "sentence": erratum.sentence,
        "printed": erratum.printed,
        "derived": erratum.derived,
        "law": erratum.law or None,
        "evidence": [evidence_record(evidence) for evidence in erratum.evidence],
    }


def _order(erratum: "Erratum") -> tuple[str, str, int]:
    topic, _, short = erratum.id.partition(":")
    letters, digits = re.match(r"([A-Za-z]*)(\d*)", short).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return topic, letters, int(digits or 0)
