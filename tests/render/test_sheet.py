"""Sheets, from faces to the PDF, read back."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace

from tests.render import samples
from tests.render.pdf_text import fonts_of, opened, placements, sizes_of, text_of
from tests.thoroughness import THOROUGH
from toolkit.press import sheet
from toolkit.press.layout import LayoutPlan, Marks
from toolkit.press.sheet import SheetResult, SheetSettings, render_sheet
from toolkit.render import engines, renderer
from toolkit.render.face import KINDS, Face, RulesText
from toolkit.render.fetch import Roots
from toolkit.render.pdf import PdfPool, PrintedPage
from toolkit.render.sizes import CARD_SIZES, PAPERS, Size

ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400"><rect width="600" height="400"/></svg>'
BOTH = LayoutPlan(sides="both")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    project = tmp_path / "project"
    project.mkdir()
    return Roots(project)


def one_of_each(lang: str = "en") -> list[Face]:
    deck = [samples.deck_card(kind, f"A {kind}", lang) for kind in KINDS[1:-1]]
    return [samples.operator("Viper", lang), *deck, samples.objective("Mast", lang)]


def printed(faces: list[Face], roots: Roots, **settings: object) -> SheetResult:
    result = render_sheet(faces, SheetSettings(**settings), roots)  # type: ignore[arg-type]
    assert result.failure is None
    return result


def whole_text(result: SheetResult) -> str:
    pdf = opened(result.pdf)
    return "\n".join(text_of(page.obj) for page in pdf.pages)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_kind_is_printed_with_real_text(roots: Roots, lang: str) -> None:
    faces = one_of_each(lang)
    result = printed(faces, roots)
    assert result.diagnostics == ()
    assert (result.pages, result.cards) == (1, 7)
    text = whole_text(result)
    for face in faces:
        assert face.name in text
        assert face.kind_label in text
    assert samples.words("gets +2 ")[0].text in text or "erhält" in text


def test_umlauts_and_signs_are_in_the_shipped_fonts(roots: Roots) -> None:
    signs = "ÄÖÜäöüß „Wort“ – × − … Łódź Čapek œuvre ½"
    face = samples.operator(signs, flavour=signs, skills=(RulesText(signs, (samples.words(signs),)),))
    result = printed([face], roots)
    assert whole_text(result).replace(" ", "").count(signs.replace(" ", "")) >= 3
    pdf = opened(result.pdf)
    fonts = fonts_of(pdf)
    assert all(name.startswith("Barlow") for name in fonts), fonts
    assert all(fonts.values())


def test_icons_stand_beside_words_that_can_be_searched(roots: Roots) -> None:
    assert "+2 AP" in whole_text(printed([samples.operator()], roots))


def test_copies_share_one_form(roots: Roots) -> None:
    result = printed([samples.operator(quantity=20)], roots)
    assert (result.pages, result.cards) == (3, 20)
    pdf = opened(result.pdf)
    pages = pdf.pages
    forms = {form.objgen for page in pages for form in page.Resources.XObject.values()}
    assert len(forms) == 1
    assert [len(placements(page)) for page in pages] == [9, 9, 2]


def test_equal_faces_are_drawn_once(roots: Roots) -> None:
    result = printed([samples.operator(), samples.operator()], roots)
    pdf = opened(result.pdf)
    assert len(pdf.pages[0].Resources.XObject) == 1


def test_quantity_nought_prints_nothing_of_it(roots: Roots) -> None:
    result = printed([samples.operator("Viper"), samples.operator("Hawk", quantity=0)], roots)
    assert result.cards == 1
    assert "Hawk" not in whole_text(result)


def test_no_cards_are_no_pages(roots: Roots) -> None:
    result = printed([], roots)
    assert (result.pages, result.cards) == (0, 0)


def test_cards_lie_edge_to_edge_in_the_middle(roots: Roots) -> None:
    pdf = opened(printed([samples.operator(quantity=9)], roots).pdf)
    corners = [(round(x, 2), round(y, 2)) for _, x, y in placements(pdf.pages[0])]
    # The corner of a card's page is 3 mm of bleed outside its trim.
    assert corners[0] == (7.5, 189.5)
    assert {x for x, _ in corners} == {7.5, 70.5, 133.5}
    assert {y for _, y in corners} == {13.5, 101.5, 189.5}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_page_is_the_paper_and_must_not_be_scaled(roots: Roots, paper: str) -> None:
    result = printed(
        [samples.operator()], roots, layout=LayoutPlan(paper=PAPERS[paper]), project="Nächte", version="1.2"
    )
    pdf = opened(result.pdf)
    width, height = PAPERS[paper].points
    assert [float(side) for side in pdf.pages[0].mediabox] == pytest.approx([0, 0, width, height], abs=0.01)
    assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
    assert str(pdf.docinfo["/Title"]) == "Nächte 1.2"


def test_backs_follow_each_page_of_fronts_mirrored(roots: Roots) -> None:
    faces = [*one_of_each(), *(samples.operator(f"Hawk {number}") for number in range(4))]
    result = printed(faces, roots, layout=BOTH)
    assert (result.pages, result.cards) == (4, 11)
    pdf = opened(result.pdf)
    assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
    for front, back in ((0, 1), (2, 3)):
        fronts, backs = placements(pdf.pages[front]), placements(pdf.pages[back])
        # Turned over the long edge, a back lies exactly behind its own front.
        assert [(round(204 - 63 - x, 2), round(y, 2)) for _, x, y in backs] == [
            (round(x - 3 + 3, 2), round(y, 2)) for _, x, y in fronts
        ]
    names = [name for name, _, _ in placements(pdf.pages[1])]
    assert len(set(names)) == 4
    assert len(set(names[1:5])) == 1, "what is drawn from the DECK has one back"


def test_fronts_alone_are_printed_on_one_side(roots: Roots) -> None:
    pdf = opened(printed([samples.operator()], roots).pdf)
    assert pdf.Root.ViewerPreferences.Duplex == "/Simplex"


def test_the_same_cards_give_the_same_bytes(roots: Roots) -> None:
    faces = [samples.operator(f"Viper {number}", ("en", "de")[number % 2]) for number in range(20)]
    assert printed(faces, roots, layout=BOTH).pdf == printed(faces, roots, layout=BOTH).pdf


def test_a_process_of_its_own_gives_the_same_bytes_and_ends_well(roots: Roots) -> None:
    # Many sizes of type: the engine once crashed at the end of such a process.
    sizes = range(1, 40, 1 if THOROUGH else 3)
    program = (
        "import hashlib, sys; from pathlib import Path; from tests.render import samples;"
        "from toolkit.render.fetch import Roots; from toolkit.press.sheet import *;"
        "faces = [samples.operator('V' * n, skills=(samples.LUCKY_DE,) * (n % 5)) for n in SIZES];"
        "pdf = render_sheet(faces, SheetSettings(), Roots(Path(sys.argv[1]))).pdf;"
        "print(hashlib.sha256(pdf).hexdigest())"
    )
    faces = [samples.operator("V" * n, skills=(samples.LUCKY_DE,) * (n % 5)) for n in sizes]
    here = hashlib.sha256(render_sheet(faces, SheetSettings(), roots).pdf).hexdigest()
    command = [sys.executable, "-c", program.replace("SIZES", repr(sizes)), str(roots.project)]
    # With other hashes than here, so that no order of a set is printed.
    environment = {**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == here


def test_long_text_shrinks_until_it_fits(roots: Roots) -> None:
    short = samples.operator("Viper", "de", skills=(samples.OVERWATCH_DE,))
    skills = (samples.OVERWATCH_DE, samples.AURA_DE, samples.OVERWATCH_DE, samples.AURA_DE)
    long = samples.operator("Hawk", "de", skills=skills)
    result = printed([short, long], roots)
    assert result.diagnostics == ()
    pdf = opened(result.pdf)
    forms = pdf.pages[0].Resources.XObject
    first, second = (set(sizes_of(forms[name])) for name in ("/C0", "/C1"))
    assert 10.0 in first - second
    assert second & {7.0, 6.5, 6.0}


def test_text_that_cannot_fit_is_found_at_its_place_and_printed_at_the_floor(roots: Roots) -> None:
    face = samples.operator("Viper", skills=(samples.LUCKY_EN,) * 9)
    result = printed([face], roots)
    (finding,) = result.diagnostics
    assert finding.name == "text-overflow"
    assert finding.card == "viper"
    assert finding.span == face.places["rules"]
    assert "mm too long" in finding.message
    assert "remove a sentence or the flavour text" in finding.next_step
    assert whole_text(result).count("Steady hand") >= 3
    pdf = opened(result.pdf)
    assert 5.99 <= min(sizes_of(pdf.pages[0].Resources.XObject["/C0"])) <= 6.01


def test_flavour_that_does_not_fit_is_found_at_the_flavour(roots: Roots) -> None:
    face = samples.deck_card("item", "Scope", flavour="Ein langer Satz. " * 80)
    (finding,) = printed([face], roots).diagnostics
    assert finding.span == face.places["flavour"]


def test_flavour_alone_that_does_not_fit_is_found(roots: Roots) -> None:
    face = samples.operator(skills=(), flavour="Ein langer Satz. " * 120)
    (finding,) = printed([face], roots).diagnostics
    assert finding.span == face.places["flavour"]


def test_a_name_that_cannot_fit_is_found_at_the_name(roots: Roots) -> None:
    face = samples.operator("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2)
    (finding,) = printed([face], roots).diagnostics
    assert finding.span == face.places["name"]


def test_a_finding_has_a_place_even_where_a_text_has_none(roots: Roots) -> None:
    face = samples.operator("Viper", skills=(samples.LUCKY_EN,) * 9, places={})
    (finding,) = printed([face], roots).diagnostics
    assert finding.span.file.name == "viper"


def test_a_picture_is_printed_and_a_missing_one_has_a_placeholder(roots: Roots) -> None:
    (roots.project / "art.svg").write_text(ART)
    there = printed([samples.operator(art=roots.project / "art.svg")], roots)
    missing = printed([samples.operator(art=roots.project / "none.svg")], roots)
    assert there.diagnostics == missing.diagnostics == ()
    assert there.pdf != missing.pdf
    assert missing.pdf == printed([samples.operator(art=None)], roots).pdf


def test_a_picture_outside_the_project_is_refused(roots: Roots) -> None:
    outside = roots.project.parent / "secret.svg"
    outside.write_text(ART)
    face = samples.operator(art=outside, places=samples.source())
    (finding,) = printed([face], roots).diagnostics
    assert finding.name == "refused-resource"
    assert finding.span == face.place("art")


@pytest.mark.parametrize("content", [b"", b"<svg", b"<html/>", b"\xff\x00"])
def test_a_drawing_that_is_none_leaves_its_place_to_the_placeholder(roots: Roots, content: bytes) -> None:
    (roots.project / "art.svg").write_bytes(content)
    without = printed([samples.operator()], roots)
    found = printed([samples.operator(art=roots.project / "art.svg")], roots)
    assert (found.pdf, found.diagnostics) == (without.pdf, without.diagnostics)


def test_a_drawing_that_is_broken_in_the_middle_is_found(roots: Roots) -> None:
    (roots.project / "art.svg").write_text(ART.replace("/></svg>", "></svg>"))
    (finding,) = printed([samples.operator(art=roots.project / "art.svg")], roots).diagnostics
    assert finding.name == "unreadable-picture"
    assert finding.card == "viper"


def test_a_drawing_cannot_fetch_anything_from_outside(roots: Roots) -> None:
    image = '<svg xmlns="http://www.w3.org/2000/svg"><image href="{}" width="9" height="9"/></svg>'
    for number, address in enumerate(("file:///etc/passwd", "https://example.org/a.png", "../../secret.svg")):
        (roots.project / f"{number}.svg").write_text(image.format(address))
    faces = [samples.operator(f"V{number}", art=roots.project / f"{number}.svg") for number in range(3)]
    (roots.project.parent / "secret.svg").write_text(ART)
    assert printed(faces, roots).diagnostics == ()  # the check tells it


def test_a_broken_template_leaves_the_other_kinds_whole(roots: Roots) -> None:
    roots.overrides.mkdir()
    (roots.overrides / "item.html.jinja").write_text("{# mine #}\n<p>{{ face.nome }}</p>\n")
    result = printed(one_of_each(), roots)
    (finding,) = result.diagnostics
    assert finding.name == "template-error"
    assert "item.html.jinja, line 2" in finding.message
    assert finding.message.endswith("`face` has no `nome`. Did you mean `name`?")
    assert finding.span.begin_position.line == 2
    assert finding.card == "a-item"
    assert result.cards == 6


def test_one_mistake_in_a_template_is_told_once(roots: Roots) -> None:
    roots.overrides.mkdir()
    (roots.overrides / "item.html.jinja").write_text("{% if %}")
    faces = [samples.deck_card("item", f"Item {number}") for number in range(5)]
    result = printed(faces, roots)
    assert [finding.name for finding in result.diagnostics] == ["template-error"]
    assert result.cards == 0


SHEETS = [b"body{color:red}\n", b"", b".page { }\n.page + * { }\n"]


@pytest.mark.parametrize("content", SHEETS)
def test_a_style_sheet_with_which_cards_are_no_single_pages_is_found(roots: Roots, content: bytes) -> None:
    roots.overrides.mkdir()
    (roots.overrides / "base.css").write_bytes(content)
    (finding,) = printed([samples.deck_card("attack", f"Shot {n}") for n in range(4)], roots).diagnostics
    assert finding.name == "template-error"
    assert finding.span.file.path == roots.overrides / "base.css"
    assert "do not take one page each" in finding.message
    assert ".page" in finding.next_step


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
@pytest.mark.parametrize("name", ["base.css", "attack.html.jinja", "shapes.html.jinja"])
def test_a_template_that_is_not_utf_8_is_found(roots: Roots, name: str, encoding: str) -> None:
    roots.overrides.mkdir()
    shipped = (roots.templates / name).read_text(encoding="utf-8")
    text = "/* ä */" + shipped if name.endswith(".css") else shipped + "ä"
    (roots.overrides / name).write_bytes(text.encode(encoding, errors="replace"))
    (finding,) = printed([samples.deck_card("attack", "Shot")], roots).diagnostics
    assert finding.name == "template-error"
    assert finding.span.file.path == roots.overrides / name
    assert "not saved as UTF-8" in finding.message


@pytest.mark.parametrize("count", [1, 3])
def test_a_template_that_makes_two_pages_of_a_card_is_found_and_the_others_printed(
    roots: Roots, count: int
) -> None:
    roots.overrides.mkdir()
    shipped = (roots.templates / "attack.html.jinja").read_text(encoding="utf-8")
    (roots.overrides / "attack.html.jinja").write_text(f"<div>HELLO</div>\n{shipped}", encoding="utf-8")
    attacks = [samples.deck_card("attack", f"Shot {number}") for number in range(count)]
    result = printed([*attacks, samples.operator("Viper"), samples.operator("Hawk")], roots)
    (finding,) = result.diagnostics
    assert finding.name == "template-error"
    assert finding.span.file.path == roots.overrides / "attack.html.jinja"
    assert "makes 2 pages for one card" in finding.message
    assert result.cards == 2
    assert "Viper" in whole_text(result)


def test_a_back_of_two_pages_is_found(roots: Roots) -> None:
    roots.overrides.mkdir()
    page = '<section class="page">x</section>'
    (roots.overrides / "back.html.jinja").write_text(page * 2)
    result = printed([samples.operator(), samples.objective()], roots, layout=BOTH)
    assert [finding.span.file.path.name for finding in result.diagnostics] == ["back.html.jinja"]
    assert result.cards == 2


def test_a_project_template_overrides_and_may_extend_the_shipped_one(roots: Roots) -> None:
    roots.overrides.mkdir()
    block = "{% block words %}{{ super() }}<i>PROTOTYPE</i>{% endblock %}"
    mine = '{% extends "shipped/item.html.jinja" %}' + block
    (roots.overrides / "item.html.jinja").write_text(mine)
    text = whole_text(printed([samples.deck_card("item", "Scope")], roots))
    assert "PROTOTYPE" in text
    assert "Scope" in text


def test_a_file_that_a_template_asks_for_in_vain_is_found_there(roots: Roots) -> None:
    roots.overrides.mkdir()
    (roots.overrides / "item.html.jinja").write_text('<section class="page">\n<img src="logo.png"></section>')
    (finding,) = printed([samples.deck_card("item", "Scope")], roots).diagnostics
    assert finding.name == "missing-resource"
    assert finding.span.text == "logo.png"
    assert finding.span.begin_position.line == 2


def test_names_from_files_are_text_and_never_markup(roots: Roots) -> None:
    face = samples.operator("<b>&amp;</b>", flavour="{{ 7 * 7 }} <script>")
    text = whole_text(printed([face], roots))
    assert "<b>&amp;</b>" in text
    assert "{{ 7 * 7 }} <script>" in text


UPRIGHT = [name for name, size in CARD_SIZES.items() if size.shape == "rect"]


@pytest.mark.parametrize("name", UPRIGHT[:: 1 if THOROUGH else 3])
def test_every_card_size_is_printed(roots: Roots, name: str) -> None:
    faces = [replace(face, flavour=None) for face in one_of_each()]
    result = printed(faces, roots, layout=LayoutPlan(CARD_SIZES[name]))
    assert result.diagnostics == ()
    assert result.cards == 7


def test_a_card_larger_than_the_paper_is_refused(roots: Roots) -> None:
    result = render_sheet([samples.operator()], SheetSettings(layout=LayoutPlan(Size(300, 400))), roots)
    assert result.failure is not None
    assert "300 × 400 mm" in result.failure.message
    assert result.pdf == b""


def test_without_an_engine_there_is_a_message_and_a_next_step(
    roots: Roots, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> renderer.Renderer:
        raise ImportError("no engine here")

    monkeypatch.setattr(engines, "_plutoprint", missing)
    monkeypatch.setattr(engines, "_weasyprint", missing)
    result = render_sheet([samples.operator()], SheetSettings(), roots)
    assert result.failure is not None
    assert "no engine here" in result.failure.message
    assert "pip install plutoprint" in result.failure.next_step


def test_an_engine_that_gives_up_is_a_failure(roots: Roots) -> None:
    class Broken:
        name = "broken"
        version = "1"
        keeps_pictures = True

        def render_pages(self, *_: object) -> bytes:
            raise renderer.EngineError("out of ink")

        def rasters(self, *_: object) -> Iterator[renderer.Raster]:
            raise renderer.EngineError("out of ink")

    result = render_sheet([samples.operator()], SheetSettings(), roots, renderer=Broken())
    assert result.failure is not None
    assert "out of ink" in result.failure.message


def test_progress_ends_with_all_cards(roots: Roots) -> None:
    told: list[tuple[int, int]] = []
    faces = [samples.operator(f"Viper {number}") for number in range(30)]
    render_sheet(faces, SheetSettings(), roots, lambda done, total: told.append((done, total)))
    assert told[-1] == (30, 30)
    assert told == sorted(told)


def test_crop_marks_can_be_left_out(roots: Roots) -> None:
    def lines(marks: Marks) -> int:
        pdf = opened(printed([samples.operator()], roots, layout=LayoutPlan(marks=marks)).pdf)
        return sum(str(operator) == "l" for _, operator in pikepdf.parse_content_stream(pdf.pages[0]))

    assert lines("edges") > 0
    assert lines("none") == 0


def test_sheet_is_found_where_others_expect_it() -> None:
    assert {"render_sheet", "SheetSettings", "SheetResult", "Failure"} <= set(vars(sheet))


def test_pages_of_many_documents_are_read_when_they_are_needed() -> None:
    """More documents than are open at a time, asked for in no order."""
    documents = PdfPool()
    for number in range(40):
        pdf = pikepdf.new()
        for page in range(2):
            pdf.add_blank_page(page_size=(10 * number + 20, page + 20))
        written = io.BytesIO()
        pdf.save(written)
        assert documents.add(written.getvalue(), pdf) == number
    for number in (*range(40), 3, 27, *range(39, -1, -1)):
        for page in (1, 0):
            box = PrintedPage(documents, number, page).load().mediabox
            assert [int(side) for side in box] == [0, 0, 10 * number + 20, page + 20]
            assert len(documents._open) <= documents._MAX_OPEN
