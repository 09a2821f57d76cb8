"""Orders of errors at the ends of confidence, momentum and conditioning, read off the first term left out.

The limits are laws of their own; each of these has the exponent of what its leading order leaves out. Those that follow
from definitions are derived in temperature.one_point_orders, damped_orders, saturation_orders and growth_orders.
"""

from dataclasses import replace

from sympy import Expr, Function, Integer, Rational, Symbol

from theory.claims import PowerLaw
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.temperature.damped_orders import EARLY_TIME, EFFECTIVE_RATE, SECOND_SCHEME
from theory.temperature.growth_orders import GROWTH_ORDER
from theory.temperature.one_point_orders import WEAK_DECAY
from theory.temperature.saturation_orders import AVERAGED

scale, h, ratio, drag, epsilon, x, beta = (
    Symbol(name, positive=True)
    for name in ("logit_scale", "canonical_step", "curvature_ratio", "drag", "epsilon", "x", "beta")
)
CONTROLS = {
    scale: "root mean square of the scaled logits",
    h: "step beta sqrt(eta) of canonical time",
    ratio: "eta h / gamma^2, the curvature h over the square of the canonical damping",
    drag: "canonical damping times sqrt(2 ||Z0|| / ||Theta r||), the time without it",
    epsilon: "beta^2 over the weight decay, with a kernel of unit norm",
    x: "probability of the wrong class, exp(-2 beta |z|)",
    beta: "inverse temperature",
}
ONE, TWO = Integer(1), Integer(2)
MEANWHILE = "the exponent of the first term that the leading order leaves out"


def order(
    name: str,
    title: str,
    place: str,
    ids: tuple[str, ...],
    error: str,
    control: Symbol,
    exponent: Expr,
    regime: str,
    *rivals: tuple[str, Expr, str],
    derivation: Derivation | None = None,
) -> Law:
    """A law: this error goes like this power of its control, and like none of those of the rivals."""
    quantity = derivation.steps[-1].quantity if derivation else Function("error", real=True)(control)  # type: ignore
    claim = PowerLaw(quantity, control, exponent)
    return Law(
        name=f"temperature.{name}",
        title=title,
        status=Status.THEOREM if derivation else Status.CONJECTURE,
        source=Source("temperature", place, tuple(f"temperature:{one}" for one in ids), error),
        quantities=(Quantity(Symbol("error"), error), Quantity(control, CONTROLS[control])),
        regime=f"{regime}; {MEANWHILE}",
        derivation=derivation,
        claim=claim,
        rivals=tuple(Rival(said, replace(claim, exponent=power), because) for said, power, because in rivals),
    )


def around(exponent: Expr) -> tuple[tuple[str, Expr, str], ...]:
    """The orders next to an exponent."""
    return (
        ("one order less", exponent - 1, "the limit itself would be another"),
        ("one order more", exponent + 1, "the first term left out would vanish"),
    )


