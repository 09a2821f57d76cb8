"""How far the main kernels of the numerics are from what the machine can do, all in one run.

A kernel's *limit* is the longer of two times: its necessary floating-point operations at the rate of a large matrix
product in the kernel's own dtype, and the bytes that it must move at the rate of a copy of its own working set. All are
measured in turn in the same run. Operations are those that the mathematics needs (said beside each kernel), not those
that were made. On a CPU the clock is the processor's, not the wall's, so that other work on the machine does little
harm; the ratio of the two times is what counts.

Run with ``python -m experiments.benchmarks.kernels``.
"""

import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from numerics.activations import ACTIVATIONS, leaky_relu
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.function_space import Rates, draw, inner_products, train
from numerics.gram_space import gram_matrix
from numerics.losses import cross_entropy, mean, one_hot
from numerics.models import dense, mlp
from numerics.rules import GRADIENT_DESCENT
from numerics.sampling import subsets
from numerics.tangent import tangent_kernel
from numerics.training import trainer

Call = Callable[[], Any]

ROUNDS = 7
SIZES = (64, 32, 32, 32, 32, 10)
POINTS, BATCH, STEPS, LANCZOS = 512, 32, 200, 24


class Kernel(NamedTuple):
    """A compiled call, its necessary operations, the bytes that it must move, and those that it moves them among."""

    call: Call
    operations: float
    moved: float
    working_set: float
    dtype: str = "float64"


def shortest(calls: dict[str, Call], rounds: int = ROUNDS) -> dict[str, float]:
    """Shortest time of each call, in seconds; the calls take turns, so that a busy spell hits them all."""
    clock = time.process_time if jax.default_backend() == "cpu" else time.perf_counter
    found = dict.fromkeys(calls, float("inf"))
    for round_ in range(rounds + 1):
        for name, call in calls.items():
            began = clock()
            jax.block_until_ready(call())
            if round_:  # the first one compiles
                found[name] = min(found[name], clock() - began)
    return found


def multiplying(dtype: str, size: int = 1024) -> tuple[Call, float]:
    """A large matrix product, and its operations."""
    a = jnp.ones((size, size), dtype)
    multiply = jax.jit(lambda x: jnp.matmul(x, x, precision=jax.lax.Precision.HIGHEST))
    return lambda: multiply(a), 2.0 * size**3


