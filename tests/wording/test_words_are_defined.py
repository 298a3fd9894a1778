"""Every word of the game that a printed card uses is explained on the reference sheet, or on the card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.tables import shipped
from toolkit.products.reference.reference_contents import Reference, Topic, build_reference
from toolkit.project.faces import faces
from toolkit.project.pipeline import open_project
from toolkit.resources import cards_folder, starter_folder
from toolkit.vocabulary.words import NOUNS
from toolkit.wording.text import plain

PROJECTS = Path(__file__).parents[1] / "projects"
FOLDERS = (
    cards_folder(),
    starter_folder(),
    *(PROJECTS / name for name in ("small", "text_only", "trilingual")),
)
GAME_WORDS = {
    "en": (
        r"adjacent|opposite|hits|misses|trait|attached|bearer|bearing|target|retreat|enters|swaps|reroll|random|"
        r"of your choice|[Ee]ither|[Aa]dvances?|tied"
    ),
    "de": (
        r"neben(?= )|gegenüber|trifft|fehlschlägt|Merkmal|angelegt|Träger|Ziel|zurückziehen|zieht sich|"
        r"auf das FIELD|tauscht|neu würfeln|zufällig|deiner Wahl|[Ee]ntweder|Vorrücken|Gleichstand"
    ),
}
GAME_WORDS["fr"] = "(?!)"
HEADINGS = ("modify", "actions", "turn", "range")
CAPITALS = r"\b[A-ZÄÖÜ]{2,}(?=\b|s\b)"


def topics_of(reference: Reference) -> Iterator[Topic]:
    for field in Reference.__struct_fields__:
        contents = getattr(reference, field)
        if isinstance(contents, tuple):
            yield from (topic for topic in contents if isinstance(topic, Topic))


def defined(reference: Reference) -> str:
    """The titles of the sheet, and the phrases that it quotes."""
    titles = [topic.title for topic in topics_of(reference)]
    titles += [reference.words.say(key) for key in HEADINGS]
    quoted = re.findall("[“„]([^“”„]+)[”“]", plain(tuple(line.words for line in reference.reading)))
    return "\n".join([*titles, *quoted])


def undefined(text: str, sheet: str, language: str) -> set[str]:
    words = {*re.findall(CAPITALS, text), *re.findall(GAME_WORDS[language], text)}
    on_the_card = re.findall(r"\(([^():.]+)", text)
    known = "\n".join([sheet, *on_the_card])
    return {word for word in words if not re.search(rf"\b{word.rstrip('s')}", known, re.IGNORECASE)}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_word_of_a_card_is_on_the_sheet_or_the_card(folder: Path) -> None:
    workspace = open_project(folder)
    for language in workspace.cards.project.languages:
        printed = tuple(faces(workspace, language))
        sheet = defined(build_reference(workspace, printed, language))
        for face in printed:
            text = "\n".join([plain(skill.paragraphs) for skill in face.skills])
            assert undefined(text, sheet, language) == set(), (language, face.id, text)
            assert re.search(rf"^{face.kind_label}", sheet, re.MULTILINE), face.kind_label


def test_every_capital_word_of_the_language_is_on_a_sheet_that_uses_all() -> None:
    workspace = shipped()
    sheet = defined(build_reference(workspace, tuple(faces(workspace, "en")), "en"))
    missing = {noun for noun in NOUNS if not re.search(rf"\b{noun.removesuffix('s')}", sheet)}
    assert missing == {"MARKER", "KEYWORD"}  # which are printed by their names


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            (
                "An empty DECK gives none.",
                "passes, and the other goes on until all are HIT, OUT or EXHAUSTED",
                "takes the counter “First player”",
                "The OBJECTIVE goes to its player, the OBJECTIVECOUNTER is taken away, and the place has no",
                "Turned sideways.",
                "Face down and upside down.",
                "its DP minus its HITCOUNTER is lower than its DP VALUE. The counter lies on it as long.",
                "on the place with the same number in the other row",
            ),
        ),
        (
            "de",
            (
                "Ein leeres DECK gibt keine.",
                "passt, und der andere macht weiter, bis alle HIT, OUT oder EXHAUSTED sind",
                "nimmt die Marke „Startspieler“",
                "Das OBJECTIVE geht an seinen Spieler, der OBJECTIVECOUNTER wird weggenommen",
                "Quer gelegt.",
                "Verdeckt und auf dem Kopf.",
                "So lange liegt die Marke auf ihm.",
                "auf dem Platz mit derselben Nummer in der anderen Reihe",
            ),
        ),
    ],
)
def test_the_rules_that_decide_a_game_are_on_the_sheet(language: str, sentences: tuple[str, ...]) -> None:
    """T-1, T-3, A-2b, C-2, M-1, F-1."""
    workspace = shipped()
    reference = build_reference(workspace, tuple(faces(workspace, language)), language)
    said = "\n".join(plain(tuple(line.words for line in topic.lines)) for topic in topics_of(reference))
    assert [sentence for sentence in sentences if sentence not in said] == []


def test_nobody_is_suppressed_without_a_rule_for_it(tmp_path: Path) -> None:
    for file in starter_folder().glob("*.yaml"):
        text = file.read_text("utf-8")
        kept = [line for line in text.splitlines() if not line.strip().startswith("suppression:")]
        (tmp_path / file.name).write_text("\n".join(kept), "utf-8")
    workspace = open_project(tmp_path)
    reference = build_reference(workspace, tuple(faces(workspace, "en")), "en")
    assert "SUPPRESSED" not in [topic.title for topic in reference.counters]
