"""With both halves trained and opposite readouts the kernel's part of the second derivative is zero (E27).

A network of two halves with one body: the first half has the readout W, the second s W, and both have the hidden
units h at the start. In the body's parameters of one half, dh and ddh are the first and second derivatives of a
hidden unit. The halves move along u = J^T r, each in its own parameters.
"""

import random
from collections.abc import Callable

from sympy import (
    Add,
    Derivative,
    Eq,
    Expr,
    Function,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Limit,
    Rational,
    Sum,
    Symbol,
    symbols,
)

from theory.claims import Identity
from theory.definitions.temperature import (
    CLASS,
    MEANINGS,
    K,
    M,
    P,
    beta,
    eta_tilde,
    i,
    j,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    q,
    r,
)
from theory.errata import Counterexample, Erratum, Measurement
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import rational, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction

N = Symbol("N", integer=True, positive=True)
c, c_, n_, j_ = (Symbol(name, integer=True, positive=True) for name in ("c", "c'", "n'", "j'"))
s = Symbol("s", real=True)
t = Symbol("t", nonnegative=True)
W, h, dh, ddh, pull, linear, cubic, bend, bend_of_half = (
    IndexedBase(name, real=True) for name in ("W", "h", "dh", "ddh", "u_W", "linear", "cubic", "bend", "bend_of_half")
)
W_at, h_at, dh_at, pull_body, slope_at, kernel_at = (
    Function(name, real=True) for name in ("W", "h", "dh", "u_body", "J_body", "Theta_half")
)

CLAIM = Identity(bend[m, i], Integer(0))


def over_units(term: Expr) -> Expr:
    """Sum over the hidden units 1..N."""
    return Sum(term, (c, 1, N))


QUADRATIC = "the kernel is quadratic in it"
PULL_READOUT = Define("pull on the readout", pull[i, c], Sum(r[n, i] * h[n, c], (n, 1, M)))
PULL_BODY = Define("pull on the body", pull_body(p, s), over_logits(r[n, j] * over_units(s * W[j, c] * dh[n, c, p])))
READOUT_AT = Define("readout along the flow", W_at(i, c, s, t), s * W[i, c] + t * pull[i, c], QUADRATIC)
UNITS_AT = Define(
    "units along the flow",
    h_at(m, c, s, t),
    h[m, c] + t * over_parameters(dh[m, c, p] * pull_body(p, s)),
    QUADRATIC,
)
SLOPES_AT = Define(
    "slopes along the flow",
    dh_at(m, c, p, s, t),
    dh[m, c, p] + t * over_parameters(ddh[m, c, p, q] * pull_body(q, s), q),
    QUADRATIC,
)
BODY_AT = Define(
    "Jacobian of the body",
    slope_at(m, i, p, s, t),
    over_units(W_at(i, c, s, t) * dh_at(m, c, p, s, t)),
    QUADRATIC,
)
KERNEL_AT = Define(
    "kernel of a half",
    kernel_at(m, i, n, j, s, t),
    KroneckerDelta(i, j) * over_units(h_at(m, c, s, t) * h_at(n, c, s, t))
    + over_parameters(slope_at(m, i, p, s, t) * slope_at(n, j, p, s, t)),
    "a constant does not change",
)
ALONG = (PULL_READOUT, PULL_BODY, READOUT_AT, UNITS_AT, SLOPES_AT, BODY_AT, KERNEL_AT)


def pulled(parameter: Symbol) -> Expr:
    """Pull of the first half on a parameter of the body."""
    return over_logits(r[n_, j_] * Sum(W[j_, c_] * dh[n_, c_, parameter], (c_, 1, N)), n_, j_)


def first_order(point: Symbol, class_: Symbol) -> Expr:
    """Change of a half's Jacobian in the body that is due to its readout, for the parameter p."""
    return over_units(Sum(r[n_, class_] * h[n_, c], (n_, 1, M)) * dh[point, c, p])


def second_order(point: Symbol, class_: Symbol) -> Expr:
    """Change that is due to the slopes of its units, for the parameter p."""
    return over_units(W[class_, c] * over_parameters(ddh[point, c, p, q] * pulled(q), q))


def turned(change: Callable[[Symbol, Symbol], Expr]) -> Expr:
    """Kernel change times residual when the Jacobian in the body changes so, from a readout W."""
    body = lambda point, class_: over_units(W[class_, c] * dh[point, c, p])  # noqa: E731
    return over_logits(r[n, j] * over_parameters(change(m, i) * body(n, j) + body(m, i) * change(n, j)))


LINEAR = Define(
    "part linear in the readout",
    linear[m, i],
    turned(first_order)
    + Sum(
        r[n, i]
        * over_units(
            h[n, c] * over_parameters(dh[m, c, p] * pulled(p)) + h[m, c] * over_parameters(dh[n, c, p] * pulled(p))
        ),
        (n, 1, M),
    ),
)
CUBIC = Define("part cubic in the readout", cubic[m, i], turned(second_order))
CHANGE = Derivative(over_logits((kernel_at(m, i, n, j, 1, t) + kernel_at(m, i, n, j, s, t)) * r[n, j]), t)
BEND = Define(
    "part from the kernel's change",
    bend[m, i],
    eta_tilde**2 / beta * Limit(CHANGE, t, 0),
)
OPPOSITE = Suppose("opposite readouts", Eq(s, -1, evaluate=False))


