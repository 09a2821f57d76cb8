"""One induction over the steps for every scaling: a network's logits tend to those of the limit that the orders choose
(width:X1, X2, X3, X4).

As in ``theory.width.limit_paths`` a neuron is where it started, (a, w), plus t times (alpha, omega). What a scaling
chooses are four orders: D of a neuron's step, E of what is left of an initial output weight, -C of the initial
fluctuation's share, and B of the logits. Their signs alone are seen in the limit, through the limits of d^D, d^E,
d^(-C) and d^(-|B|). The gradient is a continuous function ``slope`` of the label, of the normalised logit u and of
d^(-|B|), d^(-|B|) = 0 included. The logistic one, -y/(1 + exp(y d^B u)), is such a function where B <= 0; where B > 0
it is one for all |u| from any number above 0 on, with a hinge at d^(-|B|) = 0, and ``slope`` goes on from there in any
continuous way: where the limit's samples have logits other than 0, wide networks meet no other ones.
"""

from random import Random

from sympy import Abs, Eq, Expr, Function, Integer, Lambda, Piecewise, Rational, Symbol, exp, oo, symbols
from sympy import Limit as LimitOf

from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import smooth
from theory.proof.steps import Tends
from theory.proof.steps.tends_on import TendsGoOn
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width import limit_paths as paths
from theory.width.limit_paths import alpha, alpha_at, d, k, kept, logit_at, n, omega, omega_at, order, share, size, x

of_step, of_start, of_share, of_logits = symbols("D E C B", real=True)
"""Orders of a neuron's step, of what is left of an initial output weight, of one over the share of the initial
fluctuation, and of the logits."""

LAYERS = (("a", paths.x_a, paths.y_a), ("w", paths.x_w, paths.y_w))
slope = smooth("slope")
network_g, limit_g, first_at = (
    {name: Function(f"{what}_{name}{end}", real=True) for name, *_ in LAYERS}
    for what, end in (("g", "_d"), ("g", ""), ("first", "_d"))
)
first = {name: Symbol(f"first_{name}", real=True) for name, *_ in LAYERS}
early_alpha, early_omega, apart = (Function(f"{name}_d", real=True) for name in ("early_alpha", "early_omega", "apart"))


def _comes(name: str, part: Expr, value: Expr) -> Suppose:
    return Suppose(name, Eq(LimitOf(part, d, oo), value, evaluate=False))


NUMBERS = (
    _comes("size of a neuron's step", d**of_step, size),
    _comes("what is left of an initial output weight", d**of_start, kept),
    _comes("share of the fluctuation", d**-of_share, share),
    _comes("order of the logits, or one over it", d ** -Abs(of_logits), order),
)
"""Limits of powers of the width: each is 0 or 1 by its exponent's sign, and no exponent is positive."""


def seen(of: Expr, when: Expr) -> Expr:
    """A network's normalised logit at a layer's sample."""
    return paths.logit(alpha_at(when, d), omega_at(when, d), d**of_step, d**of_start, d**-of_share, of)


def ideal(of: Expr, when: Expr) -> Expr:
    """The limit's."""
    return paths.logit(alpha(when), omega(when), size, kept, share, of)


_LATER = k + 1
_MOVES = (
    paths.moved_by(alpha_at(k, d), omega_at(k, d), d**of_step, d**of_start, network_g["a"](k, d), network_g["w"](k, d)),
    paths.moved_by(alpha(k), omega(k), size, kept, limit_g["a"](k), limit_g["w"](k)),
)
_STARTS = (
    _comes("output weights start near the limit's", early_alpha(d), Integer(0)),
    _comes("input weights start near the limit's", early_omega(d), Integer(0)),
    *(
        Define(f"start of a network's {weight}", head, early, "any multiple or power of what vanishes vanishes too")
        for weight, head, early in (
            ("output weight", alpha_at(0, d), early_alpha(d)),
            ("input weight", omega_at(0, d), early_omega(d)),
        )
    ),
)
_PATHS = tuple(one for one in paths.paths(*_MOVES) if "start of a network's" not in one.name)
_FIRST = tuple(
    part
    for name, *_ in LAYERS
    for part in (
        _comes(f"first gradient of {name} tends", first_at[name](d), first[name]),
        Define(f"first gradient of {name}", network_g[name](0, d), first_at[name](d)),
        Define(f"first gradient of {name} in the limit", limit_g[name](0), first[name]),
    )
)
_GRADIENTS = tuple(
    Define(
        f"gradient of {name}",
        network_g[name](_LATER, d),
        slope(label(_LATER), seen(at(_LATER), _LATER), d ** -Abs(of_logits)),
    )
    for name, at, label in LAYERS
)
_CHOSEN = tuple(
    Define(
        f"gradient of {name} in the limit",
        limit_g[name](_LATER),
        slope(label(_LATER), ideal(at(_LATER), _LATER), order),
    )
    for name, at, label in LAYERS
)
SUMMED = Define("sum over a network's neurons", logit_at(n, d, x), seen(x, n))
DISTANCE = Define(
    "distance", apart(n, d, x), Abs(logit_at(n, d, x) - ideal(x, n)), "any multiple or power of no distance is none"
)


