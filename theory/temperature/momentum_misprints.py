"""Slips in the paper's appendix B on momentum, each with an exact instance; one form that was doubted and holds."""

from sympy import Eq, Expr, Function, Integer, Rational, Symbol, dsolve, limit, log, oo, solve, sqrt

from theory.errata import Confirmed, Erratum, Measurement, Witness

t = Symbol("t", positive=True)
nu = Function("nu")


def velocity(start: int) -> Expr:
    """The solution of nu' = -nu - 1, lambda = 1 and g = 1, from a given start."""
    return dsolve(Eq(nu(t).diff(t), -nu(t) - 1), nu(t), ics={nu(0): start}).rhs


def saturated(learning_rate: Expr, damping: Expr, gradient: Expr) -> Expr:
    """Length of a step at the velocity that v <- (1 - gamma) v - g leaves as it is."""
    v = Symbol("v")
    (held,) = solve(Eq(v, (1 - damping) * v - gradient), v)
    return abs(learning_rate * held)


def integral_form() -> tuple[Expr, Expr, Expr]:
    """Lambda = 1, g = 1, nu(0) = 1 at tau = ln 2, where exp(-lambda tau) = 1/2 and the integral of g is 1/2."""
    half = Rational(1, 2)
    return 1 + half, half * 1 - half, velocity(1).subs(t, log(2)).simplify()


def sign_of_saturation() -> tuple[Expr, Expr, Expr]:
    """Lambda = 1, g = 1 from rest: nu after a long time."""
    return Integer(1), Integer(-1), limit(velocity(0), t, oo)


def effective_rate() -> tuple[Expr, Expr, Expr]:
    """Eta = 1/4, gamma = 1/2, gradient 1: gamma eta, eta/gamma, and the saturated step."""
    rate, damping = Rational(1, 4), Rational(1, 2)
    return damping * rate, rate / damping, saturated(rate, damping, Integer(1))


def momentum_time() -> tuple[Expr, Expr, Expr]:
    """Eta = 1/4, gamma = 1/10: gamma~^2, gamma~^-2, and T_mom = eta/gamma^2 by its definition."""
    rate, damping = Rational(1, 4), Rational(1, 10)
    scaled = damping / sqrt(rate)
    return scaled**2, scaled**-2, rate / damping**2


def largest_rate() -> tuple[Expr, Expr]:
    """gamma~ = 3: gamma~^-2, and the learning rate at which gamma = gamma~ sqrt(eta) reaches 1."""
    (edge,) = solve(Eq(3 * sqrt(t), 1), t)
    return Integer(3) ** -2, edge


def criterion() -> tuple[Expr, Expr, Expr]:
    """With c = 1/10, |g| = |theta| = 1: the lambda^2 at which lambda tau_c = 1, for tau_c = c lambda |theta|/|g|."""
    share = Rational(1, 10)
    (edge,) = solve(Eq(share * t, 1), t)
    return Integer(1), 1 / share, edge


def place_at_the_start() -> tuple[Expr, Expr, Expr]:
    """theta(0) = 1, g = 1, gamma~ = 1: eq 55 at tau = 0, the same added to theta(0), and the start."""
    tau, start = Integer(0), Integer(1)
    terms = -(tau**2) / 2 + tau**3 / 6
    return terms, start + terms, start


def change_of_the_loss() -> tuple[Expr, Expr, Expr]:
    """L = 3 theta: the change of the loss in a step of eta = 1, as eq 58 has it (beta l g = 3) and with its sign."""
    slope, rate = Integer(3), Integer(1)
    theta = Integer(5)
    return rate * slope**2, -rate * slope**2, slope * (theta - rate * slope) - slope * theta


def saturated_step_of_scheme_one() -> tuple[Expr, Expr, Expr]:
    """eta~ = 1/4, gamma~ = 1, beta = 2, l g = 1: eq 69 with eta^ = eta beta, with eta~, and the step itself."""
    effective, beta = Rational(1, 4), Integer(2)
    rate, damping = effective / beta**2, sqrt(effective)
    return sqrt(rate * beta) / beta, sqrt(effective) / beta, saturated(rate, damping, beta)


def saturated_step_of_scheme_two() -> tuple[Expr, Expr, Expr]:
    """eta^ = 1/4, gamma~ = 1, l g = 1: the step at beta = 4 if it were that at beta = 1, derived, and itself."""
    hat = Rational(1, 4)

    def step(beta: Integer) -> Expr:
        rate = hat / beta
        return saturated(rate, beta * sqrt(rate), beta)

    return step(Integer(1)), sqrt(hat / 4), step(Integer(4))


def damping_of_scheme_two() -> tuple[Expr, Expr, Expr]:
    """eta^ = 1/4, gamma~ = 1, beta = 4: sqrt(eta^) gamma~, sqrt(eta~) gamma~, and gamma = beta sqrt(eta) gamma~."""
    hat, beta = Rational(1, 4), Integer(4)
    rate = hat / beta
    return sqrt(hat), sqrt(rate * beta**2), beta * sqrt(rate)