def two_halves(source: random.Random) -> World:
    """One point, two classes, two units, one parameter of the body."""
    return World(
        {
            M: 1,
            K: 2,
            N: 2,
            P: 1,
            m: 1,
            i: source.randint(1, 2),
            n: 1,
            j: source.randint(1, 2),
            s: -1,
            t: fraction(source),
            beta: fraction(source),
            eta_tilde: fraction(source),
            r: table(source, 1, 2),
            W: table(source, 2, 2),
            h: table(source, 1, 2),
            dh: table(source, 1, 2, 1),
            ddh: table(source, 1, 2, 1, 1),
        }
    )


DERIVATION = Derivation(
    premises=(CLASS, *ALONG, LINEAR, CUBIC, BEND, OPPOSITE),
    steps=(
        Tends(
            "change of the whole kernel",
            CHANGE,
            t,
            Integer(0),
            (1 + s) * linear[m, i] + (1 + s**3) * cubic[m, i],
            uses=tuple(d.name for d in (CLASS, *ALONG, LINEAR, CUBIC)),
            normal=(sums, rational),
            because="the kernel is even in the readout and the pull on the body odd: all of it is odd",
        ),
        Equal(
            "part of both halves",
            bend[m, i],
            eta_tilde**2 / beta * ((1 + s) * linear[m, i] + (1 + s**3) * cubic[m, i]),
            uses=("change of the whole kernel", BEND.name),
        ),
        Equal(
            "nothing is left",
            CLAIM.left,
            CLAIM.right,
            uses=("part of both halves", OPPOSITE.name),
            because="odd powers of s = -1 cancel those of 1",
        ),
    ),
    worlds=two_halves,
)

LAWS = (
    Law(
        name="temperature.both_halves_cancel",
        title="With both halves trained from opposite readouts the kernel does not change at first",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.4, app D.1",
            ("temperature:E27",),
            "Z''_nl is odd in the output weights: it vanishes when both halves of the start at c = -1 move",
        ),
        quantities=(
            Quantity(bend, "part of the second derivative of a scaled logit from the kernel's change", "1/step^2"),
            Quantity(bend_of_half, "the same for the first half alone", "1/step^2"),
            *(Quantity(symbol, *MEANINGS[symbol]) for symbol in (m, i)),
        ),
        regime="two halves with one body and readouts W and -W, both trained; linear readouts; full batch",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "halves alike",
                Identity(CLAIM.left, 2 * bend_of_half[m, i]),
                "takes the kernel's part for even",
            ),
            Rival("one half's", Identity(CLAIM.left, bend_of_half[m, i]), "what training one half alone gives"),
        ),
    ),
)


def opposite_halves() -> tuple[bool, bool]:
    """Two halves with one parameter in the body, two classes, beta = 1, label (1, 0).

    z_k = w_1k a_1 + w_2k a_2 at a_1 = a_2 = 2 and w_1 = (2, 3) = -w_2, so that Z = 0 and r = (1/2, -1/2). The
    printed law needs a finite tau_nl; here D_u[Theta r] = 0 although the residual moves the logits.
    """
    a1, a2, w11, w12, w21, w22, step = symbols("a1 a2 w11 w12 w21 w22 step")
    place = {a1: 2, a2: 2, w11: 2, w12: 3, w21: -2, w22: -3}
    logits = (w11 * a1 + w21 * a2, w12 * a1 + w22 * a2)
    residual = (Rational(1, 2), Rational(-1, 2))
    pulled = {x: Add(*(e * f.diff(x) for e, f in zip(residual, logits, strict=True))) for x in place}
    drive = [Add(*(f.diff(x) * u for x, u in pulled.items())) for f in logits]
    moved = {x: place[x] + step * u.subs(place) for x, u in pulled.items()}
    drift = [d.subs(moved, simultaneous=True).diff(step).subs(step, 0) for d in drive]
    starts_at_zero = all(f.subs(place) == 0 for f in logits)
    moves = any(d.subs(place) != 0 for d in drive)
    return starts_at_zero and moves, any(d != 0 for d in drift)


ERRATA = (
    Erratum(
        id="temperature:E27",
        where="sec 2.4 and app D.1",
        sentence="Training one half of the correlated network is essential for tau_nl ~ beta, not optional.",
        printed="the other factors of eq 9 vary at most O(1) with ||Z0||, whichever weights are trained",
        derived="with both trained eq 9 is odd in the output weights: 0 at c = -1; near it tau_nl ~ beta^2",
        evidence=(
            Counterexample(
                "two opposite halves with one hidden unit: the residual moves, eq 9 vanishes", opposite_halves
            ),
            Measurement(
                "slope of tau_nl in beta with both halves trained",
                "temperature.tau_nl",
                "both halves trained",
            ),
            Measurement(
                "tau_nl over (1 + c)^(1/2) with both halves trained",
                "temperature.both_halves_time",
                "no dependence",
            ),
        ),
        law="temperature.both_halves_cancel",
    ),
)
