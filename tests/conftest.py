"""Settings that every test runs under: float64 on, silent promotions off, one Hypothesis profile."""

import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers share the cores; small matrices want one thread each
os.environ.setdefault("JAX_PLATFORMS", "" if os.environ.get("ASSAY_TEST_GPU") else "cpu")

import hypothesis
import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")

gc.set_threshold(50_000)  # derivations keep most of what they make: looking for garbage takes a twentieth of the time
hypothesis.settings.register_profile(
    "assay", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True, max_examples=50
)
hypothesis.settings.load_profile("assay")
