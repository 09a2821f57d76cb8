"""The paper's Figures 1, 2, 3, 4, 5, 8 and 9, redrawn from the stored trajectories."""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import sweep
from experiments.breakeven.trajectory_summary import STATISTICS, chosen, converged, described, largest, smoothed
from experiments.figures import Datasets, Figure
from experiments.pictures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RATE = "learning_rate"
NAMES: Mapping[str, str] = {
    "lambda_h": "lambda_H",
    "lambda_k": "lambda_K",
    "lambda_km": "lambda_KM",
    "trace_k": "Tr K",
    "ratio_k": "lambda*_K / lambda_K",
    "ratio_km": "lambda*_KM / lambda_KM",
}
Plane = Callable[[np.ndarray], np.ndarray]


def over_rates(data: xr.Dataset) -> xr.Dataset:
    """All runs over learning rates, those that do not converge too."""
    return chosen(described(data, STUDY), RATE, batch_size=32, momentum=0.0, decays=False)


def ends(data: xr.Dataset) -> xr.Dataset:
    """The lowest and the highest learning rate."""
    return over_rates(data).isel(run=[0, -1])


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


def early(axes: np.ndarray, datasets: Datasets) -> None:
    """lambda_K, lambda_H and the change of the loss in a step, over flow time."""
    runs = ends(datasets[STUDY.name])
    half = slice(0, runs.sizes["record"] // 2 + 1)
    shown = ((runs["lambda_K"], "lambda_K"), (runs["lambda_H"], "lambda_H"), (runs["loss_rises"], "share of rises"))
    for panel, (curve, name) in zip(axes.flat, shown, strict=True):
        for run in range(runs.sizes["run"]):
            values = curve.isel(run=run, record=half).transpose("seed", "record").values
            panel.plot(values.T, color=style.BAND, linewidth=0.6, zorder=0)
            panel.plot(
                values.mean(axis=0), color=style.INK, linestyle=style.LINES[run],
                label=f"eta = {float(runs[RATE][run]):.3g}",
            )  # fmt: skip
        style.label(panel, "record (equal steps of flow time)", name)
        style.legend(panel)


def _said_early(datasets: Datasets) -> str:
    runs = sweep(datasets[STUDY.name], STUDY, RATE)
    peak = smoothed(runs["lambda_K"]).argmax("record") + 1
    accuracy = runs["accuracy"].isel(record=peak).mean("seed").values
    first = float(runs["loss_rises"].isel(record=slice(0, 2)).mean())
    top = float(runs["loss_rises"].isel(record=peak).mean())
    words = ", ".join(f"{value:.0%}" for value in accuracy)
    return (
        f"Training accuracy where lambda_K is largest, by rising rate: {words}; the paper says about 60 %. The "
        f"share of steps that raise the loss goes from {first:.2f} at the start to {top:.2f} there."
    )


def spectra(axes: np.ndarray, datasets: Datasets) -> None:
    """Leading eigenvalues of K and Ritz values of H where lambda_K is largest, first seed."""
    runs = ends(datasets[STUDY.name])
    for panel, name in zip(axes.flat, ("spectrum_K", "spectrum_H"), strict=True):
        for run in range(runs.sizes["run"]):
            one = runs.isel(run=run, seed=0)
            at = int(one["lambda_K"].argmax("record"))
            values = one[name].isel(record=at).values
            values = values[values > 0]
            panel.plot(
                np.arange(1, values.size + 1), values, color=style.GREYS[run], marker=style.MARKERS[run],
                linestyle="none", markersize=4.5, label=f"eta = {float(one[RATE]):.3g}",
            )  # fmt: skip
        style.label(panel, "number of the eigenvalue", "eigenvalue of K" if name == "spectrum_K" else "Ritz value of H")
        style.logarithmic(panel, "y")
        style.legend(panel)


def outliers(runs: xr.Dataset) -> xr.DataArray:
    """Eigenvalues of K at its maximum that exceed a third of the largest one of the highest rate, by run."""
    at = runs["lambda_K"].argmax("record")
    spectrum = runs["spectrum_K"].isel(record=at)
    level = spectrum.isel(eigen=0, run=-1) / 3
    return (spectrum > level).sum("eigen").mean("seed")


def _said_spectra(datasets: Datasets) -> str:
    runs = ends(datasets[STUDY.name])
    counts = outliers(runs).values
    return (
        "Eigenvalues of K at its maximum above a third of the highest rate's largest, mean over seeds: "
        f"{counts[0]:.1f} at the lowest rate, {counts[-1]:.1f} at the highest (the paper: more at the lower)."
    )


def points(panel: Axes, runs: xr.Dataset, control: str, name: str) -> None:
    """Mean and standard error over seeds of the largest values of a statistic, along a control."""
    for index, view in enumerate(("smoothed", "raw")):
        values = largest(STATISTICS[name](runs), view).transpose("run", "seed").values
        error = values.std(axis=1, ddof=1) / values.shape[1] ** 0.5 if values.shape[1] > 1 else None
        places = np.arange(values.shape[0])
        panel.errorbar(places, values.mean(axis=1), yerr=error, label=view, **style.marks(index))
    panel.set_xticks(np.arange(runs.sizes["run"]), [f"{value:.3g}" for value in runs[control].values])
    words = {RATE: "eta", "batch_size": "S", "momentum": "beta"}
    style.label(panel, words[control], f"max {NAMES[name]}")
    style.legend(panel)


def maxima_over(names: tuple[str, ...]) -> Callable[[np.ndarray, Datasets], None]:
    """Draw largest values of statistics over learning rates (first row) and batch sizes (second row)."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        for row, control in zip(axes, (RATE, "batch_size"), strict=True):
            runs = sweep(datasets[STUDY.name], STUDY, control)
            for panel, name in zip(row, names, strict=True):
                points(panel, runs, control, name)

    return draw


def _said_maxima(names: tuple[str, ...]) -> Callable[[Datasets], str]:
    def found(datasets: Datasets) -> str:
        parts = []
        for control, word in ((RATE, "rate"), ("batch_size", "batch size")):
            runs = sweep(datasets[STUDY.name], STUDY, control)
            for name in names:
                top = largest(STATISTICS[name](runs), "smoothed").transpose("run", "seed").values
                means = np.exp(np.log(top).mean(axis=1))
                parts.append(f"{NAMES[name]} x{means[-1] / means[0]:.2f} over {word}")
            parts.append(f"left out: {runs.attrs['excluded'] or 'nothing'}")
        return "Smoothed maxima from the lowest to the highest level: " + "; ".join(parts) + "."

    return found


def estimates(axes: np.ndarray, datasets: Datasets) -> None:
    """lambda_K of the examples against that of 25 batches of 16, all records, three rates."""
    runs = over_rates(datasets[STUDY.name])
    places = sorted({0, runs.sizes["run"] // 2, runs.sizes["run"] - 1})
    panel = axes.flat[0]
    for index, run in enumerate(places):
        one = runs.isel(run=run)
        panel.plot(
            one["lambda_K"].values.ravel(), one["lambda_KM"].values.ravel(), color=style.GREYS[index], alpha=0.6,
            marker=style.MARKERS[index], markersize=3, linestyle="none", label=f"eta = {float(one[RATE]):.3g}",
        )  # fmt: skip
    ends_ = np.array([float(runs["lambda_K"].min()), float(runs["lambda_K"].max())])
    panel.plot(ends_, ends_, color=style.PREDICTED, linewidth=1.0, label="equal")
    style.logarithmic(panel, "x")
    style.logarithmic(panel, "y")
    style.label(panel, "lambda_K of single examples (M = 1), exact", "lambda_KM, M = 16, times M L/(L-1)")
    style.legend(panel)


def _said_estimates(datasets: Datasets) -> str:
    runs = over_rates(datasets[STUDY.name])
    exact, estimated = np.log(runs["lambda_K"].values.ravel()), np.log(runs["lambda_KM"].values.ravel())
    correlation = float(np.corrcoef(exact, estimated)[0, 1])
    factor = float(np.exp(np.median(estimated - exact)))
    return (
        f"Correlation of the logarithms {correlation:.3f}; the estimate is {factor:.2f} times the exact value (median)."
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
    Figure(
        name="breakeven.figure_2",
        title="Early training: gradient covariance, sharpness, and steps that raise the loss",
        studies=(STUDY.name,),
        place="Figure 2",
        claim="lambda_K and lambda_H grow together; the loss starts to rise in steps as lambda_K nears its maximum.",
        draw=early,
        found=_said_early,
        panels=(1, 3),
    ),
    Figure(
        name="breakeven.figure_3",
        title="Spectra of K and H at the maximum of lambda_K",
        studies=(STUDY.name,),
        place="Figure 3",
        claim="The lower learning rate has more outliers in both spectra.",
        draw=spectra,
        found=_said_spectra,
        panels=(1, 2),
    ),
    Figure(
        name="breakeven.figure_4",
        title="Largest eigenvalue and conditioning of the gradient covariance over rate and batch size",
        studies=(STUDY.name,),
        place="Figure 4",
        claim="A larger rate or a smaller batch gives a smaller maximum of lambda_K and a larger lambda*_K / lambda_K.",
        draw=maxima_over(("lambda_k", "lambda_km", "ratio_km")),
        found=_said_maxima(("lambda_k", "lambda_km", "ratio_km")),
        panels=(2, 3),
        row_height=2.6,
    ),
    Figure(
        name="breakeven.figure_5",
        title="Largest sharpness and trace of the gradient covariance over rate and batch size",
        studies=(STUDY.name,),
        place="Figure 5",
        claim="A larger rate or a smaller batch gives a smaller maximum of lambda_H.",
        draw=maxima_over(("lambda_h", "trace_k")),
        found=_said_maxima(("lambda_h", "trace_k")),
        panels=(2, 2),
        row_height=2.6,
    ),
    Figure(
        name="breakeven.figure_9",
        title="The largest eigenvalue of K from single examples and from mini-batches",
        studies=(STUDY.name,),
        place="Figure 9, Appendix C",
        claim="lambda_K from M = 1 and from M = 128 are correlated for three learning rates.",
        draw=estimates,
        found=_said_estimates,
    ),
)
_BY_UMAP = tuple(
    replace(figure, name=f"{figure.name}_umap", draw=embedded(_EMBEDDED[figure.name], umap_plane))
    for figure in _LINEAR
    if figure.name in _EMBEDDED
)
FIGURES = (*_LINEAR, *(_BY_UMAP if find_spec("umap") is not None else ()))
"""The embeddings once more by UMAP, as in the paper, where it is installed."""
