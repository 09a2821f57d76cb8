"""Output weights without a second moment (width:G16): the largest neuron carries the kernel of the input weights.

Of d weights with tail P(|a| > u) = u^(-alpha) about one exceeds d^(1/alpha); beyond that size there is none. The
typical kernel is d times the second moment cut off there. With u = d^(s/alpha), 0 <= s <= 1, the chance to exceed u
is d^(-s) and its density in s is ln(d) d^(-s).
"""

from sympy import Derivative, Eq, Expr, Integral, Rational, S, Symbol, integrate, log, oo, symbols

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.errata import Erratum, Measurement, Witness
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import derivatives, expanded, rational
from theory.proof.steps import Equal, Root
from theory.proof.steps.follows import Follows
from theory.proof.steps.integrates import Integrates
from theory.proof.worlds import World
from theory.width.meanings import source

HALF = Rational(1, 2)
d, excess = symbols("d excess", positive=True)
s = Symbol("s", real=True)
kernel, moment = symbols("K_w_typical second_moment", real=True)

WEIGHT = d ** ((excess + HALF) * s)
"""Size that d^(1 - s) of d weights exceed."""

CUT_OFF = WEIGHT**2 * log(d) * d**-s
KERNEL = Define("typical kernel of the input weights", kernel, d ** (2 * w.q_sigma + w.q_w + 1) * moment, w.FACTOR)
CLAIM = PowerLaw(kernel, d, 2 * w.q_sigma + w.q_w + 1 + 2 * excess)

DERIVATION = Derivation(
    premises=(KERNEL,),
    steps=(
        Equal(
            "squares times their density",
            -(WEIGHT**2) * Derivative(WEIGHT ** (-1 / (excess + HALF)), s),
            CUT_OFF,
            normal=(derivatives, expanded, rational),
            because="The chance to exceed u is u^(-alpha), which is d^(-s) at u = d^(s/alpha).",
        ),
        Integrates(
            "squares below the largest weight",
            CUT_OFF,
            s,
            S.Zero,
            S.One,
            d ** (2 * excess * s) / (2 * excess),
            normal=(derivatives, expanded, rational),
            because="A power of d in s, integrated from weights of order one to the largest of d.",
        ),
        Root(
            "second moment up to there",
            moment,
            Eq(moment, Integral(CUT_OFF, (s, 0, 1)), evaluate=False),
            (d ** (2 * excess) - 1) / (2 * excess),
            uses=("squares below the largest weight",),
            normal=(expanded, rational),
            because="It has no limit: it grows with the width.",
        ),
        Follows(
            "order of the typical kernel",
            kernel,
            d,
            CLAIM.exponent,
            oo,
            uses=(KERNEL.name, "second moment up to there"),
            normal=(expanded,),
            because="The largest weights lead; each neuron's mean is left behind.",
        ),
    ),
    worlds=lambda source_of_numbers: World(
        {
            d: 100,
            s: HALF,
            excess: Rational(source_of_numbers.randint(2, 6), 4),
            w.q_sigma: Rational(source_of_numbers.randint(-4, 0), 2),
            w.q_w: Rational(source_of_numbers.randint(0, 4), 2),
        }
    ),
)

LAWS = (
    Law(
        name="width.heavy_tails",
        title="Output weights of tail index alpha below 2 raise the kernel of the input weights by d^(2/alpha - 1).",
        status=Status.THEOREM,
        source=source(
            "SM E: any symmetric random variable",
            ("width:G16", "width:E2"),
            "2 q_sigma + q_w + 2/alpha instead of 2 q_sigma + q_w + 1: a law of large numbers needs a second moment.",
        ),
        quantities=(
            Quantity(d, "width: number of hidden neurons"),
            Quantity(kernel, "typical initial kernel of the input weights"),
            Quantity(w.q_sigma, "exponent of the output weights' size"),
            Quantity(w.q_w, "exponent of the input weights' learning rate in hat units"),
            Quantity(excess, "1/alpha - 1/2, where alpha < 2 is the tail index of the output weights"),
        ),
        regime=(
            "P(|a| > u) = u^(-alpha) for large u with alpha < 2; typical means with the weights cut off at the size "
            "that one of d exceeds, d^(1/alpha); input weights and activation as everywhere."
        ),
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "as printed: any symmetric weights",
                PowerLaw(kernel, d, 2 * w.q_sigma + w.q_w + 1),
                "applies the law of large numbers to squares that have no mean (width:G16)",
            ),
        ),
    ),
)


def _three_halves() -> tuple[Expr, Expr, Expr]:
    """Tail index 3/2, q_sigma = q_w = 0: exponent of d times the moment of a^2 cut off at d^(2/3), by integration."""
    size, alpha = Symbol("u", positive=True), Rational(3, 2)
    moment_below = integrate(size**2 * alpha * size ** (-alpha - 1), (size, 1, d ** (1 / alpha)))
    total = d * moment_below
    truth = (d * total.diff(d) / total).limit(d, oo)
    return S.One, CLAIM.exponent.subs({w.q_sigma: 0, w.q_w: 0, excess: 1 / alpha - HALF}), truth


ERRATA = (
    Erratum(
        id="width:G16",
        where="SM E, the sentence on symmetric random variables",
        sentence=(
            "Symmetry is not enough: logits and K_a need output weights of finite variance, the variance of K_w a "
            "fourth moment and that of its increment by input weights a sixth; with t(1.5) weights K_w grows by "
            "d^(1/3) more than printed."
        ),
        printed="nothing changes if the initial weights are sigma xi with any symmetric random variable xi",
        derived="q_w + 2 q_sigma + 2/alpha for K_w where the tail index alpha of the output weights is below 2",
        evidence=(
            Witness("Pareto tails of index 3/2: the sum of squares below the largest weight.", _three_halves),
            Measurement(
                "Networks with t(1.5) output weights.", "width.heavy_tails", "as printed: any symmetric weights"
            ),
        ),
        law="width.heavy_tails",
    ),
)
