"""Infinitely wide networks: covariance and tangent kernel, and neural-tangents as a witness.

The recursions are our own. neural-tangents is touched here and nowhere else, through :func:`neural_tangents`.
"""

import contextlib
import sys
import threading
import types
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from numerics.doors import positive_integer
from numerics.expectations import Expectation


class Kernels(NamedTuple):
    """Two kernels between rows of inputs.

    ``nngp`` is the covariance E z(x) z(x') of one logit at initialisation; ``ntk`` the tangent kernel
    Theta_x(x, x') = sum over parameters of dz(x) dz(x'), the same for every logit and zero between two
    logits.
    """

    nngp: Float[Array, "batch other"]
    ntk: Float[Array, "batch other"]


def mlp_kernels(
    x: Float[Array, "batch features"],
    other: Float[Array, "other features"] | None = None,
    *,
    activation: Expectation,
    depth: int,
    features: int | None = None,
) -> Kernels:
    r"""Infinite-width kernels of the bias-free network with W ~ N(0, 1) in NTK scaling.

    The network is z = h_L W_O / sqrt(n), h_l = phi(h_{l-1} W_l / sqrt(fan_in)), h_0 = x.

    Formula: :math:`\Sigma_0 = xx'^T/d`; :math:`\Sigma_l = E\phi\phi'` and
    :math:`\dot\Sigma_l = E\dot\phi\dot\phi'` under covariance :math:`\Sigma_{l-1}`;
    :math:`\Theta_0 = \Sigma_0`, :math:`\Theta_l = \Sigma_l + \dot\Sigma_l\Theta_{l-1}`. Returned are
    :math:`\Sigma_L, \Theta_L`.

    Parameters
    ----------
    x, other : rows of inputs, floats; None means x itself
    activation : one of :mod:`numerics.expectations`
    depth : L, the number of hidden layers, at least 1
    features : d in xx'/d; None is the length of a row. Inputs rotated to their rank pass the original d.

    Accuracy
        As the activation's, times the depth; agrees with neural-tangents to 1e-10 in float64 (tested for
        erf and scaled relu, depth 1 to 3).

    Cost
        batch x other x (features + depth).

    Source
        temperature catalogue, section 2, for the network; A. Jacot et al. (2018) for the recursion.

    Errors
        ValueError for rows of different lengths, integers, or depth < 1.

    Examples
    --------
    >>> from numerics.expectations import scaled_relu
    >>> x = jnp.array([[3.0, 4.0], [-3.0, -4.0]])
    >>> [kernel.round(6).tolist() for kernel in mlp_kernels(x, activation=scaled_relu, depth=1)]
    [[[12.5, 0.0], [0.0, 12.5]], [[25.0, 0.0], [0.0, 25.0]]]
    """
    positive_integer("mlp_kernels", "depth", depth)
    second = x if other is None else other
    if x.ndim != 2 or second.ndim != 2 or x.shape[1] != second.shape[1]:
        raise ValueError(
            f"mlp_kernels: inputs have shapes {x.shape} and {second.shape}; "
            "rows of one length are needed; flatten them"
        )
    if not jnp.issubdtype(x.dtype, jnp.floating) or x.dtype != second.dtype:
        raise ValueError(
            f"mlp_kernels: inputs have dtypes {x.dtype} and {second.dtype}; one floating dtype is needed; "
            "convert both"
        )
    size = float(x.shape[1] if features is None else positive_integer("mlp_kernels", "features", features))
    covariance = jnp.einsum("if,jf->ij", x, second, precision="highest") / size
    if other is None:  # the same rounding on and off the diagonal, so that equal rows are equal
        left = right = jnp.diagonal(covariance)
    else:
        left, right = jnp.sum(x * x, axis=1) / size, jnp.sum(second * second, axis=1) / size
    tangent = covariance
    for _ in range(depth):
        a = jnp.broadcast_to(left[:, None], covariance.shape)
        b = jnp.broadcast_to(right[None, :], covariance.shape)
        covariance, slopes = activation(a, b, covariance)
        tangent = covariance + slopes * tangent
        left, right = activation(left, left, left).phi_phi, activation(right, right, right).phi_phi
    return Kernels(covariance, tangent)


