"""Figures 1 to 3 of the temperature paper, redrawn: linearised curves, the early timescale, the nonlinear one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from experiments.figures import Datasets, Figure
from experiments.pictures.style import GREYS, LINES, MARKERS, PREDICTED, label, legend
from experiments.temperature.correlated_start import nonlinear_time
from experiments.temperature.early_learning import times
from experiments.temperature.nonlinear_time import nonlinear
from experiments.temperature.time_to_accuracy import spreads

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEVIATION, EARLY, ACCURACY, START, NONLINEAR = (
    f"temperature.{name}"
    for name in ("deviation", "early_learning", "time_to_accuracy", "correlated_start", "nonlinear_time")
)
LINEAR = {"color": PREDICTED, "linewidth": 2.0, "linestyle": "-", "zorder": 1}


def curve(index: int) -> dict[str, Any]:
    """Line, marker and grey of the n-th curve."""
    return {
        "color": GREYS[index % len(GREYS)], "linestyle": LINES[index % len(LINES)], "linewidth": 1.0,
        "marker": MARKERS[index % len(MARKERS)], "markersize": 3.4,
        "markerfacecolor": "white" if index % 2 else GREYS[index % len(GREYS)],
    }  # fmt: skip


def logs(axes: Axes, x: bool = True, y: bool = True) -> None:
    """Logarithmic axes."""
    if x:
        axes.set_xscale("log")
    if y:
        axes.set_yscale("log")


def linearised_curves(axes: np.ndarray, datasets: Datasets) -> None:
    """Loss against eta t and against eta~ t; deviation against beta."""
    data = datasets[DEVIATION].mean("seed")
    raw, rescaled, deviation = axes[0]
    for index, beta in enumerate(data["beta"].values):
        one = data.sel(beta=beta)
        raw.plot(one["time"] / beta**2, one["loss"], label=f"beta = {beta:g}", **curve(index))
        rescaled.plot(one["time"], one["loss"], **curve(index))
    line = data.sel(beta=data["beta"].max())
    rescaled.plot(line["time"], line["loss_linear"], label="linearised", **LINEAR)
    logs(raw, y=False)
    logs(rescaled, y=False)
    label(raw, "eta t", "training loss per point")
    label(rescaled, "eta~ t", "training loss per point")
    for index, time in enumerate((0.03, 0.3, 3.0)):
        one = data["deviation"].sel(time=time, method="nearest")
        deviation.plot(one["beta"], one, label=f"eta~ t: {time:g}", **curve(index))
    betas = data["beta"].values
    last = float(data["deviation"].sel(time=3.0, method="nearest").sel(beta=betas[-1]))
    deviation.plot(betas, last * betas[-1] / betas, label="1/beta", **LINEAR)
    logs(deviation)
    label(deviation, "beta", "relative deviation from the linearisation")
    for panel in (raw, rescaled, deviation):
        legend(panel, 5)


def found_linearised(datasets: Datasets) -> str:
    """How far losses collapse, and the slopes of the deviation."""
    data = datasets[DEVIATION].mean("seed")
    large = data["deviation"].sel(beta=[10.0, 100.0])
    ratios = (large.sel(beta=100.0) / large.sel(beta=10.0)).sel(time=[0.03, 0.3, 3.0], method="nearest")
    loss = data["loss"].sel(time=0.3, method="nearest")
    spread = float(loss.max() / loss.min() - 1)
    exponents = ", ".join(f"{np.log10(float(ratio)):.3f}" for ratio in ratios)
    per_beta = (data["time"].max() / data["beta"] ** 2).values
    return (
        f"at eta~ t = 0.3 the losses of all temperatures agree to {100 * spread:.1f} %, while against eta t the curves "
        f"lie a factor {per_beta.max() / per_beta.min():.0g} apart (beta^2); from beta = 10 to 100 the deviation "
        f"follows beta with the exponents {exponents} at eta~ t = 0.03, 0.3 and 3."
    )


def early_timescale(axes: np.ndarray, datasets: Datasets) -> None:
    """tau_z over the logits' size; accuracy against time, and against time over tau_z."""
    per_logit, raw, rescaled = axes[0]
    for index, activation in enumerate(("erf", "scaled_relu")):
        one = _per_logit(datasets[EARLY], activation)
        for place, beta in enumerate(one["beta"].values):
            per_logit.plot(
                one["logit_scale"], one.sel(beta=beta) / one.sel(beta=beta, logit_scale=1e-5),
                label=activation if place == 0 else None, **curve(index),
            )  # fmt: skip
    logs(per_logit, y=False)
    label(per_logit, "rms Z0 (a curve for each beta)", "tau_z / ||Z0||, over its value at small logits")
    data = datasets[ACCURACY].sel(activation="erf")
    for index, size in enumerate(data["logit_scale"].values):
        one = data.sel(logit_scale=size)
        accuracy, tau = one["accuracy"].mean("seed"), float(one["tau_z"].mean())
        raw.plot(one["time"][1:] * tau, accuracy[1:], markevery=6, **curve(index))
        rescaled.plot(one["time"], accuracy, label=f"rms Z0: {size:g}", markevery=6, **curve(index))
    logs(raw, y=False)
    label(raw, "eta~ t", "training accuracy, erf network")
    label(rescaled, "t / tau_z", "training accuracy, erf network")
    legend(per_logit, 2)
    legend(rescaled, 6)


