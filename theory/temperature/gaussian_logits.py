"""Expectations over independent standard normal logits that the closed forms need: quadratures, no sampling."""

import math
from collections.abc import Callable
from functools import cache

import mpmath
from sympy import Expr as Expression
from sympy import Float, Integer, Rational, asin, exp, pi, sqrt

from theory.predictors import OutsideDomain

DIGITS = 25
"""Of a single quadrature; three quarters of them are asked to settle."""

MOST = 10**6
"""Classes of a double quadrature: a power of a probability known to 1e-16 loses as many digits as K has."""

RANGE = 9.0
"""Standard deviations round the largest integrand that a double quadrature covers; beyond it lies 1e-18."""

SETTLED = 3e-7
"""Relative change between two grids of a double quadrature at which the finer one is taken: halving the step squares
the error, so that of the finer one is below 1e-12."""

NEAREST = 1 - Rational(1, 10**8)
"""Correlations nearer to -1 than its negative are refused: the summit of a double quadrature lies too far out."""

FLAT = 12.0
"""Standard deviations beyond which a normal probability is 1 in float64."""

_ROOT = math.sqrt(2)
_NODES = 20


def same_argmax(classes: int, correlation: Rational) -> Expression:
    r"""Probability that two Gaussian K-vectors have their largest entry at the same place.

    The K pairs of entries are independent, each with the correlation c:
    :math:`K\int\phi_2(a,b;c)\,\Phi_2(a,b;c)^{K-1}\,da\,db`. For K = 2 this is 1/2 + arcsin(c)/pi; for K = 3 an
    orthant probability of Cheng (1969) gives it too.

    Accuracy
        Exact for K = 2, K = 3 and c in {-1, 0, 1}; elsewhere relative: 1e-12, and 1e-10 at a million classes.

    Raises
    ------
    OutsideDomain
        For K above 3 and a correlation within 1e-8 of -1.

    Source
        temperature:T08.

    Examples
    --------
    >>> same_argmax(2, Rational(1, 2)), same_argmax(7, Integer(0)), same_argmax(4, Integer(-1))
    (2/3, 1/7, 0)
    """
    c = Rational(correlation)
    if c == 0:
        return Rational(1, classes)
    if c in (1, -1):
        return Integer(1 if c == 1 else 0)
    if classes == 2:
        return Rational(1, 2) + asin(c) / pi
    if classes == 3:
        near, far = asin(c), asin(c / 2)
        return Rational(1, 3) + 3 * (near + far) / (4 * pi) + 3 * (near**2 - far**2) / (4 * pi**2)
    if c < -NEAREST:
        raise OutsideDomain(
            f"the correlation is {float(c)}; with more than three classes give at least -{float(NEAREST)}, or -1"
        )
    centre, others = _summit(classes, c)
    scaled = _doubled(lambda step: _same(classes, c, step, centre, others))
    height = Float(others, DIGITS) - Float(centre, DIGITS) ** 2 / 2
    return Float(Float(scaled, DIGITS) * exp(height), 15)


def mean_largest(classes: int) -> Expression:
    r"""m_K, the mean of the largest of K independent standard normals.

    :math:`m_K = K\int x\,\phi(x)\,\Phi(x)^{K-1}\,dx`; m_2 = 1/sqrt pi, m_3 = 3/(2 sqrt pi).

    Accuracy
        Exact for K up to 3, 18 digits beyond.

    Source
        temperature:T09.

    Examples
    --------
    >>> mean_largest(3), round(float(mean_largest(10)), 6)
    (3/(2*sqrt(pi)), 1.538753)
    """
    if classes <= 3:
        return (Integer(0), 1 / sqrt(pi), 3 / (2 * sqrt(pi)))[classes - 1]
    top = 10 + 2 * math.sqrt(2 * math.log(classes))

    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        return classes * x * mpmath.npdf(x) * mpmath.exp((classes - 1) * mpmath.log(mpmath.ncdf(x)))

    return single(integrand, -14, top)


def confident(scale: Rational) -> Expression:
    r"""E sum_k p_k^2 for the softmax p of two independent normal logits of standard deviation ``scale``.

    With d = (Z_1 - Z_2)/(scale sqrt 2) standard normal it is 1 - E[sech^2(scale d / sqrt 2)] / 2.

    Accuracy
        18 digits.

    Source
        temperature:T09.

    Examples
    --------
    >>> confident(Integer(0)), round(float(confident(Rational(1, 100))), 8)
    (1/2, 0.500025)
    """
    if scale == 0:
        return Rational(1, 2)
    with mpmath.workdps(DIGITS + 10):
        s = mpmath.mpf(int(scale.p)) / int(scale.q)
        if s > 1:  # the integrand is as narrow as 1/s: its own variable is the difference of the logits
            left = single(
                lambda x: mpmath.npdf(x / (s * mpmath.sqrt(2))) * mpmath.sech(x / 2) ** 2 / (s * mpmath.sqrt(2)),
                -180,
                180,
            )
        else:
            left = single(lambda d: mpmath.npdf(d) * mpmath.sech(s * d / mpmath.sqrt(2)) ** 2, -14, 14)
    return 1 - left / 2


