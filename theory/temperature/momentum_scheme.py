"""Momentum at every temperature: the scheme that collapses trajectories, how networks leave it, step sizes (T27)."""

import random
from dataclasses import replace

from sympy import Eq, Function, IndexedBase, Integer, Rational, Symbol, sqrt

from theory.claims import Identity, PowerLaw
from theory.definitions.momentum import MEANINGS as OF_MOMENTUM
from theory.definitions.momentum import damping, gamma, k
from theory.definitions.temperature import (
    MEANINGS,
    J,
    K,
    M,
    P,
    Y,
    a_network,
    beta,
    eta_tilde,
    i,
    j,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    softmax_of,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, rational
from theory.proof.premises import Define
from theory.proof.steps import Equal, Induct, Root
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

b = Symbol("b", positive=True)
ONE = Integer(1)
Z0 = IndexedBase("Z0", real=True)
moved, velocity, residual, logits = (Function(name, real=True) for name in ("displacement", "v", "residual", "Z"))

COLLAPSE = Identity(logits(k, m, i, beta), logits(k, m, i, ONE))
ANY = "trajectories collapse whatever the residual's and the steps' common factors are"
LOGITS = Define(
    "logits of the linear model",
    logits(k, m, i, b),
    Z0[m, i] + b * over_parameters(J[m, i, p] * moved(k, p, b)),
    "any logits that are linear in the parameters collapse",
)
RESIDUAL = Define(
    "residual",
    residual(k, n, j, b),
    Y[n, j] - softmax_of(logits(k, n, j, b), j, i),
    "any residual collapses",
)
AT_REST = Define("at rest", velocity(0, p, b), Integer(0))
AT_START = Define("at the start", moved(0, p, b), Integer(0))
PUSH = Define(
    "push",
    velocity(k + 1, p, b),
    (1 - gamma) * velocity(k, p, b) + b * over_logits(J[n, j, p] * residual(k, n, j, b)),
    ANY,
)
STEP = Define("step", moved(k + 1, p, b), moved(k, p, b) + eta_tilde / b**2 * velocity(k + 1, p, b), ANY)


def a_trajectory(source: random.Random) -> World:
    """A linear model of one point, two classes and one parameter."""
    values = a_network(source, 1, 2, 1).values
    return World(
        {
            **{symbol: values[symbol] for symbol in (M, K, P, m, n, i, j, p, J, Y)},
            Z0: table(source, 1, 2, low=-1, high=1),
            b: fraction(source, 1, 3),
            beta: fraction(source, 1, 3),
            eta_tilde: fraction(source, 1, 2) / 5,
            gamma: Rational(1, 2),
            k: source.randint(0, 2),
        }
    )


COLLAPSE_DERIVATION = Derivation(
    premises=(LOGITS, RESIDUAL, AT_REST, AT_START, PUSH, STEP),
    steps=(
        Induct(
            "one trajectory",
            k,
            moved(k, p, beta),
            moved(k, p, ONE) / beta,
            uses=names(LOGITS, RESIDUAL, AT_REST, AT_START, PUSH, STEP),
            also=((velocity(k, p, beta), beta * velocity(k, p, ONE)),),
            every=(p,),
            because="the gradient of the loss is -beta J^T r: velocities grow with beta, displacements fall with it",
        ),
        Equal(
            "the same logits",
            COLLAPSE.left,
            COLLAPSE.right,
            uses=("one trajectory", LOGITS.name),
            because="the two factors of beta cancel in beta J d",
        ),
    ),
    worlds=a_trajectory,
)

eta_hat, slope = Symbol("eta_hat", positive=True), Symbol("slope", positive=True)
rate, damping_of_step, saturated, following = (Function(name) for name in ("eta", "gamma", "saturated_step", "v_next"))
held = Symbol("v_held", real=True)
SECOND = PowerLaw(saturated(beta), beta, Rational(-1, 2))
HAT = Define("second scheme's learning rate", rate(beta), eta_hat / beta)
GAMMA = Define("damping of a step", damping_of_step(beta), beta * sqrt(rate(beta)) * damping)
HELD_PUSH = Define("push down the slope", following(beta), (1 - damping_of_step(beta)) * held + beta * slope)
SATURATED = Define("saturated step", saturated(beta), rate(beta) * following(beta))
SECOND_DERIVATION = Derivation(
    premises=(HAT, GAMMA, HELD_PUSH, SATURATED),
    steps=(
        Root(
            "velocity that stays",
            held,
            Eq(following(beta), held, evaluate=False),
            beta * slope / damping_of_step(beta),
            uses=names(HAT, GAMMA, HELD_PUSH),
            normal=(radicals, rational),
            because="what is forgotten in a step is what is pushed in",
        ),
        Equal(
            "saturated step in full",
            saturated(beta),
            sqrt(eta_hat / beta) * slope / damping,
            uses=("velocity that stays", *names(HAT, GAMMA, HELD_PUSH, SATURATED)),
            normal=(radicals, rational),
            because="gamma grows with beta at fixed eta: sqrt(eta) l g/gamma~ is left, without the printed beta",
        ),
        Follows(
            "minus half a power", SECOND.quantity, SECOND.control, SECOND.exponent, uses=("saturated step in full",)
        ),
    ),
    worlds=lambda source: World({s: fraction(source) for s in (beta, eta_hat, damping, slope)}),
)

PLACE = "app B.5, eqs 58-70"
BETA = Quantity(beta, *MEANINGS[beta])

LAWS = (
    Law(
        name="temperature.momentum_scheme",
        title="At fixed eta beta^2 and gamma a linear model's logits take one path with momentum, at every temperature",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T27",),
            "eta = eta~/beta^2, gamma = sqrt(eta~) gamma~: a linear model's trajectories coincide, step by step",
        ),
        quantities=(
            Quantity(k, *OF_MOMENTUM[k]),
            Quantity(m, *MEANINGS[m]),
            Quantity(i, *MEANINGS[i]),
            BETA,
        ),
        regime="models linear in their parameters, equal Z0 and kernel; from rest; softmax cross-entropy, full batch",
        derivation=COLLAPSE_DERIVATION,
        claim=COLLAPSE,
        rivals=(
            Rival(
                "fixed eta beta",
                Identity(COLLAPSE.left, Function("Z_first")(k, m, i)),
                "takes eta = eta^/beta",
            ),
        ),
    ),
    Law(
        name="temperature.momentum_second_scheme",
        title="In the paper's second scheme the saturated step falls like beta^(-1/2): it is not invariant",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B.5, eq 70 and the scheme after it",
            ("temperature:T27", "temperature:E36"),
            "with gamma = beta sqrt(eta) gamma~ a saturated step is (sqrt(eta)/gamma~) l g, not invariant at eta^/beta",
        ),
        quantities=(BETA,),
        regime="momentum at the one velocity that a push keeps, eta = eta^/beta, gamma = beta sqrt(eta) gamma~; the "
        "size of the gradient, beta l g, does not change meanwhile",
        derivation=SECOND_DERIVATION,
        claim=SECOND,
        rivals=(
            Rival("invariant", replace(SECOND, exponent=Integer(0)), "what the paper concludes from eq 70"),
            Rival("constant rate", replace(SECOND, exponent=Rational(1, 2)), "eq 70 as printed, at eta^/beta"),
        ),
    ),
)
