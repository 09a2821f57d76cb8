"""The Gram matrix of mini-batch gradients: what its trace is on average (breakeven:L10, D7)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Expr, IndexedBase, KroneckerDelta, Sum, Symbol, sympify

from theory.breakeven.gradient_noise import explained
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.definitions.batch_gradients import (
    COVARIANCE,
    MEAN_GRADIENT,
    TRACE,
    D,
    d,
    over_coordinates,
    slope,
    trace,
)
from theory.definitions.breakeven import TWO_DRAWS, N, i, j, pair, w
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal
from theory.proof.worlds import World, table

M, L = (Symbol(n, integer=True, positive=True) for n in ("M", "L"))
u = Symbol("u", nonnegative=True)
gram = Symbol("Tr_gram", real=True)
a, b = (Symbol(n, integer=True, positive=True) for n in ("l", "l'"))
dot, across, inner = (IndexedBase(n, real=True) for n in ("G", "p_x", "A"))

_FORMS = (expanded, sums, rational)

_CENTRED = "a number added to all inner products is a common shift of the gradients, which centring takes out again"
DOT = Define("inner products", dot[i, j], over_coordinates(slope[i, d] * slope[j, d], d), convention=_CENTRED)
ACROSS = Define(
    "draws of two batches",
    across[i, j],
    u * (1 - KroneckerDelta(i, j)) / (N * (N - 1)) + (1 - u) / N**2,
)
"""Chance that places of two batches hold examples i and j: different ones (u = 1, disjoint), any two (u = 0)."""

BETWEEN = Define(
    "inner products of batches",
    inner[a, b],
    Sum(
        (
            KroneckerDelta(a, b) * (M * KroneckerDelta(i, j) / N + M * (M - 1) * pair[i, j])
            + (1 - KroneckerDelta(a, b)) * M**2 * across[i, j]
        )
        * dot[i, j],
        (i, 1, N),
        (j, 1, N),
    )
    / M**2,
    convention=_CENTRED,
)
"""E <g_l, g_l'> of two batch means, from the chances of each pair of their places."""

GRAM = Define(
    "trace of the Gram matrix",
    gram,
    Sum(inner[a, a], (a, 1, L)) / L - Sum(inner[a, b], (a, 1, L), (b, 1, L)) / L**2,
)
"""E (1/L) sum_l |g_l - gbar|^2 with gbar the mean over the L batches: breakeven:D7."""


def batch_share(N: Expr = N, M: Expr = M, w: Expr = w, u: Expr = u) -> Expr:
    """F of E Tr K^M = ((L - 1)/L) f Tr K: w distinct within a batch, u disjoint batches.

    Examples
    --------
    >>> batch_share(9, 2, 1, 0), batch_share(9, 2, 1, 1), batch_share(9, 2, 0, 0)
    (7/16, 9/16, 1/2)
    """
    examples, size, distinct, disjoint = sympify((N, M, w, u))
    return (1 - distinct * (size - 1) / (examples - 1)) / size + disjoint / (examples - 1)


def _gram_world(source: random.Random) -> World:
    size = source.randint(2, 4)
    return World(
        {
            N: size,
            M: source.randint(1, 3),
            L: source.randint(1, 3),
            w: source.randint(0, 1),
            u: source.randint(0, 1),
            D: 2,
            slope: table(source, size, 2),
            **{index: source.randint(1, size) for index in (i, j)},
            a: 1,
            b: source.randint(1, 2),
            d: source.randint(1, 2),
        }
    )


_VALUE = (L - 1) * batch_share() * trace / L

GRAM_TRACE = Law(
    name="breakeven.gram_trace",
    title="The trace of the Gram matrix of L batches of M is (1 - 1/L) f Tr K on average, f by the scheme.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Appendix C, K^M",
        ("breakeven:L10", "breakeven:D7", "breakeven:V7", "breakeven:X13"),
        "E Tr K^M = ((L-1)/L) f Tr K with f = (N-M)/(M(N-1)) for independent batches of distinct examples, N/(M(N-1)) "
        "for disjoint batches, 1/M with replacement.",
    ),
    quantities=(
        Quantity(gram, "mean trace of the Gram matrix of batch gradients", "gradient^2"),
        *explained(trace),
        *quantities(N, w),
        Quantity(M, "examples in a batch of the Gram matrix", "1"),
        Quantity(L, "batches of the Gram matrix", "1"),
        Quantity(u, "1 when no two batches share an example (one pass), 0 when they are independent", "1"),
    ),
    regime="Any gradients; any N >= 2, M and L (M <= N for distinct examples, L M <= N for disjoint batches).",
    derivation=Derivation(
        premises=(TWO_DRAWS, ACROSS, DOT, BETWEEN, GRAM, MEAN_GRADIENT, COVARIANCE, TRACE),
        steps=(
            Equal(
                "trace of K",
                trace,
                Sum(dot[i, i], (i, 1, N)) / N - Sum(dot[i, j], (i, 1, N), (j, 1, N)) / N**2,
                uses=("trace", "gradient covariance", "mean gradient", "inner products"),
                normal=_FORMS,
                because="Mean squared norm less squared norm of the mean.",
            ),
            Equal(
                "normalisation",
                gram,
                _VALUE,
                uses=(
                    "trace of the Gram matrix",
                    "inner products of batches",
                    "two draws",
                    "draws of two batches",
                    "trace of K",
                ),
                normal=_FORMS,
                because="The sums over places and batches collapse to the two sums of inner products.",
            ),
        ),
        worlds=_gram_world,
    ),
    claim=Formula(gram, _VALUE),
    rivals=(
        Rival("not normalised", Formula(gram, trace), "takes K^M for K (breakeven:X13)"),
        Rival("known mean", Formula(gram, batch_share() * trace), "centres on the full gradient, not on the L batches"),
        Rival("always 1/M", Formula(gram, (L - 1) * trace / (L * M)), "holds with replacement only"),
    ),
)

LAWS = (GRAM_TRACE,)
