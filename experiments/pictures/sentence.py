"""The verdict in words, as it stands under every picture and in the report."""

import math

from experiments.comparison import Comparison, Part, Verdict


def verdict_sentence(comparison: Comparison) -> str:
    """One sentence: verdict, the deciding part with its interval, the margin and where it comes from.

    Examples
    --------
    >>> from experiments.study import Margin
    >>> part = Part("slope", 1.0, 1.02, 0.99, 1.05, 0.1, Verdict.AGREES, 12, level=0.99)
    >>> margin = Margin(0.1, "physics", "half")
    >>> print(verdict_sentence(Comparison("t.law", "t.study", "PowerLaw", (part,), margin)))
    Agrees: 1.02 in [0.99, 1.05] (99 % interval, 12 seeds) against 1 ± 0.1. Margin from physics: half.
    """
    part = comparison.worst
    count = len(comparison.parts)
    which = f" in all {count} parts; the farthest is {part.label}:" if count > 1 else ":"
    if comparison.verdict is not Verdict.AGREES and count > 1:
        bad = sum(one.verdict is comparison.verdict for one in comparison.parts)
        which = f" in {bad} of {count} parts; the deciding one is {part.label}:"
    tail = f"Margin from {comparison.margin.origin}: {comparison.margin.because.rstrip('.')}."
    if comparison.observed:
        where = f" in {count} parts; the farthest from the claim is {part.label}:" if count > 1 else ":"
        return f"Observed{where} {part_sentence(part)}. No verdict: the seeds of this profile are too few for one."
    return f"{comparison.verdict.value.capitalize()}{which} {part_sentence(part)}. {tail}{_needs(comparison)}"


def part_sentence(part: Part) -> str:
    """Estimate, interval and prediction of one part."""
    interval = f"{short(part.estimate)} in [{short(part.low)}, {short(part.high)}]"
    if part.level is None:
        how = f" (exact, {part.n} instances)"
    else:
        how = f" ({100 * part.level:.4g} % interval, {part.n} seeds)"
    allowed = f"{short(part.predicted)} ± {short(part.margin)}"
    if part.side == "above":
        allowed = f"at least {short(part.predicted - part.margin)}"
    elif part.side == "below":
        allowed = f"at most {short(part.predicted + part.margin)}"
    elif math.isnan(part.predicted):
        allowed = "no number"
    note = f" ({part.note})" if part.note else ""
    return f"{interval}{how} against {allowed}{note}"


def short(value: float) -> str:
    """Four significant digits."""
    return f"{value:.4g}"


def _needs(comparison: Comparison) -> str:
    needed = [part.seeds_needed for part in comparison.parts if part.seeds_needed]
    if comparison.verdict is not Verdict.UNDECIDED or not needed:
        return ""
    return f" A decision needs {max(needed)} new seeds."
