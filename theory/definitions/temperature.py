"""Where the temperature derivations start: softmax cross-entropy with an inverse temperature, and its flow.

M points, K classes, P parameters, all of any size. ``z[m, i]`` are the raw logits, ``J[m, i, p]`` their first
and ``H[m, i, p, q]`` their second derivatives in the parameters; ``beta`` is an inverse temperature and
Z = beta z. The loss is a SUM over points. Its numeric twin is ``numerics.losses``, that of the flow
``numerics.tangent``.
"""

import random

from sympy import Derivative, Eq, Expr, IndexedBase, Rational, Sum, Symbol, exp, log

from theory.proof.premises import Define, Suppose
from theory.proof.worlds import World, rational, table

M = Symbol("M", integer=True, positive=True)
K = Symbol("K", integer=True, positive=True)
P = Symbol("P", integer=True, positive=True)
m, n, i, j, k, p, q = (Symbol(name, integer=True, positive=True) for name in "mnijkpq")
beta = Symbol("beta", positive=True)
eta = Symbol("eta", positive=True)
eta_tilde = Symbol("eta_tilde", positive=True)
z, Y, J, H = (IndexedBase(name, real=True) for name in ("z", "Y", "J", "H"))
softmax, r, slope, velocity, Theta, drive, Zdot = (
    IndexedBase(name, real=True) for name in ("sigma", "r", "g", "thetadot", "Theta", "drive", "Zdot")
)

MEANINGS = {
    M: ("training points", "1"),
    K: ("classes", "1"),
    P: ("parameters", "1"),
    m: ("a training point", "1"),
    n: ("a training point", "1"),
    i: ("a class", "1"),
    j: ("a class", "1"),
    k: ("a class", "1"),
    beta: ("inverse temperature: Z = beta z", "1"),
    eta: ("learning rate", "1/step"),
    eta_tilde: ("effective learning rate, eta beta^2", "1/step"),
    z: ("raw logits", "1"),
    Y: ("labels; every row sums to 1", "1"),
    J: ("derivative of a raw logit in a parameter", "1"),
    H: ("second derivative of a raw logit in two parameters", "1"),
    Theta: ("tangent kernel of the raw logits, indices (point, class, point, class)", "1"),
    r: ("residual Y - softmax(Z)", "1"),
    Zdot: ("rate of a scaled logit under gradient flow", "1/step"),
    drive: ("tangent kernel times residual", "1"),
}
"""Meaning and unit of each symbol that a law of the topic may state."""


def over_classes(term: Expr, index: Symbol = k) -> Expr:
    """Sum over the classes 1..K."""
    return Sum(term, (index, 1, K))


def over_points(term: Expr, index: Symbol = m) -> Expr:
    """Sum over the training points 1..M."""
    return Sum(term, (index, 1, M))


def over_logits(term: Expr, point: Symbol = n, class_: Symbol = j) -> Expr:
    """Sum over the training points and the classes."""
    return Sum(term, (class_, 1, K), (point, 1, M))


def over_parameters(term: Expr, index: Symbol = p) -> Expr:
    """Sum over the parameters 1..P."""
    return Sum(term, (index, 1, P))


def softmax_of(logits: Expr, class_: Symbol, index: Symbol = k) -> Expr:
    """exp(logits) over their sum in ``index``; ``logits`` is written in the class ``class_``."""
    return exp(logits) / over_classes(exp(logits.xreplace({class_: index})), index)


def cross_entropy(labels: IndexedBase, logits: Expr) -> Expr:
    """- sum_mk Y_mk ln softmax(Z)_mk (eq 1 with its sign put right); ``logits`` is written in m and k."""
    return -over_logits(labels[m, k] * log(softmax_of(logits, k, j)), m, k)


POINT = Suppose("n is a training point", n <= M)
CLASS = Suppose("i is a class", i <= K)
LABELS = Suppose("labels sum to 1", Eq(over_classes(Y[m, k]), 1, evaluate=False), forall=(m,))
SOFTMAX = Define("softmax", softmax[m, k], softmax_of(beta * z[m, k], k, j))
RESIDUAL = Define("residual", r[m, k], Y[m, k] - softmax[m, k])
SLOPE = Define("slope of the loss", slope[n, i], Derivative(cross_entropy(Y, beta * z[m, k]), z[n, i]))
FLOW = Define("descent", velocity[p], -eta * over_logits(slope[n, j] * J[n, j, p]))
RATE = Define("rate of the scaled logits", Zdot[m, i], beta * over_parameters(J[m, i, p] * velocity[p]))
KERNEL = Define("tangent kernel", Theta[m, i, n, j], over_parameters(J[m, i, p] * J[n, j, p]))
DRIVE = Define("drive", drive[m, i], over_logits(Theta[m, i, n, j] * r[n, j]))
EFFECTIVE = Define("effective learning rate", eta_tilde, eta * beta**2)


def labels_of(source: random.Random, points: int, classes: int) -> list[list[Rational]]:
    """Random rows of soft labels that sum to 1."""
    rows = table(source, points, classes - 1)
    return [[*row, 1 - sum(row)] for row in rows]


def a_network(source: random.Random, points: int = 2, classes: int = 3, parameters: int = 4) -> World:
    """A random quadratic network at a random place: any z, J and symmetric H belong to one."""
    second = table(source, points, classes, parameters, parameters)
    places = range(parameters)
    symmetric = [[[[h[a][b] + h[b][a] for b in places] for a in places] for h in row] for row in second]
    return World(
        {
            M: points,
            K: classes,
            P: parameters,
            m: source.randint(1, points),
            n: source.randint(1, points),
            i: source.randint(1, classes),
            j: source.randint(1, classes),
            p: source.randint(1, parameters),
            q: source.randint(1, parameters),
            beta: rational(source),
            eta: rational(source),
            z: table(source, points, classes, low=-1, high=1),
            Y: labels_of(source, points, classes),
            J: table(source, points, classes, parameters),
            H: symmetric,
        }
    )
