"""One point, two classes, weight decay: where the logits rest, at which rate, and how well W gives it (T17, T18).

The kernel is theta 1 and the logits start at 0, so that Z = (u/2, -u/2) at rest (temperature.conserved_sum). The
large-logit form keeps the exponential alone: w e^w = 2 beta^2 theta / lam instead of u (1 + e^u).
"""

import random
from collections.abc import Mapping
from typing import Any

import mpmath
from sympy import Abs, Derivative, Eq, Expr, Float, Function, LambertW, Limit, S, Symbol, exp

from theory.claims import Bound, Formula, Identity
from theory.definitions.inequalities import above, at_least, at_most, below
from theory.definitions.temperature import MEANINGS, beta, drive, eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, Predictor
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Cases, Equal, Holds, Tends
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature import inputs
from theory.temperature.convex_roots import balance, real
from theory.temperature.regularised_flow import FLOW_AGAIN as FLOW
from theory.temperature.regularised_flow import dz, lam, zdot

theta, u, w = (Symbol(name, positive=True) for name in ("theta", "u", "w"))
x, y = (Symbol(name, real=True) for name in "xy")
p_correct, z_correct, z_other, rate, excess, left_out, grown, again = (
    Symbol(name, real=True) for name in ("p_correct", "z_correct", "z_other", "rate", "excess", "q", "grown", "again")
)
speed, p_at = (Function(name, real=True) for name in ("speed", "p_at"))
control = 2 * beta**2 * theta / lam
DIGITS = 30

REST_CLAIM = Identity(u * (1 + exp(u)), control)
RATE_CLAIM = Formula(rate, eta * lam * (1 + u / (1 + exp(-u))))
ERROR_CLAIM = Bound(Abs(excess * (1 + u) - exp(-u)), exp(-2 * u))

CORRECT, OTHER = dz[1, 1], dz[1, 2]
LOGITS = (
    Define("scaled logit of the correct class", z_correct, beta * CORRECT),
    Define("of the other", z_other, beta * OTHER),
)
PROBABILITY = Define("its probability", p_correct, exp(z_correct) / (exp(z_correct) + exp(z_other)))
DRIVES = (
    Define("drive of the correct class: theta (1 - p)", drive[1, 1], theta * (1 - p_correct)),
    Define("drive of the other: theta (0 - (1 - p))", drive[1, 2], -theta * (1 - p_correct)),
)
RESTS = (
    Suppose("the correct class rests", Eq(zdot[1, 1], 0, evaluate=False)),
    Suppose("the other rests", Eq(zdot[1, 2], 0, evaluate=False)),
)
GAP = Suppose("u is the gap between the scaled logits", Eq(u, z_correct - z_other, evaluate=False))
BALANCES = tuple(
    Equal(
        f"balance of {name}",
        change,
        (beta * drive[1, k] - zdot[1, k] / eta) / lam,
        uses=(FLOW.name,),
        because="where the drive and the decay hold each other",
    )
    for k, (name, change) in enumerate((("the correct class", CORRECT), ("the other", OTHER)), 1)
)
LEADS = Equal(
    "probability by the balance",
    p_correct,
    1 - u / control,
    uses=(*names(*LOGITS, *DRIVES, *RESTS, GAP), *(b.name for b in BALANCES)),
    normal=(rational,),
    because="the drives of both classes are opposite, so that the gap is twice a change",
)
SOFTMAX = Equal(
    "probability by the gap",
    control * (1 - p_correct) * (1 + exp(u)),
    control,
    uses=names(PROBABILITY, GAP),
    normal=(exponentials, rational),
    because="1 - p is 1/(1 + e^u)",
)


def at_rest(source: random.Random) -> World:
    """A gap, and the decay that holds it."""
    gap, temperature, size = fraction(source, 1, 4), fraction(source), fraction(source)
    change = gap / (2 * temperature)
    return World(
        {
            u: gap,
            beta: temperature,
            theta: size,
            eta: fraction(source),
            lam: 2 * temperature**2 * size / (gap * (1 + exp(gap))),
            dz: [[change, -change]],
        }
    )


REST = Derivation(
    premises=(FLOW, *LOGITS, PROBABILITY, *DRIVES, *RESTS, GAP),
    steps=(
        *BALANCES,
        LEADS,
        SOFTMAX,
        Holds("rest", Eq(REST_CLAIM.left, REST_CLAIM.right, evaluate=False), uses=(LEADS.name, SOFTMAX.name)),
    ),
    worlds=at_rest,
)

