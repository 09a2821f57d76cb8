"""The mean squared distance after many steps of SGD with fresh batches (breakeven:L2, Eq. 1)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.second_moment import FROM_THE_COUNTS, ONE_STEP_VALUE
from theory.claims import Formula
from theory.definitions.breakeven import (
    BRANCHES,
    CHANCES,
    INDEPENDENT,
    ONE_STEP,
    PAIRS,
    PATHS,
    QUADRATIC,
    SINGLES,
    START,
    STEP,
    N,
    Q,
    S,
    T,
    batch,
    curvature,
    eta,
    growth,
    k,
    lam,
    noise,
    over_batches,
    path_world,
    s2,
    w,
)
from theory.law import Law, Rival, Source, Status
from theory.proof.derivation import Derivation, Imported
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Induct

_FORMS = (expanded, sums, rational)

COMPOUNDING = Law(
    name="breakeven.compounding",
    title="T independent steps multiply the mean squared distance by Q^T: bounded for Q <= 1, exploding for Q > 1.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 3, the sequence psi(tau); Eq. 1",
        ("breakeven:L2", "breakeven:D5"),
        "With a fresh batch at every step E psi_T^2 = Q^T psi_0^2, so Eq. 1 is necessary and sufficient "
        "in mean square.",
    ),
    quantities=quantities(T, eta, lam, s2, N, S, w),
    regime="As the one-step law; the batches of different steps are independent (a premise).",
    derivation=Derivation(
        premises=(
            CHANCES,
            SINGLES,
            PAIRS,
            QUADRATIC,
            STEP,
            ONE_STEP,
            PATHS,
            START,
            BRANCHES,
            INDEPENDENT,
            Imported("one step of SGD", FROM_THE_COUNTS),
        ),
        steps=(
            Equal(
                "factor of a batch",
                Q,
                over_batches((1 - eta * curvature[batch]) ** 2),
                uses=("one step", "step", "quadratic"),
                normal=_FORMS,
                because="A batch multiplies the distance by 1 - eta H_B.",
            ),
            Equal(
                "one more step",
                growth(k + 1),
                Q * growth(k),
                uses=("one more batch", "independent batches", "mean square", "factor of a batch"),
                normal=_FORMS,
                forall=(k,),
                because="The mean of a product of independent things is the product of their means.",
            ),
            Induct(
                "many steps",
                T,
                growth(T),
                ONE_STEP_VALUE**T,
                uses=("one step of SGD", "start", "one more step"),
                because="Each step multiplies by the same Q.",
            ),
        ),
        worlds=path_world,
    ),
    claim=Formula(growth(T), ONE_STEP_VALUE**T),
    rivals=(
        Rival(
            "contraction of the mean",
            Formula(growth(T), (1 - eta * lam) ** (2 * T)),
            "squares the mean distance",
        ),
        Rival(
            "noise added up",
            Formula(growth(T), (1 - eta * lam) ** (2 * T) + noise() * eta**2 * s2 * T),
            "adds the noise of the steps instead of compounding it",
        ),
    ),
)

LAWS = (COMPOUNDING,)
