"""Heavy ball's mean square stays bounded where no energy is gained in a step (breakeven:L12).

Over the histories of k batches, each with its chance, stand the place x and the place y before it. A step moves the
energy E[x^2 - 2 beta r x y + beta^2 y^2] by (Q_beta - 1) E x^2 and by nothing else.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Expr, Function, IndexedBase, Integer, Lambda, Le, Piecewise, Rational, Sum, Symbol

from theory.breakeven.meanings import quantities
from theory.breakeven.momentum import ACROSS, CORRELATION, GROWTH, beta, correlation, form, grown
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import UNBIASED
from theory.claims import Bound
from theory.definitions.breakeven import (
    CHANCES,
    SINGLES,
    N,
    S,
    T,
    batch,
    batch_world,
    batches,
    chance,
    eta,
    h,
    histories,
    history,
    k,
    noise,
    visited,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.normal_forms import ends, expanded, rational, sums
from theory.proof.steps import Equal, Holds, Induct
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

share, before = IndexedBase("r_a", nonnegative=True), IndexedBase("psi_before", real=True)
energy, mean_square = Function("energy", real=True), Function("E_x2", real=True)
budget = Symbol("energy_0", real=True)
t = Symbol("t", integer=True, positive=True)

_FORMS = (expanded, sums, rational)
_X, _Y = visited[k, history], before[k, history]


def _over_histories(term: Expr) -> Expr:
    return Sum(term, (history, 1, histories))


MEAN_SQUARE = Define("mean square", mean_square(k), _over_histories(share[k, history] * _X**2))
ENERGY = Define("energy", energy(k), _over_histories(share[k, history] * form(_X, _Y)))
BUDGET = Define("energy at the start", budget, energy(0))
BRANCHES = Suppose(
    "one more fresh batch",
    Eq(
        energy(k + 1),
        Sum(
            share[k, history] * chance[batch] * form(ACROSS * _X - beta * _Y, _X),
            (history, 1, histories),
            (batch, 1, batches),
        ),
        evaluate=False,
    ),
    forall=(k,),
)
"""A history and a batch, independent of each other, are one history more; its place is that of a step of heavy ball."""

NO_GROWTH = Suppose("no energy is gained", Le(grown, 1))
CLAIM = Bound((1 - correlation**2) * mean_square(T), budget)
_GAINED = (grown - 1) * Sum(mean_square(t - 1), (t, 1, T))


def _histories_world(source: random.Random) -> World:
    """Batches, a momentum, and histories of two kinds: at 1 after 0, and at 0 after a near place.

    The first kind has the chance q(k); the energy (1 + 99 q)/100 loses (1 - Q_beta) q, so that q is a power, for
    every number of steps.
    """
    values = dict(batch_world(source).values)
    momentum = draw(source, 1, 6) / 7
    curvatures, size = values[h], values[N]
    centre = sum(curvatures) / size
    spread = sum((one - centre) ** 2 for one in curvatures) / size
    load = values[eta] * centre
    gain = noise(size, values[S], values[w]) * values[eta] ** 2 * spread
    gain -= (1 - momentum) * load * (2 * (1 + momentum) - load) / (1 + momentum)
    first = Rational(1, 2) * (1 + gain * Rational(100, 99)) ** k
    return World(
        values
        | {
            beta: momentum,
            histories: 2,
            history: source.randint(1, 2),
            k: source.randint(0, 3),
            share: Lambda((k, history), Piecewise((first, Eq(history, 1)), (1 - first, True))),
            visited: Lambda((k, history), Piecewise((1, Eq(history, 1)), (0, True))),
            before: Lambda((k, history), Piecewise((0, Eq(history, 1)), (1 / (10 * momentum), True))),
        }
    )


MOMENTUM_BOUNDED = Law(
    name="breakeven.momentum_bounded",
    title="Where no energy is gained in a step, heavy ball's mean square stays below the energy at the start over "
    "1 - r^2.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Appendix F, momentum",
        ("breakeven:L12", "breakeven:D5"),
        "The energy E[x^2 - 2 beta r x y + beta^2 y^2] is at least (1 - r^2) E x^2 and changes by (Q_beta - 1) E x^2 "
        "in a step: up to the edge SGD with momentum is stable in mean square.",
    ),
    quantities=(
        Quantity(mean_square(T), "mean squared distance after T steps", "length^2"),
        Quantity(budget, "energy E[x^2 - 2 beta r x y + beta^2 y^2] of the start, y the place before x", "length^2"),
        Quantity(correlation, "(1 + beta - eta lam)/(1 + beta), between -1 and 1 below the edge (2 + 2 beta)/eta", "1"),
        *quantities(T),
    ),
    assumptions=(NO_GROWTH.fact,),
    regime="Interpolating quadratics along one direction, any momentum, any start; Q_beta <= 1, which is "
    "breakeven.momentum_edge. A batch that is independent of the history is a premise.",
    derivation=Derivation(
        premises=(
            CHANCES,
            SINGLES,
            Imported("unbiased", UNBIASED),
            CORRELATION,
            GROWTH,
            MEAN_SQUARE,
            ENERGY,
            BUDGET,
            BRANCHES,
            NO_GROWTH,
        ),
        steps=(
            Equal(
                "energy after one more step",
                energy(k + 1),
                energy(k) + (grown - 1) * mean_square(k),
                uses=(
                    "energy",
                    "mean square",
                    "growth of a step",
                    "correlation",
                    "chances",
                    "unbiased",
                    BRANCHES.name,
                ),
                normal=_FORMS,
                forall=(k,),
                because="r is what makes the terms in x y and in y^2 come back as they were.",
            ),
            Induct(
                "energy after many steps",
                T,
                energy(T),
                budget + _GAINED,
                uses=("energy after one more step", "energy at the start"),
                normal=(ends, expanded, sums, rational),
                because="Every step adds its share.",
            ),
            Equal(
                "squares",
                energy(T),
                (1 - correlation**2) * mean_square(T)
                + _over_histories(
                    share[T, history] * (correlation * visited[T, history] - beta * before[T, history]) ** 2
                ),
                uses=("energy", "mean square"),
                normal=_FORMS,
                because="The square is completed.",
            ),
            Holds(
                "the energy bounds the mean square",
                (1 - correlation**2) * mean_square(T) <= energy(T),
                uses=("squares",),
                because="The other square is not negative.",
            ),
            Holds(
                "nothing is gained",
                Le(_GAINED, 0),
                uses=("mean square", "no energy is gained"),
                because="Mean squares are not negative.",
            ),
            Holds(
                "bounded",
                CLAIM.statement,
                uses=("the energy bounds the mean square", "energy after many steps", "nothing is gained"),
                because="The energy never exceeds that of the start.",
            ),
        ),
        worlds=_histories_world,
    ),
    claim=CLAIM,
    rivals=(
        Rival(
            "no more than at the start",
            Bound(mean_square(T), mean_square(Integer(0))),
            "takes the mean square itself for what does not grow, as without momentum",
        ),
    ),
)

LAWS = (MOMENTUM_BOUNDED,)
