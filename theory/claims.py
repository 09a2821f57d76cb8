"""The closed list of things that a law may say, and the SymPy statement of each.

Each claim is a frozen record whose ``statement`` is a SymPy relation or Boolean. A derivation is that of a law
only if its last step concludes exactly this statement.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import ClassVar

from sympy import (
    And,
    Basic,
    Derivative,
    Eq,
    Equivalent,
    Expr,
    Indexed,
    Integer,
    Ne,
    Or,
    Symbol,
    nan,
    sign,
)
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
    """A finite, complete list of regimes, each of which occurs.

    ``features`` says what the places of every signature are, as expressions in ``sign(form, evaluate=False)``
    of what the conditions compare, left minus right: what a regime's signature must be follows from its condition.
    """

    kind: ClassVar[str] = "Partition"
    regimes: tuple[Regime, ...]
    features: tuple[Expr, ...] = ()

    @property
    def statement(self) -> Boolean:
        """The disjunction of the regimes' conditions."""
        return Or(*(regime.condition for regime in self.regimes), evaluate=False)

    @property
    def unsupported(self) -> str:
        """What the signatures say and the conditions do not imply; empty where they say no more."""
        for regime in self.regimes:
            if not regime.signature:
                continue
            if len(regime.signature) != len(self.features):
                return (
                    f"the signature of regime {regime.name} has {len(regime.signature)} places, the partition "
                    f"{len(self.features)} features"
                )
            for feature, shown in zip(self.features, regime.signature, strict=True):
                values = implied(feature, regime.condition)
                if shown is not nan and values != {shown}:
                    return f"the condition of regime {regime.name} does not imply that {feature} is {shown}"
        return ""


@dataclass(frozen=True)
class Limit:
    """A sequence of systems converges: ``quantity -> value`` as ``control -> point``, with an error of order ``rate``.

    ``rate`` is the exponent of the error in the control (negative when the control grows), or None where the
    theory states no rate. A law with a rate needs a step that concludes ``rate_statement``.
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

    @property
    def rate_statement(self) -> Boolean | None:
        """The order of the error, as a step ``Follows`` concludes it; None where no rate is stated."""
        if self.rate is None:
            return None
        return Eq(order(self.quantity - self.value, self.control), self.rate, evaluate=False)


Claim = Identity | Bound | Formula | PowerLaw | Band | Boundary | Trend | Partition | Limit
CLAIMS: tuple[type, ...] = (Identity, Bound, Formula, PowerLaw, Band, Boundary, Trend, Partition, Limit)


SIGNS: dict[type, tuple[int, ...]] = {Lt: (-1,), Le: (-1, 0), Eq: (0,), Ne: (-1, 1), Ge: (0, 1), Gt: (1,)}
"""Which signs of left minus right a relation leaves."""


def implied(feature: Expr, condition: Boolean) -> set[Basic]:
    """Values that a feature may have where a condition holds; the feature itself where that is not known.

    Examples
    --------
    >>> x = Symbol("x")
    >>> implied(1 - sign(x, evaluate=False) ** 2, x > 0), implied(sign(x, evaluate=False), x > 1)
    ({0}, {sign(x)})
    >>> implied(sign(x - 1, evaluate=False), x <= 1) == {-1, 0}
    True
    """
    if isinstance(condition, Or):
        return {value for case in condition.args for value in implied(feature, case)}
    allowed = {
        relation.args[0] - relation.args[1]: SIGNS[type(relation)]
        for relation in (condition.args if isinstance(condition, And) else (condition,))
        if type(relation) in SIGNS
    }
    forms = [form for form in feature.atoms(sign) if form.args[0] in allowed]
    return {
        feature.xreplace({form: Integer(value) for form, value in zip(forms, signs, strict=True)})
        for signs in product(*(allowed[form.args[0]] for form in forms))
    }


def claim_symbols(claim: Claim) -> frozenset[Basic]:
    """Free symbols of a claim's statement, each of which the law must explain (a table once, not each entry)."""
    return frozenset(s for s in claim.statement.free_symbols if not isinstance(s, Indexed))
