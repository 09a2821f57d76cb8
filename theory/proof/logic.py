"""Proofs of And, Or, Not, Implies, Equivalent of relations from facts of that kind, by cases and by signs."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Abs, Basic, Derivative, Expr, Indexed, Lambda, Limit, Max, Min, Ne, Not, S, Subs
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Or

from theory.asymptotics import even, neuron, odd, order
from theory.proof.signs import contradictory, entails

DEPTH = 8


def unproved(goal: Boolean, facts: tuple[Boolean, ...], depth: int = DEPTH) -> Boolean | None:
    """None if the goal follows from the facts, else the part of it that was not reached.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> unproved(Equivalent(x**2 <= 1, And(x >= -1, x <= 1)), ()) is None
    True
    >>> unproved(Implies(x > 0, x > 1), ())
    x > 1
    """
    if goal == S.true:
        return None
    facts = _taken_apart(facts)
    if depth == 0:
        return goal
    match goal:
        case And():
            return next((g for part in goal.args if (g := unproved(part, facts, depth)) is not None), None)
        case Implies():
            return unproved(goal.args[1], (*facts, goal.args[0]), depth - 1)
        case Equivalent():
            first, *others = goal.args
            for other in others:
                for a, b in ((first, other), (other, first)):
                    left = unproved(b, (*facts, a), depth - 1)
                    if left is not None:
                        return left
            return None
        case Or():
            *rest, last = sorted(goal.args, key=lambda a: not isinstance(a, And))
            negations = [negated(a) for a in rest]
            if all(n is not None for n in negations):
                return unproved(last, (*facts, *negations), depth - 1)  # type: ignore[arg-type]
            return goal
        case Not():
            inner = negated(goal.args[0])
            return goal if inner is None else unproved(inner, facts, depth - 1)
    return _relation(goal, facts, depth)


def negated(claim: Boolean) -> Boolean | None:
    """The negation, pushed down to relations; None for what is not made of relations."""
    match claim:
        case And() | Or():
            parts = [negated(a) for a in claim.args]
            other = Or if isinstance(claim, And) else And
            return None if any(p is None for p in parts) else other(*parts, evaluate=False)  # type: ignore[arg-type]
        case Not():
            return claim.args[0]  # type: ignore[return-value]
        case Implies():
            right = negated(claim.args[1])  # type: ignore[arg-type]
            return None if right is None else And(claim.args[0], right, evaluate=False)
        case Relational():
            return claim.negated
    return None


def _taken_apart(facts: tuple[Boolean, ...]) -> tuple[Boolean, ...]:
    made: list[Boolean] = []
    for f in facts:
        if isinstance(f, And):
            made += _taken_apart(f.args)
        elif isinstance(f, Not):
            inner = negated(f.args[0])
            made += _taken_apart((inner,)) if inner is not None and not isinstance(inner, Not) else (f,)
        elif f != S.true:
            made.append(f)
    return tuple(dict.fromkeys(made))


def _relation(goal: Boolean, facts: tuple[Boolean, ...], depth: int) -> Boolean | None:
    facts, changed = _concluded(facts, depth)
    if changed and any(isinstance(f, And | Not) for f in facts):
        facts = _taken_apart(facts)
    choice = next((f for f in facts if isinstance(f, Or)), None)
    if choice is not None:
        rest = tuple(f for f in facts if f is not choice)
        for case in choice.args:
            left = _relation_or_more(goal, (*rest, case), depth - 1)
            if left is not None:
                return left
        return None
    kinked = _kink((goal, *facts))
    if kinked is not None:
        return _by_kink(kinked, goal, facts, depth)
    relations = tuple(f for f in facts if isinstance(f, Relational) and not isinstance(f, Ne))
    if isinstance(goal, Ne) and any(isinstance(f, Ne) and set(f.args) == set(goal.args) for f in facts):
        return None
    if entails(goal, relations):
        return None
    unequal = next((f for f in facts if isinstance(f, Ne)), None)
    if unequal is not None and depth > 1:
        rest = tuple(f for f in facts if f is not unequal)
        for side in (unequal.lhs > unequal.rhs, unequal.lhs < unequal.rhs):
            if _relation_or_more(goal, (*rest, side), depth - 1) is not None:
                return goal
        return None
    return None if goal == S.false and contradictory(relations) else goal


def _relation_or_more(goal: Boolean, facts: tuple[Boolean, ...], depth: int) -> Boolean | None:
    if S.false in facts:
        return None
    return unproved(goal, facts, depth) if depth > 0 else goal


def _concluded(facts: tuple[Boolean, ...], depth: int) -> tuple[tuple[Boolean, ...], bool]:
    """Implications among the facts used where their premise follows from the relations."""
    changed = False
    for _ in range(3):
        relations = tuple(f for f in facts if isinstance(f, Relational))
        made: list[Boolean] = []
        for f in facts:
            if isinstance(f, Equivalent):
                made += [Implies(a, b, evaluate=False) for a in f.args for b in f.args if a != b]
                changed = True
            elif isinstance(f, Implies):
                premise, end = f.args
                if depth > 1 and unproved(premise, relations, 2) is None:  # type: ignore[arg-type]
                    made += _taken_apart((end,))  # type: ignore[arg-type]
                    changed = True
                    continue
                against, missing = negated(end), negated(premise)  # type: ignore[arg-type]
                if (
                    depth > 1
                    and against is not None
                    and missing is not None
                    and unproved(against, relations, 2) is None
                ):
                    made += _taken_apart((missing,))
                    changed = True
                    continue
                made.append(f)
            else:
                made.append(f)
        if tuple(made) == facts:
            break
        facts = tuple(dict.fromkeys(made))
    return facts, changed


def _kink(parts: tuple[Basic, ...]) -> Expr | None:
    found = {k for p in parts for k in p.atoms(Max, Min, Abs)}
    running = {v for p in parts for v in _running(p)}
    inner = [k for k in found if not any(a.has(Max, Min, Abs) for a in k.args) and not (running and k.has(*running))]
    return min(inner, key=str) if inner else None


def _running(part: Basic) -> Iterator[Basic]:
    """What runs somewhere inside: an entry of a Max that speaks of it is now the larger one, now not."""
    for e in part.atoms(ExprWithLimits, Limit, Derivative, Subs, Lambda, order, even, odd):
        match e:
            case ExprWithLimits():
                yield from (limit[0] for limit in e.limits)
            case Derivative() | Subs():
                yield from (v.base if isinstance(v, Indexed) else v for v in e.variables)
            case Lambda():
                yield from e.signature
            case _:
                yield e.args[1]
    if part.has(order, even, odd):
        yield neuron


def _by_kink(kink: Expr, goal: Boolean, facts: tuple[Boolean, ...], depth: int) -> Boolean | None:
    """Max, Min or Abs replaced by each of its entries in turn, in the case that the entry is the one."""
    entries = (kink.args[0], -kink.args[0]) if isinstance(kink, Abs) else kink.args
    for entry in entries:
        above = [entry >= e if not isinstance(kink, Min) else entry <= e for e in entries if e != entry]
        swap = {kink: entry}
        known = [f.xreplace(swap) for f in facts] + above
        if S.false in known:
            continue
        left = _relation_or_more(goal.xreplace(swap), tuple(known), depth - 1)
        if left is not None:
            return left
    return None
