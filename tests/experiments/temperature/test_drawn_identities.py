"""Exact identities to the catalogue's bounds at drawn sizes: K 2..12, M 1..8, beta over six decades, logits over eight.

Each is computed twice from definitions; points and classes that are not there are padded, so that all sizes share one
compilation. A wrong factor or sign fails beside every right one.
"""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from drawn_sizes import CLASSES, PARAMETERS, POINTS, decades, problem, sizes, softmax
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.models import mlp
from numerics.timescales import descent

LEAST_RESIDUAL = 1e-10
"""Below it the gradient of the loss, formed as a softmax minus a label, is all rounding."""


def heavy_ball(jacobian, start, labels, beta, rate, gamma=1.0, steps=8, decay=0.0):
    """Raw logits along the way; ``rate`` is eta~, gamma = 1 is gradient descent, and decay is lam over beta^2."""
    theta, velocity = np.zeros(jacobian.shape[1]), np.zeros(jacobian.shape[1])
    path = [start / beta]
    for _ in range(steps):
        slope = -beta * jacobian.T @ (labels - softmax(beta * path[-1])).reshape(-1) + decay * beta**2 * theta
        velocity = (1 - gamma) * velocity - slope
        theta = theta + rate / beta**2 * velocity
        path.append(start / beta + (jacobian @ theta).reshape(start.shape))
    return np.array(path)


@cache
def flow():
    """Rates of a curved network by differentiating its own gradient flow, and what the laws compose them of."""
    network = mlp(inputs=6, width=10, depth=1, classes=CLASSES, activation=ACTIVATIONS["erf"])

    def run(key, x, y, held, beta, eta):
        start = network.init(key)
        here = network.apply(start, x)
        present = jnp.sum(y, axis=-1, keepdims=True)

        def logits(params):
            return network.apply(params, x) - here + held

        velocity = descent(lambda params: losses.total(losses.cross_entropy)(logits(params), y, beta), eta)

        def speed(params):
            return beta * jax.jvp(logits, (params,), (velocity(params),))[1]

        rate, second = jax.jvp(speed, (start,), (velocity(start),))
        step = jax.tree.map(jnp.sign, velocity(start))

        def signed(params):
            return beta * jax.jvp(logits, (params,), (step,))[1] * present

        sign_rate, sign_second = jax.jvp(signed, (start,), (step,))
        residual = (y - losses.softmax(held, beta)) * present

        def drive(params):
            pulled = jax.vjp(logits, params)[1](residual)
            return jax.jvp(logits, (params,), pulled)[1] * present

        drift, opposite = (
            jax.jvp(drive, (params,), jax.vjp(logits, params)[1](residual))[1]
            for params in (start, start._replace(readout=-start.readout))
        )
        leaves = jax.tree.leaves(jax.jacrev(logits)(start))
        return {
            "rate": rate,
            "second": second,
            "residual": residual,
            "drift": drift,
            "opposite": opposite,
            "sign_rate": sign_rate,
            "sign_second": sign_second,
            "jacobian": jnp.concatenate([leaf.reshape(y.size, -1) for leaf in leaves], axis=1),
            "squared_slope": sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(velocity(start))) / eta**2,
        }

    return jax.jit(run)


