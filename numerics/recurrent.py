"""A small gated recurrent network (GRU) whose logits are linear in what it remembers of a sequence."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from numerics.doors import positive_integer
from numerics.dots import dot
from numerics.models import Layers, Network, affine, affine_layer


def gru(*, inputs: int, hidden: int, classes: int, gain: float = 1.0, dtype: Any = float) -> Network:
    """Gated recurrent unit, read out after the last element of a sequence.

    r, u = sigmoid(x W + h V + b); n = tanh(x W_n + r * (h V_n) + b_n); h <- u h + (1 - u) n, from h = 0;
    z = h W_O + b_O. Weights are N(0, gain^2 / fan_in), biases 0.

    Parameters
    ----------
    inputs, hidden, classes
        Features of an element (a row of words in one-hot code, say), units, logits.
    gain, dtype
        Standard deviation of weights times sqrt(fan_in); dtype of the parameters.

    Returns
    -------
    Network
        Inputs have the shape (batch, time, inputs). body: (weights and bias of the inputs, weights of the memory),
        each for the gates r, u and the candidate n side by side; readout: (weights, bias).

    Raises
    ------
    ValueError
        If a size is not a positive integer.

    Examples
    --------
    Without weights the gates are open by half and the candidate is 0: nothing is remembered.

    >>> network = gru(inputs=1, hidden=2, classes=1)
    >>> silent = jax.tree.map(jnp.zeros_like, network.init(jax.random.key(0)))
    >>> network.apply(silent, jnp.ones((1, 3, 1))).tolist()
    [[0.0]]
    """
    inputs, hidden, classes = (
        positive_integer("gru", name, size)
        for name, size in (("inputs", inputs), ("hidden", hidden), ("classes", classes))
    )

    def init(key: PRNGKeyArray) -> Layers:
        of_inputs, of_memory, of_readout = jax.random.split(key, 3)
        memory, _ = affine_layer(of_memory, (hidden, 3 * hidden), gain, dtype)
        body = (affine_layer(of_inputs, (inputs, 3 * hidden), gain, dtype), memory)
        return Layers(body, affine_layer(of_readout, (hidden, classes), gain, dtype))

    def apply(params: Layers, x: Float[Array, "batch time inputs"]) -> Float[Array, "batch class_"]:
        of_inputs, memory = params.body

        def element(h: Float[Array, "batch hidden"], seen: Float[Array, "batch inputs"]) -> tuple[Array, None]:
            given, kept = affine(seen, of_inputs), dot(h, memory)
            gates = jax.nn.sigmoid(given[:, : 2 * hidden] + kept[:, : 2 * hidden])
            reset, update = gates[:, :hidden], gates[:, hidden:]
            candidate = jnp.tanh(given[:, 2 * hidden :] + reset * kept[:, 2 * hidden :])
            return update * h + (1 - update) * candidate, None

        start = jnp.zeros((x.shape[0], hidden), memory.dtype)
        last, _ = jax.lax.scan(element, start, jnp.swapaxes(x, 0, 1))
        return affine(last, params.readout)

    return Network(init, apply)