PROBABILITY_AT = Define("probability of the correct class at a gap", p_at(x), 1 / (1 + exp(-x)))
SPEED = Define("speed of the gap", speed(x), eta * (2 * beta**2 * theta * (1 - p_at(x)) - lam * x))
RATE = Define("rate at rest", rate, -Limit(Derivative(speed(x), x), x, u))

HELD = Imported("rest", REST)
RELAXATION = Derivation(
    premises=(*RESTS, GAP, HELD, PROBABILITY_AT, SPEED, RATE),
    steps=(
        Tends(
            "slope of the speed",
            Derivative(speed(x), x),
            x,
            u,
            -eta * (2 * beta**2 * theta * exp(u) / (1 + exp(u)) ** 2 + lam),
            uses=(PROBABILITY_AT.name, SPEED.name),
            normal=(exponentials, rational),
            because="the slope of the softmax is p (1 - p), the decay adds its own",
        ),
        Equal("drive at rest", theta, lam * REST_CLAIM.left / (2 * beta**2), uses=(HELD.name,), normal=(rational,)),
        Equal(
            "rate of relaxation",
            RATE_CLAIM.quantity,
            RATE_CLAIM.value,
            uses=("slope of the speed", RATE.name, "drive at rest"),
            normal=(exponentials, rational),
            because="at rest 2 beta^2 theta is lam u (1 + e^u)",
        ),
    ),
    worlds=at_rest,
)

LAMBERT = Suppose("the exponential alone is kept", Eq(w * exp(w), u * (1 + exp(u)), evaluate=False))
EXCESS = Define("relative error", excess, w / u - 1)
SMALL = Define("what was left out", left_out, exp(-u))
GROWN = Define("growth by the error", grown, exp(u * excess))
AGAIN = Define("growth by the relative error", again, exp(excess))
TANGENT = Suppose("an exponential lies above its tangent", at_least(exp(y), 1 + y), forall=(y,))
BELOW = Suppose("and below that of its inverse", at_most(exp(y) * (1 - y), 1), forall=(y,))
BOTH = excess * (1 + u)


def a_gap(source: random.Random) -> World:
    """A gap at rest, and the one that keeps the exponential alone."""
    gap = fraction(source, 1, 4)
    return World({u: gap, w: LambertW(gap * (1 + exp(gap))), y: fraction(source, -2, 2)})


ERROR = Derivation(
    premises=(LAMBERT, EXCESS, SMALL, GROWN, AGAIN, TANGENT, BELOW),
    steps=(
        Equal(
            "what balances",
            grown * (1 + excess),
            1 + left_out,
            uses=(LAMBERT.name, EXCESS.name, SMALL.name, GROWN.name),
            normal=(exponentials, rational),
            because="w e^w over u e^u",
        ),
        Holds("positive", above(1 + excess, 0), uses=(EXCESS.name,)),
        Holds(
            "grown above its tangent",
            at_least(grown, 1 + u * excess),
            uses=(GROWN.name, TANGENT.name),
            instances=((TANGENT.name, {y: u * excess}),),
        ),
        Holds(
            "not more",
            at_least(left_out, BOTH),
            uses=("what balances", "positive", "grown above its tangent"),
            because="(1 + x)(1 + u x) <= 1 + q",
        ),
        Holds(
            "grown twice",
            at_least(grown * again, 1 + left_out),
            uses=("what balances", AGAIN.name, GROWN.name, TANGENT.name),
            instances=((TANGENT.name, {y: excess}),),
        ),
        Holds(
            "below the inverse's tangent",
            at_most(grown * again * (1 - BOTH), 1),
            uses=(AGAIN.name, GROWN.name, BELOW.name),
            normal=(exponentials,),
            instances=((BELOW.name, {y: u * excess + excess}),),
        ),
        Cases(
            "not much less",
            at_least(BOTH * (1 + left_out), left_out),
            (at_least(BOTH, 1), below(BOTH, 1)),
            uses=("grown twice", "below the inverse's tangent", SMALL.name),
        ),
        Holds(
            "order of the error",
            ERROR_CLAIM.statement,
            uses=("not more", "not much less", SMALL.name),
            because="q/(1 + q) is q within q^2",
        ),
    ),
    worlds=a_gap,
)

QUANTITIES = (
    Quantity(u, "gap between the scaled logits at rest"),
    Quantity(beta, *MEANINGS[beta]),
    Quantity(theta, "tangent kernel of the point, the same for both classes"),
    Quantity(lam, "weight decay towards the start"),
)
REGIME = "one training point, two classes, kernel theta times the identity, weight decay, logits that start at 0"

