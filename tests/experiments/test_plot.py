"""Pictures: one per kind of claim, drawn from planted observations, with the verdict in words."""

import io
import itertools
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache

import matplotlib
import matplotlib.pyplot as pyplot
import numpy as np
import pytest
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text
from observations import claims, law, margin, observation, x
from sympy import Integer, Symbol

from experiments.compare import compare
from experiments.comparison import Comparison, Verdict
from experiments.own_words import own_words
from experiments.pictures import parts, style
from experiments.pictures.scene import Scene, series
from experiments.pictures.sentence import verdict_sentence
from experiments.plot import DRAWINGS, picture, png, predictions, save
from theory.claims import CLAIMS, Band, Formula
from theory.law import Quantity

KINDS = [claim.kind for claim in CLAIMS]


@cache
def compared(kind: str) -> tuple[Comparison, Comparison]:
    """Comparison of the planted law and of its rival."""
    right, wrong = claims()[kind]
    data = observation(kind)
    both = (compare(claim, data, margin(kind), minimum_effect=0.2, against=right) for claim in (right, wrong))
    good, bad = both
    return good, bad


@cache
def drawn(kind: str) -> Figure:
    """Picture of the planted law with its rival as a control."""
    good, bad = compared(kind)
    return picture(law(*claims()[kind]), good, observation(kind), (("planted wrong", bad),))


def words(figure: Figure) -> str:
    """All text of a figure."""
    texts = [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]
    return " ".join(" ".join(texts).split())


