"""Conditioning at a regularised fixed point: bounded for isotropic kernels, and what non-support points do (T23)."""

import random

from sympy import Eq, Expr, IndexedBase, Integer, Max, Rational, Sum, Symbol

from theory.claims import Identity, PowerLaw
from theory.definitions.inequalities import above, at_least
from theory.definitions.temperature import MEANINGS, K
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

R, j, other, first = (Symbol(name, integer=True, positive=True) for name in ("R", "j", "other", "first"))
strength = Symbol("strength", positive=True)
p_correct = Symbol("p_correct", positive=True)
u, share, Z = (IndexedBase(name, real=True) for name in ("u", "share", "Z"))
kappa, top = (Symbol(name, real=True) for name in ("kappa_plus", "top"))
bottom = Symbol("bottom", positive=True)
rest = Symbol("rest", real=True)

BOUNDED = Identity(kappa, K * p_correct)


def over_wrong(term: Expr, index: Symbol = j) -> Sum:
    """Sum over the R wrong classes."""
    return Sum(term, (index, 1, R))


FIXED = Suppose("fixed point of the wrong classes", Eq(Z[j], -strength * share[j], evaluate=False), forall=(j,))
ORDERED = Suppose(
    "larger logits have larger shares", at_least((share[j] - share[other]) * (Z[j] - Z[other]), 0), forall=(j, other)
)
ALL = Suppose("shares sum to 1", Eq(over_wrong(share[j]), 1 - p_correct, evaluate=False))
CLASSES = Define("classes", K, R + 1)
BALANCED = Suppose("wrong classes balance", Eq(over_wrong(u[j]), 0, evaluate=False))
AMONG = Define("Laplacian on wrong classes", rest, share[j] * (u[j] - over_wrong(share[other] * u[other], other)))
AGAINST = p_correct * R - over_wrong(share[other], other)
TOP = Define("Laplacian on the correct class against all, over R", top, p_correct * (R - AGAINST) / R)
BOTTOM = Suppose("eigenvalue among wrong classes", Eq(bottom * u[j], rest, evaluate=False))
NONZERO = Suppose("the mode is there", above(u[j], 0))
KAPPA = Define("condition number", kappa, top / bottom)


def a_fixed_point(source: random.Random) -> World:
    """Two wrong classes and a mode between them."""
    correct, size, pull = Rational(source.randint(4, 9), 10), fraction(source), fraction(source)
    each = (1 - correct) / 2
    return World(
        {
            **{R: 2, j: 1, other: source.randint(1, 2), first: source.randint(1, 2)},
            **{p_correct: correct, share: [each, each], strength: pull, Z: [-pull * each] * 2},
            **{u: [size, -size], bottom: each},
        }
    )


BOUNDED_DERIVATION = Derivation(
    premises=(FIXED, ORDERED, ALL, CLASSES, BALANCED, AMONG, TOP, BOTTOM, NONZERO, KAPPA),
    steps=(
        Holds(
            "wrong classes are alike",
            Eq(share[j], share[first], evaluate=False),
            uses=names(FIXED, ORDERED),
            instances=((ORDERED.name, {j: j, other: first}),),
            because="the pull back is proportional to the share, so the larger share has the lower logit",
            forall=(j,),
        ),
        Equal(
            "as many of one kind",
            R * share[first],
            over_wrong(share[j]),
            uses=("wrong classes are alike",),
        ),
        Equal(
            "what the correct class leaves to each",
            share[first],
            (1 - p_correct) / R,
            uses=("as many of one kind", ALL.name),
        ),
        Equal(
            "correct class against all",
            top,
            K * p_correct * share[first],
            uses=("wrong classes are alike", "what the correct class leaves to each", *names(CLASSES, TOP)),
            normal=(sums, rational),
        ),
        Equal(
            "among wrong classes",
            bottom * u[j],
            share[first] * u[j],
            uses=("wrong classes are alike", *names(BOTTOM, BALANCED, AMONG)),
        ),
        Holds(
            "eigenvalue among them",
            Eq(bottom, share[first], evaluate=False),
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
        "wrong classes have one share is derived, from the premise that larger logits have larger shares",
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
            Quantity(kappa_at, "largest over smallest nonzero eigenvalue at the fixed point, its 1000th root"),
            Quantity(pull, "beta^2/lambda, its 1000th root"),
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
