"""Folders are the registries; names are unique; unknown names get the nearest known one."""

from types import SimpleNamespace

import pytest

from theory import registry


def test_every_law_is_found_in_the_folder_of_its_topic():
    for name, law in registry.laws().items():
        assert law.name == name
        assert registry.module_of(name).__name__.startswith(f"theory.{law.topic}.")


def test_select_takes_names_and_topics_without_repeating():
    names = tuple(registry.laws())
    first = names[0]
    topic = first.split(".")[0]
    of_topic = [law.name for law in registry.select((topic,))]
    assert of_topic == [name for name in names if name.startswith(f"{topic}.")]
    assert [law.name for law in registry.select((first, topic))] == of_topic
    assert [law.name for law in registry.select(())] == list(names)


@pytest.mark.parametrize("name", ["breakeven.noise_facto", "breakevn", "wdth", ""])
def test_unknown_names_are_refused_with_the_nearest(name):
    with pytest.raises(ValueError, match="is not known; ") as caught:
        registry.select((name,))
    assert "\n" not in str(caught.value)


def test_nearest():
    known = ("width.band", "width.region", "breakeven.noise_factor")
    assert registry.unknown("width.bnad", known, "law").endswith("did you mean width.band?")
    assert registry.unknown("qqqq", known, "law").endswith("'assay laws' lists what is known")


def test_a_name_defined_twice_is_refused(monkeypatch):
    twice = SimpleNamespace(LAWS=(SimpleNamespace(name="width.twice"), SimpleNamespace(name="width.twice")))
    monkeypatch.setattr(registry, "modules", lambda topic: (twice,) if topic == "width" else ())
    with pytest.raises(ValueError, match=r"law width\.twice is defined twice"):
        registry.laws.__wrapped__()


def test_modules_without_laws_are_allowed(monkeypatch):
    monkeypatch.setattr(registry, "modules", lambda topic: (SimpleNamespace(),))
    assert registry.laws.__wrapped__() == {}
    assert registry.errata.__wrapped__() == {}
    assert registry.predictors.__wrapped__() == {}
