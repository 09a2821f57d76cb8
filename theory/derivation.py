"""A derivation: premises, steps, and the worlds in which they are tried."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from sympy import Basic
from sympy.logic.boolalg import Boolean

from theory.evaluation import Evaluation, EvaluationError
from theory.premises import Define, Imported, Premise, Suppose
from theory.rewriting import RewritingError
from theory.steps.step import Context, Finding, Meaning, State, Step
from theory.visibility import context_of, missing_support, restated, supporting
from theory.worlds import NoWorld, Worlds, draw

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
        PROVED when every step is and no premise is idle; otherwise the gravest (REFUTED, VACUOUS, UNDECIDED).
    unreached
        Steps that the last one does not rest on: separate results, or decoration.
    idle
        Premises that no step uses; the derivation is VACUOUS while there are any.
    """

    steps: tuple[StepResult, ...]
    state: State
    unreached: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether everything is PROVED."""
        return self.state is State.PROVED

    def __str__(self) -> str:
        lines = [f"{s.state.value:9} {s.name} ({s.seconds:.2f} s): {s.reason}" for s in self.steps]
        lines += [f"idle premise: {name}" for name in self.idle]
        lines += [f"not reached from the last step: {name}" for name in self.unreached]
        return "\n".join([self.state.value, *lines])


@dataclass(frozen=True, eq=False)
class Derivation:
    """Premises, then steps; the last step's conclusion is what is derived.

    Nothing is checked when a derivation is built, except names: every name is unique and every `uses`
    refers to a premise or an earlier step.

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

    Examples
    --------
    >>> from sympy import Symbol
    >>> from theory.steps import Equal
    >>> from theory.worlds import World, rational
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> square = Define("square", y, (x + 1) ** 2)
    >>> opened = Equal("opened", y - 1, x**2 + 2 * x, uses=("square",))
    >>> Derivation((square,), (opened,), lambda source: World({x: rational(source)})).sound
    True
    """

    premises: tuple[Premise, ...]
    steps: tuple[Step, ...]
    worlds: Worlds

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError(
                "Derivation: no steps given; allowed are one or more; add the one that ends at the claim"
            )
        seen = set()
        for part in (*self.premises, *self.steps):
            if part.name in seen:
                raise ValueError(
                    f"Derivation: the name {part.name!r} is given twice; allowed is once; rename one"
                )
            unknown = [n for n in getattr(part, "uses", ()) if n not in seen]
            if unknown:
                raise ValueError(
                    f"Derivation: step {part.name!r} uses {unknown}; allowed are names of premises and "
                    f"earlier steps: {sorted(seen)}"
                )
            seen.add(part.name)

    @property
    def conclusion(self) -> Boolean:
        """What the last step concludes."""
        return self.steps[-1].conclusion

    @property
    def sound(self) -> bool:
        """Whether every step is PROVED and no premise is idle."""
        return verdict(self).sound

    def check(self, first_failure: bool = False) -> Proof:
        """Check every step; with `first_failure`, stop at the first that is not PROVED.

        Each step is asked in this order: does it restate something; is it true in three worlds; is it
        proved from what it uses; is any of that idle. With `first_failure` all steps meet their worlds
        before any is proved.
        """
        idle, unreached = self._loose()
        results: list[StepResult] = []
        if first_failure:
            for step in self.steps:
                result = self._timed(step, proving=False)
                if result.state is not State.PROVED:
                    return Proof((result,), result.state, unreached, idle)
            if idle:
                return Proof((), State.VACUOUS, unreached, idle)
        for step in self.steps:
            results.append(self._timed(step, proving=True))
            if first_failure and results[-1].state is not State.PROVED:
                break
        states = {r.state for r in results} | ({State.VACUOUS} if idle else set())
        order = (State.REFUTED, State.VACUOUS, State.UNDECIDED, State.PROVED)
        return Proof(tuple(results), next(s for s in order if s in states), unreached, idle)

    def sampled(self, label: str, without: tuple[str, ...] = ()) -> Iterator[Evaluation]:
        """Worlds that honour every hypothesis, except those named in `without`; the label seeds them.

        Raises
        ------
        NoWorld
            If a bounded number of draws brings none.
        """
        honoured = tuple(p for p in self.premises if isinstance(p, Suppose) and p.name not in without)
        return draw(self.worlds, self.definitions, honoured, self.introduced, label)

    @property
    def definitions(self) -> tuple[Define, ...]:
        """Own definitions, then those that came with imports and are not given anew."""
        own = [p for p in self.premises if isinstance(p, Define)]
        heads = {d.head for d in own}
        for p in self.premises:
            if isinstance(p, Imported):
                for d in p.derivation.definitions:
                    if d.head not in heads:
                        heads.add(d.head)
                        own.append(d)
        return tuple(own)

    def reaching(self, step: Step) -> frozenset[str]:
        """Names of everything that a step rests on, itself included."""
        parts = {p.name: p for p in (*self.premises, *self.steps)}
        found: set[str] = set()
        pending = [step.name]
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += getattr(parts[name], "uses", ())
        return frozenset(found)

    @property
    def introduced(self) -> tuple[tuple[Basic, Meaning], ...]:
        """Symbols that steps bring in, here and in what is imported, with their meanings."""
        inherited = [i for p in self.premises if isinstance(p, Imported) for i in p.derivation.introduced]
        return tuple(inherited) + tuple(i for s in self.steps for i in s.introduces())

    def _loose(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        used = {n for s in self.steps for n in s.uses}
        used |= {name for p in self.premises if p.name in used for name in supporting(self, p)}
        reached = self.reaching(self.steps[-1])
        idle = tuple(p.name for p in self.premises if p.name not in used)
        return idle, tuple(s.name for s in self.steps if s.name not in reached)

    def _timed(self, step: Step, proving: bool) -> StepResult:
        start = time.perf_counter()
        try:
            found = self._judged(step, proving)
        except (RewritingError, EvaluationError) as error:
            found = Finding(State.UNDECIDED, str(error))
        return StepResult(step.name, found.state, found.reason, time.perf_counter() - start)

    def _judged(self, step: Step, proving: bool) -> Finding:
        again = restated(self, step)
        if again:
            return Finding(State.VACUOUS, again)
        unsupported = missing_support(self, step)
        if unsupported:
            return Finding(State.UNDECIDED, unsupported)
        worlds: list[Evaluation] = []
        try:
            for world in self.sampled(step.name):
                holds = step.holds_in(world)
                if holds is not None and not holds:
                    return Finding(State.REFUTED, f"{step.in_words(world)} where {world}")
                worlds.append(world)
                if len(worlds) == step.trials:
                    break
        except NoWorld as none:
            return Finding(State.VACUOUS, str(none))
        if not proving:
            return Finding(State.PROVED)
        context = replace(context_of(self, step, step.uses), worlds=tuple(worlds))
        found = step.check(context)
        if not found.proved:
            return found
        for name in step.uses:
            fewer = replace(
                context_of(self, step, tuple(n for n in step.uses if n != name)), worlds=context.worlds
            )
            if _still_proved(step, fewer):
                return Finding(State.VACUOUS, f"proved without {name!r}: it is idle, leave it out")
        return found


def _still_proved(step: Step, context: Context) -> bool:
    try:
        return step.check(context).proved
    except (RewritingError, EvaluationError):
        return False


@cache
def verdict(derivation: Derivation) -> Proof:
    """The proof of a derivation, checked once in a process."""
    return derivation.check()
