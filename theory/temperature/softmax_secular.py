"""The secular equation of the softmax Jacobian: which numbers are its eigenvalues, and their vectors (T19, T20)."""

import random

from sympy import Eq, Implies, IndexedBase, Integer, Ne, Symbol, log

from theory.claims import Identity
from theory.definitions.temperature import MEANINGS, K, i, j, over_classes
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import merged
from theory.proof.premises import Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.softmax_jacobian import (
    COLUMN,
    JACOBIAN,
    LAPLACIAN,
    ROW,
    SOFTMAX,
    WHOLE,
    Z,
    jacobian,
    k,
    p,
)

V = IndexedBase("V", real=True)
mu, overlap = (Symbol(name, real=True) for name in ("mu", "overlap"))

SECULAR = Identity(over_classes(p[k] / (p[k] - mu), k), Integer(0))
EIGENVECTOR = Suppose(
    "eigenvector",
    Implies(i <= K, Eq(over_classes(jacobian[i, j] * V[j], j), mu * V[i], evaluate=False), evaluate=False),
    forall=(i,),
)
OVERLAP = Suppose("overlap with the shares", Eq(over_classes(p[k] * V[k], k), overlap, evaluate=False))
NO_SHARE = Suppose("the eigenvalue is no share", Ne(p[j], mu, evaluate=False))
NOT_NULL = Suppose("nor 0", Ne(mu, 0, evaluate=False))
NOT_ZERO = Suppose("the vector is not 0", Ne(V[j], 0, evaluate=False))


def an_eigenvector(source: random.Random) -> World:
    """Two weights and a number, and the third weight with which it is an eigenvalue, all over their sum."""
    number = fraction(source, 2, 5)
    weights = [number * factor for factor in (fraction(source, 2, 4), fraction(source, 5, 9) / 12)]
    rest = sum(w / (w - number) for w in weights)
    weights.append(number * rest / (1 + rest))
    total = sum(weights)
    shares = [w / total for w in weights]
    size = fraction(source)
    vector = [size * w / (w - number) for w in weights]
    return World(
        {
            K: 3,
            i: source.randint(1, 3),
            j: source.randint(1, 3),
            Z: [log(share) for share in shares],
            V: vector,
            mu: number / total,
            overlap: sum(share * entry for share, entry in zip(shares, vector, strict=True)),
        }
    )


ACTS = Equal(
    "the Jacobian acts",
    over_classes(jacobian[i, j] * V[j], j),
    p[i] * (V[i] - over_classes(p[k] * V[k], k)),
    uses=(LAPLACIAN.name, ROW.name),
    forall=(i,),
)
ROWS = Equal(
    "rows of the eigenvalue equation",
    p[i] * V[i] - p[i] * overlap,
    over_classes(jacobian[i, j] * V[j], j),
    uses=(ACTS.name, OVERLAP.name, ROW.name),
    forall=(i,),
)
ENTRIES = Equal(
    "entries of the vector",
    V[i],
    overlap * p[i] / (p[i] - mu),
    uses=(ROWS.name, EIGENVECTOR.name, ROW.name),
    because="(p_j - mu) V_j / p_j is the same for all classes",
    forall=(i,),
)
DERIVATION = Derivation(
    premises=(ROW, COLUMN, SOFTMAX, JACOBIAN, EIGENVECTOR, OVERLAP, NO_SHARE, NOT_NULL, NOT_ZERO),
    steps=(
        LAPLACIAN,
        WHOLE,
        ACTS,
        ROWS,
        ENTRIES,
        Equal(
            "overlap by the entries",
            over_classes(p[k] * V[k], k),
            overlap * over_classes(p[k] ** 2 / (p[k] - mu), k),
            uses=(ENTRIES.name,),
        ),
        Holds(
            "overlap twice",
            Eq(overlap * over_classes(p[k] ** 2 / (p[k] - mu), k), overlap, evaluate=False),
            uses=("overlap by the entries", OVERLAP.name),
        ),
        Equal("entry at class j", V[j] * (p[j] - mu), overlap * p[j], uses=(ENTRIES.name, COLUMN.name)),
        Holds(
            "the overlap is not 0",
            Ne(overlap, 0, evaluate=False),
            uses=("entry at class j", *names(NOT_ZERO, NO_SHARE)),
        ),
        Equal(
            "p^2/(p - mu) is p and mu p/(p - mu)",
            overlap * over_classes(p[k] ** 2 / (p[k] - mu), k),
            overlap * over_classes(p[k], k) + overlap * mu * SECULAR.left,
            normal=(merged,),
        ),
        Holds(
            "nothing is left",
            Eq(overlap * mu * SECULAR.left, 0, evaluate=False),
            uses=("overlap twice", "p^2/(p - mu) is p and mu p/(p - mu)", WHOLE.name),
        ),
        Holds(
            "secular equation",
            SECULAR.statement,
            uses=("nothing is left", "the overlap is not 0", NOT_NULL.name),
        ),
    ),
    worlds=an_eigenvector,
)

LAWS = (
    Law(
        name="temperature.softmax_secular",
        title="Shares and any eigenvalue of the softmax Jacobian between them solve sum_j p_j/(p_j - mu) = 0",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.2, before eq 31",
            ("temperature:T19", "temperature:T20"),
            "the eigenvalues of diag(p) - p p^T other than 0 are the roots of sum_j p_j/(p_j - mu), with the vectors "
            "p_j/(p_j - mu)",
        ),
        quantities=(
            Quantity(p, "softmax of the scaled logits"),
            Quantity(mu, "eigenvalue of the softmax Jacobian, neither 0 nor one of the shares"),
            Quantity(K, *MEANINGS[K]),
        ),
        regime="any logits, any number of classes",
        derivation=DERIVATION,
        claim=SECULAR,
        rivals=(
            Rival("one", Identity(SECULAR.left, Integer(1)), "the equation of p^2/(p - mu)"),
            Rival("a class each", Identity(SECULAR.left, K), "what the eigenvalue 0 would give"),
        ),
    ),
)
