"""How large the residual of Gaussian logits is, and Stein's identity for its confident part (temperature:T09)."""

import random
from collections.abc import Mapping
from typing import Any

from sympy import Derivative, Eq, Expr, IndexedBase, Integer, KroneckerDelta, Rational, S, Symbol, exp

from theory.claims import Formula
from theory.definitions.temperature import CLASS, MEANINGS, K, i, k, over_classes, softmax_of
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor, Undefined
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, exponentials, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature import inputs
from theory.temperature.gaussian_logits import confident, mean_largest

correct = Symbol("c", integer=True, positive=True)
logit_scale = Symbol("logit_scale", positive=True)
residual_norm, Y2, lead, share = (Symbol(name, real=True) for name in ("residual_norm", "Y2", "lead", "share"))
g, p, density, mean_p, mean_p2, mean_gp, Y = (
    IndexedBase(name, real=True) for name in ("g", "p", "density", "mean_p", "mean_p2", "mean_gp", "Y")
)

NORM_CLAIM = Formula(residual_norm, 1 - 2 / K + Y2)
STEIN_CLAIM = Formula(lead, logit_scale * (1 - Y2))

CORRECT = Suppose("the label is a class", correct <= K)
LABEL = Define("one-hot label", Y[k], KroneckerDelta(k, correct))
FAIR = Suppose("no class is preferred", Eq(mean_p[k], share, evaluate=False), forall=(k,))
RESIDUAL = Define(
    "mean squared residual, logits independent of the label",
    residual_norm,
    over_classes(Y[k] ** 2 - 2 * Y[k] * mean_p[k] + mean_p2[k]),
)
CONFIDENT = Define("mean of the sum of squared probabilities", Y2, over_classes(mean_p2[k]))

SOFTMAX = Define("softmax", p[i], softmax_of(logit_scale * g[i], i, k))
DENSITY = Define(
    "density of the normals, up to a factor",
    density[0],
    exp(-over_classes(g[k] ** 2) / 2),
    "a factor of the density is lost where its mean is taken",
)
LEAD = Define("mean of the softmax-weighted normal", lead, over_classes(mean_gp[k]))
ADDS_UP = Suppose("probabilities add up to 1", Eq(over_classes(mean_p[k]), 1, evaluate=False))
STILL = Suppose(
    "the mean of a divergence vanishes with the density",
    Eq(mean_gp[k], logit_scale * (mean_p[k] - mean_p2[k])),
    forall=(k,),
)


def a_label(source: random.Random) -> World:
    """A few classes with any mean squares."""
    classes = source.randint(2, 5)
    return World(
        {
            K: classes,
            correct: source.randint(1, classes),
            k: source.randint(1, classes),
            mean_p: [Rational(1, classes)] * classes,
            share: Rational(1, classes),
            mean_p2: table(source, classes),
        }
    )


def some_normals(source: random.Random) -> World:
    """Three normals, and means that the divergence leaves at 0."""
    scale, classes = fraction(source), 3
    squares = table(source, classes)
    means = [*table(source, classes - 1)]
    means.append(1 - sum(means))
    return World(
        {
            K: classes,
            i: source.randint(1, classes),
            k: source.randint(1, classes),
            g: table(source, classes, low=-2, high=2),
            logit_scale: scale,
            mean_p: means,
            mean_p2: squares,
            mean_gp: [scale * (a - b) for a, b in zip(means, squares, strict=True)],
        }
    )


NORM_DERIVATION = Derivation(
    premises=(CORRECT, LABEL, FAIR, ADDS_UP, RESIDUAL, CONFIDENT),
    steps=(
        Equal("shares add up", K * share, over_classes(mean_p[k]), uses=(FAIR.name,)),
        Equal("one in K", share, 1 / K, uses=("shares add up", ADDS_UP.name)),
        Equal(
            "mean squared residual",
            NORM_CLAIM.quantity,
            NORM_CLAIM.value,
            uses=(CORRECT.name, LABEL.name, FAIR.name, "one in K", RESIDUAL.name, CONFIDENT.name),
            because="the label takes 1, and 2/K in the cross term",
        ),
    ),
    worlds=a_label,
)

