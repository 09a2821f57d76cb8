"""Where the break-even derivations start: mini-batches, SGD along one direction, its mean square.

The losses of the examples, restricted to the top direction of the Hessian, are quadratics with one common
minimum (breakeven:A1); ``psi`` is the distance to it. Everything else here is what a mini-batch is. The
numeric twin is ``numerics.subsets`` and ``numerics.quadratics``.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from itertools import combinations, product

from sympy import (
    And,
    Eq,
    Expr,
    Function,
    Implies,
    IndexedBase,
    KroneckerDelta,
    Lambda,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    sympify,
)

from theory.proof.premises import Define, Suppose
from theory.proof.worlds import World, rational

N = Symbol("N", integer=True, positive=True)
S = Symbol("S", integer=True, positive=True)
w = Symbol("w", nonnegative=True)
eta = Symbol("eta", positive=True)
lam = Symbol("lam", real=True)
s2 = Symbol("s2", real=True)
c = Symbol("c", real=True)
V = Symbol("V", real=True)
Q = Symbol("Q", real=True)
psi = Symbol("psi", positive=True)
kappa = Symbol("kappa", nonnegative=True)
alpha = Symbol("alpha", nonnegative=True)
edge = Symbol("edge", real=True)
gradient_variance = Symbol("lam_K", real=True)
T = Symbol("T", integer=True, nonnegative=True)
k = Symbol("k", integer=True, nonnegative=True)
i, j, first, second, batch = (Symbol(n, integer=True, positive=True) for n in ("i", "j", "a", "a'", "B"))
batches = Symbol("n_B", integer=True, positive=True)
place, places = Symbol("i_X", integer=True, positive=True), Symbol("n_X", integer=True, positive=True)
h, deviation, pair, moment, count, held, chance, curvature, gradient, after = (
    IndexedBase(n, real=True) for n in ("h", "x", "p", "m", "nbar", "n", "q", "H", "g", "psi'")
)
growth = Function("growth", real=True)

MEANINGS = {
    N: ("examples in the training set", "1"),
    S: ("examples in a mini-batch", "1"),
    w: (
        "1 when the examples of a batch are distinct (drawn without replacement), 0 when drawn with replacement",
        "1",
    ),
    eta: ("learning rate", "1/curvature"),
    lam: ("mean curvature of the loss along the direction", "curvature"),
    s2: ("population variance over the examples of the curvature along the direction", "curvature^2"),
    c: ("variance of a batch mean over the population variance", "1"),
    V: ("variance over batches of the mean of a batch", "value^2"),
    Q: ("mean squared distance to the minimum after one step over that before it", "1"),
    kappa: ("population variance of the curvature over its squared mean", "1"),
    alpha: (
        "gradient variance along the direction over the mean curvature, lambda_K = alpha lam",
        "length^2 curvature",
    ),
    psi: ("distance to the minimum along the direction", "length"),
    edge: ("curvature up to which a step does not let the mean squared distance grow", "curvature"),
    T: ("steps taken", "1"),
}
"""Meaning and unit of each symbol that a law of the topic may state."""


def over_examples(term: Expr, index: Symbol = i) -> Expr:
    """Sum over the examples 1..N."""
    return Sum(term, (index, 1, N))


def over_batches(term: Expr) -> Expr:
    """Expectation: sum over all batches 1..n_B, each weighted with its chance."""
    return Sum(chance[batch] * term, (batch, 1, batches))


def over_entries(term: Expr) -> Expr:
    """Sum over the entries 1..n_X of a symmetric matrix, in a basis of such matrices."""
    return Sum(term, (place, 1, places))


TWO_DRAWS = Define(
    "two draws",
    pair[i, j],
    w * (1 - KroneckerDelta(i, j)) / (N * (N - 1)) + (1 - w) / N**2,
)
"""Chance that two places of a batch hold examples i and j: any different ones (w = 1), any two (w = 0)."""

COUNTS = Define(
    "counts",
    moment[i, j],
    Sum(
        KroneckerDelta(first, second) * KroneckerDelta(i, j) / N + (1 - KroneckerDelta(first, second)) * pair[i, j],
        (first, 1, S),
        (second, 1, S),
    ),
)
"""E n_i n_j, n_i the number of places of the batch that hold example i: a sum over pairs of places."""

MEAN_COUNT = Define("mean count", count[i], Sum(1 / N, (first, 1, S)))
"""E n_i: each place holds example i with chance 1/N."""

BATCH_VARIANCE = Define(
    "batch variance",
    V,
    Sum((moment[i, j] - count[i] * count[j]) * h[i] * h[j], (i, 1, N), (j, 1, N)) / S**2,
)
"""Variance of (1/S) sum_i n_i h_i, from the covariances of the counts."""

MEAN = Define("mean", lam, over_examples(h[i]) / N)
DEVIATION = Define("deviation", deviation[i], h[i] - lam, convention="only its square is used")
POPULATION_VARIANCE = Define("population variance", s2, over_examples(deviation[i] ** 2) / N)
NOISE_FACTOR = Define("noise factor", c, V / s2)

TWO_EXAMPLES = Suppose("two examples", N >= 2)
BATCH_FITS = Suppose("batch fits", w * (S - 1) <= N - 1)
"""Without replacement (w = 1) this says S <= N; with replacement (w = 0) a batch may be of any size."""

CHANCES = Suppose("chances", Eq(over_batches(Rational(1)), 1, evaluate=False))
SINGLES = Suppose("singles", Eq(over_batches(held[batch, i]), count[i], evaluate=False), forall=(i,))
PAIRS = Suppose(
    "pairs",
    Implies(
        And(i <= N, j <= N),
        Eq(over_batches(held[batch, i] * held[batch, j]), moment[i, j], evaluate=False),
        evaluate=False,
    ),
    forall=(i, j),
)
"""What the counts' moments are: means over the batches of n_i and of n_i n_j."""

