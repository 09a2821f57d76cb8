"""The trace through products: exact where it must be, within its own error elsewhere, and not where it is another's."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.curvature import hessian
from numerics.traces import stochastic_trace

MATRIX = jnp.asarray(np.cov(np.random.default_rng(0).standard_normal((12, 40)))) + jnp.diag(jnp.arange(12.0))


def test_a_diagonal_operator_has_its_trace_at_once():
    found = stochastic_trace(lambda v: jnp.arange(5.0) * v, jax.random.key(1), 5, float, 2)
    assert (float(found.value), float(found.error)) == (10.0, 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_the_trace_of_a_hessian_lies_within_its_error(seed):
    operator = hessian(lambda x: x @ MATRIX @ x / 2, jnp.zeros(12))
    found = stochastic_trace(operator.product, jax.random.key(seed), 12, operator.dtype, 400)
    exact = float(jnp.trace(MATRIX))
    assert abs(float(found.value) - exact) < 4 * float(found.error)
    assert abs(float(found.value) - float(jnp.sum(MATRIX))) > 4 * float(found.error), (
        "the sum of all entries is another"
    )
    off = MATRIX - jnp.diag(jnp.diag(MATRIX))
    assert float(found.error) == pytest.approx(float(jnp.sqrt(2 * jnp.sum(off**2) / 400)), rel=0.2)


def test_one_probe_and_no_rows_are_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"^stochastic_trace: probes=1 shows no scatter; pass at least 2$"):
        stochastic_trace(lambda v: v, jax.random.key(0), 3, float, 1)
    with pytest.raises(ValueError, match="stochastic_trace: size=0"):
        stochastic_trace(lambda v: v, jax.random.key(0), 0, float, 2)
