"""PDFs for printing plates: inks, what stays text, and what does not."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.render.pdf_text import opened, text_of
from toolkit.press.cmyk import limit_ink, press_pdf, profile, total_ink
from toolkit.render.engines import choose_renderer
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.renderer import EngineError
from toolkit.render.sizes import Size
from toolkit.resources import cards_folder, templates_folder

pytest.importorskip("plutoprint")

SIZE = Size(69.85, 95.25)
_STYLE = """@font-face { font-family: F; src: url(fonts/BarlowCondensed-Bold.ttf) }
html, body { margin: 0; font: 20pt F } .page { position: relative; height: 95.25mm; background: #d0e8ff }
.page + .page { page-break-before: always } b { display: block }"""


def printed(*pages: str) -> bytes:
    """Pages of the engine, with the boxes that sheets have."""
    body = "".join(f'<div class="page">{page}</div>' for page in pages)
    html = f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style>{body}"
    renderer = choose_renderer()
    fetch = Fetcher(Roots(cards_folder(), templates_folder()))
    pdf = opened(renderer.render_pages(html, SIZE, fetch))
    for page in pdf.pages:
        page.trimbox, page.bleedbox = [9, 9, 189, 261], page.mediabox
    stream = io.BytesIO()
    pdf.save(stream)
    return stream.getvalue()


def shown_text(page: pikepdf.Page) -> list[float | None]:
    """The black ink of each piece of text; None where it is invisible."""
    shown: list[float | None] = []
    ink, mode = 1.0, 0
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) == "k":
            assert [float(one) for one in operands[:3]] == [0, 0, 0]
            ink = float(operands[3])
        elif str(operator) == "Tr":
            mode = int(operands[0])
        elif str(operator) in ("Tj", "TJ"):
            shown.append(None if mode == 3 else ink)
    return shown


def pictures(pdf: pikepdf.Pdf) -> list[Image.Image]:
    """The picture of each page, as inks."""
    return [
        Image.open(io.BytesIO(page.obj.Resources.XObject.P.read_raw_bytes())).convert("CMYK")
        for page in pdf.pages
    ]


inks = st.tuples(*[st.integers(0, 255)] * 4)


@given(dots=st.lists(inks, min_size=1, max_size=20), most=st.floats(100, 400))
def test_no_dot_has_more_ink_than_allowed_and_black_stays(
    dots: Sequence[tuple[int, int, int, int]], most: float
) -> None:
    picture = Image.new("CMYK", (len(dots), 1))
    picture.putdata(dots)
    less = limit_ink(picture, most)
    assert total_ink(less) <= most
    assert less.getchannel("K").tobytes() == picture.getchannel("K").tobytes()
    if total_ink(picture) <= most:
        assert less.tobytes() == picture.tobytes()


def test_the_profile_is_one_of_four_inks_and_says_where_it_is_from() -> None:
    content = profile()
    assert content[12:20] == b"prtrCMYK"
    assert b"TR 003-2007" in content
    assert len(content) < 300_000


@pytest.mark.parametrize("most", [240.0, 120.0])
def test_not_even_noise_has_more_ink_than_allowed(most: float) -> None:
    noise = Image.frombytes("RGB", (60, 80), random.Random(5).randbytes(60 * 80 * 3))
    noise = noise.point(lambda one: 0 if one < 200 else 255)
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(198, 270))
        page.trimbox, page.bleedbox = [9, 9, 189, 261], page.mediabox
        picture = pdf.make_stream(noise.tobytes(), Subtype=pikepdf.Name("/Image"), Width=60, Height=80)
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name("/DeviceRGB"), 8
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(N=picture))
        page.obj.Contents = pdf.make_stream(b"198 0 0 270 0 0 cm /N Do")
        stream = io.BytesIO()
        pdf.save(stream)
    with opened(press_pdf(stream.getvalue(), most)) as made:
        (found,) = (page.obj.Resources.XObject.P for page in made.pages)
        if found.get("/Filter") == "/DCTDecode":
            assert total_ink(Image.open(io.BytesIO(found.read_raw_bytes()))) <= most
        else:
            dots = Image.frombytes("CMYK", (found.Width, found.Height), found.read_bytes())
            assert total_ink(dots) <= most
        assert (found.Width, found.Height) == (825, 1125)


def test_black_grey_and_white_words_are_text_and_others_are_in_the_picture() -> None:
    pdf = printed(
        '<b style="color:#000">black</b><b style="color:#fff">white</b><b style="color:#808080">grey</b>'
        '<b style="color:#12224a">navy</b><b style="color:#c8102e">red</b>'
        '<b style="color:#000; opacity:0.5">faint</b>'
    )
    with opened(press_pdf(pdf, 240)) as made:
        (page,) = made.pages
        assert shown_text(page) == [1.0, 0.0, 0.5, 1.0, None, None]
        assert text_of(page.obj) == "blackwhitegreynavyredfaint"
        (picture,) = pictures(made)
    # lines are 99 dots high, and what is text is not in the picture
    ground = picture.getpixel((700, 1000))
    assert isinstance(ground, tuple)
    lines = [picture.crop((0, top, 300, top + 97)).split() for top in range(0, 593, 99)]
    drawn = [
        any(ink.getextrema()[1] > there + 60 for ink, there in zip(line, ground, strict=True))
        for line in lines
    ]
    assert drawn == [False, False, False, False, True, True]


def test_text_that_something_covers_stays_covered() -> None:
    cover = '<div style="position:absolute; top:0; left:0; width:60mm; height:30mm; background:#fff"></div>'
    with opened(press_pdf(printed(f"<b>hidden</b>{cover}", "<b>seen</b>"), 240)) as made:
        assert [shown_text(page) for page in made.pages] == [[None], [1.0]]


def test_equal_pages_share_their_picture_and_unequal_ones_do_not() -> None:
    with opened(printed("<b>one</b>", "<b>two</b>")) as pdf:
        pdf.pages.append(pdf.pages[0])
        stream = io.BytesIO()
        pdf.save(stream)
    steps: list[tuple[int, int]] = []
    content = press_pdf(stream.getvalue(), 240, lambda done, total: steps.append((done, total)))
    assert steps == [(1, 2), (2, 2)]
    with opened(content) as made:
        first, second, third = (page.obj.Resources.XObject.P.objgen for page in made.pages)
        assert first == third != second
        assert [text_of(page.obj) for page in made.pages] == ["one", "two", "one"]


def test_what_is_not_a_pdf_is_an_error_of_the_engine() -> None:
    with pytest.raises(EngineError, match="colours cannot be converted"):
        press_pdf(b"%PDF-1.4 nothing", 240)


def test_a_picture_within_the_content_stays() -> None:
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(198, 270))
        page.trimbox, page.bleedbox = [9, 9, 189, 261], page.mediabox
        content = b"198 0 0 270 0 0 cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID \xff\x00\x00 EI"
        page.obj.Contents = pdf.make_stream(content)
        stream = io.BytesIO()
        pdf.save(stream)
    with opened(press_pdf(stream.getvalue(), 240)) as made:
        (picture,) = pictures(made)
    cyan, magenta, yellow, black = (ink.getpixel((400, 500)) for ink in picture.split())
    assert (cyan < 20, magenta > 230, yellow > 200, black < 60) == (True,) * 4
