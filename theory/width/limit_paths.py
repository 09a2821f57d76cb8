"""A network of growing width is near its limit at every step, by induction over the steps (width:X1, X2, X3).

As in ``theory.width.limit_steps`` a neuron is where it started, (a, w), plus t times (alpha, omega), and ``mean`` is
what the neurons' law adds to the mean of a phi(w.x) since the start, over t. At default scaling output weights are in
units of what a step moves them by, d^(1/2), beside which nothing is left of where they started: b = 0. Here the
samples' logits are those that the neurons themselves make, before every step, and what is supposed are the limits of
four numbers alone: the size t of a step, b, the share c of the initial fluctuation, and the order p of the logits, d^B.
"""

from random import Random

from sympy import Eq, Expr, Function, Integer, Lambda, Rational, Symbol, exp, oo, symbols
from sympy import Limit as LimitOf

from theory.claims import Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.steps import Tends
from theory.proof.steps.tends_on import TendsGoOn
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

n, k = (Symbol(name, integer=True, nonnegative=True) for name in ("n", "k"))
d, eta_a, eta_w, sigma = symbols("d eta_a eta_w sigma", positive=True)
a, w, x, size, kept, share, order = symbols("a w x t b c p", real=True)
size_at, kept_at, share_at, order_at = (Function(f"{name}_d", real=True) for name in "tbcp")
alpha_at, omega_at, logit_at = (Function(name, real=True) for name in ("alpha_d", "omega_d", "f_network"))
alpha, omega, field = (Function(name, real=True) for name in ("alpha", "omega", "field"))
x_a, x_w, y_a, y_w = (Function(name, real=True) for name in ("x_a", "x_w", "y_a", "y_w"))
phi, mean = smooth("phi"), smooth("mean")
dphi = derivative(phi)


def logit(alpha_: Expr, omega_: Expr, size_: Expr, kept_: Expr, share_: Expr, at: Expr) -> Expr:
    """Normalised logit at an input: what the neurons have learnt, and the share of the initial fluctuation."""
    return sigma * mean(alpha_, omega_, size_, kept_, at) + share_ * field(at)


def gradient(label: Expr, order_: Expr, seen: Expr) -> Expr:
    """Of the logistic loss, where logits are their normalised selves times p."""
    return -label / (1 + exp(label * order_ * seen))


def moved_by(alpha_: Expr, omega_: Expr, size_: Expr, kept_: Expr, g_a: Expr, g_w: Expr) -> tuple[Expr, Expr]:
    """Where the step k takes a neuron (width:D3), in units of the step's size."""
    inputs = w + size_ * omega_
    return (
        alpha_ - eta_a * sigma * g_a * phi(inputs * x_a(k)),
        omega_ - eta_w * sigma * g_w * (kept_ * a + size_ * alpha_) * dphi(inputs * x_w(k)) * x_w(k),
    )


def moved(alpha_: Expr, omega_: Expr, size_: Expr, kept_: Expr, share_: Expr, order_: Expr) -> tuple[Expr, Expr]:
    """The same, by the gradients of the logits that the neurons make."""
    gradients = (
        gradient(y(k), order_, logit(alpha_, omega_, size_, kept_, share_, at(k))) for at, y in ((x_a, y_a), (x_w, y_w))
    )
    return moved_by(alpha_, omega_, size_, kept_, *gradients)


NUMBERS = tuple(
    Suppose(name, Eq(LimitOf(at(d), d, oo), value, evaluate=False))
    for name, at, value in (
        ("size of a neuron's step", size_at, size),
        ("what is left of an initial output weight", kept_at, kept),
        ("share of the fluctuation", share_at, share),
        ("order of the logits", order_at, order),
    )
)
_AT = alpha_at(k, d), omega_at(k, d), size_at(d), kept_at(d), share_at(d), order_at(d)
_OF = alpha(k), omega(k), size, kept, share, order


def paths(of_network: tuple[Expr, Expr], of_limit: tuple[Expr, Expr]) -> tuple[Define, ...]:
    """Neurons start where they are, and take the step k to these places: a network's, and the limit's."""
    return tuple(
        Define(f"{name}: {when}", head, body)
        for name, at, of, place in (("output weight", alpha_at, alpha, 0), ("input weight", omega_at, omega, 1))
        for when, head, body in (
            ("start of a network's", at(0, d), Integer(0)),
            ("step of a network's", at(k + 1, d), of_network[place]),
            ("start of the limit's", of(0), Integer(0)),
            ("step of the limit's", of(k + 1), of_limit[place]),
        )
    )


