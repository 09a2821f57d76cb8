"""Every theorem at drawn parameters: the symbolic prediction against what is measured there.

Hypothesis draws the numbers of the first seed and moves every real coordinate of a study's quick grid towards its
neighbour, so that networks, data and parameters are others than those that the study declares. At fresh seeds and
at any place of the grid a true law *disagrees* less than once in 10^5, an exact one *agrees*, and no rival *agrees*.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import jax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_grids import measured

from experiments.comparison import Verdict
from experiments.registry import check_of, studies
from experiments.study import Grid, Study
from experiments.verdict import judge
from theory.law import Law, Status
from theory.registry import laws

READ_BY_VALUE: dict[str, dict[str, tuple[float, ...]]] = {
    "temperature.conditioning": {"logit_scale": (1e-3, 1e-1)},
    "temperature.correlated_start": {"beta": (1.0,), "logit_scale": (1e-2, 3e-2)},
    "temperature.deviation": {
        "beta": (0.1, 1.0, 10.0, 30.0, 100.0),
        "time": (1e-5, 1e-4, 1e-3, 1e-2, 0.3, 1.0, 3.0),
    },
    # The two least scales say how far an error falls, the third is the last of the small ones.
    "temperature.early_learning": {"beta": (1.0,), "logit_scale": (1e-5, 1e-4, 1e-3, 1.0, 1e4)},
    "temperature.gaussian_softmax": {"logit_scale": (0.01,)},
    "temperature.linear_training": {"beta": (1.0,)},
    "temperature.momentum_networks": {"beta": (1.0,)},
    "temperature.momentum_steps": {"root_eta": (0.1, 0.05, 0.02, 0.01, 0.005)},  # one over a number of steps
    "temperature.nonlinear_time": {"beta": (1.0,)},
    "temperature.one_point": {"clock": (100.0,), "control": (100.0, 1e3, 1e4)},
    "temperature.sign_descent": {"beta": (1.0,)},
    # Limits and hybrids take their means by other quadratures, 2e-5 apart in R02 at 16 nodes and 3e-7 at 32: from
    # larger widths on nothing else would be compared.
    "width.limits_numeric": {"power": (2.0,)},
}
"""Values that an observation reads by name, or that must be of a kind; they stay where they are."""

SLOW = {
    "breakeven.break_even_order", "temperature.correlated_start", "temperature.deviation",
    "temperature.early_learning", "temperature.fixed_point_conditioning", "temperature.gaussian_softmax",
    "temperature.momentum_networks", "temperature.nonlinear_time", "temperature.saturation",
    "temperature.stability_edge", "temperature.training_equivalences", "width.antithetic", "width.cut",
    "width.freezing", "width.freezing_networks", "width.freezing_shortfall", "width.icmf", "width.initial_sums",
    "width.limits", "width.limits_numeric", "width.runs", "width.overtaking", "width.scaling", "width.small_steps",
    "width.standing_still",
}  # fmt: skip
"""Studies that train for seconds."""

EXACT = ("Identity", "Bound")
SEEDS = 10
"""Fewest seeds of a statistical verdict."""


@pytest.fixture(autouse=True, scope="module")
def forgotten():
    """Forget at the end what was compiled for other seeds: tests elsewhere count compilations."""
    yield
    jax.clear_caches()


def theorems(study: Study) -> list[Law]:
    """The study's laws that have a proof."""
    named = (laws()[check.law] for check in study.checks)
    return [law for law in named if law.status is Status.THEOREM]


def held(study: Study, name: str) -> set[Any]:
    """Values of a coordinate that a check selects or reads by name."""
    chosen = set(READ_BY_VALUE.get(study.name, {}).get(name, ()))
    for check in study.checks:
        for select in (check.select, *(system.select for system in check.counter_systems)):
            value = select.get(name, ())
            if not isinstance(value, slice):
                chosen |= set(value) if isinstance(value, Sequence) and not isinstance(value, str) else {value}
    return chosen


def moved(values: tuple[Any, ...], fractions: list[float], stays: set[Any]) -> tuple[Any, ...]:
    """Each number moved towards the next by a fraction of the way, of the ratio where both have one sign."""
    steps = [
        a if a in stays else a * (b / a) ** u if a * b > 0 else a + u * (b - a)
        for (a, b), u in zip(pairwise(values), fractions, strict=True)
    ]
    return (*steps, values[-1])


@st.composite
def grids(draw, study: Study) -> Grid:
    """The quick grid with other numbers and other seeds; shapes, names and whole numbers stay."""
    grid = study.grids["quick"]

    def drawn(coordinates):
        others = {}
        for name, values in coordinates.items():
            real = len(values) > 1 and all(isinstance(value, float) for value in values)
            fraction = st.lists(st.floats(0, 0.5), min_size=len(values) - 1, max_size=len(values) - 1)
            others[name] = moved(values, draw(fraction), held(study, name)) if real else values
        return others

    return replace(
        grid,
        axes=drawn(grid.axes),
        inner=drawn(grid.inner),
        seeds=min(grid.seeds, SEEDS),
        first_seed=draw(st.integers(10**4, 10**6)),
    )


def failures(study: Study, grid: Grid, weighed: list[Law]) -> list[str]:
    """Laws that a grid speaks against, or whose rivals it does not tell from them."""
    with jax.enable_x64(study.precision == "float64"), jax.default_matmul_precision("highest"):
        dataset = measured(study, grid)
    found = []
    for law in weighed:
        result = judge(law, study, check_of(law.name)[1], dataset)
        if result.comparison is None:
            found.append(f"{law.name}: {result.note}")
        elif result.verdict is Verdict.DISAGREES or (law.claim.kind in EXACT and result.verdict is not Verdict.AGREES):
            found.append(f"{law.name}: {result.comparison.worst}")
        found += [
            f"{law.name}: {control.name} agrees"
            for control in result.controls
            if control.comparison is not None and control.comparison.verdict is Verdict.AGREES
        ]
    return found


CASES = [
    pytest.param(study, id=name, marks=[pytest.mark.slow] if name in SLOW else [])
    for name, study in studies().items()
    if theorems(study)
]


@pytest.mark.parametrize("study", CASES)
def test_theorems_hold_at_drawn_parameters(study):
    @settings(max_examples=2)
    @given(grids(study))
    def hold(grid):
        assert failures(study, grid, theorems(study)) == []

    hold()


@pytest.mark.parametrize("name", ["breakeven.noise_factor", "temperature.block_diagonality", "width.kl_floor"])
def test_a_rival_in_the_place_of_its_law_is_caught_at_drawn_parameters(name):
    study, law = check_of(name)[0], laws()[name]
    true = replace(law.rivals[0], claim=law.claim)
    planted = replace(law, claim=law.rivals[0].claim, rivals=(true,), derivation=None, status=Status.EMPIRICAL)

    @settings(max_examples=1)
    @given(grids(study))
    def caught(grid):
        assert failures(study, grid, [planted]) != []

    caught()


@settings(max_examples=30)
@given(st.data())
def test_what_is_moved_keeps_its_order_its_ends_and_what_is_read_by_name(drawn):
    values = (0.01, 1.0, 10.0, 1000.0)
    fractions = drawn.draw(st.lists(st.floats(0, 0.5), min_size=3, max_size=3))
    found = moved(values, fractions, {1.0})
    assert found[1] == 1.0 and found[-1] == values[-1]
    assert all(a < b for a, b in pairwise(found)) and values[0] <= found[0] <= 0.1
