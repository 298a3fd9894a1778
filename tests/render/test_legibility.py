"""Words that are too small or too faint to be read, found on the finished page."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.render import samples
from tests.thoroughness import THOROUGH
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.fetch import Roots
from toolkit.render.pages import FaceOptions
from toolkit.render.sizes import CARD_SIZES
from toolkit.resources import cards_folder

POKER = CARD_SIZES["poker"]
ATTACK = """{% extends "shipped/attack.html.jinja" %}
{% block words %}{{ super() }}
<div class="place" style="left:10rem; top:20rem; width:20rem; height:6rem; WORDS">{{ face.kind_label }}</div>
{% endblock %}"""


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project" / "templates").mkdir(parents=True)
    return Roots(tmp_path / "project")


def found(
    roots: Roots, words: str, face_options: FaceOptions | None = None, name: str = "Shot"
) -> list[tuple[str, str, str]]:
    """Name, words in the file, and message of what is found about words in such a style."""
    (roots.overrides / "attack.html.jinja").write_text(ATTACK.replace("WORDS", words))
    findings = check_fit([samples.deck_card("attack", name)], POKER, roots, face_options or FaceOptions())
    assert not isinstance(findings, str)
    return [(one.name, one.span.text, f"{one.message} {one.next_step}") for one in findings]


def test_small_words_are_found_where_a_template_prints_them(roots: Roots) -> None:
    ((name, place, message),) = found(roots, "font-size:5pt; background-color:#ffffff")
    assert (name, place) == ("small-text", "{{ face.kind_label")
    assert message.startswith("ATTACK on ATTACK cards (en) is printed in 5.0 pt; readable text needs 6 pt.")
    assert "larger type" in message


@pytest.mark.parametrize(
    ("words", "small"),
    [
        ("font-size:6pt", False),
        ("font-size:max(6pt, 1rem)", False),
        ("font-size:12pt; transform:scale(0.4)", True),
        ("font-size:9pt; transform:rotate(-30deg)", False),
        ("font-size:5pt; opacity:0.9", True),
        ("font-size:0.5em", True),
    ],
)
def test_what_counts_is_the_size_in_print(roots: Roots, words: str, small: bool) -> None:
    names = [name for name, _, _ in found(roots, words + "; background-color:#ffffff")]
    assert ("small-text" in names) == small


def test_a_project_may_allow_smaller_words_and_larger_rules_text_asks_nothing_of_labels(roots: Roots) -> None:
    style = "font-size:5pt; background-color:#ffffff"
    assert found(roots, style, FaceOptions(floor=4.5)) == []
    assert [name for name, _, _ in found(roots, style, FaceOptions(floor=7))] == ["small-text"]
    assert found(roots, "font-size:6.5pt; background-color:#ffffff", FaceOptions(floor=7)) == []


def test_faint_words_are_found_with_a_colour_that_would_do(roots: Roots) -> None:
    ((name, place, message),) = found(roots, "font-size:9pt; color:#8a8a8a; background-color:#ffffff")
    assert (name, place) == ("low-contrast", "{{ face.kind_label")
    assert "ATTACK on Shot (en) is #8a8a8a on #ffffff, a contrast of 3.5 : 1; words need 4.5 : 1." in message
    assert "the colour #737374" in message


@pytest.mark.parametrize(
    ("words", "faint"),
    [
        ("color:#737373; background-color:#ffffff", False),
        ("color:#ffffff; background-color:#8a8a8a", True),
        ("color:#8a8a8a; background-color:#ffffff; transform:rotate(90deg)", True),
        ("color:#000000; background-color:#ffffff; transform:rotate(90deg)", False),
        ("color:#ffffff; background-image:url({{ gradient('#8a8a8a', '#8a8a8a') }})", True),
        ("color:#8a8a8a; background-image:url({{ gradient('#000000', '#ffffff') }})", False),  # not judged
    ],
)
def test_the_ground_is_what_lies_behind_the_words(roots: Roots, words: str, faint: bool) -> None:
    assert [name for name, _, _ in found(roots, "font-size:9pt; " + words)] == ["low-contrast"] * faint


def test_text_that_does_not_fit_is_not_also_faint(roots: Roots) -> None:
    (roots.overrides / "attack.html.jinja").write_text('{% extends "shipped/attack.html.jinja" %}')
    long = samples.RulesText(None, (samples.words("To hold your ground is all that counts. " * 60),))
    findings = check_fit([samples.deck_card("attack", "Long", skills=(long,))], POKER, roots, FaceOptions())
    assert not isinstance(findings, str)
    assert [one.name for one in findings] == ["text-overflow"]


@pytest.mark.parametrize("colours", [("#2d2a32", "#de3350"), ("#0b6b6b", "#ff9f4a"), ("#777777", "#888888")])
@pytest.mark.parametrize("theme", ["classic", "tournament"])
def test_the_words_of_the_shipped_themes_can_be_read_in_the_colours_of_any_team(
    roots: Roots, theme: str, colours: tuple[str, str]
) -> None:
    face = replace(samples.operator(), team_colours=colours)
    assert check_fit([face], POKER, Roots(roots.project, theme=theme), FaceOptions()) == []


SIZES = [name for name, size in CARD_SIZES.items() if size.shape == "rect"]


@pytest.mark.parametrize(
    ("size", "lang"), [*product(SIZES, ["en", "de"])] if THOROUGH else [("mini-us", "de")]
)
def test_the_shipped_set_is_printed_in_the_tournament_theme_without_a_finding(
    size: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    shown = samples.shipped_faces(lang)
    shown = shown if THOROUGH else shown[::3]
    assert check_fit(shown, CARD_SIZES[size], Roots(cards_folder(), theme="tournament"), FaceOptions()) == []
