"""One name stands for one thing in a derivation, and a smooth function is no plain one of its name."""

import pytest
from sympy import Derivative, Eq, Function, IndexedBase, Integer, Lambda, Sum, Symbol

from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World

x, y = Symbol("x", real=True), Symbol("y", real=True)
i, N = (Symbol(name, integer=True, positive=True) for name in "iN")
plain, soft = Function("phi", real=True), smooth("phi")
h, z = IndexedBase("h", real=True), IndexedBase("z", real=True)


def checked(premises, *steps, world=None):
    return Derivation(tuple(premises), steps, lambda source: World({x: 2, y: 2, N: 1, **(world or {})})).check()


def test_a_smooth_function_is_no_plain_one() -> None:
    assert plain != soft and hash(plain) != hash(soft) and plain(x) != soft(x)
    assert soft == smooth("phi") and derivative(soft) == derivative(smooth("phi")) != derivative(smooth("psi"))
    assert derivative(soft) != Function("dphi", real=True)
    assert plain(x).diff(x).has(Derivative) and soft(x).diff(x) == derivative(soft)(x)


@pytest.mark.parametrize("other", [plain, Function("phi", positive=True), smooth("phi", positive=True)])
def test_two_functions_of_one_name_are_refused(other) -> None:
    """That the plain one is differentiable was taken from the smooth one."""
    given = Suppose("given", Eq(soft(x), x, evaluate=False)), Suppose("also", other(x) >= 1)
    claim = Holds("claim", soft(x) + other(x) >= x + 1, uses=("given", "also"))
    found = checked(given, claim, world={soft: Lambda(y, y), other: Lambda(y, y)}).steps[0]
    assert found.state is State.UNDECIDED
    assert "phi is the name of two functions, declared " in found.reason
    alone = Suppose("also", Function("psi", real=True)(x) >= 1)
    better = Holds("claim", soft(x) + Function("psi", real=True)(x) >= x + 1, uses=("given", "also"))
    world = {soft: Lambda(y, y), Function("psi", real=True): Lambda(y, y)}
    assert checked((given[0], alone), better, world=world).sound


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (x, Symbol("x", positive=True), "symbols"),
        (N, Symbol("N", integer=True), "symbols"),
        (h[i], IndexedBase("h", positive=True)[i], "tables"),
        (Sum(h[i], (i, 1, N)), Symbol("i", integer=True), "symbols"),
    ],
)
def test_two_symbols_or_tables_of_one_name_are_refused(one, other, kind) -> None:
    claim = Holds("claim", one + other >= y, uses=("told",))
    found = checked((Suppose("told", one + other >= y + 1),), claim).steps[0]
    assert f"is the name of two {kind}" in found.reason


def test_a_label_of_a_table_is_no_symbol_but_a_function_may_share_its_name() -> None:
    label = Symbol("h", real=True)
    told = Suppose("told", label + h[1] >= 2)
    found = checked((told,), Holds("claim", label + h[1] >= 1, uses=("told",)), world={h: [1], label: 1}).steps[0]
    assert "h is a symbol and the label of a table" in found.reason
    along = Function("h", real=True)
    told = Suppose("told", along(x) + h[1] >= 2)
    claim = Holds("claim", along(x) + h[1] >= 1, uses=("told",))
    assert checked((told,), claim, world={h: [1], along: Lambda(y, y)}).sound


def test_names_that_an_import_brings_are_names_too() -> None:
    square = Define("square", y, x**2)
    source = Derivation((square,), (Equal("opened", y + 1, x**2 + 1, uses=("square",)),), lambda source: World({x: 2}))
    other = Symbol("x", positive=True)
    told = Suppose("told", other >= 1)
    claim = Holds("claim", other + y >= x**2 + 1, uses=("brought", "told"))
    found = checked((told, Imported("brought", source)), claim, world={other: Integer(2)}).steps[0]
    assert "x is the name of two symbols, declared " in found.reason
