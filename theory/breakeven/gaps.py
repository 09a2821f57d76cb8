"""Claims of the paper that do not follow (breakeven:G1-G4, G6, G9), each with an exact instance.

The numbers of G1, G2 and G6, and those of X8 in ``theory.breakeven.uncoupled``, are the check breakeven:V5.
"""

from itertools import pairwise, product

from sympy import Expr, Integer, Matrix, Rational, hessian, sqrt, symbols

from theory.breakeven import enumeration
from theory.breakeven.uncoupled import Point, growth_at, obeys, rising
from theory.errata import Counterexample, Erratum, Measurement

RATE = Rational(1, 10)


def excursion() -> list[Point]:
    """A path that breaks even twice: at 18.7, then, farther from the minimum, just below 20.

    At the first one the curvature stays, and as the distance falls further the point turns unstable; then the
    distance grows eightfold while the curvature falls, as assumption 3 says, and both turn round again.

    Examples
    --------
    >>> [round(float(curvature), 1) for curvature, _ in excursion()]
    [1.0, 18.7, 18.7, 18.0, 20.0]
    """
    first = rising(RATE, Integer(10), Rational(877, 1000), 1)
    beyond = (first[-1][0], first[-1][1] - Rational(1, 1000))
    second = Integer(7)
    return [*first, beyond, (Integer(18), second + 1), (2 / RATE - 1 / second**2, second)]


def _later_break_even_is_sharper() -> tuple[bool, bool]:
    path = excursion()
    crossings = [point for point in path if growth_at(point, RATE) == 1]
    allowed = obeys(path, RATE) and len(crossings) == 2
    return allowed, all(bool(point[0] <= crossings[0][0]) for point in path[path.index(crossings[0]) :])


def first_unstable(rate: Rational, stride: Rational) -> Rational:
    """First curvature on 1, 1 + stride, ... at which a full-batch step lets the distance grow.

    Examples
    --------
    >>> first_unstable(Rational(1, 5), Integer(4)), first_unstable(Rational(19, 100), Integer(1))
    (13, 11)
    """
    curvature = Integer(1)
    while enumeration.growth([curvature, curvature], 2, rate) <= 1:
        curvature += stride
    return curvature


def _strides() -> tuple[bool, bool]:
    rates = (Rational(1, 5), Rational(19, 100))
    found = (first_unstable(rates[0], Integer(4)), first_unstable(rates[1], Integer(1)))
    return bool(rates[0] > rates[1]), bool(found[0] <= found[1])


def _additive_noise() -> tuple[bool, bool]:
    """Minima -1 and 1 of equal curvature 1 at eta = 1, psi = 1/2: (3) fails; whether the mean square grows."""
    minima, rate, start = [Integer(-1), Integer(1)], Integer(1), Rational(1, 2)
    gradients = [start - minimum for minimum in minima]
    left = (1 - rate) ** 2 + rate**2 * enumeration.variance(gradients) / start**2
    means = []
    for steps in range(1, 6):
        ends = []
        for visited in product(minima, repeat=steps):
            place: Expr = start
            for minimum in visited:
                place -= rate * (place - minimum)
            ends.append(place**2)
        means.append(enumeration.mean(ends))
    return bool(left > 1), any(bool(later > earlier) for earlier, later in pairwise(means))


def _lower_edge() -> tuple[bool, bool]:
    """Curvatures lam -+ 2 at eta = 2/5, lam growing from 1/2: the first time that Eq. 1 is an equality."""
    rate, spread = Rational(2, 5), Integer(2)
    growth = lambda mean: enumeration.growth([mean - spread, mean + spread], 1, rate)  # noqa: E731
    equal = [mean for mean in (Rational(step, 2) for step in range(1, 11)) if growth(mean) == 1]
    return equal[:1] == [1] and len(equal) == 2, bool(growth(equal[0] + Rational(1, 2)) > 1)


def _smaller_eigenvalue_larger_distance() -> tuple[bool, bool]:
    """K = diag(2, 0) against diag(3/2, 3/2), as covariances of four gradients each; distances at S = 1."""
    wide = [(2, 0), (-2, 0), (0, 0), (0, 0)]
    round_ = [(sqrt(3), 0), (-sqrt(3), 0), (0, sqrt(3)), (0, -sqrt(3))]

    def covariance(gradients: list) -> Matrix:
        return sum((Matrix(one) * Matrix(one).T for one in gradients), Matrix.zeros(2, 2)) / len(gradients)

    def distance(gradients: list) -> Expr:
        return enumeration.mean([a**2 + b**2 for a, b in gradients])

    tops = [max(covariance(gradients).eigenvals()) for gradients in (wide, round_)]
    exact = [covariance(gradients) for gradients in (wide, round_)]
    as_said = exact == [Matrix([[2, 0], [0, 0]]), Matrix([[Rational(3, 2), 0], [0, Rational(3, 2)]])]
    return bool(as_said and tops[1] < tops[0]), bool(distance(round_) < distance(wide))


