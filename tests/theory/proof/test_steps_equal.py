"""Equal: what rewriting and normal forms bring to 0 is proved, at every place of a pattern."""

from derivations import batch_noise
from sympy import Derivative, Eq, IndexedBase, KroneckerDelta, Lambda, Rational, Sum, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import derivatives, sums
from theory.proof.steps import Equal
from theory.proof.worlds import World, rational, table

N = Symbol("N", integer=True, positive=True)
i, j, k = (Symbol(n, integer=True, positive=True) for n in "ijk")
h, d, e = (IndexedBase(n, real=True) for n in "hde")
x, y = (Symbol(n, real=True) for n in "xy")


def values(source) -> World:
    size = source.randint(2, 4)
    return World({N: size, h: table(source, size), k: source.randint(1, size), x: rational(source)})


DEVIATION = Define("deviation", d[i], h[i] - Sum(h[j], (j, 1, N)) / N)


def test_a_claim_at_every_index_is_a_rule_at_every_index() -> None:
    squares = Equal("square", d[k] * N, N * h[k] - Sum(h[j], (j, 1, N)), uses=("deviation",), forall=(k,))
    total = Equal("total", Sum(d[i] * N, (i, 1, N)), Rational(0), uses=("square",))
    assert Derivation((DEVIATION,), (squares, total), values).check().sound
    fixed = Equal("square", d[k] * N, N * h[k] - Sum(h[j], (j, 1, N)), uses=("deviation",))
    assert not Derivation((DEVIATION,), (fixed, total), values).check().sound


def test_the_range_of_an_index_is_asked_for_where_the_claim_is_used() -> None:
    ranged = Suppose("in range", (k >= 1) & (k <= N))
    picked = Equal(
        "picked",
        Sum(KroneckerDelta(i, k) * h[i], (i, 1, N)) * x,
        x * h[k],
        uses=("in range",),
        forall=(k,),
    )
    assert Derivation((ranged,), (picked,), values).sound
    alone = Equal("picked", Sum(KroneckerDelta(i, k) * h[i], (i, 1, N)) * x, x * h[k])
    assert Derivation((), (alone,), values).check().state is State.UNDECIDED


def test_smooth_functions_need_no_subs() -> None:
    phi = smooth("phi")
    loss = Define("loss", y, Sum(phi(x * h[i]), (i, 1, N)))
    slope = Equal(
        "slope",
        Derivative(y, x),
        Sum(h[i] * derivative(phi)(x * h[i]), (i, 1, N)),
        uses=("loss",),
        normal=(derivatives, sums),
    )

    def worlds(source) -> World:
        t = Symbol("t")
        return World({**values(source).values, phi: Lambda(t, t**3 + 2 * t)})

    assert Derivation((loss,), (slope,), worlds).sound
    wrong = Equal("slope", Derivative(y, x), Sum(derivative(phi)(x * h[i]), (i, 1, N)), uses=("loss",))
    assert Derivation((loss,), (wrong,), worlds).check().state is State.REFUTED


def test_a_derivative_does_not_see_through_a_hidden_definition() -> None:
    square = Define("square", y, x**2)
    zero = Equal("zero", Derivative(y, x) * 0 + Derivative(x * y, x) - y, Derivative(y, x) * x)
    result = Derivation((square,), (zero,), values).check()
    assert result.steps[0].state is State.UNDECIDED


def test_a_hypothesis_at_a_point_is_no_identity() -> None:
    """That x = 2 here does not make d(x^2)/dx vanish."""
    at = Suppose("at 2", Eq(x, 2, evaluate=False))

    def two(source) -> World:
        return World({x: 2, N: 2, h: table(source, 2), k: 1})

    slope = Equal("slope", Derivative(x**3, x) - 12, Rational(0), uses=("at 2",))
    assert Derivation((at,), (slope,), two).sound
    wrong = Equal("slope", Derivative(x**3, x), Rational(0), uses=("at 2",))
    assert Derivation((at,), (wrong,), two).check().state is State.REFUTED


def test_planted_wrong_noise_factors_are_refuted() -> None:
    made = batch_noise()
    step = made.steps[0]
    for label, wrong in step.mutants():
        result = Derivation(made.premises, (wrong,), made.worlds).check().steps[0]
        assert result.state is State.REFUTED, label
        assert "where" in result.reason


def test_everywhere_may_not_hide_in_a_definition() -> None:
    """Here y is k + x at the k of the world: a claim about y does not hold at every k."""
    here = Define("here", y, k + x)
    step = Equal("everywhere", h[k] + y - x, h[k] + k, uses=("here",), forall=(k,))
    result = Derivation((here,), (step,), values).check().steps[0]
    assert result.state is State.UNDECIDED
    assert "make it an argument" in result.reason
    assert Derivation((here,), (Equal("here only", h[k] + y - x, h[k] + k, uses=("here",)),), values).sound
