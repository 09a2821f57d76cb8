"""Gaps between the paper's argument and what trajectories do (breakeven:G5, G7, G8, G11 to G14)."""

# SymPy's inline types do not know that relations are Boolean.
# pyright: reportArgumentType=false, reportOperatorIssue=false, reportCallIssue=false, reportIndexIssue=false

from sympy import Abs, Matrix, Piecewise, Rational, Symbol, eye, limit, ones

from theory.errata import Counterexample, Erratum, Measurement


def _covariance_values(rows: list[list[Rational]]) -> list[Rational]:
    """Eigenvalues, descending, of the population covariance of rows, from their centred Gram matrix."""
    count = len(rows)
    centring = eye(count) - ones(count, count) / count
    gram = centring * Matrix(rows) * Matrix(rows).T * centring / count
    found = [value for value, times in gram.eigenvals().items() for _ in range(times)]
    return sorted(found, reverse=True)


def _ratio_by_number_of_batches() -> tuple[bool, bool]:
    """Batches of one point from the same population, L = 2 and L = 3: the smallest nonzero over the largest."""
    population = [[Rational(10), Rational(0)], [Rational(-10), Rational(0)], [Rational(0), Rational(1)]]
    ratios = []
    for count in (2, 3):
        values = _covariance_values(population[:count])
        ratios.append(values[count - 2] / values[0])  # the (L-1)-th largest
    return True, bool(ratios[0] == ratios[1])


def _descent(rate: Rational) -> tuple[list[Rational], bool]:
    """lambda*_K / lambda_K along gradient descent from (1, 0), and whether it converges.

    Four examples have losses (h x^2 + y^2)/2 - b y with h = 1, 1, 3, 3 and b = 1, -1, 1, -1.
    """
    examples = [(Rational(h), Rational(b)) for h, b in ((1, 1), (1, -1), (3, 1), (3, -1))]
    x, y, found = Rational(1), Rational(0), []
    for _ in range(4):
        gradients = [[h * x, y - b] for h, b in examples]
        values = _covariance_values(gradients)
        found.append(values[1] / values[0])
        mean = [sum(column) / len(examples) for column in zip(*gradients, strict=True)]
        x, y = x - rate * mean[0], y - rate * mean[1]
    return found, bool(Abs(x) < 1)


def _largest_at_the_start() -> tuple[bool, bool]:
    """Two rates that converge, with different conditioning later on, and one common maximum: the start's."""
    slow, slow_converges = _descent(Rational(1, 10))
    fast, fast_converges = _descent(Rational(1, 4))
    hypotheses = slow_converges and fast_converges and slow[1:] != fast[1:]
    return hypotheses, bool(max(fast) > max(slow))


def _nothing_binds() -> tuple[bool, bool]:
    """A loss of constant curvature 1 at eta = 1/2 and 1/4: both converge, and the largest curvature is 1 for both."""
    curvature = Rational(1)
    rates = [Rational(1, 2), Rational(1, 4)]
    largest = [max(curvature for _ in range(3)) for _ in rates]
    converges = all(Abs(1 - rate * curvature) < 1 for rate in rates)
    return bool(converges), bool(largest[0] < largest[1])


REPORTED = {Rational(1, 10): Rational("26.27"), Rational(1, 100): Rational("211.17")}
"""The paper's largest lambda_H by learning rate (Section 4.2, SimpleCNN)."""


def _reported_above_the_ceiling() -> tuple[bool, bool]:
    return all(rate > 0 for rate in REPORTED), all(value <= 2 / rate for rate, value in REPORTED.items())


def _eigenvectors_cross() -> tuple[bool, bool]:
    """H = diag(2 - t, 1 + t) and theta = (3, 1) standing still: the projection on the top eigenvector jumps."""
    t = Symbol("t", real=True)
    theta = (Rational(3), Rational(1))
    projection = Piecewise((theta[0], 2 - t > 1 + t), (theta[1], True))
    entries = (2 - t, 1 + t)
    continuous = all(limit(entry, t, Rational(1, 2), "-") == entry.subs(t, Rational(1, 2)) for entry in entries)
    before, behind = projection.subs(t, Rational(49, 100)), projection.subs(t, Rational(51, 100))
    return bool(continuous), bool(before == behind)


