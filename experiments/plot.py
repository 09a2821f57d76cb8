"""Pictures of laws: the data with intervals, the predicted line, the margin as a band, the verdict in words.

The kind of claim chooses the picture; a study may give its own drawing of the data in ``Study.plot``, a
function of axes and a scene. Figures are built without pyplot, so no global state of matplotlib is touched.
"""

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from experiments.bridge import predict
from experiments.comparison import Comparison
from experiments.files import write_bytes
from experiments.pictures import (
    band,
    bound,
    boundary,
    formula,
    identity,
    limit,
    partition,
    parts,
    power_law,
    trend,
)
from experiments.pictures.scene import Scene
from experiments.pictures.sentence import verdict_sentence
from experiments.pictures.style import canvas
from experiments.registry import study_of
from experiments.result import Result
from theory.claims import (
    Band,
    Bound,
    Boundary,
    Claim,
    Formula,
    Identity,
    Limit,
    Partition,
    PowerLaw,
    Trend,
)
from theory.law import Law
from theory.registry import laws

SCREEN, COLOURS = 110, 32
"""Dots per inch and colours of a picture on a screen: 9.2 inches fill a report's page."""

DRAWINGS: Mapping[type, Callable[[Axes, Scene], None]] = {
    Identity: identity.draw,
    Bound: bound.draw,
    Formula: formula.draw,
    PowerLaw: power_law.draw,
    Band: band.draw,
    Boundary: boundary.draw,
    Trend: trend.draw,
    Partition: partition.draw,
    Limit: limit.draw,
}


def picture(
    law: Law,
    comparison: Comparison,
    observed: xr.Dataset,
    controls: tuple[tuple[str, Comparison], ...] = (),
    drawing: Callable[[Axes, Scene], None] | None = None,
) -> Figure:
    """Picture of one law.

    Parameters
    ----------
    comparison, observed
        What was compared, and the data that it was compared on.
    controls
        Names and comparisons of the planted wrong versions and counter-systems.
    drawing
        Draws the data instead of the drawing of the claim's kind.
    """
    scene = Scene(law, comparison, observed, predictions(law.claim, observed), controls)
    rows = len(parts.chosen(comparison)) + len(controls)
    figure, left, right = canvas(law.title.rstrip("."), verdict_sentence(comparison), rows)
    (drawing or DRAWINGS[type(law.claim)])(left, scene)
    parts.draw(right, comparison, controls)
    return figure


def picture_of(result: Result, observed: xr.Dataset) -> Figure:
    """Picture of a judged law and what it was judged on.

    Raises
    ------
    ValueError
        If the law was not compared.
    """
    if result.comparison is None:
        raise ValueError(
            f"plot: {result.law} was not measured ({result.note}); run assay verify {result.law}"
        )
    controls = tuple((one.name, one.comparison) for one in result.controls if one.comparison is not None)
    study = study_of(result.law)
    return picture(laws()[result.law], result.comparison, observed, controls, study.plot)


FIELDS: Mapping[type, tuple[str, ...]] = {
    Identity: ("left", "right"),
    Bound: ("smaller", "larger"),
    Formula: ("value",),
    PowerLaw: ("exponent",),
    Band: ("lower", "upper"),
    Boundary: ("curve",),
    Trend: (),
    Limit: ("rate", "value"),
}


def predictions(claim: Claim, observed: xr.Dataset) -> dict[str, xr.DataArray]:
    """The claim's expressions evaluated at the observation's inputs, by the name of the claim's field.

    A side of an identity or a bound, or the value of a limit, is evaluated only where it was not measured.
    """
    if isinstance(claim, Partition):
        return _signatures(claim, observed)
    edges = isinstance(claim, Band)
    inputs = observed.drop_vars([name for name in ("lower", "upper") if edges and name in observed.variables])
    found = {}
    for name in FIELDS[type(claim)]:
        expression = getattr(claim, name)
        if expression is not None and (edges or not _measured(name, observed)):
            found[name] = predict(expression, inputs)
    return found


def _measured(name: str, observed: xr.Dataset) -> bool:
    return name in observed.variables or (name == "value" and "error" in observed.variables)


def png(figure: Figure) -> bytes:
    """The figure as a PNG image."""
    buffer = io.BytesIO()
    FigureCanvasAgg(figure).print_png(buffer)
    return buffer.getvalue()


def screen_png(figure: Figure) -> bytes:
    """The figure as a PNG image for a screen, about a sixth of :func:`png`: the page's width in pixels, few colours.

    Lines, letters and the one colour of predictions keep theirs; only their soft edges have fewer steps.
    """
    figure.set_dpi(SCREEN)
    drawn = FigureCanvasAgg(figure)
    drawn.draw()
    whole = Image.fromarray(np.asarray(drawn.buffer_rgba())).convert("RGB")
    few = whole.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    few.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def save(figure: Figure, path: Path) -> Path:
    """Write a figure whole or not at all; the suffix (.png, .svg, .pdf) says the format."""
    content = io.BytesIO()
    form = path.suffix.removeprefix(".")
    figure.savefig(content, format=form, metadata={"Date": None} if form == "svg" else None)
    write_bytes(path, content.getvalue())
    return path


def _signatures(claim: Partition, observed: xr.Dataset) -> dict[str, xr.DataArray]:
    known = {regime.name: regime for regime in claim.regimes}
    names = [str(name) for name in observed["regime"].values]
    if not all(name in known and known[name].signature for name in names):
        return {}
    held = [name for name in ("signature", "regime", "feature") if name in observed.variables]
    inputs = observed.drop_vars(held)
    rows = [
        [float(predict(expr, inputs.isel(regime=row))) for expr in known[name].signature]
        for row, name in enumerate(names)
    ]
    return {"signature": xr.DataArray(rows, dims=("regime", "feature"))}
