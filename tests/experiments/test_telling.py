"""What a report tells, on several cores, and its pictures for a screen; the report itself is tested at the command."""

import io
import os.path
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from experiments import telling
from experiments.pictures.style import PREDICTED, canvas
from experiments.plot import png, screen_png

LAW = "breakeven.noise_factor"
DYING: Any = exec
NOWHERE: Any = {}


def test_a_picture_that_fails_loses_no_law() -> None:
    def failing() -> None:
        raise RuntimeError("no ink")

    assert telling._image(LAW, failing) == (None, f"plot {LAW}: RuntimeError: no ink")  # pyright: ignore
    assert telling._image(LAW, lambda: canvas("", "")[0])[1] == ""


def test_several_cores_tell_in_the_order_of_the_names() -> None:
    """And where one of the processes is killed, that is one sentence."""
    names = [f"n{index}" for index in range(6)]
    assert list(telling._each(os.path.join, names, Path("o"))) == [str(Path(name) / "o") for name in names]
    with pytest.raises(ValueError, match="report: a process that draws was killed"):
        list(telling._each(DYING, ["import os; os._exit(7)"] * 6, NOWHERE))


def test_a_picture_for_a_screen_is_small_and_keeps_its_colours() -> None:
    figure, left, _ = canvas("A title", "A sentence.")
    left.plot([0, 1], [0, 1], color=PREDICTED, linewidth=3)
    left.axvspan(0.2, 0.4, color="#d9d9d9")
    whole = png(figure)
    small = screen_png(figure)
    image = Image.open(io.BytesIO(small))
    assert image.mode == "P" and image.width == 1012 and len(small) < len(whole) / 2
    found = {tuple(colour) for colour in np.asarray(image.convert("RGB")).reshape(-1, 3).tolist()}
    assert len(found) <= 32
    for wanted in ((255, 255, 255), (0x0B, 0x53, 0x94), (0xD9, 0xD9, 0xD9)):
        assert min(max(abs(a - b) for a, b in zip(wanted, colour, strict=True)) for colour in found) <= 12
