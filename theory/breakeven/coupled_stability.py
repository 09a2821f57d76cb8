"""Stability along one decreasing distance function: what the roots of Theorems 1 and 2 separate (breakeven:L7)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Ge, Gt, Implies, Lambda, Le, Symbol

from theory.breakeven.break_even_order import R, x, y
from theory.breakeven.curvature_edge import FROM_THE_GRADIENTS
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import ONE_STEP_OF_SGD
from theory.breakeven.step_size_edge import CURVED, NOISE, NOISE_SIGN
from theory.claims import Band
from theory.definitions.breakeven import (
    BATCH_FITS,
    COLINEAR,
    DEVIATION,
    GRADIENT_VARIANCE,
    POPULATION_VARIANCE,
    TWO_EXAMPLES,
    N,
    Q,
    S,
    alpha,
    batch_world,
    c,
    eta,
    h,
    lam,
    noise,
    psi,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.normal_forms import rational
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

lam_star = Symbol("lam_star", positive=True)
BAND = Band(Le(Q, 1), lam, None, lam_star)
_NOISE = c * alpha * (R(lam) - R(lam_star))


def _coupled_batches(source: random.Random) -> World:
    """Every batch of a set, the inverse square of the distance linear in the curvature, and the rate of a root."""
    values = batch_world(source).values
    centre = sum(values[h]) / values[N]
    slope = 1 / (values[psi] ** 2 * centre)
    factor = noise(values[N], values[S], values[w]) * values[alpha]
    root = centre * draw(source, 1, 3) / 2
    return World(
        values | {R: Lambda(x, slope * x), lam_star: root, eta: 2 / (root * (1 + factor * slope)), x: root, y: centre}
    )


COUPLED_STABILITY = Law(
    name="breakeven.coupled_stability",
    title="On one decreasing distance function SGD is stable exactly up to the root of the break-even equation.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Theorems 1 and 2, Appendix B",
        ("breakeven:L7", "breakeven:D6"),
        "Below the root of lam = 2/eta - c alpha/Psi(lam)^2 every curvature is stable and above it none, so the first "
        "unstable curvature on the way up and the first stable one on the way down are the same.",
    ),
    quantities=(
        *quantities(Q, lam),
        Quantity(lam_star, "root of the break-even equation on the distance function", "curvature"),
    ),
    assumptions=(CURVED.fact,),
    regime="Interpolating quadratics; gradient variance alpha lam along the direction; the distance is a "
    "non-increasing function of the curvature.",
    derivation=Derivation(
        premises=(
            *ONE_STEP_OF_SGD,
            NOISE,
            TWO_EXAMPLES,
            BATCH_FITS,
            CURVED,
            DEVIATION,
            POPULATION_VARIANCE,
            GRADIENT_VARIANCE,
            COLINEAR,
            Suppose("one decreasing distance", Implies(Le(x, y), Ge(R(y), R(x)), evaluate=False), forall=(x, y)),
            Suppose("coupled", Eq(1 / psi**2, R(lam), evaluate=False)),
            Suppose("root", Eq(c * alpha * R(lam_star), 2 / eta - lam_star, evaluate=False)),
        ),
        steps=(
            NOISE_SIGN,
            *FROM_THE_GRADIENTS,
            Equal(
                "on the curve",
                Q,
                1 + eta**2 * lam * (lam - lam_star + _NOISE),
                uses=("factors", "coupled", "root"),
                normal=(rational,),
                because="The threshold is the root's, less what the noise has grown since.",
            ),
            Holds(
                "more noise above",
                Implies(Gt(lam, lam_star), Ge(_NOISE, 0), evaluate=False),
                uses=("one decreasing distance", "the noise has a sign"),
                instances=(("one decreasing distance", {x: lam_star, y: lam}),),
                because="A larger curvature has the smaller distance.",
            ),
            Holds(
                "less noise below",
                Implies(Le(lam, lam_star), Le(_NOISE, 0), evaluate=False),
                uses=("one decreasing distance", "the noise has a sign", "curved"),
                instances=(("one decreasing distance", {x: lam, y: lam_star}),),
                because="A smaller curvature has the larger distance.",
            ),
            Holds(
                "unstable above",
                Implies(Gt(lam, lam_star), Gt(Q, 1), evaluate=False),
                uses=("on the curve", "more noise above"),
                because="Curvature and noise lie above those of the root.",
            ),
            Holds(
                "stable below",
                Implies(Le(lam, lam_star), Le(Q, 1), evaluate=False),
                uses=("on the curve", "less noise below", "curved"),
                because="Curvature and noise lie below those of the root.",
            ),
            Holds(
                "stable up to the root",
                BAND.statement,
                uses=("unstable above", "stable below"),
                because="One or the other.",
            ),
        ),
        worlds=_coupled_batches,
    ),
    claim=BAND,
    rivals=(
        Rival("half", Band(Le(Q, 1), lam, None, lam_star / 2), "is where the mean contracts fastest"),
        Rival("hysteresis", Band(Le(Q, 1), lam, None, 2 * lam_star), "keeps stable what was stable before"),
    ),
)

LAWS = (COUPLED_STABILITY,)
