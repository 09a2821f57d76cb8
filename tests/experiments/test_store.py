"""The store: its layout, its fingerprint, its sets of seeds, and death at every write."""

import dataclasses
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import planted
import pytest
import xarray as xr

from experiments import store
from experiments.cells import DONE
from experiments.fingerprint import Fingerprint, data_hash, fingerprint
from experiments.run import run
from experiments.sources import modules_used, source_hash
from experiments.store import open_store
from experiments.stored import assemble, read_attributes, store_path
from experiments.study import Study

HERE = Path(__file__).parent


def finish(study: Study, out: Path, **options: object) -> xr.Dataset:
    list(run(study, "quick", out, **options))  # pyright: ignore[reportArgumentType]
    return assemble(store_path(out, study.name))


def test_it_opens_with_xarray_silently_and_says_what_it_is(tmp_path: Path) -> None:
    finish(planted.STUDY, tmp_path)
    with xr.open_zarr(tmp_path / "temperature.planted.zarr") as data:  # warnings are errors
        assert data["trace"].dims == ("beta", "system", "seed", "step")
        assert data["trace"].attrs == {"units": "1", "long_name": "something recorded on the way"}
        assert all({"units", "long_name"} <= set(held.attrs) for held in data.variables.values())
        assert data["hits"].dtype.kind == "i" and data["stable"].dtype == bool
        assert data["system"].values.tolist() == ["own", "other"]
        assert data["step"].values.tolist() == [0, 1, 2, 4] and data["eigen"].values.tolist() == [0, 1, 2]
        for name in ("laws", "grid", "fingerprint", "versions", "device", "dtype", "total_seconds"):
            assert name in data.attrs
        assert data.attrs["laws"] == ["temperature.planted"]
        assert np.nansum(data["wall_seconds"]) == pytest.approx(data.attrs["total_seconds"], abs=1e-3)


def test_a_store_tells_the_name_of_its_data_and_counts_their_contents_only(tmp_path: Path) -> None:
    named = [Fingerprint({"data": "0"}, data_name=name) for name in ("digits", "copy")]
    assert named[0].digest == named[1].digest and named[0].changes(named[1].components) == ()
    for mark in named:  # the second continues what the first began
        open_store(tmp_path, planted.STUDY, "quick", mark)
        assert assemble(store_path(tmp_path, planted.STUDY.name)).attrs["data"] == mark.data_name


def test_a_study_declared_anew_starts_behind_the_seeds_that_were_looked_at(tmp_path: Path) -> None:
    """The same study from another first seed draws other numbers; seeds that both have draw the same."""
    count = planted.GRID.seeds
    later = dataclasses.replace(planted.GRID, first_seed=count - 1)
    moved = dataclasses.replace(planted.STUDY, grids={"quick": later})
    old, new = finish(planted.STUDY, tmp_path / "old"), finish(moved, tmp_path / "new")
    assert new["seed"].values.tolist() == list(range(count - 1, 2 * count - 1))
    kept, gone = (xr.Dataset({"trace": old["trace"].isel(seed=at)}) for at in (-1, 0))
    first = new["trace"].isel(seed=0, drop=True)
    assert first.equals(kept["trace"].drop_vars("seed")) and not first.equals(gone["trace"].drop_vars("seed"))


def altered(study: Study) -> dict[str, tuple[Study, object]]:
    """A study that differs in one component each."""
    grid = planted.GRID
    return {
        "study source": (dataclasses.replace(study, measure=np.zeros), None),
        "grid": (
            dataclasses.replace(study, grids={"quick": dataclasses.replace(grid, settings={"factor": 2.0})}),
            None,
        ),
        "dtype": (dataclasses.replace(study, precision="float32"), None),
        "data": (study, np.ones(3)),
    }


