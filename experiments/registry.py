"""Studies, found by reading the topics' folders: every ``STUDY``, ``STUDIES`` or ``CHECK`` of a module there.

A module of ``experiments/TOPIC`` holds ``STUDY`` (or a tuple ``STUDIES``); or ``CHECK``, a pair (study name, Check)
(or a tuple ``CHECKS`` of such pairs) that adds a law to a study that stands already.
"""

import dataclasses
import importlib
import pkgutil
from functools import cache
from types import ModuleType

from experiments.study import Check, Study
from theory.registry import TOPICS, unknown


@cache
def modules(topic: str) -> tuple[ModuleType, ...]:
    """Modules of a topic's folder, sorted by name."""
    package = importlib.import_module(f"experiments.{topic}")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(importlib.import_module(f"experiments.{topic}.{name}") for name in names)


@cache
def studies() -> dict[str, Study]:
    """Every study by name, with the checks that other modules add to it."""
    found: dict[str, Study] = {}
    added: list[tuple[str, Check]] = []
    for module in _all_modules():
        for study in _held(module):
            if found.get(study.name, study) is not study:  # another module may import it
                raise ValueError(f"registry: study {study.name} is defined twice; rename one")
            found[study.name] = study
        added.extend(_added(module))
    for name, check in added:
        if name not in found:
            hint = unknown(name, tuple(found), "study")
            raise ValueError(f"registry: check of {check.law} names study {name}; {hint}")
        found[name] = dataclasses.replace(found[name], checks=(*found[name].checks, check))
    return found


def study_of(law: str) -> Study:
    """Study that judges a law.

    Raises
    ------
    ValueError
        If no study has a check of the law, or more than one has.
    """
    holders = [study for study in studies().values() if any(check.law == law for check in study.checks)]
    if len(holders) != 1:
        raise ValueError(f"registry: law {law} is checked by {len(holders)} studies; let exactly one check it")
    return holders[0]


def stated_in(law: str) -> tuple[str, ...]:
    """Names of the modules that hold a law's check, and the study that it names; none where no module does."""
    holders, named = [], set()
    for module in _all_modules():
        named |= {study.name for study in _held(module) if any(check.law == law for check in study.checks)}
        added = {name for name, check in _added(module) if check.law == law}
        holders += [module.__name__] if added else []
        named |= added
    holders += [module.__name__ for module in _all_modules() if any(study.name in named for study in _held(module))]
    return tuple(dict.fromkeys(holders))


def check_of(law: str) -> tuple[Study, Check]:
    """Study and check of a law."""
    study = study_of(law)
    return study, next(check for check in study.checks if check.law == law)


def _all_modules() -> tuple[ModuleType, ...]:
    return tuple(module for topic in TOPICS for module in modules(topic))


def _held(module: ModuleType) -> tuple[Study, ...]:
    return (*getattr(module, "STUDIES", ()), *([module.STUDY] if hasattr(module, "STUDY") else []))


def _added(module: ModuleType) -> tuple[tuple[str, Check], ...]:
    return (*getattr(module, "CHECKS", ()), *([module.CHECK] if hasattr(module, "CHECK") else []))
