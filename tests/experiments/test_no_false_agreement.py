"""What is lost, loose or not derived can never come out *agrees*."""

import dataclasses
from functools import cache
from itertools import product

import numpy as np
import pytest
import xarray as xr
from sympy import Integer, Symbol

from experiments.breakeven.edge_of_stability import late_sharpness
from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.comparisons.parts import share_of_seeds
from experiments.registry import check_of, studies
from experiments.study import Check, Margin
from experiments.verdict import judge
from experiments.width.checks import ZERO
from experiments.width.points import REPRESENTATIVES
from theory.claims import Band, Identity, Limit, Partition
from theory.registry import errata, laws

ONE = Margin(1.0, "dtype", "one bound")
SIZES = {"seed": 3, "kernel": 2, "layer": 2, "increment": 3, "step": 3, "record": 8, "point": 2, "class_": 3}
"""Sizes of the dimensions that neither the grid's axes nor its inner coordinates give."""
SIZES_OF = {
    "breakeven.multidimensional": {"example": 6},
    "temperature.conditioning": {"class_": 4, "other": 4},
    "temperature.correlated_start": {"point": 7},
    "temperature.linear_training": {"any_point": 5, "point": 4, "row": 15, "parameter": 15, "direction": 2},
    "temperature.momentum_networks": {"step": 2000},
    "width.icmf": {"quantity": 5},
    "width.kernels": {"pair": 8, "slope": 2},
    "width.kl": {"sizes": 5},
}
"""Sizes of single studies, where their observations read fixed places."""
LONG = {
    "temperature.phase_plane", "temperature.architectures", "temperature.recurrent_accuracy",
    "breakeven.mlp_trajectories",
}  # fmt: skip
"""Studies whose observations read places that only the full grid has, where alone they are judged."""
SHIFTS = {
    **{name: {"loss": -0.3} for name in ("breakeven.mlp_trajectories", "breakeven.mlp_momentum_trajectories")},
    "breakeven.stated_trajectories": {"accuracy": 0.5, "natural_lambda_H": 200.0},
}
"""What is added to single variables, where an observation waits for a level that they would not reach."""
MEASURED = {
    "Identity": ("left",), "Bound": ("smaller",), "Formula": ("measured",), "PowerLaw": ("measured",),
    "Band": ("lower", "upper", "inside"), "Boundary": ("behaves",), "Trend": ("measured",),
    "Partition": ("signature",), "Limit": ("error",),
}  # fmt: skip
NAMES = [
    pytest.param(name, marks=[] if "quick" in check_of(name)[1].profiles else [pytest.mark.slow])
    for name in sorted(laws())
]
"""Those that only the long profiles judge are the slow ones."""


@cache
def planted(name: str) -> xr.Dataset:
    """Positive random numbers in every variable of a study, on its grid; residuals and errors are small."""
    study = studies()[name]
    profile = "full" if name in LONG else "quick"
    grid = study.grids[profile]
    coords = {name: list(values) for name, values in (*grid.axes.items(), *grid.inner.items())}
    draw = np.random.default_rng(0)
    variables = {}
    for stored, variable in study.variables.items():
        dims = (*grid.axes, *variable.dims)
        sizes = SIZES | SIZES_OF.get(name, {})
        shape = tuple(len(coords[dim]) if dim in coords else sizes.get(dim, 3) for dim in dims)
        scale = 1e-6 if stored in ("residual", "rate_error") else 1.0
        values = scale * draw.uniform(0.5, 1.5, shape) + SHIFTS.get(name, {}).get(stored, 0.0)
        if stored == "hessian":  # positive definite, as all that is stored there
            values = values @ np.swapaxes(values, -1, -2)
        variables[stored] = (dims, values)
    return xr.Dataset(variables, coords=coords, attrs={"profile": profile})


def lost_in(check: Check, data: xr.Dataset) -> xr.Dataset | None:
    """The observation of data with lost numbers; None where ``observe`` refuses them, and says why."""
    try:
        return observed(check, data)
    except ValueError as error:
        assert "finite" in str(error), "a refusal names what was lost"
        return None


