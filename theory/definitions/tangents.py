"""Where the exponential lies: above 1 right of 0, below 1 left of it, above its tangent everywhere.

Derived from its slope, which is itself and positive. A logarithm lies below its tangent where the exponential, taken
at it, lies above.
"""

from sympy import Ge, Implies, Le, Lt, Symbol, exp

from theory.proof.derivation import Derivation
from theory.proof.steps import Cases, Holds, Rises
from theory.proof.worlds import World, rational

running, v = Symbol("x", real=True), Symbol("v", real=True)
a = Symbol("a", nonnegative=True)
left = Symbol("b", negative=True)
ZERO = 0 * v


def _anywhere(source) -> World:
    return World({v: rational(source, -3, 3), a: rational(source), left: -rational(source)})


_ABOVE_ONE = Rises(
    "above 1 right of 0",
    exp(running),
    running,
    ZERO,
    a,
    forall=(a,),
    because="The slope of the exponential is positive.",
)
_AT_MOST_ONE = Rises(
    "at most 1 left of 0",
    exp(running),
    running,
    -a,
    ZERO,
    forall=(a,),
    because="The slope of the exponential is positive.",
)
BELOW_ONE = Derivation(
    premises=(),
    steps=(
        Rises(
            "below 1 left of 0",
            exp(running),
            running,
            left,
            ZERO,
            forall=(left,),
            strict=True,
            because="The slope of the exponential is positive.",
        ),
    ),
    worlds=_anywhere,
)
"""exp(b) < 1 for every negative b."""

TANGENT = Derivation(
    premises=(),
    steps=(
        _ABOVE_ONE,
        _AT_MOST_ONE,
        Rises(
            "above the tangent right of 0",
            exp(running) - running,
            running,
            ZERO,
            a,
            uses=(_ABOVE_ONE.name,),
            instances=((_ABOVE_ONE.name, {a: running}),),
            forall=(a,),
            because="Its slope is exp(x) - 1.",
        ),
        Rises(
            "above the tangent left of 0",
            exp(-running) + running,
            running,
            ZERO,
            a,
            uses=(_AT_MOST_ONE.name,),
            instances=((_AT_MOST_ONE.name, {a: running}),),
            forall=(a,),
            because="Its slope is 1 - exp(-x).",
        ),
        Holds(
            "where v is not negative",
            Implies(Ge(v, 0), Ge(exp(v), 1 + v), evaluate=False),
            uses=("above the tangent right of 0",),
            instances=(("above the tangent right of 0", {a: v}),),
        ),
        Holds(
            "where v is negative",
            Implies(Lt(v, 0), Ge(exp(v), 1 + v), evaluate=False),
            uses=("above the tangent left of 0",),
            instances=(("above the tangent left of 0", {a: -v}),),
        ),
        Cases(
            "above the tangent",
            Le(1 + v, exp(v), evaluate=False),
            (Ge(v, 0), Lt(v, 0)),
            uses=("where v is not negative", "where v is negative"),
            forall=(v,),
            because="On either side of 0 the exponential moves away from its tangent.",
        ),
    ),
    worlds=_anywhere,
)
"""1 + v <= exp(v) for every real v."""
