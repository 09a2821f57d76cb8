"""tau_lin, the time in which the residual changes at fixed kernel, knows no temperature either (T32).

It is the clock with which tau_nl is to be compared: ||Z'|| over the size of the part of Z'' at fixed kernel.
"""

import random

from sympy import IndexedBase, KroneckerDelta, Symbol, sqrt

from theory.claims import Identity
from theory.definitions.temperature import (
    CLASS,
    DRIVE,
    LABELS,
    MEANINGS,
    POINT,
    RESIDUAL,
    SOFTMAX,
    Theta,
    Zdot,
    a_network,
    beta,
    drive,
    eta,
    eta_tilde,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    softmax,
    softmax_of,
    z,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Imported
from theory.proof.steps import Equal
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.temperature.logit_flow import DERIVATION as LOGIT_FLOW
from theory.temperature.second_derivative import LINEAR, SOFTMAX_JACOBIAN, linear
from theory.temperature.tau_z import SPEED, norm_Zdot, squared_norm
from theory.temperature.temperature_independence import DRIVE_HELD, HELD, NORM_HELD, Z0, held, norm_held

tau_lin, norm_linear, norm_turned = (Symbol(name, real=True) for name in ("tau_lin", "norm_linear", "norm_turned"))
p_held, turned = (IndexedBase(name, real=True) for name in ("sigma_held", "turned"))

CLAIM = Identity(eta_tilde * tau_lin, norm_held / norm_turned)

SOFTMAX_HELD = Define("softmax at Z0", p_held[n, j], softmax_of(Z0[n, j], j, k))
TURNED = Define(
    "drive turned by the softmax",
    turned[m, i],
    over_logits(Theta[m, i, n, j] * over_classes(p_held[n, j] * (KroneckerDelta(j, k) - p_held[n, k]) * held[n, k])),
)
NORM_LINEAR = Define("size of the part at fixed kernel", norm_linear, sqrt(squared_norm(linear[m, i])))
NORM_TURNED = Define("size of the turned drive", norm_turned, sqrt(squared_norm(turned[m, i])))
TIMESCALE = Define("linear timescale", tau_lin, norm_Zdot / norm_linear)


def one_parameter(source: random.Random) -> World:
    """One point, two classes, one parameter."""
    values = a_network(source, 1, 2, 1).values
    return World({**{s: v for s, v in values.items() if s != z}, Z0: table(source, 1, 2, low=-2, high=2)})


DERIVATION = Derivation(
    premises=(
        POINT,
        CLASS,
        LABELS,
        Imported("flow of the logits", LOGIT_FLOW),
        HELD,
        SOFTMAX,
        RESIDUAL,
        DRIVE,
        SOFTMAX_JACOBIAN,
        LINEAR,
        SPEED,
        NORM_LINEAR,
        TIMESCALE,
        SOFTMAX_HELD,
        DRIVE_HELD,
        TURNED,
        NORM_HELD,
        NORM_TURNED,
    ),
    steps=(
        Equal(
            "the drive knows Z0 alone",
            drive[m, i],
            held[m, i],
            uses=names(HELD, SOFTMAX, RESIDUAL, DRIVE, DRIVE_HELD),
            because="beta enters the softmax only through beta z = Z0",
            forall=(m, i),
        ),
        Equal(
            "so does the softmax",
            softmax[n, j],
            p_held[n, j],
            uses=names(HELD, SOFTMAX, SOFTMAX_HELD),
            forall=(n, j),
        ),
        Equal(
            "rate",
            Zdot[m, i],
            eta_tilde * held[m, i],
            uses=("flow of the logits", "the drive knows Z0 alone", CLASS.name),
            forall=(m, i),
        ),
        Equal(
            "speed",
            norm_Zdot,
            eta_tilde * norm_held,
            uses=("rate", *names(SPEED, NORM_HELD)),
            normal=(sums, radicals),
            because="the effective learning rate is a common factor of every entry, and positive",
        ),
        Equal(
            "what fixed kernel leaves",
            linear[m, i],
            -(eta_tilde**2) * turned[m, i],
            uses=("rate", "so does the softmax", *names(SOFTMAX_JACOBIAN, LINEAR, TURNED)),
            because="the residual falls as the softmax rises, at the rate of the logits",
            forall=(m, i),
        ),
        Equal(
            "its size",
            norm_linear,
            eta_tilde**2 * norm_turned,
            uses=("what fixed kernel leaves", *names(NORM_LINEAR, NORM_TURNED)),
            normal=(sums, radicals),
        ),
        Equal(
            "no temperature is left",
            CLAIM.left,
            CLAIM.right,
            uses=("speed", "its size", TIMESCALE.name),
            because="one factor of eta~ is left, and it is the unit of time",
        ),
    ),
    worlds=one_parameter,
)

LAWS = (
    Law(
        name="temperature.tau_lin",
        title="At equal initial scaled logits eta~ tau_lin is the same at every temperature",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.4, beyond",
            ("temperature:T32",),
            "tau_lin = ||Z'|| / ||Z''_lin||, the clock of the linearised dynamics, depends on Z0, labels and kernel",
        ),
        quantities=(
            Quantity(tau_lin, "timescale of the linearised dynamics, ||Z'|| / ||Z''_lin||", "step"),
            Quantity(norm_held, "Frobenius norm of Theta (Y - softmax Z0), in which no temperature occurs"),
            Quantity(norm_turned, "Frobenius norm of Theta sigma_z Theta (Y - softmax Z0)"),
            Quantity(eta_tilde, *MEANINGS[eta_tilde]),
            Quantity(eta, *MEANINGS[eta]),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="equal Z0 = beta z0, labels and tangent kernel; some point unsaturated",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("in units of eta", Identity(eta * tau_lin, CLAIM.right), "leaves both factors of beta"),
            Rival(
                "like tau_nl",
                Identity(eta_tilde * tau_lin / beta, CLAIM.right),
                "takes it for a timescale of the kernel's change",
            ),
        ),
    ),
)
