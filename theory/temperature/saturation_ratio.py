"""The ratio of tau_z / ||Z0|| at large and at small logits, from kernel and logit correlations (temperature:T08).

One step beyond temperature.small_logit_constant and temperature.large_logit_constant: their constants are the
inverse sizes of Theta (Y - 1/K) and Theta (Y - E), E the one-hot largest initial logit. The square of the second is
averaged over an ensemble of weighted starts that know nothing of the labels: these stay while the starts are drawn.
"""

import random

from sympy import Eq, Expr, Function, IndexedBase, Integer, Rational, Sum, Symbol

from theory.claims import Formula, PowerLaw
from theory.definitions.temperature import LABELS, MEANINGS, K, M, Y, k, labels_of, m, n, over_classes
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import World, table
from theory.temperature.residual_norm import WEIGHTS, a, draws, over_draws, w

l = Symbol("l", integer=True, positive=True)  # noqa: E741
Theta_x, square, best, winner, chance, both, P_same, left_small, left, left_large, drive = (
    IndexedBase(name, real=True)
    for name in (
        *("Theta_x", "Theta_x^2", "best", "winner", "chance", "both", "P_same"),
        *("left_small", "left", "left_large", "drive"),
    )
)
small, large, inverse_rho2, drive_uniform, drive_same = (
    Symbol(name, real=True) for name in ("small", "large", "inverse_rho2", "drive_uniform", "drive_same")
)


def over_pairs(term: Expr) -> Expr:
    """Sum over pairs of training points m, n."""
    return Sum(term, (n, 1, M), (m, 1, M))


width = Symbol("width", integer=True, positive=True)
deviation = Function("deviation", real=True)
WIDTH_CLAIM = PowerLaw(deviation(width), width, -Rational(1, 2))
CLAIM = Formula(inverse_rho2, 1 + drive_same / drive_uniform)

SQUARE = Define("kernel squared", square[m, n], Sum(Theta_x[l, m] * Theta_x[l, n], (l, 1, M)))
LEFT_SMALL = Define(
    "overlap of two residuals at a uniform softmax",
    left_small[m, n],
    over_classes((Y[m, k] - 1 / K) * (Y[n, k] - 1 / K)),
)
SMALL = Define(
    "drive at a uniform softmax, squared",
    small,
    Sum(over_classes(Sum(Theta_x[l, m] * (Y[m, k] - 1 / K), (m, 1, M)) ** 2), (l, 1, M)),
)
RESIDUAL, OTHER_RESIDUAL = (Y[place, k] - best[a, place, k] for place in (m, n))
DRIVE = Define(
    "drive at a one-hot softmax, squared",
    drive[a],
    Sum(over_classes(Sum(Theta_x[l, m] * RESIDUAL, (m, 1, M)) ** 2), (l, 1, M)),
)
LARGE = Define("its mean over the initial logits", large, over_draws(drive[a]))
LEFT = Define("overlap of two residuals at a one-hot softmax", left[a, m, n], over_classes(RESIDUAL * OTHER_RESIDUAL))
LEFT_LARGE = Define("mean overlap", left_large[m, n], over_draws(left[a, m, n]))
WINNER = Define("chance of a class to win", winner[m, k], over_draws(best[a, m, k]))
BOTH = Define("chance to win at both points", both[m, n, k], over_draws(best[a, m, k] * best[a, n, k]))
ALIKE = Suppose(
    "the initial logits of all classes are drawn alike", Eq(winner[m, k], chance[m], evaluate=False), forall=(m, k)
)
ONE_WINS = Suppose("one class wins", Eq(over_classes(best[a, m, k]), 1, evaluate=False), forall=(a, m))
SAME = Define("chance of the same largest logit", P_same[m, n], over_classes(both[m, n, k]))
UNIFORM = Define(
    "labels seen by the kernel",
    drive_uniform,
    over_pairs(square[m, n] * (over_classes(Y[m, k] * Y[n, k]) - 1 / K)),
)
EXCESS = Define("winners seen by the kernel", drive_same, over_pairs(square[m, n] * (P_same[m, n] - 1 / K)))
RATIO = Define("saturating ratio, inverse and squared", inverse_rho2, large / small)


def some_labels(source: random.Random) -> World:
    """Two points, two or three classes, a random kernel; two pairs of winners, turned round the classes."""
    points, classes, part = 2, source.randint(2, 3), Rational(source.randint(1, 8), 9)
    pairs = [[source.randrange(classes) for _ in range(points)] for _ in range(2)]
    one_hot = [[Rational(int(x == place)) for x in range(classes)] for place in range(classes)]
    return World(
        {
            M: points,
            K: classes,
            draws: 2 * classes,
            **{place: source.randint(1, points) for place in (m, n, l)},
            k: source.randint(1, classes),
            a: source.randint(1, 2 * classes),
            Theta_x: table(source, points, points),
            Y: labels_of(source, points, classes),
            w: [share / classes for share in (part, 1 - part) for _ in range(classes)],
            best: [[one_hot[(place + turn) % classes] for place in pair] for pair in pairs for turn in range(classes)],
            chance: [Rational(1, classes)] * points,
        }
    )


