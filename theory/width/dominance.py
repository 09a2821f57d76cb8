"""Which limits none dominates (width:P2, R02, R10, R12), and the segment of intermediate scalings (width:R05)."""

from collections.abc import Callable

from sympy import And, Eq, Implies, Integer, Not, Or, Rational, Symbol, Tuple, sign

from theory.claims import Partition, PowerLaw, Regime
from theory.definitions import width as w
from theory.definitions.width_worlds import with_values, worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.steps.holds import Holds
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width import regions
from theory.width.meanings import RULES, quantities, source

MAXIMAL: dict[tuple[int, ...], str] = {(1, 2, 3): "NTK", (2, 4): "MF", (1, 4): "sym-default"}
"""Sets of statements that no region has all of, with more."""

NAMES = (*MAXIMAL.values(), "dominated")


def kind(cell: regions.Signs) -> str:
    """Whose limit a region is: one that none dominates, or one that another has all statements of.

    Examples
    --------
    >>> [kind(cell) for cell in regions.CELLS[:3]]
    ['dominated', 'NTK', 'dominated']
    """
    return MAXIMAL.get(regions.statements(cell), "dominated")


_HOLD = tuple(1 - sign(line, evaluate=False) ** 2 for line in regions.ORDERS)
FEATURES = (_HOLD[0] * _HOLD[1] * _HOLD[2], _HOLD[1] * _HOLD[3], _HOLD[0] * _HOLD[3])
"""Whether statements 1, 2 and 3, statements 2 and 4, statements 1 and 4 hold together."""


def _condition(name: str) -> Or | And:
    cells = [regions.THIRTEEN.cell(c) for c in regions.CELLS if kind(c) == name]
    return Or(*cells, evaluate=False) if len(cells) > 1 else cells[0]


def _partition(shown: Callable[[str, str], bool]) -> Partition:
    return Partition(
        tuple(
            Regime(name, _condition(name), tuple(Integer(shown(name, other)) for other in MAXIMAL.values()))
            for name in NAMES
        ),
        features=FEATURES,
    )


CLAIM = _partition(lambda name, other: name == other)

_ZERO = tuple(Eq(line, 0, evaluate=False) for line in regions.ORDERS)
PAIRS = Holds(
    "two of the first three give the third",
    And(
        Implies(And(_ZERO[0], _ZERO[1]), _ZERO[2]),
        Implies(And(_ZERO[0], _ZERO[2]), _ZERO[1]),
        Implies(And(_ZERO[1], _ZERO[2]), _ZERO[0]),
    ),
    because="The third order is the difference of the first two: any two statements of 1 to 3 make NTK.",
)
FOURTH = Holds(
    "evolving kernels exclude statement 3, and statements 1 and 2 together",
    And(
        Implies(_ZERO[3], Not(_ZERO[2], evaluate=False)),
        Implies(And(_ZERO[0], _ZERO[1]), Not(_ZERO[3], evaluate=False)),
    ),
    uses=names(regions.LOGITS, regions.KERNELS, regions.CHANGES),
    because="At q_sigma + q = 0 the ratio's order is 1/2: no region has all four, and 4 goes with 1 or with 2.",
)
DERIVATION = Derivation(
    premises=regions.DERIVATION.premises,
    steps=(regions.LOGITS, regions.KERNELS, regions.CHANGES, PAIRS, FOURTH, regions.THIRTEEN),
    worlds=worlds(),
)

p = Symbol("p", real=True)
_PLACE = (
    Define("size of the output weights on the segment", w.q_sigma, -p),
    Define("learning rates on the segment", w.q, 2 * p - 1),
)
_ENDS = (Suppose("from one half", p >= Rational(1, 2)), Suppose("to one", p <= 1))
_LINEAR = (w.LINEAR_A, w.LINEAR_W)
_RULE = (w.SCALE, *_PLACE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
SEGMENT = Tuple(w.K_a[0], w.K_w[0], w.f[w.k + 1], w.df_a[w.k + 1], w.df_w[w.k + 1])
SEGMENT_CLAIM = PowerLaw(SEGMENT, w.d, Integer(0))
_SIZES = OrdersGoOn(
    "weights on the segment",
    w.k,
    ((w.a[w.k + 1, w.r], p - 1, 0 * p), (w.w[w.k + 1, w.r], 0 * p, p - 1)),
    w.d,
    uses=names(*_RULE, *w.START, *w.SAMPLES, _ENDS[1]),
    because="A step moves a neuron by order q_sigma + q = p - 1, which is at most zero.",
)
SEGMENT_DERIVATION = Derivation(
    premises=(*_ENDS, *_RULE, w.KERNEL_A, w.KERNEL_W, w.LOGITS, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        _SIZES,
        OrderOf(
            "all of order one",
            SEGMENT,
            Integer(0),
            w.d,
            uses=names(
                w.SCALE, *_PLACE, *w.EQUAL, w.KERNEL_A, w.KERNEL_W, w.LOGITS, *_LINEAR, *w.START, _SIZES,
                *w.SAMPLES, *_ENDS,
            ),
            because="2 q_sigma + q + 1 = 0 all along: kernels, increments and trained logits are finite.",
            forall=(w.k,),
        ),
    ),
    worlds=with_values(worlds(), lambda source: {p: Rational(source.randint(2, 4), 4)}),
)  # fmt: skip

_LIMITS = "Symmetric scaling inside the band; samples misclassified; statement 4 read for the whole change."

LAWS = (
    Law(
        name="width.dominance",
        title="Exactly three limits are dominated by no other: NTK, mean-field and sym-default.",
        status=Status.THEOREM,
        source=source(
            "Section 3.1",
            ("width:P2", "width:R02", "width:R10", "width:R12"),
            "Maximal sets of statements: 1, 2 and 3; 2 and 4; 1 and 4. Every other region's set is part of one.",
        ),
        quantities=quantities(CLAIM),
        regime=_LIMITS + RULES,
        assumptions=(w.AT_MOST_ZERO.fact, w.AT_LEAST_HALF.fact),
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "statement 4 as printed",
                _partition(lambda name, other: name == other == "NTK"),
                "reads statement 4 at first order, where it holds nowhere: then NTK alone is left (width:G1)",
            ),
        ),
    ),
    Law(
        name="width.intermediate",
        title="Between NTK and mean-field, on 2 q_sigma + q = -1, kernels, increments and trained logits are finite.",
        status=Status.THEOREM,
        source=source(
            "Section 3 and the intermediate scalings of reference 8",
            ("width:R05", "width:R02", "width:R10", "width:P2"),
            "q_sigma = -p, q = 2 p - 1 with 1/2 <= p <= 1: a segment of the band, its ends NTK and mean-field.",
        ),
        quantities=quantities(SEGMENT_CLAIM),
        regime="1/2 <= p <= 1; samples misclassified; logits and increments from the first step on." + RULES,
        assumptions=tuple(end.fact for end in _ENDS),
        derivation=SEGMENT_DERIVATION,
        claim=SEGMENT_CLAIM,
        rivals=(
            Rival(
                "vanishing like initial logits",
                PowerLaw(SEGMENT, w.d, Rational(1, 2) - p),
                "carries the order of initial logits over, which is negative off the NTK end",
            ),
        ),
    ),
)
