"""How long a network stays near its linearisation as it becomes wide: a hypothesis on times beyond the first order."""

from dataclasses import replace

from sympy import Function, Integer, S, Symbol

from theory.claims import PowerLaw
from theory.law import Law, Quantity, Rival, Source, Status

width = Symbol("width", positive=True)
time = Function("deviation_time", positive=True)
ROOT = PowerLaw(time(width), width, S.Half)

LAWS = (
    Law(
        name="temperature.deviation_time_in_width",
        title="The time to leave the linearisation by a given amount grows like the root of the width",
        status=Status.CONJECTURE,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T30",),
            "the kernel changes by t_hat^2/n at second order, so a deviation far above 1/n takes a time ~ sqrt(n), "
            "while tau_nl at the start grows like n",
        ),
        quantities=(
            Quantity(
                Symbol("deviation_time"), "eta~ t / beta at which ||Z - Z_lin|| / ||Z_lin - Z0|| reaches a given size"
            ),
            Quantity(width, "units of a hidden layer"),
        ),
        regime="erf networks of two hidden layers, one half trained, beta so small that the residual stays; two "
        "classes, deviations of 0.1 and 0.3, widths from 256 on. The order before, with which tau_nl goes, is random "
        "and adds a term of order 1/(width deviation) to the exponent, more with more classes",
        derivation=None,
        claim=ROOT,
        rivals=(
            Rival("the width itself", replace(ROOT, exponent=Integer(1)), "what tau_nl at the start would give"),
            Rival("no dependence", replace(ROOT, exponent=Integer(0)), "networks that leave alike at every width"),
        ),
    ),
)
