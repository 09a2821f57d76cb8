"""Root: an equation has exactly one solution on a domain, and this is it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import (
    Abs,
    Add,
    Basic,
    Eq,
    Expr,
    LambertW,
    Max,
    Min,
    Mul,
    N,
    Ne,
    Poly,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
    asinh,
    atan,
    cancel,
    cos,
    cosh,
    erf,
    exp,
    expand,
    factor,
    fraction,
    log,
    sin,
    sinh,
    tanh,
    together,
    true,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.proof.admission import assumptions_of, lacking, sign_relations
from theory.proof.evaluation import Evaluation
from theory.proof.functions import Smooth
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm
from theory.proof.rewriting import Rule
from theory.proof.steps.gaps import changed, equal, unfolded
from theory.proof.steps.holds import proved, showing
from theory.proof.steps.step import Context, Finding, Meaning, State, Step


@dataclass(frozen=True)
class Root(Step):
    """unknown = root is the only solution of `equation` on `domain`.

    The step introduces `unknown` as that solution, so a world gives it no value. If a premise constrains the
    unknown, then `equation` (and `domain`) must be among the facts that the step uses.

    Parameters
    ----------
    name
        The step's name.
    unknown
        The symbol that is solved for.
    equation
        An equation in it.
    root
        The solution, free of the unknown. The conclusion is `Eq(unknown, root)`.
    domain
        A relation (or And of relations) in the unknown, `true` for the domain of its own assumptions.
    uses, normal, because
        As in `Equal`. Uniqueness: after division by (unknown - root) the rest has no zero on the domain, or
        left - right is strictly monotone there.
    """

    name: str
    unknown: Symbol
    equation: Boolean
    root: Expr
    domain: Boolean = true
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    @property
    def conclusion(self) -> Boolean:
        """Eq(unknown, root)."""
        return Eq(self.unknown, self.root, evaluate=False)

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """The equation, and where the root is the only one."""
        where = () if self.domain == true else (("where", self.domain),)
        return (("the only solution of", self.equation), *where)

    def check(self, context: Context) -> Finding:
        """Substitute, then show uniqueness."""
        if self.root.has(self.unknown):
            return Finding(State.UNDECIDED, f"the root {self.root} contains the unknown")
        if self.unknown in context.fixed and not self._given(context):
            return Finding(
                State.UNDECIDED,
                f"hypotheses speak of {self.unknown}, but not {self.equation}: use the one that says so",
            )
        if self.unknown in context.fixed and not proved(self.domain, context, self.normal).proved:
            return Finding(State.UNDECIDED, f"hypotheses speak of {self.unknown}, but {self.domain} is not shown of it")
        rules = tuple(r for r in context.rules if not _is_rule(r, self.equation))
        context = replace(context, rules=rules)
        gap = unfolded(self.equation.lhs - self.equation.rhs, context)
        if heads_in(gap, context.heads):
            return Finding(State.UNDECIDED, "the equation contains heads whose definition is hidden")
        found = equal(gap.xreplace({self.unknown: self.root}), S.Zero, context, self.normal)
        if not found.proved:
            return Finding(State.UNDECIDED, f"the root does not solve the equation: {found.reason}")
        found = proved(self.domain.xreplace({self.unknown: self.root}), context, self.normal)
        if not found.proved:
            return Finding(State.UNDECIDED, f"the root is not shown to lie in the domain: {found.reason}")
        root = unfolded(self.root, context)
        missing = lacking(self.unknown, root, showing(context, self.normal))
        if missing:
            return Finding(State.UNDECIDED, f"the root is not shown to be what {self.unknown} is: {missing}")
        return self._alone(gap, context)

    def _given(self, context: Context) -> bool:
        return any(_is_rule(r, self.equation) for r in context.rules)

    def _alone(self, gap: Expr, context: Context) -> Finding:
        """No other root: what division by (unknown - root) leaves has no zero, or the gap is monotone."""
        within = context.adding(self.domain)
        top = expand(fraction(together(gap))[0])
        root = unfolded(self.root, context)
        rest = _divided(top, self.unknown, root)
        if rest is not None and proved(Ne(rest, 0, evaluate=False), within, self.normal).proved:
            return Finding(State.PROVED, f"after division by {self.unknown} - root, {rest} has no zero")
        slope = gap.diff(self.unknown)
        if not (self._is_interval() and unbroken(gap, self.unknown, within, self.normal)):
            return Finding(State.UNDECIDED, f"another root is not excluded: left is {rest}")
        for claim in (slope > 0, slope < 0):
            if claim == S.true or (claim != S.false and proved(claim, within, self.normal).proved):
                return Finding(State.PROVED, f"left - right is strictly monotone: {slope} has one sign")
        return Finding(State.UNDECIDED, f"another root is not excluded: left is {rest if rest is not None else slope}")

    def _is_interval(self) -> bool:
        """Whether signs of the unknown and inequalities that are linear in it are all that gives the domain."""
        if not {name for name, _ in assumptions_of(self.unknown)} <= INTERVALS:
            return False
        parts = self.domain.args if isinstance(self.domain, And) else (self.domain,)
        return all(
            p == true
            or (isinstance(p, Relational) and not isinstance(p, Ne) and _is_linear(p.lhs - p.rhs, self.unknown))
            for p in parts
        )

    def introduces(self) -> tuple[tuple[Basic, Meaning], ...]:
        """The unknown, which means the root."""
        return ((self.unknown, self.root),)

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the root solves the equation, lies in the domain, and no place beside it does both."""
        root = world.value(self.root)
        if self.unknown in world.values and not world.truth(self.conclusion):
            return False
        at = world.at({self.unknown: root})
        if not (at.truth(self.equation) and self._in_domain(root, at)):
            return False
        others = [root * f for f in _FACTORS] + [root + s for s in _SHIFTS]
        for other in others:
            beside = world.at({self.unknown: other})
            if other != root and self._in_domain(other, beside) and beside.truth(self.equation):
                return False
        return True

    def _in_domain(self, place: Expr, world: Evaluation) -> bool:
        return world.truth(And(self.domain, *sign_relations(self.unknown, place)))

    def in_words(self, world: Evaluation) -> str:
        """Both sides of the equation at the root."""
        if self.unknown in world.values and not world.truth(self.conclusion):
            return f"the world gives {self.unknown} = {N(world.value(self.unknown), 15)}, not the root"
        at = world.at({self.unknown: world.value(self.root)})
        left, right = (N(at.value(side), 15) for side in self.equation.args)
        place = N(at.value(self.unknown), 15)
        return f"at {self.unknown} = {place} the sides are {left} and {right}, or it is not alone"

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of the root."""
        return ((label, replace(self, root=root)) for label, root in changed(self.root))


INTERVALS = {"commutative", "real", "extended_real", "complex", "finite", "positive", "negative"} | {
    "nonnegative",
    "nonpositive",
}
CONTINUOUS = (Add, Mul, exp, sin, cos, sinh, cosh, tanh, atan, asinh, erf, Abs, Max, Min, Smooth)
_FACTORS = (Rational(-1), Rational(1, 3), Rational(1, 2), Rational(3, 2), Rational(3), Rational(0))
_SHIFTS = (Rational(1), Rational(-1), Rational(1, 7))


def unbroken(expression: Expr, variable: Symbol, within: Context, normal: tuple[NormalForm, ...]) -> bool:
    """Whether an expression is continuous in a variable where the context holds, as far as its parts tell.

    Known are sums, products, powers, logarithms and what is continuous everywhere; a base, a denominator and the
    argument of a logarithm must be shown to have the sign that they need. An abstract function is continuous if it is
    a smooth one (`theory.proof.functions`). What is not known is taken to jump.
    """
    shown = showing(within, normal)

    def smooth(e: Expr) -> bool:
        if not e.has(variable) or e == variable:
            return True
        if isinstance(e, Sum):
            ends = [b for limit in e.limits for b in limit.args[1:]]
            return all(len(limit.args) == 3 for limit in e.limits) and (
                not any(b.has(variable) or b.is_infinite for b in ends) and smooth(e.function)
            )
        if not all(smooth(a) for a in e.args):
            return False
        if isinstance(e, Pow):
            base, power = e.args
            if power.is_integer and power.is_nonnegative:
                return True
            if power.is_integer and power.is_negative:
                return shown(Ne(base, 0, evaluate=False))
            return shown(base >= 0) if power.is_positive and not power.has(variable) else shown(base > 0)
        if isinstance(e, log):
            return shown(e.args[0] > 0)
        if isinstance(e, LambertW):
            return len(e.args) == 1 and shown(e.args[0] >= 0)
        return isinstance(e, CONTINUOUS)

    return smooth(expression)


def _is_rule(rule: Rule, equation: Boolean) -> bool:
    return not (rule.macro or rule.conditions or rule.variables) and {rule.left, rule.right} == set(equation.args)


def _is_linear(e: Expr, unknown: Symbol) -> bool:
    try:
        return Poly(e, unknown).degree() <= 1
    except PolynomialError:
        return False


def _divided(top: Expr, unknown: Symbol, root: Expr) -> Expr | None:
    """Top / (unknown - root) where top is a polynomial in the unknown and the division comes out."""
    try:
        polynomial = Poly(top, unknown)
    except PolynomialError:
        return None
    if any(c.has(unknown) for c in polynomial.all_coeffs()):
        return None
    quotient = S.Zero
    carried = S.Zero
    for c in polynomial.all_coeffs()[:-1]:
        carried = cancel(together(carried * root + c))
        quotient = quotient * unknown + carried
    return factor(quotient)
