"""The ratio of tau_z / ||Z0|| at large to that at small logits, for an isotropic kernel and any labels.

Under an isotropic kernel every point moves by itself, so one point is enough; how its logits set out is derived from
its loss in `one_point_flow`, and tau_z is the size of the logits over that speed. The class v has its largest logit;
the others lie gaps g[k, v] below, times the scale of the logits. Logits that know nothing of their classes are
exchangeable: turning the classes round by any number of places changes no average. So the average over starts is
one over the K turns of any one of them.
"""

import random
from collections.abc import Callable

from sympy import (
    And,
    Expr,
    Function,
    Implies,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Lambda,
    Limit,
    Rational,
    Sum,
    Symbol,
    exp,
    oo,
    sqrt,
)
from sympy.core.relational import Eq, Ne

from theory.definitions.inequalities import above, at_most
from theory.definitions.temperature import K, P, beta, eta, i, j, k, labels_of, over_classes, p
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, rational, sums
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Cases, Equal, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.one_point_flow import DERIVATION as ONE_POINT_FLOW
from theory.temperature.one_point_flow import (
    LABELS_SUM,
    SOFTMAX,
    J,
    Theta,
    Y,
    Zdot,
    logit,
    logit_scale,
    softmax,
    v,
)

rho_sat = Symbol("rho_sat")
small, large, mean_small, mean_large = (
    Symbol(name, real=True) for name in ("small", "large", "mean_small", "mean_large")
)
label_smoothing = Symbol("label_smoothing", real=True)
theta = Symbol("theta", positive=True)
correct, first, turn = (Symbol(name, integer=True, positive=True) for name in ("c", "w", "t"))
gap = IndexedBase("g", positive=True)
tau_z, norm_Z0, speed_small, speed_large = (
    Function(name, real=True) for name in ("tau_z", "norm_Z0", "speed_small", "speed_large")
)


def turned(of_winner: Callable[[Expr], Expr]) -> Expr:
    """Sum over the K turns of the classes: the largest logit goes from class `first` to the one t places on."""
    before = Sum(of_winner(first + turn), (turn, 1, K - first))
    return before + Sum(of_winner(first + turn - K), (turn, K - first + 1, K))


def squared_residual(predicted: Expr) -> Expr:
    """Squared norm of the labels less predictions, which are written in k."""
    return over_classes((Y[k] - predicted) ** 2)


def nearby(class_: Symbol) -> Expr:
    """Exp of a logit less the largest one: 1 for that one itself."""
    is_largest = KroneckerDelta(class_, v)
    return is_largest + (1 - is_largest) * exp(-logit_scale * gap[class_, v])


CLASS = Suppose("the largest logit is that of a class", at_most(v, K))
FIRST = Suppose("so it is before the classes are turned", at_most(first, K))
LOGITS = Define(
    "logits less the largest",
    logit(k, v, logit_scale),
    -logit_scale * (1 - KroneckerDelta(k, v)) * gap[k, v],
)
FLOW = Imported("flow of the logits", ONE_POINT_FLOW)
ISOTROPIC = Suppose(
    "the kernel is isotropic",
    Implies(
        And(at_most(i, K), at_most(j, K)), Eq(Theta[i, j], theta * KroneckerDelta(i, j), evaluate=False), evaluate=False
    ),
    forall=(i, j),
)
TIMESCALE = Define(
    "early learning timescale, the size of the logits over their speed",
    tau_z(v, logit_scale),
    norm_Z0(v, logit_scale) / sqrt(over_classes(Zdot(i, v, logit_scale) ** 2, i)),
    "its square does not see a sign",
)
SQUARED_SPEED = (norm_Z0(v, logit_scale) / tau_z(v, logit_scale)) ** 2
FROM_SMALL = Define("squared speed at small logits", speed_small(v), Limit(SQUARED_SPEED, logit_scale, 0, "+"))
FROM_LARGE = Define("squared speed at large logits", speed_large(v), Limit(SQUARED_SPEED, logit_scale, oo, "+"))
MEAN_SMALL = Define("its mean over turns at small logits", mean_small, turned(speed_small) / K)
MEAN_LARGE = Define("its mean over turns at large logits", mean_large, turned(speed_large) / K)
RATIO = Define("saturating ratio", rho_sat, sqrt(mean_small / mean_large))
SMALL = Define("residual at small logits", small, squared_residual(1 / K))
LARGE = Define(
    "mean residual at large logits",
    large,
    turned(lambda winner: squared_residual(KroneckerDelta(k, winner))) / K,
)
PER_RESIDUAL = (eta * beta**2 * theta) ** 2

