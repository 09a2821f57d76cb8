"""Normal forms keep the value, and bring what is equal by their moves to one expression."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    Derivative,
    Expr,
    Function,
    IndexedBase,
    Integer,
    KroneckerDelta,
    LambertW,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    sqrt,
)

from theory.proof.evaluation import Evaluation
from theory.proof.functions import derivative, smooth
from theory.proof.known import Known
from theory.proof.normal_forms import (
    NORMAL_FORMS,
    derivatives,
    ends,
    expanded,
    exponentials,
    factored,
    max_plus,
    merged,
    piecewise,
    radicals,
    rational,
    sums,
)
from theory.proof.sums import normal_sums
from theory.proof.worlds import rational as draw
from theory.proof.worlds import table

i, j, k, m = (Symbol(n, integer=True) for n in "ijkm")
n = Symbol("n", integer=True, positive=True)
a, b, c, x = (Symbol(name, real=True) for name in "abcx")
u = Symbol("u", positive=True)
h, A, B = (IndexedBase(name, real=True) for name in "hAB")
KNOWN = Known((k >= 1, k <= n, m >= 1, m <= n))
phi = smooth("phi")


def total(summand: Expr, *indices: Symbol) -> Sum:
    return Sum(summand, *[(index, 1, n) for index in indices])


mean = total(h[j], j) / n
SUMS = {
    "variance": (total((h[i] - mean) ** 2, i) / n, total(h[i] ** 2, i) / n - mean**2),
    "delta": (total(KroneckerDelta(i, j) * A[i, j] * h[i], i, j), total(A[i, i] * h[i], i)),
    "delta with a free index": (total(KroneckerDelta(i, k) * A[i, m], i), A[k, m]),
    "double delta": (total(KroneckerDelta(i, j) * KroneckerDelta(j, k) * h[i], i, j), h[k]),
    "not equal": (
        total((1 - KroneckerDelta(i, j)) * h[i] * h[j], i, j),
        total(h[i], i) ** 2 - total(h[i] ** 2, i),
    ),
    "order of summation": (total(A[i, j] * B[j, k] * h[i], i, j), total(A[j, i] * B[i, k] * h[j], i, j)),
    "trace of a product": (total(A[i, j] * B[j, i], i, j), total(B[i, j] * A[j, i], i, j)),
    "constant": (total(x, i, j), n**2 * x),
    "softmax": (total(exp(h[i]) / total(exp(h[j]), j), i), Integer(1)),
    "square inside": (total(h[i] * total(A[i, j], j) ** 2, i), total(h[i] * A[i, j] * A[i, m], i, j, m)),
    "few terms": (Sum(h[i], (i, 1, 3)), h[1] + h[2] + h[3]),
    "triangle": (Sum(A[i, j], (j, 1, i), (i, 1, n)), Sum(A[j, i], (i, 1, j), (j, 1, n))),
    "product": (Product(u * h[i] ** 2, (i, 1, n)), u**n * Product(h[j], (j, 1, n)) ** 2),
}


@pytest.mark.parametrize("case", SUMS)
def test_sums_meet_in_one_form(case: str) -> None:
    left, right = SUMS[case]
    assert expanded(sums(left, KNOWN) - sums(right, KNOWN), KNOWN) == 0


def world(source: random.Random) -> Evaluation:
    size = source.randint(2, 4)
    square = [table(source, size, size) for _ in range(2)]
    return Evaluation(
        {
            n: size,
            h: [draw(source) for _ in range(max(size, 3))],
            A: square[0],
            B: square[1],
            k: source.randint(1, size),
            m: source.randint(1, size),
            x: draw(source),
            u: draw(source),
            a: draw(source, -9, 9),
            b: draw(source, -9, 9),
            c: draw(source, -9, 9),
        }
    )


@pytest.mark.parametrize("case", SUMS)
@pytest.mark.parametrize("form", [sums, ends, merged], ids=lambda f: f.__name__)
def test_forms_of_sums_keep_the_value(case: str, form) -> None:
    for seed in range(3):
        here = world(random.Random(seed))
        for side in SUMS[case]:
            gap = here.value(form(side, KNOWN)) - here.value(side)
            assert gap == 0 or abs(gap) < Rational(1, 10**50)


def test_what_differs_does_not_meet() -> None:
    assert sums(total(A[i, j] * B[j, i], i, j), KNOWN) != sums(total(A[i, j] * B[i, j], i, j), KNOWN)
    assert sums(total(h[i], i) ** 2, KNOWN) != sums(total(h[i] ** 2, i), KNOWN)


def test_a_sum_inside_a_function_keeps_its_name_in_a_double_sum() -> None:
    inside = lambda name: Function("phi")(total(A[i, name] * h[name], name))  # noqa: E731
    one, other = (total(B[i, j] * inside(name), i, j) for name in (k, Symbol("l", integer=True)))
    assert one != other
    assert sums(one, KNOWN) == sums(other, KNOWN)
    assert sums(one, KNOWN) != sums(total(B[j, i] * inside(k), i, j), KNOWN)


def test_a_delta_outside_its_range_stays() -> None:
    outside = total(KroneckerDelta(i, k) * h[i], i)
    assert sums(outside, Known()).has(Sum)
    assert sums(outside, KNOWN) == h[k]
    assert sums(Sum(KroneckerDelta(i, k) * h[i], (i, 2, n)), KNOWN).has(Sum)


def test_a_delta_does_not_see_a_common_shift() -> None:
    assert sums(KroneckerDelta(i + 2, j + 2), Known()) == KroneckerDelta(i, j)
    assert sums(KroneckerDelta(i + 1, j + 2), Known()) != KroneckerDelta(i, j)


def test_normal_sums_are_a_fixed_point() -> None:
    for left, right in SUMS.values():
        for side in (left, right):
            once = normal_sums(side, KNOWN)
            assert normal_sums(once, KNOWN) == once


def test_derivatives_go_through_sums_and_chains() -> None:
    made = derivatives(Derivative(total(phi(h[i]) * x, i), h[k]), KNOWN)
    assert sums(made, KNOWN) == x * derivative(phi)(h[k])


def test_a_derivative_in_an_entry_is_not_captured_by_the_index() -> None:
    made = derivatives(Derivative(Sum(h[k] ** 2, (k, 1, n)), h[k]), KNOWN)
    assert sums(made, KNOWN) == 2 * h[k]


def test_a_hidden_head_is_not_differentiated() -> None:
    hidden = Known(heads=frozenset({b}))
    assert derivatives(Derivative(a * b, a), hidden) == Derivative(a * b, a)
    assert derivatives(Derivative(a * b, a), Known()) == b


OTHERS = {
    "powers": ((rational,), 1 / (x - a) - (x + a) / (x**2 - a**2)),
    "exponents add": ((exponentials,), exp(2 * x + a) - exp(x) ** 2 * exp(a)),
    "logarithms": ((exponentials,), log(u**2 * exp(x)) - 2 * log(u) - x),
    "lambert": ((exponentials, rational), LambertW(u) * exp(LambertW(u)) - u),
    "roots": ((radicals,), 1 / (sqrt(u + 1) - 1) - (sqrt(u + 1) + 1) / u),
    "nested roots": ((radicals,), (sqrt(u) + sqrt(u + 1)) * (sqrt(u + 1) - sqrt(u)) - 1),
    "factors": ((factored, expanded), (x - a) * (x + a) - x**2 + a**2),
    "max of sums": ((max_plus,), Max(a + c, b + c) - c - Max(a, b)),
    "max of max": ((max_plus,), Max(a, Max(b, c) + 2) - Max(a, b + 2, c + 2)),
    "max scaled": ((max_plus,), 2 * Max(a, b) - Max(2 * a, 2 * b)),
    "min is max": ((max_plus,), Min(a, b) + Max(a, b) - a - b),
    "summands": ((merged,), total(h[i] / (1 + h[i]), i) + total(1 / (1 + h[i]), i) - n),
    "ends": ((ends, sums), Sum(h[i], (i, 1, n + 1)) - Sum(h[i], (i, 1, n)) - h[n + 1]),
}


@pytest.mark.parametrize("case", OTHERS)
def test_equal_expressions_leave_no_gap(case: str) -> None:
    forms, gap = OTHERS[case]
    other = gap + x * u
    for form in forms:
        gap, other = form(gap, Known()), form(other, Known())
    assert gap == 0
    assert expanded(other - x * u, Known()) == 0
    assert other != 0


@settings(max_examples=20)
@given(st.sampled_from(NORMAL_FORMS), st.integers(0, 10**6), st.sampled_from(sorted(OTHERS)))
def test_every_form_keeps_the_value_of_everything(form, seed: int, case: str) -> None:
    here = world(random.Random(seed))
    e = OTHERS[case][1] * (1 + x) + u
    if e.has(h) and e.has(n + 1):
        return
    assert abs(here.value(form(e, Known())) - here.value(e)) < Rational(1, 10**40)


def test_branches_follow_the_facts() -> None:
    e = Abs(x - a) + Piecewise((1, x > 2), (0, True)) + Max(x, a)
    known = Known((x > 3, x > a))
    assert max_plus(piecewise(e, known), known) == 2 * x - a + 1
    assert piecewise(e, Known()).has(Abs, Piecewise)
    assert max_plus(Max(x, a), Known()) == Max(x, a) or max_plus(Max(x, a), Known()).has(Max)


def test_a_root_is_not_simplified_beyond_its_domain() -> None:
    assert radicals(sqrt(x**2) - x, Known()) != 0
    assert exponentials(log(x**2) - 2 * log(x), Known()) != 0
