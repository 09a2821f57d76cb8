"""The order of the first rate of deviation (T30), in the time t_hat = eta~ t / beta itself.

Both paths leave one place with one velocity and smoothly, as in temperature.deviation: the linearisation covers the
time times a smooth pace, and the network lies the square of the time times a smooth bend from it.
"""

import random

from sympy import Function, Integer, Lambda, Ne, Symbol, sqrt

from theory.definitions.inequalities import above
from theory.definitions.temperature import K, M, i, m, over_logits
from theory.proof.derivation import Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import derivatives, radicals, rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

t_hat = Symbol("t_hat", positive=True)
error, deviation, apart, paced, bent, left = (
    Function(name, real=True) for name in ("error", "deviation", "apart", "paced", "bent", "left")
)
apart_0, paced_0, TNL, bend_turn, pace_turn = (
    Symbol(name, real=True) for name in ("apart_0", "paced_0", "TNL", "bend_turn", "pace_turn")
)
pace, bend = smooth("pace"), smooth("bend")
ZERO = Integer(0)


COVERED = t_hat * pace(m, i, t_hat)
NETWORK = COVERED + t_hat**2 * bend(m, i, t_hat)
DEVIATION = Define(
    "relative deviation",
    deviation(t_hat),
    sqrt(over_logits((NETWORK - COVERED) ** 2, m, i)) / sqrt(over_logits(COVERED**2, m, i)),
)
APART_0 = Define("square of what they bend apart at the start", apart_0, over_logits(bend(m, i, 0) ** 2, m, i))
PACED_0 = Define("square of the pace there", paced_0, over_logits(pace(m, i, 0) ** 2, m, i))
TIMESCALE = Define("timescale, as temperature.deviation has it", TNL, sqrt(paced_0) / (2 * sqrt(apart_0)))
FROM_FIRST = Define("distance from the first rate", error(t_hat), 2 * TNL / t_hat * deviation(t_hat) - 1)
APART = Define("square of what they bend apart", apart(t_hat), over_logits(bend(m, i, t_hat) ** 2, m, i))
PACED = Define("square of the pace", paced(t_hat), over_logits(pace(m, i, t_hat) ** 2, m, i))
CHANGE = (bend(m, i, t_hat) ** 2 - bend(m, i, 0) ** 2) / t_hat
OF_BEND = Define("what the first moves by, over the time", bent(t_hat), over_logits(CHANGE, m, i))
OF_PACE = Define(
    "and the second", left(t_hat), over_logits((pace(m, i, t_hat) ** 2 - pace(m, i, 0) ** 2) / t_hat, m, i)
)
BEND_TURN = Define("slope of the first", bend_turn, 2 * over_logits(bend(m, i, 0) * derivative(bend, 3)(m, i, 0), m, i))
PACE_TURN = Define("and of the second", pace_turn, 2 * over_logits(pace(m, i, 0) * derivative(pace, 3)(m, i, 0), m, i))
BENDS = Suppose("the network bends", above(apart_0, 0))
MOVES = Suppose("the linearisation moves", above(paced_0, 0))
TURNS = Suppose("both do not change alike", Ne(paced_0 * bend_turn - apart_0 * pace_turn, 0, evaluate=False))
BY_SQUARES = Equal(
    "deviation by squares",
    deviation(t_hat),
    t_hat * sqrt(apart(t_hat)) / sqrt(paced(t_hat)),
    uses=names(DEVIATION, APART, PACED),
    normal=(sums, radicals, rational),
    forall=(t_hat,),
)
BEND_MOVES = Equal(
    "move of the first",
    bent(t_hat),
    (apart(t_hat) - apart_0) / t_hat,
    uses=names(OF_BEND, APART, APART_0),
    forall=(t_hat,),
)
PACE_MOVES = Equal(
    "move of the second",
    left(t_hat),
    (paced(t_hat) - paced_0) / t_hat,
    uses=names(OF_PACE, PACED, PACED_0),
    forall=(t_hat,),
)
BY_LEFT = Equal(
    "distance by what moves",
    error(t_hat),
    t_hat
    * (paced_0 * bent(t_hat) - apart_0 * left(t_hat))
    / (sqrt(paced(t_hat)) * sqrt(apart_0) * (sqrt(apart(t_hat)) * sqrt(paced_0) + sqrt(paced(t_hat)) * sqrt(apart_0))),
    uses=names(FROM_FIRST, TIMESCALE, BY_SQUARES, BEND_MOVES, PACE_MOVES),
    normal=(radicals, rational),
    forall=(t_hat,),
)
FINITE = (derivatives, sums, rational)
APART_SETTLES = Tends("the bend settles", apart(t_hat), t_hat, ZERO, apart_0, uses=names(APART, APART_0), normal=FINITE)
PACE_SETTLES = Tends("so does the pace", paced(t_hat), t_hat, ZERO, paced_0, uses=names(PACED, PACED_0), normal=FINITE)
BEND_TURNS = Tends(
    "the first has a slope", bent(t_hat), t_hat, ZERO, bend_turn, uses=names(OF_BEND, BEND_TURN), normal=FINITE
)
PACE_TURNS = Tends(
    "so has the second", left(t_hat), t_hat, ZERO, pace_turn, uses=names(OF_PACE, PACE_TURN), normal=FINITE
)


def two_paths(source: random.Random) -> World:
    """A pace and a bend of two logits that move in time."""
    point, class_, t = (Symbol(name, real=True) for name in ("point", "class_", "t"))
    a, b, c, d = (fraction(source) for _ in range(4))
    return World(
        {
            M: 1,
            K: 2,
            t_hat: fraction(source),
            pace: Lambda((point, class_, t), a * class_ + b * t + point * t**2),
            bend: Lambda((point, class_, t), c + d * class_ * t - t**2),
        }
    )


DEVIATION_ORDER = Derivation(
    premises=(
        *(DEVIATION, APART_0, PACED_0, TIMESCALE, FROM_FIRST, APART, PACED),
        *(OF_BEND, OF_PACE, BEND_TURN, PACE_TURN),
        *(BENDS, MOVES, TURNS),
    ),
    steps=(
        *(BY_SQUARES, BEND_MOVES, PACE_MOVES, BY_LEFT, APART_SETTLES, PACE_SETTLES, BEND_TURNS, PACE_TURNS),
        Follows(
            "order",
            error(t_hat),
            t_hat,
            Integer(1),
            ZERO,
            uses=names(BY_LEFT, APART_SETTLES, PACE_SETTLES, BEND_TURNS, PACE_TURNS, BENDS, MOVES, TURNS),
        ),
    ),
    worlds=two_paths,
)
