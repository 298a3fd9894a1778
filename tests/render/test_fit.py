"""Text that fits: reminders, sizes, names, and the check of all cards at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.render import samples
from tests.render.pdf_text import opened, sizes_of, text_of
from toolkit.press.layout import LayoutPlan
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.project.faces import fit_findings
from toolkit.project.pipeline import open_project
from toolkit.render.checks import fit_check
from toolkit.render.checks.fit_check import check_fit, without_duplicates
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import KINDS, Face, Kind, RulesText
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit import CardFit
from toolkit.render.pages import FaceOptions
from toolkit.render.print_run import PrintRun
from toolkit.render.sizes import CARD_SIZES
from toolkit.wording.text import Run

POKER = CARD_SIZES["poker"]
REMINDER = Run("reminder", " (On a CRITICAL die the AP VALUE may be doubled instead of adding the die.)")


@pytest.fixture(autouse=True)
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    return Roots(tmp_path / "project")


def reminded(sentences: int) -> Face:
    """An ATTACK with so many sentences, each with a reminder."""
    paragraph = (*samples.OVERWATCH_EN.paragraphs[0], REMINDER)
    return samples.deck_card("attack", "Shot", skills=(RulesText(None, (paragraph,) * sentences),))


def printed(
    face: Face, roots: Roots, face_options: FaceOptions | None = None
) -> tuple[str, set[float], list[str]]:
    """Text, sizes of type and names of findings."""
    result = render_sheet([face], SheetSettings(face_options=face_options or FaceOptions()), roots)
    pdf = opened(result.pdf)
    form = pdf.pages[0].Resources.XObject["/C0"]
    return text_of(pdf.pages[0].obj), set(sizes_of(form)), [one.name for one in result.diagnostics]


def test_reminders_are_printed_where_there_is_room(roots: Roots) -> None:
    text, _, found = printed(reminded(1), roots)
    assert "On a CRITICAL die" in text
    assert found == []


def test_reminders_go_before_type_shrinks(roots: Roots) -> None:
    text, sizes, found = printed(reminded(3), roots)
    assert "On a CRITICAL die" not in text
    assert text.count("SUPPRESSED") == 3
    plain = replace(reminded(3).without_reminders(), places={})
    assert sizes == printed(plain, roots)[1]
    assert found == []


def test_reminders_are_printed_in_all_languages_or_in_none(roots: Roots) -> None:
    short, long = reminded(1), replace(reminded(3), lang="de")
    for face, other in ((short, long), (long, short)):
        alone = printed(face, roots)
        both = printed(replace(face, translations=(other,)), roots)
        assert ("On a CRITICAL die" in alone[0]) == (face is short)
        assert "On a CRITICAL die" not in both[0]
        assert both[2] == []
    assert "On a CRITICAL die" in printed(replace(short, translations=(replace(short, lang="de"),)), roots)[0]


def test_a_translation_is_measured_and_not_printed(roots: Roots) -> None:
    face = replace(reminded(1), translations=(replace(reminded(1), lang="de"),))
    run = PrintRun(choose_renderer(), POKER, Fetcher(roots), lambda _done, _total: None)  # type: ignore[arg-type]
    try:
        run.print_fronts([face])
        assert list(run.fronts) == [face]
        assert len(run.pages) == 1
    finally:
        run.close()


def test_the_shipped_cards_have_their_reminders_in_both_languages() -> None:
    for face in samples.shipped_faces("en"):
        assert [one.lang for one in face.translations] == (["de"] if face.has_reminders else [])


@pytest.mark.parametrize(("card", "floor"), [("mini", 6.0), ("mini-us", 6.0), ("poker", 9.0)])
def test_reminders_go_before_a_text_is_told_not_to_fit(roots: Roots, card: str, floor: float) -> None:
    paragraph = (*samples.OVERWATCH_EN.paragraphs[0], *(REMINDER,) * 6)
    face = samples.deck_card("attack", "Shot", skills=(RulesText(None, (paragraph,)),))
    settings = SheetSettings(LayoutPlan(card=CARD_SIZES[card]), face_options=FaceOptions(floor))
    result = render_sheet([face], settings, roots)
    assert result.diagnostics == ()
    pdf = opened(result.pdf)
    assert "On a CRITICAL die" not in text_of(pdf.pages[0].obj)


def test_long_texts_have_more_of_a_small_card() -> None:
    poker, mini = CardFit(0, {}), CardFit(0, {}, 44 / 63)
    assert (poker.crowd(200), CardFit(0, {}, 1.2).crowd(200)) == (200, 200)
    assert mini.crowd(200) == round(200 * (63 / 44) ** 2)
    assert CardFit(0, {}, floor=9.0).crowd(200) == 450
    assert CardFit(0, {}, 44 / 63, room=2.0).crowd(200) == 200


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_a_long_text_fits_a_mini_card(roots: Roots, kind: Kind) -> None:
    paragraph = samples.words("To hold your ground is all that counts. " * 9)
    face = samples.deck_card(kind, "Long", skills=(RulesText(None, (paragraph,)),))
    settings = SheetSettings(LayoutPlan(card=CARD_SIZES["mini"]))
    assert render_sheet([face], settings, roots).diagnostics == ()


def test_a_card_with_more_room_has_larger_type(roots: Roots) -> None:
    settings = SheetSettings(LayoutPlan(card=CARD_SIZES["business"]))
    pdf = opened(render_sheet([samples.operator()], settings, roots).pdf)
    assert any(7.5 < size < 9 for size in sizes_of(pdf.pages[0].Resources.XObject["/C0"]))


def test_nothing_but_reminders_is_left_out() -> None:
    face = reminded(2)
    assert face.has_reminders
    assert not face.without_reminders().has_reminders
    assert [len(paragraph) for paragraph in face.without_reminders().skills[0].paragraphs] == [5, 5]


@pytest.mark.parametrize("card", ["poker", "tarot"])
def test_reminders_go_where_a_text_begins_at_its_smallest_size(roots: Roots, card: str) -> None:
    """With a floor as large as the type of the template there is nothing to shrink."""
    settings = SheetSettings(LayoutPlan(card=CARD_SIZES[card]), face_options=FaceOptions(12.0))
    faces = {f"of-{sentences}": reminded(sentences) for sentences in range(1, 12)}
    told = [replace(face, id=f"{name}-told", name=name) for name, face in faces.items()]
    plain = [replace(face.without_reminders(), id=f"{name}-plain", name=name) for name, face in faces.items()]
    findings: dict[str, list[str]] = {face.id: [] for face in (*told, *plain)}
    for one in render_sheet([*told, *plain], settings, roots).diagnostics:
        assert one.card is not None
        findings[one.card].append(one.name)
    assert {name: findings[f"{name}-told"] for name in faces} == {
        name: findings[f"{name}-plain"] for name in faces
    }
    assert [] in findings.values()
    assert ["text-overflow"] in findings.values()


@pytest.mark.parametrize("floor", [4.5, 6.0, 8.0])
def test_type_goes_down_to_the_floor_of_the_project_and_no_further(roots: Roots, floor: float) -> None:
    face = reminded(24).without_reminders()
    _, sizes, found = printed(face, roots, FaceOptions(floor))
    assert found == ["text-overflow"]
    assert min(sizes) == pytest.approx(floor, abs=0.01)


def test_a_finding_says_what_size_would_fit_and_what_can_be_done(roots: Roots) -> None:
    made = reminded(16)
    written = replace(made, by_hand=True, id="written")
    found = check_fit([made, written], POKER, roots, FaceOptions())
    assert isinstance(found, list)
    for finding in found:
        assert "it would fit at about" in finding.message
        assert "`type_floor` in opforge.yaml" in finding.next_step
    first, second = found
    assert "remove a sentence or the flavour text" in first.next_step
    assert second.next_step.startswith("Shorten it by about")


@pytest.mark.parametrize("theme", ["classic", "tournament"])
@pytest.mark.parametrize("region", ["rules text", "flavour text"])
def test_a_word_that_is_wider_than_its_box_is_told(roots: Roots, theme: str, region: str) -> None:
    word = "Rechtsschutzversicherungsgesellschaftenrechtsschutzversicherung"
    flavour, skill = (word, "Kurz") if region == "flavour text" else ("Kurz.", word)
    effect = RulesText(skill, (samples.words("Gut."),))
    face = samples.deck_card("attack", "Bote", skills=(effect,), flavour=flavour)
    found = check_fit([face], POKER, replace(roots, theme=theme), FaceOptions())
    assert isinstance(found, list)
    (finding,) = found
    assert finding.message.startswith(f"The {region} of Bote is ")
    assert finding.next_step.startswith(f"`{word[:39]}…` is too wide for a line")


def test_a_long_german_name_is_printed_large_and_does_not_reach_the_badge(roots: Roots) -> None:
    for face in (samples.operator("Feuerunterstützungskoordinatorin", "de"),):
        text, _, found = printed(face, roots)
        assert found == []
        assert "Feuerunterstützungs-" in text
    run = PrintRun(engine(), POKER, Fetcher(roots), lambda _done, _total: None)
    run.print_fronts([face])
    run.close()
    assert run.sizes[face].get("name", 15) > 8


def engine() -> fit_check.Renderer:
    found = choose_renderer()
    assert not isinstance(found, NoEngine)
    return found


def test_pages_too_many_and_too_few_that_add_up_are_both_found(roots: Roots) -> None:
    roots.overrides.mkdir()
    page = '<section class="page">{{ face.name }}</section>'
    (roots.overrides / "attack.html.jinja").write_text(page * 2)
    (roots.overrides / "defence.html.jinja").write_text("<!-- nothing -->")
    faces = [samples.deck_card(kind, f"A {kind}") for kind in ("attack", "defence", "item")]
    result = render_sheet(faces, SheetSettings(), roots)
    assert result.cards == 1
    messages = [finding.message for finding in result.diagnostics]
    assert len(messages) == 2
    assert "attack.html.jinja makes 2 pages" in messages[0]
    assert "defence.html.jinja makes no page" in messages[1] or "makes 1" not in messages[1]


def test_a_check_that_was_made_is_not_made_again(roots: Roots, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = [reminded(1), reminded(12)]
    first = check_fit(faces, POKER, roots, FaceOptions())
    asked: list[Face] = []
    original = PrintRun.print_fronts

    def counted(self: PrintRun, printed: list[Face]) -> None:
        asked.extend(printed)
        original(self, printed)

    monkeypatch.setattr(PrintRun, "print_fronts", counted)
    assert check_fit(faces, POKER, roots, FaceOptions()) == first
    assert asked == []
    changed = replace(faces[0], name="Another")
    check_fit([changed, faces[1]], POKER, roots, FaceOptions())
    assert asked == [changed]
    check_fit(faces, POKER, roots, FaceOptions(floor=5))
    assert len(asked) == 3
    roots.overrides.mkdir()
    (roots.overrides / "card.css").write_text((roots.templates / "card.css").read_text())
    check_fit(faces, POKER, roots, FaceOptions(floor=5))
    assert len(asked) == 5


PROJECT = """
project: Two languages
languages: [en, de]
type_floor: {floor}
traits: {{sniper: {{en: sniper, de: Scharfschützin}}}}
"""
CARDS = """
teams: [{id: a, name: A}]
cards:
  - id: x
    kind: operator
    name: {en: Short, de: NAME}
    team: a
    squadpoints: 1
    ap: 1
    ep: 1
    dp: 1
    mp: 1
    traits: [sniper]
