"""The scaled logits move by effective learning rate times tangent kernel times residual (T02, T03)."""

from theory.claims import Identity
from theory.definitions.temperature import (
    CLASS,
    DRIVE,
    EFFECTIVE,
    FLOW,
    KERNEL,
    LABELS,
    MEANINGS,
    POINT,
    RATE,
    RESIDUAL,
    SLOPE,
    SOFTMAX,
    J,
    Zdot,
    a_network,
    beta,
    drive,
    eta,
    eta_tilde,
    i,
    j,
    m,
    n,
    over_logits,
    p,
    r,
    slope,
    velocity,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import derivatives, exponentials, rational, sums
from theory.proof.premises import Imported
from theory.proof.steps import Equal

CLAIM = Identity(Zdot[m, i], eta_tilde * drive[m, i])

PARAMETER_FLOW = Derivation(
    premises=(POINT, CLASS, LABELS, SOFTMAX, RESIDUAL, SLOPE, FLOW),
    steps=(
        Equal(
            "gradient of the loss",
            slope[n, i],
            -beta * r[n, i],
            uses=(
                "slope of the loss",
                "softmax",
                "residual",
                "labels sum to 1",
                "n is a training point",
                "i is a class",
            ),
            normal=(derivatives, exponentials, sums, rational),
            because="the slope of ln softmax is the identity minus the softmax; each row of labels sums to 1",
            forall=(n, i),
        ),
        Equal(
            "velocity of the parameters",
            velocity[p],
            eta * beta * over_logits(r[n, j] * J[n, j, p]),
            uses=("descent", "gradient of the loss"),
            because="eq 2: the minus of the flow meets the minus of the gradient",
            forall=(p,),
        ),
    ),
    worlds=a_network,
)
"""Eqs 1-2: the parameters move along eta beta J^T r."""

DERIVATION = Derivation(
    premises=(
        POINT,
        CLASS,
        LABELS,
        Imported("gradient flow", PARAMETER_FLOW),
        RATE,
        KERNEL,
        DRIVE,
        EFFECTIVE,
    ),
    steps=(
        Equal(
            "flow of the logits",
            CLAIM.left,
            CLAIM.right,
            uses=(
                "rate of the scaled logits",
                "gradient flow",
                "tangent kernel",
                "drive",
                "effective learning rate",
            ),
            because="the chain rule brings a second J and a second beta (eq 5)",
            forall=(m, i),
        ),
    ),
    worlds=a_network,
)

LAWS = (
    Law(
        name="temperature.logit_flow",
        title="Under gradient flow scaled logits move at effective learning rate times kernel times residual",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eqs 2-5",
            ("temperature:T02", "temperature:T03"),
            "theta' = eta beta J^T r, and Z' = eta beta^2 Theta r, also where the kernel changes in time",
        ),
        quantities=tuple(Quantity(s, *MEANINGS[s]) for s in (Zdot, drive, eta_tilde, m, i)),
        regime="any differentiable network; any points, classes and parameters; full batch; loss summed",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("one beta", Identity(CLAIM.left, eta * beta * drive[m, i]), "forgets that Z = beta z moves"),
            Rival("ascent", Identity(CLAIM.left, -CLAIM.right), "follows from the loss as printed in eq 1"),
        ),
    ),
)
