"""The laws of small logits under weight decay, and their closed form at a point (T15)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Integer, Rational

from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, Predictor
from theory.temperature import inputs
from theory.temperature.small_logit_fixed_point import (
    LINEAR_CLAIM,
    LINEAR_DERIVATION,
    UNIFORM_CLAIM,
    UNIFORM_DERIVATION,
    epsilon,
)

MOST = 10_000
"""Classes whose logits are listed."""

CONTROL = Quantity(epsilon, "beta^2 over the weight decay lam")
REGIME = (
    "model linear in its parameters, any kernel, logits that start at 0, epsilon ||Theta|| much below 1; the rest is "
    "written through third order, with coefficients that solve its equation to fourth"
)
SOURCE = Source(
    "temperature",
    "eqs 15-17",
    ("temperature:T15", "temperature:E6", "temperature:E7", "temperature:E13"),
    "z* = (beta/lam)[1 + (beta^2/(K lam)) Theta (I x P)]^-1 Theta (Y - 1/K) errs at second order in beta^2/lam",
)

LAWS = (
    Law(
        name="temperature.small_logit_fixed_point",
        title="With beta^2 and the projection P put in, eq 16 errs at second order in beta^2/lam",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(CONTROL,),
        regime=REGIME + ". Three classes or more: with two the softmax does not bend and the error is of third order",
        derivation=LINEAR_DERIVATION,
        claim=LINEAR_CLAIM,
        rivals=(
            Rival("first order", replace(LINEAR_CLAIM, exponent=Integer(1)), "what eqs 15 and 16 as printed give"),
            Rival("third order", replace(LINEAR_CLAIM, exponent=Integer(3)), "true of two classes"),
        ),
    ),
    Law(
        name="temperature.uniform_fixed_point",
        title="Eq 17 errs at first order in beta^2/lam",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(CONTROL,),
        regime=REGIME + "; the coefficients are those of temperature.small_logit_fixed_point",
        derivation=UNIFORM_DERIVATION,
        claim=UNIFORM_CLAIM,
        rivals=(
            Rival("no error that grows", replace(UNIFORM_CLAIM, exponent=Integer(0)), "a wrong factor"),
            Rival("second order", replace(UNIFORM_CLAIM, exponent=Integer(2)), "that of eq 16 corrected"),
        ),
    ),
)


def small_logits(K: Any, theta: Any, beta: Any, lam: Any) -> Mapping[str, list[Expr]]:
    """Raw logits at rest of one point whose class is the first, by eq 16 corrected: exact.

    z = (beta theta / lam)/(1 + beta^2 theta/(K lam)) (Y - 1/K), which the projection P leaves as it is.

    Raises
    ------
    OutsideDomain
        For K below 2, a negative kernel, or a temperature or decay that is not positive.

    Examples
    --------
    >>> small_logits(Integer(2), Integer(1), Integer(1), Integer(1))
    {'z': [1/3, -1/3]}
    """
    classes = inputs.count("K", K, 2, MOST)
    size = inputs.number("theta", theta, least=0)
    temperature, decay = inputs.number("beta", beta, positive=True), inputs.number("lam", lam, positive=True)
    scale = (temperature * size / decay) / (1 + temperature**2 * size / (classes * decay))
    return {"z": [scale * (int(k == 0) - Rational(1, classes)) for k in range(classes)]}


PREDICTORS = (
    Predictor(
        name="temperature.small_logit_fixed_point",
        laws=("temperature.small_logit_fixed_point",),
        inputs=(
            Input("K", "number of classes, at least 2"),
            Input("theta", "tangent kernel of the point, at least 0"),
            Input("beta", "inverse temperature, positive"),
            Input("lam", "weight decay towards the start, positive"),
        ),
        evaluate=small_logits,
        summary="raw logits at rest of one point of the first class, small logits",
    ),
)
