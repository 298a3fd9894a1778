"""Short texts: what the kind of card says is left out, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.engine.tables import shipped
from tests.help.test_cookbook import recipes
from tests.wording.test_rules_text import effect
from toolkit.api import rules_json, rules_plain
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.products.reference.reference_contents import build_reference
from toolkit.project.faces import faces
from toolkit.project.pipeline import Workspace, open_project
from toolkit.source import SourceFile
from toolkit.vocabulary import Role
from toolkit.wording.card_text import rules_text
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.text import plain

CARDS = """
cards:
  - {id: shot, kind: attack, name: {en: Shot, de: Schuss}, effect: "when attacking, self gets +2 AP."}
  - {id: wall, kind: defence, name: {en: Wall, de: Wand}, effect: "self gets +1 EP."}
"""


def test_a_house_rule_counts_the_words_that_are_printed(project: Path) -> None:
    settings = (project / "opforge.yaml").read_text(encoding="utf-8") + "house_rules: [{max_text_words: 5}]\n"
    (project / "opforge.yaml").write_text(settings, encoding="utf-8")
    assert open_project(project).findings == ()
    (project / "opforge.yaml").write_text(settings.replace("short", "full"), encoding="utf-8")
    assert {finding.card for finding in open_project(project).findings} == {"shot", "wall"}


def text_of(said: str, role: Role, lang: str, short: bool = True) -> str:
    return plain(rules_text(effect(said), role, lang, short=short) or ())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    settings = "project: P\nlanguages: [en, de]\nlook: {text_style: short}\n"
    (tmp_path / "opforge.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(CARDS, encoding="utf-8")
    return tmp_path


def test_a_project_prints_short_texts_and_says_so(project: Path) -> None:
    workspace = open_project(project)
    assert workspace.findings == ()
    assert rules_plain(workspace, ["shot"], "en") == "Shot\n  +2 AP.\n"
    assert rules_plain(workspace, ["wall"], "de") == "Wand\n  Der Träger erhält +1 EP.\n"
    assert json.loads(rules_json(workspace, ["shot"], "en"))["text_style"] == "short"
    full = rules_plain(workspace, ["shot"], "en", "full")
    assert full == "Shot\n  When the OPERATOR bearing this card attacks, it gets +2 AP.\n"
    assert plain(next(faces(workspace, "en")).skills[0].paragraphs) == "+2 AP."


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "“+2 AP.” is “When the bearer attacks, it gets +2 AP.”"),
        ("de", "„+2 AP.“ heißt „Wenn der Träger angreift, erhält er +2 AP.“"),
    ],
)
def test_the_sheet_says_what_a_short_text_stands_for(language: str, sentence: str, project: Path) -> None:
    def reading(workspace: Workspace) -> str:
        printed = tuple(faces(workspace, language))
        return plain(tuple(line.words for line in build_reference(workspace, printed, language).reading))

    assert sentence in reading(open_project(project))
    (project / "opforge.yaml").write_text("project: P\nlanguages: [en, de]\n", encoding="utf-8")
    assert sentence not in reading(open_project(project))


@pytest.mark.parametrize(
    ("role", "said", "english", "german"),
    [
        (Role.ATTACK, "when attacking, self gets +2 AP.", "+2 AP.", "+2 AP."),
        (Role.ATTACK, "self gets -1 EP.", "The bearer gets −1 EP.", "Der Träger erhält −1 EP."),
        (
            Role.ATTACK,
            "when attacked, self gets +1 EP.",
            "When it is attacked: +1 EP.",
            "Wenn er angegriffen wird: +1 EP.",
        ),
        (Role.DEFENCE, "when attacked, self gets +1 EP.", "+1 EP.", "+1 EP."),
        (
            Role.DEFENCE,
            "when attacked, attacker halves AP.",
            "The attacker halves its AP.",
            "Der Angreifer halbiert seine AP.",
        ),
        (
            Role.ATTACK,
            "when attacking, if target is opposite self, self rolls +1 ATTACK D6.",
            "If its target is opposite it, the bearer rolls 1 additional ATTACK D6.",
            "Falls sein Ziel ihm gegenübersteht, würfelt er 1 zusätzlichen ATTACK D6.",
        ),
        (
            Role.ATTACK,
            "when attacking, if number of cards in own hand = 0, self gets +3 AP.",
            "If you have no cards in hand: +3 AP.",
            "Falls du keine Karten auf der Hand hast: +3 AP.",
        ),
        (
            Role.ATTACK,
            "when attacking, all own OPERATORs get +1 AP.",
            "When it attacks, all your OPERATORs get +1 AP.",
            "Wenn er angreift, erhalten alle eigenen OPERATOR +1 AP.",
        ),
        (
            Role.ATTACK,
            "when the attack misses, self gains BONUS (ATTACK).",
            "When the attack misses: BONUS (ATTACK).",
            "Wenn der Angriff fehlschlägt: BONUS (ATTACK).",
        ),
        (
            Role.ATTACK,
            "when attacking, self gets +1 AP for each own OPERATOR in RANGE of self and gets +1 EP.",
            "+1 AP for each of your OPERATORs in RANGE of it, plus +1 EP.",
            "+1 AP für jeden eigenen OPERATOR in seiner RANGE, dazu +1 EP.",
        ),
        (Role.ITEM, "self gets +3 DP.", "+3 DP.", "+3 DP."),
        (
            Role.ITEM,
            "self cannot perform MOVE.",
            "Cannot perform the MOVE ACTION.",
            "Kann die MOVE ACTION nicht durchführen.",
        ),
        (
            Role.ITEM,
            "once per GAME, when attacking, self gets +1 AP.",
            "Once per GAME, when it attacks: +1 AP.",
            "Einmal pro GAME, wenn er angreift: +1 AP.",
        ),
        (
            Role.SKILL,
            "when the attack hits, self gains BONUS (MOVE).",
            "When its attack hits: BONUS (MOVE).",
            "Wenn sein Angriff trifft: BONUS (MOVE).",
        ),
        (
            Role.SKILL,
            "all own OPERATORs adjacent to self get +1 AP.",
            "All your OPERATORs adjacent to this OPERATOR get +1 AP.",
            "Alle eigenen OPERATOR neben diesem OPERATOR erhalten +1 AP.",
        ),
        (
            Role.SKILL,
            "when self REACHES the OBJECTIVE, self fixes AP at 6 permanently.",
            "When it REACHES the OBJECTIVE, its AP become 6 permanently.",
            "Sobald er das OBJECTIVE REACHED hat, betragen seine AP dauerhaft 6.",
        ),
        (
            Role.STRATEGY,
            "when an own OPERATOR attacks, attacker gets +1 AP.",
            "When one of your OPERATORs attacks, it gets +1 AP.",
            "Wenn ein eigener OPERATOR angreift, erhält er +1 AP.",
        ),
        (
            Role.OBJECTIVE,
            "self gets +1 RANGE.",
            "The OPERATOR at this OBJECTIVE gets +1 RANGE.",
            "Der OPERATOR an diesem OBJECTIVE erhält +1 RANGE.",
        ),
    ],
)
def test_what_the_kind_of_card_says_is_left_out(role: Role, said: str, english: str, german: str) -> None:
    assert (text_of(said, role, "en"), text_of(said, role, "de")) == (english, german)


def test_a_language_without_short_forms_prints_the_full_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "eo", replace(LANGUAGES["en"], code="eo", has_short_texts=False))
    said = "when attacking, self gets +2 AP."
    assert text_of(said, Role.ATTACK, "eo") == text_of(said, Role.ATTACK, "en", short=False)


def effects_of_recipes() -> Iterator[tuple[Role, str]]:
    for recipe in recipes():
        tree = parse_tree(SourceFile(Path("recipe.yaml"), "recipe.yaml", recipe.yaml))
        for card in tree.root.value.get("cards", ()):
            if "effect" in card:
                yield Role(card["kind"]), card["effect"]
            yield from (
                (Role.SKILL, skill["effect"]) for skill in card.get("skills", ()) if "effect" in skill
            )


def test_no_two_effects_of_the_set_and_the_recipes_share_a_short_text() -> None:
    """What differs in full differs in short, on each kind of card."""
    effects = [(said.source.role, said.tree) for said in shipped().effects.values()]
    effects += [(role, effect(said)) for role, said in effects_of_recipes()]
    full_texts: dict[tuple[Role, str, str], str] = {}
    for role, said in effects:
        for lang in LANGUAGES:
            short, full = (plain(rules_text(said, role, lang, short=style) or ()) for style in (True, False))
            assert full_texts.setdefault((role, lang, short), full) == full
