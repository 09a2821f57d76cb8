"""What every law, erratum, predictor and study must honour; a new one brings no new test code."""

import inspect
import math
import re
from typing import Any

import pytest
from sympy import Integer, Rational, S

from experiments.registry import check_of, studies
from experiments.study import PROFILES
from theory.errata import Confirmed, Counterexample, Measurement, Witness
from theory.predictors import OutsideDomain, Predictor
from theory.registry import TOPICS, errata, laws, module_of, predictors
from theory.serving import serve

CATALOGUE_ID = re.compile(rf"(?:{'|'.join(TOPICS)}):[A-Z]\d{{1,2}}[a-z]?")
NAME = re.compile(rf"(?:{'|'.join(TOPICS)})\.[a-z][a-z0-9_]*")

LAWS = pytest.mark.parametrize("law", laws().values(), ids=lambda law: law.name)
ERRATA = pytest.mark.parametrize("erratum", errata().values(), ids=lambda erratum: erratum.id)
PREDICTORS = pytest.mark.parametrize("predictor", predictors().values(), ids=lambda predictor: predictor.name)
STUDIES = pytest.mark.parametrize("study", studies().values(), ids=lambda study: study.name)


def test_ids_and_names_are_told_from_what_is_neither():
    assert CATALOGUE_ID.fullmatch("temperature:T28a")
    assert not CATALOGUE_ID.fullmatch("temperature:28")
    assert not CATALOGUE_ID.fullmatch("temprature:T05")
    assert NAME.fullmatch("width.region")
    assert not NAME.fullmatch("width.Region")


@LAWS
def test_a_law_reads_well_without_the_catalogue(law):
    assert NAME.fullmatch(law.name)
    assert law.source.ids, "cite at least one catalogue id"
    assert all(CATALOGUE_ID.fullmatch(cited) for cited in law.source.ids)
    for text in (law.title, law.source.sentence, law.source.paper, law.source.place, law.regime):
        assert len(text.strip()) >= 3


@LAWS
def test_a_law_explains_its_symbols(law):
    for quantity in law.quantities:
        assert quantity.meaning.strip()
        assert quantity.unit.strip()
    names = [quantity.name for quantity in law.quantities]
    assert len(names) == len(set(names))


@LAWS
def test_a_law_has_a_derivation_that_ends_in_it_and_rivals_that_do_not(law):
    assert law.derivation is None or law.derivation.conclusion == law.claim.statement
    assert law.rivals
    for rival in law.rivals:
        assert type(rival.claim) is type(law.claim)
        assert rival.claim != law.claim
        assert rival.because.strip()
    assert len({rival.name for rival in law.rivals}) == len(law.rivals)


@LAWS
def test_a_law_has_one_study_whose_check_declares_where_its_margin_comes_from(law):
    study, check = check_of(law.name)
    assert study.topic in TOPICS
    assert 0 < check.margin.value < (1 if law.claim.kind == "Formula" else math.inf)
    assert check.margin.because.strip()
    assert check.profiles
    assert set(check.profiles) <= set(PROFILES)
    assert set(check.observed) < set(check.profiles), "some profile must judge"
    for system in check.counter_systems:
        assert system.because.strip()
        assert dict(system.select) != dict(check.select), "the counter-system is the law's own system"
    if law.claim.kind == "Trend":
        assert check.minimum_effect > 0


@LAWS
def test_a_law_lives_in_the_folder_of_its_topic(law):
    assert module_of(law.name).__name__.split(".")[1] == law.topic


@ERRATA
def test_the_evidence_of_an_erratum_stands(erratum):
    assert CATALOGUE_ID.fullmatch(erratum.id)
    assert erratum.printed.strip() != erratum.derived.strip()
    assert erratum.sentence.strip().endswith(".")
    assert not erratum.law or erratum.law in laws()
    for evidence in erratum.evidence:
        assert evidence.description.strip()
        if isinstance(evidence, Witness | Counterexample | Confirmed):
            assert evidence.stands(), f"{erratum.id}: {evidence.description}"
        if isinstance(evidence, Measurement):
            _, check = check_of(evidence.law)
            known = {rival.name for rival in laws()[evidence.law].rivals}
            assert evidence.control in known | {system.name for system in check.counter_systems}


@ERRATA
def test_only_slips_of_notation_rest_on_a_reading_alone(erratum):
    kinds = {evidence.kind for evidence in erratum.evidence}
    if kinds == {"reading"}:
        assert len(erratum.evidence[0].description) >= 20, "say why the text can only be meant otherwise"


def refusal(predictor: Predictor, given: dict[str, Any]) -> str:
    """The sentence with which a predictor refuses inputs; empty where it answers."""
    try:
        serve(predictor, given)
    except OutsideDomain as error:
        return str(error)
    except ValueError as error:
        return str(error)
    return ""


@PREDICTORS
def test_a_predictor_refuses_unknown_and_missing_names(predictor):
    assert NAME.fullmatch(predictor.name)
    assert all(name in laws() for name in predictor.laws)
    assert list(inspect.signature(predictor.evaluate).parameters) == [item.name for item in predictor.inputs]
    said = refusal(predictor, {"no_such_name": Integer(1)})
    assert "no_such_name is not known" in said
    for item in predictor.inputs:
        assert item.meaning.strip()
        assert item.name in said, "the refusal lists what is allowed"
    required = [item.name for item in predictor.inputs if item.required]
    if required:
        assert f"{required[0]} is missing" in refusal(predictor, {})


STRANGE = ["nonsense", "", [], [[]], [Integer(1), []], S.Infinity, S.NegativeInfinity, Integer(-1), S.Zero,
           True, False, Rational(1, 3), Integer(10) ** 30, [Integer(1), Integer(2)], [["a"]]]  # fmt: skip


@PREDICTORS
@pytest.mark.parametrize("value", STRANGE, ids=str)
def test_a_predictor_answers_or_refuses_in_one_sentence(predictor, value):
    """Whatever is given, the answer is a value or one sentence: never another exception."""
    for item in predictor.inputs:
        needed = [other.name for other in predictor.inputs if other.required]
        for base in (value, Integer(1)):
            said = refusal(predictor, dict.fromkeys(needed, base) | {item.name: value})
            assert "\n" not in said
            assert not said or predictor.name in said


@STUDIES
def test_a_study_names_axes_units_and_profiles(study):
    assert NAME.fullmatch(study.name)
    assert study.title.strip()
    assert set(study.grids) <= set(PROFILES)
    assert "quick" in study.grids
    assert study.checks, "a study that feeds no law is not run"
    assert all(check.law in laws() for check in study.checks)
    for name, variable in study.variables.items():
        assert variable.dims[:1] == ("seed",), f"{name}: seed comes first"
        assert variable.units.strip()
        assert variable.long_name.strip()
    parameters = inspect.signature(study.measure).parameters
    for grid in study.grids.values():
        handed = {"replicates", "data", *grid.axes, *grid.inner, *grid.settings}
        takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        assert takes_any or handed <= set(parameters), f"measure does not take {handed - set(parameters)}"
        assert grid.seeds >= 1


@STUDIES
def test_a_statistical_study_has_at_least_ten_seeds(study):
    exact = {"Identity", "Bound"}
    for profile, grid in study.grids.items():
        judged = [check for check in study.checks if profile in check.profiles and profile not in check.observed]
        if all(laws()[check.law].claim.kind in exact for check in judged):
            continue
        assert grid.seeds >= 10, f"{profile}: {grid.seeds} seeds"
