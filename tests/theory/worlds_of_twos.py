"""What false claims are tried in: worlds in which every number is 2, or 1 or 0, where they happen to be true."""

from sympy import (
    Eq,
    Function,
    IndexedBase,
    Integer,
    Symbol,
)

from theory.proof.derivation import Derivation, State, Suppose
from theory.proof.worlds import World

x, y, z, a, b, s, t = (Symbol(name, real=True) for name in "xyzabst")
p, r = Symbol("p", positive=True), Symbol("r", positive=True)
none = Symbol("c", nonnegative=True)
"""Not negative, and 0 in every world here: what it multiplies vanishes there, and nowhere else."""
N, small = Symbol("N", integer=True, positive=True), Symbol("l", integer=True, positive=True)
n = Symbol("n", integer=True, nonnegative=True)
i, k = Symbol("i", integer=True), Symbol("k", integer=True)
h, signed = IndexedBase("h", real=True), IndexedBase("g", positive=True)
f, g = Function("f", real=True), Function("g", real=True)
above = Function("above", positive=True)
root = Symbol("rho", real=True)
PREMISE = ("told",)


def judged(premises, *steps, **world) -> State:
    """The state of the last step."""
    values = {symbol: Integer(2) for symbol in (x, y, z, a, b, s, t, p, r, N, n)}
    values |= {none: Integer(0), i: 1, k: 1, small: 1, h: [1, 1], signed: [1, 1]} | world.get("world", {})
    return Derivation(tuple(premises), steps, lambda source: World(values)).check().steps[-1].state


def told(fact, forall=(), name="told") -> Suppose:
    return Suppose(name, fact, forall=forall)


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def refused(state: State) -> bool:
    return state is not State.PROVED
