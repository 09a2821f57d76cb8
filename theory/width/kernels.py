"""Gaussian expectations behind the kernels of the limits, in closed form (width:X5).

A pair z = w.x, z' = w.x' with w ~ N(0, I) is a centred Gaussian pair whose standard deviations are the norms of the
inputs and whose covariance is their inner product.
"""

from collections.abc import Callable

from sympy import (
    Derivative,
    Eq,
    Expr,
    Function,
    IndexedBase,
    Integer,
    Integral,
    Lambda,
    S,
    Sum,
    Symbol,
    atan,
    cos,
    pi,
    sin,
    sqrt,
    symbols,
)

from theory.claims import Formula, Identity
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import derivatives, expanded, radicals, rational, sums, trigonometric
from theory.proof.steps import Equal, Integrates
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

norm, norm_other, angle = symbols("norm norm_other theta", positive=True)
root, root_other = symbols("root root_other", positive=True)
inner, slope, turn, u = symbols("inner slope turn u", real=True)
values, slopes = symbols("E_phi_phi E_dphi_dphi")

MEANINGS = {
    values: "expectation of phi(w.x) phi(w.x')",
    slopes: "expectation of phi'(w.x) phi'(w.x')",
    norm: "norm of x",
    norm_other: "norm of x'",
    angle: "angle between x and x'",
    root: "square root of 1 + 2 |x|^2",
    root_other: "square root of 1 + 2 |x'|^2",
    inner: "inner product of x and x'",
    slope: "slope of the leaky activation at minus infinity",
}
SOURCE = source(
    "Equation 13, its kernels",
    ("width:X5",),
    "Closed forms of E phi phi' and E phi' phi' for the rectifier and for erf; leaky activations are reduced to "
    "those that they are made of.",
)
GAUSSIAN = "Standard normal input weights."
_ARC = GAUSSIAN + (
    " Premises: in the plane of the inputs the direction is uniform and independent of the radius, whose mean square "
    "is 2, and both are on along the arc from theta - pi/2 to pi/2."
)


def _quantities(*shown: Symbol) -> tuple[Quantity, ...]:
    return tuple(Quantity(symbol, MEANINGS[symbol]) for symbol in shown)


# The rectifier: the pair in polar coordinates.

LOW, HIGH = angle - pi / 2, pi / 2
MEAN_SQUARE_RADIUS = Integer(2)
"""Of two independent standard normal numbers: the sum of their mean squares."""

RELU_VALUES = norm * norm_other * (sin(angle) + (pi - angle) * cos(angle)) / (2 * pi)
RELU_SLOPES = (pi - angle) / (2 * pi)
_BOTH = cos(turn) * cos(turn - angle)


def _angles(source_) -> World:
    return World({angle: draw(source_, 1, 3), norm: draw(source_), norm_other: draw(source_)})


_POLAR = Define(
    "polar coordinates",
    values,
    norm * norm_other * MEAN_SQUARE_RADIUS * Integral(_BOTH, (turn, LOW, HIGH)) / (2 * pi),
)
_SHARE = Define("share of the circle", slopes, Integral(1, (turn, LOW, HIGH)) / (2 * pi))

RELU_VALUES_DERIVATION = Derivation(
    premises=(_POLAR,),
    steps=(
        Integrates(
            "half circle",
            _BOTH,
            turn,
            LOW,
            HIGH,
            (turn * cos(angle) + sin(turn) * cos(turn - angle)) / 2,
            normal=(trigonometric,),
            because="Both inputs are positive on the arc between the two half circles.",
        ),
        Equal(
            "rectifier",
            values,
            RELU_VALUES,
            uses=("polar coordinates", "half circle"),
            normal=(trigonometric, rational),
            because="The mean square of the radius times the mean of both cosines over the directions.",
        ),
    ),
    worlds=_angles,
)
RELU_SLOPES_DERIVATION = Derivation(
    premises=(_SHARE,),
    steps=(
        Integrates("arc", Integer(1), turn, LOW, HIGH, turn, because="The length of the arc."),
        Equal(
            "both are on",
            slopes,
            RELU_SLOPES,
            uses=("share of the circle", "arc"),
            because="The chance that both inputs of a pair are positive.",
        ),
    ),
    worlds=_angles,
)

