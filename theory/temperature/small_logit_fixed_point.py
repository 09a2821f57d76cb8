"""With weight decay and small logits: where the logits rest, with the error of both approximations (T15).

With z0 = 0 and epsilon = beta^2/lam the rest solves Z = epsilon Theta (Y - softmax Z). Eq 16 (with beta^2 for beta, and
the projection P off the mean over classes that eq 15 lacks) makes the softmax linear; eq 17 leaves it uniform. All
three are expanded along epsilon: the coefficients here solve each equation to the order shown.
"""

import random
from dataclasses import replace

from sympy import Expr, Function, IndexedBase, Integer, Symbol, sqrt

from theory.claims import PowerLaw
from theory.definitions.temperature import (
    K,
    M,
    Theta,
    Y,
    a_network,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    softmax_of,
)
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, radicals, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Expand, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

epsilon = Symbol("epsilon", positive=True)
first, second, third, third_linear, bend = (
    IndexedBase(name, real=True) for name in ("first", "second", "third", "third_linear", "bend")
)
one, two, three, apart = (IndexedBase(name, real=True) for name in ("one", "two", "three", "apart"))
off_first, off_second, off_third = (IndexedBase(name, real=True) for name in ("off_first", "off_second", "off_third"))
path, linear, late, later, error_linear, error_uniform, norm_path, norm_late, norm_later = (
    Function(name, real=True)
    for name in (
        "Z",
        "Z_linear",
        "late",
        "later",
        "error_linear",
        "error_uniform",
        "norm_path",
        "norm_late",
        "norm_later",
    )
)
norm_bend, norm_first, norm_second = (Symbol(name, real=True) for name in ("norm_bend", "norm_first", "norm_second"))

LINEAR_CLAIM = PowerLaw(error_linear(epsilon), epsilon, Integer(2))
UNIFORM_CLAIM = PowerLaw(error_uniform(epsilon), epsilon, Integer(1))


def off_mean(entry: IndexedBase, point: Symbol, class_: Symbol) -> Expr:
    """P: an entry minus its mean over classes."""
    return entry[point, class_] - over_classes(entry[point, k]) / K


def off_mean_of(entry: Function, point: Symbol, class_: Symbol) -> Expr:
    """The same of a function of epsilon."""
    return entry(point, class_, epsilon) - over_classes(entry(point, k, epsilon)) / K


def squared(entries: Expr) -> Expr:
    """Sum of squares over points and classes; entries are written in m and i."""
    return over_logits(entries**2, m, i)


FIRST = Define("first order", first[m, i], over_logits(Theta[m, i, n, j] * (Y[n, j] - 1 / K)))
OFF_FIRST = Define("first order off its mean over classes", off_first[n, j], off_mean(first, n, j))
SECOND = Define("second order", second[m, i], -over_logits(Theta[m, i, n, j] * off_first[n, j]) / K)
OFF_SECOND = Define("second order off its mean", off_second[n, j], off_mean(second, n, j))
BEND = Define(
    "how the softmax bends along the first order",
    bend[n, j],
    (off_first[n, j] ** 2 - over_classes(first[n, k] ** 2) / K + over_classes(first[n, k]) ** 2 / K**2) / (2 * K),
    "an exponent does not see its size; that it is this one, the step on the softmax shows for any first order",
)
THIRD_LINEAR = Define(
    "third order of a linear softmax", third_linear[m, i], -over_logits(Theta[m, i, n, j] * off_second[n, j]) / K
)
OFF_THIRD = Define("third order of it off its mean", off_third[n, j], off_mean(third_linear, n, j))
THIRD = Define("third order", third[m, i], third_linear[m, i] - over_logits(Theta[m, i, n, j] * bend[n, j]))
PATH = Define(
    "rest through third order",
    path(m, i, epsilon),
    epsilon * first[m, i] + epsilon**2 * second[m, i] + epsilon**3 * third[m, i],
)
LINEAR = Define(
    "the same of eq 16 corrected",
    linear(m, i, epsilon),
    epsilon * first[m, i] + epsilon**2 * second[m, i] + epsilon**3 * third_linear[m, i],
)
APART = Define("what the bend moves", apart[m, i], over_logits(Theta[m, i, n, j] * bend[n, j]))
LATE = Define("rest over epsilon", late(m, i, epsilon), first[m, i] + epsilon * second[m, i] + epsilon**2 * third[m, i])
LATER = Define("later orders over epsilon squared", later(m, i, epsilon), second[m, i] + epsilon * third[m, i])
NORM_BEND = Define("size of that", norm_bend, sqrt(squared(apart[m, i])))
NORM_FIRST = Define("size of the first order", norm_first, sqrt(squared(first[m, i])))
NORM_SECOND = Define("size of the second order", norm_second, sqrt(squared(second[m, i])))
NORM_LATE = Define(
    "size of the rest over epsilon",
    norm_late(epsilon),
    sqrt(squared(late(m, i, epsilon))),
)
NORM_LATER = Define(
    "size of the later orders over epsilon squared",
    norm_later(epsilon),
    sqrt(squared(later(m, i, epsilon))),
)
NORM_PATH = Define("size of the rest", norm_path(epsilon), sqrt(squared(path(m, i, epsilon))))
ERROR_LINEAR = Define(
    "relative error of eq 16 corrected",
    error_linear(epsilon),
    sqrt(squared(path(m, i, epsilon) - linear(m, i, epsilon))) / norm_path(epsilon),
)
ERROR_UNIFORM = Define(
    "relative error of eq 17",
    error_uniform(epsilon),
    sqrt(squared(path(m, i, epsilon) - epsilon * first[m, i])) / norm_path(epsilon),
)
MOVES = Suppose("a uniform softmax leaves something to learn", norm_first > 0)
BENDS = Suppose("the softmax bends along it, which takes three classes", norm_bend > 0)
TURNS = Suppose("and turns along it", norm_second > 0)


