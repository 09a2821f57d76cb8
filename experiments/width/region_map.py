"""The map of the band (the paper's Figure 1, left), and slices of the space of three exponents.

Every polygon, segment and point is computed in exact fractions from what the laws derive: the orders whose signs
tell the regions apart, and the edges of the bands. Marks are measured networks.
"""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr
from sympy import Expr, Max, Rational

from experiments.figures import Figure
from experiments.pictures.style import INK, SIZE, SOFT
from experiments.width import checks, run_checks
from experiments.width.cut import CUT, edges
from experiments.width.exact_map import Axes2, Point, box, cell, where
from experiments.width.points import REPRESENTATIVES
from experiments.width.run_points import PLACES
from numerics.intervals import interval
from theory.claims import Band
from theory.definitions import width as w
from theory.registry import laws
from theory.width import band, census, regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLANE: Axes2 = (w.q_sigma, w.q)
FRAME = box(("-9/5", "-6/5"), ("3/5", "9/5"))
FILLS: Mapping[regions.Signs, tuple[str, str]] = {
    (-1, -1, 1, -1): ("#efefef", "gradient -y/2 at every step"),
    (-1, 1, 1, -1): ("#bdbdbd", "gradient -y/2 first, then a hinge"),
    (1, 1, 1, -1): ("#d9d9d9", "a hinge from the first step on"),
}
"""Shade of each region of dimension two, and how its limit learns."""

MARKERS = {"NTK": "s", "MF": "o", "sym-default": "D"}
LABELS = {"NTK": (-12, -6, "right"), "MF": (-12, -6, "right"), "sym-default": (8, 9, "left")}
"""How the three limits that none dominates are marked, and where their names stand, in points."""

BESIDE = {
    "R01": (-15, -9), "R02": (25, 8), "R03": (-15, -9), "R04": (0, 7), "R05": (-15, -9), "R06": (-1, 7),
    "R07": (24, -4), "R08": (0, 7), "R09": (13, 5), "R10": (12, 5), "R11": (13, 5), "R12": (26, -11), "R13": (13, 5),
}  # fmt: skip
"""Where a region's name stands beside its representative, in points."""

LINES = (
    (regions.FORMS[0], ":", "1  logits finite at the start"),
    (regions.FORMS[1], "-.", "2  kernels finite at the start"),
    (regions.FORMS[2], "--", "3  kernels and logits of one order"),
    (regions.FORMS[3], "-", "4  kernels evolve"),
)
LEVEL = 0.99


def _filled(axes: Axes, polygon: tuple[Point, ...], **style: Any) -> None:
    if len(polygon) > 2:
        axes.fill(*np.array(polygon, dtype=float).T, **style)


def _drawn(axes: Axes, segment: tuple[Point, ...], **style: Any) -> None:
    if len(segment) > 1:
        axes.plot(*np.array(segment, dtype=float).T, **style)


