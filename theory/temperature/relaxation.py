"""How a linear model with weight decay relaxes: the linear part of its flow, and the least rate (T18).

The curvature is that of the loss itself, softmax cross-entropy plus half of lam times the squared distance from the
start, along a line through any place: the parameters move by s d, the logits of a linear model by s a.
"""

import random

from sympy import Derivative, Function, IndexedBase, Integer, KroneckerDelta, Limit, Rational, Symbol, exp, log

from theory.claims import Bound, Identity
from theory.definitions.inequalities import at_least
from theory.definitions.linearised import quantities
from theory.definitions.temperature import (
    LABELS,
    SOFTMAX,
    K,
    M,
    P,
    Theta,
    Y,
    a_network,
    beta,
    cross_entropy,
    eta,
    i,
    j,
    k,
    labels_of,
    m,
    n,
    over_classes,
    over_logits,
    over_parameters,
    over_points,
    p,
    softmax,
    softmax_of,
    z,
)  # fmt: skip
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, exponentials, rational, sums
from theory.proof.premises import Define
from theory.proof.steps import Equal, Holds, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.regularised_flow import dz, lam

s = Symbol("s", real=True)
v, jacobian, turn, a, spread, d, away, point_loss = (
    IndexedBase(name, real=True) for name in ("v", "sigma_z", "turn", "a", "spread", "d", "away", "point_loss")
)
share = IndexedBase("share", positive=True)
at, softmax_at = (Function(name, real=True) for name in ("zdot", "sigma"))
loss, slope, curvature, size = (Symbol(name, real=True) for name in ("loss", "slope", "curvature", "size"))

TURNED = beta**2 * over_logits(Theta[m, i, n, j] * over_classes(jacobian[n, j, k] * v[n, k]))
TURN_CLAIM = Identity(turn[m, i], -eta * (TURNED + lam * v[m, i]))
CURVATURE_CLAIM = Bound(lam * size, curvature)

FLOW_AT = Define(
    "flow beside the fixed point",
    at(m, i, s),
    eta * (beta * over_logits(Theta[m, i, n, j] * (Y[n, j] - softmax_at(n, j, s))) - lam * (dz[m, i] + s * v[m, i])),
    "what does not change has no derivative",
)
SOFTMAX_AT = Define("softmax beside it", softmax_at(n, j, s), softmax_of(beta * (z[n, j] + s * v[n, j]), j, k))
JACOBIAN = Define("softmax Jacobian", jacobian[n, j, k], softmax[n, j] * (KroneckerDelta(j, k) - softmax[n, k]))
TURN = Define("change of the flow along a perturbation", turn[m, i], Limit(Derivative(at(m, i, s), s), s, 0))


def beside(source: random.Random) -> World:
    """Two points, two classes, at any place: the linear part is that of any place."""
    values = dict(a_network(source, 2, 2, 1).values)
    return World(
        {
            **values,
            Theta: table(source, 2, 2, 2, 2),
            lam: fraction(source),
            dz: table(source, 2, 2),
            v: table(source, 2, 2),
            s: Rational(1, 3),
        }
    )


LINEAR = Derivation(
    premises=(FLOW_AT, SOFTMAX_AT, SOFTMAX, JACOBIAN, TURN),
    steps=(
        Tends(
            "the flow along a line",
            Derivative(at(m, i, s), s),
            s,
            Integer(0),
            TURN_CLAIM.right,
            uses=(FLOW_AT.name, SOFTMAX_AT.name, SOFTMAX.name, JACOBIAN.name),
            normal=(exponentials, sums, rational),
            because="the softmax turns by its Jacobian times beta v, and the loss carries one more beta",
        ),
        Equal("linear part", TURN_CLAIM.left, TURN_CLAIM.right, uses=("the flow along a line", TURN.name)),
    ),
    worlds=beside,
)

DISPLACED = beta * (z[m, k] + s * a[m, k])
DECAY = lam / 2 * over_parameters((away[p] + s * d[p]) ** 2)
VARIANCE = over_classes(share[m, k] * a[m, k] ** 2) - over_classes(share[m, k] * a[m, k]) ** 2
LOSS = Define("regularised loss along a line", loss, cross_entropy(Y, DISPLACED) + DECAY)
POINT_LOSS = Define("loss of a point", point_loss[m], -over_classes(Y[m, k] * log(softmax_of(DISPLACED, k, j))))
SLOPE = Define("slope along the line", slope, Derivative(loss, s))
CURVATURE = Define("second derivative of the regularised loss along the line", curvature, Derivative(slope, s))
SIZE = Define("squared length of the displacement", size, over_parameters(d[p] ** 2))
SHARE = Define("softmax on the line", share[m, k], softmax_of(DISPLACED, k, j))
SPREAD = Define(
    "differences of the logits' changes, each pair weighed",
    spread[m],
    over_classes(over_classes(share[m, j] * share[m, k] * (a[m, j] - a[m, k]) ** 2), j) / 2,
)