_PATHS = paths(moved(*_AT), moved(*_OF))
SUMMED = Define(
    "sum over a network's neurons",
    logit_at(n, d, x),
    logit(alpha_at(n, d), omega_at(n, d), size_at(d), kept_at(d), share_at(d), x),
)
LIMIT = logit(alpha(n), omega(n), size, kept, share, x)


def _a_world(random: Random) -> World:
    z, p, q, s, v, at = symbols("z p q s v at", real=True)
    values = {one: draw(random, -2, 2) for one in (a, w, x, size, kept, share, order)}
    tables = {of: Lambda((k,), draw(random) + draw(random) * k) for of in (x_a, x_w)}
    labels = {of: Lambda((k,), (-1) ** (k + random.randint(0, 1))) for of in (y_a, y_w)}
    return World(
        {
            **values, **tables, **labels, n: random.randint(0, 2),
            **{one: draw(random) for one in (eta_a, eta_w, sigma)},
            **{of: Lambda((d,), values[value] + 1 / d)
               for of, value in ((size_at, size), (kept_at, kept), (share_at, share), (order_at, order))},
            field: Lambda((z,), draw(random) * z - Rational(1, 3)),
            phi: Lambda((z,), z + z**2 / 3),
            mean: Lambda((p, q, s, v, at), at * p / 2 + v * q / 3 + s * p * q * at),
        }
    )  # fmt: skip


NEURONS = TendsGoOn(
    "neurons",
    n,
    ((alpha_at(n, d), alpha(n)), (omega_at(n, d), omega(n))),
    d,
    oo,
    uses=tuple(premise.name for premise in (*NUMBERS, *_PATHS)),
    because="A step is a continuous function of where the neurons are, of its size, and of the gradients, which are "
    "continuous functions of the logits that these neurons make: what was near the limit before it is so after it.",
)
DERIVATION = Derivation(
    premises=(*NUMBERS, *_PATHS, SUMMED),
    steps=(
        NEURONS,
        Tends(
            "logit",
            logit_at(n, d, x),
            d,
            oo,
            LIMIT,
            uses=(SUMMED.name, *(one.name for one in NUMBERS[:3]), NEURONS.name),
            because="Their mean is what it is of their limits; of the fluctuation its share is left.",
            forall=(n, x),
        ),
    ),
    worlds=_a_world,
)


distance_logistic = symbols("distance_logistic")
LAWS = (
    Law(
        name="width.limit_path",
        title="Where logits do not diverge, a network's normalised logits tend to its limit's at every step.",
        status=Status.THEOREM,
        source=source(
            "SM B, C and D",
            (
                "width:X1",
                "width:X2",
                "width:X3",
                "width:D3",
                "width:R01",
                "width:R02",
                "width:R04",
                "width:R05",
                "width:R09",
                "width:R10",
            ),
            "Normalised logits f / d^B follow one evolution.",
        ),
        quantities=(
            Quantity(n, "number of steps"),
            Quantity(d, "width: number of hidden neurons"),
            Quantity(x, "input (one component stands for more)"),
            Quantity(logit_at, "normalised logit of a network after n steps"),
            Quantity(alpha, "move of a neuron's output weight after n steps of the limit, over t"),
            Quantity(omega, "move of its input weight"),
            Quantity(mean, "what the neurons' law adds to the mean of a phi(w.x) since the start, over t"),
            Quantity(field, "Gaussian field of the initial fluctuation, sigma* included"),
            Quantity(size, "limit of the size of a neuron's step, d^(q_sigma + q): 0 or 1"),
            Quantity(kept, "what is left of its initial output weight: 1, or 0 at default scaling"),
            Quantity(share, "limit of the share of the initial fluctuation, d^(-q_sigma - q - 1/2): 0 or 1"),
            Quantity(sigma, "standard deviation of the output weights, sigma*"),
        ),
        regime="Any number of steps; logits of order p = d^(2 q_sigma + q + 1) with a limit, 0 or 1: gradients are "
        "half of the label, or logistic; for c = 1, t = 1 the model is the corrected mean-field one. Premises: the law "
        "of large numbers (a sum over neurons is d times the mean over their law, continuous in where they are and in "
        "the size of steps; one neuron stands for all of them) and the central limit theorem (its initial fluctuation "
        "is sqrt(d) times a Gaussian field). Where logits diverge see width.limit_path_hinge.",
        derivation=DERIVATION,
        claim=Limit(logit_at(n, d, x), d, oo, LIMIT),
        rivals=(
            Rival(
                "logistic throughout",
                Limit(logit_at(n, d, x), d, oo, distance_logistic),
                "the NTK and mean-field models' gradient at every scaling",
            ),
        ),
    ),
)
