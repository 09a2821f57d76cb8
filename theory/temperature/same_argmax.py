"""How often two correlated Gaussian logit vectors have their largest logit at the same class (temperature:T08).

Two classes are carried through: their difference and the other point's difference are a pair of Gaussians of the
same correlation c, a point in a plane seen from an angle that is uniform. Any number of classes is served by
quadrature, and measured.
"""

import random
from collections.abc import Mapping
from typing import Any

from sympy import Expr, Rational, Symbol, asin, pi

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Derivation
from theory.proof.premises import Define
from theory.proof.steps import Equal
from theory.proof.worlds import World
from theory.temperature import inputs
from theory.temperature.gaussian_logits import MOST, same_argmax

correlation = Symbol("correlation", real=True)
angle, apart, P_same = (Symbol(name) for name in ("angle", "apart", "P_same"))

CLAIM = Formula(P_same, Rational(1, 2) + asin(correlation) / pi)

ANGLE = Define("angle between the two half-planes, from the right one", angle, asin(correlation))
APART = Define(
    "directions in which the signs differ: two wedges, each as wide as the half-planes are apart",
    apart,
    2 * (pi / 2 - angle),
)
SAME = Define("share of the other directions", P_same, 1 - apart / (2 * pi))


def a_correlation(source: random.Random) -> World:
    """Any correlation between -1 and 1."""
    return World({correlation: Rational(source.randint(-9, 9), 10)})


DERIVATION = Derivation(
    premises=(ANGLE, APART, SAME),
    steps=(
        Equal(
            "same largest logit",
            CLAIM.quantity,
            CLAIM.value,
            uses=(ANGLE.name, APART.name, SAME.name),
            because="d and d' have correlation c: d' is d turned by the angle whose cosine is c",
        ),
    ),
    worlds=a_correlation,
)

LAWS = (
    Law(
        name="temperature.same_argmax",
        title="Two classes: correlated Gaussian logits have the same winner with chance 1/2 + arcsin(c)/pi",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app C, beyond",
            ("temperature:T08",),
            "P_same(c) is K int phi_2 Phi_2^(K-1); for K = 2 it is 1/2 + arcsin(c)/pi",
        ),
        quantities=(
            Quantity(P_same, "chance that two points have the same largest logit"),
            Quantity(correlation, "correlation of the initial logits of two points"),
        ),
        regime="two classes; jointly Gaussian logits, independent between classes. The two wedges of a plane are "
        "the premise. For K classes assay predict integrates K phi_2 Phi_2^(K-1).",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("linear", Formula(P_same, (1 + correlation) / 2), "right at -1, 0 and 1 alone"),
            Rival(
                "half the angle",
                Formula(P_same, Rational(1, 2) + asin(correlation) / (2 * pi)),
                "counts one of the two wedges, as for both signs positive",
            ),
        ),
    ),
)


def probability(K: Any, correlation: Any) -> Mapping[str, Expr]:
    """Chance that two correlated Gaussian K-vectors have the same largest entry.

    Raises
    ------
    OutsideDomain
        For K below 2 or a correlation outside [-1, 1].

    Examples
    --------
    >>> from sympy import Integer
    >>> probability(Integer(2), Rational(-1, 2))
    {'probability': 1/3}
    """
    classes = inputs.count("K", K, 2, MOST)
    return {"probability": same_argmax(classes, correlation_of("correlation", correlation))}


def correlation_of(name: str, value: Any) -> Rational:
    """A number in [-1, 1].

    Raises
    ------
    OutsideDomain
        For anything else.

    Examples
    --------
    >>> correlation_of("c", Rational(1, 2))
    1/2
    """
    if not isinstance(value, Rational) or abs(value) > 1:
        raise OutsideDomain(f"{name} is {value}; give a correlation between -1 and 1")
    return value


PREDICTORS = (
    Predictor(
        name="temperature.same_argmax",
        laws=("temperature.same_argmax",),
        inputs=(
            Input("K", "number of classes, at least 2"),
            Input("correlation", "correlation of the two vectors' entries, between -1 and 1"),
        ),
        evaluate=probability,
        summary="chance that two correlated Gaussian K-vectors have the same largest entry",
    ),
)
