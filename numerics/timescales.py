"""How fast logits move, found from real gradient steps on the loss that is trained.

Nothing here knows a kernel, a softmax or a temperature: a loss and an observable of the parameters are handed
in, with everything that they depend on inside.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from numerics.tangent import Logits, Parameters

Loss = Callable[[Parameters], Float[Array, ""]]


class StepRate(NamedTuple):
    """What small gradient steps of one length do to an observable.

    Attributes
    ----------
    rate
        Change per step in the limit of small steps: d(observable)/dt along theta' = -learning_rate grad L.
    learning_rate
        Of the longest step that was taken.
    error
        Allowance for the Frobenius norm of the error of ``rate``: four times what halving the step changed in
        it, plus rounding.
    """

    rate: Float[Array, "batch class_"]
    learning_rate: Float[Array, ""]
    error: Float[Array, ""]


def rate_by_gradient_steps(
    displacement: Logits, loss: Loss, params: Parameters, *, relative_step: float | Float[Array, ""] = 1e-4
) -> StepRate:
    """Take gradient steps and see how far the observable goes.

    From ``params``, steps of the learning rates +-a, +-a/2 and +-a/4 are taken, with a chosen so that the
    longest moves the parameters by ``relative_step`` of their norm. Central differences cancel O(a),
    one Richardson extrapolation the error O(a^2); O(a^4) is left for a smooth network. With kinks (relu) O(a)
    is left: take shorter steps there.

    Parameters
    ----------
    displacement
        Observable minus its value at ``params``, formed without subtracting large numbers where they cancel.
    loss
        The loss with its own temperature and reduction inside.
    params
        Where the steps start.
    relative_step
        Length of the longest step over the norm of the parameters.

    Cost: one gradient and six forward passes.

    Examples
    --------
    L = w^2/2 has the gradient w, so a step of learning rate a moves w = 2 by -2 a.

    >>> start = jnp.full((1, 1), 2.0)
    >>> loss = lambda w: jnp.sum(w**2) / 2
    >>> moved = rate_by_gradient_steps(lambda w: w - 2.0, loss, start, relative_step=0.25)
    >>> float(moved.rate[0, 0]), float(moved.learning_rate)
    (-0.5, 0.25)
    """
    gradient = jax.grad(loss)(params)
    size = _norm(gradient)
    longest = relative_step * _norm(params) / size

    def central(fraction: Array) -> Array:
        ahead, behind = jax.lax.map(
            lambda sign: displacement(_moved(params, gradient, -sign * fraction * longest)),
            jnp.array([1, -1], size.dtype),
        )
        return (ahead - behind) / (2 * fraction)

    whole, half, quarter = jax.lax.map(central, jnp.array([1.0, 0.5, 0.25], size.dtype))
    before, rate = (4 * half - whole) / 3, (4 * quarter - half) / 3
    noise = float(jnp.finfo(rate.dtype).eps) / relative_step
    error = 4 * _norm(rate - before) + 16 * noise * _norm(rate)
    return StepRate(rate, longest, error)


def tangent_plane(logits: Logits, params: Parameters) -> Logits:
    """The network linearised at ``params``: a function of the parameters that is affine in them.

    Examples
    --------
    The tangent of w^2 at w = 3 is 9 + 6 (w - 3).

    >>> float(tangent_plane(lambda w: w**2, jnp.array(3.0))(jnp.array(4.0)))
    15.0
    """
    value, push = jax.linearize(logits, params)
    return lambda moved: value + push(jax.tree.map(lambda there, here: there - here, moved, params))


def descent(loss: Loss, learning_rate: Float[Array, ""] | float) -> Callable[[Parameters], Parameters]:
    """The velocity field of gradient flow: theta' = -learning_rate grad L.

    Examples
    --------
    >>> float(descent(lambda w: w**2 / 2, 0.5)(jnp.array(3.0)))
    -1.5
    """
    return lambda params: _moved(jax.tree.map(jnp.zeros_like, params), jax.grad(loss)(params), -learning_rate)


def _moved(params: Parameters, direction: Parameters, amount: Any) -> Parameters:
    return jax.tree.map(lambda p, d: p + jnp.asarray(amount).astype(d.dtype) * d, params, direction)


def _norm(tree: Parameters) -> Array:
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
