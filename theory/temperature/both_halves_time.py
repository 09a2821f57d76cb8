"""With both halves trained tau_nl grows as the correlation of their readouts nears -1 (temperature:E27).

The second readout is c W + (1 - c^2)^(1/2) V with V independent of W; ``root`` is (1 + c)^(1/2),
which is ||Z0||/beta over that of one half and sqrt 2. The kernel's part of the
second derivative is odd in a half's readout, a linear and a cubic form of it (temperature.both_halves_cancel); the
speed of the logits is even, a constant and a quadratic form. Each form is written out in its parts in W and in V.
"""

import random
from dataclasses import replace

from sympy import Function, IndexedBase, Integer, Symbol, sqrt

from theory.claims import PowerLaw
from theory.definitions.inequalities import above
from theory.definitions.temperature import MEANINGS, K, M, beta, i, m
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.tau_z import squared_norm

root = Symbol("root", positive=True)
norm_first, norm_even = (Symbol(name, real=True) for name in ("norm_first", "norm_even"))
linear_W, linear_V, cubic_W, cubic_V, cubic_WWV, cubic_WVV, fixed, square_W, square_V, square_WV = FORMS = tuple(
    IndexedBase(name, real=True)
    for name in (
        "linear_W", "linear_V", "cubic_W", "cubic_V", "cubic_WWV", "cubic_WVV",
        "fixed", "square_W", "square_V", "square_WV",
    )
)  # fmt: skip
turned, tau_nl, per_root, speed = (Function(name) for name in ("turned", "tau_nl", "bend_per_root", "speed"))

CLAIM = PowerLaw(tau_nl(root), root, Integer(-1))
CORRELATED = PowerLaw(tau_nl(beta), beta, Integer(1))
kept, mixed = root**2 - 1, root * turned(root)

MIXED = Define(
    "share of the independent readout, over the root",
    turned(root),
    sqrt(2 - root**2),
    "exponents do not see a factor",
)
BEND = Define(
    "bend of both halves, over the root",
    per_root(root),
    sqrt(
        squared_norm(
            (
                (1 + kept) * linear_W[m, i]
                + mixed * linear_V[m, i]
                + (1 + kept**3) * cubic_W[m, i]
                + 3 * kept**2 * mixed * cubic_WWV[m, i]
                + 3 * kept * mixed**2 * cubic_WVV[m, i]
                + mixed**3 * cubic_V[m, i]
            )
            / root
        )
    ),
)
SPEED = Define(
    "speed of both halves",
    speed(root),
    sqrt(
        squared_norm(
            2 * fixed[m, i]
            + (1 + kept**2) * square_W[m, i]
            + 2 * kept * mixed * square_WV[m, i]
            + mixed**2 * square_V[m, i]
        )
    ),
)
TAU = Define("nonlinear timescale", tau_nl(root), speed(root) / (root * per_root(root)))
FIRST = Define(
    "first order in the independent readout",
    norm_first,
    sqrt(squared_norm(sqrt(2) * (linear_V[m, i] + 3 * cubic_WWV[m, i]))),
)
EVEN = Define("what two opposite halves share", norm_even, sqrt(squared_norm(2 * fixed[m, i] + 2 * square_W[m, i])))
MOVES = Suppose("opposite halves move the logits", above(norm_even, 0))
BENDS = Suppose("the independent readout bends their path", above(norm_first, 0))


def two_readouts(source: random.Random) -> World:
    """One point, two classes."""
    tables = {name: table(source, 1, 2) for name in FORMS}
    return World({**tables, M: 1, K: 2, m: 1, i: source.randint(1, 2), root: fraction(source, 1, 2) / 4})


DERIVATION = Derivation(
    premises=(MIXED, BEND, SPEED, TAU, FIRST, EVEN, MOVES, BENDS),
    steps=(
        Tends(
            "the bend falls like the root",
            per_root(root),
            root,
            Integer(0),
            norm_first,
            uses=names(MIXED, BEND, FIRST),
            normal=(sums, radicals),
            because="odd in the readout: opposite halves cancel, and their difference is of that order",
        ),
        Tends(
            "the speed does not",
            speed(root),
            root,
            Integer(0),
            norm_even,
            uses=names(MIXED, SPEED, EVEN),
            normal=(sums, radicals),
            because="even in the readout: opposite halves add up",
        ),
        Follows(
            "exponent",
            CLAIM.quantity,
            CLAIM.control,
            CLAIM.exponent,
            Integer(0),
            uses=(
                "the bend falls like the root",
                "the speed does not",
                *names(TAU, MOVES, BENDS),
            ),
        ),
    ),
    worlds=two_readouts,
)

LAWS = (
    Law(
        name="temperature.both_halves_time",
        title="With both halves trained tau_nl follows the inverse root of 1 + c as the readouts become opposite",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.4, app D.1",
            ("temperature:E27",),
            "both halves trained: tau_nl / beta ~ (1 + c)^(-1/2) ~ beta / ||Z0||, not a constant",
        ),
        quantities=(
            Quantity(Symbol("tau_nl"), "nonlinear timescale ||Z'|| / ||Z''_nl|| at the start", "step"),
            Quantity(root, "(1 + c)^(1/2), c the correlation of the two readouts"),
        ),
        regime="1 + c much below 1; one body at the start, both halves trained; that the kernel's part is odd in a "
        "half's readout (temperature.both_halves_cancel) and the speed even are premises",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("no dependence", replace(CLAIM, exponent=Integer(0)), "what one half trained gives"),
            Rival("inverse", replace(CLAIM, exponent=Integer(-2)), "takes 1 + c for the size of the logits"),
        ),
    ),
    Law(
        name="temperature.tau_nl_correlated",
        title="From the correlated start too, one half trained, tau_nl is proportional to beta at small logits",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "fig 3, app D.1",
            ("temperature:F3", "temperature:T11"),
            "c follows beta at fixed ||Z0||, and the direction of Z0 with it: the law of tau_nl holds but for that",
        ),
        quantities=(
            Quantity(
                Symbol("tau_nl"), "nonlinear timescale ||Z'|| / ||Z''_nl|| at the start, in units of eta~", "step"
            ),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="one half trained from the correlated start; rms of Z0 much below 1, where its direction counts little; "
        "c within [-1, 1]",
        derivation=None,
        claim=CORRELATED,
        rivals=(
            Rival("no dependence", replace(CORRELATED, exponent=Integer(0)), "a network held at its raw logits"),
            Rival("quadratic", replace(CORRELATED, exponent=Integer(2)), "what both halves trained give"),
        ),
    ),
)
