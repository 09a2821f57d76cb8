"""Gaps and slips of the paper's theory: vanishing logits (width:G2), an expansion (G7), hypotheses on the activation
(G8), joint and single probabilities (G11), almost sure orders (G12), notation (G15), a second derivative (G17).
"""

from itertools import product

from sympy import Expr, Integer, Rational, S, Symbol, binomial, diff, exp, expand, limit, log, oo, pi, sin, sqrt

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.errata import Counterexample, Erratum, Measurement, Reading, Witness
from theory.growth import Bounded
from theory.law import Law, Rival, Status
from theory.orders import UNIT, Order, Parts, Regime
from theory.width.meanings import RULES, quantities, source

STEPS = 12
LABELS = (-1, 1)


def _vanishing_logits() -> tuple[bool, bool]:
    """At q_sigma = -2, q = 0: whether no step ever meets y f_infinity < 0, and whether the point lies in the band.

    Orders of the logits at every step are read off the update rule, which stops changing after the first step.
    """
    from theory.width.exponents import GRADIENT_DESCENT, opened

    at: dict = {w.q_sigma: Integer(-2), w.q_a: Integer(0), w.q_w: Integer(0)}
    logits = opened(w.LOGITS.body)
    orders = [GRADIENT_DESCENT.after(k, at).order(logits).expression() for k in range(STEPS)]
    limits = [limit(Symbol("d", positive=True) ** order, Symbol("d", positive=True), oo) for order in orders]
    never = all(not bool(y * f < 0) for y, f in product(LABELS, limits))
    size = at[w.q_sigma] + at[w.q_a]
    return never, bool(-S.Half <= size <= 0)


def _mixed_coefficient() -> tuple[Expr, Expr, Expr]:
    """Coefficient of Da Dw^2 in (a + Da) phi(w + Dw), phi(z) = z^3 + z^2, at w = 1: 1/j!, 1/(j-1)!, the expansion.

    Terms of j factors have j - 1 of them in w: here j = 3.
    """
    a, z, by_a, by_w = (Symbol(name) for name in ("a", "z", "Da", "Dw"))
    phi = z**3 + z**2
    whole = expand((a + by_a) * phi.subs(z, 1 + by_w))
    curvature = diff(phi, z, 2).subs(z, 1)
    return curvature / 6, curvature / 2, whole.coeff(by_a, 1).coeff(by_w, 2)


def _linear_growth_steep_slope() -> tuple[bool, bool]:
    """phi(z) = 2 z + sin z^2 is analytic with phi / z -> 2 at both infinities; its slope at z = sqrt(2 pi n)."""
    z, n = Symbol("z", real=True), Symbol("n", positive=True, integer=True)
    phi = 2 * z + sin(z**2)
    linear = all(limit(phi / z, z, end) == 2 for end in (oo, -oo))
    slope = diff(phi, z).subs(z, sqrt(2 * pi * n))
    return linear, limit(slope, n, oo) is not oo


def _one_step(weights: tuple[Expr, Expr, Expr], point: int, label: int) -> tuple[Expr, Expr, Expr]:
    """One exact gradient step of f(x) = a (w1 x1 + w2 x2) on a unit vector: rates 1/4 for a, 2 for w."""
    a, inner = weights[0], weights[1 + point]
    gradient = -label / (1 + exp(label * a * inner))
    moved = [weights[1], weights[2]]
    moved[point] = inner - 2 * gradient * a
    return a - Rational(1, 4) * gradient * inner, moved[0], moved[1]


def _never_twice() -> tuple[bool, bool]:
    """Two orthogonal points, drawn with chance 1/2 each: chances of a mistake at either step, and at both.

    The first point starts wrong, the second right; a step on the first mends it and leaves the second right.
    """
    start, labels = (Integer(1), Integer(1), Integer(1)), (-1, 1)

    def wrong(weights: tuple[Expr, Expr, Expr], point: int) -> bool:
        return bool((labels[point] * weights[0] * weights[1 + point]).evalf(40) < 0)

    runs = [(wrong(start, first), wrong(_one_step(start, first, labels[first]), second))
            for first, second in product((0, 1), repeat=2)]  # fmt: skip
    each = all(any(run[step] for run in runs) for step in (0, 1))
    return each, any(all(run) for run in runs)


