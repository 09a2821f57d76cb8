"""The largest stable curvature under three closures of the curvature's variance (breakeven:L4)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Le, Rational, sqrt

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import ONE_STEP_OF_SGD
from theory.breakeven.step_size_edge import CURVED, IN_SHORT, NOISE, NOISE_SIGN
from theory.claims import Band, Boundary, Formula
from theory.definitions.breakeven import (
    BATCH_FITS,
    COLINEAR,
    DEVIATION,
    FIXED_RATIO,
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
    gradient_variance,
    kappa,
    lam,
    noise,
    psi,
    s2,
    w,
)
from theory.law import Law, Rival, Source, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.normal_forms import expanded, radicals, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World

ROOT = sqrt(1 - noise() * eta**2 * s2)
LOWER, UPPER = (1 - ROOT) / eta, (1 + ROOT) / eta
SHORT_ROOT = sqrt(1 - c * eta**2 * s2)
RATIO_EDGE = 2 / (eta * (1 + noise() * kappa))
PAPER_EDGE = 2 / eta - noise() * alpha / psi**2

STABLE = Le(Q, 1)

SOME_STABLE = Suppose("some curvature is stable", noise() * eta**2 * s2 <= 1)

_VARIANCE_BAND = Band(STABLE, lam, LOWER, UPPER)

FIXED_VARIANCE = Law(
    name="breakeven.curvature_edge_fixed_variance",
    title="At a fixed variance of the curvature, SGD is stable in a band of curvatures with a lower edge too.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1, solved for the curvature at fixed s",
        ("breakeven:L4", "breakeven:G4"),
        "With s fixed the stable curvatures lie between (1 -+ sqrt(1 - c eta^2 s^2))/eta, and none is stable beyond.",
    ),
    quantities=quantities(Q, lam, eta, s2, N, S, w),
    assumptions=(SOME_STABLE.fact,),
    regime="Interpolating quadratics; s^2 does not move with lam; c eta^2 s^2 <= 1, else no curvature is stable.",
    derivation=Derivation(
        premises=(*ONE_STEP_OF_SGD, NOISE, SOME_STABLE),
        steps=(
            IN_SHORT,
            Equal(
                "factors",
                Q,
                1 + eta**2 * (lam - (1 - SHORT_ROOT) / eta) * (lam - (1 + SHORT_ROOT) / eta),
                uses=("one step of SGD",),
                normal=(expanded, radicals, rational),
                because="Q - 1 is a quadratic in lam with these two roots.",
            ),
            Holds(
                "between the edges",
                _VARIANCE_BAND.statement,
                uses=("factors", "in short", "some curvature is stable"),
                because="A product of two factors is not positive exactly between its roots.",
            ),
        ),
        worlds=batch_world,
    ),
    claim=_VARIANCE_BAND,
    rivals=(
        Rival(
            "no lower edge",
            Band(STABLE, lam, LOWER * 0, UPPER),
            "forgets that noise alone makes flat directions grow",
        ),
        Rival("gradient descent", Band(STABLE, lam, LOWER * 0, 2 / eta), "forgets the noise of the batches"),
        Rival(
            "no finite population",
            Band(STABLE, lam, *((1 + sign * sqrt(1 - eta**2 * s2 / S)) / eta for sign in (-1, 1))),
            "treats distinct examples as independent",
        ),
    ),
)

_RATIO_BOUNDARY = Boundary(STABLE, eta, lam, RATIO_EDGE)

FIXED_RATIO_LAW = Law(
    name="breakeven.curvature_edge_fixed_ratio",
    title="At a fixed ratio s^2/lam^2 = kappa, SGD is stable exactly up to the curvature 2/(eta (1 + c kappa)).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1, solved for the curvature at fixed s/lam",
        ("breakeven:L4",),
        "With kappa fixed the stable curvatures reach up to 2/(eta (1 + c kappa)).",
    ),
    quantities=quantities(Q, lam, eta, kappa, N, S, w),
    assumptions=(CURVED.fact, TWO_EXAMPLES.fact, BATCH_FITS.fact),
    regime="Interpolating quadratics; the examples' curvatures keep their relative spread; lam > 0.",
    derivation=Derivation(
        premises=(*ONE_STEP_OF_SGD, NOISE, TWO_EXAMPLES, BATCH_FITS, CURVED, FIXED_RATIO),
        steps=(
            IN_SHORT,
            NOISE_SIGN,
            Equal(
                "factors",
                Q,
                1 + eta**2 * lam * (1 + c * kappa) * (lam - 2 / (eta * (1 + c * kappa))),
                uses=("one step of SGD", "fixed ratio"),
                because="With s^2 = kappa lam^2, Q - 1 is a quadratic in lam without a constant term.",
            ),
            Holds(
                "noise lowers the edge",
                1 + c * kappa > 0,
                uses=("the noise has a sign",),
                because="Neither the noise factor nor the variation is negative.",
            ),
            Holds(
                "below the edge",
                _RATIO_BOUNDARY.statement,
                uses=("factors", "in short", "noise lowers the edge", "curved"),
                because="All factors but the last are positive.",
            ),
        ),
        worlds=batch_world,
    ),
    claim=_RATIO_BOUNDARY,
    rivals=(
        Rival("gradient descent", Boundary(STABLE, eta, lam, 2 / eta), "forgets the noise of the batches"),
        Rival(
            "half",
            Boundary(STABLE, eta, lam, RATIO_EDGE / 2),
            "puts the edge where one step lands on the minimum",
        ),
        Rival(
            "deviation for variance",
            Boundary(STABLE, eta, lam, 2 / (eta * (1 + noise() * sqrt(kappa)))),
            "puts s where s^2 belongs (breakeven:X1)",
        ),
    ),
)


def break_even_world(source: random.Random) -> World:
    """A world whose learning rate is the edge itself, so that Q = 1."""
    return batch_world(source, shares=(Rational(1),))


BREAK_EVEN = Suppose("break-even", Eq(Q, 1, evaluate=False))

FROM_THE_GRADIENTS = (
    Equal(
        "gradients vary with the distance",
        psi**2 * s2,
        gradient_variance,
        uses=("gradient variance", "population variance", "deviation"),
        normal=(expanded, sums, rational),
        because="The gradient of example i is h_i psi.",
    ),
    Equal(
        "factors",
        Q,
        1 + eta**2 * lam * (lam - (2 / eta - c * alpha / psi**2)),
        uses=("one step of SGD", "proportional", "gradients vary with the distance"),
        because="With s^2 = alpha lam/psi^2, Q - 1 is a quadratic in lam without a constant term.",
    ),
)
"""From the gradients' variance to the growth of a step in the paper's closure."""

PAPER_LAW = Law(
    name="breakeven.curvature_edge_paper",
    title="At the break-even point the curvature is 2/eta - c alpha/psi^2.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 4 (Appendix B), reconstructed",
        ("breakeven:L4", "breakeven:D6", "breakeven:A2"),
        "With lambda_K = alpha lambda_H along the direction, the break-even curvature is 2/eta - c alpha/psi^2.",
    ),
    quantities=quantities(lam, eta, alpha, psi, N, S, w),
    assumptions=(CURVED.fact,),
    regime="Interpolating quadratics at distance psi; gradient variance alpha lam along the direction; lam > 0.",
    derivation=Derivation(
        premises=(
            *ONE_STEP_OF_SGD,
            NOISE,
            CURVED,
            DEVIATION,
            POPULATION_VARIANCE,
            GRADIENT_VARIANCE,
            COLINEAR,
            BREAK_EVEN,
        ),
        steps=(
            IN_SHORT,
            *FROM_THE_GRADIENTS,
            Holds(
                "break-even curvature",
                Eq(lam, PAPER_EDGE, evaluate=False),
                uses=("factors", "in short", "curved", "break-even"),
                because="The last factor must vanish.",
            ),
        ),
        worlds=break_even_world,
    ),
    claim=Formula(lam, PAPER_EDGE),
    rivals=(
        Rival("gradient descent", Formula(lam, 2 / eta), "forgets the noise of the batches"),
        Rival(
            "one over eta",
            Formula(lam, 1 / eta - noise() * alpha / psi**2),
            "halves the threshold of gradient descent",
        ),
        Rival(
            "first power of the distance",
            Formula(lam, 2 / eta - noise() * alpha / psi),
            "takes the gradient's deviation for its variance (breakeven:X1)",
        ),
    ),
)

LAWS = (FIXED_VARIANCE, FIXED_RATIO_LAW, PAPER_LAW)