@pytest.mark.parametrize("component", ["study source", "grid", "dtype", "data"])
def test_another_version_is_refused_by_name_and_nothing_is_lost(tmp_path: Path, component: str) -> None:
    before = finish(planted.STUDY, tmp_path)
    study, data = altered(planted.STUDY)[component]
    with pytest.raises(ValueError, match=f"made with another .*{component}.*; pass --fresh") as caught:
        finish(study, tmp_path, data=data)
    assert "\n" not in str(caught.value)
    assert assemble(store_path(tmp_path, planted.STUDY.name)).identical(before)
    if component != "study source":
        finish(study, tmp_path, data=data, fresh=True)
        changed = read_attributes(store_path(tmp_path, planted.STUDY.name))
        assert changed is not None and changed["fingerprint"] != before.attrs["fingerprint"]


def test_a_changed_law_is_refused_and_a_new_one_is_not() -> None:
    stored = {"grid": "1", "law a": "2", "law c": "9"}
    assert Fingerprint({"grid": "1", "law a": "2", "law b": "3"}).changes(stored) == ()
    assert Fingerprint({"grid": "1", "law a": "4"}).changes(stored) == ("law a",)
    assert Fingerprint({"law a": "2"}).changes(stored) == ("grid",)


def test_the_data_hash_sees_contents() -> None:
    x = np.arange(6.0)
    assert data_hash([x, "a"]) == data_hash([x.copy(), "a"])
    others = [
        data_hash(other)
        for other in ([x + 1, "a"], [x.reshape(2, 3), "a"], [x.astype(np.float32), "a"], [x, "b"])
    ]
    assert len({data_hash([x, "a"]), *others}) == 5


def test_sources_are_those_that_are_used_and_no_others() -> None:
    mark = fingerprint(planted.STUDY, planted.GRID, None).components
    assert set(mark) == {
        "study source", "numerics", "grid", "data", "dtype", "random numbers", "law temperature.planted",
    }  # fmt: skip
    used = modules_used("numerics.slopes", ("numerics.",))
    assert {"numerics.slopes", "numerics.intervals", "numerics.samples"} <= set(used)
    assert "numerics.trends" not in used
    assert source_hash("numerics.slopes", ()) != source_hash("numerics.slopes", ("numerics.",))


def test_something_else_in_its_place_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "temperature.planted.zarr"
    place.mkdir()
    (place / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="is not a store of Assay"):
        finish(planted.STUDY, tmp_path)
    assert (place / "thesis.txt").read_text() == "mine"


