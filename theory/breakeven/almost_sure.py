"""Single runs against the mean square, and epochs without repetition (breakeven:L15, L16).

A step with example i multiplies the distance by 1 - eta h_i. What a single run does is decided by the mean of the
logarithm of its size, the mean square by the mean of its square.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from collections.abc import Mapping
from math import comb, prod
from typing import Any

from sympy import Eq, Function, IndexedBase, Integer, Lambda, Mod, Piecewise, Sum, Symbol, exp, log, oo

from theory.breakeven.enumeration import batch_means, mean
from theory.breakeven.inputs import RATE, number, numbers, whole
from theory.breakeven.noise_factor import PAPER
from theory.claims import Bound, Formula
from theory.definitions.breakeven import N, i
from theory.definitions.tangents import TANGENT, v
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.normal_forms import ends, expanded, exponentials, rational, sums
from theory.proof.steps import Equal, Holds, Induct, Termwise
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)

logarithm = IndexedBase("l", real=True)
rate, mean_square, log_mean_square = (
    Symbol("log_growth", real=True), Symbol("Q", real=True), Symbol("log_Q", real=True)
)  # fmt: skip
_BESIDE = 2 * logarithm[i] - log_mean_square
"""Logarithm of a squared multiplier over the mean square."""


def _multipliers(source: random.Random) -> World:
    """Logarithms of multipliers, and that of the mean of their squares."""
    squares = [draw(source, 1, 9) / 9 for _ in range(source.randint(2, 4))]
    middle = sum(squares) / len(squares)
    return World(
        {
            N: len(squares),
            logarithm: [log(one) / 2 for one in squares],
            log_mean_square: log(middle),
            i: 1,
            v: draw(source, -3, 3),
        }
    )


_QUANTITIES = (
    Quantity(rate, "mean over examples of log|1 - eta h_i|: growth of the log distance in a step of a run", "1"),
    Quantity(log_mean_square, "logarithm of the growth of the mean squared distance in a step", "1"),
)

ALMOST_SURE_BOUND = Law(
    name="breakeven.almost_sure_within_mean_square",
    title="What is stable in mean square is stable in almost every run: 2 E log|1 - eta h| is at most log Q.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 3, 'diverges'",
        ("breakeven:L15", "breakeven:X4", "breakeven:X11"),
        "2 E log|1 - eta h| <= log Q: SGD may shrink in almost every run while its mean square explodes.",
    ),
    quantities=_QUANTITIES,
    regime="Interpolating quadratics along one direction, S = 1, no multiplier 0. That the mean logarithm decides a "
    "run is the law of large numbers. The converse fails: in breakeven:X4 runs shrink while the mean square grows.",
    derivation=Derivation(
        premises=(
            Define("mean square", mean_square, Sum(exp(2 * logarithm[i]), (i, 1, N)) / N),
            Define("mean logarithm", rate, Sum(logarithm[i], (i, 1, N)) / N),
            Suppose("logarithm of the mean square", Eq(mean_square, exp(log_mean_square), evaluate=False)),
            Imported("the exponential lies above its tangent", TANGENT),
        ),
        steps=(
            Equal(
                "exponentials",
                Sum(exp(_BESIDE), (i, 1, N)),
                N * mean_square * exp(-log_mean_square),
                uses=("mean square",),
                normal=(exponentials, expanded, sums, rational),
                because="A common factor is taken out of the sum.",
            ),
            Holds(
                "on average one",
                Eq(Sum(exp(_BESIDE), (i, 1, N)), N, evaluate=False),
                uses=("exponentials", "logarithm of the mean square"),
                normal=(exponentials, expanded, rational),
                because="The mean square over itself.",
            ),
            Termwise(
                "tangent",
                Sum(1 + _BESIDE, (i, 1, N)),
                Sum(exp(_BESIDE), (i, 1, N)),
                uses=("the exponential lies above its tangent",),
                instances=(("the exponential lies above its tangent", {v: _BESIDE}),),
                because="Each exponential lies above its tangent at 0.",
            ),
            Holds(
                "Jensen",
                Bound(2 * rate, log_mean_square).statement,
                uses=("tangent", "on average one", "mean logarithm"),
                normal=_FORMS,
                because="The mean logarithm of what is one on average is at most 0.",
            ),
        ),
        worlds=_multipliers,
    ),
    claim=Bound(2 * rate, log_mean_square),
    rivals=(Rival("the same", Bound(log_mean_square, 2 * rate), "takes a typical run for the mean square"),),
)

t, k = Symbol("t", integer=True, positive=True), Symbol("k", integer=True, nonnegative=True)
visits = IndexedBase("n", real=True)
travelled = Function("log_distance", real=True)
order = IndexedBase("u", real=True)
epoch = Symbol("epoch", real=True)


def _epoch_world(source: random.Random) -> World:
    """Epochs that go round the examples from any one of them, and the logarithms of the multipliers."""
    count, shift = source.randint(2, 4), source.randint(0, 3)
    visited = Piecewise((1, Eq(Mod(t + shift - i, count), 0)), (0, True))
    return World(
        {
            N: count,
            logarithm: [draw(source, -3, 3) for _ in range(count)],
            order: Lambda((t, i), visited),
            i: 1,
            t: 1,
            k: 1,
        }
    )


_STEP = Sum(order[t, i] * logarithm[i], (i, 1, N))

RESHUFFLED_EPOCH = Law(
    name="breakeven.reshuffled_epoch",
    title="One epoch without repetition multiplies the distance by the product of all |1 - eta h_i|, in any order.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 assumes fresh batches; Appendix D trains by epochs",
        ("breakeven:L16",),
        "With S = 1 an epoch is stable exactly if the sum of log|1 - eta h_i| is at most 0, whatever the order.",
    ),
    quantities=(
        Quantity(epoch, "logarithm of the factor of the distance over one epoch", "1"),
        Quantity(N, "examples in the training set", "1"),
        Quantity(rate, "mean over examples of log|1 - eta h_i|", "1"),
    ),
    regime="Interpolating quadratics along one direction, S = 1, each example once an epoch, no multiplier 0.",
    derivation=Derivation(
        premises=(
            Define("mean logarithm", rate, Sum(logarithm[i], (i, 1, N)) / N),
            Define("start", travelled(0), Integer(0)),
            Define("step", travelled(k + 1), travelled(k) + _STEP.xreplace({t: k + 1})),
            Suppose("once an epoch", Eq(Sum(order[t, i], (t, 1, N)), 1, evaluate=False), forall=(i,)),
            Define("epoch", epoch, travelled(N)),
        ),
        steps=(
            Induct(
                "steps add up",
                k,
                travelled(k),
                Sum(_STEP, (t, 1, k)),
                uses=("start", "step"),
                normal=(ends, expanded, sums, rational),
                because="A step adds the logarithm of its example's multiplier.",
            ),
            Equal(
                "visits",
                epoch,
                Sum(logarithm[i] * Sum(order[t, i], (t, 1, N)), (i, 1, N)),
                uses=("epoch", "steps add up"),
                normal=_FORMS,
                because="The two finite sums change places.",
            ),
            Equal(
                "any order",
                epoch,
                N * rate,
                uses=("visits", "once an epoch", "mean logarithm"),
                normal=_FORMS,
                because="Each example is visited once.",
            ),
        ),
        worlds=_epoch_world,
    ),
    claim=Formula(epoch, N * rate),
    rivals=(
        Rival("one step", Formula(epoch, rate), "counts one step for an epoch"),
        Rival("mean square", Formula(epoch, N * log_mean_square / 2), "is the mean square of N fresh steps"),
    ),
)

LAWS = (ALMOST_SURE_BOUND, RESHUFFLED_EPOCH)

LARGEST_LIST = 20_000
"""Most batches that the predictor lists."""


def _almost_sure(h: Any, S: Any, eta: Any) -> Mapping[str, Any]:
    curvatures = numbers("h", h)
    size_, rate_ = whole("S", S, 1, Integer(len(curvatures))), number("eta", eta, positive=True)
    if comb(len(curvatures), int(size_)) > LARGEST_LIST:
        raise OutsideDomain(f"there are more than {LARGEST_LIST} batches of S={size_}; give fewer examples or S=1")
    sizes = [abs(1 - rate_ * slope) for slope in batch_means(curvatures, int(size_))]
    growth = mean([one**2 for one in sizes])
    product = prod(sizes)
    grows = -oo if product == 0 else sum((log(one) for one in sizes), Integer(0)) / len(sizes)
    return {
        "Q": growth,
        "log_growth": grows,
        "mean_square_stable": bool(growth <= 1),
        "almost_surely_stable": bool(product < 1 or all(one == 1 for one in sizes)),
    }


PREDICTORS = (
    Predictor(
        name="breakeven.almost_sure",
        laws=("breakeven.log_distance", "breakeven.almost_sure_within_mean_square", "breakeven.second_moment"),
        inputs=(
            Input("h", "the examples' curvatures along the direction: a list of two or more"),
            Input("S", "examples in a mini-batch, without replacement", default=Integer(1), required=False),
            RATE,
        ),
        evaluate=_almost_sure,
        summary="Growth of the mean square and of the logarithm of a single run, and whether each is stable.",
    ),
)
