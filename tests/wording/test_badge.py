"""The badge of cards that are attached: in figures what the card does, with a star unless that is all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tables import card, operator, shipped, table
from tests.thoroughness import examples
from tests.wording.test_rules_text import effect
from toolkit.project.faces import faces
from toolkit.project.pipeline import open_project
from toolkit.vocabulary import Role
from toolkit.wording.badge import Badge, badge_of

ATTACKS = {
    "when attacking, self gets +2 AP. self gets -1 EP.": Badge("+2", "ap", "AP", conditional=True),
    "when attacking, self gets +2 AP.": Badge("+2", "ap", "AP"),
    "when attacking, self gets +2 AP. when attacking, self gets +1 AP.": Badge("+3", "ap", "AP"),
    "while attacking, self doubles AP.": Badge("×2", "ap", "AP"),
    "when attacking, self fixes AP at 6.": Badge("=6", "ap", "AP"),
    "when attacking, self rolls +1 ATTACK D6 and halves AP.": Badge(
        "+1", "attack-d6", "D6", conditional=True
    ),
    "while attacking, self makes ATTACK D6 CRITICAL on 5+.": Badge("5+", "", "CRITICAL"),
    "while attacking, target gets -2 EP.": Badge("−2", "ep", "EP", "ENEMY"),
    "while attacking, attacked divides EP by 3.": Badge("÷3", "ep", "EP", "ENEMY"),
    "while attacking, self gets -1 AP, and target doubles DAMAGE.": Badge(
        "×2", "", "DAMAGE", conditional=True
    ),
    "when attached, self gets +1 RANGE until end of TURN.": Badge("+1", "", "RANGE"),
    "self gets -1 EP.": Badge("−1", "ep", "EP"),
    "while attacking, self gets +1 AP for each ATTACK card in own DISCARDZONE (max 4).": Badge(
        "+X", "ap", "AP"
    ),
    "while attacking, target ignores TEAMWORK. while attacking, if target is not opposite self, "
    "self gets +2 AP.": Badge("+2", "ap", "AP", conditional=True),
    "once per TURN, while attacking, self gets +2 AP.": Badge("+2", "ap", "AP", conditional=True),
    "while attacked, self gets +2 EP.": Badge("+2", "ep", "EP", conditional=True),
    "when attached, self may become EXHAUSTED, if so, self gets +1 AP until end of TURN.": Badge(
        "+1", "ap", "AP", conditional=True
    ),
    "self gets +2 AP. all own OPERATORs get -2 AP.": Badge("+2", "ap", "AP", conditional=True),
    "self gets +2 AP. all other own OPERATORs get -2 AP.": Badge("+2", "ap", "AP", conditional=True),
    "while attacking, self makes the attack CRITICAL.": None,
    "when the attack hits, self gets +2 AP until end of TURN.": None,
    "all own OPERATORs get +1 AP.": None,
}


@pytest.mark.parametrize("text", ATTACKS)
def test_the_badge_of_an_attack_card(text: str) -> None:
    assert badge_of(effect(text), Role.ATTACK, "ENEMY") == ATTACKS[text]


def test_cards_that_are_attached_have_one() -> None:
    said = effect("while attacked, attacker halves AP.")
    assert badge_of(said, Role.DEFENCE, "GEGNER") == Badge("÷2", "ap", "AP", "GEGNER")
    assert badge_of(said, Role.ITEM, "GEGNER") == Badge("÷2", "ap", "AP", "GEGNER", conditional=True)
    assert badge_of(effect("self gets +3 DP."), Role.ITEM, "") == Badge("+3", "dp", "DP")
    assert badge_of(said, Role.SKILL, "GEGNER") is None


NEVER = "HITCOUNTER of target > 90"
ON_AP = (
    *("self gets +{} AP", "self gets -{} AP", "self multiplies AP by {}", "self divides AP by {}"),
    "all own OPERATORs get -{} AP",
)
ON_EP = (
    *("target gets +{} EP", "target gets -{} EP", "target multiplies EP by {}", "target fixes EP at {}"),
    "all enemy OPERATORs get +{} EP",
)


@st.composite
def attack_cards(draw: st.DrawFn) -> str:
    """The effect of an ATTACK card: some sentences that change AP or EP, always or never."""
    said = st.sampled_from(draw(st.sampled_from((ON_AP, ON_EP, ON_AP + ON_EP))))
    parts = draw(
        st.lists(
            st.tuples(said, st.integers(2, 3), st.sampled_from(("", "", f"if {NEVER}, "))),
            min_size=1,
            max_size=3,
        )
    )
    return " ".join(f"when attacking, {condition}{text.format(number)}." for text, number, condition in parts)


@given(attack_cards())
@examples(200)
def test_an_unmarked_badge_is_what_the_engine_does(text: str) -> None:
    """With AP VALUE 4 against EP VALUE 3 and dice of 1."""
    badge = badge_of(effect(text), Role.ATTACK, "ENEMY")
    if badge is None or badge.conditional:
        return
    cards = [operator("one", ap=4), operator("two", ep=3), card("shot", "attack", text)]
    game = table(cards, "one", "two").give("one", attached="shot")
    ap, ep = game.attack("one", "two", 1, 1)
    value, became = (3, ep - 1) if badge.enemy else (4, ap - 1)
    sign, number = badge.text[0], int(badge.text[1:])
    changed = {
        "+": value + number,
        "−": max(value - number, -1),  # no current number is below 0 (N-5), with the die
        "×": value * number,
        "÷": value // number,
        "=": number,
    }
    assert badge.unit == ("EP" if badge.enemy else "AP")
    assert became == changed[sign], (badge, ap, ep)


def test_the_shipped_cards_have_theirs_in_both_languages() -> None:
    by_language = {lang: {face.id: face.badge for face in faces(shipped(), lang)} for lang in ("en", "de")}
    assert by_language["en"]["aimed-shot"] == by_language["de"]["aimed-shot"]
    assert by_language["en"]["aimed-shot"] == Badge("+2", "ap", "AP", conditional=True)
    assert by_language["en"]["double-tap"] == Badge("+1", "attack-d6", "D6", conditional=True)
    assert by_language["en"]["hard-cover"] == Badge("+2", "ep", "EP")
    assert by_language["en"]["smoke-screen"] == Badge("÷2", "ap", "AP", "ENEMY")
    assert by_language["de"]["smoke-screen"] == Badge("÷2", "ap", "AP", "GEGNER")
    assert by_language["en"]["viper"] is None
    assert by_language["en"]["scope"] == Badge("+2", "ap", "AP", conditional=True)
    assert by_language["en"]["lucky-charm"] is None


def test_the_word_for_the_enemy_is_the_projects_own_in_a_third_language(tmp_path: Path) -> None:
    project = "project: P\nlanguages: [en, fr]\n"
    (tmp_path / "opforge.yaml").write_text(project)
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - id: smoke\n    kind: defence\n    name: {en: Smoke, fr: Fumée}\n"
        "    effect: while attacked, attacker halves AP.\n"
    )
    (face,) = faces(open_project(tmp_path), "fr")
    assert face.badge == Badge("÷2", "ap", "AP", "ENEMY")
    (tmp_path / "opforge.yaml").write_text(project + "words: {fr: {badge-enemy: ENNEMI}}\n")
    (face,) = faces(open_project(tmp_path), "fr")
    assert face.badge == Badge("÷2", "ap", "AP", "ENNEMI")
