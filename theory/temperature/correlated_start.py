"""Two halves with correlated readouts: the size of their logits, and which correlations there are (T34).

z_c = (W_1 + W_2) h with one body at the start; entries of W_a have mean 0, variance 1 and correlation c between
the halves (eqs 71, 72). Squares are summed over the points and averaged over the readouts.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import (
    Add,
    And,
    Expr,
    Function,
    Ge,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Rational,
    S,
    Sum,
    Symbol,
    sqrt,
)

from theory.claims import Band, Formula
from theory.definitions.temperature import MEANINGS, M, beta, m, over_points
from theory.errata import Counterexample, Erratum, Measurement, Witness
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor, Undefined
from theory.proof.derivation import Derivation
from theory.proof.premises import Define
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

N, a, b, unit, other = (Symbol(name, integer=True, positive=True) for name in ("N", "a", "b", "c_1", "c_2"))
correlation = Symbol("correlation", real=True)
one, two = Symbol("v_1", real=True), Symbol("v_2", real=True)
square_z0, square_Z0 = (Symbol(name, real=True) for name in ("square_z0", "square_Z0"))
h, moment = (IndexedBase(name, real=True) for name in ("h", "moment"))
form = Function("variance", real=True)

SIZE = Formula(square_Z0, 2 * beta**2 * (1 + correlation) * square_z0)
RANGE = Band(
    And(Ge(form(1, 1), 0, evaluate=False), Ge(form(1, -1), 0, evaluate=False)), correlation, Integer(-1), Integer(1)
)


def squared(factor: Expr) -> Expr:
    """Mean square of a logit: E[W_c W_c'] is the factor where both weights are of one unit, else 0."""
    return Sum(factor * KroneckerDelta(unit, other) * h[m, unit] * h[m, other], (unit, 1, N), (other, 1, N))


MOMENTS = Define(
    "moments of the readouts", moment[a, b], KroneckerDelta(a, b) + correlation * (1 - KroneckerDelta(a, b))
)
BASE = Define("square of the base model's logits", square_z0, over_points(Sum(h[m, unit] ** 2, (unit, 1, N))))
COMBINED = Define(
    "square of the combined logits",
    square_Z0,
    beta**2 * over_points(Sum(squared(moment[a, b]), (a, 1, 2), (b, 1, 2))),
)
FORM = Define(
    "variance of a mixture of both weights",
    form(one, two),
    moment[1, 1] * one**2 + (moment[1, 2] + moment[2, 1]) * one * two + moment[2, 2] * two**2,
    "a positive factor changes no sign",
)


def two_readouts(source: random.Random) -> World:
    """A few points and units, and a correlation, possible or not."""
    return World(
        {
            M: 2,
            N: 3,
            m: source.randint(1, 2),
            h: table(source, 2, 3),
            one: fraction(source, -3, 3),
            two: fraction(source, -3, 3),
            beta: fraction(source),
            correlation: fraction(source, -3, 3) / 2,
        }
    )


def halves(source: random.Random) -> World:
    """A possible correlation."""
    return World({**two_readouts(source).values, correlation: fraction(source, -1, 1)})


SIZE_DERIVATION = Derivation(
    premises=(MOMENTS, BASE, COMBINED),
    steps=(
        Equal(
            "size",
            SIZE.quantity,
            SIZE.value,
            uses=(MOMENTS.name, BASE.name, COMBINED.name),
            because="the four moments, two variances and two covariances, are a common factor of every point",
        ),
    ),
    worlds=halves,
)
RANGE_DERIVATION = Derivation(
    premises=(MOMENTS, FORM),
    steps=(
        Equal(
            "a mixture is a sum of squares",
            form(one, two) - form(1, -1) * (one - two) ** 2 / 4,
            form(1, 1) * (one + two) ** 2 / 4,
            uses=(MOMENTS.name, FORM.name),
            because="the sum and the difference of the weights are not correlated: if their variances may be, all may",
        ),
        Equal("variance of the sum", form(1, 1), 2 * (1 + correlation), uses=(MOMENTS.name, FORM.name)),
        Equal("variance of the difference", form(1, -1), 2 * (1 - correlation), uses=(MOMENTS.name, FORM.name)),
        Holds(
            "possible correlations",
            RANGE.statement,
            uses=("variance of the sum", "variance of the difference"),
            because="a variance is not negative",
        ),
    ),
    worlds=two_readouts,
)

LAWS = (
    Law(
        name="temperature.correlated_size",
        title="Two halves with correlated readouts start with logits of size sqrt(2 (1 + c)) times one half's",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app D.1",
            ("temperature:T34", "temperature:E25"),
            "||Z0|| = beta sqrt(2 (1 + c)) ||z0|| in root mean square over the readouts, at most 2 beta ||z0||",
        ),
        quantities=(
            Quantity(square_Z0, "mean over the readouts of the squared norm of the combined scaled logits"),
            Quantity(square_z0, "mean over the readouts of the squared norm of one half's raw logits"),
            Quantity(correlation, "correlation c of the two readouts, entry by entry"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="both halves with one body at the start; readouts of mean 0 and variance 1; root mean square over them",
        derivation=SIZE_DERIVATION,
        claim=SIZE,
        rivals=(
            Rival(
                "as printed",
                Formula(square_Z0, beta**2 * (1 + correlation) * square_z0),
                "counts one of the two variances, unless eq 71 carries 1/sqrt 2",
            ),
            Rival("no correlation", Formula(square_Z0, 2 * beta**2 * square_z0), "adds the variances alone"),
        ),
    ),
    Law(
        name="temperature.correlation_range",
        title="Two readouts of one variance may have the correlations from -1 to 1 and no others",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app D.1, eq 72",
            ("temperature:T34",),
            "the moments of eq 72 are those of random weights exactly for |c| <= 1",
        ),
        quantities=(
            Quantity(Symbol("variance"), "variance of a mixture of the two weights of one place"),
            Quantity(correlation, "correlation c of the two readouts, entry by entry"),
        ),
        regime="two weights of variance 1; moments of random numbers are those with no negative variance",
        derivation=RANGE_DERIVATION,
        claim=RANGE,
        rivals=(
            Rival("twice", replace(RANGE, lower=Integer(-2), upper=Integer(2)), "reads c as the sum of covariances"),
            Rival("half", replace(RANGE, lower=-S.Half, upper=S.Half), "asks for a dominant diagonal twice over"),
        ),
    ),
)


def correlation_for(beta: Any, z0_norm: Any, Z0_norm: Any) -> Mapping[str, Expr | Undefined]:
    """Correlation at which the combined network starts with scaled logits of a given norm.

    Parameters
    ----------
    beta, z0_norm
        Inverse temperature, and norm of one half's raw logits: positive.
    Z0_norm
        Norm asked for, at least 0; above 2 beta z0_norm no correlation gives it.

    Examples
    --------
    >>> correlation_for(Integer(1), Integer(1), Integer(1))["c"]
    -1/2
    """
    for name, value in (("beta", beta), ("z0_norm", z0_norm)):
        if not isinstance(value, Rational) or value <= S.Zero:
            raise OutsideDomain(f"{name} is {value}; give a positive finite number")
    if not isinstance(Z0_norm, Rational) or Z0_norm < S.Zero:
        raise OutsideDomain(f"Z0_norm is {Z0_norm}; give a finite number that is not negative")
    if Z0_norm > 2 * beta * z0_norm:
        return {"c": Undefined(f"Z0_norm is above 2 beta z0_norm = {2 * beta * z0_norm}: no correlation gives it")}
    return {"c": (Z0_norm / (beta * z0_norm)) ** 2 / 2 - 1}


PREDICTORS = (
    Predictor(
        name="temperature.correlated_initialisation",
        laws=("temperature.correlated_size", "temperature.correlation_range"),
        inputs=(
            Input("beta", "inverse temperature, positive"),
            Input("z0_norm", "norm of one half's raw logits at the start, positive"),
            Input("Z0_norm", "norm of the combined scaled logits asked for: from 0 to 2 beta z0_norm"),
        ),
        evaluate=correlation_for,
        summary="correlation of the two readouts that gives the initial logits a norm",
    ),
)


def mean_square_of_a_sum() -> tuple[Expr, Expr, Expr]:
    """||Z0||^2 at c = 0 for one unit of size 1, beta = 1: printed, derived, and the mean over all signs.

    Readouts of four signs each, drawn independently, have mean 0, variance 1 and correlation 0; the logit is
    their sum, and the mean of its square is taken over the four equally likely pairs.
    """
    signs = (Integer(-1), Integer(1))
    truth = Add(*((first + second) ** 2 for first in signs for second in signs)) / 4
    at_zero = {correlation: 0, beta: 1, square_z0: 1}
    printed = ((beta * sqrt(1 + correlation)) ** 2 * square_z0).subs(at_zero)
    return printed, SIZE.value.subs(at_zero), truth


def kernel_of_both_halves() -> tuple[bool, bool]:
    """Mean tangent kernel of two halves with one unit, at c = -1 and at c = 1, over readouts of both signs.

    z = w_1 h(a_1) + w_2 h(a_2) at a_1 = a_2 = a, all four parameters trained: the kernel of one class is
    h^2 + h^2 + (w_1^2 + w_2^2) h'^2, here with h = a^2 at a = 3.
    """
    w1, w2, a1, a2 = (Symbol(name, real=True) for name in ("w_1", "w_2", "a_1", "a_2"))
    logit = w1 * a1**2 + w2 * a2**2
    kernel = Add(*(logit.diff(parameter) ** 2 for parameter in (w1, w2, a1, a2)))
    signs = (Integer(-1), Integer(1))
    means = [
        Add(*(kernel.subs({a1: 3, a2: 3, w1: sign, w2: c * sign}) for sign in signs)) / 2
        for c in (Integer(-1), Integer(1))
    ]
    drawn = [Add(*(sign * c * sign for sign in signs)) / 2 for c in (Integer(-1), Integer(1))]
    return drawn == [-1, 1], bool(means[0] != means[1])


ERRATA = (
    Erratum(
        id="temperature:E25",
        where="app D.1",
        sentence="The initial logits of the combined network are sqrt 2 times as large as printed, and so is their "
        "bound.",
        printed="||Z0|| = beta sqrt(1 + c) ||z0||, at most sqrt(2) beta ||z0||",
        derived="||Z0|| = beta sqrt(2 (1 + c)) ||z0||, at most 2 beta ||z0|| (unless eq 71 carries 1/sqrt 2)",
        evidence=(
            Witness("mean square of the sum of two independent readouts of variance 1", mean_square_of_a_sum),
            Measurement("size of the logits of real networks", "temperature.correlated_size", "as printed"),
        ),
        law="temperature.correlated_size",
    ),
    Erratum(
        id="temperature:E26",
        where="app D.1",
        sentence="The mean tangent kernel does not depend on c with both halves trained either: it is even in the "
        "readouts.",
        printed="the tangent kernel is independent of c if only one set of weights is trained",
        derived="with both trained its mean, and its infinite-width limit, are independent of c too; only the "
        "realisation changes",
        evidence=(Counterexample("both halves trained, c = -1 and c = 1: the means agree", kernel_of_both_halves),),
        law="temperature.correlated_size",
    ),
)
