"""tau_z of mean-squared loss at both ends of the logit scale: exponents 1 and 0 where cross-entropy has 1 and 1."""

from experiments.study import CounterSystem
from experiments.temperature.logit_ends import SELF_TRAINING, SQUARED, large, slope_check, small

CHECKS = (
    slope_check(
        "temperature.mean_squared_small_logits",
        small,
        "the rival is 1 away; a tighter margin costs nothing here",
        SQUARED,
        SELF_TRAINING,
    ),
    slope_check(
        "temperature.mean_squared_large_logits",
        large,
        "the rival is 1 away; what the labels add falls like 1/rms Z0",
        SQUARED,
        CounterSystem(
            "cross-entropy",
            {"system": "cross_entropy", "activation": "erf", "beta": 1.0},
            "its residual saturates, so the slope is 1",
        ),
    ),
)
