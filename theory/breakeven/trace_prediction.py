"""Traces of gradient noise at a point: of one mini-batch, and of the Gram matrix of several (breakeven:L9, L10)."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, S

from theory.breakeven.gram import batch_share
from theory.breakeven.inputs import batch_noise, number, whole
from theory.predictors import Input, OutsideDomain, Predictor

SCHEMES: Mapping[str, tuple[int, int]] = {"disjoint": (1, 1), "independent": (1, 0), "replacement": (0, 0)}
"""Whether examples are distinct within a batch, and between batches."""


def _trace(trace_K: Any, N: Any, S: Any, M: Any, L: Any, scheme: Any) -> Mapping[str, Expr]:
    total = number("trace_K", trace_K, nonnegative=True)
    gram = {"M": M, "L": L, "scheme": scheme}
    given = [name for name, value in gram.items() if value is not None]
    if S is not None:
        if given:
            raise OutsideDomain(f"S was given with {', '.join(given)}; give S, or M, L and scheme")
        return {"expected_distance": batch_noise(N, S) * total}
    for name, value in gram.items():
        if value is None:
            raise OutsideDomain(f"{name} is missing; give trace_K, N and S, or trace_K, N, M, L and scheme")
    return {"expected_trace_gram": _gram(total, N, M, L, scheme)}


def _gram(total: Expr, examples: Any, size: Any, count: Any, scheme: Any) -> Expr:
    if not isinstance(scheme, str) or scheme not in SCHEMES:
        raise OutsideDomain(f"scheme={scheme} is not known; give one of {', '.join(SCHEMES)}")
    batches = whole("L", count, 1)
    if scheme == "replacement":
        if examples is not S.Infinity:
            whole("N", examples, 1)
        return (batches - 1) * total / (batches * whole("M", size, 1))
    population = examples if examples is S.Infinity else whole("N", examples, 2)
    members = whole("M", size, 1, population)
    if population is S.Infinity:
        return (batches - 1) * total / (batches * members)
    if scheme == "disjoint" and batches * members > population:
        raise OutsideDomain(f"L M = {batches * members} exceeds N={population}; give disjoint batches that fit")
    distinct, apart = (Integer(flag) for flag in SCHEMES[scheme])
    return (batches - 1) * batch_share(population, members, distinct, apart) * total / batches


PREDICTORS = (
    Predictor(
        name="breakeven.trace",
        laws=("breakeven.trace_noise", "breakeven.gram_trace"),
        inputs=(
            Input("trace_K", "trace of the per-example gradient covariance, at least 0"),
            Input("N", "examples in the training set: an integer >= 2, or inf"),
            Input("S", "examples in a mini-batch, without replacement: an integer from 1 to N", required=False),
            Input("M", "examples in each batch of the Gram matrix, in place of S", required=False),
            Input("L", "batches of the Gram matrix", required=False),
            Input("scheme", "how they are drawn: disjoint, independent or replacement", required=False),
        ),
        evaluate=_trace,
        summary="Mean squared distance of a mini-batch gradient, or mean trace of a Gram matrix.",
    ),
)
