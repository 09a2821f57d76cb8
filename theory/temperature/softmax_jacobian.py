"""The softmax Jacobian diag(p) - p p^T is the Laplacian of a graph: null vector, trace, pseudo-determinant (T19).

The determinant of general size is taken by elimination: entry (i, j) of what is left after n pivots is F(n, i, j),
counted from there.
"""

import random

from sympy import (
    Derivative,
    Eq,
    Function,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Limit,
    Product,
    Rational,
    Sum,
    Symbol,
)

from theory.claims import Identity
from theory.definitions.temperature import MEANINGS, K, i, j, over_classes, softmax_of
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import ends, merged, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Induct, Tends
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

n = Symbol("n", integer=True, nonnegative=True)
k = Symbol("l", integer=True, positive=True)
x = Symbol("x", positive=True)
Z, jacobian, eigenvalue = (IndexedBase(name, real=True) for name in ("Z", "sigma_z", "mu"))
p = IndexedBase("p", positive=True)
entry, determinant, left = (Function(name, real=True) for name in ("F", "determinant", "left"))
pseudo = Symbol("pseudo_determinant", real=True)

ROW = Suppose("i is a class", i <= K)
COLUMN = Suppose("j is a class", j <= K)
SOFTMAX = Define("softmax", p[i], softmax_of(Z[i], i, k))
JACOBIAN = Define("Jacobian", jacobian[i, j], Derivative(softmax_of(Z[i], i, k), Z[j]))


def three_logits(source: random.Random) -> World:
    """Three classes."""
    places = {i: source.randint(1, 3), j: source.randint(1, 3)}
    return World({K: 3, **places, Z: table(source, 3, low=-1, high=1)})


LAPLACIAN = Equal(
    "Laplacian",
    jacobian[i, j],
    KroneckerDelta(i, j) * p[i] - p[i] * p[j],
    uses=names(SOFTMAX, JACOBIAN, COLUMN),
    because="off the diagonal every two classes are joined by the weight p_i p_j",
    forall=(i, j),
)
WHOLE = Equal("shares sum to 1", over_classes(p[j], j), Integer(1), uses=names(SOFTMAX))
NULL = Identity(over_classes(jacobian[i, j], j), Integer(0))
TRACE = Identity(over_classes(jacobian[i, i], i), 1 - over_classes(p[i] ** 2, i))
NULL_DERIVATION = Derivation(
    premises=(ROW, COLUMN, SOFTMAX, JACOBIAN),
    steps=(
        LAPLACIAN,
        WHOLE,
        Equal("null vector", NULL.left, NULL.right, uses=("Laplacian", "shares sum to 1", ROW.name)),
    ),
    worlds=three_logits,
)
TRACE_DERIVATION = Derivation(
    premises=(COLUMN, SOFTMAX, JACOBIAN),
    steps=(
        LAPLACIAN,
        WHOLE,
        Equal("trace", TRACE.left, TRACE.right, uses=("Laplacian", "shares sum to 1")),
    ),
    worlds=three_logits,
)

SHARES = Product(p[k], (k, 1, K))
PSEUDO = Identity(Product(eigenvalue[k], (k, 1, K - 1)), K * SHARES)
SHIFTED = Product(p[k] + x, (k, 1, K))
SHARE = Suppose("shares sum to 1", Eq(over_classes(p[k], k), 1, evaluate=False))
START = Define("Laplacian plus x", entry(0, i, j, x), KroneckerDelta(i, j) * (p[i] + x) - p[i] * p[j])
ELIMINATION = Define(
    "elimination",
    entry(n + 1, i, j, x),
    entry(n, i + 1, j + 1, x) - entry(n, i + 1, 1, x) * entry(n, 1, j + 1, x) / entry(n, 1, 1, x),
)
NO_PIVOT = Define("no pivot yet", determinant(0, x), Integer(1))
PIVOT = Define("pivots multiplied", determinant(n + 1, x), determinant(n, x) * entry(n, 1, 1, x))
LEFT_ALL = Define("nothing gone yet", left(0, x), Integer(1))
LEFT = Define("what is left", left(n + 1, x), left(n, x) - p[n + 1] ** 2 / (p[n + 1] + x))
SPECTRUM = Suppose(
    "the eigenvalues are 0 and mu",
    Eq(determinant(K, x), x * Product(eigenvalue[k] + x, (k, 1, K - 1)), evaluate=False),
    forall=(x,),
)
PSEUDO_AT = Define("pseudo-determinant", pseudo, Limit(determinant(K, x) / x, x, 0))


def with_rational_eigenvalues(source: random.Random) -> World:
    """Two classes, or three of which two are alike; the table goes on past them, as the induction does."""
    shares = [fraction(source) / 60 for _ in range(20)]
    first = Rational(source.randint(1, 9), 20)
    if source.random() < 0.5:
        classes, shares[:2], found = 2, [first, 1 - first], [2 * first * (1 - first)]
    else:
        classes, shares[:3] = 3, [first, first, 1 - 2 * first]
        found = [first, 3 * first * (1 - 2 * first)]
    places = {n: source.randint(0, 2), i: source.randint(1, 3), j: source.randint(1, 3)}
    return World({K: classes, **places, x: fraction(source), p: shares, eigenvalue: found})


