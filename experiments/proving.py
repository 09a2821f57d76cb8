"""Checking many derivations while something else is measured."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import final

from experiments.beside import beside, worth_it
from experiments.proofs import Proved, cached_proof, prove
from theory.law import Law
from theory.registry import laws as registered


@dataclass(frozen=True)
class Proving:
    """A derivation is about to be checked (or read from the cache)."""

    law: str
    index: int
    total: int


@final
class Proofs:
    """Proofs of some laws, each told once: those in a process of their own as they end, the others when asked."""

    def __init__(self, laws: tuple[Law, ...], running: Mapping[str, Future], cache: Path | None) -> None:
        self._laws = {law.name: law for law in laws}
        self._running = dict(running)
        self._cache = cache
        self._states: dict[str, Proved] = {}

    def now(self) -> Iterator[Proving | Proved]:
        """Tell, and where needed check here, every proof that does not run beside."""
        for name in self._laws:
            if name not in self._running and name not in self._states:
                yield from self.of(name)

    def news(self) -> Iterator[Proving | Proved]:
        """Tell those that have ended beside since they were last asked for."""
        for name, job in self._running.items():
            if name not in self._states and job.done():
                yield from self.of(name)

    def of(self, name: str) -> Iterator[Proving | Proved]:
        """Tell one proof, waiting for it; nothing where it was told already."""
        if name in self._states:
            return
        yield Proving(name, len(self._states), len(self._laws))
        self._states[name] = self._result(name)
        yield self._states[name]

    def __getitem__(self, name: str) -> Proved:
        """State of a proof that was told."""
        return self._states[name]

    def _result(self, name: str) -> Proved:
        job = self._running.get(name)
        if job is None:
            return prove(self._laws[name], self._cache)
        try:
            return job.result()
        except BrokenProcessPool:  # killed from outside, or short of memory: check it here
            return prove(self._laws[name], self._cache)


@contextmanager
def proving(laws: Iterable[Law], cache: Path | None = None) -> Iterator[Proofs]:
    """Proofs of the laws; where many are not known yet, they are checked in a process beside this one.

    Laws that are not registered (nor therefore known to another process) are checked in this one.
    """
    chosen = tuple(laws)
    open_ones = [law for law in chosen if cached_proof(law, cache) == "unchecked"]
    away = [law for law in open_ones if registered().get(law.name) is law]
    if not worth_it(len(away)):
        yield Proofs(chosen, {}, cache)
        return
    with beside() as pool:
        yield Proofs(chosen, {law.name: pool.submit(_prove, law.name, cache) for law in away}, cache)


def _prove(name: str, cache: Path | None) -> Proved:
    return prove(registered()[name], cache)
