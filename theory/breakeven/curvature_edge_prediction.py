"""The edges of the stable curvatures, and how they move, at a point (breakeven:L4)."""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Integer, oo, sqrt

from theory.breakeven.inputs import RATE, batch, batch_noise, number
from theory.predictors import Input, OutsideDomain, Predictor, Undefined

CLOSURES = ("fixed_variance", "fixed_ratio", "paper")
NONE_STABLE = Undefined("no stable curvature")

_OWN_INPUTS: Mapping[str, tuple[str, ...]] = {
    "fixed_variance": ("s2",),
    "fixed_ratio": ("kappa",),
    "paper": ("alpha", "psi"),
}


def _fixed_variance(rate: Expr, noise: Expr, s2: Any) -> Mapping[str, Expr | Undefined]:
    left = 1 - noise * rate**2 * number("s2", s2, nonnegative=True)
    if left < 0:
        return {"lower": NONE_STABLE, "upper": NONE_STABLE}
    return {"lower": (1 - sqrt(left)) / rate, "upper": (1 + sqrt(left)) / rate}


def _fixed_ratio(rate: Expr, noise: Expr, kappa: Any) -> Mapping[str, Expr]:
    return {"upper": 2 / (rate * (1 + noise * number("kappa", kappa, nonnegative=True)))}


def _paper(rate: Expr, noise: Expr, alpha: Any, psi: Any) -> Mapping[str, Expr | Undefined]:
    edge = (
        2 / rate - noise * number("alpha", alpha, nonnegative=True) / number("psi", psi, positive=True) ** 2
    )
    return {"upper": edge if edge > 0 else NONE_STABLE}


_EDGES: Mapping[str, Callable[..., Mapping[str, Any]]] = {
    "fixed_variance": _fixed_variance,
    "fixed_ratio": _fixed_ratio,
    "paper": _paper,
}


def _curvature_edge(
    closure: Any, eta: Any, N: Any, S: Any, c: Any, s2: Any, kappa: Any, alpha: Any, psi: Any
) -> Mapping[str, Any]:
    own = {"s2": s2, "kappa": kappa, "alpha": alpha, "psi": psi}
    if not isinstance(closure, str) or closure not in _EDGES:
        raise OutsideDomain(f"closure={closure} is not known; give one of {', '.join(CLOSURES)}")
    wanted = _OWN_INPUTS[closure]
    for name, value in own.items():
        if (value is None) == (name in wanted):
            fault = "is missing" if value is None else "does not belong to this closure"
            raise OutsideDomain(f"{name} {fault}; closure={closure} takes {' and '.join(wanted)}")
    rate = number("eta", eta, positive=True)
    return _EDGES[closure](rate, noise_of(N, S, c), **{name: own[name] for name in wanted})


def noise_of(N: Any, size: Any, c: Any) -> Expr:
    """The noise factor, given outright or by N and S."""
    if c is not None:
        if size is not None:
            raise OutsideDomain("S and c are both given; give N and S, or c")
        value = number("c", c, nonnegative=True)
        if value > 1:
            raise OutsideDomain(f"c={value} is outside the domain; give a noise factor from 0 to 1")
        return value
    for name, value in (("N", N), ("S", size)):
        if value is None:
            raise OutsideDomain(f"{name} is missing; give N (an integer >= 2, or inf) and S, or c")
    return batch_noise(N, size)


def _sensitivity(closure: Any, eta: Any, N: Any, S: Any, kappa: Any) -> Mapping[str, Expr]:
    if closure != "fixed_ratio":
        raise OutsideDomain(f"closure={closure} is not served; give closure=fixed_ratio")
    rate, ratio = number("eta", eta, positive=True), number("kappa", kappa, nonnegative=True)
    examples, size = batch(N, S)
    edge = 2 / (rate * (1 + batch_noise(N, S) * ratio))
    return {"d_eta": -edge / rate, "d_S": _slope_in_batch_size(rate, examples, size, ratio)}


def _slope_in_batch_size(rate: Expr, examples: Expr, size: Integer, ratio: Expr) -> Expr:
    """Derivative of the fixed-ratio edge in S: the batch size as a real number."""
    if examples is oo:
        return 2 * ratio / (rate * (size + ratio) ** 2)
    share = size * (examples - 1) + (examples - size) * ratio
    return 2 * ratio * examples * (examples - 1) / (rate * share**2)


PREDICTORS = (
    Predictor(
        name="breakeven.curvature_edge",
        laws=(
            "breakeven.curvature_edge_fixed_variance",
            "breakeven.curvature_edge_fixed_ratio",
            "breakeven.curvature_edge_paper",
        ),
        inputs=(
            Input("closure", "what stays fixed as the curvature moves: fixed_variance, fixed_ratio or paper"),
            RATE,
            Input("N", "examples in the training set: an integer >= 2, or inf", required=False),
            Input(
                "S", "examples in a mini-batch, without replacement: an integer from 1 to N", required=False
            ),
            Input("c", "the noise factor from 0 to 1, in place of S", required=False),
            Input("s2", "fixed_variance: population variance of the curvature, at least 0", required=False),
            Input("kappa", "fixed_ratio: s^2/lam^2, at least 0", required=False),
            Input("alpha", "paper: gradient variance over curvature, at least 0", required=False),
            Input("psi", "paper: distance to the minimum, positive", required=False),
        ),
        evaluate=_curvature_edge,
        summary="Edges of the curvatures that are stable in mean square.",
    ),
    Predictor(
        name="breakeven.sensitivity",
        laws=("breakeven.edge_falls_with_learning_rate", "breakeven.edge_rises_with_batch_size"),
        inputs=(
            Input("closure", "fixed_ratio"),
            RATE,
            Input("N", "examples in the training set: an integer >= 2, or inf"),
            Input("S", "examples in a mini-batch, without replacement: an integer from 1 to N"),
            Input("kappa", "s^2/lam^2, at least 0"),
        ),
        evaluate=_sensitivity,
        summary="Derivatives of the fixed-ratio edge in the learning rate and in the batch size.",
    ),
)
