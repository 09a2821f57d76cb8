"""Derivations that several tests take apart: sums with deltas, a gradient, a square, limits; and all of them."""

import random

from edge_derivations import census, curvature_band, exponent_recursion, step_size_edge
from sympy import (
    And,
    Derivative,
    Eq,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Sum,
    Symbol,
    exp,
    log,
    oo,
    sqrt,
)

from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, expanded, exponentials, radicals, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw

N, S, M, K = (Symbol(n, integer=True, positive=True) for n in "NSMK")
i, j, k, m, first, second = (Symbol(n, integer=True, positive=True) for n in ("i", "j", "k", "m", "a", "b"))
h, both, z, Y, p, w = (IndexedBase(n, real=True) for n in ("h", "q", "z", "Y", "p", "w"))
eta, beta, lam, c, s = (Symbol(n, positive=True) for n in ("eta", "beta", "lam", "c", "s"))
mean, spread, variance, Q = (Symbol(n, real=True) for n in ("mean", "s2", "V", "Q"))
loss = Symbol("L")


def sizes(source: random.Random) -> World:
    """N values and a batch of S."""
    size = source.randint(2, 6)
    return World({N: size, S: source.randint(1, size), h: table(source, size)})


def batch_noise() -> Derivation:
    """breakeven:L1 for general N and S: the variance of the mean of S of N values."""
    return Derivation(
        premises=(
            Define("mean", mean, Sum(h[i], (i, 1, N)) / N),
            Define("population variance", spread, Sum((h[i] - mean) ** 2, (i, 1, N)) / N),
            Define(
                "inclusion",
                both[i, j],
                S / N * KroneckerDelta(i, j) + S * (S - 1) / (N * (N - 1)) * (1 - KroneckerDelta(i, j)),
            ),
            Define(
                "batch variance",
                variance,
                Sum((both[i, j] - S**2 / N**2) * h[i] * h[j], (i, 1, N), (j, 1, N)) / S**2,
            ),
        ),
        steps=(
            Equal(
                "noise factor",
                variance,
                (N - S) / (S * (N - 1)) * spread,
                uses=("mean", "population variance", "inclusion", "batch variance"),
                because="The double sum collapses to the sum of squares and the square of the sum.",
            ),
        ),
        worlds=sizes,
    )


def logits(source: random.Random) -> World:
    """Two points, three classes, soft labels that add up to 1."""
    rows = [[draw(source, 0, 1), draw(source, 0, 1)] for _ in range(2)]
    return World(
        {
            M: 2,
            K: 3,
            m: source.randint(1, 2),
            k: source.randint(1, 3),
            beta: draw(source, 1, 2),
            z: table(source, 2, 3, low=-2, high=2),
            Y: [[*row, 1 - sum(row)] for row in rows],
        }
    )


def softmax_gradient() -> Derivation:
    """temperature:T01 for any number of points and classes."""
    return Derivation(
        premises=(
            Define("softmax", p[m, k], exp(beta * z[m, k]) / Sum(exp(beta * z[m, j]), (j, 1, K))),
            Define(
                "loss",
                loss,
                -Sum(Y[m, k] * log(p[m, k]), (m, 1, M), (k, 1, K)),
            ),
            Suppose("labels", Eq(Sum(Y[m, k], (k, 1, K)), 1, evaluate=False), forall=(m,)),
            Suppose("a point", And(m >= 1, m <= M)),
            Suppose("a class", And(k >= 1, k <= K)),
        ),
        steps=(
            Equal(
                "gradient",
                Derivative(loss, z[m, k]),
                -beta * (Y[m, k] - p[m, k]),
                uses=("softmax", "loss", "labels", "a point", "a class"),
                normal=(exponentials, derivatives, sums, rational),
                because="The logarithm turns the softmax into a difference, and the labels add up to 1.",
            ),
        ),
        worlds=logits,
    )


x, t = Symbol("x"), Symbol("t", real=True)
v = IndexedBase("v", real=True)
form = Symbol("F")


def weights(source: random.Random) -> World:
    """K positive weights and a vector."""
    size = source.randint(2, 4)
    return World({K: size, w: table(source, size, low=1), v: table(source, size), t: draw(source)})


def completed_square() -> Derivation:
    """The matrix-determinant lemma's square: sum w v^2 - t (sum w v)^2, completed with a parameter."""
    first_moment, total = Sum(w[i] * v[i], (i, 1, K)), Sum(w[i], (i, 1, K))
    shift = (1 - sqrt(1 - t * total)) / total
    return Derivation(
        premises=(
            Define("shift", x, shift),
            Define("form", form, Sum(w[i] * (v[i] - x * first_moment.xreplace({i: j})) ** 2, (i, 1, K))),
        ),
        steps=(
            Equal(
                "square completed",
                form,
                Sum(w[i] * v[i] ** 2, (i, 1, K)) - t * first_moment**2,
                uses=("shift", "form"),
                normal=(expanded, sums, radicals, rational),
                because="x solves total x^2 - 2 x + t = 0.",
            ),
        ),
        worlds=weights,
    )


U, scale = IndexedBase("U", real=True), Symbol("sigma", positive=True)
probability = Symbol("p", real=True)


def small_logits() -> Derivation:
    """temperature:T07: a softmax of logits that shrink to nothing is uniform, for any number of classes."""
    return Derivation(
        premises=(Define("softmax", probability, exp(scale * U[k]) / Sum(exp(scale * U[j]), (j, 1, K))),),
        steps=(Tends("uniform", probability, scale, Integer(0), 1 / K, uses=("softmax",), because="exp(0) = 1."),),
        worlds=lambda source: World({K: 3, U: table(source, 3, low=-2, high=2), k: source.randint(1, 3), scale: 1}),
    )


gap = IndexedBase("g", positive=True)


def large_logits() -> Derivation:
    """The largest of K + 1 logits takes all as their scale grows."""
    return Derivation(
        premises=(Define("softmax", probability, 1 / (1 + Sum(exp(-scale * gap[j]), (j, 1, K)))),),
        steps=(Tends("one-hot", probability, scale, oo, Integer(1), uses=("softmax",)),),
        worlds=lambda source: World({K: 3, gap: table(source, 3, low=1), scale: 1}),
    )


ALL = {
    "batch noise": batch_noise,
    "softmax gradient": softmax_gradient,
    "completed square": completed_square,
    "exponent recursion": exponent_recursion,
    "small logits": small_logits,
    "large logits": large_logits,
    "curvature band": curvature_band,
    "step size edge": step_size_edge,
    "census": census,
}
