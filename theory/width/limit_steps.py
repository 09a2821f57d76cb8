"""Where a network is near its limit before a step it is so after it: the induction that makes limit models (width:X1,
width:X2), from the update rules, the law of large numbers and the central limit theorem, for each of three gradients.

A neuron is where it started, (a, w), plus t times (alpha, omega): t = d^D is the size of its steps, which vanishes
(D < 0) or is one (D = 0). What its law adds to the mean of a phi(w.x) since the start, over t, is a continuous function
``mean`` of (alpha, omega) and of t, t = 0 included: there it is linear, and its coefficients are the kernels of the
start (width.limit_constant_kernels).
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from sympy import Eq, Expr, Function, Integer, Lambda, Rational, Symbol, exp, oo, sqrt, symbols
from sympy import Limit as LimitOf

from theory.claims import Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.premises import Premise
from theory.proof.steps import Equal, Tends
from theory.proof.steps.step import Step
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

d, lead = symbols("d lead", positive=True)
eta_a, eta_w, sigma = symbols("eta_a eta_w sigma", positive=True)
a, w, alpha, omega, size, share, field = symbols("a w alpha omega t c field", real=True)
alpha_at, omega_at, size_at, share_at, alpha_after, omega_after, logit = (
    Function(name, real=True)
    for name in ("alpha_d", "omega_d", "t_d", "c_d", "alpha_after_d", "omega_after_d", "f_network")
)
power = Function("power_d", positive=True)
phi, mean = smooth("phi"), smooth("mean")
dphi = derivative(phi)


class Seen(NamedTuple):
    """One layer's sample: its input and label, the normalised logit before the step and its limit, and the margin by
    which it is wrong; functions of the width end in d.
    """

    x: Symbol
    y: Symbol
    logit: Symbol
    margin: Symbol
    logit_at: Function
    margin_at: Function
    small: Function
    gradient: Function

    @staticmethod
    def of(layer: str) -> "Seen":
        """Symbols of a layer."""
        x, y, logit = (Symbol(f"{name}_{layer}", real=True) for name in ("x", "y", "u"))
        margin_at, small = (Function(f"{name}_{layer}_d", positive=True) for name in ("margin", "small"))
        return Seen(
            x,
            y,
            logit,
            Symbol(f"margin_{layer}", positive=True),
            logit_at=Function(f"u_{layer}_d", real=True),
            margin_at=margin_at,
            small=small,
            gradient=Function(f"g_{layer}_d", real=True),
        )


LAYERS: Mapping[str, Seen] = MappingProxyType({layer: Seen.of(layer) for layer in ("a", "w")})
OF_A, OF_W = LAYERS["a"], LAYERS["w"]


def _comes(name: str, part: Expr, value: Expr, convention: str = "") -> Suppose:
    return Suppose(name, Eq(LimitOf(part, d, oo), value, evaluate=False), convention)


def moved(alpha_: Expr, omega_: Expr, size_: Expr, g_a: Expr, g_w: Expr) -> tuple[Expr, Expr]:
    """Where a step takes a neuron (width:D3), in units of the step's size."""
    inputs = w + size_ * omega_
    return (
        alpha_ - eta_a * sigma * g_a * phi(inputs * OF_A.x),
        omega_ - eta_w * sigma * g_w * (a + size_ * alpha_) * dphi(inputs * OF_W.x) * OF_W.x,
    )


def after(g_a: Expr, g_w: Expr) -> Expr:
    """The limit's normalised logit after the step."""
    return sigma * mean(*moved(alpha, omega, size, g_a, g_w), size) + share * field


NEAR_A, NEAR_W = (
    _comes(f"{name} before the step", of(d), value)  # pyright: ignore[reportCallIssue]
    for name, of, value in (("output weight", alpha_at, alpha), ("input weight", omega_at, omega))
)
SIZE = _comes("size of a neuron's step", size_at(d), size)
SHARE = _comes("share of the fluctuation", share_at(d), share)
_MOVED = moved(alpha_at(d), omega_at(d), size_at(d), OF_A.gradient(d), OF_W.gradient(d))  # pyright: ignore
STEP_A = Define("step of the output weight", alpha_after(d), _MOVED[0])
STEP_W = Define("step of the input weight", omega_after(d), _MOVED[1])
SUMMED = Define(
    "sum over neurons",
    logit(d),
    sigma * mean(alpha_after(d), omega_after(d), size_at(d)) + share_at(d) * field,
)


class Gradient(NamedTuple):
    """Premises and steps that give one layer's gradient, and its limit."""

    premises: tuple[Premise, ...]
    steps: tuple[Step, ...]
    end: Expr


