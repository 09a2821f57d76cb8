"""What the algebra of orders assumes of the start, and what becomes of exponents where that fails (width:G16, L1).

Output weights of tail index alpha have a largest one of order 1/alpha among d. A sum over neurons then has the
largest of three orders: of its mean, of its fluctuation, and of its largest term. For a term of degree m in the
output weight these are 1, 1/2 and m/alpha; where m/alpha exceeds one of the others, the moment behind that one does
not exist. Biased output weights have a mean; an odd activation at orthogonal inputs takes the mean of K_a away.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sympy import Expr, Integer, Rational, S, Sum

from theory.asymptotics import differentiated
from theory.definitions import width as w
from theory.neurons import Neurons, moments_needed
from theory.orders import UNIT, Order, Parts
from theory.predictors import Input, OutsideDomain, Predictor
from theory.width.band import EXPONENTS, exponents
from theory.width.exponents import GRADIENT_DESCENT, STATE_A, opened

QUANTITIES: Mapping[str, Expr] = {
    "f": w.LOGITS.body,
    "K_a": w.KERNEL_A.body,
    "K_w": w.KERNEL_W.body,
    "K_linear_aw": w.LINEAR_AW.body,
    "K_linear_ww": w.LINEAR_WW.body,
    "K_linear_wa": w.LINEAR_WA.body,
}
"""Sums over neurons before the first step."""


@cache
def moments() -> Mapping[str, int]:
    """Moment of the output weights that must be finite for the variance of each sum.

    Examples
    --------
    >>> dict(moments())
    {'f': 2, 'K_a': 0, 'K_w': 4, 'K_linear_aw': 2, 'K_linear_ww': 6, 'K_linear_wa': 2}
    """
    return {name: moments_needed(_summand(body), STATE_A) for name, body in QUANTITIES.items()}


def order_at_start(name: str, at: Mapping[Any, Expr], largest: Expr, biased: bool) -> Expr:
    """Order of a sum before the first step, where the largest of d output weights has the order ``largest``.

    Examples
    --------
    The kernel of the input weights with t(1.5) output weights, at NTK scaling.

    >>> at = {w.q_sigma: -S.Half, w.q_a: S.Zero, w.q_w: S.Zero}
    >>> order_at_start("K_w", at, Rational(2, 3), False), order_at_start("K_w", at, S.Zero, False)
    (1/3, 0)
    """
    body = differentiated(opened(QUANTITIES[name]))
    start = GRADIENT_DESCENT.after(0, at)
    typical = _with_output(start, Parts(UNIT if biased else Order(), UNIT)).order(body)
    (total,) = body.atoms(Sum)
    extreme = _with_output(start, Parts(odd=Order.of(largest))).order(body.xreplace({total: total.function}))
    return (typical | extreme).expression()


def _with_output(neurons: Neurons, parts: Parts) -> Neurons:
    return Neurons(neurons.width, neurons.neuron, {**neurons.known, STATE_A: parts}, neurons.regime, neurons.exponents)


def _summand(body: Expr) -> Expr:
    (total,) = differentiated(opened(body)).atoms(Sum)
    return total.function


def _assumptions(q_sigma: Any, q_a: Any, q_w: Any, alpha: Any, biased: Any, orthogonal_odd: Any) -> Mapping[str, Any]:
    given = exponents(q_sigma=q_sigma, q_a=q_a, q_w=q_w)
    if alpha is not S.Infinity and not (isinstance(alpha, Rational) and alpha > 0):
        raise OutsideDomain(f"alpha is {alpha}; positive rational numbers and inf are allowed; give the tail index")
    for name, value in (("biased", biased), ("orthogonal_odd", orthogonal_odd)):
        if not isinstance(value, bool):
            raise OutsideDomain(f"{name} is {value}; true and false are allowed; give one")
    at = {w.q_sigma: given["q_sigma"], w.q_a: given["q_a"], w.q_w: given["q_w"]}
    found: dict[str, Any] = {name: order_at_start(name, at, 1 / alpha, biased) for name in QUANTITIES}
    if orthogonal_odd:
        found["K_a"] -= S.Half
    fails = [
        f"{name}: a finite moment of order {needed} of the output weights, whose tail index is {alpha}"
        for name, needed in moments().items()
        if needed >= alpha
    ]
    if biased:
        fails.append("output weights symmetric about 0")
    if orthogonal_odd:
        fails.append("K_a: E phi(w.x) phi(w.x') other than 0")
    return found | {"moments": {name: Integer(n) for name, n in moments().items()}, "fails": fails}


PREDICTORS = (
    Predictor(
        name="width.assumptions",
        laws=("width.heavy_tails", "width.biased_increments", "width.orthogonal_inputs"),
        inputs=(
            *EXPONENTS,
            Input("alpha", "tail index of the output weights, inf for light tails", S.Infinity, required=False),
            Input("biased", "whether output weights have a mean of their own size", False, required=False),
            Input("orthogonal_odd", "an odd activation at orthogonal inputs", False, required=False),
        ),
        evaluate=_assumptions,
        summary="Exponents before the first step where a hypothesis of the algebra fails, and which ones fail.",
    ),
)