def test_every_kind_has_a_drawing():
    assert set(DRAWINGS) == set(CLAIMS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_says_its_verdict_and_shows_its_control(kind):
    figure = drawn(kind)
    said = words(figure)
    assert f"A planted {kind}" in said
    assert "Agrees" in said
    assert "Margin from" in said
    assert "control: planted wrong" in said
    assert "distance from the prediction, in margins" in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_law_is_drawn_as_disagreeing(kind):
    _, bad = compared(kind)
    right, wrong = claims()[kind]
    assert bad.verdict is Verdict.DISAGREES
    assert "Disagrees" in words(picture(law(wrong, right), bad, observation(kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_has_ink_and_stays_legible_in_grey(kind):
    image = imread(io.BytesIO(png(drawn(kind))))[..., :3].mean(axis=2)
    height, width = image.shape
    assert min(height, width) >= 600
    assert 0.005 < (image < 0.5).mean() < 0.5, "text, axes and data are dark"
    assert (image > 0.98).mean() > 0.4, "the ground is white"


@pytest.mark.parametrize("kind", ["PowerLaw", "Formula", "Band"])
def test_texts_of_a_picture_stay_on_the_page(kind):
    figure = drawn(kind)
    png(figure)
    width, height = figure.canvas.get_width_height()
    for text in figure.texts:
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= width
        assert box.y0 >= 0
        assert box.y1 <= height


def test_a_long_label_stays_on_the_page():
    figure, left, _ = style.canvas("title", "sentence")
    left.set_ylim(0.1, 0.6)
    style.label(left, "number of steps", "the ratio of one mean to another over all recorded steps " * 6)
    FigureCanvasAgg(figure).draw()
    box = left.yaxis.label.get_window_extent()
    assert box.x0 >= 0 and box.y0 >= 0 and box.y1 <= figure.bbox.height
    assert left.get_ylabel().endswith("…")


@pytest.mark.parametrize(("low", "high"), [(1900, 34000), (0.02, 0.31), (3.0, 14.0), (2e-5, 4e-4), (1e-5, 3e4)])
def test_numbers_of_a_logarithmic_axis_do_not_overlap(low, high):
    figure, left, _ = style.canvas("title", "sentence")
    left.set_xlim(low, high)
    style.logarithmic(left, "x")
    FigureCanvasAgg(figure).draw()
    ticks = [*left.xaxis.get_major_ticks(), *left.xaxis.get_minor_ticks()]
    boxes = sorted(
        (tick.label1.get_window_extent().x0, tick.label1.get_window_extent().x1)
        for tick in ticks
        if tick.label1.get_text() and low <= tick.get_loc() <= high
    )
    assert len(boxes) >= 2
    assert all(right < after for (_, right), (after, _) in itertools.pairwise(boxes))


def test_drawing_leaves_matplotlib_as_it_was():
    backend, settings = matplotlib.get_backend(), dict(matplotlib.rcParams)
    png(drawn("PowerLaw"))
    assert matplotlib.get_backend() == backend
    assert dict(matplotlib.rcParams) == settings
    assert not pyplot.get_fignums()


def test_formats(tmp_path):
    figure = drawn("Limit")
    first = save(figure, tmp_path / "plots" / "a.svg")
    assert ElementTree.fromstring(first.read_text()).tag.endswith("svg")
    assert save(figure, tmp_path / "a.png").read_bytes()[1:4] == b"PNG"
    assert save(figure, tmp_path / "a.pdf").read_bytes()[:4] == b"%PDF"


def test_a_study_may_draw_the_data_itself():
    seen = []

    def own(axes: Axes, scene) -> None:
        seen.append((axes, scene.law.name))

    good, _ = compared("Formula")
    figure = picture(law(*claims()["Formula"]), good, observation("Formula"), drawing=own)
    assert [name for _, name in seen] == ["width.planted_formula"]
    assert seen[0][0] in figure.axes


def test_predictions_follow_the_claim():
    data = observation("Formula")
    right, wrong = claims()["Formula"]
    np.testing.assert_allclose(predictions(right, data)["value"], 2 / data["x"])
    np.testing.assert_allclose(predictions(wrong, data)["value"], 4 / data["x"])
    assert set(predictions(claims()["Band"][0], observation("Band"))) == {"lower", "upper"}
    assert predictions(claims()["Trend"][0], observation("Trend")) == {}
    assert predictions(claims()["Partition"][0], observation("Partition"))["signature"].shape == (2, 2)


def test_series_split_dimensions_into_labelled_curves():
    data = observation("PowerLaw")["measured"]
    first, second = series(data, "x")
    assert (first.label, second.label) == ("readout = trained", "readout = fixed")
    assert first.samples.shape == (12, 7)
    np.testing.assert_array_equal(first.samples, data.sel(readout="trained").values)
    assert np.all(first.reach(0.99) > 0)
    backwards = series(data.isel(x=slice(None, None, -1)), "x")[0]
    np.testing.assert_array_equal(backwards.x, first.x)
    np.testing.assert_array_equal(backwards.samples, first.samples)


def test_a_formula_without_a_control_is_drawn_too():
    claim = Formula(claims()["Formula"][0].quantity, Integer(2))
    data = xr.Dataset({"measured": (("seed",), np.linspace(1.96, 2.04, 12))}, coords={"x": 1.0})
    good = compare(claim, data, margin("Formula"))
    assert "Agrees" in words(picture(law(claim, claims()["Formula"][1]), good, data))


def test_a_prediction_of_each_seed_shows_the_ratio_and_not_the_spread_of_sizes():
    """Sizes that differ tenfold from seed to seed, each a hundredth from its prediction: a bar as short as the band."""
    claim = Formula(claims()["Formula"][0].quantity, 2 * x)
    size = ("seed", np.geomspace(1, 10, 12))
    near = 1 + 0.01 * (-1.0) ** np.arange(12)
    data = xr.Dataset({"measured": 2 * xr.DataArray(size[1] * near, dims="seed")}, coords={"x": size})
    good = compare(claim, data, margin("Formula"))
    axes = picture(law(claim, claims()["Formula"][1]), good, data).axes[0]
    (bar,) = axes.containers
    (middle,), ((low, high),) = bar[0].get_ydata(), [segment[:, 1] for segment in bar[2][0].get_segments()]
    assert middle == pytest.approx(2 * size[1].mean(), rel=0.01)
    assert 0 < high - low < 0.05 * middle
    spread = series(data["measured"], None)[0]
    assert spread.reach(0.99).sum() > middle


def test_a_learning_rate_over_its_edge_has_no_unit():
    """One edge keeps the control and its unit; edges that differ divide it by them."""
    planted = law(*claims()["Band"])
    named = replace(planted, quantities=tuple(replace(quantity, unit="1/step") for quantity in planted.quantities))
    said = []
    for edges in (xr.DataArray(2.0), xr.DataArray([2.0, 4.0], dims="gamma")):
        axes = style.canvas("title", "sentence")[1]
        DRAWINGS[Band](axes, Scene(named, compared("Band")[0], xr.Dataset(), {"upper": edges}))
        said.append(axes.get_xlabel())
    assert said[0].endswith("[1/step]")
    assert said[1].endswith("over the predicted edge") and "1/step" not in said[1]


def test_many_parts_are_cut_to_the_farthest():
    good, _ = compared("Formula")
    many = tuple(replace(good.parts[0], label=f"size={i}", high=1.05 + i / 1000) for i in range(40))
    shown = parts.chosen(replace(good, parts=many))
    assert len(shown) == parts.MOST_PARTS
    assert many[-1] in shown


def test_undecided_laws_say_what_they_need():
    good, _ = compared("Formula")
    wide = replace(good.parts[0], low=0.5, high=1.5, standard_error=0.15, verdict=Verdict.UNDECIDED)
    said = verdict_sentence(replace(good, parts=(wide,)))
    assert said.startswith("Undecided")
    assert f"needs {wide.seeds_needed} new seeds" in said
    assert "needs" not in verdict_sentence(good)


def test_logarithms_are_said_on_their_axis():
    """Trends are weighed in logarithms: the axis says so, and does not where the values are the quantity's own."""
    good, bad = compared("Trend")
    logs = observation("Trend")
    logs["measured"].attrs["scale"] = "log"
    said = picture(law(*claims()["Trend"]), good, logs, (("planted wrong", bad),)).axes[0].get_ylabel()
    plain = drawn("Trend").axes[0].get_ylabel()
    assert said.startswith("log of ") and not plain.startswith("log")


def test_what_was_computed_is_not_called_by_what_it_was_computed_from():
    """Arithmetic carries attributes along; the axis then says the law's words, and a stored variable its own."""
    stored = xr.Dataset({"width": ("x", [1.0, 2.0, 4.0], {"long_name": "width of a layer", "units": "m"})})
    named = law(*claims()["PowerLaw"])
    said = []
    for kept in (stored["width"][:2], stored["width"] / 8):
        data = own_words(xr.Dataset({"measured": kept.assign_attrs(stored["width"].attrs)}), stored)
        scene = Scene(replace(named, quantities=tuple(q for q in named.quantities if q.symbol == x)), None, data)
        said.append(scene.axis_name("measured"))
    assert said == ["width of a layer [m]", str(claims()["PowerLaw"][0].quantity)]
    words = replace(named, quantities=(*named.quantities, Quantity(Symbol("quantity"), "how large it is")))
    assert Scene(words, None, data).axis_name("measured") == "how large it is"


@pytest.mark.parametrize("size", [1.0, 1e-4])
def test_no_label_leaves_the_picture_and_no_tick_meets_the_next(size):
    """Long words beside long numbers: both once left the figure, or ran into each other."""
    figure, axes, _ = style.canvas("title", "sentence")
    axes.plot([0.02, 0.04], [size, 3.3 * size])
    style.scale(axes, "x", np.array([0.02, 0.04]))
    style.scale(axes, "y", np.array([size, 3.3 * size]))
    style.label(axes, "learning rate", "length of the last step at the learning rate of the second scheme " * 2)
    drawing = FigureCanvasAgg(figure)
    drawing.draw()
    assert axes.yaxis.label.get_window_extent().x0 >= 0
    ticks = [tick.get_window_extent() for tick in axes.get_xticklabels() if tick.get_text()]
    inside = [box for box in ticks if axes.bbox.x0 - 1 <= (box.x0 + box.x1) / 2 <= axes.bbox.x1 + 1]
    assert len(inside) > 2 and all(left.x1 < right.x0 for left, right in itertools.pairwise(inside))


def test_places_have_names_that_keep_apart():
    """Long names of places ran into each other; what all share is left to the legend."""
    names = [f"activation = {one}, labels = {two}" for one in ("erf", "scaled_relu") for two in ("real", "shuffled")]
    figure, axes, _ = style.canvas("title", "sentence")
    axes.plot(range(4), range(4))
    style.name_places(axes, names)
    FigureCanvasAgg(figure).draw()
    ticks = axes.get_xticklabels()
    said = ["erf\nreal", "erf\nshuffled", "scaled_relu\nreal", "scaled_relu\nshuffled"]
    assert [tick.get_text() for tick in ticks] == said
    boxes = [tick.get_window_extent() for tick in ticks]
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))
    style.name_places(axes, names * 3)
    assert not axes.get_xticklabels()