def on_a_line(source: random.Random) -> World:
    """Two points, classes and parameters, anywhere on a line through a random place."""
    return World(
        {
            M: 2,
            K: 2,
            P: 2,
            m: source.randint(1, 2),
            beta: fraction(source, 1, 3),
            lam: fraction(source),
            s: Rational(source.randint(-3, 3), 3),
            z: table(source, 2, 2, low=-1, high=1),
            a: table(source, 2, 2, low=-3, high=3),
            Y: labels_of(source, 2, 2),
            d: table(source, 2, low=-2, high=2),
            away: table(source, 2, low=-2, high=2),
        }
    )


CONVEX = Derivation(
    premises=(LABELS, LOSS, POINT_LOSS, SLOPE, CURVATURE, SIZE, SHARE, SPREAD),
    steps=(
        Equal(
            "loss of a point in full",
            point_loss[m],
            log(over_classes(exp(DISPLACED))) - over_classes(Y[m, k] * DISPLACED),
            uses=(POINT_LOSS.name, LABELS.name),
            normal=(exponentials, sums, rational),
            because="the logarithm turns the softmax into a difference, and the labels sum to 1",
            forall=(m,),
        ),
        Equal("point by point", loss, over_points(point_loss[m]) + DECAY, uses=(LOSS.name, POINT_LOSS.name)),
        Equal(
            "first derivative",
            slope,
            beta * over_points(over_classes((share[m, k] - Y[m, k]) * a[m, k]))
            + lam * over_parameters((away[p] + s * d[p]) * d[p]),
            uses=("point by point", "loss of a point in full", SLOPE.name, SHARE.name),
            normal=(derivatives, exponentials, sums, rational),
        ),
        Equal(
            "second derivative",
            curvature,
            beta**2 * over_points(VARIANCE) + lam * size,
            uses=("first derivative", CURVATURE.name, SIZE.name, SHARE.name),
            normal=(derivatives, exponentials, sums, rational),
            because="the softmax turns by its Jacobian, so that each point adds the variance of its logits' changes",
        ),
        Equal("shares sum to 1", over_classes(share[m, k]), Integer(1), uses=(SHARE.name,), forall=(m,)),
        Equal(
            "variance as pairs",
            spread[m],
            VARIANCE,
            uses=(SPREAD.name, "shares sum to 1"),
            because="a variance is half the mean squared difference of two draws",
            forall=(m,),
        ),
        Equal(
            "curvature through pairs",
            curvature,
            beta**2 * over_points(spread[m]) + lam * size,
            uses=("variance as pairs", "second derivative"),
        ),
        Holds("squares add", at_least(over_points(spread[m]), 0), uses=(SPREAD.name,)),
        Holds("at least the decay", CURVATURE_CLAIM.statement, uses=("curvature through pairs", "squares add")),
    ),
    worlds=on_a_line,
)

SOURCE = Source(
    "temperature",
    "eq 23",
    ("temperature:T18", "temperature:E12"),
    "perturbations of the fixed point move by -eta (beta^2 Theta sigma_z + lam), whose spectrum is real, >= eta lam",
)

LAWS = (
    Law(
        name="temperature.relaxation_matrix",
        title="Beside a fixed point the logits relax by eta (beta^2 Theta sigma_z + lam)",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(
            Quantity(turn, "change of the flow of a raw logit along a perturbation", "1/step"),
            Quantity(v, "perturbation of a raw logit"),
            Quantity(jacobian, "softmax Jacobian diag(p) - p p^T of each point"),
            Quantity(Symbol("decayed"), "lam times the perturbation"),
            *quantities(Theta, beta, eta, m, i, n, j, k, M, K),
            Quantity(lam, "weight decay towards the start"),
        ),
        regime="model linear in its parameters, any kernel; at any place, of which the fixed point is one",
        derivation=LINEAR,
        claim=TURN_CLAIM,
        rivals=(
            Rival("one temperature", Identity(TURN_CLAIM.left, -eta * (TURNED / beta + lam * v[m, i])), "loses a beta"),
            Rival("no decay", Identity(TURN_CLAIM.left, -eta * TURNED), "ignores the decay of the parameters"),
        ),
    ),
    Law(
        name="temperature.relaxation_at_least_decay",
        title="Along every direction the regularised loss curves by at least the weight decay",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.1-A.2",
            ("temperature:T14", "temperature:T18"),
            "the loss of a linear model is convex, so with weight decay its fixed point is the only one and every "
            "rate is at least eta lam",
        ),
        quantities=(
            Quantity(curvature, "second derivative of the regularised loss along a displacement of the parameters"),
            Quantity(size, "squared length of the displacement"),
            Quantity(lam, "weight decay towards the start"),
        ),
        regime="model linear in its parameters, any labels whose rows sum to 1, any temperature, at any place",
        derivation=CONVEX,
        claim=CURVATURE_CLAIM,
        rivals=(
            Rival("twice the decay", Bound(2 * lam * size, curvature), "false along what the kernel does not see"),
        ),
    ),
)
