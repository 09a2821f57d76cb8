"""The slope of the summed softmax cross-entropy in a logit is minus beta times the residual (T01)."""

from theory.claims import Identity
from theory.definitions.temperature import (
    CLASS,
    LABELS,
    MEANINGS,
    POINT,
    RESIDUAL,
    SLOPE,
    SOFTMAX,
    a_network,
    beta,
    i,
    n,
    r,
    slope,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.temperature.logit_flow import PARAMETER_FLOW

CLAIM = Identity(slope[n, i], -beta * r[n, i])

DERIVATION = Derivation(
    premises=(POINT, CLASS, LABELS, SOFTMAX, RESIDUAL, SLOPE),
    steps=PARAMETER_FLOW.steps[:1],
    worlds=a_network,
)

LAWS = (
    Law(
        name="temperature.softmax_gradient",
        title="The slope of the loss in a raw logit is minus beta times label minus probability",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 1",
            ("temperature:T01",),
            "L = - sum Y ln softmax(beta z) has dL/dz = -beta (Y - p), and dL/dZ = -(Y - p)",
        ),
        quantities=(
            Quantity(slope, "derivative of the summed loss in a raw logit"),
            *(Quantity(symbol, *MEANINGS[symbol]) for symbol in (r, beta, n, i)),
        ),
        regime="any points, classes, temperature and logits; every row of labels sums to 1, soft ones too",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("printed sign", Identity(CLAIM.left, beta * r[n, i]), "what eq 1 as printed gives"),
            Rival("no beta", Identity(CLAIM.left, -r[n, i]), "the slope in the scaled logit Z = beta z"),
        ),
    ),
)
