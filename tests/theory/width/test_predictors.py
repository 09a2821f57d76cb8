"""What the topic serves, against the catalogue's tables."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, S

from theory.predictors import OutsideDomain
from theory.proof.linear import Certificate, Constraint, Kind, decide
from theory.registry import predictors
from theory.serving import serve
from theory.width import census, regions

TABLE = """
R01 | - - 0 - | 1 | 3     | -1 1/2     | gaussian | half              | half                  | constant | -
R02 | 0 0 0 - | 0 | 1 2 3 | -1/2 0     | gaussian | logistic_gaussian | logistic              | constant | NTK
R03 | + + 0 - | 1 | 3     | 0 -1/2     | gaussian | hinge_gaussian    | hinge                 | constant | -
R04 | - - + - | 2 |       | -1 3/4     | zero     | half              | half                  | constant | -
R05 | - 0 + - | 1 | 2     | -3/4 1/2   | zero     | half              | logistic              | constant | intermediate
R06 | - + + - | 2 |       | -7/10 3/5  | zero     | half              | hinge                 | constant | -
R07 | 0 + + - | 1 | 1     | -1/2 1/4   | zero     | logistic_gaussian | hinge                 | constant | -
R08 | + + + - | 2 |       | 0 -1/4     | zero     | hinge_gaussian    | hinge_or_initial_sign | constant | -
R09 | - - + 0 | 1 | 4     | -3/2 3/2   | zero     | half              | half                  | evolving | -
R10 | - 0 + 0 | 0 | 2 4   | -1 1       | zero     | half              | logistic              | evolving | MF
R11 | - + + 0 | 1 | 4     | -3/4 3/4   | zero     | half              | hinge                 | evolving | -
R12 | 0 + + 0 | 0 | 1 4   | -1/2 1/2   | zero     | logistic_gaussian | hinge                 | evolving | sym-default
R13 | + + + 0 | 1 | 4     | 0 0        | zero     | hinge_gaussian    | hinge_or_initial_sign | evolving | -
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]
SIGN = {"-": -1, "0": 0, "+": 1}


def evaluate(name, **inputs):
    return dict(predictors()[name].evaluate(**inputs))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_thirteen_regions(row):
    id_, signs, dimension, holds, point, init, first, later, kernel, name = row
    q_sigma, q = (Rational(x) for x in point.split())
    assert evaluate("width.region", q_sigma=q_sigma, q=q) == {
        "stable": True, "fate": "inside", "signs": [SIGN[s] for s in signs.split()], "id": id_,
        "dimension": int(dimension), "holds": [int(h) for h in holds.split()],
        "name": None if name == "-" else name, "init": init, "gradient_first": first,
        "gradient_later": later, "kernel": kernel,
    }  # fmt: skip


@pytest.mark.parametrize(("q", "fate"), [(Rational(3, 5), "explodes"), (Rational(-1, 10), "stagnates")])
def test_outside_the_band_there_is_no_region(q, fate):
    found = evaluate("width.region", q_sigma=Rational(-1, 2), q=q)
    assert (found["stable"], found["fate"]) == (False, fate)
    assert all(found[name] is None for name in census.DESCRIPTION)


rationals = st.fractions(min_value=-3, max_value=3, max_denominator=30)


@given(q_sigma=rationals, size=st.fractions(min_value=Fraction(-1, 2), max_value=0, max_denominator=20))
@settings(max_examples=60)
def test_every_point_of_the_band_has_a_region(q_sigma, size):
    found = evaluate("width.region", q_sigma=S(q_sigma), q=S(size) - S(q_sigma))
    assert found["id"] in {row[0] for row in ROWS}
    assert 4 not in found["holds"] or found["kernel"] == "evolving"
    assert len(found["holds"]) < 4


def test_the_cells_are_all_that_occur_by_exact_linear_arithmetic():
    """A second count of the 81 sign vectors, on the lines themselves."""
    lines = {"A": ({"s": 1}, Fraction(1, 2)), "B": ({"s": 2, "q": 1}, 1), "C": ({"s": 1, "q": 1}, Fraction(1, 2)),
             "D": ({"s": 1, "q": 1}, 0)}  # fmt: skip

    def form(name, factor, kind):
        coefficients, constant = lines[name]
        scaled = {v: Fraction(factor * c) for v, c in coefficients.items()}
        return Constraint(scaled, Fraction(factor * constant), kind)

    band = [form("C", 1, Kind.NONNEGATIVE), form("D", -1, Kind.NONNEGATIVE)]
    found = set()
    for signs in [(a, b, c, d) for a in SIGN.values() for b in SIGN.values() for c in SIGN.values()
                  for d in SIGN.values()]:  # fmt: skip
        cell = [form(n, s or 1, Kind.POSITIVE if s else Kind.ZERO) for n, s in zip("ABCD", signs, strict=True)]
        if not isinstance(decide([*band, *cell]), Certificate):
            found.add(signs)
    assert found == set(regions.CELLS)


def test_the_census():
    found = evaluate("width.census")
    assert found["by_dimension"] == {"0": 3, "1": 7, "2": 3}
    assert found["by_kernel"] == {"constant": 8, "evolving": 5}
    assert found["vertices"] == [[-S.Half, 0], [-1, 1], [-S.Half, S.Half]]
    assert found["non_dominated"] == ["NTK", "MF", "sym-default"]


def test_the_default_point_lies_on_the_other_branch_of_the_band():
    found = evaluate("width.band", q_sigma=-S.Half, q_a=S.One, q_w=S.Zero)
    assert found == {"both_channels_learn": True, "total_learns": True, "explodes": False}
    assert not evaluate("width.region", q_sigma=-S.Half, q=S.One)["stable"]


@pytest.mark.parametrize("k", [-1, Rational(1, 2), 10**9])
def test_steps_are_counted_in_whole_numbers(k):
    with pytest.raises(OutsideDomain, match="whole numbers"):
        evaluate("width.exponents", q_sigma=S.Zero, q_a=S.Zero, q_w=S.Zero, k=S(k))


def test_the_second_derivative_is_null_once_input_weights_grow():
    at = {"q_sigma": S.Zero, "q_a": S.Half, "q_w": S.Half}
    served = serve(predictors()["width.exponents"], at | {"k": S.One})
    assert served["K_linear_ww"]["exact"] is None
    assert "localised" in served["K_linear_ww"]["reason"]
    assert served["K_linear_aw"] == {"exact": "3", "value": 3.0}
    assert serve(predictors()["width.exponents"], at | {"k": S.Zero})["K_linear_ww"]["value"] == 1.5


@pytest.mark.parametrize("bad", [S.Pi, S.Infinity, "half"])
def test_exponents_are_rational(bad):
    with pytest.raises(OutsideDomain, match="rational"):
        evaluate("width.band", q_sigma=bad, q_a=S.Zero, q_w=S.Zero)
