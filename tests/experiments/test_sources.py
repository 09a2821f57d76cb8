"""Hashes of sources: no import is missed, and any change of a file that is used changes the hash."""

import ast
import time
from pathlib import Path

import pytest

import experiments
from experiments import fingerprint, proofs, records, sources, verify
from experiments.registry import check_of
from theory.registry import laws

ROOT = Path(__file__).resolve().parents[2]
FILES = [path for layer in ("theory", "numerics", "experiments") for path in sorted((ROOT / layer).rglob("*.py"))]


def parsed(text: str) -> set[str]:
    """Imports that Python's own parser finds."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_no_import_is_missed() -> None:
    for path in FILES:
        missed = parsed(path.read_text(encoding="utf-8")) - set(sources._imports(path, path.stat().st_mtime_ns))
        assert not missed, f"{path}: {missed}"


@pytest.mark.parametrize(
    "text",
    [
        "import a.b, c as d",
        "from a import (\n    b,  # why\n    c as d,\n)",
        "def f():\n    from a.b import c",
        "if True:\n\timport a",
        "from a import *",
        "from a import (  # a (b)\n    c,\n)",
        "from a.b import \\\n    c",
        "import a; import b",
        "if True: import a",
        "x = 1; from a import b",
    ],
)
def test_forms_of_an_import(text: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(text)
    assert parsed(text) <= set(sources._imports(path, 0))
    assert sources._imports(path, 0) != ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from . import helper", "planted.inner.helper"),
        ("from .helper import x", "planted.inner.helper"),
        ("from .. import other", "planted.other"),
        ("from ..other import (\n    x,\n)", "planted.other"),
    ],
)
def test_a_relative_import_is_told_from_where_the_file_lies(text: str, name: str, tmp_path: Path) -> None:
    inner = tmp_path / "planted" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    (inner / "module.py").write_text(text)
    assert name in sources._imports(inner / "module.py", 0)


def test_a_file_is_found_without_importing_what_holds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "planted_parent").mkdir()
    for name in ("__init__", "child"):
        (tmp_path / "planted_parent" / f"{name}.py").write_text("raise RuntimeError('imported')\n")
    assert sources.file_of("planted_parent.child") == tmp_path / "planted_parent" / "child.py"
    assert sources.file_of("planted_parent") == tmp_path / "planted_parent" / "__init__.py"
    assert sources.file_of("planted_parent.child.name") is None
    assert sources.file_of("no_such_parent.child") is None


def test_a_hash_follows_the_files_that_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "one_planted.py").write_text("import two_planted\n")
    (tmp_path / "two_planted.py").write_text("x = 1\n")
    before = sources.source_hash("one_planted", ("two_",))
    assert before == sources.source_hash("one_planted", ("two_",))
    (tmp_path / "two_planted.py").write_text("x = 22\n")
    assert before != sources.source_hash("one_planted", ("two_",))
    assert sources.source_hash("one_planted", ("three_",)) == sources.source_hash("one_planted", ("three_",))


def test_a_hash_of_code_knows_no_comment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Docstrings, comments and empty lines may change; a text that is a value, a number or a name may not."""
    monkeypatch.syspath_prepend(str(tmp_path))
    place = tmp_path / "planted_code.py"

    def marked(text: str) -> str:
        place.write_text(text)
        return sources.code_hash("planted_code", ("planted_",))

    code = 'def f(x):\n    """Twice x."""\n    return 2 * x  # of x\n\n\nTEXT = "a#b"\n"""A text."""\n'
    before = marked(code)
    for told in ('"""Two\n    times x."""', '"""Twice x, in other words."""'):
        assert before == marked(code.replace('"""Twice x."""', told))
    assert before == marked(code.replace("of x", "twice").replace("\n\n\n", "\n").replace("A text", "Words"))
    for old, new in (("2 *", "3 *"), ("a#b", "a#c"), ("TEXT", "WORD")):
        assert before != marked(code.replace(old, new))


LAW = "breakeven.batch_variance"


@pytest.fixture
def edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources that changed after this process began, as far as one can tell."""
    monkeypatch.setattr(experiments, "STARTED", 0)


def test_the_process_began_after_its_sources_were_written(tmp_path: Path) -> None:
    new = tmp_path / "new.py"
    new.write_text("")
    assert sources.changed_at(new) > experiments.STARTED
    assert abs(experiments.STARTED - time.time_ns()) < 1e9 * 24 * 3600


def test_a_proof_of_what_was_edited_meanwhile_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "STARTED", time.time_ns())
    assert proofs.prove(laws()[LAW], tmp_path / "kept").state == "PROVED"
    assert proofs.cached_proof(laws()[LAW], tmp_path / "kept") == "PROVED"
    monkeypatch.setattr(experiments, "STARTED", 0)
    assert proofs.prove(laws()[LAW], tmp_path / "edited").state == "PROVED"
    assert proofs.cached_proof(laws()[LAW], tmp_path / "edited") == "unchecked"


def test_a_verdict_on_what_was_edited_meanwhile_is_not_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {"name": LAW, "verdict": "agrees"}
    monkeypatch.setattr(experiments, "STARTED", time.time_ns())
    records.keep_verdicts(tmp_path, [record], "quick")
    assert records.last_verdicts(tmp_path)[LAW]["verdict"] == "agrees"
    monkeypatch.setattr(experiments, "STARTED", 0)
    records.keep_verdicts(tmp_path, [record], "quick")
    assert records.last_verdicts(tmp_path) == {}


@pytest.mark.usefixtures("edited")
def test_nothing_is_measured_with_what_was_edited_meanwhile(tmp_path: Path) -> None:
    study, _ = check_of("breakeven.noise_factor")
    assert any(place.endswith("noise_factor.py") for place in fingerprint.changed_sources(study))
    with pytest.raises(ValueError, match=r"changed after this run had begun"):
        list(verify.verify(("breakeven.noise_factor",), out=tmp_path))
    assert not list(tmp_path.glob("*.zarr"))
