"""A temperature is a readout: its scale, and its own learning rate (temperature:T28a).

Any network whose logits are linear in the parameters 1..R of its readout; each coefficient is any function of
the other parameters. ``Z`` is a scaled logit of one point and class at inverse temperature beta, ``Z_at_one`` the
same logit of the same network trained at inverse temperature 1 from readout beta W, the readout with learning
rate beta^2 eta, the body with eta.
"""

import random

from sympy import Eq, Expr, Function, Implies, IndexedBase, Integer, Lambda, Sum, Symbol, cos

from theory.claims import Identity
from theory.definitions.temperature import MEANINGS, P, beta, p, q
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.rescaled_training import DERIVATION as RESCALED
from theory.temperature.rescaled_training import RESCALED_TRAINING, k, meeting, scale, two_systems, x, y

R = Symbol("R", integer=True, positive=True)
feature = IndexedBase("b", real=True)
unit = Function("h", real=True)
Z, Z_at_one, rescaled, x_at_one = (Function(name, real=True) for name in ("Z", "Z_at_one", "Z_rescaled", "Z_eta"))

CLAIM = Identity(Z(k), Z_at_one(k))


def logit(parameter: Expr) -> Expr:
    """Sum over the readout of each weight times its hidden unit; the parameters are written in the index q."""
    body = Sum(feature[p, q] * parameter, (q, R + 1, P))
    return Sum(parameter.xreplace({q: p}) * unit(p, body), (p, 1, R))


READOUT = Suppose("scale of the readout", Implies(p <= R, Eq(scale[p], beta, evaluate=False)), forall=(p,))
BODY = Suppose("scale of the body", Implies(p > R, Eq(scale[p], 1, evaluate=False)), forall=(p,))
LOGIT = Define("scaled logit", Z(k), beta * logit(x(k, q)))
LOGIT_AT_ONE = Define("logit of the other network", Z_at_one(k), logit(y(k, q)))
LOGIT_RESCALED = Define("logit in rescaled parameters", rescaled(k), logit(scale[q] * x(k, q)))


def a_readout(source: random.Random) -> World:
    """One weight of the readout, one parameter of the body."""
    values = two_systems(source).values
    strength = fraction(source, 1, 3)
    return World(
        {
            **values,
            R: 1,
            beta: strength,
            scale: [strength, Integer(1)],
            feature: table(source, 2, 2, low=-1, high=1),
            unit: Lambda((p, q), cos(q) + p),
        }
    )


DERIVATION = Derivation(
    premises=(
        Imported(RESCALED_TRAINING, RESCALED),
        READOUT,
        BODY,
        LOGIT,
        LOGIT_AT_ONE,
        LOGIT_RESCALED,
    ),
    steps=(
        Equal(
            "a temperature is a scale of the readout",
            Z(k),
            rescaled(k),
            uses=(READOUT.name, BODY.name, LOGIT.name, LOGIT_RESCALED.name),
            because="the logits are linear in the readout, so beta may be counted to it: the loss is one of s x",
            forall=(k,),
        ),
        *meeting(
            CLAIM.left,
            CLAIM.right,
            rescaled(k),
            "a temperature is a scale of the readout",
            (LOGIT_AT_ONE, LOGIT_RESCALED),
            "its learning rates are s^2 eta: beta^2 eta for the readout, eta for the body",
        ),
    ),
    worlds=a_readout,
)

LAWS = (
    Law(
        name="temperature.readout_identity",
        title="Training at beta is training at 1 with beta times the readout, at beta^2 its learning rate",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T28a",),
            "any network with a linear readout: (beta, eta, W) is (1, readout beta W at beta^2 eta, body at eta)",
        ),
        quantities=(
            Quantity(Symbol("Z"), "scaled logit at inverse temperature beta, after k steps"),
            Quantity(Symbol("Z_at_one"), "logit of the rescaled network at inverse temperature 1, after k steps"),
            Quantity(k, "steps made", "step"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="gradient descent or heavy ball, full batch or any batches that both see, any smooth loss of the "
        "scaled logits that is a sum of ridge functions of the parameters (as every polynomial is); no weight decay",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(Rival("one learning rate", Identity(CLAIM.left, x_at_one(k)), "rescales the readout, not its rate"),),
    ),
)
