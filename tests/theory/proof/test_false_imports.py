"""What an import rests on, and where it may be taken; false claims forget it.

The worlds are too kind to refute them; beside each stands a true claim that must still be proved.
"""

from kind_worlds import a, b, checked, equal, h, i, j, judged, n, root, x
from sympy import (
    Abs,
    Derivative,
    Eq,
    Function,
    Integer,
    Lambda,
    Symbol,
    cos,
)

from theory.proof import normal_forms as nf
from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.steps import Equal, Holds, Induct, Root
from theory.proof.worlds import World, rational

# imports


def test_a_hypothesis_for_every_place_is_not_met_at_one() -> None:
    everywhere = Suppose("everywhere", h[i] > 1, forall=(i,))
    step = Holds("s", h[2] > 0, ("everywhere",), instances=(("everywhere", {i: Integer(2)}),))
    other = Derivation((everywhere,), (step,), lambda source: World({h: [3, 3, 3], i: 1}))
    later = Holds("u", h[2] + 1 > 1, ("import",))
    for forall, state in (((), State.UNDECIDED), ((i,), State.PROVED)):
        own = Suppose("own", h[i] > 1, forall=forall)
        assert judged([own, Imported("import", other)], later, world={h: [3, 3], i: 2}) is state


def test_a_hypothesis_is_not_met_by_an_induction_that_starts_later() -> None:
    """u(n) = 0 from n = 1 on says nothing of u(0)."""
    u = Function("u", real=True)
    zero = Suppose("zero", Eq(u(n), 0, evaluate=False))
    other = Derivation(
        (zero,), (equal(cos(u(n)), Integer(1), uses=("zero",)),), lambda source: World({u: Lambda(n, 0), n: 1, a: 1})
    )
    start, step = Define("start", u(1), Integer(0)), Define("step", u(n + 2), 3 * u(n + 1))
    from_one = Induct("from one", n, u(n), Integer(0), start=1, uses=("start", "step"))
    late = equal(2 * cos(u(n)), Integer(2), uses=("import",))
    proof = checked([start, step, Imported("import", other)], from_one, late)
    assert proof.steps[-1].state is not State.PROVED
    assert checked([zero, Imported("import", other)], late, world={u: Lambda(n, 0)}).sound


# imports taken at other places


def taken(other: Derivation, places, claim, *premises, **world) -> State:
    """A claim from an import taken at other places, in a world where both places are the same."""
    return judged([*premises, Imported("import", other, at=places)], claim, world=world.pop("world", {}))


def test_a_root_is_not_moved_with_the_places_of_an_import() -> None:
    """With w = a / 2 found there, w = b / 2 does not follow here."""
    found = Root("found", root, Eq(2 * root, a, evaluate=False), a / 2)
    other = Derivation((), (found,), lambda source: World({a: rational(source)}))
    same = {a: Integer(4), b: Integer(4)}
    moved = equal(2 * root + 1, b + 1, uses=("import",))
    assert taken(other, ((a, b),), moved, world=same) is State.UNDECIDED
    assert taken(other, (), equal(2 * root + 1, a + 1, uses=("import",)), world=same) is State.PROVED


def test_what_runs_in_a_conclusion_is_not_put_into_it() -> None:
    """The slope of a x^2 is 2 a x; that of x x^2 is not 2 x x."""
    slope = Equal("slope", Derivative(a * x**2, x), 2 * a * x)
    other = Derivation((), (slope,), lambda source: World({a: rational(source), x: rational(source)}))
    for place, state in ((x, State.UNDECIDED), (b, State.PROVED)):
        step = equal(Derivative(place * x**2, x) + 1, 2 * place * x + 1, nf.rational, uses=("import",))
        assert taken(other, ((a, place),), step, world={x: Integer(0)}) is state


def test_an_induction_taken_elsewhere_keeps_its_start() -> None:
    """|n| - n vanishes from 0 on, not everywhere."""
    u, m = Function("u", real=True), Symbol("m", integer=True)
    none = Induct("none", n, u(n), Integer(0), uses=("gap",), normal=(nf.piecewise,))
    other = Derivation((Define("gap", u(j), Abs(j) - j),), (none,), lambda source: World({n: 1}))
    for known, state in ((n >= 0, State.UNDECIDED), (m >= 3, State.PROVED)):
        premises = (Suppose("known", known),)
        step = Equal("s", a * (Abs(m) - m) + a, a, ("import", "known"))
        assert taken(other, ((n, m),), step, *premises, world={n: 4, m: 4}) is state


G = Function("G", real=True)
SQUARE = {G: Lambda(x, x**2), x: Integer(2)}


def test_what_is_supposed_of_every_value_is_wanted_of_every_value_elsewhere() -> None:
    """G(1) = 1 rests on G(x) = x^2 for every x; that G(0) = 0 is not enough, of whatever it is said."""
    square = Eq(G(x), x**2, evaluate=False)
    step = equal(G(x + 1) ** 2, (x + 1) ** 4, uses=("everywhere",))
    other = Derivation((Suppose("everywhere", square, forall=(x,)),), (step,), lambda source: World(SQUARE))
    claim = equal(a * G(1) ** 2 + 1, a + 1, uses=("import",))
    for own, good in ((Eq(G(0), 0, evaluate=False), False), (square, True)):
        known = Suppose("own", own, forall=(x,))
        state = taken(other, ((x, Integer(0)),), claim, known, world=SQUARE)
        assert (state is State.PROVED) is good


def test_a_hypothesis_elsewhere_is_of_what_is_defined_there() -> None:
    """With w = x^2 > 1, x^2 w is above 1; b^4 is not, unless b^2 > 1."""
    w = Symbol("w", real=True)
    step = Holds("s", x**2 * w > 1, ("square", "large"))
    premises = (Define("square", w, x**2), Suppose("large", w > 1))
    other = Derivation(premises, (step,), lambda source: World({x: Integer(2)}))
    claim = Holds("s", b**4 + a**2 > 1, ("import",))
    for known, good in ((w > 1, False), (b**2 > 1, True)):
        world = {w: Integer(4), b: Integer(3), x: Integer(2)}
        state = taken(other, ((x, b),), claim, Suppose("own", known), world=world)
        assert (state is State.PROVED) is good


def test_an_import_is_not_taken_where_nothing_can_run() -> None:
    """Nothing is differentiated by 0, not even in what an import rests on."""
    slope = Suppose("slope", Eq(Derivative(G(x), x), 2 * x, evaluate=False))
    step = equal(a * Derivative(G(x), x), 2 * a * x, uses=("slope",))
    other = Derivation((slope,), (step,), lambda source: World({**SQUARE, a: Integer(3)}))
    at = Imported("import", other, at=((x, Integer(0)),))
    proof = checked([slope, at], equal(G(a) + a * x, 2 * a, uses=("import",)), world=SQUARE)
    assert proof.steps[0].state is State.UNDECIDED and "x runs in it" in str(proof)
