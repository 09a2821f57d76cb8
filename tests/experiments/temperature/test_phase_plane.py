"""The phase plane on planted accuracies and on a few real steps, and its figures."""

import numpy as np
import pytest
import xarray as xr

from experiments.figures import drawn, figures
from experiments.kept_runs import kept
from experiments.study import Replicates
from experiments.temperature import phase_plane
from numerics.data import Data

RATES = (0.5, 2.0, 8.0)


def planted(system, beta=phase_plane.BETAS, scales=(0.01, 1.0, 10.0)):
    """Test accuracy 0.9 - beta/1000 at rate 2, which validation prefers; more at rate 8, whose runs broke."""
    sizes = (3, 1, len(beta), len(scales), len(RATES))
    dims = ("seed", "system", "beta", "logit_scale", "scaled_rate")
    coords = {"system": [system], "beta": list(beta), "logit_scale": list(scales), "scaled_rate": list(RATES)}
    accuracy = np.broadcast_to(np.array([0.4, 0.9, 0.95]), sizes).copy()
    accuracy -= 1e-3 * np.array(beta)[:, None, None] * (np.array(RATES) == 2.0)
    final = np.broadcast_to(np.array([1.0, 2.0, phase_plane.BROKEN]), sizes)
    arrays = {"validation": accuracy, "test": accuracy, "early": 0.5 * accuracy, "final_rms": final}
    return xr.Dataset({name: (dims, array) for name, array in arrays.items()}, coords=coords)


def test_validation_chooses_the_rate_among_the_runs_that_did_not_break():
    best = phase_plane.at_best(planted("plain").sel(system="plain"))
    np.testing.assert_allclose(best["test"].sel(beta=100.0), 0.8)
    assert float(best["final_rms"].max()) == 2.0
    whole = planted("plain").sel(system="plain")
    assert float(phase_plane.at_best(whole.assign(final_rms=0 * whole["test"]))["test"].max()) == 0.95
    lost = whole.assign(validation=whole["validation"].where(whole["beta"] > whole["beta"].min()))
    assert phase_plane.at_best(lost)["test"].isnull().any("logit_scale").sum() == whole.sizes["seed"]


def test_the_laws_are_read_at_their_own_part_of_the_plane():
    checks = {check.law: check for study in phase_plane.STUDIES for check in study.checks}
    scales = (0.01, 0.1, 1.0, 10.0, 100.0)
    seen = checks["temperature.accuracy_in_beta"].observe(planted("plain", scales=scales).sel(system="plain"))
    assert seen["measured"].sizes["beta"] == 4 and float(seen["logit_scale"].max()) == 0.1
    seen = checks["temperature.accuracy_in_logit_scale"].observe(planted("plain", scales=scales).sel(system="plain"))
    assert seen["measured"].sizes["logit_scale"] == 4 and float(seen["beta"].max()) == 0.1


@pytest.mark.parametrize("system", ["plain", pytest.param("recurrent", marks=pytest.mark.slow)])
def test_training_learns_the_task_and_flat_labels_cannot_be_learned(monkeypatch, system):
    """Two rates, the smaller of which does nothing; labels that are shuffled leave accuracy at chance."""
    chosen = phase_plane.SYSTEMS[system]
    given = {"beta": np.array([1.0]), "logit_scale": np.array([0.01]), "scaled_rate": np.array([1e-6, 1.0])}

    def accuracy():
        found = phase_plane.measure(
            Replicates("temperature.phase_plane", {"system": system}, (0,)), None, system, **given, width=64, steps=150,
            batch=64,
        )  # fmt: skip
        return np.asarray(found["test"])[0, 0, 0]

    idle, trained = accuracy()
    assert trained > idle + 0.05
    random = np.random.default_rng(0)

    def shuffled(replicate: int) -> Data:
        one = chosen.task(replicate)
        return phase_plane.replace(one, y_test=random.permutation(one.y_test))

    monkeypatch.setitem(phase_plane.SYSTEMS, system, phase_plane.System(chosen.build, shuffled))
    assert accuracy()[1] < trained


def test_the_figures_tell_what_the_planes_hold():
    both = [planted(name, scales=(0.01,)) for name in ("large_weights", "normalised")]
    data = {
        phase_plane.PLANE.name: planted("plain"),
        phase_plane.ARCHITECTURES.name: xr.concat(both, dim="system"),
        phase_plane.RECURRENT.name: planted("recurrent", scales=(0.01,)),
    }
    plane, networks = (figures()[f"temperature.figure_{number}"] for number in (5, 6))
    assert "from 0.90 at beta = 0.01 to 0.89 at 10 and 0.80 at 100" in plane.found(data)
    assert "recurrent 0.90 at beta = 0.01 (0.80 at 100" in networks.found(data)
    assert len(drawn(plane, data).axes[0].texts) == 15
    lines = drawn(networks, data).axes[1].lines
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == len(lines) == 3, "told apart in grey"


JUDGED_AGAIN = (10, 12)
"""First seed and number of seeds of the plane, declared before they were drawn: the least fall that counts had been
lowered from 0.05 to 0.02 after a look at a pilot, and seeds 0 to 9 were looked at since.
"""


def test_the_kept_plane_is_of_the_seeds_that_were_declared_for_it():
    run = kept("temperature")
    assert run is not None
    held = run.studies["temperature.phase_plane"]
    assert (held["first_seed"], held["seeds"]) == JUDGED_AGAIN
