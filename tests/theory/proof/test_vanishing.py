"""What has a value only where something is not 0 says nothing of the places where it is."""

import pytest
from sympy import Eq, Function, IndexedBase, Integer, Lambda, Ne, Symbol, log

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.vanishing import forgotten
from theory.proof.worlds import World

x, y, a, b = (Symbol(name, real=True) for name in "xyab")
r, t = Symbol("r", positive=True), Symbol("t", real=True)
h, f = IndexedBase("h", real=True), Function("f", real=True)
KIND = {symbol: Integer(2) for symbol in (x, a, b, r)}


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def through(quotient, *more, claim, by=x, more_values=None) -> Derivation:
    """From y = a x and y = b x by a fraction."""
    product = Define("product", y, a * by)
    given = Suppose("given", same(y, b * by))
    first = Equal("first", quotient, b, uses=("given",))
    second = Equal("second", quotient, a, uses=("product",))
    last = Holds("last", claim, uses=("first", "second", *(p.name for p in more)))
    return Derivation((product, given, *more), (first, second, last), lambda source: World(KIND | (more_values or {})))


@pytest.mark.parametrize("claim", [same(a, b), a >= b, b + 1 > a])
def test_a_factor_that_may_vanish_is_not_cancelled(claim) -> None:
    """A 0 = b 0 says nothing of a and b: that a = b was PROVED."""
    found = through(y / x, claim=claim).check()
    assert found.steps[-1].state is State.REFUTED
    assert "x = 0" in found.steps[-1].reason
    assert "x is 0 there, so that what it uses has no value" in found.steps[-1].reason


@pytest.mark.parametrize(
    ("entry", "world"), [(h[1], {h: [3, 5]}), (h[1] - h[2], {h: [3, 5]}), (f(x), {f: Lambda(t, t)})], ids=str
)
def test_an_entry_or_a_value_that_may_vanish_is_not_cancelled(entry, world) -> None:
    """Symbols alone went where a fraction has no value: that a = b was PROVED of a h_1 = b h_1."""
    found = through(y / entry, claim=same(a, b), by=entry, more_values=world).check()
    assert found.steps[-1].state is State.REFUTED and "is 0 there" in found.steps[-1].reason
    apart = Suppose("there", Ne(entry, 0, evaluate=False))
    kept = through(y / entry, apart, claim=same(a, b), by=entry, more_values=world).check()
    assert kept.steps[-1].state is not State.REFUTED


def test_a_factor_that_does_not_vanish_is_cancelled() -> None:
    assert through(y / r, claim=b + 1 > a, by=r).sound
    made = through(y / x, Suppose("there", Ne(x, 0, evaluate=False)), claim=a >= b)
    assert made.check().steps[-1].state is not State.REFUTED


def test_a_claim_that_speaks_of_the_fraction_is_one_where_it_has_a_value() -> None:
    made = through(y / x, claim=a / x - b / x >= 0)
    assert forgotten(made, made.steps[-1]) == ()
    assert forgotten(made, made.steps[0]) == ()
    lost = through(y / x, claim=a >= b)
    assert forgotten(lost, lost.steps[-1]) == (x,)


def test_logarithms_and_definitions_are_looked_into() -> None:
    ratio = Symbol("ratio", real=True)
    parts = Define("ratio", ratio, y / (x - 1)), Suppose("given", same(y, b * (x - 1)))
    first = Equal("first", ratio + log(b**2), b + log(b**2), uses=("ratio", "given"))
    last = Holds("last", b >= b - 1, uses=("first",))
    made = Derivation(parts, (first, last), lambda source: World(KIND))
    assert set(forgotten(made, last)) == {x - 1, b**2}


def test_what_an_equation_ties_to_a_factor_vanishes_with_it() -> None:
    """From x a = y and x b = y a and b are the same, but where x and y are 0 together."""
    premises = (Suppose("one", same(x * a, y)), Suppose("two", same(x * b, y)))
    quotients = (Equal("a", a, y / x, uses=("one",)), Equal("b", b, y / x, uses=("two",)))
    last = Equal("last", a * (1 + a), b * (1 + b), uses=("a", "b"))
    found = Derivation(premises, (*quotients, last), lambda source: World({**KIND, y: Integer(4)})).check()
    assert found.steps[-1].state is State.REFUTED and "y = 0; x is 0 there" in found.steps[-1].reason
