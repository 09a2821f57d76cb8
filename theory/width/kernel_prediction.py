"""Closed-form Gaussian kernels as they are served (width:X5)."""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Rational, S, acos, asin, pi, sqrt
from sympy import sin as sine

from theory.predictors import Input, OutsideDomain, Predictor, Undefined

_NO_SLOPE = Undefined("an input is 0, where the activation has a kink: the slope has no value there")


def _numbers(**given: Any) -> dict[str, Expr]:
    for name, value in given.items():
        if not isinstance(value, Expr) or not value.is_real or not value.is_finite:
            raise OutsideDomain(f"{name} is {value}; finite real numbers are allowed; give one such as 1/2")
    return given


def _rectifier(norm: Expr, norm2: Expr, inner: Expr) -> tuple[Expr, Expr | Undefined]:
    if norm == 0 or norm2 == 0:
        return S.Zero, _NO_SLOPE
    angle = acos(inner / (norm * norm2))
    values = norm * norm2 * sine(angle) + (pi - angle) * inner
    return values / (2 * pi), (pi - angle) / (2 * pi)


def _relu(slope: Expr, norm: Expr, norm2: Expr, inner: Expr) -> tuple[Expr, Expr | Undefined]:
    return _rectifier(norm, norm2, inner)


def _leaky_relu(slope: Expr, norm: Expr, norm2: Expr, inner: Expr) -> tuple[Expr, Expr | Undefined]:
    values, slopes = _rectifier(norm, norm2, inner)
    bend = (1 - slope) ** 2
    if isinstance(slopes, Undefined):
        return slope * inner + bend * values, S.One if slope == 1 else slopes
    return slope * inner + bend * values, slope + bend * slopes


def _erf(slope: Expr, norm: Expr, norm2: Expr, inner: Expr) -> tuple[Expr, Expr | Undefined]:
    both = (1 + 2 * norm**2) * (1 + 2 * norm2**2)
    return 2 / pi * asin(2 * inner / sqrt(both)), 4 / (pi * sqrt(both - 4 * inner**2))


FORMS: Mapping[str, Callable[..., tuple[Expr, Expr | Undefined]]] = {
    "relu": _relu,
    "leaky_relu": _leaky_relu,
    "erf": _erf,
}


def _kernel(activation: Any, slope: Any, norm: Any, norm2: Any, inner: Any) -> Mapping[str, Any]:
    if not isinstance(activation, str) or activation not in FORMS:
        raise OutsideDomain(f"activation is {activation}; {', '.join(FORMS)} are allowed; name one of them")
    at = _numbers(slope=slope, norm=norm, norm2=norm2, inner=inner)
    if at["norm"].is_negative or at["norm2"].is_negative:
        raise OutsideDomain(f"norm is {norm} and norm2 is {norm2}; numbers from 0 on are allowed; give norms")
    if ((norm * norm2) ** 2 - inner**2).is_negative:
        raise OutsideDomain(
            f"inner is {inner}; at most norm times norm2 in size is allowed, here {norm * norm2}; "
            "give the inner product of such inputs"
        )
    values, slopes = FORMS[activation](**at)
    return {"phi_phi": values, "dphi_dphi": slopes}


PREDICTORS = (
    Predictor(
        name="width.kernel",
        laws=(
            "width.kernel_relu_values",
            "width.kernel_relu_slopes",
            "width.kernel_leaky_values",
            "width.kernel_leaky_slopes",
            "width.kernel_erf_values",
            "width.kernel_erf_slopes",
        ),
        inputs=(
            Input("activation", "relu, leaky_relu or erf"),
            Input("slope", "slope of leaky_relu at minus infinity", Rational(1, 10), required=False),
            Input("norm", "norm of x"),
            Input("norm2", "norm of x'"),
            Input("inner", "inner product of x and x'"),
        ),
        evaluate=_kernel,
        summary="E phi(w.x) phi(w.x') and E phi'(w.x) phi'(w.x') over standard normal w.",
    ),
)
