"""Which way the edge of the stable curvatures moves with learning rate, batch size and distance (breakeven:L4)."""

from sympy import Expr, Gt, Lt, Symbol

from theory.breakeven.curvature_edge import (
    FIXED_RATIO_LAW,
    FIXED_VARIANCE,
    LOWER,
    ONE_STEP,
    PAPER_EDGE,
    RATIO_EDGE,
    SOME_STABLE,
)
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.breakeven.step_size_edge import CURVED
from theory.claims import Trend
from theory.definitions.breakeven import (
    BATCH_FITS,
    CHANCES,
    SCATTER,
    TWO_EXAMPLES,
    UNBIASED,
    Q,
    S,
    alpha,
    descent_world,
    eta,
    kappa,
    lam,
    noise,
    psi,
    w,
)
from theory.derivation import Define, Derivation, Imported, Suppose
from theory.law import Law, Rival, Source, Status
from theory.normal_forms import derivatives, factored, rational
from theory.steps import Holds

edge = Symbol("edge", real=True)
SPREAD = Suppose("spread", Gt(kappa, 0))
RATIO = Define("edge at a fixed ratio", edge, RATIO_EDGE)

t1 = Derivation((RATIO, TWO_EXAMPLES, BATCH_FITS), (
    Holds("noise", noise() >= 0, uses=("two examples","batch fits")),
    Holds("falls", Trend(edge, eta, -1).statement, uses=("edge at a fixed ratio","noise"), normal=(derivatives,factored)),), descent_world)
t2 = Derivation((RATIO, TWO_EXAMPLES, BATCH_FITS,SPREAD), (
    Holds("noise", noise() >= 0, uses=("two examples","batch fits")),
    Holds("falls", Trend(edge, S, 1).statement, uses=("edge at a fixed ratio","noise","spread","two examples"), normal=(derivatives,factored)),), descent_world)
if __name__=="__main__":
    print(t1.check()); print(t2.check())