LAWS = (
    order(
        "confidence_curvature_order",
        "The confidence of a nearly uniform softmax is its curvature's but for the fourth order",
        "beyond",
        ("T09",),
        "distance of E sum p^2 from 1/K + s^2 (K - 1)/K^2",
        scale,
        Integer(4),
        "independent normal logits of root mean square s far below 1; not derived: it takes the fourth moments of the "
        "normals and a bound of the sixth derivative of a mean softmax, which no step of a derivation takes",
        ("second order", TWO, "the curvature would be another"),
        ("third order", Integer(3), "what logits that are not symmetric leave"),
        ("sixth order", Integer(6), "the first term left out would vanish"),
    ),
    order(
        "averaged_saturation_order",
        "Averaged over the gaps between logits a softmax saturates like the inverse logit scale, no faster",
        "sec 2.3",
        ("T07", "T09"),
        "1 - E sum p^2, what the mean squared residual lacks to its saturated value",
        scale,
        -ONE,
        "independent normal logits of root mean square 10 and more, whose gaps come down to 0. Derived for the mean of "
        "a softmax-weighted normal over s, which Stein's identity (temperature.confidence_identity) makes of it: that "
        "identity is a premise, at every s, which no finite ensemble of draws with gaps above 0 satisfies but normals, "
        "their limit, do. Nothing is asked of the gaps: over any ensemble, whatever its size, a softmax-weighted "
        "normal lacks at most (K - 1)/s to the largest, whose mean is above 0",
        ("its square", -TWO, "gaps that avoid 0 linearly"),
        ("half of it", Rational(-1, 2), "gaps that crowd at 0"),
        derivation=AVERAGED,
    ),
    order(
        "second_scheme_order",
        "Momentum's second scheme collapses in canonical time but for one step of it",
        "app B.5",
        ("T27",),
        "distance of the scaled logits from those of one continuous path, over how far that went",
        h,
        ONE,
        "models that are linear in their parameters, damping gamma = beta sqrt(eta) gamma~, canonical time "
        "beta sqrt(eta) t of 2, beta from 0.1 to 10; derived for a gradient that does not change, at any time at "
        "which the first correction does not cancel",
        ("its root", Rational(1, 2), "what the learning rate itself would give"),
        ("its square", TWO, "what steps that are symmetric in time would give"),
        derivation=SECOND_SCHEME,
    ),
    order(
        "momentum_effective_rate_order",
        "Under strong damping a step is eta / gamma times the gradient but for the curvature over damping squared",
        "eqs 51-52",
        ("T26", "E30"),
        "distance of the step over -(eta / gamma) times the gradient from 1",
        ratio,
        ONE,
        "one direction of constant curvature, gamma = 0.05, after the first transient; derived on the slow mode, "
        "which is what is left of any start, for any gamma below 1: the order is 1 - gamma times the ratio",
        ("its root", Rational(1, 2), "what the frequency itself would give"),
        ("its square", TWO, "the first term left out would vanish"),
        derivation=EFFECTIVE_RATE,
    ),
    order(
        "momentum_tau_z_order",
        "Before damping is felt the early timescale of momentum is sqrt(2 tau_z) but for one order of the damping",
        "sec 2.3, app B",
        ("T26",),
        "distance of momentum's timescale over sqrt(2 ||Z0|| / ||Theta r||) from 1",
        drag,
        ONE,
        "constant drive, steps far shorter than the timescale; the displacement is that of temperature.momentum_tau_z, "
        "and the order is a sixth of the control",
        *around(ONE),
        derivation=EARLY_TIME,
    ),
    order(
        "small_logit_relaxation_order",
        "At small logits the rates at rest are those of a uniform softmax but for the second order of beta^2 / lam",
        "eqs 23, 25",
        ("T18", "T22"),
        "distance of the largest rate over eta lam from 1 + (beta^2 / lam) / K",
        epsilon,
        TWO,
        "three classes, a block-diagonal kernel of unit norm, beta^2 / lam far below 1; not derived: the largest "
        "eigenvalue is K - 1 times degenerate where the softmax is uniform, and a smooth branch would be a premise. "
        "At one point the distance is (K - 2)/K^2 times the square, so that two classes have the third order",
        *around(TWO),
    ),
    order(
        "small_logit_conditioning_order",
        "The condition number of the Hessian is the kernel's but for one order of the logits",
        "eqs 29-30",
        ("T22",),
        "kappa+ of the Hessian over kappa of the kernel, less 1",
        scale,
        ONE,
        "three classes, logits far below 1; not derived: both ends of the spectrum are K - 1 times degenerate at "
        "equal logits, and smooth branches of both would be a premise",
        *around(ONE),
    ),
    order(
        "weak_decay_order",
        "Weight decay is beta^2 theta e^(-2 beta z) / (beta z) at rest but for the wrong class's probability",
        "app A.2",
        ("T17", "E14"),
        "distance of beta z lam / (beta^2 theta e^(-2 beta z)) from 1",
        x,
        ONE,
        "one point, two classes, weak decay",
        *around(ONE),
        derivation=WEAK_DECAY,
    ),
    order(
        "conditioning_growth_order",
        "The growth of ln kappa+ per beta reaches the spread of gaps at first order in 1/beta",
        "eq 37",
        ("T23",),
        "distance of ln kappa+ / beta from the largest less the smallest gap",
        beta,
        -ONE,
        "several points with random logits, all gaps large against 1/beta: a constant is left in ln kappa+, "
        "ln(2 (K - 1)/K), which vanishes for two classes, so that there are three or more; the ends of the spectrum "
        "are those of temperature.conditioning_growth",
        ("no dependence", Integer(0), "the growth itself would be another"),
        ("its square", -TWO, "no constant would be left in ln kappa+"),
        derivation=GROWTH_ORDER,
    ),
    order(
        "tau_nl_in_logit_scale",
        "With one half trained the nonlinear timescale stays within a factor over four decades of initial logits",
        "sec 2.4",
        ("T11", "E27"),
        "eta~ tau_nl / beta, of order 1 in the logit scale",
        scale,
        Integer(0),
        "erf and ReLU networks of which one half is trained, rms of the initial logits from 0.01 to 100; not derived: "
        "at both ends the timescale is a constant, since the residual is, but how far apart they are is the network's",
        ("like tau_z", ONE, "a timescale that grows with the initial logits"),
        ("inverse", -ONE, "what training both halves does"),
    ),
)
