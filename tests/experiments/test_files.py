"""Files that are whole or absent, and that others may read where the process's mask lets them."""

import os
from pathlib import Path

import pytest

from experiments.files import write_text


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
@pytest.mark.parametrize("mask, mode", [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)])
def test_the_mask_decides_who_reads(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "new" / "verdicts.json", "{}")
    finally:
        os.umask(before)
    assert (tmp_path / "new" / "verdicts.json").stat().st_mode & 0o777 == mode


def test_the_old_text_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "verdicts.json"
    write_text(place, "old")
    seen = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda new, old: (seen.append(place.read_text()), replace(new, old)))
    write_text(place, "new")
    assert (seen, place.read_text(), list(tmp_path.iterdir())) == (["old"], "new", [place])


def test_nothing_is_left_of_a_text_that_could_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    write_text(tmp_path / "verdicts.json", "old")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        write_text(tmp_path / "verdicts.json", "new")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "verdicts.json", "\ud800")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
