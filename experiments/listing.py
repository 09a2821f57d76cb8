"""What a list of laws tells of each, kept in the cache under the hash of every source of ``theory``, so that a list
that was made once is read without loading SymPy and five hundred laws.
"""

import gc
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import experiments
from experiments.files import write_text
from experiments.proofs import cache_folder
from experiments.sources import changed_at, file_of, text_hash


@dataclass(frozen=True)
class Listed:
    """A law as a list tells it.

    ``source`` is a sentence with paper, place and catalogue ids; ``module`` states the law; ``derived`` says that it
    has a derivation.
    """

    name: str
    kind: str
    status: str
    source: str
    module: str
    derived: bool


def listed(cache: Path | None = None) -> tuple[Listed, ...]:
    """Every law by topic, from the cache if no source of ``theory`` has changed since the list was made, else from
    the registry; a list of the present sources is kept.
    """
    from theory.registry import laws

    folder = _theory()
    files = tuple(sorted(folder.rglob("*.py")))
    mark = text_hash(*_texts(folder, files))
    place = (cache or cache_folder()) / "laws.json"
    with suppress(OSError, ValueError, TypeError, KeyError):  # none is kept, or it cannot be read
        kept = json.loads(place.read_text(encoding="utf-8"))
        if kept["sources"] == mark:
            return tuple(Listed(**law) for law in kept["laws"])
    with uncollected():  # nearly all that a law is made of stays: looking for garbage takes a tenth of the time
        found = tuple(_of_registry())
    if len({law.name for law in found}) < len(found):
        laws()  # two laws of one name are refused there
    if all(changed_at(file) <= experiments.STARTED for file in files):
        with suppress(OSError):  # a cache that cannot be written costs time, nothing else
            write_text(place, json.dumps({"sources": mark, "laws": [asdict(law) for law in found]}))
    return found


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is looked for while the block runs; afterwards as before, however it ends."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _theory() -> Path:
    """Folder of the package ``theory``."""
    package = file_of("theory")
    assert package is not None  # it is installed with this module
    return package.parent


def _texts(folder: Path, files: tuple[Path, ...]) -> Iterator[str]:
    for file in files:
        yield file.relative_to(folder).as_posix()
        yield file.read_text(encoding="utf-8")


def _of_registry() -> Iterator[Listed]:
    """The first topic's laws from this process, the others' from one beside it; all from here once SymPy is loaded."""
    from theory.registry import TOPICS

    here, *others = TOPICS
    if "sympy" in sys.modules:
        yield from _of_topics(TOPICS)
        return
    command = [sys.executable, "-m", "experiments.listing", *others]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as beside:
        yield from _of_topics((here,))
        told = beside.communicate()[0]
    if beside.returncode == 0:
        yield from (Listed(**law) for law in json.loads(told))
    else:  # what went wrong there is said here
        yield from _of_topics(others)


def _of_topics(topics: Iterable[str]) -> Iterator[Listed]:
    from theory.registry import modules

    for module in (module for topic in topics for module in modules(topic)):
        for law in getattr(module, "LAWS", ()):
            origin = law.source
            source = f"{origin.sentence} ({origin.paper}, {origin.place}; {', '.join(origin.ids)})"
            derived = law.derivation is not None
            yield Listed(law.name, law.claim.kind, law.status.value, source, module.__name__, derived)


if __name__ == "__main__":
    with uncollected():
        print(json.dumps([asdict(law) for law in _of_topics(sys.argv[1:])]))
    gc.freeze()  # the end does not look for garbage either
