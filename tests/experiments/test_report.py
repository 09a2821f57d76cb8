"""The report is one file that needs nothing else, and says what the results say."""

import base64
import datetime
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from observations import claims, margin, observation

from experiments.compare import compare
from experiments.markup import Raw, element, table, text
from experiments.report import page, write
from experiments.result import Control, Result
from experiments.verdict import Budget
from theory.claims import CLAIMS
from theory.errata import Counterexample, Erratum
from theory.registry import errata, laws

VOID = {"meta", "img", "br", "input", "hr", "link"}


class Balance(HTMLParser):
    """Checks that every element is closed, in order, and collects attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def parsed(content: str) -> Balance:
    """The report, taken apart."""
    reader = Balance()
    reader.feed(content)
    reader.close()
    assert reader.open == []
    return reader


FEW = dict(list(laws().items())[:3])


def results(kind: str = "Formula", proof: str = "PROVED", chosen=FEW) -> list[Result]:
    """One result a law: the comparison of planted data, or none for every second law."""
    right, wrong = claims()[kind]
    data = observation(kind)
    good = compare(right, data, margin(kind), minimum_effect=0.2)
    bad = compare(wrong, data, margin(kind), minimum_effect=0.2, against=right)
    control = Control("planted <wrong>", "rival", "wrong on purpose", bad)
    told = []
    for index, law in enumerate(chosen.values()):
        measured = index % 2 == 0
        told.append(
            Result(
                law.name, law.claim.kind, law.status.value, law.source.sentence, "width.study",
                proof,  # pyright: ignore
                good if measured else None, (control,) if measured else (), margin(kind),
                note="" if measured else "no store & no study",
            )
        )  # fmt: skip
    return told


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)


def whole(**changes) -> str:
    """A report of a few laws."""
    told = changes.pop("results", results())
    pictures = {result.law: PIXEL for result in told if result.comparison}
    return page(told, laws(), errata().values(), pictures, Budget(1e-4, 3, ()), datetime.date(2030, 1, 2))


def test_a_report_is_well_formed_and_tells_every_law_and_erratum():
    content = whole(results=results(chosen=laws()))
    reader = parsed(content)
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert set(laws()) | set(errata()) <= set(ids)
    links = [attributes["href"] for tag, attributes in reader.tags if tag == "a"]
    assert all(link is not None and link[1:] in ids for link in links)
    assert "2030-01-02" in content
    said = "".join(reader.words)
    for law in laws().values():
        assert law.regime in said
        assert all(step.name in said for step in (law.derivation.steps if law.derivation else ()))


def test_a_report_needs_nothing_from_outside():
    content = whole()
    reader = parsed(content)
    assert not {tag for tag, _ in reader.tags} & {"script", "link", "iframe", "object"}
    sources = [attributes["src"] for _, attributes in reader.tags if "src" in attributes]
    assert sources
    assert all(source is not None and source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", content)


def test_mathematics_is_rendered_offline():
    reader = parsed(whole())
    tags = [tag for tag, _ in reader.tags]
    assert tags.count("math") >= 3 * len(FEW)
    assert {"mrow", "mi", "mfrac"} <= set(tags)


def test_numbers_controls_and_reasons_are_there():
    content = whole()
    assert "planted &lt;wrong&gt;" in content
    assert "no store &amp; no study" in content
    assert "1/1" in content
    assert "below 1 % as it must be" in content
    assert 'class="bad"' not in content
    assert "Judged with" not in content


def test_a_verdict_from_fewer_seeds_than_declared_says_so():
    first, *others = results()
    content = whole(results=[replace(first, note="3 of 12 declared seeds"), *others])
    assert '<span class="agrees">agrees (3 of 12 declared seeds)</span>' in content
    assert "Judged with 3 of 12 declared seeds." in content


@pytest.mark.parametrize("proof", ["REFUTED", "UNDECIDED", "VACUOUS", "unchecked"])
def test_what_is_not_proved_stands_out(proof):
    assert f'<span class="bad">{proof}</span>' in whole(results=results(proof=proof))


def test_a_control_that_does_not_disagree_stands_out():
    told = results()
    good = told[0].comparison
    sleepy = Control("sleepy", "rival", "too close", good)
    told[0] = replace(told[0], controls=(sleepy,))
    content = whole(results=told)
    assert '<span class="bad">0/1</span>' in content
    assert '<span class="bad">agrees</span>' in content


@pytest.mark.parametrize("kind", [claim.kind for claim in CLAIMS])
def test_every_kind_of_comparison_can_be_told(kind):
    parsed(whole(results=results(kind)))


def test_an_erratum_tells_its_evidence():
    strange = Erratum(
        "width:G1",
        "Eq. <1>",
        "It is wrong.",
        "a < b",
        "a > b",
        (Counterexample("a = 2", lambda: (True, False)),),
    )
    content = page(results(), laws(), [strange], {})
    assert "a &lt; b" in content
    assert "counterexample: a = 2" in content
    parsed(content)


def test_writing_is_whole(tmp_path):
    path = write(tmp_path / "deep" / "report.html", "old")
    write(path, "new")
    assert path.read_text() == "new"
    assert [child.name for child in path.parent.iterdir()] == ["report.html"]


def test_markup_escapes_words_and_keeps_html():
    assert text("<i>&") == "&lt;i&gt;&amp;"
    assert element("a", Raw("<b>x</b>"), href='"').content == '<a href="&quot;"><b>x</b></a>'
    assert '<td class="number">1</td>' in table(("n",), [("1",)], ("n",)).content
    with pytest.raises(ValueError, match="zip"):
        table(("a", "b"), [("1",)])
