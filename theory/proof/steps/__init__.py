"""The step types of a derivation, one file each."""

from theory.proof.steps.cases import Cases
from theory.proof.steps.crossing import Crossing
from theory.proof.steps.enumerate import Enumerate
from theory.proof.steps.equal import Equal
from theory.proof.steps.expand import Expand
from theory.proof.steps.holds import Holds
from theory.proof.steps.induct import Induct
from theory.proof.steps.integrates import Integrates
from theory.proof.steps.pieced import Pieced
from theory.proof.steps.rises import Rises
from theory.proof.steps.root import Root
from theory.proof.steps.squeezed import Squeezed
from theory.proof.steps.step import Context, Finding, State, Step
from theory.proof.steps.tends import Tends
from theory.proof.steps.termwise import Termwise

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
    "Integrates",
    "Pieced",
    "Rises",
    "Root",
    "Squeezed",
    "State",
    "Step",
    "Tends",
    "Termwise",
]