def curved(classes, points, beta, scale, seed, eta=1.0):
    """The flow of a network from Z0 of the given scale; arrays of the points and classes that are there."""
    random, unit, labels, _ = problem(points, classes, seed)
    held, y = np.full((POINTS, CLASSES), -1e5), np.zeros((POINTS, CLASSES))
    held[points:] = 0
    held[:points, :classes] = scale * unit
    y[:points, :classes] = labels
    x = random.standard_normal((POINTS, 6))
    found = flow()(jax.random.key(seed), *(jnp.asarray(a) for a in (x, y, held / beta, beta, eta)))
    found = {name: np.asarray(array) for name, array in found.items()}
    squared_slope = found.pop("squared_slope")
    rows = found.pop("jacobian").reshape(POINTS, CLASSES, -1)[:, :classes]
    jacobian, others = (part.reshape(-1, rows.shape[-1]) for part in (rows[:points], rows[points:]))
    own = {name: array[:points, :classes] for name, array in found.items()}
    assume(np.linalg.norm(own["residual"]) > LEAST_RESIDUAL)
    slope = abs(jacobian.T @ own["residual"].reshape(-1))
    return {
        **own,
        "least_slope": slope[slope > 0].min() / np.linalg.norm(slope),
        "elsewhere": found["rate"][points:, :classes],
        "kernel": jacobian @ jacobian.T,
        "kernel_elsewhere": others @ jacobian.T,
        "squared_jacobian": np.sum(jacobian**2),
        "squared_slope": squared_slope,
        "p": softmax(scale * unit),
        "start": scale * unit,
    }


def through(kernel, array):
    return (kernel @ array.reshape(-1)).reshape(array.shape)


def turned(p, array):
    """The softmax Jacobian on an array."""
    return p * (array - np.sum(p * array, axis=-1, keepdims=True))


def relative(one, other):
    return np.linalg.norm(one - other) / (np.linalg.norm(other) + 1e-300)


def rounding(found):
    """What forming the residual costs, relative to it."""
    return 1e-14 / np.linalg.norm(found["residual"])


@settings(max_examples=40)
@given(**sizes, eta=decades(-3, 3))
@example(classes=12, points=8, beta=1e3, scale=1e-4, seed=0, eta=1.0)
@example(classes=2, points=1, beta=1e-3, scale=1.0, seed=1, eta=1.0)
def test_logits_flow_as_kernel_and_residual_say(classes, points, beta, scale, seed, eta):
    """temperature:T02, T03 and T05 to 1e-10, T10 to 1e-11 max(1, beta); the slope's bound in T27."""
    found = curved(classes, points, beta, scale, seed, eta)
    eta_tilde = eta * beta**2
    right = eta_tilde * through(found["kernel"], found["residual"])
    assert relative(found["rate"], right) <= 1e-10 + rounding(found)
    assert relative(found["rate"], right / 2) > 0.5
    if points < POINTS:
        elsewhere = eta_tilde * found["kernel_elsewhere"] @ found["residual"].reshape(-1)
        lost = 1e-10 + rounding(found)
        assert np.linalg.norm(found["elsewhere"].reshape(-1) - elsewhere) <= lost * np.linalg.norm(right)
    most = beta**2 * np.sum(found["residual"] ** 2) * found["squared_jacobian"]
    assert found["squared_slope"] <= most * (1 + 1e-12 + rounding(found))
    linear = -eta_tilde * through(found["kernel"], turned(found["p"], right))
    bent = eta_tilde**2 / beta * found["drift"]
    size = np.linalg.norm(linear) + np.linalg.norm(bent)
    lost = 1e-11 * max(1.0, beta) + rounding(found)
    assert np.linalg.norm(found["second"] - linear - bent) <= lost * size
    if np.linalg.norm(linear) > 1e-6 * size:
        assert np.linalg.norm(found["second"] + linear - bent) > lost * size


