"""The folders are the registries: every module of a topic's folder is read, and nothing is listed by hand.

A module of ``theory/TOPIC`` may hold ``LAWS`` (a tuple of Law), ``ERRATA`` (a tuple of Erratum) and ``PREDICTORS``
(a tuple of Predictor).
"""

import difflib
import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the registry's names are known before SymPy is loaded
    from theory.errata import Erratum
    from theory.law import Law
    from theory.predictors import Predictor

TOPICS = ("temperature", "width", "breakeven")


@cache
def modules(topic: str) -> tuple[ModuleType, ...]:
    """Modules of a topic's folder, sorted by name."""
    package = importlib.import_module(f"theory.{topic}")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(importlib.import_module(f"theory.{topic}.{name}") for name in names)


def _collect(attribute: str) -> tuple:
    return tuple(item for topic in TOPICS for module in modules(topic) for item in getattr(module, attribute, ()))


def _by_name(items: tuple, key: str, what: str) -> dict:
    found: dict = {}
    for item in items:
        name = getattr(item, key)
        if name in found:
            raise ValueError(f"registry: {what} {name} is defined twice; rename one")
        found[name] = item
    return found


@cache
def laws() -> "dict[str, Law]":
    """Every law by name."""
    return _by_name(_collect("LAWS"), "name", "law")


@cache
def errata() -> "dict[str, Erratum]":
    """Every erratum by catalogue id."""
    return _by_name(_collect("ERRATA"), "id", "erratum")


@cache
def predictors() -> "dict[str, Predictor]":
    """Every predictor by name."""
    return _by_name(_collect("PREDICTORS"), "name", "predictor")


@cache
def module_of(law_name: str) -> ModuleType:
    """Module that defines a law.

    Raises
    ------
    ValueError
        For an unknown name, with the nearest known one.
    """
    for topic in TOPICS:
        for module in modules(topic):
            if any(law.name == law_name for law in getattr(module, "LAWS", ())):
                return module
    raise ValueError(unknown(law_name, tuple(laws()), "law"))


def unknown(name: str, known: tuple[str, ...], what: str) -> str:
    """One sentence for an unknown name, with the nearest known one, or what lists them."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
    hint = f"did you mean {near[0]}?" if near else "'assay laws' lists what is known"
    return f"{what} {name or repr(name)} is not known; {hint}"


def select(names: tuple[str, ...]) -> "tuple[Law, ...]":
    """Laws for a list of law names and topics; all of them for an empty list.

    Raises
    ------
    ValueError
        For an unknown name, with the nearest known one.
    """
    if not names:
        return tuple(laws().values())
    chosen: dict[str, Law] = {}
    for name in names:
        if name in TOPICS:
            chosen.update({key: law for key, law in laws().items() if law.topic == name})
        elif name in laws():
            chosen[name] = laws()[name]
        else:
            raise ValueError(unknown(name, (*laws(), *TOPICS), "law"))
    return tuple(chosen.values())
