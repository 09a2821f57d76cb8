"""Gaussian kernels of the rectifier, from polar coordinates (width:X5)."""

from sympy import Integer, Integral, S, cos, pi, sin, symbols

from theory.claims import Formula
from theory.law import Rival
from theory.proof.derivation import Define, Derivation
from theory.proof.normal_forms import rational, trigonometric
from theory.proof.steps import Equal, Integrates
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.kernel_laws import GAUSSIAN, kernel_law, slopes, values

norm, norm_other, angle = symbols("norm norm_other theta", positive=True)
turn = symbols("turn", real=True)
_ARC = GAUSSIAN + (
    " Premises: in the plane of the inputs the direction is uniform and independent of the radius, whose mean square "
    "is 2, and both are on along the arc from theta - pi/2 to pi/2."
)

LOW, HIGH = angle - pi / 2, pi / 2
MEAN_SQUARE_RADIUS = Integer(2)
"""Of two independent standard normal numbers: the sum of their mean squares."""

RELU_VALUES = norm * norm_other * (sin(angle) + (pi - angle) * cos(angle)) / (2 * pi)
RELU_SLOPES = (pi - angle) / (2 * pi)
_BOTH = cos(turn) * cos(turn - angle)


def _angles(source_) -> World:
    return World({angle: draw(source_, 1, 3), norm: draw(source_), norm_other: draw(source_)})


_POLAR = Define(
    "polar coordinates",
    values,
    norm * norm_other * MEAN_SQUARE_RADIUS * Integral(_BOTH, (turn, LOW, HIGH)) / (2 * pi),
)
_SHARE = Define("share of the circle", slopes, Integral(1, (turn, LOW, HIGH)) / (2 * pi))

RELU_VALUES_DERIVATION = Derivation(
    premises=(_POLAR,),
    steps=(
        Integrates(
            "half circle",
            _BOTH,
            turn,
            LOW,
            HIGH,
            (turn * cos(angle) + sin(turn) * cos(turn - angle)) / 2,
            normal=(trigonometric,),
            because="Both inputs are positive on the arc between the two half circles.",
        ),
        Equal(
            "rectifier",
            values,
            RELU_VALUES,
            uses=("polar coordinates", "half circle"),
            normal=(trigonometric, rational),
            because="The mean square of the radius times the mean of both cosines over the directions.",
        ),
    ),
    worlds=_angles,
)
RELU_SLOPES_DERIVATION = Derivation(
    premises=(_SHARE,),
    steps=(
        Integrates("arc", Integer(1), turn, LOW, HIGH, turn, because="The length of the arc."),
        Equal(
            "both are on",
            slopes,
            RELU_SLOPES,
            uses=("share of the circle", "arc"),
            because="The chance that both inputs of a pair are positive.",
        ),
    ),
    worlds=_angles,
)

_ANGLE = {angle: "angle between x and x'"}

LAWS = (
    kernel_law(
        "relu_values",
        "For the rectifier E phi phi' = |x||x'| (sin theta + (pi - theta) cos theta) / (2 pi).",
        Formula(values, RELU_VALUES),
        RELU_VALUES_DERIVATION,
        Rival(
            "over pi",
            Formula(values, 2 * RELU_VALUES),
            "that of the rectifier scaled by the root of 2, as He's initialisation has it",
        ),
        {norm: "norm of x", norm_other: "norm of x'"} | _ANGLE,
        _ARC,
    ),
    kernel_law(
        "relu_slopes",
        "For the rectifier E phi' phi' = (pi - theta) / (2 pi).",
        Formula(slopes, RELU_SLOPES),
        RELU_SLOPES_DERIVATION,
        Rival("independent", Formula(slopes, S.One / 4 + 0 * angle), "holds for orthogonal inputs alone"),
        _ANGLE,
        _ARC,
    ),
)
