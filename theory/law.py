"""A law: what it says, where it comes from, what it assumes, and the derivation that ends in it."""

from dataclasses import dataclass
from enum import Enum

from sympy import Basic, Symbol, latex
from sympy.logic.boolalg import Boolean
from sympy.tensor.indexed import IndexedBase

from theory.claims import Claim, Limit, Partition, claim_symbols
from theory.proof.derivation import Derivation


class Status(Enum):
    """What kind of belief a law deserves before it is measured."""

    THEOREM = "theorem"
    CONJECTURE = "conjecture"
    EMPIRICAL = "empirical"


@dataclass(frozen=True)
class Source:
    """Where a law comes from: paper, place in it, catalogue ids, and one sentence that stands for the ids."""

    paper: str
    place: str
    ids: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class Quantity:
    """A symbol with its meaning and unit; ``"1"`` is dimensionless."""

    symbol: Basic
    meaning: str
    unit: str = "1"

    @property
    def name(self) -> str:
        """Plain name, which is also the name of the coordinate or variable in a dataset."""
        return str(self.symbol)


@dataclass(frozen=True)
class Rival:
    """A wrong law that a reader might believe: it must come out *disagrees* on the data of the right one."""

    name: str
    claim: Claim
    because: str


@dataclass(frozen=True)
class Law:
    """One statement with its derivation.

    Construction fails unless the derivation's last step concludes the claim's statement, what the claim says
    beside it is derived too (the rate of a limit by a step of its own, the signatures of a partition by the
    conditions of its regimes), every free symbol of the statement has a meaning, and at least one rival of the
    same kind is given. Only what is no theorem may come without a derivation.

    Parameters
    ----------
    name
        ``topic.name``, unique.
    title
        One sentence in plain words.
    status
        Theorem, conjecture or empirical.
    source
        Paper, place, catalogue ids.
    quantities
        Meaning and unit of each symbol of the statement.
    assumptions
        Relations under which the statement holds, beyond the symbols' own assumptions.
    regime
        Where the law holds, in words.
    derivation
        Steps from definitions to the statement; None for a conjecture or an empirical law that is only measured.
    claim
        What is said.
    rivals
        Planted wrong versions.
    """

    name: str
    title: str
    status: Status
    source: Source
    quantities: tuple[Quantity, ...]
    regime: str
    derivation: Derivation | None
    claim: Claim
    rivals: tuple[Rival, ...]
    assumptions: tuple[Boolean, ...] = ()

    def __post_init__(self) -> None:
        """Check the law's own consistency; proofs are checked elsewhere, on demand."""
        if self.derivation is None:
            if self.status is Status.THEOREM:
                raise ValueError(f"law {self.name}: a theorem needs a derivation; give one, or call it a conjecture")
        elif self.derivation.conclusion != self.claim.statement:
            raise ValueError(
                f"law {self.name}: the derivation ends at {self.derivation.conclusion}, the claim says "
                f"{self.claim.statement}; let the last step conclude the claim"
            )
        elif unsupported := _unsupported(self.claim, self.derivation):
            raise ValueError(f"law {self.name}: {unsupported}; derive it or leave it out of the claim")
        explained = {quantity.symbol for quantity in self.quantities}
        explained |= {q.symbol.label for q in self.quantities if isinstance(q.symbol, IndexedBase)}
        unexplained = sorted(str(s) for s in claim_symbols(self.claim) if s not in explained)
        if unexplained:
            raise ValueError(f"law {self.name}: no meaning for {', '.join(unexplained)}; add a Quantity for each")
        if not self.rivals:
            raise ValueError(f"law {self.name}: no rival was given; plant at least one wrong version")
        for rival in self.rivals:
            if type(rival.claim) is not type(self.claim):
                raise ValueError(
                    f"law {self.name}: rival {rival.name} is a {rival.claim.kind}, the law a {self.claim.kind}; "
                    "give the same kind"
                )
            if rival.claim == self.claim:
                raise ValueError(f"law {self.name}: rival {rival.name} says what the law says; change it")

    @property
    def topic(self) -> str:
        """First part of the name."""
        return self.name.split(".", 1)[0]

    @property
    def derived(self) -> Derivation:
        """The derivation, for those who rest on it.

        Raises
        ------
        ValueError
            If the law has none.
        """
        if self.derivation is None:
            raise ValueError(f"law {self.name}: it is {self.status.value} and has no derivation; rest on a theorem")
        return self.derivation

    def symbol(self, name: str) -> Symbol:
        """Symbol of the law by its plain name."""
        for quantity in self.quantities:
            if quantity.name == name:
                return quantity.symbol  # pyright: ignore[reportReturnType]
        known = ", ".join(quantity.name for quantity in self.quantities)
        raise ValueError(f"law {self.name}: no symbol {name}; it has {known}")

    def text(self) -> str:
        """Plain text of the statement."""
        return str(self.claim.statement)

    def latex(self) -> str:
        """LaTeX of the statement."""
        return latex(self.claim.statement)


def _unsupported(claim: Claim, derivation: Derivation) -> str:
    """What a claim says beside its statement and the derivation does not show; empty where there is nothing."""
    if isinstance(claim, Partition):
        return claim.unsupported
    rate = claim.rate_statement if isinstance(claim, Limit) else None
    if rate is not None and rate not in [step.conclusion for step in derivation.steps]:
        return f"no step of the derivation concludes the rate, {rate}"
    return ""
