"""Full precision everywhere: no product of numerics is left to a device's default."""

import ast
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import numerics
from numerics.dots import dot

PRODUCTS = {"dot", "matmul", "einsum", "tensordot", "vdot", "inner", "dot_general", "conv_general_dilated", "convolve"}
PLACES = {"jnp", "lax"}
SOURCES = {path.name: path.read_text() for path in Path(numerics.__file__).parent.glob("*.py")}


def careless(source):
    """Lines of a module on JAX with a product that names no precision; NumPy's are in full precision anyway."""
    tree = ast.parse(source)
    if not any(isinstance(node, ast.Import) and node.names[0].name.startswith("jax") for node in ast.walk(tree)):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            found.append(node.lineno)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PRODUCTS:
            place = getattr(node.func.value, "id", getattr(node.func.value, "attr", ""))
            if place in PLACES and not any(keyword.arg == "precision" for keyword in node.keywords):
                found.append(node.lineno)
    return found


def test_every_product_names_its_precision():
    assert len(SOURCES) > 40
    assert {name: lines for name, source in SOURCES.items() if (lines := careless(source))} == {}


@pytest.mark.parametrize(
    "line", ["y = x @ x", "y = jnp.dot(x, x)", 'y = jnp.einsum("i,i", x, x)', "y = jax.lax.dot_general(x, x)"]
)
def test_a_careless_product_is_seen(line):
    assert careless(f"import jax\nimport jax.numpy as jnp\n{line}\n") == [3]
    assert careless(f"import numpy as np\n{line}\n") == []
    assert careless("import jax\ny = jnp.dot(x, x, precision='highest')\n") == []


def test_its_precision_reaches_the_derivatives():
    """What is compiled, forward and backward, asks for the highest precision."""
    a, b = jnp.ones((2, 3), jnp.float32), jnp.ones((3, 2), jnp.float32)
    np.testing.assert_array_equal(dot(a, b), 3)
    text = str(jax.make_jaxpr(jax.grad(lambda a, b: jnp.sum(dot(a, b) ** 2), (0, 1)))(a, b))
    assert text.count("dot_general") == 3 == text.count("precision=(Precision.HIGHEST, Precision.HIGHEST)")
    plain = str(jax.make_jaxpr(jnp.matmul)(a, b))
    assert "HIGHEST" not in plain
