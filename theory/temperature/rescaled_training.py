"""Training seen through rescaled parameters: what gradient steps, with or without momentum, make of y = s x.

The loss of one system is that of the other at y_p = s_p x_p. It is written as a sum of U ridge functions,
phi_u(sum_q a_uq y_q) with any smooth phi_u: every polynomial of the parameters is one, of any degree and in
any number of parameters. Shared by temperature.readout_identity and temperature.homogeneity.
"""

import random

from sympy import Derivative, Expr, Function, IndexedBase, Integer, Lambda, Sum, Symbol

from theory.definitions.temperature import P, p, q
from theory.proof.derivation import Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import derivatives, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

U, u = (Symbol(name, integer=True, positive=True) for name in ("U", "u"))
k = Symbol("k", integer=True, nonnegative=True)
eta = Symbol("eta", positive=True)
momentum = Symbol("momentum", nonnegative=True)
scale, ridge, place, x0, slope_at_scale = (IndexedBase(name, real=True) for name in ("s", "a", "theta", "x0", "g"))
phi = smooth("phi")
dphi = derivative(phi, 2)
x, w, y, v = (Function(name, real=True) for name in ("x", "w", "y", "v"))


def along(direction: Symbol, parameter: Expr, index: Symbol = q) -> Expr:
    """sum_q a_uq of the parameters, which are written in the index."""
    return Sum(ridge[direction, index] * parameter, (index, 1, P))


def slope(parameter: Expr, at: Symbol = p) -> Expr:
    """Slope of the loss in one parameter; all parameters are written in the index q."""
    return Sum(ridge[u, at] * dphi(u, along(u, parameter)), (u, 1, U))


PARAMETER = Suppose("p is a parameter", p <= P)
RESCALED_LOSS = Define(
    "slope of the loss in rescaled parameters",
    slope_at_scale[p],
    Derivative(Sum(phi(u, along(u, scale[q] * place[q])), (u, 1, U)), place[p]),
)
START = Define("start", x(0, p), x0[p])
START_RESCALED = Define("rescaled start", y(0, p), scale[p] * x0[p])
REST = Define("at rest", w(0, p), Integer(0))
REST_RESCALED = Define("at rest too", v(0, p), Integer(0))
VELOCITY = Define("velocity", w(k + 1, p), momentum * w(k, p) + scale[p] * slope(scale[q] * x(k, q)))
STEP = Define("step", x(k + 1, p), x(k, p) - eta * w(k + 1, p))
VELOCITY_RESCALED = Define("rescaled velocity", v(k + 1, p), momentum * v(k, p) + slope(y(k, q)))
STEP_RESCALED = Define("rescaled step", y(k + 1, p), y(k, p) - eta * scale[p] ** 2 * v(k + 1, p))
TRAINING = (START, START_RESCALED, REST, REST_RESCALED, VELOCITY, STEP, VELOCITY_RESCALED, STEP_RESCALED)


def two_systems(source: random.Random) -> World:
    """Two parameters, one ridge."""
    return World(
        {
            P: 2,
            U: 1,
            p: source.randint(1, 2),
            k: source.randint(0, 3),
            scale: [fraction(source, 1, 3), fraction(source, 1, 3)],
            ridge: table(source, 1, 2, low=-1, high=1),
            place: table(source, 2, low=-1, high=1),
            x0: table(source, 2, low=-1, high=1),
            eta: fraction(source, 1, 2) / 20,
            momentum: fraction(source, 1, 2) / 3,
            phi: Lambda((u, q), (q + u) ** 2),
        }
    )


CHAIN_RULE = Derivation(
    premises=(PARAMETER, RESCALED_LOSS),
    steps=(
        Equal(
            "each slope gains the scale of its parameter",
            slope_at_scale[p],
            scale[p] * slope(scale[q] * place[q]),
            uses=(PARAMETER.name, RESCALED_LOSS.name),
            normal=(derivatives, sums, rational),
            because="chain rule: the loss knows the parameter times its scale",
        ),
    ),
    worlds=two_systems,
)
"""The gradient that the rescaled system's steps are written with: slopes at y = s theta, times s."""

DERIVATION = Derivation(
    premises=TRAINING,
    steps=(
        Induct(
            "rescaled parameters stay rescaled",
            k,
            y(k, p),
            scale[p] * x(k, p),
            uses=tuple(d.name for d in TRAINING),
            because="a slope s_p times as large, moved by eta, is what s_p^2 eta makes of the slope itself",
            also=((v(k, p), w(k, p) / scale[p]),),
            every=(p,),
        ),
    ),
    worlds=two_systems,
)
"""Every step: y_p = s_p x_p, where the learning rate of y_p is s_p^2 eta."""


def meeting(
    one: Expr, other: Expr, rescaled: Expr, seen: str, definitions: tuple[Define, Define], because: str
) -> tuple[Equal, Equal]:
    """The last two steps of a law on rescaled training: both systems' logits are one function at the rescaled place.

    ``seen`` is the step that has the first system's logit there; the definitions are those of the other's logit and
    of the logit at the rescaled place. ``DERIVATION`` is imported as `RESCALED_TRAINING`.
    """
    there = Equal(
        "the other network is at the rescaled place",
        other,
        rescaled,
        uses=(RESCALED_TRAINING, *(definition.name for definition in definitions)),
        because=because,
        forall=(k,),
    )
    return there, Equal("the same logits at every step", one, other, uses=(seen, there.name))


RESCALED_TRAINING = "training in rescaled parameters"
