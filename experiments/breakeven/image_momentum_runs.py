"""Trajectories on images over momentum and with rates that decay: the paper's MLP and SimpleCNN.

Rate over 1 - momentum spans in each family about what it spans over rates alone, where all runs converge and bind.
Declared when the flags alone of other seeds had been looked at. The share of fitted images at the end of the runs at
the ends of each family was 1, for the MLP on two seeds and for the convolutional network on three. Half-way, where a
rate decays, it was at least 0.92 for the MLP; for the convolutional network at the highest rate it was 0.98, 1 and
0.77, and from there on it rose to 1 at the lower rate too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from experiments.breakeven.block_runs import measure
from experiments.breakeven.extended_runs import VARIABLES, grid
from experiments.breakeven.image_trajectories import BLOCK, DATA, FEWER, NETWORKS
from experiments.study import Grid, Profile, Study

HEAVY = 0.9
"""Momentum of the runs over rates with momentum."""


@dataclass(frozen=True)
class Families:
    """The runs of one network.

    Parameters
    ----------
    rate
        Learning rate of the runs over momentum.
    momenta, heavy_rates, decaying_rates
        Levels of the control in each family: over momentum, over rates at momentum HEAVY, over rates that are divided
        by ten half-way.
    size
        Batch size of all.
    """

    rate: float
    momenta: tuple[float, ...]
    heavy_rates: tuple[float, ...]
    decaying_rates: tuple[float, ...]
    size: int = 32

    @property
    def runs(self) -> tuple[tuple[float, int, float, bool], ...]:
        """All of them: learning rate, batch size, momentum, whether the rate decays."""
        return (
            *((self.rate, self.size, momentum, False) for momentum in self.momenta),
            *((rate, self.size, HEAVY, False) for rate in self.heavy_rates),
            *((rate, self.size, 0.0, True) for rate in self.decaying_rates),
        )


RUNS: Mapping[str, Families] = {
    "mlp": Families(
        rate=0.03,
        momenta=(0.0, 0.25, 0.5, 0.75),
        heavy_rates=(0.003, 0.0048, 0.0075, 0.012),
        decaying_rates=(0.03, 0.048, 0.075, 0.12),
    ),
    "simple_cnn": Families(
        rate=0.035,
        momenta=(0.0, 0.3, 0.5, 0.65),
        heavy_rates=(0.0035, 0.005, 0.007, 0.01),
        decaying_rates=(0.03, 0.042, 0.058, 0.08),
    ),
}


def _grid(network: str, records: int, seeds: int, *, few: bool, block: int = 1, fewer: bool = False, **sizes) -> Grid:
    runs = RUNS[network].runs
    whole = grid(NETWORKS[network], runs[::3] if few else runs, records, seeds, **sizes)
    return replace(whole, settings={**whole.settings, **(FEWER if fewer else {}), "block": block})


GRIDS: Mapping[str, Mapping[Profile, Grid]] = {
    "mlp": {
        "quick": _grid("mlp", 3, 1, few=True, flow=0.4, natural=(0.04, 0.1), gram_size=32, probes=2),
        "full": _grid("mlp", 17, 10, few=False, flow=64.0, natural=(0.004, 10.0), gram_size=32, probes=8),
        "paper": _grid("mlp", 81, 10, few=False, flow=96.0, natural=(0.002, 20.0), gram_size=32, probes=32),
    },
    "simple_cnn": {
        "quick": _grid("simple_cnn", 3, 1, few=True, fewer=True, flow=0.4, natural=(0.04, 0.1), gram_size=16, probes=1),
        "full": _grid(
            "simple_cnn",
            9,
            10,
            few=False,
            fewer=True,
            block=BLOCK,
            flow=56.0,
            natural=(0.03, 10.0),
            gram_size=16,
            probes=4,
        ),
        "paper": _grid("simple_cnn", 41, 10, few=False, flow=56.0, natural=(0.01, 10.0), gram_size=32, probes=32),
    },
}


def _study(network: str) -> Study:
    return Study(
        name=f"breakeven.{network}_momentum_trajectories",
        title="Hessian and mini-batch gradient covariance over momentum and with decaying rates: "
        f"{NETWORKS[network]} on images",
        measure=measure,
        variables=VARIABLES,
        grids=GRIDS[network],
        checks=(),
        precision="float64",
        reduction="mean",
        data=DATA[network],
        takes_data=True,
    )


STUDY_OF: Mapping[str, Study] = {network: _study(network) for network in RUNS}
STUDIES = tuple(STUDY_OF.values())
