"""Every exponent of the model at any step, read off the update rule by the algebra of orders
(width:E1-E13).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sympy import Basic, Expr, Integer

from theory.definitions import width as w
from theory.neurons import Neurons, UpdateRule
from theory.orders import UNIT, Order, Parts, Unsettled
from theory.predictors import Input, OutsideDomain, Predictor, Undefined
from theory.width.band import EXPONENTS, exponents

SCALARS = {w.sigma: w.SCALE.body, w.eta_a: w.RATE_A.body, w.eta_w: w.RATE_W.body}
STATE_A, STATE_W = w.a[w.k, w.r], w.w[w.k, w.r]
LAST_STEP = 500


def opened(expression: Expr) -> Expr:
    """Scales and learning rates written as powers of the width."""
    return expression.xreplace(SCALARS).xreplace(SCALARS)


GRADIENT_DESCENT = UpdateRule(
    width=w.d,
    neuron=w.r,
    initial={STATE_A: Parts(odd=UNIT), STATE_W: Parts(even=UNIT)},
    scalars={indexed[w.k]: Parts(even=UNIT) for indexed in (w.g_a, w.g_w, w.x_a, w.x_w)},
    moves={STATE_A: opened(w.STEP_A.body - STATE_A), STATE_W: opened(w.STEP_W.body - STATE_W)},
)
"""Single-sample gradient descent from symmetric output weights, on misclassified samples."""


Question = Callable[[Neurons], Order]


def _value(expression: Expr) -> Question:
    return lambda now: now.order(opened(expression))


def _state(state: Expr) -> Question:
    return lambda now: now.regime.reduced(now.parts(state).total)


def _change(expression: Expr, rule: UpdateRule) -> Question:
    return lambda now: now.order_of_change(opened(expression), rule.moves)


@cache
def _questions() -> Mapping[str, Question]:
    rule = GRADIENT_DESCENT
    return {
        "a": _state(STATE_A),
        "w": _state(STATE_W),
        "f": _value(w.LOGITS.body),
        "K_a": _value(w.KERNEL_A.body),
        "K_w": _value(w.KERNEL_W.body),
        "f_linear_a": _value(w.LINEAR_A.body),
        "f_linear_w": _value(w.LINEAR_W.body),
        "K_linear_aw": _value(w.LINEAR_AW.body),
        "K_linear_ww": _value(w.LINEAR_WW.body),
        "K_linear_wa": _value(w.LINEAR_WA.body),
        "K_full_a": _change(w.KERNEL_A.body, rule),
        "K_full_w": _change(w.KERNEL_W.body, rule),
    }


def all_exponents(now: Neurons) -> dict[str, Expr | Undefined]:
    """Orders of everything that ``width.exponents`` serves, for neurons at some step.

    Examples
    --------
    Mean-field scaling at the start: logits vanish like d^(-1/2), kernels are of order one.

    >>> at = {w.q_sigma: Integer(-1), w.q_a: Integer(1), w.q_w: Integer(1)}
    >>> found = all_exponents(GRADIENT_DESCENT.after(0, at))
    >>> found["f"], found["K_a"], found["K_linear_aw"], found["K_full_a"]
    (-1/2, 0, -1/2, 0)
    """
    found: dict[str, Expr | Undefined] = {}
    for name, question in _questions().items():
        try:
            found[name] = question(now).expression()
        except Unsettled as gap:
            found[name] = Undefined(str(gap))
    return found


def _exponents(q_sigma: Any, q_a: Any, q_w: Any, k: Any) -> Mapping[str, Any]:
    given = exponents(q_sigma=q_sigma, q_a=q_a, q_w=q_w)
    if not (isinstance(k, Integer) and 0 <= k <= LAST_STEP):
        raise OutsideDomain(f"k is {k}; whole numbers from 0 to {LAST_STEP} are allowed; give one")
    at: dict[Basic, Expr] = {w.q_sigma: given["q_sigma"], w.q_a: given["q_a"], w.q_w: given["q_w"]}
    return all_exponents(GRADIENT_DESCENT.after(int(k), at))


PREDICTORS = (
    Predictor(
        name="width.exponents",
        laws=(
            "width.initial_logits",
            "width.initial_kernels",
            "width.kernel_increment_first",
            "width.kernel_increment_later",
            "width.kernel_increment_full",
            "width.band",
        ),
        inputs=(
            *EXPONENTS,
            Input("k", f"steps taken so far, each on misclassified samples: 0 to {LAST_STEP}"),
        ),
        evaluate=_exponents,
        summary=("Exponents of weights, logits, kernels and their changes before step k, found from the update rule."),
    ),
)
