"""A derivation as a numbered proof: plain text, LaTeX, and HTML with presentation MathML.

All three are functions of the derivation; nothing about how it reads is stored in it. Verdicts are shown
where a proof is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from sympy import Basic, Symbol, latex
from sympy.logic.boolalg import Boolean

from theory.proof.premises import Define, Imported, Premise, Suppose

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation, Proof
    from theory.proof.steps.step import Step


def plain_text(derivation: Derivation, proof: Proof | None = None) -> str:
    """The proof in plain text.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from theory.proof.derivation import Define, Derivation
    >>> from theory.proof.steps import Equal
    >>> from theory.proof.worlds import World
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> step = Equal("shifted", y - 1, x**2 - 1, uses=("square",), because="Subtract 1.")
    >>> print(plain_text(Derivation((Define("square", y, x**2),), (step,), lambda source: World({x: 3}))))
    Premises
      P1. square (definition): y := x**2
    Steps
      1. shifted: y - 1 = x**2 - 1
         Subtract 1. [using square]
    """
    numbers = _numbers(derivation)
    lines = ["Premises"]
    for p in derivation.premises:
        lines.append(f"  {numbers[p.name]}. {p.name} ({_kind(p)}): {_premise(p, _plain, ':=')}")
    lines.append("Steps")
    for step in derivation.steps:
        lines.append(f"  {numbers[step.name]}. {step.name}: {_plain(step.conclusion)}")
        lines += [f"     {words} {_plain(part)}" for words, part in step.remarks()]
        lines.append(f"     {_reason(step)}".rstrip())
        if proof is not None:
            lines += [f"     {r.state.value}: {r.reason}" for r in proof.steps if r.name == step.name]
    return "\n".join(lines)


def latex_text(derivation: Derivation, proof: Proof | None = None) -> str:
    """The proof as LaTeX: two enumerations, to be put into a document."""
    numbers = _numbers(derivation)
    lines = [r"\paragraph{Premises}", r"\begin{enumerate}"]
    for p in derivation.premises:
        lines.append(rf"\item[{numbers[p.name]}.] {_tex(p.name)} ({_kind(p)}): ${_premise(p, statement_latex, ':=')}$")
    lines += [r"\end{enumerate}", r"\paragraph{Steps}", r"\begin{enumerate}"]
    for step in derivation.steps:
        lines.append(rf"\item[{numbers[step.name]}.] \emph{{{_tex(step.name)}}}")
        lines.append(rf"\[ {statement_latex(step.conclusion)} \]")
        lines += [f"{_tex(words)} ${statement_latex(part)}$." for words, part in step.remarks()]
        lines.append(_tex(_reason(step)))
        if proof is not None:
            lines += [_tex(f"({r.state.value})") for r in proof.steps if r.name == step.name]
    return "\n".join([*lines, r"\end{enumerate}"])


def html(derivation: Derivation, proof: Proof | None = None) -> str:
    """The proof as an HTML fragment with MathML that every browser shows offline."""
    lines = ['<ol class="premises">']
    for p in derivation.premises:
        lines.append(f"<li><b>{escape(p.name)}</b> ({_kind(p)}) {_premise(p, rows_mathml, '≔')}</li>")
    lines += ["</ol>", '<ol class="steps">']
    states = {r.name: r for r in proof.steps} if proof is not None else {}
    for step in derivation.steps:
        result = states.get(step.name)
        shown = f' <span class="state {result.state.value}">{result.state.value}</span>' if result else ""
        lines.append(f"<li><b>{escape(step.name)}</b>{shown}<br>{rows_mathml(step.conclusion)}")
        lines += [f"<br>{escape(words)} {rows_mathml(part)}" for words, part in step.remarks()]
        lines.append(f"<br>{escape(_reason(step))}</li>")
    return "\n".join([*lines, "</ol>"])


def statement_latex(statement: Basic) -> str:
    r"""LaTeX of one statement; `lam` is written \lambda.

    Examples
    --------
    >>> statement_latex(Symbol("lam_H") > 0)
    '\\lambda_{H} > 0'
    """
    return latex(statement.xreplace(_greek(statement)))


def statement_mathml(statement: Basic) -> str:
    """One statement as a <math> element.

    Examples
    --------
    >>> statement_mathml(Symbol("x") > 0)
    '<math><mrow><mi>x</mi><mo>&gt;</mo><mn>0</mn></mrow></math>'
    """
    from theory.proof.mathml import presentation

    return f"<math>{presentation(statement.xreplace(_greek(statement)))}</math>"


def rows_mathml(statement: Basic) -> str:
    """One statement as a row of <math> elements that a page may break if it is long."""
    from theory.proof.breaking import broken
    from theory.proof.mathml import presentation

    return broken(statement.xreplace(_greek(statement)), presentation)


def _greek(statement: Basic) -> dict[Basic, Basic]:
    """Symbols of other names for those that are spelt for Python."""
    return {
        s: Symbol(re.sub(r"^lam(?![a-z])", "lambda", s.name), **s._assumptions_orig)
        for s in statement.atoms(Symbol)
        if re.match(r"^lam(?![a-z])", s.name)
    }


def _plain(statement: Basic) -> str:
    if isinstance(statement, Boolean) and hasattr(statement, "rel_op") and len(statement.args) == 2:
        sign = {"==": "="}.get(statement.rel_op, statement.rel_op)  # type: ignore[attr-defined]
        return f"{statement.args[0]} {sign} {statement.args[1]}"
    return str(statement)


def _numbers(derivation: Derivation) -> dict[str, str]:
    premises = {p.name: f"P{k}" for k, p in enumerate(derivation.premises, 1)}
    return premises | {s.name: str(k) for k, s in enumerate(derivation.steps, 1)}


def _kind(premise: Premise) -> str:
    return {Define: "definition", Suppose: "hypothesis", Imported: "derived elsewhere"}[type(premise)]


def _premise(premise: Premise, write: Callable[[Basic], str], sign: str) -> str:
    if isinstance(premise, Define):
        return f"{write(premise.head)} {sign} {write(premise.body)}"
    everywhere = getattr(premise, "forall", ())
    places = f" (for all {', '.join(str(s) for s in everywhere)})" if everywhere else ""
    return write(premise.fact) + places


def _reason(step: Step) -> str:
    using = f"[using {', '.join(step.uses)}]" if step.uses else ""
    return f"{step.because} {using}".strip()


def _tex(words: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", words).replace("^", r"\^{}")