BATCH_CURVATURE = Define("batch curvature", curvature[batch], over_examples(held[batch, i] * h[i]) / S)
"""Mean curvature of a batch that holds example i in n_i of its S places."""

QUADRATIC = Define("quadratic", gradient[batch], curvature[batch] * psi)
"""Gradient of a batch's loss along the direction: breakeven:A1, a quadratic with its minimum at psi = 0."""

STEP = Define("step", after[batch], psi - eta * gradient[batch], convention="only its square is used")
ONE_STEP = Define("one step", Q, over_batches(after[batch] ** 2) / psi**2)
history, histories = (Symbol(n, integer=True, positive=True) for n in ("a_k", "n_a"))
share, visited, together = (IndexedBase(n, real=True) for n in ("r", "psi_k", "rq"))

PATHS = Define(
    "mean square",
    growth(k),
    Sum(share[k, history] * visited[k, history] ** 2, (history, 1, histories)),
)
"""Mean squared distance after k steps: over the histories of k batches, each with its chance and its place."""

START = Suppose("start", Eq(growth(0), 1, evaluate=False))
"""Distances are measured in units of that before the first step."""

BRANCHES = Suppose(
    "one more batch",
    Eq(
        Sum(share[k + 1, history] * visited[k + 1, history] ** 2, (history, 1, histories)),
        Sum(
            together[k, history, batch] * ((1 - eta * curvature[batch]) * visited[k, history]) ** 2,
            (history, 1, histories),
            (batch, 1, batches),
        ),
        evaluate=False,
    ),
    forall=(k,),
)
"""The histories of k + 1 batches are pairs of a history and a batch, which multiplies the place by 1 - eta H_B."""

INDEPENDENT = Suppose(
    "independent batches",
    Eq(together[k, history, batch], share[k, history] * chance[batch], evaluate=False),
    forall=(k, history, batch),
)
"""The chance of a history and a batch together is the product of their chances: expectations factorise."""

FIXED_RATIO = Suppose("fixed ratio", Eq(s2, kappa * lam**2, evaluate=False))
"""The closure in which the examples' curvatures keep their relative spread."""
GRADIENT_VARIANCE = Define("gradient variance", gradient_variance, over_examples((h[i] * psi - lam * psi) ** 2) / N)
COLINEAR = Suppose("proportional", Eq(gradient_variance, alpha * lam, evaluate=False))
"""breakeven:A2: the variance of the examples' gradients along the direction is alpha times the curvature."""


