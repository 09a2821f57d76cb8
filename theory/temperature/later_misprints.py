"""Slips in the text of sections 2.3 and 3.1, and two claims about training that measurements do not bear out."""

from theory.errata import Erratum, Measurement, Reading

ERRATA = (
    Erratum(
        id="temperature:E38",
        where="sec 2.3, text on fig 2",
        sentence="The text swaps two panels: the curves collapse in the right panel, not in the middle one.",
        printed="rescaling time causes accuracy curves to collapse (Figure 2, middle), without the rescaling (right)",
        derived="rescaling time causes accuracy curves to collapse (Figure 2, right), without the rescaling (centre)",
        evidence=(
            Reading("the caption has it so: accuracy increases (center), rescaling time by tau_z collapses (right)"),
            Measurement(
                "the time to an accuracy spreads ten times less in units of tau_z, not ten times more",
                "temperature.time_to_accuracy",
                "worse",
            ),
        ),
        law="temperature.time_to_accuracy",
    ),
    Erratum(
        id="temperature:E39",
        where="sec 3.1",
        sentence="Wide residual networks are cited as [8], which is label smoothing everywhere else in the paper.",
        printed="wide resnets [8]",
        derived="wide resnets [3]",
        evidence=(Reading("sections 1 and 3.2 cite Wide Residual networks as [3], and label smoothing as [7, 8]"),),
    ),
    Erratum(
        id="temperature:E41",
        where="secs 2.4 and 3.2",
        sentence="Models with large beta are linearised throughout training at fixed eta beta^2, not at rates of "
        "order 1/beta.",
        printed="networks with large beta will be effectively linearised throughout training",
        derived="true at fixed eta beta^2; at eta ~ 1/beta tau_nl is a few steps, and features are learned at any beta",
        evidence=(
            Measurement(
                "accuracy at beta = 100 rises with the learning rate, that of the linearised network does not",
                "temperature.features_at_large_beta",
                "linearised network",
            ),
        ),
        law="temperature.features_at_large_beta",
    ),
    Erratum(
        id="temperature:E42",
        where="sec 3.1, fig 4",
        sentence="That the best learning rate goes like 1/beta is no general law: it depends on the degree of "
        "homogeneity of the network.",
        printed="the optimal learning rate eta* has a clear 1/beta dependence",
        derived="for a network of H bias-free ReLU layers the rates that train it go like beta^(-2/H) as beta falls: "
        "1/beta for H = 2",
        evidence=(
            Measurement(
                "exponent of the best learning rate of networks with two and with four layers",
                "temperature.best_learning_rate",
                "inverse beta",
            ),
        ),
        law="temperature.best_learning_rate",
    ),
)
