"""Enumerate: complete, and nothing too much; the counts of the width census."""

from collections import Counter
from dataclasses import replace

import pytest
from edge_derivations import census
from sympy import Rational, Symbol

from theory.proof.derivation import Derivation, State, Suppose
from theory.proof.steps import Enumerate
from theory.proof.worlds import World, rational
from theory.width.regions import CELLS, dimension

x, y = (Symbol(n, real=True) for n in "xy")


def worlds(source) -> World:
    return World({x: rational(source, -3, 3), y: rational(source, -3, 3)})


def judged(items, lines=(x, y), premises=(), dimensions=()):
    step = Enumerate("cells", (x, y), lines, items, tuple(p.name for p in premises), dimensions=dimensions)
    return Derivation(premises, (step,), worlds).check().steps[0]


NINE = tuple((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))


def test_two_lines_make_nine_cells() -> None:
    dimensions = tuple(2 - item.count(0) for item in NINE)
    assert judged(NINE, dimensions=dimensions).state is State.PROVED
    wrong = judged(NINE, dimensions=(1, *dimensions[1:]))
    assert wrong.state is State.REFUTED
    assert "dimension 2, not 1" in wrong.reason


def test_parallel_lines_make_five() -> None:
    five = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
    assert judged(five, lines=(x, x - 1)).state is State.PROVED
    assert judged(five[:4], lines=(x, x - 1)).state is State.REFUTED
    extra = judged((*five, (-1, 1)), lines=(x, x - 1))
    assert extra.state is State.REFUTED
    assert "multipliers" in extra.reason


def test_a_missing_item_comes_with_a_place() -> None:
    result = judged(tuple(i for i in NINE if i != (0, 0)))
    assert result.state is State.REFUTED
    assert "(0, 0) is missing: it occurs at x = 0, y = 0" in result.reason


def test_hypotheses_cut_cells_and_their_dimensions() -> None:
    corner = (Suppose("right", x >= 0), Suppose("left", x <= 0))
    three = ((0, -1), (0, 0), (0, 1))

    def on_the_line(source) -> World:
        return World({x: 0, y: rational(source, -3, 3)})

    step = Enumerate("cells", (x, y), (x, y), three, ("right", "left"), dimensions=(1, 0, 1))
    assert Derivation(corner, (step,), on_the_line).sound


def test_the_census_of_width() -> None:
    assert census().sound
    assert Counter(dimension(cell) for cell in CELLS) == {2: 3, 1: 7, 0: 3}
    assert Counter(item[3] for item in CELLS) == {-1: 8, 0: 5}


@pytest.mark.parametrize("dropped", ["no stagnation", "no explosion"])
def test_each_edge_of_the_band_is_needed(dropped: str) -> None:
    made = census()
    step = replace(made.steps[0], uses=tuple(n for n in made.steps[0].uses if n != dropped))
    premises = tuple(p for p in made.premises if p.name != dropped)
    assert Derivation(premises, (step,), made.worlds).check().state is State.REFUTED


def test_what_is_not_linear_is_not_decided() -> None:
    assert judged(NINE, lines=(x * y, y)).state in (State.UNDECIDED, State.REFUTED)
    assert judged(((1, 1),), lines=(x, Symbol("z", real=True))).state is State.UNDECIDED


def test_an_item_listed_twice_is_refuted() -> None:
    assert judged((*NINE, NINE[0])).state is State.REFUTED


def test_fractions_are_exact() -> None:
    lines = (x - Rational(1, 3), 3 * x - 1)
    assert judged(((-1, -1), (0, 0), (1, 1)), lines=lines).state is State.PROVED
