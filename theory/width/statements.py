"""Which of the four statements of the paper's Condition 3 go together (width:P2, corrected by width:G1)."""

from collections.abc import Callable

from sympy import Eq, Equivalent, Integer, Or, sign

from theory.claims import Partition, Regime
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.steps.holds import Holds
from theory.proof.told import names
from theory.width import regions
from theory.width.meanings import RULES, quantities, source

Set = tuple[int, ...]

SETS: tuple[Set, ...] = tuple(sorted({regions.statements(cell) for cell in regions.CELLS}, key=lambda s: (len(s), s)))
"""The eight sets of statements that hold together somewhere in the band."""


def name(holding: Set) -> str:
    """Name of a set.

    Examples
    --------
    >>> name((1, 4)), name(())
    ('1 and 4', 'none')
    """
    return " and ".join(map(str, holding)) or "none"


def condition(holding: Set) -> Or:
    """The regions in which exactly these statements hold."""
    cells = [regions.THIRTEEN.cell(c) for c in regions.CELLS if regions.statements(c) == holding]
    return Or(*cells, evaluate=False) if len(cells) > 1 else cells[0]


def _partition(holds: Callable[[int, Set], bool]) -> Partition:
    return Partition(
        tuple(Regime(name(s), condition(s), tuple(Integer(holds(number, s)) for number in (1, 2, 3, 4))) for s in SETS),
        features=tuple(1 - sign(line, evaluate=False) ** 2 for line in regions.ORDERS),
    )


CLAIM = _partition(lambda number, holding: number in holding)


def _equivalence(number: int, title: str, uses: tuple[str, ...], because: str) -> Holds:
    zero = Eq(regions.FORMS[number - 1], 0, evaluate=False)
    fact = Equivalent(Eq(regions.ORDERS[number - 1], 0, evaluate=False), zero)
    return Holds(f"statement {number}: {title}", fact, uses=uses, because=because)


EQUIVALENCES = (
    _equivalence(1, "initial logits are finite", names(regions.LOGITS), "Their order is q_sigma + 1/2."),
    _equivalence(2, "initial kernels are finite", names(regions.KERNELS), "Their order is 2 q_sigma + q + 1."),
    _equivalence(
        3,
        "initial kernels and logits have one order",
        names(regions.LOGITS, regions.KERNELS),
        "Their orders differ by q_sigma + q + 1/2.",
    ),
    _equivalence(
        4,
        "kernels start to evolve",
        names(regions.KERNELS, regions.CHANGES),
        "The whole change has the kernels' order plus 2 (q_sigma + q).",
    ),
)
DERIVATION = Derivation(
    premises=regions.DERIVATION.premises,
    steps=(regions.LOGITS, regions.KERNELS, regions.CHANGES, *EQUIVALENCES, regions.THIRTEEN),
    worlds=worlds(),
)

LAWS = (
    Law(
        name="width.statements",
        title=(
            "Of the four statements on initial logits, initial kernels, their ratio and evolving kernels, "
            "eight sets hold together."
        ),
        status=Status.THEOREM,
        source=source(
            "Proposition 2 and Section 3",
            ("width:P2", "width:E1", "width:E2", "width:E12", "width:R02", "width:R10", "width:R12", "width:G1"),
            "1: q_sigma = -1/2; 2: 2 q_sigma + q = -1; 3: q_sigma + q = -1/2; 4, for the whole change: "
            "q_sigma + q = 0. Maximal sets: "
            "1, 2 and 3 (NTK), 2 and 4 (MF), 1 and 4 (sym-default).",
        ),
        quantities=quantities(CLAIM),
        regime=(
            "Symmetric scaling inside the band; samples misclassified; statement 4 read for the whole "
            "change of the kernels."
        )
        + RULES,
        assumptions=(w.AT_MOST_ZERO.fact, w.AT_LEAST_HALF.fact),
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "statement 4 at first order",
                _partition(lambda number, holding: number in holding and number != 4),
                "reads statement 4 as printed, for the first-order part of the first change: then it holds "
                "nowhere in the band",
            ),
        ),
    ),
)
