"""Exact polygons of linear regions in a plane, for maps that are drawn from derivations."""

from collections.abc import Iterable

from sympy import Expr, Rational, Symbol

Point = tuple[Rational, Rational]
Axes2 = tuple[Symbol, Symbol]


def box(low: tuple[int | str, int | str], high: tuple[int | str, int | str]) -> tuple[Point, ...]:
    """Corners of a rectangle, counter-clockwise.

    Examples
    --------
    >>> box((0, 0), (2, 1))
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    (left, bottom), (right, top) = ((Rational(x), Rational(y)) for x, y in (low, high))
    return (left, bottom), (right, bottom), (right, top), (left, top)


def clipped(polygon: Iterable[Point], form: Expr, axes: Axes2) -> tuple[Point, ...]:
    """The part of a convex polygon on which a linear form is at least zero, in exact fractions.

    Parameters
    ----------
    polygon
        Corners in order; two corners are a segment.
    form
        Linear in the two symbols of ``axes``, with rational coefficients.

    Examples
    --------
    >>> x, y = Symbol("x"), Symbol("y")
    >>> clipped(box((0, 0), (2, 1)), 1 - x - y, (x, y))
    ((0, 0), (1, 0), (0, 1))
    """
    corners = tuple(polygon)
    values = [Rational(form.xreplace(dict(zip(axes, corner, strict=True)))) for corner in corners]
    kept: list[Point] = []
    for i, (corner, value) in enumerate(zip(corners, values, strict=True)):
        after, next_value = corners[(i + 1) % len(corners)], values[(i + 1) % len(corners)]
        if value >= 0:
            kept.append(corner)
        if value * next_value < 0:
            share = value / (value - next_value)
            kept.append((corner[0] + share * (after[0] - corner[0]), corner[1] + share * (after[1] - corner[1])))
    return tuple(dict.fromkeys(kept))


def where(polygon: Iterable[Point], forms: Iterable[Expr], axes: Axes2) -> tuple[Point, ...]:
    """The part of a convex polygon on which every form is at least zero.

    Examples
    --------
    >>> x, y = Symbol("x"), Symbol("y")
    >>> where(box((0, 0), (2, 2)), (x - y, y - x), (x, y))
    ((0, 0), (2, 2))
    """
    found = tuple(polygon)
    for form in forms:
        found = clipped(found, form, axes)
    return found


def cell(polygon: Iterable[Point], forms: Iterable[Expr], signs: Iterable[int], axes: Axes2) -> tuple[Point, ...]:
    """Closure of the part on which the forms have given signs: a polygon, a segment or a point."""
    sides = [side for form, s in zip(forms, signs, strict=True) for side in ((s * form,) if s else (form, -form))]
    return where(polygon, sides, axes)