LAWS = (
    Law(
        name="temperature.one_point_fixed_point",
        title="One point, two classes, weight decay: the gap at rest solves u (1 + e^u) = 2 beta^2 theta / lam",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eqs 20-22",
            ("temperature:T17", "temperature:E14"),
            "u = 2 beta z1 at rest solves u (1 + e^u) = 2 beta^2 theta / lam",
        ),
        quantities=QUANTITIES,
        regime=REGIME,
        derivation=REST,
        claim=REST_CLAIM,
        rivals=(
            Rival("one temperature", Identity(REST_CLAIM.left, control / beta), "eq 16's beta/lam"),
            Rival("exponential alone", Identity(u * exp(u), control), "eq 22, for large logits"),
        ),
    ),
    Law(
        name="temperature.large_logit_error",
        title="Keeping the exponential alone errs by e^-u / (1 + u) of the gap, to second order in e^-u",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 22",
            ("temperature:T17",),
            "u_large = W(2 beta^2 theta / lam): its relative error is e^-u/(1 + u) within e^-2u",
        ),
        quantities=(Quantity(excess, "relative error of W(2 beta^2 theta / lam) as the gap"), *QUANTITIES[:1]),
        regime=REGIME + "; at any size, that the exponential lies above its tangent being the premise",
        derivation=ERROR,
        claim=ERROR_CLAIM,
        rivals=(
            Rival("third order", Bound(ERROR_CLAIM.smaller, exp(-3 * u)), "takes the form for better than it is"),
            Rival("no prefactor", Bound(Abs(excess - exp(-u)), exp(-2 * u)), "the error e^-u by itself"),
        ),
    ),
    Law(
        name="temperature.one_point_relaxation",
        title="One point, two classes: the gap relaxes at eta lam (1 + u sigmoid(u))",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 23",
            ("temperature:T18", "temperature:E12"),
            "difference mode: eta lam (1 + u sigmoid(u)); the sum of the logits relaxes at eta lam",
        ),
        quantities=(
            Quantity(rate, "rate at which a small perturbation of the gap dies", "1/step"),
            *QUANTITIES,
            Quantity(eta, *MEANINGS[eta]),
        ),
        regime=REGIME + "; small perturbations of the rest",
        derivation=RELAXATION,
        claim=RATE_CLAIM,
        rivals=(
            Rival("decay alone", Formula(rate, eta * lam), "forgets that the residual changes too"),
            Rival("uniform softmax", Formula(rate, eta * lam * (1 + u / 2)), "small logits"),
        ),
    ),
)


def fixed_point(beta: Any, theta: Any, lam: Any) -> Mapping[str, Expr]:
    """Where one point of two classes rests, at which rate, and what the large-logit form gives.

    Raises
    ------
    OutsideDomain
        For numbers that are not positive (theta may be 0).

    Examples
    --------
    >>> from sympy import Integer
    >>> fixed_point(Integer(2), Integer(0), Integer(1))
    {'u': 0, 'z1': 0, 'u_large_logit': 0, 'relaxation_rate': 1}
    """
    temperature, decay = inputs.number("beta", beta, positive=True), inputs.number("lam", lam, positive=True)
    size = inputs.number("theta", theta, least=0)
    if size == 0:
        return {"u": S.Zero, "z1": S.Zero, "u_large_logit": S.Zero, "relaxation_rate": S.One}
    with mpmath.workdps(DIGITS + 10):
        drive = real(2 * temperature**2 * size / decay)
        gap = balance(drive)
        found = {
            "u": gap,
            "z1": gap / (2 * real(temperature)),
            "u_large_logit": mpmath.lambertw(drive).real,
            "relaxation_rate": 1 + gap / (1 + mpmath.exp(-gap)),
        }
    return {name: Float(value, DIGITS) for name, value in found.items()}


PREDICTORS = (
    Predictor(
        name="temperature.fixed_point",
        laws=("temperature.one_point_fixed_point", "temperature.one_point_relaxation"),
        inputs=(
            Input("beta", "inverse temperature, positive"),
            Input("theta", "tangent kernel of the point, at least 0"),
            Input("lam", "weight decay towards the start, positive"),
        ),
        evaluate=fixed_point,
        summary="rest of one point of two classes under weight decay; the rate in units of eta lam",
    ),
)
