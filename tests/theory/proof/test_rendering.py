"""A derivation reads as a proof in three notations, all of them well formed."""

import re
from xml.dom.minidom import parseString

import pytest
from derivations import ALL
from sympy import (
    And,
    Eq,
    Equivalent,
    Function,
    Implies,
    KroneckerDelta,
    Ne,
    Or,
    Piecewise,
    Product,
    Symbol,
    symbols,
)

from theory.proof.rendering import html, latex_text, plain_text, rows_mathml, statement_latex, statement_mathml

x, y = symbols("x y", real=True)
i, n = symbols("i n", integer=True)


@pytest.mark.parametrize("name", ALL)
def test_every_premise_and_step_is_shown(name: str) -> None:
    derivation = ALL[name]()
    for write in (plain_text, latex_text, html):
        made = write(derivation)
        for part in (*derivation.premises, *derivation.steps):
            assert part.name in made
    assert derivation.steps[-1].because in plain_text(derivation)


@pytest.mark.parametrize("name", ALL)
def test_html_is_well_formed_and_needs_no_entities(name: str) -> None:
    made = html(ALL[name]())
    parseString(f"<div>{made.replace('<br>', '<br/>')}</div>")
    assert set(re.findall(r"&[A-Za-z]+;", made)) <= {"&lt;", "&gt;", "&amp;"}


@pytest.mark.parametrize("name", ALL)
def test_latex_braces_match(name: str) -> None:
    made = latex_text(ALL[name]())
    assert made.count("{") == made.count("}")
    assert made.count(r"\begin{enumerate}") == made.count(r"\end{enumerate}") == 2


def test_verdicts_are_shown_with_a_proof() -> None:
    derivation = ALL["batch noise"]()
    proof = derivation.check()
    for write in (plain_text, latex_text, html):
        assert "proved" in write(derivation, proof)
        assert "proved" not in write(derivation)


@pytest.mark.parametrize(
    "statement",
    [
        Eq(x, y, evaluate=False),
        Ne(x, y),
        Equivalent(x > 0, y <= 1),
        Implies(And(x > 0, y > 0), Or(x > 1, y < 1)),
        Eq(KroneckerDelta(i, n), Product(i, (i, 1, n)), evaluate=False),
        Eq(Piecewise((1, x < 0), (0, True)), Function("F")(x), evaluate=False),
    ],
)
def test_statements_are_well_formed(statement) -> None:
    made = statement_mathml(statement)
    parseString(made)
    assert made.startswith("<math>")
    assert statement_latex(statement)


def test_names_keep_their_case_and_lam_is_lambda() -> None:
    assert "<mi>F</mi>" in statement_mathml(Eq(Function("F")(x), 1, evaluate=False))
    assert "\N{GREEK SMALL LETTER LAMDA}" in statement_mathml(Symbol("lam_H") > 0)
    assert "lam" in statement_latex(Symbol("lamp") > 0)
    assert r"\lambda" not in statement_latex(Symbol("lamp") > 0)


def test_long_statements_break_between_elements_and_lose_nothing() -> None:
    """Each sign of the whole stands once; a short statement stays in one element."""
    long = Symbol("a_symbol_with_a_name_that_alone_fills_most_of_the_line", real=True)
    statement = Implies(And(long > 0, Or(long < y, y >= 2)), Eq(x, 1 - long, evaluate=False), evaluate=False)
    made = rows_mathml(statement)
    parseString(made)
    assert made.count("<math>") == 4
    assert made.count("<mo>(</mo>") == made.count("<mo>)</mo>") == 2
    assert [made.count(f"<mo>{sign}</mo>") for sign in ("\u21d2", "\u2227", "\u2228", "=", "&lt;")] == [1] * 5
    assert rows_mathml(x > y).count("<math>") == 1
    assert rows_mathml(Eq(long, y - long, evaluate=False)).count("<math>") == 3