ERRATA = (
    Erratum(
        id="temperature:E28",
        where="eq 50",
        sentence="The initial velocity decays and the gradient enters with a minus sign.",
        printed="nu(tau) = nu(0) + int_0^tau exp(-lambda (tau - s)) g(s) ds",
        derived="nu(tau) = exp(-lambda tau) nu(0) - int_0^tau exp(-lambda (tau - s)) g(s) ds",
        evidence=(
            Witness("lambda = g = nu(0) = 1 at tau = ln 2, against the solution of eq 46", integral_form),
            Measurement("displacement of logits with the printed sign", "temperature.momentum_early", "other sign"),
        ),
        law="temperature.momentum_early",
    ),
    Erratum(
        id="temperature:E29",
        where="eqs 51 and 52 and the text before",
        sentence="Saturated velocity, and both limits of the motion, lack a minus sign: momentum runs downhill.",
        printed="nu ~ g/lambda; d theta/d tau ~ g/lambda; d theta/d tau ~ int g",
        derived="nu ~ -g/lambda; d theta/d tau ~ -g/lambda; d theta/d tau ~ -int g",
        evidence=(
            Witness("lambda = g = 1 from rest, after a long time", sign_of_saturation),
            Measurement("displacement of logits with the printed sign", "temperature.momentum_early", "other sign"),
        ),
        law="temperature.momentum_early",
    ),
    Erratum(
        id="temperature:E30",
        where="after eq 51",
        sentence="sqrt(eta)/lambda is eta/gamma, and it is the effective learning rate, not a timescale.",
        printed="timescale sqrt(eta)/lambda = gamma eta",
        derived="effective learning rate sqrt(eta)/lambda = eta/gamma, the step per unit of -g",
        evidence=(
            Witness("saturated step at eta = 1/4, gamma = 1/2", effective_rate),
            Measurement("real steps at saturation", "temperature.momentum_saturated_step", "gamma eta"),
        ),
        law="temperature.momentum_saturated_step",
    ),
    Erratum(
        id="temperature:E31",
        where="before eq 53",
        sentence="T_mom is the inverse of what is printed.",
        printed="T_mom = gamma~^2",
        derived="T_mom = eta/gamma^2 = gamma~^-2",
        evidence=(
            Witness("eta = 1/4, gamma = 1/10", momentum_time),
            Measurement("the first step from rest", "temperature.momentum_timescale", "its inverse"),
        ),
        law="temperature.momentum_timescale",
    ),
    Erratum(
        id="temperature:E32",
        where="app B.4",
        sentence="The restriction eta < gamma~^-2 was doubted, checked, and is right as printed.",
        printed="eta < gamma~^-2",
        derived="holds as printed, since gamma = gamma~ sqrt(eta) < 1; in the first scheme it reads eta~ < gamma~^-2",
        evidence=(Confirmed("the learning rate at which gamma reaches 1, for gamma~ = 3", largest_rate),),
        law="temperature.momentum_canonical",
    ),
    Erratum(
        id="temperature:E33",
        where="app B.3",
        sentence="The share c of eq 56 is lost from the criterion for dynamics like plain descent.",
        printed="gamma^2/eta >> |g|/|theta|",
        derived="gamma^2/eta >> |g|/(c |theta|); on a curvature h exactly gamma^2/eta > 4 h",
        evidence=(Witness("eq 57 put into lambda tau_c = 1 for c = 1/10", criterion),),
        law="temperature.momentum_canonical",
    ),
    Erratum(
        id="temperature:E34",
        where="eqs 55 and 58",
        sentence="Eq 55 is the displacement theta(tau) - theta(0), and eq 58 the size of a loss that falls.",
        printed="theta(tau) = -g tau^2/2 + ...; Delta L ~ eta beta^2 l^2 g^2",
        derived="theta(tau) - theta(0) = -g tau^2/2 + ...; Delta L ~ -eta beta^2 l^2 g^2",
        evidence=(
            Witness("eq 55 at tau = 0 from theta(0) = 1", place_at_the_start),
            Witness("one step on L = 3 theta", change_of_the_loss),
        ),
        law="temperature.momentum_early",
    ),
    Erratum(
        id="temperature:E35",
        where="eq 69",
        sentence="The saturated step of the first scheme has sqrt(eta~), not sqrt(eta^).",
        printed="Delta theta = |g| sqrt(eta^)/(gamma~ beta)",
        derived="Delta theta = l g sqrt(eta~)/(gamma~ beta)",
        evidence=(Witness("eta~ = 1/4, gamma~ = 1, beta = 2", saturated_step_of_scheme_one),),
        law="temperature.momentum_saturated_step",
    ),
    Erratum(
        id="temperature:E36",
        where="eq 70 and the scheme after it",
        sentence="Eq 70 uses the older gamma = gamma~ sqrt(eta); with the scheme's own gamma no beta is left in it.",
        printed="Delta theta ~ (sqrt(eta)/gamma~) beta l g, so eta = eta^/beta keeps it invariant",
        derived="Delta theta = (sqrt(eta)/gamma~) l g with gamma = beta sqrt(eta) gamma~: ~ beta^(-1/2) at eta^/beta",
        evidence=(
            Witness("steps at beta = 1 and beta = 4 for eta^ = 1/4", saturated_step_of_scheme_two),
            Measurement("saturated steps over two decades", "temperature.momentum_second_scheme", "invariant"),
        ),
        law="temperature.momentum_second_scheme",
    ),
    Erratum(
        id="temperature:E37",
        where="second scheme, its damping",
        sentence="The first of two equal forms of gamma has eta^ in place of eta~.",
        printed="gamma = beta sqrt(eta) gamma~ = sqrt(eta^) gamma~ = beta^(1/2) sqrt(eta^) gamma~",
        derived="gamma = beta sqrt(eta) gamma~ = sqrt(eta~) gamma~ = beta^(1/2) sqrt(eta^) gamma~",
        evidence=(Witness("eta^ = 1/4, gamma~ = 1, beta = 4", damping_of_scheme_two),),
        law="temperature.momentum_second_scheme",
    ),
)
