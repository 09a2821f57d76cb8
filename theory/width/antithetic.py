"""Networks in pairs of opposite output weights: to first order the first step changes their kernels oppositely (G1)."""

from sympy import Expr, IndexedBase, Lambda, S, Sum, Symbol, symbols

from theory.claims import Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.functions import derivative, smooth
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw
from theory.width.meanings import source
from theory.width.mirrors import first_order_cancels, vanishing

r, d = (Symbol(name, integer=True, positive=True) for name in ("r", "d"))
t, part = symbols("t part", positive=True)
g_a, g_w, x, other, x_a, x_w = symbols("g_a g_w x x_other x_a x_w", real=True)
a, w = (IndexedBase(name, real=True) for name in ("a", "w"))
phi = smooth("phi")
dphi = derivative(phi)
pair, single = symbols("pair single")


def _neuron(sign: int) -> Expr:
    """A neuron's part of both kernels after a step of size t, its output weight having this sign at the start."""
    output = sign * a[r] - t * g_a * phi(w[r] * x_a)
    inputs = w[r] - t * g_w * sign * a[r] * dphi(w[r] * x_w) * x_w
    values, slopes = phi(inputs * x) * phi(inputs * other), dphi(inputs * x) * dphi(inputs * other)
    return values + part * output**2 * slopes * x * other


_BEFORE = phi(w[r] * x) * phi(w[r] * other) + part * a[r] ** 2 * dphi(w[r] * x) * dphi(w[r] * other) * x * other
_CHANGE = Sum((_neuron(1) + _neuron(-1) - 2 * _BEFORE) / t, (r, 1, d))


def _world(random) -> World:
    z = Symbol("z", real=True)
    numbers = {name: draw(random) for name in (g_a, g_w, x, other, x_a, x_w, part)}
    return World({d: 2, a: table(random, 2), w: table(random, 2), phi: Lambda(z, z + z**2 / 3), **numbers})


LAWS = (
    Law(
        name="width.antithetic",
        title="Networks of opposite output weights change their kernels oppositely in the first step, at first order.",
        status=Status.THEOREM,
        source=source(
            "Proposition 2, statement 4, and its proof in SM A.2",
            ("width:G1", "width:E10", "width:P2"),
            "With the gradients given, the first-order change is a sum of odd terms: it has no mean at any width.",
        ),
        quantities=(
            Quantity(pair, "sum of both networks' changes of the kernel, over the step's size"),
            Quantity(t, "size of a neuron's step"),
        ),
        regime="Any width and any neurons; both networks see the same samples with the same gradients; any weight of "
        "one kernel against the other. Inputs of one component stand for more.",
        derivation=first_order_cancels(
            pair,
            t,
            _CHANGE,
            _world,
            "change of a pair over the step's size",
            "opposite at first order",
            "what tends to 0 does so times any factor",
        ),
        claim=vanishing(pair, t),
        rivals=(
            Rival(
                "with a mean, as a law of large numbers needs",
                Limit(pair, t, S.Zero, 2 * single),
                "both networks would change alike, each by its own first-order change",
            ),
        ),
    ),
)
