"""Partition: the signature of each representative, feature by feature, against that of its own regime."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.scene import SEED, Scene, Series, number


def draw(axes: Axes, scene: Scene) -> None:
    """One column a regime; in it one marker a feature, over a bar of predicted +- margin."""
    signature = scene.observation["signature"]
    if SEED not in signature.dims:
        signature = signature.expand_dims(SEED)
    signature = signature.transpose(SEED, "regime", "feature")
    regimes = [number(value) for value in signature["regime"].values] if "regime" in signature.coords else None
    features = [number(value) for value in signature["feature"].values] if "feature" in signature.coords else None
    count, width = signature.sizes["regime"], signature.sizes["feature"]
    expected = scene.predicted.get("signature")
    margin = scene.comparison.margin.value
    for index in range(width):
        x = np.arange(count, dtype=np.float64) + 0.7 * ((index + 0.5) / width - 0.5)
        if expected is not None:
            value = expected.transpose("regime", "feature").values[:, index].astype(np.float64)
            axes.bar(x, np.full(count, 2 * margin), 0.6 / width, bottom=value - margin, color=style.BAND, zorder=0)
            for position, middle in zip(x, value, strict=True):
                ends = [position - 0.3 / width, position + 0.3 / width]
                axes.plot(ends, [middle, middle], color=style.PREDICTED, linewidth=1.5, zorder=1)
        samples = signature.values[:, :, index].astype(np.float64)
        curve = Series("", np.asarray(x, dtype=np.float64), samples)
        name = features[index] if features else str(index)
        axes.errorbar(x, curve.mean, yerr=curve.reach(scene.level), label=name, zorder=3, **style.marks(index))
    names = regimes or [str(index) for index in range(count)]
    axes.set_xticks(range(count), names, fontsize=style.SIZE - 2)
    if sum(len(name) for name in names) > 45:
        axes.tick_params(axis="x", labelrotation=60)
    for edge in range(count - 1):
        axes.axvline(edge + 0.5, color=style.BAND, linewidth=0.5, zorder=0)
    axes.set_xlim(-0.5, count - 0.5)
    style.label(axes, "", scene.axis_name("signature", "signature"))
    style.legend(axes, width)