DERIVATION = Derivation(
    premises=(
        *(SQUARE, LABELS, LEFT_SMALL, SMALL, WEIGHTS, DRIVE, LARGE, LEFT, LEFT_LARGE, WINNER, BOTH),
        *(ALIKE, ONE_WINS, SAME, UNIFORM, EXCESS, RATIO),
    ),
    steps=(
        Equal(
            "two labels at small logits",
            left_small[m, n],
            over_classes(Y[m, k] * Y[n, k]) - 1 / K,
            uses=(LABELS.name, LEFT_SMALL.name),
            because="every row of labels sums to 1",
            forall=(m, n),
        ),
        Equal(
            "size at small logits",
            small,
            over_pairs(square[m, n] * left_small[m, n]),
            uses=(SQUARE.name, LEFT_SMALL.name, SMALL.name),
            because="the square of a sum over points is a sum over pairs of them",
        ),
        Equal(
            "at small logits",
            small,
            drive_uniform,
            uses=("two labels at small logits", "size at small logits", UNIFORM.name),
        ),
        Equal(
            "chances add up",
            K * chance[m],
            over_classes(winner[m, k]),
            uses=(ALIKE.name,),
            forall=(m,),
        ),
        Equal(
            "so do those of the classes",
            over_classes(winner[m, k]),
            over_draws(over_classes(best[a, m, k])),
            uses=(WINNER.name,),
            forall=(m,),
        ),
        Equal(
            "one in K",
            chance[m],
            1 / K,
            uses=("chances add up", "so do those of the classes", ONE_WINS.name, WEIGHTS.name),
            forall=(m,),
        ),
        Equal(
            "every class wins equally often",
            winner[m, k],
            1 / K,
            uses=(ALIKE.name, "one in K"),
            because="whatever the labels, which the initial logits do not know",
            forall=(m, k),
        ),
        Equal(
            "mean overlap opened",
            left_large[m, n],
            over_classes(Y[m, k] * Y[n, k] - Y[m, k] * winner[n, k] - winner[m, k] * Y[n, k] + both[m, n, k]),
            uses=(LEFT_LARGE.name, LEFT.name, WEIGHTS.name, WINNER.name, BOTH.name),
            because="the labels are the same whatever start is drawn",
            forall=(m, n),
        ),
        Equal(
            "two labels at large logits",
            left_large[m, n],
            over_classes(Y[m, k] * Y[n, k]) + P_same[m, n] - 2 / K,
            uses=(LABELS.name, "mean overlap opened", "every class wins equally often", SAME.name),
            because="a label overlaps a winner that does not know it once in K times",
            forall=(m, n),
        ),
        Equal(
            "size at a start",
            drive[a],
            over_pairs(square[m, n] * left[a, m, n]),
            uses=(SQUARE.name, DRIVE.name, LEFT.name),
            forall=(a,),
        ),
        Equal(
            "size at large logits",
            large,
            over_pairs(square[m, n] * left_large[m, n]),
            uses=(LARGE.name, "size at a start", LEFT_LARGE.name),
        ),
        Equal(
            "at large logits",
            large,
            drive_uniform + drive_same,
            uses=("two labels at large logits", "size at large logits", UNIFORM.name, EXCESS.name),
        ),
        Equal("ratio", CLAIM.quantity, CLAIM.value, uses=(RATIO.name, "at small logits", "at large logits")),
    ),
    worlds=some_labels,
)

QUANTITIES = (
    Quantity(inverse_rho2, "squared ratio of tau_z / ||Z0|| at small over that at large logits, 1 / rho_sat^2"),
    Quantity(drive_uniform, "N_s = ||Theta_x (Y - 1/K)||^2 in the infinite-width kernel"),
    Quantity(drive_same, "sum over pairs of points of (Theta_x^2)_mn (P_same(c_mn) - 1/K)"),
)

LAWS = (
    Law(
        name="temperature.saturation_ratio",
        title="The ratio of tau_z / ||Z0|| at both ends follows from the kernel and the logit correlations",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app C, fig 7, beyond",
            ("temperature:T08",),
            "1/rho^2 = 1 + sum_mn (Theta_x^2)_mn (P_same(c_mn) - 1/K) / ||Theta_x (Y - 1/K)||^2",
        ),
        quantities=(*QUANTITIES, Quantity(K, *MEANINGS[K]), Quantity(Symbol("drive_pairs"), "sum of Theta_x^2")),
        regime="block-diagonal kernel that does not depend on the logits; initial logits independent of the labels "
        "and drawn alike for all classes; squared norms are averaged over the initial logits, the "
        "kernel is that of infinite width, so that a finite width adds a bias of order 1/n",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("isotropic", Formula(inverse_rho2, 2 + 0 * drive_uniform), "1/sqrt 2 whatever the kernel sees"),
            Rival(
                "same winner everywhere",
                Formula(inverse_rho2, 1 + (1 - 1 / K) * Symbol("drive_pairs") / drive_uniform),
                "takes all points for perfectly correlated",
            ),
            Rival("halved excess", Formula(inverse_rho2, 1 + drive_same / (2 * drive_uniform)), "loses a factor 2"),
        ),
    ),
    Law(
        name="temperature.infinite_width_speed",
        title="The logits' first velocity differs from that in the infinite-width kernel by n^-1/2",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "app C, fig 7",
            ("temperature:T08",),
            "tau_z/||Z0|| follows ||Theta (Y - softmax Z0)||^-1 with the kernel of infinite width",
        ),
        quantities=(
            Quantity(Symbol("deviation"), "relative distance of the velocities, root mean square over logit scales"),
            Quantity(width, "hidden units of each layer"),
        ),
        regime="a kernel fluctuates by n^-1/2 at width n; measured on two hidden layers, not derived here",
        derivation=None,
        claim=WIDTH_CLAIM,
        rivals=(
            Rival("no fall", PowerLaw(deviation(width), width, Integer(0)), "a kernel with another limit"),
            Rival("bias alone", PowerLaw(deviation(width), width, Integer(-1)), "the order of the kernel's mean error"),
        ),
    ),
)
