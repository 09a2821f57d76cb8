"""Mean-squared loss on beta z: tau_z grows with the logits at small ones and saturates at large ones (T33).

Its residual is Y - Z, which grows with the logits where that of the softmax saturates.
"""

from dataclasses import replace

from sympy import Function, IndexedBase, Integer, Symbol, oo, sqrt

from theory.claims import PowerLaw
from theory.definitions.temperature import MEANINGS, Theta, Y, eta_tilde, i, j, m, n, over_logits
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Tends
from theory.proof.steps.follows import Follows
from theory.temperature.tau_z import squared_norm
from theory.temperature.tau_z_small_logits import U, a_ray, logit_scale, norm_U

norm_labels, norm_direction = (Symbol(name, real=True) for name in ("norm_labels", "norm_direction"))
of_labels, of_direction = (IndexedBase(name, real=True) for name in ("drive_labels", "drive_U"))
tau_z, norm_drive, per_logit, drive_at = (
    Function(name, real=True) for name in ("tau_z", "norm_drive", "drive_per_logit", "drive")
)

SMALL = PowerLaw(tau_z(logit_scale), logit_scale, Integer(1))
LARGE = PowerLaw(tau_z(logit_scale), logit_scale, Integer(0))
FACTOR, SIGN = "exponents do not see a factor", "its norm does not see a sign"

DRIVE_AT = Define(
    "drive on the ray",
    drive_at(m, i, logit_scale),
    over_logits(Theta[m, i, n, j] * (Y[n, j] - logit_scale * U[n, j])),
    SIGN,
)
NORM_AT = Define("size on the ray", norm_drive(logit_scale), sqrt(squared_norm(drive_at(m, i, logit_scale))), FACTOR)
TAU_AT = Define(
    "early learning timescale",
    tau_z(logit_scale),
    logit_scale * norm_U / (eta_tilde * norm_drive(logit_scale)),
    FACTOR,
)
PER_LOGIT_AT = Define(
    "size over the size of the logits",
    per_logit(logit_scale),
    sqrt(squared_norm(drive_at(m, i, logit_scale))) / (logit_scale * norm_U),
    FACTOR,
)
TAU_PER_LOGIT = Define(
    "the timescale in the same units", tau_z(logit_scale), 1 / (eta_tilde * per_logit(logit_scale)), FACTOR
)
OF_LABELS = Define("drive of the labels", of_labels[m, i], over_logits(Theta[m, i, n, j] * Y[n, j]), SIGN)
NORM_LABELS = Define("its size", norm_labels, sqrt(squared_norm(of_labels[m, i])))
OF_DIRECTION = Define("drive of the direction", of_direction[m, i], over_logits(Theta[m, i, n, j] * U[n, j]), SIGN)
NORM_DIRECTION = Define("its size", norm_direction, sqrt(squared_norm(of_direction[m, i])))
LEARNS = Suppose("the labels leave something to learn", norm_labels > 0)
DECAYS = Suppose("the kernel moves the logits", norm_direction > 0)

SMALL_DERIVATION = Derivation(
    premises=(DRIVE_AT, NORM_AT, TAU_AT, OF_LABELS, NORM_LABELS, LEARNS),
    steps=(
        Tends(
            "the drive is that of the labels",
            norm_drive(logit_scale),
            logit_scale,
            Integer(0),
            norm_labels,
            uses=tuple(d.name for d in (DRIVE_AT, NORM_AT, OF_LABELS, NORM_LABELS)),
            because="small logits leave the residual Y",
        ),
        Follows(
            "slope at small logits",
            SMALL.quantity,
            SMALL.control,
            SMALL.exponent,
            Integer(0),
            uses=("the drive is that of the labels", TAU_AT.name, LEARNS.name),
            because="only the distance ||Z0|| is left to depend on the scale",
        ),
    ),
    worlds=a_ray,
)
LARGE_DERIVATION = Derivation(
    premises=(DRIVE_AT, PER_LOGIT_AT, TAU_PER_LOGIT, OF_DIRECTION, NORM_DIRECTION, DECAYS),
    steps=(
        Tends(
            "the drive grows with the logits",
            per_logit(logit_scale),
            logit_scale,
            oo,
            norm_direction / norm_U,
            uses=tuple(d.name for d in (DRIVE_AT, PER_LOGIT_AT, OF_DIRECTION, NORM_DIRECTION)),
            because="large logits leave the residual -Z, and its size does not see the sign",
        ),
        Follows(
            "slope at large logits",
            LARGE.quantity,
            LARGE.control,
            LARGE.exponent,
            oo,
            uses=("the drive grows with the logits", TAU_PER_LOGIT.name, DECAYS.name),
            because="distance and speed grow alike",
        ),
    ),
    worlds=a_ray,
)

SOURCE = Source(
    "temperature",
    "sec 2.3, beyond",
    ("temperature:T33",),
    "mean-squared loss on beta z: tau_z follows the logits with exponent 1 while they are small, 0 when large",
)
QUANTITIES = (
    Quantity(logit_scale, "rms of the initial scaled logits, whose direction is fixed"),
    Quantity(eta_tilde, *MEANINGS[eta_tilde]),
)

LAWS = (
    Law(
        name="temperature.mean_squared_small_logits",
        title="With mean-squared loss too tau_z grows in proportion to small initial logits",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=QUANTITIES,
        regime="loss ||Z - Y||^2 / 2 summed; rms of Z0 much below 1; direction of Z0, labels and kernel fixed",
        derivation=SMALL_DERIVATION,
        claim=SMALL,
        rivals=(Rival("no dependence", replace(SMALL, exponent=Integer(0)), "what it has at large logits"),),
    ),
    Law(
        name="temperature.mean_squared_large_logits",
        title="With mean-squared loss tau_z no longer depends on the size of large initial logits",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=QUANTITIES,
        regime="loss ||Z - Y||^2 / 2 summed; rms of Z0 much above 1; direction of Z0, labels and kernel fixed",
        derivation=LARGE_DERIVATION,
        claim=LARGE,
        rivals=(Rival("proportional", replace(LARGE, exponent=Integer(1)), "what cross-entropy has, at both ends"),),
    ),
)
