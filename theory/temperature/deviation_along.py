"""How far a network is from its linearisation at one time, along the temperature and along the width (T30, F1)."""

import random
from dataclasses import replace

from sympy import Function, IndexedBase, Integer, S, Symbol, oo, sqrt

from theory.claims import PowerLaw
from theory.definitions.temperature import MEANINGS, K, M, beta, i, m
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.functions import smooth
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.deviation import bending
from theory.temperature.tau_z import squared_norm

norm_first, norm_covered, width = (
    Symbol("norm_first", real=True),
    Symbol("norm_covered", real=True),
    Symbol("width", positive=True),
)
correction = smooth("correction")
at_infinity = IndexedBase("Z_linear", real=True)
at_time, deviation, TNL_at = Function("Z", real=True), Function("deviation"), Function("TNL", positive=True)

IN_BETA = PowerLaw(deviation(beta), beta, Integer(-1))
IN_WIDTH = PowerLaw(TNL_at(width), width, Integer(1))

FIRST = Define(
    "path at a fixed time in units of eta~",
    at_time(m, i, beta),
    at_infinity[m, i] + correction(m, i, 1 / beta) / beta,
)
DEVIATION = Define(
    "relative deviation at that time",
    deviation(beta),
    sqrt(squared_norm(at_time(m, i, beta) - at_infinity[m, i])) / norm_covered,
)
NORM_FIRST = Define("size of the first correction", norm_first, sqrt(squared_norm(correction(m, i, 0))))
CORRECTS = Suppose("the kernel's change is felt", norm_first > 0)
COVERED = Suppose("the linearisation has moved", norm_covered > 0)


def a_time(source: random.Random) -> World:
    """One point, two classes, at one time."""
    values = {M: 1, K: 2, m: 1, i: source.randint(1, 2), beta: fraction(source), norm_covered: fraction(source)}
    first = bending(source, table(source, 2))
    return World({at_infinity: table(source, 1, 2), correction: first, **values})


IN_BETA_DERIVATION = Derivation(
    premises=(FIRST, DEVIATION, NORM_FIRST, CORRECTS, COVERED),
    steps=(
        Tends(
            "the first correction is left",
            beta * deviation(beta),
            beta,
            oo,
            norm_first / norm_covered,
            uses=names(FIRST, DEVIATION, NORM_FIRST),
            normal=(sums, radicals),
            because="the parameters move by 1/beta: at no beta does the network leave its linearisation but by that",
        ),
        Follows(
            "exponent",
            IN_BETA.quantity,
            IN_BETA.control,
            IN_BETA.exponent,
            uses=("the first correction is left", *names(CORRECTS, COVERED)),
        ),
    ),
    worlds=a_time,
)

LAWS = (
    Law(
        name="temperature.deviation_in_beta",
        title="At a given eta~ t the deviation from the linearisation falls like 1/beta",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.2, fig 1",
            ("temperature:F1", "temperature:T30"),
            "at fixed Z0 the relative deviation at one eta~ t is of order 1/beta as beta grows",
        ),
        quantities=(
            Quantity(Symbol("deviation"), "||Z - Z_lin|| / ||Z_lin - Z0|| at one value of eta~ t"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="beta much above eta~ t / TNL; that the path is Z_lin plus 1/beta times what is continuous in 1/beta is "
        "a premise; equal Z0, trained parameters and labels",
        derivation=IN_BETA_DERIVATION,
        claim=IN_BETA,
        rivals=(
            Rival("no dependence", replace(IN_BETA, exponent=Integer(0)), "what curves against eta t would show"),
            Rival("quadratic", replace(IN_BETA, exponent=Integer(-2)), "counts the parameters' path twice"),
        ),
    ),
    Law(
        name="temperature.nonlinear_time_in_width",
        title="The nonlinear timescale grows in proportion to the width",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T30",),
            "TNL = eta~ tau_nl / beta ~ n: the kernel's first change falls like 1/n",
        ),
        quantities=(
            Quantity(Symbol("TNL"), "nonlinear timescale eta~ tau_nl / beta"),
            Quantity(width, "units of a hidden layer"),
        ),
        regime="erf and ReLU networks of two hidden layers, one half trained, widths from 64 on",
        derivation=None,
        claim=IN_WIDTH,
        rivals=(
            Rival(
                "root of the width", replace(IN_WIDTH, exponent=S.Half), "what a change of order n^(-1/2) would give"
            ),
        ),
    ),
)
