"""A network whose initial logits diverge, as long as all its samples are right: it stays where it started, and its
logits stay the initial field's (width:X1, G3, G4, R08, R13).

Moves are counted here in units of what would change the initial logits by as much as they are: a neuron is where it
started plus t d^(-C) times (alpha, omega), d^(-C) being the share of the initial fluctuation in normalised logits, and
``mean`` is what the neurons' law adds to the mean of a phi(w.x) since the start, over t d^(-C). Logits are d^A times
what is followed here: the initial field, and what the neurons have learnt.
"""

from random import Random

from sympy import Eq, Expr, Function, Integer, Lambda, Piecewise, Rational, Symbol, exp, oo, symbols
from sympy import Limit as LimitOf

from theory.claims import Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import smooth
from theory.proof.steps import Equal, Tends
from theory.proof.steps.tends_on import TendsGoOn
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width import limit_paths as paths
from theory.width.limit_paths import alpha_at, d, field, k, kept, n, omega_at, sigma, size, x
from theory.width.meanings import source

of_field, of_share, margin = symbols("A C margin", positive=True)
of_step = Symbol("D", real=True)
small, mean = smooth("small"), smooth("mean")
logit_at = Function("f_over_start", real=True)
LAYERS = (("a", paths.x_a, paths.y_a), ("w", paths.x_w, paths.y_w))
gradient_at = {name: Function(f"g_{name}_d", real=True) for name, *_ in LAYERS}
margin_at = {name: Function(f"margin_{name}", positive=True) for name, *_ in LAYERS}


OVER_SHARE = 1 / (d**-of_share + d**-of_share * exp(margin * d**of_field))
"""Size of the logistic gradient of a sample that is right by a margin, over the share d^(-C)."""


def seen(of: Expr, when: Expr) -> Expr:
    """A network's logit over d^A."""
    return field(of) + sigma * mean(alpha_at(when, d), omega_at(when, d), d**-of_share, d**of_step, kept, of)


SIZE = Suppose("size of a neuron's step", Eq(LimitOf(d**of_step, d, oo), size, evaluate=False))
NOTHING_LEARNT = Suppose(
    "nothing is learnt where nothing has moved",
    Eq(mean(0, 0, 0, size, kept, x), 0, evaluate=False),
    forall=(x,),
)
END = Suppose(
    "the gradient at infinite width",
    Eq(small(margin, 0), LimitOf(OVER_SHARE, d, oo), evaluate=False),
    "a multiple of no gradient is none",
    forall=(margin,),
)
RIGHT = tuple(
    Suppose(
        f"samples of {name} are right", Eq(label(k) * field(at(k)), margin_at[name](k), evaluate=False), forall=(k,)
    )
    for name, at, label in LAYERS
)
_MOVED = (
    alpha_at(k, d)
    - paths.eta_a
    * sigma
    * gradient_at["a"](k, d)
    * paths.phi((paths.w + d**of_step * d**-of_share * omega_at(k, d)) * paths.x_a(k)),
    omega_at(k, d)
    - paths.eta_w
    * sigma
    * gradient_at["w"](k, d)
    * (kept * paths.a + d**of_step * d**-of_share * alpha_at(k, d))
    * paths.dphi((paths.w + d**of_step * d**-of_share * omega_at(k, d)) * paths.x_w(k))
    * paths.x_w(k),
)
_NOTHING = "a multiple of no move is none"
_PATHS = (
    Define("start of the output weight", alpha_at(0, d), Integer(0)),
    Define("step of the output weight", alpha_at(k + 1, d), _MOVED[0], _NOTHING),
    Define("start of the input weight", omega_at(0, d), Integer(0)),
    Define("step of the input weight", omega_at(k + 1, d), _MOVED[1], _NOTHING),
)
_GRADIENTS = tuple(
    Define(
        f"gradient of {name} over the share",
        gradient_at[name](k, d),
        -label(k) * small(label(k) * seen(at(k), k), 1 / d),
        "a multiple of no gradient is none",
    )
    for name, at, label in LAYERS
)
SUMMED = Define("logit over its size at the start", logit_at(n, d, x), seen(x, n))


def _on_a_line(start: Expr, more: Expr) -> Expr:
    return start + more * k


