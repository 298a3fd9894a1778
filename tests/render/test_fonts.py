"""Each font is in a PDF once, and what is written with it stays the same."""

from __future__ import annotations

import io
import random
import struct
from pathlib import Path

import pikepdf
import pytest

from tests.render import samples
from tests.render.pdf_text import opened, text_of
from tests.thoroughness import share
from toolkit.press.layout import LayoutPlan
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.render import pdf
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.fonts import Merger, Subset, read_subset, share_fonts

SIGNS = "ÄÖÜ ß „Wort“ × − … Łódź Čapek œuvre ½ →"


def faces() -> list[Face]:
    """So many that they come from several documents, which do not have the same letters."""
    names = ["Viper", "Hawk", "Żubr", "Quartz", "Fjord"]
    return [
        samples.operator(f"{name} {number} {SIGNS if number in (1, 15) else ''}", ("en", "de")[number % 2])
        for number, name in enumerate(names * 4)
    ]


def printed(folder: Path) -> bytes:
    settings = SheetSettings(LayoutPlan(sides="both"), project="Night Exercise", version="1", stamp=True)
    return render_sheet(faces(), settings, Roots(folder)).pdf


@pytest.fixture(scope="module")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Them printed, with fonts that are shared, and with those that each document of the engine has."""
    project = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPFORGE_CACHE", str(tmp_path_factory.mktemp("cache")))
        shared = printed(project)
        patch.setattr(pdf, "share_fonts", lambda _pdf: None)
        return shared, printed(project)


def files_of(pdf: pikepdf.Pdf) -> list[tuple[str, bytes]]:
    """Name and content of each font file."""
    found = {}
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Dictionary) and "/FontFile2" in thing:
            file = thing.FontFile2
            found[file.objgen] = (str(thing.FontName).split("+")[-1], file.read_bytes())
    return sorted(found.values())


def test_every_font_is_there_once_and_every_word_can_be_read(pdfs: tuple[bytes, bytes]) -> None:
    shared, apart = map(opened, pdfs)
    names = [name for name, _ in files_of(shared)]
    assert len(names) >= 5
    assert len(names) == len(set(names))
    assert len(files_of(apart)) > len(names)
    assert [text_of(page.obj) for page in shared.pages] == [text_of(page.obj) for page in apart.pages]


def test_fonts_that_were_put_together_can_be_put_together_with_more(pdfs: tuple[bytes, bytes]) -> None:
    first, second = opened(pdfs[0]), opened(pdfs[0])
    before = [text_of(page.obj) for page in first.pages]
    names = [name for name, _ in files_of(first)]
    first.pages.extend(second.pages)
    share_fonts(first)
    again = opened(saved(first))
    assert [name for name, _ in files_of(again)] == names
    assert [text_of(page.obj) for page in again.pages] == before * 2


def saved(pdf: pikepdf.Pdf) -> bytes:
    stream = io.BytesIO()
    pdf.save(stream)
    return stream.getvalue()


def subsets(pdf: bytes) -> list[Subset]:
    """Those of one font, as the engine has written them."""
    files = [data for name, data in files_of(opened(pdf)) if name == "BarlowSemiCondensed-Regular"]
    return [subset for data in files if (subset := read_subset(data))]


def test_a_font_that_was_put_together_has_every_glyph_of_its_parts(pdfs: tuple[bytes, bytes]) -> None:
    found = [subset for subset in subsets(pdfs[1]) if subset.characters()]
    merger = Merger(found[0])
    numbers = [merger.add(subset) for subset in found]
    whole = read_subset(merger.font())
    assert whole is not None
    assert whole.characters().keys() == {code for subset in found for code in subset.characters()}
    for subset, renumbered in zip(found, numbers, strict=True):
        assert renumbered is not None
        for number, new in enumerate(renumbered):
            assert whole.metrics[new] == subset.metrics[number]
            # composed glyphs name their parts by number; whatever else they say is the same
            assert len(whole.glyphs[new].rstrip(b"\0")) <= len(subset.glyphs[number]) + 4
            assert whole.glyphs[new][:10] == subset.glyphs[number][:10]
        for code, number in subset.characters().items():
            assert whole.characters()[code] == renumbered[number]


def test_two_glyphs_for_one_letter_are_not_put_together(pdfs: tuple[bytes, bytes]) -> None:
    font = next(subset for subset in subsets(pdfs[1]) if len(subset.characters()) > 2)
    glyphs = list(font.glyphs)
    one, other, *_ = font.characters().values()
    glyphs[one], glyphs[other] = glyphs[other], glyphs[one]
    merger = Merger(font)
    assert merger.add(font) is not None
    assert merger.add(Subset(font.tables, tuple(glyphs), font.metrics)) is None


def test_what_is_no_plain_font_is_left_alone(pdfs: tuple[bytes, bytes]) -> None:
    _, data = files_of(opened(pdfs[0]))[0]
    assert read_subset(data) is not None
    chance = random.Random(1)
    for _ in range(300):
        torn = bytearray(data[: chance.randrange(len(data))])
        if torn:
            torn[chance.randrange(min(len(torn), 300))] = chance.randrange(256)
        read_subset(bytes(torn))


def test_a_damaged_font_is_left_alone_or_can_be_put_together(pdfs: tuple[bytes, bytes]) -> None:
    chance = random.Random(2)
    refused = 0
    for _, data in files_of(opened(pdfs[0]))[:2]:
        tables = struct.unpack_from(">H", data, 4)[0]
        starts = {
            data[at : at + 4]: struct.unpack_from(">I", data, at + 8)[0]
            for at in range(12, 12 + 16 * tables, 16)
        }
        for _ in range(share(300)):
            damaged = bytearray(data)
            for name in chance.sample(sorted(starts), 2):
                for _ in range(chance.randrange(4)):
                    place = min(starts[name] + chance.randrange(60), len(data) - 1)
                    damaged[place] = chance.choice((0, 255, chance.randrange(256)))
            subset = read_subset(bytes(damaged))
            refused += subset is None
            if subset is not None:
                merger = Merger(subset)
                merger.add(subset)
                merger.font()
    assert 0 < refused < 2 * share(300)
