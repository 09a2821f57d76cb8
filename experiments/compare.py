"""One comparison per kind of claim.

An *observation* is a Dataset. What each kind of claim needs in it (extra dimensions are parts: each is compared by
itself, and all must agree; variables and coordinates that carry the names of the claim's symbols are the inputs
at which the claim's expressions are evaluated):

=========  ==========================================================================================
claim      variables
=========  ==========================================================================================
Identity   ``left``, ``right``, ``bound`` (rounding bound of |left - right|): any dims
Bound      ``smaller``, ``larger``, ``bound`` (rounding allowance): any dims
Formula    ``measured`` (seed, ...)
PowerLaw   ``measured`` (seed, CONTROL, ...), CONTROL a coordinate named as the claim's control
Band       ``lower`` and/or ``upper`` (seed, ...): measured edges; ``inside`` (seed, point, ...): whether the
           property was seen, with a coordinate CONTROL along ``point``
Boundary   ``behaves`` (seed, point): whether the property was seen; coordinates x and y along ``point``
Trend      ``measured`` (seed, CONTROL): at least 4 levels
Partition  ``signature`` (seed, regime, feature) measured; ``regime`` coordinate names the representative
Limit      ``error`` (seed, CONTROL): distance to the limit
=========  ==========================================================================================
"""

import xarray as xr

from experiments.comparison import Comparison
from experiments.study import Margin
from theory.claims import Claim


def compare(
    claim: Claim,
    observation: xr.Dataset,
    margin: Margin,
    *,
    law: str = "",
    study: str = "",
    minimum_effect: float = 0.0,
    level: float = 0.99,
) -> Comparison:
    """Compare a claim with an observation."""
    raise NotImplementedError
