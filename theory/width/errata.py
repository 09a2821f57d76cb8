"""Errata of the paper's Proposition 2.4 and of the kernel increments that it uses (width:G1, width:G9)."""

import random
from itertools import product

from sympy import Expr, Integer, Rational, Symbol

from theory.asymptotics import order
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.errata import Counterexample, Erratum, Measurement, Witness
from theory.proof.evaluation import Evaluation
from theory.width.kernel_increments import FIRST_CLAIM, KERNEL, STEP

DEFINITIONS = (w.SCALE, *w.EQUAL, w.LINEAR_AW, w.LINEAR_WW, w.LINEAR_WA)


def _exponent_of_the_first_increment() -> tuple[Expr, Expr, Expr]:
    """Exponents of the linear part of the first kernel change at mean-field scaling; the truth by exact
    expectation.
    """
    values = worlds()(random.Random(0)).values
    at = {w.q_sigma: Integer(-1), w.q: Integer(1)}
    world = Evaluation({**values, **at}, tuple((definition.head, definition.body) for definition in DEFINITIONS))
    truth = world.value(order(w.K_aw[0], w.d))
    return (KERNEL + STEP).xreplace(at), FIRST_CLAIM.exponent.xreplace(at), truth


def _second_moments(neurons: int) -> tuple[Rational, Rational]:
    """Mean and mean square, over all signs of the output weights, of the sum in the first increment of
    K_a.
    """
    sizes = [Rational(j + 1, 2) for j in range(neurons)]
    total, squares = Integer(0), Integer(0)
    for signs in product((-1, 1), repeat=neurons):
        whole = sum((_increment(s * a, Rational(1, 2)) for s, a in zip(signs, sizes, strict=True)), Integer(0))
        total, squares = total + whole, squares + whole**2
    return Rational(total, 2**neurons), Rational(squares, 2**neurons)


def _increment(a: Expr, inputs: Expr) -> Expr:
    """One neuron's part of d K_a / d eta_w at zero rate, phi(z) = z + z^2, g = sigma = x = x' = x_w = 1."""
    slope, value = 1 + 2 * inputs, inputs + inputs**2
    return -a * slope * 2 * slope * value


def _no_mean() -> tuple[bool, bool]:
    """Symmetric output weights: whether the increments' sum has a mean, as a law of large numbers needs."""
    means, squares = zip(*(_second_moments(neurons) for neurons in (1, 2, 3, 4)), strict=True)
    singles = [_increment(Rational(j + 1, 2), Rational(1, 2)) ** 2 for j in range(4)]
    symmetric = all(square == sum(singles[:d]) for d, square in enumerate(squares, 1))
    return symmetric, any(mean != 0 for mean in means)


def _product_rule() -> tuple[Expr, Expr, Expr]:
    """One neuron, inputs of two components, phi(z) = z + z^2, g = sigma = 1: derivative of K_a(x, x') in
    eta_w at 0.
    """
    eta, z = Symbol("eta"), Symbol("z")
    phi = z + z**2
    slope = phi.diff(z)
    a, neuron = Rational(1, 2), (Rational(1, 3), Rational(-1, 2))
    x, other, sample = (Integer(1), Integer(2)), (Integer(2), Integer(-1)), (Integer(1), Integer(1))

    def dot(u: tuple[Expr, ...], v: tuple[Expr, ...]) -> Expr:
        return sum((p * q for p, q in zip(u, v, strict=True)), Integer(0))

    def at(function: Expr, u: tuple[Expr, ...]) -> Expr:
        return function.subs(z, dot(neuron, u))

    common = -a * at(slope, sample)
    both = at(phi, x) * at(slope, other) + at(slope, x) * at(phi, other)
    together = tuple(p + q for p, q in zip(x, other, strict=True))
    printed = common * both * dot(together, sample)
    derived = common * (
        at(slope, x) * at(phi, other) * dot(x, sample) + at(phi, x) * at(slope, other) * dot(other, sample)
    )
    moved = tuple(p + eta * common * s for p, s in zip(neuron, sample, strict=True))
    kernel = phi.subs(z, dot(moved, x)) * phi.subs(z, dot(moved, other))
    return printed, derived, kernel.diff(eta).subs(eta, 0)


ERRATA = (
    Erratum(
        id="width:G1",
        where="Proposition 2, statement 4, and its proof in SM A.2",
        sentence=(
            "At first order the first step changes the kernels by d^(q_sigma + q - 1/2) of themselves, not "
            "d^(q_sigma + q): the sum is "
            "a centred one; no point of the band satisfies statement 4 as printed, which holds for the "
            "whole change instead."
        ),
        printed="order of the first-order change over order of the kernel: q_sigma + q",
        derived=(
            "q_sigma + q - 1/2 at first order in the first step; 2 (q_sigma + q) for the whole change, and "
            "in later steps"
        ),
        evidence=(
            Witness(
                "Mean-field scaling q_sigma = -1, q = 1: the first-order change of K_a has order -1/2 by "
                "an exact expectation "
                "over four equally likely neurons; the printed law says 0.",
                _exponent_of_the_first_increment,
            ),
            Counterexample(
                "Up to four neurons, all signs of the output weights enumerated: the sum has mean 0 "
                "exactly, and its mean square "
                "is the sum of the neurons' own, so no law of large numbers gives it a factor d.",
                _no_mean,
            ),
            Measurement(
                "Networks up to width 8192 at 13 scalings.",
                "width.kernel_increment_first",
                "as printed: law of large numbers",
            ),
            Measurement(
                "Pairs of networks of opposite output weights: their changes cancel at first order.",
                "width.antithetic",
                "with a mean, as a law of large numbers needs",
            ),
        ),
        law="width.kernel_increment_first",
    ),
    Erratum(
        id="width:G9",
        where="SM A.2, equations 42 and 43",
        sentence=(
            "In the increment of K_a the product rule gives each term its own inner product, x.x_w or "
            "x'.x_w; the print puts (x + x').x_w "
            "on both."
        ),
        printed="(phi(w.x) dphi(w.x') + dphi(w.x) phi(w.x')) (x + x').x_w",
        derived="dphi(w.x) phi(w.x') x.x_w + phi(w.x) dphi(w.x') x'.x_w",
        evidence=(
            Witness(
                "One neuron with rational weights, phi(z) = z + z^2, two-component inputs: the derivative "
                "taken directly.",
                _product_rule,
            ),
        ),
        law="width.kernel_increment_first",
    ),
)
