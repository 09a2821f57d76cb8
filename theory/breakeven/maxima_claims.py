"""When the maxima come, and how many eigenvalues stand out there (breakeven:Q3, Q4); measured, not derived."""

# SymPy's inline types do not know that relations are Boolean.
# pyright: reportArgumentType=false

from sympy import Rational, Symbol

from theory.breakeven.noise_factor import PAPER
from theory.breakeven.trajectory_conjectures import NETWORKS
from theory.breakeven.trajectory_statistics import LAMBDA_H, LAMBDA_K, Statistic, one_way
from theory.claims import Bound
from theory.definitions.breakeven import eta
from theory.law import Law, Quantity, Rival, Source, Status

LATEST = Rational(3, 4)
"""The larger of the two training accuracies at which the paper sees its maxima: 60 % (CIFAR-10), 75 % (IMDB)."""
accuracy = Symbol("accuracy_at_maximum", positive=True)

OUTLIERS_K = Statistic(
    "outliers_k",
    "outliers of K",
    "eigenvalues of K, of the 20 leading ones, above a third of the highest rate's largest",
)
OUTLIERS_H = Statistic(
    "outliers_h",
    "outliers of H",
    "Ritz values of H, of 10 steps of Lanczos, above a third of the highest rate's largest",
)


def _early(statistic: Statistic, ending: str, network: str) -> Law:
    return Law(
        name=f"breakeven.max_{statistic.name}_is_early{ending}",
        title=f"The maximum of {statistic.symbol} comes before three quarters of the points are fitted ({network}).",
        status=Status.CONJECTURE,
        source=Source(
            PAPER,
            "Section 4.2, how early the break-even point is reached",
            ("breakeven:Q3", "breakeven:V13"),
            "The largest eigenvalues reach their maxima early, at a training accuracy near 60 % on CIFAR-10 and 75 % "
            "on IMDB.",
        ),
        quantities=(
            Quantity(accuracy, "training accuracy where the smoothed curve is largest, mean over rates, in each seed"),
        ),
        regime=f"Digits, {network}; S = 32; runs that converge and whose 2/eta the task exceeds.",
        derivation=None,
        claim=Bound(accuracy, LATEST),
        rivals=(Rival("late", Bound(LATEST, accuracy), "takes the maximum for the end of fitting"),),
    )


def _outliers(statistic: Statistic, ending: str, network: str) -> Law:
    return one_way(
        f"{statistic.name}_over_rate{ending}",
        f"A lower learning rate has more {statistic.symbol} at the maximum ({network}).",
        statistic,
        eta,
        -1,
        place="Section 4.1 and Figure 3",
        ids=("breakeven:Q4",),
        sentence="Where the largest eigenvalue is at its maximum, the spectrum of the lower rate has more outliers.",
        regime=f"Digits, {network}; S = 32; one level for all runs of a seed. Fewer Ritz values than eigenvalues "
        "exceed it.",
        view="count at the peak",
    )


EARLY = tuple(_early(one, ending, words) for ending, words in NETWORKS.items() for one in (LAMBDA_H, LAMBDA_K))
OUTLIERS = tuple(
    _outliers(one, ending, words) for ending, words in NETWORKS.items() for one in (OUTLIERS_H, OUTLIERS_K)
)
LAWS = (*EARLY, *OUTLIERS)
