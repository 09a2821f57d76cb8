"""The mean logarithm of the distance after many steps of single runs (breakeven:L15).

A run's log distance moves by that of the multiplier of the example drawn; averaged over the histories and the fresh
example it moves by the mean logarithm, whatever came before.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Expr, Function, IndexedBase, Lambda, Rational, Sum, Symbol

from theory.breakeven.almost_sure import log_mean_square, logarithm, rate
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.definitions.breakeven import N, histories, history, i, k
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)
steps = Symbol("T", integer=True, nonnegative=True)
walked = Function("E_log_distance", real=True)
seen, travelled_by = IndexedBase("r", real=True), IndexedBase("log_psi", real=True)


def _over_histories(term: Expr) -> Expr:
    return Sum(term, (history, 1, histories))


def _histories_world(source: random.Random) -> World:
    """Two histories of every number of examples, one ahead of the mean logarithm and one behind it."""
    values = [draw(source, -3, 3) for _ in range(source.randint(2, 4))]
    middle, lead = sum(values) / len(values), draw(source)
    return World(
        {
            N: len(values),
            logarithm: values,
            histories: 2,
            history: 1,
            seen: Lambda((k, history), Rational(1, 2)),
            travelled_by: Lambda((k, history), k * (middle + lead * (2 * history - 3))),
            i: 1,
            k: source.randint(0, 3),
            steps: source.randint(0, 3),
        }
    )


LOG_DISTANCE = Law(
    name="breakeven.log_distance",
    title="The mean logarithm of the distance moves by E log|1 - eta h| in every step.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 3, 'diverges'",
        ("breakeven:L15",),
        "After T fresh steps the log distance has the mean T E log|1 - eta h|; by the law of large numbers almost "
        "every run shrinks where it is negative.",
    ),
    quantities=(
        Quantity(walked(steps), "mean logarithm of the distance after T steps over that at the start", "1"),
        Quantity(steps, "steps taken", "1"),
        Quantity(rate, "mean over examples of log|1 - eta h_i|", "1"),
    ),
    regime="Interpolating quadratics along one direction, S = 1, no multiplier 0. That each step's example is drawn "
    "independently of the history, whose logarithm it moves by its own, is a premise.",
    derivation=Derivation(
        premises=(
            Define("mean logarithm", rate, Sum(logarithm[i], (i, 1, N)) / N),
            Define("mean over histories", walked(k), _over_histories(seen[k, history] * travelled_by[k, history])),
            Suppose("start", Eq(walked(0), 0, evaluate=False)),
            Suppose("some history", Eq(_over_histories(seen[k, history]), 1, evaluate=False), forall=(k,)),
            Suppose(
                "one more fresh example",
                Eq(
                    _over_histories(seen[k + 1, history] * travelled_by[k + 1, history]),
                    Sum(
                        seen[k, history] / N * (travelled_by[k, history] + logarithm[i]),
                        (history, 1, histories),
                        (i, 1, N),
                    ),
                    evaluate=False,
                ),
                forall=(k,),
            ),
        ),
        steps=(
            Equal(
                "one step",
                walked(k + 1),
                walked(k) + rate,
                uses=("one more fresh example", "mean over histories", "some history", "mean logarithm"),
                normal=_FORMS,
                forall=(k,),
                because="The example is drawn afresh: its mean does not ask for the history.",
            ),
            Induct(
                "steps add up",
                steps,
                walked(steps),
                steps * rate,
                uses=("start", "one step"),
                normal=_FORMS,
                because="Every step adds the same mean.",
            ),
        ),
        worlds=_histories_world,
    ),
    claim=Formula(walked(steps), steps * rate),
    rivals=(
        Rival("mean square", Formula(walked(steps), steps * log_mean_square / 2), "is half the log of the mean square"),
        Rival("one step", Formula(walked(steps), rate), "forgets that steps add up"),
    ),
)

LAWS = (LOG_DISTANCE,)