_LOADING = threading.Lock()
_GUESTS: list[int] = []
_FILTER = contextlib.ExitStack()
_MOVED_FROM_CORE = ("Jaxpr", "JaxprEqn", "Literal", "Primitive", "Var")
_MOVED_FROM_UTIL = ("safe_map", "safe_zip")
_LEFT_OUT = "neural_tangents.experimental"  # it needs TensorFlow


@contextlib.contextmanager
def neural_tangents() -> Iterator[Any]:
    """Lend the package neural-tangents for the length of a ``with`` block.

    What it lends is the package's own module: ``stax``, ``predict``, ``linearize``, ``empirical_ntk_fn`` with
    implementations 1 and 2 (3 does not work with JAX 0.10), and so on; but not ``experimental``, which
    would import TensorFlow. At the first use the names that newer JAX has moved are put back for as long as
    the import takes. Inside the block its DeprecationWarnings are ignored, and JAX promotes dtypes and
    ranks as it expects; all of that is as before when the block ends. Nothing else changes: x64, warning
    filters, ``sys.modules`` apart from the package and what it imports.

    Errors
        ImportError, one sentence, that says what is missing where the package cannot be loaded.

    Examples
    --------
    >>> with neural_tangents() as package:
    ...     package.__name__
    'neural_tangents'
    """
    with _LOADING:
        package = _load()
    with _quiet(), jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        yield package


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Ignore DeprecationWarnings while any thread is inside: the first in sets the filter, the last out ends it.

    Filters are the process's: two threads that each put back what they found could leave the other's behind.
    """
    with _LOADING:
        if not _GUESTS:
            _FILTER.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore", DeprecationWarning)
        _GUESTS.append(threading.get_ident())
    try:
        yield
    finally:
        with _LOADING:
            _GUESTS.remove(threading.get_ident())
            if not _GUESTS:
                _FILTER.close()


def _load() -> types.ModuleType:
    loaded = sys.modules.get("neural_tangents")
    if loaded is not None:
        return loaded
    before = set(sys.modules)
    try:
        with warnings.catch_warnings(), _moved_names():
            warnings.simplefilter("ignore", DeprecationWarning)
            import neural_tangents as package
    except Exception as error:
        for name in set(sys.modules) - before:
            if name.split(".")[0] == "neural_tangents":
                del sys.modules[name]
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ImportError(
            f"neural_tangents: the package cannot be loaded under JAX {jax.__version__} ({reason}); "
            "neural-tangents 0.6.5 is needed; install it, or do without the comparison"
        ) from error
    return package


@contextlib.contextmanager
def _moved_names() -> Iterator[None]:
    """Put back what neural-tangents 0.6.5 imports from JAX, and keep its TensorFlow part out, for a while."""
    import jax._src.core
    import jax._src.util
    import jax.core
    import jax.interpreters.ad

    util = types.ModuleType("jax.util")
    for name in _MOVED_FROM_UTIL:
        setattr(util, name, getattr(jax._src.util, name))
    additions: list[tuple[Any, str, Any]] = [
        (jax.core, name, getattr(jax._src.core, name)) for name in _MOVED_FROM_CORE
    ]
    # This primitive exists no more: a name that nothing emits keeps the rule tables whole.
    additions.append((jax.interpreters.ad, "zeros_like_p", jax._src.core.Primitive("zeros_like")))
    modules = {"jax.util": util, _LEFT_OUT: types.ModuleType(_LEFT_OUT)}
    added = [(place, name) for place, name, _ in additions if not hasattr(place, name)]
    stood = {name: sys.modules[name] for name in modules if name in sys.modules}
    try:
        for place, name, value in additions:
            if (place, name) in added:
                setattr(place, name, value)
        sys.modules.update({name: module for name, module in modules.items() if name not in stood})
        yield
    finally:
        for place, name in added:
            delattr(place, name)
        for name in modules:
            if name not in stood:
                sys.modules.pop(name, None)
        package = sys.modules.get("neural_tangents")
        if package is not None and getattr(package, "experimental", None) is modules[_LEFT_OUT]:
            delattr(package, "experimental")
