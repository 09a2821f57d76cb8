"""The report: one HTML file that needs nothing else, to read on a screen or to print.

Mathematics is MathML, which browsers draw by themselves; pictures are embedded; there is no script and no
link to anything outside the file.
"""

import base64
import datetime
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from experiments.comparison import Part
from experiments.evidence import evidence_text
from experiments.files import write_bytes
from experiments.markup import Content, Raw, element, joined, table, text
from experiments.pictures.sentence import short, verdict_sentence
from experiments.result import Control, Result
from experiments.verdict import Budget
from theory.errata import Erratum
from theory.law import Law
from theory.proof.rendering import html, rows_mathml, statement_mathml

NUMBERS = ("predicted", "estimate", "interval", "margin", "n")
READING = (
    "Agrees: the interval lies inside predicted ± margin. Disagrees: it lies wholly outside. Undecided: "
    "it straddles an edge, and more seeds are needed. Margins are declared before measuring. Controls are "
    "planted wrong laws and other systems: each must disagree."
)


def page(
    results: Iterable[Result],
    laws: Mapping[str, Law],
    errata: Iterable[Erratum],
    pictures: Mapping[str, bytes],
    budget: Budget | None = None,
    today: datetime.date | None = None,
    openings: Mapping[str, Raw] | None = None,
) -> str:
    """The whole report as HTML.

    Parameters
    ----------
    results
        One a law, in the order in which they are told.
    laws
        Laws by name, for statements and derivations.
    pictures
        PNG images by law, and by the name of a paper's figure; what has none is told without a picture.
    budget
        What the achieved errors mean for the whole suite.
    today
        Date printed under the title; none is printed where it is not given.
    openings
        What stands before the laws of a topic (``experiments.digest_pages``).
    """
    told, listed = list(results), list(errata)
    date = f" Written on {today.isoformat()}." if today else ""
    body: list[Content] = [
        element("h1", "Assay: laws of early training, derived and weighed"),
        element("p", f"{len(told)} laws, {len(listed)} errata.{date}", class_="meta"),
        _summary(told, budget),
    ]
    for topic in dict.fromkeys(result.law.split(".")[0] for result in told):
        body.append(element("h2", topic.capitalize(), id=topic))
        body.append((openings or {}).get(topic, ""))
        for result in told:
            if result.law.split(".")[0] == topic:
                own = [erratum for erratum in listed if erratum.law == result.law]
                body.append(article(laws[result.law], result, own, pictures.get(result.law)))
        body.append(_figures(topic, laws, pictures))
    body.append(_errata(listed))
    head = joined(
        [
            Raw('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
            element("title", "Assay report"),
            element("style", Raw(STYLE)),
        ]
    )
    whole = element("html", element("head", head), element("body", joined(body)), lang="en")
    return f"<!DOCTYPE html>\n{whole.content}\n"


def article(law: Law, result: Result, errata: Iterable[Erratum], picture: bytes | None) -> Raw:
    """One law: statement, meanings, derivation, picture, numbers, controls, errata."""
    source, parts = law.source, result.comparison.parts if result.comparison else ()
    told = f"{source.sentence} ({source.paper}, {source.place}; {', '.join(source.ids)})"
    where = f" · {law.claim.kind} · {law.status.value} · {told}"
    silent = f"{result.word.capitalize()}: {result.note}"
    held = f" Judged with {result.note}." if result.verdict and result.note else ""
    measured = f"{verdict_sentence(result.comparison)}{held}" if result.comparison else silent
    pieces: list[Content] = [
        element("h3", law.title),
        element("p", element("span", law.name, class_="name"), where, class_="meta"),
        element("div", Raw(rows_mathml(law.claim.statement)), class_="statement"),
        table(
            ("", "", ""),
            [
                (Raw(statement_mathml(q.symbol)), q.meaning, "" if q.unit == "1" else q.unit)
                for q in law.quantities
            ],
        ),
        element("p", element("b", "Where it holds. "), law.regime),
        *_derivation(law, result),
        element("h4", "Measurement"),
        element("p", measured),
        _image(law.name, picture),
        _numbers(parts),
        _controls(result.controls),
    ]
    for erratum in errata:
        link = element("a", erratum.id, href=f"#{erratum.id}")
        pieces.append(element("p", element("b", "Erratum ", link, ". "), erratum.sentence))
    return element("article", joined(pieces), id=law.name)


def _derivation(law: Law, result: Result) -> tuple[Content, ...]:
    if law.derivation is None:
        return (element("p", f"No derivation: this law is {law.status.value}; it is measured only."),)
    return element("h4", "Derivation: ", _proof(result)), Raw(html(law.derivation))


def write(path: Path, content: str) -> Path:
    """Write the report whole or not at all."""
    write_bytes(path, content.encode("utf-8", "replace"))  # a folder's name may hold bytes that are no text
    return path


def _summary(results: Sequence[Result], budget: Budget | None) -> Raw:
    rows = []
    for result in results:
        part = result.comparison.worst if result.comparison and result.comparison.parts else None
        link = element("a", result.law, class_="name", href=f"#{result.law}")
        numbers = _cells(part) if part else ("",) * len(NUMBERS)
        rows.append((link, result.kind, *numbers, _verdict(result), _fired(result.controls), _proof(result)))
    head = ("law", "kind", *NUMBERS, "verdict", "controls", "proof")
    listed = element("div", table(head, rows, NUMBERS), class_="summary")
    pieces: list[Content] = [listed, element("p", READING, class_="meta")]
    if budget is not None:
        chance = f"The chance that any true law comes out 'disagrees' is {budget.false_disagrees:.2g}"
        kept: Content = ", below 1 % as it must be." if budget.kept else _bad(", which is not below 1 %.")
        pieces.append(element("p", f"{budget.parts} numbers were compared. {chance}", kept))
    return joined(pieces)


def _cells(part: Part) -> tuple[str, str, str, str, str]:
    interval = f"[{short(part.low)}, {short(part.high)}]"
    return short(part.predicted), short(part.estimate), interval, short(part.margin), str(part.n)


def _numbers(parts: Sequence[Part]) -> Raw:
    if not parts:
        return Raw("")
    rows = [
        (part.label, *_cells(part), element("span", part.verdict.value, class_=part.verdict.value), part.note)
        for part in parts
    ]
    return table(("part", *NUMBERS, "verdict", "note"), rows, NUMBERS)


def _controls(controls: Sequence[Control]) -> Raw:
    if not controls:
        return Raw("")
    rows = []
    for control in controls:
        word = control.comparison.verdict.value if control.comparison else f"not compared: {control.note}"
        rows.append((control.name, control.kind, control.because, word if control.fires else _bad(word)))
    return table(("control", "kind", "why", "verdict (must be disagrees)"), rows)


def _image(name: str, picture: bytes | None) -> Raw:
    if picture is None:
        return Raw("")
    data = base64.b64encode(picture).decode("ascii")
    return Raw(f'<p><img alt="picture of {text(name)}" src="data:image/png;base64,{data}"></p>')


def _figures(topic: str, laws: Mapping[str, Law], pictures: Mapping[str, bytes]) -> Raw:
    """The figures of the topic's paper: those pictures that are no law's."""
    drawn = [name for name in pictures if name not in laws and name.split(".")[0] == topic]
    if not drawn:
        return Raw("")
    heading = element("h3", "The paper's figures, redrawn", id=f"{topic}-figures")
    return joined([heading, *(_image(name, pictures[name]) for name in drawn)])


def _errata(errata: Sequence[Erratum]) -> Raw:
    if not errata:
        return Raw("")
    rows = []
    for erratum in errata:
        told = [f"{evidence.kind}: {evidence_text(evidence)}" for evidence in erratum.evidence]
        why = element("ul", *(element("li", one) for one in told))
        what = element("div", element("span", erratum.sentence), why, id=erratum.id)
        rows.append((joined([erratum.id, erratum.where], "<br>"), what, erratum.printed, erratum.derived))
    listed = table(("where", "what and why", "printed", "derived"), rows)
    return joined([element("h2", "Errata", id="errata"), listed])


def _verdict(result: Result) -> Content:
    if result.failed:
        return _bad(result.word)
    return element("span", result.told, class_=result.word) if result.verdict else result.word


def _proof(result: Result) -> Content:
    return result.proof if result.proof in ("PROVED", "none") else _bad(result.proof)


def _fired(controls: Sequence[Control]) -> Content:
    fired = sum(control.fires for control in controls)
    word = f"{fired}/{len(controls)}"
    return word if fired == len(controls) else _bad(word)


def _bad(word: str) -> Raw:
    return element("span", word, class_="bad")


STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 Georgia, 'Times New Roman', serif; color: #1a1a1a; background: white;
       max-width: 68rem; margin: 2rem auto; padding: 0 1.2rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 600; }
