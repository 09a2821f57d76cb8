"""Networks of numeric width beside limits whose gradient is continuous, and those with a hinge, four steps on."""

from experiments.study import Check, Margin
from experiments.width.limit_steps import distances

_MARGIN = Margin(0.1, "physics", "an error that does not fall stays at its first size; a tenth of that is far from it")

CHECKS = tuple(
    ("width.limits_numeric", Check(law, distances, _MARGIN, select={"model": models}))
    for law, models in (
        ("width.limit_path", ["R01", "R02", "R04", "R05", "R09", "R10"]),
        ("width.limit_path_hinge", ["R03", "R06", "R07", "R08", "R11", "R12", "R13", "default"]),
    )
)
