"""TendsGoOn: sequences that need each other have limits at every step, by induction over the steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Eq, Expr, Integer, Limit, N, Symbol
from sympy.logic.boolalg import And, Boolean

from theory.proof.evaluation import Evaluation
from theory.proof.normal_forms import NormalForm
from theory.proof.rewriting import Rule
from theory.proof.steps.gaps import along, changed, equal, may_depend, unfolded
from theory.proof.steps.known_limits import composed_limit
from theory.proof.steps.step import Context, Finding, State, Step
from theory.proof.steps.tends import reaches, tends_in

PLACES = 3


@dataclass(frozen=True)
class TendsGoOn(Step):
    """Every state -> its value as variable -> point, at every step n >= 0.

    Parameters
    ----------
    name
        The step's name.
    index
        The step count n, declared an integer, and nonnegative at most.
    states
        Pairs (state, value), both of which may hold n: a state such as ``q(n, d)``, defined by its start and by its
        next step from this one. All are carried along by the same induction.
    variable, point
        As in `Tends`; the limit is one from above, or at oo.
    uses, normal, because
        As in `Equal`. The uses hold the definitions of states and values, and limits of what else moves.

    Examples
    --------
    A sequence that adds 1/d at each step stays where it started:

    >>> from sympy import Function, oo
    >>> from theory.proof.derivation import Define, Derivation
    >>> from theory.proof.steps import Tends
    >>> from theory.proof.worlds import World
    >>> n, k = (Symbol(name, integer=True, nonnegative=True) for name in "nk")
    >>> d, q, step = Symbol("d", positive=True), Function("q"), Function("step")
    >>> parts = Define("start", q(0, d), Integer(2)), Define("next", q(k + 1, d), q(k, d) + step(d))
    >>> small = Define("size", step(d), 1 / d)
    >>> falls = Tends("falls", step(d), d, oo, Integer(0), uses=("size",))
    >>> stays = TendsGoOn("stays", n, ((q(n, d), Integer(2)),), d, oo, uses=("start", "next", "falls"))
    >>> Derivation((*parts, small), (falls, stays), lambda source: World({})).sound
    True
    """

    name: str
    index: Symbol
    states: tuple[tuple[Expr, Expr], ...]
    variable: Symbol
    point: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def forall(self) -> tuple[Symbol, ...]:
        """It holds at every step ..."""
        return (self.index,)

    @property
    def ranges(self) -> tuple[Boolean, ...]:
        """... from the start on."""
        return () if self.index.is_nonnegative else (self.index >= 0,)

    @property
    def conclusion(self) -> Boolean:
        """All limits at once."""
        return And(*self._equations(), evaluate=False) if len(self.states) > 1 else self._equations()[0]

    def check(self, context: Context) -> Finding:
        """The limits at the start, then those after a step from those before it."""
        n = self.index
        declared = {name for name, wanted in n._assumptions_orig.items() if wanted is not None} - {"commutative"}
        if not n.is_integer or not declared <= {"integer", "nonnegative"}:
            return Finding(State.UNDECIDED, f"{n} is not declared an integer from 0 on, and nothing else")
        if n in context.fixed:
            return Finding(State.UNDECIDED, f"hypotheses speak of {n}, so it does not stand for every integer")
        if not reaches(self.variable, self.point, "+"):
            return Finding(State.UNDECIDED, f"{self.variable} is declared not to come near {self.point}")
        for state, value in self.states:
            found = self._limit(state, value, {n: Integer(0)}, context)
            if not found.proved:
                return Finding(State.UNDECIDED, f"{state} at {n} = 0: {found.reason}")
        believed = tuple(
            Rule("hypothesis", Limit(state, self.variable, self.point, "+"), value, constrains=frozenset({n}))
            for state, value in self.states
        )
        later = context.adding(n >= 0, rules=believed)
        for state, value in self.states:
            found = self._limit(state, value, {n: n + 1}, later)
            if not found.proved:
                return Finding(State.UNDECIDED, f"{state} from {n} to {n + 1}: {found.reason}")
        return Finding(State.PROVED, "the limits at the start, and those after a step from those before it")

    def _limit(self, state: Expr, value: Expr, place: dict[Basic, Basic], context: Context) -> Finding:
        """A state's limit at one step, from known limits of what its definition speaks of."""
        away = along(context, self.variable)
        value = value.xreplace(place)
        if may_depend(value, self.variable, context):
            return Finding(State.UNDECIDED, f"the value {value} depends on {self.variable}, or may do so")
        moved = unfolded(state.xreplace(place), away, frozenset({self.variable}))
        if not moved.has(self.variable):
            return equal(moved, value, context, self.normal)  # type: ignore[arg-type]
        found = composed_limit(moved, self.variable, self.point, "+", away)  # type: ignore[arg-type]
        if found is None:
            return Finding(State.UNDECIDED, f"no limit found for {moved}")
        return equal(found, value, context, self.normal)

    def _equations(self) -> tuple[Boolean, ...]:
        return tuple(
            Eq(Limit(state, self.variable, self.point, "+"), value, evaluate=False) for state, value in self.states
        )

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the distances to the values fall at the first few steps."""
        return all(
            tends_in(world.at({self.index: Integer(k)}), state, self.variable, self.point, value)
            for k in range(PLACES)
            for state, value in self.states
        )

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of one value at a time."""
        for place, (state, value) in enumerate(self.states):
            for label, other in changed(value):
                states = (*self.states[:place], (state, other), *self.states[place + 1 :])
                yield f"{state}: {label}", replace(self, states=states)

    def in_words(self, world: Evaluation) -> str:
        """The first state that does not come to its value."""
        for k in range(PLACES):
            at = world.at({self.index: Integer(k)})
            for state, value in self.states:
                if not tends_in(at, state, self.variable, self.point, value):
                    return f"at {self.index} = {k} {state} does not come to {N(at.value(value), 12)}"
        return "every state comes to its value"
