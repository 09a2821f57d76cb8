"""No rounded number is in a proof: beside 1 its last digits are lost, and x + 1e-20 x is x."""

import pytest
from sympy import Eq, Float, Le, Rational, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, rational

x, y, a = (Symbol(name, real=True) for name in "xya")
USES = ("small", "sum")


def judged(small, step, suppose: bool = False) -> tuple[State, str]:
    """State of a step, and the reason, about y = x + a x with a small."""
    given = Suppose("small", Eq(a, small, evaluate=False)) if suppose else Define("small", a, small)
    values = {a: small} if suppose else {}
    worlds = lambda source: World({x: rational(source), **values})  # noqa: E731
    (found,) = Derivation((given, Define("sum", y, x + a * x)), (step,), worlds).check().steps
    return found.state, found.reason


@pytest.mark.parametrize("suppose", [False, True])
@pytest.mark.parametrize("small", [Float("1e-20"), Float("1e-5", 3), Rational(1, 10**20)])
def test_what_is_rounded_proves_nothing(small, suppose) -> None:
    lost, kept = Equal("s", y, x, uses=USES), Equal("s", y, x + Rational(1, 10**20) * x, uses=USES)
    assert judged(small, lost, suppose)[0] is not State.PROVED
    state, reason = judged(small, kept, suppose)
    assert (state is State.PROVED) is isinstance(small, Rational)
    assert ("rounded" in reason) is isinstance(small, Float)


def test_a_claim_is_not_rounded_either() -> None:
    exact = Rational(1, 10**20)
    assert judged(exact, Holds("s", Le(y, x, evaluate=False), uses=USES))[0] is not State.PROVED
    state, reason = judged(exact, Equal("s", y, 1.0 * x, uses=USES))
    assert state is State.UNDECIDED and "write a fraction" in reason
