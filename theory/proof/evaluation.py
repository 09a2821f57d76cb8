"""Values of expressions in a world: exact while rational, 70 digits otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sympy import (
    Basic,
    Derivative,
    Expr,
    Indexed,
    Integer,
    Integral,
    Lambda,
    Limit,
    N,
    Piecewise,
    Product,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    nan,
    sympify,
    zoo,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Not, Or

from theory.proof.admission import assumptions_of
from theory.proof.comparing import (
    DIGITS,
    LONG,
    TOLERANCE,
    BrokenAssumption,
    EvaluationError,
    Undefined,
    holds_of,
    near,
    shown,
    tamed,
)
from theory.proof.differentiating import chained, differentiated
from theory.proof.integrating import integrated
from theory.proof.moving import Moving, moved, plus, times
from theory.proof.premises import pattern_arguments
from theory.proof.tables import Continuation, entry


@dataclass(frozen=True)
class Evaluation:
    """A world together with the definitions through which heads are evaluated.

    Parameters
    ----------
    values
        Of primitive symbols, tables and functions, as in `theory.proof.worlds.World`.
    definitions
        Pairs (head, body). Literal heads win over patterns.
    digits
        Working precision of what is not rational.
    continued
        How tables go on beyond their entries: from an index and a length to the index that stands for it.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> Evaluation({x: Rational(1, 3)}, ((y, x**2),)).value(y + 1)
    10/9
    """

    values: Mapping[Any, Any]
    definitions: tuple[tuple[Basic, Expr], ...] = ()
    digits: int = DIGITS
    continued: Continuation | None = None
    memory: dict[Any, Expr] = field(default_factory=dict, compare=False, repr=False)

    def value(self, expression: Expr) -> Expr:
        """The value of an expression.

        Raises
        ------
        EvaluationError
            If something in it has no value here.
        """
        return self._in(sympify(expression), {})

    def truth(self, claim: Boolean, local: Mapping[Basic, Any] | None = None) -> bool:
        """Whether a relation, or And, Or, Not, Implies, Equivalent of relations, is true here.

        Symbols in ``local`` have values of their own, as indices of sums have.
        """
        return self._truth(claim, dict(local or {}))

    def at(self, changes: Mapping[Any, Any]) -> Evaluation:
        """The same world with other values."""
        kept = self.definitions
        if any(d[0] in changes for d in kept):
            kept = tuple(d for d in kept if d[0] not in changes)
        return Evaluation({**self.values, **changes}, kept, self.digits, self.continued)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {shown(v)}" for name, v in self.values.items())

    def _truth(self, claim: Any, local: dict[Basic, Any]) -> bool:
        match claim:
            case BooleanTrue():
                return True
            case BooleanFalse():
                return False
            case And():
                return all(self._truth(a, local) for a in claim.args)
            case Or():
                return any(self._truth(a, local) for a in claim.args)
            case Not():
                return not self._truth(claim.args[0], local)
            case Implies():
                return not self._truth(claim.args[0], local) or self._truth(claim.args[1], local)
            case Equivalent():
                return len({self._truth(a, local) for a in claim.args}) == 1
            case Relational():
                return holds_of(claim, self._in(claim.lhs, local), self._in(claim.rhs, local), self.digits)
        raise EvaluationError(f"{claim} is not a relation that a world can judge")

    def _in(self, e: Any, local: dict[Basic, Any]) -> Any:
        if e.is_Number:
            return e
        if hasattr(e, "value_in"):  # its value is not that of its arguments, such as order(X, d)
            try:
                return e.value_in(self, local)
            except (TypeError, ZeroDivisionError) as error:
                raise EvaluationError(f"{e} cannot be measured here: {error}") from error
        if isinstance(e, Symbol):
            return local[e] if e in local else self._primitive(e, (), e)
        if isinstance(e, Indexed):
            return self._primitive(e.base, tuple(self._in(i, local) for i in e.indices), e)
        if isinstance(e, AppliedUndef):
            return self._primitive(e.func, tuple(self._in(a, local) for a in e.args), e)
        if isinstance(e, Sum | Product):
            return self._series(e, local)
        if isinstance(e, Derivative):
            return differentiated(self, e, local)
        if isinstance(e, Subs):
            return self._in(
                e.expr,
                {**local, **dict(zip(e.variables, (self._in(p, local) for p in e.point), strict=True))},
            )
        if isinstance(e, Limit):
            return self._limit(e, local)
        if isinstance(e, Integral):
            return integrated(self, e, local)
        if isinstance(e, Piecewise):
            for branch, condition in e.args:
                if self._truth(condition, local):
                    return self._in(branch, local)
            raise EvaluationError(f"no branch of {e} applies")
        if isinstance(e, Boolean):
            return S.true if self._truth(e, local) else S.false
        if not e.args:
            return e
        arguments = [self._in(a, local) for a in e.args]
        if any(isinstance(a, Moving) for a in arguments):
            return moved(e, arguments, self.digits)
        made = e.func(*tamed(e, arguments, self.digits))
        if made is nan or made is zoo:
            raise Undefined(f"{e} is undefined")
        if made.is_Number or e.is_Add or e.is_Mul or not all(a.is_Number for a in arguments):
            return made
        return N(made, self.digits)

    def _primitive(self, key: Any, arguments: tuple[Any, ...], e: Expr) -> Any:
        known = (key, arguments)
        if known in self.memory:
            return self.memory[known]
        if known in self.values:  # one entry of a table, rebound under a derivative
            return self.values[known]
        found = self._defined(key, arguments)
        if found is None:
            found = self._given(key, arguments, e)
        self.memory[known] = found
        return found

    def _defined(self, key: Any, arguments: tuple[Any, ...]) -> Any:
        for pattern, body in self.patterns.get(key, ()):
            bound = _bind(pattern, arguments)
            if bound is not None:
                return self._in(body, bound)
        return None

    @property
    def patterns(self) -> dict[Any, list[tuple[tuple[Any, ...], Expr]]]:
        """Patterns and bodies by what they define, literal patterns first."""
        return _patterns(self.definitions)

    def _given(self, key: Any, arguments: tuple[Any, ...], e: Expr) -> Any:
        found = self._looked_up(key, arguments, e)
        plain = arguments and not isinstance(found, Moving) and found.is_Number
        for name, wanted in assumptions_of(e) if plain else ():
            if getattr(found, f"is_{name}", None) is (not wanted):
                given = f"the world gives {e} = {shown(found)}"
                raise BrokenAssumption(f"{given}, not {name if wanted else 'not ' + name}")
        return found

    def _looked_up(self, key: Any, arguments: tuple[Any, ...], e: Expr) -> Any:
        if key not in self.values:
            parent = getattr(key, "parent", None)
            if parent is None:
                raise EvaluationError(f"{e} has no value: the world gives none and no definition covers it")
            return chained(self, parent, arguments)
        given = self.values[key]
        if not arguments:
            return given if isinstance(given, Moving) else sympify(given)
        if isinstance(given, Lambda):
            if len(given.signature) != len(arguments):
                raise EvaluationError(f"the world gives {key} as {given}; {e} asks it of {len(arguments)} arguments")
            if not self.continued and not any(isinstance(a, Moving) for a in arguments):
                return self._finished(given(*arguments))
            try:  # part by part, as powers of what is far are huge
                return self._in(given.expr, dict(zip(given.variables, arguments, strict=True)))
            except Undefined as error:
                raise EvaluationError(f"the world gives {e} no value at {shown(arguments)}") from error
        return entry(key, given, arguments, self.continued)

    def _finished(self, made: Any) -> Any:
        if made.is_Number or made.free_symbols:
            return made
        return N(made, self.digits)

    def _series(self, e: Any, local: dict[Basic, Any]) -> Any:
        *inner, (index, low, high) = e.limits
        first, last = self._integer(low, local), self._integer(high, local)
        if last - first > LONG:
            raise Undefined(f"{e} has more terms than can be added up")
        body = e.func(e.function, *inner) if inner else e.function
        terms = [self._in(body, {**local, index: Integer(i)}) for i in range(first, last + 1)]
        if any(isinstance(t, Moving) for t in terms):
            return plus(terms) if isinstance(e, Sum) else times(terms)
        if isinstance(e, Sum):
            return sum(terms, S.Zero)
        made = S.One
        for t in terms:
            made *= t
        return made

    def _integer(self, bound: Expr, local: dict[Basic, Any]) -> int:
        found = self._in(bound, local)
        if not found.is_Integer:
            raise EvaluationError(f"the end {bound} of a sum is {found}, not an integer")
        return int(found)

    def _limit(self, e: Limit, local: dict[Basic, Any]) -> Any:
        expression, variable, point, direction = e.args
        point = self._in(point, local)
        sharp = replace(self, digits=6 * self.digits, memory={})
        found = []
        for exponent in (-3 * self.digits // 2, -2 * self.digits):
            small = Rational(10) ** exponent
            place = near(point, small, str(direction))
            if variable in local:
                found.append(N(sharp._in(expression, {**local, variable: place}), sharp.digits))
            else:
                found.append(N(sharp.at({variable: place})._in(expression, local), sharp.digits))
        gap = abs(found[1] - found[0])
        if not gap.is_number or not gap <= TOLERANCE * (1 + abs(found[1])):
            raise EvaluationError(f"{e} does not settle numerically")
        return N(found[1], self.digits)


@lru_cache(maxsize=256)
def _patterns(definitions: tuple[tuple[Basic, Expr], ...]) -> dict[Any, list[tuple[tuple[Any, ...], Expr]]]:
    """Worlds that differ in values alone share them: a derivative in a world is one more world."""
    made: dict[Any, list[tuple[tuple[Any, ...], Expr]]] = {}
    for literal in (True, False):
        for head, body in definitions:
            pattern = pattern_arguments(head) or ()
            if literal == all(p.is_Integer for p in pattern):
                made.setdefault(_head_key(head), []).append((pattern, body))
    return made


def _head_key(head: Basic) -> Any:
    if isinstance(head, Indexed):
        return head.base
    return head.func if isinstance(head, AppliedUndef) else head


def _bind(pattern: tuple[Any, ...], arguments: tuple[Any, ...]) -> dict[Basic, Any] | None:
    if len(pattern) != len(arguments):
        return None
    bound: dict[Basic, Any] = {}
    for place, given in zip(pattern, arguments, strict=True):
        if place.is_Integer:
            if place != given:
                return None
            continue
        symbol = place
        if place.is_Add:
            shift, symbol = place.args
            given = given - shift
            if not given.is_nonnegative:
                return None
        if bound.setdefault(symbol, given) != given:
            return None
    return bound
