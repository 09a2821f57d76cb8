"""Each claim states what it says, unevaluated, so that a true claim is not lost before it is checked."""

import pytest
from sympy import Eq, Function, Integer, Le, Or, Rational, S, symbols
from sympy.logic.boolalg import Boolean, Equivalent

from theory.claims import (
    CLAIMS,
    Band,
    Bound,
    Boundary,
    Formula,
    Identity,
    Limit,
    Partition,
    PowerLaw,
    Regime,
    Trend,
    claim_symbols,
    order,
)

x, y = symbols("x y", positive=True)
f = Function("f")(x)
stable = Function("stable")(x) > 0

ONE_OF_EACH = (
    Identity(x + 1, 1 + x),
    Bound(x, x + 1),
    Formula(f, 2 * x),
    PowerLaw(f, x, -Rational(1, 2)),
    Band(stable, x, Integer(1), Integer(2)),
    Boundary(stable, x, y, x**2),
    Trend(f, x, 1),
    Partition((Regime("a", x < 1), Regime("b", x > 2))),
    Limit(f, x, S.Infinity, Integer(0), -Integer(1)),
)


def test_there_are_nine_kinds_and_one_example_of_each():
    assert [type(claim) for claim in ONE_OF_EACH] == list(CLAIMS)
    assert len({claim.kind for claim in CLAIMS}) == 9


@pytest.mark.parametrize("claim", ONE_OF_EACH, ids=lambda claim: claim.kind)
def test_statements_stay_unevaluated(claim):
    statement = claim.statement
    assert isinstance(statement, Boolean)
    assert statement not in (S.true, S.false)
    assert statement == claim.statement


@pytest.mark.parametrize("claim", ONE_OF_EACH, ids=lambda claim: claim.kind)
def test_symbols_of_a_claim_are_those_of_its_statement(claim):
    assert claim_symbols(claim) == claim.statement.free_symbols
    assert isinstance(claim, Limit) or x in claim_symbols(claim)  # the variable of a limit is bound


def test_exact_forms():
    assert Identity(x, x).statement == Eq(x, x, evaluate=False)
    assert PowerLaw(f, x, Integer(2)).statement == Eq(order(f, x), 2, evaluate=False)
    assert Trend(f, x, 1).statement != Trend(f, x, -1).statement
    assert Boundary(stable, x, y, x).statement == Equivalent(stable, Le(y, x, evaluate=False))


@pytest.mark.parametrize(
    ("lower", "upper"), [(None, Integer(2)), (Integer(1), None), (Integer(1), Integer(2))]
)
def test_a_band_may_lack_an_edge(lower, upper):
    statement = Band(stable, x, lower, upper).statement
    given = {edge for edge in (lower, upper) if edge is not None}
    assert {number for number in (Integer(1), Integer(2)) if statement.has(number)} == given


def test_a_partition_says_that_one_of_its_regimes_holds():
    first, second = x < 1, x > 2
    assert Partition((Regime("a", first), Regime("b", second))).statement == Or(first, second)
    assert Partition((Regime("a", first),)).statement != Partition((Regime("b", second),)).statement
