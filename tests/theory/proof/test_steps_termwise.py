"""Termwise: sums compared term by term, and nothing that a term does not say."""

import pytest
from sympy import Function, IndexedBase, Integer, Le, Sum, Symbol

from theory.proof.derivation import Derivation, State, Suppose
from theory.proof.mutation import survivors
from theory.proof.steps import Termwise
from theory.proof.worlds import World, rational, table

x, c = Symbol("x", positive=True), Symbol("c", positive=True)
n = Symbol("n", integer=True, nonnegative=True)
a = Symbol("a", integer=True, positive=True)
anywhere = Symbol("b", integer=True)
h = IndexedBase("h", positive=True)
share = Function("share", positive=True)

SMALL = Suppose("each is small", Le(share(a), x, evaluate=False), forall=(a,))
SUM = Sum(share(a), (a, 1, n))


def worlds(source) -> World:
    size = source.randint(1, 3)
    values = table(source, 12, low=1, high=2)
    return World(
        {n: size, c: rational(source), h: values, x: max(values), share: {(k + 1,): v for k, v in enumerate(values)}}
    )


def judged(step: Termwise, *premises: Suppose):
    return Derivation(premises, (step,), worlds).check().steps[0]


def test_terms_that_are_bounded_bound_the_sum() -> None:
    step = Termwise("bounded", SUM, Sum(x, (a, 1, n)), uses=("each is small",), instances=(("each is small", {a: a}),))
    derivation = Derivation((SMALL,), (step,), worlds)
    assert derivation.check().sound
    assert survivors(derivation) == ()


def test_a_sum_of_what_is_positive_is_not_negative() -> None:
    step = Termwise("not negative", Integer(0), Sum(h[a] / (c + h[a]), (a, 1, n)))
    assert judged(step).state is State.PROVED
    assert judged(step).reason.startswith("term by term")
    assert step.conclusion == (Sum(h[a] / (c + h[a]), (a, 1, n)) >= 0)


@pytest.mark.parametrize(
    "step",
    [
        Termwise(
            "turned round", Sum(2 * x, (a, 1, n)), SUM, uses=("each is small",), instances=(("each is small", {a: a}),)
        ),
        Termwise("too small", Sum(x, (a, 1, n)), Sum(share(a) / 2, (a, 1, n)), uses=("each is small",)),
        Termwise("negative", Sum(h[a], (a, 1, n)), Integer(0)),
    ],
    ids=lambda step: step.name,
)
def test_what_is_false_is_refuted(step: Termwise) -> None:
    assert judged(step, SMALL).state is State.REFUTED


def test_without_an_instance_nothing_is_known_of_the_terms() -> None:
    step = Termwise("bounded", SUM, Sum(x, (a, 1, n)), uses=("each is small",))
    assert judged(step, SMALL).state is State.UNDECIDED


def test_an_index_is_no_more_than_its_range_says() -> None:
    below = Termwise("from below 0", Integer(0), Sum(h[a] * a, (a, -3, n)))
    assert "assumed more" in below.check(_context()).reason
    known = Termwise("its range", Integer(0), Sum(h[2] * anywhere, (anywhere, 1, n)))
    assert judged(known).state is State.PROVED
    unknown = Termwise("a range below 0", Integer(0), Sum(h[2] * anywhere, (anywhere, -3, n)))
    assert judged(unknown).state is not State.PROVED


def test_an_index_of_which_hypotheses_speak_does_not_run() -> None:
    here = Suppose("this one is large", a >= 3)
    step = Termwise("all large", Sum(Integer(3), (a, 1, n)), Sum(a, (a, 1, n)), uses=("this one is large",))
    assert judged(step, here).state is not State.PROVED


@pytest.mark.parametrize(
    "sides", [(x, c), (SUM, Sum(x, (a, 1, n + 1))), (Integer(0), Sum(h[a], (a, 1, n), (anywhere, 1, n)))]
)
def test_sides_that_cannot_be_compared_are_refused(sides) -> None:
    with pytest.raises(ValueError, match="allowed are sums over one index"):
        Termwise("refused", *sides)


def _context():
    from theory.proof.steps import Context

    return Context()
