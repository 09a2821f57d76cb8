"""Between two classes the tangent kernel of a wide network falls like n^(-1/2) (T04).

One hidden layer, by the algebra of orders that the width topic uses: neuron r has the input weight w and the output
weights a of one class and b of another. The readout's part of the kernel knows no two classes at once; the body's
part is a sum over neurons of a b times what is even in a.
"""

from sympy import Eq, IndexedBase, Rational, S

from theory.asymptotics import even, odd
from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import mirrored, with_values, worlds
from theory.growth import dphi
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names

b, between = (IndexedBase(name) for name in ("b", "Theta_ij"))
r, d = w.r, w.d

CLAIM = PowerLaw(between[0], d, -Rational(1, 2))

BETWEEN = Define(
    "kernel between two classes",
    between[0],
    w.over_neurons(w.a[0, r] * b[0, r] * dphi(w.w[0, r] * w.x) * dphi(w.w[0, r] * w.x_other) * w.x * w.x_other) / d,
    w.FACTOR,
)
OTHER = (
    Suppose(
        "the other class's output weights are independent of them",
        Eq(odd(b[0, r], d), S.NegativeInfinity, evaluate=False),
    ),
    Suppose("and of order one", Eq(even(b[0, r], d), 0, evaluate=False)),
)

DERIVATION = Derivation(
    premises=(BETWEEN, *w.START, *OTHER),
    steps=(
        OrderOf(
            "central limit",
            between[0],
            CLAIM.exponent,
            d,
            uses=names(BETWEEN, *w.START, *OTHER),
            because="each summand is odd in its output weight, so n neurons add up to sqrt n, and n divides it",
        ),
    ),
    worlds=with_values(worlds(), lambda source: {b: {(0, *key): value for key, value in mirrored(source, 1).items()}}),
)

LAWS = (
    Law(
        name="temperature.block_diagonality",
        title="Between two classes the tangent kernel falls like the inverse root of the width",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 4, sec 2.2",
            ("temperature:T04",),
            "off-diagonal class blocks are of order n^-1/2 of the diagonal ones",
        ),
        quantities=(
            Quantity(between, "tangent kernel between two classes, at the start"),
            Quantity(d, "neurons of a layer, the width"),
        ),
        regime="one hidden layer, output weights of two classes independent and symmetric, order in probability; "
        "within a class the kernel tends to a constant (width.initial_kernels). Deeper networks are measured only.",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("law of large numbers", PowerLaw(between[0], d, S.Zero), "holds within a class"),
            Rival("independent neurons twice", PowerLaw(between[0], d, -S.One), "divides the central limit once more"),
        ),
    ),
)
