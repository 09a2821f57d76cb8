"""What the paper's experiment decides: in which of its set-ups the corrected mean-field model comes first."""

from experiments.digest import Digest

TOPIC = "width"
DIGESTS = (
    Digest(
        f"{TOPIC}.experiment",
        "The corrected mean-field model stays closest to the finite reference (Figures 2 to 7), and kernels evolve "
        "with the reference's (Figure 1). Rise of the logarithm of the next model's divergence over the first's; "
        "growth of the kernel.",
        {
            "claim": {
                "IC-MF first, averaged over training": f"{TOPIC}.ranking",
                "IC-MF first from step 20 on": f"{TOPIC}.ranking_late",
                "IC-MF first among the widest versions": f"{TOPIC}.ranking_wide",
                "IC-MF before MF for other batches and data": f"{TOPIC}.ranking_setups",
                "kernels of IC-MF and MF grow with the reference's": f"{TOPIC}.kernel_evolution",
            }
        },
    ),
)
