"""Misprints of the paper beside the first three (breakeven:X4-X13), each with evidence from the definitions."""

from sympy import Expr, ImmutableMatrix, Integer, Matrix, Rational, diag, eye, log, zeros

from theory.breakeven import enumeration
from theory.breakeven.uncoupled import larger_rate_breaks_even_later
from theory.errata import Counterexample, Erratum, Measurement, Reading, Witness

_SPREAD = [Integer(0), Integer(4)]
"""Two examples' curvatures along the direction."""


def _full_gradient() -> tuple[Expr, Expr, Expr]:
    """Growth of psi^2 at S = 1, eta = 1/4 with the full gradient, with a mini-batch gradient, and by listing both."""
    rate = Rational(1, 4)
    printed = (1 - rate * enumeration.mean(_SPREAD)) ** 2
    derived = printed + rate**2 * enumeration.variance(_SPREAD)
    return printed, derived, enumeration.growth(_SPREAD, 1, rate)


def _distance_from_the_origin() -> tuple[Expr, Expr, Expr]:
    """Variance of the gradients at psi = 6 where the minimum is at 5."""
    place, minimum = Integer(6), Integer(5)
    spread = enumeration.variance(_SPREAD)
    gradients = [curvature * (place - minimum) for curvature in _SPREAD]
    return place**2 * spread, (place - minimum) ** 2 * spread, enumeration.variance(gradients)


def _runs_that_shrink() -> tuple[bool, bool]:
    """Multipliers 1/10 and -3: the mean square grows; whether almost every run grows."""
    curvatures, rate = [Rational(9, 10), Integer(4)], Integer(1)
    unstable = enumeration.growth(curvatures, 1, rate) > 1
    mean_logarithm = enumeration.mean([log(abs(1 - rate * curvature)) for curvature in curvatures])
    return bool(unstable), bool(mean_logarithm > 0)


def _outer_product() -> tuple[Expr, Expr, Expr]:
    """Gradients (1, 2) and (3, 0) as columns: the printed product, the matrix, and G - g g^T."""
    gradients = [Matrix([1, 2]), Matrix([3, 0])]
    mean = (gradients[0] + gradients[1]) / 2
    away = [gradient - mean for gradient in gradients]
    printed = sum((one.T * one for one in away), zeros(1, 1)) / 2
    derived = sum((one * one.T for one in away), zeros(2, 2)) / 2
    second = sum((one * one.T for one in gradients), zeros(2, 2)) / 2
    return ImmutableMatrix(printed), ImmutableMatrix(derived), ImmutableMatrix(second - mean * mean.T)


def _smallest_of_the_gram_matrix() -> tuple[Expr, Expr, Expr]:
    """Four batch gradients (+-1, +-2, +-3) whose Gram matrix has the eigenvalues 9, 4, 1, 0."""
    gradients = [Matrix(row) for row in ([1, 2, 3], [1, -2, -3], [-1, 2, -3], [-1, -2, 3])]
    count = len(gradients)
    mean = sum(gradients, zeros(3, 1)) / count
    gram = Matrix(count, count, lambda i, j: ((gradients[i] - mean).T * (gradients[j] - mean))[0] / count)
    values = sorted(value for value, times in gram.eigenvals().items() for _ in range(times))
    printed, derived = values[count - 2], values[::-1][count - 2]
    return printed, derived, min(value for value in values if value != 0)


def _negative_ratio() -> tuple[bool, bool]:
    """Alpha = -1 at eta = psi = c = 1: stable up to 3 as printed; whether any spread is stable at 3."""
    rate, distance, ratio = Integer(1), Integer(1), Integer(-1)
    edge = 2 / rate - ratio / distance**2
    return bool(ratio.is_real), bool(enumeration.growth([edge, edge], 1, rate) <= 1)


