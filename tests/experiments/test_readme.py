"""What the README tells a newcomer to do is done here, word for word, in a copy of the tree."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LAW = "breakeven.flat_direction"


def section(heading: str) -> str:
    """Text of one section."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", README, re.M | re.S)
    assert found, f"the README has no section {heading}"
    return found[1]


def blocks(heading: str, language: str) -> list[str]:
    """Code blocks of a section."""
    return re.findall(rf"^```{language}\n(.*?)^```", section(heading), re.M | re.S)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Copy of the tree with the two files of the README's law; both must be new."""
    copy = tmp_path_factory.mktemp("readme") / "tree"
    copy.mkdir()
    for folder in ("theory", "numerics", "experiments", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy)
    for block in blocks("Add a law", "python"):
        path = copy / block.splitlines()[0].removeprefix("# ")
        assert path.parent.is_dir()
        assert not path.exists()
        path.write_text(block)
    return copy


def run(tree: Path, *words: str, status: int = 0) -> subprocess.CompletedProcess:
    """A Python module run in the copy."""
    variables = {"JAX_PLATFORMS": "cpu", "PYTHONPATH": str(tree), "ASSAY_CACHE": str(tree / "cache")}
    found = subprocess.run(
        [sys.executable, "-m", *words],
        capture_output=True,
        text=True,
        cwd=tree,
        timeout=300,
        env={**os.environ, **variables},
    )
    assert found.returncode == status, found.stdout + found.stderr
    return found


def test_a_law_is_two_files():
    paths = [block.splitlines()[0] for block in blocks("Add a law", "python")]
    assert [path.split("/")[0] for path in paths] == ["# theory", "# experiments"]


def test_the_new_law_is_listed_proved_and_agrees(tree):
    assert LAW in run(tree, "experiments.cli", "laws").stdout
    done = json.loads(run(tree, "experiments.cli", "verify", LAW, "--json", "--out", "out").stdout)
    (law,) = done["laws"]
    assert (law["verdict"], law["proof"], law["trusted"]) == ("agrees", "PROVED", True)
    assert [control["fires"] for control in law["controls"]] == [True, True]
    assert (tree / "out" / "plots" / f"{LAW}.png").exists()
    report = Path(run(tree, "experiments.cli", "report", "--out", "out").stdout.strip())
    assert f'id="{LAW}"' in (tree / report).read_text()


def test_the_new_law_is_under_the_contract_tests(tree):
    out = run(
        tree, "pytest", "tests/test_contracts.py", "-k", "flat_direction", "-p", "no:cacheprovider"
    ).stdout
    passed = re.search(r"(\d+) passed", out)
    assert passed
    assert int(passed[1]) >= 6


def test_the_new_files_are_clean(tree):
    new = [block.splitlines()[0].removeprefix("# ") for block in blocks("Add a law", "python")]
    if shutil.which("ruff") is None:
        pytest.skip("ruff is not installed")
    subprocess.run(["ruff", "check", "--no-cache", *new], cwd=tree, check=True)


def test_a_wrong_law_does_not_pass(tree):
    """The partner: with the rival's formula as its claim, the same two files disagree and are not PROVED."""
    path = tree / "theory" / "breakeven" / "flat_direction.py"
    right = path.read_text()
    swapped = right.replace("k * eta**2 * v", "@").replace("k**2 * eta**2 * v", "k * eta**2 * v")
    path.write_text(swapped.replace("@", "k**2 * eta**2 * v"))
    try:
        found = run(
            tree, "experiments.cli", "verify", LAW, "--json", "--no-plots", "--out", "wrong", status=1
        )
        (law,) = json.loads(found.stdout)["laws"]
        assert law["verdict"] == "disagrees"
        assert law["proof"] != "PROVED"
    finally:
        path.write_text(right)


def test_a_derivation_is_extended(tree):
    (script,) = blocks("Extend a derivation", "python")
    path = tree / "extend.py"
    path.write_text(script)
    found = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, cwd=tree, timeout=300, check=True,
        env={**os.environ, "PYTHONPATH": str(tree)},
    )  # fmt: skip
    told = [line.split()[0] for line in found.stdout.splitlines()]
    assert told == ["proved"] * 6 + ["refuted", "proved", "proved"] + ["refuted"] * 3
    (command,) = blocks("Extend a derivation", "sh")
    words = command.split()
    assert words[:2] == [".venv/bin/assay", "derive"]
    assert "Proof: PROVED" in run(tree, "experiments.cli", *words[1:]).stdout


def test_the_two_commands_name_what_exists():
    verify, tests = blocks("Two commands", "sh")
    for command in (verify, tests):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e ")
        assert len(command.splitlines()) == 1
    assert verify.strip().endswith(".venv/bin/assay verify")
    for tool in ("ruff check", "pyright", "pytest"):
        assert f".venv/bin/{tool}" in tests
    assert (ROOT / "constraints.txt").exists()


def test_every_verb_is_told():
    told = re.findall(r"^assay (\w+)", section("What you can ask"), re.M)
    assert told == list(VERBS)


def test_files_that_the_readme_names_exist():
    names = re.findall(r"`((?:theory|numerics|experiments)/[\w/.]+\.(?:py|svg))`", README)
    names += re.findall(r"\]\(([\w/.]+)\)", README)
    new = [
        block.splitlines()[0].removeprefix("# ")
        for block in re.findall(r"^```python\n(.*?)^```", README, re.M | re.S)
    ]
    assert names
    for name in names:
        assert (ROOT / name).exists() or name in new, f"the README names {name}"


def test_constraints_pin_every_dependency():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[\[<>=!;~ ]", line)[0].lower().replace("_", "-") for line in wanted}
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    pinned = dict(line.split("==") for line in lines)
    assert names <= {name.lower().replace("_", "-") for name in pinned}
    assert not [line for line in lines if "/" in line or "@" in line]
