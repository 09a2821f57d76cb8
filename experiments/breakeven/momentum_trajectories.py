"""Trajectories with momentum, with a learning rate that decays, and of full-batch descent at its edge."""

from experiments.breakeven.trajectories import grid
from experiments.breakeven.trajectory_runs import VARIABLES, measure
from experiments.study import Study
from numerics.data import digits

NOISY = tuple((0.25, 16, momentum, False) for momentum in (0.0, 0.1, 0.5, 0.8, 0.9))
"""Small batches: the paper's three momenta, none, and one more, since the largest may not converge."""
WHOLE = tuple((0.5, 256, momentum, False) for momentum in (0.0, 0.1, 0.3, 0.5))
"""All points in every step: no noise."""
HEAVY = tuple((factor, 32, 0.9, False) for factor in (0.05, 0.1, 0.2, 0.3))
"""Momentum 0.9 throughout: the flow per step is that of the factors 0.5 to 3 without momentum."""
DECAYING = tuple((factor, 32, 0.0, True) for factor in (0.25, 0.5, 1.0, 1.5))
"""The learning rate falls to a tenth when half of the steps are done."""
DESCENT = ((2.0, 256, 0.0, False), (0.05, 256, 0.0, False))
"""Full-batch descent that meets its edge, and one whose edge lies above what the task reaches: runs 0 and 1."""
RUNS = (*DESCENT, *NOISY, *WHOLE, *HEAVY, *DECAYING)
EXTREMES = (*DESCENT, *(group[end] for group in (NOISY, WHOLE, HEAVY, DECAYING) for end in (0, -1)))

STUDY = Study(
    name="breakeven.momentum_trajectories",
    title="Hessian and gradient covariance over momentum, with decaying learning rates, and under descent",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": grid("MLP-rand", EXTREMES, 11, 1),
        "full": grid("MLP-rand", RUNS, 11, 10),
        "paper": grid("MLP-rand", RUNS, 161, 20),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)