EQUALLY_OFTEN = Cases(
    "every class wins equally often",
    Eq(turned(lambda winner: KroneckerDelta(correct, winner)), 1, evaluate=False),
    (above(correct, first), at_most(correct, first)),
    uses=("the label is a class",),
    normal=(sums,),
    because="of K turns exactly one brings the largest logit to the correct class, wherever both are",
)


def a_start(source: random.Random) -> World:
    """Two classes with their gaps at either winner, labels, and parameters in a turned basis.

    More classes would cost minutes: the limits are taken of what the loss's derivative has in full.
    """
    classes, root = 2, fraction(source)
    c, d, h = source.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17)))
    turned_axes = [[root * Rational(x, h) for x in row] for row in ((c, -d), (d, c))]
    places = (v, first, correct, k, i, j)
    return World(
        {
            K: classes,
            **{place: source.randint(1, classes) for place in places},
            **{size: fraction(source) for size in (eta, beta, logit_scale)},
            p: source.randint(1, classes),
            P: classes,
            J: turned_axes,
            theta: root**2,
            label_smoothing: Rational(source.randint(0, 9), 10),
            Y: labels_of(source, 1, classes)[0],
            gap: table(source, classes, classes, low=1, high=3),
            norm_Z0: Lambda((v, logit_scale), v + logit_scale),
        }
    )


DERIVATION = Derivation(
    premises=(
        *(CLASS, FIRST, LABELS_SUM, LOGITS, SOFTMAX, FLOW, ISOTROPIC, TIMESCALE),
        *(FROM_SMALL, FROM_LARGE, MEAN_SMALL, MEAN_LARGE, RATIO, SMALL, LARGE),
    ),
    steps=(
        Cases(
            "the largest logit apart",
            Eq(exp(logit(k, v, logit_scale)), nearby(k), evaluate=False),
            (Eq(k, v), Ne(k, v)),
            uses=(LOGITS.name,),
            normal=(sums,),
            forall=(k, v),
        ),
        Equal(
            "softmax of distant logits",
            softmax(k, v, logit_scale),
            nearby(k) / (1 + over_classes((1 - KroneckerDelta(j, v)) * exp(-logit_scale * gap[j, v]), j)),
            uses=(SOFTMAX.name, CLASS.name, "the largest logit apart"),
            normal=(sums, rational),
            forall=(k, v),
        ),
        Equal(
            "squared speed",
            SQUARED_SPEED,
            PER_RESIDUAL * squared_residual(softmax(k, v, logit_scale)),
            uses=(FLOW.name, ISOTROPIC.name, TIMESCALE.name),
            normal=(sums, radicals, rational),
            because="an isotropic kernel changes the length of the residual only",
        ),
        Tends(
            "squared speed of small logits",
            SQUARED_SPEED,
            logit_scale,
            Integer(0),
            PER_RESIDUAL * squared_residual(1 / K),
            uses=("squared speed", SOFTMAX.name, LOGITS.name),
            normal=(sums, rational),
            because="without logits the softmax is 1/K for every class",
            forall=(v,),
        ),
        Tends(
            "squared speed of large logits",
            SQUARED_SPEED,
            logit_scale,
            oo,
            PER_RESIDUAL * squared_residual(KroneckerDelta(k, v)),
            uses=("squared speed", "softmax of distant logits", CLASS.name),
            normal=(sums, rational),
            because="every gap is positive, so the softmax is certain of the largest logit",
            forall=(v,),
        ),
        Equal(
            "mean squared speed at small logits",
            mean_small,
            PER_RESIDUAL * small,
            uses=(MEAN_SMALL.name, FROM_SMALL.name, "squared speed of small logits", SMALL.name, FIRST.name),
            normal=(sums, rational),
        ),
        Equal(
            "mean squared speed at large logits",
            mean_large,
            PER_RESIDUAL * large,
            uses=(MEAN_LARGE.name, FROM_LARGE.name, "squared speed of large logits", LARGE.name, FIRST.name),
            normal=(sums, rational),
        ),
        Equal(
            "ratio of residuals",
            rho_sat,
            sqrt(small / large),
            uses=(RATIO.name, "mean squared speed at small logits", "mean squared speed at large logits"),
            normal=(sums, rational, radicals),
            because="kernel and learning rate are common factors",
        ),
    ),
    worlds=a_start,
)
