"""No curvature above 2/eta is stable, whatever the noise (breakeven:L5)."""

from sympy import Le

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import ONE_STEP_OF_SGD
from theory.breakeven.step_size_edge import NOISE, NOISE_SIGN, VARIANCE_SIGN
from theory.claims import Bound
from theory.definitions.breakeven import (
    BATCH_FITS,
    POPULATION_VARIANCE,
    TWO_EXAMPLES,
    Q,
    batch_world,
    c,
    eta,
    lam,
    s2,
)
from theory.law import Law, Rival, Source, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.steps import Holds

STABLE = Suppose("stable", Le(Q, 1))

CEILING = Law(
    name="breakeven.ceiling",
    title="Wherever SGD is stable in mean square the curvature is at most 2/eta, in every closure.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 3, the break-even point at S = N",
        ("breakeven:L5", "breakeven:Q11"),
        "Every break-even curvature is at most 2/eta, with equality exactly where c s^2 = 0.",
    ),
    quantities=quantities(lam, eta),
    assumptions=(TWO_EXAMPLES.fact, BATCH_FITS.fact, STABLE.fact),
    regime="Interpolating quadratics along one direction; networks overshoot it (breakeven:G12).",
    derivation=Derivation(
        premises=(*ONE_STEP_OF_SGD, NOISE, TWO_EXAMPLES, BATCH_FITS, POPULATION_VARIANCE, STABLE),
        steps=(
            NOISE_SIGN,
            VARIANCE_SIGN,
            Holds(
                "noise only adds",
                c * eta**2 * s2 >= 0,
                uses=("the noise has a sign", "the variance has a sign"),
                because="Neither factor is negative.",
            ),
            Holds(
                "without the noise",
                (1 - eta * lam) ** 2 <= 1,
                uses=("one step of SGD", "noise only adds", "stable"),
                because="What is stable with noise is stable without.",
            ),
            Holds(
                "at most the full-batch threshold",
                Bound(lam, 2 / eta).statement,
                uses=("without the noise",),
                because="-1 <= 1 - eta lam.",
            ),
        ),
        worlds=batch_world,
    ),
    claim=Bound(lam, 2 / eta),
    rivals=(
        Rival("half", Bound(lam, 1 / eta), "takes the curvature of fastest contraction for the threshold"),
        Rival("lower bound", Bound(2 / eta, lam), "turns the inequality round"),
    ),
)

LAWS = (CEILING,)
