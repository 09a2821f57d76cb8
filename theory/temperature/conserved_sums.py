"""What training a linear model conserves: the coefficients of each point add up to 0 over classes (T16, E11)."""

import random

from sympy import And, Eq, Function, Implies, IndexedBase, Integer, KroneckerDelta, Symbol

from theory.claims import Identity
from theory.definitions.linearised import (
    COEFFICIENTS,
    RESIDUALS,
    START,
    STEP,
    a_linear_model,
    any_function,
    c_at,
    delta,
    quantities,
    r_at,
    spanned,
    t,
    z_at,
)
from theory.definitions.temperature import (
    CLASS,
    LABELS,
    J,
    K,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    over_parameters,
    over_points,
    p,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World, table

JX, cross, kernel, z_x = (IndexedBase(name, real=True) for name in ("J_x", "Theta_cross", "kappa", "z_x"))
logit, total = (Function(name, real=True) for name in ("z_x_at", "total"))

COEFFICIENTS_CLAIM = Identity(over_classes(c_at(t, m, k)), Integer(0))
SUM_CLAIM = Identity(over_classes(logit(t, k)), over_classes(z_x[k]))

SPAN = Derivation(
    premises=(START, STEP, *COEFFICIENTS),
    steps=(
        Induct(
            "the displacement is spanned by the Jacobian's rows",
            t,
            delta(t, p),
            spanned(p),
            uses=(START.name, STEP.name, *(d.name for d in COEFFICIENTS)),
            because="each step adds residuals times rows, and decay shrinks all alike",
            every=(p,),
        ),
    ),
    worlds=lambda source: World({**a_linear_model(source).values, r_at: any_function(source, t, m, k)}),
)

CONSERVED = Derivation(
    premises=(LABELS, RESIDUALS, *COEFFICIENTS),
    steps=(
        Equal(
            "residuals add up to 0",
            over_classes(r_at(t, m, k)),
            Integer(0),
            uses=(LABELS.name, RESIDUALS.name),
            because="labels and probabilities both add up to 1",
            forall=(t, m),
        ),
        Induct(
            "so do the coefficients",
            t,
            COEFFICIENTS_CLAIM.left,
            COEFFICIENTS_CLAIM.right,
            uses=("residuals add up to 0", *(d.name for d in COEFFICIENTS)),
            every=(m,),
        ),
    ),
    worlds=lambda source: World({**a_linear_model(source, 2, 3).values, z_at: any_function(source, t, m, k)}),
)

POINT_X = Define(
    "logit of any point",
    logit(t, i),
    z_x[i] + over_parameters(JX[i, p] * delta(t, p)),
)
CROSS = Define(
    "kernel between that point and the training points", cross[i, n, j], over_parameters(JX[i, p] * J[n, j, p])
)
TOTAL = Define("sum of a point's coefficients", total(t, n), over_classes(c_at(t, n, k)))
DIAGONAL = Suppose(
    "the kernel is block-diagonal in the classes",
    Implies(And(i <= K, j <= K), Eq(cross[i, n, j], KroneckerDelta(i, j) * kernel[n]), evaluate=False),
    forall=(i, n, j),
)


def a_diagonal_model(source: random.Random) -> World:
    """One training point and one more, two classes: each class sees features of its own, the same for both."""
    points, classes, features = 1, 2, 1
    x, rows = table(source, features, low=-1, high=1), table(source, points, features, low=-1, high=1)
    blocks = [[[row[f] if b == c else 0 for b in range(classes) for f in range(features)] for c in range(classes)]
              for row in rows]  # fmt: skip
    own = [[x[f] if b == c else 0 for b in range(classes) for f in range(features)] for c in range(classes)]
    values = a_linear_model(source, points, classes, classes * features).values
    dot = [sum(a * b for a, b in zip(x, row, strict=True)) for row in rows]
    return World(
        {
            **values,
            J: blocks,
            JX: own,
            kernel: dot,
            z_x: table(source, classes, low=-1, high=1),
            z_at: any_function(source, t, m, k),
        }
    )


DERIVATION = Derivation(
    premises=(
        CLASS, LABELS, Imported("spanned", SPAN), Imported("conserved coefficients", CONSERVED),
        POINT_X, CROSS, DIAGONAL, TOTAL,
    ),
    steps=(
        Equal(
            "logit of any point through the kernel",
            logit(t, i),
            z_x[i] + over_logits(cross[i, n, j] * c_at(t, n, j)),
            uses=("spanned", POINT_X.name, CROSS.name),
            forall=(t, i),
        ),
        Equal(
            "each class sees its own coefficients",
            logit(t, i),
            z_x[i] + over_points(kernel[n] * c_at(t, n, i), n),
            uses=("logit of any point through the kernel", DIAGONAL.name, CLASS.name),
            forall=(t, i),
        ),
        Equal(
            "sum through the coefficients' sums",
            SUM_CLAIM.left,
            SUM_CLAIM.right + over_points(kernel[n] * total(t, n), n),
            uses=("each class sees its own coefficients", TOTAL.name),
        ),
        Equal(
            "no sum is left",
            total(t, n),
            Integer(0),
            uses=("conserved coefficients", TOTAL.name),
            forall=(t, n),
        ),
        Equal(
            "conserved sum",
            SUM_CLAIM.left,
            SUM_CLAIM.right,
            uses=("sum through the coefficients' sums", "no sum is left"),
            because="the coefficients of every point add up to 0",
        ),
    ),
    worlds=a_diagonal_model,
)  # fmt: skip

IDS = ("temperature:T16",)

LAWS = (
    Law(
        name="temperature.conserved_coefficients",
        title="However the kernel mixes the classes, each point's coefficients add up to 0",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "after eq 19",
            (*IDS, "temperature:E11"),
            "with theta - theta0 = J^T c the sum over classes of c is conserved, one number a training point",
        ),
        quantities=(
            Quantity(Symbol("c_at"), "coefficients: theta - theta0 = J^T c after t steps"),
            Quantity(Symbol("c_first"), "coefficient of the first class alone"),
            *quantities(t, m, K),
        ),
        regime="model linear in its parameters, any kernel, singular too; gradient descent with any rate, weight "
        "decay towards the start and temperature. For an invertible kernel c = Theta^-1 (z - z0).",
        derivation=CONSERVED,
        claim=COEFFICIENTS_CLAIM,
        rivals=(
            Rival(
                "one class alone",
                Identity(COEFFICIENTS_CLAIM.left, Symbol("c_first")),
                "takes the coefficients of the other classes for still",
            ),
        ),
    ),
    Law(
        name="temperature.conserved_sum",
        title="With a kernel that is block-diagonal in the classes the sum of a point's logits never changes",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eqs 18-19",
            IDS,
            "sum_k z_k(x, t) = sum_k z_k(x, 0) for every x, training point or not",
        ),
        quantities=(
            Quantity(Symbol("z_x_at"), "raw logit of any point after t steps"),
            Quantity(z_x, "its raw logit at the start"),
            Quantity(Symbol("z_first"), "raw logit of its first class after t steps"),
            *quantities(t, K),
        ),
        regime="model linear in its parameters whose classes share no features; gradient descent with any rate, "
        "weight decay towards the start and temperature",
        derivation=DERIVATION,
        claim=SUM_CLAIM,
        rivals=(
            Rival("all rise", Identity(SUM_CLAIM.left, K * Symbol("z_first")), "takes the classes for moving alike"),
            Rival("back to zero", Identity(SUM_CLAIM.left, Integer(0)), "forgets the start"),
        ),
    ),
)