def induction(g_a: Gradient, g_w: Gradient) -> Derivation:
    """From both gradients' limits to the logit's after the step."""
    shared = dict.fromkeys((*g_a.premises, *g_w.premises))
    found = tuple(dict.fromkeys((*g_a.steps, *g_w.steps)))
    goes_a, goes_w = moved(alpha, omega, size, g_a.end, g_w.end)
    return Derivation(
        premises=(*shared, NEAR_A, NEAR_W, SIZE, SHARE, STEP_A, STEP_W, SUMMED),
        steps=(
            *found,
            Tends(
                "output weight",
                alpha_after(d),
                d,
                oo,
                goes_a,
                uses=(STEP_A.name, NEAR_A.name, NEAR_W.name, SIZE.name, g_a.steps[-1].name),
                because="A step is a continuous function of the neuron's place, of the gradient and of its size.",
            ),
            Tends(
                "input weight",
                omega_after(d),
                d,
                oo,
                goes_w,
                uses=(STEP_W.name, NEAR_A.name, NEAR_W.name, SIZE.name, g_w.steps[-1].name),
                because="So is that of the input weight.",
            ),
            Tends(
                "logit",
                logit(d),
                d,
                oo,
                after(g_a.end, g_w.end),
                uses=(SUMMED.name, "output weight", "input weight", SIZE.name, SHARE.name),
                because="Their mean is what it is of their limits; of the fluctuation its share is left.",
            ),
        ),
        worlds=_a_world,
    )


def _a_world(random: Random) -> World:
    values = {one: draw(random, -3, 3) for one in (a, w, alpha, omega, size, share, field)}
    at = {alpha_at: alpha, omega_at: omega, size_at: size, share_at: share}
    for seen in LAYERS.values():
        values |= {seen.x: draw(random, -2, 2), seen.y: random.choice((-1, 1)), seen.logit: draw(random, -3, 3)}
        values[seen.margin] = draw(random)
        at |= {seen.logit_at: seen.logit, seen.margin_at: seen.margin}
    z, p, q, t = symbols("z p q t", real=True)
    return World(
        {
            **values,
            **{of: Lambda((d,), values[value] + 1 / d) for of, value in at.items()},
            **{one: draw(random) for one in (d, eta_a, eta_w, sigma)},
            lead: Rational(1, 4),
            phi: Lambda((z,), z + z**2 / 3 - z**3 / 7),
            mean: Lambda((p, q, t), p / 2 + q / 3 + t * p * q),
        }
    )


_POWER = Define("power of the width", power(d), d**-lead, "any power that falls will do, and any multiple of it")
_FALLS = Tends("the power falls", power(d), d, oo, Integer(0), uses=(_POWER.name,), because="Its exponent is negative.")


def half(layer: str) -> Gradient:
    """Logits are their normalised selves times a power that falls."""
    seen, name = LAYERS[layer], f"gradient of {layer}"
    known = _comes(f"logit of {layer}", seen.logit_at(d), seen.logit, "any finite limit will do: half does not know it")
    own = Define(name, seen.gradient(d), -seen.y / (1 + exp(seen.y * power(d) * seen.logit_at(d))))
    end = -seen.y / 2
    tends = Tends(
        f"{name} tends to a half", seen.gradient(d), d, oo, end, uses=(own.name, known.name, _FALLS.name),
        because="The exponent vanishes.",
    )  # fmt: skip
    return Gradient((_POWER, known, own), (_FALLS, tends), end)


def logistic(layer: str) -> Gradient:
    """Logits are their normalised selves."""
    seen, name = LAYERS[layer], f"gradient of {layer}"
    known = _comes(f"logit of {layer}", seen.logit_at(d), seen.logit)
    own = Define(name, seen.gradient(d), -seen.y / (1 + exp(seen.y * seen.logit_at(d))))
    end = -seen.y / (1 + exp(seen.y * seen.logit))
    tends = Tends(
        f"{name} tends to the logistic one", seen.gradient(d), d, oo, end, uses=(own.name, known.name),
        because="It is a continuous function of the logit.",
    )  # fmt: skip
    return Gradient((known, own), (tends,), end)


def hinge(layer: str) -> Gradient:
    """Logits are their normalised selves over a power that falls; the sample is wrong by a margin."""
    return _diverging(layer, -1, -LAYERS[layer].y)


def right(layer: str) -> Gradient:
    """The same for a sample that is right by a margin: it has no gradient."""
    return _diverging(layer, 1, Integer(0))


