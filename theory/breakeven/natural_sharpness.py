"""Whether 2/eta binds the trajectories that are compared (breakeven:V12): measured, not derived."""

# SymPy's inline types do not know that relations are Boolean.
# pyright: reportArgumentType=false, reportOperatorIssue=false

from collections.abc import Mapping

from sympy import Symbol

from theory.breakeven.noise_factor import PAPER
from theory.breakeven.trajectory_conjectures import IMAGES, NETWORKS
from theory.breakeven.trajectory_statistics import CONTROLS
from theory.claims import Bound, Formula
from theory.definitions.breakeven import eta
from theory.law import Law, Quantity, Rival, Source, Status

natural, used = Symbol("lambda_nat", positive=True), Symbol("lambda_used", positive=True)
SHARPNESS = "largest lambda_H of full-batch descent at a rate of at most 0.2/lambda_nat"
TASKS: Mapping[str, str] = {
    "tanh": f"digits, {NETWORKS['']}",
    "convolutional": f"digits, {NETWORKS['_convolutional']}",
    **{network: f"{words}, on the images that are given" for network, words in IMAGES.items()},
}
"""By the ending of a law's name."""


def _binds(network: str) -> Law:
    return Law(
        name=f"breakeven.task_exceeds_the_edge_{network}",
        title=f"Where nothing holds it back lambda_H exceeds 2/eta of every run that is compared ({TASKS[network]}).",
        status=Status.EMPIRICAL,
        source=Source(
            PAPER,
            "Conjectures 1 and 2",
            ("breakeven:V12", "breakeven:G11"),
            "Maxima can be ordered by the learning rate only where the edge 2/eta binds: full-batch descent from the "
            "same start, at a rate of at most 0.2/lambda_nat, gets sharper than 2/eta of the lowest rate.",
        ),
        quantities=(
            Quantity(natural, f"{SHARPNESS}, from the start of each seed's trajectories", "curvature"),
            CONTROLS[eta],
        ),
        regime="The starts of the seeds of the trajectories over learning rates, of which eta is the lowest.",
        derivation=None,
        claim=Bound(2 / eta, natural),
        rivals=(
            Rival("never gets there", Bound(natural, 2 / eta), "is a task below its edge, where maxima are equal"),
        ),
    )


EITHER_RATE = Law(
    name="breakeven.natural_sharpness_by_either_rate",
    title="Descent at a rate more than five times as high as 0.2/lambda_nat tells the same natural sharpness.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Conjectures 1 and 2",
        ("breakeven:V12",),
        "The flag by which runs are admitted rests on full-batch descent at a rate whose own edge 2/eta is far above "
        "the sharpness: a smaller rate follows the same curve.",
    ),
    quantities=(
        Quantity(natural, SHARPNESS, "curvature"),
        Quantity(used, "the same at the rate eta that the trajectories use for it", "curvature"),
        CONTROLS[eta],
    ),
    regime=f"{TASKS['tanh'].capitalize()}; both from the starts of the trajectories.",
    derivation=None,
    claim=Formula(natural, used),
    rivals=(Rival("held at its edge", Formula(natural, 2 / eta), "takes what the larger rate tells for its own edge"),),
)

LAWS = (*(_binds(network) for network in TASKS), EITHER_RATE)
