"""What else the paper says of trajectories (breakeven:Q1, Q2, Q5, Q6, Q11), and what Eq. 1 is along them.

All of it is measured on networks and nothing is derived: where the paper gives a mechanism, the law states what the
mechanism needs.
"""

# SymPy's inline types do not know that relations are Boolean.
# pyright: reportArgumentType=false, reportOperatorIssue=false

from sympy import Integer, Rational, Symbol

from theory.breakeven.noise_factor import PAPER
from theory.breakeven.trajectory_conjectures import FALLING, NETWORKS, RISING, SAID, WORDS
from theory.breakeven.trajectory_statistics import (
    AT_THE_START,
    CONTROLS,
    LAMBDA_K,
    Statistic,
    one_way,
)
from theory.claims import Bound, Formula, Trend
from theory.definitions.breakeven import S, eta
from theory.law import Law, Quantity, Rival, Source, Status

phase = Symbol("phase", nonnegative=True)
sharpness = Symbol("sharpness", positive=True)
after, at_break_even = Symbol("lambda_after", positive=True), Symbol("lambda_at", positive=True)
growth = Symbol("growth", nonnegative=True)
rises, second_order, unstable = (Symbol(n, nonnegative=True) for n in ("rises", "second_order", "unstable"))
cosine, ratio = Symbol("cosine", real=True), Symbol("projection_ratio", positive=True)
BATCH_NOISE = Statistic("batch_noise", "c Tr K", "variance of a mini-batch gradient, c Tr K", "gradient^2")
FRACTION = Quantity(phase, "part of the way from the start to the maximum, in flow time", "1")

_TURN = {eta: 1, S: -1}
"""A smaller batch is said to act as a larger learning rate does."""

DIGITS = "Digits, tanh network, random labels; S = 32 unless said otherwise; runs that converge and bind."

AT_EQUAL_LOSS = tuple(
    one_way(
        f"{statistic.name}_at_equal_loss_over_{WORDS[control]}{network}",
        f"At equal training loss {statistic.symbol} is {'larger' if direction * _TURN[control] > 0 else 'smaller'} for "
        f"{SAID[control]} ({words}).",
        statistic,
        control,
        direction * _TURN[control],
        place="Figure 1 and Section 4.1",
        ids=("breakeven:Q5", "breakeven:G8"),
        sentence="At equal progress of the training loss the run with the lower learning rate or the larger batch has "
        "the larger curvature and gradient noise; no maximum over time, and so no initial value, enters.",
        regime=f"Digits, {words}; where the smoothed training loss first falls to 1.",
        view="at equal loss",
    )
    for network, words in NETWORKS.items()
    for control in WORDS
    for statistic, direction in {**dict.fromkeys(FALLING, -1), **dict.fromkeys(RISING, 1)}.items()
)
"""The conjectures' statistics at equal loss, for the learning rate and the batch size."""

SMALLER_NOISE = one_way(
    "max_batch_noise_over_batch_size",
    "The noise of the mini-batches that are used, c Tr K, is larger for a smaller batch, unlike Tr K.",
    BATCH_NOISE,
    S,
    -1,
    place="Section 4.2, and Appendix C on M",
    ids=("breakeven:Q6", "breakeven:X13"),
    sentence="Measured at a fixed M the trace is smaller for small batches, while the noise of the batches in "
    "use, c Tr K, is larger.",
    regime=DIGITS,
    status=Status.EMPIRICAL,
    view="smoothed max",
)


def _over_phase(name: str, title: str, statistic: Statistic, ids: tuple[str, ...], sentence: str) -> Law:
    quantity, start = Symbol(statistic.symbol, positive=True), Symbol(f"initial {statistic.symbol}", positive=True)
    return Law(
        name=f"breakeven.{name}",
        title=title,
        status=Status.CONJECTURE,
        source=Source(PAPER, "Section 4.1 and Figure 2", ids, sentence),
        quantities=(Quantity(quantity, statistic.meaning, statistic.unit), FRACTION),
        regime=DIGITS,
        derivation=None,
        claim=Trend(quantity, phase, 1),
        rivals=(Rival(AT_THE_START, Trend(start, phase, 1), "says it of a run that never leaves its start"),),
    )


EARLY_GROWTH = _over_phase(
    "lambda_k_grows_with_lambda_h",
    "While lambda_H grows to its maximum, lambda_K grows too.",
    LAMBDA_K,
    ("breakeven:Q1",),
    "lambda_H and lambda_K grow together in the early phase.",
)
RISES = Statistic("loss_rises", "share of rises", "share of mini-batches whose step raises the training loss")
LOSS_RISES = _over_phase(
    "loss_rises_towards_the_maximum",
    "Steps that raise the training loss become frequent as lambda_K nears its maximum.",
    RISES,
    ("breakeven:Q2",),
    "The change of the loss starts to turn up as lambda_K nears its maximum.",
)

NO_RETURN = Law(
    name="breakeven.no_return_above_break_even",
    title="After the break-even point no curvature is larger than there.",
    status=Status.CONJECTURE,
    source=Source(
        PAPER,
        "Section 3, after Eq. 1",
        ("breakeven:Q11", "breakeven:G1"),
        "SGD enters no region whose lambda_H is above the value at the break-even point, the first record at "
        "which the left side of Eq. 1, from draws of batches, is at least 1.",
    ),
    quantities=(
        Quantity(after, "largest lambda_H after the break-even point", "curvature"),
        Quantity(at_break_even, "lambda_H at the break-even point", "curvature"),
    ),
    regime=f"{DIGITS} Seeds and rates at which the left side reaches 1 before the last record.",
    derivation=None,
    claim=Bound(after, at_break_even),
    rivals=(Rival("half", Bound(2 * after, at_break_even), "lets the curvature fall by half at once"),),
)