def observed(check: Check, data: xr.Dataset) -> xr.Dataset:
    """The observation; of an identity whose two sides were measured, ``left`` is their gap, which is compared."""
    found = check.observe(data.sel(dict(check.select)))
    if laws()[check.law].claim.kind == "Identity" and "right" in found:
        found = found.assign(left=found["left"] - found["right"])
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_without_numbers_has_none_in_the_observation(name):
    study, check = check_of(name)
    data = planted(study.name)
    lost = data.where(xr.DataArray(np.arange(SIZES["seed"]) != 1, dims="seed"))
    clean, found = observed(check, data), lost_in(check, lost)
    for read in MEASURED[laws()[name].claim.kind]:
        if found is not None and read in clean and "seed" in clean[read].dims:
            one = found[read].isel(seed=1)
            assert one.isnull().all(), f"{read} has numbers that were not measured"
            assert found[read].isel(seed=0).notnull().any(), "the other seeds are not touched"


@pytest.mark.parametrize("name", NAMES)
def test_a_number_that_is_lost_changes_no_other_number(name):
    """What depends on a NaN is a NaN: it is neither skipped in a mean nor taken for a side."""
    study, check = check_of(name)
    data = planted(study.name)
    clean = observed(check, data)
    for variable, place in product(study.variables, (0, -1)):
        lost = data.copy(deep=True)
        lost[variable].values[(..., place)] = np.nan
        found = lost_in(check, lost)
        for read in MEASURED[laws()[name].claim.kind]:
            if found is not None and read in clean:
                before, after = xr.broadcast(clean[read].astype(float), found[read].astype(float))
                changed = after.notnull() & before.notnull() & (after != before)
                assert not changed.any(), f"{read} changed where {variable} was lost"


def test_a_study_that_skips_what_was_lost_is_caught():
    lost = planted("breakeven.edge_of_stability").copy(deep=True)
    lost["sharpness"].values[..., -1] = np.nan
    skipping = lost[["sharpness"]].mean("record")
    assert skipping["sharpness"].notnull().all()
    assert late_sharpness(lost)["measured"].isnull().all()


def test_lost_numbers_forbid_agreement_even_where_observe_hides_them():
    law = laws()["breakeven.edge_of_stability"]
    study, check = check_of(law.name)
    rates = np.array([0.15, 0.2, 0.25])
    values = 2 / rates[None, :, None] * (1 + 0.005 * np.random.default_rng(0).standard_normal((10, 3, 31)))
    arrays = {name: (("seed", "learning_rate", "record"), values * size)
              for name, size in (("sharpness", 1.0), ("residual", 1e-3))}  # fmt: skip
    data = xr.Dataset(arrays, coords={"learning_rate": rates}).expand_dims(task=["random labels", "constant target"])
    hiding = dataclasses.replace(
        check,
        observe=lambda d: xr.Dataset({"measured": d["sharpness"].mean("record")}).assign_coords(
            eta=("learning_rate", d["learning_rate"].values)
        ),
    )
    assert judge(law, study, check, data).verdict is Verdict.AGREES
    assert judge(law, study, hiding, data).verdict is Verdict.AGREES
    lost = data.copy(deep=True)
    lost["sharpness"] = lost["sharpness"].where(xr.DataArray(np.arange(31) < 20, dims="record"))
    for one in (check, hiding):
        assert judge(law, study, one, lost).verdict is Verdict.UNDECIDED


def test_an_infinite_bound_gives_no_number_and_an_infinite_gap_disagrees():
    claim = Identity(Symbol("l"), Symbol("r"))
    for right, bound, verdict in (
        (-7e5, np.inf, Verdict.UNDECIDED), (2.0, np.inf, Verdict.UNDECIDED), (2.0, np.nan, Verdict.UNDECIDED),
        (np.inf, np.inf, Verdict.DISAGREES), (np.inf, 1.0, Verdict.DISAGREES), (2.0, 1e-9, Verdict.AGREES),
    ):  # fmt: skip
        data = xr.Dataset(
            {"left": ("point", [1.0, 2.0]), "right": ("point", [1.0, right]), "bound": ("point", [1e-9, bound])}
        )
        assert compare(claim, data, ONE).verdict is verdict, (right, bound)