# erf: a Gaussian integral, and Price's theorem from the uncorrelated pair on.

det, det_product = symbols("det det_product")
_variance, _variance_other = (root**2 - 1) / 2, (root_other**2 - 1) / 2
REMAINDER = root**2 * root_other**2 - 4 * inner**2
ERF_SLOPES = 4 / (pi * sqrt(REMAINDER))
ERF_VALUES = 2 / pi * atan(2 * inner / sqrt(REMAINDER))
covariance = Function("covariance")
_price = Derivative(covariance(u), u) * ERF_SLOPES.xreplace({inner: covariance(u)})


def _pairs(source_) -> World:
    return World({root: 2 + draw(source_), root_other: 2 + draw(source_), inner: draw(source_, -2, 2)})


ERF_SLOPES_DERIVATION = Derivation(
    premises=(
        Define("determinant of the covariance", det, _variance * _variance_other - inner**2),
        Define(
            "determinant with the two factors",
            det_product,
            (_variance_other / det + 2) * (_variance / det + 2) - (inner / det) ** 2,
        ),
        Define(
            "Gaussian integral", slopes, 4 / pi * (2 * pi / sqrt(det * det_product)) / (2 * pi),
        ),
    ),
    steps=(
        Equal(
            "determinants",
            det * det_product,
            REMAINDER,
            uses=("determinant of the covariance", "determinant with the two factors"),
            normal=(rational,),
            because="phi'(z) phi'(z') = (4/pi) exp(-z^2 - z'^2) adds 2 to the diagonal of the inverse covariance.",
        ),
        Equal(
            "slopes of erf",
            slopes,
            ERF_SLOPES,
            uses=("Gaussian integral", "determinants"),
            because="A Gaussian integral is 2 pi over the root of its determinant.",
        ),
    ),
    worlds=_pairs,
)  # fmt: skip
_END = 2 * inner / sqrt(REMAINDER)
ERF_VALUES_DERIVATION = Derivation(
    premises=(
        Define("way from the uncorrelated pair", covariance(u), root * root_other * u / (2 * sqrt(1 + u**2))),
        Define("Price's theorem", values, Integral(_price, (u, 0, _END))),
    ),
    steps=(
        Integrates(
            "arc tangent",
            _price,
            u,
            S.Zero,
            _END,
            2 * atan(u) / pi,
            uses=("way from the uncorrelated pair",),
            normal=(derivatives, radicals),
            because="Along the way the slopes' expectation times the covariance's speed is (2/pi) / (1 + u^2).",
        ),
        Equal(
            "values of erf",
            values,
            ERF_VALUES,
            uses=("Price's theorem", "arc tangent"),
            because="The derivative of E phi phi' in the covariance is E phi' phi', and at no covariance it is 0.",
        ),
    ),
    worlds=_pairs,
)

# Leaky activations: a straight line and a bend that its reflection completes.

i, count = (Symbol(name, integer=True, positive=True) for name in ("i", "n"))
z, z_other, weight = (IndexedBase(name, real=True) for name in ("z", "z_other", "weight"))
x = Symbol("x", real=True)
psi = smooth("psi")
dpsi = derivative(psi)
phi, dphi = Function("phi"), Function("dphi")
bend_values, bend_slopes, mass, covered = symbols("E_psi_psi E_dpsi_dpsi mass inner")
MEANINGS |= {
    bend_values: "expectation of psi(w.x) psi(w.x'), psi the bend (rectifier or softplus)",
    bend_slopes: "expectation of psi'(w.x) psi'(w.x')",
    covered: "covariance of the pair, the inner product of x and x'",
}


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