BELOW_ONE = Law(
    name="breakeven.eq1_below_one",
    title="At the lowest rate the left side of Eq. 1, measured directly, stays below 1 for most of training.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Section 3, Eq. 1",
        ("breakeven:G5", "breakeven:V12"),
        "Eq. 1 is hardly the binding constraint of SGD: the median over the sharp part of training of its left "
        "side along e_H, from draws of batches of per-example curvatures, is below 1.",
    ),
    quantities=(Quantity(growth, "median over records of the left side of Eq. 1, in each seed", "1"),),
    regime=f"{DIGITS} Records at which lambda_H is at least half of its maximum; the lowest rate of the grid.",
    derivation=None,
    claim=Bound(growth, Integer(1)),
    rivals=(Rival("SGD sits at its edge", Bound(Integer(1), growth), "is the paper's mechanism: training comes to 1"),),
)

BELOW_THE_EDGE = Law(
    name="breakeven.small_batches_stay_below_the_edge",
    title="With batches of 8 the sharpness stays below 2/eta throughout.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Section 3, the break-even point at S = N",
        ("breakeven:G5", "breakeven:L5"),
        "Small batches keep a gap: the smoothed maximum of lambda_H stays below 2/eta, which full-batch descent "
        "reaches on the same task.",
    ),
    quantities=(
        Quantity(sharpness, "smoothed maximum of lambda_H, S = 8", "curvature"),
        CONTROLS[eta],
    ),
    regime=DIGITS,
    derivation=None,
    claim=Bound(sharpness, 2 / eta),
    rivals=(Rival("reaches it", Bound(2 / eta, sharpness), "takes SGD for full-batch descent"),),
)

SECOND_ORDER = Law(
    name="breakeven.loss_rises_like_its_second_order",
    title="How often a step raises the loss is what noise and curvature give to second order.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Section 4.1, the proxy Delta L < 0",
        ("breakeven:G14", "breakeven:L18", "breakeven:V15"),
        "Where Eq. 1 holds, the share of steps that raise the loss is that of -eta <g, g_B> + eta^2 g_B^T H g_B / 2 "
        "> 0 for the same batches: noise alone raises it.",
    ),
    quantities=(
        Quantity(rises, "share of steps that raise the training loss", "1"),
        Quantity(second_order, "share of the same steps that raise it to second order", "1"),
        Quantity(unstable, "share of these steps at which the left side of Eq. 1 is at least 1: none", "1"),
    ),
    regime=f"{DIGITS} The two lowest rates, all records but the first at which the left side of Eq. 1 is below 1.",
    derivation=None,
    claim=Formula(rises, second_order),
    rivals=(
        Rival(
            "a sign of instability",
            Formula(rises, unstable),
            "is the paper's reading: the loss rises where Eq. 1 is violated",
        ),
    ),
)

OSCILLATION = Law(
    name="breakeven.descent_turns_back_at_its_edge",
    title="Full-batch descent at its edge turns back: consecutive gradients point against each other.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Section 2, after Xing et al. 2018",
        ("breakeven:V15",),
        "In some tenth of training the mean cosine of consecutive gradients is below -1/2 where 2/eta binds; "
        "where it does not, the gradients stay aligned throughout.",
    ),
    quantities=(Quantity(cosine, "least mean cosine of consecutive gradients over tenths of training", "1"),),
    regime="Digits, tanh network, random labels, all points in every step.",
    derivation=None,
    claim=Bound(cosine, -Rational(1, 2)),
    rivals=(Rival("aligned", Bound(-cosine, Rational(1, 2)), "takes descent for a smooth flow"),),
)

alignment = Symbol("alignment", positive=True)
COLINEAR = Law(
    name="breakeven.top_directions_coincide",
    title="The top eigenvectors of H and K coincide while lambda_H grows.",
    status=Status.CONJECTURE,
    source=Source(
        PAPER,
        "Assumption 2",
        ("breakeven:A2",),
        "e_K is e_H up to its sign; what is measured is the mean |<e_H, e_K>| up to the maximum of lambda_H.",
    ),
    quantities=(Quantity(alignment, "|<e_H, e_K>|, mean over records up to the maximum of lambda_H", "1"),),
    regime=DIGITS,
    derivation=None,
    claim=Formula(alignment, Integer(1)),
    rivals=(Rival("unrelated", Formula(alignment, Rational(1, 20)), "takes them for directions at random"),),
)

PROJECTION = Law(
    name="breakeven.projection_ratio_at_least_one",
    title="No projection is longer than what is projected: ||g|| / ||g_5|| is at least 1.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Section 4.3",
        ("breakeven:D9", "breakeven:V16"),
        "The ratio is at least 1 for every batch, and comes close to 1 for some.",
    ),
    quantities=(Quantity(ratio, "least ||g|| / ||g_5|| over fresh batches, g_5 on five directions of K^M", "1"),),
    regime=DIGITS,
    derivation=None,
    claim=Bound(Integer(1), ratio),
    rivals=(Rival("twice as long", Bound(Integer(2), ratio), "takes the directions for unrelated to the batch"),),
)

LAWS = (
    *AT_EQUAL_LOSS,
    SMALLER_NOISE,
    EARLY_GROWTH,
    LOSS_RISES,
    NO_RETURN,
    BELOW_ONE,
    BELOW_THE_EDGE,
    SECOND_ORDER,
    OSCILLATION,
    COLINEAR,
    PROJECTION,
)
