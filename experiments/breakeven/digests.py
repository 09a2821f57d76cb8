"""The paper's claims about trajectories, each as a family of laws: which statistics they hold for, and which not."""

from experiments.breakeven.image_batch_claims import law_of as on_images_over_sizes
from experiments.breakeven.image_claims import LEAST as ON_IMAGES
from experiments.breakeven.image_claims import law_of as on_images
from experiments.breakeven.image_momentum import EARLY as EARLY_ON_IMAGES
from experiments.breakeven.image_momentum import LEAST as WITH_MOMENTUM_ON_IMAGES
from experiments.breakeven.image_trajectories import NETWORKS
from experiments.breakeven.maxima_panels import NAMES
from experiments.breakeven.momentum_at_loss import EARLY
from experiments.breakeven.momentum_claims import FAMILIES
from experiments.breakeven.momentum_maxima import law_of as with_momentum
from experiments.breakeven.normalised_claims import LEAST as NORMALISED
from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, SYSTEMS
from experiments.breakeven.trajectory_summary import VIEWS
from experiments.digest import Digest

TOPIC = "breakeven"
_SYSTEMS = {"": "tanh network", "_convolutional": "convolutional network"}
_CONTROLS = {"rate": "learning rate", "batch_size": "batch size"}
_FAMILIES = {
    "over_momentum": "momentum, S = 16",
    "over_rate_with_momentum": "learning rate, momentum 0.9",
    "over_rate_with_decay": "learning rate that decays",
}
_ON_IMAGES = {
    "over_momentum": "momentum",
    "over_rate_with_momentum": "learning rate, momentum 0.9",
    "over_rate_with_decay": "learning rate that decays",
}
_PERIODS = {"": "", "to_equal_loss_": ", to equal loss"}
_OTHERS = {
    "max_batch_noise_over_batch_size": "Q6: the noise of the batches in use is larger for small batches",
    "lambda_k_grows_with_lambda_h": "Q1: lambda_K grows with lambda_H to the maximum",
    "loss_rises_towards_the_maximum": "Q2: steps that raise the loss become frequent",
    "max_lambda_h_is_early": "Q3: the maximum of lambda_H is early",
    "max_lambda_k_is_early": "Q3: the maximum of lambda_K is early",
    "max_lambda_h_is_early_convolutional": "Q3: lambda_H, convolutional network",
    "max_lambda_k_is_early_convolutional": "Q3: lambda_K, convolutional network",
    "outliers_h_over_rate": "Q4: the lower rate has more outliers of H",
    "outliers_k_over_rate": "Q4: the lower rate has more outliers of K",
    "outliers_h_over_rate_convolutional": "Q4: outliers of H, convolutional network",
    "outliers_k_over_rate_convolutional": "Q4: outliers of K, convolutional network",
    "no_return_above_break_even": "Q11: no lambda_H above the break-even one afterwards",
    "top_directions_coincide": "A2: the top directions of H and K coincide",
    "normalised_start_is_noisier": "Q7: batch normalisation starts at a larger lambda_KM",
    "normalised_lambda_km_decays": "Q7: it decays for all but the lowest rate",
    "normalised_scales_first_shrink": "Q7: the highest rates first shrink the scales",
    "normalised_low_rate_lambda_km": "Q7: at the lowest rate lambda_KM is no smaller than without",
    "normalised_low_rate_ratio_km": "Q7: nor is lambda*_KM/lambda_KM larger",
    "normalised_low_rate_projection": "Q7: nor is ||g||/||g_5|| larger",
    "normalised_smallest_batch_ratio_km": "Q10: the smallest batch has a smaller lambda*_KM/lambda_KM",
    "normalised_smallest_batch_projection": "Q10: the smallest batch has a smaller ||g||/||g_5||",
}
"""What is no family: one law a claim."""

