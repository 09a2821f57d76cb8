"""The initialisation-corrected mean-field model, and what every scaled model has in common (width:X3, T6)."""

from collections.abc import Mapping
from typing import Any

from sympy import Eq, Expr, Function, IndexedBase, Integer, Lambda, Rational, S, Symbol, Tuple, sqrt, symbols

from theory.claims import Formula, Identity, PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Quantity, Rival, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.steps import Equal, Induct
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import MEANINGS, RULES, source

# All four statements at once.

corrected = IndexedBase("f_corrected")
FROZEN = (w.d ** Rational(-1, 2) - 1 / w.d) * w.over_neurons(w.a[0, w.r] * w.phi(w.w[0, w.r] * w.x))
LOGITS = Define(
    "corrected logits",
    corrected[w.k],
    w.sigma_star * (w.over_neurons(w.a[w.k, w.r] * w.phi(w.w[w.k, w.r] * w.x)) / w.d + FROZEN),
    w.FACTOR,
)
SCALING = (
    Define("mean-field scale", w.q_sigma, S.NegativeOne),
    Define("mean-field rate of the output weights", w.q_a, S.One),
    Define("mean-field rate of the input weights", w.q_w, S.One),
)
SEEN = Tuple(corrected[0], w.K_a[0], w.K_w[0], w.K_a[1] - w.K_a[0], w.K_w[1] - w.K_w[0])
CLAIM = PowerLaw(SEEN, w.d, S.Zero)
_STEPS = (w.SCALE, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W, w.KERNEL_A, w.KERNEL_W)


def _worlds(source_) -> World:
    """Worlds of the network; its exponents are defined here."""
    values = worlds()(source_).values
    return World({symbol: value for symbol, value in values.items() if symbol not in (w.q_sigma, w.q)})


DERIVATION = Derivation(
    premises=(*SCALING, LOGITS, *_STEPS, *w.START, *w.SAMPLES),
    steps=(
        OrderOf(
            "all of order one",
            SEEN,
            S.Zero,
            w.d,
            uses=names(*SCALING, LOGITS, *_STEPS, *w.START, *w.SAMPLES),
            because=(
                "The frozen sum keeps the initial logits at d^(-1/2) times a centred sum; kernels are mean-field's."
            ),
        ),
    ),
    worlds=_worlds,
)

# The reference itself at rho = 1.

k = Symbol("k", integer=True)
rho, rate, scale = symbols("rho rate scale", positive=True)
q_sigma, q = symbols("q_sigma q", real=True)
start = Symbol("start", real=True)
scaled, reference, after, seen = (Function(name, real=True) for name in ("scaled", "reference", "after", "seen"))
frozen = Symbol("frozen", real=True)
logit, logit_ref, logit_printed = (Function(name, real=True) for name in ("logit", "logit_ref", "logit_printed"))

REFERENCE_CLAIM = Identity(logit(k), logit_ref(k))
_z, _s, _r, _c = symbols("z s r c", real=True)


def _maps(source_) -> World:
    return World(
        {
            rho: 1, rate: draw(source_), scale: draw(source_), start: draw(source_), q: draw(source_, -1, 1),
            q_sigma: draw(source_, -1, 1), k: 2,
            after: Lambda((_z, _s, _r, _c), _z / 3 + _s * _r / (1 + _z**2) + _c * _z),
            seen: Lambda((_z, _s, _c), _s * _z + _c),
        }
    )  # fmt: skip


ANY = "any exponents, and any frozen coefficient that vanishes at rho = 1, will do: that is what the law says"
_FROZEN = Define("coefficient of the frozen part", frozen, 1 / sqrt(rho) - 1 / rho)
_VANISHING = Define(_FROZEN.name, frozen, _FROZEN.body, ANY)
REFERENCE_DERIVATION = Derivation(
    premises=(
        Suppose("the reference's width", Eq(rho, 1, evaluate=False)),
        _VANISHING,
        Define("start of the scaled network", scaled(0), start),
        Define(
            "step of the scaled network",
            scaled(k + 1),
            after(scaled(k), scale * rho**q_sigma, rate * rho**q, frozen),
            ANY,
        ),
        Define("start of the reference", reference(0), start),
        Define("step of the reference", reference(k + 1), after(reference(k), scale, rate, 0)),
        Define("logit of the scaled network", logit(k), seen(scaled(k), scale * rho**q_sigma, frozen), ANY),
        Define("logit of the reference", logit_ref(k), seen(reference(k), scale, 0)),
    ),
    steps=(
        Induct(
            "the same weights",
            k,
            scaled(k),
            reference(k),
            uses=(
                "the reference's width",
                _VANISHING.name,
                "start of the scaled network",
                "step of the scaled network",
                "start of the reference",
                "step of the reference",
            ),
            because="Every factor is a power of rho = 1, and the frozen part has coefficient 0.",
        ),
        Induct(
            "the same logits",
            k,
            logit(k),
            logit_ref(k),
            uses=(
                "the reference's width",
                _VANISHING.name,
                "logit of the scaled network",
                "logit of the reference",
                "the same weights",
            ),
            because="The same weights, scale and frozen part.",
        ),
    ),
    worlds=_maps,
)  # fmt: skip

