"""tau_nl, the time in which the kernel's change bends the logits' path, is proportional to beta (T11)."""

import random
from dataclasses import replace

from sympy import Function, IndexedBase, Integer, Symbol, sqrt

from theory.claims import PowerLaw
from theory.definitions.temperature import (
    CLASS,
    DRIVE,
    EFFECTIVE,
    KERNEL,
    LABELS,
    MEANINGS,
    POINT,
    RESIDUAL,
    SOFTMAX,
    J,
    Y,
    a_network,
    beta,
    drive,
    eta_tilde,
    i,
    j,
    k,
    m,
    n,
    over_logits,
    q,
    r,
    softmax_of,
    velocity,
    z,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.temperature.logit_flow import DERIVATION as LOGIT_FLOW
from theory.temperature.logit_flow import PARAMETER_FLOW
from theory.temperature.second_derivative import DRIFT, PULL, drift, kernel_change
from theory.temperature.tau_z import NORM_DRIVE, SPEED, norm_drive, norm_Zdot, squared_norm
from theory.temperature.temperature_independence import DRIVE_HELD, HELD, NORM_HELD, Z0, held, norm_held

tau_nl = Function("tau_nl", real=True)
norm_bend, norm_drift, norm_drift_held = (
    Symbol(name, real=True) for name in ("norm_bend", "norm_drift", "norm_drift_held")
)
bend, r_held, u_held, drift_held = (
    IndexedBase(name, real=True) for name in ("Zddot_nl", "r_held", "u_held", "drift_held")
)

CLAIM = PowerLaw(eta_tilde * tau_nl(beta), beta, Integer(1))

BEND = Define("part from the kernel's change", bend[m, i], eta_tilde * over_logits(kernel_change(velocity) * r[n, j]))
NORM_BEND = Define("size of that part", norm_bend, sqrt(squared_norm(bend[m, i])))
TIMESCALE = Define("nonlinear timescale", tau_nl(beta), norm_Zdot / norm_bend)
NORM_DRIFT = Define("size of the drift", norm_drift, sqrt(squared_norm(drift[m, i])))
RESIDUAL_HELD = Define("residual at Z0", r_held[n, j], Y[n, j] - softmax_of(Z0[n, j], j, k))
PULL_HELD = Define("pulled residual at Z0", u_held[q], over_logits(J[n, j, q] * r_held[n, j]))
DRIFT_HELD = Define("drift at Z0", drift_held[m, i], over_logits(kernel_change(u_held) * r_held[n, j]))
NORM_DRIFT_HELD = Define("size of the drift at Z0", norm_drift_held, sqrt(squared_norm(drift_held[m, i])))
MOVES = Suppose("the residual moves some logit", norm_held > 0)
BENDS = Suppose("the kernel changes along the flow", norm_drift_held > 0)


def a_network_held(source: random.Random) -> World:
    """A small random network whose scaled logits are given; the raw ones follow from the temperature."""
    values = dict(a_network(source, 1, 2, 2).values)
    del values[z]
    return World({**values, Z0: table(source, 1, 2, low=-2, high=2)})


DERIVATION = Derivation(
    premises=(
        POINT,
        CLASS,
        LABELS,
        Imported("flow of the logits", LOGIT_FLOW),
        Imported("gradient flow", PARAMETER_FLOW),
        EFFECTIVE,
        HELD,
        SOFTMAX,
        RESIDUAL,
        KERNEL,
        DRIVE,
        PULL,
        DRIFT,
        BEND,
        SPEED,
        NORM_BEND,
        TIMESCALE,
        NORM_DRIVE,
        NORM_DRIFT,
        RESIDUAL_HELD,
        PULL_HELD,
        DRIVE_HELD,
        DRIFT_HELD,
        NORM_HELD,
        NORM_DRIFT_HELD,
        MOVES,
        BENDS,
    ),
    steps=(
        Equal(
            "speed",
            norm_Zdot,
            eta_tilde * norm_drive,
            uses=("flow of the logits", *names(SPEED, NORM_DRIVE)),
            normal=(sums, radicals),
            because="the effective learning rate is a common factor of every entry, and positive",
        ),
        Equal(
            "bend",
            bend[m, i],
            eta_tilde**2 / beta * drift[m, i],
            uses=("gradient flow", *names(BEND, EFFECTIVE, PULL, DRIFT)),
            because="the parameters move at eta beta u, which is eta~ / beta times u (eq 9)",
            forall=(m, i),
        ),
        Equal(
            "size of the bend",
            norm_bend,
            eta_tilde**2 / beta * norm_drift,
            uses=("bend", *names(NORM_BEND, NORM_DRIFT)),
            normal=(sums, radicals),
        ),
        Equal(
            "the residual knows Z0 alone",
            r[n, j],
            r_held[n, j],
            uses=names(HELD, SOFTMAX, RESIDUAL, RESIDUAL_HELD),
            because="beta enters the softmax only through beta z = Z0",
            forall=(n, j),
        ),
        Equal(
            "so does the drive",
            drive[m, i],
            held[m, i],
            uses=("the residual knows Z0 alone", *names(DRIVE, DRIVE_HELD, RESIDUAL_HELD)),
            forall=(m, i),
        ),
        Equal(
            "so does the drift",
            drift[m, i],
            drift_held[m, i],
            uses=("the residual knows Z0 alone", *names(PULL, PULL_HELD, DRIFT, DRIFT_HELD)),
            forall=(m, i),
        ),
        Equal(
            "size of the drive at any temperature",
            norm_drive,
            norm_held,
            uses=("so does the drive", *names(NORM_DRIVE, NORM_HELD)),
        ),
        Equal(
            "size of the drift at any temperature",
            norm_drift,
            norm_drift_held,
            uses=("so does the drift", *names(NORM_DRIFT, NORM_DRIFT_HELD)),
        ),
        Equal(
            "timescale",
            tau_nl(beta),
            beta / eta_tilde * norm_held / norm_drift_held,
            uses=(
                "speed",
                "size of the bend",
                "size of the drive at any temperature",
                "size of the drift at any temperature",
                TIMESCALE.name,
            ),
            because="one factor of eta~ cancels, the 1/beta of the bend stays",
        ),
        Follows(
            "exponent",
            CLAIM.quantity,
            CLAIM.control,
            CLAIM.exponent,
            uses=(
                "timescale",
                *names(MOVES, BENDS, NORM_HELD, NORM_DRIFT_HELD, DRIVE_HELD, DRIFT_HELD, PULL_HELD),
                *names(RESIDUAL_HELD, KERNEL),
            ),
            because="nothing else in it knows the temperature",
        ),
    ),
    worlds=a_network_held,
)

LAWS = (
    Law(
        name="temperature.tau_nl",
        title="The time in which the kernel's change is felt is proportional to beta, in units of eta~",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.4",
            ("temperature:T11",),
            "eta~ tau_nl = beta ||Theta r|| / ||D_u[Theta r]||: exactly proportional to beta at fixed Z0",
        ),
        quantities=(
            Quantity(Symbol("tau_nl"), "nonlinear timescale ||Z'|| / ||Z''_nl|| at the start", "step"),
            Quantity(eta_tilde, *MEANINGS[eta_tilde]),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="fixed Z0 = beta z0 and trained parameters: one half is trained, the other holds the logits",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("no dependence", replace(CLAIM, exponent=Integer(0)), "a network held at its raw logits"),
            Rival("quadratic", replace(CLAIM, exponent=Integer(2)), "what both halves trained give"),
        ),
    ),
)
