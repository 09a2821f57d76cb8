"""The doctor says what is there, and what is not, without failing."""

from pathlib import Path

import pytest

from experiments import doctor
from experiments.calibration import Calibration
from experiments.cli import main


def test_a_few_lines(capsys, tmp_path):
    assert main(["doctor", "--out", str(tmp_path / "not" / "yet")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 6 <= len(lines) <= 10
    headings = ["assay", "versions", "devices", "precision", "neural-tangents", "data sets", "free disk"]
    assert [line.split("  ")[0] for line in lines] == headings


def test_versions():
    assert doctor.version("numpy")[0].isdigit()
    assert doctor.version("no-such-package") == "not installed"


def test_devices_and_precision():
    assert "CPU cores" in doctor.devices()
    assert "float32 matrix products: " in doctor.precision()
    assert "float64: on" in doctor.precision()  # the tests' own setting


def test_a_gpu_that_is_not_there_is_told(monkeypatch):
    """With a CPU alone it says so; a platform that JAX cannot find leaves one line, not a traceback."""
    import jax

    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    if all(device.platform == "cpu" for device in jax.devices()):
        assert " x cpu, JAX sees no GPU; " in doctor.devices()
    monkeypatch.setenv("JAX_PLATFORMS", "cuda")

    def absent():
        raise RuntimeError("Unknown backend cuda")

    monkeypatch.setattr(jax, "devices", absent)
    told = dict(doctor.findings(Path()))
    assert told["devices"] == "cannot be told: JAX finds no device on JAX_PLATFORMS=cuda"
    assert told["free disk"].endswith(" GiB at .")


def test_data_sets_found_and_not_found(monkeypatch, tmp_path):
    monkeypatch.delenv("ASSAY_DATA", raising=False)
    assert "ASSAY_DATA is not set" in doctor.data_sets()
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    assert "none in ASSAY_DATA" in doctor.data_sets()
    (tmp_path / "some_images.npz").write_bytes(b"")
    assert "some_images.npz" in doctor.data_sets()


def test_what_else_lies_in_the_cache_folder_was_not_downloaded(monkeypatch, tmp_path):
    monkeypatch.setattr("pooch.os_cache", lambda name: tmp_path)
    (tmp_path / "laws.json").write_text("{}")
    assert doctor.data_sets().endswith("downloaded: none")
    (tmp_path / "cifar-10-binary.tar.gz").write_bytes(b"")
    assert doctor.data_sets().endswith("downloaded: cifar-10-binary.tar.gz")


def test_free_disk_of_a_folder_that_does_not_exist_yet(tmp_path):
    assert " GiB at " in doctor.free_disk(tmp_path / "a" / "b")
    assert " GiB at " in doctor.free_disk(Path("relative"))


@pytest.mark.parametrize(("wrong", "status", "word"), [(1, 0, "yes"), (9, 1, "NO")])
def test_calibration_table(monkeypatch, capsys, wrong, status, word):
    from experiments import calibration

    planted = Calibration("Formula", (("exact: disagrees", 1000, wrong, 1),), 0.1)
    monkeypatch.setattr(calibration, "calibrate", lambda: iter([planted]))
    assert main(["doctor", "--calibration"]) == status
    out = capsys.readouterr().out
    assert "exact: disagrees" in out
    assert word in out.split()


def test_neural_tangents_loads_or_says_why(monkeypatch):
    assert doctor.neural_tangents().startswith("loads")
    from numerics import infinite_width

    def broken():
        raise ImportError("neural_tangents: the package cannot be loaded; install it")

    monkeypatch.setattr(infinite_width, "neural_tangents", broken)
    assert doctor.neural_tangents() == "neural_tangents: the package cannot be loaded; install it"
