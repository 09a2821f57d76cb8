"""Evidence in a record and in words, checked on the spot where it is exact; what breaks down does not stand."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.errata import Evidence


def evidence_record(evidence: "Evidence") -> dict[str, Any]:
    """JSON record of one piece of evidence; ``stands`` is null where nothing can be checked here."""
    from theory.errata import Measurement

    found: dict[str, Any] = {"kind": evidence.kind, "description": evidence.description, "stands": None}
    if isinstance(evidence, Measurement):
        return found | {"law": evidence.law, "control": evidence.control}
    try:
        return found | _exhibited(evidence)
    except Exception as error:  # an author's exhibit may raise anything; one erratum must not hide the others
        return found | {"stands": False, "reason": f"{type(error).__name__}: {' '.join(str(error).split())}"}


def evidence_text(evidence: "Evidence") -> str:
    """The evidence in words, with what it shows; loudly where it does not stand."""
    found = evidence_record(evidence)
    shown = [f"{name} {found[name]}" for name in ("printed", "derived", "truth") if name in found]
    if evidence.kind == "measurement":
        shown = [f"law {found['law']}, control {found['control']}: must come out disagrees"]
    text = evidence.description.rstrip(".") + (f" ({', '.join(shown)})" if shown else "")
    if found["stands"] is False:
        return f"{text}; THIS EVIDENCE DOES NOT STAND" + (f" ({found['reason']})" if "reason" in found else "")
    return f"{text}: it holds" if evidence.kind == "confirmed" else text


def _exhibited(evidence: "Evidence") -> dict[str, Any]:
    """What exact evidence shows; nothing where there is none."""
    from theory.errata import Confirmed, Counterexample, Witness

    if isinstance(evidence, Witness):
        printed, derived, truth = evidence.exhibit()
        told = {"printed": str(printed), "derived": str(derived), "truth": str(truth)}
        return told | {"stands": evidence.stands()}
    if isinstance(evidence, Confirmed):
        printed, truth = evidence.exhibit()
        return {"printed": str(printed), "truth": str(truth), "stands": evidence.stands()}
    return {"stands": evidence.stands()} if isinstance(evidence, Counterexample) else {}
