"""Gradient flow with weight decay towards the start, for a model linear in its parameters (T14)."""

import random

from sympy import Eq, IndexedBase, Symbol

from theory.claims import Identity
from theory.definitions.linearised import quantities
from theory.definitions.temperature import (
    CLASS,
    DRIVE,
    KERNEL,
    LABELS,
    POINT,
    J,
    K,
    M,
    a_network,
    beta,
    drive,
    eta,
    i,
    j,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    slope,
    velocity,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.softmax_gradient import DERIVATION as GRADIENT

lam = Symbol("lam", positive=True)
displacement, dz, zdot, dZ = (IndexedBase(name, real=True) for name in ("displacement", "dz", "zdot", "dZ"))

FLOW_CLAIM = Identity(zdot[m, i], eta * (beta * drive[m, i] - lam * dz[m, i]))
REST_CLAIM = Identity(dZ[m, i], beta**2 / lam * drive[m, i])
DECAY = Define(
    "descent with weight decay",
    velocity[p],
    -eta * (over_logits(slope[n, j] * J[n, j, p]) + lam * displacement[p]),
)
CHANGE = Define("change of the logits", dz[m, i], over_parameters(J[m, i, p] * displacement[p]))
RATE = Define("rate of the logits", zdot[m, i], over_parameters(J[m, i, p] * velocity[p]))

FLOW = Derivation(
    premises=(POINT, CLASS, LABELS, Imported("slope", GRADIENT), DECAY, KERNEL, DRIVE, CHANGE, RATE),
    steps=(
        Equal(
            "flow with weight decay",
            FLOW_CLAIM.left,
            FLOW_CLAIM.right,
            uses=("slope", DECAY.name, KERNEL.name, DRIVE.name, CHANGE.name, RATE.name),
            because="the decay of the parameters is seen by the logits as the decay of their change, at rate eta lam",
            forall=(m, i),
        ),
    ),
    worlds=lambda source: World(
        {**a_network(source, 1, 2, 2).values, lam: fraction(source), displacement: table(source, 2)}
    ),
)

AT_REST = Suppose("at rest", Eq(zdot[m, i], 0, evaluate=False), forall=(m, i))
FLOW_AGAIN = Define("flow", zdot[m, i], FLOW_CLAIM.right)
SCALED = Define("change of the scaled logits", dZ[m, i], beta * dz[m, i])


def at_rest(source: random.Random) -> World:
    """One point, two classes: any drive, and the change at which decay balances it."""
    temperature, decay, drives = fraction(source), fraction(source), table(source, 1, 2)
    return World(
        {
            M: 1,
            K: 2,
            m: 1,
            i: source.randint(1, 2),
            beta: temperature,
            eta: fraction(source),
            lam: decay,
            drive: drives,
            dz: [[temperature / decay * x for x in row] for row in drives],
        }
    )


REST = Derivation(
    premises=(FLOW_AGAIN, SCALED, AT_REST),
    steps=(
        Equal(
            "distance from rest",
            REST_CLAIM.left,
            REST_CLAIM.right - beta / (eta * lam) * zdot[m, i],
            uses=(FLOW_AGAIN.name, SCALED.name),
            because="solved for the change, with one more temperature for the scaled logits",
        ),
        Equal("fixed point", REST_CLAIM.left, REST_CLAIM.right, uses=("distance from rest", AT_REST.name)),
    ),
    worlds=at_rest,
)

LAWS = (
    Law(
        name="temperature.regularised_flow",
        title="Weight decay pulls the logits of a linear model back to their start at rate eta lam",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 11",
            ("temperature:T14", "temperature:E4"),
            "z' = eta [beta Theta r - lam (z - z0)]",
        ),
        quantities=(
            Quantity(zdot, "rate of a raw logit under gradient flow with weight decay", "1/step"),
            Quantity(dz, "change of a raw logit since the start"),
            *quantities(drive, beta, eta, m, i),
            Quantity(lam, "weight decay towards the start"),
        ),
        regime="model linear in its parameters; decay towards the starting parameters",
        derivation=FLOW,
        claim=FLOW_CLAIM,
        rivals=(
            Rival(
                "printed in eq 11",
                Identity(zdot[m, i], eta * beta * drive[m, i] - lam * dz[m, i]),
                "the decay is part of the loss, so eta multiplies it too",
            ),
            Rival("no decay", Identity(zdot[m, i], eta * beta * drive[m, i]), "the flow of the bare loss"),
        ),
    ),
    Law(
        name="temperature.regularised_fixed_point",
        title="With weight decay the scaled logits rest where they have changed by beta^2/lam times the drive",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eqs 12, 14",
            ("temperature:T14", "temperature:E8"),
            "dZ* = (beta^2/lam) Theta (Y - softmax Z*): the one control is beta^2/lam",
        ),
        quantities=(
            Quantity(dZ, "change of a scaled logit since the start, at rest"),
            *quantities(drive, beta, m, i),
            Quantity(lam, "weight decay towards the start"),
        ),
        regime="model linear in its parameters, any kernel; the fixed point is the only one, since the regularised "
        "loss is strictly convex (temperature.relaxation_at_least_decay)",
        derivation=REST,
        claim=REST_CLAIM,
        rivals=(
            Rival("beta over lam", Identity(dZ[m, i], beta / lam * drive[m, i]), "the control that the text names"),
            Rival("half", Identity(dZ[m, i], beta**2 / (2 * lam) * drive[m, i]), "decay without its factor 1/2"),
        ),
    ),
)
