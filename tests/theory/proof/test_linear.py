"""Exact linear arithmetic: every answer verifies, and no verifier accepts what is false."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from theory.proof.linear import Certificate, Constraint, Kind, Witness, decide, is_certificate, is_witness

numbers = st.integers(-4, 4).map(Fraction)
constraints = st.builds(
    Constraint,
    st.fixed_dictionaries({"x": numbers, "y": numbers, "z": numbers}),
    numbers,
    st.sampled_from(list(Kind)),
)


def above(variable: str, bound: int, kind: Kind = Kind.NONNEGATIVE) -> Constraint:
    return Constraint({variable: Fraction(1)}, Fraction(-bound), kind)


def below(variable: str, bound: int, kind: Kind = Kind.NONNEGATIVE) -> Constraint:
    return Constraint({variable: Fraction(-1)}, Fraction(bound), kind)


@given(st.lists(constraints, max_size=7))
@example([above("x", 1), below("x", 1, Kind.POSITIVE)])
@example([above("x", 1), below("x", 1)])
def test_every_answer_verifies_and_only_one_kind_can(listed: list[Constraint]) -> None:
    answer = decide(listed)
    if isinstance(answer, Witness):
        assert is_witness(listed, answer)
        assert not is_certificate(listed, Certificate((Fraction(1),) * len(listed)))
    else:
        assert is_certificate(listed, answer)
        assert not is_witness(listed, Witness({"x": Fraction(0), "y": Fraction(0), "z": Fraction(0)}))


@given(st.lists(constraints, max_size=6), st.tuples(numbers, numbers, numbers))
def test_constraints_that_a_point_satisfies_are_never_refuted(
    listed: list[Constraint], point: tuple[Fraction, Fraction, Fraction]
) -> None:
    values = dict(zip("xyz", point, strict=True))
    held = [c for c in listed if is_witness([c], Witness(values))]
    assert isinstance(decide(held), Witness)


@pytest.mark.parametrize("count", [2, 5, 12])
def test_a_circle_of_strict_inequalities_has_a_certificate_of_ones(count: int) -> None:
    one = Fraction(1)
    circle = [Constraint({k: one, (k + 1) % count: -one}, Fraction(0), Kind.POSITIVE) for k in range(count)]
    answer = decide(circle)
    assert isinstance(answer, Certificate)
    assert set(answer.multipliers) == {answer.multipliers[0]}
    assert isinstance(decide(circle[1:]), Witness)


def test_strictness_decides() -> None:
    assert isinstance(decide([above("x", 1), below("x", 1)]), Witness)
    assert isinstance(decide([above("x", 1, Kind.POSITIVE), below("x", 1)]), Certificate)
    assert isinstance(decide([above("x", 1, Kind.ZERO), below("x", 1, Kind.POSITIVE)]), Certificate)


def test_constraints_without_variables() -> None:
    nothing = Constraint({}, Fraction(0), Kind.POSITIVE)
    assert isinstance(decide([nothing]), Certificate)
    assert isinstance(decide([Constraint({}, Fraction(0), Kind.NONNEGATIVE)]), Witness)
    assert isinstance(decide([]), Witness)


@pytest.mark.parametrize(
    "multipliers",
    [(1, 2), (-1, -1), (0, 0), (1,)],
    ids=["wrong combination", "negative", "nothing", "too few"],
)
def test_a_wrong_certificate_is_not_accepted(multipliers: tuple[int, ...]) -> None:
    listed = [above("x", 1, Kind.POSITIVE), below("x", 1)]
    assert is_certificate(listed, Certificate((Fraction(1), Fraction(1))))
    assert not is_certificate(listed, Certificate(tuple(Fraction(m) for m in multipliers)))


def test_a_certificate_of_satisfiable_constraints_is_not_accepted() -> None:
    listed = [above("x", 1), below("x", 1)]
    assert not is_certificate(listed, Certificate((Fraction(1), Fraction(1))))
    assert not is_witness(listed, Witness({"x": Fraction(2)}))
