"""Mathematics of the report: expressions and derivations as MathML, which needs no script."""

from sympy import Basic
from sympy.printing.mathml import mathml

from experiments.markup import Content, Raw, element, joined
from theory.derivation import Derivation
from theory.premises import Define, Premise
from theory.steps import Step


def display(expression: Basic) -> Raw:
    """An expression on a line of its own."""
    return Raw(f'<math display="block">{mathml(expression, printer="presentation")}</math>')


def inline(expression: Basic) -> Raw:
    """An expression within a line."""
    return Raw(f"<math>{mathml(expression, printer='presentation')}</math>")


def derivation_html(derivation: Derivation) -> Raw:
    """Premises, then numbered steps, each with what it uses and why."""
    premises = element("ul", *(element("li", _premise(premise)) for premise in derivation.premises))
    steps = element("ol", *(element("li", _step(step)) for step in derivation.steps), class_="steps")
    return joined([premises, steps])


def _premise(premise: Premise) -> Raw:
    if isinstance(premise, Define):
        return joined(
            [_named(premise.name, "defined"), inline(premise.head), " := ", inline(premise.body)], " "
        )
    kind = type(premise).__name__.lower()
    return joined([_named(premise.name, kind), inline(premise.fact)], " ")


def _step(step: Step) -> Raw:
    uses = f"from {', '.join(step.uses)}" if step.uses else "from nothing"
    pieces: list[Content] = [_named(step.name, f"{type(step).__name__}, {uses}"), display(step.conclusion)]
    if step.because:
        pieces.append(element("span", step.because, class_="because"))
    return joined(pieces)


def _named(name: str, how: str) -> Raw:
    return joined([element("b", name), f"({how}):"], " ")
