"""One induction for every scaling, and networks that stand still: what is needed is, others are not derived."""

from dataclasses import replace

import pytest
from sympy import Integer, exp

from theory.proof.derivation import Derivation
from theory.proof.evaluation import Evaluation
from theory.proof.steps.step import State
from theory.width import limit_any_path as paths
from theory.width import limit_frozen_path as frozen

WORLDS = 12


def with_steps(derivation: Derivation, *steps) -> State:
    return replace(derivation, steps=steps).check(first_failure=True).state


def drawn(derivation: Derivation) -> list[Evaluation]:
    return [world for world, _ in zip(derivation.sampled("signs"), range(WORLDS), strict=False)]


def test_the_gradient_of_every_sign_is_met_in_some_world():
    """Half of the label, logistic, or a hinge, as the world's order of logits says."""
    met = set()
    for world in drawn(paths.DERIVATION):
        order = world.value(paths.of_logits)
        sign = 0 if order == 0 else 1 if order.is_positive else -1
        met.add(sign)
        for label, logit in ((1, Integer(2)), (-1, Integer(2)), (1, Integer(-3))):
            found = world.value(paths.slope(Integer(label), logit, paths.order))
            hinge = -label * int(bool(label * logit < 0))
            of = {-1: -label / Integer(2), 0: -label / (1 + exp(label * logit)), 1: hinge}
            assert abs(found - of[sign]) < 1e-30
    assert met == {-1, 0, 1}


def test_without_a_networks_gradient_nothing_follows():
    names = {f"gradient of {name}" for name, *_ in paths.LAYERS}
    fewer = replace(paths.NEURONS, uses=tuple(name for name in paths.NEURONS.uses if name not in names))
    assert len(fewer.uses) == len(paths.NEURONS.uses) - len(names)
    assert with_steps(paths.DERIVATION, fewer) is not State.PROVED


def test_a_gradient_that_does_not_vanish_beside_the_share_is_refuted():
    """Without the exponential the share's own power is left, which grows."""
    weaker = replace(frozen.OUTWEIGHED, expression=1 / (frozen.d**-frozen.of_share * 2))
    assert with_steps(frozen.DERIVATION, weaker) is State.REFUTED


@pytest.mark.slow
def test_the_worlds_of_still_networks_have_fields_of_either_sign():
    signs = {bool(world.value(frozen.field(frozen.x)) > 0) for world in drawn(frozen.DERIVATION)}
    assert signs == {True, False}