ERRATA = (
    Erratum(
        id="breakeven:G5",
        where="Section 3, the break-even point",
        sentence="Eq. 1 is hardly the binding constraint of SGD: measured directly along e_H its left side stays "
        "below 1 through the sharp part of training at the lowest rate, while the order that it predicts is seen.",
        printed="SGD reaches the point at which the left side of Eq. 1 is 1, and stays there",
        derived="the left side of Eq. 1 along e_H is well below 1 for small batches and low rates",
        evidence=(
            Measurement(
                "Per-example curvatures along e_H by nested jvps and fresh batches: the median of the left side is "
                "below 1, so that its being at least 1 comes out wrong.",
                "breakeven.eq1_below_one",
                "SGD sits at its edge",
            ),
        ),
        law="breakeven.eq1_below_one",
    ),
    Erratum(
        id="breakeven:G7",
        where="Appendix C, and the conditioning in Section 4.2",
        sentence="The ratio of the smallest nonzero to the largest eigenvalue of K^M depends on the number of batches "
        "L, so that it may be compared at equal L and M only, and estimates no property of K.",
        printed="lambda*_K / lambda_K is estimated by that of K^M",
        derived="for L = 2 the ratio is 1 whatever K is; it falls with L",
        evidence=(
            Counterexample(
                "Gradients (10, 0), (-10, 0), (0, 1): from the first two batches of one the ratio is 1, from all three "
                "it is not.",
                _ratio_by_number_of_batches,
            ),
        ),
    ),
    Erratum(
        id="breakeven:G8",
        where="Conjecture 2, the maximum of lambda*_K / lambda_K",
        sentence="The maximum over training may be the common initial value, which no learning rate can move: compare "
        "at matched loss, and report where the maximum is.",
        printed="max over training of lambda*_K / lambda_K is larger for a larger learning rate",
        derived="runs whose ratio is largest at the start have equal maxima",
        evidence=(
            Counterexample(
                "Gradient descent on four quadratics at eta = 1/10 and 1/4: the ratios differ after the first step, "
                "and both maxima are that of the start.",
                _largest_at_the_start,
            ),
        ),
    ),
    Erratum(
        id="breakeven:G11",
        where="Conjecture 1",
        sentence="The conjecture presupposes that 2/eta binds: where the loss is less sharp than that for every rate "
        "compared, the maxima tie.",
        printed="max over training of lambda_H is smaller for a larger learning rate at which training converges",
        derived="only where the run of vanishing rate exceeds about 2/eta for every rate compared",
        evidence=(
            Counterexample(
                "A quadratic of curvature 1 at eta = 1/2 and 1/4: both converge, and both maxima are 1.",
                _nothing_binds,
            ),
        ),
    ),
    Erratum(
        id="breakeven:G12",
        where="Section 4.2, reported maxima of lambda_H",
        sentence="The reported maxima, 26.27 at eta = 0.1 and 211.17 at eta = 0.01, exceed the ceiling 2/eta by "
        "factors of 1.31 and 1.06: no curvature of a network may be asserted to stay below 2/eta pointwise.",
        printed="the break-even point is reached at 2/eta at most, and no larger curvature is entered",
        derived="estimates from a subset are biased upwards, and descent overshoots its edge",
        evidence=(
            Counterexample(
                "The paper's own two maxima against 2/eta of their learning rates.", _reported_above_the_ceiling
            ),
        ),
        law="breakeven.ceiling",
    ),
    Erratum(
        id="breakeven:G13",
        where="Section 3, psi = <theta, e_H>",
        sentence="The top eigenvector changes along training; where eigenvalues cross the projection psi jumps though "
        "nothing moves, while the theorems follow one direction.",
        printed="psi(t) = <theta(t), e_H(t)> varies continuously along a trajectory",
        derived="psi jumps at a crossing of eigenvalues",
        evidence=(
            Counterexample(
                "H = diag(2 - t, 1 + t) is continuous and theta = (3, 1) stands still: psi is 3 before t = 1/2 and 1 "
                "after it.",
                _eigenvectors_cross,
            ),
        ),
    ),
    Erratum(
        id="breakeven:G14",
        where="Section 4.1, Delta L < 0 as a sign of instability",
        sentence="A rising loss is not specific to instability: mini-batch noise alone raises it as often, so that the "
        "count must be compared with what noise gives to second order.",
        printed="Delta L < 0 shows that training is unstable along e_H",
        derived="the share of rising steps is that of -eta <g, g_B> + eta^2 g_B^T H g_B / 2 > 0",
        evidence=(
            Measurement(
                "Digits, S = 32, the two lowest rates, where the left side of Eq. 1 is below 1: the share of rising "
                "steps is that of the same batches to second order; that it is none comes out wrong.",
                "breakeven.loss_rises_like_its_second_order",
                "a sign of instability",
            ),
        ),
        law="breakeven.loss_rises_like_its_second_order",
    ),
)
