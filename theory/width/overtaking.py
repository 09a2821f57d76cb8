"""How mean-field's divergence from the reference grows with the plotted width, and when NTK's passes it (width:G14)."""

from sympy import Function, log, symbols

from theory.claims import Formula, Trend
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import expanded, exponentials, rational
from theory.proof.steps import Equal
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width import kl
from theory.width.meanings import source

rho, ratio, narrow, d_ref, sigma_ref, spread = symbols("rho ratio narrow d_ref sigma_ref spread", positive=True)
share, rise = symbols("share rise")
neurons, scale, variance = (Function(name, positive=True) for name in ("neurons", "scale", "variance"))
divergence = Function("divergence")
overtaking, overtaking_narrow = symbols("log_step log_step_narrow")
RISE = (log(ratio) - share * (1 - 1 / ratio)) / 2

_FACTOR = "a factor that is the same at both widths goes into the share, which the law takes as it is"
_NEURONS = Define("number of neurons", neurons(rho), rho * d_ref, _FACTOR)
_SCALE = Define("mean-field scale", scale(rho), sigma_ref / rho, _FACTOR)
_VARIANCE = Define("variance of the logit", variance(rho), neurons(rho) * scale(rho) ** 2 * spread, _FACTOR)
_DIVERGENCE = Define(
    "divergence of two normal laws",
    divergence(rho),
    kl.NORMAL.xreplace({kl.variance: variance(rho)}),
    "what is the same at both widths, the gap of the means with it, drops out, which is what the law says",
)
_SHARE = Define("share of the reference's variance", share, variance(narrow) / kl.variance_ref)
_RISE = Define("rise of the divergence", rise, divergence(ratio * narrow) - divergence(narrow))

THINNER = Equal(
    "variances",
    variance(ratio * narrow),
    variance(narrow) / ratio,
    uses=(_NEURONS.name, _SCALE.name, _VARIANCE.name),
    because="More neurons, each of which counts less: the sum's fluctuation is what is left of their mean's.",
)
DERIVATION = Derivation(
    premises=(_NEURONS, _SCALE, _VARIANCE, _DIVERGENCE, _SHARE, _RISE),
    steps=(
        THINNER,
        Equal(
            "rise",
            rise,
            RISE,
            uses=(_DIVERGENCE.name, _SHARE.name, _RISE.name, THINNER.name),
            normal=(exponentials, expanded, rational),
            because="The gap of the means is the same at both widths and drops out.",
        ),
    ),
    worlds=lambda random: World(
        {
            **{one: draw(random) for one in (rho, ratio, narrow, d_ref, sigma_ref, spread, kl.variance_ref)},
            **{one: draw(random, -3, 3) for one in (kl.mean, kl.mean_ref)},
        }
    ),
)

_CURVES = " A reference that learns, its mean-field and NTK versions at multiples of its width, full-batch steps; "
LAWS = (
    Law(
        name="width.mean_field_divergence",
        title="At every step mean-field's divergence from the reference grows like half of the logarithm of the "
        "plotted width: networks r times as wide are farther from it by (ln r - v (1 - 1/r))/2.",
        status=Status.THEOREM,
        source=source(
            "Equation 25 and Figure 2",
            ("width:G14", "width:X6", "width:X8"),
            "The mean-field limit is deterministic: its divergence from the reference is infinite.",
        ),
        quantities=(
            Quantity(rise, "divergence of the wider mean-field network from the reference, less the narrower one's"),
            Quantity(ratio, "width of the wider network over that of the narrower one"),
            Quantity(share, "variance v of the narrower network's logit over the reference's"),
        ),
        regime="Normal laws with the networks' means and variances. Neurons are independent given the history, and "
        "what one of them puts out varies as much at both widths; the mean logit is the same: premises that hold up to "
        "corrections of the inverse width.",
        derivation=DERIVATION,
        claim=Formula(rise, RISE),
        rivals=(
            Rival(
                "logarithm of the width",
                Formula(rise, 2 * RISE),
                "takes the deviation's logarithm for the variance's: twice as much",
            ),
        ),
    ),
    Law(
        name="width.overtaking",
        title="The step from which on mean-field networks are nearer to the reference than NTK networks comes later "
        "the wider both are plotted.",
        status=Status.EMPIRICAL,
        source=source(
            "Figure 2",
            ("width:G14", "width:T1"),
            "Where the mean-field curve crosses the NTK curve depends on the plotted width.",
        ),
        quantities=(
            Quantity(overtaking, "logarithm of the step of overtaking, both models of one width"),
            Quantity(overtaking_narrow, "the same with mean-field networks of the narrowest version beside all others"),
            Quantity(rho, "plotted width over the reference's"),
        ),
        regime="That it does follows from width.mean_field_divergence where NTK's divergence grows in training and "
        "does not fall with its width." + _CURVES + "widths of 4 to 64 times the reference's.",
        derivation=None,
        claim=Trend(overtaking, rho, 1),
        rivals=(
            Rival(
                "one width for all",
                Trend(overtaking_narrow, rho, 1),
                "the mean-field curve that does not know the plotted width",
            ),
        ),
    ),
)
