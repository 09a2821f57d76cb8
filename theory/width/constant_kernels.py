"""At NTK scaling a whole training is kernel descent, to an error that the width takes away (width:T3, T7)."""

from sympy import Integer, oo, symbols

from theory.claims import Limit, PowerLaw
from theory.law import Law, Quantity, Rival, Source, Status
from theory.width.meanings import PAPER

d = symbols("d", positive=True)
q_sigma, q = symbols("q_sigma q")
distance, distance_features, drift = symbols("distance distance_features drift")
_WIDTH = Quantity(d, "width: number of hidden neurons")
_REGIME = (
    "Leaky rectifier; a binary task with batches in one fixed order, for up to 500 steps; the kernel is that of the "
    "infinitely wide network in closed form, at every step."
)

LAWS = (
    Law(
        name="width.kernel_descent",
        title="Wide networks at NTK scaling follow kernel descent from their own initial logits, at every step.",
        status=Status.EMPIRICAL,
        source=Source(
            PAPER,
            "Section 3 and SM E",
            ("width:T7", "width:R02", "width:X1", "width:X5"),
            "The NTK limit is gradient descent on logits with a kernel that does not change.",
        ),
        quantities=(
            Quantity(distance, "root mean square distance of a network's test logits to kernel descent, over its size"),
            Quantity(distance_features, "the same of kernel descent with the output weights' kernel alone"),
            _WIDTH,
        ),
        regime=_REGIME,
        derivation=None,
        claim=Limit(distance, d, oo, Integer(0)),
        rivals=(
            Rival(
                "output weights alone",
                Limit(distance, d, oo, distance_features),
                "random features: leaves out what the input weights learn",
            ),
        ),
    ),
    Law(
        name="width.kernel_drift",
        title="At NTK scaling the kernel's change over a whole training falls like d^(2 (q_sigma + q)) = 1/d.",
        status=Status.EMPIRICAL,
        source=Source(
            PAPER,
            "Proposition 2 and Figure 1, right",
            ("width:T3", "width:E12", "width:R02"),
            "Kernels of the NTK limit do not evolve: relative changes have the order 2 (q_sigma + q), as in one step.",
        ),
        quantities=(
            Quantity(drift, "mean relative change of the tangent kernel's diagonal at test points, after all steps"),
            _WIDTH,
            Quantity(q_sigma, "exponent of the standard deviation of the output weights"),
            Quantity(q, "exponent of both learning rates in hat units"),
        ),
        regime=_REGIME,
        derivation=None,
        claim=PowerLaw(drift, d, 2 * (q_sigma + q)),
        rivals=(
            Rival("as a fluctuation", PowerLaw(drift, d, q_sigma + q), "d^(-1/2), the order of a mean's fluctuation"),
        ),
    ),
)
