"""The command ``assay``: one verb per job, one sentence per mistake.

Exit status: 0 when all is well; 1 when a theorem *disagrees*, a step is not PROVED, or the measurement of a law
failed; 2 for bad usage, with one sentence on stderr; 130 when stopped by Ctrl-C. ``ASSAY_TRACEBACK=1`` shows
where a sentence came from.
"""

import argparse
import gc
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from experiments.commands.shared import unicode

VERBS = {
    "laws": "list every law: name, kind, source, proof state, last verdict",
    "derive": "show the steps of derivations with their proof states",
    "predict": "evaluate a law's closed form at a point, exactly",
    "verify": "derive, measure, compare, store and draw; print one table",
    "plot": "draw the picture of a law from its stored results",
    "report": "write one self-contained HTML file of all results",
    "errata": "list where the papers' text and the derivations differ, with the evidence",
    "doctor": "say what is installed and found here",
}
BAD_USAGE = 2
STOPPED = 130
LONGEST = 1000
"""Characters of a sentence that are told: a list of thousands that was given is not told again."""


class OneSentenceParser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the complaint and where to look, and exit with status 2."""
        sys.stderr.write(f"{self.prog}: {message}; see {self.prog} --help\n")
        raise SystemExit(BAD_USAGE)


def parser() -> argparse.ArgumentParser:
    """The command's parser, with a sub-parser for each verb."""
    top = OneSentenceParser(
        prog="assay",
        description="Derive the laws of early neural-network training and weigh each against real networks.",
        epilog="A first look: 'assay verify breakeven.ceiling' takes seconds; 'assay VERB --help' tells the rest.",
        allow_abbrev=False,
    )
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=OneSentenceParser)
    for verb, sentence in VERBS.items():
        sub = verbs.add_parser(verb, help=sentence, description=sentence[0].upper() + sentence[1:] + ".",
                               allow_abbrev=False)  # fmt: skip
        importlib.import_module(f"experiments.commands.{verb}").configure(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status.

    Parameters
    ----------
    argv
        Words after ``assay``; those of the process where none are given.
    """
    _replace_what_cannot_be_written()
    try:
        arguments = parser().parse_args(argv)
        return importlib.import_module(f"experiments.commands.{arguments.verb}").run(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    except KeyboardInterrupt:
        _complain("stopped")
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, MemoryError, RecursionError) as error:
        if os.environ.get("ASSAY_TRACEBACK"):
            raise
        _complain(one_sentence(error))
        return BAD_USAGE


def _complain(sentence: str) -> None:
    """Say it on stderr; where nothing can be said the exit status must do."""
    with suppress(OSError):
        sys.stderr.write(f"assay: {sentence}\n")


def command() -> NoReturn:
    """Run the process's command line and end with its exit status.

    A run that was stopped ends at once: the interpreter would take things apart while compiled code still computes,
    which can crash.
    """
    gc.set_threshold(50_000)  # laws stay: looking for garbage among them less often saves a twentieth of the time
    status = main()
    if status == STOPPED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    gc.freeze()  # nothing is searched for garbage at the end: with all laws loaded that takes a quarter of a second
    raise SystemExit(status)


def _replace_what_cannot_be_written() -> None:
    """Let a terminal that knows ASCII only show "?" for a character it lacks, and others an escape for a byte of a
    file's name that is no text: a table must not be lost to one.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if unicode(stream.encoding) else "replace")


def one_sentence(error: BaseException) -> str:
    """The message of an error on one line, without the digits of long numbers.

    Examples
    --------
    >>> one_sentence(ValueError("law x: not known;\\n  did you mean y?"))
    'law x: not known; did you mean y?'
    >>> one_sentence(ValueError("N is " + "7" * 300))
    'N is 777777777777...(300 digits)'
    """
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror.lower()}"
    if isinstance(error, (MemoryError, RecursionError)):
        return f"this needs more than the machine has ({type(error).__name__}); give smaller or simpler values"
    words = " ".join(str(error).split()) or type(error).__name__
    told = re.sub(r"\d{60,}", lambda found: f"{found[0][:12]}...({len(found[0])} digits)", words)
    return told if len(told) <= LONGEST else f"{told[: LONGEST // 2]} ... {told[-LONGEST // 2 :]}"


if __name__ == "__main__":
    command()
