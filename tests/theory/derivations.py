"""Derivations that several tests take apart: sums with deltas, a gradient, a square, an induction, limits."""

import random

from sympy import (
    And,
    Derivative,
    Eq,
    Equivalent,
    Function,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Max,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
    sqrt,
)

from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, expanded, exponentials, max_plus, radicals, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Enumerate, Equal, Holds, Induct, Root, Tends
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


n = Symbol("n", integer=True, nonnegative=True)
exponent = Function("q")
step_size = Symbol("s", real=True)


def exponent_recursion() -> Derivation:
    """width:E8: the exponent of the weights after n steps above the band is n s, by a max-plus recursion."""
    return Derivation(
        premises=(
            Define("at the start", exponent(0), Integer(0)),
            Define("one step", exponent(n + 1), Max(exponent(n), step_size + exponent(n))),
            Suppose("above the band", step_size >= 0),
        ),
        steps=(
            Induct(
                "growth",
                n,
                exponent(n),
                n * step_size,
                uses=("at the start", "one step", "above the band"),
                normal=(max_plus, expanded),
                because="Each step adds s.",
            ),
        ),
        worlds=lambda source: World({step_size: draw(source, 0, 3), n: source.randint(0, 5)}),
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


low, high = (1 - sqrt(1 - c * eta**2 * s**2)) / eta, (1 + sqrt(1 - c * eta**2 * s**2)) / eta


def curvatures(source: random.Random) -> World:
    """Where a band of stable curvatures exists."""
    return World(
        {
            eta: draw(source, 1, 2) / 4,
            lam: draw(source, 1, 9),
            c: draw(source, 0, 1) + Rational(1, 9),
            s: draw(source, 1, 4),
        }
    )


def curvature_band() -> Derivation:
    """breakeven:L4a: Q <= 1 exactly between the roots of a quadratic."""
    return Derivation(
        premises=(
            Define("mean square", Q, (1 - eta * lam) ** 2 + c * eta**2 * s**2),
            Suppose("some curvature is stable", c * eta**2 * s**2 <= 1),
        ),
        steps=(
            Equal(
                "factors",
                Q,
                1 + eta**2 * (lam - low) * (lam - high),
                uses=("mean square",),
                normal=(expanded, radicals, rational),
                because="The quadratic has these two roots.",
            ),
            Holds(
                "band",
                Equivalent(Q <= 1, And(lam >= low, lam <= high)),
                uses=("factors", "some curvature is stable"),
                because="A product is not positive exactly between its roots.",
            ),
        ),
        worlds=curvatures,
    )


edge = Symbol("eta_max", positive=True)


def step_size_edge() -> Derivation:
    """breakeven:L3: the only positive learning rate at which the mean square neither grows nor shrinks."""
    square = (1 - edge * lam) ** 2 + c * edge**2 * s**2
    return Derivation(
        premises=(Define("mean square", Q, square),),
        steps=(
            Root(
                "edge",
                edge,
                Eq(Q, 1, evaluate=False),
                2 * lam / (lam**2 + c * s**2),
                uses=("mean square",),
                because="Q - 1 is eta times a linear function of eta.",
            ),
        ),
        worlds=lambda source: World({lam: draw(source), c: draw(source), s: draw(source)}),
    )


q_sigma, q_step = Symbol("q_sigma", real=True), Symbol("q", real=True)
A, B, C, D = (Symbol(name, real=True) for name in "ABCD")
HALF = Rational(1, 2)
ITEMS = (
    (-1, -1, 0, -1),
    (0, 0, 0, -1),
    (1, 1, 0, -1),
    (-1, -1, 1, -1),
    (-1, 0, 1, -1),
    (-1, 1, 1, -1),
    (0, 1, 1, -1),
    (1, 1, 1, -1),
    (-1, -1, 1, 0),
    (-1, 0, 1, 0),
    (-1, 1, 1, 0),
    (0, 1, 1, 0),
    (1, 1, 1, 0),
)
DIMENSIONS = (1, 0, 1, 2, 1, 2, 1, 2, 1, 0, 1, 0, 1)


def scalings(source: random.Random) -> World:
    """A scaling inside the band, on an edge or at a vertex as often as not."""
    total = -Rational(source.randint(0, 4), 8)
    first_exponent = Rational(source.randint(-12, 4), 8)
    return World({q_sigma: first_exponent, q_step: total - first_exponent})


def census() -> Derivation:
    """width:R01-R13: the sign vectors of four lines inside the band."""
    return Derivation(
        premises=(
            Define("A", A, q_sigma + HALF),
            Define("B", B, 2 * q_sigma + q_step + 1),
            Define("C", C, q_sigma + q_step + HALF),
            Define("D", D, q_sigma + q_step),
            Suppose("no stagnation", q_sigma + q_step >= -HALF),
            Suppose("no explosion", q_sigma + q_step <= 0),
        ),
        steps=(
            Enumerate(
                "thirteen regions",
                (q_sigma, q_step),
                (A, B, C, D),
                ITEMS,
                uses=("A", "B", "C", "D", "no stagnation", "no explosion"),
                dimensions=DIMENSIONS,
            ),
        ),
        worlds=scalings,
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
