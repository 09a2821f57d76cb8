"""A conclusion that is supposed behind a definition, or by several hypotheses together, says nothing.

Beside each disguise stands a claim that looks like it, of which something has to be worked out.
"""

import pytest
from sympy import (
    And,
    Derivative,
    Eq,
    Function,
    Implies,
    IndexedBase,
    Integer,
    Lambda,
    Ne,
    Or,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    sqrt,
    tanh,
)

from theory.proof.chaining import passed_on
from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.essence import essence, said_of
from theory.proof.saying import negation
from theory.proof.steps import Equal, Holds
from theory.proof.steps.step import Step
from theory.proof.worlds import World

x, y, z, a, v, w, t, s = (Symbol(name, real=True) for name in "xyzavwts")
p, q, c = (Symbol(name, positive=True) for name in "pqc")
N, i = Symbol("N", integer=True, positive=True), Symbol("i", integer=True)
h = IndexedBase("h", real=True)
f, g, k = (Function(name, real=True) for name in "fgk")
KIND = {x: 2, y: 2, z: 2, a: 2, p: 3, q: 3, c: 3, N: 2, h: [2, 2]}


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def told(*facts):
    return tuple(
        fact if isinstance(fact, Define | Suppose) else Suppose(f"told {place}", fact)
        for place, fact in enumerate(facts)
    )


def judged(premises, claim, world=KIND) -> State:
    """State of a derivation of one step, and of the same by equations where it is one."""
    uses = tuple(part.name for part in premises)
    steps: list[Step] = [Holds("claim", claim, uses=uses)]
    if isinstance(claim, Eq):
        steps.append(Equal("claim", claim.lhs, claim.rhs, uses=uses))  # type: ignore[arg-type]
    return max((_judged(premises, step, world) for step in steps), key=lambda state: state is State.PROVED)


def _judged(premises, step, world) -> State:
    heads = {part.head for part in premises if isinstance(part, Define)}
    given = {name: value for name, value in world.items() if name not in heads}
    return Derivation(premises, (step,), lambda source: World(given)).check().state


GAP = Define("gap", w, exp(x) - exp(y))


@pytest.mark.parametrize(
    "premises",
    [
        (GAP, same(w, 0)),
        (GAP, same(p * w + 3, 3)),
        (GAP, same(w * (w**2 + 1), 0)),
        (GAP, w**2 <= 0),
        (GAP, And(w <= 0, w >= 0)),
        (GAP, Or(same(w, 0), same(2 * w, 0), evaluate=False)),
        (GAP, Implies(p > 0, same(w, 0), evaluate=False)),
        (Define("one", w, exp(x)), Define("other", v, exp(y)), same(w, v)),
        (Define("one", w, exp(x)), Define("other", v, exp(y)), same(1 / (1 + w), 1 / (1 + v))),
        (Define("deep", v, exp(x)), Define("gap", w, log(v) - y), same(w, 0)),
        (Define("squares", w, sqrt(1 + (x - y) ** 2)), same(w, 1)),
        (Define("bent", w, tanh(x - y)), w <= 0, w >= 0),
        (Define("of all", f(t), exp(t)), same(f(x), f(y))),
        (Define("entries", h[i], tanh(i * (x - y))), same(h[2], 0)),
        (Define("sum", w, Sum((x - y) / N, (i, 1, N))), same(w, 0)),
    ],
    ids=str,
)
def test_definitions_are_seen_through_in_hypotheses(premises) -> None:
    """That x = y: with `w := e^x - e^y` and `w = 0` it was PROVED."""
    uses = {part.name for part in told(*premises)}
    step = Holds("claim", same(x, y), uses=tuple(sorted(uses)))
    found = Derivation(told(*premises), (step,), lambda source: World({x: 2, y: 2, p: 3, N: 2})).check()
    assert (found.state, found.steps[0].reason[:11]) == (State.VACUOUS, "it restates")


@pytest.mark.parametrize(
    ("premises", "claim"),
    [
        ((GAP, same(x, y)), same(w, 0)),
        ((GAP, x >= y), w >= 0),
        ((Define("sum", w, x + y), x >= y), w >= 2 * y),
        ((Define("twice", w, 2 * z), same(2 * z, y)), same(w, y)),
        ((Define("root", v, sqrt(p)), Define("gap", w, p * v - q * v), same(p, q)), same(w, 0)),
        ((Define("shift", v, y + 1), Define("gap", w, x + 1 - v), same(x + 1, v)), same(w, 0)),
    ],
    ids=str,
)
def test_definitions_are_seen_through_in_claims(premises, claim) -> None:
    assert judged(told(*premises), claim) is State.VACUOUS


