"""Errata of the linearised theory (app A.1, A.2): exact points at which the printed forms fail.

The truth of each witness is found from the loss or its flow by differentiation, or by substitution into the
equation of the rest; nothing is taken from the forms that are compared.
"""

from sympy import (
    Add,
    Basic,
    Eq,
    Expr,
    Float,
    Integer,
    Matrix,
    Rational,
    Symbol,
    diag,
    exp,
    eye,
    log,
    ones,
    symbols,
    zeros,
)  # fmt: skip

ONE, TWO, HALF = Integer(1), Integer(2), Rational(1, 2)


def softmax(logits: Matrix) -> Matrix:
    """Probabilities of a column of logits."""
    parts = logits.applyfunc(exp)
    return parts / sum(parts)


def decay_without_rate() -> tuple[Basic, Basic, Basic]:
    """Rate of one logit under descent on the loss plus decay, eta = 1/2, lam = 3, beta = 1, at Z = (0, 0).

    Two classes, one point with the label (1, 0), logits as parameters, a start at (1, 1): the changes are -1. The
    truth is minus eta times the derivative of the regularised loss, differentiated.
    """
    a, b = symbols("a b", real=True)
    eta, lam = HALF, Integer(3)
    loss = -log(exp(a) / (exp(a) + exp(b))) + lam * ((a - 1) ** 2 + (b - 1) ** 2) / 2
    truth = (-eta * loss.diff(a)).subs({a: 0, b: 0})
    return eta * HALF + lam, eta * (HALF + lam), truth


def start_left_out() -> tuple[Basic, Basic, Basic]:
    """Change of a second logit that is twice the trained one, z(x) = 2 theta from theta = 1 to 4, z(X) = theta.

    The kernels are Theta(x, X) = 2 and Theta(X, X) = 1. The truth is read off the model; eq 13 takes z(X) = 4 for its
    change.
    """
    theta = Symbol("theta")
    trained, other = theta, 2 * theta
    cross, own = other.diff(theta) * trained.diff(theta), trained.diff(theta) ** 2
    end, start = {theta: 4}, {theta: 1}
    printed = cross / own * trained.subs(end)
    derived = cross / own * (trained.subs(end) - trained.subs(start))
    return printed, derived, other.subs(end) - other.subs(start)


def mean_left_out() -> tuple[Basic, Basic, Basic]:
    """First-order term in beta of the first of two probabilities at the logits (beta, 0)."""
    beta = Symbol("beta")
    p = softmax(Matrix([beta, 0]))[0]
    return HALF, HALF * (1 - HALF), p.diff(beta).subs(beta, 0)


def one_beta_left_out() -> tuple[Basic, Basic, Basic]:
    """Second coefficient of z* in 1/lam: one point, two classes, Theta = 1, beta = 2, label (1, 0).

    The rest is z = (x, -x) with x = (beta/lam)(1 - softmax). Along 1/lam its first two coefficients follow from the
    equation itself, differentiated twice.
    """
    s, first, second = symbols("s first second")
    beta = TWO
    x = first * s + second * s**2
    p = exp(beta * x) / (exp(beta * x) + exp(-beta * x))
    equation = x - beta * s * (1 - p)
    one = _root(equation.diff(s).subs(s, 0), first)
    two = _root(equation.diff(s, 2).subs(s, 0).subs(first, one), second)

    def of(correction: Expr) -> Expr:
        """Second coefficient of (beta s)(1 + correction s)^-1 / 2."""
        return (beta * s / (1 + correction * s) * HALF).diff(s, 2).subs(s, 0) / 2

    return of(beta / 2), of(beta**2 / 2), two


def _root(expression: Expr, unknown: Symbol) -> Expr:
    """The root of an expression that is linear in an unknown."""
    slope = expression.diff(unknown)
    return -expression.subs(unknown, 0) / slope


def rest(control: Rational) -> Float:
    """Z = beta z1 at rest for one point and two classes: the root of Z = control (1 - sigmoid(2 Z)), bisected."""
    low, high = Integer(0), control
    for _ in range(200):
        middle = (low + high) / 2
        above = Float(middle, 40) > control / (1 + exp(Float(2 * middle, 40)))
        low, high = (low, middle) if above else (middle, high)
    return Float(low, 15)


def large_ratio_small_logits() -> tuple[bool, bool]:
    """Beta = 10^-3, lam = 10^-5, Theta = 1: beta Theta/lam = 100 is large, and yet beta z1 is below 1/10."""
    beta, lam = Rational(1, 1000), Rational(1, 100000)
    return bool(beta / lam >= 100), bool(rest(beta**2 / lam) >= 1)


def small_ratio_large_logits() -> tuple[bool, bool]:
    """Beta = 10^3, lam = 10^5, Theta = 1: beta Theta/lam = 1/100 is small, and yet beta z1 exceeds 1."""
    beta, lam = Integer(1000), Integer(100000)
    return bool(beta / lam <= Rational(1, 100)), bool(rest(beta**2 / lam) <= Rational(1, 10))


def residual_sum() -> tuple[Basic, Basic, Basic]:
    """Sum over three classes of label minus probability, at Z = (0, log 2, log 3), label (0, 1, 0)."""
    p = softmax(Matrix([0, log(2), log(3)]))
    return ONE, Integer(0), Add(*(Matrix([0, 1, 0]) - p)).simplify()


