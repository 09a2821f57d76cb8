"""Condition numbers of a product of two matrices: the lemma with its hypotheses, and the small-logit case (T21, T22).

A is symmetric and positive definite, B symmetric and positive semidefinite. All is written in the eigenbasis of B,
restricted to its range: B is a list of positive eigenvalues there. kappa+ leaves exact zeros out.
"""

import random
from dataclasses import replace

from sympy import Eq, IndexedBase, Integer, KroneckerDelta, Sum, Symbol

from theory.claims import Bound, Identity
from theory.definitions.temperature import CLASS, K, M, i, j, m, n, over_classes, over_points
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

R = Symbol("R", integer=True, positive=True)
k, l = (Symbol(name, integer=True, positive=True) for name in "kl")  # noqa: E741
A, w_max, w_min = (IndexedBase(name, real=True) for name in ("A", "w_max", "w_min"))
B = IndexedBase("B", positive=True)
a_min, a_max, b_min, b_max, mu_min, mu_max, at_top, at_bottom = (
    Symbol(name, positive=True)
    for name in ("a_min", "a_max", "b_min", "b_max", "mu_min", "mu_max", "A_top", "A_bottom")
)
kappa_A, kappa_B, kappa_AB = (Symbol(f"kappa_{name}", positive=True) for name in ("A", "B", "AB"))

UPPER = Bound(kappa_AB, kappa_A * kappa_B)
LOWER = Bound(kappa_B / kappa_A, kappa_AB)

LOOSER = "a larger number only loosens this bound"
OF_A = Define("condition of A", kappa_A, a_max / a_min, LOOSER)
OF_B = Define("condition of B", kappa_B, b_max / b_min)
OF_PRODUCT = Define("condition of the product", kappa_AB, mu_max / mu_min)
FOR_UPPER = (OF_A, replace(OF_B, convention=LOOSER), OF_PRODUCT)
FOR_LOWER = (OF_A, OF_B, replace(OF_PRODUCT, convention=LOOSER))


def names(*premises: Define | Suppose) -> tuple[str, ...]:
    """How steps refer to premises."""
    return tuple(premise.name for premise in premises)


def at_an_end(
    end: str, w: IndexedBase, mu: Symbol, bounds: tuple[Symbol, Symbol], no_larger: bool
) -> tuple[tuple[Define | Suppose, ...], tuple[Equal, Holds]]:
    """An eigenvector of B A in the range of B: premises, and steps to the bound of its eigenvalue by a b."""
    (a, b), size = bounds, Symbol(f"size_{mu.name}", positive=True)
    form, inverse_form = (Symbol(f"{which}_{mu.name}", real=True) for which in ("form", "inverse_form"))
    of_w = Sum(A[k, l] * w[l], (l, 1, R))
    vector = Suppose(f"eigenvector of the {end}", Eq(B[k] * of_w, mu * w[k], evaluate=False), forall=(k,))
    of_a = Define(f"form of A at the {end}", form, Sum(w[k] * of_w, (k, 1, R)))
    of_b = Define(f"form of the inverse of B at the {end}", inverse_form, Sum(w[k] ** 2 / B[k], (k, 1, R)))
    rayleigh_a = Suppose(f"A at the {end}", form <= a * size if no_larger else form >= a * size)
    rayleigh_b = Suppose(f"B at the {end}", inverse_form >= size / b if no_larger else inverse_form <= size / b)
    quotient = Equal(
        f"the {end} is a quotient of forms",
        form,
        mu * inverse_form,
        uses=names(vector, of_a, of_b),
        because="<w, A w> = mu <w, B^+ w> in the range of B (Ostrowski)",
    )
    bound = Holds(
        f"the {end} is no {'larger' if no_larger else 'smaller'}",
        mu <= a * b if no_larger else mu >= a * b,
        uses=(quotient.name, *names(rayleigh_a, rayleigh_b)),
        because="forms lie between the extreme eigenvalues times the square of the vector's length",
    )
    return (vector, of_a, of_b, rayleigh_a, rayleigh_b), (quotient, bound)


LARGEST = at_an_end("largest eigenvalue", w_max, mu_max, (a_max, b_max), no_larger=True)
SMALLEST = at_an_end("smallest eigenvalue", w_min, mu_min, (a_min, b_min), no_larger=False)


def two_vectors(source: random.Random) -> World:
    """Diagonal factors of size two, and the axes of the largest and of the smallest product."""
    forms, weights = ([fraction(source) for _ in range(2)] for _ in range(2))
    products = [f * g for f, g in zip(forms, weights, strict=True)]
    top, length = products.index(max(products)), fraction(source)
    axes = [[length, 0], [0, length]]
    values = {
        R: 2, k: source.randint(1, 2), l: 1, A: [[forms[0], 0], [0, forms[1]]], B: weights,
        w_max: axes[top], w_min: axes[1 - top], mu_max: products[top], mu_min: products[1 - top],
        a_min: min(forms), a_max: max(forms), b_min: min(weights), b_max: max(weights),
    }  # fmt: skip
    return World({**values, **{Symbol(f"size_{mu.name}", positive=True): length**2 for mu in (mu_max, mu_min)}})


