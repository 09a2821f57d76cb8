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
from theory.definitions.breakeven import eta, over_entries, place, places
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, factored, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

n, top, worst = (Symbol(name, integer=True, positive=True) for name in ("n", "n_top", "n_worst"))
grown, first, second = (IndexedBase(name, real=True) for name in ("Q_n", "c_n", "d_n"))
entry, gap = IndexedBase("x", real=True), IndexedBase("gap", nonnegative=True)
mu, largest = Symbol("mu", positive=True), Symbol("rho", real=True)

_FORMS = (expanded, sums, rational)

TESTED = Define("one step", grown[n], 1 - 2 * eta * first[n] + eta**2 * second[n])
"""<X_n, Q X_n> for a test matrix of norm 1: the product of 1 - eta H_B on either side of it, opened."""
LINEAR = Define("linear form", first[n], over_entries(entry[n, place] ** 2))
QUADRATIC = Define("quadratic form", second[n], over_entries((mu - gap[place]) * entry[n, place] ** 2))
"""<X_n, C X_n> and <X_n, D X_n> in the eigenvectors of the pair, of length 1 in C: D X = (mu - gap) C X."""
TOP = Suppose("an eigenvector of mu", Eq(gap[place] * entry[top, place] ** 2, 0, evaluate=False), forall=(place,))
CURVED_TOP = Suppose("outside the kernel of C", first[top] > 0)
NONE_GROWS_MORE = Suppose("no test grows more", grown[n] <= largest, forall=(n,))
LEAST = Suppose("no lower number is a bound", Implies(Gt(largest, 1), Gt(grown[worst], 1), evaluate=False))
"""rho is the least upper bound of the growths: 1 is none if it lies below rho."""


def _tests(source: random.Random) -> World:
    """Test matrices in two eigenvectors of the pair; the first lies in that of mu."""
    ratios = [draw(source) for _ in range(2)]
    lengths = [draw(source, 0, 1) for _ in range(2)]
    entries = [[1 + draw(source), 0], [draw(source, -2, 2), draw(source, 1, 2)], lengths]
    if ratios[1] > ratios[0]:
        entries = [row[::-1] for row in entries]
    rate = 2 / max(ratios) * Rational(source.randint(1, 6), 4)
    lows = [sum(x**2 for x in row) for row in entries]
    highs = [sum(ratio * x**2 for ratio, x in zip(ratios, row, strict=True)) for row in entries]
    growths = [1 - 2 * rate * low + rate**2 * high for low, high in zip(lows, highs, strict=True)]
    return World(
        {
            places: 2,
            place: source.randint(1, 2),
            entry: entries,
            eta: rate,
            mu: max(ratios),
            gap: [max(ratios) - one for one in ratios],
            top: 1,
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
    regime="Interpolating quadratics with positive semidefinite Hessians. What rho <= 1 means is "
    "breakeven.second_moments_never_grow and breakeven.second_moments_grow. Premise: the two forms have common "
    "eigenvectors, as two symmetric matrices of which one is positive (outside its kernel, where both vanish) have.",
    derivation=Derivation(
        premises=(TESTED, LINEAR, QUADRATIC, TOP, CURVED_TOP, NONE_GROWS_MORE, LEAST),
        steps=(
            Equal(
                "growth",
                grown[n],
                1
                - eta * over_entries(entry[n, place] ** 2) * (2 - eta * mu)
                - eta**2 * over_entries(gap[place] * entry[n, place] ** 2),
                uses=("one step", "linear form", "quadratic form"),
                normal=_FORMS,
                forall=(n,),
                because="The quadratic form is the linear one times mu, less what the lower eigenvalues lack.",
            ),
            Equal(
                "growth of the eigenvector",
                grown[top],
                1 - eta * first[top] * (2 - eta * mu),
                uses=("growth", "linear form", "an eigenvector of mu"),
                normal=_FORMS,
                because="It lacks nothing.",
            ),
            Holds(
                "the eigenvector grows",
                Implies(Gt(eta * mu, 2), Gt(grown[top], 1), evaluate=False),
                uses=("growth of the eigenvector", "outside the kernel of C"),
                normal=(factored,),
                because="Both factors of what it gains are positive.",
            ),
            Holds(
                "beyond the edge",
                Implies(Gt(eta * mu, 2), Gt(largest, 1), evaluate=False),
                uses=("the eigenvector grows", "no test grows more"),
                instances=(("no test grows more", {n: top}),),
                because="No test grows more than rho.",
            ),
            Holds(
                "no loss is negative",
                Implies(
                    Le(eta * mu, 2),
                    Ge(eta * over_entries(entry[worst, place] ** 2) * (2 - eta * mu), 0),
                    evaluate=False,
                ),
                because="No factor is negative.",
            ),
            Holds(
                "up to the edge",
                Implies(Le(eta * mu, 2), Le(grown[worst], 1), evaluate=False),
                uses=("growth", "no loss is negative"),
                because="From 1 no more than something is taken.",
            ),
            Holds(
                "none grows",
                Equivalent(Le(largest, 1), Le(eta * mu, 2)),
                uses=("beyond the edge", "up to the edge", "no lower number is a bound"),
                because="Up to 2/mu no test grows, so that 1 is an upper bound; beyond it one does.",
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
