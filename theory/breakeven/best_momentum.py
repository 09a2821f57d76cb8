"""Which way momentum moves the edge, the momentum that lifts it most, and Adam's edge (breakeven:L12, G10)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from collections.abc import Mapping
from typing import Any

from sympy import Derivative, Eq, Expr, Integer, Ne, Rational, Symbol, sqrt

from theory.breakeven.curvature_edge_prediction import noise_of
from theory.breakeven.inputs import RATE, number
from theory.breakeven.meanings import quantities
from theory.breakeven.momentum import BRAKE, beta, correlation, form, momentum_edge
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula, Trend
from theory.definitions.breakeven import eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import derivatives, factored
from theory.proof.steps import Equal, Holds, Root
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

root_noise = Symbol("sqrt_c_kappa", positive=True)
share = Symbol("c_kappa", nonnegative=True)
best = Symbol("best_beta", nonnegative=True)
ema, lam_p = Symbol("beta_1", nonnegative=True), Symbol("lam_P", positive=True)
after, place, before = (Symbol(n, real=True) for n in ("x'", "x", "y"))
mean_gradient, new_mean, gained = (Symbol(n, real=True) for n in ("m", "m'", "gained"))

_EDGE = momentum_edge(beta, share, eta)
_BETA = Quantity(beta, "momentum of heavy ball", "1")
_SHARE = Quantity(share, "batch-noise factor times s^2/lam^2", "1")


def _trend(direction: int, title: str, sentence: str, regime: str, noise: Suppose, world: Any) -> Law:
    return Law(
        name=f"breakeven.momentum_{'raises' if direction > 0 else 'lowers'}_edge",
        title=title,
        status=Status.THEOREM,
        source=Source(PAPER, "Appendix F, momentum", ("breakeven:L12", "breakeven:G10", "breakeven:Q8"), sentence),
        quantities=(*quantities(eta), _BETA, _SHARE),
        assumptions=(BRAKE.fact, noise.fact),
        regime=regime,
        derivation=Derivation(
            premises=(BRAKE, noise),
            steps=(
                Holds(
                    "denominator",
                    (1 - beta) + (1 + beta) * share > 0,
                    uses=("momentum below 1",),
                    because="Noise only adds to 1 - beta.",
                ),
                Holds(
                    "sign of the slope",
                    Trend(_EDGE, beta, direction).statement,
                    uses=("denominator", noise.name),
                    normal=(derivatives, factored),
                    because="The derivative of the edge has the sign of (1 - beta)^2 - c kappa (1 + beta)^2.",
                ),
            ),
            worlds=world,
        ),
        claim=Trend(_EDGE, beta, direction),
        rivals=(Rival("the other way", Trend(_EDGE, beta, -direction), "is what the other noise level does"),),
    )


def _world(source: random.Random) -> World:
    momentum = draw(source, 0, 1) * draw(source, 0, 6) / 7
    turn = ((1 - momentum) / (1 + momentum)) ** 2
    return World({beta: momentum, eta: draw(source), share: turn * draw(source, 0, 3)})


RAISES = _trend(
    1,
    "With little noise, c kappa < ((1 - beta)/(1 + beta))^2, more momentum raises the stable curvatures.",
    "Without noise the edge (2 + 2 beta)/eta rises with momentum, against the claim that momentum acts like a "
    "larger learning rate.",
    "As the edge of heavy ball; full batch, or noise below ((1 - beta)/(1 + beta))^2.",
    Suppose("little noise", share * (1 + beta) ** 2 < (1 - beta) ** 2),
    _world,
)
LOWERS = _trend(
    -1,
    "With much noise, c kappa > ((1 - beta)/(1 + beta))^2, more momentum lowers the stable curvatures.",
    "Beyond c kappa = ((1 - beta)/(1 + beta))^2 momentum acts like a larger learning rate: the edge falls.",
    "As the edge of heavy ball; noise above ((1 - beta)/(1 + beta))^2.",
    Suppose("much noise", share * (1 + beta) ** 2 > (1 - beta) ** 2),
    _world,
)

_BEST = (1 - root_noise) / (1 + root_noise)


def _slope(beta: Expr) -> Expr:
    """Derivative of the edge in the momentum, with c kappa = root_noise^2."""
    share = root_noise**2
    return 2 * ((1 - beta) ** 2 - share * (1 + beta) ** 2) / (eta * ((1 - beta) + (1 + beta) * share) ** 2)


BEST_MOMENTUM = Law(
    name="breakeven.best_momentum",
    title="The edge of heavy ball is highest at the momentum (1 - sqrt(c kappa))/(1 + sqrt(c kappa)).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Appendix F, momentum",
        ("breakeven:L12",),
        "The slope of the edge in beta vanishes once, at beta = (1 - sqrt(c kappa))/(1 + sqrt(c kappa)).",
    ),
    quantities=(
        Quantity(best, "momentum at which the edge has no slope", "1"),
        Quantity(root_noise, "square root of c kappa", "1"),
    ),
    regime="As the edge of heavy ball, with 0 < c kappa < 1; where c kappa >= 1 no momentum is best. The edge rises up "
    "to there and falls beyond: breakeven.momentum_raises_edge, breakeven.momentum_lowers_edge.",
    derivation=Derivation(
        premises=(Suppose("below 1", root_noise < 1),),
        steps=(
            Equal(
                "it is the slope of the edge",
                Derivative(momentum_edge(beta, root_noise**2, eta), beta),
                _slope(beta),
                because="The quotient rule; what Root solves is this slope.",
            ),
            Root(
                "no slope",
                best,
                Eq(_slope(best), 0, evaluate=False),
                _BEST,
                domain=best < 1,
                uses=("below 1",),
                because="1 - beta = sqrt(c kappa) (1 + beta); the other root is above 1.",
            ),
        ),
        worlds=lambda source: World(
            {
                root_noise: Rational(source.randint(1, 9), 10),
                eta: draw(source),
                beta: Rational(source.randint(0, 9), 10),
            }
        ),
    ),
    claim=Formula(best, _BEST),
    rivals=(
        Rival("without the root", Formula(best, (1 - root_noise**2) / (1 + root_noise**2)), "forgets the square root"),
        Rival("one minus", Formula(best, 1 - root_noise), "is the limit of little noise, halved"),
    ),
)

_ADAM = (2 + 2 * ema) / ((1 - ema) * eta)

ADAM_EDGE = Law(
    name="breakeven.adam_edge",
    title="With averaged gradients and a frozen preconditioner the edge is (2 + 2 beta_1)/((1 - beta_1) eta).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Appendix F, momentum; beyond the paper",
        ("breakeven:L12",),
        "m = beta_1 m + (1 - beta_1) g, x -= eta m on a quadratic turns unstable at lam_P = (2 + 2 beta_1)/((1 - "
        "beta_1) eta), 38/eta at beta_1 = 0.9.",
    ),
    quantities=(
        Quantity(lam_p, "largest eigenvalue of the preconditioned Hessian at the edge", "curvature"),
        Quantity(ema, "share of the old mean in the running mean of gradients", "1"),
        *quantities(eta),
    ),
    assumptions=(ema < 1,),
    regime="Full batch, quadratic, preconditioner held fixed, at any place: where a step keeps the energy x^2 - 2 "
    "beta_1 r x y + beta_1^2 y^2 of the place x and the one before it. What a step adds is linear in lam_P but for a "
    "factor of one sign; the energy bounds (1 - r^2) x^2, as in breakeven.momentum_bounded.",
    derivation=Derivation(
        premises=(
            Suppose("averages", ema < 1),
            Define("running mean", new_mean, ema * mean_gradient + (1 - ema) * lam_p * place),
            Define("mean so far", mean_gradient, (before - place) / eta),
            Define("step", after, place - eta * new_mean),
            Define("correlation", correlation, (1 + ema - (1 - ema) * eta * lam_p) / (1 + ema)),
            Define(
                "energy gained",
                gained,
                form(after, place, ema) - form(place, before, ema),
                convention="a multiple of no gain is no gain",
            ),
            Suppose("away from the minimum", Ne(place, 0)),
        ),
        steps=(
            Root(
                "no energy is gained",
                lam_p,
                Eq(gained, 0, evaluate=False),
                _ADAM,
                uses=(
                    "averages",
                    "running mean",
                    "mean so far",
                    "step",
                    "correlation",
                    "energy gained",
                    "away from the minimum",
                ),
                because="Below it every step takes energy away, beyond it every step adds some.",
            ),
        ),
        worlds=lambda source: (
            lambda x, y: World({place: x, before: y, eta: draw(source), ema: Rational(source.randint(0, 9), 10)})
        )(draw(source), draw(source, -5, 5)),
    ),
    claim=Formula(lam_p, _ADAM),
    rivals=(
        Rival("heavy ball", Formula(lam_p, (2 + 2 * ema) / eta), "takes the running mean for a running sum"),
        Rival("gradient descent", Formula(lam_p, 2 / eta), "forgets the running mean"),
    ),
)

LAWS = (RAISES, LOWERS, BEST_MOMENTUM, ADAM_EDGE)


def _momentum_edge(eta: Any, beta: Any, kappa: Any, N: Any, S: Any, c: Any) -> Mapping[str, Expr]:
    rate, momentum = number("eta", eta, positive=True), _momentum("beta", beta)
    noise = noise_of(N, S, c) * number("kappa", kappa, nonnegative=True)
    highest = (1 - sqrt(noise)) / (1 + sqrt(noise))
    return {"lam": momentum_edge(momentum, noise, rate), "best_beta": highest if noise < 1 else Integer(0)}


def _adam_edge(eta: Any, beta1: Any) -> Mapping[str, Expr]:
    rate, mean = number("eta", eta, positive=True), _momentum("beta1", beta1)
    return {"preconditioned_sharpness": (2 + 2 * mean) / ((1 - mean) * rate)}


def _momentum(name: str, value: Any) -> Rational:
    given = number(name, value, nonnegative=True)
    if given >= 1:
        raise OutsideDomain(f"{name}={given} is outside the domain; give a momentum from 0 to below 1")
    return given


PREDICTORS = (
    Predictor(
        name="breakeven.momentum_edge",
        laws=("breakeven.momentum_edge", "breakeven.best_momentum"),
        inputs=(
            RATE,
            Input("beta", "momentum: from 0 to below 1"),
            Input("kappa", "s^2/lam^2, at least 0"),
            Input("N", "examples in the training set: an integer >= 2, or inf", required=False),
            Input("S", "examples in a mini-batch, without replacement: an integer from 1 to N", required=False),
            Input("c", "the noise factor from 0 to 1, in place of S", required=False),
        ),
        evaluate=_momentum_edge,
        summary="Largest stable curvature of heavy ball, and the momentum (at least 0) that lifts it most.",
    ),
    Predictor(
        name="breakeven.adam_edge",
        laws=("breakeven.adam_edge",),
        inputs=(RATE, Input("beta1", "share of the old mean in the running mean of gradients: from 0 to below 1")),
        evaluate=_adam_edge,
        summary="Largest stable eigenvalue of the preconditioned Hessian under averaged gradients.",
    ),
)
