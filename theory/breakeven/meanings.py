"""Quantities of the topic's laws, from the one list of meanings."""

from sympy import Symbol

from theory.definitions.breakeven import MEANINGS
from theory.law import Quantity


def quantities(*symbols: Symbol) -> tuple[Quantity, ...]:
    """Quantity of each symbol.

    Examples
    --------
    >>> from theory.definitions.breakeven import eta
    >>> quantities(eta)[0].meaning
    'learning rate'
    """
    return tuple(Quantity(symbol, *MEANINGS[symbol]) for symbol in symbols)
