"""What a paper prints, what is derived, and the evidence that the two differ."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sympy import Basic, Expr


@dataclass(frozen=True)
class Witness:
    """An exact point at which the printed form fails while the derived form holds.

    ``exhibit()`` returns ``(printed, derived, truth)``: the values that the two forms give and the value found
    from the definitions, all exact SymPy objects. The evidence stands if ``derived == truth`` and ``printed`` is shown
    to be another value, not only to be written in another way.
    """

    kind: ClassVar[str] = "witness"
    description: str
    exhibit: Callable[[], tuple[Basic, Basic, Basic]]

    def stands(self) -> bool:
        """Whether the witness proves the printed form wrong and the derived form right there."""
        printed, derived, truth = self.exhibit()
        return bool(derived == truth) and _apart(printed, truth)


@dataclass(frozen=True)
class Counterexample:
    """An exact instance that satisfies the printed hypotheses and violates the printed conclusion.

    ``exhibit()`` returns named pairs ``(hypotheses hold, conclusion holds)``; it stands if the first is true and
    the second false.
    """

    kind: ClassVar[str] = "counterexample"
    description: str
    exhibit: Callable[[], tuple[bool, bool]]

    def stands(self) -> bool:
        """Whether the hypotheses hold and the conclusion does not."""
        hypotheses, conclusion = self.exhibit()
        return hypotheses and not conclusion


@dataclass(frozen=True)
class Confirmed:
    """A printed form that was doubted, checked and found right: listed so that nobody corrects it again.

    ``exhibit()`` returns ``(printed, truth)``, exact; it stands if they are equal.
    """

    kind: ClassVar[str] = "confirmed"
    description: str
    exhibit: Callable[[], tuple[Basic, Basic]]

    def stands(self) -> bool:
        """Whether the printed form gives what is true there."""
        printed, truth = self.exhibit()
        return bool(printed == truth)


@dataclass(frozen=True)
class Measurement:
    """A study in which the printed form comes out *disagrees*: the planted rival of a law, or a counter-system."""

    kind: ClassVar[str] = "measurement"
    description: str
    law: str
    control: str


@dataclass(frozen=True)
class Reading:
    """For slips of notation only: why the text can only be meant otherwise."""

    kind: ClassVar[str] = "reading"
    description: str


Evidence = Witness | Counterexample | Confirmed | Measurement | Reading


@dataclass(frozen=True)
class Erratum:
    """A place where a paper's text and the derivation differ.

    Parameters
    ----------
    id
        Catalogue id, such as ``temperature:E1``.
    where
        Place in the paper.
    sentence
        One sentence that says what is wrong, readable without the catalogue.
    printed, derived
        The two forms in LaTeX-free plain text.
    evidence
        Why the reader should believe it. An Erratum without evidence cannot be built.
    law
        Name of the law whose derivation gives the derived form, or empty.
    """

    id: str
    where: str
    sentence: str
    printed: str
    derived: str
    evidence: tuple[Evidence, ...]
    law: str = ""

    def __post_init__(self) -> None:
        """Refuse an erratum without evidence."""
        if not self.evidence:
            raise ValueError(f"erratum {self.id}: no evidence was given; add a witness, counterexample or reading")


def _apart(one: Basic, other: Basic) -> bool:
    """Whether two exact values differ: of numbers and expressions as values, of anything else as written.

    Examples
    --------
    >>> from sympy import Float, Integer, Rational, sqrt
    >>> _apart(sqrt(3 + 2 * sqrt(2)), 1 + sqrt(2)), _apart(Float("0.5"), Rational(1, 2)), _apart(sqrt(2), Integer(1))
    (False, False, True)
    """
    if isinstance(one, Expr) and isinstance(other, Expr):
        return one != other and one.equals(other) is False
    return bool(one != other)
