"""At small logits tau_z is proportional to their size; the constant is that of a uniform softmax (T07)."""

import random
from dataclasses import replace

from sympy import Expr, Function, IndexedBase, Integer, Lambda, Symbol, sqrt

from theory.claims import Limit, PowerLaw
from theory.definitions.temperature import (
    MEANINGS,
    K,
    M,
    Theta,
    Y,
    a_network,
    eta_tilde,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    softmax_of,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Expand, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.tau_z import squared_norm

logit_scale = Symbol("logit_scale", positive=True)
norm_U = Symbol("norm_U", positive=True)
norm_uniform = Symbol("norm_uniform", real=True)
U, uniform = (IndexedBase(name, real=True) for name in ("U", "drive_uniform"))
tau_z, norm_Z0, norm_drive, drive_at, softmax_at = (
    Function(name, real=True) for name in ("tau_z", "norm_Z0", "norm_drive", "drive", "sigma")
)

SLOPE = PowerLaw(tau_z(logit_scale), logit_scale, Integer(1))
CONSTANT = Limit(
    eta_tilde * tau_z(logit_scale) / norm_Z0(logit_scale),
    logit_scale,
    Integer(0),
    1 / norm_uniform,
)
FACTOR = "exponents do not see a factor"

SCALED = Define("Z0 grows along a ray", norm_Z0(logit_scale), logit_scale * norm_U, FACTOR)
SOFTMAX_AT = Define(
    "softmax on the ray",
    softmax_at(m, k, logit_scale),
    softmax_of(logit_scale * U[m, k], k, j),
    "a constant added to all logits changes no softmax, and at no logits their factor is lost",
)
DRIVE_AT = Define(
    "drive on the ray",
    drive_at(m, i, logit_scale),
    over_logits(Theta[m, i, n, j] * (Y[n, j] - softmax_at(n, j, logit_scale))),
    "its norm does not see a sign",
)
NORM_AT = Define(
    "size on the ray",
    norm_drive(logit_scale),
    sqrt(squared_norm(drive_at(m, i, logit_scale))),
    "s and s^2 reach 0 together",
)
TAU_AT = Define(
    "early learning timescale",
    tau_z(logit_scale),
    norm_Z0(logit_scale) / (eta_tilde * norm_drive(logit_scale)),
)
UNIFORM = Define(
    "drive at a uniform softmax",
    uniform[m, i],
    over_logits(Theta[m, i, n, j] * (Y[n, j] - 1 / K)),
    "its norm does not see a sign",
)
NORM_UNIFORM = Define("size at a uniform softmax", norm_uniform, sqrt(squared_norm(uniform[m, i])))
MOVES = Suppose("a uniform softmax leaves something to learn", norm_uniform > 0)

SATURATES = Tends(
    "the drive saturates",
    norm_drive(logit_scale),
    logit_scale,
    Integer(0),
    norm_uniform,
    uses=tuple(d.name for d in (SOFTMAX_AT, DRIVE_AT, NORM_AT, UNIFORM, NORM_UNIFORM)),
    because="without logits the softmax is 1/K for every class",
)


def a_ray(source: random.Random) -> World:
    """A random direction of the logits, with random kernel and labels: two points, three classes."""
    values = a_network(source).values
    return World(
        {
            **{symbol: values[symbol] for symbol in (M, K, Y, m, n, i, j)},
            Theta: table(source, 2, 3, 2, 3),
            U: table(source, 2, 3, low=-3, high=3),
            logit_scale: fraction(source),
            norm_U: fraction(source),
            eta_tilde: fraction(source),
        }
    )


def sized(ray: World) -> World:
    """A ray along which the size of the logits is given as a function, not defined."""
    return World({**ray.values, norm_Z0: Lambda(logit_scale, ray.values[norm_U] * logit_scale)})


def slope_at(end: str, point: Expr, saturates: Tends, moves: Suppose) -> Follows:
    """The step to the slope at one end, where the drive saturates and is not nothing."""
    return Follows(
        f"slope at {end} logits",
        SLOPE.quantity,
        SLOPE.control,
        SLOPE.exponent,
        point,
        uses=(saturates.name, SCALED.name, TAU_AT.name, moves.name),
        because="only the distance ||Z0|| is left to depend on the scale",
    )


def constant_at(end: str, claim: Limit, saturates: Tends, moves: Suppose) -> Tends:
    """The step to the constant at one end."""
    return Tends(
        f"constant at {end} logits",
        claim.quantity,
        claim.control,
        claim.point,
        claim.value,
        uses=(saturates.name, TAU_AT.name, moves.name),
        because="tau_z over the size of the logits is the inverse of the drive",
    )


SLOPE_DERIVATION = Derivation(
    premises=(
        SCALED,
        SOFTMAX_AT,
        DRIVE_AT,
        NORM_AT,
        replace(TAU_AT, convention=FACTOR),
        UNIFORM,
        NORM_UNIFORM,
        MOVES,
    ),
    steps=(
        SATURATES,
        slope_at("small", Integer(0), SATURATES, MOVES),
    ),
    worlds=a_ray,
)

CONSTANT_DERIVATION = Derivation(
    premises=(SOFTMAX_AT, DRIVE_AT, NORM_AT, TAU_AT, UNIFORM, NORM_UNIFORM, MOVES),
    steps=(
        Expand(
            "first correction of the softmax",
            softmax_at(n, j, logit_scale),
            1 / K + logit_scale * (U[n, j] - over_classes(U[n, k]) / K) / K,
            logit_scale,
            Integer(0),
            2,
            uses=(SOFTMAX_AT.name,),
            normal=(sums, rational),
            because="so that the constant is approached at the first power of the scale",
        ),
        SATURATES,
        constant_at("small", CONSTANT, SATURATES, MOVES),
    ),
    worlds=lambda source: sized(a_ray(source)),
)

QUANTITIES = (
    Quantity(logit_scale, "rms of the initial scaled logits, whose direction is fixed"),
    Quantity(eta_tilde, *MEANINGS[eta_tilde]),
)
SOURCE = Source(
    "temperature",
    "sec 2.3",
    ("temperature:T07",),
    "with Z0 = s U the softmax saturates at both ends of s, so tau_z is proportional to ||Z0|| at both",
)
REGIME = "rms of Z0 much below 1; direction of Z0, labels and tangent kernel fixed"


def slope_law(end: str, regime: str, derivation: Derivation) -> Law:
    """The law that tau_z grows in proportion to the logits, at one end of their scale."""
    return Law(
        name=f"temperature.tau_z_{end}_logits",
        title=f"At {end} initial logits tau_z grows in proportion to their size",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=QUANTITIES,
        regime=regime,
        derivation=derivation,
        claim=SLOPE,
        rivals=(
            Rival("no dependence", replace(SLOPE, exponent=Integer(0)), "what mean-squared loss has at large logits"),
            Rival("quadratic", replace(SLOPE, exponent=Integer(2)), "what a drive that falls like 1/||Z0|| would give"),
        ),
    )


def constant(value: Expr) -> Limit:
    """The limit with another constant."""
    return replace(CONSTANT, value=value)


LAWS = (
    slope_law("small", REGIME, SLOPE_DERIVATION),
    Law(
        name="temperature.small_logit_constant",
        title="At small initial logits tau_z over their size is the inverse drive of a uniform softmax",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(
            *QUANTITIES,
            Quantity(norm_uniform, "Frobenius norm of Theta (Y - 1/K)"),
            Quantity(Symbol("norm_labels"), "Frobenius norm of Theta Y"),
            Quantity(Symbol("norm_winner"), "Frobenius norm of Theta (Y - E), E the one-hot largest logit"),
        ),
        regime=REGIME,
        derivation=CONSTANT_DERIVATION,
        claim=CONSTANT,
        rivals=(
            Rival("softmax absent", constant(1 / Symbol("norm_labels")), "the residual of mean-squared loss"),
            Rival("one-hot softmax", constant(1 / Symbol("norm_winner")), "the constant of large logits"),
        ),
    ),
)
