"""Where SGD comes to rest under noise that does not vanish at the minimum (breakeven:L6, G3)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from collections.abc import Mapping
from typing import Any

from sympy import Eq, Expr, Gt, IndexedBase, Ne, Rational, Sum, Symbol

from theory.breakeven.inputs import RATE, number
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.definitions.breakeven import (
    FIXED_RATIO,
    MEAN,
    N,
    S,
    c,
    eta,
    h,
    i,
    kappa,
    lam,
    noise,
    over_examples,
    population,
    s2,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

_FORMS = (expanded, sums, rational)

p = Symbol("p", integer=True, positive=True)
places = Symbol("n_p", integer=True, positive=True)
pull, place, weight, variance, after = (IndexedBase(n, real=True) for n in ("b", "x", "r", "v", "x'^2"))
spread, coupling = (Symbol(n, real=True) for n in ("E_v", "rho"))
psi2, reading = Symbol("psi2", positive=True), Symbol("LHS3", real=True)
sigma2 = Symbol("sigma2", nonnegative=True)


def _over_places(term: Expr) -> Expr:
    return Sum(weight[p] * term, (p, 1, places))


def _rest(share: Expr) -> Expr:
    return share * eta * sigma2 / (lam * (2 - eta * lam * (1 + share * kappa)))


_REST = _rest(noise())

_STATIONARY = (
    MEAN,
    Define("spread of the curvatures", s2, over_examples((h[i] - lam) ** 2) / N),
    FIXED_RATIO,
    Suppose("minimum at 0", Eq(over_examples(pull[i]), 0, evaluate=False)),
    Suppose("pulls", Eq(over_examples(pull[i] ** 2) / N, sigma2, evaluate=False)),
    Define("pulls and curvatures", coupling, over_examples(h[i] * pull[i]) / N),
    Define(
        "gradients vary",
        variance[p],
        over_examples((h[i] * place[p] - pull[i]) ** 2) / N - (over_examples(h[i] * place[p] - pull[i]) / N) ** 2,
    ),
    Define("noise factor", c, noise()),
    Define("one step", after[p], (1 - eta * lam) ** 2 * place[p] ** 2 + c * eta**2 * variance[p]),
    Suppose("a place", Eq(_over_places(Rational(1)), 1, evaluate=False)),
    Define("mean variance", spread, _over_places(variance[p])),
    Suppose(
        "the mean rests",
        Eq(_over_places((1 - eta * lam) * place[p]), _over_places(place[p]), evaluate=False),
    ),
    Suppose("mean square", Eq(_over_places(place[p] ** 2), psi2, evaluate=False)),
    Suppose("the mean square rests", Eq(_over_places(after[p]), psi2, evaluate=False)),
    Define("left side of (3)", reading, (1 - eta * lam) ** 2 + c * eta**2 * spread / psi2),
    Suppose("curved", Ne(lam, 0)),
    Suppose("not at the edge", Gt(2 - eta * lam * (1 + c * kappa), 0)),
)


def _resting_world(source: random.Random) -> World:
    """Two places whose moments are those of the resting distribution."""
    values = population(source, 4)
    size, curvatures = values[N], values[h]
    pulls = [draw(source, -4, 4) for _ in range(size)]
    pulls = [one - sum(pulls) / size for one in pulls]
    values[S] = min(values[S], size - 1) if values[w] else values[S]
    centre, share = sum(curvatures) / size, noise(size, values[S], values[w])
    level = sum(one**2 for one in pulls) / size
    rate = Rational(source.randint(1, 4), 3) / (centre * (1 + share * values[kappa]))
    rest = share * rate * level / (centre * (2 - rate * centre * (1 + share * values[kappa])))
    left = draw(source)
    return World(
        values
        | {
            pull: pulls,
            sigma2: level,
            eta: rate,
            psi2: rest,
            places: 2,
            place: [left, -rest / left],
            weight: [rest / (left**2 + rest), left**2 / (left**2 + rest)],
            p: source.randint(1, 2),
        }
    )


STATIONARY_DISTANCE = Law(
    name="breakeven.stationary_distance",
    title="SGD rests at psi^2 = c eta sigma^2/(lam (2 - eta lam (1 + c kappa))), where (3) reads 1 at any eta.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Inequality (3) at the noise floor; Theorem 1",
        ("breakeven:L6", "breakeven:G3"),
        "Additive noise sigma^2 keeps a mean squared distance that grows with eta, and there the left side of (3) "
        "is 1 at every stable eta and lam: a value of 1 may be the noise floor.",
    ),
    quantities=(
        Quantity(psi2, "mean squared distance to the minimum at rest", "length^2"),
        Quantity(sigma2, "population variance of the examples' gradients at the minimum", "gradient^2"),
        *quantities(eta, lam, kappa, N, S, w),
    ),
    assumptions=(_STATIONARY[-2].fact, _STATIONARY[-1].fact),
    regime="Quadratic losses along one direction with different minima, at rest: that the first two moments of the "
    "place no longer move, and the one-step reading from each place, are premises. It is reached where Q < 1.",
    derivation=Derivation(
        premises=_STATIONARY,
        steps=(
            Holds(
                "the mean is 0",
                Eq(_over_places(place[p]), 0, evaluate=False),
                uses=("the mean rests", "curved"),
                normal=_FORMS,
                because="A step multiplies it by 1 - eta lam, which is not 1.",
            ),
            Equal(
                "variance at a place",
                variance[p],
                s2 * place[p] ** 2 - 2 * coupling * place[p] + sigma2,
                uses=(
                    "gradients vary",
                    "mean",
                    "spread of the curvatures",
                    "minimum at 0",
                    "pulls",
                    "pulls and curvatures",
                ),
                normal=_FORMS,
                forall=(p,),
                because="The examples' gradients are h_i psi - b_i.",
            ),
            Equal(
                "mean over places",
                spread,
                kappa * lam**2 * psi2 + sigma2,
                uses=(
                    "mean variance",
                    "variance at a place",
                    "the mean is 0",
                    "mean square",
                    "a place",
                    "fixed ratio",
                ),
                normal=_FORMS,
                because="The mixed term drops out with the mean place.",
            ),
            Equal(
                "after a step",
                _over_places(after[p]),
                (1 - eta * lam) ** 2 * psi2 + c * eta**2 * spread,
                uses=("one step", "mean square", "mean variance"),
                normal=_FORMS,
                because="The one-step reading, averaged over the places.",
            ),
            Holds(
                "(3) reads 1",
                Eq(reading, 1, evaluate=False),
                uses=("left side of (3)", "after a step", "the mean square rests"),
                normal=(rational,),
                because="At rest a step does not change the mean square, at any learning rate.",
            ),
            Holds(
                "in short",
                Eq(psi2, _rest(c), evaluate=False),
                uses=("(3) reads 1", "left side of (3)", "mean over places", "curved", "not at the edge"),
                normal=(rational,),
                because="A linear equation for psi^2.",
            ),
            Equal(
                "place of rest",
                psi2,
                _REST,
                uses=("in short", "noise factor"),
                because="The batch-noise factor of the sampling scheme.",
            ),
        ),
        worlds=_resting_world,
    ),
    claim=Formula(psi2, _REST),
    rivals=(
        Rival(
            "additive noise only",
            Formula(psi2, noise() * eta * sigma2 / (lam * (2 - eta * lam))),
            "forgets that the curvatures differ",
        ),
        Rival("small steps", Formula(psi2, noise() * eta * sigma2 / (2 * lam)), "is the limit of small eta lam"),
        Rival(
            "no finite population",
            Formula(psi2, eta * sigma2 / S / (lam * (2 - eta * lam * (1 + kappa / S)))),
            "treats distinct examples as independent",
        ),
    ),
)

LAWS = (STATIONARY_DISTANCE,)


def _stationary_distance(eta: Any, lam: Any, kappa: Any, sigma2: Any, c: Any) -> Mapping[str, Expr]:
    rate, curvature = number("eta", eta, positive=True), number("lam", lam, positive=True)
    ratio, level = number("kappa", kappa, nonnegative=True), number("sigma2", sigma2, nonnegative=True)
    share = number("c", c, nonnegative=True)
    if share > 1:
        raise OutsideDomain(f"c={share} is outside the domain; give a noise factor from 0 to 1")
    slack = 2 - rate * curvature * (1 + share * ratio)
    if slack <= 0:
        raise OutsideDomain(
            f"eta lam (1 + c kappa) = {2 - slack} is at least 2, where SGD does not come to rest; give a smaller eta"
        )
    return {"psi2": share * rate * level / (curvature * slack)}


PREDICTORS = (
    Predictor(
        name="breakeven.stationary_distance",
        laws=("breakeven.stationary_distance",),
        inputs=(
            RATE,
            Input("lam", "mean curvature along the direction: positive"),
            Input("kappa", "s^2/lam^2, at least 0"),
            Input("sigma2", "population variance of the examples' gradients at the minimum, at least 0"),
            Input("c", "the noise factor from 0 to 1"),
        ),
        evaluate=_stationary_distance,
        summary="Mean squared distance to the minimum at which SGD comes to rest.",
    ),
)
