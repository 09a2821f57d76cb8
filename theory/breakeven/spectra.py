"""Bounds on top eigenvalues: by the trace, and their bias on subsets (breakeven:L9, L10, L11)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Expr, IndexedBase, Rational, Sum, Symbol

from theory.breakeven.noise_factor import PAPER
from theory.claims import Bound
from theory.definitions.batch_gradients import D, d, e, over_coordinates
from theory.definitions.breakeven import batch, batches
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)

rank = Symbol("rank", integer=True, positive=True)
m = Symbol("m", integer=True, positive=True)
total, top, bottom = (Symbol(n, positive=True) for n in ("Tr", "lam_1", "lam_last"))
fall, rise = (IndexedBase(n, nonnegative=True) for n in ("fall", "rise"))
value = IndexedBase("mu", real=True)

_EIGENVALUES = (
    Quantity(total, "trace of the matrix", "1"),
    Quantity(top, "its largest eigenvalue", "1"),
    Quantity(rank, "number of its eigenvalues that are not 0", "1"),
)


def _spectrum(source: random.Random) -> World:
    """Positive eigenvalues in falling order, with what each lies below the first and above the last."""
    values = sorted((draw(source) for _ in range(source.randint(2, 4))), reverse=True)
    return World(
        {
            rank: len(values),
            top: values[0],
            bottom: values[-1],
            value: values,
            fall: [values[0] - one for one in values],
            rise: [one - values[-1] for one in values],
            total: sum(values),
            m: 1,
        }
    )


TRACE_BOUND = Law(
    name="breakeven.trace_bound",
    title="The trace of a covariance is at most its rank times its largest eigenvalue.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 3, after Conjecture 1",
        ("breakeven:L9", "breakeven:G6"),
        "Tr K <= min(D, N - 1) lambda_K: a smaller lambda_K lowers a bound on the noise, not the noise.",
    ),
    quantities=_EIGENVALUES,
    regime="Positive semidefinite matrices; K of N examples has a rank of at most min(D, N - 1).",
    derivation=Derivation(
        premises=(
            Suppose("trace", Eq(total, Sum(value[m], (m, 1, rank)), evaluate=False)),
            Suppose("below the first", Eq(value[m], top - fall[m], evaluate=False), forall=(m,)),
        ),
        steps=(
            Equal(
                "what is missing",
                total,
                rank * top - Sum(fall[m], (m, 1, rank)),
                uses=("trace", "below the first"),
                normal=_FORMS,
                because="Each eigenvalue is the first less what it lies below it.",
            ),
            Holds(
                "at most",
                Bound(total, rank * top).statement,
                uses=("what is missing",),
                because="Nothing that is missing is negative.",
            ),
        ),
        worlds=_spectrum,
    ),
    claim=Bound(total, rank * top),
    rivals=(
        Rival("top alone", Bound(total, top), "takes the largest eigenvalue for the trace, as Section 3 does"),
        Rival("other way", Bound(rank * top, total), "turns the bound round"),
    ),
)

LAST_BOUND = Law(
    name="breakeven.conditioning_bound",
    title="The smallest non-zero eigenvalue is at most (Tr - lambda_1)/(rank - 1).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 4.2, the ratio of extreme eigenvalues",
        ("breakeven:L9",),
        "lambda^*/lambda_1 <= (Tr/lambda_1 - 1)/(r - 1); for the Gram matrix of L batches r = L - 1.",
    ),
    quantities=(*_EIGENVALUES, Quantity(bottom, "its smallest eigenvalue that is not 0", "1")),
    regime="Positive semidefinite matrices.",
    derivation=Derivation(
        premises=(
            Suppose("trace", Eq(total, top + Sum(value[m], (m, 2, rank)), evaluate=False)),
            Suppose("above the last", Eq(value[m], bottom + rise[m], evaluate=False), forall=(m,)),
        ),
        steps=(
            Equal(
                "what is more",
                total,
                top + (rank - 1) * bottom + Sum(rise[m], (m, 2, rank)),
                uses=("trace", "above the last"),
                normal=_FORMS,
                because="Each eigenvalue is the last plus what it lies above it.",
            ),
            Holds(
                "at least",
                Bound((rank - 1) * bottom, total - top).statement,
                uses=("what is more",),
                because="Nothing that is more is negative.",
            ),
        ),
        worlds=_spectrum,
    ),
    claim=Bound((rank - 1) * bottom, total - top),
    rivals=(Rival("other way", Bound(total - top, (rank - 1) * bottom), "turns the bound round"),),
)

estimate, slack = IndexedBase("top_B", real=True), IndexedBase("slack", nonnegative=True)
matrix = IndexedBase("A_B", real=True)
direction = IndexedBase("v", real=True)
whole, expected = Symbol("lam_full", real=True), Symbol("E_lam", real=True)
weight = IndexedBase("q", nonnegative=True)


def _weighted(term: Expr) -> Expr:
    return Sum(weight[batch] * term, (batch, 1, batches))


def _matrices(source: random.Random) -> World:
    """Matrices of two coordinates, a unit vector, and numbers no smaller than its quadratic forms."""
    count = source.randint(2, 3)
    shares = [draw(source) for _ in range(count)]
    shares = [one / sum(shares) for one in shares]
    made = []
    for _ in range(count):
        (p, q), (_, r) = table(source, 2, 2)
        made.append([[p, q], [q, r]])
    vector = [Rational(3, 5), Rational(4, 5)]
    forms = [sum(vector[k] * one[k][n] * vector[n] for k in range(2) for n in range(2)) for one in made]
    more = [draw(source, 0, 3) for _ in range(count)]
    return World(
        {
            batches: count,
            weight: shares,
            matrix: made,
            D: 2,
            direction: vector,
            slack: more,
            estimate: [one + extra for one, extra in zip(forms, more, strict=True)],
            whole: sum(share * form for share, form in zip(shares, forms, strict=True)),
            batch: 1,
            d: 1,
            e: 1,
        }
    )


SUBSET_BIAS = Law(
    name="breakeven.subset_bias",
    title="The largest eigenvalue of an unbiased estimate is too large on average: subsets overstate lambda_H.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 4, Hessians on 5 % of the data; Appendix C",
        ("breakeven:L11", "breakeven:L10", "breakeven:G12"),
        "E lambda_1(A_subset) >= lambda_1(A) for every unbiased estimate, Hessians on subsets and Gram matrices alike.",
    ),
    quantities=(
        Quantity(whole, "largest eigenvalue of the mean matrix", "curvature"),
        Quantity(expected, "mean largest eigenvalue of the estimates", "curvature"),
    ),
    regime="Symmetric matrices of any size whose mean is the matrix estimated. That no unit vector gives a larger "
    "quadratic form than the largest eigenvalue, and that the mean matrix attains it, is what the word means.",
    derivation=Derivation(
        premises=(
            Suppose(
                "no form is larger",
                Eq(
                    estimate[batch],
                    over_coordinates(direction[d] * matrix[batch, d, e] * direction[e], d, e) + slack[batch],
                    evaluate=False,
                ),
                forall=(batch,),
            ),
            Define("mean of the largest", expected, _weighted(estimate[batch])),
            Suppose(
                "attained",
                Eq(
                    over_coordinates(direction[d] * _weighted(matrix[batch, d, e]) * direction[e], d, e),
                    whole,
                    evaluate=False,
                ),
            ),
        ),
        steps=(
            Equal(
                "forms and what is more",
                expected,
                over_coordinates(direction[d] * _weighted(matrix[batch, d, e]) * direction[e], d, e)
                + _weighted(slack[batch]),
                uses=("mean of the largest", "no form is larger"),
                normal=_FORMS,
                because="The form of the mean matrix is the mean of the forms.",
            ),
            Holds(
                "too large",
                Bound(whole, expected).statement,
                uses=("forms and what is more", "attained"),
                normal=_FORMS,
                because="What is more is not negative, nor are the chances.",
            ),
        ),
        worlds=_matrices,
    ),
    claim=Bound(whole, expected),
    rivals=(Rival("too small", Bound(expected, whole), "expects a subset to miss sharp directions"),),
)

LAWS = (TRACE_BOUND, LAST_BOUND, SUBSET_BIAS)
