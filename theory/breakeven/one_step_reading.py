"""What the left side of inequality (3) says for any gradient noise (breakeven:L6)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq

from theory.breakeven.gradient_noise import MOMENTS, SQUARES, explained
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.definitions.batch_gradients import (
    DIRECTION_VARIANCE,
    SQUARE_AFTER,
    d,
    direction_variance,
    gradient_world,
    mean_slope,
    slope,
    square_after,
)
from theory.definitions.breakeven import CHANCES, N, S, eta, lam, noise, psi, w
from theory.law import Law, Rival, Source, Status
from theory.proof.derivation import Derivation, Imported, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal
from theory.proof.worlds import World

_FORMS = (expanded, sums, rational)
_QUADRATIC = Suppose("quadratic mean loss", Eq(mean_slope[d], lam * psi, evaluate=False))
_READING = (1 - eta * lam) ** 2 * psi**2 + noise() * eta**2 * direction_variance


def _noisy_world(source: random.Random) -> World:
    """Every batch of a set of gradients, the curvature that their mean belongs to, and a learning rate."""
    world = dict(gradient_world(source).values)
    column = [row[world[d] - 1] for row in world[slope]]
    return World(world | {lam: sum(column) / len(column) / world[psi]})


ONE_STEP_READING = Law(
    name="breakeven.one_step_reading",
    title="For any gradient noise, the left side of (3) is the growth of the mean squared distance in one step.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Inequality (3), Appendix B",
        ("breakeven:L6", "breakeven:G3"),
        "E psi'^2 = (1 - eta lam)^2 psi^2 + c eta^2 Var g_i whatever the noise: (3) says that this step does not "
        "move SGD away from the minimum, not that SGD is unstable.",
    ),
    quantities=(*explained(square_after, direction_variance), *quantities(psi, eta, lam, N, S, w)),
    regime="Quadratic mean loss along the direction; the examples' gradients are any numbers of mean lam psi.",
    derivation=Derivation(
        premises=(
            CHANCES,
            *MOMENTS[:3],
            Imported("second moment of each", SQUARES),
            DIRECTION_VARIANCE,
            SQUARE_AFTER,
            _QUADRATIC,
        ),
        steps=(
            Equal(
                "mean square of one step",
                square_after,
                _READING,
                uses=(
                    "one step",
                    "chances",
                    "unbiased",
                    "second moment of each",
                    "variance along the direction",
                    "quadratic mean loss",
                ),
                normal=_FORMS,
                because="The squared mean of the place after the step, plus eta^2 times the variance of g_B.",
            ),
        ),
        worlds=_noisy_world,
    ),
    claim=Formula(square_after, _READING),
    rivals=(
        Rival("no noise", Formula(square_after, (1 - eta * lam) ** 2 * psi**2), "is full-batch gradient descent"),
        Rival(
            "no finite population",
            Formula(square_after, (1 - eta * lam) ** 2 * psi**2 + eta**2 * direction_variance / S),
            "treats distinct examples as independent",
        ),
        Rival(
            "noise that vanishes at the minimum",
            Formula(square_after, (1 - eta * lam) ** 2 * psi**2 + noise() * eta**2 * direction_variance * psi**2),
            "turns the variance at unit distance into multiplicative noise",
        ),
    ),
)

LAWS = (ONE_STEP_READING,)
