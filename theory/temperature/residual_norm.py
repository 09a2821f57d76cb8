"""How large the residual of Gaussian logits is, and Stein's identity for its confident part (temperature:T09).

Means are taken over an ensemble: `draws` starts with the weights w[a], which sum to 1. What is asked of the ensemble
is what normals have: that no class is preferred, or that nothing flows through the far ends of their density.
"""

import random
from collections.abc import Mapping
from typing import Any

from sympy import (
    Derivative,
    Eq,
    Expr,
    Implies,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Matrix,
    N,
    Rational,
    S,
    Sum,
    Symbol,
    exp,
)

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

correct, draws, a = (Symbol(name, integer=True, positive=True) for name in ("c", "draws", "a"))
logit_scale = Symbol("logit_scale", positive=True)
residual_norm, Y2, lead, share = (Symbol(name, real=True) for name in ("residual_norm", "Y2", "lead", "share"))
g, p, w, density, mean_p, mean_flux, Y = (
    IndexedBase(name, real=True) for name in ("g", "p", "w", "density", "mean_p", "mean_flux", "Y")
)

NORM_CLAIM = Formula(residual_norm, 1 - 2 / K + Y2)
STEIN_CLAIM = Formula(lead, logit_scale * (1 - Y2))


def over_draws(term: Expr) -> Expr:
    """Mean over the ensemble of starts."""
    return Sum(w[a] * term, (a, 1, draws))


CORRECT = Suppose("the label is a class", correct <= K)
LABEL = Define("one-hot label", Y[k], KroneckerDelta(k, correct))
WEIGHTS = Suppose("weights sum to 1", Eq(over_draws(Integer(1)), 1, evaluate=False))
SHARES = Suppose("probabilities sum to 1", Eq(over_classes(p[a, k]), 1, evaluate=False), forall=(a,))
MEAN = Define("mean probability", mean_p[k], over_draws(p[a, k]))
FAIR = Suppose("no class is preferred", Eq(mean_p[k], share, evaluate=False), forall=(k,))
RESIDUAL = Define("squared residual over the ensemble", residual_norm, over_draws(over_classes((Y[k] - p[a, k]) ** 2)))
CONFIDENT = Define("mean of the sum of squared probabilities", Y2, over_draws(over_classes(p[a, k] ** 2)))

SOFTMAX = Define("softmax", p[a, i], softmax_of(logit_scale * g[a, i], i, k))
DENSITY = Define(
    "density of the normals, up to a factor",
    density[a],
    exp(-over_classes(g[a, k] ** 2) / 2),
    "a factor of the density is lost where its mean is taken",
)
LEAD = Define("mean of the softmax-weighted normal", lead, over_draws(over_classes(g[a, k] * p[a, k])))
DIVERGENCE = Derivative(density[a] * p[a, i], g[a, i]) / density[a]
FLUX = Define("mean of a divergence over the density", mean_flux[i], over_draws(DIVERGENCE))
STILL = Suppose(
    "it vanishes with the density", Implies(i <= K, Eq(mean_flux[i], 0, evaluate=False), evaluate=False), forall=(i,)
)


def a_label(source: random.Random) -> World:
    """Probabilities of a few classes, turned round them, so that no class is preferred."""
    classes = source.randint(2, 4)
    parts = table(source, classes, low=1)
    drawn = [[parts[(place + turn) % classes] / sum(parts) for place in range(classes)] for turn in range(classes)]
    return World(
        {
            K: classes,
            draws: classes,
            a: source.randint(1, classes),
            w: [Rational(1, classes)] * classes,
            p: drawn,
            share: Rational(1, classes),
            correct: source.randint(1, classes),
            k: source.randint(1, classes),
        }
    )


