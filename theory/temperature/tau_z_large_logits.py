"""At large logits tau_z is proportional to their size; the constant is that of a one-hot softmax (T07).

Only here are the classes counted from 0, at each point from its own largest logit, which has the place 0 and
exceeds the others by the gaps g[n, 1..R]; R = K - 1. That is a matter of names: the kernel is a general table
in (point, class) pairs. The logits whose drive is taken are counted by a = 1..A, A = M K.
"""

import random
from dataclasses import replace

from sympy import Expr, Function, IndexedBase, Integer, Sum, Symbol, exp, oo, sqrt

from theory.definitions.temperature import M, Theta, Y, eta_tilde, j, k, n
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.tau_z_small_logits import (
    CONSTANT as CONSTANT_AT_SMALL,
)
from theory.temperature.tau_z_small_logits import (
    FACTOR,
    QUANTITIES,
    SCALED,
    SOURCE,
    TAU_AT,
    constant_at,
    logit_scale,
    norm_drive,
    norm_U,
    sized,
    slope_at,
    slope_law,
    softmax_at,
)

R = Symbol("R", integer=True, positive=True)
A = Symbol("A", integer=True, positive=True)
a = Symbol("a", integer=True, positive=True)
norm_winner = Symbol("norm_winner", real=True)
top = IndexedBase("top", real=True)
gap = IndexedBase("g", positive=True)
winner = IndexedBase("drive_winner", real=True)
drive_at = Function("drive", real=True)

CONSTANT = replace(CONSTANT_AT_SMALL, point=oo, value=1 / norm_winner)


def logit(n_: Symbol, j_: Symbol | Integer) -> Expr:
    """Exp of the scaled logit of a class: the largest at place 0, the others a gap below it."""
    return exp(logit_scale * (top[n_] - (gap[n_, j_] if j_ != 0 else 0)))


def over_others(term: Expr, index: Symbol = j) -> Expr:
    """Sum over the classes that are not the largest."""
    return Sum(term, (index, 1, R))


def residual_at(of_winner: Expr, of_other: Expr) -> Expr:
    """Kernel times (labels minus predictions), for given predictions of the winner and of another class j."""
    return Sum(Theta[a, n, 0] * (Y[n, 0] - of_winner) + over_others(Theta[a, n, j] * (Y[n, j] - of_other)), (n, 1, M))


def size(entries: Expr) -> Expr:
    """Frobenius norm of a vector over all logits."""
    return sqrt(Sum(entries**2, (a, 1, A)))


PARTITION = logit(n, Integer(0)) + over_others(logit(n, k), k)
WINNER_AT = Define("softmax of the largest logit", softmax_at(n, 0, logit_scale), logit(n, Integer(0)) / PARTITION)
OTHER_AT = Define("softmax of another logit", softmax_at(n, j, logit_scale), logit(n, j) / PARTITION)
DRIVE_AT = Define(
    "drive on the ray",
    drive_at(a, logit_scale),
    residual_at(softmax_at(n, 0, logit_scale), softmax_at(n, j, logit_scale)),
    "its norm does not see a sign",
)
NORM_AT = Define(
    "size on the ray",
    norm_drive(logit_scale),
    size(drive_at(a, logit_scale)),
    "s and s^2 go to infinity together",
)
WINNER = Define(
    "drive at a one-hot softmax",
    winner[a],
    residual_at(Integer(1), Integer(0)),
    "its norm does not see a sign",
)
NORM_WINNER = Define("size at a one-hot softmax", norm_winner, size(winner[a]))
MOVES = Suppose("some largest logit is not that of the label", norm_winner > 0)
tail = 1 + over_others(exp(-logit_scale * gap[n, k]), k)
FIRST = Equal(
    "largest logit",
    softmax_at(n, 0, logit_scale),
    1 / tail,
    uses=(WINNER_AT.name,),
    normal=(exponentials, sums, rational),
    because="the softmax sees differences of logits only",
    forall=(n,),
)
OTHERS = Equal(
    "other logits",
    softmax_at(n, j, logit_scale),
    exp(-logit_scale * gap[n, j]) / tail,
    uses=(OTHER_AT.name,),
    normal=(exponentials, sums, rational),
    because="every other class is exponentially unlikely in its gap",
    forall=(n, j),
)
SATURATES = Tends(
    "the drive saturates",
    norm_drive(logit_scale),
    logit_scale,
    oo,
    norm_winner,
    uses=(FIRST.name, OTHERS.name, *(d.name for d in (DRIVE_AT, NORM_AT, WINNER, NORM_WINNER))),
    because="every gap is positive, so each exponential vanishes",
)


def a_ray(source: random.Random) -> World:
    """Two points with three classes, six logits: random gaps, kernel and labels."""
    points, others, logits = 2, 2, 6
    return World(
        {
            M: points,
            R: others,
            A: logits,
            a: source.randint(1, logits),
            n: source.randint(1, points),
            j: source.randint(1, others),
            top: table(source, points),
            gap: table(source, points, others, low=1, high=3),
            Y: {(x, y): fraction(source) for x in range(1, points + 1) for y in range(others + 1)},
            Theta: {
                (v, x, y): fraction(source, -9, 9)
                for v in range(1, logits + 1)
                for x in range(1, points + 1)
                for y in range(others + 1)
            },
            logit_scale: fraction(source),
            norm_U: fraction(source),
            eta_tilde: fraction(source),
        }
    )


RAY = (WINNER_AT, OTHER_AT, DRIVE_AT, NORM_AT, WINNER, NORM_WINNER)
SLOPE_DERIVATION = Derivation(
    premises=(*RAY, SCALED, replace(TAU_AT, convention=FACTOR), MOVES),
    steps=(
        FIRST,
        OTHERS,
        SATURATES,
        slope_at("large", oo, SATURATES, MOVES),
    ),
    worlds=a_ray,
)
CONSTANT_DERIVATION = Derivation(
    premises=(*RAY, TAU_AT, MOVES),
    steps=(
        FIRST,
        OTHERS,
        SATURATES,
        constant_at("large", CONSTANT, SATURATES, MOVES),
    ),
    worlds=lambda source: sized(a_ray(source)),
)

REGIME = "the two largest logits of every point much more than 1 apart; direction of Z0, labels and kernel fixed"

LAWS = (
    slope_law("large", REGIME, SLOPE_DERIVATION),
    Law(
        name="temperature.large_logit_constant",
        title="At large initial logits tau_z over their size is the inverse drive of a one-hot softmax",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(
            *QUANTITIES,
            Quantity(norm_winner, "Frobenius norm of Theta (Y - E), E the one-hot largest logit"),
            Quantity(Symbol("norm_uniform"), "Frobenius norm of Theta (Y - 1/K)"),
        ),
        regime=REGIME + "; the error of one point is exponential in its gap",
        derivation=CONSTANT_DERIVATION,
        claim=CONSTANT,
        rivals=(
            Rival(
                "uniform softmax",
                replace(CONSTANT, value=1 / Symbol("norm_uniform")),
                "the constant of small logits",
            ),
            Rival(
                "half the residual",
                replace(CONSTANT, value=2 / norm_winner),
                "a wrong point has the residual 1 at its label and -1 at its winner, not their mean",
            ),
        ),
    ),
)