def draw_plane(panels: np.ndarray, datasets: Mapping[str, xr.Dataset]) -> None:
    """The band with its regions, the four lines, and measured networks."""
    axes: Axes = panels[0, 0]
    for signs in regions.CELLS:
        if regions.dimension(signs) == 2:
            shade, words = FILLS[signs]
            _filled(axes, cell(FRAME, regions.FORMS, signs, PLANE), facecolor=shade, edgecolor="none", zorder=0,
                    label=words)  # fmt: skip
    inside = where(FRAME, (band.STEP - band.LOWER, band.UPPER - band.STEP), PLANE)
    for form, line, label in LINES:
        _drawn(axes, where(inside, (form, -form), PLANE), color=INK, linestyle=line, linewidth=2.2, label=label)
    for signs in regions.CELLS:
        if regions.dimension(signs) == 0:
            x, y = (float(value) for value in census.vertex(signs))
            name = regions.NAMES[signs]
            axes.plot(x, y, MARKERS[name], color=INK, markersize=12, markerfacecolor="white", markeredgewidth=1.8)
            right, up, side = LABELS[name]
            axes.annotate(
                name, (x, y), (right, up), textcoords="offset points", ha=side, va="center", fontsize=SIZE + 6
            )
    right, wrong = _landed(datasets["width.scaling"])
    for names, marker, label in ((right, "o", "orders of its own region"), (wrong, "X", "orders of another region")):
        if names:
            axes.plot(*np.array([REPRESENTATIVES[name] for name in names]).T, marker, color=INK, markersize=4.6,
                      linestyle="none", label=f"measured: {label}")  # fmt: skip
    for name, place in REPRESENTATIVES.items():
        axes.annotate(name, place, BESIDE[name], textcoords="offset points", ha="center", fontsize=SIZE + 1, color=INK)
    _cut(axes, datasets["width.cut"])
    for place, words, turned in (
        ((-1.10, 1.30), "weights grow with every step", -45), ((-1.22, 0.50), "the start outweighs all steps", -45)
    ):  # fmt: skip
        axes.text(*place, words, rotation=turned, rotation_mode="anchor", transform_rotates_text=True,
                  fontsize=SIZE + 3, color=SOFT, ha="center", va="center")  # fmt: skip
    (left, bottom), _, (end, top), _ = FRAME
    axes.set(xlim=(float(left), float(end)), ylim=(float(bottom), float(top)), aspect="equal")
    axes.set_xlabel(r"$q_\sigma$:  output weights of size $d^{\,q_\sigma}$", fontsize=SIZE + 5)
    axes.set_ylabel(r"$q$:  learning rates $\sim d^{\,q}$ in units of the weights", fontsize=SIZE + 5)
    axes.legend(loc="lower left", fontsize=SIZE, frameon=True, framealpha=0.9, edgecolor="none", handlelength=3.0)


def _landed(data: xr.Dataset) -> tuple[list[str], list[str]]:
    """Representatives whose measured signs are those of their own region in most seeds, and the others."""
    found = checks.signs(data.sel(checks.SYMMETRIC))["signature"].mean("seed")
    of = {regions.identifier(signs): np.array(signs) for signs in regions.CELLS}
    good = [str(name) for name in found["regime"].values
            if np.all(abs(found.sel(regime=name).values - of[str(name)]) < 0.5)]  # fmt: skip
    return good, [name for name in of if name not in good]


def _cut(axes: Axes, data: xr.Dataset) -> None:
    """Networks along q_sigma = -1/2, filled where increments keep the order of the logits, and the measured edges."""
    seen = edges(data)
    for name, share in zip(seen["point"].values, seen["inside"].mean("seed").values, strict=True):
        kept = share > 0.5
        label = f"measured: {'learns' if kept else 'does not learn'} at every width"
        known = axes.get_legend_handles_labels()[1]
        axes.plot(*CUT[str(name)], "P" if kept else "x", color=SOFT, markersize=7, linestyle="none",
                  label=None if label in known else label)  # fmt: skip
    for name in ("lower", "upper"):
        centre, reach = _interval(seen[name])
        label = "measured: edge of the band, 99 % interval" if name == "lower" else None
        axes.errorbar([-0.5], [centre + 0.5], yerr=[reach], color=INK, capsize=9, linewidth=1.6, zorder=5, label=label)


def _interval(edge: xr.DataArray) -> tuple[float, float]:
    """Mean over layers and seeds, and half of the interval over seeds."""
    found = interval(edge.mean("layer").values, level=LEVEL)
    return float(found.estimate), float(found.high - found.estimate)


def found_plane(datasets: Mapping[str, xr.Dataset]) -> str:
    """How many representatives landed, and the measured edges."""
    right, _ = _landed(datasets["width.scaling"])
    seen = edges(datasets["width.cut"])
    low, high = (f"{centre:.2f} ± {reach:.2f}" for centre, reach in (_interval(seen[n]) for n in ("lower", "upper")))
    return (
        f"networks at {len(right)} of {len(REPRESENTATIVES)} places show the orders of their own region; along "
        f"q_sigma = -1/2 learning at every width begins at q_sigma + q = {low} and ends at {high}. The regions "
        "are drawn from exact fractions; statement 4 is that of whole changes, since its printed form holds nowhere."
    )


