"""The trace as sentences for people: whatever the engine notes has a sentence in each language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.engine.tables import shipped
from tests.thoroughness import THOROUGH
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.game import Game
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state_queries import StateQueries
from toolkit.products.website.rulings import PlayedScenario, play_all
from toolkit.project.pipeline import Workspace, open_project
from toolkit.resources import cards_folder, starter_folder
from toolkit.wording.languages import words_in
from toolkit.wording.narration import PHRASES, SENTENCES, Narrator, narrator_of

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FOLDERS = (cards_folder(), starter_folder(), *(SCENARIOS / name for name in ("second", "third", "own_words")))
ENGLISH = r"\b(the|of|and|is|are|with|cannot|draws|until|from|gets|owner|self|target|its)\b"


@cache
def opened(folder: Path) -> Workspace:
    return shipped() if folder == cards_folder() else open_project(folder)


def narrator(folder: Path, language: str) -> Narrator:
    cards = opened(folder).cards
    return narrator_of(cards, words_in(cards.project, language))


@cache
def played(folder: Path) -> tuple[list[PlayedScenario], dict[tuple[str, str, str], Origin | None]]:
    """The scenarios of a project as they were played, and what was noted in them."""
    noted: dict[tuple[str, str, str], Origin | None] = {}
    note = Game.note

    def listen(self: Game, kind: str, rule: str, text: str, *rest: object, **more: object) -> None:
        origin = more.get("origin")
        assert origin is None or isinstance(origin, Origin)
        noted.setdefault((kind, rule, text), origin)
        note(self, kind, rule, text, *rest, **more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "note", listen)
        return play_all(opened(folder)), noted


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_note_is_said_in_both_languages(folder: Path) -> None:
    scenarios, noted = played(folder)
    assert scenarios
    assert len(noted) > 3
    for language in ("en", "de"):
        narrate = narrator(folder, language)
        for (kind, rule, text), origin in noted.items():
            if origin is not None and text == origin.text:
                continue  # the sentence of the effect, which is said as on the card
            entry = TraceEntry(kind, rule, text, origin=origin)  # type: ignore[arg-type]
            said = narrate.sentence(entry)
            assert said != text, f"no sentence in toolkit/wording/narration.py reads: {rule} {text}"
            assert said.rstrip("”“")[-1] in ".!?", said
            if language == "de":
                quoted = re.sub("„[^“]*“", "", said)
                assert not re.search(ENGLISH, quoted), (text, said)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_why_an_effect_did_nothing_is_said_in_both_languages(folder: Path) -> None:
    """What the bench shows beside the trace: reasons why nothing called for an effect."""
    workspace = opened(folder)
    origins = workspace.origins()
    for scenario in played(folder)[0][:: 1 if THOROUGH else 3]:
        attack, result = scenario.played.attack, scenario.played.result
        if attack is None or result is None:
            continue
        resolver, both = (
            StateQueries(scenario.played.rules, attack.before),
            (result.attacker, result.attacked),
        )
        explained = explain(resolver, attack.after, attack.outcome, both, origins, thorough=True)
        blocks = [block for section in explained.sections for block in section.blocks]
        for entry in (entry for block in blocks for entry in (*block.entries, *block.others)):
            if entry.origin is not None and entry.text == entry.origin.text:
                continue
            for language in ("en", "de"):
                said = narrator(folder, language).sentence(entry)
                assert said != entry.text, f"no sentence reads: {entry.rule} {entry.text}"


@pytest.mark.parametrize(
    ("text", "en", "de"),
    [
        ("viper performs ATTACK on bishop", "Viper attacks Bishop.", "Viper greift Läufer an."),
        (
            "AP 6 of viper against EP 5 of bishop: the attack hits for 1",
            "AP 6 of Viper are higher than EP 5 of Bishop: the attack hits for 1.",
            "AP 6 von Viper sind höher als EP 5 von Läufer: Der Angriff trifft mit 1.",
        ),
        (
            "its condition is false: target is not SUPPRESSED",
            "because the attacked OPERATOR is not SUPPRESSED.",
            "weil der angegriffene OPERATOR nicht SUPPRESSED ist.",
        ),
        (
            'its condition is false: self has no trait "sniper", HITCOUNTER of self is 0',
            "because it does not have the trait “sniper” and its HITCOUNTER is 0.",
            "weil er das Merkmal „Scharfschütze“ nicht hat und sein HITCOUNTER 0 beträgt.",
        ),
        (
            "blue puts smoke from the top 3 cards of the DECK of red under the DECK",
            "Blue puts Smoke from the top 3 cards of the DECK of Red under the DECK.",
            "Blau nimmt Nebel (die obersten 3 Karten des DECK von Rot) und legt sie unter das DECK.",
        ),
        (
            "AP of red.viper: 7 → 8 until end of TURN",
            "AP of Viper (red) until the end of the TURN: from 7 to 8.",
            "AP von Viper (rot) bis zum Ende des TURN: von 7 auf 8.",
        ),
        ("what core did to viper lapses", "What the rules did to Viper lapses.", None),
        ("tripwire of blue is discarded from play", "Tripwire, in play for Blue, is discarded.", None),
        ("a note that nobody has thought of", "a note that nobody has thought of", None),
    ],
)
def test_notes_with_printed_names(text: str, en: str, de: str | None) -> None:
    origin = Origin("viper", "skill 1", "skill", 1, "while attacking, if x, self gets +1 AP.")
    entry = TraceEntry("note", "M-8", text, origin=origin)
    assert narrator(cards_folder(), "en").sentence(entry) == en
    if de is not None:
        assert narrator(cards_folder(), "de").sentence(entry).lower() == de.lower()


def test_the_project_may_say_it_otherwise(tmp_path: Path) -> None:
    for file in starter_folder().glob("*.yaml"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with (tmp_path / "opforge.yaml").open("a", encoding="utf-8") as project_file:
        project_file.write("words: {en: {trace-attacks: '{name} shoots at {target}!'}}\n")
    entry = TraceEntry("event", "A-1", "kestrel performs ATTACK on brock")
    assert narrator(tmp_path, "en").sentence(entry) == "Kestrel shoots at Brock!"


def test_sums_and_effects_are_said() -> None:
    german = narrator(cards_folder(), "de")
    assert (
        german.sum("AP 5 = 6 fixed by X (rounded down to 5)")
        == "AP 5 = 6 festgesetzt durch X (abgerundet auf 5)"
    )
    origin = Origin(
        "viper", "skill 1", "skill", 1, "while attacking, if target is SUPPRESSED, self gets +2 AP."
    )
    assert german.effect(origin).startswith("Wenn dieser OPERATOR angreift")


def test_each_note_has_a_text() -> None:
    keys = narrator(cards_folder(), "en").words.texts
    assert {f"trace-{key}" for key in (*SENTENCES, *PHRASES)} <= set(keys)
