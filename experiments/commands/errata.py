"""``assay errata``: where the papers' text and the derivations differ, and why one should believe it."""

import argparse
import re
from typing import TYPE_CHECKING, Any

from experiments.commands.shared import add_json, print_json

if TYPE_CHECKING:
    from theory.errata import Erratum, Evidence


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the errata by topic and number; evidence that is exact is checked on the spot."""
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
            print(f"    {evidence.kind}: {_told(evidence)}")
        print()
    print(f"{len(listed)} errata")
    return 0


def record(erratum: "Erratum") -> dict[str, Any]:
    """JSON record of an erratum."""
    return {
        "id": erratum.id,
        "where": erratum.where,
        "sentence": erratum.sentence,
        "printed": erratum.printed,
        "derived": erratum.derived,
        "law": erratum.law or None,
        "evidence": [evidence_record(evidence) for evidence in erratum.evidence],
    }


def evidence_record(evidence: "Evidence") -> dict[str, Any]:
    """JSON record of one piece of evidence; ``stands`` is null where nothing can be checked here."""
    from theory.errata import Confirmed, Counterexample, Measurement, Witness

    found: dict[str, Any] = {"kind": evidence.kind, "description": evidence.description, "stands": None}
    if isinstance(evidence, Witness):
        printed, derived, truth = evidence.exhibit()
        found |= {
            "printed": str(printed),
            "derived": str(derived),
            "truth": str(truth),
            "stands": evidence.stands(),
        }
    elif isinstance(evidence, Confirmed):
        printed, truth = evidence.exhibit()
        found |= {"printed": str(printed), "truth": str(truth), "stands": evidence.stands()}
    elif isinstance(evidence, Counterexample):
        found["stands"] = evidence.stands()
    elif isinstance(evidence, Measurement):
        found |= {"law": evidence.law, "control": evidence.control}
    return found


def _told(evidence: "Evidence") -> str:
    from theory.errata import Confirmed, Measurement, Witness

    found = evidence_record(evidence)
    text = evidence.description.rstrip(".")
    if isinstance(evidence, Witness):
        text += f" (printed {found['printed']}, derived {found['derived']}, truth {found['truth']})"
    if isinstance(evidence, Confirmed):
        text += f" (printed {found['printed']}, truth {found['truth']}: it holds)"
    if isinstance(evidence, Measurement):
        text += f" (law {evidence.law}, control {evidence.control}: must come out disagrees)"
    return text + ("" if found["stands"] is not False else "; THIS EVIDENCE DOES NOT STAND")


def _order(erratum: "Erratum") -> tuple[str, str, int]:
    topic, _, short = erratum.id.partition(":")
    letters, digits = re.match(r"([A-Za-z]*)(\d*)", short).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return topic, letters, int(digits or 0)