def test_of_a_link_to_a_store_the_link_alone_is_replaced(tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "temperature.planted.zarr", tmp_path / "elsewhere"
    finish(planted.STUDY, tmp_path)
    place.rename(elsewhere)
    place.symlink_to(elsewhere)
    open_store(tmp_path, planted.STUDY, "quick", Fingerprint({}), fresh=True)
    assert place.is_dir() and not place.is_symlink() and (assemble(elsewhere)["status"] == DONE).all()


def test_another_number_of_seeds_uses_new_seeds_only(tmp_path: Path) -> None:
    first = finish(planted.STUDY, tmp_path)
    second = finish(planted.STUDY, tmp_path, seeds=20)
    assert second["seed"].values.tolist() == list(range(12, 32))
    assert not np.isin(second["time"].values, first["time"].values).any()
    kept = assemble(tmp_path / "earlier" / "temperature.planted.1.zarr")
    assert np.array_equal(kept["time"], first["time"])
    assert finish(planted.STUDY, tmp_path).identical(second)  # no number given: continue what is there, if it is enough
    third = finish(planted.STUDY, tmp_path, seeds=12, fresh=True)
    assert third["seed"].values.tolist() == list(range(32, 44))


def test_fewer_seeds_than_declared_are_kept_aside_by_a_run_that_asks_for_no_number(tmp_path: Path) -> None:
    few = finish(planted.STUDY, tmp_path, seeds=3)
    declared = finish(planted.STUDY, tmp_path)
    assert declared["seed"].values.tolist() == list(range(3, 15))
    assert assemble(tmp_path / "earlier" / "temperature.planted.1.zarr").identical(few)
    assert finish(planted.STUDY, tmp_path).identical(declared)


def test_a_run_that_was_stopped_at_few_seeds_goes_on_when_asked_for_them_again(tmp_path: Path) -> None:
    events = run(planted.STUDY, "quick", tmp_path, seeds=3)
    assert len(list(itertools.islice(events, 4))) == 4  # the start and three cells
    events.close()
    first, *rest = run(planted.STUDY, "quick", tmp_path, seeds=3)
    assert (first.done, len(rest)) == (3, first.total - 3)


def test_fresh_with_the_same_number_gives_the_same_numbers(tmp_path: Path) -> None:
    first = finish(planted.STUDY, tmp_path)
    again = finish(planted.STUDY, tmp_path, fresh=True)
    assert np.array_equal(first["time"], again["time"])


def test_a_lost_file_of_whole_numbers_or_of_a_state_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would read as zeros, and a run that goes on would write zeros in its place. So is what was edited."""
    monkeypatch.setattr(store, "ONE_CHUNK", 0)
    zeros = dataclasses.replace(planted.STUDY, measure=all_zeros)
    events, place = run(zeros, "quick", tmp_path), store_path(tmp_path, zeros.name)
    assert len(list(itertools.islice(events, 4))) == 4  # the start and three cells
    events.close()
    assert (assemble(place)["status"] == DONE).sum() == 18  # the other cells' files are not missed, nor are zeros
    for name in ("hits", "stable", "trace", "eigen", "status"):
        file = min(file for file in (place / name).iterdir() if not file.name.startswith("."))
        held = file.read_bytes()
        file.unlink()
        for read in (lambda: assemble(place), lambda: next(run(zeros, "quick", tmp_path))):
            with pytest.raises(ValueError, match=f"damaged .*numbers of its array {name} are gone"):
                read()
        file.write_bytes(held)
    for file, old, new, why in (
        (".zattrs", '"ready": true', '"ready": false', "its attributes are older than its numbers"),
        ("time/.zattrs", '"seed"', '"sed"', "its array time is not as it was written"),
        ("time/.zarray", '"chunks": [\n    1', '"chunks": [\n    0', "ZeroDivisionError"),
    ):
        text = (place / file).read_text()
        (place / file).write_text(text.replace(old, new))
        with pytest.raises(ValueError, match=f"damaged .*{why}"):
            assemble(place)
        (place / file).write_text(text)
    assert (finish(zeros, tmp_path)["status"] == DONE).all()


def test_a_store_of_an_earlier_version_lacks_files_of_zeros_by_rights(tmp_path: Path) -> None:
    before = finish(dataclasses.replace(planted.STUDY, measure=all_zeros), tmp_path)
    place = store_path(tmp_path, planted.STUDY.name)
    (place / "hits" / "0.0.0").unlink()
    text = (place / ".zattrs").read_text()
    (place / ".zattrs").write_text(text.replace('"all_written": true', '"all_written": false'))
    assert assemble(place).equals(before)


def all_zeros(replicates: Any, data: Any, **rest: Any) -> dict[str, np.ndarray]:
    """Zeros of the planted measurement's shapes and kinds."""
    found = planted.measure(replicates, data, **rest)
    return {name: np.zeros_like(np.asarray(array)) for name, array in found.items()}


def test_there_must_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no store at .*; run assay verify first"):
        assemble(tmp_path / "no.zarr")


@pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_at_any_write_it_ends_with_the_same_numbers(tmp_path: Path, every: int) -> None:
    """SIGKILL before, inside and after files that a run writes, from first to last."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", HERE / "killed.py", tmp_path, str(every)],
        capture_output=True, text=True, timeout=1800, cwd=HERE.parents[1],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout)
    assert report["writes"] > 50 and report["tried"] >= report["writes"] // every
    # Runs write a file or two more or fewer, so that the last of them may outlive its appointment.
    assert report["killed"] >= report["tried"] - 2 and report["torn"] > 0
    assert report["different"] == []
