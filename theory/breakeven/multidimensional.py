"""The exact edge of SGD in many dimensions, and the bounds on either side of it (breakeven:L14, X11).

A step moves the second moments X = E x x^T to Q X = mean over batches of (I - eta H_B) X (I - eta H_B), a symmetric
operator 1 - 2 eta C + eta^2 D on symmetric matrices. A test matrix of norm 1 grows by 1 - 2 eta c_n + eta^2 d_n with
the numbers c_n = <X, C X> and d_n = <X, D X>, which are linear and quadratic in the entries of the batches' Hessians.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Equivalent, Ge, Gt, Implies, IndexedBase, Le, Rational, Sum, Symbol

from theory.breakeven.gradient_noise import SECOND_MOMENTS
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Band, Bound, Formula
from theory.definitions.batch_gradients import (
    COVARIANCE,
    MEAN_GRADIENT,
    batch_slope,
    covariance,
    d,
    e,
    gradient_world,
    mean_slope,
    over_coordinates,
    slope,
)
from theory.definitions.breakeven import (
    PAIRS,
    N,
    S,
    batch,
    c,
    eta,
    i,
    lam,
    noise,
    over_batches,
    over_examples,
    s2,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.normal_forms import expanded, factored, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw

n, top, worst = (Symbol(name, integer=True, positive=True) for name in ("n", "n_top", "n_worst"))
grown, first, second = (IndexedBase(name, real=True) for name in ("Q_n", "c_n", "d_n"))
weight = IndexedBase("W", real=True)
gap = IndexedBase("gap", nonnegative=True)
mu, largest = Symbol("mu", positive=True), Symbol("rho", real=True)
square, plain, mixed = (Symbol(name, real=True) for name in ("XDX", "XHXH", "XHiXHi"))

_FORMS = (expanded, sums, rational)
_CLAIM = (1 - noise()) * plain + noise() * mixed
_SCATTER = over_coordinates(weight[d, e] * covariance[d, e], d, e)


def _squares_world(source: random.Random) -> World:
    return World(gradient_world(source).values | {weight: table(source, 2, 2)})


MEAN_SQUARE_HESSIAN = Law(
    name="breakeven.mean_square_hessian",
    title="The mean of H_B (x) H_B over batches is (1 - c) H (x) H + c times the mean of H_i (x) H_i.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 in more than one dimension",
        ("breakeven:L14",),
        "D = (1 - c) H (x) H + c mean_i H_i (x) H_i, with the noise factor c of the sampling scheme.",
    ),
    quantities=(
        Quantity(square, "mean over batches of <X, H_B X H_B>", "curvature^2"),
        Quantity(plain, "<X, H X H> for the mean Hessian H", "curvature^2"),
        Quantity(mixed, "mean over examples of <X, H_i X H_i>", "curvature^2"),
        *quantities(N, S, w),
    ),
    regime="Any Hessians in any number of dimensions, any matrix X: <X, A X B> is a quadratic form in the entries. In "
    "the derivation the coordinates are the entries of the Hessians.",
    derivation=Derivation(
        premises=(
            PAIRS,
            MEAN_GRADIENT,
            COVARIANCE,
            Imported("second moments", SECOND_MOMENTS),
            Define(
                "over batches",
                square,
                over_batches(over_coordinates(weight[d, e] * batch_slope[batch, d] * batch_slope[batch, e], d, e)),
            ),
            Define("of the mean", plain, over_coordinates(weight[d, e] * mean_slope[d] * mean_slope[e], d, e)),
            Define(
                "over examples",
                mixed,
                over_coordinates(weight[d, e] * over_examples(slope[i, d] * slope[i, e]) / N, d, e),
            ),
        ),
        steps=(
            Equal(
                "coordinates first",
                square,
                over_coordinates(weight[d, e] * over_batches(batch_slope[batch, d] * batch_slope[batch, e]), d, e),
                uses=("over batches",),
                normal=_FORMS,
                because="The finite sums change places.",
            ),
            Equal(
                "scatter over batches",
                square,
                plain + noise() * _SCATTER,
                uses=("coordinates first", "second moments", "of the mean"),
                normal=_FORMS,
                because="Each product of entries has the second moment of a product of batch means.",
            ),
            Equal(
                "scatter over examples",
                _SCATTER,
                mixed - plain,
                uses=("gradient covariance", "mean gradient", "of the mean", "over examples"),
                normal=_FORMS,
                because="A covariance is a mean of products less the product of the means.",
            ),
            Equal(
                "mixture",
                square,
                _CLAIM,
                uses=("scatter over batches", "scatter over examples"),
                because="The one put into the other.",
            ),
        ),
        worlds=_squares_world,
    ),
    claim=Formula(square, _CLAIM),
    rivals=(
        Rival("mean Hessian", Formula(square, plain), "forgets the noise of the batches"),
        Rival("one example", Formula(square, mixed), "is a batch of one"),
        Rival(
            "no finite population",
            Formula(square, (1 - 1 / S) * plain + mixed / S),
            "treats distinct examples as independent",
        ),
    ),
)

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
_MU = Quantity(mu, "largest eigenvalue of C^+ D on symmetric matrices", "curvature")

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
        _MU,
    ),
    regime="Interpolating quadratics with positive semidefinite Hessians. The step of the second moments is symmetric "
    "and keeps positive semidefinite matrices, so that its spectral radius is its largest quadratic form; this and "
    "that the forms attain their maxima are premises.",
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

eta_max, eta_direction, eta_sufficient = (Symbol(name, positive=True) for name in ("eta_max", "eta_dir", "eta_wme"))
shortfall = Symbol("short", nonnegative=True)
_ALONG = 2 * lam / (lam**2 + c * s2)


def _direction_world(source: random.Random) -> World:
    curvature, scatter, more = draw(source), draw(source, 0, 4), draw(source, 0, 4)
    share = draw(source, 0, 1)
    ratio = (curvature**2 + share * scatter) / curvature
    return World({lam: curvature, s2: scatter, c: share, shortfall: more, mu: ratio + more})


NECESSARY = Law(
    name="breakeven.one_direction_is_necessary",
    title="The edge along the top direction is no lower than the exact edge: Eq. 1 is necessary, not sufficient.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1, 'necessary and sufficient'",
        ("breakeven:L14", "breakeven:X11", "breakeven:V6"),
        "In more than one dimension eta_max <= 2 lam/(lam^2 + c Var e^T H_i e) <= 2/lam, and both may be strict.",
    ),
    quantities=(_MU, *quantities(lam, c, s2)),
    regime="As the exact edge. The matrix e e^T is one of the tests, with the forms lam and lam^2 + c s^2 of the "
    "one-dimensional law along e (a premise).",
    derivation=Derivation(
        premises=(
            Suppose("curved", lam > 0),
            Suppose("a variance", c * s2 >= 0),
            Suppose("one of the tests", Eq(lam**2 + c * s2, lam * (mu - shortfall), evaluate=False)),
        ),
        steps=(
            Holds(
                "no more than the largest ratio",
                lam**2 + c * s2 <= lam * mu,
                uses=("one of the tests", "curved"),
                normal=(expanded,),
                because="The largest ratio of the forms is no less than that of e e^T.",
            ),
            Holds(
                "mean square",
                lam**2 + c * s2 > 0,
                uses=("curved", "a variance"),
                because="The mean square of a positive curvature.",
            ),
            Holds(
                "necessary",
                Bound(2 / mu, _ALONG).statement,
                uses=("no more than the largest ratio", "mean square"),
                because="Both ratios are positive.",
            ),
        ),
        worlds=_direction_world,
    ),
    claim=Bound(2 / mu, _ALONG),
    rivals=(Rival("sufficient", Bound(_ALONG, 2 / mu), "reads Eq. 1 as sufficient in any dimension"),),
)

before, after, radius = (Symbol(name, real=True) for name in ("tr", "tr'", "rho"))
part, less = IndexedBase("x^2", nonnegative=True), IndexedBase("less", nonnegative=True)
count = Symbol("n_x", integer=True, positive=True)


def _shape_world(source: random.Random) -> World:
    """A shape of two vectors, its trace before and after a step at the rate eta_wme, and an edge."""
    pieces, lost = [draw(source) for _ in range(2)], [draw(source, 0, 1) / 9 for _ in range(2)]
    left = sum(piece * (1 - loss) for piece, loss in zip(pieces, lost, strict=True))
    root = left / sum(pieces)
    rate = draw(source)
    return World(
        {
            count: 2,
            part: pieces,
            less: lost,
            before: sum(pieces),
            after: left,
            radius: root,
            eta_sufficient: rate,
            eta_max: rate + draw(source, 0, 3),
            n: 1,
        }
    )


SUFFICIENT = Law(
    name="breakeven.wu_ma_e_is_sufficient",
    title="Where no vector grows in mean square in one step, SGD is stable: the edge of Wu, Ma and E is a lower bound.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 in more than one dimension; Wu et al. (2018)",
        ("breakeven:L14", "breakeven:V6"),
        "lam_max{(I - eta H)^2 + c eta^2 Sigma} <= 1 implies eta <= eta_max: sufficient, not necessary.",
    ),
    quantities=(
        Quantity(eta_sufficient, "largest learning rate at which no vector grows in mean square in one step", "1"),
        Quantity(eta_max, "exact edge in mean square", "1"),
    ),
    regime="As the exact edge. Some covariance keeps its shape and is multiplied by the spectral radius in a step "
    "(Krein and Rutman; a premise); it is a sum of squares of vectors.",
    derivation=Derivation(
        premises=(
            Suppose("a covariance", Eq(before, Sum(part[n], (n, 1, count)), evaluate=False)),
            Suppose("no vector grows", Eq(after, Sum(part[n] * (1 - less[n]), (n, 1, count)), evaluate=False)),
            Suppose("keeps its shape", Eq(after, radius * before, evaluate=False)),
            Suppose("not nothing", before > 0),
            Suppose("edge", Equivalent(Le(radius, 1), Le(eta_sufficient, eta_max))),
        ),
        steps=(
            Equal(
                "what is lost",
                after,
                before - Sum(part[n] * less[n], (n, 1, count)),
                uses=("a covariance", "no vector grows"),
                normal=_FORMS,
                because="Each vector of which it is made loses something or nothing.",
            ),
            Holds(
                "trace",
                radius * before <= before,
                uses=("what is lost", "keeps its shape"),
                because="What is lost is not negative.",
            ),
            Holds("radius", radius <= 1, uses=("trace", "not nothing"), because="Divide by the trace."),
            Holds(
                "sufficient",
                Bound(eta_sufficient, eta_max).statement,
                uses=("radius", "edge"),
                because="The learning rate lies in the stable interval.",
            ),
        ),
        worlds=_shape_world,
    ),
    claim=Bound(eta_sufficient, eta_max),
    rivals=(Rival("necessary", Bound(eta_max, eta_sufficient), "reads the sufficient condition as necessary"),),
)

LAWS = (MEAN_SQUARE_HESSIAN, MULTIDIMENSIONAL_EDGE, NECESSARY, SUFFICIENT)
