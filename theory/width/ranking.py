"""Which scaled model stays closest to a finite reference network: what the paper's experiment shows (width:T1, T4)."""

from sympy import symbols

from theory.claims import Bound, Formula
from theory.law import Law, Quantity, Rival, Status
from theory.width.meanings import source

corrected, other, mean_field = symbols("KL_corrected KL_other KL_mean_field")
growth, growth_ref = symbols("growth growth_ref")
_SUMMARY = "Averaged over training, the corrected mean-field model's logits are closest to the reference's."
_DISTANCES = (
    Quantity(corrected, "divergence of the corrected mean-field model's logits from the reference's"),
    Quantity(other, "that of any other scaled model: MF, NTK, sym-default, default"),
)
_REGIME = (
    "A reference of width 128 on a binary task; normal laws fitted over seeds at each test point, averaged over test "
    "points; all models share one sampling floor, which pulls ratios towards 1. A model counts as farther where the "
    "interval of the logarithm of the ratio, from jackknife pseudo-values over seeds, says so."
)

LAWS = (
    Law(
        name="width.ranking",
        title="On average over training the initialisation-corrected mean-field model is closest to the reference.",
        status=Status.EMPIRICAL,
        source=source("Figure 2", ("T1", "T8", "X3", "X6"), _SUMMARY),
        quantities=_DISTANCES,
        regime=_REGIME + " Mean over steps evenly spaced in the logarithm.",
        derivation=None,
        claim=Bound(corrected, other),
        rivals=(Rival("mean-field first", Bound(mean_field, other), "takes the model without its correction"),),
    ),
    Law(
        name="width.ranking_late",
        title="From step 20 on the corrected mean-field model is closest to the reference at every step.",
        status=Status.CONJECTURE,
        source=source("Figure 2", ("T1", "T8", "G14"), _SUMMARY + " Before step 20 the NTK model ties with it."),
        quantities=_DISTANCES,
        regime=_REGIME + " At each recorded step from 20 on.",
        derivation=None,
        claim=Bound(corrected, other),
        rivals=(Rival("mean-field first", Bound(mean_field, other), "takes the model without its correction"),),
    ),
    Law(
        name="width.ranking_setups",
        title="For every batch size and number of training points the corrected model is closer on average than MF.",
        status=Status.EMPIRICAL,
        source=source("Figures 3 to 7", ("T1", "T8"), "Batch size and data size change numbers, not the order."),
        quantities=_DISTANCES,
        regime=_REGIME + " Mean over steps evenly spaced in the logarithm, at each setup; the other model is MF.",
        derivation=None,
        claim=Bound(corrected, other),
        rivals=(
            Rival(
                "the reverse", Bound(mean_field, other), "puts the model without its correction before the corrected"
            ),
        ),
    ),
    Law(
        name="width.kernel_evolution",
        title="Mean-field and corrected models' tangent kernels grow during training as the reference's does.",
        status=Status.EMPIRICAL,
        source=source(
            "Figure 1, right",
            ("T4", "P2"),
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
