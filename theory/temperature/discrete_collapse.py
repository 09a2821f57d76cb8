"""At a frozen kernel training knows the learning rate and the temperature through eta beta^2 alone (T03).

Two runs of one linear model, from the same scaled logits Z0, with (eta, beta) and (eta', beta'). All symbols of the
second run carry a prime.
"""

import random

from sympy import Eq, Expr, Function, IndexedBase, Integer, Rational, Symbol

from theory.claims import Identity
from theory.definitions.linearised import a_linear_model, delta, quantities, r_at, t
from theory.definitions.temperature import (
    KERNEL,
    J,
    Theta,
    Y,
    beta,
    eta,
    i,
    j,
    k,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    softmax_of,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World, table

Z0 = IndexedBase("Z0", real=True)
eta_, beta_ = (Symbol(name, positive=True) for name in ("eta'", "beta'"))
delta_, Z_at, Z_at_, r_at_ = (Function(name, real=True) for name in ("delta'", "Z", "Z'", "r'"))

CLAIM = Identity(Z_at_(t, m, i), Z_at(t, m, i))


def descent(at: Function, residual: Function, rate: Expr, temperature: Expr) -> Expr:
    """A parameter's displacement after one more step of gradient descent on the loss at a temperature."""
    return at(t, p) + rate * temperature * over_logits(J[n, j, p] * residual(t, n, j))


START = Define("first run: start", delta(0, p), Integer(0))
STEP = Define("first run: descent", delta(t + 1, p), descent(delta, r_at, eta, beta))
LOGITS = Define("first run: scaled logits", Z_at(t, m, i), Z0[m, i] + beta * over_parameters(J[m, i, p] * delta(t, p)))
RESIDUALS = Define("first run: residuals", r_at(t, n, j), Y[n, j] - softmax_of(Z_at(t, n, j), j, k))
START_ = Define("second run: start", delta_(0, p), Integer(0))
STEP_ = Define("second run: descent", delta_(t + 1, p), descent(delta_, r_at_, eta_, beta_))
LOGITS_ = Define(
    "second run: scaled logits", Z_at_(t, m, i), Z0[m, i] + beta_ * over_parameters(J[m, i, p] * delta_(t, p))
)
RESIDUALS_ = Define("second run: residuals", r_at_(t, n, j), Y[n, j] - softmax_of(Z_at_(t, n, j), j, k))
SAME = Suppose("one effective learning rate", Eq(eta_, eta * beta**2 / beta_**2, evaluate=False))


def two_runs(source: random.Random) -> World:
    """One point, two classes, two parameters."""
    values = dict(a_linear_model(source).values)
    temperature = Rational(source.randint(1, 9), source.randint(1, 5))
    values |= {Z0: table(source, 1, 2, low=-1, high=1), beta_: temperature}
    return World({**values, eta_: values[eta] * values[beta] ** 2 / temperature**2})


def moved(name: str, logits: Function, residual: Function, rate: Expr, uses: tuple[Define, ...]) -> Equal:
    """One step of a run seen in its scaled logits."""
    return Equal(
        name,
        logits(t + 1, m, i),
        logits(t, m, i) + rate * over_logits(Theta[m, i, n, j] * residual(t, n, j)),
        uses=(KERNEL.name, *(definition.name for definition in uses)),
        because="the parameters' step brings one temperature, the scaled logits the other (eq 5)",
        forall=(t, m, i),
    )


DERIVATION = Derivation(
    premises=(KERNEL, START, STEP, LOGITS, RESIDUALS, START_, STEP_, LOGITS_, RESIDUALS_, SAME),
    steps=(
        Equal("first start", Z_at(0, m, i), Z0[m, i], uses=(START.name, LOGITS.name), forall=(m, i)),
        moved("first logits", Z_at, r_at, eta * beta**2, (STEP, LOGITS)),
        Equal("second start", Z_at_(0, m, i), Z0[m, i], uses=(START_.name, LOGITS_.name), forall=(m, i)),
        moved("second logits", Z_at_, r_at_, eta_ * beta_**2, (STEP_, LOGITS_)),
        Induct(
            "collapse",
            t,
            CLAIM.left,
            CLAIM.right,
            uses=(
                "first start", "first logits", "second start", "second logits", RESIDUALS.name, RESIDUALS_.name,
                SAME.name,
            ),
            because="equal scaled logits have equal residuals, and move by the same step",
            every=(m, i),
        ),
    ),
    worlds=two_runs,
)  # fmt: skip

LAWS = (
    Law(
        name="temperature.discrete_collapse",
        title="At a frozen kernel runs with equal Z0 and equal eta beta^2 have the same scaled logits at every step",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 5",
            ("temperature:T03",),
            "with Theta frozen Z_t depends on (eta, beta) only through eta~, in discrete time too",
        ),
        quantities=(
            Quantity(Symbol("Z'"), "scaled logits of the one run"),
            Quantity(Symbol("Z"), "scaled logits of the other, which has another temperature"),
            Quantity(Symbol("Z0_held"), "scaled logits at the start"),
            *quantities(t, m, i),
        ),
        regime="model linear in its parameters, any kernel; full-batch gradient descent with any step; equal "
        "Z0 = beta z0 and equal effective learning rate eta beta^2",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "still at the start",
                Identity(CLAIM.left, Symbol("Z0_held")),
                "true of two runs that do not move, which the data must tell from these",
            ),
        ),
    ),
)
