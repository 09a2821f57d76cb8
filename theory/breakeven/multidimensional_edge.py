"""The exact edge of SGD in many dimensions (breakeven:L14).

A step moves the second moments X = E x x^T to Q X = mean over batches of (I - eta H_B) X (I - eta H_B), a symmetric
operator 1 - 2 eta C + eta^2 D on symmetric matrices. A test matrix of norm 1 grows by 1 - 2 eta c_n + eta^2 d_n with
the numbers c_n = <X, C X> and d_n = <X, D X>, which are linear and quadratic in the entries of the batches' Hessians.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Equivalent, Ge, Gt, Implies, IndexedBase, Le, Rational, Symbol

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Band
from theory.definitions.breakeven import eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, factored, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

n, top, worst = (Symbol(name, integer=True, positive=True) for name in ("n", "n_top", "n_worst"))
grown, first, second = (IndexedBase(name, real=True) for name in ("Q_n", "c_n", "d_n"))
gap = IndexedBase("gap", nonnegative=True)
mu, largest = Symbol("mu", positive=True), Symbol("rho", real=True)

_FORMS = (expanded, sums, rational)

TESTED = Define("one step", grown[n], 1 - 2 * eta * first[n] + eta**2 * second[n])
"""<X_n, Q X_n> for a test matrix of norm 1: the product of 1 - eta H_B on either side of it, opened."""


def _tests(source: random.Random) -> World:
    """Test matrices with positive mean curvature; which has the largest ratio of forms, and which grows most."""
    lows = [draw(source) for _ in range(3)]
    ratios = [draw(source) for _ in range(3)]
    rate = 2 / max(ratios) * Rational(source.randint(1, 6), 4)
    growths = [1 - 2 * rate * low + rate**2 * low * ratio for low, ratio in zip(lows, ratios, strict=True)]
    return World(
        {
            first: lows,
            second: [low * ratio for low, ratio in zip(lows, ratios, strict=True)],
            eta: rate,
            mu: max(ratios),
            gap: [max(ratios) - one for one in ratios],
            top: 1 + ratios.index(max(ratios)),
            worst: 1 + growths.index(max(growths)),
            largest: max(growths),
            n: source.randint(1, 3),
        }
    )


BAND = Band(Le(largest, 1), eta, None, 2 / mu)
MU = Quantity(mu, "largest eigenvalue of C^+ D on symmetric matrices", "curvature")

MULTIDIMENSIONAL_EDGE = Law(
    name="breakeven.multidimensional_edge",
    title="In many dimensions SGD is stable in mean square exactly for eta up to 2/lam_max(C^+ D).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 in more than one dimension",
        ("breakeven:L14", "breakeven:X11", "breakeven:V6"),
        "With C = (H (x) I + I (x) H)/2 and D the mean of H_B (x) H_B the exact edge is 2/lam_max(C^+ D).",
    ),
    quantities=(
        Quantity(largest, "largest growth of a test matrix of norm 1 in one step of the second moments", "1"),
        *quantities(eta),
        MU,
    ),
    regime="Interpolating quadratics with positive semidefinite Hessians. The step of the second moments is symmetric "
    "and keeps positive semidefinite matrices, so that its spectral radius is its largest quadratic form; this, "
    "that the forms attain their maxima, and that mu, the largest ratio of the two forms, is the largest eigenvalue of "
    "C^+ D are premises.",
    derivation=Derivation(
        premises=(
            TESTED,
            Suppose("ratio of the forms", Eq(second[n], first[n] * (mu - gap[n]), evaluate=False), forall=(n,)),
            Suppose("attained", Eq(gap[top], 0, evaluate=False)),
            Suppose("curved", first[top] > 0),
            Suppose("no negative curvature", first[worst] >= 0),
            Suppose("largest growth", Eq(grown[worst], largest, evaluate=False)),
            Suppose("none grows more", grown[top] <= largest),
        ),
        steps=(
            Equal(
                "growth",
                grown[n],
                1 - eta * first[n] * (2 - eta * mu) - eta**2 * first[n] * gap[n],
                uses=("one step", "ratio of the forms"),
                forall=(n,),
                because="The quadratic form is the linear one times a ratio of at most mu.",
            ),
            Holds(
                "beyond the edge",
                Implies(Gt(eta * mu, 2), Gt(grown[top], 1), evaluate=False),
                uses=("growth", "attained", "curved"),
                normal=(factored,),
                because="The test that attains the ratio mu grows.",
            ),
            Holds(
                "up to the edge",
                Implies(Le(eta * mu, 2), Ge(eta * first[worst] * (2 - eta * mu), 0), evaluate=False),
                uses=("no negative curvature",),
                because="No factor is negative.",
            ),
            Holds(
                "a smaller ratio helps",
                eta**2 * first[worst] * gap[worst] >= 0,
                uses=("no negative curvature",),
                because="No factor is negative.",
            ),
            Holds(
                "none grows",
                Equivalent(Le(largest, 1), Le(eta * mu, 2)),
                uses=(
                    "growth",
                    "beyond the edge",
                    "up to the edge",
                    "a smaller ratio helps",
                    "largest growth",
                    "none grows more",
                ),
                because="Up to 2/mu no test grows; beyond it one does.",
            ),
            Holds("stable up to the edge", BAND.statement, uses=("none grows",), because="mu is positive."),
        ),
        worlds=_tests,
    ),
    claim=BAND,
    rivals=(
        Rival("half", Band(Le(largest, 1), eta, None, 1 / mu), "is the rate of fastest contraction"),
        Rival("one and a half", Band(Le(largest, 1), eta, None, Rational(3, 2) / mu), "is a guess"),
    ),
)

LAWS = (MULTIDIMENSIONAL_EDGE,)
