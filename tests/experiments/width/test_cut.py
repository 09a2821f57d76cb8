"""The cut across the band: edges of planted powers, and what is measured against small steps."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Replicates
from experiments.width import cut
from experiments.width.scaling import COMPONENTS, inputs
from numerics.activations import leaky_softplus
from numerics.width_model import draw_neurons, output, scaling, step
from theory.registry import laws

WIDTHS = np.array([256.0, 1024.0, 4096.0])


def planted(shift: float = 0.0, noise: float = 0.0) -> xr.Dataset:
    """Powers of a band from -1/2 to 0, its upper edge moved by ``shift``."""
    sizes = np.array([sum(place) for place in cut.CUT.values()])
    logits = np.where(sizes > 0, 0.5 + 2 * sizes, np.maximum(0.0, 0.5 + sizes))
    ratio = np.where(sizes > 0, sizes - shift, np.minimum(0.0, 0.5 + sizes))
    draw = np.random.default_rng(0)

    def along(powers: np.ndarray) -> np.ndarray:
        shape = (WIDTHS.size, 32, *powers.shape)
        found = WIDTHS.reshape(-1, *[1] * (powers.ndim + 1)) ** powers
        return found * np.exp(noise * draw.standard_normal(shape))

    increments = np.stack([logits + ratio] * 2, axis=-1)
    return xr.Dataset(
        {
            "logits": (("width", "seed", "point"), along(logits)),
            "increments": (("width", "seed", "point", "layer"), along(increments)),
        },
        coords={"width": WIDTHS, "point": list(cut.CUT)},
    )


def test_edges_are_where_the_lines_meet_zero():
    found = cut.edges(planted())
    np.testing.assert_allclose(found["lower"], -0.5, atol=1e-9)
    np.testing.assert_allclose(found["upper"], 0.0, atol=1e-9)
    inside = found["inside"].isel(seed=0)
    assert [str(n) for n in inside["point"].values[inside.values == 1]] == ["size -0.25", "size -0.125"]
    np.testing.assert_allclose(cut.edges(planted(0.2))["upper"], 0.2, atol=1e-9)


@pytest.mark.parametrize(("shift", "verdict"), [(0.0, Verdict.AGREES), (0.25, Verdict.DISAGREES)])
def test_a_moved_edge_disagrees(shift, verdict):
    _, check = check_of("width.band")
    assert check.margin.value == 0.1
    law = laws()["width.band"]
    observed = check.observe(planted(shift, 0.02))
    assert compare(law.claim, observed, check.margin).verdict is verdict
    if verdict is Verdict.AGREES:
        for rival in law.rivals:
            found = compare(rival.claim, observed, check.margin, against=law.claim)
            assert found.verdict is Verdict.DISAGREES, rival.name


def test_increments_are_those_of_small_steps():
    given = inputs(3, cut.DRAW)
    rates = scaling(16, q_sigma=-0.5, q_a=0.75, q_w=0.75, rate_a=2.0, rate_w=2.0)
    start = draw_neurons(jax.random.key(5), width=16, inputs=COMPONENTS)
    found = cut._squares(start, given, rates)
    wrong = [cut.misclassified(start, rates, x[0]) for x in (given.for_a, given.for_w)]
    after = step(start, rates, leaky_softplus, *wrong)
    following = [cut.misclassified(after, rates, x[1]) for x in (given.for_a, given.for_w)]
    small = 1e-5
    for layer, name in enumerate(("rate_a", "rate_w")):
        none = {"rate_a": jnp.zeros(()), "rate_w": jnp.zeros(())}
        ends = [
            output(
                step(after, rates._replace(**none | {name: jnp.asarray(h)}), leaky_softplus, *following),
                rates.sigma, leaky_softplus, given.observed,
            )
            for h in (small, -small)
        ]  # fmt: skip
        change = (ends[0] - ends[1]) / (2 * small)
        np.testing.assert_allclose(found["increments"][layer], np.mean(change**2), rtol=1e-6)
    assert not np.isclose(found["increments"][0], found["increments"][1], rtol=1e-3)


def test_seeds_are_draws_of_their_own():
    settings = {**cut.STUDY.grids["quick"].settings, "networks": 1}
    found = cut.measure(
        replicates=Replicates(cut.STUDY.name, {"width": 16}, (0, 1)), data=None, width=16,
        point=np.array(["size -1", "size +1"]), **settings,
    )  # fmt: skip
    assert {name: values.shape for name, values in found.items()} == {"logits": (2, 2), "increments": (2, 2, 2)}
    assert not np.allclose(found["logits"][0], found["logits"][1], rtol=1e-3)