def _returns_to_zero() -> tuple[bool, bool]:
    """Sums of d symmetric signs: variance d at every d, and the chance to be nonzero from some d on.

    Of all paths of 2 n signs a share binomial(2 n, n) / 4^n never returns to zero: counted for small n, and its limit.
    """
    n = Symbol("n", positive=True, integer=True)
    never = binomial(2 * n, n) / 4**n
    for half in (1, 2, 3, 4):
        paths = list(product(LABELS, repeat=2 * half))
        free = sum(all(sum(path[:k]) for k in range(1, 2 * half + 1)) for path in paths)
        if Rational(free, len(paths)) != never.subs(n, half):
            return False, True
    spread = all(Rational(sum(sum(path) ** 2 for path in product(LABELS, repeat=d)), 2**d) == d for d in range(1, 8))
    bound = never * sqrt(pi * n)  # increases to 1, so never <= 1 / sqrt(pi n)
    vanishing = limit(1 / sqrt(pi * n), n, oo) == 0 and all(bound.subs(n, k) < 1 for k in (1, 10, 100))
    return spread, not vanishing


def _sign_of_the_step() -> tuple[Expr, Expr, Expr]:
    """Step of an output weight in hat units from the step in original units: sigma = 2, rate 3, a = 1, y = 1, f = a."""
    sigma, rate, a = Integer(2), Integer(3), Symbol("a")
    loss = log(1 + exp(-a))
    slope = diff(loss, a).subs(a, 0)
    truth = -rate * slope / sigma
    in_hat_units = (rate / sigma**2) * (sigma * slope)
    return in_hat_units, -in_hat_units, truth


def _local_curvature() -> tuple[Expr, Expr, Expr]:
    """Order of E phi''(d^(1/2) u), u uniform on [-1, 1], phi(z) = sqrt(1 + z^2): plain, derived, exact."""
    d, z = Symbol("d", positive=True), Symbol("z", real=True)
    spread = sqrt(d)
    slope = diff(sqrt(1 + z**2), z)
    mean = (slope.subs(z, spread) - slope.subs(z, -spread)) / (2 * spread)
    plain = Bounded().value(Parts(even=Order.of(S.Half)), Regime()).even | Order()
    truth = limit(d * diff(mean, d) / mean, d, oo)
    return (plain | UNIT).expression(), -S.Half, truth


