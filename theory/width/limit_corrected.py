"""The corrected mean-field model of any width has its limit's logits, noise of later steps aside (width:X3)."""

from sympy import Function, Lambda, Symbol, sqrt, symbols

from theory.claims import Identity
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps import Equal, Induct
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

k = Symbol("k", integer=True)
rho, rate = symbols("rho rate", positive=True)
field, start = symbols("field start", real=True)
neurons, ideal, after, mean, total = (
    Function(name, real=True) for name in ("neurons", "neurons_limit", "after", "mean", "total")
)
logit, logit_limit, logit_mean_field = (Function(name, real=True) for name in ("logit", "logit_limit", "logit_mf"))
CLAIM = Identity(logit(k), logit_limit(k))
_z, _g, _s = symbols("z g s", real=True)


def _worlds(random) -> World:
    return World(
        {
            k: 2, rho: draw(random) ** 2, rate: draw(random), field: draw(random, -3, 3), start: draw(random),
            mean: Lambda((_z,), 2 * _z), after: Lambda((_z, _g, _s), _z / 3 + _s - _g / 5),
        }
    )  # fmt: skip


_SUM = Define("sum over neurons", total(k), rho * (mean(neurons(k)) - mean(start)) + sqrt(rho) * field)
_LOGIT = Define("logit", logit(k), total(k) / rho + (1 / sqrt(rho) - 1 / rho) * total(0))
_START = Define("start", neurons(0), start)
_STEP = Define("step", neurons(k + 1), after(neurons(k), logit(k), rate / rho * rho))
_LIMIT = (
    Define("logit of the limit", logit_limit(k), mean(ideal(k)) - mean(start) + field),
    Define("start of the limit", ideal(0), start),
    Define("step of the limit", ideal(k + 1), after(ideal(k), logit_limit(k), rate)),
)
DERIVATION = Derivation(
    premises=(_SUM, _LOGIT, _START, _STEP, *_LIMIT),
    steps=(
        Equal(
            "no power of the width is left",
            logit(k),
            mean(neurons(k)) - mean(start) + field,
            uses=(_SUM.name, _LOGIT.name, _START.name),
            because="Of the fluctuation the trained sum gives rho^(-1/2), the frozen one the rest of 1.",
            forall=(k,),
        ),
        Induct(
            "the same neurons",
            k,
            neurons(k),
            ideal(k),
            uses=(_START.name, _STEP.name, *(one.name for one in _LIMIT), "no power of the width is left"),
            because="Gradients are functions of logits, and of the step's size the width cancels.",
        ),
        Induct(
            "the same logits",
            k,
            logit(k),
            logit_limit(k),
            uses=("no power of the width is left", "the same neurons", "logit of the limit"),
            because="The same neurons and the same field.",
        ),
    ),
    worlds=_worlds,
)

LAWS = (
    Law(
        name="width.limit_corrected",
        title="The corrected mean-field model of any width has its limit's logits: the initial field stays whole.",
        status=Status.THEOREM,
        source=source(
            "Section 4 and SM D",
            ("width:X3", "width:G10"),
            "The limit is mean-field's with a Gaussian field that stays; all four statements hold.",
        ),
        quantities=(
            Quantity(k, "number of steps"),
            Quantity(logit, "logit of the corrected model at a width of rho times the reference's"),
            Quantity(logit_limit, "logit of its limit: the mean over the neurons' law, and the initial field"),
        ),
        regime="Any step map and any read-out of the neurons. A sum over neurons is rho times its mean and sqrt(rho) "
        "times the initial fluctuation: of sampling noise only the initial logits' is kept, as in every limit here.",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "mean-field's limit",
                Identity(logit(k), logit_mean_field(k)),
                "leaves the frozen sum out: the field is in neither the logits nor the gradients",
            ),
        ),
    ),
)
