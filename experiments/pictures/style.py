"""How pictures look: legible in print and in grey, markers and line styles before colour, no global state."""

from __future__ import annotations  # figures are listed without matplotlib, which takes a while to import

import re
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1a1a1a"
SOFT = "#6b6b6b"
BAND = "#d9d9d9"
PREDICTED = "#0b5394"
SIZE = 8.5

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", ":", "-.")
GREYS = ("#111111", "#555555", "#888888", "#333333", "#777777", "#222222", "#999999", "#444444")
MOST_SERIES = 8
KEY = re.compile(r"(\w+) ?= ?")
"""Name of a level in a label: ``width = 64`` in legends, ``width=64`` in parts."""


def canvas(title: str, sentence: str, rows: int = 0) -> tuple[Figure, Axes, Axes]:
    """Figure with two axes, the data left and the parts right; a title above, the verdict below.

    The figure is higher where the panel on the right has many rows.
    """
    from matplotlib.figure import Figure

    width, height = 9.2, max(4.6, 1.4 + 0.25 * rows)
    figure = Figure(figsize=(width, height), dpi=160, facecolor="white")
    below = textwrap.wrap(sentence, 140)
    above = textwrap.wrap(title, 96)
    top = 1.0 - (0.36 + 0.20 * len(above)) / height
    bottom = (0.76 + 0.17 * len(below)) / height
    left, right = figure.subplots(
        1, 2, gridspec_kw={"left": 0.125, "right": 0.985, "top": top, "bottom": bottom, "wspace": 0.58,
                           "width_ratios": (1.5, 1.0)},
    )  # fmt: skip
    figure.text(0.012, 1.0 - 0.10 / height, "\n".join(above), ha="left", va="top", fontsize=11, color=INK)
    figure.text(0.012, 0.09 / height, "\n".join(below), ha="left", va="bottom", fontsize=SIZE, color=INK)
    for axes in (left, right):
        tidy(axes)
    return figure, left, right


def tidy(axes: Axes) -> None:
    """Two spines, small ticks."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=SIZE, colors=INK, width=0.7)
    for side in ("left", "bottom"):
        axes.spines[side].set_linewidth(0.7)


def marks(index: int) -> dict[str, Any]:
    """Marker, line style and grey of the n-th curve; distinct without colour."""
    return {
        "marker": MARKERS[index % len(MARKERS)],
        "color": GREYS[index % len(GREYS)],
        "markerfacecolor": "white" if index % 2 else GREYS[index % len(GREYS)],
        "markersize": 4.6,
        "markeredgewidth": 0.9,
        "capsize": 2.2,
        "elinewidth": 0.9,
        "linestyle": "none",
    }


def predicted_line(index: int) -> dict[str, Any]:
    """Line of the n-th predicted curve."""
    return {"color": PREDICTED, "linestyle": LINES[index % len(LINES)], "linewidth": 1.4, "zorder": 1}


def scale(axes: Axes, which: str, values: NDArray[np.float64]) -> None:
    """Logarithmic axis for positive values that span more than a factor of 30."""
    from matplotlib.ticker import AutoMinorLocator, MaxNLocator

    finite = values[np.isfinite(values)]
    if finite.size and finite.min() > 0 and finite.max() >= 30 * finite.min():
        logarithmic(axes, which)
    else:
        axis = axes.xaxis if which == "x" else axes.yaxis
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        axis.set_minor_locator(AutoMinorLocator(2))


def logarithmic(axes: Axes, which: str) -> None:
    """Logarithmic axis: labels at powers of ten over many decades, at 1, 2, 5 times one over few."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    low, high = sorted(axes.get_xlim() if which == "x" else axes.get_ylim())
    if low > 0 and high > 100 * low:
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_locator(LogLocator(numticks=8))
    elif low > 0 and high > 4 * low:
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=8))
        axis.set_major_formatter(FuncFormatter(_short))


def _short(value: float, _: int | None = None) -> str:
    """A tick's number, as short as it can be written."""
    if 1e-3 <= value < 1e5:
        return f"{value:g}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return rf"${'' if mantissa == '1' else mantissa + chr(92) + 'cdot'}10^{{{int(exponent)}}}$"


def label(axes: Axes, x: str, y: str) -> None:
    """Axis labels, in lines short enough for the axes and few enough for the margin."""
    axes.set_xlabel("\n".join(textwrap.wrap(x, 62, max_lines=2, placeholder=" …")), fontsize=SIZE + 0.5, color=INK)
    lines, size = textwrap.wrap(y, 44), SIZE + 0.5
    if len(lines) > 3:
        lines, size = textwrap.wrap(y, 54, max_lines=3, placeholder=" …"), SIZE - 1
    axes.set_ylabel("\n".join(lines), fontsize=size, color=INK)


def legend(axes: Axes, curves: int = 0, columns: int = 1) -> None:
    """Legend without a frame, small enough for eight curves; two columns stand above the data.

    Names that all curves share (``width = 64``) are written once, as the legend's title.
    """
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    short, title = shortened(labels)
    small = SIZE - 1 if curves <= 5 else SIZE - 2
    axes.legend(
        handles, short, title=title, title_fontsize=small, fontsize=small, frameon=True, framealpha=0.85,
        edgecolor="none", loc="best" if columns == 1 else "upper center", ncols=columns, handlelength=2.4,
        labelspacing=0.3, columnspacing=1.0,
    )  # fmt: skip


def name_places(axes: Axes, labels: list[str]) -> None:
    """Name places 0, 1, ... along x: a word a line, without what all labels share; more than eight are left unnamed."""
    axes.set_xlim(-0.7, len(labels) - 0.3)
    if len(labels) > MOST_SERIES:
        axes.set_xticks([])
        return
    short, _ = shortened(labels)
    axes.set_xticks(range(len(labels)), [name.replace(", ", "\n") for name in short], fontsize=SIZE - 1.5)


def shortened(labels: list[str]) -> tuple[list[str], str | None]:
    """Labels without the names that they share, and these names.

    Examples
    --------
    >>> shortened(["predicted", "width = 8, beta = 1", "width = 8, beta = 2"])
    (['predicted', '8, 1', '8, 2'], 'width, beta')
    >>> shortened(["measured", "width = 8"])
    (['measured', 'width = 8'], None)
    """
    names = {tuple(found) for label in labels if (found := KEY.findall(label))}
    named = sum(bool(KEY.search(label)) for label in labels)
    if len(names) != 1 or named < 2:
        return labels, None
    return [KEY.sub("", label) for label in labels], ", ".join(names.pop())
