"""The induction over the steps where logits diverge, along a path on which no sample's logit is 0 (width:X1, X2, G4).

Divided by their order d^B logits have a limit, and the gradient is a function of the label, of this logit and of
p = d^(-B). It has no limit at p = 0 where the logit is 0; elsewhere it is continuous there, and its value is the
hinge's (``theory.width.limit_gradients``, ``theory.width.limit_steps``). That is supposed here of an abstract gradient.
"""

from random import Random

from sympy import Eq, Function, Integer, Lambda, Rational, Symbol, oo, symbols
from sympy import Limit as LimitOf

from theory.claims import Limit
from theory.law import Law, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import smooth
from theory.proof.steps import Tends
from theory.proof.steps.tends_on import TendsGoOn
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width import limit_paths as paths
from theory.width.limit_paths import (
    alpha,
    alpha_at,
    d,
    k,
    kept,
    kept_at,
    n,
    omega,
    omega_at,
    share,
    share_at,
    size,
    size_at,
    x,
)
from theory.width.meanings import source

small_at = Function("p_d", real=True)
slope = smooth("gradient")
LAYERS = (("a", paths.x_a, paths.y_a), ("w", paths.x_w, paths.y_w))
network_g, limit_g, first_at = (
    {name: Function(f"{what}_{name}{end}", real=True) for name, *_ in LAYERS}
    for what, end in (("g", "_d"), ("g", ""), ("first", "_d"))
)
first = {name: Symbol(f"first_{name}", real=True) for name, *_ in LAYERS}


def _comes(name: str, part, value) -> Suppose:
    return Suppose(name, Eq(LimitOf(part, d, oo), value, evaluate=False))


NUMBERS = (*paths.NUMBERS[:3], _comes("one over the order of the logits", small_at(d), Integer(0)))
_PATHS = paths.paths(
    paths.moved_by(alpha_at(k, d), omega_at(k, d), size_at(d), kept_at(d), network_g["a"](k, d), network_g["w"](k, d)),
    paths.moved_by(alpha(k), omega(k), size, kept, limit_g["a"](k), limit_g["w"](k)),
)
_LATER = k + 1
_GRADIENTS = tuple(
    part
    for name, at, label in LAYERS
    for part in (
        _comes(f"first gradient of {name} tends", first_at[name](d), first[name]),
        Define(f"first gradient of {name}", network_g[name](0, d), first_at[name](d)),
        Define(f"first gradient of {name} in the limit", limit_g[name](0), first[name]),
        Define(
            f"gradient of {name}",
            network_g[name](_LATER, d),
            slope(
                label(_LATER),
                paths.logit(alpha_at(_LATER, d), omega_at(_LATER, d), size_at(d), kept_at(d), share_at(d), at(_LATER)),
                small_at(d),
            ),
        ),
        Define(
            f"gradient of {name} in the limit",
            limit_g[name](_LATER),
            slope(label(_LATER), paths.logit(alpha(_LATER), omega(_LATER), size, kept, share, at(_LATER)), Integer(0)),
        ),
    )
)


def _a_world(random: Random) -> World:
    z, p, q, s, v, at = symbols("z p q s v at", real=True)
    values = {one: draw(random, -2, 2) for one in (paths.a, paths.w, x, size, kept, share, *first.values())}
    tables = {of: Lambda((k,), draw(random) + draw(random) * k) for _, of, _ in LAYERS}
    labels = {of: Lambda((k,), (-1) ** (k + random.randint(0, 1))) for *_, of in LAYERS}
    near = {size_at: values[size], kept_at: values[kept], share_at: values[share], small_at: Integer(0)}
    near |= {first_at[name]: values[first[name]] for name, *_ in LAYERS}
    return World(
        {
            **values, **tables, **labels, n: random.randint(0, 2),
            **{one: draw(random) for one in (paths.eta_a, paths.eta_w, paths.sigma)},
            **{of: Lambda((d,), value + 1 / d) for of, value in near.items()},
            slope: Lambda((p, q, s), -p / 2 + q / 5 + s * q),
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
    uses=tuple(premise.name for premise in (*NUMBERS, *_PATHS, *_GRADIENTS)),
    because="Neurons near the limit's make logits near its own, and where these are not 0 the gradients are near the "
    "limit's too: so is where the next step takes the neurons.",
)
DERIVATION = Derivation(
    premises=(*NUMBERS, *_PATHS, *_GRADIENTS, paths.SUMMED),
    steps=(
        NEURONS,
        Tends(
            "logit",
            paths.logit_at(n, d, x),
            d,
            oo,
            paths.LIMIT,
            uses=(paths.SUMMED.name, *(one.name for one in NUMBERS[:3]), NEURONS.name),
            because="Their mean is what it is of their limits; of the fluctuation its share is left.",
            forall=(n, x),
        ),
    ),
    worlds=_a_world,
)

LAWS = (
    Law(
        name="width.limit_path_hinge",
        title="Where logits diverge they tend to the limit's at every step, as long as none of the samples' is 0.",
        status=Status.THEOREM,
        source=source(
            "SM B",
            (
                "width:X1",
                "width:X2",
                "width:X4",
                "width:D3",
                "width:G4",
                "width:R03",
                "width:R06",
                "width:R07",
                "width:R08",
                "width:R11",
                "width:R12",
                "width:R13",
            ),
            "Normalised logits f / d^B follow one evolution.",
        ),
        quantities=paths.LAWS[0].quantities,
        regime="Any number of steps; the default scaling too. Premises: the law of large numbers and the central limit "
        "theorem, as in width.limit_path; the first gradient's limit, half of the label, logistic or a hinge of the "
        "initial field (width.limit_gradient_half, width.limit_gradient_hinge); and that the gradient, a function of "
        "the label, of the normalised logit and of p = d^(-B), is continuous up to p = 0 at the logits that the "
        "limit's samples have: the logistic one is where they are not 0, with the hinge as its value "
        "(width.limit_step_hinge). While nothing has moved they are 0 (width.limit_path_frozen).",
        derivation=DERIVATION,
        claim=Limit(paths.logit_at(n, d, x), d, oo, paths.LIMIT),
        rivals=(
            Rival(
                "logistic throughout",
                Limit(paths.logit_at(n, d, x), d, oo, paths.distance_logistic),
                "the NTK and mean-field models' gradient at every scaling",
            ),
        ),
    ),
)
