"""Networks of numeric width beside limits whose gradient is continuous, four steps on."""

from experiments.study import Check, Margin
from experiments.width.limit_steps import distances

CHECK = (
    "width.limits_numeric",
    Check(
        "width.limit_path",
        distances,
        Margin(0.1, "physics", "an error that does not fall stays at its first size; a tenth of that is far from it"),
        select={"model": ["R01", "R02", "R04", "R05", "R09", "R10"]},
    ),
)
