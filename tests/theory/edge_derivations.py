"""Derivations that several tests take apart: where growth begins, and where scalings and step sizes have edges."""

import random

from sympy import (
    And,
    Eq,
    Equivalent,
    Function,
    Integer,
    Max,
    Rational,
    Symbol,
    sqrt,
)

from theory.proof.derivation import Derivation
from theory.proof.normal_forms import expanded, max_plus, radicals, rational
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Enumerate, Equal, Holds, Induct, Root
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.regions import CELLS, dimension

Q = Symbol("Q", real=True)
eta, lam, c, s = (Symbol(n, positive=True) for n in ("eta", "lam", "c", "s"))
n = Symbol("n", integer=True, nonnegative=True)
exponent = Function("q")
step_size = Symbol("s", real=True)


def exponent_recursion() -> Derivation:
    """width:E8: the exponent of the weights after n steps above the band is n s, by a max-plus recursion."""
    return Derivation(
        premises=(
            Define("at the start", exponent(0), Integer(0)),
            Define("one step", exponent(n + 1), Max(exponent(n), step_size + exponent(n))),
            Suppose("above the band", step_size >= 0),
        ),
        steps=(
            Induct(
                "growth",
                n,
                exponent(n),
                n * step_size,
                uses=("at the start", "one step", "above the band"),
                normal=(max_plus, expanded),
                because="Each step adds s.",
            ),
        ),
        worlds=lambda source: World({step_size: draw(source, 0, 3), n: source.randint(0, 5)}),
    )


low, high = (1 - sqrt(1 - c * eta**2 * s**2)) / eta, (1 + sqrt(1 - c * eta**2 * s**2)) / eta


def curvatures(source: random.Random) -> World:
    """Where a band of stable curvatures exists."""
    return World(
        {
            eta: draw(source, 1, 2) / 4,
            lam: draw(source, 1, 9),
            c: draw(source, 0, 1) + Rational(1, 9),
            s: draw(source, 1, 4),
        }
    )


def curvature_band() -> Derivation:
    """breakeven:L4a: Q <= 1 exactly between the roots of a quadratic."""
    return Derivation(
        premises=(
            Define("mean square", Q, (1 - eta * lam) ** 2 + c * eta**2 * s**2),
            Suppose("some curvature is stable", c * eta**2 * s**2 <= 1),
        ),
        steps=(
            Equal(
                "factors",
                Q,
                1 + eta**2 * (lam - low) * (lam - high),
                uses=("mean square",),
                normal=(expanded, radicals, rational),
                because="The quadratic has these two roots.",
            ),
            Holds(
                "band",
                Equivalent(Q <= 1, And(lam >= low, lam <= high)),
                uses=("factors", "some curvature is stable"),
                because="A product is not positive exactly between its roots.",
            ),
        ),
        worlds=curvatures,
    )


edge = Symbol("eta_max", positive=True)


def step_size_edge() -> Derivation:
    """breakeven:L3: the only positive learning rate at which the mean square neither grows nor shrinks."""
    square = (1 - edge * lam) ** 2 + c * edge**2 * s**2
    return Derivation(
        premises=(Define("mean square", Q, square),),
        steps=(
            Root(
                "edge",
                edge,
                Eq(Q, 1, evaluate=False),
                2 * lam / (lam**2 + c * s**2),
                uses=("mean square",),
                because="Q - 1 is eta times a linear function of eta.",
            ),
        ),
        worlds=lambda source: World({lam: draw(source), c: draw(source), s: draw(source)}),
    )


q_sigma, q_step = Symbol("q_sigma", real=True), Symbol("q", real=True)
A, B, C, D = (Symbol(name, real=True) for name in "ABCD")
HALF = Rational(1, 2)


def scalings(source: random.Random) -> World:
    """A scaling inside the band, on an edge or at a vertex as often as not."""
    total = -Rational(source.randint(0, 4), 8)
    first_exponent = Rational(source.randint(-12, 4), 8)
    return World({q_sigma: first_exponent, q_step: total - first_exponent})


def census() -> Derivation:
    """width:R01-R13: the sign vectors of four lines inside the band."""
    return Derivation(
        premises=(
            Define("A", A, q_sigma + HALF),
            Define("B", B, 2 * q_sigma + q_step + 1),
            Define("C", C, q_sigma + q_step + HALF),
            Define("D", D, q_sigma + q_step),
            Suppose("no stagnation", q_sigma + q_step >= -HALF),
            Suppose("no explosion", q_sigma + q_step <= 0),
        ),
        steps=(
            Enumerate(
                "thirteen regions",
                (q_sigma, q_step),
                (A, B, C, D),
                CELLS,
                uses=("A", "B", "C", "D", "no stagnation", "no explosion"),
                dimensions=tuple(dimension(cell) for cell in CELLS),
            ),
        ),
        worlds=scalings,
    )