def _a_world(random: Random) -> World:
    p, q, c, s, v, at = symbols("p q c s v at", real=True)
    stands, sign = random.randint(0, 1), random.choice((-1, 1))
    powers = {one: Rational(random.randint(1, 4), 4) for one in (of_field, of_share)}
    tables = {of: (draw(random), draw(random)) for _, of, _ in LAYERS}
    field_at = lambda place: sign * (place**2 + Rational(1, 3))  # noqa: E731
    far = 1 / (q ** powers[of_share] * (1 + exp(p * q ** -powers[of_field])))
    return World(
        {
            **powers,
            of_step: -Rational(stands, 2),
            **{one: draw(random, -2, 2) for one in (paths.a, paths.w, x, kept)},
            **{one: draw(random) for one in (d, margin, paths.eta_a, paths.eta_w, sigma)},
            size: Integer(1 - stands), n: random.randint(0, 2),
            **{of: Lambda((k,), _on_a_line(*line)) for of, line in tables.items()},
            **{of: Lambda((k,), Integer(sign)) for *_, of in LAYERS},
            **{margin_at[name]: Lambda((k,), sign * field_at(_on_a_line(*tables[of]))) for name, of, _ in LAYERS},
            field: Lambda((p,), field_at(p)),
            small: Lambda((p, q), Piecewise((0, Eq(q, 0)), (far, True))),
            paths.phi: Lambda((p,), p + p**2 / 3),
            mean: Lambda((p, q, c, s, v, at), at * p / 2 + v * q / 3 + c * s * p * q * at),
        }
    )  # fmt: skip


OUTWEIGHED = Tends(
    "right samples' gradients",
    OVER_SHARE,
    d,
    oo,
    Integer(0),
    because="The exponential of a power outweighs any power: they vanish beside the share too.",
)
NO_GRADIENT = Equal(
    "no gradient is left",
    small(margin, 0),
    Integer(0),
    uses=(END.name, OUTWEIGHED.name),
    because="A continuous function's value is its limit.",
    forall=(margin,),
)
SHARE = Tends("the share vanishes", d**-of_share, d, oo, Integer(0), because="Its exponent is negative.")
NARROW = Tends("one over the width vanishes", 1 / d, d, oo, Integer(0), because="The width grows.")
STILL = TendsGoOn(
    "nothing moves",
    n,
    ((alpha_at(n, d), Integer(0)), (omega_at(n, d), Integer(0))),
    d,
    oo,
    uses=(
        SIZE.name, NOTHING_LEARNT.name, *(one.name for one in (*RIGHT, *_PATHS)), NO_GRADIENT.name, SHARE.name,
        NARROW.name, *(one.name for one in _GRADIENTS),
    ),
    because="Where nothing has moved yet the samples' logits are the field's, which are right: the next step moves "
    "nothing either.",
)  # fmt: skip
DERIVATION = Derivation(
    premises=(SIZE, NOTHING_LEARNT, END, *RIGHT, *_PATHS, *_GRADIENTS, SUMMED),
    steps=(
        OUTWEIGHED,
        NO_GRADIENT,
        SHARE,
        NARROW,
        STILL,
        Tends(
            "the logits stay the field's",
            logit_at(n, d, x),
            d,
            oo,
            field(x),
            uses=(SUMMED.name, SIZE.name, NOTHING_LEARNT.name, STILL.name, SHARE.name),
            because="What has been learnt is nothing beside them.",
            forall=(n, x),
        ),
    ),
    worlds=_a_world,
)

outgrown = symbols("outgrown")
LAWS = (
    Law(
        name="width.limit_path_frozen",
        title="Where initial logits diverge, a network whose samples have all been right by their sign has the logits "
        "that it started with, at every step.",
        status=Status.THEOREM,
        source=source(
            "SM B, equation 85",
            ("width:X1", "width:G3", "width:G4", "width:R08", "width:R13", "width:D3"),
            "After a step that moved nothing normalised logits are 0, and their sign is that of the initial field.",
        ),
        quantities=(
            Quantity(n, "number of steps"),
            Quantity(d, "width: number of hidden neurons"),
            Quantity(x, "input (one component stands for more)"),
            Quantity(logit_at, "logit of a network after n steps, over d^(q_sigma + 1/2)"),
            Quantity(field, "Gaussian field of the initial fluctuation, sigma* included"),
        ),
        regime="q_sigma > -1/2 and q_sigma + q > -1/2; any number of steps, every sample of which agrees with the sign "
        "of the initial field at it, by a margin that does not depend on the width. Premises: the law of large numbers "
        "(what a sum over neurons has learnt is a continuous function of where they are, and nothing where they are "
        "where they started) and the central limit theorem (the initial fluctuation is a Gaussian field); that the "
        "gradient is a continuous function of label times logit over d^(q_sigma + 1/2) and of one over the width, as "
        "the logistic one is, infinite width included, wherever a sample is right by a margin. Moves vanish even "
        "beside what would change the initial logits: the first wrong sample finds neurons as near to where they "
        "started as one likes, and its gradient is minus its label (width.limit_step_hinge); from there on the path is "
        "that of width.limit_models.",
        derivation=DERIVATION,
        claim=Limit(logit_at(n, d, x), d, oo, field(x)),
        rivals=(
            Rival(
                "outgrown",
                Limit(logit_at(n, d, x), d, oo, outgrown),
                "what a step makes of them where a sample is wrong: its change is all there is",
            ),
        ),
    ),
)
