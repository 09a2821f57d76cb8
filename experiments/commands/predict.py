"""``assay predict LAW name=value ...``: a law's closed form at a point, exactly."""

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from experiments.commands.shared import add_json, print_json, refuse_figures

LONGEST = 5.0
"""Seconds of computing after which an answer is given up: exact roots and powers of strange numbers never end."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "law", metavar="LAW", help="a name such as breakeven.noise_factor; without inputs it says which it needs"
    )
    parser.add_argument(
        "inputs", nargs="*", metavar="name=value", default=[], help="exact inputs: 1/2, 0.1, inf, [1,1/2], true, words"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate and print."""
    from theory.parsing import parse_assignments
    from theory.registry import TOPICS, laws, predictors, unknown
    from theory.serving import encode, plain, serve

    name = arguments.law
    if name not in predictors():
        if name in laws() or name in TOPICS:
            served = ", ".join(other for other in predictors() if other.split(".")[0] == name.split(".")[0])
            what = f"{name} is a topic" if name in TOPICS else f"{name} has no closed form to evaluate"
            raise ValueError(f"predict: {what}; those of {name.split('.')[0]} with a closed form are {served}")
        refuse_figures("predict", (name,))
        raise ValueError(f"predict: {unknown(name, tuple(predictors()), 'law')}")
    predictor = predictors()[name]
    given = parse_assignments(arguments.inputs)
    with _limited(name):
        outputs = serve(predictor, given)
    inputs = {key: encode(value) for key, value in given.items()}
    if arguments.json:
        print_json({"law": name, "inputs": inputs, "outputs": outputs})
        return 0
    point = ", ".join(f"{key} = {plain(value).split(' = ')[0]}" for key, value in inputs.items())
    print(f"{name}{' at ' + point if point else ''}: {predictor.summary}")
    for key, value in outputs.items():
        print(f"  {key}: {plain(value)}")
    return 0


class _TooLong(BaseException):
    """The time is over; no library's ``except Exception`` keeps it."""


@contextmanager
def _limited(name: str) -> Iterator[None]:
    """Give up after LONGEST seconds of computing, where the system can tell (not on Windows, nor in a thread)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    except _TooLong:
        raise ValueError(
            f"{name}: its exact value at this point takes more than {LONGEST:.0f} s of computing; "
            "give shorter or less extreme numbers"
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
