"""What mirror neurons, of opposite output weights, add up to: a sum in which no term of first order is left (E10)."""

from sympy import Expr, S, Symbol

from theory.claims import Limit
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Tends
from theory.proof.worlds import Worlds


def vanishing(head: Symbol, size: Symbol) -> Limit:
    """The claim that a sum over mirror pairs, over the size of their steps, tends to 0 with that size."""
    return Limit(head, size, S.Zero, S.Zero)


def first_order_cancels(
    head: Symbol, size: Symbol, over_pairs: Expr, worlds: Worlds, title: str, name: str, convention: str
) -> Derivation:
    """The derivation of `vanishing(head, size)` from what the pairs add up to.

    Parameters
    ----------
    head, over_pairs
        The quantity and its meaning: a sum over mirror pairs, divided by the size of their steps.
    size
        The size of a step.
    worlds
        As in `Derivation`.
    title, name
        Of the definition and of the step.
    convention
        Why a changed definition may survive.
    """
    return Derivation(
        premises=(Define(title, head, over_pairs, convention),),
        steps=(
            Tends(
                name,
                head,
                size,
                S.Zero,
                S.Zero,
                uses=(title,),
                normal=(expanded, sums, rational),
                because="Every term of first order has an odd number of factors that change sign within a pair.",
            ),
        ),
        worlds=worlds,
    )
