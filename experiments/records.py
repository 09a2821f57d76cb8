"""The verdicts of the last runs, in ``OUT/verdicts.json``."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from experiments.files import write_text
from experiments.lock import locked
from experiments.sources import changed_since_start, module_statement, source_hash, statement_source
from theory.registry import laws, module_of

JUDGE = "experiments.verdict"
JUDGED_WITH = ("experiments.", "numerics.")
PATIENCE = 30.0
"""Seconds to wait for another run that writes its verdicts into the same folder."""


class Damaged(ValueError):
    """A file of verdicts is there and cannot be understood; the message is one sentence."""


def last_verdicts(out: Path) -> dict[str, dict[str, Any]]:
    """Records of the last verdict by law, as far as they are of the present version: see :func:`by_version`."""
    return by_version(out)[0]


def by_version(
    out: Path, stated_in: Mapping[str, str] | None = None
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Records of the last verdict by law: those of the present version, and those of an earlier one.

    A verdict is of the present version while nothing has changed of what states its law, of what measures and
    observes it, and of what compares: the modules and all that they use. Proofs are no part of it; they have a cache
    of their own (``experiments.proofs``). ``stated_in`` names the module of each law, where it is known without
    loading them.

    Raises
    ------
    Damaged
        If ``out/verdicts.json`` is there and cannot be understood.
    ValueError
        If it cannot be read.
    """
    mark, of_module = cache(source_hash), cache(module_statement)

    def stated(law: str) -> str:
        module = (stated_in or {}).get(law)
        return of_module(module) if module else statement_source(law)

    current, earlier = {}, {}
    for name, record in _read(out).items():
        modules = tuple(record.get("judged_in", ()))
        kept = record.get("law_source"), record.get("judged_source")
        same = all(kept) and kept == (stated(name), mark((JUDGE, *modules), JUDGED_WITH))
        (current if same else earlier)[name] = record
    return current, earlier


def keep_verdicts(out: Path, records: Iterable[Mapping[str, Any]], profile: str) -> str:
    """Put records into ``out/verdicts.json``; those of other laws that are there stay.

    A file that cannot be understood is put aside, never overwritten; the sentence that says so is returned.

    Raises
    ------
    ValueError
        If the file cannot be read or written.
    """
    place = out / "verdicts.json"
    with locked(place, PATIENCE):  # what another run wrote since must not be lost
        told = put_aside_if_damaged(out)
        kept = _read(out)
        for record in records:
            name = str(record["name"])
            kept[name] = {**record, "profile": profile, **_sources(name)}
        text = json.dumps({"laws": list(kept.values())}, indent=1, allow_nan=False)
        try:
            write_text(place, text)
        except OSError as error:
            raise ValueError(f"verify: {place} cannot be written ({error.strerror}); pass another --out") from error
    return told


def put_aside_if_damaged(out: Path) -> str:
    """Rename a ``verdicts.json`` that cannot be understood; one sentence that says so, empty where there is none.

    Raises
    ------
    ValueError
        If the file cannot be read or renamed.
    """
    place = out / "verdicts.json"
    try:
        _read(out)
    except Damaged as error:
        aside = _free(place.with_name("verdicts.damaged.json"))
        try:
            place.rename(aside)
        except OSError as refusal:
            raise ValueError(f"{error}, nor can it be put aside ({refusal.strerror}); move it away") from refusal
        return f"{error}; it is kept as {aside} and another is begun"
    return ""


def _free(place: Path) -> Path:
    """The place, or the next numbered one that nothing lies at."""
    number, free = 1, place
    while free.exists():
        number += 1
        free = place.with_name(f"{place.stem}.{number}{place.suffix}")
    return free


def _sources(law: str) -> dict[str, Any]:
    """What the verdict on a law rests on; hashes are empty where it changed while this ran, so that the verdict is
    not told again.
    """
    from experiments.fingerprint import judged_in  # loads all studies, which a listing of laws need not

    modules = judged_in(law)
    edited = law in laws() and changed_since_start(module_of(law).__name__, ("theory.",))
    edited = edited or changed_since_start((JUDGE, *modules), JUDGED_WITH)
    return {
        "law_source": "" if edited else statement_source(law),
        "judged_in": modules,
        "judged_source": "" if edited else source_hash((JUDGE, *modules), JUDGED_WITH),
    }


def _read(out: Path) -> dict[str, dict[str, Any]]:
    place = out / "verdicts.json"
    try:
        held = json.loads(place.read_text(encoding="utf-8"), parse_constant=_no_json)
        return {str(record["name"]): _understood(record) for record in held["laws"]}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Damaged(f"{place} is damaged and cannot be understood ({type(error).__name__})") from error
    except OSError as error:
        raise ValueError(f"{place} cannot be read ({error.strerror}); mend that or pass another --out") from error


def _understood(record: Any) -> dict[str, Any]:
    """A record's copy; TypeError where what is read of it is of another kind."""
    found = dict(record)
    modules, word = found.get("judged_in", []), found.get("word", "")
    if not isinstance(modules, list) or not all(isinstance(each, str) for each in (*modules, word)):
        raise TypeError("judged_in or word is of another kind")
    return found


def _no_json(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
