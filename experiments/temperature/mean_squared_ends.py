"""tau_z of mean-squared loss at both ends of the logit scale: exponents 1 and 0 where cross-entropy has 1 and 1."""

from experiments.study import Check, CounterSystem, Margin
from experiments.temperature.early_learning import STUDY
from experiments.temperature.logit_ends import SELF_TAUGHT, SQUARED, large, small

CHECKS = (
    (
        STUDY.name,
        Check(
            law="temperature.mean_squared_small_logits",
            observe=small,
            margin=Margin(0.02, "physics", "the rival is 1 away; a tighter margin costs nothing here"),
            select=SQUARED,
            counter_systems=(
                CounterSystem("self-training", SELF_TAUGHT, "its residual vanishes with the logits, so the slope is 0"),
            ),
        ),
    ),
    (
        STUDY.name,
        Check(
            law="temperature.mean_squared_large_logits",
            observe=large,
            margin=Margin(0.02, "physics", "the rival is 1 away; what the labels add falls like 1/rms Z0"),
            select=SQUARED,
            counter_systems=(
                CounterSystem(
                    "cross-entropy",
                    {"system": "cross_entropy", "activation": "erf", "beta": 1.0},
                    "its residual saturates, so the slope is 1",
                ),
            ),
        ),
    ),
)
