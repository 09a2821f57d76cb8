"""Condition numbers of a product of two matrices: the lemma with its hypotheses, and the small-logit case (T21, T22).

A is symmetric and positive definite, B symmetric and positive semidefinite; kappa+ leaves exact zeros out. The lemma
is that of `product_eigenvalues`, taken to ratios.
"""

import random
from dataclasses import replace

from sympy import Derivative, Eq, IndexedBase, Integer, KroneckerDelta, Symbol

from theory.claims import Bound, Identity
from theory.definitions.inequalities import above, at_most
from theory.definitions.temperature import CLASS, K, M, i, j, k, m, n, over_classes, over_points, softmax_of
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.product_eigenvalues import (
    ENDS,
    LOWER_PREMISES,
    LOWER_STEPS,
    MOST_AND_LEAST,
    UPPER_PREMISES,
    UPPER_STEPS,
    a_max,
    a_min,
    b_max,
    b_min,
    bottom,
    e,
    mu,
    mu_max,
    mu_min,
    top,
    two_matrices,
)

kappa_A, kappa_B, kappa_AB = (Symbol(f"kappa_{name}", positive=True) for name in ("A", "B", "AB"))

UPPER = Bound(kappa_AB, kappa_A * kappa_B)
LOWER = Bound(kappa_B / kappa_A, kappa_AB)

LOOSER = "a larger number only loosens this bound"
OF_A = Define("condition of A", kappa_A, a_max / a_min, LOOSER)
OF_B = Define("condition of B", kappa_B, b_max / b_min)
OF_PRODUCT = Define("condition of the product", kappa_AB, mu_max / mu_min, LOOSER)
OF_TWO = Define("two eigenvalues of the product, the largest and the smallest", kappa_AB, mu[top] / mu[bottom])
FOR_UPPER = (OF_A, replace(OF_B, convention=LOOSER), OF_TWO)
FOR_LOWER = (OF_A, OF_B, OF_PRODUCT)

UPPER_DERIVATION = Derivation(
    premises=(*UPPER_PREMISES, *FOR_UPPER),
    steps=(
        *UPPER_STEPS,
        Holds(
            "upper bound",
            UPPER.statement,
            uses=names(*MOST_AND_LEAST, *FOR_UPPER),
            instances=tuple(zip(names(*MOST_AND_LEAST), ({e: top}, {e: bottom}), strict=True)),
        ),
    ),
    worlds=two_matrices,
)
LOWER_DERIVATION = Derivation(
    premises=(*LOWER_PREMISES, *FOR_LOWER),
    steps=(*LOWER_STEPS, Holds("lower bound", LOWER.statement, uses=names(*ENDS, *FOR_LOWER))),
    worlds=two_matrices,
)

Theta_x, H, balance, Z, p, turned = (
    IndexedBase(name, real=True) for name in ("Theta_x", "H", "balance", "Z", "p", "turned")
)
level = Symbol("level", real=True)
f_max, f_min = (IndexedBase(name, real=True) for name in ("f_max", "f_min"))
t_max, t_min, h_max, h_min = (Symbol(name, positive=True) for name in ("t_max", "t_min", "h_max", "h_min"))
kappa_H, kappa_Theta = (Symbol(f"kappa_{name}", positive=True) for name in ("H", "Theta"))
SMALL = Identity(kappa_H, kappa_Theta)
SOFTMAX = Define("softmax", p[i], softmax_of(Z[i], i, k))
JACOBIAN = Define("softmax Jacobian", turned[i, j], Derivative(p[i], Z[j]))
HESSIAN = Define("kernel times softmax Jacobian", H[m, i, n, j], Theta_x[m, n] * turned[i, j])
SECOND_CLASS = Suppose("j is a class", at_most(j, K))
LEVEL = Suppose(
    "all logits are equal", Eq(Z[i], level, evaluate=False), "a softmax does not see a common shift", forall=(i,)
)
JACOBIAN_IN_FULL = Equal(
    "softmax Jacobian in full",
    turned[i, j],
    p[i] * (KroneckerDelta(i, j) - p[j]),
    uses=("softmax", "softmax Jacobian", "j is a class"),
    normal=(derivatives, sums, rational),
    because="the quotient rule: every exponential turns with its own logit, their sum with each",
    forall=(i, j),
)
UNIFORM = Equal(
    "softmax of equal logits",
    p[i],
    1 / K,
    uses=("softmax", "all logits are equal"),
    because="K equal exponentials share alike, wherever they stand",
    forall=(i,),
)
BALANCED = Suppose("classes balance", Eq(over_classes(balance[j], j), 0, evaluate=False))
MOVES = Suppose("the mode is there", above(balance[i], 0))
KAPPA_THETA = Define("condition of the kernel", kappa_Theta, t_max / t_min)
KAPPA_H = Define("condition of the Hessian", kappa_H, h_max / h_min)


def mode(name: str, f: IndexedBase, t: Symbol, h: Symbol) -> tuple[Suppose, Suppose, Suppose, Equal, Holds]:
    """A mode of the kernel is one of the Hessian, with the eigenvalue over K."""
    kernel = Suppose(
        f"{name} mode of the kernel", Eq(over_points(Theta_x[m, n] * f[n], n), t * f[m], evaluate=False), forall=(m,)
    )
    acted = over_points(over_classes(H[m, i, n, j] * f[n] * balance[j], j), n)
    hessian = Suppose(f"{name} mode of the Hessian", Eq(h * f[m] * balance[i], acted, evaluate=False))
    there = Suppose(f"{name} mode is not 0", above(f[m], 0))
    by_kernel = Equal(
        f"{name} mode acted on",
        h * f[m] * balance[i],
        t / K * f[m] * balance[i],
        uses=(*names(kernel, hessian, HESSIAN, BALANCED, CLASS), JACOBIAN_IN_FULL.name, UNIFORM.name),
        because="the softmax Jacobian at p = 1/K is (1/K) times the projector on balanced classes",
    )
    return (
        kernel,
        hessian,
        there,
        by_kernel,
        Holds(f"{name} eigenvalue", Eq(h, t / K, evaluate=False), uses=(by_kernel.name, *names(there, MOVES))),
    )