STEPS: Axes2 = (w.q_a, w.q_w)
SLICES = (
    (r"$q_\sigma = -1/2$", STEPS, {w.q_sigma: Rational(-1, 2)}, box(("-3/2", "-3/2"), ("9/5", "8/5"))),
    (r"$q_w = 0$", (w.q_sigma, w.q_a), {w.q_w: Rational(0)}, box(("-9/5", "-6/5"), ("3/2", "19/10"))),
)
"""Planes of the space of (q_sigma, q_a, q_w): axes, what is held, and what is shown."""

NAMES = {
    w.q_sigma: r"$q_\sigma$:  output weights of size $d^{\,q_\sigma}$",
    w.q_a: r"$q_a$:  learning rate of the output weights $\sim d^{\,q_a}$",
    w.q_w: r"$q_w$:  of the input weights $\sim d^{\,q_w}$",
}
SEEN = {
    "learns": {"marker": "o", "markerfacecolor": INK},
    "does not learn": {"marker": "o", "markerfacecolor": "white"},
    "weights grow": {"marker": "x"},
}
"""How measured runs are marked."""


def _edges() -> tuple[Expr, tuple[Expr, Expr], tuple[Expr, Expr]]:
    """Forms from the laws: growth where the first is positive; learning where one of the second is not negative;
    both layers where one of the third vanishes.
    """
    growth, total, both = (laws()[f"width.{name}"].claim
                           for name in ("growing_weights", "total_learning", "both_channels"))  # fmt: skip
    assert isinstance(growth, Band) and isinstance(total, Band) and isinstance(both, Band)
    assert total.lower is not None and growth.upper is not None and isinstance(total.control, Max)
    one, other = total.control.args
    return growth.control - growth.upper, (one - total.lower, other - total.lower), (one - other, one + other)  # pyright: ignore


def draw_slices(panels: np.ndarray, datasets: Mapping[str, xr.Dataset]) -> None:
    """Where weights grow, where the network learns, and where both layers do, in two planes."""
    growth, learn, both = _edges()
    for axes, (title, plane, held, frame) in zip(panels[0], SLICES, strict=True):
        at = lambda form, held=held: form.xreplace(held)  # noqa: E731
        _filled(axes, where(frame, (at(growth),), plane), facecolor="white", edgecolor="#bbbbbb", hatch="....",
                linewidth=0, zorder=0, label="weights grow with every step")  # fmt: skip
        _filled(axes, where(frame, (-at(growth),), plane), facecolor="#d0d0d0", linewidth=0, zorder=0,
                label="the larger increment learns")  # fmt: skip
        _filled(axes, where(frame, (-at(growth), *(-at(form) for form in learn)), plane), facecolor="white", hatch="//",
                edgecolor="#999999", linewidth=0, zorder=1, label="the start outweighs all steps")  # fmt: skip
        learning = where(frame, (-at(growth),), plane)
        symmetric = where(learning, (at(both[0]), -at(both[0]), at(learn[0])), plane)
        _drawn(axes, symmetric, color=INK, linewidth=2.8, label="both layers learn")
        _drawn(axes, where(frame, (at(both[1]), -at(both[1])), plane), color=INK, linewidth=2.8)
        _marked(axes, plane, held, datasets["width.runs"])
        (left, bottom), _, (end, top), _ = frame
        axes.set(xlim=(float(left), float(end)), ylim=(float(bottom), float(top)), aspect="equal")
        axes.set_title(title, fontsize=SIZE + 2, pad=4)
        axes.set_xlabel(NAMES[plane[0]], fontsize=SIZE + 1)
        axes.set_ylabel(NAMES[plane[1]], fontsize=SIZE + 1)
    panels[0, 1].legend(
        *panels[0, 0].get_legend_handles_labels(),
        loc="upper right",
        fontsize=SIZE - 1,
        frameon=True,
        framealpha=0.95,
        edgecolor="none",
    )


