"""What is believed of an exponential: it lies above its tangent, and below the inverse of that of its inverse."""

from sympy import Symbol, exp

from theory.definitions.inequalities import at_least, at_most
from theory.proof.premises import Suppose

y = Symbol("y", real=True)
TANGENT = Suppose("an exponential lies above its tangent", at_least(exp(y), 1 + y), forall=(y,))
BELOW = Suppose("and below that of its inverse", at_most(exp(y) * (1 - y), 1), forall=(y,))
