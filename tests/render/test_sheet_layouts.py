"""Sheets with backs, folds, proofs and stamps, read back from their PDF."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace

from tests.render import samples
from tests.render.pdf_text import opened, placements, text_of
from tests.render.test_sheet import one_of_each
from toolkit.data.model import Gap
from toolkit.press.layout import Arrangement, LayoutPlan, arrange
from toolkit.press.marks import sheet_ruler
from toolkit.press.sheet import SheetResult, SheetSettings, render_sheet
from toolkit.render.face import Back, Face, fingerprint
from toolkit.render.fetch import Roots
from toolkit.render.sizes import CARD_SIZES, PAPERS

BLEED = Gap(6, 6)
ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 4"><rect width="6" height="4" fill="{}"/></svg>'


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    return Roots(tmp_path)


FULL = arrange(LayoutPlan())
assert isinstance(FULL, Arrangement)
RULER = sheet_ruler(FULL).count(b" l")
"""The lines of the ruler on every side that has marks."""


def printed(faces: list[Face], roots: Roots, layout: LayoutPlan | None = None, **more: object) -> SheetResult:
    settings = SheetSettings(layout or LayoutPlan(), **more)  # type: ignore[arg-type]
    result = render_sheet(faces, settings, roots)
    assert result.failure is None
    return result


def operators(result: SheetResult, page: int = 0) -> list[str]:
    """What is drawn on a page, without what it is drawn with."""
    pdf = opened(result.pdf)
    return [str(operator) for _, operator in pikepdf.parse_content_stream(pdf.pages[page])]


def millimetres(box: pikepdf.Array) -> list[float]:
    return [round(float(side) / 72 * 25.4, 2) for side in box]


@pytest.mark.parametrize(
    ("plan", "trim", "bleed"),
    [
        (LayoutPlan(), [10.5, 16.5, 199.5, 280.5], [7.5, 13.5, 202.5, 283.5]),
        (LayoutPlan(gap=BLEED), [13.5, 14, 283.5, 196], [10.5, 11, 286.5, 199]),
        (LayoutPlan(CARD_SIZES["poker-us"], PAPERS["letter"], bleed=3.175), None, None),
    ],
)
def test_every_page_says_where_it_is_cut(
    roots: Roots, plan: LayoutPlan, trim: list[float] | None, bleed: list[float] | None
) -> None:
    pdf = opened(printed([samples.operator(quantity=10)], roots, replace(plan, sides="both")).pdf)
    for page in pdf.pages:
        media, cut, beyond = (millimetres(page.obj[f"/{name}Box"]) for name in ("Media", "Trim", "Bleed"))
        assert all(outer <= inner for outer, inner in zip(media[:2], beyond[:2], strict=True))
        assert all(outer >= inner for outer, inner in zip(media[2:], beyond[2:], strict=True))
        if trim is not None and bleed is not None:
            assert cut == pytest.approx(trim, abs=0.01)
            assert beyond == pytest.approx(bleed, abs=0.01)
        else:
            around = [after - before for before, after in zip(cut, beyond, strict=True)]
            assert around == pytest.approx([-3.175, -3.175, 3.175, 3.175], abs=0.02)


@pytest.mark.parametrize(
    ("plan", "duplex"),
    [
        (LayoutPlan(), "/Simplex"),
        (LayoutPlan(sides="backs"), "/Simplex"),
        (LayoutPlan(sides="both"), "/DuplexFlipLongEdge"),
        (LayoutPlan(sides="both", flip="short"), "/DuplexFlipShortEdge"),
        (LayoutPlan(sides="both", flip="none"), "/Simplex"),
        (LayoutPlan(sides="both", fold="best"), "/Simplex"),
    ],
)
def test_the_printing_dialog_is_told_how_the_paper_is_turned(
    roots: Roots, plan: LayoutPlan, duplex: str
) -> None:
    pdf = opened(printed([samples.operator()], roots, plan).pdf)
    preferences = pdf.Root.ViewerPreferences
    assert (preferences.Duplex, preferences.PrintScaling) == (duplex, "/None")


def test_title_author_and_version_are_in_the_pdf(roots: Roots) -> None:
    result = printed([samples.operator()], roots, project="Nächte", version="1.2", author="Jo Müller")
    pdf = opened(result.pdf)
    about = pdf.docinfo
    assert [str(about[key]) for key in ("/Title", "/Author", "/Version")] == [
        "Nächte 1.2",
        "Jo Müller",
        "1.2",
    ]


def test_everything_at_once_gives_the_same_bytes_twice(roots: Roots) -> None:
    plan = LayoutPlan(gap=BLEED, marks="full", marks_on="both", sides="both", flip="short", rounding=3)
    small = LayoutPlan(CARD_SIZES["mini"], sides="both")
    faces = [*one_of_each(), *one_of_each("de")]
    once, again = (
        printed(faces, roots, plan, by_kind={"objective": small}, proof=True, stamp=True, project="N")
        for _ in range(2)
    )
    assert once.pdf == again.pdf


@pytest.mark.parametrize(("sides", "pages"), [("fronts", 1), ("backs", 1), ("both", 2)])
def test_fronts_backs_or_both_are_printed(roots: Roots, sides: str, pages: int) -> None:
    result = printed([samples.operator("Viper")], roots, LayoutPlan(sides=sides))  # type: ignore[arg-type]
    assert (result.pages, result.cards) == (pages, 1)
    text = "".join(text_of(page.obj) for page in opened(result.pdf).pages)
    assert ("Viper" in text) == (sides != "backs")


def test_a_fold_sheet_has_each_back_beside_its_front(roots: Roots) -> None:
    result = printed(one_of_each(), roots, LayoutPlan(fold="vertical", orientation="landscape"))
    pdf = opened(result.pdf)
    assert (result.pages, result.cards) == (2, 7)
    names = [name for name, _, _ in placements(pdf.pages[0])]
    assert len(names) == 8
    assert len(set(names[:4])) == 4


def test_cards_of_another_size_are_a_section_of_their_own(roots: Roots) -> None:
    small = LayoutPlan(CARD_SIZES["mini"])
    result = printed(one_of_each(), roots, by_kind={"objective": small, "item": small})
    assert (result.pages, result.cards) == (2, 7)
    counts = [len(placements(page)) for page in opened(result.pdf).pages]
    assert counts == [5, 2]


def test_a_stamp_has_project_version_and_fingerprint(roots: Roots) -> None:
    face = samples.operator("Viper", quantity=2)
    pdf = opened(printed([face], roots, project="Night Exercise", version="0.1.0", stamp=True).pdf)
    assert text_of(pdf.pages[0].obj).count(f"Night Exercise 0.1.0 · {fingerprint(face)}") == 2
    stamps = [(x, y) for _, x, y in placements(pdf.pages[0])][2:]
    assert stamps[0] == pytest.approx((10.5 + 3, 16.5 + 2 * 88), abs=0.01)


def test_a_fingerprint_changes_with_what_is_printed_and_with_nothing_else(tmp_path: Path) -> None:
    art = tmp_path / "art.svg"
    art.write_text(ART.format("red"))
    face = samples.operator(art=art)
    before = fingerprint(face)
    elsewhere = tmp_path / "elsewhere.svg"
    elsewhere.write_text(ART.format("red"))
    assert fingerprint(replace(face, art=elsewhere, quantity=7, places={})) == before
    assert fingerprint(replace(face, flavour="Another.")) != before
    assert fingerprint(replace(face, stats=face.stats[:3])) != before
    art.write_text(ART.format("blue"))
    assert fingerprint(face) != before


def test_a_proof_shows_cut_bleed_and_safe_zone(roots: Roots) -> None:
    face = samples.operator()
    plain, proof = (operators(printed([face], roots, proof=on)) for on in (False, True))
    assert proof.count("re") - plain.count("re") == 3


def test_round_corners_are_cut_out_of_the_picture(roots: Roots) -> None:
    drawn = operators(printed([samples.operator()], roots, LayoutPlan(rounding=3)))
    assert drawn.count("c") == 4
    assert "re" not in drawn


def test_marks_are_on_the_sides_that_are_wanted(roots: Roots) -> None:
    def lines(**plan: object) -> list[int]:
        faces = [samples.operator(quantity=9)]
        found = printed(faces, roots, LayoutPlan(sides="both", **plan))  # type: ignore[arg-type]
        return [operators(found, page).count("l") for page in (0, 1)]

    assert lines() == [16 + RULER, 0]
    assert lines(marks_on="backs") == [0, 16 + RULER]
    both = lines(marks_on="both", marks="full")
    assert both[0] == both[1] > 0


def test_places_without_a_card_have_no_marks(roots: Roots) -> None:
    result = printed([samples.operator(quantity=11)], roots, LayoutPlan(sides="both", marks_on="both"))
    counts = [operators(result, page).count("l") for page in range(4)]
    # Two cards side by side have three cuts across and two down, each marked at both ends.
    assert counts == [marks + RULER for marks in (16, 16, 10, 10)]


def test_a_back_is_the_cards_own_its_teams_or_the_shipped_one(roots: Roots) -> None:
    (roots.project / "back.svg").write_text(ART.format("red"))
    own = samples.operator("Viper", back=Back("operator", roots.project / "back.svg"))
    team = samples.operator("Hawk", back=Back("operator", colours=("#102030", "#e8c547")))
    usual = [samples.operator("Owl"), samples.operator("Kite")]
    pdf = opened(printed([own, team, *usual], roots, LayoutPlan(sides="both")).pdf)
    names = [name for name, _, _ in placements(pdf.pages[1])]
    assert len(set(names)) == 3
    assert names[2] == names[3]


def test_a_layout_that_cannot_be_is_a_failure(roots: Roots) -> None:
    result = render_sheet([samples.operator()], SheetSettings(LayoutPlan(columns=9)), roots)
    assert result.failure is not None
    assert result.failure.invalid_request
    assert "9 (3 × 3) fit on A4 portrait" in result.failure.message