ASIDE = {"NTK": (-30, -13), "default": (-49, -6)}
NAMED = {(-0.5, 0.0, 0.0): "NTK", (-1.0, 1.0, 1.0): "MF", (-0.5, 0.5, 0.5): "sym-default", (-0.5, 1.0, 0.0): "default"}


def _marked(axes: Axes, plane: Axes2, held: Mapping[object, Rational], data: xr.Dataset) -> None:
    """Measured runs in the plane, where growth or learning was looked at; and the scalings that have names."""
    fields = (w.q_sigma, w.q_a, w.q_w)
    learning = run_checks.learning(data)["inside"].mean("seed")
    settled = run_checks.settled(data)["inside"].mean("seed")
    for name, place in PLACES.items():
        at = dict(zip(fields, place[:3], strict=True))
        if place.signs or any(at[symbol] != float(value) for symbol, value in held.items()):  # type: ignore[index]
            continue
        if name in settled["point"].values and float(settled.sel(point=name)) < 0.5:
            found = "weights grow"
        elif name in learning["point"].values:
            found = "learns" if float(learning.sel(point=name)) > 0.5 else "does not learn"
        else:
            continue
        label = f"measured: {found}"
        known = axes.get_legend_handles_labels()[1]
        axes.plot(at[plane[0]], at[plane[1]], color=INK, markersize=6, markeredgewidth=1.4, linestyle="none",
                  label=None if label in known else label, **SEEN[found])  # fmt: skip # pyright: ignore
    for values, name in NAMED.items():
        at = dict(zip(fields, values, strict=True))
        if all(at[symbol] == float(value) for symbol, value in held.items()):  # type: ignore[index]
            beside = ASIDE.get(name, (7, 4))
            axes.annotate(name, (at[plane[0]], at[plane[1]]), beside, textcoords="offset points", fontsize=SIZE + 1)


def found_slices(datasets: Mapping[str, xr.Dataset]) -> str:
    """How many measured runs behave as the laws say."""
    data = datasets["width.runs"]
    growth, learn, _ = _edges()
    right = total = 0
    for observe, predicted in (
        (run_checks.settled, lambda at: growth.xreplace(at) <= 0),
        (run_checks.learning, lambda at: any(form.xreplace(at) >= 0 for form in learn)),
    ):
        shares = observe(data)["inside"].mean("seed")
        for name, share in zip(shares["point"].values, shares.values, strict=True):
            exact = (Rational(str(value)) for value in PLACES[str(name)][:3])
            right += (share > 0.5) == bool(predicted(dict(zip((w.q_sigma, w.q_a, w.q_w), exact, strict=True))))
            total += 1
    return (
        f"{right} of {total} measured behaviours (dots learn, open circles do not, crosses grow) are those of the "
        "exact sets; default scaling lies where only the sum of both layers' steps is bounded, and both layers learn."
    )


FIGURES = (
    Figure(
        name="width.figure_1",
        title="Thirteen limits in a band: scalings of the output weights and of the learning rates",
        place="Figure 1, left",
        claim="a band of scalings lets a network learn at every width; four lines cut it into 13 regions and limits.",
        studies=("width.scaling", "width.cut"),
        draw=draw_plane,
        found=found_plane,
        row_height=8.8,
    ),
    Figure(
        name="width.figure_three_exponents",
        title="Two learning-rate exponents: where weights grow, where the network learns, where both layers do",
        place="Section 2 and SM C, beyond the symmetric case",
        claim="for equal exponents the band; default scaling is treated apart.",
        studies=("width.runs",),
        draw=draw_slices,
        found=found_slices,
        panels=(1, 2),
        row_height=4.6,
    ),
)
