"""What the paper prints in app A.1 and A.2, what is derived, and the evidence (E4-E14, E40)."""

from theory.errata import Counterexample, Erratum, Measurement, Reading, Witness
from theory.temperature import linearised_misprints as shown

ERRATA = (
    Erratum(
        id="temperature:E4",
        where="eq 11",
        sentence="The decay term lacks the learning rate, which eqs 12-14 and 23 assume.",
        printed="z' = beta eta Theta (Y - sigma) - lam dz",
        derived="z' = eta [beta Theta (Y - sigma) - lam dz]",
        evidence=(
            Witness("rate of a logit with eta = 1/2 and lam = 3, from the regularised loss", shown.decay_without_rate),
            Measurement("rate of the logits of linear models", "temperature.regularised_flow", "printed in eq 11"),
        ),
        law="temperature.regularised_flow",
    ),
    Erratum(
        id="temperature:E5",
        where="eq 13",
        sentence="The training logits' change stands on the right, not the training logits.",
        printed="dz*(x) = Theta(x,X) Theta^+(X,X) z*(X)",
        derived="dz*(x) = Theta(x,X) Theta^+(X,X) dz*(X)",
        evidence=(
            Witness("two logits of one parameter, with a start other than 0", shown.start_left_out),
            Measurement("logits of a point not trained on", "temperature.kernel_propagation", "printed in eq 13"),
        ),
        law="temperature.kernel_propagation",
    ),
    Erratum(
        id="temperature:E6",
        where="eq 15",
        sentence="The linear softmax lacks the projection off the mean over classes.",
        printed="softmax(beta z) = (1/K)(1 + beta z)",
        derived="softmax(beta z) = (1/K)(1 + beta z - beta mean_k z_k) + O(beta^2 z^2)",
        evidence=(
            Witness("first-order term of a softmax of two logits (beta, 0)", shown.mean_left_out),
            Measurement(
                "order of the error at rest with a coupled kernel",
                "temperature.small_logit_fixed_point",
                "eq 15 as printed",
            ),
        ),
        law="temperature.small_logit_fixed_point",
    ),
    Erratum(
        id="temperature:E7",
        where="eq 16",
        sentence="The correction carries beta^2, not beta: one from the loss, one from the scaled logits.",
        printed="z* = (beta/lam) [1 + (beta/(K lam)) Theta]^-1 Theta (Y - 1/K)",
        derived="z* = (beta/lam) [1 + (beta^2/(K lam)) Theta (I x P)]^-1 Theta (Y - 1/K)",
        evidence=(
            Witness("second coefficient of the rest along 1/lam at beta = 2", shown.one_beta_left_out),
            Measurement(
                "order of the error at rest at beta = 3",
                "temperature.small_logit_fixed_point",
                "eq 16 as printed",
            ),
        ),
        law="temperature.small_logit_fixed_point",
    ),
    Erratum(
        id="temperature:E8",
        where="app A.1 and A.2, text",
        sentence="The one control of the rest is beta^2 ||Theta||/lam, not beta ||Theta||/lam.",
        printed="small logits: ||beta Theta/lam|| << 1; large logits: ln(beta ||Theta||/lam) >> 1",
        derived="small logits: beta^2 ||Theta||/lam << 1; large logits: ln(beta^2 ||Theta||/lam) >> 1",
        evidence=(
            Counterexample("beta/lam = 100 with scaled logits below 1/10", shown.large_ratio_small_logits),
            Counterexample("beta/lam = 1/100 with scaled logits above 1", shown.small_ratio_large_logits),
            Measurement("rest of models over six decades", "temperature.regularised_fixed_point", "beta over lam"),
        ),
        law="temperature.regularised_fixed_point",
    ),
    Erratum(
        id="temperature:E9",
        where="before eq 18",
        sentence="The residual of every point sums to 0 over classes, as eq 19 itself needs.",
        printed="the vector on the right hand side sums to 1",
        derived="sum_k (Y_k - p_k) = 0",
        evidence=(Witness("three classes with unequal probabilities", shown.residual_sum),),
        law="temperature.conserved_sum",
    ),
    Erratum(
        id="temperature:E10",
        where="app A.1",
        sentence="The rest is unique for a given start and does depend on it, since decay is towards the start.",
        printed="the initialization doesn't matter",
        derived="dz* = (beta/lam) Theta (Y - softmax(beta z*)) with dz = z - z0: another start, another rest",
        evidence=(Counterexample("two starts with two rests, one point and two classes", shown.two_starts),),
        law="temperature.regularised_fixed_point",
    ),
    Erratum(
        id="temperature:E11",
        where="after eq 19",
        sentence="With a coupled kernel M simple numbers are conserved: coefficients add up to 0 over classes.",
        printed="the conserved quantity is more complicated",
        derived="sum_k c_mk = const with theta - theta0 = J^T c; for invertible Theta that is 1^T Theta^-1 z",
        evidence=(
            Witness("rates of sum z and of 1^T Theta^-1 z for a coupled kernel of two classes", shown.coupled_sum),
            Measurement(
                "sum of the logits where classes share features",
                "temperature.conserved_sum",
                "classes that share features",
            ),
        ),
        law="temperature.conserved_coefficients",
    ),
    Erratum(
        id="temperature:E12",
        where="eqs 23, 29, app A.3",
        sentence="H leaves out beta^2 and lam, so its eigenvalues are not the rates; lambda_z means lambda_theta.",
        printed="rates eig(H), H = (Id x Theta) sigma_z; ignoring lambda_z",
        derived="rates eta (beta^2 eig(H) + lam)",
        evidence=(
            Witness("least rate of two equal logits: that of their sum", shown.rate_without_decay),
            Measurement("rate of a single point", "temperature.one_point_relaxation", "decay alone"),
        ),
        law="temperature.relaxation_matrix",
    ),
    Erratum(
        id="temperature:E13",
        where="eq 25",
        sentence="The correction of the softmax Jacobian is of second order in beta, since z* itself carries one.",
        printed="sigma_z = (1/K - 1 1^T/K^2) + O(beta Theta)",
        derived="sigma_z = (1/K - 1 1^T/K^2) + O(beta z*), which is O(beta^2 Theta/lam)",
        evidence=(Witness("first power of beta in an entry of sigma_z at rest", shown.order_of_the_jacobian),),
        law="temperature.small_logit_fixed_point",
    ),
    Erratum(
        id="temperature:E14",
        where="end of app A.2",
        sentence="The sign of the exponent is wrong: decay lies far below the exponentially small drive's curvature.",
        printed="lam << beta^2 e^(2 beta |z1*|)",
        derived="lam = beta^2 ||Theta|| e^(-2 beta |z1*|) / (beta |z1*|) at rest, by eq 22",
        evidence=(
            Witness("lam at a rest of eq 22 with beta z1 = 3", shown.exact_exponent),
            Counterexample("a decay that the printed bound allows and no rest has", shown.exponent_of_the_decay),
        ),
        law="temperature.one_point_fixed_point",
    ),
    Erratum(
        id="temperature:E40",
        where="sec 3.2, fig 5c",
        sentence="No law drives final logits to 1: on separable data they grow for ever with the logarithm of time.",
        printed="final ||Z^f||_F tends towards 1 independent of beta and ||Z0||",
        derived="one point of two classes: gap = C - W(e^C), C = 2 eta~ theta t + const; it depends on when one stops",
        evidence=(
            Counterexample("gaps of one point at clocks 10^3 and 10^6", shown.logits_without_bound),
            Reading("the paper gives no stopping time, on which the size of the final logits depends"),
        ),
        law="temperature.one_point_trajectory",
    ),
)
