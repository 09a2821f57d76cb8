"""Running a study: what ends up in the store, whatever happens on the way."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import planted
import pytest
import xarray as xr

from experiments.lock import locked
from experiments.run import Cell, Measuring, run
from experiments.stored import assemble, store_path
from experiments.study import Study


def finish(study: Study, out: Path, **options: object) -> list[Measuring | Cell]:
    return list(run(study, "quick", out, **options))  # pyright: ignore[reportArgumentType]


def stored(study: Study, out: Path) -> xr.Dataset:
    return assemble(store_path(out, study.name))


def with_measure(measure: object) -> Study:
    return dataclasses.replace(planted.STUDY, measure=measure)  # pyright: ignore[reportArgumentType]


def test_events_and_data(tmp_path: Path) -> None:
    first, *cells = finish(planted.STUDY, tmp_path)
    assert isinstance(first, Measuring) and (first.done, first.total) == (0, 12)
    assert [cell.done for cell in cells] == list(range(1, 13))
    data = stored(planted.STUDY, tmp_path)
    assert (data["status"] == 2).all()
    assert data["time"].sel(system="other").mean() / data["time"].sel(system="own").mean() == pytest.approx(
        2, rel=0.01
    )
    assert not np.allclose(data["time"].isel(seed=0), data["time"].isel(seed=1))


def test_a_finished_store_is_not_measured_again(tmp_path: Path) -> None:
    finish(planted.STUDY, tmp_path)
    events = finish(planted.STUDY, tmp_path)
    assert len(events) == 1 and events[0].done == events[0].total


def test_stopped_between_cells_it_continues_with_the_same_numbers(tmp_path: Path) -> None:
    finish(planted.STUDY, tmp_path / "whole")
    running = run(planted.STUDY, "quick", tmp_path / "parts")
    for _ in range(6):
        next(running)
    running.close()
    assert (stored(planted.STUDY, tmp_path / "parts")["status"] == 0).any()
    again = finish(planted.STUDY, tmp_path / "parts")
    assert again[0].done == 5 and len(again) == 8
    one, two = (
        stored(planted.STUDY, tmp_path / name).drop_vars("wall_seconds") for name in ("whole", "parts")
    )
    assert one.identical(two.assign_attrs(one.attrs))


def test_ctrl_c_puts_the_cell_back_and_frees_the_store(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        finish(with_measure(planted.interrupted), tmp_path)
    status = stored(planted.STUDY, tmp_path)["status"]
    assert set(np.unique(status)) == {0, 2}
    assert not list(tmp_path.glob("*.lock*"))


def test_a_cell_that_raises_is_failed_with_its_message_and_tried_again(tmp_path: Path) -> None:
    study = with_measure(planted.raising)
    events = finish(study, tmp_path)
    failed = [event for event in events[1:] if event.status == "failed"]  # pyright: ignore[reportAttributeAccessIssue]
    assert len(failed) == 4 and "ArithmeticError: no such temperature" in failed[0].message
    data = stored(study, tmp_path)
    assert (data["status"].sel(beta=1.0) == 4).all() and (data["status"].sel(beta=2.0) == 2).all()
    assert data["time"].sel(beta=1.0).isnull().all() and data["time"].sel(beta=2.0).notnull().all()
    assert any("no such temperature" in message for message in data.attrs["failures"].values())
    assert finish(study, tmp_path)[0].done == 8


def test_divergence_is_data_and_is_not_confused_with_what_was_not_run(tmp_path: Path) -> None:
    study = with_measure(planted.diverging)
    finish(study, tmp_path)
    data = stored(study, tmp_path).sel(beta=2.0, system="own")
    assert data["status"].values.tolist() == [3, 2, 2, 2, 2, 2] * 2
    assert (
        np.isnan(data["trace"][0, 1]) and np.isinf(data["trace"][0, 0]) and np.isfinite(data["trace"][0, 2])
    )
    assert finish(study, tmp_path)[0].done == 12


def test_what_measure_returns_is_checked(tmp_path: Path) -> None:
    events = finish(with_measure(planted.misshapen), tmp_path)
    messages = {event.coordinates["beta"]: event.message for event in events[1:]}  # pyright: ignore
    assert messages[0.5] == ""
    assert "(seed, 3) in others" in messages[1.0]
    assert "the study declares" in messages[2.0]


def test_points_left_out_are_absent(tmp_path: Path) -> None:
    grid = dataclasses.replace(planted.GRID, keep=_only_own)
    study = dataclasses.replace(planted.STUDY, grids={"quick": grid})
    assert finish(study, tmp_path)[0].total == 6
    status = stored(study, tmp_path)["status"]
    assert (status.sel(system="other") == 5).all() and (status.sel(system="own") == 2).all()


def _only_own(point: dict) -> bool:
    return point["system"] == "own"


def test_adding_a_cell_or_seeds_moves_no_draw(tmp_path: Path) -> None:
    finish(planted.STUDY, tmp_path / "a")
    wider = dataclasses.replace(
        planted.GRID, axes={"beta": (0.25, 0.5, 1.0, 2.0), "system": ("other", "own")}, seeds=15, block=5
    )
    study = dataclasses.replace(planted.STUDY, grids={"quick": wider})
    finish(study, tmp_path / "b")
    before, after = stored(planted.STUDY, tmp_path / "a"), stored(study, tmp_path / "b")
    same = after["time"].sel(beta=before["beta"], system=before["system"], seed=before["seed"])
    assert np.array_equal(same.values, before["time"].values)


def test_a_law_that_is_added_moves_no_draw(tmp_path: Path) -> None:
    """Neither in a new store nor in one that stands, whose cells are not measured again."""
    finish(planted.STUDY, tmp_path / "a")
    before = stored(planted.STUDY, tmp_path / "a")
    added = dataclasses.replace(planted.CHECK, law="temperature.added")
    study = dataclasses.replace(planted.STUDY, checks=(added, *planted.STUDY.checks))
    finish(study, tmp_path / "b")
    for name in planted.VARIABLES:
        assert np.array_equal(stored(study, tmp_path / "b")[name].values, before[name].values)
    assert len(finish(study, tmp_path / "a")) == 1
    assert stored(study, tmp_path / "a").attrs["laws"] == ["temperature.added", "temperature.planted"]


@pytest.mark.parametrize(("precision", "dtype"), [("float64", np.float64), ("float32", np.float32)])
def test_precision_is_the_study_s_and_the_flag_is_restored(
    tmp_path: Path, precision: str, dtype: type
) -> None:
    study = dataclasses.replace(planted.STUDY, precision=precision)  # pyright: ignore[reportArgumentType]
    before = jax.config.jax_enable_x64
    finish(study, tmp_path)
    assert jax.config.jax_enable_x64 == before
    assert stored(study, tmp_path)["time"].dtype == dtype


def test_two_runs_at_once_are_refused_in_one_sentence(tmp_path: Path) -> None:
    first = run(planted.STUDY, "quick", tmp_path)
    next(first)
    with pytest.raises(ValueError, match="is held by another run") as caught:
        finish(planted.STUDY, tmp_path)
    assert "\n" not in str(caught.value)
    first.close()
    assert len(finish(planted.STUDY, tmp_path)) == 13


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    import socket

    lock = tmp_path / "s.zarr.lock"
    lock.write_text(json.dumps({"pid": dead.pid, "host": socket.gethostname()}))
    with locked(tmp_path / "s.zarr"):
        assert json.loads(lock.read_text())["pid"] != dead.pid
    assert not lock.exists()


@pytest.mark.parametrize("text", ['{"pid": 1, "host": "elsewhere"}', "", '{"pid": "x"}', '{"pid": Infinity}'])
def test_a_lock_that_may_be_alive_is_respected(tmp_path: Path, text: str) -> None:
    lock = tmp_path / "s.zarr.lock"
    lock.write_text(text)
    with pytest.raises(ValueError, match=r"remove .*lock if that run is dead"), locked(tmp_path / "s.zarr"):
        pass
    assert lock.read_text() == text


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match=r"cannot be written .*; pass another --out"):
        finish(planted.STUDY, tmp_path / "file" / "out")


def test_bad_seeds_and_profiles(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="seeds=0; at least 1"):
        finish(planted.STUDY, tmp_path, seeds=0)
    with pytest.raises(ValueError, match="no profile paper; it has quick, full"):
        list(run(planted.STUDY, "paper", tmp_path))
