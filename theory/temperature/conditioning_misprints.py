"""Slips in the paper's appendix A.3 on conditioning, each with an exact instance."""

from sympy import Expr, Integer, Matrix, Rational, Symbol, diag, exp, limit, log, oo

from theory.errata import Counterexample, Erratum, Measurement, Reading, Witness


def eigenvalues(matrix: Matrix) -> list[Expr]:
    """All eigenvalues, ascending, each as often as it occurs."""
    return sorted(value for value, times in matrix.eigenvals().items() for _ in range(times))


def condition(matrix: Matrix) -> Expr:
    """Largest over smallest eigenvalue, exact zeros left out."""
    found = [value for value in eigenvalues(matrix) if value != 0]
    return found[-1] / found[0]


def laplacian(shares: list[Expr]) -> Matrix:
    """diag(p) - p p^T."""
    column = Matrix(shares)
    return diag(*shares) - column * column.T


def middle_of_eq_28() -> tuple[Expr, Expr, Expr]:
    """The middle of eq 28, as printed and with its places changed, beside kappa(B)/kappa(A), for diagonal matrices."""
    a, b = diag(1, 2), diag(1, 3)
    of_a, of_b = eigenvalues(a), eigenvalues(b)
    printed = of_a[-1] * of_b[0] / (of_a[0] * of_b[-1])
    derived = of_a[0] * of_b[-1] / (of_a[-1] * of_b[0])
    return printed, derived, condition(b) / condition(a)


def triangular_product() -> tuple[bool, bool]:
    """U = [[1, 1], [0, 1]] and L = U^T: both have eigenvalues 1 only, so eq 26 gives kappa(U L) <= 1."""
    upper, lower = Matrix([[1, 1], [0, 1]]), Matrix([[1, 0], [1, 1]])
    alone = condition(upper) == condition(lower) == 1
    return alone, bool(condition(upper * lower) <= condition(upper) * condition(lower))


def triangular_inverse() -> tuple[bool, bool]:
    """A = U^-1 and B = U L have the product L: eq 26 gives kappa(L) >= kappa(B), which is above 1."""
    upper, lower = Matrix([[1, 1], [0, 1]]), Matrix([[1, 0], [1, 1]])
    a, b = upper.inv(), upper * lower
    return condition(a) == 1, bool(condition(a * b) >= condition(b) / condition(a))


def singular_jacobian() -> tuple[bool, bool]:
    """Shares (1/2, 1/3, 1/6): a positive softmax, for which eqs 30 and 37 need a smallest eigenvalue above 0."""
    shares = [Rational(1, 2), Rational(1, 3), Rational(1, 6)]
    return sum(shares) == 1 and min(shares) > 0, bool(eigenvalues(laplacian(shares))[0] > 0)


def second_eigenvalue() -> tuple[Expr, Expr, Expr]:
    """Two classes with exp(-beta (z_1 - z_2)) = 1/10: eq 35, zero, and the smaller eigenvalue itself."""
    ratio = Rational(1, 10)
    shares = [1 / (1 + ratio), ratio / (1 + ratio)]
    return -(ratio**2) / 2, Integer(0), eigenvalues(laplacian(shares))[0]


def product_of_eigenvalues() -> tuple[Expr, Expr, Expr]:
    """Three classes with shares as 1 : x : x^2: product of the nonzero eigenvalues over x^3 as x falls to 0.

    It is the sum of the principal minors of size two; eqs 34 and 36 give 2 times 1, the prefactors i/(i-1) 2 times 3/2.
    """
    x = Symbol("x", positive=True)
    total = 1 + x + x**2
    matrix = laplacian([1 / total, x / total, x**2 / total])
    minors = [matrix.extract([i, j], [i, j]).det() for i, j in ((0, 1), (0, 2), (1, 2))]
    truth = limit(sum(minors, Integer(0)).together() / x**3, x, 0)
    return Integer(2) * 1, 2 * Rational(3, 2), truth


def order_of_exponentials() -> tuple[bool, bool]:
    """Logits 3 > 2 > 1 at beta = 1: the printed condition wants exp(z_1 - z_2) above exp(z_1 - z_3)."""
    first, second, third = Integer(3), Integer(2), Integer(1)
    return first > second > third, bool(exp(first - second) > exp(first - third))


def isotropic_block() -> tuple[Expr, Expr, Expr]:
    """Shares (9/10, 1/20, 1/20), as at the fixed point of an isotropic kernel.

    The growth exp(beta (z_1 - z_2)) = p_1/p_2 as printed, K p_1, and the ratio of the nonzero eigenvalues.
    """
    shares = [Rational(9, 10), Rational(1, 20), Rational(1, 20)]
    return shares[0] / shares[1], 3 * shares[0], condition(laplacian(shares))


def scale_of_entries() -> tuple[Expr, Expr, Expr]:
    """Two classes with z = (1, -1): the rate at which the logarithm of an entry falls with beta."""
    beta = Symbol("beta", positive=True)
    entry = 1 / ((1 + exp(-2 * beta)) * (1 + exp(2 * beta)))
    return Integer(-1), Integer(-2), limit(log(entry) / beta, beta, oo)


