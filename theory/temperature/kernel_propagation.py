"""Any logit of a linear model follows from the training logits through the kernel, singular ones too (T13).

What descent adds to the parameters lies in the span of the Jacobian's rows. A generalised inverse G with
Theta G Theta = Theta may miss coefficients w with Theta w = 0; those move no parameter, since
||J^T w||^2 = w Theta w = 0, hence no logit either, by Cauchy and Schwarz. Training logits are counted by
a = 1..A, A = M K; their residuals are any numbers here.
"""

import random

from sympy import Eq, Expr, Function, IndexedBase, Integer, Rational, Sum, Symbol

from theory.claims import Identity
from theory.definitions.linearised import any_function, delta, g, lam, quantities, t
from theory.definitions.temperature import P, beta, eta, over_parameters, p, q
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Induct
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

A, a, b, c, d = (Symbol(name, integer=True, positive=True) for name in "Aabcd")
J, G, Theta, cross, restored = (IndexedBase(name, real=True) for name in ("J", "G", "Theta", "Theta_x", "restored"))
residual, gathered, change, change_x, taken, whole, missed, silent, unmoved = (
    Function(name, real=True) for name in ("r", "c", "dz", "dz_x", "taken", "whole", "missed", "silent", "unmoved")
)
row, motion, along, area = (Function(name, real=True) for name in ("row", "motion", "along", "area"))


def over_logits(term: Expr, index: Symbol = b) -> Expr:
    """Sum over all training logits."""
    return Sum(term, (index, 1, A))


CLAIM = Identity(change_x(t), over_logits(cross[b] * taken(t, b)))

DESCENT = (
    Define("start", delta(0, p), Integer(0)),
    Define(
        "regularised descent",
        delta(t + 1, p),
        delta(t, p) + eta * (beta * over_logits(J[b, p] * residual(t, b)) - lam * delta(t, p)),
    ),
    Define("no coefficients at the start", gathered(0, a), Integer(0)),
    Define(
        "coefficients gather the residuals",
        gathered(t + 1, a),
        gathered(t, a) + eta * (beta * residual(t, a) - lam * gathered(t, a)),
    ),
)
KERNEL = Define("tangent kernel", Theta[a, b], over_parameters(J[a, p] * J[b, p]))
CHANGE = Define("change of the training logits", change(t, a), over_parameters(J[a, p] * delta(t, p)))
CHANGE_X = Define("change of another logit", change_x(t), over_parameters(g[p] * delta(t, p)))
CROSS = Define("kernel between that logit and the training logits", cross[b], over_parameters(g[p] * J[b, p]))
TAKEN = Define(
    "generalised inverse times the change of the training logits",
    taken(t, a),
    over_logits(G[a, b] * change(t, b)),
)
MISSED = Define("coefficients that it misses", missed(t, a), gathered(t, a) - taken(t, a))
SILENT = Define("what the kernel makes of them", silent(t, a), over_logits(Theta[a, b] * missed(t, b)))
UNMOVED = Define("what they do to the parameters", unmoved(t, p), over_logits(J[b, p] * missed(t, b)))
RESTORED = Define(
    "kernel, inverse, kernel",
    restored[a, b],
    over_logits(over_logits(Theta[a, c] * G[c, d] * Theta[d, b], c), d),
)
INVERSE = Suppose(
    "a generalised inverse: the first of Penrose's equations", Eq(restored[a, b], Theta[a, b]), forall=(a, b)
)
ROW = Define("size of the other row", row(t), over_parameters(g[p] ** 2))
MOTION = Define("size of the motion", motion(t), over_parameters(unmoved(t, p) ** 2))
ALONG = Define("motion of the other logit", along(t), over_parameters(g[p] * unmoved(t, p)))
AREA = Define(
    "squared areas spanned by the row and the motion",
    area(t),
    over_parameters(over_parameters((g[p] * unmoved(t, q) - g[q] * unmoved(t, p)) ** 2, q)),
)


def a_singular_model(source: random.Random) -> World:
    """Two training logits that see one feature with different weights: a kernel of rank one."""
    rows = [Rational(source.randint(1, 9), source.randint(1, 5)) for _ in range(2)]
    size = sum(r**2 for r in rows)
    return World(
        {
            A: 2,
            P: 1,
            a: source.randint(1, 2),
            b: source.randint(1, 2),
            p: 1,
            t: 2,
            beta: fraction(source, 1, 2),
            eta: fraction(source, 1, 2) / 8,
            lam: fraction(source, 1, 2) / 4,
            J: [[r] for r in rows],
            g: table(source, 1),
            G: [[x * y / size**2 for y in rows] for x in rows],
            residual: any_function(source, t, a),
        }
    )


