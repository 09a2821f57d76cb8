"""Hashes of sources: no import is missed, and any change of a file that is used changes the hash."""

import ast
from pathlib import Path

import pytest

from experiments import sources

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
    ],
)
def test_forms_of_an_import(text: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(text)
    assert parsed(text) <= set(sources._imports(path, 0))
    assert sources._imports(path, 0) != ()


def test_a_hash_follows_the_files_that_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "one_planted.py").write_text("import two_planted\n")
    (tmp_path / "two_planted.py").write_text("x = 1\n")
    before = sources.source_hash("one_planted", ("two_",))
    assert before == sources.source_hash("one_planted", ("two_",))
    (tmp_path / "two_planted.py").write_text("x = 22\n")
    assert before != sources.source_hash("one_planted", ("two_",))
    assert sources.source_hash("one_planted", ("three_",)) == sources.source_hash("one_planted", ("three_",))
