"""Theorem 1 with the coupling that its proof needs (breakeven:L7, L8).

The break-even curvature of a run is the root of x - 2/eta + c alpha/Psi(x)^2, Psi(x) the distance to the minimum
at the curvature x. If one function Psi that does not grow belongs to all runs that are compared, this rises
with x, and a larger learning rate or a smaller batch lifts it everywhere: its root moves down. That stability
changes at the root, and only there, is ``theory.breakeven.coupled_stability``; Theorem 2 is
``theory.breakeven.first_stable``. Without the coupling the order may be the other one
(``theory.breakeven.uncoupled``).
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Expr, Ge, Gt, Implies, Lambda, Le, Lt, Rational, Symbol

from theory.breakeven.noise_factor import PAPER
from theory.claims import Bound
from theory.definitions.breakeven import TWO_EXAMPLES, N, alpha, noise, w
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.functions import smooth
from theory.proof.steps import Cases, Crossing, Equal, Holds
from theory.proof.steps.crossing import primed
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

x, y = Symbol("x", positive=True), Symbol("y", positive=True)
share = Symbol("z", nonnegative=True)
R = smooth("R", positive=True)
"""Inverse square of the distance to the minimum, as a function of the curvature."""

edge_1, edge_2, start = (Symbol(n, positive=True) for n in ("edge_1", "edge_2", "lam_0"))
c_1, c_2 = (Symbol(n, real=True) for n in ("n_1", "n_2"))
lam_1, lam_2 = (Symbol(n, positive=True) for n in ("lam_1", "lam_2"))
eta_1, eta_2 = (Symbol(n, positive=True) for n in ("eta_1", "eta_2"))
S_1, S_2 = (Symbol(n, integer=True, positive=True) for n in ("S_1", "S_2"))

COUPLED = Suppose("one decreasing distance", Implies(Lt(x, y), Ge(R(y), R(x)), evaluate=False), forall=(x, y))
"""The distance is one function of the curvature on all runs, and it does not grow with the curvature."""


def excess(curvature: Expr, edge: Expr, noise_: Expr) -> Expr:
    """How far a curvature lies above the break-even one at the distance that belongs to it.

    Examples
    --------
    >>> excess(start, edge_1, c_1)
    -edge_1 + lam_0 + n_1*R(lam_0)
    """
    return curvature - edge + noise_ * R(curvature)


_RUNS = (("first run", lam_1, edge_1, c_1), ("second run", lam_2, edge_2, c_2))
_FULL_BATCH = (
    Define("first run's full-batch edge", edge_1, 2 / eta_1),
    Define("second run's full-batch edge", edge_2, 2 / eta_2, "were it higher, the order would hold all the more"),
)
_NOISES = (
    Define("first run's noise", c_1, alpha * noise(N, S_1, w)),
    Define("second run's noise", c_2, alpha * noise(N, S_2, w)),
)
SIGNS = (
    Suppose("first run's noise has a sign", c_1 >= 0),
    Suppose("second run's noise has a sign", c_2 >= 0),
)
_FIT = (
    Suppose("first run's batch fits", w * (S_1 - 1) <= N - 1),
    Suppose("second run's batch fits", w * (S_2 - 1) <= N - 1),
)
_RISING = Holds(
    "noise rises",
    Implies(Lt(x, y), Ge(share * R(y) - share * R(x), 0), evaluate=False),
    uses=("one decreasing distance",),
    instances=(("one decreasing distance", {x: x, y: y}),),
    forall=(x, y, share),
    because="A smaller distance makes the same gradient noise a larger share of the curvature.",
)
NOTATION = "R is the inverse square of the distance, edge = 2/eta and n = c alpha of a run."
_COMPARED = (
    Suppose("no smaller learning rate", eta_1 >= eta_2),
    Suppose("no larger batch", S_1 <= S_2),
)
_DIFFERENCE = alpha * (S_2 - S_1) * (1 + w / (N - 1)) / (S_1 * S_2)
_SETTINGS = (
    Holds(
        "no higher full-batch edge",
        edge_1 <= edge_2,
        uses=(*(one.name for one in _FULL_BATCH), "no smaller learning rate"),
        because="2/eta falls with eta.",
    ),
    Equal(
        "difference of the noises",
        c_1 - c_2,
        _DIFFERENCE,
        uses=tuple(one.name for one in _NOISES),
        because="The noise factor is (1 + w/(N - 1))/S less what does not depend on S.",
    ),
    Holds(
        "a smaller batch is noisier",
        _DIFFERENCE >= 0,
        uses=("no larger batch", "two examples"),
        because="No factor is negative, for either scheme.",
    ),
    Holds(
        "no less noise",
        c_1 >= c_2,
        uses=("difference of the noises", "a smaller batch is noisier"),
        because="What is added is not negative.",
    ),
    *(
        Holds(
            sign.name,
            sign.fact,
            uses=(noise_.name, fits.name, "two examples"),
            because="A batch without replacement is no larger than the set.",
        )
        for sign, noise_, fits in zip(SIGNS, _NOISES, _FIT, strict=True)
    ),
)
"""What learning rates and batch sizes say of the two edges and noises, for every size of the set."""


_STARTS = (
    Suppose("first run starts stable", excess(start, edge_1, c_1) < 0),
    Suppose("second run starts stable", excess(start, edge_2, c_2) < 0),
)


def _run_world(source: random.Random) -> World:
    """Any two runs on a distance 1/(a + b x) that start stable."""
    a, b = draw(source, 1, 3), draw(source, 0, 3)
    values = {name: draw(source, 0, 2) / 9 for name in (c_1, c_2)}
    values |= {name: draw(source, 1, 9) for name in (edge_1, edge_2)}
    places = {x: draw(source), y: draw(source), share: draw(source, 0, 3), start: Rational(1, source.randint(2, 50))}
    return World({R: Lambda(x, (a + b * x) ** 2), **values, **places})


def _crossing(place: int) -> Derivation:
    """A run that starts stable breaks even exactly once, at its full-batch edge at the latest."""
    name, root, edge, noise_ = _RUNS[place]
    return Derivation(
        premises=(COUPLED, SIGNS[place], _STARTS[place]),
        steps=(
            _RISING,
            Crossing(
                f"root of the {name}",
                excess(x, edge, noise_),
                x,
                start,
                edge,
                root,
                uses=("noise rises", SIGNS[place].name, _STARTS[place].name),
                attained=True,
                instances=(("noise rises", {x: x, y: primed(x), share: noise_}),),
                because="An increasing function of the curvature changes its sign once.",
            ),
        ),
        worlds=_run_world,
    )


def _coupled_world(source: random.Random) -> World:
    """Two runs on a distance 1/(a + b x)."""
    a, b = draw(source, 1, 3), draw(source, 0, 3)
    rates = sorted((2 / draw(source, 1, 9) for _ in range(2)), reverse=True)
    examples, distinct = source.randint(2, 9), source.randint(0, 1)
    sizes = sorted(source.randint(1, examples) for _ in range(2))
    return World(
        {
            R: Lambda(x, (a + b * x) ** 2),
            eta_1: rates[0],
            eta_2: rates[1],
            S_1: sizes[0],
            S_2: sizes[1],
            N: examples,
            w: distinct,
            alpha: draw(source, 0, 2) / 9,
            start: Rational(1, source.randint(2, 50)) if source.randint(0, 1) else 2 / rates[1] + draw(source, 0, 2),
            x: draw(source),
            y: draw(source),
            share: draw(source, 0, 3),
        }
    )


CROSSINGS = tuple(_crossing(place) for place in range(len(_RUNS)))

ORDERED = Derivation(
    premises=(
        COUPLED,
        *_STARTS,
        *_COMPARED,
        TWO_EXAMPLES,
        *_FIT,
        *_FULL_BATCH,
        *_NOISES,
        *(Imported(name, one) for (name, *_), one in zip(_RUNS, CROSSINGS, strict=True)),
    ),
    steps=(
        *_SETTINGS,
        _RISING,
        Holds(
            "were the first root larger",
            Implies(Gt(lam_1, lam_2), Ge(c_1 * R(lam_1), c_2 * R(lam_2)), evaluate=False),
            uses=("noise rises", "no less noise", SIGNS[0].name),
            instances=(("noise rises", {x: lam_2, y: lam_1, share: c_1}),),
            because="The first run would be closer to the minimum there, on the same function, and is noisier.",
        ),
        *(
            Equal(
                f"{name}'s root",
                noise_ * R(root),
                edge - root,
                uses=(name,),
                because="The break-even equation at the root.",
            )
            for name, root, edge, noise_ in _RUNS
        ),
        Cases(
            "order",
            Bound(lam_1, lam_2).statement,
            (Le(lam_1, lam_2), Gt(lam_1, lam_2)),
            uses=(
                "were the first root larger",
                "first run's root",
                "second run's root",
                "no higher full-batch edge",
            ),
            because="Were the first root larger, its threshold would be larger too.",
        ),
    ),
    worlds=_coupled_world,
)


THEOREM_1 = Law(
    name="breakeven.theorem_1",
    title="Started stable, the run with no smaller learning rate and no larger batch breaks even at no higher "
    "curvature.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Theorem 1, Appendix B",
        ("breakeven:T1", "breakeven:L7", "breakeven:L8", "breakeven:V4"),
        "With one distance function for both runs the first unstable curvature does not rise with eta, nor fall with "
        "S.",
    ),
    quantities=(
        Quantity(lam_1, "break-even curvature at the larger learning rate or the smaller batch", "curvature"),
        Quantity(lam_2, "break-even curvature of the other run", "curvature"),
    ),
    regime=f"Both runs start stable at the same curvature, which grows continuously. {NOTATION} The distance is one "
    "non-increasing function of the curvature on both runs, any positive one; any batch sizes (no S << N); both "
    "curvatures lambda_H and lambda_K = alpha lambda_H.",
    derivation=ORDERED,
    claim=Bound(lam_1, lam_2),
    rivals=(Rival("the other way", Bound(lam_2, lam_1), "turns the order round"),),
)

LAWS = (THEOREM_1,)
