"""What verdicts rest on, in one place to import from; each idea lives in the module that it is imported from.

* :mod:`numerics.intervals`: t intervals over independent seeds, the ratio of two means;
* :mod:`numerics.bootstrap`: studentised, or percentile with at least 100 seeds;
* :mod:`numerics.slopes`: exponents and ratios to a prediction;
* :mod:`numerics.trends`: ordered alternatives;
* :mod:`numerics.equivalence`: agrees, disagrees, undecided, and the chances that they are wrong.
"""

from numerics.bootstrap import percentile_bootstrap, studentised_bootstrap
from numerics.equivalence import (
    chance_of_agreement,
    chance_of_any,
    chance_of_disagreement,
    classify,
    classify_each,
    contains,
    minimum_detectable_deviation,
    planned_standard_error,
    seeds_needed,
)
from numerics.intervals import Interval, interval, ratio_of_means
from numerics.slopes import mean_slope, ratios, rms_slope, rms_slope_error, slopes
from numerics.trends import Trend, jonckheere, page

__all__ = [
    "Interval",
    "Trend",
    "chance_of_agreement",
    "chance_of_any",
    "chance_of_disagreement",
    "classify",
    "classify_each",
    "contains",
    "interval",
    "jonckheere",
    "mean_slope",
    "minimum_detectable_deviation",
    "page",
    "percentile_bootstrap",
    "planned_standard_error",
    "ratio_of_means",
    "ratios",
    "rms_slope",
    "rms_slope_error",
    "seeds_needed",
    "slopes",
    "studentised_bootstrap",
]
