"""Cells give the same numbers wherever they are measured."""

import dataclasses
import functools
import gc
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
import planted
import pytest
import xarray as xr

from experiments.executors import Task, connected, dask_cluster, in_process, run_task, spawn_pool
from experiments.run import Executor, run
from experiments.stored import assemble, store_path
from experiments.study import Replicates

GRID = dataclasses.replace(planted.GRID, axes={"beta": (0.5, 1.0), "system": ("own",)})
STUDY = dataclasses.replace(planted.STUDY, grids={"quick": GRID})


def precisions() -> tuple[bool, str | None]:
    config: Any = jax.config
    return config.jax_enable_x64, config.jax_default_matmul_precision


def measured(out: Path, executor: Executor, measure: object = planted.measure) -> xr.Dataset:
    study = dataclasses.replace(STUDY, measure=measure)  # pyright: ignore[reportArgumentType]
    list(run(study, "quick", out, data=np.full(3, 0.25), executor=executor))
    return assemble(store_path(out, study.name)).drop_vars("wall_seconds")


def same(one: xr.Dataset, two: xr.Dataset) -> bool:
    return one.identical(two.assign_attrs(one.attrs))


def test_spawned_processes_give_the_same_numbers_and_failures(tmp_path: Path) -> None:
    pool = functools.partial(spawn_pool, workers=2)
    assert same(measured(tmp_path / "a", in_process), measured(tmp_path / "b", pool))


def test_a_failure_in_a_spawned_process_is_a_message(tmp_path: Path) -> None:
    data = measured(tmp_path, functools.partial(spawn_pool, workers=1), planted.raising)
    assert "ArithmeticError" in next(iter(data.attrs["failures"].values()))
    assert (data["status"].sel(beta=1.0) == 4).all() and (data["status"].sel(beta=0.5) == 2).all()


def test_a_process_that_is_killed_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    pool = functools.partial(spawn_pool, workers=1)
    with pytest.raises(ValueError, match=r"was killed, .*; what was measured is kept; run it again") as told:
        measured(tmp_path, pool, planted.killed)
    assert "\n" not in str(told.value) and not list(tmp_path.glob("*.lock*"))
    status = assemble(store_path(tmp_path, STUDY.name))["status"]
    assert (status.sel(beta=0.5) == 2).all() and (status.sel(beta=1.0) == 0).all()


def test_closing_a_run_on_a_pool_puts_cells_back(tmp_path: Path) -> None:
    running = run(STUDY, "quick", tmp_path, executor=functools.partial(spawn_pool, workers=2))
    next(running), next(running)
    running.close()
    status = assemble(store_path(tmp_path, STUDY.name))["status"].values
    assert set(np.unique(status)) == {0, 2} and not list(tmp_path.glob("*.lock*"))


def test_workers_must_be_some() -> None:
    with pytest.raises(ValueError, match="workers=0; at least 1"), spawn_pool(None, 0):
        pass


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_dask_cluster_gives_the_same_numbers(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options, silence_logs=50) as cluster:
        executor = functools.partial(dask_cluster, address=cluster.scheduler_address)
        there = measured(tmp_path / "dask", executor)
    assert same(measured(tmp_path / "here", in_process), there)


def test_a_scheduler_that_does_not_answer_is_one_sentence() -> None:
    pytest.importorskip("distributed")
    with (
        pytest.raises(ValueError, match="no scheduler answers at 'nonsense://1:2'"),
        dask_cluster(None, "nonsense://1:2"),
    ):
        pass
    for address in ("", "nonsense", "localhost:port"):
        start = time.monotonic()
        with pytest.raises(ValueError, match=f"no scheduler answers at '{address}' "):
            connected(address)
        gc.collect()  # a client that was half made says so, after 20 s, when it is thrown away
        assert time.monotonic() - start < 10


def test_the_task_runs_in_its_own_precision_with_full_matrix_products() -> None:
    seen = []

    def look(replicates: Replicates, data: object) -> dict:
        seen.append(precisions())
        return {}

    before = precisions()
    for precision in ("float32", "float64"):
        outcome = run_task(Task(0, look, Replicates("s", {}, (0,)), {}, precision), None)
        assert outcome.arrays == {} and outcome.seconds >= 0
    assert seen == [(False, "highest"), (True, "highest")]
    assert before == precisions()
