"""Exact linear arithmetic over the rationals: a witness, or a certificate that there is none.

The decision is made by the general simplex method with bounds (Dutertre and de Moura, 2006) in exact
fractions; strict inequalities carry an infinitesimal. Nothing rests on the method being right: witnesses
and certificates are verified by separate functions that only add and compare.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction


class Kind(enum.Enum):
    """How a linear form relates to 0."""

    POSITIVE = ">"
    NONNEGATIVE = ">="
    ZERO = "=="


@dataclass(frozen=True)
class Constraint:
    """sum of coefficient * variable + constant, related to 0 by `kind`.

    Variables are any hashable things (SymPy symbols or monomials).
    """

    coefficients: Mapping[Hashable, Fraction]
    constant: Fraction
    kind: Kind

    def at(self, values: Mapping[Hashable, Fraction]) -> Fraction:
        """The value of the linear form."""
        return self.constant + sum((c * values.get(v, Fraction(0)) for v, c in self.coefficients.items()), Fraction(0))


@dataclass(frozen=True)
class Witness:
    """Values that satisfy every constraint."""

    values: Mapping[Hashable, Fraction]


@dataclass(frozen=True)
class Certificate:
    """Farkas multipliers, one a constraint: the combination has no variables left and contradicts itself."""

    multipliers: tuple[Fraction, ...]


def decide(constraints: Iterable[Constraint]) -> Witness | Certificate:
    """A witness or a certificate of infeasibility; each verified before it is returned.

    Raises
    ------
    ArithmeticError
        If the answer does not pass its own verification (a bug).

    Examples
    --------
    >>> above = Constraint({"x": Fraction(1)}, Fraction(0), Kind.POSITIVE)
    >>> below = Constraint({"x": Fraction(-1)}, Fraction(0), Kind.NONNEGATIVE)
    >>> decide([above, below]).multipliers
    (Fraction(1, 1), Fraction(1, 1))
    >>> decide([above]).values["x"] > 0
    True
    """
    listed = tuple(constraints)
    answer = _Simplex(listed).solve()
    good = is_witness(listed, answer) if isinstance(answer, Witness) else is_certificate(listed, answer)
    if not good:
        raise ArithmeticError("linear.decide: an answer did not verify")
    return answer


def is_witness(constraints: Iterable[Constraint], witness: Witness) -> bool:
    """Whether the values satisfy every constraint."""
    tests = {
        Kind.POSITIVE: lambda v: v > 0,
        Kind.NONNEGATIVE: lambda v: v >= 0,
        Kind.ZERO: lambda v: v == 0,
    }
    return all(tests[c.kind](c.at(witness.values)) for c in constraints)


def is_certificate(constraints: Iterable[Constraint], certificate: Certificate) -> bool:
    """Whether the multipliers combine the constraints into a contradiction such as 0 > 0 or -1 >= 0."""
    total: dict[Hashable, Fraction] = {}
    constant, strict = Fraction(0), False
    listed = tuple(constraints)
    if len(listed) != len(certificate.multipliers):
        return False
    for c, m in zip(listed, certificate.multipliers, strict=True):
        if m < 0 and c.kind is not Kind.ZERO:
            return False
        strict = strict or (m > 0 and c.kind is Kind.POSITIVE)
        constant += m * c.constant
        for variable, coefficient in c.coefficients.items():
            total[variable] = total.get(variable, Fraction(0)) + m * coefficient
    return not any(total.values()) and (constant < 0 or (strict and constant <= 0))


Delta = tuple[Fraction, Fraction]  # value and multiple of an infinitesimal
_NOTHING: Delta = (Fraction(0), Fraction(0))


class _Simplex:
    """One row a constraint: slack_i = linear form, with slack_i >= -constant (and <= it for an equality).

    Variables go by their places, slacks by the places after those: the earliest of several is chosen.
    """

    def __init__(self, constraints: tuple[Constraint, ...]) -> None:
        self.constraints = constraints
        self.names = list(dict.fromkeys(v for c in constraints for v in c.coefficients))
        places = {v: i for i, v in enumerate(self.names)}
        self.rows: dict[int, dict[int, Fraction]] = {}
        self.low: dict[int, Delta] = {}
        self.high: dict[int, Delta] = {}
        self.value: dict[int, Delta] = dict.fromkeys(range(len(self.names)), _NOTHING)
        for slack, c in enumerate(constraints, start=len(self.names)):
            self.rows[slack] = {places[v]: Fraction(k) for v, k in c.coefficients.items() if k}
            self.value[slack] = _NOTHING
            self.low[slack] = (-c.constant, Fraction(int(c.kind is Kind.POSITIVE)))
            if c.kind is Kind.ZERO:
                self.high[slack] = (-c.constant, Fraction(0))

    def solve(self) -> Witness | Certificate:
        while True:
            broken = min((b for b in self.rows if self._violates(b)), default=None)
            if broken is None:
                return Witness(self._concrete())
            rising = broken in self.low and self.value[broken] < self.low[broken]
            row = self.rows[broken]
            entering = min((v for v, k in row.items() if self._can_move(v, (k > 0) == rising)), default=None)
            if entering is None:
                return self._conflict(broken, row, rising)
            self._pivot(broken, entering, self.low[broken] if rising else self.high[broken])

    def _violates(self, basic: int) -> bool:
        value = self.value[basic]
        return (basic in self.low and value < self.low[basic]) or (basic in self.high and value > self.high[basic])

    def _can_move(self, variable: int, up: bool) -> bool:
        if up:
            return variable not in self.high or self.value[variable] < self.high[variable]
        return variable not in self.low or self.value[variable] > self.low[variable]

    def _pivot(self, leaving: int, entering: int, target: Delta) -> None:
        row = self.rows.pop(leaving)
        pivot = row.pop(entering)
        shift = _scaled(_minus(target, self.value[leaving]), 1 / pivot)
        self.value[leaving] = target
        self.value[entering] = _plus(self.value[entering], shift)
        solved = {v: -k / pivot for v, k in row.items()}
        solved[leaving] = 1 / pivot
        for basic, other in self.rows.items():
            k = other.pop(entering, None)
            if not k:
                continue
            self.value[basic] = _plus(self.value[basic], _scaled(shift, k))
            for v, c in solved.items():
                made = other.get(v, Fraction(0)) + k * c
                if made:
                    other[v] = made
                else:
                    other.pop(v, None)
        self.rows[entering] = solved

    def _conflict(self, broken: int, row: dict[int, Fraction], rising: bool) -> Certificate:
        sign, first = 1 if rising else -1, len(self.names)
        multipliers = [Fraction(0)] * len(self.constraints)
        multipliers[broken - first] = Fraction(sign)
        for v, k in row.items():
            multipliers[v - first] = -sign * k
        return Certificate(tuple(multipliers))

    def _concrete(self) -> dict[Hashable, Fraction]:
        size = Fraction(1)
        for slack, (bound, infinitesimal) in self.low.items():
            value, multiple = self.value[slack]
            if multiple < infinitesimal and value > bound:
                size = min(size, (value - bound) / (infinitesimal - multiple) / 2)
        return {v: self.value[i][0] + size * self.value[i][1] for i, v in enumerate(self.names)}


def _plus(a: Delta, b: Delta) -> Delta:
    return (a[0] + b[0], a[1] + b[1])


def _minus(a: Delta, b: Delta) -> Delta:
    return (a[0] - b[0], a[1] - b[1])


def _scaled(a: Delta, k: Fraction) -> Delta:
    return (a[0] * k, a[1] * k)