def _diverging(layer: str, side: int, end: Expr) -> Gradient:
    seen, name = LAYERS[layer], f"gradient of {layer}"
    known = _comes(f"margin of {layer}", seen.margin_at(d), seen.margin)
    own = Define(name, seen.gradient(d), -seen.y / (1 + exp(side * seen.margin_at(d) / power(d))))
    less = Define(f"one over the logit of {layer}, its root", seen.small(d), sqrt(power(d) / seen.margin_at(d)))
    grows = Tends(
        f"logit of {layer} grows", seen.small(d), d, oo, Integer(0), uses=(less.name, known.name, _FALLS.name),
        because="The margin stays away from 0, and the power that divides it falls.",
    )  # fmt: skip
    by_size = Equal(
        f"{name} by the logit's size", seen.gradient(d), -seen.y / (1 + exp(side / seen.small(d) ** 2)),
        uses=(own.name, less.name), because="Label times logit is the margin over the power, or minus that.",
    )  # fmt: skip
    tends = Tends(
        f"{name} tends to the hinge's", seen.gradient(d), d, oo, end, uses=(by_size.name, grows.name),
        because="However the logit's size grows, the exponential vanishes or outgrows everything.",
    )  # fmt: skip
    return Gradient((_POWER, known, own, less), (_FALLS, grows, by_size, tends), end)


KINDS: Mapping[str, Callable[[str], Gradient]] = MappingProxyType({"half": half, "logistic": logistic, "hinge": hinge})
"""A layer's gradient by the sign of the order of logits: negative, zero, positive (at a wrong sample)."""

_SAMPLES = tuple(
    Quantity(symbol, f"{meaning} of the {weights} weights' sample")
    for weights, seen in (("output", OF_A), ("input", OF_W))
    for symbol, meaning in (
        (seen.x, "input (one component stands for more)"),
        (seen.y, "label, -1 or 1,"),
        (seen.logit, "normalised logit before the step"),
    )
)
_QUANTITIES = (
    Quantity(d, "width: number of hidden neurons"),
    Quantity(a, "output weight of a neuron at the start"),
    Quantity(w, "input weight of a neuron at the start"),
    Quantity(alpha, "move of the output weight before the step, over t"),
    Quantity(omega, "move of the input weight before the step, over t"),
    Quantity(size, "limit of the size of a neuron's step, d^(q_sigma + q): 0 or 1"),
    Quantity(share, "limit of the share of the initial fluctuation, d^(-q_sigma - q - 1/2): 0 or 1"),
    Quantity(field, "Gaussian field of the initial fluctuation at the input, sigma* included"),
    Quantity(eta_a, "learning rate of the output weights, eta_a*"),
    Quantity(eta_w, "learning rate of the input weights, eta_w*"),
    Quantity(sigma, "standard deviation of the output weights, sigma*"),
)
_REGIME = (
    " One step of the induction over steps, from any state whose limit is known; before the first step that state is "
    "the start. Premises: the law of large numbers (a sum over neurons is d times the mean over their law, continuous "
    "in where they are and in the size of steps; one neuron stands for all of them) and the central limit theorem (its "
    "initial fluctuation is sqrt(d) times a Gaussian field); samples of either layer of one kind."
)
distance_logistic, at_mean_field = symbols("distance_logistic at_mean_field")


def _law(kind: str, ids: tuple[str, ...], title: str, regime: str, rival: Rival) -> Law:
    gradients = KINDS[kind]("a"), KINDS[kind]("w")
    value = after(*(one.end for one in gradients))
    shown = tuple(one for one in (*_QUANTITIES, *_SAMPLES) if one.symbol == d or one.symbol in value.free_symbols)
    return Law(
        name=f"width.limit_step_{kind}",
        title=title,
        status=Status.THEOREM,
        source=source("SM B", ("width:X1", "width:X2", "width:D3", *ids), "Normalised logits follow one evolution."),
        quantities=shown,
        regime=regime + _REGIME,
        derivation=induction(*gradients),
        claim=Limit(logit(d), d, oo, value),
        rivals=(rival,),
    )


_LOGISTIC_RIVAL = Rival(
    "logistic throughout",
    Limit(logit(d), d, oo, distance_logistic),
    "the NTK and mean-field models' gradient at every scaling",
)
LAWS = (
    _law(
        "half",
        ("width:R01", "width:R04", "width:R09"),
        "Where logits vanish a network that is near its limit before a step is so after it: the limit's neurons move "
        "by half a label.",
        "Logits of negative order.",
        _LOGISTIC_RIVAL,
    ),
    _law(
        "logistic",
        ("width:R02", "width:R05", "width:R10"),
        "Where logits are of order one it is so too: the limit's neurons move by the logistic gradient.",
        "Logits of order zero.",
        Rival("neurons that move", Limit(logit(d), d, oo, at_mean_field), "mean-field's limit at every scaling"),
    ),
    _law(
        "hinge",
        ("width:R03", "width:R06", "width:R07", "width:R08", "width:R11", "width:R12", "width:R13", "width:G4"),
        "Where logits diverge it is so too: the limit's neurons move by the label at a misclassified sample.",
        "Logits of positive order, which stay away from 0 in units of their order; a sample that is right has the "
        "limit 0 in the place of minus its label, by the same steps.",
        _LOGISTIC_RIVAL,
    ),
)