def _stable_along_the_top_direction() -> tuple[bool, bool]:
    """Two Hessians with the mean diag(2, 1) at eta = 1: Eq. 1 along e holds; whether second moments stay bounded."""
    hessians, rate = [Matrix([[2, 1], [1, 1]]), Matrix([[2, -1], [-1, 1]])], Integer(1)
    mean = (hessians[0] + hessians[1]) / 2
    assert_top = mean == diag(2, 1) and all(one.is_positive_semidefinite for one in hessians)
    along = enumeration.growth([one[0, 0] for one in hessians], 1, rate)
    steps = [eye(2) - rate * one for one in hessians]
    moments = Matrix(4, 4, lambda k, m: sum(a[k // 2, m // 2] * a[k % 2, m % 2] for a in steps) / 2)
    return bool(assert_top and along <= 1), all(bool(abs(value) <= 1) for value in moments.eigenvals())


def _trace_of_two_batches() -> tuple[Expr, Expr, Expr]:
    """Gradients 1 and -1, two batches of two with replacement: K for K^M, normalised, and all sixteen listed."""
    gradients = [Integer(1), Integer(-1)]
    total = enumeration.variance(gradients)
    means = enumeration.batch_means(gradients, 2, replacement=True)
    listed = enumeration.mean([enumeration.variance([one, other]) for one in means for other in means])
    return total, total / (2 * 2), listed


ERRATA = (
    Erratum(
        id="breakeven:X4",
        where="Section 3, the definition of stability along e_H^1; inequalities (3) and Eq. 4",
        sentence="The sequence must start at <theta(t), e>, use mini-batch gradients and mean-square divergence, "
        "and psi in (3) and (4) is the distance psi - psi*.",
        printed="psi(tau + 1) = psi(tau) - eta g(psi(tau)) with the gradient g, psi(0) = theta(t), diverges, psi^2 s^2",
        derived="psi(tau + 1) = psi(tau) - eta g_B(psi(tau)), psi(0) = <theta(t), e>, sup E psi^2 infinite, "
        "(psi - psi*)^2 s^2",
        evidence=(
            Witness(
                "Curvatures 0 and 4, S = 1, eta = 1/4: the full gradient, in which S does not occur, multiplies psi^2 "
                "by 1/4, the two batches by 1/2.",
                _full_gradient,
            ),
            Witness(
                "The same curvatures at psi = 6 with psi* = 5: the gradients 0 and 4 have the variance 4, not 144.",
                _distance_from_the_origin,
            ),
            Counterexample(
                "Curvatures 9/10 and 4, S = 1, eta = 1: condition (2) fails (Q = 4.505), yet almost every sequence "
                "shrinks, by 0.55 a step.",
                _runs_that_shrink,
            ),
        ),
        law="breakeven.almost_sure_within_mean_square",
    ),
    Erratum(
        id="breakeven:X5",
        where="Section 3 and footnote 1, the definition of K; Appendix C, (1/D) Tr K",
        sentence="K needs the outer product (g_i - g)(g_i - g)^T: with column vectors the printed one is the number "
        "Tr K; and Tr K is the variance of per-example gradients, c times which is that of a mini-batch.",
        printed="K = (1/N) sum_i (g_i - g)^T (g_i - g); Tr K is related to the variance of the mini-batch gradient",
        derived="K = (1/N) sum_i (g_i - g)(g_i - g)^T; E |g_B - g|^2 = c Tr K",
        evidence=(
            Witness(
                "Gradients (1, 2) and (3, 0): the printed product is the number 2, G - g g^T the matrix "
                "((1, -1), (-1, 1)).",
                _outer_product,
            ),
            Measurement(
                "The mean squared distance of mini-batch gradients against Tr K itself.",
                "breakeven.trace_noise",
                "per example",
            ),
        ),
        law="breakeven.trace_noise",
    ),
    Erratum(
        id="breakeven:X6",
        where="Appendix C, the smallest non-zero eigenvalue of K^M",
        sentence="The smallest non-zero eigenvalue is the (L-1)-th largest, not the (L-1)-th smallest, which is the "
        "second largest.",
        printed="the (L-1)-th smallest eigenvalue of K^M",
        derived="the (L-1)-th largest eigenvalue of K^M",
        evidence=(
            Witness(
                "Four batch gradients whose Gram matrix has the eigenvalues 9, 4, 1, 0: the third smallest is 4, the "
                "smallest non-zero one 1.",
                _smallest_of_the_gram_matrix,
            ),
        ),
        law="breakeven.conditioning_bound",
    ),
    Erratum(
        id="breakeven:X7",
        where="Section 3 and Section 4.1, references to the assumptions; Appendix B, n",
        sentence="The growth of lambda is Assumption 4, not entering sharper regions follows from 3 and 4, 'according "
        "to Assumption 3' in Section 4.1 means Eq. 1, and n is N.",
        printed="Under Assumption 3 lambda increases; under Assumption 4 SGD does not enter; n",
        derived="Under Assumption 4 lambda increases; under Assumptions 3 and 4 SGD does not enter; N",
        evidence=(
            Reading(
                "Assumption 3 says what happens where training is unstable, where lambda falls; the sentences cited "
                "speak of its growth, which only Assumption 4 states."
            ),
        ),
    ),
    Erratum(
        id="breakeven:X8",
        where="Theorems 1 and 2 and their proofs, Appendix B",
        sentence="The theorems need one distance function for both runs: Assumption 4 lets the distance fall with the "
        "curvature within a run, and the proof uses it across runs.",
        printed="For eta_1 > eta_2 the break-even curvature is smaller for eta_1",
        derived="So it is if the distance is the same non-increasing function of the curvature on both runs",
        evidence=(
            Counterexample(
                "c = alpha = 1: at eta = 1/5 the distance falls from 10 to 9.9 up to the break-even curvature 9.990, "
                "at eta = 1/10 from 10 to 0.3 up to 8.889; both obey Assumptions 1-4.",
                larger_rate_breaks_even_later,
            ),
            Measurement(
                "Pairs of runs on distance functions of their own, out of order.",
                "breakeven.theorem_1",
                "two distances",
            ),
        ),
        law="breakeven.theorem_1",
    ),
    Erratum(
        id="breakeven:X9",
        where="Section 4.3, 'A closer look'",
        sentence="12.05 and 3.30 are the maxima of lambda_K in the two settings, not its maximum and minimum.",
        printed="the maximum and minimum values of lambda_K are 12.05 and 3.30, respectively",
        derived="the maximum values of lambda_K are 12.05 with and 3.30 without batch normalisation",
        evidence=(
            Reading(
                "Section 4.2 gives 3.30 as the maximum of lambda_K of SimpleCNN at eta = 0.01, which is the second of "
                "the two settings; one number cannot be its minimum too."
            ),
        ),
    ),
    Erratum(
        id="breakeven:X10",
        where="Assumption 2",
        sentence="alpha must not be negative: it is the ratio of the largest eigenvalue of a covariance to a positive "
        "curvature, and with a negative one Eq. 4 lies above 2/eta, where nothing is stable.",
        printed="lambda_K = alpha lambda_H for some alpha in R",
        derived="lambda_K = alpha lambda_H for some alpha >= 0",
        evidence=(
            Counterexample(
                "alpha = -1, eta = psi = c = 1: Eq. 4 says stable up to 3, where even equal curvatures multiply psi^2 "
                "by 4.",
                _negative_ratio,
            ),
        ),
        law="breakeven.ceiling",
    ),
    Erratum(
        id="breakeven:X11",
        where="Section 3, the sentence before Eq. 1",
        sentence="Eq. 1 is necessary and sufficient in one dimension and in mean square only; in more dimensions it is "
        "necessary.",
        printed="the necessary and sufficient condition for SGD to be stable along e_H^1",
        derived="necessary; sufficient where all examples' Hessians have e_H^1 as an eigenvector",
        evidence=(
            Counterexample(
                "Hessians ((2, +-1), (+-1, 1)), S = 1, eta = 1: Eq. 1 holds along (1, 0) with s = 0, and second "
                "moments grow by the golden ratio a step.",
                _stable_along_the_top_direction,
            ),
        ),
        law="breakeven.one_direction_is_necessary",
    ),
    Erratum(
        id="breakeven:X12",
        where="Section 4.1 and Figure 1, learning rates",
        sentence="The learning rates of Figure 1 differ between versions of the paper: 0.01 and 0.001 in the text, 0.1 "
        "and 0.01 in the older caption; neither is to be built in.",
        printed="eta = 0.01 and eta = 0.001",
        derived="two learning rates a factor of 10 apart",
        evidence=(
            Reading(
                "The text of one version and the caption of another name different pairs for the same figure, and the "
                "older text a third (0.2 and 0.02); all are a factor of 10 apart."
            ),
        ),
    ),
    Erratum(
        id="breakeven:X13",
        where="Appendix C, K^M in place of K; Section 4.2, the counter-intuitive effect",
        sentence="K^M estimates K only after multiplication by M and L/(L-1); that a smaller S raises Tr K is true of "
        "K^M at M = S, not of K.",
        printed="the top eigenvalue of K might be similar to that of K^M",
        derived="Tr K = (L/((L-1) f)) E Tr K^M with f = 1/M for batches with replacement",
        evidence=(
            Witness(
                "Gradients 1 and -1, L = M = 2 with replacement: Tr K = 1, and the mean trace over all sixteen pairs "
                "of batches is 1/4.",
                _trace_of_two_batches,
            ),
            Measurement("The trace of K^M against that of K.", "breakeven.gram_trace", "not normalised"),
        ),
        law="breakeven.gram_trace",
    ),
)
