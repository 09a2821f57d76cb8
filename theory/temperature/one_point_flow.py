"""How fast the logits of one training point move from where they stand, out of its loss (temperature:T03).

``logit(k, v, logit_scale)`` are the scaled logits at the start, any function of the class; v and the scale say which
start it is. A parameter p that moves by x takes the scaled logits along by beta J[k, p] x. The labels are any numbers:
only their sum enters. The same for many points, one start and labels that sum to 1 is temperature.logit_flow.
"""

import random

from sympy import Derivative, Eq, Function, IndexedBase, Lambda, Symbol, exp, log

from theory.definitions.temperature import (
    K,
    P,
    beta,
    eta,
    i,
    j,
    k,
    labels_of,
    over_classes,
    over_parameters,
    p,
    softmax_of,
)
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, exponentials, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

logit_scale = Symbol("logit_scale", positive=True)
v = Symbol("v", integer=True, positive=True)
x = Symbol("x", real=True)
Y, J, Theta = (IndexedBase(name, real=True) for name in ("Y", "J", "Theta"))
logit, softmax, loss, slope, velocity, Zdot = (
    Function(name, real=True) for name in ("Z", "sigma", "loss", "slope", "thetadot", "Zdot")
)

LABELS_SUM = Suppose("labels sum to 1", Eq(over_classes(Y[k]), 1, evaluate=False))
NUDGED = logit(k, v, logit_scale) + beta * J[k, p] * x
SOFTMAX = Define("softmax", softmax(k, v, logit_scale), softmax_of(logit(k, v, logit_scale), k, j))
LN_SOFTMAX = NUDGED - log(over_classes(exp(NUDGED.xreplace({k: j})), j))
LOSS = Define("loss where a parameter has moved", loss(p, v, logit_scale, x), -over_classes(Y[k] * LN_SOFTMAX))
SLOPE = Define("slope of the loss", slope(p, v, logit_scale, x), Derivative(loss(p, v, logit_scale, x), x))
DESCENT = Define("descent from the start", velocity(p, v, logit_scale), -eta * slope(p, v, logit_scale, 0))
RATE = Define(
    "rate of the scaled logits",
    Zdot(i, v, logit_scale),
    beta * over_parameters(J[i, p] * velocity(p, v, logit_scale)),
)
KERNEL = Define("tangent kernel", Theta[i, j], over_parameters(J[i, p] * J[j, p]))


def a_point(source: random.Random) -> World:
    """Two classes, two parameters, any labels that sum to 1, and any start."""
    shift, tilt = fraction(source, -1, 1), fraction(source, 1, 2)
    return World(
        {
            K: 2,
            P: 2,
            **{place: source.randint(1, 2) for place in (i, j, k, v, p)},
            **{size: fraction(source, 1, 2) for size in (beta, eta, logit_scale)},
            x: fraction(source, -1, 1),
            Y: labels_of(source, 1, 2)[0],
            J: table(source, 2, 2, low=-3, high=3),
            logit: Lambda((k, v, logit_scale), logit_scale * (shift + k * tilt) + v),
        }
    )


DERIVATION = Derivation(
    premises=(LABELS_SUM, SOFTMAX, LOSS, SLOPE, DESCENT, RATE, KERNEL),
    steps=(
        Equal(
            "labels gathered",
            loss(p, v, logit_scale, x),
            log(over_classes(exp(NUDGED))) - over_classes(Y[k] * NUDGED),
            uses=(LOSS.name, LABELS_SUM.name),
            normal=(exponentials, sums, rational),
            forall=(p, v, x),
        ),
        Equal(
            "slope in full",
            slope(p, v, logit_scale, x),
            -beta * over_classes(J[k, p] * (Y[k] - softmax_of(NUDGED, k, j))),
            uses=("labels gathered", SLOPE.name),
            normal=(derivatives, exponentials, sums, rational),
            because="the slope of ln softmax is the identity minus the softmax",
            forall=(p, v, x),
        ),
        Equal(
            "descent in full",
            velocity(p, v, logit_scale),
            eta * beta * over_classes(J[k, p] * (Y[k] - softmax(k, v, logit_scale))),
            uses=("slope in full", SOFTMAX.name, DESCENT.name),
            because="eq 2: the minus of the flow meets the minus of the gradient",
            forall=(p, v),
        ),
        Equal(
            "flow of the logits",
            Zdot(i, v, logit_scale),
            eta * beta**2 * over_classes(Theta[i, k] * (Y[k] - softmax(k, v, logit_scale))),
            uses=("descent in full", RATE.name, KERNEL.name),
            because="the chain rule brings a second J and a second beta (eq 5)",
            forall=(i, v),
        ),
    ),
    worlds=a_point,
)
"""Zdot is the effective learning rate eta beta^2 times tangent kernel times residual."""
