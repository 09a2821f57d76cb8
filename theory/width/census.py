"""The regions as they are served: where a scaling lies, what its limit looks like, and how many regions there are."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, linsolve, sign

from theory.definitions import width as w
from theory.predictors import Input, Predictor
from theory.width.band import LOWER, STEP, UPPER, exponents
from theory.width.regions import CELLS, FORMS, NAMES, Signs, dimension, identifier, statements


def _region(q_sigma: Any, q: Any) -> Mapping[str, Any]:
    point = exponents(q_sigma=q_sigma, q=q)
    at = {w.q_sigma: point["q_sigma"], w.q: point["q"]}
    a, b, c, d = (int(sign(form.xreplace(at))) for form in FORMS)
    signs: Signs = (a, b, c, d)
    step = STEP.xreplace(at)
    fate = "explodes" if step > UPPER else "stagnates" if step < LOWER else "inside"
    found: dict[str, Any] = {"stable": fate == "inside", "fate": fate, "signs": [Integer(s) for s in signs]}
    return found | (_described(signs) if signs in CELLS and fate == "inside" else dict.fromkeys(DESCRIPTION))


DESCRIPTION = ("id", "dimension", "holds", "name", "init", "gradient_first", "gradient_later", "kernel")


def _described(cell: Signs) -> dict[str, Any]:
    """What the limit of a region looks like (the table of width:R01-R13)."""
    logits, kernels, ratio, step = cell
    later = {-1: "half", 0: "logistic", 1: "hinge"}[kernels]
    if logits > 0 and ratio > 0:
        later = "hinge_or_initial_sign"
    return {
        "id": identifier(cell),
        "dimension": Integer(dimension(cell)),
        "holds": [Integer(number) for number in statements(cell)],
        "name": NAMES.get(cell),
        "init": "gaussian" if ratio == 0 else "zero",
        "gradient_first": {-1: "half", 0: "logistic_gaussian", 1: "hinge_gaussian"}[logits],
        "gradient_later": later,
        "kernel": "evolving" if step == 0 else "constant",
    }


def vertex(cell: Signs) -> list[Expr]:
    """The point [q_sigma, q] of a cell of dimension zero.

    Examples
    --------
    >>> vertex((-1, 0, 1, 0))
    [-1, 1]
    """
    lines = [form for form, s in zip(FORMS, cell, strict=True) if s == 0]
    (point,) = linsolve(lines, w.q_sigma, w.q)
    return list(point)


def dominant() -> tuple[Signs, ...]:
    """Cells whose statements no other cell has all of, with more."""
    sets = {cell: set(statements(cell)) for cell in CELLS}
    return tuple(cell for cell in CELLS if not any(sets[cell] < other for other in sets.values()))


def _census() -> Mapping[str, Any]:
    dimensions = Counter(dimension(cell) for cell in CELLS)
    kernels = Counter(_described(cell)["kernel"] for cell in CELLS)
    return {
        "by_dimension": {str(d): Integer(dimensions[d]) for d in sorted(dimensions)},
        "by_kernel": {name: Integer(kernels[name]) for name in ("constant", "evolving")},
        "vertices": [vertex(cell) for cell in CELLS if dimension(cell) == 0],
        "non_dominated": [NAMES[cell] for cell in dominant()],
    }


PREDICTORS = (
    Predictor(
        name="width.region",
        laws=("width.regions", "width.band"),
        inputs=(
            Input("q_sigma", "exponent of the standard deviation of the output weights"),
            Input("q", "exponent of both learning rates, in hat units"),
        ),
        evaluate=_region,
        summary=(
            "Where a symmetric scaling lies: inside the band or beyond which edge, its region, and the limit there."
        ),
    ),
    Predictor(
        name="width.census",
        laws=("width.regions",),
        inputs=(),
        evaluate=_census,
        summary=(
            "How many regions the band has, by dimension and by kernel, its vertices, and the limits that "
            "none dominates."
        ),
    ),
)
