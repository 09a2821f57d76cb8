"""How the best learning rate follows beta, and what large rates do at large beta: conjectures on full training."""

from dataclasses import replace

from sympy import Function, Integer, Symbol

from theory.claims import PowerLaw, Trend
from theory.definitions.temperature import MEANINGS, beta
from theory.law import Law, Quantity, Rival, Source, Status

H = Symbol("H", positive=True)
rate = Symbol("scaled_rate", positive=True)
best, accuracy = Function("eta_best", positive=True), Function("accuracy", positive=True)

BEST = PowerLaw(best(beta), beta, -2 / H)
RISES = Trend(accuracy(rate), rate, 1)

LAWS = (
    Law(
        name="temperature.best_learning_rate",
        title="At small beta the best learning rate of a homogeneous network goes like beta^(-2/H)",
        status=Status.CONJECTURE,
        source=Source(
            "temperature",
            "sec 3.1, fig 4",
            ("temperature:F4", "temperature:E42"),
            "training at beta is training at 1 from beta^(1/H) theta at beta^(2/H) eta: if the best rate of that "
            "tends to a constant, eta* ~ beta^(-2/H)",
        ),
        quantities=(
            Quantity(Symbol("eta_best"), "learning rate with the least training loss after a given number of steps"),
            Quantity(beta, *MEANINGS[beta]),
            Quantity(H, "layers of weights of a bias-free ReLU network"),
        ),
        regime="beta below 1, ordinary start, enough steps to leave the neighbourhood of zero: the best rate at 1 from "
        "a small start is taken to tend to a constant",
        derivation=None,
        claim=BEST,
        rivals=(
            Rival("inverse beta", replace(BEST, exponent=Integer(-1)), "what the paper reads off one architecture"),
            Rival("inverse square", replace(BEST, exponent=Integer(-2)), "what constant eta beta^2 would give"),
        ),
    ),
    Law(
        name="temperature.features_at_large_beta",
        title="At beta = 100 test accuracy rises with the learning rate, from that of a linearised network",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "secs 2.4, 3.2",
            ("temperature:E41", "temperature:F5"),
            "on a task where features matter, learning rates of order 1/beta leave the lazy regime at any beta",
        ),
        quantities=(
            Quantity(Symbol("accuracy"), "accuracy on the test points after training"),
            Quantity(rate, "learning rate times beta, for a loss that is a mean"),
        ),
        regime="ReLU network of one hidden layer on the stripe task, beta = 100; training loss small at all rates",
        derivation=None,
        claim=RISES,
        rivals=(Rival("falls", replace(RISES, direction=-1), "what an unstable rate would do"),),
    ),
)