TOP_MODE, BOTTOM_MODE = mode("largest", f_max, t_max, h_max), mode("smallest", f_min, t_min, h_min)


def two_modes(source: random.Random) -> World:
    """A kernel of two points with the vectors (1, 1) and (1, -1), and three classes."""
    high, low = fraction(source, 4, 9), fraction(source, 1, 3)
    mean, half = (high + low) / 2, (high - low) / 2
    between = table(source, 2, low=1, high=5)
    place = fraction(source, -2, 2)
    return World(
        {
            M: 2,
            K: 3,
            m: 1,
            n: 1,
            i: source.randint(1, 2),
            j: source.randint(1, 3),
            k: 1,
            Z: [place] * 3,
            level: place,
            Theta_x: [[mean, half], [half, mean]],
            f_max: [1, 1],
            f_min: [1, -1],
            t_max: high,
            t_min: low,
            h_max: high / 3,
            h_min: low / 3,
            balance: [*between, -sum(between)],
        }
    )


SMALL_DERIVATION = Derivation(
    premises=(
        CLASS,
        SECOND_CLASS,
        SOFTMAX,
        JACOBIAN,
        HESSIAN,
        LEVEL,
        BALANCED,
        MOVES,
        *TOP_MODE[:3],
        *BOTTOM_MODE[:3],
        KAPPA_THETA,
        KAPPA_H,
    ),
    steps=(
        JACOBIAN_IN_FULL,
        UNIFORM,
        Equal(
            "zero modes",
            over_points(over_classes(H[m, i, n, j] * f_max[n], j), n),
            Integer(0),
            uses=(*names(HESSIAN, CLASS), JACOBIAN_IN_FULL.name, UNIFORM.name),
            because="what is the same in all classes is not seen",
        ),
        *TOP_MODE[3:],
        *BOTTOM_MODE[3:],
        Equal(
            "the same ratio",
            SMALL.left,
            SMALL.right,
            uses=(TOP_MODE[-1].name, BOTTOM_MODE[-1].name, *names(KAPPA_THETA, KAPPA_H)),
        ),
    ),
    worlds=two_modes,
)

PRODUCT = (
    Quantity(kappa_AB, "largest over smallest nonzero eigenvalue of A B"),
    Quantity(kappa_A, "condition number of A, symmetric positive definite"),
    Quantity(kappa_B, "largest over smallest nonzero eigenvalue of B, symmetric positive semidefinite"),
)
LEMMA = (
    "A symmetric positive definite, B symmetric positive semidefinite, any sizes and rank; the premise is the spectral "
    "theorem, {which}"
)

LAWS = (
    Law(
        name="temperature.condition_number_upper",
        title="The condition number of A B is at most the product of those of A and B, without exact zeros",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3, lemma, eq 26",
            ("temperature:T21", "temperature:E16", "temperature:E17"),
            "kappa+(A B) <= kappa(A) kappa+(B) for A positive definite and B positive semidefinite, both symmetric",
        ),
        quantities=PRODUCT,
        regime=LEMMA.format(which="that A has an orthonormal basis of eigenvectors"),
        derivation=UPPER_DERIVATION,
        claim=UPPER,
        rivals=(
            Rival("that of B", Bound(kappa_AB, kappa_B), "forgets A"),
            Rival("ratio", Bound(kappa_AB, kappa_B / kappa_A), "takes the lower bound for the upper"),
        ),
    ),
    Law(
        name="temperature.condition_number_lower",
        title="The condition number of A B is at least that of B over that of A, without exact zeros",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3, lemma, eqs 26-28",
            ("temperature:T21", "temperature:E15", "temperature:E17"),
            "kappa+(B)/kappa(A) <= kappa+(A B) for A positive definite and B positive semidefinite, both symmetric",
        ),
        quantities=PRODUCT,
        regime=LEMMA.format(which="for A and for the symmetric B^(1/2) A B^(1/2), which has the product's eigenvalues"),
        derivation=LOWER_DERIVATION,
        claim=LOWER,
        rivals=(
            Rival("inverted", Bound(kappa_A / kappa_B, kappa_AB), "the middle of eq 28 as printed"),
            Rival("product", Bound(kappa_A * kappa_B, kappa_AB), "takes the upper bound for the lower"),
        ),
    ),
    Law(
        name="temperature.small_logit_conditioning",
        title="At small logits the dynamics are conditioned as the kernel is, beside one zero mode a point",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.3.1, eqs 29-30",
            ("temperature:T22", "temperature:E17"),
            "H = (1/K) P_K (x) Theta_x has kappa+(H) = kappa(Theta_x) and M zero modes",
        ),
        quantities=(
            Quantity(kappa_H, "largest over smallest nonzero eigenvalue of kernel times softmax Jacobian"),
            Quantity(kappa_Theta, "condition number of the kernel"),
        ),
        regime="equal logits; block-diagonal kernel of any size",
        derivation=SMALL_DERIVATION,
        claim=SMALL,
        rivals=(
            Rival("squared", Identity(kappa_H, kappa_Theta**2), "a kernel on each side"),
            Rival("one", Identity(kappa_H, Integer(1)), "the softmax Jacobian alone"),
        ),
    ),
)
