"""Claims that fail at an edge: where a part is at its limit, at the first state, where a condition is not met."""

from sympy import Abs, Eq, Function, Implies, IndexedBase, Integer, Lambda, Limit, Or, Symbol, oo

from theory.asymptotics import order
from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Equal, Holds, Tends
from theory.proof.steps.orders import OrderOf
from theory.proof.worlds import World

x, y, z, a, t = (Symbol(name, real=True) for name in "xyzat")


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def test_a_power_with_base_0_has_no_limit_as_its_exponent_vanishes() -> None:
    """0^|f| -> 0 is false where f = 0: 0^0 = 1."""
    f = Function("f", real=True)
    to_0 = Suppose("to 0", same(Limit(f(x), x, oo), 0))
    for base, value, state in ((0, 0, State.UNDECIDED), (3, 1, State.PROVED)):
        step = Tends("t", Integer(base) ** Abs(f(x)), x, oo, Integer(value), uses=("to 0",))
        found = Derivation((to_0,), (step,), lambda source: World({f: Lambda(t, 1 / t)})).check()
        assert found.steps[-1].state is state


def test_an_order_of_later_states_is_not_that_of_the_first() -> None:
    """What is supposed of S[K] for positive K says nothing of S[0], which has order 2 with a = -1."""
    s, d = IndexedBase("S", real=True), Symbol("d", positive=True)
    later, k = Symbol("K", integer=True, positive=True), Symbol("k", integer=True, nonnegative=True)
    first = d * a + d**2 * (Abs(a) - a)
    premises = (
        Define("first", s[0], first),
        Define("next", s[k + 1], d),
        Suppose("orders", same(order(s[later], d), 1), forall=(later,)),
    )
    before = (
        Equal("u", s[0] + 1, 1 + first, uses=("first",)),
        Equal("v", s[k + 1] + 1, d + 1, uses=("next",)),
    )
    for place, proved in ((Integer(0), False), (Integer(2), True)):
        step = OrderOf("t", s[place] ** 2, Integer(2), d, uses=("orders",))
        found = Derivation(premises, (*before, step), lambda source: World({a: 2, d: 3, k: 1})).check()
        assert (found.steps[-1].state is State.PROVED) is proved


def test_an_alternative_to_what_is_never_met_says_nothing() -> None:
    """No world keeps the premises with x > 5, so that half of the claim is empty in both of its forms."""

    def claimed(last, top: int) -> State:
        low, high = (
            Suppose(name, Implies(x > 5, fact, evaluate=False)) for name, fact in (("low", y <= 1), ("high", y >= top))
        )
        above = Suppose("above", z >= 1)
        first = Holds("first", Or(x <= 5, y + z >= top + 1), uses=("high", "above"))
        final = Holds("t", last, uses=("low", "above"))

        def worlds(source) -> World:
            return World({x: source.choice((1, 6)), y: source.choice((0, 1, 2)), z: 1})

        return Derivation((low, high, above), (first, final), worlds).check().steps[-1].state

    for last in (Or(x <= 5, y - z < 1), Implies(x > 5, y - z < 1, evaluate=False)):
        assert claimed(last, 2) is State.VACUOUS
    for last in (Or(x <= 5, y - z < 1), Implies(x > 5, y - z < 1, evaluate=False)):
        assert claimed(last, 0) is State.PROVED
