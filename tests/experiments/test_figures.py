"""Figures of the papers: found in the folders, drawn from stores, with the claim beside what was found."""

import dataclasses
import itertools
from pathlib import Path
from unittest.mock import ANY

import numpy as np
import planted
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.transforms import Bbox

from experiments import figures, telling
from experiments.cli import main
from experiments.figures import Figure, drawn, stored
from experiments.registry import studies
from experiments.run import run
from experiments.stored import store_path

NAME = planted.STUDY.name


def draw(axes: np.ndarray, datasets: figures.Datasets) -> None:
    data = datasets[NAME]["time"].sel(system="own").mean("seed")
    axes[0, 0].plot(data["beta"], data)


def found(datasets: figures.Datasets) -> str:
    mean = float(datasets[NAME]["time"].sel(system="own", beta=1.0).mean())
    return f"at beta = 1 it takes {mean:.1f} s."


FIGURE = Figure(
    "temperature.figure_0", "Times", "planted, figure 0", "times fall with beta", (NAME,), draw, found, (1, 2)
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("stores")
    list(run(planted.STUDY, "quick", place))
    return place


def test_a_figure_tells_the_claim_and_what_was_found(out: Path) -> None:
    figure = drawn(FIGURE, stored(FIGURE, out))
    said = " ".join(text.get_text().replace("\n", " ") for text in figure.texts)
    assert "Paper (planted, figure 0): times fall with beta" in said
    assert "Found: at beta = 1 it takes 3.0 s." in said
    assert len(figure.axes) == 2 and len(figure.axes[0].lines) == 1 and not figure.axes[1].lines


def test_panels_keep_clear_of_each_other_and_of_the_words(out: Path) -> None:
    """Long names of rows, slanted ticks and a bar of colours all find room, whatever a figure puts into its panels."""

    def crowded(axes: np.ndarray, _: figures.Datasets) -> None:
        for panel in axes.flat:
            panel.scatter([0.0, 1.0, 2.0], [1e-3, 1.0, 1e3], c=[0.0, 1.0, 2.0])
            panel.set_yscale("log")
            panel.set_ylabel("a label of two lines that\nis longer than it should be")
            panel.set_xticks([0.0, 1.0, 2.0], ["0.05, 128", "0.1, 128", "0.2, 128"], rotation=60)
            panel.set_xlabel("rate, size")
        axes[0, 0].set_yticks([1e-3, 1.0], ["late sharpness over its threshold", "the threshold is reached"])
        axes[0, 0].get_figure().colorbar(axes[1, 0].collections[0], ax=axes[1, 0])

    canvas = drawn(dataclasses.replace(FIGURE, draw=crowded, panels=(2, 3)), stored(FIGURE, out))
    FigureCanvasAgg(canvas).draw()
    boxes = [axes.get_tightbbox() for axes in canvas.axes]
    words = [text.get_window_extent() for text in canvas.texts]
    assert all(box is not None and canvas.bbox.padded(1).containsx(box.x0) for box in boxes)
    assert all(canvas.bbox.padded(1).containsx(box.x1) for box in boxes if box is not None)
    pairs = [*itertools.combinations(boxes, 2), *itertools.product(boxes, words)]
    assert not [pair for pair in pairs if Bbox.intersection(*pair) is not None]


def test_a_figure_without_its_store_says_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "studies", lambda: {NAME: planted.STUDY})
    with pytest.raises(ValueError, match=f"needs the study {NAME}.*run assay verify"):
        stored(FIGURE, tmp_path)


def test_a_figure_needs_all_cells_of_its_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "studies", lambda: {NAME: planted.STUDY})
    events = run(planted.STUDY, "full", tmp_path)
    for measured in (0, 6):  # seeds of no cell, and of one
        next(events)
        told = f"{NAME} as a whole, of which {120 - measured} of 120 seeds' cells were not run in .*--profile full"
        with pytest.raises(ValueError, match=told):
            stored(FIGURE, tmp_path)
    events.close()


def test_a_figure_of_a_study_that_failed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(**_: object) -> dict:
        raise ArithmeticError

    monkeypatch.setattr(figures, "studies", lambda: {NAME: planted.STUDY})
    list(run(dataclasses.replace(planted.STUDY, measure=failing), "quick", tmp_path))
    with pytest.raises(ValueError, match="all its cells failed"):
        stored(FIGURE, tmp_path)


def test_a_figure_drawn_from_a_store_of_another_version_says_so(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    name, known = FIGURE.name, {NAME: planted.STUDY}
    for module in (figures, telling):
        monkeypatch.setattr(module, "figures", lambda: {name: FIGURE})
    monkeypatch.setattr(figures, "studies", lambda: known)
    picture = out / "plots" / f"{name}.png"
    assert main(["plot", name, "--out", str(out)]) == 0
    assert capsys.readouterr() == (f"{picture}\n", "")
    known[NAME] = dataclasses.replace(planted.STUDY, measure=np.zeros, grids={})
    assert main(["plot", name, "--out", str(out)]) == 0
    printed, told = capsys.readouterr()
    assert printed == f"{picture}\n" and len(told.splitlines()) == 1
    assert "made with another study source; run assay verify temperature.planted --fresh" in told
    assert telling._told_figure(name, out)[1:] == (ANY, told.rstrip())
    lacking = dataclasses.replace(FIGURE, draw=lambda axes, datasets: datasets[NAME]["another"])
    monkeypatch.setattr(figures, "figures", lambda: {name: lacking})
    assert main(["plot", name, "--out", str(out)]) == 2
    assert "made with another study source" in capsys.readouterr().err


def test_every_registered_figure_names_studies_and_reads_well() -> None:
    for name, figure in figures.figures().items():
        assert name.split(".")[1].startswith("figure_") or name.split(".")[1].startswith("map")
        assert figure.studies and all(study in studies() for study in figure.studies)
        for text in (figure.title, figure.place, figure.claim):
            assert len(text.strip()) >= 5


def test_the_store_has_what_the_figure_reads(out: Path) -> None:
    with xr.open_zarr(store_path(out, NAME), consolidated=False) as data:
        assert "time" in data