def single(integrand: Callable[[mpmath.mpf], mpmath.mpf], low: float, high: float) -> Float:
    """The integral of a smooth function that has died out at both ends: trapezia, halved until they settle.

    Examples
    --------
    >>> abs(float(single(mpmath.npdf, -14, 14)) - 1) < 1e-20
    True
    """
    with mpmath.workdps(DIGITS + 10):
        low_, high_ = mpmath.mpf(low), mpmath.mpf(high)
        step = (high_ - low_) / 64
        total = mpmath.fsum(integrand(low_ + step * k) for k in range(65)) * step
        while True:
            middle = mpmath.fsum(integrand(low_ + step * (k + mpmath.mpf(1) / 2)) for k in _range(low_, high_, step))
            finer = (total + middle * step) / 2
            step /= 2
            if abs(finer - total) <= abs(finer) * mpmath.mpf(10) ** -(3 * DIGITS // 4) and step < 1:
                return Float(finer, DIGITS)
            total = finer


def _range(low: mpmath.mpf, high: mpmath.mpf, step: mpmath.mpf) -> range:
    return range(int(mpmath.nint((high - low) / step)))


def _doubled(at: Callable[[float], float]) -> float:
    step, before = 0.25, math.inf
    while True:
        found = at(step)
        if abs(found - before) < SETTLED * found or step < 0.02:
            return found
        step, before = step / 2, found


def _summit(classes: int, c: Rational) -> tuple[float, float]:
    """Where the integrand of :func:`_same` is largest, and the logarithm of the others' chance there.

    The integrand is log-concave and even in the difference, so its summit lies on the axis of the sum, at no less than
    0. Strongly anticorrelated entries that both exceed many others lie far out there.
    """
    widths = _widths(c)

    def others(p: float) -> float:
        return _others(classes, widths, p, 0.0)

    low, high = 0.0, FLAT / widths[0]
    for _ in range(80):
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        if (right - left) * (right + left) / 2 < others(right) - others(left):
            low = left
        else:
            high = right
    return low, others(low)


def _same(classes: int, c: Rational, step: float, centre: float = 0.0, others: float = 0.0) -> float:
    """The double integral over the uncorrelated sum and difference of the two entries, over the height of a summit.

    The integrand is even in the difference. It falls from its summit at least as fast as a normal density, so that
    RANGE on either side of ``centre`` holds all of it. Its logarithm is taken against the summit's, whose square of
    the sum would swamp it.
    """
    steps, widths = round(RANGE / step), _widths(c)
    differences = [step * (k + 0.5) for k in range(steps)]
    total = 0.0
    for k in range(-steps, steps):
        u = step * (k + 0.5)
        fallen = u * (centre + u / 2) + others
        lines = (_others(classes, widths, centre + u, q) - fallen - q * q / 2 for q in differences)
        total += math.fsum(math.exp(line) for line in lines)
    return classes * total * step * step / math.pi


def _widths(c: Rational) -> tuple[float, float]:
    """Half the sum and half the difference of a pair's entries have these standard deviations."""
    return math.sqrt((1 + c) / 2), math.sqrt((1 - c) / 2)


def _others(classes: int, widths: tuple[float, float], p: float, q: float) -> float:
    """Logarithm of the chance that all other pairs lie below one whose sum and difference, of variance 1, are p, q."""
    along, across = widths
    below = _both_below(along * p, across * q, across * p, along * q)
    return (classes - 1) * math.log(below) if below > 0 else -math.inf


def _both_below(middle: float, half: float, turned: float, other: float) -> float:
    """Phi_2(a, b; c) by Owen's function: a, b = middle +- half; (b - c a)/sqrt(1 - c^2) = turned - other."""
    a, b = middle + half, middle - half
    found = (_below(a) + _below(b)) / 2 - _owen(a, turned - other) - _owen(b, turned + other)
    return found - 0.5 if (a < 0) != (b < 0) else found


def _owen(h: float, k: float) -> float:
    """T(h, k/h): the normal mass between the axis and a ray, beyond h; h or k may vanish."""
    sign = 1.0 if (h < 0) == (k < 0) else -1.0
    h, k = abs(h), abs(k)
    if k <= h:
        return sign * _sector(h, k)
    below_h, below_k = _below(h), _below(k)
    return sign * ((below_h + below_k) / 2 - below_h * below_k - _sector(k, h))


def _sector(h: float, k: float) -> float:
    """The same for k <= h, where the angle is at most pi/4."""
    if h > 12 or k == 0:
        return 0.0
    angle = math.atan2(k, h)
    return angle * sum(w * math.exp(-h * h / (2 * math.cos(angle * x) ** 2)) for x, w in _legendre()) / (2 * math.pi)


def _below(x: float) -> float:
    return math.erfc(-x / _ROOT) / 2


@cache
def _legendre() -> tuple[tuple[float, float], ...]:
    """Places and weights of Gauss and Legendre on [0, 1]."""
    nodes, found = _NODES, []
    for k in range(nodes):
        x = math.cos(math.pi * (k + 0.75) / (nodes + 0.5))
        slope = 1.0
        for _ in range(8):
            before, here = 1.0, x
            for n in range(2, nodes + 1):
                before, here = here, ((2 * n - 1) * x * here - (n - 1) * before) / n
            slope = nodes * (x * here - before) / (x * x - 1)
            x -= here / slope
        found.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return tuple(found)
