"""What the temperature paper says of generalisation, of trainings that take long, and of what its limits leave out."""

from experiments.digest import Digest

TOPIC = "temperature"
_ORDERS = {
    "T05: the straight line of the first velocity": "early_displacement_order",
    "T07: tau_z at small logits": "small_logit_constant_order",
    "T07: tau_z at large logits, one network (decay over its smallest gap)": "saturated_constant_rate",
    "T07, T09: saturation averaged over gaps": "averaged_saturation_order",
    "T09: confidence beyond its curvature": "confidence_curvature_order",
    "T11: tau_nl over the initial logits": "tau_nl_in_logit_scale",
    "T12: logarithmic growth": "logarithmic_growth_order",
    "T15: rest at small logits, eq 16": "small_logit_fixed_point",
    "T15: rest at small logits, eq 17": "uniform_fixed_point",
    "T16: conserved sum at finite width": "conserved_sum_in_width",
    "T17: a confident softmax": "confident_softmax_order",
    "T17: what weak decay is at rest": "weak_decay_order",
    "T18: relaxation of one point": "one_point_relaxation_order",
    "T18: relaxation at small logits": "small_logit_relaxation_order",
    "T19: Jacobian at small logits": "jacobian_at_small_logits",
    "T20: frozen eigenvectors": "frozen_eigenvector_order",
    "T20: frozen condition number": "frozen_condition_number_order",
    "T22: condition number at small logits": "small_logit_conditioning_order",
    "T23: growth of the condition number": "conditioning_growth_order",
    "T24: discrete and continuous momentum": "momentum_continuous_limit",
    "T26: the early displacement": "momentum_early_order",
    "T26: a step under strong damping": "momentum_effective_rate_order",
    "T26: tau_z before damping": "momentum_tau_z_order",
    "T26: tau_z after damping (decay over the damping)": "momentum_saturated_time_rate",
    "T27: deviation in 1/beta": "momentum_deviation",
    "T27: collapse of the second scheme": "second_scheme_order",
    "T30: the first rate of deviation": "deviation_order",
}

DIGESTS = (
    Digest(
        f"{TOPIC}.generalisation",
        "Where features matter, a small inverse temperature generalises best, and so do small initial logits (Figures "
        "5 and 6). Fall of test accuracy between the ends of the grid, at the learning rate that validation chose.",
        {
            "accuracy falls": {
                "with beta": f"{TOPIC}.accuracy_in_beta",
                "with beta, where a linearised network's does not": f"{TOPIC}.accuracy_with_features_in_beta",
                "with the initial logits": f"{TOPIC}.accuracy_in_logit_scale",
                "with the initial logits, where such as all classes share do not": (
                    f"{TOPIC}.accuracy_with_opinion_in_logit_scale"
                ),
                "with beta, from large weights": f"{TOPIC}.large_weights_in_beta",
                "with beta, from large weights, where a linearised network's does not": (
                    f"{TOPIC}.large_weights_with_features_in_beta"
                ),
                "with beta, gated recurrent unit": f"{TOPIC}.recurrent_accuracy_in_beta",
                "with beta, gated recurrent unit, where its linearisation's does not": (
                    f"{TOPIC}.recurrent_accuracy_with_features_in_beta"
                ),
            }
        },
    ),
    Digest(
        f"{TOPIC}.long_trainings",
        "What training at small and at large beta does to learning rates, features and the linear window.",
        {
            "holds": {
                "F4: best learning rate at small beta (exponent)": f"{TOPIC}.best_learning_rate",
                "F5: test accuracy rises with the rate at beta = 100": f"{TOPIC}.features_at_large_beta",
                "T30: time to a fixed deviation over the width (exponent)": f"{TOPIC}.deviation_time_in_width",
            }
        },
    ),
    Digest(
        f"{TOPIC}.orders",
        "How fast the errors of limits and leading orders go away: exponents of the errors, and rates over those of "
        "the theory.",
        {"order": {row: f"{TOPIC}.{law}" for row, law in _ORDERS.items()}},
    ),
)
