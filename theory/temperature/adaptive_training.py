"""Adam seen through rescaled parameters: the learning rate is scaled once, epsilon by the inverse (T29).

As temperature.rescaled_training for gradient descent: the loss of one system is that of the other at y_p = s_p x_p,
a sum of ridge functions. Adam divides the scale of the gradient out, so the step of y_p is s_p eta, not s_p^2 eta.
"""

import random

from sympy import Expr, Function, IndexedBase, Integer, Lambda, Rational, Sum, Symbol, sqrt

from theory.claims import Identity
from theory.definitions.temperature import MEANINGS, P, beta, p, q
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, rational, sums
from theory.proof.premises import Define
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.rescaled_training import U, along, eta, k, phi, ridge, slope, two_systems, u, x0

kept, kept_square, epsilon = (Symbol(name, positive=True) for name in ("momentum", "second_momentum", "epsilon"))
factor, output = IndexedBase("s", positive=True), IndexedBase("b", real=True)
x, y, x_mean, y_mean, x_square, y_square, Z, Z_at_one, Z_kept = (
    Function(name) for name in ("x", "y", "w", "v", "w2", "v2", "Z", "Z_at_one", "Z_epsilon")
)
unit = Function("h", real=True)

CLAIM = Identity(Z(k), Z_at_one(k))


def logit(parameter: Expr) -> Expr:
    """Any function of the parameters, as a sum of ridge functions; the parameters are written in the index q."""
    return Sum(output[u] * unit(u, along(u, parameter)), (u, 1, U))


def direction(mean: Expr, square: Expr, least: Expr) -> Expr:
    """Where Adam goes: the mean over the root of the mean square, both freed of their start at 0."""
    return mean / (1 - kept ** (k + 1)) / (sqrt(square) / sqrt(1 - kept_square ** (k + 1)) + least)


PULL, PULL_RESCALED = factor[p] * slope(factor[q] * x(k, q)), slope(y(k, q))
TRAINING = (
    Define("start", x(0, p), x0[p]),
    Define("rescaled start", y(0, p), factor[p] * x0[p]),
    Define("no mean", x_mean(0, p), Integer(0)),
    Define("no mean either", y_mean(0, p), Integer(0)),
    Define("no square", x_square(0, p), Integer(0)),
    Define("no square either", y_square(0, p), Integer(0)),
    Define("mean of the slopes", x_mean(k + 1, p), kept * x_mean(k, p) + (1 - kept) * PULL),
    Define("rescaled mean", y_mean(k + 1, p), kept * y_mean(k, p) + (1 - kept) * PULL_RESCALED),
    Define("mean square", x_square(k + 1, p), kept_square * x_square(k, p) + (1 - kept_square) * PULL**2),
    Define("rescaled square", y_square(k + 1, p), kept_square * y_square(k, p) + (1 - kept_square) * PULL_RESCALED**2),
    Define("step", x(k + 1, p), x(k, p) - eta * direction(x_mean(k + 1, p), x_square(k + 1, p), epsilon)),
    Define(
        "rescaled step",
        y(k + 1, p),
        y(k, p) - eta * factor[p] * direction(y_mean(k + 1, p), y_square(k + 1, p), epsilon / factor[p]),
    ),
)
LOGIT = Define("scaled logit", Z(k), logit(factor[q] * x(k, q)))
LOGIT_AT_ONE = Define("logit of the other network", Z_at_one(k), logit(y(k, q)))


def adaptive_systems(source: random.Random) -> World:
    """One parameter, one ridge."""
    values = two_systems(source).values
    return World(
        {
            **{symbol: values[symbol] for symbol in (U, k, ridge, x0, eta, phi)},
            P: 1,
            p: 1,
            factor: [fraction(source, 1, 3)],
            kept: Rational(source.randint(1, 9), 10),
            kept_square: Rational(source.randint(1, 9), 10),
            epsilon: fraction(source, 1, 3) / 10,
            output: table(source, 1),
            unit: Lambda((u, q), q**2 + u),
        }
    )


DERIVATION = Derivation(
    premises=(*TRAINING, LOGIT, LOGIT_AT_ONE),
    steps=(
        Induct(
            "rescaled parameters stay rescaled",
            k,
            y(k, p),
            factor[p] * x(k, p),
            uses=tuple(d.name for d in TRAINING),
            normal=(sums, radicals, rational),
            because="means scale like the slopes, roots of mean squares too: the direction is the same",
            also=(
                (y_mean(k, p), x_mean(k, p) / factor[p]),
                (y_square(k, p), x_square(k, p) / factor[p] ** 2),
            ),
            every=(p,),
        ),
        Equal(
            "the same logits at every step",
            CLAIM.left,
            CLAIM.right,
            uses=("rescaled parameters stay rescaled", LOGIT.name, LOGIT_AT_ONE.name),
        ),
    ),
    worlds=adaptive_systems,
)

LAWS = (
    Law(
        name="temperature.adaptive_identity",
        title="Adam at a rescaled start needs the learning rate times the scale, and epsilon divided by it",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T29",),
            "if the loss knows s x alone, Adam at (eta, epsilon) on x is Adam at (s eta, epsilon/s) on s x",
        ),
        quantities=(
            Quantity(Symbol("Z"), "scaled logit after k steps of Adam"),
            Quantity(Symbol("Z_at_one"), "logit of the rescaled network after k steps of Adam"),
            Quantity(k, "steps made", "step"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="Adam with bias correction; a loss of the rescaled parameters that is a sum of ridge functions (every "
        "polynomial is one); s = beta^(1/H) for a homogeneous network, beta on the readout of any; no weight decay",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(Rival("epsilon kept", Identity(CLAIM.left, Z_kept(k)), "rescales the learning rate, not epsilon"),),
    ),
)