ERRATA = (
    Erratum(
        id="width:G2",
        where="Conditions 1 and 2, and Proposition 1",
        sentence=(
            "Where logits vanish in the limit, y f_infinity < 0 never holds: Condition 2 then asks nothing, and does "
            "not exclude (q_sigma, q) = (-2, 0), outside the band; take the sign of the finite network's logit instead."
        ),
        printed="y f_infinity < 0",
        derived="y f_d < 0 at every width d, or the sign of the normalised logit d^-(2 q_sigma + q + 1) f_d",
        evidence=(
            Counterexample(
                "q_sigma = -2, q = 0: logits at every step vanish, so no sample is ever misclassified in the limit and "
                "Condition 2 holds; q_sigma + q = -2.",
                _vanishing_logits,
            ),
        ),
        law="width.band",
    ),
    Erratum(
        id="width:G7",
        where="SM A.1, equation 37",
        sentence="The term with Delta a and j - 1 factors Delta w has the coefficient 1/(j - 1)!, printed 1/j!.",
        printed="1/j! in the second sum of the expansion of Delta f",
        derived="1/(j - 1)!, since f is linear in a; the same for j = 1, and no exponent changes",
        evidence=(Witness("phi(z) = z^3 + z^2, j = 3: the coefficient of Da Dw^2.", _mixed_coefficient),),
        law="width.first_change",
    ),
    Erratum(
        id="width:G8",
        where="Section 2 and the proof of Lemma 1, statement 5",
        sentence=(
            "Analytic and asymptotically linear does not make the slope bounded, which the proof uses: assume phi' "
            "bounded, and linear growth at both infinities."
        ),
        printed="phi analytic and phi(z) = Theta(z), hence phi'(w.x) = O(1)",
        derived="phi' bounded, as a hypothesis of its own",
        evidence=(
            Counterexample(
                "phi(z) = 2 z + sin z^2: phi / z tends to 2 at both ends, its slope has no bound.",
                _linear_growth_steep_slope,
            ),
        ),
        law="width.increment_by_input",
    ),
    Erratum(
        id="width:G11",
        where="Proof of Lemma 2, statement 2",
        sentence=(
            "The induction needs a positive chance that all samples of steps 0 to k are misclassified; a positive "
            "chance at each step alone does not give it."
        ),
        printed="y f < 0 with positive probability at every step, hence q_a = q_w = k (q_sigma + q) likewise",
        derived="the same under P(all of steps 0 to k misclassified) > 0",
        evidence=(
            Counterexample(
                "One neuron, phi(z) = z, two orthogonal points: a mistake has chance 1/2 at step 0 and 1/4 at step 1, "
                "and at both steps chance 0.",
                _never_twice,
            ),
        ),
        law="width.weights_above",
    ),
    Erratum(
        id="width:G12",
        where="Condition 3 and the proofs of Lemma 1 and Proposition 2: a.e. and a.s.",
        sentence=(
            "A centred sum over d neurons is not of exact order sqrt(d) almost surely along d: it comes back to zero "
            "again and again; read Theta in probability."
        ),
        printed="f_d = Theta(d^(q_sigma + 1/2)) almost surely",
        derived="tight, and bounded away from zero in probability",
        evidence=(
            Counterexample(
                "Output weights of random sign and one activation for all: every variance is d, yet the chance never "
                "to return to zero vanishes.",
                _returns_to_zero,
            ),
        ),
        law="width.initial_logits",
    ),
    Erratum(
        id="width:G15",
        where="Equation 4; SM A.2, C, E and F",
        sentence=(
            "Slips of notation: no minus sign in equation 4, (k) for (0) on the gradient in the first increment, hats "
            "for tildes in SM C, Figure 1 left for its right panels in SM E, a multi-class setup that is not shown."
        ),
        printed="Delta theta-hat = eta-hat dl / d theta-hat",
        derived="Delta theta-hat = - eta-hat dl / d theta-hat",
        evidence=(
            Witness("The step of an output weight, from equation 2 in original units.", _sign_of_the_step),
            Reading(
                "Equations 5 and 6, which expand equation 4, carry the minus sign; the increment of equation 42 is "
                "that of step 0; equations 105 and 107 define tilded weights; Figure 1's left panel shows no training."
            ),
        ),
        law="width.hat_units",
    ),
    Erratum(
        id="width:G17",
        where="Lemma 1's counting of exponents, carried to second derivatives above the band",
        sentence=(
            "The activation's second derivative lives near zero: once input weights grow, each factor of it costs "
            "their order, so the increment of K_w by input weights has not the order that its factors add up to."
        ),
        printed="phi'' counted as of order zero at arguments of any size: K_ww of order 3 for q_sigma = -1/2, q = 1",
        derived="phi'' of mean order -q_w^(k) at arguments of order q_w^(k) > 0: 5/2 there; unchanged in the band",
        evidence=(
            Witness(
                "phi(z) = sqrt(1 + z^2), arguments uniform up to sqrt(d): the mean of phi'' by its primitive.",
                _local_curvature,
            ),
            Measurement(
                "Networks up to width 4096 after one step above the band.",
                "width.curvature_above",
                "as counted: of order zero everywhere",
            ),
        ),
        law="width.curvature_above",
    ),
)

CURVATURE = PowerLaw(w.K_ww[1], w.d, 2 * w.q_sigma + w.q + 1 + 3 * (w.q_sigma + w.q))

LAWS = (
    Law(
        name="width.curvature_above",
        title="Above the band the increment of K_w by input weights is smaller than counted: phi'' lives near zero.",
        status=Status.EMPIRICAL,
        source=source(
            "Beyond Lemma 1: second derivatives above the band",
            ("width:G17", "width:E8"),
            "After one step with q_sigma + q > 0: 2 q_sigma + q + 1 + 3 (q_sigma + q), less than counted.",
        ),
        quantities=quantities(CURVATURE),
        regime="q_sigma + q > 0, before the second step; a second derivative that is integrable over the line." + RULES,
        derivation=None,
        claim=CURVATURE,
        rivals=(
            Rival(
                "as counted: of order zero everywhere",
                PowerLaw(CURVATURE.quantity, w.d, CURVATURE.exponent + w.q_sigma + w.q),
                "counts phi'' like phi', which stays of order one however large its argument is",
            ),
        ),
    ),
)
