"""A paper's figure, redrawn from stored grids, with the paper's claim beside what was found.

A module of ``experiments/TOPIC`` may hold ``FIGURES``, a tuple of Figure. ``assay verify`` draws those whose
studies it has measured, ``assay plot NAME`` draws one again, and ``assay report`` shows them after the laws of
their topic.
"""

from __future__ import annotations  # figures are listed without matplotlib, which takes a while to import

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.cells import ABSENT, RUNNING, TODO
from experiments.fingerprint import changed_since
from experiments.pictures.style import INK, SIZE, tidy
from experiments.registry import modules, studies
from experiments.stored import assemble, read_attributes, store_path
from theory.registry import TOPICS

if TYPE_CHECKING:
    import matplotlib.figure

WIDTH = 9.2
CHARACTERS = 140
"""Characters of a line of text under a figure."""

Datasets = Mapping[str, xr.Dataset]


@dataclass(frozen=True)
class Figure:
    """A figure of a paper.

    Parameters
    ----------
    name
        ``topic.figure_NUMBER``, unique and no law's name.
    title
        One line above the panels.
    place
        Paper and figure number.
    claim
        What the paper says that the figure shows, in one or two sentences of our own.
    studies
        Names of the studies from whose stores it is drawn.
    panels
        Numbers of rows and columns of panels.
    draw
        ``(axes, datasets)``: axes is an array of the panels' shape, datasets are the studies' by name.
    found
        One or two sentences on what the data show, with numbers computed from them.
    row_height
        Height of a row of panels in inches.
    """

    name: str
    title: str
    place: str
    claim: str
    studies: tuple[str, ...]
    draw: Callable[[np.ndarray, Datasets], None]
    found: Callable[[Datasets], str]
    panels: tuple[int, int] = (1, 1)
    row_height: float = 3.4

    @property
    def topic(self) -> str:
        """First part of the name."""
        return self.name.split(".", 1)[0]


@cache
def figures() -> dict[str, Figure]:
    """Every figure by name.

    Raises
    ------
    ValueError
        If a name is given twice, or a figure names a study that does not exist.
    """
    found: dict[str, Figure] = {}
    for topic in TOPICS:
        for module in modules(topic):
            for figure in getattr(module, "FIGURES", ()):
                if found.get(figure.name, figure) is not figure:  # another module may import it
                    raise ValueError(f"registry: figure {figure.name} is defined twice; rename one")
                unknown = [name for name in figure.studies if name not in studies()]
                if unknown:
                    raise ValueError(f"registry: figure {figure.name} names study {unknown[0]}; there is none")
                found[figure.name] = figure
    return found


def stored(figure: Figure, out: Path) -> Datasets:
    """The Datasets that a figure is drawn from.

    Raises
    ------
    ValueError
        If a study has no store in ``out``, or one that is not measured to its end.
    """
    missing = [name for name in figure.studies if not store_path(out, name).exists()]
    if missing:
        raise ValueError(f"plot: {figure.name} needs the study {missing[0]}, which {out} lacks; {_how(missing[0])}")
    found = {name: assemble(store_path(out, name)) for name in figure.studies}
    for name, dataset in found.items():
        states = dataset["status"].values
        open_cells, all_cells = int(np.isin(states, (TODO, RUNNING)).sum()), int((states != ABSENT).sum())
        if open_cells or not dataset.attrs["ready"]:  # where every cell failed there is nothing to draw
            what = f"{open_cells} of {all_cells} seeds' cells were not run" if open_cells else "all its cells failed"
            raise ValueError(
                f"plot: {figure.name} needs the study {name} as a whole, of which {what} in {out}; "
                f"{_how(name, dataset.attrs['profile'])}"
            )
    return found


def earlier(figure: Figure, out: Path) -> str:
    """One sentence where a store that a figure is drawn from is of another version; empty elsewhere."""
    for name in figure.studies:
        study, attributes = studies()[name], read_attributes(store_path(out, name))
        if attributes is not None and (changed := changed_since(study, attributes)):
            return (
                f"plot: {figure.name} is drawn from {store_path(out, name)}, which was made with another "
                f"{' and '.join(changed)}; {_how(name, attributes['profile'])} --fresh to draw what is measured now"
            )
    return ""


def drawn(figure: Figure, datasets: Datasets) -> matplotlib.figure.Figure:
    """The figure with its title above, and below it what the paper claims and what was found."""
    import matplotlib.figure
    from matplotlib.axes import Axes
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows, columns = figure.panels
    title = textwrap.wrap(figure.title.rstrip("."), 96)
    below = [*textwrap.wrap(f"Paper ({figure.place}): {figure.claim}", CHARACTERS),
             *textwrap.wrap(f"Found: {figure.found(datasets)}", CHARACTERS)]  # fmt: skip
    height = rows * figure.row_height + 0.85 + 0.20 * len(title) + 0.16 * len(below)
    canvas = matplotlib.figure.Figure(figsize=(WIDTH, height), dpi=160, facecolor="white")
    top = 1.0 - (0.24 + 0.20 * len(title)) / height
    bottom = (0.24 + 0.16 * len(below)) / height
    inside = ConstrainedLayoutEngine(rect=(0.0, bottom, 1.0, top - bottom), w_pad=0.08, h_pad=0.08, wspace=0.02)
    canvas.set_layout_engine(inside)
    axes = canvas.subplots(
        rows, columns, squeeze=False,
        gridspec_kw={"left": 0.08, "right": 0.985, "top": top - 0.02, "bottom": bottom + 0.5 / height},
    )  # fmt: skip
    canvas.text(0.012, 1.0 - 0.10 / height, "\n".join(title), ha="left", va="top", fontsize=11, color=INK)
    canvas.text(0.012, 0.09 / height, "\n".join(below), ha="left", va="bottom", fontsize=SIZE - 0.5, color=INK)
    for panel in axes.flat:
        if isinstance(panel, Axes):
            tidy(panel)
    figure.draw(axes, datasets)
    return canvas


def _how(study: str, profile: str = "quick") -> str:
    laws = [check.law for check in studies()[study].checks]
    chosen = f" --profile {profile}" if profile != "quick" else ""
    return f"run assay verify{f' {laws[0]}' if laws else ''}{chosen}"
