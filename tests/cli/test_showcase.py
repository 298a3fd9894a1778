"""``opforge showcase``: a picture of a hand of cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageStat

from toolkit.apps.cli import run

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")


def pixels(name: str) -> Image.Image:
    with Image.open(name) as picture:
        return picture.convert("RGBA")


def test_a_fan_of_the_set(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--project", "small", "-o", "hand.png", "--width", "300", "--format", "json"]
    assert run(["showcase", *options]) == 0
    data = json.loads(capsys.readouterr().out)
    assert sorted(data["cards"]) == ["aimed-shot", "high-ground", "radio-mast", "viper"]
    picture = pixels("hand.png")
    assert picture.size == (data["width"], data["height"])
    assert picture.width == 300
    assert len(picture.getcolors(1 << 20) or ()) > 500
    first = Path("hand.png").read_bytes()
    assert run(["showcase", *options]) == 0
    assert Path("hand.png").read_bytes() == first


def test_chosen_cards_stand_in_their_order() -> None:
    """Side by side, the left half of a picture of two is the right half of the one with both exchanged."""
    common = ["--project", "small", "--row", "--width", "300", "--background", "white"]
    assert run(["showcase", "viper", "aimed-shot", *common, "-o", "one.png"]) == 0
    assert run(["showcase", "aimed-shot", "viper", *common, "-o", "two.png"]) == 0

    def colour(name: str, left: int) -> tuple[float, ...]:
        half = pixels(name).crop((left, 0, left + 150, 200))
        return tuple(ImageStat.Stat(half).mean[:3])

    viper, shot = colour("one.png", 0), colour("one.png", 150)
    assert colour("two.png", 150) == pytest.approx(viper, abs=2)
    assert colour("two.png", 0) == pytest.approx(shot, abs=2)
    assert viper != pytest.approx(shot, abs=10)


def test_the_background_is_transparent_or_of_a_colour(capsys: pytest.CaptureFixture[str]) -> None:
    common = ["showcase", "viper", "--project", "small", "--width", "300"]
    assert run([*common, "-o", "clear.png", "--background", "transparent"]) == 0
    assert pixels("clear.png").getpixel((0, 0)) == (0, 0, 0, 0)
    assert run([*common, "-o", "navy.png", "--background", "navy"]) == 0
    assert pixels("navy.png").getpixel((0, 0)) == (0, 0, 128, 255)
    assert run([*common, "-o", "wrong.png", "--background", "nvay"]) == 2
    assert "takes a colour" in capsys.readouterr().err


def test_only_its_own_picture_is_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (4, 4)).save("hand.png")
    before = Path("hand.png").read_bytes()
    assert run(["showcase", "--project", "small", "-o", "hand.png", "--width", "300"]) == 2
    assert "was not made by opforge" in capsys.readouterr().err
    assert Path("hand.png").read_bytes() == before


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["showcase", "vipper", "--project", "small", "-o", "hand.png"]) == 2
    assert "Did you mean 'viper'?" in capsys.readouterr().err
    assert run(["showcase", "--project", "small", "-o", "hand.jpg"]) == 2
    assert "must end in .png" in capsys.readouterr().err
