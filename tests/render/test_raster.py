"""Cards as pictures: their size in dots, and that they show what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup

from tests.render import samples
from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
from toolkit.press.sheet import Failure
from toolkit.render.environment import TemplateProblem
from toolkit.render.face import Back, Face
from toolkit.render.fetch import Roots
from toolkit.render.page_raster import as_image
from toolkit.render.pages import Pages
from toolkit.render.renderer import Raster
from toolkit.render.sizes import CARD_SIZES
from toolkit.resources import templates_folder

pytest.importorskip("plutoprint")


def drawn(
    subjects: list[Face | Back], settings: PictureSettings, root: Path
) -> tuple[dict[Subject, Raster], list[str]]:
    """The pictures, and the names of what was found."""
    pictures: dict[Subject, Raster] = {}
    faces = [subject for subject in subjects if isinstance(subject, Face)]
    backs = [subject for subject in subjects if isinstance(subject, Back)]
    found = draw_cards(faces, backs, settings, Roots(root), pictures.__setitem__)
    assert not isinstance(found, Failure), found
    return pictures, [finding.name for finding in found]


@pytest.mark.parametrize(
    ("card_size", "bleed", "shown", "size"),
    [
        ("poker", 3.0, False, (744, 1039)),
        ("poker-us", 3.175, False, (750, 1050)),
        ("poker-us", 3.175, True, (825, 1125)),
        ("business", 3.0, False, (1004, 650)),
    ],
)
def test_sizes_in_dots(
    card_size: str, bleed: float, shown: bool, size: tuple[int, int], tmp_path: Path
) -> None:
    settings = PictureSettings(CARD_SIZES[card_size], 300, bleed, shown)
    pictures, _ = drawn([Back("deck")], settings, tmp_path)
    raster = pictures[Back("deck")]
    assert (raster.width, raster.height) == size
    assert len(raster.bgra) == size[0] * size[1] * 4


@pytest.mark.parametrize("font", ["", '.name { font-family: "Barlow Semi Condensed" }'])
def test_a_name_that_fills_its_box_is_drawn_to_the_tips_of_its_letters(tmp_path: Path, font: str) -> None:
    card = samples.operator("Großmütterchen Fußgängerübergangsäußerung", "de")
    settings = PictureSettings(CARD_SIZES["poker"], 254)
    face_options = (templates_folder() / "card.css").read_text(encoding="utf-8") + font
    pictures = []
    for name, more in (("as-it-is", ""), ("never-cut", ".fit.name { overflow: visible }")):
        templates = tmp_path / name / "templates"
        templates.mkdir(parents=True)
        (templates / "card.css").write_text(face_options + more, encoding="utf-8")
        made, found = drawn([card], settings, tmp_path / name)
        assert found == []
        pictures.append(made[card].bgra)
    assert pictures[0] == pictures[1]


def test_without_the_bleed_it_is_the_middle_of_the_picture_with_it(tmp_path: Path) -> None:
    dpi, cut = 254, 30  # 10 dots are 1 mm
    card = samples.operator()
    plain, _ = drawn([card], PictureSettings(CARD_SIZES["poker"], dpi), tmp_path)
    bled, _ = drawn([card], PictureSettings(CARD_SIZES["poker"], dpi, bleed_shown=True), tmp_path)
    whole = as_image(bled[card])
    assert whole.size == (690, 940)
    middle = whole.crop((cut, cut, whole.width - cut, whole.height - cut))
    assert middle.tobytes() == as_image(plain[card]).tobytes()


def test_a_card_whose_template_fails_is_found_and_the_others_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "item.html.jinja").write_text("{{ face.nam }}", encoding="utf-8")
    operator, item = samples.operator(), samples.deck_card("item", "Scope")
    pictures, found = drawn([operator, item], PictureSettings(CARD_SIZES["poker"], 60), tmp_path)
    assert list(pictures) == [operator]
    assert found == ["template-error"]


def test_text_is_as_small_as_in_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long card is drawn with the size of type with which it was last printed, and fitted."""
    used: list[dict[str, float]] = []
    fill = Pages.card

    def spied(pages: Pages, face: Face, number: int, sizes: dict[str, float]) -> Markup | TemplateProblem:
        used.append(dict(sizes))
        return fill(pages, face, number, sizes)

    monkeypatch.setattr(Pages, "card", spied)
    name = "The one whose name is far too long for any card that one can hold in a hand"
    _, found = drawn([samples.operator(name)], PictureSettings(CARD_SIZES["poker"], 60), tmp_path)
    assert found == []
    assert len(used) > 2
    assert used[0] == {}
    assert used[-1] == used[-2] != {}


def test_text_that_does_not_fit_is_found(tmp_path: Path) -> None:
    long = samples.operator("Hawk", skills=(samples.LUCKY_EN,) * 9)
    _, found = drawn([long], PictureSettings(CARD_SIZES["poker"], 60), tmp_path)
    assert found == ["text-overflow"]


def test_what_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        draw_cards([samples.operator()], [], PictureSettings(CARD_SIZES["poker"], 60), Roots(tmp_path), full)
