"""From symbols to numbers: a claim's expressions evaluated at labelled coordinates, by name.

A symbol takes the value of the input of the same name. So does any other part of an expression whose
printed form is the name of an input: a variable called ``loss(t)`` or ``x[i]`` stands for the SymPy object
that prints so.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, reduce
from typing import Any

import numpy as np
import xarray as xr
from sympy import Basic, Dummy, Symbol, lambdify, sympify
from sympy.logic.boolalg import Boolean

MODULES = [
    {
        # SymPy prints Max(0, x) as amax((0, x), axis=0), which NumPy refuses for a number beside an array.
        "amax": lambda values, axis=0: reduce(np.maximum, values),
        "amin": lambda values, axis=0: reduce(np.minimum, values),
    },
    "scipy",
    "numpy",
]


def predict(expression: Basic | float, inputs: xr.Dataset | xr.DataArray | Mapping[str, Any]) -> xr.DataArray:
    """Evaluate an expression in float64 where its symbols take the values of the inputs' names.

    Parameters
    ----------
    expression
        SymPy expression (or relation, which gives booleans), or a number.
    inputs
        Dataset (variables and coordinates), DataArray (its coordinates and itself, by name) or mapping. A
        one-dimensional array in a mapping spans a dimension of its own name.

    Returns
    -------
    xarray.DataArray
        With the dimensions of the inputs that the expression needs, in their order of appearance, and their
        coordinates. NaN where the expression has no real value.

    Raises
    ------
    ValueError
        For a symbol that no input gives, or an input that is not a number; one sentence.

    Examples
    --------
    >>> from sympy import Rational, Symbol
    >>> eta = Symbol("eta", positive=True)
    >>> predict(Rational(2, 3) / eta, {"eta": np.array([1.0, 2.0])}).values.round(6).tolist()
    [0.666667, 0.333333]
    """
    body = sympify(expression)
    table = _table(inputs)
    function, names, missing = _compiled(body, frozenset(table))
    if missing:
        raise ValueError(
            f"predict: {body} needs {', '.join(missing)}; the inputs have "
            f"{', '.join(sorted(table)) or 'nothing'}; "
            "add a coordinate or variable of that name"
        )
    arrays = [_variable(name, table[name]) for name in names]
    dims: dict[Any, int] = {}
    for array in arrays:
        dims.update(zip(array.dims, array.shape, strict=True))
    values = [np.broadcast_to(_aligned(array, tuple(dims)), tuple(dims.values())) for array in arrays]
    with np.errstate(all="ignore"):
        found = np.asarray(function(*values))
    if np.iscomplexobj(found):
        found = np.where(np.imag(found) == 0, np.real(found), np.nan)
    found = np.array(
        np.broadcast_to(found, tuple(dims.values())), dtype=bool if found.dtype == bool else np.float64
    )
    coords = {}
    if isinstance(inputs, (xr.Dataset, xr.DataArray)):
        coords = {name: held for name, held in inputs.coords.items() if set(held.dims) <= set(dims)}
    elif dims:
        coords = {name: table[name] for name in names if np.ndim(table[name]) == 1 and name in dims}
    return xr.DataArray(found, dims=tuple(dims), coords=coords)


def holds(relation: Boolean, inputs: Mapping[str, Any]) -> bool:
    """Whether a condition holds at one point, decided in exact rationals.

    A float within 1e-12 of a fraction with a denominator up to 10000 is read as that fraction, so that a
    point on a line stays on it.

    Raises
    ------
    ValueError
        For a symbol that no input gives, or a condition that the values do not decide.

    Examples
    --------
    >>> from sympy import Eq, Symbol
    >>> holds(Eq(3 * Symbol("q") + 1, 0, evaluate=False), {"q": -1 / 3})
    True
    """
    condition = sympify(relation)
    missing = sorted(str(symbol) for symbol in condition.free_symbols if str(symbol) not in inputs)
    if missing:
        raise ValueError(
            f"holds: {condition} needs {', '.join(missing)}; the inputs have "
            f"{', '.join(sorted(inputs))}; add them"
        )
    answer = condition.subs({symbol: _exact(inputs[str(symbol)]) for symbol in condition.free_symbols})
    if answer not in (True, False):
        raise ValueError(
            f"holds: {condition} becomes {answer} at the given point; give a value to every symbol"
        )
    return bool(answer)


def _exact(value: Any) -> Basic:
    number = Fraction(float(value))
    near = number.limit_denominator(10_000)
    return sympify(near if abs(float(near - number)) <= 1e-12 else number)


def _table(inputs: xr.Dataset | xr.DataArray | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(inputs, xr.Dataset):
        return {str(name): held for name, held in inputs.variables.items()}
    if isinstance(inputs, xr.DataArray):
        table: dict[str, Any] = {str(name): held.variable for name, held in inputs.coords.items()}
        return table if inputs.name is None else {**table, str(inputs.name): inputs.variable}
    return dict(inputs)


def _variable(name: str, value: Any) -> xr.Variable:
    if isinstance(value, xr.DataArray):
        value = value.variable
    if not isinstance(value, xr.Variable):
        plain = np.asarray(value)
        value = xr.Variable((name,) if plain.ndim == 1 else (), plain)
    if value.dtype.kind not in "iufb":
        raise ValueError(
            f"predict: input {name} has dtype {value.dtype}; numbers are allowed; rename it or convert it"
        )
    return value


def _aligned(array: xr.Variable, dims: tuple[Any, ...]) -> np.ndarray:
    """Values as float64 with one axis for each of dims, in that order."""
    values = np.asarray(array.values, dtype=np.float64)
    own = [dim for dim in dims if dim in array.dims]
    values = values.transpose([array.dims.index(dim) for dim in own])
    return values.reshape([array.sizes.get(dim, 1) for dim in dims])


@cache
def _compiled(
    expression: Basic, names: frozenset[str]
) -> tuple[Callable[..., Any], tuple[str, ...], tuple[str, ...]]:
    """Function of the inputs that the expression needs, their names, and the names that are missing."""
    stand_ins: dict[Basic, Dummy] = {}
    compound = {name for name in names if not name.isidentifier()}

    def visit(part: Basic) -> None:
        if isinstance(part, Symbol):
            return
        if compound and str(part) in compound:
            stand_ins[part] = Dummy()
            return
        for argument in part.args:
            visit(argument)

    visit(expression)
    plain = expression.xreplace(stand_ins) if stand_ins else expression
    given = {dummy: str(part) for part, dummy in stand_ins.items()}
    needed = sorted(plain.free_symbols, key=lambda symbol: given.get(symbol, str(symbol)))  # pyright: ignore
    called = [given.get(symbol, str(symbol)) for symbol in needed]  # pyright: ignore
    missing = tuple(name for name in dict.fromkeys(called) if name not in names)
    if missing:
        return (lambda: None), (), missing
    return lambdify(needed, plain, modules=MODULES), tuple(called), ()
