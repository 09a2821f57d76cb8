"""Digests as HTML: the verdicts of the stores at hand, and those of a run that was kept in the repository."""

from collections.abc import Iterable, Mapping

from experiments.digest import Digest, Record, cell, sentences, word_of
from experiments.kept_runs import OTHER_NUMERICS, KeptRun
from experiments.markup import Content, Raw, element, joined, table


def opening(
    topic: str,
    listed: Iterable[Digest],
    records: Mapping[str, Record],
    profiles: Mapping[str, str],
    run: KeptRun | None,
    stale: Mapping[str, str],
) -> Raw:
    """What a topic's digests say of the results at hand, then of the kept run; empty where there are none.

    Parameters
    ----------
    records
        JSON records of the results at hand, by law.
    profiles
        Profile of each study at hand.
    run, stale
        The kept run, and those of its laws that rest on something that has changed.
    """
    own = [digest for digest in listed if digest.topic == topic]
    if not own:
        return Raw("")
    pieces: list[Content] = [element("h3", "What holds and what fails: these results", id=f"{topic}-digest")]
    pieces.append(element("p", _by_profile(topic, profiles), class_="meta"))
    pieces += [block for digest in own for block in _told(digest, records)]
    if run is not None:
        pieces += _kept(topic, own, run, stale)
    return joined(pieces)


def _by_profile(topic: str, profiles: Mapping[str, str]) -> str:
    """Which studies were measured in which profile."""
    groups: dict[str, list[str]] = {}
    for study, profile in profiles.items():
        if study.startswith(f"{topic}."):
            groups.setdefault(profile, []).append(study)
    return (
        " ".join(f"Profile {profile}: {', '.join(names)}." for profile, names in groups.items()) or "Nothing is stored."
    )


def _told(digest: Digest, records: Mapping[str, Record], marked: Mapping[str, str] | None = None) -> list[Content]:
    if all(word_of(records.get(law)) == "not measured" for column in digest.laws.values() for law in column.values()):
        return [element("p", element("b", digest.title), " Not measured.")]
    rows = []
    for row in digest.rows:
        cells = []
        for column in digest.laws.values():
            law = column.get(row)
            words = cell(records.get(law), digest.factors) if law else ""
            cells.append(f"{words} (earlier version)" if law and marked and law in marked else words)
        rows.append((row, *cells))
    listed = element("ul", *(element("li", sentence) for sentence in sentences(digest, records)))
    return [element("p", element("b", digest.title)), listed, table(("", *digest.laws), rows)]


def _kept(topic: str, own: list[Digest], run: KeptRun, stale: Mapping[str, str]) -> list[Content]:
    heading = (
        f"What holds and what fails: the {run.profile} profile of {len(run.studies)} studies, run to its end and "
        f"last judged on {run.date}"
    )
    pieces: list[Content] = [element("h3", heading, id=f"{topic}-kept"), element("p", _origin(run), class_="meta")]
    changed = {law: why for law, why in stale.items() if why != OTHER_NUMERICS}
    if changed:
        said = f"{len(changed)} of its {len(run.laws)} verdicts rest on an earlier version of what they measure."
        pieces.append(element("p", element("span", said, class_="bad")))
    if len(changed) < len(stale):
        count = len(stale) - len(changed)
        said = f"{count} of its {len(run.laws)} verdicts were measured with an earlier text of numerics."
        pieces.append(element("p", element("span", said, class_="bad")))
    pieces += [block for digest in own for block in _told(digest, run.laws, changed)]
    if run.figures:
        rows = [(told["place"], told["claim"], told["found"]) for told in run.figures.values()]
        pieces += [element("p", element("b", "The paper's figures and numbers beside what this run found.")),
                   table(("place", "the paper", "found"), rows)]  # fmt: skip
    rows = [(", ".join(laws), said) for said, laws in _remarks(run).items()]
    return pieces + ([table(("laws", "remark"), rows)] if rows else [])


def _remarks(run: KeptRun) -> dict[str, list[str]]:
    """What is remarked on laws, and on which: why one was not measured, and which runs were left out."""
    found: dict[str, list[str]] = {}
    for law, record in run.laws.items():
        left_out = record.get("left_out")
        for said in (record.get("note"), f"left out: {left_out}" if left_out else ""):
            if said:
                found.setdefault(said, []).append(law)
    return found


def _origin(run: KeptRun) -> str:
    told = "; ".join(
        f"{name}: seeds {study['first_seed']} to {study['first_seed'] + study['seeds'] - 1}, "
        f"{study['total_seconds']:.0f} s on {study['device']}"
        + (f", {study['data']}" if study.get("data") else "")
        + (f", judged on {study['date']} at commit {study['commit']}" if study.get("commit") else "")
        for name, study in run.studies.items()
    )
    versions = next(iter(run.studies.values()))["versions"] if run.studies else {}
    listed = ", ".join(f"{package} {version}" for package, version in versions.items())
    return f"Commit {run.commit}. {told}. {listed}."