def _law(name: str, title: str, claim, derivation: Derivation, rival: Rival, shown, regime: str) -> Law:
    return Law(
        name=f"width.kernel_{name}",
        title=title,
        status=Status.THEOREM,
        source=SOURCE,
        quantities=_quantities(*shown),
        regime=regime,
        derivation=derivation,
        claim=claim,
        rivals=(rival,),
    )


_ANY = "Any symmetric law of the pair with finitely many places; a Gaussian pair is a limit of such laws."

LAWS = (
    _law(
        "relu_values",
        "For the rectifier E phi phi' = |x||x'| (sin theta + (pi - theta) cos theta) / (2 pi).",
        Formula(values, RELU_VALUES),
        RELU_VALUES_DERIVATION,
        Rival(
            "over pi",
            Formula(values, 2 * RELU_VALUES),
            "that of the rectifier scaled by the root of 2, as He's initialisation has it",
        ),
        (values, norm, norm_other, angle),
        _ARC,
    ),
    _law(
        "relu_slopes",
        "For the rectifier E phi' phi' = (pi - theta) / (2 pi).",
        Formula(slopes, RELU_SLOPES),
        RELU_SLOPES_DERIVATION,
        Rival("independent", Formula(slopes, S.One / 4 + 0 * angle), "holds for orthogonal inputs alone"),
        (slopes, angle),
        _ARC,
    ),
    _law(
        "erf_values",
        "For erf E phi phi' = (2/pi) asin(2 x.x' / ((1 + 2|x|^2)(1 + 2|x'|^2))^(1/2)).",
        Formula(values, ERF_VALUES),
        ERF_VALUES_DERIVATION,
        Rival(
            "first order",
            Formula(values, 4 * inner / (pi * root * root_other)),
            "the first term of the expansion in the covariance",
        ),
        (values, root, root_other, inner),
        GAUSSIAN + " asin(s) is written as atan(s / sqrt(1 - s^2)). Price's theorem, that the derivative of E phi phi' "
        "in the covariance is E phi' phi', is a premise, and so is E phi' phi' (width.kernel_erf_slopes).",
    ),
    _law(
        "erf_slopes",
        "For erf E phi' phi' = (4/pi) / ((1 + 2|x|^2)(1 + 2|x'|^2) - 4 (x.x')^2)^(1/2).",
        Formula(slopes, ERF_SLOPES),
        ERF_SLOPES_DERIVATION,
        Rival(
            "uncorrelated",
            Formula(slopes, 4 / (pi * root * root_other)),
            "leaves out the covariance",
        ),
        (slopes, root, root_other, inner),
        GAUSSIAN + " That a Gaussian integral in the plane is 2 pi over the root of its determinant is a premise.",
    ),
    _law(
        "leaky_values",
        "A leaky activation's E phi phi' is slope x.x' + (1 - slope)^2 times that of its bend.",
        Identity(values, LEAKY_VALUES),
        LEAKY_VALUES_DERIVATION,
        Rival(
            "slope squared",
            Identity(values, slope**2 * covered + (1 - slope) ** 2 * bend_values),
            "leaves out the products of line and bend",
        ),
        (values, slope, covered, bend_values),
        _ANY + " The bend, less its reflection, is z itself: the rectifier and softplus.",
    ),
    _law(
        "leaky_slopes",
        "A leaky activation's E phi' phi' is slope + (1 - slope)^2 times that of its bend.",
        Identity(slopes, LEAKY_SLOPES),
        LEAKY_SLOPES_DERIVATION,
        Rival(
            "slope squared",
            Identity(slopes, slope**2 + (1 - slope) ** 2 * bend_slopes),
            "leaves out the products of line and bend",
        ),
        (slopes, slope, bend_slopes),
        _ANY + " The slopes of bend and reflection add up to 1: the rectifier and softplus.",
    ),
)
