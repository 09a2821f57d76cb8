"""Heavy ball at the edge of stability, with mini-batch noise (breakeven:L12).

The step x' = x + beta (x - y) - eta H_B x, y the place before x, moves the energy E[x^2 - 2 beta r x y + beta^2 y^2],
r = (1 + beta - eta lam)/(1 + beta), by (Q_beta - 1) E x^2, Q_beta being its growth from the place 1 after 0. So Q_beta
decides what becomes of the mean square: ``theory.breakeven.momentum_bounded``.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Expr, Le, Lt, Symbol, sympify

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import BATCH_MOMENTS
from theory.breakeven.step_size_edge import CURVED, NOISE, NOISE_SIGN
from theory.claims import Boundary
from theory.definitions.breakeven import (
    BATCH_FITS,
    CHANCES,
    FIXED_RATIO,
    TWO_EXAMPLES,
    batch,
    batch_world,
    c,
    curvature,
    eta,
    h,
    kappa,
    lam,
    over_batches,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

beta = Symbol("beta", nonnegative=True)
correlation, grown = Symbol("r", real=True), Symbol("Q_beta", real=True)

_FORMS = (expanded, sums, rational)
ACROSS = 1 + beta - eta * curvature[batch]
"""What a batch multiplies x with; y is multiplied with -beta."""

BRAKE = Suppose("momentum below 1", Lt(beta, 1))


def form(x: Expr | int, y: Expr | int, beta: Expr = beta, correlation: Expr = correlation) -> Expr:
    """Energy of a place x and the place y before it.

    Examples
    --------
    >>> form(1, 0), form(1, 1, beta, 1).factor()
    (1, (beta - 1)**2)
    """
    return sympify(x) ** 2 - 2 * beta * correlation * x * y + beta**2 * sympify(y) ** 2


CORRELATION = Define("correlation", correlation, (1 + beta - eta * lam) / (1 + beta))
GROWTH = Define("growth of a step", grown, over_batches(form(ACROSS, 1)))
"""Energy after a step from the place 1 after 0, whose energy is 1."""


def momentum_edge(beta: Expr = beta, share: Expr = c * kappa, eta: Expr = eta) -> Expr:
    """Largest stable curvature of heavy ball at momentum beta; `share` is c kappa.

    Examples
    --------
    >>> momentum_edge(0, 0, 1), momentum_edge(beta, 0, eta).simplify()
    (2, 2*(beta + 1)/eta)
    """
    old, noise, rate = sympify((beta, share, eta))
    return 2 * (1 - old**2) / (rate * ((1 - old) + (1 + old) * noise))


def _heavy_ball_world(source: random.Random) -> World:
    """Batches and a momentum."""
    values = batch_world(source).values
    curvatures = values[h]
    centre = sum(curvatures) / len(curvatures)
    ratio = sum((one - centre) ** 2 for one in curvatures) / len(curvatures) / centre**2
    return World(values | {kappa: ratio, beta: draw(source, 0, 1) * draw(source, 1, 6) / 7})


_CURVE = Boundary(Le(grown, 1), beta, lam, momentum_edge())

MOMENTUM_EDGE = Law(
    name="breakeven.momentum_edge",
    title="Heavy ball is stable up to the curvature 2 (1 - beta^2)/(eta [(1 - beta) + (1 + beta) c kappa]).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Appendix F, momentum",
        ("breakeven:L12", "breakeven:Q8", "breakeven:V2"),
        "The edge of heavy ball is (2 + 2 beta)/eta without noise, which rises with beta, and about 2 (1 - "
        "beta)/(eta c kappa) under much noise, which falls.",
    ),
    quantities=(
        Quantity(grown, "energy after a step from the place 1 after 0, over that before it", "1"),
        Quantity(beta, "momentum of heavy ball, v = beta v + g, theta -= eta v", "1"),
        *quantities(lam, eta, c, kappa),
    ),
    assumptions=(CURVED.fact, BRAKE.fact),
    regime="Interpolating quadratics along one direction at a fixed ratio s^2/lam^2 = kappa; batches independent over "
    "steps. What Q_beta <= 1 means is breakeven.momentum_bounded: below the edge no energy is gained, and the mean "
    "square stays bounded. Beyond it the energy gains (Q_beta - 1) E x^2 in every step: were E x^2 bounded it would "
    "have to vanish, and the energy with it, which only grows.",
    derivation=Derivation(
        premises=(
            CHANCES,
            *BATCH_MOMENTS,
            NOISE,
            TWO_EXAMPLES,
            BATCH_FITS,
            FIXED_RATIO,
            CURVED,
            BRAKE,
            CORRELATION,
            GROWTH,
        ),
        steps=(
            NOISE_SIGN,
            Equal(
                "growth",
                grown,
                1 - (1 - beta) * eta * lam * (2 * (1 + beta) - eta * lam) / (1 + beta) + c * eta**2 * kappa * lam**2,
                uses=("growth of a step", "correlation", "chances", "unbiased", "scatter", "fixed ratio"),
                normal=_FORMS,
                because="The square is opened; the batches enter by their first two moments.",
            ),
            Holds(
                "noise has a sign",
                (1 + beta) * c * kappa >= 0,
                uses=("the noise has a sign",),
                because="No factor is negative.",
            ),
            Holds(
                "denominator",
                (1 - beta) + (1 + beta) * c * kappa > 0,
                uses=("momentum below 1", "noise has a sign"),
                because="Noise only adds to 1 - beta.",
            ),
            Equal(
                "factors",
                grown,
                1
                + eta**2 * lam * ((1 - beta) + (1 + beta) * c * kappa) / (1 + beta) * (lam - momentum_edge()),
                uses=("growth",),
                because="The growth less 1 is a quadratic in lam without a constant term.",
            ),
            Holds(
                "below the edge",
                _CURVE.statement,
                uses=("factors", "denominator", "curved"),
                because="All factors but the last are positive.",
            ),
        ),
        worlds=_heavy_ball_world,
    ),
    claim=_CURVE,
    rivals=(
        Rival("no momentum", Boundary(Le(grown, 1), beta, lam, momentum_edge(0)), "is the edge of plain SGD"),
        Rival("no noise", Boundary(Le(grown, 1), beta, lam, (2 + 2 * beta) / eta), "is the edge of the full batch"),
        Rival(
            "effective learning rate",
            Boundary(Le(grown, 1), beta, lam, 2 * (1 - beta) / (eta * (1 + c * kappa))),
            "puts eta/(1 - beta) in place of eta",
        ),
    ),
)

LAWS = (MOMENTUM_EDGE,)
