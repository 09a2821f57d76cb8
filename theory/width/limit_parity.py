"""Why small steps are felt at second order only: terms of first order are odd in the output weight (width:X1)."""

from sympy import Expr, IndexedBase, S, Sum, Symbol

from theory.claims import Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.worlds import World, table
from theory.width import limit_evolution as small
from theory.width.meanings import source
from theory.width.mirrors import first_order_cancels, vanishing

t, i = small.t, small.i
excess = Symbol("excess")
alpha_more, omega_more = (IndexedBase(name, real=True) for name in ("alpha_more", "omega_more"))


def _over_pairs() -> Expr:
    """Mean over mirror pairs of what a step adds beyond the kernels, over t once more.

    Earlier steps have moved the output weights of a pair alike and the input weights oppositely, up to t times
    anything.
    """
    a, w, alpha, omega = (base[i] for base in (small.a, small.w, small.alpha, small.omega))
    own = small.gain(a + t * alpha, w + t * omega)
    mirror = small.gain(-a + t * (alpha + t * alpha_more[i]), w + t * (-omega + t * omega_more[i]))
    values = small.eta_a * small.g_a * small.phi(w * small.x) * small.phi(w * small.x_a)
    slopes = small.dphi(w * small.x) * small.dphi(w * small.x_w) * small.x * small.x_w
    kernels = values + small.eta_w * small.g_w * a**2 * slopes
    return Sum(small.weight[i] * ((own + mirror) / 2 + kernels) / t, (i, 1, small.count))


def _worlds(random) -> World:
    more = {alpha_more: table(random, 2), omega_more: table(random, 2)}
    return World({**small.crowd_of_pairs(random).values, **more})


LAWS = (
    Law(
        name="width.limit_parity",
        title="What steps of size t add beyond the kernels of the start is of second order in t: terms of first order "
        "are odd in the output weight and vanish.",
        status=Status.THEOREM,
        source=source(
            "SM B.1",
            ("width:X1", "width:D6", "width:E12"),
            "So a limit with constant kernels is left at twice the order of a step.",
        ),
        quantities=(
            Quantity(excess, "change of the mean over neurons in one step less the kernels' prediction, over t twice"),
            Quantity(t, "size of a neuron's step, d^(q_sigma + q)"),
            Quantity(small.kernel_a, "mean over the initial neurons of phi(w.x) phi(w.x_a)"),
        ),
        regime="Any finite number of neurons in mirror pairs; earlier steps have moved both output weights of a pair "
        "alike and their input weights oppositely, up to t times anything, as steps do with every gradient that the "
        "pair shares. Inputs of one component stand for more.",
        derivation=first_order_cancels(
            excess,
            t,
            _over_pairs(),
            _worlds,
            "excess over the kernels",
            "nothing of first order",
            "any multiple and any learning rate leave nothing of first order, which is what the law says",
        ),
        claim=vanishing(excess, t),
        rivals=(
            Rival(
                "felt at first order",
                Limit(excess, t, S.Zero, small.kernel_a),
                "steps that move neurons by t change kernels by t, of their own size",
            ),
        ),
    ),
)
