"""The Hessian's half of Conjecture 2, its trace (breakeven:C2, D12); measured, not derived."""

from sympy import Symbol

from theory.breakeven.trajectory_conjectures import NETWORKS, SAID, VIEWS, WORDS
from theory.breakeven.trajectory_statistics import Statistic, one_way
from theory.definitions.breakeven import S, eta
from theory.law import Law

TRACE_H = Statistic("trace_h", "Tr H", "trace of the Hessian", "curvature")
_REGIME = f"Digits, {NETWORKS['']}; runs that converge and whose 2/eta the task exceeds; "


def _law(name: str, title: str, control: Symbol, ids: tuple[str, ...], regime: str, view: str) -> Law:
    moves = "smaller" if control == eta else "larger"
    return one_way(
        f"{name}_over_{WORDS[control]}",
        f"{title} is {moves} for {SAID[control]}.",
        TRACE_H,
        control,
        -1 if control == eta else 1,
        place="Conjecture 2",
        ids=ids,
        sentence=f"The {view} of the {TRACE_H.meaning} is {moves} for {SAID[control]}.",
        regime=_REGIME + regime,
        view=view,
    )


LAWS = tuple(
    law
    for control in (eta, S)
    for law in (
        *(
            _law(
                f"max_trace_h_{view}",
                f"Conjecture 2, the {view} maximum of Tr H,",
                control,
                ("breakeven:C2", "breakeven:D12"),
                said,
                f"{view} max",
            )
            for view, said in VIEWS.items()
        ),
        _law(
            "trace_h_at_equal_loss",
            "Tr H at equal training loss",
            control,
            ("breakeven:C2", "breakeven:Q5", "breakeven:G8"),
            "where the smoothed training loss first falls to 1",
            "value at equal loss",
        ),
    )
)
