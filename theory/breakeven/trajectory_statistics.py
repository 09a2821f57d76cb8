"""What a trajectory is summed up by, and the one shape of the conjectures about it: it moves one way.

A control is a learning rate, a batch size or a momentum; a statistic is the largest value over training of an
eigenvalue, a trace or a ratio, raw or smoothed by a moving average (breakeven:D12; of
the gradient covariance and the Hessian of breakeven:D1, by the eigenvalues of breakeven:D3).
"""

from dataclasses import dataclass

from sympy import Symbol

from theory.breakeven.noise_factor import PAPER
from theory.claims import Trend
from theory.definitions.breakeven import S, eta
from theory.law import Law, Quantity, Rival, Source, Status

momentum = Symbol("beta", nonnegative=True)

CONTROLS = {
    eta: Quantity(eta, "learning rate", "1/curvature"),
    S: Quantity(S, "examples in a mini-batch", "1"),
    momentum: Quantity(momentum, "momentum (heavy ball)", "1"),
}
AT_THE_START = "at the start"
"""Name of the rival that says it of the common starting point."""


@dataclass(frozen=True)
class Statistic:
    """A number per run.

    Parameters
    ----------
    name
        As in a law's name.
    symbol
        As in its statement.
    meaning
        In words.
    """

    name: str
    symbol: str
    meaning: str
    unit: str = "1"


LAMBDA_H = Statistic("lambda_h", "lambda_H", "largest eigenvalue of the Hessian", "curvature")
LAMBDA_K = Statistic("lambda_k", "lambda_K", "largest eigenvalue of the gradient covariance K, exact", "gradient^2")
LAMBDA_KM = Statistic("lambda_km", "lambda_KM", "largest eigenvalue of K^M of 25 batches, scaled", "gradient^2")
TRACE_K = Statistic("trace_k", "Tr K", "trace of the gradient covariance K, exact", "gradient^2")
RATIO_K = Statistic("ratio_k", "lambda*_K/lambda_K", "smallest nonzero over largest eigenvalue of K, exact")
RATIO_KM = Statistic("ratio_km", "lambda*_KM/lambda_KM", "smallest nonzero over largest eigenvalue of K^M")


def one_way(
    name: str,
    title: str,
    statistic: Statistic,
    control: Symbol,
    direction: int,
    *,
    place: str,
    ids: tuple[str, ...],
    sentence: str,
    regime: str,
    status: Status = Status.CONJECTURE,
    view: str = "max",
    rivals: tuple[Rival, ...] = (),
) -> Law:
    """The law that a statistic rises (+1) or falls (-1) with a control; it is measured, not derived.

    Its first rival says the same of the start, which all runs share: a verdict that cannot tell a trend from
    none is caught by it, whatever the verdict on the law is.
    """
    quantity = Symbol(f"{view} {statistic.symbol}", positive=True)
    start = Symbol(f"initial {statistic.symbol}", positive=True)
    return Law(
        name=f"breakeven.{name}",
        title=title,
        status=status,
        source=Source(PAPER, place, ids, sentence),
        quantities=(
            Quantity(quantity, f"{view} over training of the {statistic.meaning}", statistic.unit),
            CONTROLS[control],
        ),
        regime=regime,
        derivation=None,
        claim=Trend(quantity, control, direction),
        rivals=(
            Rival(
                AT_THE_START,
                Trend(start, control, direction),
                "says it of the common starting point, which no setting can move",
            ),
            *rivals,
        ),
    )