"""


def test_links_of_a_template_are_not_taken_for_measures(roots: Roots) -> None:
    box = 'style="display:block; width:1mm"'
    links = ("fit:zz", "fit:b:0:x:y:z", "fit:b:0:rules:8:1/:::", "fit:b:99:rules:8:8", "fit:c:99:rules:8:8")
    written = "".join(f'<a href="{link}" {box}>words that are wider</a>' for link in links)
    roots.overrides.mkdir(parents=True, exist_ok=True)
    (roots.overrides / "attack.html.jinja").write_text(
        '{% extends "shipped/attack.html.jinja" %}{% block words %}' + written + "{{ super() }}{% endblock %}"
    )
    result = render_sheet([samples.deck_card("attack", "Shot")], SheetSettings(), roots)
    assert (result.cards, "text-overflow" in [one.name for one in result.diagnostics]) == (1, False)


def test_all_languages_are_looked_at_and_a_finding_stands_at_the_text(roots: Roots) -> None:
    (roots.project / "opforge.yaml").write_text(PROJECT.format(floor=6))
    long = "Sehr " * 60 + "lang"
    (roots.project / "cards.yaml").write_text(CARDS.replace("NAME", long))
    found = fit_findings(open_project(roots.project))
    assert isinstance(found, list)
    (finding,) = found
    assert finding.name == "text-overflow"
    assert "(de)" in finding.message
    assert finding.span.text == long
    assert list(without_duplicates([finding, finding])) == [finding]


def test_a_trait_is_printed_in_the_language_of_the_card(roots: Roots) -> None:
    from toolkit.project.faces import faces

    (roots.project / "opforge.yaml").write_text(PROJECT.format(floor=6))
    (roots.project / "cards.yaml").write_text(CARDS)
    workspace = open_project(roots.project)
    assert [next(faces(workspace, lang)).traits for lang in ("en", "de")] == [
        ("sniper",),
        ("Scharfschützin",),
    ]