def _smallest_eigenvalue_of_a_hessian() -> tuple[bool, bool]:
    """The Hessian of x^2/2 - y^2: whether smallest over largest is a number between 0 and 1."""
    x, y = symbols("x y")
    values = list(hessian(x**2 / 2 - y**2, (x, y)).eigenvals())
    return all(value != 0 for value in values), bool(0 < min(values) / max(values) <= 1)


ERRATA = (
    Erratum(
        id="breakeven:G1",
        where="Section 3, the last paragraph before the conjectures",
        sentence="That SGD enters no region sharper than the break-even point does not follow: an instability moves it "
        "away from the minimum, where the threshold is higher; only 2/eta bounds it.",
        printed="after the break-even point lambda_H and lambda_K never exceed their values there",
        derived="every later break-even curvature is at most 2/eta",
        evidence=(
            Counterexample(
                "eta = 1/10, c = alpha = 1: a path that obeys Assumptions 1-4 breaks even at 18.7 and, eight times "
                "farther from the minimum, again at 20.0.",
                _later_break_even_is_sharper,
            ),
            Measurement(
                "First stable curvatures after the distance has doubled, against the first unstable ones.",
                "breakeven.theorem_2",
                "farther on the way down",
            ),
        ),
        law="breakeven.edge_rises_with_distance",
    ),
    Erratum(
        id="breakeven:G2",
        where="Theorem 1, Appendix B",
        sentence="In discrete time the first unstable curvature lies up to one step beyond the root, so the order is "
        "guaranteed only if the roots are farther apart than the step.",
        printed="the curvature at which training becomes unstable is smaller for a larger eta",
        derived="so it is if the roots differ by at least a step of the curvature",
        evidence=(
            Counterexample(
                "S = N: eta = 0.2 in steps of 4 is first unstable at 13, eta = 0.19 in steps of 1 at 11.", _strides
            ),
        ),
        law="breakeven.theorem_1",
    ),
    Erratum(
        id="breakeven:G3",
        where="Inequality (3) and Eq. 4, Appendix B",
        sentence="The closure takes all gradient variance for multiplicative noise: near the minimum the threshold "
        "would be minus infinity, while additive noise only keeps SGD at a floor.",
        printed="training is unstable where (1 - eta lam)^2 + c eta^2 Var[g_i]/psi^2 > 1",
        derived="there the next step moves SGD away from the minimum on average; with Var g = s^2 psi^2 + sigma^2 it "
        "is unstable only if (1 - eta lam)^2 + c eta^2 s^2 > 1",
        evidence=(
            Counterexample(
                "Equal curvatures 1 with minima -1 and 1, S = 1, eta = 1: at psi = 1/2 the left side of (3) is 4, and "
                "the mean square is 1 after every step.",
                _additive_noise,
            ),
        ),
        law="breakeven.stationary_distance",
    ),
    Erratum(
        id="breakeven:G4",
        where="Section 3, the definition of the break-even point",
        sentence="'The first time that the left side of Eq. 1 is 1' is ambiguous: at a fixed spread it is 1 at a lower "
        "edge too, where training turns stable.",
        printed="the break-even point is where the LHS of Eq. 1 becomes equal to 1 for the first time",
        derived="the break-even point is where the LHS of Eq. 1 first exceeds 1, coming from below",
        evidence=(
            Counterexample(
                "Curvatures lam - 2 and lam + 2, S = 1, eta = 2/5, lam growing from 1/2: the left side is 1 at 1, "
                "where training becomes stable, and again at 4.",
                _lower_edge,
            ),
        ),
        law="breakeven.curvature_edge_fixed_variance",
    ),
    Erratum(
        id="breakeven:G6",
        where="Section 3, after Conjecture 1",
        sentence="A smaller lambda_K alone does not bring mini-batch gradients closer to the full one: their mean "
        "squared distance is c Tr K, of which lambda_K gives bounds only.",
        printed="reducing lambda_K reduces the L2 distance between the full-batch and the mini-batch gradient",
        derived="reducing Tr K does; c lambda_K <= E |g_B - g|^2 <= c min(D, N - 1) lambda_K",
        evidence=(
            Counterexample(
                "From K = diag(2, 0) to diag(3/2, 3/2) lambda_K falls from 2 to 3/2, and the mean squared distance "
                "rises from 2 c to 3 c.",
                _smaller_eigenvalue_larger_distance,
            ),
            Measurement(
                "The trace of a covariance against its largest eigenvalue.", "breakeven.trace_bound", "top alone"
            ),
        ),
        law="breakeven.trace_noise",
    ),
    Erratum(
        id="breakeven:G9",
        where="Conjecture 2, lambda_H^*",
        sentence="The smallest non-zero eigenvalue of a Hessian measures no conditioning: a Hessian is indefinite, so "
        "the ratio may be negative or of any size.",
        printed="lambda_H^*/lambda_H^1 with lambda_H^* the smallest non-zero eigenvalue of H",
        derived="a ratio of sizes above a tolerance, or none",
        evidence=(
            Counterexample(
                "The loss x^2/2 - y^2 has the eigenvalues 1 and -2: the ratio is -2.", _smallest_eigenvalue_of_a_hessian
            ),
        ),
    ),
)
