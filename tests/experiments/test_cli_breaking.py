"""The command line where the machine fails it: an error on the way, no room to say it, no device."""

import errno
import io
import os
import sys

import pytest
from commanding import LAW, refused

from experiments import verify
from experiments.cli import main


def test_whatever_ends_a_run_its_store_is_closed_before(monkeypatch, tmp_path):
    """Closed as the interpreter ends, it would wait for ever for a thread that no longer starts."""
    closed = []

    def events(*_, out, **__):
        try:
            yield verify.Measuring("breakeven.noise_factor", 3, 8, out / "x.zarr")
        finally:
            closed.append(True)

    monkeypatch.setattr(verify, "verify", events)
    monkeypatch.setattr("experiments.commands.progress.line", lambda event: 1 // 0)
    with pytest.raises(ZeroDivisionError) as caught:
        main(["verify", LAW, "--out", str(tmp_path)])
    assert caught and closed == [True]  # what was caught keeps all that was in use


def test_an_error_that_cannot_be_told_keeps_its_status(monkeypatch):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sys, "stderr", Full())
    assert main(["predict", "nosuch"]) == 2


def test_a_device_that_is_not_there_is_told(capsys, monkeypatch, tmp_path):
    def devices():
        raise RuntimeError("Unable to initialize backend 'nonsense'.\nSet another.")

    monkeypatch.setattr("jax.devices", devices)
    monkeypatch.setenv("JAX_PLATFORMS", "nonsense")
    told = refused(capsys, "verify", LAW, "--no-plots", "--out", str(tmp_path))
    assert "JAX finds no device on JAX_PLATFORMS=nonsense; set it to cpu" in told
