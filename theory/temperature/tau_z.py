"""tau_z, the time in which the logits change by as much as they were at the start (temperature:T05)."""

from sympy import Expr, Symbol, sqrt

from theory.claims import Formula
from theory.definitions.temperature import (
    CLASS,
    LABELS,
    MEANINGS,
    POINT,
    Zdot,
    a_network,
    beta,
    drive,
    eta,
    eta_tilde,
    i,
    m,
    over_logits,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Imported
from theory.proof.steps import Equal
from theory.proof.worlds import World, rational
from theory.temperature.logit_flow import DERIVATION as LOGIT_FLOW

tau_z = Symbol("tau_z", real=True)
norm_Zdot = Symbol("norm_Zdot", real=True)
norm_Z0 = Symbol("norm_Z0", positive=True)
norm_drive = Symbol("norm_drive", real=True)

CLAIM = Formula(tau_z, norm_Z0 / (eta_tilde * norm_drive))


def squared_norm(entries: Expr) -> Expr:
    """Squared Frobenius norm of a matrix whose entries are written in m and i."""
    return over_logits(entries**2, m, i)


SPEED = Define("speed at the start", norm_Zdot, sqrt(squared_norm(Zdot[m, i])))
NORM_DRIVE = Define("size of the drive", norm_drive, sqrt(squared_norm(drive[m, i])))
TIMESCALE = Define("distance over speed", tau_z, norm_Z0 / norm_Zdot)

DERIVATION = Derivation(
    premises=(
        POINT,
        CLASS,
        LABELS,
        Imported("flow of the logits", LOGIT_FLOW),
        SPEED,
        NORM_DRIVE,
        TIMESCALE,
    ),
    steps=(
        Equal(
            "speed",
            norm_Zdot,
            eta_tilde * norm_drive,
            uses=("flow of the logits", "speed at the start", "size of the drive"),
            normal=(sums, radicals),
            because="the effective learning rate is a common factor of every entry, and positive",
        ),
        Equal(
            "timescale",
            CLAIM.quantity,
            CLAIM.value,
            uses=("distance over speed", "speed"),
            because="to first order Z(t) - Z0 = t Z'(0), whose norm at t = tau_z is that of Z0 (eqs 6, 7)",
        ),
    ),
    worlds=lambda source: World({**a_network(source, 2, 2, 2).values, norm_Z0: rational(source)}),
)

LAWS = (
    Law(
        name="temperature.tau_z",
        title="Logits change by as much as they were after ||Z0|| over effective learning rate and drive",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eqs 6-7",
            ("temperature:T05",),
            "tau_z = ||Z0|| / (eta beta^2 ||Theta (Y - softmax Z0)||), norms over all points and classes",
        ),
        quantities=(
            Quantity(tau_z, "early learning timescale", "step"),
            Quantity(norm_Z0, "Frobenius norm of the initial scaled logits"),
            Quantity(norm_drive, "Frobenius norm of tangent kernel times initial residual"),
            Quantity(eta_tilde, *MEANINGS[eta_tilde]),
        ),
        regime="first order in time: t much below tau_z and below the time in which the residual changes",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "one beta",
                Formula(tau_z, norm_Z0 / (eta * beta * norm_drive)),
                "the loss brings one beta, Z = beta z the other",
            ),
            Rival(
                "learning rate alone",
                Formula(tau_z, norm_Z0 / (eta * norm_drive)),
                "reads the timescale in units of eta instead of eta beta^2",
            ),
        ),
    ),
)
