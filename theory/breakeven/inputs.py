"""The domains of the topic's predictors: each check returns the value or raises one sentence."""

from typing import Any

from sympy import Expr, Integer, Rational, S

from theory.definitions.breakeven import noise
from theory.predictors import Input, OutsideDomain

EXAMPLES = Input("N", "examples in the training set: an integer >= 2, or inf")
BATCH = Input("S", "examples in a mini-batch: an integer from 1 to N")
REPLACEMENT = Input(
    "replacement", "true when a batch may hold an example more than once, false when it may not"
)
RATE = Input("eta", "learning rate: a positive number")


def number(name: str, value: Any, *, positive: bool = False, nonnegative: bool = False) -> Rational:
    """A finite exact number, within the bound asked for.

    Examples
    --------
    >>> number("eta", Rational(1, 2), positive=True)
    1/2
    >>> number("eta", Integer(0), positive=True)
    Traceback (most recent call last):
    theory.predictors.OutsideDomain: eta=0 is outside the domain; give a positive number
    """
    wanted = (
        "a positive number" if positive else "a number of at least 0" if nonnegative else "a finite number"
    )
    if not isinstance(value, Rational):
        raise OutsideDomain(f"{name}={value} is not a finite number; give {wanted}")
    if (positive and value <= 0) or (nonnegative and value < 0):
        raise OutsideDomain(f"{name}={value} is outside the domain; give {wanted}")
    return value


def numbers(name: str, value: Any) -> list[Rational]:
    """A list of at least two finite exact numbers.

    Examples
    --------
    >>> numbers("H", [Integer(1), Rational(1, 2)])
    [1, 1/2]
    """
    if not isinstance(value, list) or len(value) < 2:
        raise OutsideDomain(f"{name} is not a list of two numbers or more; give one such as [1,2,3]")
    return [number(f"{name}[{place}]", item) for place, item in enumerate(value)]


def truth(name: str, value: Any) -> bool:
    """A boolean.

    Examples
    --------
    >>> truth("replacement", False)
    False
    """
    if not isinstance(value, bool):
        raise OutsideDomain(f"{name}={value} is not a boolean; give true or false")
    return value


def whole(name: str, value: Any, least: int, most: Expr = S.Infinity) -> Integer:
    """An integer between two bounds.

    Examples
    --------
    >>> whole("S", Integer(3), 1, Integer(8))
    3
    """
    upper = f" and <= {most}" if most.is_finite else ""
    if not isinstance(value, Integer) or value < least or value > most:
        raise OutsideDomain(f"{name}={value} is outside the domain; give an integer >= {least}{upper}")
    return value


def batch(examples: Any, size: Any, replacement: bool = False) -> tuple[Expr, Integer]:
    """N and S of a scheme: N >= 2 (or infinite) and S <= N without replacement, N, S >= 1 with it.

    Examples
    --------
    >>> batch(Integer(8), Integer(2))
    (8, 2)
    """
    population = examples if examples is S.Infinity else whole("N", examples, 1 if replacement else 2)
    return population, whole("S", size, 1, S.Infinity if replacement else population)


def batch_noise(examples: Any, size: Any, replacement: bool = False) -> Expr:
    """The noise factor c(N, S) of a scheme, checked at the door; N may be infinite.

    Examples
    --------
    >>> batch_noise(Integer(8), Integer(2)), batch_noise(S.Infinity, Integer(2))
    (3/7, 1/2)
    """
    population, size = batch(examples, size, replacement)
    if replacement or population is S.Infinity:
        return Rational(1, size)
    return noise(population, size, Integer(1))
