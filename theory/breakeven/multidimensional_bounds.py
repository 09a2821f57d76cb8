"""Bounds on either side of the exact edge of SGD in many dimensions (breakeven:L14, X11).

Above it lies the edge along the top direction, which Eq. 1 of the paper gives; below it the edge of Wu, Ma and E, up
to which no vector grows in mean square in one step.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Expr, Function, Gt, Implies, IndexedBase, Lambda, Piecewise, Sum, Symbol

from theory.breakeven.meanings import quantities
from theory.breakeven.multidimensional_edge import MU, mu
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import BATCH_MOMENTS
from theory.breakeven.step_size_edge import CURVED, NOISE, NOISE_SIGN, VARIANCE_SIGN
from theory.claims import Bound
from theory.definitions.breakeven import (
    BATCH_FITS,
    POPULATION_VARIANCE,
    TWO_EXAMPLES,
    N,
    S,
    T,
    batch,
    batch_world,
    c,
    curvature,
    h,
    k,
    lam,
    noise,
    over_batches,
    s2,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import ends, expanded, rational, sums
from theory.proof.steps import Holds, Induct
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)

eta_max, eta_sufficient = (Symbol(name, positive=True) for name in ("eta_max", "eta_wme"))
along, across = (Symbol(name, real=True) for name in ("eCe", "eDe"))
shortfall = Symbol("short", nonnegative=True)
_ALONG = 2 * lam / (lam**2 + c * s2)


def _direction_world(source: random.Random) -> World:
    """Every batch's curvature along the direction, and a largest ratio that is no less than that of the direction."""
    values = batch_world(source).values
    centre = sum(values[h]) / values[N]
    spread = sum((one - centre) ** 2 for one in values[h]) / values[N]
    more = draw(source, 0, 4)
    ratio = centre + noise(values[N], values[S], values[w]) * spread / centre
    return World(values | {shortfall: more, mu: ratio + more})


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
    quantities=(MU, *quantities(lam, c, s2)),
    regime="As the exact edge. The matrix e e^T is one of the tests: its forms are the mean and the mean square of the "
    "batches' curvatures along e. That mu is the largest ratio of the forms is a premise.",
    derivation=Derivation(
        premises=(
            *BATCH_MOMENTS,
            NOISE,
            TWO_EXAMPLES,
            BATCH_FITS,
            CURVED,
            POPULATION_VARIANCE,
            Define("linear form of e e^T", along, over_batches(curvature[batch])),
            Define("quadratic form of e e^T", across, over_batches(curvature[batch] ** 2)),
            Suppose("no ratio is larger", Eq(across, along * (mu - shortfall), evaluate=False)),
        ),
        steps=(
            NOISE_SIGN,
            VARIANCE_SIGN,
            Holds(
                "a variance",
                c * s2 >= 0,
                uses=("the noise has a sign", "the variance has a sign"),
                because="Neither factor is negative.",
            ),
            Holds(
                "one of the tests",
                Eq(lam**2 + c * s2, lam * (mu - shortfall), evaluate=False),
                uses=("linear form of e e^T", "quadratic form of e e^T", "unbiased", "scatter", "no ratio is larger"),
                normal=_FORMS,
                because="Mean and mean square of a batch's curvature along e.",
            ),
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

trace, initial = Function("trace", real=True), Symbol("trace_0", real=True)
part, less = IndexedBase("x^2", nonnegative=True), IndexedBase("less", nonnegative=True)
n, t, count = (Symbol(name, integer=True, positive=True) for name in ("n", "t", "n_x"))
later = Symbol("T_later", integer=True, nonnegative=True)


def _over_vectors(term: Expr) -> Expr:
    return Sum(term, (n, 1, count))


def _shrinking_world(source: random.Random) -> World:
    """Two vectors that shrink at every step, and an edge."""
    first, second = (draw(source) for _ in range(2))
    kept, other = (1 - draw(source, 0, 1) / 9 for _ in range(2))
    rate = draw(source)
    return World(
        {
            count: 2,
            part: Lambda((k, n), Piecewise((first * kept**k, Eq(n, 1)), (second * other**k, True))),
            less: Lambda((k, n), Piecewise((1 - kept, Eq(n, 1)), (1 - other, True))),
            eta_sufficient: rate,
            eta_max: rate + draw(source, 0, 3),
            n: 1,
            T: source.randint(0, 3),
            later: source.randint(0, 3),
        }
    )


_LOST = Sum(Sum(part[t - 1, n] * less[t - 1, n], (n, 1, count)), (t, 1, T))

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
    regime="As the exact edge. A covariance is a sum of squares of vectors, each of which loses some of its mean "
    "square in a step; that beyond the exact edge the trace of some covariance exceeds at some step what it was at the "
    "start is a premise (breakeven.multidimensional_edge).",
    derivation=Derivation(
        premises=(
            Define("trace", trace(k), _over_vectors(part[k, n])),
            Suppose(
                "no vector grows",
                Eq(
                    _over_vectors(part[k + 1, n]), _over_vectors(part[k, n] * (1 - less[k, n])), evaluate=False
                ),
                forall=(k,),
            ),
            Define("trace at the start", initial, _over_vectors(part[0, n])),
            Suppose(
                "beyond the exact edge", Implies(Gt(eta_sufficient, eta_max), Gt(trace(later), initial), evaluate=False)
            ),
        ),
        steps=(
            Induct(
                "what is lost",
                T,
                trace(T),
                initial - _LOST,
                uses=("trace at the start", "trace", "no vector grows"),
                normal=(ends, *_FORMS),
                because="Each vector of which the covariance is made loses something or nothing.",
            ),
            Holds(
                "the trace never grows",
                trace(later) <= initial,
                uses=("what is lost",),
                because="What is lost is not negative.",
            ),
            Holds(
                "sufficient",
                Bound(eta_sufficient, eta_max).statement,
                uses=("the trace never grows", "beyond the exact edge"),
                because="Beyond the exact edge it would grow.",
            ),
        ),
        worlds=_shrinking_world,
    ),
    claim=Bound(eta_sufficient, eta_max),
    rivals=(Rival("necessary", Bound(eta_max, eta_sufficient), "reads the sufficient condition as necessary"),),
)

LAWS = (NECESSARY, SUFFICIENT)
