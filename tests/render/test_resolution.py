"""Pictures that have too few pixels for their size in print."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.render import samples
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.fetch import Roots
from toolkit.render.pages import FaceOptions
from toolkit.render.sizes import CARD_SIZES


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    return Roots(tmp_path / "project")


def messages(
    roots: Roots, sizes: dict[str, tuple[int, int]], mode: str = "RGB", template: str = ""
) -> list[str]:
    """What is found about cards with these pictures."""
    faces = []
    for name, size in sizes.items():
        Image.new(mode, size, (99, 20, 20, 128)[: len(mode)]).save(roots.project / name)
        faces.append(samples.deck_card("attack", name.split(".")[0], art=roots.project / name))
    if template:
        roots.overrides.mkdir()
        (roots.overrides / "attack.html.jinja").write_text(template)
    found = check_fit(faces, CARD_SIZES["poker"], roots, FaceOptions())
    assert not isinstance(found, str)
    assert {one.name for one in found} <= {"low-resolution"}
    return [f"{one.message} {one.next_step}" for one in found]


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_small_picture_is_found_with_its_dpi_and_the_pixels_wanted(roots: Roots, mode: str) -> None:
    (message,) = messages(roots, {"small.png": (40, 40), "large.png": (900, 900)}, mode)
    assert "The picture `small.png` has 40 × 40 pixels and is printed 69 mm wide on small: 14 dpi" in message
    assert "at least 544 × 544 pixels" in message


TEMPLATE = """<section class="page" style="width:69rem; height:94rem">
<img src="{{ art }}" style="width:25.4mm; height:25.4mm; STYLE"></section>"""


@pytest.mark.parametrize(
    ("pixels", "style", "dpi"),
    [
        ((200, 200), "", None),
        ((198, 198), "", "198 dpi"),
        ((150, 300), "", "150 dpi"),
        ((300, 150), "object-fit:cover", "150 dpi"),
        ((300, 300), "transform:scale(2)", "150 dpi"),
        ((300, 300), "transform:rotate(30deg)", None),
    ],
)
def test_what_counts_is_the_size_in_print(
    roots: Roots, pixels: tuple[int, int], style: str, dpi: str | None
) -> None:
    found = messages(roots, {"a.png": pixels}, template=TEMPLATE.replace("STYLE", style))
    assert [dpi is not None and dpi in one for one in found] == ([True] if dpi else []), found


def test_a_picture_of_many_cards_is_reported_once_where_it_is_largest(roots: Roots) -> None:
    Image.new("RGB", (40, 40)).save(roots.project / "a.png")
    cards = [samples.deck_card("attack", name, art=roots.project / "a.png") for name in ("One", "Two")]
    found = check_fit(cards, CARD_SIZES["poker"], roots, FaceOptions())
    assert [one.name for one in found if not isinstance(one, str)] == ["low-resolution"]
