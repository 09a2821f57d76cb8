"""The second derivative of the logits: a part at fixed kernel, and one from the kernel's change (T10)."""

from dataclasses import replace

from sympy import Derivative, Expr, Function, IndexedBase, KroneckerDelta, Limit, Symbol

from theory.claims import Identity
from theory.definitions.temperature import (
    CLASS,
    EFFECTIVE,
    KERNEL,
    LABELS,
    MEANINGS,
    POINT,
    RATE,
    RESIDUAL,
    SOFTMAX,
    H,
    J,
    Theta,
    Y,
    Zdot,
    a_network,
    beta,
    eta,
    eta_tilde,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    over_parameters,
    p,
    q,
    r,
    softmax,
    softmax_of,
    velocity,
    z,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import exponentials, rational, sums
from theory.proof.premises import Define, Imported
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World, table
from theory.temperature.logit_flow import PARAMETER_FLOW

t = Symbol("t", nonnegative=True)
z_at, J_at, softmax_at, Theta_at, Zdot_at = (Function(name, real=True) for name in ("z", "J", "sigma", "Theta", "Zdot"))
Zddot, jacobian, u, linear, drift = (
    IndexedBase(name, real=True) for name in ("Zddot", "sigma_z", "u", "linear", "drift")
)

CLAIM = Identity(Zddot[m, i], linear[m, i] + eta_tilde**2 / beta * drift[m, i])


def kernel_change(direction: IndexedBase) -> Expr:
    """Derivative of Theta[m, i, n, j] along a direction in the parameters."""
    change = H[m, i, p, q] * J[n, j, p] + J[m, i, p] * H[n, j, p, q]
    return over_parameters(over_parameters(change * direction[q], q))


ALONG = (
    Define(
        "logits",
        z_at(m, k, t),
        z[m, k] + t * over_parameters(J[m, k, p] * velocity[p]),
        convention="a constant added to all logits changes no softmax",
    ),
    Define(
        "Jacobian",
        J_at(m, k, p, t),
        J[m, k, p] + t * over_parameters(H[m, k, p, q] * velocity[q], q),
        convention="the kernel is quadratic in the Jacobian, whose sign drops out",
    ),
    Define("softmax along the way", softmax_at(n, j, t), softmax_of(beta * z_at(n, j, t), j, k)),
    Define(
        "kernel",
        Theta_at(m, i, n, j, t),
        over_parameters(J_at(m, i, p, t) * J_at(n, j, p, t)),
        convention="a constant kernel sees only the sum over classes of the softmax, which never changes",
    ),
    Define(
        "rate",
        Zdot_at(m, i, t),
        eta * beta**2 * over_logits(Theta_at(m, i, n, j, t) * (Y[n, j] - softmax_at(n, j, t))),
        convention="a constant has no derivative",
    ),
)
SOFTMAX_JACOBIAN = Define("softmax Jacobian", jacobian[n, j, k], softmax[n, j] * (KroneckerDelta(j, k) - softmax[n, k]))

FIXED_KERNEL = replace(
    KERNEL, convention="a constant kernel sees only the sum over classes of the softmax, which never changes"
)

CHAIN_RULE = Derivation(
    premises=(*ALONG, SOFTMAX, RESIDUAL, FIXED_KERNEL, SOFTMAX_JACOBIAN),
    steps=(
        Tends(
            "the rate along any direction",
            Derivative(Zdot_at(m, i, t), t),
            t,
            0,
            eta
            * beta**2
            * over_logits(
                kernel_change(velocity) * r[n, j]
                - Theta[m, i, n, j] * over_classes(jacobian[n, j, k] * beta * over_parameters(J[n, k, p] * velocity[p]))
            ),
            uses=tuple(d.name for d in (*ALONG, SOFTMAX, RESIDUAL, KERNEL, SOFTMAX_JACOBIAN)),
            normal=(exponentials, sums, rational),
            because="product rule: the kernel changes through J, the softmax through the logits",
            forall=(m, i),
        ),
    ),
    worlds=lambda source: World({**a_network(source, 2, 2, 1).values, velocity: table(source, 1)}),
)

SECOND = Define("second derivative", Zddot[m, i], Limit(Derivative(Zdot_at(m, i, t), t), t, 0))
LINEAR = Define(
    "part at fixed kernel",
    linear[m, i],
    -eta_tilde * over_logits(Theta[m, i, n, j] * over_classes(jacobian[n, j, k] * Zdot[n, k])),
)
PULL = Define("pulled residual", u[q], over_logits(J[n, j, q] * r[n, j]))
DRIFT = Define("drift of the drive", drift[m, i], over_logits(kernel_change(u) * r[n, j]))

DERIVATION = Derivation(
    premises=(
        POINT,
        CLASS,
        LABELS,
        Imported("gradient flow", PARAMETER_FLOW),
        Imported("chain rule", CHAIN_RULE),
        SECOND,
        RATE,
        EFFECTIVE,
        LINEAR,
        PULL,
        DRIFT,
    ),
    steps=(
        Equal(
            "split",
            CLAIM.left,
            CLAIM.right,
            uses=(
                "second derivative",
                "chain rule",
                "gradient flow",
                "rate of the scaled logits",
                "effective learning rate",
                "part at fixed kernel",
                "pulled residual",
                "drift of the drive",
            ),
            because="the flow's direction is eta beta u, which leaves one beta in the denominator (eq 9)",
            forall=(m, i),
        ),
    ),
    worlds=lambda source: a_network(source, 1, 2, 2),
)

LAWS = (
    Law(
        name="temperature.second_derivative_split",
        title="The second derivative of the logits is a part at fixed kernel plus one that carries 1/beta",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eqs 8-9",
            ("temperature:T10",),
            "Z'' = -eta~ Theta sigma_z Z' + (eta~^2/beta) D_u[Theta r] with r frozen and u = J^T r",
        ),
        quantities=(
            Quantity(Zddot, "second derivative in time of a scaled logit under gradient flow", "1/step^2"),
            Quantity(linear, "its part at fixed kernel, - eta~ Theta sigma_z Z'", "1/step^2"),
            Quantity(drift, "derivative of Theta r along u = J^T r with the residual r frozen"),
            *(Quantity(symbol, *MEANINGS[symbol]) for symbol in (eta_tilde, beta, m, i)),
        ),
        regime="any twice differentiable network; any points, classes, parameters; full batch; loss summed",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "no 1/beta",
                Identity(CLAIM.left, linear[m, i] + eta_tilde**2 * drift[m, i]),
                "counts the parameters' velocity in units of eta~",
            ),
            Rival(
                "softmax rises",
                Identity(CLAIM.left, -linear[m, i] + eta_tilde**2 / beta * drift[m, i]),
                "forgets that the residual falls as the softmax rises",
            ),
            Rival(
                "fixed kernel",
                Identity(CLAIM.left, linear[m, i]),
                "a network that is linear in its parameters",
            ),
        ),
    ),
)
