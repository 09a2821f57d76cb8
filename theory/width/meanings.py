"""What the topic's symbols mean."""

from collections.abc import Mapping
from types import MappingProxyType

from sympy import Basic, Indexed

from theory.claims import Claim, claim_symbols
from theory.law import Quantity, Source

PAPER = "Dynamically Stable Infinite-Width Limits of Neural Classifiers"

RULES = (
    " Orders are in probability; neurons are independent given the scalars of the history; moments of the initial "
    "weights are finite; the activation is smooth, grows linearly at both infinities and has a bounded slope; means "
    "that symmetry does not forbid do not vanish. Terms of one order are taken not to cancel: an order is a bound in "
    "any case, and exact instances reach it, so almost all factors sigma*, eta* and gradients do."
)
"""What the algebra of orders rests on, as part of a regime."""

MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "d": "width: number of hidden neurons",
        "k": "number of steps",
        "m": "number of steps",
        "q_sigma": "exponent of the standard deviation of the output weights, sigma = sigma* d^q_sigma",
        "q": "exponent of both learning rates in hat units, eta = eta* d^q",
        "q_a": "exponent of the output weights' learning rate in hat units, eta_a = eta_a* d^q_a",
        "q_w": "exponent of the input weights' learning rate in hat units, eta_w = eta_w* d^q_w",
        "q_sign": "exponent of the learning rate of sign descent, over the initial standard deviations",
        "r": "neuron",
        "a": "output weight of a neuron over its initial standard deviation",
        "w": "input weight of a neuron over its initial standard deviation",
        "f": "logit at an input",
        "K_a": "tangent kernel of the output weights",
        "K_w": "tangent kernel of the input weights",
        "df_a": "first-order change of the logit in one step of the output weights",
        "df_w": "first-order change of the logit in one step of the input weights",
        "K_aw": "first-order change of K_a in one step of the input weights",
        "K_ww": "first-order change of K_w in one step of the input weights",
        "K_wa": "first-order change of K_w in one step of the output weights",
    }
)


def quantities(claim: Claim) -> tuple[Quantity, ...]:
    """Quantity of each symbol of a claim.

    Examples
    --------
    >>> from theory.claims import PowerLaw
    >>> from theory.definitions import width as w
    >>> [q.name for q in quantities(PowerLaw(w.f[0], w.d, w.q_sigma))]
    ['d', 'f', 'q_sigma']
    """
    return tuple(Quantity(symbol, _meaning(symbol)) for symbol in sorted(claim_symbols(claim), key=str))


REGIONS = (
    "width:R01", "width:R02", "width:R03", "width:R04", "width:R05", "width:R06", "width:R07", "width:R08", "width:R09",
    "width:R10", "width:R11", "width:R12", "width:R13",
)  # fmt: skip
"""The thirteen regions of the band, in the order of the catalogue."""


def source(place: str, ids: tuple[str, ...], sentence: str) -> Source:
    """Source in the topic's paper, with catalogue ids written out, ``width:E8``, so that a search finds them."""
    return Source(PAPER, place, ids, sentence)


def _meaning(symbol: Basic) -> str:
    if isinstance(symbol, Indexed):
        return f"{MEANINGS[str(symbol.base)]} before step {symbol.indices[0]}"
    return MEANINGS[str(symbol)]