PSEUDO_DERIVATION = Derivation(
    premises=(SHARE, START, ELIMINATION, NO_PIVOT, PIVOT, LEFT_ALL, LEFT, SPECTRUM, PSEUDO_AT),
    steps=(
        Induct(
            "complement",
            n,
            entry(n, i, j, x),
            KroneckerDelta(i, j) * (p[n + i] + x) - p[n + i] * p[n + j] / left(n, x),
            uses=names(START, ELIMINATION, LEFT_ALL, LEFT),
            every=(i, j),
            because="a diagonal minus a product stays one under elimination",
        ),
        Induct(
            "pivots",
            n,
            determinant(n, x),
            left(n, x) * Product(p[k] + x, (k, 1, n)),
            uses=("complement", *names(NO_PIVOT, PIVOT, LEFT_ALL, LEFT)),
            normal=(ends, sums, rational),
        ),
        Induct(
            "what is left after n",
            n,
            left(n, x),
            1 - Sum(p[k] ** 2 / (p[k] + x), (k, 1, n)),
            uses=names(LEFT_ALL, LEFT),
            normal=(ends, sums, rational),
        ),
        Equal(
            "what is left in the end",
            left(K, x),
            x * over_classes(p[k] / (p[k] + x), k),
            uses=("what is left after n", SHARE.name),
            normal=(merged,),
            because="p - p^2/(p + x) is x p/(p + x), and the shares sum to 1",
        ),
        Equal(
            "characteristic polynomial",
            determinant(K, x),
            x * over_classes(p[k] / (p[k] + x), k) * SHIFTED,
            uses=("pivots", "what is left in the end"),
        ),
        Tends(
            "without its zero", determinant(K, x) / x, x, Integer(0), K * SHARES, uses=("characteristic polynomial",)
        ),
        Tends(
            "by the eigenvalues",
            determinant(K, x) / x,
            x,
            Integer(0),
            Product(eigenvalue[k], (k, 1, K - 1)),
            uses=(SPECTRUM.name,),
        ),
        Equal("K times all shares", pseudo, K * SHARES, uses=("without its zero", PSEUDO_AT.name)),
        Equal("all eigenvalues but the zero", PSEUDO.left, pseudo, uses=("by the eigenvalues", PSEUDO_AT.name)),
        Equal(
            "pseudo-determinant of the Laplacian",
            PSEUDO.left,
            PSEUDO.right,
            uses=("K times all shares", "all eigenvalues but the zero"),
        ),
    ),
    worlds=with_rational_eigenvalues,
)

PLACE = "app A.2, eq 24"
CLASSES = Quantity(K, *MEANINGS[K])
SHARE_OF = Quantity(p, "softmax of the scaled logits")
ENTRIES = (Quantity(jacobian, "softmax Jacobian in the scaled logits"), CLASSES)

LAWS = (
    Law(
        name="temperature.softmax_jacobian_null",
        title="The softmax Jacobian has an exact zero eigenvalue, with all classes alike as its vector",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.2, eqs 24 and 35",
            ("temperature:T19", "temperature:E20"),
            "sigma_z = diag(p) - p p^T is the Laplacian of the complete graph with weights p_i p_j: rows sum to 0",
        ),
        quantities=(*ENTRIES, Quantity(i, *MEANINGS[i]), SHARE_OF),
        regime="any logits, any number of classes",
        derivation=NULL_DERIVATION,
        claim=NULL,
        rivals=(
            Rival("shares", Identity(NULL.left, p[i] ** 2), "forgets the diagonal's second term"),
            Rival("minus half a square", Identity(NULL.left, -(p[i] ** 2) / 2), "the size that eq 35 gives to it"),
        ),
    ),
    Law(
        name="temperature.softmax_trace",
        title="The trace of the softmax Jacobian is 1 minus the sum of the squared shares",
        status=Status.THEOREM,
        source=Source("temperature", PLACE, ("temperature:T19",), "trace sigma_z = 1 - sum p^2"),
        quantities=(*ENTRIES, SHARE_OF),
        regime="any logits, any number of classes",
        derivation=TRACE_DERIVATION,
        claim=TRACE,
        rivals=(Rival("one", Identity(TRACE.left, Integer(1)), "the trace of the diagonal alone"),),
    ),
    Law(
        name="temperature.pseudo_determinant",
        title="The nonzero eigenvalues of the softmax Jacobian multiply to K times the product of all shares",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.2, against eqs 34 and 36",
            ("temperature:T19", "temperature:E21"),
            "the pseudo-determinant of diag(p) - p p^T is K prod_i p_i, by the matrix-tree theorem",
        ),
        quantities=(Quantity(eigenvalue, "nonzero eigenvalue of the softmax Jacobian"), CLASSES, SHARE_OF),
        assumptions=(SHARE.fact,),
        regime="any positive shares that sum to 1; any number of classes",
        derivation=PSEUDO_DERIVATION,
        claim=PSEUDO,
        rivals=(
            Rival("twice", Identity(PSEUDO.left, 2 * SHARES), "the product of the printed eigenvalues, eqs 34 and 36"),
            Rival("shares alone", Identity(PSEUDO.left, SHARES), "the determinant of the diagonal"),
        ),
    ),
)
