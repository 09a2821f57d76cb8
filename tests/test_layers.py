"""The three layers: who may import whom, seen in fresh processes and in the source."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.sources import modules_used

ROOT = Path(__file__).resolve().parent.parent
TOPICS = ("temperature", "width", "breakeven")


def loaded_by(statement: str) -> set[str]:
    """Names of the modules that a fresh interpreter has loaded after a statement."""
    code = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    return set(json.loads(run.stdout.splitlines()[-1]))


def families(modules: set[str]) -> set[str]:
    """Top packages among module names."""
    return {name.split(".")[0] for name in modules}


def imported(path: Path) -> set[str]:
    """Absolute names that a source file imports anywhere, functions included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def smuggled(path: Path) -> set[str]:
    """Ways of importing what no import statement names."""
    used = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    return (used & {"__import__", "exec", "eval"}) | within(imported(path), {"importlib", "pkgutil", "runpy"})


def sources(folder: str) -> list[Path]:
    """Python files of a folder, except for package markers."""
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if path.name != "__init__.py"]


def within(names: set[str], packages: set[str]) -> set[str]:
    """Those names that lie in one of the packages."""
    return {name for name in names if any(name == p or name.startswith(p + ".") for p in packages)}


def test_theory_loads_neither_jax_nor_our_numerics():
    statement = "from theory.registry import laws, errata, predictors; laws(); errata(); predictors()"
    found = families(loaded_by(statement))
    assert {"theory", "sympy"} <= found
    assert not found & {"jax", "jaxlib", "xarray", "pandas", "numerics", "experiments", "matplotlib", "scipy"}


def test_a_layer_test_can_fail():
    assert "jax" in families(loaded_by("import jax"))


def test_numerics_loads_no_sympy():
    names = [path.stem for path in sources("numerics") if path.parent == ROOT / "numerics"]
    statement = "; ".join(f"import numerics.{name}" for name in names)
    found = families(loaded_by(statement))
    assert {"numerics", "jax", "numpy"} <= found
    assert not found & {"sympy", "theory", "experiments", "xarray", "matplotlib"}


def test_listing_studies_needs_no_network_and_no_jax_device():
    found = loaded_by("from experiments.registry import studies; studies()")
    assert "experiments.registry" in found
    assert "tensorflow" not in families(found)
    assert "matplotlib" not in families(found)


@pytest.mark.parametrize("path", sources("theory"), ids=lambda path: str(path.relative_to(ROOT)))
def test_theory_sources_import_symbols_only(path):
    forbidden = {
        "numpy",
        "scipy",
        "jax",
        "xarray",
        "zarr",
        "numerics",
        "experiments",
        "matplotlib",
        "sklearn",
    }
    assert not within(imported(path), forbidden)


@pytest.mark.parametrize("path", sources("numerics"), ids=lambda path: str(path.relative_to(ROOT)))
def test_numerics_sources_import_arrays_only(path):
    assert not within(imported(path), {"sympy", "mpmath", "theory", "experiments", "xarray", "zarr"})


MEASURING = tuple(f"experiments.{topic}." for topic in TOPICS)


def holds_studies(path):
    """Whether a module of a topic's folder measures or judges, and does not only draw."""
    assigned = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.Assign | ast.AnnAssign)]
    targets = [t for node in assigned for t in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return bool({t.id for t in targets if isinstance(t, ast.Name)} & {"STUDY", "STUDIES", "CHECK", "CHECKS"})


STUDIES = [path for topic in TOPICS for path in sources(f"experiments/{topic}") if holds_studies(path)]


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: str(path.relative_to(ROOT)))
def test_studies_know_laws_by_name_only(path):
    """Neither a study nor anything of the topics' folders that it uses knows a law; a figure may draw one."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for used in modules_used(name, MEASURING).values():
        forbidden = {"theory", "sympy", "experiments.bridge", "experiments.compare"}
        assert not within(imported(used), forbidden), f"{name} uses {used.name}, which knows laws"
        assert not smuggled(used), f"{name} uses {used.name}, which imports by {smuggled(used)}"


def test_a_module_that_measures_is_told_from_one_that_draws(tmp_path):
    path = tmp_path / "module.py"
    path.write_text("STUDY: int = 1\n")
    assert holds_studies(path)
    path.write_text("FIGURES = ()\n")
    assert not holds_studies(path)
    assert len(STUDIES) >= 40


def test_imports_inside_functions_are_seen(tmp_path):
    path = tmp_path / "study.py"
    path.write_text("def measure():\n    from theory import law\n    import theory.claims\n")
    assert within(imported(path), {"theory"}) == {"theory", "theory.law", "theory.claims"}
    assert not smuggled(path)
    path.write_text("from importlib import import_module\n__import__('theory')\n")
    assert smuggled(path) == {"importlib", "importlib.import_module", "__import__"}


def test_no_source_reaches_the_disk_or_sets_jax_at_import():
    """Importing has no effects: no module of ours calls anything of these at its top level."""
    for folder in ("theory", "numerics", "experiments"):
        for path in sources(folder):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                    raise AssertionError(f"{path.relative_to(ROOT)}:{node.lineno} calls a function at import")
