"""The paper's Figures 2, 3, 4, 5 and 9, redrawn from the stored trajectories."""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.maxima_claims import accuracy_there, outliers
from experiments.breakeven.maxima_panels import row_of_points, said_factors
from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import sweep
from experiments.breakeven.trajectory_summary import BATCH, RATE, STATISTICS, WINDOW, chosen, described, smoothed
from experiments.figures import Datasets, Figure
from experiments.pictures import style

CONTROLS: Mapping[str, str] = {RATE: "learning rate", BATCH: "batch size"}


def over_rates(data: xr.Dataset) -> xr.Dataset:
    """All runs over learning rates, those that do not converge too."""
    return chosen(described(data, STUDY), RATE, batch_size=32, momentum=0.0, decays=False)


def ends(data: xr.Dataset) -> xr.Dataset:
    """The lowest and the highest learning rate."""
    return over_rates(data).isel(run=[0, -1])


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
        panel.locator_params(axis="x", integer=True)
        style.label(panel, "record (equal steps of flow time)", name)
        style.legend(panel)


def _said_early(datasets: Datasets) -> str:
    runs = sweep(datasets[STUDY.name], STUDY, RATE)
    peak = smoothed(runs["lambda_K"]).argmax("record") + 1
    accuracy = accuracy_there(runs, "lambda_k").mean("seed").values
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
        panel.locator_params(axis="x", integer=True)
        style.label(panel, "number of the eigenvalue", "eigenvalue of K" if name == "spectrum_K" else "Ritz value of H")
        style.logarithmic(panel, "y")
        style.legend(panel)


def _said_spectra(datasets: Datasets) -> str:
    runs = ends(datasets[STUDY.name])
    words = []
    for name, matrix in (("outliers_k", "K"), ("outliers_h", "H")):
        counts = outliers(runs, name).mean("seed").values
        words.append(f"of {matrix} {counts[0]:.1f} at the lowest rate and {counts[-1]:.1f} at the highest")
    return (
        "Eigenvalues at the maximum above a third of the highest rate's largest, mean over seeds: "
        f"{', '.join(words)} (the paper: more at the lower)."
    )


def maxima_over(names: tuple[str, ...]) -> Callable[[np.ndarray, Datasets], None]:
    """Draw largest values of statistics over learning rates (first row) and batch sizes (second row)."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        for row, control in zip(axes, CONTROLS, strict=True):
            row_of_points(row, sweep(datasets[STUDY.name], STUDY, control), control, names)

    return draw


def _said_maxima(names: tuple[str, ...]) -> Callable[[Datasets], str]:
    def found(datasets: Datasets) -> str:
        parts = [
            f"over the {word}: {said_factors(sweep(datasets[STUDY.name], STUDY, control), names)}"
            for control, word in CONTROLS.items()
        ]
        return "Smoothed maxima from the lowest to the highest level, " + ". ".join(parts) + "."

    return found


CONDITIONED = ("lambda_k", "lambda_km", "ratio_km")
"""Statistics of Figure 4."""


def _said_conditioning(datasets: Datasets) -> str:
    """The factors, and where the ratio is largest, which may be next to the common start (breakeven:G8)."""
    parts = []
    for control, word in CONTROLS.items():
        runs = sweep(datasets[STUDY.name], STUDY, control)
        where = smoothed(STATISTICS["ratio_km"](runs)).argmax("record") + WINDOW // 2
        shares = (where / (runs.sizes["record"] - 1)).mean("seed").values
        parts.append(f"over the {word}: {', '.join(f'{share:.2f}' for share in shares)}")
    said = f"lambda*_KM / lambda_KM is largest after these shares of training, means over seeds, {'; '.join(parts)}."
    return f"{_said_maxima(CONDITIONED)(datasets)} {said}"


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


FIGURES = (
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
        draw=maxima_over(CONDITIONED),
        found=_said_conditioning,
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
