"""Root: the place given solves the equation, lies in the domain, and is alone there."""

import pytest
from edge_derivations import step_size_edge
from sympy import And, Eq, LambertW, Piecewise, Rational, Symbol, exp, sqrt

from theory.proof.derivation import Derivation, State, Suppose
from theory.proof.normal_forms import expanded, exponentials, radicals, rational
from theory.proof.steps import Holds, Root
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

a, b = (Symbol(n, positive=True) for n in "ab")
u = Symbol("u", positive=True)
x = Symbol("x", real=True)


def worlds(source) -> World:
    return World({a: draw(source), b: draw(source)})


def judged(step: Root, *premises: Suppose):
    return Derivation(premises, (step,), worlds).check().steps[0]


@pytest.mark.parametrize(
    ("unknown", "equation", "root", "domain", "normal"),
    [
        (u, Eq(u * (u * a - b), 0, evaluate=False), b / a, True, ()),
        (x, Eq(a * x + b, 0, evaluate=False), -b / a, True, ()),
        (u, Eq(u**2, a, evaluate=False), sqrt(a), True, (expanded, radicals, rational)),
        (u, Eq(u * exp(u), a, evaluate=False), LambertW(a), True, (exponentials, rational)),
        (x, Eq(x**2, a**2, evaluate=False), -a, x < 0, ()),
    ],
)
def test_roots(unknown, equation, root, domain, normal) -> None:
    from sympy import true

    step = Root("root", unknown, equation, root, true if domain is True else domain, normal=normal)
    result = judged(step)
    assert result.state is State.PROVED, result.reason


@pytest.mark.parametrize(
    ("step", "state"),
    [
        (Root("wrong", u, Eq(u * a, b, evaluate=False), a / b), State.REFUTED),
        (Root("not alone", x, Eq(x**2, a**2, evaluate=False), a), State.REFUTED),
        (Root("outside", u, Eq(u * a, b, evaluate=False), b / a, u < 0), State.REFUTED),
        (Root("circular", u, Eq(u * a, b, evaluate=False), b / a + 0 * u), State.PROVED),
        (Root("three", x, Eq(x * (x - a) * (x - 10 * a), 0, evaluate=False), a, x > 0), State.UNDECIDED),
    ],
)
def test_verdicts(step: Root, state: State) -> None:
    assert judged(step).state is state


def test_a_hypothesis_about_the_unknown_must_be_the_equation() -> None:
    says_so = Suppose("says so", Eq(u * a, b, evaluate=False))
    step = Root("root", u, Eq(u * a, b, evaluate=False), b / a, uses=("says so",))

    def with_u(source) -> World:
        values = dict(worlds(source).values)
        return World({**values, u: values[b] / values[a]})

    later = Holds("later", u * a + 1 > b, uses=("root",))
    assert Derivation((says_so,), (step, later), with_u).sound
    other = Root("root", u, Eq(u * a, 2 * b, evaluate=False), 2 * b / a)
    assert Derivation((says_so,), (other,), with_u).check().steps[0].state is not State.PROVED


def test_a_root_serves_later_steps() -> None:
    root = Root("root", u, Eq(u * a, b, evaluate=False), b / a)
    claim = Holds("positive", u * a + 1 > b, uses=("root",))
    assert Derivation((), (root, claim), worlds).sound
    wrong = Holds("larger", u * a > b, uses=("root",))
    assert Derivation((), (root, wrong), worlds).check().steps[1].state is State.REFUTED


def test_the_step_size_edge_and_its_rivals() -> None:
    made = step_size_edge()
    assert made.sound
    lam, c, s = (Symbol(n, positive=True) for n in ("lam", "c", "s"))
    for rival in (2 / lam, lam / (lam**2 + c * s**2), 2 * lam / (lam**2 + s**2 * c / 2)):
        step = Root("edge", made.steps[0].unknown, made.steps[0].equation, rival, uses=("mean square",))
        assert Derivation(made.premises, (step,), made.worlds).check().state is State.REFUTED


def test_a_domain_of_two_relations() -> None:
    step = Root("root", x, Eq(x**2 - x, 0, evaluate=False), Rational(1), And(x > 0, x < 2))
    assert judged(step).state is State.PROVED


def test_a_jump_or_a_pole_may_hide_another_root() -> None:
    jump = Root("jump", x, Eq(Piecewise((x, x < a), (x - 5 * a, True)), 0, evaluate=False), Rational(0))
    assert judged(jump).state is not State.PROVED
    pole = Root("pole", x, Eq(exp(x) - 1 / (x - a), 1 + 1 / a, evaluate=False), Rational(0))
    assert judged(pole).state is not State.PROVED
