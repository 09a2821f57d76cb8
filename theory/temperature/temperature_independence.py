"""In units of the effective learning rate tau_z knows no temperature once Z0 is given (temperature:T06)."""

import random

from sympy import IndexedBase, Symbol, sqrt

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
    Y,
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
    over_logits,
    softmax_of,
    z,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported
from theory.proof.steps import Equal
from theory.proof.worlds import World, rational, table
from theory.temperature.tau_z import DERIVATION as TAU_Z
from theory.temperature.tau_z import NORM_DRIVE, norm_drive, norm_Z0, squared_norm, tau_z

Z0, held = (IndexedBase(name, real=True) for name in ("Z0", "drive_held"))
norm_held = Symbol("norm_held", real=True)

CLAIM = Identity(eta_tilde * tau_z, norm_Z0 / norm_held)

HELD = Define("Z0 is held", z[m, k], Z0[m, k] / beta, "a constant added to all logits changes no softmax")
DRIVE_HELD = Define("drive at Z0", held[m, i], over_logits(Theta[m, i, n, j] * (Y[n, j] - softmax_of(Z0[n, j], j, k))))
NORM_HELD = Define("size of the drive at Z0", norm_held, sqrt(squared_norm(held[m, i])))


def a_network_held(source: random.Random) -> World:
    """A random network whose scaled logits are given; the raw ones follow from the temperature."""
    values = dict(a_network(source, 1, 2, 2).values)
    del values[z]
    return World({**values, Z0: table(source, 1, 2, low=-2, high=2), norm_Z0: rational(source)})


DERIVATION = Derivation(
    premises=(
        POINT,
        CLASS,
        LABELS,
        Imported("timescale", TAU_Z),
        HELD,
        SOFTMAX,
        RESIDUAL,
        DRIVE,
        NORM_DRIVE,
        DRIVE_HELD,
        NORM_HELD,
    ),
    steps=(
        Equal(
            "the drive knows Z0 alone",
            drive[m, i],
            held[m, i],
            uses=("Z0 is held", "softmax", "residual", "drive", "drive at Z0"),
            because="beta enters the softmax only through beta z = Z0",
            forall=(m, i),
        ),
        Equal(
            "so does its size",
            norm_drive,
            norm_held,
            uses=("the drive knows Z0 alone", "size of the drive", "size of the drive at Z0"),
        ),
        Equal(
            "no temperature is left",
            CLAIM.left,
            CLAIM.right,
            uses=("timescale", "so does its size"),
            because="eta~ takes up the two remaining factors of beta",
        ),
    ),
    worlds=a_network_held,
)

LAWS = (
    Law(
        name="temperature.tau_z_temperature_independence",
        title="At equal initial scaled logits eta~ tau_z is the same at every temperature",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.3",
            ("temperature:T06",),
            "eta beta^2 tau_z is a function of Z0, the labels and the tangent kernel alone",
        ),
        quantities=(
            Quantity(tau_z, "early learning timescale", "step"),
            Quantity(norm_Z0, "Frobenius norm of the initial scaled logits"),
            Quantity(norm_held, "Frobenius norm of Theta (Y - softmax Z0), in which no temperature occurs"),
            Quantity(eta_tilde, *MEANINGS[eta_tilde]),
        ),
        regime="equal Z0 = beta z0, labels and tangent kernel; some point unsaturated or misclassified",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("in units of eta", Identity(eta * tau_z, CLAIM.right), "leaves both factors of beta"),
            Rival("in units of eta beta", Identity(eta * beta * tau_z, CLAIM.right), "leaves one factor of beta"),
        ),
    ),
)
