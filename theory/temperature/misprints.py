"""Slips in the first nine equations of the temperature paper, with exact witnesses where there can be any."""

from sympy import Add, Expr, Integer, Rational, Symbol, exp, log

from theory.errata import Erratum, Reading, Witness


def sign_of_the_loss() -> tuple[Expr, Expr, Expr]:
    """Velocity of one logit under descent, from eq 1 as printed, with its sign changed, and from what it measures.

    One point with the label (1, 0), logits (0, 0), eta = beta = 1, logits as parameters. The loss is there to
    measure how far the predictions p are from the labels Y, by their divergence: the sum of Y_k ln(Y_k/p_k)
    over the classes that the labels allow, which is 0 where p = Y and positive elsewhere. The truth is the
    descent of that, differentiated.
    """
    z1, z2 = Symbol("z1"), Symbol("z2")
    predictions = [exp(z) / (exp(z1) + exp(z2)) for z in (z1, z2)]
    labels = (Integer(1), Integer(0))
    divergence = Add(*(y * log(y / p) for y, p in zip(labels, predictions, strict=True) if y > 0))
    likelihood = Add(*(y * log(p) for y, p in zip(labels, predictions, strict=True)))
    here = {z1: 0, z2: 0}
    printed = (-(likelihood.diff(z1))).subs(here)
    derived = (-((-likelihood).diff(z1))).subs(here)
    return printed, derived, -divergence.diff(z1).subs(here)


def name_of_the_brace() -> tuple[Expr, Expr, Expr]:
    """Z''_nl from the brace of eq 8, from the brace times eta~ and summed, and from Z'' itself.

    One point, two classes, z_k = a_k^2/2 at a = (1, 1), label (1, 0), beta = 2, eta = 1. The logits are equal,
    so r = (1/2, -1/2), and the kernel is diagonal: Theta_kk = a_k^2. With r frozen a_1 grows exponentially,
    and all of Z'' is due to the kernel.
    """
    beta, eta, r, t = Rational(2), Rational(1), Rational(1, 2), Symbol("t")
    a = exp(eta * beta * r * t)
    kernel_change = (a**2).diff(t).subs(t, 0)
    printed = kernel_change * r
    derived = eta * beta**2 * kernel_change * r
    truth = (beta * a**2 / 2).diff(t, 2).subs(t, 0)
    return printed, derived, truth


ERRATA = (
    Erratum(
        id="temperature:E1",
        where="eq 1",
        sentence="The loss lacks its minus sign: as printed, gradient descent would lower the likelihood.",
        printed="L = + sum_i Y_i ln softmax(Z)_i",
        derived="L = - sum_i Y_i ln softmax(Z)_i",
        evidence=(Witness("velocity of the correct logit at equal logits, two classes", sign_of_the_loss),),
        law="temperature.logit_flow",
    ),
    Erratum(
        id="temperature:E2",
        where="eqs 2, 9 and 4",
        sentence="Brackets are unbalanced in eqs 2 and 9, and eq 4 has X' on the left and X on the right.",
        printed="(Y_i - sigma(Z_i(X, theta(t))) ; Theta_ij(x, X') := dz_i(x)/dtheta (dz_j(X)/dtheta)^T",
        derived="(Y_i - sigma(Z_i(X, theta(t)))) ; Theta_ij(x, X') := dz_i(x)/dtheta (dz_j(X')/dtheta)^T",
        evidence=(
            Reading("the brackets can close in one place only, and a kernel of x and X' depends on both arguments"),
        ),
    ),
    Erratum(
        id="temperature:E3",
        where="eq 8",
        sentence="The softmax lacks its class index; the brace calls a summand Z''_nl where eq 9 means the sum.",
        printed="-Theta_ij d sigma(Z)/dt ; Z''_nl := (dTheta_ij/dt) r_j",
        derived="-Theta_ij d sigma_j/dt ; Z''_nl,i := eta~ sum_j (dTheta_ij/dt) r_j",
        evidence=(
            Witness("Z'' minus its part at fixed kernel for a network with a diagonal kernel", name_of_the_brace),
        ),
        law="temperature.second_derivative_split",
    ),
)
