"""Long statements as rows of MathML that a page may break: no browser breaks a line inside one <math> element."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from sympy import Add, Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Equivalent, Implies, Or

LONG = 90
"""Characters of plain text beyond which a statement is broken."""

SIGNS = {"==": "=", "!=": "\N{NOT EQUAL TO}", ">=": "\N{GREATER-THAN OR EQUAL TO}", "<=": "\N{LESS-THAN OR EQUAL TO}"}
JOINTS = {
    And: "\N{LOGICAL AND}",
    Or: "\N{LOGICAL OR}",
    Implies: "\N{RIGHTWARDS DOUBLE ARROW}",
    Equivalent: "\N{LEFT RIGHT DOUBLE ARROW}",
}
Piece = tuple[str, Basic, str]
"""What stands before a part, the part, and what stands behind it."""


def broken(statement: Basic, write: Callable[[Basic], str]) -> str:
    """A statement as <math> elements in a row, with a break allowed between any two; short ones are one element.

    Breaks come at relations, at what joins relations, and at the + and - of a sum.

    Parameters
    ----------
    statement
        What is written.
    write
        MathML of one piece, without the <math> around it.

    Examples
    --------
    >>> from sympy import Symbol
    >>> name = Symbol("a_name_of_fifty_characters_that_makes_a_long_formula", positive=True)
    >>> broken(name > 1 - name, str).count("<math>"), broken(Symbol("x") > 1, str).count("<math>")
    (3, 1)
    """
    pieces = pieces_of(statement) if len(str(statement)) > LONG else iter((("", statement, ""),))
    rows = (f"<math><mrow>{_sign(before)}{write(part)}{_sign(after)}</mrow></math>" for before, part, after in pieces)
    return f'<span class="formula">{" ".join(rows)}</span>'


def pieces_of(statement: Basic, before: str = "", after: str = "") -> Iterator[Piece]:
    """The pieces of a statement, each with the signs round it.

    Examples
    --------
    >>> from sympy import Eq, Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> list(pieces_of(Eq(y, x**2 - x, evaluate=False)))
    [('', y, ''), ('=', x**2, ''), ('-', x, '')]
    """
    if isinstance(statement, Relational):
        yield from pieces_of(statement.lhs, before)
        yield from pieces_of(statement.rhs, SIGNS.get(str(statement.rel_op), str(statement.rel_op)), after)
    elif type(statement) in JOINTS:
        for place, part in enumerate(statement.args):
            sign = JOINTS[type(statement)] if place else before
            end = after if place == len(statement.args) - 1 else ""
            if type(part) in JOINTS:
                yield from pieces_of(part, sign + "(", ")" + end)
            else:
                yield sign, part, end
    elif isinstance(statement, Add):
        terms = statement.as_ordered_terms()
        for place, term in enumerate(terms):
            minus = place > 0 and term.could_extract_minus_sign()
            sign = ("-" if minus else "+") if place else before
            yield sign, -term if minus else term, after if place == len(terms) - 1 else ""
    else:
        yield before, statement, after


def _sign(written: str) -> str:
    return "".join(f"<mo>{escape(character)}</mo>" for character in written)