def noise(N: Expr | int = N, S: Expr | int = S, w: Expr | int = w) -> Expr:
    """The batch-noise factor (1 - w (S - 1)/(N - 1))/S; w = 1 gives (N - S)/(S (N - 1)), w = 0 gives 1/S.

    Examples
    --------
    >>> noise(8, 2, 1), noise(8, 2, 0)
    (3/7, 1/2)
    """
    examples, size, distinct = sympify((N, S, w))
    return (1 - distinct * (size - 1) / (examples - 1)) / size


SHARES = (Rational(1, 3), Rational(1, 2), Rational(1), Rational(3, 2))
"""Learning rates of the worlds, in units of that at which the mean squared distance does not move."""


def population(source: random.Random, largest: int = 6) -> dict:
    """Values of a world for N, S, w, the examples' curvatures, and free indices."""
    size = source.randint(2, largest)
    values = [rational(source, 0, 9) for _ in range(size)]
    values[0] += 10
    centre = sum(values) / size
    spread = sum((value - centre) ** 2 for value in values) / size
    place = rational(source, 1, 5)
    return {
        N: size,
        S: source.randint(1, size),
        w: source.randint(0, 1),
        h: values,
        kappa: spread / centre**2,
        alpha: place**2 * spread / centre,
        psi: place,
        i: source.randint(1, size),
        j: source.randint(1, size),
    }


def all_batches(source: random.Random, shares: tuple[Rational, ...] = SHARES) -> dict:
    """Values of a world that also lists every batch with its chance: subsets (w = 1) or tuples (w = 0)."""
    values = population(source, 3)
    size = values[S] = min(values[S], 2)
    examples = range(values[N])
    listed = list(combinations(examples, size) if values[w] else product(examples, repeat=size))
    means = [sum((values[h][e] for e in one), Rational(0)) / size for one in listed]
    crossing = 2 * sum(means) / sum(mean**2 for mean in means)
    return values | {
        batches: len(listed),
        chance: [Rational(1, len(listed))] * len(listed),
        curvature: means,
        held: [[one.count(example) for example in examples] for one in listed],
        eta: crossing * source.choice(shares),
        batch: 1,
        T: source.randint(0, 4),
    }


def sampling_world(source: random.Random) -> World:
    """A world of a population and a batch size."""
    return World(population(source))


def batch_world(source: random.Random, shares: tuple[Rational, ...] = SHARES) -> World:
    """A world of a population, what all of its batches hold, and a step of gradient descent."""
    values = all_batches(source, shares)
    return World({name: value for name, value in values.items() if name is not curvature})


def counted_world(source: random.Random) -> World:
    """The same where moments of the counts are given outright, and any number stands for the variance."""
    values = batch_world(source).values
    examples, rows = range(values[N]), values[held]
    pairs = [[sum(row[a] * row[b] for row in rows) * values[chance][0] for b in examples] for a in examples]
    return World(values | {moment: pairs, s2: rational(source)})


def path_world(source: random.Random) -> World:
    """Histories of two kinds at every step, whose places have the mean square that the steps before left."""
    values = dict(batch_world(source).values)
    means = [sum((n * x for n, x in zip(row, values[h], strict=True)), Rational(0)) / values[S] for row in values[held]]
    factor = sum(q * (1 - values[eta] * x) ** 2 for q, x in zip(values[chance], means, strict=True))
    reach = 1 + factor  # the second history is at reach^k, with a chance that gives the mean square factor^k
    shares = Piecewise((1 - (factor / reach**2) ** k, Eq(history, 1)), ((factor / reach**2) ** k, True))
    return World(
        values
        | {
            histories: 2,
            history: source.randint(1, 2),
            k: source.randint(0, 3),
            share: Lambda((k, history), shares),
            visited: Lambda((k, history), Piecewise((0, Eq(history, 1)), (reach**k, True))),
            together: Lambda((k, history, batch), shares / len(means)),
        }
    )
