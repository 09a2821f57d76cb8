"""The rise of mean-field's divergence with the plotted width, seen without any law that is fitted (width:G14)."""

from sympy import symbols

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.width.meanings import source
from theory.width.overtaking import RISE, ratio, share

rise = symbols("rise_by_neighbours")
LAWS = (
    Law(
        name="width.mean_field_neighbours",
        title="Nearest neighbours, which know of no normal law, see mean-field's divergence from the reference rise "
        "with the plotted width as much as normal laws do.",
        status=Status.EMPIRICAL,
        source=source(
            "Equation 25 and Figure 2",
            ("width:G14", "width:X6"),
            "The mean-field limit is deterministic: its divergence from the reference is infinite.",
        ),
        quantities=(
            Quantity(rise, "divergence of the wider mean-field network from the reference, less the narrower one's"),
            Quantity(ratio, "width of the wider network over that of the narrower one"),
            Quantity(share, "variance of the narrower network's logit over the reference's"),
        ),
        regime="Divergences of the networks' own logits, of whatever law, one point at a time; the value is that of "
        "width.mean_field_divergence, which takes them for normal.",
        derivation=None,
        claim=Formula(rise, RISE),
        rivals=(
            Rival(
                "logarithm of the width",
                Formula(rise, 2 * RISE),
                "takes the deviation's logarithm for the variance's: twice as much",
            ),
        ),
    ),
)
