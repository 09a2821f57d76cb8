"""One compiled trainer: a gradient, an update rule, a sampler and what to observe at chosen steps."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, PyTree

from numerics.doors import positive_integer
from numerics.rules import Rule
from numerics.sampling import Sampler, full_batch

Parameters = PyTree[Float[Array, "..."]]
Settings = Mapping[str, Any]


class Trajectory(NamedTuple):
    """What a run leaves. Divergence is data: nothing raises, and a run that blew up says since when.

    Attributes
    ----------
    steps
        Number of updates made before each record.
    observed
        What `observe` returned, stacked over records.
    finite
        Whether every parameter was finite up to each record.
    finite_steps
        Number of updates after which all parameters were still finite; steps[-1] for a run that did not
        diverge.
    params
        The last parameters.
    """

    steps: Int[Array, "record"]
    observed: PyTree
    finite: Bool[Array, "record"]
    finite_steps: Int[Array, ""]
    params: Parameters


Run = Callable[..., Trajectory]


def trainer(
    gradient: Callable[[Parameters, Any, Settings], Parameters],
    rule: Rule,
    observe: Callable[[Parameters, Any, Settings], Any],
    sample: Sampler = full_batch,
) -> Run:
    """Build `run(params, data, settings, key, steps) -> Trajectory`, compiled once for each set of shapes.

    Parameters
    ----------
    gradient
        (params, batch, settings) -> gradient; `jax.grad(loss)`, with the loss's own beta in settings.
    rule
        From `numerics.rules`. Learning rate, momentum and all other settings are traced: a grid over them
        compiles nothing new.
    observe
        (params, data, settings) -> pytree of arrays, computed at the recorded steps only.
    sample
        From `numerics.sampling`; sees the key of the run, the step and the data.

    Returns
    -------
    run
        `data` is a pytree of arrays with a leading axis of points; `settings` a mapping from names to numbers
        or arrays (anything that `observe` needs, test data say, may travel in it); `steps` increasing numbers
        of updates at which to observe, 0 meaning the start. Only the number of records is compiled in.
        Call `run` inside `numerics.chunks.map_replicates` for many seeds.

    Raises
    ------
    ValueError
        By `run`, before tracing: if a setting that the rule reads is missing, or `steps` is empty, negative
        or not increasing.

    Examples
    --------
    Gradient descent on theta^2 / 2 with rate 1/2 halves theta at each step.

    >>> from numerics.rules import GRADIENT_DESCENT
    >>> run = trainer(lambda p, batch, s: p, GRADIENT_DESCENT, lambda p, data, s: p)
    >>> start, data, key = jnp.array(8.0), jnp.zeros((1, 1)), jax.random.key(0)
    >>> run(start, data, {"learning_rate": 0.5}, key, (0, 1, 3)).observed.tolist()
    [8.0, 4.0, 1.0]
    """

    def update(step: Array, carry: Any, data: Any, settings: Settings, key: PRNGKeyArray) -> Any:
        params, memory, finite_steps = carry
        slope = gradient(params, sample(key, step, data), settings)
        params, memory = rule.step(params, memory, slope, settings)
        sound = (finite_steps == step) & all_finite(params)
        return params, memory, finite_steps + sound.astype(finite_steps.dtype)

    @jax.jit
    def compiled(params: Parameters, data: Any, settings: Settings, key: PRNGKeyArray, steps: Array) -> Any:
        def to_record(carry: Any, stop: Array) -> Any:
            state, now = carry
            state = jax.lax.fori_loop(
                now, stop, lambda step, inner: update(step, inner, data, settings, key), state
            )
            return (state, stop), (observe(state[0], data, settings), state[2] >= stop)

        zero = jnp.zeros((), steps.dtype)
        begin = (params, rule.start(params), zero)
        ((last, _, finite_steps), _), (observed, finite) = jax.lax.scan(to_record, (begin, zero), steps)
        return Trajectory(steps, observed, finite & all_finite(params), finite_steps, last)

    def run(
        params: Parameters,
        data: Any,
        settings: Settings,
        key: PRNGKeyArray,
        steps: tuple[int, ...] | Int[Array, "record"] | np.ndarray,
    ) -> Trajectory:
        rule.check(settings)
        return compiled(params, data, _as_arrays(settings), key, _increasing(steps))

    return run


def log_spaced_steps(last: int, records: int) -> tuple[int, ...]:
    """0, 1 and about `records` steps up to `last`, evenly spaced in the logarithm and all different.

    Examples
    --------
    >>> log_spaced_steps(100, 3)
    (0, 1, 10, 100)
    """
    positive_integer("log_spaced_steps", "last", last)
    positive_integer("log_spaced_steps", "records", records)
    spaced = np.rint(np.geomspace(1, last, records)).astype(int)
    return (0, *(int(step) for step in np.unique(np.append(spaced, last))))


def all_finite(tree: PyTree[Float[Array, "..."]]) -> Bool[Array, ""]:
    """Whether no entry is NaN or infinite.

    Examples
    --------
    >>> bool(all_finite((jnp.ones(2), jnp.array(jnp.inf))))
    False
    """
    return jnp.all(jnp.stack([jnp.all(jnp.isfinite(leaf)) for leaf in jax.tree.leaves(tree)]))


def _as_arrays(settings: Settings) -> dict[str, Any]:
    """Numbers as floating arrays of a definite dtype: 1, 1.0 and jnp.asarray(1.0) share one compilation."""

    def convert(value: Any) -> Any:
        if isinstance(value, (jax.Array, np.ndarray)):
            return jnp.asarray(value, dtype=value.dtype)
        plain = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        return jnp.asarray(value, dtype=float) if plain else value

    return jax.tree.map(convert, dict(settings))


def _increasing(steps: Any) -> Array:
    if isinstance(steps, Tracer):
        return steps.astype(jnp.int32)
    given = np.asarray(steps)
    if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
        raise ValueError(
            f"trainer: steps={steps!r}; pass at least one integer, a list of increasing steps >= 0"
        )
    if given[0] < 0 or np.any(np.diff(given) <= 0):
        raise ValueError(
            f"trainer: steps={given.tolist()} do not increase from 0 on; pass increasing steps >= 0"
        )
    return jnp.asarray(given, dtype=jnp.int32)