DIGESTS = (
    Digest(
        f"{TOPIC}.conjectures",
        "Conjectures 1 and 2: a larger learning rate or a smaller batch lowers the maximum of lambda_H, lambda_K and "
        "Tr K, and raises that of lambda*/lambda. Factor between the ends of the grid, in the claimed direction.",
        {
            f"over the {_CONTROLS[word]}, {_SYSTEMS[suffix]}": {
                f"{NAMES[name]} {view}": f"{TOPIC}.max_{name}_{view}_over_{word}{suffix}"
                for name in LEAST_FACTOR
                for view in VIEWS
            }
            for suffix in SYSTEMS
            for word in CONTROLS
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.wide",
        "Conjecture 1 over an eightfold range of the rate and a 32-fold range of the batch size: lambda_H.",
        {
            f"over the {words}": {view: f"{TOPIC}.max_lambda_h_{view}_over_{word}_wide" for view in VIEWS}
            for word, words in _CONTROLS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.as_stated",
        "Conjectures 1 and 2 on the convolutional network at 61 records, the maximum of averages over five.",
        {
            f"over the {words}": {NAMES[name]: f"{TOPIC}.max_{name}_over_{word}_as_stated" for name in LEAST_FACTOR}
            for word, words in _CONTROLS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.equal_loss",
        "The same at equal training loss (Q5).",
        {
            f"over the {_CONTROLS[word]}, {_SYSTEMS[suffix]}": {
                NAMES[name]: f"{TOPIC}.{name}_at_equal_loss_over_{word}{suffix}" for name in LEAST_FACTOR
            }
            for suffix in SYSTEMS
            for word in CONTROLS
        }
        | {
            f"over the {_FAMILIES[ending]}": {
                NAMES[name]: f"{TOPIC}.{name}_at_equal_loss_{ending}" for name in LEAST_FACTOR
            }
            for ending in EARLY
        }
        | {
            f"over the {_CONTROLS[word]}, {words} on images": {
                NAMES[name]: f"{TOPIC}.{name}_at_equal_loss_over_{word}_{network}" for name in ON_IMAGES
            }
            for network, words in NETWORKS.items()
            for word in _CONTROLS
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.momentum",
        "Momentum acts as a larger learning rate, and both conjectures hold at momentum 0.9 (Q8) and with a rate that "
        "decays (Q9): maxima over all of training, and up to where the loss first falls to 0.15.",
        {
            f"over the {_FAMILIES[ending]}{words}": {
                f"{NAMES[name]} {view}": f"{TOPIC}.{with_momentum(name, view, period, ending)}"
                for name in LEAST_FACTOR
                for view in VIEWS
            }
            for ending in FAMILIES
            for period, words in _PERIODS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.momentum_without_noise",
        "Against Q8: without noise momentum raises lambda_H.",
        {
            f"lambda_H{words}": {
                view: f"{TOPIC}.{with_momentum('lambda_h', view, period, 'over_momentum_without_noise')}"
                for view in VIEWS
            }
            for period, words in _PERIODS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.normalised",
        "Both conjectures carry over to batch normalisation (Q7, Q10).",
        {
            f"over the {words}": {NAMES[name]: f"{TOPIC}.max_{name}_over_{word}_normalised" for name in NORMALISED}
            for word, words in _CONTROLS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.images",
        "Conjectures 1 and 2 on images.",
        {
            f"over the {control}, {words}": {
                f"{NAMES[name]} {view}": f"{TOPIC}.{law_of(network, name, view)}"
                for name in ON_IMAGES
                for view in VIEWS
            }
            for control, law_of in (("learning rate", on_images), ("batch size", on_images_over_sizes))
            for network, words in NETWORKS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.images_momentum",
        "Momentum and decaying rates on images (Q8, Q9).",
        {
            f"over the {words}, {network_words}": {
                f"{NAMES[name]} {view}": f"{TOPIC}.max_{name}_{view}_{ending}_{network}"
                for name in WITH_MOMENTUM_ON_IMAGES
                for view in VIEWS
            }
            for network, network_words in NETWORKS.items()
            for ending, words in _ON_IMAGES.items()
        }
        | {
            f"over the {_ON_IMAGES[ending]}, {network_words}, at equal loss": {
                NAMES[name]: f"{TOPIC}.{name}_at_equal_loss_{ending}_{network}" for name in WITH_MOMENTUM_ON_IMAGES
            }
            for network, network_words in NETWORKS.items()
            for ending in EARLY_ON_IMAGES
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.hessian_trace",
        "The Hessian's half of Conjecture 2: Tr H.",
        {
            f"over the {words}": {
                "raw": f"{TOPIC}.max_trace_h_raw_over_{word}",
                "smoothed": f"{TOPIC}.max_trace_h_smoothed_over_{word}",
                "at equal loss": f"{TOPIC}.trace_h_at_equal_loss_over_{word}",
            }
            for word, words in _CONTROLS.items()
        },
        factors=True,
    ),
    Digest(
        f"{TOPIC}.others",
        "Further claims.",
        {"claim": {said: f"{TOPIC}.{law}" for law, said in _OTHERS.items()}},
    ),
)
