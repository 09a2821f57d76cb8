"""Theorem 2 with the coupling that its proof needs: the way down ends where the way up does (breakeven:L7, L8).

On one distance function the break-even equation has one root, from whichever side a run comes to it.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Ge, Gt, Implies, Lambda, Le, Lt, Symbol

from theory.breakeven.break_even_order import COUPLED, NOTATION, SIGNS, R, c_1, edge_1, excess, x, y
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.steps import Cases, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

up, down = Symbol("lam_up", positive=True), Symbol("lam_down", positive=True)


def _farther(one: Symbol, other: Symbol, name: str) -> Holds:
    """The noise of two curvatures, if the first is the larger."""
    return Holds(
        name,
        Implies(Gt(one, other), Ge(c_1 * R(one) - c_1 * R(other), 0), evaluate=False),
        uses=("one decreasing distance", SIGNS[0].name),
        instances=(("one decreasing distance", {x: other, y: one}),),
        because="The larger curvature has the smaller distance.",
    )


def _one_root_world(source: random.Random) -> World:
    slope, root, noise_ = draw(source, 0, 3), draw(source), draw(source, 0, 2)
    found = {R: Lambda(x, 1 + slope * x), up: root, down: root, c_1: noise_, x: root, y: draw(source)}
    return World(found | {edge_1: root + noise_ * (1 + slope * root)})


THEOREM_2 = Law(
    name="breakeven.theorem_2",
    title="Started unstable, a run is first stable at the very curvature at which it would break even from below.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Theorem 2, Appendix B",
        ("breakeven:T2", "breakeven:L7", "breakeven:L8"),
        "On one decreasing distance function the first stable curvature on the way down is the break-even curvature "
        "of the way up, so it falls with eta and rises with S as Theorem 1 says.",
    ),
    quantities=(
        Quantity(down, "first stable curvature on the way down", "curvature"),
        Quantity(up, "first unstable curvature on the way up", "curvature"),
    ),
    regime=f"{NOTATION} The distance is one non-increasing function of the curvature on both ways; "
    "curvatures move continuously; any batch size (no S << N).",
    derivation=Derivation(
        premises=(
            COUPLED,
            SIGNS[0],
            Suppose("way up", Eq(excess(up, edge_1, c_1), 0, evaluate=False)),
            Suppose("way down", Eq(excess(down, edge_1, c_1), 0, evaluate=False)),
        ),
        steps=(
            _farther(down, up, "were it larger"),
            _farther(up, down, "were it smaller"),
            Cases(
                "not larger",
                Le(down, up),
                (Le(down, up), Gt(down, up)),
                uses=("were it larger", "way up", "way down"),
                because="A larger root would have the larger sum of curvature and noise.",
            ),
            Cases(
                "not smaller",
                Ge(down, up),
                (Ge(down, up), Lt(down, up)),
                uses=("were it smaller", "way up", "way down"),
                because="A smaller root would have the smaller sum.",
            ),
            Holds(
                "the same root",
                Formula(down, up).statement,
                uses=("not larger", "not smaller"),
                because="Neither is the larger one.",
            ),
        ),
        worlds=_one_root_world,
    ),
    claim=Formula(down, up),
    rivals=(
        Rival("full-batch threshold", Formula(down, edge_1), "becomes stable where gradient descent would"),
        Rival("hysteresis", Formula(down, up / 2), "has to fall well below the break-even curvature"),
    ),
)

LAWS = (THEOREM_2,)