def test_the_behaviour_of_a_band_shares_the_level_with_its_edges():
    x = Symbol("x")
    edges = 1 + 0.01 * np.random.default_rng(0).standard_normal((12, 2)) + np.array([0.0, 1.0])
    points = np.array([0.5, 1.5, 2.5])
    data = xr.Dataset(
        {"lower": ("seed", edges[:, 0]), "upper": ("seed", edges[:, 1]),
         "inside": (("seed", "point"), np.tile(points == 1.5, (12, 1)))},
        coords={"x": ("point", points)},
    )  # fmt: skip
    found = compare(Band(Symbol("s") > 0, x, Integer(1), Integer(2)), data, Margin(0.1, "physics", "planted"))
    assert found.verdict is Verdict.AGREES
    assert sum(1 - (part.level or 0) for part in found.parts) == pytest.approx(0.01)


def test_shares_and_neighbours_have_a_chance_of_a_false_disagreement():
    sure, doubtful = (share_of_seeds("b", np.arange(16) < wrong, 0.99) for wrong in (0, 6))
    assert 0 < sure.false_disagrees < 1e-9 < doubtful.false_disagrees < 0.5
    few = share_of_seeds("b", np.zeros(5, dtype=bool), 0.99)
    assert few.false_disagrees == 0, "undecided whatever happens"


def test_every_rival_of_a_limit_can_be_told_from_it():
    """A rival whose limit is infinite leaves an error that is infinite everywhere: it says nothing."""
    found = [law for law in laws().values() if isinstance(law.claim, Limit)]
    assert found
    for law in found:
        for rival in law.rivals:
            assert isinstance(rival.claim, Limit)
            assert rival.claim.value.is_infinite is not True, f"{law.name}: {rival.name}"


def test_a_rate_and_a_signature_must_be_derived():
    law = laws()["temperature.small_logit_constant"]
    assert isinstance(law.claim, Limit)
    with pytest.raises(ValueError, match="no step of the derivation concludes the rate"):
        dataclasses.replace(law, claim=dataclasses.replace(law.claim, rate=Integer(7)))
    for name in ("width.regions", "width.statements"):
        law = laws()[name]
        claim = law.claim
        assert isinstance(claim, Partition)
        fives = tuple(
            dataclasses.replace(regime, signature=tuple(Integer(5) for _ in regime.signature))
            for regime in claim.regimes
        )
        with pytest.raises(ValueError, match="does not imply"):
            dataclasses.replace(law, claim=dataclasses.replace(claim, regimes=fives))
        with pytest.raises(ValueError, match="places"):
            dataclasses.replace(law, claim=dataclasses.replace(claim, features=()))


def test_the_break_even_loss_rests_on_its_witness():
    assert [evidence.kind for evidence in errata()["breakeven:X3"].evidence] == ["witness"]


def test_tolerances_are_less_than_half_of_the_smallest_exponent_other_than_zero():
    forms = {
        "A": lambda s, q: s + 0.5, "B": lambda s, q: 2 * s + q + 1, "C": lambda s, q: s + q + 0.5,
        "D": lambda s, q: s + q,
    }  # fmt: skip
    for name, form in forms.items():
        sizes = [abs(form(*place)) for place in REPRESENTATIVES.values()]
        assert ZERO[name] < min(size for size in sizes if size > 1e-9) / 2


def test_residuals_that_are_too_large_leave_no_sharpness():
    study, check = check_of("breakeven.edge_of_stability")
    data = planted(study.name)
    assert observed(check, data)["measured"].notnull().all()
    assert observed(check, data.assign(residual=0.2 * data["sharpness"]))["measured"].isnull().all()
