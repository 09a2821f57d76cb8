"""A GPU and the CPU agree to a float32 bound, on one representative of each kind of computation."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.chunks import map_replicates
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.gradients import row_spectrum
from numerics.losses import cross_entropy, mean, one_hot
from numerics.models import mlp
from numerics.rules import HEAVY_BALL
from numerics.tangent import tangent_increment, tangent_kernel, tangent_product
from numerics.training import trainer

NETWORK = mlp(inputs=8, width=32, depth=2, classes=3, activation=jax.scipy.special.erf, dtype=jnp.float32)
LABELS = np.arange(20) % 3


def loss(params, batch):
    return mean(cross_entropy)(NETWORK.apply(params, batch[0]), batch[1])


def trajectory(params, x, y):
    run = trainer(
        lambda p, batch, s: jax.grad(loss)(p, batch), HEAVY_BALL, lambda p, d, s: NETWORK.apply(p, d[0])
    )
    settings = {"learning_rate": 0.1, "momentum": 0.5}

    def one(scale):
        start = jax.tree.map(lambda w: scale * w, params)
        return run(start, (x, y), settings, jax.random.key(0), (0, 30)).observed

    return map_replicates(one, jnp.array([1.0, 0.9], jnp.float32))


def kernel(params, x, y):
    del y
    return tangent_kernel(NETWORK.apply, params, x, chunk=7)


def increment(params, x, y):
    def logits(p):
        return NETWORK.apply(p, x)

    return tangent_product(logits, params, y), tangent_increment(logits, params, y, params)


def sharpness(params, x, y):
    return extreme_eigenpairs(hessian(lambda p: loss(p, (x, y)), params), 20).top.values


def spectrum(params, x, y):
    del y
    return row_spectrum(NETWORK.apply(params, x)).values


CASES = (trajectory, kernel, increment, sharpness, spectrum)


def host_inputs(bits=23):
    """Drawn once on the host; `bits` of mantissa kept in the inputs (TF32 keeps 10)."""
    x = jax.lax.reduce_precision(jax.random.normal(jax.random.key(2), (20, 8), jnp.float32), 8, bits)
    return jax.device_get((NETWORK.init(jax.random.key(1)), x, one_hot(jnp.asarray(LABELS), 3, jnp.float32)))


def run_on(case, device, inputs):
    with jax.default_device(device):
        return jax.device_get(jax.jit(case)(*jax.device_put(inputs, device)))


def disagreement(first, second):
    """Largest difference in units of the largest entry."""
    pairs = zip(*map(jax.tree.leaves, (first, second)), strict=True)
    return max(float(np.max(np.abs(a - b)) / np.max(np.abs(a))) for a, b in pairs)


BOUND = 200 * float(np.finfo(np.float32).eps)


@pytest.mark.gpu
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_gpu_and_cpu_agree_to_a_float32_bound(case):
    """Two hundred units of float32 rounding, 2.4e-5: TF32 products, of relative error 5e-4, would fail."""
    try:
        gpu = jax.devices("gpu")[0]
    except RuntimeError:
        pytest.skip("no GPU here")
    cpu = jax.devices("cpu")[0]
    assert disagreement(run_on(case, cpu, host_inputs()), run_on(case, gpu, host_inputs())) < BOUND


def test_the_comparison_sees_inputs_rounded_as_tf32_rounds_them():
    """Partner, on any machine: the same device agrees with itself, and ten bits do not pass."""
    cpu = jax.devices("cpu")[0]
    full = run_on(increment, cpu, host_inputs())
    assert disagreement(full, run_on(increment, cpu, host_inputs())) == 0
    assert disagreement(full, run_on(increment, cpu, host_inputs(bits=10))) > BOUND
