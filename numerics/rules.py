"""Update rules as data: what a step does to the parameters, given a gradient and traced settings.

Every rule reads its coefficients from one mapping `settings`, whose names are the axes of a study
("learning_rate", "momentum", "damping", ...), so one compiled trainer serves a whole grid. "learning_rate" is
a number or a pytree that is a prefix of the parameters (`Layers(body=..., readout=...)`, say).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

Parameters = PyTree[Float[Array, "..."]]
Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Rule:
    """An update rule.

    Attributes
    ----------
    name
        For messages.
    needs
        The settings that it reads.
    start
        Parameters -> memory (velocities, say) before the first step.
    step
        (parameters, memory, gradient, settings) -> (parameters, memory) after one step.

    Examples
    --------
    Two steps of heavy ball on the constant gradient 1: velocities 1 and 1.5.

    >>> theta, memory = jnp.array(0.0), HEAVY_BALL.start(jnp.array(0.0))
    >>> for _ in range(2):
    ...     settings = {"learning_rate": 1.0, "momentum": 0.5}
    ...     theta, memory = HEAVY_BALL.step(theta, memory, jnp.array(1.0), settings)
    >>> theta.item()
    -2.5
    """

    name: str
    needs: tuple[str, ...]
    start: Callable[[Parameters], Any]
    step: Callable[[Parameters, Any, Parameters, Settings], tuple[Parameters, Any]]

    def check(self, settings: Settings) -> None:
        """Refuse settings that lack what the rule reads.

        Raises
        ------
        ValueError
            Naming the missing settings.

        Examples
        --------
        >>> HEAVY_BALL.check({"learning_rate": 0.1})
        Traceback (most recent call last):
        ValueError: heavy_ball: settings has learning_rate; momentum is missing; pass learning_rate, momentum
        """
        missing = [name for name in self.needs if name not in settings]
        if missing:
            raise ValueError(
                f"{self.name}: settings has {', '.join(sorted(settings)) or 'nothing'}; "
                f"{', '.join(missing)} is missing; pass {', '.join(self.needs)}"
            )


def _nothing(params: Parameters) -> tuple[()]:
    del params
    return ()


def _zeros(params: Parameters) -> Parameters:
    return jax.tree.map(jnp.zeros_like, params)


def _moved(params: Parameters, direction: Parameters, settings: Settings, sign: int = -1) -> Parameters:
    """Parameters + sign * learning_rate * direction, the rate a scalar or a prefix of the parameters."""
    rates = jax.tree.broadcast(settings["learning_rate"], params)
    return jax.tree.map(lambda p, d, rate: p + sign * _like(rate, p) * d, params, direction, rates)


def _like(value: Any, leaf: Array) -> Array:
    return jnp.asarray(value).astype(leaf.dtype)


def _mixed(kept: Any, old: Parameters, added: Any, new: Parameters) -> Parameters:
    return jax.tree.map(lambda a, b: _like(kept, a) * a + _like(added, b) * b, old, new)


def _descend(params: Parameters, memory: tuple[()], gradient: Parameters, settings: Settings) -> Any:
    return _moved(params, gradient, settings), memory


def _sign_descend(params: Parameters, memory: tuple[()], gradient: Parameters, settings: Settings) -> Any:
    return _moved(params, jax.tree.map(jnp.sign, gradient), settings), memory


def _roll(params: Parameters, velocity: Parameters, gradient: Parameters, settings: Settings) -> Any:
    velocity = _mixed(settings["momentum"], velocity, 1.0, gradient)
    return _moved(params, velocity, settings), velocity


def _roll_averaged(params: Parameters, velocity: Parameters, gradient: Parameters, settings: Settings) -> Any:
    momentum = settings["momentum"]
    velocity = _mixed(momentum, velocity, 1.0 - momentum, gradient)
    return _moved(params, velocity, settings), velocity


def _roll_damped(params: Parameters, velocity: Parameters, gradient: Parameters, settings: Settings) -> Any:
    velocity = _mixed(1.0 - settings["damping"], velocity, -1.0, gradient)
    return _moved(params, velocity, settings, sign=1), velocity


def _adam_start(params: Parameters) -> tuple[Parameters, Parameters, Array]:
    return _zeros(params), _zeros(params), jnp.zeros((), jnp.int32)


def _adam_step(params: Parameters, memory: Any, gradient: Parameters, settings: Settings) -> Any:
    first, second, count = memory
    beta1, beta2 = settings["momentum"], settings["second_momentum"]
    first = _mixed(beta1, first, 1.0 - beta1, gradient)
    second = _mixed(beta2, second, 1.0 - beta2, jax.tree.map(jnp.square, gradient))
    count = count + 1

    def direction(m: Array, v: Array) -> Array:
        powers = count.astype(m.dtype)
        mean = m / (1 - _like(beta1, m) ** powers)
        square = v / (1 - _like(beta2, v) ** powers)
        return mean / (jnp.sqrt(square) + _like(settings["epsilon"], m))

    return _moved(params, jax.tree.map(direction, first, second), settings), (first, second, count)


GRADIENT_DESCENT = Rule("gradient_descent", ("learning_rate",), _nothing, _descend)
"""theta <- theta - eta g."""
SIGN_DESCENT = Rule("sign_descent", ("learning_rate",), _nothing, _sign_descend)
"""theta <- theta - eta sign(g) (temperature:T29)."""
HEAVY_BALL = Rule("heavy_ball", ("learning_rate", "momentum"), _zeros, _roll)
"""v <- beta v + g; theta <- theta - eta v (breakeven:L12)."""
AVERAGED_HEAVY_BALL = Rule("averaged_heavy_ball", ("learning_rate", "momentum"), _zeros, _roll_averaged)
"""v <- beta v + (1 - beta) g; theta <- theta - eta v (breakeven:L12, the form inside Adam)."""
DAMPED_HEAVY_BALL = Rule("damped_heavy_ball", ("learning_rate", "damping"), _zeros, _roll_damped)
"""v <- (1 - gamma) v - g; theta <- theta + eta v (temperature:T24)."""
ADAM = Rule("adam", ("learning_rate", "momentum", "second_momentum", "epsilon"), _adam_start, _adam_step)
"""Adam with bias correction: theta <- theta - eta m / (sqrt(v) + epsilon)."""

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            GRADIENT_DESCENT,
            SIGN_DESCENT,
            HEAVY_BALL,
            AVERAGED_HEAVY_BALL,
            DAMPED_HEAVY_BALL,
            ADAM,
        )
    }
)
"""Name (as a grid coordinate spells it) to rule."""
