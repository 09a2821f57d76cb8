"""Presentation MathML of what derivations are made of, where SymPy's own printer is wrong or silent."""

from __future__ import annotations

from html.entities import html5
from typing import Any

from sympy import Basic
from sympy.printing.mathml import MathMLPresentationPrinter


def presentation(expression: Basic) -> str:
    """The MathML inside a <math> element, with characters instead of named entities.

    Examples
    --------
    >>> from sympy import KroneckerDelta, symbols
    >>> presentation(KroneckerDelta(*symbols("i j")))
    '<msub><mi>δ</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>'
    """
    printer = _Printer()
    made = printer._print(expression).toxml()
    made = made.replace("<mo><</mo>", "<mo>&lt;</mo>").replace("<mo>></mo>", "<mo>&gt;</mo>")
    for name in (
        "InvisibleTimes",
        "ApplyFunction",
        "dd",
        "ExponentialE",
        "ImaginaryI",
        "pi",
        "infin",
        "int",
        "PartialD",
    ):
        for written in (f"&amp;{name};", f"&{name};"):
            made = made.replace(written, html5[f"{name};"])
    return made


class _Printer(MathMLPresentationPrinter):
    def _element(self, name: str, *parts: Any) -> Any:
        made = self.dom.createElement(name)
        for p in parts:
            made.appendChild(self.dom.createTextNode(p) if isinstance(p, str) else p)
        return made

    def _fenced(self, parts: list[Any]) -> Any:
        inside: list[Any] = []
        for p in parts:
            inside += [self._element("mo", ","), p] if inside else [p]
        return self._element("mrow", self._element("mo", "("), *inside, self._element("mo", ")"))

    def _print_KroneckerDelta(self, e: Any) -> Any:
        below = self._element("mrow", *[self._print(a) for a in e.args[:2]])
        return self._element("msub", self._element("mi", "δ"), below)

    def _print_Product(self, e: Any) -> Any:
        made = self._print(e.function)
        if e.function.is_Add:
            made = self._fenced([made])
        for index, low, high in e.limits:
            below = self._element("mrow", self._print(index), self._element("mo", "="), self._print(low))
            sign = self._element("munderover", self._element("mo", "∏"), below, self._print(high))
            made = self._element("mrow", sign, made)
        return made

    def _print_Piecewise(self, e: Any) -> Any:
        rows = []
        for value, condition in e.args:
            words = self._element("mtext", "otherwise" if condition == True else "if ")  # noqa: E712
            tail = [words] if condition == True else [words, self._print(condition)]  # noqa: E712
            cells = [
                self._element("mtd", self._print(value)),
                self._element("mtd", self._element("mrow", *tail)),
            ]
            rows.append(self._element("mtr", *cells))
        return self._element("mrow", self._element("mo", "{"), self._element("mtable", *rows))

    def _print_AppliedUndef(self, e: Any) -> Any:
        from sympy import Symbol

        return self._element(
            "mrow", self._print(Symbol(e.func.__name__)), self._fenced([self._print(a) for a in e.args])
        )

    def _print_UndefinedFunction(self, e: Any) -> Any:
        return self._element("mi", e.__name__)

    def _print_Indexed(self, e: Any) -> Any:
        inside: list[Any] = []
        for i in e.indices:
            inside += [self._element("mo", ","), self._print(i)] if inside else [self._print(i)]
        return self._element("msub", self._print(e.base.label), self._element("mrow", *inside))
