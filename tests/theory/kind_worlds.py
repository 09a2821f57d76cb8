"""What false claims are tried in: worlds that honour every hypothesis but are too kind to refute the claim."""

import random

from sympy import (
    Abs,
    Expr,
    Function,
    IndexedBase,
    Lambda,
    Symbol,
)

from theory.proof.derivation import Derivation, State, Suppose
from theory.proof.steps import Equal
from theory.proof.visibility import context_of
from theory.proof.worlds import World, rational

x, y, a, b, t = (Symbol(name, real=True) for name in "xyabt")
p = Symbol("p", positive=True)
d = Symbol("d", positive=True)
N = Symbol("N", integer=True, positive=True)
i, j, n = (Symbol(name, integer=True) for name in "ijn")
h, plain = IndexedBase("h", real=True), IndexedBase("H")
f, F = Function("f", real=True), Function("F")
root = Symbol("rho", real=True)


def checked(premises, *steps, **chosen):
    """The proof where the worlds give the symbols positive values."""
    values = chosen.pop("world", {})

    def world(source: random.Random) -> World:
        known = {s: rational(source, 2, 9) for s in (x, y, a, b, t, p)}
        value = rational(source, 1, 9)
        lists = {N: 2, h: [value] * 2, plain: [value] * 2}
        return World({**known, **lists, n: source.randint(1, 6), i: 1, j: 1, F: Lambda(x, x + 2), **values})

    return Derivation(tuple(premises), steps, world).check()


def judged(premises, *steps, **chosen) -> State:
    return checked(premises, *steps, **chosen).state


def told(fact, forall=()) -> Suppose:
    return Suppose("told", fact, forall=forall)


def equal(left, right, *normal, uses=("told",)) -> Equal:
    return Equal("s", left, right, uses, normal)


def vanishing(e: Expr) -> Expr:
    """Something times what is 0 in every world here, and not for negative a."""
    return e * (Abs(a) - a)


def seen_from(premises):
    """What a step sees that uses these premises."""
    step = equal(x + 1, 1 + x, uses=tuple(one.name for one in premises))
    return context_of(Derivation(tuple(premises), (step,), lambda source: World({x: 1})), step, step.uses)