@settings(max_examples=40)
@given(**sizes, other=decades(-3, 3))
@example(classes=12, points=8, beta=1e3, scale=1e-4, seed=0, other=1e-3)
def test_timescales_know_the_temperature_as_the_laws_say(classes, points, beta, scale, seed, other):
    """eta~ tau_z and eta~ tau_lin not at all (T06, T32, 1e-10), eta~ tau_nl by one factor (T11, 1e-8).

    Under sign descent the same with eta beta in the place of eta~ (T29).
    """
    times, signs, told = [], [], []
    for b in (beta, other):
        found = curved(classes, points, b, scale, seed)
        rate = np.linalg.norm(found["rate"])
        linear = np.linalg.norm(b**2 * through(found["kernel"], turned(found["p"], found["rate"])))
        bent = b**3 * np.linalg.norm(found["drift"])
        times.append(np.array([b**2 * np.linalg.norm(found["start"]) / rate, rate / bent * b, linear / rate / b**2]))
        sign_rate, sign_bent = np.linalg.norm(found["sign_rate"]), np.linalg.norm(found["sign_second"])
        signs.append(np.array([b * np.linalg.norm(found["start"]) / sign_rate, sign_rate / sign_bent]))
        assert relative(found["drift"], -found["opposite"]) <= 1e-12  # of two opposite halves that both move (E27)
        told.append(found["least_slope"] > 1e3 * rounding(found))
    one, two = times
    lost, doubt = rounding(found), (1 - found["p"].max(axis=-1)).max()
    if all(told):  # no part of the slope is so small that rounding gives its sign
        assert (abs(signs[0] / signs[1] - 1) <= np.array([1e-10, 1e-8])).all()
    assert (abs(one[:2] / two[:2] - 1) <= np.array([1e-10, 1e-8]) + lost).all()
    assert abs(one[2] - two[2]) <= (1e-10 + lost + 1e-14 / (doubt + 1e-300)) * one[2] or doubt < 1e-10
    if abs(np.log(beta / other)) > 0.1:
        assert abs(one[1] * beta / (two[1] * other) - 1) > 1e-3, "eta~ tau_nl itself does know it"


@settings(max_examples=60)
@given(**sizes, other=decades(-3, 3), gamma=st.floats(0.05, 1.0))
def test_trajectories_of_linear_models_collapse(classes, points, beta, scale, seed, other, gamma):
    """With and without momentum, in discrete time (temperature:T03, T27, first scheme): to 1e-12."""
    _, unit, labels, jacobian = problem(points, classes, seed)
    one, two, wrong = (
        b * heavy_ball(jacobian, scale * unit, labels, b, rate, gamma)
        for b, rate in ((beta, 0.5), (other, 0.5), (other, 0.6))
    )
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12 * (1 + abs(one).max()))
    if abs(one - one[0]).max() > 1e-3 * (1 + abs(one).max()):
        assert abs(one - wrong).max() > 1e-6 * (1 + abs(one).max())


@settings(max_examples=60)
@given(**sizes, gamma=st.floats(0.05, 1.0), decay=st.just(0.0) | st.floats(0.01, 0.5))
def test_other_points_follow_through_the_kernel_and_sums_stay(classes, points, beta, scale, seed, gamma, decay):
    """Kernel propagation, also through singular kernels, to 1e-9 (T13); sums over classes to 1e-12 (T16).

    With weight decay and without.
    """
    _, unit, labels, jacobian = problem(points, classes, seed, others=1)
    rows = points * classes
    trained, other = jacobian[:rows], jacobian[rows:]
    start = np.concatenate([scale * unit, np.zeros((1, classes))])
    y = np.concatenate([labels, np.full((1, classes), 1 / classes)])  # a flat label at Z = 0: no pull at the start
    theta, velocity = np.zeros(PARAMETERS), np.zeros(PARAMETERS)
    for _ in range(6):
        z = start[:points] / beta + (trained @ theta).reshape(unit.shape)
        slope = decay * beta**2 * theta - beta * trained.T @ (y[:points] - softmax(beta * z)).reshape(-1)
        velocity = (1 - gamma) * velocity - slope
        theta = theta + 0.5 / beta**2 * velocity
    change, seen = trained @ theta, other @ theta
    kernel = trained @ trained.T
    through_kernel = other @ trained.T @ np.linalg.pinv(kernel, rcond=1e-10, hermitian=True) @ change
    size = abs(theta).max()
    np.testing.assert_allclose(through_kernel, seen, rtol=0, atol=1e-9 * size + 1e-300)
    if abs(seen).max() > 1e-2 * size:
        assert abs(other @ trained.T @ change - seen).max() > 1e-4 * size
    own = np.kron(trained[:points, :5], np.eye(classes))  # one kernel for every class
    z = heavy_ball(own, scale * unit, labels, beta, 0.5, gamma, decay=decay)
    assert abs(z.sum(axis=-1) - z[0].sum(axis=-1)).max() <= 1e-12 * abs(z).max()
    coupled = heavy_ball(trained, scale * unit, labels, beta, 0.5, gamma, decay=decay)
    if abs(coupled - coupled[0]).max() > 1e-2 * abs(coupled).max():
        assert abs(coupled.sum(axis=-1) - coupled[0].sum(axis=-1)).max() > 1e-9 * abs(coupled).max()


