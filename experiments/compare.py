"""One comparison per kind of claim.

An *observation* is a Dataset. What each kind of claim needs in it (extra dimensions are parts: each is
compared by itself, and all must agree; variables and coordinates that carry the names of the claim's symbols
are the inputs at which the claim's expressions are evaluated):

=========  ==========================================================================================
claim      variables
=========  ==========================================================================================
Identity   ``left``, ``right``, ``bound`` (rounding bound of |left - right|): any dims
Bound      ``smaller``, ``larger``, ``bound`` (rounding allowance): any dims
Formula    ``measured`` (seed, ...)
PowerLaw   ``measured`` (seed, CONTROL, ...), CONTROL a coordinate named as the claim's control
Band       ``lower`` and/or ``upper`` (seed, ...): measured edges; ``inside`` (seed, point, ...): whether the
           property was seen, with a coordinate CONTROL along ``point``
Boundary   ``behaves`` (seed, point): whether the property was seen; coordinates x and y along ``point``
Trend      ``measured`` (seed, CONTROL): at least 4 levels
Partition  ``signature`` (seed, regime, feature) measured; ``regime`` coordinate names the representative
Limit      ``error`` (seed, CONTROL): distance to the limit
=========  ==========================================================================================

A rival is compared on the same observation. What it says in other words than the law is evaluated from its
own expressions: a side of an Identity or a Bound, the value of a Limit (then ``measured`` (seed, CONTROL)
is needed beside ``error``). Where that cannot be done from the observation's names, a variable
``NAME[RIVAL]`` (``right[no factor]``, say) replaces ``NAME`` for the rival called so.

An observation in which ``right`` is 0 where the claim does not say 0 carries no size: both sides are within what is
allowed, which tells nothing, and it is judged undecided. Claim 0 where 0 is meant; a claimed 0 has no size by the
claim, and its ``bound`` is taken at its word (a control that must disagree shows whether it is too loose).

A Formula, a Band's edge or a Trend is compared exactly if the observation has ``bound``, the uncertainty of what was
measured: no chance enters then, each seed is another system, and the interval spans all of them. Otherwise fewer
than 10 seeds are undecided, and fewer than 10 systems that differ by more than their bounds do not agree. A bound
below rounding (0, say) of a number that is not the claimed one is none: its seeds are draws.
"""

from collections.abc import Callable

import xarray as xr

from experiments.comparison import Comparison, Part
from experiments.comparisons.band import band
from experiments.comparisons.boundary import boundary
from experiments.comparisons.exact import bound, identity
from experiments.comparisons.formula import formula, power_law
from experiments.comparisons.limit import limit, trend
from experiments.comparisons.partition import partition
from experiments.study import Margin
from theory.claims import (
    Band,
    Bound,
    Boundary,
    Claim,
    Formula,
    Identity,
    Limit,
    Partition,
    PowerLaw,
    Trend,
)


def compare(
    claim: Claim,
    observation: xr.Dataset,
    margin: Margin,
    *,
    law: str = "",
    study: str = "",
    minimum_effect: float = 0.0,
    level: float = 0.99,
    against: Claim | None = None,
) -> Comparison:
    """Compare a claim with an observation.

    Parameters
    ----------
    claim
        What is weighed: a law's claim, or a rival's.
    observation
        See the table above.
    margin
        Declared in advance.
    law, study
        Names to keep in the comparison.
    minimum_effect
        For a trend: the smallest effect that counts, at least 0.
    level
        Chance that all intervals of the comparison hold at once, at least; several parts share it
        (Bonferroni).
    against
        The law's own claim when ``claim`` is a rival's.

    Raises
    ------
    ValueError
        If the observation lacks what the kind of claim needs; one sentence.

    Examples
    --------
    >>> from sympy import Symbol
    >>> claim = Formula(Symbol("tau"), 1 / Symbol("eta"))
    >>> data = xr.Dataset({"measured": ("seed", [0.5] * 10)}, coords={"eta": 2.0})
    >>> compare(claim, data, Margin(0.1, "physics", "example")).verdict.value
    'agrees'
    """
    imaginary = [str(name) for name, held in observation.variables.items() if held.dtype.kind == "c"]
    if imaginary:
        raise ValueError(
            f"compare: {', '.join(imaginary)} of {law or claim.kind} is complex; allowed are real numbers; "
            f"let observe give a part or the absolute value"
        )
    drawn = observation.sizes.get("seed") != 0
    weigh, taken = KINDS[type(claim)]
    others = {"level": level, "minimum_effect": minimum_effect, "against": against or claim}
    parts = weigh(claim, observation, margin, **{name: others[name] for name in taken}) if drawn else []
    if not parts:
        raise ValueError(
            f"compare: the observation of {law or claim.kind} is empty; let observe give at least one point"
        )
    return Comparison(law, study, claim.kind, tuple(parts), margin)


def for_rival(observation: xr.Dataset, rival: str) -> xr.Dataset:
    """The observation on which a rival is compared: variables ``NAME[RIVAL]`` take the place of ``NAME``.

    They are marked as the rival's own, so that a side of an Identity or a Bound is read from them.
    """
    ending = f"[{rival}]"
    found = {str(name): str(name).removesuffix(ending) for name in observation.data_vars if str(name).endswith(ending)}
    plain = observation.drop_vars([name for name in found.values() if name in observation.variables])
    renamed = plain.rename(found)
    return renamed.assign({name: renamed[name].assign_attrs(rival=rival) for name in found.values()})


KINDS: dict[type[Claim], tuple[Callable[..., list[Part]], tuple[str, ...]]] = {
    Identity: (identity, ("against",)),
    Bound: (bound, ("against",)),
    Formula: (formula, ("level",)),
    PowerLaw: (power_law, ("level",)),
    Band: (band, ("level",)),
    Boundary: (boundary, ("level",)),
    Trend: (trend, ("level", "minimum_effect")),
    Partition: (partition, ("level",)),
    Limit: (limit, ("level", "against")),
}
"""By kind of claim, what compares it, and which of the other arguments of :func:`compare` it takes; the table at the
top says what it needs.
"""


def compared_in(kind: type[Claim]) -> str:
    """Name of the module that compares a kind of claim.

    Examples
    --------
    >>> compared_in(Trend)
    'experiments.comparisons.limit'
    """
    weigh, _ = KINDS[kind]
    return weigh.__module__
