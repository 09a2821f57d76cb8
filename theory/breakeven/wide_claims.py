"""Conjecture 1 for the sharpness over controls as wide apart as breakeven:V10 asks; measured, not derived."""

from collections.abc import Mapping

from sympy import Symbol

from theory.breakeven.trajectory_conjectures import SAID, VIEWS, WORDS
from theory.breakeven.trajectory_statistics import LAMBDA_H, one_way
from theory.definitions.breakeven import S, eta
from theory.law import Law

RANGES: Mapping[Symbol, str] = {eta: "learning rates 8-fold", S: "batch sizes 32-fold"}


def _law(control: Symbol, view: str) -> Law:
    moves = "smaller" if control == eta else "larger"
    return one_way(
        f"max_lambda_h_{view}_over_{WORDS[control]}_wide",
        f"Conjecture 1, {view} {LAMBDA_H.symbol}, {RANGES[control]}: {SAID[control]} makes its maximum {moves}.",
        LAMBDA_H,
        control,
        -1 if control == eta else 1,
        place="Conjecture 1",
        ids=("breakeven:C1", "breakeven:V10"),
        sentence=f"The maximum over training of the {LAMBDA_H.meaning} is {moves} for {SAID[control]}.",
        regime=f"Digits, tanh network, random labels; {RANGES[control]}; {VIEWS[view]}; runs that converge and whose "
        "2/eta the task exceeds.",
        view=f"{view} max",
    )


LAWS = tuple(_law(control, view) for control in WORDS for view in VIEWS)