def some_normals(source: random.Random) -> World:
    """Three draws of two logits, weighed so that the mean of either divergence vanishes."""
    scale = fraction(source, 1, 2)
    drawn = table(source, 3, 2, low=-2, high=2)
    flows = []
    for row in drawn:
        weights = [N(exp(scale * x), 90) for x in row]
        shares = [x / sum(weights) for x in weights]
        flows.append([scale * (x - x**2) - y * x for x, y in zip(shares, row, strict=True)])
    rows = Matrix([[1, 1, 1], *([flow[place] for flow in flows] for place in range(2))])
    solved = rows.LUsolve(Matrix([1, 0, 0])) if rows.det() != 0 else (0, 0, 0)
    return World(
        {
            K: 2,
            draws: 3,
            a: source.randint(1, 3),
            i: source.randint(1, 2),
            k: source.randint(1, 2),
            g: drawn,
            w: list(solved),
            logit_scale: scale,
        }
    )


NORM_DERIVATION = Derivation(
    premises=(CORRECT, LABEL, WEIGHTS, SHARES, MEAN, FAIR, RESIDUAL, CONFIDENT),
    steps=(
        Equal("shares add up", K * share, over_classes(mean_p[k]), uses=(FAIR.name,)),
        Equal(
            "as probabilities do",
            over_classes(mean_p[k]),
            over_draws(over_classes(p[a, k])),
            uses=(MEAN.name,),
        ),
        Equal("one in K", share, 1 / K, uses=("shares add up", "as probabilities do", SHARES.name, WEIGHTS.name)),
        Equal(
            "the square opened",
            residual_norm,
            over_classes(Y[k] ** 2 - 2 * Y[k] * mean_p[k]) + Y2,
            uses=(RESIDUAL.name, CONFIDENT.name, MEAN.name, WEIGHTS.name),
            because="the label is the same whatever start is drawn",
        ),
        Equal(
            "mean squared residual",
            NORM_CLAIM.quantity,
            NORM_CLAIM.value,
            uses=("the square opened", CORRECT.name, LABEL.name, FAIR.name, "one in K"),
            because="the label takes 1, and 2/K in the cross term",
        ),
    ),
    worlds=a_label,
)

STEIN_DERIVATION = Derivation(
    premises=(CLASS, SOFTMAX, DENSITY, LEAD, CONFIDENT, WEIGHTS, FLUX, STILL),
    steps=(
        Equal(
            "divergence",
            DIVERGENCE,
            logit_scale * (p[a, i] - p[a, i] ** 2) - g[a, i] * p[a, i],
            uses=(CLASS.name, SOFTMAX.name, DENSITY.name),
            normal=(derivatives, exponentials, sums, rational),
            because="the softmax rises by p (1 - p) in its own logit, the density falls by g",
            forall=(a, i),
        ),
        Equal(
            "its mean",
            mean_flux[i],
            over_draws(logit_scale * (p[a, i] - p[a, i] ** 2) - g[a, i] * p[a, i]),
            uses=("divergence", FLUX.name, CLASS.name),
            forall=(i,),
        ),
        Equal("probabilities sum to 1", over_classes(p[a, k]), Integer(1), uses=(SOFTMAX.name,), forall=(a,)),
        Equal(
            "so do their means",
            over_draws(over_classes(p[a, k])),
            Integer(1),
            uses=("probabilities sum to 1", WEIGHTS.name),
        ),
        Equal(
            "all classes",
            lead,
            logit_scale * (1 - Y2) - over_classes(mean_flux[k]),
            uses=("its mean", LEAD.name, CONFIDENT.name, "so do their means"),
        ),
        Equal(
            "Stein's identity",
            STEIN_CLAIM.quantity,
            STEIN_CLAIM.value,
            uses=("all classes", STILL.name),
            because="integration by parts: nothing flows through the far ends of the density",
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
        regime="any ensemble of logits that prefers no class, whatever the label; any K and any scale",
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
        regime="Z = s g with independent standard normals g: of them it is used that the mean of each divergence of "
        "density times softmax, over the density, is 0; shown for ensembles of draws, whose limit is a premise",
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
