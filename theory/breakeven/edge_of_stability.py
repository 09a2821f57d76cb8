"""Full-batch gradient descent trains at the edge: its sharpness settles at 2/eta (breakeven:V9)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from sympy import Eq, Expr, Integer, Rational, Symbol, diff

from theory.breakeven import enumeration
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.definitions.breakeven import eta, psi
from theory.errata import Erratum, Witness
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps import Root
from theory.proof.worlds import World, rational

sharpness = Symbol("sharpness", positive=True)
slope, moved = Symbol("g", real=True), Symbol("psi'", real=True)

EDGE_OF_STABILITY = Law(
    name="breakeven.edge_of_stability",
    title="Full-batch gradient descent on a task that sharpens holds its sharpness at 2/eta.",
    status=Status.EMPIRICAL,
    source=Source(
        PAPER,
        "Section 3: at S = N the break-even point is reached at 2/eta",
        ("breakeven:L5", "breakeven:V9"),
        "The late mean of the top Hessian eigenvalue under full-batch gradient descent is 2/eta where "
        "the task binds.",
    ),
    quantities=(
        Quantity(
            sharpness, "largest Hessian eigenvalue, averaged over the second half of training", "curvature"
        ),
        Quantity(eta, "learning rate", "1/curvature"),
    ),
    regime="Derived: the curvature at which a step of gradient descent on a quadratic neither shrinks "
    "nor grows the "
    "distance. Observed, not derived: networks whose natural sharpness exceeds 2/eta come to rest there.",
    derivation=Derivation(
        premises=(
            Define("quadratic", slope, sharpness * psi),
            Define("gradient step", moved, psi - eta * slope, convention="only its square is used"),
        ),
        steps=(
            Root(
                "threshold",
                sharpness,
                Eq(moved**2, psi**2, evaluate=False),
                2 / eta,
                domain=sharpness > 0,
                uses=("quadratic", "gradient step"),
                because="(1 - eta sharpness)^2 = 1 has the roots 0 and 2/eta.",
            ),
        ),
        worlds=lambda source: World({eta: rational(source), psi: rational(source)}),
    ),
    claim=Formula(sharpness, 2 / eta),
    rivals=(
        Rival(
            "one over eta",
            Formula(sharpness, 1 / eta),
            "is where one step lands on the minimum of a quadratic",
        ),
        Rival(
            "momentum 1/2",
            Formula(sharpness, 3 / eta),
            "is the threshold (2 + 2 m)/eta of heavy ball at m = 1/2",
        ),
    ),
)

LAWS = (EDGE_OF_STABILITY,)


def _loss_without_its_factor() -> tuple[Expr, Expr, Expr]:
    """Growth of psi^2 in a full-batch step at eta = 2/(mean curvature), for curvatures 1 and 3.

    The printed loss sum (psi - psi*)^2 H_i and the derived one, (1/2N) times it, are differentiated; the
    truth is the paper's own statement for S = N, a break-even point at the curvature 2/eta: growth 1.
    """
    curvatures = [Integer(1), Integer(3)]
    rate = 2 / enumeration.mean(curvatures)
    place = Symbol("place")
    printed_loss = sum(curvature * place**2 for curvature in curvatures)
    derived_loss = printed_loss / (2 * len(curvatures))

    def growth(loss: Expr) -> Expr:
        return ((place - rate * diff(loss, place)) ** 2).subs(place, Rational(1))

    return growth(printed_loss), growth(derived_loss), enumeration.growth(curvatures, len(curvatures), rate)


ERRATA = (
    Erratum(
        id="breakeven:X3",
        where="Assumption 1, and the sentence before Eq. 1",
        sentence="The projected loss needs the factor 1/(2N): without it the curvature is 2 sum H_i, so "
        "that gradient "
        "descent would break even at sum H_i = 1/eta, a mean H_i of 1/(N eta), instead of mean H_i = 2/eta.",
        printed="f(psi) = sum_i (psi - psi*)^2 H_i",
        derived="f(psi) = (1/(2N)) sum_i (psi - psi*)^2 H_i",
        evidence=(
            Witness(
                "Curvatures 1 and 3, eta = 2/mean = 1, full batch: the printed loss multiplies psi^2 by "
                "49, the derived one "
                "by 1, which is the break-even that the paper states for S = N.",
                _loss_without_its_factor,
            ),
        ),
        law="breakeven.edge_of_stability",
    ),
)
