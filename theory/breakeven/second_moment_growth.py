"""What becomes of the second moments of SGD in many dimensions beyond the exact edge (breakeven:L14).

Where a symmetric matrix gains by a factor above 1 in a step of the second moments, its powers grow without bound: the
norms of the powers of a self-adjoint step are convex on a logarithmic scale. No eigenvalue is asked for.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Eq, Function, IndexedBase, Lambda, Piecewise, Rational, Sum, Symbol

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Bound
from theory.definitions.breakeven import T, k, over_entries, place, places
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import ends, expanded, rational, sums
from theory.proof.steps import Equal, Holds, Induct
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)
t, u = (Symbol(name, integer=True, positive=True) for name in ("t", "u"))
entry = IndexedBase("Z", real=True)
initial, first_excess = Symbol("norm_0", real=True), Symbol("excess_0", real=True)
norm, excess = Function("norm", real=True), Function("excess", real=True)

NORM = Define("norm", norm(k), over_entries(entry[k, place] ** 2))
EXCESS = Define("excess", excess(k), norm(k + 1) - norm(k))
START = Define("norm at the start", initial, over_entries(entry[0, place] ** 2))
FIRST_EXCESS = Define("first excess", first_excess, excess(0))
SELF_ADJOINT = Suppose(
    "self-adjoint",
    Eq(over_entries(entry[k + 2, place] * entry[k, place]), over_entries(entry[k + 1, place] ** 2), evaluate=False),
    forall=(k,),
)
"""<Q^2 Z, Z> = <Q Z, Q Z> of Z = Q^k X/g^k; both sides are in units of g^2."""
GAIN = Suppose(
    "gain",
    Eq(over_entries(entry[1, place] * entry[0, place]), over_entries(entry[0, place] ** 2), evaluate=False),
)
"""<Q X, X> = g <X, X>, in units of g."""
_MISSED = over_entries((entry[k + 2, place] - entry[k, place]) ** 2)
_FIRST = over_entries((entry[1, place] - entry[0, place]) ** 2)
CLAIM = Bound(initial, norm(T))


def _powers_world(source: random.Random) -> World:
    """The powers of a self-adjoint step over its gain, in a basis in which it is diagonal, from any start."""
    values = [draw(source, -2, 2) for _ in range(2)]
    start = [draw(source, 1, 5) for _ in range(2)]
    first = sum(value * x**2 for value, x in zip(values, start, strict=True)) / sum(x**2 for x in start) or Rational(1)
    one, two = (value / first for value in values)
    return World(
        {
            places: 2,
            entry: Lambda((k, place), Piecewise((start[0] * one**k, Eq(place, 1)), (start[1] * two**k, True))),
            k: source.randint(0, 3),
            T: source.randint(0, 3),
        }
    )


GROW = Law(
    name="breakeven.second_moments_grow",
    title="A symmetric matrix that gains by a factor g in a step has grown by g^T in norm after T steps, or by more.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 in more than one dimension",
        ("breakeven:L14", "breakeven:D5"),
        "If <X, Q X> = g <X, X> the norm of Q^T X is at least g^T times that of X: beyond the edge, g > 1, no bound "
        "holds, and of the two positive semidefinite matrices that X is the difference of one grows without bound.",
    ),
    quantities=(
        Quantity(norm(T), "squared norm <Q^T X, Q^T X> of the second moments after T steps, over g^(2 T)", "length^4"),
        Quantity(initial, "squared norm <X, X> of X, whose gain <X, Q X>/<X, X> in a step is g", "length^4"),
        *quantities(T),
    ),
    regime="As breakeven.second_moments_never_grow; any self-adjoint step Q and any X with a gain g that is not 0.",
    derivation=Derivation(
        premises=(NORM, START, EXCESS, FIRST_EXCESS, SELF_ADJOINT, GAIN),
        steps=(
            Equal(
                "one step of the norm",
                norm(k + 1),
                norm(k) + excess(k),
                uses=("excess",),
                normal=_FORMS,
                forall=(k,),
                because="The excess is what comes on top.",
            ),
            Equal(
                "one step of the excess",
                excess(k + 1),
                excess(k) + _MISSED,
                uses=("norm", "excess", "self-adjoint"),
                normal=_FORMS,
                forall=(k,),
                because="The square is opened; its middle term is the norm after one step.",
            ),
            Equal(
                "excess of the first step",
                first_excess,
                _FIRST,
                uses=("norm", "excess", "first excess", "gain"),
                normal=_FORMS,
                because="The square is opened; its middle term is the gain.",
            ),
            Induct(
                "excess after many steps",
                T,
                excess(T),
                first_excess + Sum(_MISSED.xreplace({k: t - 1}), (t, 1, T)),
                uses=("one step of the excess", "first excess"),
                normal=(ends, *_FORMS),
                because="Every step adds a square.",
            ),
            Equal(
                "norm of the start",
                norm(0),
                initial,
                uses=("norm", "norm at the start"),
                because="No step has been made.",
            ),
            Induct(
                "norm after many steps",
                T,
                norm(T),
                initial + Sum(excess(t - 1), (t, 1, T)),
                uses=("one step of the norm", "norm of the start"),
                normal=(ends, *_FORMS),
                because="Every step adds its excess.",
            ),
            Equal(
                "what is added",
                Sum(excess(t - 1), (t, 1, T)),
                T * first_excess + Sum(_MISSED.xreplace({k: u - 1}), (u, 1, t - 1), (t, 1, T)),
                uses=("excess after many steps",),
                normal=_FORMS,
                because="Every step adds the first excess and all squares before it.",
            ),
            Holds(
                "no less than the first excess each time",
                Sum(excess(t - 1), (t, 1, T)) >= T * first_excess,
                uses=("what is added",),
                because="Squares are not negative.",
            ),
            Holds(
                "nor is the first excess",
                T * first_excess >= 0,
                uses=("excess of the first step",),
                because="It is a sum of squares too.",
            ),
            Holds(
                "grows",
                CLAIM.statement,
                uses=(
                    "norm after many steps",
                    "no less than the first excess each time",
                    "nor is the first excess",
                ),
                because="What is added is not negative.",
            ),
        ),
        worlds=_powers_world,
    ),
    claim=CLAIM,
    rivals=(Rival("falls", Bound(norm(T), initial), "takes the gain of the first step for the largest one"),),
)

LAWS = (GROW,)
