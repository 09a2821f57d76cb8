"""For a homogeneous network a temperature is a scale of all its parameters (temperature:T28b).

z(a theta) = a^H z(theta), as for a bias-free ReLU network with H layers of weights. The logit is written as a sum
of U functions of one projection of the parameters each, homogeneous of degree H: every homogeneous polynomial is
one, of any number of parameters. ``Z`` is a scaled logit of one point and class, ``Z_at_one`` the logit of the
same network at inverse temperature 1, started from beta^(1/H) theta and trained at beta^(2/H) eta.
"""

import random
from collections.abc import Mapping
from typing import Any

from sympy import Eq, Expr, Function, IndexedBase, Lambda, Rational, S, Sum, Symbol

from theory.claims import Identity
from theory.definitions.temperature import MEANINGS, beta, p, q
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.rescaled_training import DERIVATION as RESCALED
from theory.temperature.rescaled_training import RESCALED_TRAINING, U, along, k, meeting, scale, two_systems, u, x, y

H = Symbol("H", positive=True)
size = Symbol("a", positive=True)
t = Symbol("t", real=True)
output = IndexedBase("b", real=True)
power = Function("h", real=True)
Z, Z_at_one, rescaled, Z_eta = (Function(name, real=True) for name in ("Z", "Z_at_one", "Z_rescaled", "Z_eta"))

CLAIM = Identity(Z(k), Z_at_one(k))


def logit(parameter: Expr) -> Expr:
    """Sum over the projections of a homogeneous function of each; the parameters are written in the index q."""
    return Sum(output[u] * power(u, along(u, parameter)), (u, 1, U))


FACTOR = Define("one scale for all parameters", size, beta ** (1 / H))
SCALES = Suppose("every parameter has it", Eq(scale[p], size, evaluate=False), forall=(p,))
HOMOGENEOUS = Suppose(
    "homogeneous of degree H", Eq(power(u, size * t), size**H * power(u, t), evaluate=False), forall=(u, t)
)
LOGIT = Define("scaled logit", Z(k), beta * logit(x(k, q)))
LOGIT_AT_ONE = Define("logit of the other network", Z_at_one(k), logit(y(k, q)))
LOGIT_RESCALED = Define("logit in rescaled parameters", rescaled(k), logit(scale[q] * x(k, q)))


def a_homogeneous_network(source: random.Random) -> World:
    """Two parameters, one projection, degree 2 or 3."""
    values = two_systems(source).values
    degree, factor = source.randint(2, 3), fraction(source, 1, 3)
    return World(
        {
            **values,
            H: degree,
            beta: factor**degree,
            scale: [factor, factor],
            output: table(source, 1),
            power: Lambda((u, t), t**degree),
        }
    )


DERIVATION = Derivation(
    premises=(
        Imported(RESCALED_TRAINING, RESCALED),
        FACTOR,
        SCALES,
        HOMOGENEOUS,
        LOGIT,
        LOGIT_AT_ONE,
        LOGIT_RESCALED,
    ),
    steps=(
        Equal(
            "a scale of all parameters is a factor of the logit",
            rescaled(k),
            size**H / beta * Z(k),
            uses=(SCALES.name, HOMOGENEOUS.name, LOGIT.name, LOGIT_RESCALED.name),
            forall=(k,),
        ),
        Equal(
            "a temperature is a scale of all parameters",
            Z(k),
            rescaled(k),
            uses=("a scale of all parameters is a factor of the logit", FACTOR.name),
            normal=(exponentials, rational),
            because="a^H = beta: the loss is one of a x",
            forall=(k,),
        ),
        *meeting(
            CLAIM.left,
            CLAIM.right,
            rescaled(k),
            "a temperature is a scale of all parameters",
            (LOGIT_AT_ONE, LOGIT_RESCALED),
            "its learning rate is a^2 eta = beta^(2/H) eta",
        ),
    ),
    worlds=a_homogeneous_network,
)

LAWS = (
    Law(
        name="temperature.homogeneity",
        title="Training a homogeneous network at beta is training it at 1 from beta^(1/H) times its parameters",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T28b",),
            "z homogeneous of degree H: (beta, eta, theta) is (1, beta^(2/H) eta, beta^(1/H) theta)",
        ),
        quantities=(
            Quantity(Symbol("Z"), "scaled logit at inverse temperature beta, after k steps"),
            Quantity(Symbol("Z_at_one"), "logit of the rescaled network at inverse temperature 1, after k steps"),
            Quantity(k, "steps made", "step"),
            Quantity(beta, *MEANINGS[beta]),
            Quantity(H, "degree of homogeneity: the number of weight layers of a bias-free ReLU network"),
        ),
        regime="gradient descent or heavy ball, full batch or any batches that both see; a network that is a sum of "
        "homogeneous functions of one projection of the parameters each; no biases, no weight decay",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("learning rate kept", Identity(CLAIM.left, Z_eta(k)), "rescales the start, not the learning rate"),
        ),
    ),
)


def equivalent(H: Any, beta: Any, eta: Any) -> Mapping[str, Expr]:
    """What to train at inverse temperature 1 instead of beta.

    Parameters
    ----------
    H
        Degree of homogeneity, positive.
    beta, eta
        Inverse temperature and learning rate, positive.

    Returns
    -------
    eta_equivalent, init_scale
        Homogeneous network: learning rate beta^(2/H) eta, all parameters times beta^(1/H).
    learning_rate_readout, learning_rate_body, readout_scale
        Any network with a linear readout: beta^2 eta, eta, and the readout times beta.

    Examples
    --------
    >>> from sympy import Integer, Rational
    >>> found = equivalent(Integer(2), Integer(9), Rational(1, 3))
    >>> found["eta_equivalent"], found["init_scale"], found["learning_rate_readout"]
    (3, 3, 27)
    """
    for name, value in (("H", H), ("beta", beta), ("eta", eta)):
        if not isinstance(value, Rational) or value <= S.Zero:
            raise OutsideDomain(f"{name} is {value}; give a positive finite number")
    return {
        "eta_equivalent": beta ** (2 / H) * eta,
        "init_scale": beta ** (1 / H),
        "learning_rate_readout": beta**2 * eta,
        "learning_rate_body": eta,
        "readout_scale": beta,
    }


PREDICTORS = (
    Predictor(
        name="temperature.homogeneity",
        laws=("temperature.homogeneity", "temperature.readout_identity"),
        inputs=(
            Input("H", "degree of homogeneity, positive: the number of weight layers of a bias-free ReLU network"),
            Input("beta", "inverse temperature, positive"),
            Input("eta", "learning rate, positive"),
        ),
        evaluate=equivalent,
        summary="what to train at inverse temperature 1 in place of (beta, eta)",
    ),
)
