"""The verdicts of the last runs, in ``OUT/verdicts.json``."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from experiments.proofs import write_text
from experiments.sources import changed_since_start, statement_source
from theory.registry import laws, module_of


def last_verdicts(out: Path) -> dict[str, dict[str, Any]]:
    """Records of the last verdict by law; a law whose source, or what it uses, has changed since has none.

    Empty where there is no ``out/verdicts.json`` or it cannot be read.
    """
    return {
        name: record
        for name, record in _read(out).items()
        if record.get("law_source") and record["law_source"] == statement_source(name)
    }


def keep_verdicts(out: Path, records: Iterable[Mapping[str, Any]], profile: str) -> None:
    """Put records into ``out/verdicts.json``; those of other laws that are there stay.

    Raises
    ------
    ValueError
        If the file cannot be written.
    """
    kept = _read(out)
    for record in records:
        name = str(record["name"])
        kept[name] = {**record, "profile": profile, "law_source": _source(name)}
    text = json.dumps({"laws": list(kept.values())}, indent=1, allow_nan=False)
    try:
        write_text(out / "verdicts.json", text)
    except OSError as error:
        raise ValueError(
            f"verify: {out / 'verdicts.json'} cannot be written ({error.strerror}); pass another --out"
        ) from error


def _source(law: str) -> str:
    """Hash of what states the law; empty where that changed while this ran, so that the verdict is not told again."""
    if law in laws() and changed_since_start(module_of(law).__name__, ("theory.",)):
        return ""
    return statement_source(law)


def _read(out: Path) -> dict[str, dict[str, Any]]:
    try:
        held = json.loads((out / "verdicts.json").read_text(encoding="utf-8"))
        return {str(record["name"]): record for record in held["laws"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