def some_labels(source: random.Random) -> World:
    """One point, three classes."""
    values = a_network(source, 1, 3, 1).values
    kept = {symbol: values[symbol] for symbol in (M, K, m, n, i, j, Y)}
    return World({**kept, k: 2, Theta: table(source, 1, 3, 1, 3, low=-2, high=2), epsilon: fraction(source) / 9,
                  one: table(source, 3, low=-1, high=1), two: table(source, 3, low=-1, high=1),
                  three: table(source, 3, low=-1, high=1)})  # fmt: skip


def with_a_third(source: random.Random) -> World:
    """The same with any three orders: that eq 17 keeps the first alone is all that counts."""
    orders = {order: table(source, 1, 3) for order in (first, second, third)}
    return World({**some_labels(source).values, **orders})


SOFTMAX = Expand(
    "softmax through second order",
    softmax_of(epsilon * one[j] + epsilon**2 * two[j] + epsilon**3 * three[j], j, k),
    1 / K
    + epsilon * (one[j] - over_classes(one[k]) / K) / K
    + epsilon**2
    * (
        (two[j] - over_classes(two[k]) / K) / K
        + ((one[j] - over_classes(one[k]) / K) ** 2 - over_classes(one[k] ** 2) / K + over_classes(one[k]) ** 2 / K**2)
        / (2 * K)
    ),
    epsilon,
    Integer(0),
    3,
    normal=(exponentials, sums, rational),
    because="its Jacobian P/K acts on the second order, its bend on the first; what is left is of third order",
    direction="+",
)
RESTS = Equal(
    "it rests there",
    path(m, i, epsilon),
    epsilon
    * over_logits(
        Theta[m, i, n, j]
        * (Y[n, j] - 1 / K - epsilon * off_first[n, j] / K - epsilon**2 * (off_second[n, j] / K + bend[n, j]))
    ),
    uses=(FIRST.name, SECOND.name, THIRD_LINEAR.name, THIRD.name, PATH.name),
    because="epsilon Theta (Y - softmax), with the softmax through second order, is the rest through third",
)
COEFFICIENTS = tuple(
    definition.name for definition in (FIRST, OFF_FIRST, SECOND, OFF_SECOND, BEND, THIRD_LINEAR, THIRD)
)
FACTOR = Equal(
    "a factor epsilon",
    path(m, i, epsilon),
    epsilon * late(m, i, epsilon),
    uses=(PATH.name, LATE.name),
    forall=(m, i),
)
SIZE = Equal(
    "size of the rest at small epsilon",
    norm_path(epsilon),
    epsilon * norm_late(epsilon),
    uses=(NORM_PATH.name, FACTOR.name, NORM_LATE.name),
    normal=(sums, radicals),
)
FIRST_LEADS = Tends(
    "the first order leads",
    norm_late(epsilon),
    epsilon,
    Integer(0),
    norm_first,
    uses=(NORM_LATE.name, LATE.name, NORM_FIRST.name, *COEFFICIENTS),
)
FIRST_LEADS_AT_ONCE = replace(FIRST_LEADS, uses=(NORM_LATE.name, LATE.name, NORM_FIRST.name))

