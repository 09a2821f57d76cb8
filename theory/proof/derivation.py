"""A derivation: premises, steps, and the worlds in which they are tried."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

from sympy import Basic
from sympy.logic.boolalg import Boolean

from theory.proof.answers import answer, known, places_of, question
from theory.proof.evaluation import Evaluation, EvaluationError
from theory.proof.premises import Define, Imported, Premise, Suppose, overlapping
from theory.proof.restating import restated
from theory.proof.rewriting import RewritingError
from theory.proof.steps.step import Finding, Meaning, State, Step
from theory.proof.support import missing_support, supporting
from theory.proof.taken import broken_instance, broken_place, never_met
from theory.proof.vanishing import false_where_undefined
from theory.proof.visibility import context_of
from theory.proof.worlds import Common, NoWorld, Worlds, draw, honoured

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
    >>> from theory.proof.steps import Equal
    >>> from theory.proof.worlds import World, rational
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
            raise ValueError("Derivation: no steps given; allowed are one or more; add the one that ends at the claim")
        seen = set()
        for part in (*self.premises, *self.steps):
            if part.name in seen:
                raise ValueError(f"Derivation: the name {part.name!r} is given twice; allowed is once; rename one")
            unknown = [n for n in getattr(part, "uses", ()) if n not in seen]
            if unknown:
                raise ValueError(
                    f"Derivation: step {part.name!r} uses {unknown}; allowed are names of premises and "
                    f"earlier steps: {sorted(seen)}"
                )
            seen.add(part.name)
        self._one_meaning()

    def _one_meaning(self) -> None:
        heads: list[tuple[str, Basic]] = [(p.name, p.head) for p in self.premises if isinstance(p, Define)]
        for place, (name, head) in enumerate(heads):
            for earlier, other in heads[:place]:
                if overlapping(head, other):
                    raise ValueError(
                        f"Derivation: {earlier!r} and {name!r} both define {head}; allowed is one definition of each "
                        f"thing; drop one, or keep their patterns apart as q(0) and q(k + 1) are"
                    )
        for step in self.steps:
            for symbol, _ in step.introduces():
                if any(overlapping(symbol, other) for _, other in heads):
                    raise ValueError(
                        f"Derivation: {symbol} is given a meaning twice, last by {step.name!r}; allowed is once; "
                        f"name the root by a symbol of its own"
                    )
                heads.append((step.name, symbol))

    @property
    def conclusion(self) -> Boolean:
        """What the last step concludes."""
        return self.steps[-1].conclusion

    @property
    def sound(self) -> bool:
        """Whether every step is PROVED and no premise is idle."""
        return verdict(self).sound

    def check(self, first_failure: bool = False, suspects: tuple[str, ...] = ()) -> Proof:
        """Check every step; with `first_failure`, stop at the first that is not PROVED.

        Each step is asked in this order: does it restate something; is it true in a few worlds; is it proved
        from what it uses; is any of that idle. With `first_failure` the order is as follows:
        known answers, then the worlds of all steps, then proofs; `suspects` first.
        """
        idle, unreached = self._loose()
        if not first_failure:
            phases = (self._sensible, self._in_worlds, self._proved)
            results = tuple(self._timed(step, phases) for step in self.steps)
            return Proof(results, _worst(results, idle), unreached, idle)
        steps = sorted(self.steps, key=lambda s: s.name not in suspects)
        for phase in (self._remembered, self._sensible, self._in_worlds, self._proved):
            for step in steps:
                result = self._timed(step, (phase,))
                if result.state is not State.PROVED:
                    return Proof((result,), result.state, unreached, idle)
        return Proof((), _worst((), idle), unreached, idle)

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
                part = parts[name]
                pending += supporting(self, part) if isinstance(part, Imported) else getattr(part, "uses", ())
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

    def _timed(self, step: Step, phases: tuple[Callable[[Step], Finding], ...]) -> StepResult:
        start = time.perf_counter()
        found = Finding(State.PROVED)
        for phase in phases:
            try:
                found = phase(step)
            except (RewritingError, EvaluationError, RecursionError) as error:
                found = Finding(State.UNDECIDED, str(error))
            if not found.proved:
                break
        return StepResult(step.name, found.state, found.reason, time.perf_counter() - start)

    def _remembered(self, step: Step) -> Finding:
        return known(question(step, context_of(self, step, step.uses))) or Finding(State.PROVED)

    def _sensible(self, step: Step) -> Finding:
        again = restated(self, step)
        if again:
            return Finding(State.VACUOUS, again)
        unsupported = missing_support(self, step)
        return Finding(State.UNDECIDED, unsupported) if unsupported else Finding(State.PROVED)

    def _in_worlds(self, step: Step) -> Finding:
        try:
            for world in _in_common(self).first(step.trials):
                holds = step.holds_in(world)
                if holds is not None and not holds:
                    return Finding(State.REFUTED, f"{step.in_words(world)} where {world}")
                broken = broken_instance(world, self.premises, getattr(step, "instances", ()))
                if broken:
                    return Finding(State.VACUOUS, f"{broken} where {world}")
            last = step is self.steps[-1] and not step.lists_all
            never = never_met(step.conclusion, _in_common(self).first(step.trials)) if last else ""
            if never:
                return Finding(State.VACUOUS, never)
        except NoWorld as none:
            return Finding(State.VACUOUS, str(none))
        (world,) = _in_common(self).first(1)
        given = tuple(p for p in self.premises if isinstance(p, Suppose))
        false = false_where_undefined(self, step, world, lambda there: honoured(there, given, self.introduced))
        return Finding(State.REFUTED, false) if false else Finding(State.PROVED)

    def _proved(self, step: Step) -> Finding:
        found = answer(question(step, context_of(self, step, step.uses)))
        if not found.proved:
            return found
        for name in step.uses:
            fewer = context_of(self, step, tuple(n for n in step.uses if n != name))
            if answer(question(step, fewer)).proved:
                return Finding(State.VACUOUS, f"proved without {name!r}: it is idle, leave it out")
        asked = question(step, context_of(self, step, step.uses))
        for world in _in_common(self).first(step.trials):
            broken = broken_place(world, places_of(asked))
            if broken:
                return Finding(State.VACUOUS, f"{broken} where {world}")
        return found


def _worst(results: tuple[StepResult, ...], idle: tuple[str, ...]) -> State:
    states = {r.state for r in results} | ({State.VACUOUS} if idle else {State.PROVED})
    order = (State.REFUTED, State.VACUOUS, State.UNDECIDED, State.PROVED)
    return next(s for s in order if s in states)


def _in_common(derivation: Derivation) -> Common:
    """The worlds in which every step of a derivation is tried: to draw them costs more than to ask them."""
    found = _COMMON.get(derivation)
    if found is None:
        found = _COMMON[derivation] = Common(derivation.sampled(derivation.steps[-1].name))
    return found


_COMMON: WeakKeyDictionary[Derivation, Common] = WeakKeyDictionary()


@cache
def verdict(derivation: Derivation) -> Proof:
    """The proof of a derivation, checked once in a process."""
    return derivation.check()
