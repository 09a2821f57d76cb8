"""Orders are reached, not only bounded: exact expectations at huge widths, step after step, where nothing is assumed.

The algebra of orders bounds every quantity. That terms of one order do not cancel is measured here: leading
coefficients depend analytically on factors and gradients, so one instance in which none vanishes settles almost all.
"""

import random

import pytest
from sympy import Integer, Rational

from theory.asymptotics import order
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds_of_three
from theory.predictors import Undefined
from theory.proof.evaluation import Evaluation
from theory.width.exponents import GRADIENT_DESCENT, all_exponents

DEFINITIONS = (
    w.SCALE, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W, w.LOGITS, w.KERNEL_A, w.KERNEL_W,
    w.LINEAR_A, w.LINEAR_W, w.LINEAR_AW, w.LINEAR_WW, w.LINEAR_WA,
)  # fmt: skip
QUANTITIES = {
    "f": w.f, "K_a": w.K_a, "K_w": w.K_w, "f_linear_a": w.df_a, "f_linear_w": w.df_w,
    "K_linear_aw": w.K_aw, "K_linear_ww": w.K_ww, "K_linear_wa": w.K_wa,
}  # fmt: skip
SCALINGS = {
    "NTK": (-Rational(1, 2), 0, 0),
    "mean-field": (-1, 1, 1),
    "sym-default": (-Rational(1, 2), Rational(1, 2), Rational(1, 2)),
    "default": (-Rational(1, 2), 1, 0),
    "inside": (-Rational(3, 4), Rational(1, 2), Rational(1, 2)),
    "unequal": (-Rational(1, 2), Rational(1, 4), -Rational(1, 4)),
    "above": (-Rational(1, 2), 1, 1),
}


def an_instance(scaling, seed, **more):
    """Four equally likely neurons, samples, gradients and factors drawn at random, at given exponents."""
    values = dict(worlds_of_three()(random.Random(seed)).values)
    q_sigma, q_a, q_w = map(Rational, SCALINGS[scaling])
    values |= {w.q_sigma: q_sigma, w.q_a: q_a, w.q_w: q_w} | {getattr(w, name): table for name, table in more.items()}
    return Evaluation(values, tuple((one.head, one.body) for one in DEFINITIONS))


def claimed(scaling, step):
    q_sigma, q_a, q_w = map(Rational, SCALINGS[scaling])
    return all_exponents(GRADIENT_DESCENT.after(step, {w.q_sigma: q_sigma, w.q_a: q_a, w.q_w: q_w}))


def measured(world, step):
    return {name: world.value(order(base[step], w.d)) for name, base in QUANTITIES.items()}


def differing(scaling, step, world):
    expected, found = claimed(scaling, step), measured(world, step)
    return {
        name: (found[name], expected[name])
        for name in QUANTITIES
        if not isinstance(expected[name], Undefined) and found[name] != expected[name]
    }


@pytest.mark.parametrize(
    ("scaling", "step"),
    [(scaling, step) for scaling in SCALINGS for step in (0, 1, 2, 3, 5, 7) if (scaling, step) != ("above", 7)],
)
def test_orders_are_reached_at_every_step(scaling, step):
    assert differing(scaling, step, an_instance(scaling, 7)) == {}


def test_opposite_gradients_on_one_sample_cancel_and_are_seen():
    """The null set is not empty: a step that takes the last one back lowers orders, and the measurement tells."""
    same = {(Integer(step),): Rational(3, 2) for step in range(8)}
    back = {(Integer(step),): Rational(9 * (-1) ** step, 10) for step in range(8)}
    world = an_instance("inside", 7, x_a=same, x_w=same, g_a=back, g_w=back)
    found = differing("inside", 2, world)
    assert found
    assert all(lower < expected for lower, expected in found.values())


def test_factors_between_them_do_not_cancel():
    """Where gradients differ by any ratio but -1 the same sample, seen twice, leaves every order."""
    same = {(Integer(step),): Rational(3, 2) for step in range(8)}
    for ratio in (Rational(-3, 4), Rational(-10, 9)):
        unequal = {(Integer(step),): Rational(4, 5) * ratio**step for step in range(8)}
        assert differing("inside", 2, an_instance("inside", 7, x_a=same, x_w=same, g_a=unequal, g_w=unequal)) == {}
