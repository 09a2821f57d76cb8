"""What the laws of Gaussian kernels share: symbols, their meanings, the source, and the shape of a law (width:X5).

A pair z = w.x, z' = w.x' with w ~ N(0, I) is a centred Gaussian pair whose standard deviations are the norms of the
inputs and whose covariance is their inner product.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sympy import Symbol, symbols

from theory.claims import Formula, Identity
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Derivation
from theory.width.meanings import source

values, slopes = symbols("E_phi_phi E_dphi_dphi")
MEANINGS: Mapping[Symbol, str] = MappingProxyType(
    {
        values: "expectation of phi(w.x) phi(w.x')",
        slopes: "expectation of phi'(w.x) phi'(w.x')",
    }
)
SOURCE = source(
    "Equation 13, its kernels",
    ("width:X5",),
    "Closed forms of E phi phi' and E phi' phi' for the rectifier and for erf; leaky activations are reduced to "
    "those that they are made of.",
)
GAUSSIAN = "Standard normal input weights."


def kernel_law(
    name: str,
    title: str,
    claim: Formula | Identity,
    derivation: Derivation,
    rival: Rival,
    inputs: Mapping[Symbol, str],
    regime: str,
) -> Law:
    """Law ``width.kernel_NAME`` of one expectation; ``inputs`` are the meanings of what it depends on."""
    shown = {symbol: MEANINGS[symbol] for symbol in MEANINGS if symbol in claim.statement.free_symbols} | dict(inputs)
    return Law(
        name=f"width.kernel_{name}",
        title=title,
        status=Status.THEOREM,
        source=SOURCE,
        quantities=tuple(Quantity(symbol, meaning) for symbol, meaning in shown.items()),
        regime=regime,
        derivation=derivation,
        claim=claim,
        rivals=(rival,),
    )
