"""Which way the stable edge moves with learning rate, batch size and distance (breakeven:L4).

Each derivation first shows that what is differentiated is the edge: the curvature up to which SGD is stable.
"""

from sympy import Equivalent, Gt, Le, Symbol

from theory.breakeven.curvature_edge import (
    BREAK_EVEN,
    FIXED_RATIO_LAW,
    PAPER_EDGE,
    PAPER_LAW,
    RATIO_EDGE,
    break_even_world,
)
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.step_size_edge import CURVED
from theory.claims import Trend
from theory.definitions.breakeven import (
    BATCH_FITS,
    CHANCES,
    COLINEAR,
    FIXED_RATIO,
    PAIRS,
    SINGLES,
    TWO_EXAMPLES,
    N,
    Q,
    S,
    alpha,
    batch_world,
    edge,
    eta,
    kappa,
    lam,
    psi,
    w,
)
from theory.law import Law, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.normal_forms import derivatives, factored
from theory.proof.steps import Equal, Holds

SPREAD = Suppose("spread", Gt(kappa, 0))
NOISY = Suppose("noisy", w * (S - 1) < N - 1)
VARIED = Suppose("varied", Gt(alpha, 0))

_BATCHES = (CHANCES, SINGLES, PAIRS, CURVED)


def _fixed_ratio(control: Symbol, direction: int, more: tuple[Suppose, ...]) -> Derivation:
    """The fixed-ratio edge is the edge, and its derivative in the control has a sign."""
    return Derivation(
        premises=(
            *_BATCHES,
            FIXED_RATIO,
            TWO_EXAMPLES,
            BATCH_FITS,
            *more,
            Imported("stable below", FIXED_RATIO_LAW.derived),
            Define("edge", edge, RATIO_EDGE),
        ),
        steps=(
            Holds(
                "it is the edge",
                Equivalent(Le(Q, 1), Le(lam, edge)),
                uses=("stable below", "edge"),
                because="The curvature up to which a step does not let the mean squared distance grow.",
            ),
            Holds(
                "denominator",
                S * (N - 1) + kappa * (N - 1 - w * (S - 1)) > 0,
                uses=("two examples", "batch fits"),
                because="1 + c kappa without its fractions.",
            ),
            Holds(
                "sign of the slope",
                Trend(edge, control, direction).statement,
                uses=("edge", "denominator", "two examples", *(premise.name for premise in more)),
                normal=(derivatives, factored),
                because="All factors of the derivative have a sign.",
            ),
        ),
        worlds=batch_world,
    )


def _law(name: str, title: str, sentence: str, regime: str, derivation: Derivation, trend: Trend) -> Law:
    control = trend.control
    return Law(
        name=name,
        title=title,
        status=Status.THEOREM,
        source=Source(PAPER, "Theorem 1 and Eq. 4", ("breakeven:L4", "breakeven:V2"), sentence),
        quantities=quantities(edge, control),
        regime=regime,
        derivation=derivation,
        claim=trend,
        rivals=(
            Rival(
                "the other way",
                Trend(edge, control, -trend.direction),
                "turns the sign of the derivative round",
            ),
        ),
    )


LEARNING_RATE = _law(
    "breakeven.edge_falls_with_learning_rate",
    "A larger learning rate lowers the stable curvatures at a fixed ratio s^2/lam^2.",
    "At a fixed ratio the edge has the derivative -lam*/eta in the learning rate.",
    "Interpolating quadratics at a fixed ratio s^2/lam^2.",
    _fixed_ratio(eta, -1, ()),
    Trend(edge, eta, -1),
)

BATCH_SIZE = _law(
    "breakeven.edge_rises_with_batch_size",
    "A larger batch raises the stable curvatures where the examples' curvatures differ.",
    "At a fixed ratio kappa > 0 the edge rises with the batch size, up to 2/eta at S = N.",
    "Interpolating quadratics at a fixed ratio s^2/lam^2 > 0; the batch size is read as a real number.",
    _fixed_ratio(S, 1, (SPREAD,)),
    Trend(edge, S, 1),
)

DISTANCE = _law(
    "breakeven.edge_rises_with_distance",
    "In the paper's closure a larger distance to the minimum raises the break-even curvature.",
    "At a fixed alpha the break-even curvature 2/eta - c alpha/psi^2 rises with the distance psi "
    "(breakeven:G1).",
    "Interpolating quadratics whose gradient variance is alpha lam; alpha > 0 and a batch smaller than "
    "the set.",
    Derivation(
        premises=(
            *_BATCHES,
            COLINEAR,
            BREAK_EVEN,
            TWO_EXAMPLES,
            NOISY,
            VARIED,
            Imported("break-even curvature", PAPER_LAW.derived),
            Define("edge", edge, PAPER_EDGE),
        ),
        steps=(
            Equal(
                "it is the edge",
                lam,
                edge,
                uses=("break-even curvature", "edge"),
                because="Eq. 4 of the paper.",
            ),
            Holds(
                "some noise",
                (N - 1 - w * (S - 1)) * alpha > 0,
                uses=("noisy", "varied"),
                because="The batch is not the whole set.",
            ),
            Holds(
                "sign of the slope",
                Trend(edge, psi, 1).statement,
                uses=("edge", "some noise", "two examples"),
                normal=(derivatives, factored),
                because="The derivative is 2 c alpha/psi^3.",
            ),
        ),
        worlds=break_even_world,
    ),
    Trend(edge, psi, 1),
)

LAWS = (LEARNING_RATE, BATCH_SIZE, DISTANCE)
