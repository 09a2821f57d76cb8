"""The verdict on one law: its comparison, the controls that must disagree, and the state of its proof."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import xarray as xr

from experiments import cells
from experiments.compare import compare, for_rival
from experiments.comparison import Comparison, Verdict
from experiments.comparisons.parts import undecided
from experiments.own_words import own_words
from experiments.proofs import ProofState
from experiments.result import FAILED, Control, Result
from experiments.study import Check, CounterSystem, Study
from numerics.equivalence import chance_of_any, planned_standard_error
from theory.law import Law, Rival, Status

__all__ = [
    "Budget",
    "Control",
    "ProofState",
    "Result",
    "budget",
    "exit_status",
    "faults",
    "judge",
    "observe",
    "summary",
    "unmeasured",
]


@dataclass(frozen=True)
class Budget:
    """What the errors that were achieved mean for the whole suite.

    ``false_disagrees`` bounds the chance that any true law comes out *disagrees* (a sum over parts, so
    that shared seeds do no harm); ``over_budget`` names the parts whose standard error is above room/(t
    + 2), with the seeds that would be needed.
    """

    false_disagrees: float
    parts: int
    over_budget: tuple[str, ...]

    @property
    def kept(self) -> bool:
        """Whether the chance of any false *disagrees* stays below 1 %."""
        return self.false_disagrees < 0.01

    def record(self) -> dict[str, Any]:
        """JSON record."""
        return {
            "false_disagrees": self.false_disagrees,
            "kept": self.kept,
            "parts": self.parts,
            "over_budget": list(self.over_budget),
        }


def judge(
    law: Law, study: Study, check: Check, dataset: xr.Dataset, proof: ProofState = "unchecked"
) -> Result:
    """Compare a law with a study's assembled Dataset, and run all of its controls.

    A rival is compared on the law's observation, a counter-system on its own. What goes wrong in an
    ``observe`` is kept as a note: the law's measurement has then failed, a control does not fire. Numbers that
    were lost (a run that diverged) in a variable that the check reads forbid *agrees*, whatever ``observe`` makes
    of them.
    """
    try:
        observation = observe(check, dataset)
        comparison = compare(
            law.claim,
            observation,
            check.margin,
            law=law.name,
            study=study.name,
            minimum_effect=check.minimum_effect,
        )
    except Exception as error:  # an author's observe may raise anything; one law must not end the run
        return unmeasured(law, proof, _reason(error), study.name, failed=True)
    comparison = _doubted(comparison, study, check, dataset)
    observed = dataset.attrs.get("profile") in check.observed
    if observed:
        comparison = dataclasses.replace(comparison, observed=True)
    rivals = tuple(_rival(law, study, check, rival, observation) for rival in law.rivals)
    others = tuple(_counter_system(law, study, check, system, dataset) for system in check.counter_systems)
    return dataclasses.replace(
        unmeasured(law, proof, _observed_in(check) if observed else _fewer_seeds(study, dataset), study.name),
        comparison=comparison,
        controls=rivals + others,
        margin=check.margin,
    )


def observe(check: Check, dataset: xr.Dataset, select: Mapping[str, Any] | None = None) -> xr.Dataset:
    """The observation of a check: select the system, make sure that it was measured, then ``check.observe``.

    Raises
    ------
    ValueError
        If the selection does not exist, or if cells of it failed or were not run.
    """
    chosen = check.select if select is None else select
    try:
        part = dataset.sel(dict(chosen))
    except (KeyError, ValueError) as error:
        have = ", ".join(
            f"{name} {dataset[name].values[:6].tolist()}" for name in chosen if name in dataset.coords
        )
        raise ValueError(
            f"observe: the selection {dict(chosen)} is not in the data ({have or error}); correct it"
        ) from error
    if "status" in part.variables:
        states = part["status"].values
        total = int((states != cells.ABSENT).sum())
        missing = ((cells.FAILED, "failed"), (cells.TODO, "were not run"), (cells.RUNNING, "were not finished"))
        for state, what in missing:
            count = int((states == state).sum())
            if count:
                first = next(iter(dataset.attrs.get("failures", {}).values()), "") if state == cells.FAILED else ""
                raise ValueError(f"{count} of {total} seeds' cells {what}{f': {first}' if first else ''}")
    return own_words(check.observe(part), part)


def unmeasured(law: Law, proof: ProofState, note: str, study: str = "", *, failed: bool = False) -> Result:
    """Result of a law that was not compared, why, and whether it should have been."""
    return Result(
        law=law.name,
        kind=law.claim.kind,
        status=law.status.value,
        source=law.source.sentence,
        study=study,
        proof=proof,
        comparison=None,
        note=note,
        failed=failed,
    )


def budget(results: Iterable[Result]) -> Budget:
    """Add up the chances of a false *disagrees* over all parts of all laws (controls excluded)."""
    chances, over = [], []
    for result in results:
        judged = result.comparison is not None and not result.comparison.observed
        for part in result.comparison.parts if judged and result.comparison is not None else ():
            chances.append(part.false_disagrees)
            if part.level is None or part.standard_error is None or part.n < 2:
                continue
            planned = planned_standard_error(part.room, part.n, part.level)
            if part.standard_error > planned:
                needed = (
                    f"{part.seeds_needed} seeds are needed"
                    if part.seeds_needed
                    else "no number of seeds is enough"
                )
                name = f"{result.law} ({part.label})" if part.label else result.law
                over.append(f"{name}: standard error {part.standard_error:.3g} above {planned:.3g}; {needed}")
    return Budget(chance_of_any(chances), len(chances), tuple(over))


def faults(results: Iterable[Result]) -> dict[str, tuple[str, ...]]:
    """What is wrong with a run, and with which laws: theorems that disagree, proofs that are not PROVED (an unchecked
    one is not; a law without a derivation has none), laws of any status whose measurement failed.
    """
    told = tuple(results)
    theorems = [result for result in told if result.status == Status.THEOREM.value]
    found = {
        "disagrees": tuple(result.law for result in theorems if result.verdict is Verdict.DISAGREES),
        "not PROVED": tuple(result.law for result in told if result.proof not in ("PROVED", "none")),
        FAILED: tuple(result.law for result in told if result.failed),
    }
    return {what: names for what, names in found.items() if names}


def exit_status(results: Iterable[Result]) -> int:
    """Return 1 if there are :func:`faults`, else 0."""
    return int(bool(faults(results)))


def summary(results: Iterable[Result]) -> dict[str, int]:
    """How many results have each word, in the order in which the words come."""
    words = [result.word for result in results]
    return {word: words.count(word) for word in dict.fromkeys(words)}


def _doubted(comparison: Comparison, study: Study, check: Check, dataset: xr.Dataset) -> Comparison:
    """Take *agrees* back where the check reads a variable in which numbers were lost."""
    if comparison.verdict is not Verdict.AGREES:
        return comparison
    part = dataset.sel(dict(check.select))
    lost = [
        name
        for name in study.variables
        if name in part.data_vars and _lost(part, name) and _reads(check, part, name)
    ]
    if not lost:
        return comparison
    note = f"numbers were lost in {', '.join(lost)} and the observation does not show it"
    doubt = undecided("lost numbers", note, check.margin.value)
    return dataclasses.replace(comparison, parts=(*comparison.parts, doubt))


def _observed_in(check: Check) -> str:
    judged = [profile for profile in check.profiles if profile not in check.observed]
    return f"shown without a verdict; the profile {' or '.join(judged)} judges it"


def _fewer_seeds(study: Study, dataset: xr.Dataset) -> str:
    """Says that a Dataset holds fewer seeds than its profile declares: a verdict needs the size that was fixed."""
    grid, held = study.grids.get(dataset.attrs.get("profile", "")), dataset.sizes.get(cells.SEED, 0)
    return f"{held} of {grid.seeds} declared seeds" if grid is not None and held < grid.seeds else ""


def _lost(part: xr.Dataset, name: str) -> bool:
    """Whether a NaN stands in a cell that is part of the grid."""
    gone = part[name].isnull()
    if "status" in part.variables:
        gone = gone & (part["status"] != cells.ABSENT)
    return bool(gone.any())


def _reads(check: Check, part: xr.Dataset, name: str) -> bool:
    """Whether the check's observe cannot do without a variable."""
    try:
        check.observe(part.drop_vars(name))
    except Exception:  # whatever an author's observe raises without it
        return True
    return False


def _rival(law: Law, study: Study, check: Check, rival: Rival, observation: xr.Dataset) -> Control:
    def weigh() -> Comparison:
        return compare(
            rival.claim, for_rival(observation, rival.name), check.margin, law=law.name, study=study.name,
            minimum_effect=check.minimum_effect, against=law.claim,
        )  # fmt: skip

    return _control(rival.name, "rival", rival.because, weigh)


def _counter_system(
    law: Law, study: Study, check: Check, system: CounterSystem, dataset: xr.Dataset
) -> Control:
    def weigh() -> Comparison:
        return compare(
            law.claim, observe(check, dataset, system.select), check.margin, law=law.name, study=study.name,
            minimum_effect=check.minimum_effect,
        )  # fmt: skip

    return _control(system.name, "counter-system", system.because, weigh)


def _control(
    name: str, kind: Literal["rival", "counter-system"], because: str, weigh: Callable[[], Comparison]
) -> Control:
    try:
        return Control(name, kind, because, weigh())
    except Exception as error:
        return Control(name, kind, because, None, _reason(error))


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, ValueError) else f"{type(error).__name__}: {text}"
