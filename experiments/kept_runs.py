"""The verdicts of a long run, kept in the repository, so that a reader need not spend an evening to see them.

``python -m experiments.kept_runs TOPIC --out DIR`` judges the stores of DIR, which ``assay verify TOPIC --profile full
--out DIR`` has measured, and writes ``experiments/TOPIC/full_run.json``: every verdict with its numbers, what each
figure says, and where they come from. Studies that DIR lacks stand as they were kept before, so that one study can be
measured anew without the rest. The file is never written by hand; a test fails as soon as a claim, a margin, an
observation, a comparison or a measurement that it rests on has changed (:func:`stale`). Another text of ``numerics``
below them makes no test fail, since a tidy hand often leaves it without another number: the report says it.
"""

import argparse
import datetime
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import xarray as xr

import experiments
from experiments.compare import compared_in
from experiments.figures import figures, stored
from experiments.files import write_text
from experiments.fingerprint import LAW, Fingerprint, grid_text, source_components
from experiments.registry import check_of, studies
from experiments.sources import code_hash, source_hash, text_hash
from experiments.stored import assemble, read_attributes, store_path
from experiments.study import Check, Profile, Study
from experiments.verdict import judge, observe
from theory.registry import TOPICS, laws

PROFILE: Profile = "full"
NUMBERS = ("verdict", "predicted", "estimate", "low", "high", "margin", "n", "trusted", "seeds_needed", "note")
OF_STUDIES = (
    "title", "data", "seeds", "first_seed", "seed_set", "total_seconds", "device", "dtype", "versions", "failures",
)  # fmt: skip


@dataclass(frozen=True)
class KeptRun:
    """What the file of a topic holds.

    Parameters
    ----------
    topic, profile, date, commit
        Of the run; the date and the commit are those of the last judgement.
    studies
        Study -> seeds, seconds, device, versions, the name of the data; date and commit where it was judged earlier.
    laws
        Law -> numbers of the part that decides, verdict, what was left out, and ``marks``: hashes of what they rest on.
    figures
        Figure -> title, place, the paper's claim, and what was found.
    """

    topic: str
    profile: str
    date: str
    commit: str
    studies: Mapping[str, Mapping[str, Any]]
    laws: Mapping[str, Mapping[str, Any]]
    figures: Mapping[str, Mapping[str, str]]


def place(topic: str) -> Path:
    """The file of a topic."""
    return Path(experiments.__path__[0]) / topic / "full_run.json"


