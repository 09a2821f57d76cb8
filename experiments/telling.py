"""What a report tells: each law judged again from its store, and its picture; a study is read once, on a core of its
own where there are several.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import matplotlib.figure
import xarray as xr

from experiments.beside import beside, cores, worth_it
from experiments.figures import drawn, earlier, figures, stored
from experiments.plot import picture_of, screen_png
from experiments.proofs import cached_proof
from experiments.registry import studies
from experiments.result import Result
from experiments.stored import store_path
from experiments.study import Check
from experiments.verdict import judge, observe, unmeasured
from experiments.verify import stored_dataset
from theory.registry import laws

T = TypeVar("T")


class Told(NamedTuple):
    """A law as it is told: its result, its picture (a PNG image for a screen), and why it has none where it should.

    Of a store that is there and cannot be told, the first of its laws complains.
    """

    result: Result
    picture: bytes | None
    complaint: str


def told_laws(out: Path) -> Iterator[Told]:
    """Every law, study by study as they are done; one without a study or a store of this version is told unmeasured.

    Raises
    ------
    ValueError
        If a process that judges and draws was killed.
    """
    listed = sorted(studies().values(), key=lambda study: -len(study.checks))
    here = [study.name for study in listed if store_path(out, study.name).exists()]
    for told in _each(_told_study, here, out):
        yield from told
    for study in listed:
        if study.name not in here:
            yield from _told_study(study.name, out)
    checked = {check.law for study in listed for check in study.checks}
    for law in laws().values():
        if law.name not in checked:
            yield Told(unmeasured(law, cached_proof(law), "no study checks this law"), None, "")


def told_figures(out: Path) -> Iterator[tuple[str, bytes | None, str]]:
    """Name, image and complaint of every paper's figure whose studies are all stored."""
    names = [name for name, figure in figures().items() if all(store_path(out, one).exists() for one in figure.studies)]
    yield from _each(_told_figure, names, out)


def _each(tell: Callable[[str, Path], T], names: list[str], out: Path) -> Iterator[T]:
    """What is told of each name, in processes of their own where they are worth it."""
    if not worth_it(len(names)):
        yield from (tell(name, out) for name in names)
        return
    with beside(cores()) as pool:
        jobs: list[Future[T]] = [pool.submit(tell, name, out) for name in names]
        try:
            yield from (job.result() for job in jobs)
        except BrokenProcessPool as error:
            raise ValueError(
                "report: a process that draws was killed, for want of memory perhaps; make room and run it again"
            ) from error


def _told_study(name: str, out: Path) -> list[Told]:
    study, dataset, told = studies()[name], None, []
    for check in study.checks:
        law = laws()[check.law]
        try:
            dataset = stored_dataset(study, out, law.name) if dataset is None else dataset
        except ValueError as error:  # no store, or one that is damaged or of another version: told in the report
            complaint = "" if told or not store_path(out, name).exists() else f"report: {error}"
            told.append(Told(unmeasured(law, cached_proof(law), str(error)), None, complaint))
            continue
        result = judge(law, study, check, dataset, cached_proof(law))
        compared = result.comparison is not None
        drawing = partial(_drawn_law, result, check, dataset)
        told.append(Told(result, *_image(law.name, drawing)) if compared else Told(result, None, ""))
    return told


def _drawn_law(result: Result, check: Check, dataset: xr.Dataset) -> matplotlib.figure.Figure:
    return picture_of(result, observe(check, dataset))


def _told_figure(name: str, out: Path) -> tuple[str, bytes | None, str]:
    figure = figures()[name]
    image, complaint = _image(name, lambda: drawn(figure, stored(figure, out)))
    return name, image, complaint or earlier(figure, out)


def _image(name: str, draw: Callable[[], matplotlib.figure.Figure]) -> tuple[bytes | None, str]:
    try:
        return screen_png(draw()), ""
    except Exception as error:  # a picture is no reason to lose a report
        return None, f"plot {name}: {type(error).__name__}: {error}"