@pytest.mark.parametrize(
    ("premises", "claim"),
    [
        ((Define("flow", w, p * x - q * z), Define("scaled", v, p * x), same(w, 0)), same(v, q * z)),
        ((Define("one", w, exp(x)), same(w, exp(y))), same(x**2, y**2)),
        ((GAP, x >= y), exp(w) * p >= p),
        ((Define("square", w, x**2), same(x, y)), same(w * p, p * y**2)),
    ],
    ids=str,
)
def test_what_is_worked_out_of_definitions_is_said(premises, claim) -> None:
    """The first is how a fixed point follows from a flow: what rests, and what is asked for, are defined."""
    state = judged(told(*premises), claim, {**KIND, z: 2})
    assert state is not State.VACUOUS


CHAINS = [
    ((same(x, z), same(z, y)), same(x, y)),
    ((same(2 * x, 2 * z), same(exp(z), exp(y))), same(x, y)),
    ((same(x, z), same(y, z)), same(y, x)),
    ((same(x, z), same(z, a), same(a, y)), same(x, y)),
    ((And(same(x, z), same(z, y)),), same(x, y)),
    ((same((x - z) ** 2 + (z - y) ** 2, 0),), same(x, y)),
    ((same(x, h[1]), same(h[1], y)), same(x, y)),
    ((same(x, 2), same(y, 2)), same(x, y)),
    ((same(x, z), same(z, 2)), same(x, 2)),
    ((same(p * x, q), same(q, 6)), same(x, 6 / p)),
    ((same(p, 3 * z / 2), same(3 * z / 2, q)), same(p, q)),
    ((same(p * x, z + 4), same(z + 4, p * y)), same(x, y)),
    ((same(exp(x) + 1, z**2), same(z**2, exp(y) + 1)), same(x, y)),
    ((same(x, z), z >= y), x >= y),
    ((same(x, z), same(exp(z) + z**3 * p, c)), same(exp(x) + x**3 * p, c)),
    ((x >= z, z >= y), x >= y),
    ((x <= z, z <= y, x >= y), same(x, y)),
    ((x >= z, exp(z) >= exp(y)), x >= y),
    ((same(x - z, a - 2), same(a - 2, 0)), same(x, z)),
    ((same(x - z, v), same(v, 0)), same(x, z)),
    ((Implies(x > 1, same(z, y), evaluate=False), x > 1), same(z, y)),
    ((Implies(p > 1, same(x, z), evaluate=False), same(z, y)), Implies(p > 1, same(x, y), evaluate=False)),
    ((Or(same(x, y), x > 3, evaluate=False), x <= 3), same(x, y)),
    ((same(x, z), same(2 * z, y + z)), And(same(x, y), same(z, y))),
    ((Define("gap", w, exp(x) - exp(z)), same(w, 0), same(z, y)), same(x, y)),
    ((Define("gap", w, x - y), same(x, z), same(z, y)), same(w, 0)),
    ((abs(x - y) <= v, v <= 0), same(x, y)),
    ((same(a * x, a * y), a > 1), same(x, y)),
    ((same(a * x + z, a * y + z), Ne(a, 0, evaluate=False)), same(x, y)),
    ((same((a - z - 1) * (x - y), 0), z > a), same(x, y)),
]


@pytest.mark.parametrize(("premises", "claim"), CHAINS, ids=range(len(CHAINS)))
def test_to_pass_on_is_to_say_nothing(premises, claim) -> None:
    """From x = z and z = y it was PROVED that x = y."""
    assert judged(told(*premises), claim, {**KIND, v: 0}) is State.VACUOUS


@pytest.mark.parametrize(
    ("premises", "claim", "world"),
    [
        ((same(x, z), same(z, y)), same(x + z, 2 * y), {}),
        ((same(x, z), same(z, y)), same(x**2, y * z), {}),
        ((same(x, 3 * z), same(z, 2 * y)), same(x, 6 * y), {x: 12, z: 4}),
        ((x >= z + 1, z >= y + 1), x >= y + 2, {x: 9, z: 5}),
        ((same(x, z), same(z, 2)), same(x**2, 4), {}),
        ((same(x + z, 4), same(x - z, 0)), same(x, 2), {}),
    ],
    ids=range(6),
)
def test_to_work_out_is_to_say_something(premises, claim, world) -> None:
    assert judged(told(*premises), claim, {**KIND, **world}) is State.PROVED


def test_what_is_supposed_of_everything_is_passed_on_at_each_place() -> None:
    world = {x: 3, y: 12, f: Lambda(t, t**2 + 3), g: Lambda(t, t**2 + 3), k: Lambda(t, t**2 + 3)}
    every = (
        Suppose("one", same(f(t), g(t)), forall=(t,)),
        Suppose("two", same(g(s), k(s)), forall=(s,)),
        Suppose("three", same(k(x), y)),
    )
    assert judged(every[:2], same(f(x), k(x)), world) is State.VACUOUS
    assert judged(every, same(f(x), y), world) is State.VACUOUS
    assert judged(every[:2], same(f(x) * f(2 * x), k(2 * x) * k(x)), world) is State.PROVED


