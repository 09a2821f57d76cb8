"""Rules are applied to a fixed point, capture no index, and hold under a derivative only where they may."""

import pytest
from sympy import Derivative, Function, IndexedBase, Integer, Limit, Sum, Symbol, exp, symbols

from theory.proof.matching import fresh, match
from theory.proof.rewriting import RewritingError, Rule, rewrite

i, j, k, m = (Symbol(n, integer=True) for n in "ijkm")
n = Symbol("n", integer=True, positive=True)
x, y, beta = symbols("x y beta", real=True)
h, p = IndexedBase("h"), IndexedBase("p")
q = Function("q")


def test_recursion_runs_down_to_its_start() -> None:
    rules = (
        Rule("recursion", q(k + 1), 2 * q(k) + 1, frozenset({k}), macro=True),
        Rule("start", q(0), Integer(0), macro=True),
    )
    assert rewrite(q(4), rules)[0] == 15
    assert rewrite(q(n + 2), rules)[0] == 4 * q(n) + 3
    assert rewrite(q(n), rules)[0] == q(n)


def test_a_body_does_not_capture_the_index_round_about() -> None:
    total = Rule("total", x, Sum(h[i], (i, 1, n)), macro=True)
    made = rewrite(Sum(x * h[i], (i, 1, n)), (total,))[0]
    by_hand = {h[1]: 2, h[2]: 5}
    assert made.subs(n, 2).doit().subs(by_hand) == 49


def test_an_index_put_into_a_body_is_not_captured() -> None:
    softmax = Rule("softmax", p[m], exp(h[m]) / Sum(exp(h[j]), (j, 1, n)), frozenset({m}), macro=True)
    made = rewrite(Sum(p[j], (j, 1, n)), (softmax,))[0]
    assert made.subs(n, 3).doit().simplify() == 1


@pytest.mark.parametrize("wrapped", [lambda e: Derivative(e, beta), lambda e: Limit(e, beta, 0)])
def test_a_hypothesis_about_the_variable_is_no_rule_under_it(wrapped) -> None:
    expression = wrapped(beta**2)
    point = Rule("point", beta, Integer(2), constrains=frozenset({beta}))
    assert rewrite(expression, (point,))[0] == expression
    defined = Rule("defined", y, beta**3, macro=True)
    assert rewrite(wrapped(y), (defined,))[0] == wrapped(beta**3)


def test_powers_and_factors() -> None:
    hot = Rule("one-hot", h[m] ** 2, h[m], frozenset({m}))
    assert rewrite(3 * h[2] ** 5 * x, (hot,))[0] == 3 * h[2] * x
    product = Rule("product", x * y, Integer(7))
    assert rewrite(x**2 * y * beta, (product,))[0] == 7 * x * beta
    assert rewrite(x * beta, (product,))[0] == x * beta


def test_conditions_ask_for_the_range() -> None:
    inside = Rule("row", h[m], Integer(1), frozenset({m}), conditions=(m >= 1, m <= n))
    assert rewrite(h[j], (inside,))[0] == h[j]
    ranged = Sum(h[j], (j, 1, n))

    def entails(claim, ranges) -> bool:
        return claim in ranges

    assert rewrite(ranged, (inside,), entails)[0].function == 1
    assert rewrite(Sum(h[j], (j, 0, n)), (inside,), entails)[0].function != 1


def test_a_definition_that_refers_to_itself_is_noticed() -> None:
    with pytest.raises(RewritingError, match=r"does not end|grows"):
        rewrite(x, (Rule("circle", x, x + 1, macro=True),))


def test_fresh_keeps_the_value() -> None:
    e = Sum(i * h[i], (i, 1, n)) ** 2
    assert fresh(e).subs(n, 2).doit() == e.subs(n, 2).doit()


def test_match_binds_consistently() -> None:
    assert list(match(q(m) + q(m), q(j) + q(j), frozenset({m}), {}))
    f = Function("f")
    assert list(match(f(m, m), f(i, j), frozenset({m}), {})) == []
    assert list(match(Sum(h[i] * x, (i, 1, n)), Sum(h[j] * y, (j, 1, n)), frozenset({x}), {})) == [{x: y}]
