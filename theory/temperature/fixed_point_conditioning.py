"""Conditioning at a regularised fixed point: bounded for isotropic kernels, and what non-support points do (T23)."""

import random

from sympy import Eq, IndexedBase, Integer, Max, Rational, Sum, Symbol

from theory.claims import Identity, PowerLaw
from theory.definitions.temperature import MEANINGS, K
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

R = Symbol("R", integer=True, positive=True)
j = Symbol("j", integer=True, positive=True)
share_a, share_b, Z_a, Z_b = (Symbol(name, real=True) for name in ("p_a", "p_b", "Z_a", "Z_b"))
strength = Symbol("strength", positive=True)
p_correct, p_other = Symbol("p_correct", positive=True), Symbol("p_other", real=True)
u = IndexedBase("u", real=True)
kappa, top = (Symbol(name, real=True) for name in ("kappa_plus", "top"))
bottom = Symbol("bottom", positive=True)
rest = Symbol("rest", real=True)

BOUNDED = Identity(kappa, K * p_correct)

FIXED_A = Suppose("fixed point of a wrong class", Eq(Z_a, -strength * share_a, evaluate=False))
FIXED_B = Suppose("fixed point of another", Eq(Z_b, -strength * share_b, evaluate=False))
ORDERED = Suppose("larger logits have larger shares", (share_a - share_b) * (Z_a - Z_b) >= 0)
ALIKE = Derivation(
    premises=(FIXED_A, FIXED_B, ORDERED),
    steps=(
        Holds(
            "wrong classes are alike",
            Eq(share_a, share_b, evaluate=False),
            uses=(FIXED_A.name, FIXED_B.name, ORDERED.name),
            because="the pull back is proportional to the share, so the larger share has the lower logit",
        ),
    ),
    worlds=lambda source: _alike(source),
)
"""Why all wrong classes have one share at the fixed point of an isotropic kernel."""


def _alike(source: random.Random) -> World:
    share, pull = fraction(source), fraction(source)
    return World({share_a: share, share_b: share, strength: pull, Z_a: -pull * share, Z_b: -pull * share})


CLASSES = Define("classes", K, R + 1)
OTHERS = Define("what the correct class leaves", p_other, (1 - p_correct) / R)
BALANCED = Suppose("wrong classes balance", Eq(Sum(u[j], (j, 1, R)), 0, evaluate=False))
AMONG = Define("Laplacian on wrong classes", rest, p_other * (u[j] - p_other * Sum(u[j], (j, 1, R))))
SHARE_OF_ALL = p_correct * R - p_other * Sum(1, (j, 1, R))
TOP = Define("Laplacian on the correct class against all, over R", top, p_correct * (R - SHARE_OF_ALL) / R)
BOTTOM = Suppose("eigenvalue among wrong classes", Eq(bottom * u[j], rest, evaluate=False))
NONZERO = Suppose("the mode is there", u[j] > 0)
KAPPA = Define("condition number", kappa, top / bottom)


def names(*premises: Define | Suppose) -> tuple[str, ...]:
    """How steps refer to premises."""
    return tuple(premise.name for premise in premises)


def a_fixed_point(source: random.Random) -> World:
    """Two wrong classes and a mode between them."""
    share, size = Rational(source.randint(4, 9), 10), fraction(source)
    return World({R: 2, j: 1, p_correct: share, u: [size, -size], bottom: (1 - share) / 2})


BOUNDED_DERIVATION = Derivation(
    premises=(CLASSES, OTHERS, BALANCED, AMONG, TOP, BOTTOM, NONZERO, KAPPA),
    steps=(
        Equal(
            "correct class against all",
            top,
            K * p_correct * p_other,
            uses=names(CLASSES, OTHERS, TOP),
            normal=(sums, rational),
        ),
        Equal("among wrong classes", bottom * u[j], p_other * u[j], uses=names(BOTTOM, BALANCED, AMONG)),
        Holds(
            "eigenvalue among them",
            Eq(bottom, p_other, evaluate=False),
            uses=("among wrong classes", NONZERO.name),
        ),
        Equal(
            "ratio",
            BOUNDED.left,
            BOUNDED.right,
            uses=("correct class against all", "eigenvalue among them", KAPPA.name),
            because="both fall with the share of the wrong classes, and together",
        ),
    ),
    worlds=a_fixed_point,
)

pull, kernel_margin = Symbol("pull", positive=True), Symbol("kernel_margin", positive=True)
kappa_at = Symbol("kappa_at_fixed_point", positive=True)
UNSUPPORTED = PowerLaw(kappa_at, pull, Max(0, kernel_margin - 1))

PLACE = "app A.3.2, eq 37"

LAWS = (
    Law(
        name="temperature.isotropic_conditioning",
        title="At the fixed point of an isotropic kernel the condition number is K p_1, at most K at any temperature",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T23", "temperature:E23"),
            "Theta = theta I: all wrong classes have one share, the nonzero eigenvalues are K p_1 p_2 and p_2",
        ),
        quantities=(
            Quantity(kappa, "largest over smallest nonzero eigenvalue at the fixed point"),
            Quantity(K, *MEANINGS[K]),
            Quantity(p_correct, "share of the correct class at the fixed point"),
        ),
        regime="three classes or more, one-hot labels, weight decay, z0 = 0, kernel theta I; that the "
        "wrong classes have one share is derived beside",
        derivation=BOUNDED_DERIVATION,
        claim=BOUNDED,
        rivals=(
            Rival("one", Identity(kappa, Integer(1)), "the case of two classes"),
            Rival(
                "as frozen", Identity(kappa, p_correct / (1 - p_correct)), "exp(beta (z_1 - z_2)), as eq 37 suggests"
            ),
        ),
    ),
    Law(
        name="temperature.non_support_conditioning",
        title="Two points: the condition number grows as a power of beta^2/lambda exactly if one is no support vector",
        status=Status.CONJECTURE,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T23", "temperature:E23"),
            "K = 2: kappa+ ~ (beta^2/lambda)^(Theta_12/Theta_11 - 1) if Theta^-1 1 has a negative entry, else bounded",
        ),
        quantities=(
            Quantity(kappa_at, "largest over smallest nonzero eigenvalue at the fixed point"),
            Quantity(pull, "beta^2/lambda"),
            Quantity(kernel_margin, "Theta_12/Theta_11, point 1 that with the smaller Theta_mm, labels taken in"),
        ),
        regime="two points, two classes; beta^2/lambda so large that its logarithm is. Tested, not proved",
        derivation=None,
        claim=UNSUPPORTED,
        rivals=(
            Rival("never", PowerLaw(kappa_at, pull, Integer(0)), "true where both points support the margin"),
            Rival("margin", PowerLaw(kappa_at, pull, kernel_margin), "forgets that the support vector saturates too"),
        ),
    ),
)
