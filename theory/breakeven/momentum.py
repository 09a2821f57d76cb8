"""Heavy ball at the edge of stability, with mini-batch noise (breakeven:L12).

The step x' = x + beta (x - y) - eta H_B x, y the place before x, moves the second moments of the pair (x, y). There
is one shape of them, E x^2 = E y^2 = 1 and E x y = r, in which a step changes nothing but E x'^2.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Expr, Le, Lt, Symbol, sympify

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.step_size_edge import CURVED
from theory.claims import Boundary
from theory.definitions.breakeven import (
    CHANCES,
    FIXED_RATIO,
    SCATTER,
    UNBIASED,
    batch,
    c,
    curvature,
    eta,
    kappa,
    lam,
    moment_world,
    over_batches,
    s2,
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
_ACROSS = 1 + beta - eta * curvature[batch]
"""What a batch multiplies x with; y is multiplied with -beta."""

BRAKE = Suppose("momentum below 1", Lt(beta, 1))
NOISY = Suppose("a variance", c >= 0)


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
    """Batches whose moments are given outright, a momentum, and the shape that rests."""
    values = dict(moment_world(source).values)
    momentum = draw(source, 0, 1) * draw(source, 1, 6) / 7
    resting = (1 + momentum - values[eta] * values[lam]) / (1 + momentum)
    return World(values | {kappa: values[s2] / values[lam] ** 2, beta: momentum, correlation: resting})


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
        Quantity(grown, "mean square of the place after one step from the second moments whose shape rests", "1"),
        Quantity(beta, "momentum of heavy ball, v = beta v + g, theta -= eta v", "1"),
        *quantities(lam, eta, c, kappa),
    ),
    assumptions=(CURVED.fact, BRAKE.fact),
    regime="Interpolating quadratics along one direction at a fixed ratio s^2/lam^2 = kappa. A step keeps the order of "
    "covariance matrices, so moments that start in the resting shape bound all others: SGD with momentum is stable "
    "in mean square exactly if one step from that shape does not grow (Krein and Rutman; a premise).",
    derivation=Derivation(
        premises=(
            CHANCES,
            UNBIASED,
            SCATTER,
            FIXED_RATIO,
            CURVED,
            BRAKE,
            NOISY,
            Suppose("the shape rests", Eq(over_batches(_ACROSS - beta * correlation), correlation, evaluate=False)),
            Define("one step", grown, over_batches(_ACROSS**2 - 2 * beta * _ACROSS * correlation + beta**2)),
        ),
        steps=(
            Holds(
                "shape",
                Eq(correlation, (1 + beta - eta * lam) / (1 + beta), evaluate=False),
                uses=("the shape rests", "chances", "unbiased"),
                normal=_FORMS,
                because="E x' x = (1 + beta - eta lam) - beta r must be r.",
            ),
            Equal(
                "growth",
                grown,
                1 - (1 - beta) * eta * lam * (2 * (1 + beta) - eta * lam) / (1 + beta) + c * eta**2 * kappa * lam**2,
                uses=("one step", "shape", "chances", "unbiased", "scatter", "fixed ratio"),
                normal=_FORMS,
                because="The square is opened; the batches enter by their first two moments.",
            ),
            Holds(
                "noise has a sign",
                (1 + beta) * c * kappa >= 0,
                uses=("a variance",),
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