def _a_world(random: Random) -> World:
    z, p, q, s, v, at = symbols("z p q s v at", real=True)
    sign = random.choice((-1, 0, 1))
    orders = {
        of_step: random.choice((Integer(0), -draw(random))),
        of_start: random.choice((Integer(0), -draw(random))),
        of_share: random.choice((Integer(0), draw(random))),
        of_logits: sign * draw(random),
    }
    numbers = {
        number: Integer(orders[exponent] == 0)
        for number, exponent in ((size, of_step), (kept, of_start), (share, of_share), (order, of_logits))
    }
    values = {one: draw(random, -2, 2) for one in (paths.a, paths.w, x, *first.values())}
    tables = {of: Lambda((k,), draw(random) + draw(random) * k) for _, of, _ in LAYERS}
    labels = {of: Lambda((k,), (-1) ** (k + random.randint(0, 1))) for *_, of in LAYERS}
    hinge = Piecewise((-p, p * q < 0), (0, True))
    gradient = (
        Piecewise((hinge, Eq(s, 0)), (-p / (1 + exp(p * q / s)), True)) if sign > 0 else -p / (1 + exp(p * q * s))
    )
    near = {first_at[name]: values[first[name]] for name, *_ in LAYERS}
    near |= {early_alpha: Integer(0), early_omega: Integer(0)}
    return World(
        {
            **values, **orders, **numbers, **tables, **labels, n: random.randint(0, 2), d: draw(random),
            **{one: draw(random) for one in (paths.eta_a, paths.eta_w, paths.sigma)},
            **{of: Lambda((d,), value + draw(random) / d) for of, value in near.items()},
            slope: Lambda((p, q, s), gradient),
            paths.field: Lambda((z,), draw(random) * z - Rational(1, 3)),
            paths.phi: Lambda((z,), z + z**2 / 3),
            paths.mean: Lambda((p, q, s, v, at), at * p / 2 + v * q / 3 + s * p * q * at),
        }
    )  # fmt: skip


NEURONS = TendsGoOn(
    "neurons and gradients",
    n,
    (
        (alpha_at(n, d), alpha(n)),
        (omega_at(n, d), omega(n)),
        *((network_g[name](n, d), limit_g[name](n)) for name, *_ in LAYERS),
    ),
    d,
    oo,
    uses=tuple(one.name for one in (*NUMBERS, *_STARTS, *_PATHS, *_FIRST, *_GRADIENTS, *_CHOSEN)),
    because="Neurons near the limit's make logits near its own, at which the gradient is continuous: so gradients are "
    "near the limit's, and so is where the next step takes the neurons.",
)
LOGIT = Tends(
    "logit",
    logit_at(n, d, x),
    d,
    oo,
    ideal(x, n),
    uses=(SUMMED.name, *(one.name for one in NUMBERS[:3]), NEURONS.name),
    because="Their mean is what it is of their limits; of the fluctuation its share is left.",
    forall=(n, x),
)
DERIVATION = Derivation(
    premises=(*NUMBERS, *_STARTS, *_PATHS, *_FIRST, *_GRADIENTS, *_CHOSEN, SUMMED, DISTANCE),
    steps=(
        NEURONS,
        LOGIT,
        Tends(
            "no distance is left",
            apart(n, d, x),
            d,
            oo,
            Integer(0),
            uses=(DISTANCE.name, LOGIT.name),
            because="What comes to the limit's logit comes to no distance from it.",
            forall=(n, x),
        ),
    ),
    worlds=_a_world,
)
