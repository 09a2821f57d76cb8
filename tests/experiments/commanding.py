"""What the tests of the command line share: running it here or in a process of its own, and being refused."""

import os
import subprocess
import sys
from pathlib import Path

from experiments.cli import main

ROOT = Path(__file__).resolve().parents[2]
LAW = "breakeven.noise_factor"


def said(capsys, *words: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command line."""
    capsys.readouterr()
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys, *words: str) -> str:
    """The one sentence with which a command line is refused."""
    status, out, err = said(capsys, *words)
    assert status == 2, (out, err)
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert err.startswith("assay")
    assert "Traceback" not in err
    return err


def run(*words: str, **variables: str) -> subprocess.CompletedProcess:
    """A command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "experiments.cli", *words], capture_output=True, text=True, cwd=ROOT,
        timeout=300, env={**os.environ, "JAX_PLATFORMS": "cpu", **variables},
    )  # fmt: skip