ERRATA = (
    Erratum(
        id="temperature:E15",
        where="eq 28",
        sentence="The middle of the bound has its places changed: as printed it is kappa(A)/kappa(B).",
        printed="kappa(M) >= lambda_A,max lambda_B,min / (lambda_A,min lambda_B,max)",
        derived="kappa(M) >= lambda_A,min lambda_B,max / (lambda_A,max lambda_B,min) = kappa(B)/kappa(A)",
        evidence=(
            Witness("A = diag(1, 2), B = diag(1, 3)", middle_of_eq_28),
            Measurement("the inverted bound on random matrices", "temperature.condition_number_lower", "inverted"),
        ),
        law="temperature.condition_number_lower",
    ),
    Erratum(
        id="temperature:E16",
        where="app A.3, the lemma (eqs 26-27)",
        sentence="The lemma needs A symmetric positive definite and B symmetric positive semidefinite.",
        printed="M = A B a product of two matrices; the proof bounds |A v|/|v|",
        derived="A symmetric positive definite, B symmetric positive semidefinite; quotient <w, A w>/<w, B^+ w>",
        evidence=(
            Counterexample("triangular factors with all eigenvalues 1 break the upper bound", triangular_product),
            Counterexample("U^-1 and U L break the lower bound", triangular_inverse),
            Measurement("triangular factors", "temperature.condition_number_upper", "triangular"),
        ),
        law="temperature.condition_number_upper",
    ),
    Erratum(
        id="temperature:E17",
        where="eqs 30 and 37",
        sentence="The softmax Jacobian has an exact zero eigenvalue, so its condition number is infinite as defined.",
        printed="kappa = lambda_max/lambda_min of sigma_z and of H",
        derived="kappa+ = largest over smallest nonzero eigenvalue; the lemma holds for it word by word",
        evidence=(Counterexample("shares (1/2, 1/3, 1/6)", singular_jacobian),),
        law="temperature.small_logit_conditioning",
    ),
    Erratum(
        id="temperature:E18",
        where="app A.3.2",
        sentence="The softmax returns 0 or 1 at low temperature, not at large.",
        printed="at large temperature the softmax returns either 0 or 1",
        derived="at low temperature (large beta) the softmax returns either 0 or 1",
        evidence=(Reading("beta is an inverse temperature, and the sentence stands in the section on large beta |z|"),),
    ),
    Erratum(
        id="temperature:E19",
        where="eq 32",
        sentence="Eq 32 holds for i, j other than 1; the condition i != j would leave no use for its delta.",
        printed="(sigma_z)_ij = delta_ij exp(-beta (z_1 - z_i)) - exp(-beta (2 z_1 - z_i - z_j)) for i != j",
        derived="the same for i, j != 1, to first order: what is neglected is as large as its second term",
        evidence=(
            Reading("a Kronecker delta is zero throughout the printed range; eqs 31 and 33 give row and column 1"),
        ),
    ),
    Erratum(
        id="temperature:E20",
        where="eq 35",
        sentence="The second eigenvalue is exactly 0, with all classes alike: a Laplacian has no negative one.",
        printed="lambda_2 = -(1/2) exp(-2 beta (z_1 - z_2)), v_2 = (1, 1)/sqrt 2",
        derived="lambda = 0, v = (1, ..., 1)/sqrt K",
        evidence=(
            Witness("two classes with the ratio 1/10", second_eigenvalue),
            Measurement("row sums of the size of eq 35", "temperature.softmax_jacobian_null", "minus half a square"),
        ),
        law="temperature.softmax_jacobian_null",
    ),
    Erratum(
        id="temperature:E21",
        where="eq 36 (and 34)",
        sentence="The eigenvalues of frozen classes lack the factor i/(i - 1), and their vectors the classes above.",
        printed="lambda_i = exp(-beta (z_1 - z_i)), v_i = e_i + exp(-beta (z_2 - z_i)) e_1 for i > 2",
        derived="lambda_i -> (i/(i - 1)) exp(-beta (z_1 - z_i)), v_i ~ e_i - mean of e_1..e_(i-1), for all i >= 2",
        evidence=(
            Witness("product of the nonzero eigenvalues for three classes", product_of_eigenvalues),
            Measurement("eigenvalue over share with 80 digits", "temperature.frozen_eigenvalues", "one"),
        ),
        law="temperature.frozen_eigenvalues",
    ),
    Erratum(
        id="temperature:E22",
        where="app A.3.2, after eq 36",
        sentence="The condition of validity is reversed, and the two that are given for beta and K disagree.",
        printed="exp(beta (z_1 - z_i)) >> exp(beta (z_1 - z_(i+1))); beta/K >> 1 and sqrt(beta) >> sqrt(ln K)",
        derived="exp(-beta (z_1 - z_i)) >> exp(-beta (z_1 - z_(i+1))); unit Gaussian logits freeze at sqrt(2 ln K)",
        evidence=(Counterexample("logits 3, 2, 1 at beta = 1", order_of_exponentials),),
        law="temperature.frozen_eigenvalues",
    ),
    Erratum(
        id="temperature:E23",
        where="eq 37",
        sentence="The condition number grows with the spread of gaps over points; at fixed points it need not grow.",
        printed="kappa(H) >= exp(O(beta |z_1|))/kappa(Theta), always exponentially large in beta",
        derived="kappa+ ~ exp(beta (max (z_1 - z_K) - min (z_1 - z_2))); K p_1 <= K at an isotropic fixed point",
        evidence=(
            Witness("three classes at the fixed point of an isotropic kernel", isotropic_block),
            Measurement("the ratio of shares at fixed points", "temperature.isotropic_conditioning", "as frozen"),
            Measurement("half the spread at random logits", "temperature.conditioning_growth", "half"),
        ),
        law="temperature.isotropic_conditioning",
    ),
    Erratum(
        id="temperature:E24",
        where="app A.3.2",
        sentence="Entries fall with the gap between the two largest logits, which is 2 |z_1| for two classes.",
        printed="entries of sigma_z scale as exp(-beta |z_1|)",
        derived="entries of sigma_z scale as exp(-beta (z_1 - z_2))",
        evidence=(Witness("two classes with z = (1, -1)", scale_of_entries),),
        law="temperature.frozen_eigenvalues",
    ),
)