def two_starts() -> tuple[bool, bool]:
    """The initialisation does matter: one point, two classes, Theta = 1, beta = 1, lam = 1, two starts.

    The rest solves z - z0 = (lam)^-1 (Y - softmax z). For the start z0 = z - (Y - softmax z) any z is at rest, so the
    two places z = (0, 0) and z = (log 3, 0) rest from two starts, and are not the same.
    """
    label = Matrix([1, 0])
    places = [Matrix([0, 0]), Matrix([log(3), 0])]
    starts = [z - (label - softmax(z)) for z in places]
    at_rest = all((z - z0 - (label - softmax(z))).applyfunc(lambda e: e.simplify()) == zeros(2, 1)
                  for z, z0 in zip(places, starts, strict=True))  # fmt: skip
    return at_rest, places[0] == places[1]


def coupled_sum() -> tuple[Basic, Basic, Basic]:
    """What a coupled kernel conserves: Theta = [[2, 1], [1, 3]], one point, residual r = (1/2, -1/2), one unit of time.

    Printed stands for the sum of the logits, which eq 19 conserves; derived for 1^T Theta^-1 z. Each is the rate of
    what is said to be conserved; the truth is 0, the rate of a conserved quantity.
    """
    kernel, r = Matrix([[2, 1], [1, 3]]), Matrix([HALF, -HALF])
    rate = kernel * r
    return Add(*rate), Add(*(kernel.inv() * rate)), Add(*r)


def rate_without_decay() -> tuple[Basic, Basic, Basic]:
    """Rate at which the sum of two logits relaxes: eta = 1/2, beta = 3, lam = 5, Theta = 1, at equal logits.

    The truth is minus the derivative of the flow of the sum along itself.
    """
    a, b, s = symbols("a b s", real=True)
    eta, beta, lam = HALF, Integer(3), Integer(5)
    p = softmax(Matrix([beta * a, beta * b]))
    loss_slope = Matrix([beta * (p[0] - 1), beta * p[1]])
    flow = -eta * (loss_slope + lam * Matrix([a, b]))
    along = Add(*flow).subs({a: s, b: s})
    jacobian = diag(HALF, HALF) - ones(2, 2) / 4
    spectrum = (eta * beta**2 * jacobian).eigenvals()
    printed = min(spectrum)
    derived = min((eta * (beta**2 * jacobian + lam * eye(2))).eigenvals())
    return printed, derived, -along.diff(s) / 2


def order_of_the_jacobian() -> tuple[Basic, Basic, Basic]:
    """Power of beta in sigma_z at rest beside P/K: label (1, 0, 0), Theta = 1, lam fixed, eqs 17 and 24.

    At Z = (beta^2/lam)(Y - 1/K) the deviation of the entry (1, 1) is expanded in beta: the truth is the first power
    whose coefficient does not vanish. Printed is O(beta Theta), derived O(beta z*) = O(beta^2 Theta/lam).
    """
    beta = Symbol("beta")
    z = beta**2 * (Matrix([1, 0, 0]) - ones(3, 1) / 3)
    p = softmax(z)[0]
    deviation = p - p**2
    power = next(k for k in range(1, 5) if deviation.diff(beta, k).subs(beta, 0).simplify() != 0)
    return ONE, TWO, Integer(power)


def exponent_of_the_decay() -> tuple[bool, bool]:
    """A decay that lam << beta^2 e^(+2 beta |z1|) allows, and that no rest has.

    At any rest lam Z = beta^2 Theta/(1 + e^(2 Z)), so lam is below beta^2 Theta e^(-2 Z) / Z. With the plus sign
    lam = 1 is allowed at Z = 5, beta = Theta = 1, where lam Z = 5 and the drive is below 1/20000.
    """
    lam, place = ONE, Integer(5)
    allowed_as_printed = lam < exp(2 * place)
    at_rest = Eq(lam * place, 1 / (1 + exp(2 * place)))
    return bool(allowed_as_printed), bool(at_rest)


def exact_exponent() -> tuple[Basic, Basic, Basic]:
    """Lam at a rest with the gap u = 2 Z = 6 of eq 22, in units of beta^2 Theta: e^(+-2 Z) / Z beside it."""
    place = Integer(3)
    lam = symbols("lam", positive=True)
    truth = _root(lam * place - exp(-2 * place), lam)
    return exp(2 * place) / place, exp(-2 * place) / place, truth


def logits_without_bound() -> tuple[bool, bool]:
    """One point, two classes, Theta = 1: the gap x at two times long after the start, x + e^x = C = 10^3 and 10^6.

    A final size that "tends towards 1" would be the same at both; it grows by ln 1000.
    """
    grown = _gap(Integer(10) ** 6) - _gap(Integer(10) ** 3)
    return bool(abs(grown - log(1000)) < Rational(1, 100)), bool(abs(grown) < Rational(1, 10))


def _gap(clock: Integer) -> Float:
    """The root of x + e^x = clock, by bisection."""
    low, high = Integer(0), clock
    for _ in range(120):
        middle = (low + high) / 2
        above = middle > 100 or Float(middle, 30) + exp(Float(middle, 30)) > clock
        low, high = (low, middle) if above else (middle, high)
    return Float(low, 20)
