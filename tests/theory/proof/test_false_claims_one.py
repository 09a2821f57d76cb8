"""False claims about symbols, imports, roots and definitions are not proved; true ones beside them are."""

import pytest
from sympy import (
    Abs,
    And,
    Eq,
    Function,
    Ge,
    Implies,
    Integer,
    Lambda,
    Limit,
    Ne,
    Rational,
    Symbol,
    atan,
    expand,
    oo,
    sqrt,
    tan,
)

from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.steps import Crossing, Equal, Holds, Induct, Root, Tends
from theory.proof.worlds import World, rational

x, y, z, a, c, w, root = (Symbol(name, real=True) for name in ("x", "y", "z", "a", "c", "w", "root"))
positive = Symbol("x", positive=True)
k, j = Symbol("k", integer=True), Symbol("j", integer=True)
n, m = (Symbol(name, integer=True, nonnegative=True) for name in "nm")
f, q = Function("f", real=True), Function("q", real=True)


def proved(premises, steps, worlds) -> bool:
    proof = Derivation(tuple(premises), tuple(steps), worlds).check()
    return proof.state is State.PROVED


def some(*symbols, low: int = 1):
    return lambda source: World({s: rational(source, low, 9) for s in symbols})


@pytest.mark.parametrize(("place", "good"), [(x, False), (j, True), (2 * j + 1, True), (j / 2, False)])
def test_an_instance_must_be_an_integer_where_the_symbol_is(place, good: bool) -> None:
    wide = Suppose("squares", Ge(k * (k - 1), 0, evaluate=False), forall=(k,))
    step = Holds("s", 2 * place * (place - 1) + 1 > 0, uses=("squares",), instances=(("squares", {k: place}),))
    worlds = lambda source: World({x: rational(source), j: 2 * source.randint(1, 9)})  # noqa: E731
    assert proved((wide,), (step,), worlds) is good


def test_an_import_is_taken_only_where_its_symbols_may_be() -> None:
    lemma = Derivation(
        (Suppose("h", z > 1),),
        (Holds("c", positive * z + 1 > positive, uses=("h",)),),
        lambda source: World({positive: rational(source), z: rational(source, 2)}),
    )
    assert lemma.sound
    worlds = lambda source: World({z: rational(source, 2), w: rational(source)})  # noqa: E731
    for at, good in ((w, False), (w**2 + 1, True)):
        parts = (Suppose("h", z > 1), Imported("i", lemma, at=((positive, at),)))
        assert proved(parts, (Holds("t", at * (z - 1) + 2 > 0, uses=("i",)),), worlds) is good


def test_an_imported_induction_keeps_its_start() -> None:
    lemma = Derivation(
        (Define("first", q(0), Integer(1)), Define("next", q(k + 1), q(k) ** 2 - q(k))),
        (Induct("i", n, q(n), Integer(0), start=1, uses=("first", "next")),),
        lambda source: World({}),
    )
    assert lemma.sound
    later = Symbol("m", integer=True, positive=True)
    for place, good in ((m, False), (later, True)):
        step = Equal("t", q(place) + 1, Integer(1), uses=("i",))
        worlds = lambda source, place=place: World({place: source.randint(1, 6)})  # noqa: E731
        assert proved((Imported("i", lemma),), (step,), worlds) is good


def test_a_conditional_equation_gives_no_root() -> None:
    equation = Eq(3 * x, 6 * c, evaluate=False)
    worlds = lambda source: (lambda v: World({c: v, x: 2 * v}))(rational(source))  # noqa: E731
    steps = Root("r", x, equation, 2 * c, uses=("s",)), Equal("t", x**2, 4 * c**2, uses=("r",))
    assert not proved((Suppose("s", Implies(c > 0, equation, evaluate=False)),), steps, worlds)
    assert proved((Suppose("s", equation),), steps, worlds)


