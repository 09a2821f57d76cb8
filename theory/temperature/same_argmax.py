"""How often two correlated Gaussian logit vectors have their largest logit at the same class (temperature:T08).

Two classes are carried through: their difference and the other point's difference are a pair of Gaussians of the
same correlation c, a point in a plane. No direction of the plane is told from another, and the other difference is the
first one seen from a turned direction. Any number of classes is served by quadrature, and measured.
"""

import random
from collections.abc import Mapping
from typing import Any

from sympy import Derivative, Expr, Function, Integer, Integral, Rational, Symbol, asin, cos, exp, pi, sin, sqrt

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, radicals, rational, trigonometric
from theory.proof.premises import Define
from theory.proof.steps import Equal, Integrates
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature import inputs
from theory.temperature.gaussian_logits import MOST, same_argmax

correlation = Symbol("correlation", real=True)
radius = Symbol("radius", positive=True)
phi, psi = Symbol("phi", real=True), Symbol("psi", real=True)
turn, apart, P_same = (Symbol(name) for name in ("turn", "apart", "P_same"))
difference, independent, patch, weight = (
    Function(name, real=True) for name in ("difference", "independent", "patch", "weight")
)
other, all_round, share = (Function(name) for name in ("other_difference", "all_round", "share"))

CLAIM = Formula(P_same, Rational(1, 2) + asin(correlation) / pi)

FIRST = Define("difference of one point's logits", difference(radius, phi), radius * cos(phi))
SECOND = Define("a normal independent of it", independent(radius, phi), radius * sin(phi))
OTHER = Define(
    "difference of the other point's logits",
    other(radius, phi),
    correlation * difference(radius, phi) + sqrt(1 - correlation**2) * independent(radius, phi),
)
PATCH = Define(
    "area of a patch of radii and directions",
    patch(radius, phi),
    Derivative(difference(radius, phi), radius) * Derivative(independent(radius, phi), phi)
    - Derivative(difference(radius, phi), phi) * Derivative(independent(radius, phi), radius),
)
EVERYWHERE = "it is the same in every direction, at phi^2 too"
WEIGHT = Define(
    "weight of a patch",
    weight(radius, phi),
    exp(-(difference(radius, phi) ** 2 + independent(radius, phi) ** 2) / 2) / (2 * pi) * patch(radius, phi),
    EVERYWHERE,
)
ALL_ROUND = Define("weight of a radius", all_round(radius), Integral(weight(radius, psi), (psi, 0, 2 * pi)))
SHARE = Define("share of a direction", share(radius, phi), weight(radius, phi) / all_round(radius), EVERYWHERE)
TURN = Define("turn whose cosine is the correlation", turn, pi / 2 - asin(correlation))
APART = Define("width of the directions in which the signs differ: two wedges between the zeros", apart, 2 * turn)
SAME = Define("share of the other directions", P_same, (2 * pi - apart) * share(radius, phi))
RADIAL = radius * exp(-(radius**2) / 2) / (2 * pi)


def a_correlation(source: random.Random) -> World:
    """Any correlation between -1 and 1, and any place of the plane."""
    return World(
        {
            correlation: Rational(source.randint(-9, 9), 10),
            radius: fraction(source, 1, 3),
            phi: fraction(source, -3, 3),
            psi: fraction(source, -3, 3),
        }
    )


DERIVATION = Derivation(
    premises=(FIRST, SECOND, OTHER, PATCH, WEIGHT, ALL_ROUND, SHARE, TURN, APART, SAME),
    steps=(
        Equal(
            "area",
            patch(radius, phi),
            radius,
            uses=(FIRST.name, SECOND.name, PATCH.name),
            normal=(derivatives, trigonometric, rational),
            forall=(radius, phi),
        ),
        Equal(
            "weight knows no direction",
            weight(radius, phi),
            RADIAL,
            uses=("area", FIRST.name, SECOND.name, WEIGHT.name),
            normal=(trigonometric,),
            because="two independent normals have the density of their distance to 0",
            forall=(radius, phi),
        ),
        Integrates(
            "round the circle",
            weight(radius, psi),
            psi,
            Integer(0),
            2 * pi,
            RADIAL * psi,
            uses=("weight knows no direction",),
        ),
        Equal("all directions", all_round(radius), 2 * pi * RADIAL, uses=(ALL_ROUND.name, "round the circle")),
        Equal(
            "each direction",
            share(radius, phi),
            1 / (2 * pi),
            uses=(SHARE.name, "weight knows no direction", "all directions"),
        ),
        Equal(
            "the other difference is the first one turned",
            other(radius, phi),
            radius * cos(phi - turn),
            uses=(FIRST.name, SECOND.name, OTHER.name, TURN.name),
            normal=(trigonometric, radicals, rational),
            because="so that its zeros are those of the first, turned as far",
        ),
        Equal(
            "same largest logit",
            CLAIM.quantity,
            CLAIM.value,
            uses=("each direction", TURN.name, APART.name, SAME.name),
            because="at every radius the signs differ between the zeros of both, in two wedges",
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
        regime="two classes; jointly Gaussian logits, independent between classes. It is derived that all directions "
        "weigh the same and that one difference is the other turned; that two cosines so turned have different signs "
        "in two wedges between their zeros is a premise. For K classes predict integrates K phi_2 Phi_2^(K-1).",
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
