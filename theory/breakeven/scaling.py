"""Learning rate and batch size scaled together: the linear scaling rule and where it ends (breakeven:L13)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from collections.abc import Mapping
from typing import Any

from sympy import Eq, Equivalent, Expr, Function, Le, Symbol, sqrt

from theory.breakeven.curvature_edge import BREAK_EVEN, FIXED_RATIO_LAW, PAPER_LAW, break_even_world
from theory.breakeven.inputs import number, whole
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.step_size_edge import CURVED
from theory.claims import Formula
from theory.definitions.breakeven import (
    BATCH_FITS,
    CHANCES,
    COLINEAR,
    FIXED_RATIO,
    PAIRS,
    SINGLES,
    TWO_EXAMPLES,
    Q,
    S,
    alpha,
    batch_world,
    eta,
    kappa,
    lam,
    psi,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, Predictor
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

factor, ratio = Symbol("k", positive=True), Symbol("ratio", real=True)
rate, size = Symbol("r", positive=True), Symbol("z", positive=True)
edge_at = Function("edge", real=True)

_RATIO = Define("ratio of the edges", ratio, edge_at(factor * eta, factor * S) / edge_at(eta, S))
_QUANTITIES = (
    Quantity(ratio, "stable edge at k eta and k S over that at eta and S", "1"),
    Quantity(factor, "what learning rate and batch size are multiplied with", "1"),
)


def _independent_world(source: random.Random) -> World:
    """Every batch with replacement, and a factor."""
    values = batch_world(source).values
    while values[w]:
        values = batch_world(source).values
    return World(values | {factor: draw(source), rate: draw(source), size: draw(source)})


def _break_even_world(source: random.Random) -> World:
    """The same at the learning rate at which the mean square does not move."""
    world = break_even_world(source)
    while world.values[w]:
        world = break_even_world(source)
    return World(world.values | {factor: draw(source), rate: draw(source), size: draw(source)})


SCALING_RULE = Law(
    name="breakeven.scaling_rule",
    title="Scaling eta and S by k multiplies the edge by (S + kappa)/(k S + kappa): 1 far below kappa, 1/k far above.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 at a fixed ratio; beyond the paper",
        ("breakeven:L13", "breakeven:V2"),
        "The linear scaling rule keeps the edge where k S << kappa; the critical batch size is kappa.",
    ),
    quantities=(*_QUANTITIES, *quantities(S, kappa)),
    assumptions=(CURVED.fact,),
    regime="Interpolating quadratics at a fixed ratio s^2/lam^2 = kappa; batches with replacement, or N infinite.",
    derivation=Derivation(
        premises=(
            CHANCES,
            SINGLES,
            PAIRS,
            CURVED,
            FIXED_RATIO,
            TWO_EXAMPLES,
            BATCH_FITS,
            Suppose("with replacement", Eq(w, 0, evaluate=False)),
            Imported("stable below", FIXED_RATIO_LAW.derivation),
            Define("edge", edge_at(rate, size), 2 / (rate * (1 + kappa / size))),
            _RATIO,
        ),
        steps=(
            Holds(
                "it is the edge",
                Equivalent(Le(Q, 1), Le(lam, edge_at(eta, S))),
                uses=("stable below", "with replacement", "edge"),
                because="The curvature up to which a step does not let the mean squared distance grow.",
            ),
            Equal(
                "scaled together",
                ratio,
                (S + kappa) / (factor * S + kappa),
                uses=("ratio of the edges", "edge"),
                because="The learning rate cancels.",
            ),
        ),
        worlds=_independent_world,
    ),
    claim=Formula(ratio, (S + kappa) / (factor * S + kappa)),
    rivals=(
        Rival("linear scaling rule", Formula(ratio, S / S), "lets the edge stay where it is at any size"),
        Rival("one over k", Formula(ratio, 1 / factor), "is the other end, S >> kappa"),
    ),
)

scaled = Symbol("edge_k", real=True)
_DIVIDED = (2 / eta - alpha / (S * psi**2)) / factor

SCALING_RULE_PAPER = Law(
    name="breakeven.scaling_rule_paper",
    title="In the paper's closure scaling eta and S by k divides the break-even curvature by k: no scaling rule.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 4 (Appendix B)",
        ("breakeven:L13",),
        "At a fixed distance 2/eta - alpha/(S psi^2) is divided by k where eta and S are multiplied with k.",
    ),
    quantities=(
        Quantity(scaled, "break-even curvature at k eta and k S", "curvature"),
        _QUANTITIES[1],
        *quantities(eta, S, alpha, psi),
    ),
    assumptions=(CURVED.fact,),
    regime="The closure of Eq. 4 at a fixed distance psi; batches with replacement, or N infinite.",
    derivation=Derivation(
        premises=(
            CHANCES,
            SINGLES,
            PAIRS,
            CURVED,
            COLINEAR,
            BREAK_EVEN,
            Suppose("with replacement", Eq(w, 0, evaluate=False)),
            Imported("break-even curvature", PAPER_LAW.derivation),
            Define("edge", edge_at(rate, size), 2 / rate - alpha / (size * psi**2)),
            Define("scaled edge", scaled, edge_at(factor * eta, factor * S)),
        ),
        steps=(
            Equal(
                "it is the edge",
                lam,
                edge_at(eta, S),
                uses=("break-even curvature", "with replacement", "edge"),
                because="Eq. 4 of the paper.",
            ),
            Equal(
                "scaled together",
                scaled,
                _DIVIDED,
                uses=("scaled edge", "edge"),
                because="Both terms of the edge are divided by k.",
            ),
        ),
        worlds=_break_even_world,
    ),
    claim=Formula(scaled, _DIVIDED),
    rivals=(
        Rival("linear scaling rule", Formula(scaled, factor * _DIVIDED), "lets the edge stay where it is"),
        Rival("square root", Formula(scaled, sqrt(factor) * _DIVIDED), "belongs to eta scaled with the root of S"),
    ),
)

LAWS = (SCALING_RULE, SCALING_RULE_PAPER)


def _scaling_rule(kappa: Any, S: Any, factor: Any) -> Mapping[str, Expr]:
    spread, batch = number("kappa", kappa, nonnegative=True), whole("S", S, 1)
    by = number("factor", factor, positive=True)
    return {"ratio": (batch + spread) / (by * batch + spread)}


PREDICTORS = (
    Predictor(
        name="breakeven.scaling_rule",
        laws=("breakeven.scaling_rule",),
        inputs=(
            Input("kappa", "s^2/lam^2, at least 0"),
            Input("S", "examples in a mini-batch: an integer >= 1"),
            Input("factor", "what learning rate and batch size are multiplied with: positive"),
        ),
        evaluate=_scaling_rule,
        summary="Stable edge at factor eta and factor S over that at eta and S, for N infinite.",
    ),
)