h2 { border-bottom: 1px solid #999; margin-top: 3rem; }
h3 { margin-top: 2.6rem; }
h4 { margin: 1.4rem 0 .3rem; font-size: 1rem; }
table { border-collapse: collapse; font-size: .86rem; margin: .6rem 0; }
th, td { text-align: left; padding: .18rem .7rem .18rem 0; vertical-align: top;
         border-bottom: 1px solid #ddd; }
.summary table { font-size: .78rem; }
.summary td { white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.name, code { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, monospace; font-size: .86em; }
.agrees::before { content: '\\2713\\00a0'; }
.disagrees { font-weight: 700; }
.disagrees::before { content: '\\2717\\00a0'; }
.undecided { font-style: italic; }
.undecided::before { content: '?\\00a0'; }
.bad { font-weight: 700; text-decoration: underline; }
.meta { color: #444; font-size: .9rem; }
.statement { font-size: 1.12rem; margin: .6rem 0; padding: .3rem 0; overflow-x: auto; overflow-y: hidden; }
.steps > li { margin: .55rem 0; }
.premises { list-style: none; counter-reset: premise; padding-left: 1rem; }
.premises > li::before { counter-increment: premise; content: 'P' counter(premise) '. '; color: #444; }
math { font-family: 'STIX Two Math', 'Latin Modern Math', 'Cambria Math', math; }
img { max-width: 100%; height: auto; }
.scroll { overflow-x: auto; }
.formula { display: inline-block; max-width: 100%; overflow-x: auto; overflow-y: hidden; vertical-align: bottom; }
.statement .formula { display: block; text-align: center; }
@media print {
  body { font-size: 10.5pt; max-width: none; margin: 0; padding: 0; }
  a { color: inherit; text-decoration: none; }
  img, tr, .statement, .steps > li { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .scroll, .statement, .formula { overflow: visible; }
}
"""
