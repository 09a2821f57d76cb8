"""Real networks whose samples are right: what their first step makes of diverging logits (width:G3, width:G4)."""

import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.width.freezing_networks import DIVERGING, SAMPLES, moves


def kept(data: xr.Dataset) -> xr.Dataset:
    """The change over itself and what was there: 0 where logits stay, 1 where they are outgrown."""
    made = moves(data)
    return made.assign(error=made["measured"]).assign_coords(outgrown=1.0)


CHECK = (
    "width.freezing_networks",
    Check(
        law="width.limit_path_frozen",
        observe=kept,
        margin=Margin(
            0.5, "physics", "correct samples with a small logit get rarer like d^(-1/2), but for a logarithm: to 1/8"
        ),
        select={**DIVERGING, "samples": [SAMPLES[0]]},
        counter_systems=(
            CounterSystem("one sample wrong", {**DIVERGING, "samples": [SAMPLES[1]]}, "its change is all there is"),
        ),
        profiles=("full", "paper"),
    ),
)
