"""What the temperature paper says of generalisation, over inverse temperature, initial logits and architectures."""

from experiments.digest import Digest

TOPIC = "temperature"
DIGESTS = (
    Digest(
        f"{TOPIC}.generalisation",
        "Where features matter, a small inverse temperature generalises best, and so do small initial logits (Figures "
        "5 and 6). Fall of test accuracy between the ends of the grid, at the learning rate that validation chose.",
        {
            "accuracy falls": {
                "with beta": f"{TOPIC}.accuracy_in_beta",
                "with the initial logits": f"{TOPIC}.accuracy_in_logit_scale",
                "with beta, from large weights": f"{TOPIC}.large_weights_in_beta",
                "with beta, gated recurrent unit": f"{TOPIC}.recurrent_accuracy_in_beta",
            }
        },
    ),
)