def test_a_conditional_limit_needs_its_condition() -> None:
    limit = Eq(Limit(f(positive), positive, oo, "+"), 1, evaluate=False)
    given = Suppose("s", Implies(c > 0, limit, evaluate=False))
    worlds = lambda source: World({c: rational(source), f: Lambda(positive, 1 + 1 / positive)})  # noqa: E731
    step = Tends("t", f(positive) + 1, positive, oo, Integer(2), uses=("s",))
    assert not proved((given,), (step,), worlds)
    met = Tends("t", f(positive) + 1, positive, oo, Integer(2), uses=("s", "c"))
    assert proved((given, Suppose("c", c > 0)), (met,), worlds)


@pytest.mark.parametrize(("body", "good"), [(sqrt(x), False), (sqrt(x**2 + 1), True)])
def test_a_head_declared_real_must_be_real(body, good: bool) -> None:
    square = Equal("square", y**2 + 1, body**2 + 1, uses=("d",))
    assert proved((Define("d", y, body),), (square,), some(x)) is good
    solved = Root("r", y, Eq(2 * y, 2 * body, evaluate=False), body)
    assert proved((), (solved, Equal("t", y**2 + 1, body**2 + 1, uses=("r",))), some(x)) is good


@pytest.mark.parametrize(("body", "good"), [(x, False), (2 * k, True)])
def test_what_is_declared_an_integer_must_be_one(body, good: bool) -> None:
    whole = Symbol("y", integer=True)
    worlds = lambda source: World({x: source.randint(1, 9), k: source.randint(1, 9)})  # noqa: E731
    above = Suppose("s", body > 0)
    define = Define("d", whole, body)
    steps = (Holds("p", whole > 0, uses=("d", "s")), Holds("t", 3 * whole >= 3, uses=("p",)))
    assert proved((define, above), steps, worlds) is good
    solved = Root("d", whole, Eq(2 * whole, 2 * body, evaluate=False), body)
    assert proved((above,), (solved, *steps), worlds) is good


def test_a_root_among_what_is_no_interval_may_have_company() -> None:
    nonzero = Symbol("u", real=True, nonzero=True)
    for unknown, good in ((nonzero, False), (Symbol("u", positive=True), True)):
        step = Root("r", unknown, Eq(unknown - 2 / unknown - 1, 0, evaluate=False), Integer(2))
        assert proved((), (step,), some()) is good


CUBIC = expand((x + 3) * (x + Rational(299, 100)) * (x - 1))


def test_a_crossing_uses_nothing_about_a_place_of_its_variable() -> None:
    over = lambda low, *facts: proved(  # noqa: E731
        facts, (Crossing("t", CUBIC, x, low, Integer(4), root, uses=tuple(p.name for p in facts)),), some(x)
    )
    assert not over(Rational(-7, 2), Suppose("s", x > Rational(1, 2)))
    assert not over(Rational(-7, 2))
    assert over(Rational(1, 2))
    pointwise = Crossing("t", f(w), w, Integer(0), Integer(3), root, uses=("s",))
    worlds = lambda source: World({w: rational(source), f: Lambda(x, x - 1)})  # noqa: E731
    assert not proved((Suppose("s", Eq(f(w), w - 1, evaluate=False)),), (pointwise,), worlds)
    everywhere = Suppose("s", Eq(f(w), w - 1, evaluate=False), forall=(w,))
    assert proved((everywhere,), (pointwise,), worlds)


@pytest.mark.parametrize(
    ("expression", "low", "good"),
    [
        (10**6 * x - atan(1 / x) - 1, Integer(-1), False),
        (10**6 * x - atan(x) - 1, Integer(-1), True),
        (10**6 * x - atan(1 / x) - 1, Rational(1, 10**9), True),
        (x**3 + tan(x) ** 2 * 0 + 1 / (x - Rational(1, 2)) - 1, Integer(-1), False),
    ],
)
def test_a_crossing_must_be_continuous(expression, low, good: bool) -> None:
    step = Crossing("t", expression, x, low, Integer(2), root)
    assert proved((), (step,), some()) is good


def test_a_crossing_runs_over_the_whole_interval() -> None:
    nonzero = Symbol("u", real=True, nonzero=True)
    for variable, good in ((nonzero, False), (x, True)):
        step = Crossing("t", variable - 2, variable, Integer(-1), Integer(3), root)
        assert proved((), (step,), some()) is good


