"""The closed list of things that a law may say, and the SymPy statement of each.

Each claim is a frozen record whose ``statement`` is a SymPy relation or Boolean. A derivation is that of a law
only if its last step concludes exactly this statement.
"""

from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from sympy import And, Basic, Derivative, Eq, Equivalent, Expr, Indexed, Or, Symbol
from sympy import Limit as SymbolicLimit
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from theory.asymptotics import order


@dataclass(frozen=True)
class Identity:
    """Two computable expressions are equal for all allowed inputs."""

    kind: ClassVar[str] = "Identity"
    left: Expr
    right: Expr

    @property
    def statement(self) -> Boolean:
        """The equation, unevaluated."""
        return Eq(self.left, self.right, evaluate=False)


@dataclass(frozen=True)
class Bound:
    """An inequality ``smaller <= larger`` holds for all allowed inputs."""

    kind: ClassVar[str] = "Bound"
    smaller: Expr
    larger: Expr

    @property
    def statement(self) -> Boolean:
        """The inequality, unevaluated."""
        return Le(self.smaller, self.larger, evaluate=False)


@dataclass(frozen=True)
class Formula:
    """A quantity equals an expression, its factor included."""

    kind: ClassVar[str] = "Formula"
    quantity: Expr
    value: Expr

    @property
    def statement(self) -> Boolean:
        """The equation ``quantity = value``, unevaluated."""
        return Eq(self.quantity, self.value, evaluate=False)


@dataclass(frozen=True)
class PowerLaw:
    """A quantity (or each of a Tuple of them) follows ``control**exponent`` with a free prefactor."""

    kind: ClassVar[str] = "PowerLaw"
    quantity: Basic
    control: Symbol
    exponent: Expr

    @property
    def statement(self) -> Boolean:
        """The equation ``order(quantity, control) = exponent``, unevaluated."""
        return Eq(order(self.quantity, self.control), self.exponent, evaluate=False)


@dataclass(frozen=True)
class Band:
    """A behaviour is seen exactly between two edges of a control; an edge may be absent (``None``)."""

    kind: ClassVar[str] = "Band"
    behaviour: Boolean
    control: Expr
    lower: Expr | None
    upper: Expr | None

    @property
    def statement(self) -> Boolean:
        """The equivalence of the behaviour and the double inequality (edges belong to the band)."""
        edges = []
        if self.lower is not None:
            edges.append(Ge(self.control, self.lower, evaluate=False))
        if self.upper is not None:
            edges.append(Le(self.control, self.upper, evaluate=False))
        return Equivalent(self.behaviour, reduce(And, edges))


@dataclass(frozen=True)
class Boundary:
    """In the plane ``(x, y)`` a behaviour is seen exactly on and below the curve ``y = curve(x)``."""

    kind: ClassVar[str] = "Boundary"
    behaviour: Boolean
    x: Symbol
    y: Symbol
    curve: Expr

    @property
    def statement(self) -> Boolean:
        """The equivalence of the behaviour and ``y <= curve``."""
        return Equivalent(self.behaviour, Le(self.y, self.curve, evaluate=False))


@dataclass(frozen=True)
class Trend:
    """A quantity moves one way with a control: ``direction`` is +1 (rises) or -1 (falls)."""

    kind: ClassVar[str] = "Trend"
    quantity: Expr
    control: Symbol
    direction: int

    @property
    def statement(self) -> Boolean:
        """The sign of the derivative, unevaluated."""
        slope = Derivative(self.quantity, self.control)
        return (Gt if self.direction > 0 else Lt)(slope, 0, evaluate=False)


@dataclass(frozen=True)
class Regime:
    """One item of a partition: its name, where it holds, and the signature by which it is recognised."""

    name: str
    condition: Boolean
    signature: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Partition:
    """A finite, complete list of regimes, each of which occurs."""

    kind: ClassVar[str] = "Partition"
    regimes: tuple[Regime, ...]

    @property
    def statement(self) -> Boolean:
        """The disjunction of the regimes' conditions."""
        return Or(*(regime.condition for regime in self.regimes), evaluate=False)


@dataclass(frozen=True)
class Limit:
    """A sequence of systems converges: ``quantity -> value`` as ``control -> point``, with an error of order ``rate``.

    ``rate`` is the exponent of the error in the control (negative when the control grows), or None where the
    theory states no rate.
    """

    kind: ClassVar[str] = "Limit"
    quantity: Expr
    control: Symbol
    point: Expr
    value: Expr
    rate: Expr | None = None

    @property
    def statement(self) -> Boolean:
        """The limit, unevaluated."""
        return Eq(SymbolicLimit(self.quantity, self.control, self.point), self.value, evaluate=False)


Claim = Identity | Bound | Formula | PowerLaw | Band | Boundary | Trend | Partition | Limit
CLAIMS: tuple[type, ...] = (Identity, Bound, Formula, PowerLaw, Band, Boundary, Trend, Partition, Limit)


def claim_symbols(claim: Claim) -> frozenset[Basic]:
    """Free symbols of a claim's statement, each of which the law must explain (a table once, not each entry)."""
    return frozenset(s for s in claim.statement.free_symbols if not isinstance(s, Indexed))
