"""``assay derive``: derivations step by step, each with the state that its proof has now."""

import argparse
import os
from typing import TYPE_CHECKING, Any

from experiments.commands.shared import LAWS_OR_TOPICS, add_json, chosen, print_json

if TYPE_CHECKING:
    from theory.law import Law


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("names", nargs="*", metavar="LAW|TOPIC", help=LAWS_OR_TOPICS)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print LaTeX")
    add_json(form)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; status 1 where a step is not PROVED."""
    from experiments.proofs import breakdown, keep

    records = []
    sound = True
    for law in chosen("derive", arguments.names):
        if law.derivation is None:
            records.append({"name": law.name, "proof": "none", "claim": law.text(), "premises": [], "steps": []})
            if not arguments.json:
                print(f"{law.name}: {law.title}\n{law.status.value}: it is measured and has no derivation.\n")
            continue
        try:
            proof = law.derivation.check()
        except Exception as error:  # one law that breaks down must not hide the others
            if os.environ.get("ASSAY_TRACEBACK"):
                raise
            sound, reason = False, breakdown(error)
            undecided = {"name": law.name, "proof": "UNDECIDED", "claim": law.text(), "premises": [], "steps": []}
            records.append({**undecided, "reason": reason})
            if not arguments.json:
                print(f"{law.name}: {law.title}\nProof: UNDECIDED, its check breaks down: {reason}\n", flush=True)
            continue
        keep(law, proof, sum(step.seconds for step in proof.steps))
        sound &= proof.sound
        if arguments.json:
            records.append(record(law, proof))
        else:
            print(_written(law, proof, arguments.latex), flush=True)
    if arguments.json:
        print_json({"laws": records})
    return 0 if sound else 1


def record(law: "Law", proof: Any) -> dict[str, Any]:
    """JSON record of a derivation and its proof."""
    from sympy import latex

    steps = []
    for step, result in zip(law.derived.steps, proof.steps, strict=True):
        steps.append(
            {
                "name": step.name,
                "type": type(step).__name__,
                "uses": list(step.uses),
                "conclusion": str(step.conclusion),
                "latex": latex(step.conclusion),
                "because": step.because,
                "state": result.state.name,
                "reason": result.reason,
                "wall_seconds": result.seconds,
            }
        )
    return {
        "name": law.name,
        "proof": proof.state.name,
        "claim": law.text(),
        "premises": [{"name": p.name, "type": type(p).__name__} for p in law.derived.premises],
        "steps": steps,
    }


def _written(law: "Law", proof: Any, as_latex: bool) -> str:
    from theory.proof.rendering import latex_text, plain_text

    seconds = sum(step.seconds for step in proof.steps)
    ids = ", ".join(law.source.ids)
    if as_latex:
        heading = rf"\subsection*{{{law.title}}} % {law.name}, {ids}, {proof.state.name}"
        return f"{heading}\n\\[ {law.latex()} \\]\n{latex_text(law.derived, proof)}\n"
    lines = [
        f"{law.name}: {law.title}",
        f"{law.claim.kind}, {law.status.value}; {law.source.paper}, {law.source.place}; {ids}",
        f"Where: {law.regime}",
        plain_text(law.derived, proof),
        *(f"Idle premise: {name}" for name in proof.idle),
        *(f"Not reached from the last step: {name}" for name in proof.unreached),
        f"Proof: {proof.state.name} ({len(proof.steps)} steps, {seconds:.1f} s)",
        "",
    ]
    return "\n".join(lines)