# The coefficient of the initial sum.

total, initial = Symbol("logit_0"), Symbol("sum_0", real=True)
COEFFICIENT = 1 / sqrt(rho) - 1 / rho
COEFFICIENT_DERIVATION = Derivation(
    premises=(
        _FROZEN,
        Define("initial logits", total, (1 / rho + frozen) * scale * initial),
    ),
    steps=(
        Equal(
            "coefficient",
            total,
            scale * initial / sqrt(rho),
            uses=(_FROZEN.name, "initial logits"),
            because="Trained and frozen sums coincide at the start: rho^(-1) and rho^(-1/2) - rho^(-1) add up.",
        ),
    ),
    worlds=lambda source_: World({rho: draw(source_) ** 2, scale: draw(source_), initial: draw(source_, -5, 5)}),
)

_IDS = (
    "The corrected model starts with the reference's logits, has mean-field's kernels, and is the reference at rho=1."
)
LAWS = (
    Law(
        name="width.icmf",
        title="The initialisation-corrected mean-field model has finite initial logits, finite kernels, and kernels "
        "that evolve: all four statements hold.",
        status=Status.THEOREM,
        source=source("Section 4 and SM D", ("width:X3", "width:G10"), _IDS),
        quantities=(
            Quantity(w.d, MEANINGS["d"] + ", in units of the reference's"),
            Quantity(corrected, "logit of the corrected model before a step"),
            Quantity(w.K_a, MEANINGS["K_a"]),
            Quantity(w.K_w, MEANINGS["K_w"]),
        ),
        regime="Statement 4 is read for the kernels' whole change in the first step; misclassified samples." + RULES,
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(Rival("logits vanish", PowerLaw(SEEN, w.d, -S.Half), "the mean-field model's own initial logits"),),
    ),
    Law(
        name="width.icmf_start",
        title="The corrected model's initial logits are rho^(-1/2) times the reference's sum at every width.",
        status=Status.THEOREM,
        source=source("Equation 24, corrected", ("width:X3", "width:G10"), _IDS),
        quantities=(
            Quantity(total, "initial logit of the corrected model"),
            Quantity(initial, "sum over its neurons of output weight times activation, in hat units"),
            Quantity(scale, "standard deviation of the reference's output weights"),
            Quantity(rho, "width over the reference's"),
        ),
        regime="Exact at every width.",
        derivation=COEFFICIENT_DERIVATION,
        claim=Formula(total, scale * initial / sqrt(rho)),
        rivals=(
            Rival(
                "as in SM D",
                Formula(total, scale * initial * (1 / sqrt(rho) + 1 / rho)),
                "adds rho^(-1/2) of the initial sum without taking rho^(-1) off",
            ),
        ),
    ),
    Law(
        name="width.reference",
        title="At the reference's width every scaled model, the corrected one included, is the reference.",
        status=Status.THEOREM,
        source=source("Section 5", ("width:X3", "width:T6", "width:G10"), _IDS),
        quantities=(
            Quantity(k, "number of steps"),
            Quantity(logit, "logit of a scaled model"),
            Quantity(logit_ref, "logit of the reference"),
        ),
        regime="Any step map and any read-out of the weights, any exponents; powers of rho, not of d (width:G10).",
        assumptions=(Eq(rho, 1, evaluate=False),),
        derivation=REFERENCE_DERIVATION,
        claim=REFERENCE_CLAIM,
        rivals=(
            Rival(
                "as in SM D",
                Identity(logit_printed(k), logit_ref(k)),
                "adds rho^(-1/2) of the initial sum without taking its own part off: it starts from twice the logits",
            ),
        ),
    ),
)


def _icmf(rho: Any) -> Mapping[str, Any]:
    if not isinstance(rho, Expr) or not rho.is_finite or not rho.is_positive:
        raise OutsideDomain(f"rho is {rho}; positive numbers are allowed; give the width over the reference's")
    return {
        "coefficient": 1 / sqrt(rho) - 1 / rho,
        "initial_logits": 1 / sqrt(rho),
        "holds": [Integer(i) for i in (1, 2, 3, 4)],
    }


PREDICTORS = (
    Predictor(
        name="width.icmf",
        laws=("width.icmf", "width.icmf_start", "width.reference"),
        inputs=(Input("rho", "width over the reference's width"),),
        evaluate=_icmf,
        summary="Coefficient of the frozen part, factor of the initial sum, and the statements that hold.",
    ),
)