TOP = Suppose("the largest is no less than the quotient at B's largest", mu_max >= at_top * b_max)
BOTTOM = Suppose("the smallest is no more than the quotient at B's smallest", mu_min <= at_bottom * b_min)
AT_TOP = Suppose("A along B's largest", at_top >= a_min)
AT_BOTTOM = Suppose("A along B's smallest", at_bottom <= a_max)


def two_axes(source: random.Random) -> World:
    """Diagonal factors of size two."""
    forms, weights = [fraction(source) for _ in range(2)], sorted(fraction(source) for _ in range(2))
    products = [f * g for f, g in zip(forms, weights, strict=True)]
    return World(
        {
            a_min: min(forms),
            a_max: max(forms),
            b_min: weights[0],
            b_max: weights[1],
            mu_min: min(products),
            mu_max: max(products),
            at_top: forms[1],
            at_bottom: forms[0],
        }
    )


UPPER_DERIVATION = Derivation(
    premises=(*FOR_UPPER, *LARGEST[0], *SMALLEST[0]),
    steps=(
        *LARGEST[1],
        *SMALLEST[1],
        Holds("upper bound", UPPER.statement, uses=(LARGEST[1][-1].name, SMALLEST[1][-1].name, *names(*FOR_UPPER))),
    ),
    worlds=two_vectors,
)
LOWER_DERIVATION = Derivation(
    premises=(*FOR_LOWER, TOP, BOTTOM, AT_TOP, AT_BOTTOM),
    steps=(
        Holds("largest", mu_max >= a_min * b_max, uses=names(TOP, AT_TOP)),
        Holds("smallest", mu_min <= a_max * b_min, uses=names(BOTTOM, AT_BOTTOM)),
        Holds("lower bound", LOWER.statement, uses=("largest", "smallest", *names(*FOR_LOWER))),
    ),
    worlds=two_axes,
)

Theta_x, H, e = (IndexedBase(name, real=True) for name in ("Theta_x", "H", "e"))
f_max, f_min = (IndexedBase(name, real=True) for name in ("f_max", "f_min"))
t_max, t_min, h_max, h_min = (Symbol(name, positive=True) for name in ("t_max", "t_min", "h_max", "h_min"))
kappa_H, kappa_Theta = (Symbol(f"kappa_{name}", positive=True) for name in ("H", "Theta"))
SMALL = Identity(kappa_H, kappa_Theta)
HESSIAN = Define("Hessian at equal logits", H[m, i, n, j], Theta_x[m, n] * (KroneckerDelta(i, j) - 1 / K) / K)
BALANCED = Suppose("classes balance", Eq(over_classes(e[j], j), 0, evaluate=False))
MOVES = Suppose("the mode is there", e[i] > 0)
KAPPA_THETA = Define("condition of the kernel", kappa_Theta, t_max / t_min)
KAPPA_H = Define("condition of the Hessian", kappa_H, h_max / h_min)


def mode(name: str, f: IndexedBase, t: Symbol, h: Symbol) -> tuple[Suppose, Suppose, Suppose, Equal, Holds]:
    """A mode of the kernel is one of the Hessian, with the eigenvalue over K."""
    kernel = Suppose(
        f"{name} mode of the kernel", Eq(over_points(Theta_x[m, n] * f[n], n), t * f[m], evaluate=False), forall=(m,)
    )
    acted = over_points(over_classes(H[m, i, n, j] * f[n] * e[j], j), n)
    hessian = Suppose(f"{name} mode of the Hessian", Eq(h * f[m] * e[i], acted, evaluate=False))
    there = Suppose(f"{name} mode is not 0", f[m] > 0)
    by_kernel = Equal(
        f"{name} mode acted on",
        h * f[m] * e[i],
        t / K * f[m] * e[i],
        uses=names(kernel, hessian, HESSIAN, BALANCED, CLASS),
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
    balance = table(source, 2, low=1, high=5)
    return World(
        {
            M: 2,
            K: 3,
            m: 1,
            n: 1,
            i: source.randint(1, 2),
            j: 1,
            Theta_x: [[mean, half], [half, mean]],
            f_max: [1, 1],
            f_min: [1, -1],
            t_max: high,
            t_min: low,
            h_max: high / 3,
            h_min: low / 3,
            e: [*balance, -sum(balance)],
        }
    )


SMALL_DERIVATION = Derivation(
    premises=(CLASS, HESSIAN, BALANCED, MOVES, *TOP_MODE[:3], *BOTTOM_MODE[:3], KAPPA_THETA, KAPPA_H),
    steps=(
        Equal(
            "zero modes",
            over_points(over_classes(H[m, i, n, j] * f_max[n], j), n),
            Integer(0),
            uses=names(HESSIAN, CLASS),
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
OSTROWSKI = (
    "A symmetric positive definite, B symmetric positive semidefinite, any size; that forms lie between the extreme "
    "eigenvalues is a premise, and in the lower bound that <w, A w>/<w, B^+ w> takes its extremes at eigenvectors"
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
        regime=OSTROWSKI,
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
        regime=OSTROWSKI,
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
