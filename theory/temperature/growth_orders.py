"""What ln kappa+ per beta lacks to the spread of gaps: a constant over beta, that of both ends' eigenvalues (T23)."""

from sympy import Function, Integer, exp, log

from theory.definitions.inequalities import above, at_least
from theory.definitions.temperature import K, beta
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.exponential_bounds import TANGENT, y
from theory.temperature.frozen_spectrum import (
    LARGEST,
    LARGEST_GIVEN,
    SMALLEST,
    SMALLEST_GIVEN,
    _ends,
    closest,
    eigenvalue,
    widest,
)

error, log_kappa = (Function(name) for name in ("error", "log_kappa"))
TOP, BOTTOM = eigenvalue(Integer(1), Integer(2), exp(-closest * beta)), eigenvalue(Integer(2), K, exp(-widest * beta))
LOG_KAPPA = Define(
    "ln of the largest less that of the smallest",
    log_kappa(beta),
    (log(TOP) - beta * closest) - (log(BOTTOM) - beta * widest),
)
LACKS = Define("what it lacks per beta to the spread of gaps", error(beta), log_kappa(beta) / beta - (widest - closest))
THREE = Suppose("three classes or more", at_least(K, 3))
CONSTANT = Holds(
    "the constant is not 0",
    above(log(2) - log(K / (K - 1)), 0),
    uses=names(THREE, TANGENT),
    instances=((TANGENT.name, {y: log(K / (K - 1)) - log(2)}),),
    because="2 is more than K/(K - 1)",
)
BY_ENDS = Equal(
    "by both ends",
    error(beta),
    (log(TOP) - log(BOTTOM)) / beta,
    uses=names(LOG_KAPPA, LACKS),
    forall=(beta,),
)


def two_ends(source):
    """Two ends of the spectrum at some temperature."""
    return World({**_ends(source, 1, 2).values, beta: fraction(source), y: fraction(source, -2, 2)})


GROWTH_ORDER = Derivation(
    premises=(*LARGEST_GIVEN, *SMALLEST_GIVEN, LARGEST, SMALLEST, LOG_KAPPA, LACKS, THREE, TANGENT),
    steps=(
        CONSTANT,
        BY_ENDS,
        Follows(
            "order",
            error(beta),
            beta,
            Integer(-1),
            uses=(*names(LARGEST, SMALLEST), BY_ENDS.name, CONSTANT.name, THREE.name),
        ),
    ),
    worlds=two_ends,
)
