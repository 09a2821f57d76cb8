"""How fast what the leading orders leave out goes away: the orders of the errors, read off the first term left out.

The limits themselves are laws of their own, most of them with derivations; here each has the exponent of its error.
Those whose remainder follows from definitions are derived in
temperature.error_derivations, temperature.frozen_orders, temperature.one_point_orders and temperature.deviation_orders.
"""

from dataclasses import replace

from sympy import Expr, Function, Integer, Rational, Symbol

from theory.claims import PowerLaw
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.temperature.deviation_orders import DEVIATION_ORDER
from theory.temperature.error_derivations import CONFIDENT, EARLY, JACOBIAN, SMALL_LOGITS, scale, time, x
from theory.temperature.frozen_orders import CONDITION_NUMBER, EIGENVECTOR
from theory.temperature.one_point_orders import LOGARITHMIC_GROWTH

t_hat, width, C = (Symbol(name, positive=True) for name in ("t_hat", "width", "C"))
CONTROLS = {
    scale: "root mean square of the scaled logits",
    time: "time eta~ t",
    t_hat: "time eta~ t / beta",
    x: "largest ratio of neighbouring probabilities; of two classes exp(-2 beta |z|)",
    width: "units of each hidden layer",
    C: "2 eta~ theta t + gap(0) + exp(gap(0))",
}
ONE, HALF = Integer(1), Rational(1, 2)


def order(
    name: str,
    title: str,
    place: str,
    ids: tuple[str, ...],
    error: str,
    control: Symbol,
    exponent: Expr,
    regime: str,
    derivation: Derivation | None = None,
) -> Law:
    """A law: this error goes like this power of its control."""
    claim = PowerLaw(Function("error", real=True)(control), control, exponent)
    step = HALF if control is width else ONE
    return Law(
        name=f"temperature.{name}",
        title=title,
        status=Status.THEOREM if derivation else Status.CONJECTURE,
        source=Source("temperature", place, tuple(f"temperature:{one}" for one in ids), error),
        quantities=(Quantity(Symbol("error"), error), Quantity(control, CONTROLS[control])),
        regime=f"{regime}; the exponent of the first term that the leading order leaves out",
        derivation=derivation,
        claim=claim,
        rivals=(
            Rival("one order less", replace(claim, exponent=exponent - step), "the limit itself would be another"),
            Rival("one order more", replace(claim, exponent=exponent + step), "the first term left out would vanish"),
        ),
    )


LAWS = (
    order(
        "early_displacement_order",
        "Logits leave the straight line of their first velocity at first order in time",
        "eq 6",
        ("T05",),
        "distance of Z(t) - Z0 from eta~ t Theta r, relative to it",
        time,
        ONE,
        "times far below tau_lin; logits that are smooth in time and do not all go straight",
        EARLY,
    ),
    order(
        "small_logit_constant_order",
        "At small logits the constant of tau_z is reached at first order in them",
        "sec 2.3",
        ("T07",),
        "eta~ tau_z ||Theta (Y - 1/K)|| / ||Z0|| - 1",
        scale,
        ONE,
        "logits far below 1 in any direction that turns the drive",
        SMALL_LOGITS,
    ),
    order(
        "logarithmic_growth_order",
        "The gap of one point is a logarithm of time but for its logarithm over time",
        "app A.1",
        ("T12",),
        "distance of the gap from ln C, over ln C",
        C,
        -ONE,
        "one point, two classes, eta~ theta t of 100 and more, where C is 2 eta~ theta t but for a few per cent",
        LOGARITHMIC_GROWTH,
    ),
    order(
        "conserved_sum_in_width",
        "At finite width the sum over classes drifts by the inverse root of the width",
        "eqs 18-19",
        ("T16",),
        "velocity of the sums over classes over that of the logits, at the start",
        width,
        -HALF,
        "erf networks with output weights drawn independently; not derived: a mean over random weights that depend on "
        "one another through the layers; for one hidden layer it is the fluctuation of temperature.block_diagonality",
    ),
    order(
        "confident_softmax_order",
        "A confident softmax lacks its exponential but for the square of it",
        "eqs 20-21",
        ("T17",),
        "distance of the wrong class's probability from exp(-2 beta |z|)",
        x,
        2 * ONE,
        "two classes, here one point at rest under weak decay",
        CONFIDENT,
    ),
    order(
        "one_point_relaxation_order",
        "The rate of relaxation is that of Lambert's function but for the wrong class's probability",
        "eqs 22-23",
        ("T18",),
        "distance of the rate over eta lam from 1 + W(2 beta^2 theta / lam), relative to it",
        x,
        ONE,
        "one point, two classes, weak decay; not derived here: on paper the distance is -x (1 - 1/(1 + u)^2) with "
        "x = e^-u to first order in x, but u = -ln x is a logarithm, and an exponent read off in worlds tolerates none",
    ),
    order(
        "jacobian_at_small_logits",
        "At small logits the softmax Jacobian is that of a uniform softmax but for one order of the logits",
        "eq 25",
        ("T19", "E13"),
        "largest entry of the distance of the softmax Jacobian from P_K / K",
        scale,
        ONE,
        "logits far below 1; entries that move at all, of which the largest is one",
        JACOBIAN,
    ),
    order(
        "frozen_eigenvector_order",
        "Frozen eigenvectors are reached at first order in the ratio of neighbouring probabilities",
        "eq 36",
        ("T20",),
        "largest entry of the distance of the eigenvectors from their limits",
        x,
        ONE,
        "all gaps between logits large against 1/beta; entries at larger classes that move at first order",
        EIGENVECTOR,
    ),
    order(
        "frozen_condition_number_order",
        "The condition number of a frozen block is reached at first order in the ratio of neighbouring probabilities",
        "eq 37",
        ("T20", "T23"),
        "distance of the scaled condition number from 2 (K - 1)/K",
        x,
        ONE,
        "all gaps between logits large against 1/beta; ends of the spectrum that do not move alike at first order",
        CONDITION_NUMBER,
    ),
    order(
        "deviation_order",
        "The first rate of deviation holds but for one order of eta~ t / beta",
        "sec 2.4",
        ("T30",),
        "2 TNL / t_hat times the relative deviation, less 1",
        t_hat,
        ONE,
        "beta = 1, times far below tau_lin and tau_nl; any two smooth paths that leave one place with one velocity and "
        "whose pace and bend do not change alike",
        DEVIATION_ORDER,
    ),
)
