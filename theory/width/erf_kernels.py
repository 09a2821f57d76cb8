"""Gaussian kernels of erf: a Gaussian integral, and Price's theorem from the uncorrelated pair on (width:X5)."""

from sympy import Derivative, Function, Integral, S, atan, pi, sqrt, symbols

from theory.claims import Formula
from theory.law import Rival
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import derivatives, radicals, rational
from theory.proof.steps import Equal, Integrates
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.kernel_laws import GAUSSIAN, kernel_law, slopes, values

root, root_other = symbols("root root_other", positive=True)
inner, u = symbols("inner u", real=True)
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

_INPUTS = {
    root: "square root of 1 + 2 |x|^2",
    root_other: "square root of 1 + 2 |x'|^2",
    inner: "inner product of x and x'",
}

LAWS = (
    kernel_law(
        "erf_values",
        "For erf E phi phi' = (2/pi) asin(2 x.x' / ((1 + 2|x|^2)(1 + 2|x'|^2))^(1/2)).",
        Formula(values, ERF_VALUES),
        ERF_VALUES_DERIVATION,
        Rival(
            "first order",
            Formula(values, 4 * inner / (pi * root * root_other)),
            "the first term of the expansion in the covariance",
        ),
        _INPUTS,
        GAUSSIAN + " asin(s) is written as atan(s / sqrt(1 - s^2)). Price's theorem, that the derivative of E phi phi' "
        "in the covariance is E phi' phi', is a premise, and so is E phi' phi' (width.kernel_erf_slopes).",
    ),
    kernel_law(
        "erf_slopes",
        "For erf E phi' phi' = (4/pi) / ((1 + 2|x|^2)(1 + 2|x'|^2) - 4 (x.x')^2)^(1/2).",
        Formula(slopes, ERF_SLOPES),
        ERF_SLOPES_DERIVATION,
        Rival(
            "uncorrelated",
            Formula(slopes, 4 / (pi * root * root_other)),
            "leaves out the covariance",
        ),
        _INPUTS,
        GAUSSIAN + " That a Gaussian integral in the plane is 2 pi over the root of its determinant is a premise.",
    ),
)
