"""One network in other spellings: original and hat units (width:X9), scaling from a reference (width:X7), and
the abc dictionary.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Integer, Rational, Symbol, symbols

from theory.claims import Identity
from theory.definitions import width as w
from theory.definitions import width_units as u
from theory.growth import dphi, phi
from theory.law import Law, Quantity, Rival, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import derivatives, expanded, rational, sums
from theory.proof.steps import Equal, Induct
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as number
from theory.width.band import EXPONENTS, exponents
from theory.width.meanings import source

_ORIGINAL = (u.ORIGINAL_A, u.ORIGINAL_W, u.ORIGINAL)
_AT = (u.output, u.inputs, u.place)
GRADIENTS = (
    Equal(
        "gradient in an output weight",
        u.by_output(*_AT),
        phi(u.inputs * u.place),
        uses=(u.GRADIENT_OUTPUT.name,),
        normal=(derivatives, rational),
        because="A neuron's part of the logit is linear in its output weight.",
        forall=_AT,
    ),
    Equal(
        "gradient in an input weight",
        u.by_inputs(*_AT),
        u.output * dphi(u.inputs * u.place) * u.place,
        uses=(u.GRADIENT_INPUTS.name,),
        normal=(derivatives, rational),
        because="The chain rule.",
        forall=_AT,
    ),
)
_SLOPES = (u.GRADIENT_OUTPUT, u.GRADIENT_INPUTS)

HAT_CLAIM = Identity(u.original(u.k, w.x), u.hat(u.k, w.x))
_HAT = u.hat_run(u.sigma_w)
HAT_RUN = Induct(
    "the same logits at every step",
    u.k,
    HAT_CLAIM.left,
    HAT_CLAIM.right,
    uses=names(*u.START, *_ORIGINAL, *_HAT, u.HAT_RATE_A, u.HAT_RATE_W, *GRADIENTS),
    normal=(sums, rational),
    because="The gradient in a weight carries the other one's size; dividing by the own size turns the rate into rate "
    "over size squared. Equal logits have equal gradients.",
    also=((u.A[u.k, u.r], w.sigma * u.a[u.k, u.r]), (u.W[u.k, u.r], u.sigma_w * u.v[u.k, u.r])),
    every=(u.r,),
)
HAT_DERIVATION = Derivation(
    premises=(*u.START, *_SLOPES, *_ORIGINAL, *_HAT, u.HAT_RATE_A, u.HAT_RATE_W),
    steps=(
        *GRADIENTS,
        HAT_RUN,
    ),
    worlds=u.world_of_units,
)

SCALE = Define("size of the readout", w.sigma, u.d ** -(u.a_2 + u.b_2))
RATE_A = Define("hat rate of the readout", w.eta_a, u.rate * u.d ** (2 * u.b_2 - u.c))
RATE_W = Define("hat rate of the first layer", w.eta_w, u.rate * u.d ** (-u.c - 2 * u.a_1))
ABC_CLAIM = Identity(u.abc(u.k, w.x), u.hat(u.k, w.x))
_ABC = (u.ABC_1, u.ABC_2, u.ABC)
_HAT_OF_ONE = u.hat_run(Integer(1))
ABC_RUN = Induct(
    "the same logits as in the abc spelling",
    u.k,
    ABC_CLAIM.left,
    ABC_CLAIM.right,
    uses=names(*u.ABC_START, *_ABC, *_HAT_OF_ONE, SCALE, RATE_A, RATE_W, *GRADIENTS),
    normal=(expanded, sums, rational),
    because="d^(-a_l) outside multiplies the gradient once and the weight once. Equal logits have equal gradients.",
    also=((u.v_2[u.k, u.r], u.d**-u.b_2 * u.a[u.k, u.r]), (u.v_1[u.k, u.r], u.d**u.a_1 * u.v[u.k, u.r])),
    every=(u.r,),
)
ABC_DERIVATION = Derivation(
    premises=(*u.ABC_START, *_SLOPES, *_ABC, *_HAT_OF_ONE, SCALE, RATE_A, RATE_W),
    steps=(
        *GRADIENTS,
        ABC_RUN,
    ),
    worlds=u.world_of_units,
)

rho = Symbol("rho", positive=True)
layer = Symbol("layer", real=True)
rate_a_star, rate_w_star = symbols("rate_a_star rate_w_star", positive=True)

SIGMA = Define("size of the output weights at this width", w.sigma, w.sigma_star * rho**w.q_sigma)
HAT_A = Define("hat rate of the output weights at this width", w.eta_a, w.eta_a_star * rho**w.q_a)
HAT_W = Define("hat rate of the input weights at this width", w.eta_w, w.eta_w_star * rho**w.q_w)
RATE_OF_A = Define("rate of the output weights in original units", u.rate_a, w.eta_a * w.sigma**2)
RATE_OF_W = Define("rate of the input weights in original units", u.rate_w, w.eta_w)
REFERENCE_A = Define("the reference's rate of the output weights", rate_a_star, w.eta_a_star * w.sigma_star**2)
REFERENCE_W = Define("the reference's rate of the input weights", rate_w_star, w.eta_w_star)

OF_A, OF_W = rho ** (w.q_a + 2 * w.q_sigma), rho**w.q_w
"""Factors of the learning rates in original units."""

RATES_CLAIM = Identity(
    (1 - layer) * u.rate_a / rate_a_star + layer * u.rate_w / rate_w_star, (1 - layer) * OF_A + layer * OF_W
)
FACTOR_A = Equal(
    "factor of the output weights' rate",
    u.rate_a / rate_a_star,
    OF_A,
    uses=names(SIGMA, HAT_A, RATE_OF_A, REFERENCE_A),
    normal=(expanded, rational),
    because="A rate in original units carries the square of the weights' size.",
)
FACTOR_W = Equal(
    "factor of the input weights' rate",
    u.rate_w / rate_w_star,
    OF_W,
    uses=names(HAT_W, RATE_OF_W, REFERENCE_W),
    normal=(expanded, rational),
    because="Input weights keep their size at every width.",
)
RATES_DERIVATION = Derivation(
    premises=(SIGMA, HAT_A, HAT_W, RATE_OF_A, RATE_OF_W, REFERENCE_A, REFERENCE_W),
    steps=(
        FACTOR_A,
        FACTOR_W,
        Equal(
            "both factors",
            RATES_CLAIM.left,
            RATES_CLAIM.right,
            uses=names(FACTOR_A, FACTOR_W),
            because="layer is 0 for output weights and 1 for input weights.",
        ),
    ),
    worlds=lambda source: World(
        {s: number(source) for s in (w.sigma_star, w.eta_a_star, w.eta_w_star, layer)}
        | {rho: source.randint(2, 5)}
        | {s: Integer(source.randint(-2, 2)) for s in (w.q_sigma, w.q_a, w.q_w)}
    ),
)

_RUN = (
    Quantity(w.k, "number of steps taken"),
    Quantity(w.x, "input, one component"),
    Quantity(u.hat, "logit in hat units, before step k"),
)
_ANY_RUN = (
    "Any activation with a derivative, any samples, any loss, any number of neurons and of steps, from the same start "
    "in units of the initial standard deviations; one component of the input stands for more."
)

LAWS = (
    Law(
        name="width.hat_units",
        title="Hat units are a change of spelling: networks in original and in hat units have the same logits.",
        status=Status.THEOREM,
        source=source(
            "Equations 3 to 6",
            ("width:X9", "width:D2", "width:D3"),
            "Weights over their initial standard deviations, rates over the squares of these: identical runs.",
        ),
        quantities=(
            *_RUN,
            Quantity(u.original, "logit in original units, before step k"),
            Quantity(u.over_sigma, "logit in hat units with rates divided once by sigma"),
        ),
        regime=_ANY_RUN,
        derivation=HAT_DERIVATION,
        claim=HAT_CLAIM,
        rivals=(
            Rival(
                "rates over sigma",
                Identity(HAT_CLAIM.left, u.over_sigma(u.k, w.x)),
                "divides the learning rate once by the standard deviation, as the weight is",
            ),
        ),
    ),
    Law(
        name="width.abc_units",
        title="The abc spelling with a_1 + b_1 = 0 is the hat spelling with q_sigma = -(a_2 + b_2), "
        "q_a = 2 b_2 - c and q_w = -c - 2 a_1.",
        status=Status.THEOREM,
        source=source(
            "Beside the paper: Yang and Hu's parametrisation of one hidden layer",
            ("width:D4", "width:X9"),
            "Powers of the width outside weights, in their initial sizes and in the rate, as three exponents.",
        ),
        quantities=(
            *_RUN,
            Quantity(u.abc, "logit in the abc spelling, before step k"),
            Quantity(u.without_size, "logit in hat units with d^(-c) for the readout's rate"),
        ),
        regime=_ANY_RUN + " Input weights of order one: a_1 + b_1 = 0.",
        derivation=ABC_DERIVATION,
        claim=ABC_CLAIM,
        rivals=(
            Rival(
                "rate of the readout without its size",
                Identity(ABC_CLAIM.left, u.without_size(u.k, w.x)),
                "takes the readout's hat rate for d^(-c), as if its weights started of order one",
            ),
        ),
    ),
    Law(
        name="width.learning_rates",
        title="From a reference to rho times its width, rates in original units take the factors "
        "rho^(q_a + 2 q_sigma) and rho^q_w.",
        status=Status.THEOREM,
        source=source(
            "SM E",
            ("width:X7",),
            "Initial standard deviation times rho^q_sigma, rates times rho^(q_a + 2 q_sigma) and rho^q_w.",
        ),
        quantities=(
            Quantity(rho, "width over the reference's width"),
            Quantity(layer, "0 for the output weights, 1 for the input weights"),
            Quantity(u.rate_a, "learning rate of the output weights in original units"),
            Quantity(u.rate_w, "learning rate of the input weights in original units"),
            Quantity(rate_a_star, "the reference's learning rate of the output weights in original units"),
            Quantity(rate_w_star, "the reference's learning rate of the input weights in original units"),
            Quantity(w.q_sigma, "exponent of the output weights' size"),
            Quantity(w.q_a, "exponent of the output weights' rate in hat units"),
            Quantity(w.q_w, "exponent of the input weights' rate in hat units"),
        ),
        regime="Exact at every width; input weights keep their initial size.",
        derivation=RATES_DERIVATION,
        claim=RATES_CLAIM,
        rivals=(
            Rival(
                "the weights' size forgotten",
                Identity(RATES_CLAIM.left, RATES_CLAIM.right.xreplace({OF_A: rho**w.q_a})),
                "gives the output weights' rate in original units the exponent of hat units",
            ),
        ),
    ),
)


STEEPEST = 100
"""Powers are exact, and a wild exponent would fill memory with digits."""


def _learning_rates(q_sigma: Any, q_a: Any, q_w: Any, rho: Any) -> Mapping[str, Any]:
    given = exponents(q_sigma=q_sigma, q_a=q_a, q_w=q_w)
    if not isinstance(rho, Rational) or not rho.is_finite or rho <= 0:
        raise OutsideDomain(f"rho is {rho}; positive rational numbers are allowed; give width over reference width")
    steep = [f"{name} is {value}" for name, value in given.items() if abs(value) > STEEPEST]
    if steep:
        raise OutsideDomain(f"{steep[0]}; exponents from -{STEEPEST} to {STEEPEST} are allowed; give a smaller one")
    return {
        "sigma": rho ** given["q_sigma"],
        "eta_a": rho ** (given["q_a"] + 2 * given["q_sigma"]),
        "eta_w": rho ** given["q_w"],
    }


def _abc(a1: Any, b1: Any, a2: Any, b2: Any, c: Any) -> Mapping[str, Any]:
    given = exponents(a1=a1, b1=b1, a2=a2, b2=b2, c=c)
    if given["a1"] + given["b1"] != 0:
        raise OutsideDomain(
            f"a1 + b1 is {given['a1'] + given['b1']}; 0 is allowed, so that input weights start of order one; "
            "rescale the inputs"
        )
    return {
        "q_sigma": -(given["a2"] + given["b2"]),
        "q_a": 2 * given["b2"] - given["c"],
        "q_w": -given["c"] - 2 * given["a1"],
    }


PREDICTORS = (
    Predictor(
        name="width.learning_rates",
        laws=("width.learning_rates",),
        inputs=(*EXPONENTS, Input("rho", "width over the reference's width, positive")),
        evaluate=_learning_rates,
        summary="Factors of the initial standard deviation and of both learning rates, in original units.",
    ),
    Predictor(
        name="width.abc",
        laws=("width.abc_units",),
        inputs=(
            Input("a1", "exponent outside the first layer's weights"),
            Input("b1", "exponent of their initial size, the opposite of a1"),
            Input("a2", "exponent outside the second layer's weights"),
            Input("b2", "exponent of their initial size"),
            Input("c", "exponent of the learning rate"),
        ),
        evaluate=_abc,
        summary="The three exponents of the hat spelling for a network of one hidden layer in the abc spelling.",
    ),
)