@pytest.mark.parametrize(
    ("first", "second", "good"),
    [
        ((y, x), (y, Abs(x)), False),
        ((y, x), (z, Abs(x)), True),
        ((q(k), k), (q(0), Integer(1)), False),
        ((q(k + 1), k), (q(0), Integer(1)), True),
        ((q(k + 1), k), (q(3), Integer(1)), False),
        ((f(k, 0), k), (f(1, j), j), False),
        ((f(k, 0), k), (f(1, j + 1), j), True),
    ],
)
def test_definitions_may_not_overlap(first, second, good: bool) -> None:
    premises = (Define("one", *first), Define("two", *second))
    step = Holds("t", x**2 + 1 > 0)
    if good:
        assert Derivation(premises, (step,), some(x)).definitions == premises
    else:
        with pytest.raises(ValueError, match="both define"):
            Derivation(premises, (step,), some(x))


def test_imports_may_not_bring_two_meanings() -> None:
    def lemma(body):
        return Derivation((Define("d", y, body),), (Holds("t", y**2 + y > -1, uses=("d",)),), some(x))

    def both(other) -> bool:
        parts = (Imported("one", lemma(x)), Imported("two", lemma(other)))
        steps = (Holds("t", y**2 + y > -2, uses=("one",)), Holds("u", y**2 + y > -3, uses=("two", "t")))
        return Derivation(parts, steps, some(x)).check().steps[1].reason.startswith("'two' defines")

    assert both(x + 1)
    assert not both(x)


def test_a_symbol_is_introduced_once() -> None:
    first, second = (Root(str(b), y, Eq(y, b * x, evaluate=False), b * x) for b in (2, 3))
    with pytest.raises(ValueError, match="given a meaning twice"):
        Derivation((), (first, second), some(x))
    with pytest.raises(ValueError, match="given a meaning twice"):
        Derivation((Define("d", y, x),), (first,), some(x))


def test_a_root_moves_with_what_it_depends_on() -> None:
    solved = Root("r", y, Eq(y, 2 * positive, evaluate=False), 2 * positive)
    kind = lambda source: (lambda v: World({positive: v, y: 2 * v}))(rational(source))  # noqa: E731
    assert not proved((), (solved, Tends("t", y / positive, positive, oo, Integer(0))), kind)
    seen = Tends("t", y / positive, positive, oo, Integer(2), uses=("r",))
    assert proved((), (solved, seen), kind)


def test_a_complex_symbol_is_not_taken_for_real() -> None:
    for symbol, good in ((Symbol("X"), False), (x, True)):
        even = Holds("t", Ge(Abs(symbol) ** 2 + 1 - symbol**2, symbol**2 * 0 + 1, evaluate=False))
        assert good or not proved((), (even,), some(symbol))
        parts = Suppose("s", Ne(symbol, 0)), Suppose("large", w > 1)
        step = Holds("t", Ne(w * symbol**2, symbol**2), uses=("s", "large"))
        assert proved(parts, (step,), some(symbol, w, low=2)) is good


@pytest.mark.parametrize(
    ("fact", "step"),
    [
        (Eq(x - y, 0, evaluate=False), Equal("t", x, y, uses=("s",))),
        (2 * x - 2 * y >= 0, Holds("t", x >= y, uses=("s",))),
        (Eq(3 * x + z, 3 * y + z, evaluate=False), Holds("t", Eq(x, y, evaluate=False), uses=("s",))),
        (y - x <= 0, Holds("t", x >= y, uses=("s",))),
    ],
)
def test_a_disguised_premise_is_still_the_premise(fact, step) -> None:
    worlds = lambda source: (lambda v: World({x: v, y: v, z: rational(source)}))(rational(source))  # noqa: E731
    made = Derivation((Suppose("s", fact),), (step,), worlds).check()
    assert made.state is State.VACUOUS
    weaker = Holds("t", x + 1 > y, uses=("s",))
    assert proved((Suppose("s", fact),), (weaker,), worlds)


def test_both_ends_of_an_interval_of_relations_hold() -> None:
    assert proved((Suppose("s", And(x > 1, x < 2)),), (Holds("t", x**2 < 4, uses=("s",)),), some_between)


def some_between(source) -> World:
    return World({x: 1 + rational(source, 1, 6) / 7})
