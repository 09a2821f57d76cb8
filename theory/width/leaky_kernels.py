"""Kernels of leaky activations: a straight line and a bend that its reflection completes (width:X5)."""

from collections.abc import Callable

from sympy import Eq, Expr, Function, IndexedBase, Lambda, Sum, Symbol, symbols

from theory.claims import Identity
from theory.law import Rival
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw
from theory.width.kernel_laws import kernel_law, slopes, values

slope = Symbol("slope", real=True)
i, count = (Symbol(name, integer=True, positive=True) for name in ("i", "n"))
z, z_other, weight = (IndexedBase(name, real=True) for name in ("z", "z_other", "weight"))
x = Symbol("x", real=True)
psi = smooth("psi")
dpsi = derivative(psi)
phi, dphi = Function("phi"), Function("dphi")
bend_values, bend_slopes, mass, covered = symbols("E_psi_psi E_dpsi_dpsi mass inner")


def _mean(function: Callable[[Expr, Expr], Expr]) -> Expr:
    """Mean under a symmetric law with any finite number of places: each comes with its reflection."""
    both = (function(z[i], z_other[i]) + function(-z[i], -z_other[i])) / 2
    return Sum(weight[i] * both, (i, 1, count))


_REFLECTED = Suppose("bend and reflection", Eq(psi(-x), psi(x) - x, evaluate=False), forall=(x,))
_REFLECTED_SLOPE = Suppose("slopes of both", Eq(dpsi(-x), 1 - dpsi(x), evaluate=False), forall=(x,))
SIGN = "the activation's sign cancels in products of two"
_LEAKY = Define("leaky activation", phi(x), slope * x + (1 - slope) * psi(x), SIGN)
_LEAKY_SLOPE = Define("its slope", dphi(x), slope + (1 - slope) * dpsi(x), SIGN)
LEAKY_VALUES = slope * covered + (1 - slope) ** 2 * bend_values
LEAKY_SLOPES = slope + (1 - slope) ** 2 * bend_slopes


def _symmetric(source_) -> World:
    weights = [draw(source_) for _ in range(3)]
    return World(
        {
            count: 3,
            slope: draw(source_, 2, 4) / 7,
            z: table(source_, 3),
            z_other: table(source_, 3),
            weight: [one / sum(weights) for one in weights],
            psi: Lambda(x, x / 2 + x**2 / 3 + x**4 / 50),
        }
    )


LEAKY_VALUES_DERIVATION = Derivation(
    premises=(
        _LEAKY,
        _REFLECTED,
        Define("mean of the product", values, _mean(lambda a, b: phi(a) * phi(b))),
        Define("mean of the bends' product", bend_values, _mean(lambda a, b: psi(a) * psi(b))),
        Define("covariance", covered, _mean(lambda a, b: a * b)),
    ),
    steps=(
        Equal(
            "leaky values",
            values,
            LEAKY_VALUES,
            uses=(
                "leaky activation",
                "bend and reflection",
                "mean of the product",
                "mean of the bends' product",
                "covariance",
            ),
            normal=(expanded, sums, rational),
            because="The odd part of the bend is z/2, so its mean with z' is half of the covariance.",
        ),
    ),
    worlds=_symmetric,
)
LEAKY_SLOPES_DERIVATION = Derivation(
    premises=(
        _LEAKY_SLOPE,
        _REFLECTED_SLOPE,
        Suppose("weights add up", Eq(Sum(weight[i], (i, 1, count)), 1, evaluate=False)),
        Define("mean of the slopes' product", slopes, _mean(lambda a, b: dphi(a) * dphi(b))),
        Define("mean of the bends' slopes", bend_slopes, _mean(lambda a, b: dpsi(a) * dpsi(b))),
    ),
    steps=(
        Equal(
            "leaky slopes",
            slopes,
            LEAKY_SLOPES,
            uses=(
                "its slope",
                "slopes of both",
                "weights add up",
                "mean of the slopes' product",
                "mean of the bends' slopes",
            ),
            normal=(expanded, sums, rational),
            because="The bend's slope has mean 1/2.",
        ),
    ),
    worlds=_symmetric,
)

_ANY = "Any symmetric law of the pair with finitely many places; a Gaussian pair is a limit of such laws."
_SLOPE = {slope: "slope of the leaky activation at minus infinity"}

LAWS = (
    kernel_law(
        "leaky_values",
        "A leaky activation's E phi phi' is slope x.x' + (1 - slope)^2 times that of its bend.",
        Identity(values, LEAKY_VALUES),
        LEAKY_VALUES_DERIVATION,
        Rival(
            "slope squared",
            Identity(values, slope**2 * covered + (1 - slope) ** 2 * bend_values),
            "leaves out the products of line and bend",
        ),
        _SLOPE
        | {
            covered: "covariance of the pair, the inner product of x and x'",
            bend_values: "expectation of psi(w.x) psi(w.x'), psi the bend (rectifier or softplus)",
        },
        _ANY + " The bend, less its reflection, is z itself: the rectifier and softplus.",
    ),
    kernel_law(
        "leaky_slopes",
        "A leaky activation's E phi' phi' is slope + (1 - slope)^2 times that of its bend.",
        Identity(slopes, LEAKY_SLOPES),
        LEAKY_SLOPES_DERIVATION,
        Rival(
            "slope squared",
            Identity(slopes, slope**2 + (1 - slope) ** 2 * bend_slopes),
            "leaves out the products of line and bend",
        ),
        _SLOPE | {bend_slopes: "expectation of psi'(w.x) psi'(w.x')"},
        _ANY + " The slopes of bend and reflection add up to 1: the rectifier and softplus.",
    ),
)