def copying(working_set: float, moved: float = 2.0**27) -> tuple[Call, float]:
    """Copies among as many bytes as a kernel's working set, and the bytes that they move: read and written."""
    source = np.ones(int(working_set) // 16)
    target = np.empty_like(source)
    times = max(1, int(moved / (2 * source.nbytes)))

    def copy() -> None:
        for _ in range(times):
            np.copyto(target, source)

    return copy, 2.0 * source.nbytes * times


def kernels() -> dict[str, Kernel]:
    """The kernels that the studies spend their time in, at sizes that the studies use."""
    x = jnp.asarray(np.random.default_rng(0).normal(size=(POINTS, SIZES[0])))
    y = one_hot(jnp.arange(POINTS) % SIZES[-1], SIZES[-1])
    network = dense(sizes=SIZES, activation=jnp.tanh)
    flat, unravel = ravel_pytree(network.init(jax.random.key(0)))
    count = float(flat.size)

    def loss(theta: jax.Array, data: tuple[jax.Array, jax.Array]) -> jax.Array:
        return mean(cross_entropy)(network.apply(unravel(theta), data[0]), data[1])

    def one(theta: jax.Array, point: Any) -> jax.Array:
        return jax.grad(lambda t: loss(t, jax.tree.map(lambda a: a[None], point)))(theta)

    top = jax.jit(lambda t: extreme_eigenpairs(hessian(lambda u: loss(u, (x, y)), t), LANCZOS).top.values)
    gram = jax.jit(lambda t: gram_matrix(jax.vmap(one, (None, 0))(t, (x, y))))
    run = trainer(lambda t, batch, _: jax.grad(loss)(t, batch), GRADIENT_DESCENT, lambda t, _, __: t[0], subsets(BATCH))
    basis = 8 * count * LANCZOS
    return {
        "tangent kernel": _tangent(x[:32]),
        # A product with the Hessian is six products with each layer's weights; the basis is passed four times to
        # make each vector orthogonal (twice to project, twice to subtract), half full on average.
        "Lanczos on a Hessian": Kernel(
            lambda: top(flat), LANCZOS * (12 * count * POINTS + 8 * count * LANCZOS / 2), 2 * LANCZOS * basis, 2 * basis
        ),
        # Gradients: one pass forward and two of its size back; then half of a symmetric matrix.
        "Gram of gradients": Kernel(
            lambda: gram(flat),
            6 * count * POINTS + POINTS * (POINTS + 1) * count,
            16 * count * POINTS,
            8 * count * POINTS,
        ),
        # Each step reads the parameters forward and back, and writes the gradient and the parameters.
        "training scan": Kernel(
            lambda: run(flat, (x, y), {"learning_rate": 0.01}, jax.random.key(0), (STEPS,)).params,
            STEPS * 6 * count * BATCH,
            STEPS * 32 * count,
            16 * count,
        ),
        "function-space training": _function_space(),
    }


def _tangent(x: jax.Array) -> Kernel:
    """All Jacobians meet in half of one symmetric product; each is written and read once."""
    network = mlp(inputs=x.shape[1], width=128, depth=2, classes=10, activation=ACTIVATIONS["erf"])
    params = network.init(jax.random.key(0))
    full = jax.jit(lambda p: tangent_kernel(network.apply, p, x))
    rows, weights = 10.0 * len(x), float(sum(leaf.size for leaf in jax.tree.leaves(params)))
    return Kernel(lambda: full(params), rows * (rows + 1) * weights, 16 * rows * weights, 8 * rows * weights)


def _function_space(points: int = 256, width: int = 1024, steps: int = 256) -> Kernel:
    """Single points in turn, in float32: each step reads what all points have added."""
    random = np.random.default_rng(1)
    x = random.normal(size=(points, 64)).astype(np.float32)
    sign = np.sign(random.normal(size=points))
    inner = inner_products(x, x[:4], sign, sign[:4], dtype=jnp.float32)
    start = draw(jax.random.key(0), jnp.asarray(x), jnp.asarray(x[:4]), width=width, scale_output=0.1, scale_inputs=0.1)
    rate = jnp.asarray(0.01, jnp.float32)
    rates = Rates(rate, rate, 0 * rate)
    run = jax.jit(lambda begun: train(begun, inner, rates, jnp.array([steps]), batch=1, activation=leaky_relu))
    read = float(steps * points * width)
    return Kernel(lambda: run(start), 2.0 * read, 4.0 * read, 4.0 * points * width, "float32")


def main() -> None:
    """Print the rates of the machine, and each kernel's time over its limit."""
    jax.config.update("jax_enable_x64", True)
    chosen = kernels()
    products = {dtype: multiplying(dtype) for dtype in {kernel.dtype: 0 for kernel in chosen.values()}}
    copies = {name: copying(kernel.working_set) for name, kernel in chosen.items()}
    seconds = shortest(
        {name: kernel.call for name, kernel in chosen.items()}
        | {dtype: call for dtype, (call, _) in products.items()}
        | {f"copy {name}": call for name, (call, _) in copies.items()}
    )
    print(f"{jax.default_backend()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for dtype, (_, operations) in products.items():
        print(f"matrix product in {dtype}: {operations / seconds[dtype] / 1e9:.1f} GFLOP/s")
    for name, kernel in chosen.items():
        work = kernel.operations * seconds[kernel.dtype] / products[kernel.dtype][1]
        move = kernel.moved * seconds[f"copy {name}"] / copies[name][1]
        limit, why = (work, "operations") if work > move else (move, "bytes")
        print(f"{name:24s} {seconds[name] * 1e3:8.2f} ms, {seconds[name] / limit:5.1f} times its limit ({why})")


if __name__ == "__main__":
    main()
