"""Full-batch descent with momentum comes to rest at its own edge, (2 + 2 beta)/eta (breakeven:V9, L12)."""

# SymPy's inline types do not know how symbols combine.
# pyright: reportOperatorIssue=false

from dataclasses import replace

from sympy import Symbol

from theory.breakeven.noise_factor import PAPER
from theory.breakeven.trajectory_statistics import CONTROLS, momentum
from theory.claims import Formula
from theory.definitions.breakeven import eta
from theory.law import Law, Quantity, Rival, Source, Status

sharpness = Symbol("sharpness", positive=True)

HEAVY_BALL_EDGE_OF_STABILITY = Law(
    name="breakeven.heavy_ball_edge_of_stability",
    title="Full-batch descent with momentum on a task that sharpens holds its sharpness at (2 + 2 beta)/eta.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Appendix F, on momentum",
        ("breakeven:V9", "breakeven:L12", "breakeven:G10"),
        "The late mean of the top Hessian eigenvalue is the edge of heavy ball without noise, above 2/eta: momentum "
        "does not act as a larger learning rate there.",
    ),
    quantities=(
        Quantity(sharpness, "largest Hessian eigenvalue, averaged over the second half of training", "curvature"),
        CONTROLS[eta],
        CONTROLS[momentum],
    ),
    regime="Networks whose natural sharpness exceeds the edge; the edge itself is derived in breakeven.momentum_edge.",
    derivation=None,
    claim=Formula(sharpness, 2 * (1 + momentum) / eta),
    rivals=(
        Rival("plain descent", Formula(sharpness, 2 / eta), "leaves the momentum out"),
        Rival(
            "a larger rate",
            Formula(sharpness, 2 * (1 - momentum) / eta),
            "takes momentum for the effective learning rate eta/(1 - beta)",
        ),
    ),
)

AS_STATED = replace(
    HEAVY_BALL_EDGE_OF_STABILITY,
    name="breakeven.heavy_ball_edge_as_stated",
    title="At eta 0.2 descent with momentum 0.5 and 0.9 comes to rest at its own edges, 15 and 19.",
)

LAWS = (HEAVY_BALL_EDGE_OF_STABILITY, AS_STATED)
