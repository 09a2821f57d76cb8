"""What is odd in a pair cancels at first order, and what is even does not."""

import pytest
from sympy import IndexedBase, Integer, Sum, Symbol

from theory.proof.derivation import State
from theory.proof.worlds import World
from theory.width.mirrors import first_order_cancels, vanishing

i, n = (Symbol(name, integer=True, positive=True) for name in "in")
t, total = Symbol("t", positive=True), Symbol("total")
a = IndexedBase("a", real=True)


@pytest.mark.parametrize(("power", "state"), [(1, State.PROVED), (2, State.REFUTED), (3, State.PROVED)])
def test_only_odd_terms_cancel(power, state) -> None:
    pair = ((1 + t * a[i]) ** Integer(2) - 1) ** power + ((1 - t * a[i]) ** Integer(2) - 1) ** power
    over_pairs = Sum(pair / t**power, (i, 1, n))
    made = first_order_cancels(total, t, over_pairs, lambda source: World({n: 2, a: [1, 3]}), "sum", "odd", "")
    assert made.check().state is state
    assert (made.conclusion == vanishing(total, t).statement) is True
