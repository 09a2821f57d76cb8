"""Figures 4 and 5 of the temperature paper on small networks: the best learning rate, and features at large beta."""

from __future__ import annotations

import numpy as np
import xarray as xr

from experiments.figures import Datasets, Figure
from experiments.pictures.style import PREDICTED, label, legend
from experiments.temperature.early_figures import curve, logs
from experiments.temperature.full_training import best_rates

BEST, STRIPE = "temperature.best_learning_rate", "temperature.features_at_large_beta"


def best_learning_rate(axes: np.ndarray, datasets: Datasets) -> None:
    """The best rate over beta for each number of layers, with the lines of exponent -2/H."""
    data = datasets[BEST]
    best = xr.apply_ufunc(np.exp, _log_best(datasets))
    (panel,) = axes[0]
    for index, layers in enumerate(data["layers"].values):
        one = best.sel(layers=layers)
        panel.plot(one["beta"], one, label=f"H = {layers:g}", **(curve(index) | {"linestyle": "none"}))
        first = float(one["beta"].max())
        line = float(one.sel(beta=first)) * (one["beta"] / first) ** (-2 / float(layers))
        panel.plot(one["beta"], line, color=PREDICTED, linestyle=("-", "--")[index % 2], label=f"beta^(-2/{layers:g})")
    logs(panel)
    label(panel, "beta", "learning rate with the least training loss")
    legend(panel, 4)


def _log_best(datasets: Datasets) -> xr.DataArray:
    return xr.apply_ufunc(np.log, best_rates(datasets[BEST])["measured"]).mean("seed")


def exponents(datasets: Datasets) -> dict[float, float]:
    """Slope of the best rate over beta for each number of layers."""
    best = _log_best(datasets)
    x = np.log(best["beta"].values)
    return {
        float(layers): float(np.polyfit(x, best.sel(layers=layers).transpose("beta").values, 1)[0])
        for layers in best["layers"].values
    }


def found_best(datasets: Datasets) -> str:
    """The exponents."""
    told = ", ".join(f"{slope:.2f} for H = {layers:g}" for layers, slope in exponents(datasets).items())
    return f"the exponents are {told}: -2/H, which is -1 for H = 2 alone."


def features(axes: np.ndarray, datasets: Datasets) -> None:
    """Accuracy over the learning rate, of the network and of its linearisation."""
    data = datasets[STRIPE].mean("seed")
    for panel, name in zip(axes[0], ("test", "train"), strict=True):
        for index, system in enumerate(("network", "linearised")):
            one = data[name].sel(system=system)
            panel.plot(one["scaled_rate"], one, label=system, **curve(index))
        logs(panel, y=False)
        label(panel, "learning rate times beta, at beta = 100", f"{name} accuracy")
        legend(panel, 2)


def found_features(datasets: Datasets) -> str:
    """What the learning rate brings to each system."""
    test = datasets[STRIPE]["test"].mean("seed")
    told = {str(s): [float(test.sel(system=s).isel(scaled_rate=k)) for k in (0, -1)] for s in test["system"].values}
    network, linear = told["network"], told["linearised"]
    return (
        f"from the smallest to the largest rate test accuracy goes from {network[0]:.2f} to {network[1]:.2f} for the "
        f"network and from {linear[0]:.2f} to {linear[1]:.2f} for its linearisation: at eta ~ 1/beta a network "
        "with large beta does not stay linearised."
    )


FIGURES = (
    Figure(
        "temperature.figure_4",
        "The best learning rate of homogeneous networks over beta",
        "fig 4",
        "the optimal learning rate of a wide residual network scales as 1/beta.",
        (BEST,),
        best_learning_rate,
        found_best,
    ),
    Figure(
        "temperature.figure_5_features",
        "Accuracy on the stripe task at beta = 100 over the learning rate",
        "sec 3.2, fig 5",
        "models with large beta are close to their linearisation throughout training, and generalise alike.",
        (STRIPE,),
        features,
        found_features,
        (1, 2),
    ),
)
