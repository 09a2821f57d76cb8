"""How often two correlated Gaussian logit vectors have their largest logit at the same class (temperature:T08).

Two classes are carried through: their difference and the other point's difference are a pair of Gaussians of the
same correlation c, a point in a plane. At every distance from 0 the directions in which both have the same sign are
weighed: a direction is told by the tangent t of half its angle, from -1 to 1, and the opposite ones by a negative
radius. Any number of classes is served by quadrature, and measured.
"""

import random
from collections.abc import Mapping
from typing import Any

from sympy import (
    And,
    Derivative,
    Expr,
    Function,
    Integer,
    Integral,
    Ne,
    Piecewise,
    Rational,
    Symbol,
    asin,
    atan,
    exp,
    pi,
    sqrt,
)

from theory.claims import Formula
from theory.definitions.inequalities import above, below
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.arcs import arcs
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, radicals, rational
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Pieced
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature import inputs
from theory.temperature.gaussian_logits import MOST, same_argmax

correlation, radius, t, h = (Symbol(name, real=True) for name in ("correlation", "radius", "t", "h"))
P_same = Symbol("P_same", real=True)
difference, independent, other, patch, weight, agreeing, all_round = (
    Function(name, real=True)
    for name in ("difference", "independent", "other_difference", "patch", "weight", "agreeing", "all_round")
)

INDEPENDENT = sqrt(1 - correlation**2)

CLAIM = Formula(P_same, Rational(1, 2) + asin(correlation) / pi)

BETWEEN = Suppose("neither the same nor opposite", And(above(correlation, -1), below(correlation, 1)))
SOMEWHERE = Suppose("not at 0", Ne(radius, 0, evaluate=False))
FIRST = Define("difference of one point's logits", difference(radius, t), radius * (1 - t**2) / (1 + t**2))
SECOND = Define("a normal independent of it", independent(radius, t), 2 * radius * t / (1 + t**2))
OTHER = Define(
    "difference of the other point's logits",
    other(radius, t),
    correlation * difference(radius, t) + INDEPENDENT * independent(radius, t),
)
PATCH = Define(
    "area of a patch of radii and directions",
    patch(radius, t),
    Derivative(difference(radius, t), radius) * Derivative(independent(radius, t), t)
    - Derivative(difference(radius, t), t) * Derivative(independent(radius, t), radius),
)
WEIGHT = Define(
    "weight of a patch",
    weight(radius, t),
    exp(-(difference(radius, t) ** 2 + independent(radius, t) ** 2) / 2) / (2 * pi) * patch(radius, t),
    "both weights have it as a factor, which cancels",
)
SAME_SIGN = Piecewise((weight(radius, t), above(difference(radius, t) * other(radius, t), 0)), (0, True))
AGREEING = Define(
    "weight of the directions in which both have the same sign", agreeing(radius), Integral(SAME_SIGN, (t, -1, 1))
)
ALL_ROUND = Define("weight of all directions", all_round(radius), Integral(weight(radius, t), (t, -1, 1)))
SAME = Define("share of the directions", P_same, agreeing(radius) / all_round(radius))
HALF = Define("tangent of half the angle whose sine is the correlation", h, correlation / (1 + INDEPENDENT))
RADIAL = radius * exp(-(radius**2) / 2) / pi


def a_correlation(source: random.Random) -> World:
    """Any correlation between -1 and 1, and any place of the plane."""
    return World(
        {
            correlation: Rational(source.randint(-9, 9), 10),
            radius: fraction(source, 1, 3) * source.choice((1, -1)),
            t: Rational(source.randint(-4, 4), 5),
        }
    )


DERIVATION = Derivation(
    premises=(BETWEEN, SOMEWHERE, FIRST, SECOND, OTHER, PATCH, WEIGHT, AGREEING, ALL_ROUND, SAME, HALF),
    steps=(
        Equal(
            "area",
            patch(radius, t),
            2 * radius / (1 + t**2),
            uses=(FIRST.name, SECOND.name, PATCH.name),
            normal=(derivatives, rational),
            forall=(radius, t),
        ),
        Equal(
            "distance",
            difference(radius, t) ** 2 + independent(radius, t) ** 2,
            radius**2,
            uses=(FIRST.name, SECOND.name),
            normal=(rational,),
            forall=(radius, t),
        ),
        Equal(
            "weight knows no direction",
            weight(radius, t),
            RADIAL / (1 + t**2),
            uses=("area", "distance", WEIGHT.name),
            because="two independent normals have the density of their distance to 0, and an angle is 2 atan(t)",
            forall=(radius, t),
        ),
        Pieced(
            "all directions",
            weight(radius, t),
            t,
            (Integer(-1), Integer(1)),
            (RADIAL * atan(t),),
            uses=("weight knows no direction",),
        ),
        Equal(
            "product of the differences",
            difference(radius, t) * other(radius, t),
            2 * radius**2 * (1 - t**2) * (h + t) * (1 - h * t) / ((1 + h**2) * (1 + t**2) ** 2),
            uses=(FIRST.name, SECOND.name, OTHER.name, HALF.name),
            normal=(radicals, rational),
            because="so that the other difference is 0 at t = -h",
            forall=(radius, t),
        ),
        Holds("something is independent", above(INDEPENDENT, 0), uses=(BETWEEN.name,)),
        Holds(
            "that place is one of them", And(above(h, -1), below(h, 1)), uses=("something is independent", HALF.name)
        ),
        Pieced(
            "directions of the same sign",
            SAME_SIGN,
            t,
            (Integer(-1), -h, Integer(1)),
            (Integer(0), RADIAL * atan(t)),
            uses=(
                "weight knows no direction",
                "product of the differences",
                "that place is one of them",
                SOMEWHERE.name,
            ),
            because="the first difference has the sign of the radius in all of them, the other one from t = -h on",
        ),
        Equal(
            "by half the angle",
            P_same,
            Rational(1, 2) + 2 * atan(h) / pi,
            uses=("all directions", "directions of the same sign", AGREEING.name, ALL_ROUND.name, SAME.name),
        ),
        Equal(
            "same largest logit",
            CLAIM.quantity,
            CLAIM.value,
            uses=("by half the angle", HALF.name),
            normal=(arcs,),
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
        regime="two classes; jointly Gaussian logits, independent between classes, correlation between -1 and 1. "
        "For K classes predict integrates K phi_2 Phi_2^(K-1).",
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