def rest(jacobian, start, labels, beta, lam):
    """Newton's method with halved steps on the regularised loss, in the parameters."""
    theta = np.zeros(jacobian.shape[1])

    def slope(t):
        z = start / beta + (jacobian @ t).reshape(start.shape)
        p = softmax(beta * z)
        return p, lam * t - beta * jacobian.T @ (labels - p).reshape(-1)

    for _ in range(400):
        p, g = slope(theta)
        blocks = np.zeros((start.size, start.size))
        for m, row in enumerate(p):
            at = slice(m * row.size, (m + 1) * row.size)
            blocks[at, at] = np.diag(row) - np.outer(row, row)
        step = np.linalg.solve(beta**2 * jacobian.T @ blocks @ jacobian + lam * np.eye(theta.size), g)
        share = 1.0
        while share > 1e-9 and np.linalg.norm(slope(theta - share * step)[1]) > (1 - share / 4) * np.linalg.norm(g):
            share /= 2
        theta = theta - share * step
        if np.linalg.norm(step) <= 1e-15 * np.linalg.norm(theta):
            break
    return theta, p, blocks


@settings(max_examples=40)
@given(**sizes, pull=decades(-2, 3), factor=decades(-2, 2))
@example(classes=2, points=1, beta=1.0, scale=1e-4, seed=0, pull=1e3, factor=1e-2)
def test_rests_under_weight_decay_know_one_control(classes, points, beta, scale, seed, pull, factor):
    """The fixed point to 1e-10 and its one control beta^2/lam to 1e-9 (T14); rates real, at least eta lam (T18).

    From 0 one step of descent at the rate 1/lam is the rest of a uniform softmax (T15).
    """
    _, unit, labels, jacobian = problem(points, classes, seed)
    lam = beta**2 / pull
    theta, p, blocks = rest(jacobian, scale * unit, labels, beta, lam)
    change = jacobian @ theta
    kernel = jacobian @ jacobian.T
    driven = kernel @ (labels - p).reshape(-1)
    size = np.linalg.norm(change) + np.linalg.norm(scale * unit) / beta * 1e-6
    assert np.linalg.norm(change - beta / lam * driven) <= 1e-10 * size
    assert np.linalg.norm(change - 2 * beta / lam * driven) > 0.4 * np.linalg.norm(change)
    again, _, _ = rest(jacobian, scale * unit, labels, factor * beta, factor**2 * lam)
    assert np.linalg.norm(factor * jacobian @ again - change) <= 1e-9 * size
    first = heavy_ball(jacobian, 0 * unit, labels, beta, pull, steps=1)[-1]
    uniform = beta / lam * through(kernel, labels - 1 / classes)
    assert relative(first, uniform) <= 1e-12
    assert relative(first, beta / lam * through(kernel, labels)) > 1e-3
    rates = np.linalg.eigvals(beta**2 * kernel @ blocks + lam * np.eye(len(kernel)))
    assert abs(rates.imag).max() <= 1e-6 * abs(rates).max()
    assert rates.real.min() >= lam - 1e-10 * abs(rates).max()
    even = np.sort(np.linalg.eigvalsh(beta**2 * jacobian.T @ blocks @ jacobian + lam * np.eye(PARAMETERS)))
    assert abs(even[-1] / rates.real.max() - 1) <= 1e-9
