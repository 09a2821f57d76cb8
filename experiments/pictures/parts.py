"""The right-hand panel of every picture: compared numbers and controls, in margins from the prediction.

An interval wholly inside the band agrees, wholly outside disagrees, across an edge is undecided; so the
verdict can be read off the picture, whatever the kind of claim.
"""

import textwrap

import numpy as np
from matplotlib.axes import Axes

from experiments.comparison import Comparison, Part, Verdict
from experiments.pictures.style import BAND, INK, PREDICTED, SIZE, SOFT, shortened

MOST_PARTS = 16
WRAP = 26
ROOMY = 12
REACH = 3.0
"""Distances beyond this many margins are drawn as arrows at the panel's edge."""

_MARKS = {Verdict.AGREES: ("o", INK), Verdict.UNDECIDED: ("D", "white"), Verdict.DISAGREES: ("X", INK)}


def draw(axes: Axes, comparison: Comparison, controls: tuple[tuple[str, Comparison], ...]) -> None:
    """Draw the parts (the farthest of them where there are many) above the controls."""
    parts = chosen(comparison)
    names, shared = shortened([part.label or "estimate" for part in parts])
    heading = shared or ""
    rows: list[tuple[str, Part, bool]] = [(name, part, False) for name, part in zip(names, parts, strict=True)]
    rows += [(f"control: {name}", control.worst, True) for name, control in controls]
    axes.axvline(0.0, color=PREDICTED, linewidth=1.2, zorder=1)
    for row, (_, part, is_control) in enumerate(rows):
        _allowed(axes, -row, part)
        _one(axes, -row, part, is_control)
    if controls:
        axes.axhline(-len(parts) + 0.5, color=SOFT, linewidth=0.7, linestyle=":")
    crowded = len(rows) > ROOMY or any(len(name) > 2 * WRAP for name, _, _ in rows)
    wide = WRAP + 11 if crowded else WRAP
    labels = ["\n".join(textwrap.wrap(name, wide, max_lines=2, placeholder=" …")) for name, _, _ in rows]
    axes.set_yticks([-row for row in range(len(rows))], labels, fontsize=SIZE - (2.0 if crowded else 0.5))
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xlim(-REACH - 0.3, REACH + 0.3)
    axes.set_xticks(range(-int(REACH), int(REACH) + 1))
    axes.set_xlabel("distance from the prediction, in margins", fontsize=SIZE + 0.5, color=INK)
    if len(parts) < len(comparison.parts):
        heading = f"{heading}; the farthest {len(parts)} of {len(comparison.parts)}".lstrip("; ")
    axes.set_title(f"{heading}; grey: agrees".lstrip("; "), fontsize=SIZE - 1, loc="right", color=SOFT, pad=4)


def chosen(comparison: Comparison) -> list[Part]:
    """Those parts that are drawn, in their own order."""
    farthest = sorted(comparison.parts, key=_distance, reverse=True)[:MOST_PARTS]
    return [part for part in comparison.parts if any(part is one for one in farthest)]


def _scaled(part: Part, value: float) -> float:
    margin = part.margin if part.margin > 0 else 1.0
    return (value - part.predicted) / margin


def _distance(part: Part) -> float:
    ends = [abs(_scaled(part, end)) for end in (part.low, part.high)]
    return max((end for end in ends if np.isfinite(end)), default=float("inf"))


def _allowed(axes: Axes, row: int, part: Part) -> None:
    """Grey where an interval agrees: one margin to both sides, or without end to one side."""
    edge = REACH + 0.3
    low, high = (-edge if part.side == "below" else -1.0), (edge if part.side == "above" else 1.0)
    axes.fill_between([low, high], row - 0.5, row + 0.5, color=BAND, linewidth=0, zorder=0)


def _one(axes: Axes, row: int, part: Part, is_control: bool) -> None:
    low, middle, high = (_scaled(part, value) for value in (part.low, part.estimate, part.high))
    marker, face = _MARKS[part.verdict]
    ink = SOFT if is_control else INK
    if np.isnan(middle):
        axes.text(0.0, row, part.note or "no number", ha="center", va="center", fontsize=SIZE - 1.5, color=ink)
        return
    if abs(middle) > REACH:
        side = -1.0 if middle < 0 else 1.0
        arrow = ">" if side > 0 else "<"
        axes.plot(side * (REACH + 0.12), row, marker=arrow, color=ink, markersize=6, clip_on=False, linestyle="none")
        text = f"{_signed(middle)} margins"
        axes.annotate(text, (side * (REACH - 0.1), row), ha="right" if side > 0 else "left", va="center",
                      fontsize=SIZE - 1.5, color=ink)  # fmt: skip
        return
    ends = np.clip([low, high], -REACH - 0.3, REACH + 0.3)
    axes.plot(ends, [row, row], color=ink, linewidth=1.1, solid_capstyle="butt")
    for end in ends:
        axes.plot([end, end], [row - 0.12, row + 0.12], color=ink, linewidth=1.1)
    face = "white" if face == "white" or is_control else ink
    axes.plot(middle, row, marker=marker, color=ink, markerfacecolor=face, markersize=5.5, linestyle="none")


def _signed(value: float) -> str:
    return f"{value:+.3g}" if np.isfinite(value) else "beyond all"
