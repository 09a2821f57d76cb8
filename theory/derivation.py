"""A derivation: premises, steps, and the worlds in which they are tried."""

from __future__ import annotations

from dataclasses import dataclass

from sympy.logic.boolalg import Boolean

from theory.premises import Define, Imported, Premise, Suppose
from theory.steps.step import State, Step
from theory.worlds import Worlds

__all__ = ["Define", "Derivation", "Imported", "Proof", "State", "StepResult", "Suppose"]


@dataclass(frozen=True)
class StepResult:
    """The verdict on one step."""

    name: str
    state: State
    reason: str
    seconds: float


@dataclass(frozen=True)
class Proof:
    """The verdict on a derivation.

    Parameters
    ----------
    steps
        One verdict a step, in order.
    state
        PROVED when every step is; otherwise the worst of them (REFUTED, then VACUOUS, then UNDECIDED).
    unreached
        Steps that the last one does not rest on: separate results, or decoration.
    idle
        Premises that no step uses: the derivation is VACUOUS while there are any.
    """

    steps: tuple[StepResult, ...]
    state: State
    unreached: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether everything is PROVED."""
        return self.state is State.PROVED


@dataclass(frozen=True, eq=False)
class Derivation:
    """Premises, then steps; the last step's conclusion is what is derived.

    Nothing is checked when a derivation is built, except names: every name is unique and every `uses` refers to a
    premise or an earlier step.

    Parameters
    ----------
    premises
        Define, Suppose and Imported: the only things believed.
    steps
        In order.
    worlds
        Takes a `random.Random`, returns a `World`. Draws that break a hypothesis are thrown away.

    Raises
    ------
    ValueError
        For a name used twice, an unknown name in `uses`, or no step.
    """

    premises: tuple[Premise, ...]
    steps: tuple[Step, ...]
    worlds: Worlds

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("Derivation: no steps given; allowed are one or more; add the step that ends at the claim")
        seen = set()
        for part in (*self.premises, *self.steps):
            if part.name in seen:
                raise ValueError(f"Derivation: the name {part.name!r} is given twice; allowed is once; rename one")
            unknown = [n for n in getattr(part, "uses", ()) if n not in seen]
            if unknown:
                raise ValueError(
                    f"Derivation: step {part.name!r} uses {unknown}; allowed are names of premises and earlier "
                    f"steps: {sorted(seen)}"
                )
            seen.add(part.name)

    @property
    def conclusion(self) -> Boolean:
        """What the last step concludes."""
        return self.steps[-1].conclusion

    def check(self, first_failure: bool = False) -> Proof:
        """Check every step (or stop at the first that is not PROVED)."""
        raise NotImplementedError

    @property
    def sound(self) -> bool:
        """Whether every step is PROVED and no premise is idle."""
        return self.check().sound