LINEAR_DERIVATION = Derivation(
    premises=(
        FIRST, OFF_FIRST, SECOND, OFF_SECOND, BEND, THIRD_LINEAR, OFF_THIRD, THIRD, PATH, LINEAR, APART, NORM_BEND,
        NORM_FIRST, LATE, NORM_LATE, NORM_PATH, ERROR_LINEAR, MOVES, BENDS,
    ),
    steps=(
        SOFTMAX,
        RESTS,
        Equal(
            "projection of the linear one",
            off_mean_of(linear, n, j),
            epsilon * off_first[n, j] + epsilon**2 * off_second[n, j] + epsilon**3 * off_third[n, j],
            uses=(LINEAR.name, OFF_FIRST.name, OFF_SECOND.name, OFF_THIRD.name),
            because="P is linear",
        ),
        Equal(
            "so does the linear one, but for the fourth order",
            linear(m, i, epsilon),
            epsilon
            * over_logits(
                Theta[m, i, n, j]
                * (
                    Y[n, j]
                    - 1 / K
                    - (epsilon * off_first[n, j] + epsilon**2 * off_second[n, j] + epsilon**3 * off_third[n, j]) / K
                )
            )
            + epsilon**4 * over_logits(Theta[m, i, n, j] * off_third[n, j]) / K,
            uses=(FIRST.name, SECOND.name, THIRD_LINEAR.name, LINEAR.name),
            because="epsilon Theta (Y - (1 + P Z)/K): eqs 15 and 16 with the projection P",
        ),
        FACTOR,
        SIZE,
        Equal(
            "what is missing",
            path(m, i, epsilon) - linear(m, i, epsilon),
            -(epsilon**3) * apart[m, i],
            uses=(PATH.name, LINEAR.name, THIRD.name, APART.name),
            forall=(m, i),
        ),
        Equal(
            "error",
            error_linear(epsilon),
            epsilon**2 * norm_bend / norm_late(epsilon),
            uses=(SIZE.name, "what is missing", NORM_BEND.name, ERROR_LINEAR.name),
            normal=(sums, radicals),
            because="only the bend of the softmax is missing, at third order",
        ),
        FIRST_LEADS,
        Follows(
            "order of the error",
            LINEAR_CLAIM.quantity,
            LINEAR_CLAIM.control,
            LINEAR_CLAIM.exponent,
            Integer(0),
            uses=(
                "error", FIRST_LEADS.name, MOVES.name, BENDS.name, NORM_BEND.name, APART.name, BEND.name,
                OFF_FIRST.name, FIRST.name,
            ),
        ),
    ),
    worlds=some_labels,
)  # fmt: skip

UNIFORM_DERIVATION = Derivation(
    premises=(
        PATH, NORM_FIRST, NORM_SECOND, LATE, LATER, NORM_LATE, NORM_LATER, NORM_PATH,
        ERROR_UNIFORM, MOVES, TURNS,
    ),
    steps=(
        FACTOR,
        SIZE,
        Equal(
            "factors of epsilon in the error",
            path(m, i, epsilon) - epsilon * first[m, i],
            epsilon**2 * later(m, i, epsilon),
            uses=(PATH.name, LATER.name),
            forall=(m, i),
        ),
        Equal(
            "error",
            error_uniform(epsilon),
            epsilon * norm_later(epsilon) / norm_late(epsilon),
            uses=(SIZE.name, "factors of epsilon in the error", NORM_LATER.name, ERROR_UNIFORM.name),
            normal=(sums, radicals),
            because="everything after the first order is missing",
        ),
        FIRST_LEADS_AT_ONCE,
        Tends(
            "the second order leads the error",
            norm_later(epsilon),
            epsilon,
            Integer(0),
            norm_second,
            uses=(NORM_LATER.name, LATER.name, NORM_SECOND.name),
        ),
        Follows(
            "order of the error",
            UNIFORM_CLAIM.quantity,
            UNIFORM_CLAIM.control,
            UNIFORM_CLAIM.exponent,
            Integer(0),
            uses=("error", FIRST_LEADS_AT_ONCE.name, "the second order leads the error", MOVES.name, TURNS.name),
        ),
    ),
    worlds=with_a_third,
)  # fmt: skip
