"""A small study with a planted law, importable by spawned processes."""

import os
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import jax.numpy as jnp
import numpy as np
import xarray as xr
from sympy import Function, Symbol

from experiments.study import Check, CounterSystem, Grid, Margin, Study, Variable
from theory.claims import Claim, Formula
from theory.law import Law, Quantity, Rival, Source, Status

beta = Symbol("beta", positive=True)
tau = Function("tau")(beta)

VARIABLES = {
    "time": Variable(("seed",), "s", "time until it happens"),
    "trace": Variable(("seed", "step"), "1", "something recorded on the way"),
    "spectrum": Variable(("seed", "eigen"), "1", "three numbers"),
    "hits": Variable(("seed",), "1", "a count"),
    "stable": Variable(("seed",), "1", "whether it stayed bounded"),
}


def measure(
    replicates: Any, data: Any, beta: float, system: str, step: Any, factor: float = 3.0
) -> dict[str, Any]:
    """Times around factor / beta (own) or twice that (other), with 1 % scatter; JAX sets the precision."""
    draws = np.array([generator.standard_normal(5) for generator in replicates.generators()])
    mean = factor / beta * (2 if system == "other" else 1)
    offset = 0.0 if data is None else float(np.mean(data))
    return {
        "time": jnp.asarray(mean * (1 + 0.01 * draws[:, 0]) + offset),
        "trace": jnp.asarray(draws[:, :1] * step),
        "spectrum": jnp.asarray(draws[:, :3]),
        "hits": np.arange(len(draws)),
        "stable": draws[:, 0] > -10,
    }


def raising(replicates: Any, data: Any, beta: float, **rest: Any) -> dict[str, Any]:
    """Break down at beta = 1."""
    if beta == 1.0:
        raise ArithmeticError("no such\n temperature")
    return measure(replicates, data, beta, **rest)


def diverging(replicates: Any, data: Any, beta: float, **rest: Any) -> dict[str, Any]:
    """Give NaN and infinity at beta = 2, in the first seed."""
    found = dict(measure(replicates, data, beta, **rest))
    if beta == 2.0:
        found["trace"] = found["trace"].at[0, 1].set(np.nan).at[0, 0].set(np.inf)
    return found


def interrupted(replicates: Any, data: Any, beta: float, **rest: Any) -> dict[str, Any]:
    """Ctrl-C at beta = 1."""
    if beta == 1.0:
        raise KeyboardInterrupt
    return measure(replicates, data, beta, **rest)


def killed(replicates: Any, data: Any, beta: float, **rest: Any) -> dict[str, Any]:
    """Die at beta = 1, as a process does that the system kills for its memory."""
    if beta == 1.0:
        os._exit(9)
    return measure(replicates, data, beta, **rest)


def misshapen(replicates: Any, data: Any, beta: float, **rest: Any) -> dict[str, Any]:
    """Give another shape at beta = 1, another name at beta = 2."""
    found = dict(measure(replicates, data, beta, **rest))
    if beta == 1.0:
        found["spectrum"] = found["spectrum"][:, :2]
    if beta == 2.0:
        del found["hits"]
    return found


def observe(data: xr.Dataset) -> xr.Dataset:
    """Times at each beta."""
    return xr.Dataset({"measured": data["time"]})


GRID = Grid(
    axes={"beta": (0.5, 1.0, 2.0), "system": ("own", "other")},
    inner={"step": (0.0, 1.0, 2.0, 4.0)},
    settings={"factor": 3.0},
    seeds=12,
    block=6,
)

CHECK = Check(
    law="temperature.planted",
    observe=observe,
    margin=Margin(0.1, "physics", "planted"),
    select={"system": "own"},
    counter_systems=(CounterSystem("other system", {"system": "other"}, "twice as slow"),),
)

STUDY = Study(
    name="temperature.planted",
    title="Planted times",
    measure=measure,
    variables=VARIABLES,
    grids={"quick": GRID, "full": replace(GRID, seeds=20)},
    checks=(CHECK,),
)


@dataclass(frozen=True)
class Derivation:
    """Stand-in for a derivation, with a given state."""

    conclusion: Any
    state: str = "PROVED"
    checked: list[int] = field(default_factory=list)

    def check(self) -> Any:
        """A proof of one step."""
        self.checked.append(1)
        state = SimpleNamespace(name=self.state)
        step = SimpleNamespace(name="only step", state=state, reason="planted")
        return SimpleNamespace(steps=(step,), state=state, idle=(), unreached=())


def law(claim: Claim, *rivals: Claim, state: str = "PROVED", status: Status = Status.THEOREM) -> Law:
    """Law with that claim and those rivals."""
    derivation: Any = Derivation(claim.statement, state)
    return Law(
        name="temperature.planted",
        title="Planted",
        status=status,
        source=Source("none", "nowhere", ("temperature:T05",), "planted for a test"),
        quantities=(Quantity(beta, "inverse temperature", "1/J"),),
        regime="everywhere",
        derivation=derivation,
        claim=claim,
        rivals=tuple(
            Rival(f"rival {index}", rival, "wrong on purpose") for index, rival in enumerate(rivals)
        ),
    )


TRUE = law(Formula(tau, 3 / beta), Formula(tau, 3 / beta**2), Formula(tau, 6 / beta))
FALSE = law(Formula(tau, 4 / beta), Formula(tau, 6 / beta))
TOOTHLESS = law(Formula(tau, 3 / beta), Formula(tau, 3 / beta + 0 * beta + beta / 1000))
