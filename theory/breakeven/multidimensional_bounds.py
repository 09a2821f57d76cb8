"""Bounds on either side of the exact edge of SGD in many dimensions (breakeven:L14, X11).

Above it lies the edge along the top direction, which Eq. 1 of the paper gives; below it the edge of Wu, Ma and E, up
to which no vector grows in mean square in one step.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Expr, Gt, Implies, IndexedBase, Rational, Sum, Symbol

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
    batch,
    batch_world,
    batches,
    c,
    curvature,
    h,
    lam,
    noise,
    over_batches,
    s2,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Holds
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

part = IndexedBase("x", real=True)
less = IndexedBase("less", nonnegative=True)
moved, weight = IndexedBase("A_ab", real=True), IndexedBase("K", real=True)
share = IndexedBase("q", nonnegative=True)
first, second, size = (Symbol(name, integer=True, positive=True) for name in ("a", "b", "d"))


def _over(term: Expr, *indices: Symbol) -> Expr:
    return Sum(term, *((index, 1, size) for index in indices))


_SQUARES = _over(part[first] ** 2, first)
_GAINED = _over(part[first] * part[second] * weight[first, second], first, second)
"""<X, X> and <X, Q X> of a symmetric matrix in the basis in which it is diagonal."""


def _shrinking_world(source: random.Random) -> World:
    """Symmetric steps of two batches at which neither unit vector of a basis grows in mean square, and an edge."""
    steps = []
    for _ in range(2):
        p, q, r = (draw(source, -7, 7) / 10 for _ in range(3))
        steps.append([[p, q], [q, r]])
    sums_ = [sum(entry**2 for one in steps for entry in one[row]) / 2 for row in range(2)]
    rate = draw(source)
    return World(
        {
            size: 2,
            batches: 2,
            share: [Rational(1, 2)] * 2,
            moved: steps,
            less: [1 - one for one in sums_],
            part: [draw(source, -5, 5) for _ in range(2)],
            first: source.randint(1, 2),
            second: source.randint(1, 2),
            eta_sufficient: rate,
            eta_max: rate + draw(source, 0, 3),
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
    regime="As the exact edge. That beyond it some symmetric matrix gains is a premise "
    "(breakeven.multidimensional_edge), written in the basis in which that matrix is diagonal; no unit vector of that "
    "basis grows either.",
    derivation=Derivation(
        premises=(
            Define(
                "weights",
                weight[first, second],
                Sum(share[batch] * moved[batch, first, second] ** 2, (batch, 1, batches)),
                convention="no more than its sign is asked for",
            ),
            Suppose(
                "no vector grows",
                Eq(_over(weight[first, second], second), 1 - less[first], evaluate=False),
                forall=(first,),
            ),
            Suppose(
                "symmetric steps",
                Eq(_over(weight[first, second], first), 1 - less[second], evaluate=False),
                forall=(second,),
            ),
            Suppose(
                "beyond the exact edge",
                Implies(Gt(eta_sufficient, eta_max), Gt(_GAINED, _SQUARES), evaluate=False),
            ),
        ),
        steps=(
            Equal(
                "opened",
                _over(weight[first, second] * (part[first] - part[second]) ** 2, first, second),
                _over(part[first] ** 2 * _over(weight[first, second], second), first)
                + _over(part[second] ** 2 * _over(weight[first, second], first), second)
                - 2 * _GAINED,
                normal=_FORMS,
                because="The square is opened and the finite sums change places.",
            ),
            Equal(
                "mean squares of the basis",
                _over(weight[first, second] * (part[first] - part[second]) ** 2, first, second),
                2 * _SQUARES - 2 * _over(less[first] * part[first] ** 2, first) - 2 * _GAINED,
                uses=("opened", "no vector grows", "symmetric steps"),
                normal=_FORMS,
                because="A row of weights is the mean square of a unit vector after a step, and so is a column.",
            ),
            Holds(
                "differences have a sign",
                _over(weight[first, second] * (part[first] - part[second]) ** 2, first, second) >= 0,
                uses=("weights",),
                because="No weight is negative: each is a mean of squares.",
            ),
            Holds(
                "no matrix gains",
                _GAINED <= _SQUARES,
                uses=("mean squares of the basis", "differences have a sign"),
                because="What is missing are squares.",
            ),
            Holds(
                "sufficient",
                Bound(eta_sufficient, eta_max).statement,
                uses=("no matrix gains", "beyond the exact edge"),
                because="Beyond the exact edge some matrix would gain.",
            ),
        ),
        worlds=_shrinking_world,
    ),
    claim=Bound(eta_sufficient, eta_max),
    rivals=(Rival("necessary", Bound(eta_max, eta_sufficient), "reads the sufficient condition as necessary"),),
)

LAWS = (NECESSARY, SUFFICIENT)
