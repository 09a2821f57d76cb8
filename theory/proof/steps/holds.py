"""Holds: an inequality, an equivalence or an implication of inequalities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sympy import Basic, Derivative, Limit, Not, S, Sum
from sympy.core.relational import Eq, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFunction, Equivalent, Implies, Or

from theory.proof.admission import Shown, beyond_sign, sign_relations
from theory.proof.logic import unproved
from theory.proof.matching import fresh
from theory.proof.normal_forms import NormalForm, derivatives, sums
from theory.proof.rewriting import RewritingError
from theory.proof.running import caught
from theory.proof.steps.gaps import changed, reduced, unfolded
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class Holds(Step):
    """A relation, or And, Or, Not, Implies, Equivalent of relations.

    The proof rewrites with the equations it uses, then tries, for each relation that is left: signs from the
    symbols' assumptions; factors, each with its sign from a fact; slacks (X >= E becomes X = E + slack);
    exact linear arithmetic over the monomials, with a certificate; and the same by contradiction.

    Parameters
    ----------
    name, fact
        The claim; the conclusion is the fact itself.
    uses
        Names of premises and earlier steps.
    normal
        Normal forms applied to each difference before its sign is asked (none by default).
    because
        One sentence for the reader.
    instances
        Pairs (name, {symbol: expression}): instances of quantified facts (a `Suppose` with `forall`) to be
        seen.
    forall
        Symbols at whose every value the claim holds, for later steps.
    """

    name: str
    fact: Boolean
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    instances: tuple[tuple[str, Mapping[Basic, Basic]], ...] = ()
    forall: tuple[Basic, ...] = ()

    @property
    def trials(self) -> int:
        """In how many worlds the claim is tried."""
        return 12

    @property
    def conclusion(self) -> Boolean:
        """The fact."""
        return self.fact

    def check(self, context: Context) -> Finding:
        """Prove the fact; an implication from what never is says nothing."""
        context = context.adding(*instances_of(context, self.instances))
        found = proved(self.fact, context, self.normal)
        if found.proved and isinstance(self.fact, Implies) and self.fact.args[1] != S.false:
            never = Not(self.fact.args[0], evaluate=False)
            if proved(never, context, self.normal).proved:
                return Finding(State.VACUOUS, f"its premise never holds: {self.fact.args[0]}")
        return found

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """The relation, or the last relation of an implication or equivalence, turned round or shifted."""
        return ((label, replace(self, fact=fact)) for label, fact in changed_relation(self.fact))


def proved(claim: Boolean, context: Context, normal: tuple[NormalForm, ...]) -> Finding:
    """Rewrite claim and facts, then prove one from the others."""
    left = unproved(settled(claim, context, (), sums_too=False), context.facts) if not normal else claim
    if left is not None:
        goal = settled(claim, context, normal)
        facts = tuple(settled(f, context, normal) for f in context.facts) + equations(context, normal)
        left = unproved(goal, facts)
    if left is None:
        return Finding(State.PROVED, "signs and exact linear arithmetic")
    return Finding(State.UNDECIDED, f"not shown: {left}")


def settled(claim: Boolean, context: Context, normal: tuple[NormalForm, ...], sums_too: bool = True) -> Boolean:
    """A relation (or what is made of them) rewritten and, where asked for, brought to normal form."""
    if isinstance(claim, BooleanFunction):
        return claim.func(*[settled(a, context, normal, sums_too) for a in claim.args], evaluate=False)
    if not isinstance(claim, Relational):
        return claim
    left, right = unfolded(claim.lhs, context), unfolded(claim.rhs, context)
    if normal or (sums_too and (left - right).has(Sum, Derivative)):
        left, right = reduced(left - right, context, normal or (derivatives, sums)), S.Zero
    made = claim.func(left, right, evaluate=False)
    return made if not (left - right).is_number else claim.func(left, right)


def equations(context: Context, normal: tuple[NormalForm, ...]) -> tuple[Boolean, ...]:
    """Equations among the rules that are not definitions, as facts: what rewriting leaves of them."""
    made = []
    for rule in context.rules:
        if rule.macro or rule.variables or rule.conditions or rule.left.has(Limit):
            continue
        others = replace(context, rules=tuple(r for r in context.rules if r is not rule))
        fact = settled(Eq(rule.left, rule.right, evaluate=False), others, normal)
        if fact not in (S.true, S.false):
            made.append(fact)
    return tuple(made)


def instances_of(context: Context, instances: tuple[tuple[str, Mapping[Basic, Basic]], ...]) -> tuple[Boolean, ...]:
    """Quantified facts at the places asked for, each under the signs that its symbols are declared to have.

    Raises
    ------
    RewritingError
        If a place is not shown to be what its symbol is declared to be (an integer, say).
    """
    shown = showing(context)
    made = []
    for name, places in instances:
        found = [(fact, symbols) for n, fact, symbols in context.quantified if n == name]
        for fact, symbols in found:
            allowed = {s: p for s, p in places.items() if s in symbols}
            conditions = []
            for s, p in allowed.items():
                for missing in beyond_sign(s, p, shown):
                    raise RewritingError(f"{name!r} has no instance at {s} = {p}: {missing}")
                conditions += sign_relations(s, p)
            if caught(fact, allowed):
                raise RewritingError(f"{name!r} has no instance at {allowed}: something of that name runs there")
            instance = fresh(fact).xreplace(allowed)
            made.append(Implies(And(*conditions), instance, evaluate=False) if conditions else instance)
    return tuple(made)


def showing(context: Context, normal: tuple[NormalForm, ...] = ()) -> Shown:
    """Whether a relation is proved from what a context shows."""
    return lambda claim: claim == S.true or (claim != S.false and proved(claim, context, normal).proved)


def changed_relation(fact: Boolean) -> Iterator[tuple[str, Boolean]]:
    """Wrong versions of a claim: turned round, or shifted so that it fails somewhere."""
    if isinstance(fact, Implies):
        for label, end in changed_relation(fact.args[1]):
            yield label, Implies(fact.args[0], end, evaluate=False)
        return
    if isinstance(fact, Equivalent):
        yield "negated", Equivalent(fact.args[0], Not(fact.args[1], evaluate=False), evaluate=False)
        return
    if isinstance(fact, And | Or):
        yield "negated", Not(fact, evaluate=False)
        return
    if isinstance(fact, Eq):
        for label, right in changed(fact.rhs):
            yield label, Eq(fact.lhs, right, evaluate=False)
        return
    if isinstance(fact, Relational):
        yield "negated", fact.negated.func(fact.lhs, fact.rhs, evaluate=False)
