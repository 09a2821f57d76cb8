"""The step types of a derivation, one file each."""

from theory.steps.cases import Cases
from theory.steps.crossing import Crossing
from theory.steps.enumerate import Enumerate
from theory.steps.equal import Equal
from theory.steps.expand import Expand
from theory.steps.holds import Holds
from theory.steps.induct import Induct
from theory.steps.root import Root
from theory.steps.step import Context, Finding, State, Step
from theory.steps.tends import Tends

__all__ = [
    "Cases",
    "Context",
    "Crossing",
    "Enumerate",
    "Equal",
    "Expand",
    "Finding",
    "Holds",
    "Induct",
    "Root",
    "State",
    "Step",
    "Tends",
]