def kept(topic: str) -> KeptRun | None:
    """The kept run of a topic; None where there is none.

    Raises
    ------
    ValueError
        If the file is not what :func:`keep` writes.
    """
    path = place(topic)
    if not path.exists():
        return None
    try:
        return KeptRun(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise ValueError(f"kept_runs: {path} is damaged ({error}); write it again or remove it") from error


COMPARING = ("experiments.comparison", "numerics.")
"""What the code that compares is taken from: its module, and what that uses."""

OTHER_NUMERICS = "another numerics"
"""Why a verdict is stale of which only the text of the numerics has changed."""


def marks(law: str) -> dict[str, str]:
    """Hashes of what a verdict rests on: the measurement, the numerics below it, the claim with its margin, the
    observation, and the code that compares claims of its kind.
    """
    study, check = check_of(law)
    components = source_components(study)
    return {
        "measurement": text_hash(components["study source"], _grid(study)),
        "numerics": components["numerics"],
        "claim": text_hash(
            laws()[law].text(), str(check.margin.value), str(check.minimum_effect), str(dict(check.select))
        ),
        "observation": source_hash(_module(check), (f"experiments.{study.topic}",)),
        "comparison": code_hash(compared_in(type(laws()[law].claim)), COMPARING),
    }


def stale(run: KeptRun) -> dict[str, str]:
    """Laws whose verdicts in a kept run rest on something that has changed, and what it is."""
    found = {}
    for law, record in run.laws.items():
        if law not in laws():
            found[law] = "the law is gone"
            continue
        now = marks(law)
        changed = [name for name, mark in now.items() if record["marks"].get(name) != mark]
        if changed:
            found[law] = f"another {' and another '.join(changed)}"
    return found


def keep(topic: str, out: Path, today: datetime.date) -> KeptRun:
    """Judge all stores of a topic in ``out`` that are of the full profile.

    Raises
    ------
    ValueError
        If there is none.
    """
    held = {name: _attributes(name, out) for name, study in studies().items() if study.topic == topic}
    chosen = {name: attributes for name, attributes in held.items() if attributes.get("profile") == PROFILE}
    if not chosen:
        raise ValueError(f"kept_runs: {out} holds no study of {topic} in the profile {PROFILE}; run assay verify first")
    judged = {}
    for name in chosen:
        study = studies()[name]
        dataset, numerics = measured(study, out)
        for check in study.checks:
            if PROFILE in check.profiles:
                record = judge(laws()[check.law], study, check, dataset).record()
                rests_on = marks(check.law) | {"numerics": numerics}
                kept_numbers = {key: record[key] for key in NUMBERS}
                judged[check.law] = kept_numbers | {"left_out": _left_out(check, dataset), "marks": rests_on}
    told = {}
    for name, figure in figures().items():
        if figure.topic == topic and set(figure.studies) <= set(chosen):
            text = {"title": figure.title, "place": figure.place, "claim": figure.claim}
            told[name] = text | {"found": figure.found(stored(figure, out))}
    origin = {name: {key: held[name][key] for key in OF_STUDIES if key in held[name]} for name in chosen}
    return KeptRun(topic, PROFILE, today.isoformat(), _commit(), origin, judged, told)


def merged(before: KeptRun | None, now: KeptRun) -> KeptRun:
    """The run that was kept before, with what was judged now in the place of what it held of the same studies.

    What no longer is in the registry goes, and so do figures that draw on a study that was judged now without the
    others that they need.
    """
    if before is None:
        return now
    then = {"date": before.date, "commit": before.commit}
    stand = {
        name: then | dict(origin) for name, origin in before.studies.items() if name in studies().keys() - now.studies
    }
    standing_laws = {
        law: record for law, record in before.laws.items() if law in laws() and check_of(law)[0].name in stand
    }
    standing_figures = {
        name: told
        for name, told in before.figures.items()
        if name in figures() and set(figures()[name].studies) <= set(stand)
    }
    return replace(
        now,
        studies=stand | dict(now.studies),
        laws=standing_laws | dict(now.laws),
        figures=standing_figures | dict(now.figures),
    )


def measured(study: Study, out: Path) -> tuple[xr.Dataset, str]:
    """A study's data in the full profile, and the hash of the numerics that they were measured with.

    That may be an earlier text than the present one: the verdict then carries its mark, and the report says it. Of
    theory no measurement knows: another text of a law is judged on the same data.

    Raises
    ------
    ValueError
        If the data were measured by another measurement or on another grid.
    """
    path = store_path(out, study.name)
    now = {**source_components(study), "grid": text_hash(grid_text(study.grids[PROFILE]))}
    components = dict(read_attributes(path) or {}).get("components", {})
    stored = {name: mark for name, mark in components.items() if name in now}
    changes = [name for name in Fingerprint(now).changes(stored) if name != "numerics" and not name.startswith(LAW)]
    if changes:
        raise ValueError(f"kept_runs: {path} was made with another {' and '.join(changes)}; measure it again")
    return assemble(path), stored["numerics"]


def text_of(run: KeptRun) -> str:
    """JSON text, one line for each study, law and figure."""
    lines = [f' "{name}": {json.dumps(getattr(run, name))}' for name in ("topic", "profile", "date", "commit")]
    for name in ("studies", "laws", "figures"):
        rows = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in getattr(run, name).items()]
        lines.append(f' "{name}": {{\n' + ",\n".join(rows) + "\n }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(words: list[str] | None = None) -> int:
    """Write a topic's file and say where it lies; 2 and one sentence where its stores cannot be kept."""
    parser = argparse.ArgumentParser(prog="python -m experiments.kept_runs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("topic", choices=TOPICS)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the stores")
    arguments = parser.parse_args(words)
    try:
        text = text_of(merged(kept(arguments.topic), keep(arguments.topic, arguments.out, datetime.date.today())))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    write_text(place(arguments.topic), text)
    print(place(arguments.topic))
    return 0


def _left_out(check: Check, dataset: xr.Dataset) -> str:
    """Runs that an observation leaves out, as it says itself."""
    try:
        return str(observe(check, dataset).attrs.get("excluded", ""))
    except ValueError:  # told as the note of the result
        return ""


def _attributes(study: str, out: Path) -> Mapping[str, Any]:
    return read_attributes(store_path(out, study)) or {}


def _grid(study: Study) -> str:
    return grid_text(study.grids[PROFILE]) if PROFILE in study.grids else ""


def _module(check: Check) -> str:
    return getattr(getattr(check.observe, "func", check.observe), "__module__", "")


def _commit() -> str:
    found = subprocess.run(
        ("git", "rev-parse", "--short=12", "HEAD"),
        cwd=experiments.__path__[0],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or "unknown"


if __name__ == "__main__":
    raise SystemExit(main())
