"""The largest stable learning rate at a uniform softmax falls like 1/beta^2 (temperature:T31).

Near Z = 0 with labels 1/K nothing is left to learn: gradient descent takes a small displacement of the logits to
(1 - eta beta^2 lam / K) times itself along v[m] e[i], with v an eigenvector of the tangent kernel Theta_x over
the points and e any vector over the classes that sums to 0.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import (
    Derivative,
    Eq,
    Expr,
    Function,
    IndexedBase,
    Integer,
    Le,
    Limit,
    Rational,
    S,
    Symbol,
    exp,
)

from theory.claims import Band
from theory.definitions.temperature import MEANINGS, K, M, beta, eta, i, k, m, n, over_classes, over_points
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

lam_max = Symbol("lam_max", positive=True)
size = Symbol("t", positive=True)
factor = Symbol("factor", real=True)
Theta_x, v, e, start = (IndexedBase(name, real=True) for name in ("Theta_x", "v", "e", "V"))
softmax_at, Z_next = (Function(name, real=True) for name in ("sigma", "Z_next"))

EDGE = 2 * K / (beta**2 * lam_max)
CLAIM = Band(Le(factor**2, 1, evaluate=False), eta, None, EDGE)

MODE = Suppose(
    "v is an eigenvector of the kernel",
    Eq(over_points(Theta_x[m, n] * v[n], n), lam_max * v[m], evaluate=False),
    forall=(m,),
)
BALANCED = Suppose("e sums to 0", Eq(over_classes(e[k]), 0, evaluate=False))
SOFTMAX = Define(
    "softmax of a small displacement",
    softmax_at(n, i, size),
    exp(size * v[n] * e[i]) / over_classes(exp(size * v[n] * e[k])),
    "the labels are what is left of it at no displacement",
)
STEP = Define(
    "a step from a displacement",
    Z_next(m, i, size),
    size * v[m] * e[i] + eta * beta**2 * over_points(Theta_x[m, n] * (1 / K - softmax_at(n, i, size)), n),
    "a constant added to all displacements is none",
)
FACTOR = Define(
    "growth of a small displacement in a step",
    factor,
    Limit(Derivative(Z_next(m, i, size), size), size, 0) / (v[m] * e[i]),
    "its square is asked for",
)


def a_mode(source: random.Random) -> World:
    """Two points that are alike: the sum of the rows is the largest eigenvalue."""
    own, other = fraction(source, 3, 6), fraction(source, 1, 3)
    first = fraction(source, 1, 2)
    return World(
        {
            M: 2,
            K: 2,
            m: source.randint(1, 2),
            n: source.randint(1, 2),
            i: source.randint(1, 2),
            Theta_x: [[own, other], [other, own]],
            lam_max: own + other,
            v: [Integer(1), Integer(1)],
            e: [first, -first],
            size: fraction(source),
            eta: fraction(source, 1, 4) / 20,
            beta: fraction(source, 1, 4),
        }
    )


DERIVATION = Derivation(
    premises=(MODE, BALANCED, SOFTMAX, STEP, FACTOR),
    steps=(
        Tends(
            "a small displacement along a mode keeps its form",
            Derivative(Z_next(m, i, size), size),
            size,
            Integer(0),
            (1 - eta * beta**2 * lam_max / K) * v[m] * e[i],
            uses=(MODE.name, BALANCED.name, SOFTMAX.name, STEP.name),
            normal=(exponentials, sums, rational),
            because="the slope of the softmax at 1/K is the displacement over K, the kernel multiplies it by lam",
        ),
        Equal(
            "square of its growth",
            factor**2,
            1 + eta * (beta**2 * lam_max / K) ** 2 * (eta - EDGE),
            uses=("a small displacement along a mode keeps its form", FACTOR.name),
            because="a quadratic in the learning rate that is 1 at 0 and at the edge",
        ),
        Holds(
            "stable up to the edge",
            CLAIM.statement,
            uses=("square of its growth",),
            because="all factors but the last are positive",
        ),
    ),
    worlds=a_mode,
)

LAWS = (
    Law(
        name="temperature.stability_edge",
        title="At a uniform softmax gradient descent is stable up to the learning rate 2K/(beta^2 lam_max)",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T31",),
            "linear threshold around Z = 0: eta beta^2 lam_max(Theta_x)/K < 2",
        ),
        quantities=(
            Quantity(factor, "what one step multiplies a small displacement along the fastest mode with"),
            Quantity(eta, *MEANINGS[eta]),
            Quantity(K, *MEANINGS[K]),
            Quantity(beta, *MEANINGS[beta]),
            Quantity(lam_max, "largest eigenvalue of the tangent kernel over the points"),
        ),
        regime="small displacements from Z = 0 with labels 1/K, where the residual is zero and the network's own "
        "curvature drops out; block-diagonal kernel, whose largest eigenvalue belongs to the fastest mode; loss summed",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("no softmax", replace(CLAIM, upper=EDGE / K), "takes the loss for a square: its curvature is 1"),
            Rival("one beta", replace(CLAIM, upper=beta * EDGE), "forgets that Z = beta z moves"),
            Rival("fastest", replace(CLAIM, upper=EDGE / 2), "is the rate that kills the mode in one step"),
        ),
    ),
)


def largest_rate(K: Any, lam_max: Any, beta: Any) -> Mapping[str, Expr]:
    """Largest stable learning rate around Z = 0 for a loss summed over points.

    Parameters
    ----------
    K
        Classes: an integer, at least 2.
    lam_max
        Largest eigenvalue of the tangent kernel over the points (of the raw logits), positive.
    beta
        Inverse temperature, positive.

    Examples
    --------
    >>> largest_rate(Integer(10), Integer(4), Rational(1, 2))["eta_max"]
    20
    """
    if not isinstance(K, Integer) or K < 2:
        raise OutsideDomain(f"K is {K}; give an integer from 2 on")
    for name, value in (("lam_max", lam_max), ("beta", beta)):
        if not isinstance(value, Rational) or value <= S.Zero:
            raise OutsideDomain(f"{name} is {value}; give a positive finite number")
    return {"eta_max": 2 * K / (beta**2 * lam_max)}


PREDICTORS = (
    Predictor(
        name="temperature.stability_edge",
        laws=("temperature.stability_edge",),
        inputs=(
            Input("K", "classes: an integer from 2 on"),
            Input("lam_max", "largest eigenvalue of the tangent kernel over the points, positive"),
            Input("beta", "inverse temperature, positive"),
        ),
        evaluate=largest_rate,
        summary="largest stable learning rate at a uniform softmax",
    ),
)