SPAN = Induct(
    "the displacement is spanned by the rows",
    t,
    delta(t, p),
    over_logits(J[b, p] * gathered(t, b)),
    uses=tuple(definition.name for definition in DESCENT),
    because="each step adds residuals times rows, and decay shrinks all alike",
    every=(p,),
)

DERIVATION = Derivation(
    premises=(
        *DESCENT, KERNEL, CHANGE, CHANGE_X, CROSS, TAKEN, MISSED, SILENT, UNMOVED, RESTORED, INVERSE, ROW, MOTION,
        ALONG, AREA,
    ),
    steps=(
        SPAN,
        Equal(
            "training logits through the kernel",
            change(t, a),
            over_logits(Theta[a, b] * gathered(t, b)),
            uses=(SPAN.name, CHANGE.name, KERNEL.name),
            forall=(t, a),
        ),
        Equal(
            "the kernel of what is taken",
            over_logits(Theta[a, b] * taken(t, b)),
            over_logits(restored[a, b] * gathered(t, b)),
            uses=("training logits through the kernel", TAKEN.name, RESTORED.name),
        ),
        Equal(
            "nothing is seen of what is missed",
            silent(t, a),
            Integer(0),
            uses=("the kernel of what is taken", INVERSE.name, MISSED.name, SILENT.name),
            because="the kernel of what is taken is that of all coefficients",
            forall=(t, a),
        ),
        Equal(
            "size through the kernel",
            motion(t),
            over_logits(missed(t, a) * silent(t, a), a),
            uses=(KERNEL.name, SILENT.name, UNMOVED.name, MOTION.name),
            because="||J^T w||^2 = w Theta w",
        ),
        Equal(
            "no motion",
            motion(t),
            Integer(0),
            uses=("size through the kernel", "nothing is seen of what is missed"),
        ),
        Equal(
            "Lagrange's identity",
            area(t),
            2 * row(t) * motion(t) - 2 * along(t) ** 2,
            uses=(AREA.name, ROW.name, MOTION.name, ALONG.name),
        ),
        Holds("areas are squares", area(t) >= 0, uses=(AREA.name,)),
        Holds(
            "no logit moves",
            Eq(along(t), 0, evaluate=False),
            uses=("Lagrange's identity", "areas are squares", "no motion"),
            because="(g v)^2 <= g^2 v^2 = 0",
        ),
        Equal(
            "any logit through the kernel",
            CLAIM.left,
            CLAIM.right + along(t),
            uses=(SPAN.name, CHANGE_X.name, CROSS.name, MISSED.name, UNMOVED.name, ALONG.name),
        ),
        Equal("propagation", CLAIM.left, CLAIM.right, uses=("any logit through the kernel", "no logit moves")),
    ),
    worlds=a_singular_model,
)  # fmt: skip

LAWS = (
    Law(
        name="temperature.kernel_propagation",
        title="Every logit of a linear model follows from the training logits through the kernel, even a singular one",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "eq 10",
            ("temperature:T13",),
            "z(x,t) - z(x,0) = Theta(x,X) Theta^+ (z(X,t) - z(X,0)) at all times, with or without weight decay",
        ),
        quantities=(
            Quantity(Symbol("dz_x"), "change of any raw logit since the start"),
            Quantity(cross, "tangent kernel between that logit and the training logits"),
            Quantity(Symbol("taken"), "pseudo-inverse of the kernel times the change of the training logits"),
            Quantity(Symbol("whole"), "the same of the training logits themselves, start included"),
            Quantity(A, "training logits, points times classes"),
            Quantity(b, "a training logit"),
            *quantities(t),
        ),
        regime="model linear in its parameters; gradient descent with any rate, weight decay and temperature; any "
        "generalised inverse of the kernel serves, the pseudo-inverse is one",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "printed in eq 13",
                Identity(CLAIM.left, over_logits(cross[b] * whole(t, b))),
                "propagates the logits, not their change: the same only where they start at 0",
            ),
            Rival(
                "no inverse",
                Identity(CLAIM.left, over_logits(cross[b] * change(t, b))),
                "takes the kernel for a projection",
            ),
        ),
    ),
)
