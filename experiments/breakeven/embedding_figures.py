"""The paper's Figures 1 and 8: test predictions along training, in a plane, from the stored trajectories."""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from experiments.breakeven.maxima_panels import NAMES
from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_figures import ends, over_rates
from experiments.breakeven.trajectory_summary import RATE, STATISTICS, converged, smoothed
from experiments.figures import Datasets, Figure
from experiments.pictures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Plane = Callable[[np.ndarray], np.ndarray]


def principal_plane(points: np.ndarray) -> np.ndarray:
    """Coordinates of the rows on their first two principal directions."""
    centred = points - points.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T


def umap_plane(points: np.ndarray) -> np.ndarray:
    """Coordinates by UMAP with 15 neighbours, an optional extra (`pip install 'assay[umap]'`).

    Raises
    ------
    ValueError
        If it is not installed.
    """
    try:
        from umap import UMAP  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ValueError(f"umap_plane: UMAP is not installed ({error}); run pip install 'assay[umap]'") from error
    return np.asarray(UMAP(n_neighbors=15, random_state=0).fit_transform(points))


def embedded(names: tuple[str, ...], plane: Plane = principal_plane) -> Callable[[np.ndarray, Datasets], None]:
    """Draw test predictions along the runs of the first seed, coloured by the logarithm of a statistic."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        runs = ends(datasets[STUDY.name]).isel(seed=0)
        points = runs["embedding"].transpose("run", "record", "feature").values
        flat = plane(points.reshape(-1, points.shape[-1])).reshape(*points.shape[:2], 2)
        for panel, name in zip(axes.flat, names, strict=True):
            values = runs["accuracy"] if name == "accuracy" else STATISTICS[name](runs)
            shown = values.transpose("run", "record").values
            shown = shown if name == "accuracy" else np.log10(shown)
            _paths(panel, flat, shown, runs[RATE].values)
            panel.set_title("training accuracy" if name == "accuracy" else f"log10 {NAMES[name]}", fontsize=style.SIZE)

    return draw


def _paths(panel: Axes, flat: np.ndarray, shown: np.ndarray, rates: np.ndarray) -> None:
    low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
    dots = None
    for run, (path, values) in enumerate(zip(flat, shown, strict=True)):
        panel.plot(*path.T, color=style.SOFT, linewidth=0.8, linestyle=style.LINES[run], zorder=1)
        dots = panel.scatter(
            *path.T, c=values, vmin=low, vmax=high, cmap="viridis", s=22, marker=style.MARKERS[run], zorder=2,
            label=f"eta = {rates[run]:.3g}",
        )  # fmt: skip
    canvas = panel.get_figure()
    if canvas is not None and dots is not None:
        canvas.colorbar(dots, ax=panel, fraction=0.05, pad=0.02).ax.tick_params(labelsize=style.SIZE - 1)
    style.label(panel, "first direction of the test predictions", "second direction")
    style.legend(panel)


def _said_of_paths(datasets: Datasets) -> str:
    runs = over_rates(datasets[STUDY.name])
    loss = smoothed(runs["lambda_K"]).max("record").mean("seed").values
    return (
        f"The smoothed maximum of lambda_K is {loss[0]:.3g} at the lowest rate and {loss[-1]:.3g} at the highest, "
        f"means over {runs.sizes['seed']} seeds; the share of seeds that converge there is "
        f"{float(converged(runs).isel(run=-1).mean()):.0%}. A linear projection of the first seed's predictions."
    )


_EMBEDDED = {"breakeven.figure_1": ("lambda_k", "accuracy"), "breakeven.figure_8": ("ratio_km", "trace_k", "lambda_h")}
_LINEAR = (
    Figure(
        name="breakeven.figure_1",
        title="Test predictions along training for a low and a high learning rate",
        studies=(STUDY.name,),
        place="Figure 1",
        claim="The two runs part early; the one with the lower rate reaches a larger lambda_K at equal accuracy.",
        draw=embedded(_EMBEDDED["breakeven.figure_1"]),
        found=_said_of_paths,
        panels=(1, 2),
    ),
    Figure(
        name="breakeven.figure_8",
        title="The same trajectories: conditioning, trace and sharpness",
        studies=(STUDY.name,),
        place="Figure 8, Appendix A",
        claim="The higher rate leads through better conditioning, a smaller trace of K and a smaller lambda_H.",
        draw=embedded(_EMBEDDED["breakeven.figure_8"]),
        found=_said_of_paths,
        panels=(1, 3),
    ),
)
_BY_UMAP = tuple(
    replace(figure, name=f"{figure.name}_umap", draw=embedded(_EMBEDDED[figure.name], umap_plane))
    for figure in _LINEAR
    if figure.name in _EMBEDDED
)
FIGURES = (*_LINEAR, *(_BY_UMAP if find_spec("umap") is not None else ()))
"""The embeddings once more by UMAP, as in the paper, where it is installed."""
