"""Which scaled model stays closest to a finite reference network: what the paper's experiment shows (width:T1, T4)."""

from sympy import Symbol, symbols

from theory.claims import Formula, Trend
from theory.law import Law, Quantity, Rival, Source, Status
from theory.width.meanings import PAPER

k = Symbol("k", integer=True, nonnegative=True)
gain, gain_mean_field, gain_reverse = symbols("gain gain_mean_field gain_reverse")
growth, growth_ref = symbols("growth growth_ref")
_SUMMARY = "Averaged over training, the corrected mean-field model's logits are closest to the reference's."
_GAINS = (
    Quantity(
        gain,
        "logarithm of another scaled model's divergence from the reference over the corrected mean-field model's, "
        "summed over recorded steps up to k, over the number of all of them: at the last, that of the ratio of "
        "geometric means",
    ),
    Quantity(k, "number of steps"),
)
_REGIME = (
    "A reference of width 128 on a binary task; normal laws fitted over seeds at each test point, averaged over test "
    "points; steps evenly spaced in the logarithm. The interval of the rise is over jackknife pseudo-values of the "
    "seeds; ranks of sums are not independent, so that it decides, and the test of their order does not."
)
_FIRST = Trend(gain, k, 1)
_MEAN_FIELD = Rival("mean-field first", Trend(gain_mean_field, k, 1), "takes the model without its correction")


def _ranking(name: str, title: str, status: Status, ids: tuple[str, ...], summary: str, regime: str) -> Law:
    return Law(
        name=name,
        title=title,
        status=status,
        source=Source(PAPER, "Figure 2", ids, summary),
        quantities=_GAINS,
        regime=_REGIME + regime,
        derivation=None,
        claim=_FIRST,
        rivals=(_MEAN_FIELD,),
    )


LAWS = (
    _ranking(
        "width.ranking",
        "Along training every other scaled model falls behind the corrected mean-field model, which is closest to the "
        "reference on average.",
        Status.EMPIRICAL,
        ("width:T1", "width:T8", "width:X3", "width:X6"),
        _SUMMARY,
        " Versions 8 (quick), 16 (full) or 512 times as wide as the reference: MF, NTK, sym-default and default.",
    ),
    _ranking(
        "width.ranking_late",
        "From step 20 on every other scaled model goes on falling behind the corrected mean-field model.",
        Status.CONJECTURE,
        ("width:T1", "width:T8", "width:G14"),
        _SUMMARY + " Before step 20 the NTK model ties with it.",
        " Recorded steps from 20 on, whose sums start there.",
    ),
    _ranking(
        "width.ranking_wide",
        "So does every other version that is 64 times as wide as the reference, in fewer steps.",
        Status.EMPIRICAL,
        ("width:T1", "width:T8", "width:G14"),
        _SUMMARY + " Mean-field's divergence grows like half the logarithm of the width.",
        " Versions 64 times as wide as the reference, 500 steps.",
    ),
    Law(
        name="width.ranking_setups",
        title="For every batch size and number of training points MF falls behind the corrected mean-field model.",
        status=Status.EMPIRICAL,
        source=Source(
            PAPER,
            "Figures 3 to 7",
            ("width:T1", "width:T8"),
            "Batch size and data size change numbers, not the order.",
        ),
        quantities=_GAINS,
        regime=_REGIME + " At each setup; the other model is MF.",
        derivation=None,
        claim=_FIRST,
        rivals=(
            Rival(
                "the reverse", Trend(gain_reverse, k, 1), "puts the model without its correction before the corrected"
            ),
        ),
    ),
    Law(
        name="width.kernel_evolution",
        title="Mean-field and corrected models' tangent kernels grow during training as the reference's does.",
        status=Status.EMPIRICAL,
        source=Source(
            PAPER,
            "Figure 1, right",
            ("width:T4", "width:P2"),
            "Kernels of the two models evolve like the finite network's; the NTK model's do not.",
        ),
        quantities=(
            Quantity(growth, "mean kernel diagonal at the last step over that at the first, of the scaled model"),
            Quantity(growth_ref, "the same of the reference, mean over its seeds"),
        ),
        regime="A reference of width 128 on a binary task that it learns; test points.",
        derivation=None,
        claim=Formula(growth, growth_ref),
        rivals=(Rival("constant kernels", Formula(growth, 1 + 0 * growth_ref), "the NTK limit's"),),
    ),
)
