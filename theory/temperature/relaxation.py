"""How a linear model with weight decay relaxes: the linear part of its flow, and the least rate (T18)."""

import random

from sympy import Derivative, Eq, Function, IndexedBase, Integer, KroneckerDelta, Limit, Rational, Symbol

from theory.claims import Bound, Identity
from theory.definitions.linearised import quantities
from theory.definitions.temperature import (
    SOFTMAX,
    K,
    M,
    Theta,
    Y,
    a_network,
    beta,
    eta,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    over_points,
    softmax,
    softmax_of,
    z,
)  # fmt: skip
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.regularised_flow import dz, lam

s = Symbol("s", real=True)
v, jacobian, turn, a, spread = (IndexedBase(name, real=True) for name in ("v", "sigma_z", "turn", "a", "spread"))
weight = IndexedBase("p", positive=True)
at, softmax_at = (Function(name, real=True) for name in ("zdot", "sigma"))
curvature, size = (Symbol(name, real=True) for name in ("curvature", "size"))

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

CURVATURE = Define(
    "second derivative of the regularised loss along a displacement",
    curvature,
    beta**2 * over_points(over_classes(weight[m, k] * a[m, k] ** 2) - over_classes(weight[m, k] * a[m, k]) ** 2)
    + lam * size,
)
SPREAD = Define(
    "differences of the logits' changes, each pair weighed",
    spread[m],
    over_classes(over_classes(weight[m, j] * weight[m, k] * (a[m, j] - a[m, k]) ** 2), j) / 2,
)
NORMED = Suppose("probabilities add up to 1", Eq(over_classes(weight[m, k]), 1, evaluate=False), forall=(m,))


def some_probabilities(source: random.Random) -> World:
    """Two points with three probabilities each."""
    rows = [[Rational(source.randint(1, 9)) for _ in range(3)] for _ in range(2)]
    return World(
        {
            M: 2,
            K: 3,
            m: source.randint(1, 2),
            weight: [[x / sum(row) for x in row] for row in rows],
            a: table(source, 2, 3),
            beta: fraction(source),
            lam: fraction(source),
            size: fraction(source),
        }
    )


CONVEX = Derivation(
    premises=(CURVATURE, SPREAD, NORMED),
    steps=(
        Equal(
            "variance as pairs",
            spread[m],
            over_classes(weight[m, k] * a[m, k] ** 2) - over_classes(weight[m, k] * a[m, k]) ** 2,
            uses=(SPREAD.name, NORMED.name),
            because="a variance is half the mean squared difference of two draws",
            forall=(m,),
        ),
        Equal(
            "curvature through pairs",
            curvature,
            beta**2 * over_points(spread[m]) + lam * size,
            uses=("variance as pairs", CURVATURE.name),
        ),
        Holds(
            "squares add",
            over_points(spread[m]) >= 0,
            uses=(SPREAD.name,),
        ),
        Holds(
            "at least the decay",
            CURVATURE_CLAIM.statement,
            uses=("curvature through pairs", "squares add"),
        ),
    ),
    worlds=some_probabilities,
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
        regime="model linear in its parameters, any labels whose rows sum to 1, any temperature",
        derivation=CONVEX,
        claim=CURVATURE_CLAIM,
        rivals=(
            Rival("twice the decay", Bound(2 * lam * size, curvature), "false along what the kernel does not see"),
        ),
    ),
)
