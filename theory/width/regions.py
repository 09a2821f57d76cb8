"""The thirteen regions of the band, by the signs of four orders (width:R01-R13), and which properties go
together.
"""

from collections.abc import Callable, Mapping

from sympy import Expr, Integer, Matrix, Rational, Tuple, sign

from theory.asymptotics import order
from theory.claims import Partition, Regime
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.steps.enumerate import Enumerate
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.width.band import STEP
from theory.width.initial import KERNELS_CLAIM, LOGITS_CLAIM
from theory.width.meanings import REGIONS, RULES, quantities, source

Signs = tuple[int, int, int, int]

A, B = LOGITS_CLAIM.exponent, KERNELS_CLAIM.exponent
FORMS: tuple[Expr, ...] = (A, B, STEP + Rational(1, 2), STEP)
"""A, B, C, D of width:D4: orders of initial logits, of initial kernels, of their ratio, and of a step."""

_KERNELS = Tuple(w.K_a[0], w.K_w[0])
_CHANGES = Tuple(w.K_a[1] - w.K_a[0], w.K_w[1] - w.K_w[0])
ORDERS: tuple[Expr, ...] = (
    order(w.f[0], w.d),
    order(_KERNELS, w.d),
    order(_KERNELS, w.d) - order(w.f[0], w.d),
    (order(_CHANGES, w.d) - order(_KERNELS, w.d)) / 2,
)
"""The same as orders of what a network shows; the last is half the order of the kernels' relative change."""

CELLS: tuple[Signs, ...] = (
    (-1, -1, 0, -1),
    (0, 0, 0, -1),
    (1, 1, 0, -1),
    (-1, -1, 1, -1),
    (-1, 0, 1, -1),
    (-1, 1, 1, -1),
    (0, 1, 1, -1),
    (1, 1, 1, -1),
    (-1, -1, 1, 0),
    (-1, 0, 1, 0),
    (-1, 1, 1, 0),
    (0, 1, 1, 0),
    (1, 1, 1, 0),
)
"""Sign vectors of the regions R01 to R13; that they are all of them is what the derivation proves."""

NAMES: Mapping[Signs, str] = {
    (0, 0, 0, -1): "NTK",
    (-1, 0, 1, 0): "MF",
    (0, 1, 1, 0): "sym-default",
    (-1, 0, 1, -1): "intermediate",
}


def dimension(cell: Signs) -> int:
    """Dimension of a cell: two, less the independent lines that it lies on.

    Examples
    --------
    >>> [dimension(cell) for cell in CELLS[:4]]
    [1, 0, 1, 2]
    """
    on = [form for form, s in zip(FORMS, cell, strict=True) if s == 0]
    rows = [[form.coeff(w.q_sigma), form.coeff(w.q)] for form in on]
    return 2 - (Matrix(rows).rank() if rows else 0)


def identifier(cell: Signs) -> str:
    """R01 to R13."""
    return f"R{CELLS.index(cell) + 1:02d}"


def statements(cell: Signs) -> tuple[int, ...]:
    """Which of the paper's four statements hold, the fourth for the whole change: those whose order is zero.

    Examples
    --------
    >>> statements((0, 0, 0, -1))
    (1, 2, 3)
    """
    return tuple(number for number, s in enumerate(cell, 1) if s == 0)


_STEPS = (w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
LOGITS = OrderOf(
    "order of the initial logits", w.f[0], A, w.d,
    uses=names(w.SCALE, w.LOGITS, *w.START),
    because="Statement 1: a centred sum (width:E1).",
)  # fmt: skip
KERNELS = OrderOf(
    "order of the initial kernels", _KERNELS, B, w.d,
    uses=names(w.SCALE, *w.EQUAL, w.KERNEL_A, w.KERNEL_W, *w.START),
    because="Statement 2: sums with a mean (width:E2); statement 3 compares the two.",
)  # fmt: skip
CHANGES = OrderOf(
    "order of the kernels' first change", _CHANGES, B + 2 * STEP, w.d,
    uses=names(
        *_STEPS, w.KERNEL_A, w.KERNEL_W, *w.START, *w.SAMPLES, w.AT_MOST_ZERO, w.AT_LEAST_HALF
    ),
    because="Statement 4, for the whole change: squares of moves have a mean (width:E12).",
)  # fmt: skip
THIRTEEN = Enumerate(
    "thirteen regions",
    (w.q_sigma, w.q),
    ORDERS,
    CELLS,
    uses=names(LOGITS, KERNELS, CHANGES, w.AT_MOST_ZERO, w.AT_LEAST_HALF),
    because="All 81 sign vectors: 13 have an exact point in the band, each of the others contradicts it.",
    dimensions=tuple(dimension(cell) for cell in CELLS),
)

DERIVATION = Derivation(
    premises=(
        w.AT_MOST_ZERO, w.AT_LEAST_HALF, *_STEPS, w.LOGITS, w.KERNEL_A, w.KERNEL_W, *w.START, *w.SAMPLES
    ),
    steps=(LOGITS, KERNELS, CHANGES, THIRTEEN),
    worlds=worlds(),
)  # fmt: skip


def _partition(shown: Callable[[Signs], Signs]) -> Partition:
    return Partition(
        tuple(Regime(identifier(c), THIRTEEN.cell(c), tuple(Integer(s) for s in shown(c))) for c in CELLS),
        features=tuple(sign(line, evaluate=False) for line in ORDERS),
    )


CLAIM = _partition(lambda cell: cell)

LAWS = (
    Law(
        name="width.regions",
        title=(
            "The band has 13 regions: 3 of dimension two, 7 of dimension one, 3 points; kernels are "
            "constant in 8 and evolve in 5."
        ),
        status=Status.THEOREM,
        source=source(
            "Section 3 and SM B",
            (*REGIONS, "width:P2"),
            "The signs of the orders of initial logits, initial kernels, their ratio and the kernels' "
            "change take 13 values.",
        ),
        quantities=quantities(CLAIM),
        regime=("Symmetric scaling inside the band; samples misclassified; the kernels' change is the whole one.")
        + RULES,
        assumptions=(w.AT_MOST_ZERO.fact, w.AT_LEAST_HALF.fact),
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "kernels never evolve",
                _partition(lambda cell: (*cell[:3], -1)),
                "takes the first-order part of the first change for the whole (width:G1)",
            ),
            Rival(
                "kernels as fluctuations",
                _partition(lambda cell: (cell[0], min(cell[1], 0), *cell[2:])),
                "takes one half off the order of the kernels, so that none diverges",
            ),
        ),
    ),
)