STEIN_DERIVATION = Derivation(
    premises=(CLASS, SOFTMAX, DENSITY, LEAD, CONFIDENT, ADDS_UP, STILL),
    steps=(
        Equal(
            "divergence",
            Derivative(density[0] * p[i], g[i]) / density[0],
            logit_scale * (p[i] - p[i] ** 2) - g[i] * p[i],
            uses=(CLASS.name, SOFTMAX.name, DENSITY.name),
            normal=(derivatives, exponentials, sums, rational),
            because="the softmax rises by p (1 - p) in its own logit, the density falls by g",
        ),
        Equal(
            "Stein's identity",
            STEIN_CLAIM.quantity,
            STEIN_CLAIM.value,
            uses=(STILL.name, LEAD.name, CONFIDENT.name, ADDS_UP.name),
            because="the mean of the divergence, class by class, is what the step before has found",
        ),
    ),
    worlds=some_normals,
)

QUANTITIES = (
    Quantity(Y2, "mean of the sum of squared probabilities"),
    Quantity(K, *MEANINGS[K]),
)
IDS = ("temperature:T09",)

LAWS = (
    Law(
        name="temperature.residual_norm",
        title="The squared residual of logits that do not know the label is 1 - 2/K plus their confidence",
        status=Status.THEOREM,
        source=Source("temperature", "app C, beyond", IDS, "E||Y - p||^2 = 1 - 2/K + E sum_k p_k^2, exact"),
        quantities=(Quantity(residual_norm, "mean of ||Y - softmax(Z)||^2 at one point"), *QUANTITIES),
        regime="logits exchangeable between classes and independent of the label; any K and any scale",
        derivation=NORM_DERIVATION,
        claim=NORM_CLAIM,
        rivals=(
            Rival("labels forgotten", Formula(residual_norm, 1 - 1 / K + 0 * Y2), "the value of a uniform softmax"),
            Rival("one cross term", Formula(residual_norm, 1 - 1 / K + Y2), "the square has the cross term twice"),
        ),
    ),
    Law(
        name="temperature.confidence_identity",
        title="The softmax-weighted normal has the mean s (1 - E sum p^2): Stein's identity",
        status=Status.THEOREM,
        source=Source("temperature", "app C, beyond", IDS, "1 - Y2 = (1/s) E sum_i g_i p_i for Z = s g, exact"),
        quantities=(
            Quantity(lead, "mean of sum_i g_i p_i for logits Z = s g with standard normal g"),
            Quantity(logit_scale, "standard deviation s of the scaled logits"),
            *QUANTITIES,
        ),
        regime="independent standard normals g, Z = s g; that the density kills the flux at infinity is a premise",
        derivation=STEIN_DERIVATION,
        claim=STEIN_CLAIM,
        rivals=(
            Rival("no scale", Formula(lead, 1 - Y2), "forgets that the softmax is s times as steep"),
            Rival("both squares", Formula(lead, logit_scale * (1 - 2 * Y2)), "differentiates p^2 instead of p"),
        ),
    ),
)


def expected_residual(K: Any, s: Any) -> Mapping[str, Expr | Undefined]:
    """E||Y - p||^2 for two classes, and the mean largest of K normals for any.

    Raises
    ------
    OutsideDomain
        For K below 2 or a negative scale.

    Examples
    --------
    >>> expected_residual(Integer(2), Integer(0))["expected"]
    1/2
    """
    classes = inputs.count("K", K, 2, 10**12)
    if not (s is S.Infinity or (isinstance(s, Rational) and s >= 0)):
        raise OutsideDomain(f"s is {s}; give a standard deviation of at least 0, or inf")
    if classes > 2:
        expected = Undefined("a single quadrature gives it for K = 2 only; m_K is served for any K")
    else:
        expected = Integer(1) if s is S.Infinity else confident(Rational(s))
    return {"expected": expected, "m_K": mean_largest(classes)}


PREDICTORS = (
    Predictor(
        name="temperature.residual_norm",
        laws=("temperature.residual_norm", "temperature.confidence_identity"),
        inputs=(
            Input("K", "number of classes, at least 2"),
            Input("s", "standard deviation of the scaled logits, at least 0"),
        ),
        evaluate=expected_residual,
        summary="mean squared residual of Gaussian logits (K = 2), and the mean largest of K normals",
    ),
)