def test_the_hypotheses_that_say_it_are_told() -> None:
    """Those that are needed for it, and no others."""
    premises = told(same(x, z), same(z, y), p > 1)
    step = Holds("claim", same(x, y), uses=tuple(part.name for part in premises))
    found = Derivation(premises, (step,), lambda source: World({x: 2, y: 2, z: 2, p: 3})).check()
    assert found.steps[0].reason == "it restates 'told 0', 'told 1', up to a factor"


def test_passing_on_goes_one_way_where_an_inequality_does() -> None:
    def together(*facts):
        return frozenset(map(essence, facts))

    assert passed_on(essence(x >= y), (), together(x >= z, z >= y), frozenset())
    assert passed_on(essence(x > y), (), together(x >= z, z > y), frozenset())
    assert not passed_on(essence(x > y), (), together(x >= z, z >= y), frozenset())
    assert not passed_on(essence(y >= x), (), together(x >= z, z >= y), frozenset())
    assert not passed_on(essence(same(x, y)), (), together(x >= z, z >= y), frozenset())


def test_negations_and_parts() -> None:
    assert negation(essence(And(x > 0, same(y, 0)))) == essence(Or(x <= 0, Ne(y, 0)))
    assert said_of("==", 3 * p * (x - y)) == essence(same(x, y))
    assert said_of("or", frozenset({(">", x), ("==", Integer(1) * y)})) == ("or", frozenset({(">", x), ("==", y)}))


@pytest.mark.parametrize(
    ("premises", "claim"),
    [
        ((same(x, 0),), same(2 * cos(x), 2)),
        ((same(x, 0), same(y, 1)), same(cos(x) + y, 2)),
        ((Define("square", w, (x + 1) ** 2), x >= 1), w >= 0),
        ((Define("a number", w, Integer(2)), Ne(w, 0, evaluate=False), x >= 1), w * x >= w),
    ],
    ids=str,
)
def test_what_is_true_of_0_or_by_definition_alone_is_not_supposed(premises, claim) -> None:
    """It may be idle, but that is another word."""
    uses = tuple(part.name for part in told(*premises))
    step = Holds("claim", claim, uses=uses)
    found = Derivation(told(*premises), (step,), lambda source: World({x: 1 if w in claim.free_symbols else 0, y: 1}))
    assert "it restates" not in found.check().steps[0].reason


SLOPED = Derivative(f(x), x)
SLOPE = Suppose("slope", same(SLOPED, g(x)), forall=(x,))


@pytest.mark.parametrize(
    ("premises", "claim"),
    [
        ((same(SLOPED, g(x)), same(x, 0), same(g(x), y)), same(SLOPED, y)),
        ((same(x, 0), same(z * SLOPED, y * z), same(y * z, 2 * g(x))), same(z * SLOPED, 2 * g(x))),
        ((SLOPE, same(g(0), y), same(y, z)), same(g(0), z)),
        ((SLOPE, same(g(y**2), z), same(z, a)), same(g(y**2), a)),
    ],
    ids=["a name that is 0", "put into another one", "at 0", "at a square"],
)
def test_what_something_is_differentiated_by_stays_a_name(premises, claim) -> None:
    """Nothing is differentiated by 0 or by a square; what several hypotheses pass on is noticed all the same."""
    values = {f: Lambda(t, 2 * t), g: Lambda(t, 2 + 0 * t), x: 0, y: 2, z: 2, a: 2}
    given = told(*premises)
    step = Holds("claim", claim, uses=tuple(part.name for part in given))
    found = Derivation(given, (step,), lambda source: World(values)).check().steps[0]
    assert found.state is State.VACUOUS and "restates" in found.reason


@pytest.mark.parametrize(
    ("premises", "claim"),
    [
        ((same(x, z + 1), same(z, y - 1)), same(x, y)),
        ((same(x, z + 1), same(z, y - 3)), same(x + 2, y)),
        ((same(x, z + 1), z >= y), x >= y + 1),
    ],
    ids=str,
)
def test_a_number_is_passed_on(premises, claim) -> None:
    """To add a number and to take it off again is no work."""
    above = {same(x, y): 0, same(x + 2, y): 2}.get(claim, -2)
    assert judged(told(*premises), claim, {x: 5, z: 4, y: 5 + above}) is State.VACUOUS


@pytest.mark.parametrize(
    ("premises", "claim"),
    [
        ((same(x, z + 1), same(a, x * y)), same(a, z * y + y)),
        ((same(x, z + 1), same(z, y**2 - 1), y >= 2), x >= 4),
    ],
    ids=str,
)
def test_what_is_multiplied_is_not_passed_on(premises, claim) -> None:
    kind = {x: 2, y: 2, z: 1, a: 4} if claim.has(a) else {x: 9, y: 3, z: 8}
    assert judged(told(*premises), claim, kind) is State.PROVED