def _per_logit(dataset: xr.Dataset, activation: str) -> xr.DataArray:
    own = times(dataset.sel(system="cross_entropy", activation=activation))
    return (own["eta_tilde"] * own["tau_z"] / own["norm_Z0"]).mean("seed")


def found_early(datasets: Datasets) -> str:
    """Spread over beta and the ends, and how far times to an accuracy collapse."""
    ends, spread = [], 0.0
    for activation in ("erf", "scaled_relu"):
        one = _per_logit(datasets[EARLY], activation)
        ends.append(f"{float(one.sel(logit_scale=1e4, beta=1.0) / one.sel(logit_scale=1e-5, beta=1.0)):.2f}")
        spread = max(spread, float((one.max("beta") / one.min("beta") - 1).max()))
    both = spreads(datasets[ACCURACY])
    ratio = (both["spread_rescaled"] / both["spread_raw"]).mean("seed")
    return (
        f"tau_z / ||Z0|| is the same at all beta to {spread:.0e} and changes by the factors {' (erf) and '.join(ends)} "
        f"(ReLU) from small to large logits; rescaling shrinks the spread of the log time to 60 % accuracy to "
        f"{100 * float(ratio.sel(activation='erf')):.1f} % (erf) and "
        f"{100 * float(ratio.sel(activation='scaled_relu')):.1f} % (ReLU). The collapse is in the right panel, as the "
        "caption has it, not in the middle one, as the text does."
    )


def nonlinear_timescale(axes: np.ndarray, datasets: Datasets) -> None:
    """tau_nl over the phase plane, raw and over beta, from both starts."""
    raw, rescaled, halves = axes[0]
    for panel, system, over in ((raw, "one_half", 0), (rescaled, "one_half", 1), (halves, "both_halves", 1)):
        time = reachable(datasets[START].sel(system=system))
        for index, beta in enumerate(time["beta"].values):
            panel.plot(time["logit_scale"], time.sel(beta=beta) / beta**over, label=f"beta = {beta:g}", **curve(index))
    offset = _offset(datasets).mean("beta").sel(logit_scale=slice(1e-3, None))
    rescaled.plot(offset["logit_scale"], offset, label="exact offset, other seeds", **LINEAR)
    for panel in axes[0]:
        logs(panel)
    rescaled.set_ylim(1, 20)
    label(raw, "rms Z0 (one half trained)", "eta~ tau_nl")
    label(rescaled, "rms Z0 (one half trained)", "eta~ tau_nl / beta")
    label(halves, "rms Z0 (both halves trained)", "eta~ tau_nl / beta")
    for panel in axes[0]:
        legend(panel, 5)


def reachable(dataset: xr.Dataset) -> xr.DataArray:
    """Mean eta~ tau_nl over the seeds, where some correlation gives the logits."""
    return nonlinear_time(dataset).where(dataset["excess"] < 2).mean("seed", skipna=False)


def _offset(datasets: Datasets) -> xr.DataArray:
    """The same over beta from the exact offset, where the kernel's part is found by subtracting the plane's."""
    own = datasets[NONLINEAR].sel(system="one_half", activation="erf")
    return (nonlinear(own)["measured"] / own["beta"]).mean("seed")


def found_nonlinear(datasets: Datasets) -> str:
    """Spread over beta of tau_nl / beta from both starts, and the exponent with both halves trained."""
    data = datasets[START]
    paired, offset = reachable(data.sel(system="one_half")) / data["beta"], _offset(datasets)
    exact, near = (float((over.max("beta") / over.min("beta") - 1).max()) for over in (offset, paired))
    small = reachable(data.sel(system="both_halves")).sel(logit_scale=1e-2)
    exponent = float(np.log(small.sel(beta=100.0) / small.sel(beta=1.0)) / np.log(100.0))
    return (
        f"with one half trained tau_nl / beta differs over beta by at most {exact:.0e} from the exact "
        f"offset, and by {100 * near:.1f} % from the paper's correlated start, whose direction Z0/||Z0|| "
        f"turns with beta. With both halves trained, which the paper allows, tau_nl goes like beta^{exponent:.2f}."
    )


FIGURES = (
    Figure(
        "temperature.figure_1",
        "Learning curves against eta t and eta~ t, and the deviation from the linearisation",
        "fig 1",
        "at fixed initial logits curves against eta~ t collapse early to that of the linearised model; models with "
        "large beta follow it the longest.",
        (DEVIATION,),
        linearised_curves,
        found_linearised,
        (1, 3),
    ),
    Figure(
        "temperature.figure_2",
        "The early timescale, and accuracy against time and against time over tau_z",
        "fig 2",
        "in units of eta~ tau_z depends on ||Z0|| alone, linearly up to a factor of order 1; accuracy curves collapse "
        "early when time is divided by tau_z.",
        (EARLY, ACCURACY),
        early_timescale,
        found_early,
        (1, 3),
    ),
    Figure(
        "temperature.figure_3",
        "The nonlinear timescale over the phase plane",
        "fig 3",
        "tau_nl varies much over beta and ||Z0||; most of that is a linear dependence on beta, and the rest depends on "
        "||Z0|| alone, by a factor of order 1.",
        (START, NONLINEAR),
        nonlinear_timescale,
        found_nonlinear,
        (1, 3),
    ),
)
