"""KEYWORDs, MARKERs and OBJECTIVEs with an effect where they are printed: on cards and the reference."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from toolkit.api import rules_plain
from toolkit.products.reference.reference_contents import build_reference
from toolkit.project.faces import faces
from toolkit.project.pipeline import Workspace, open_project
from toolkit.wording.text import plain

PROJECT = Path(__file__).parent.parent / "scenarios" / "own_words"
RELAY = """
objectives:
  - id: relay
    name: {en: Relay, de: Relais}
    value: 4
    effect: 'while attacked, self gets -1 DAMAGE. when the attack hits, self gets +1 MARKER "intel".'
  - {id: ruin, name: {en: Ruin, de: Ruine}, value: 3}
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    project = copytree(PROJECT, tmp_path / "project")
    (project / "relay.yaml").write_text(RELAY, encoding="utf-8")
    return open_project(project)


def test_the_keywords_of_an_operator_are_its_first_line(workspace: Workspace) -> None:
    assert rules_plain(workspace, ["captain"], "en").splitlines()[1:3] == [
        "  Commander (All your other OPERATORs gain the trait “led”.)",
        "  While this OPERATOR’s HITCOUNTER is at least 1, all your other OPERATORs gain Steadfast. "
        "(Steadfast: When this OPERATOR is attacked and it is not EXHAUSTED, it gets +1 EP.)",
    ]
    (face,) = faces(workspace, "de", ["rhino"])
    assert [plain(skill.without_reminders().paragraphs) for skill in face.skills] == ["Standhaft, Gerächt"]


def test_an_objective_is_printed_with_what_it_does(workspace: Workspace) -> None:
    relay, ruin = faces(workspace, "de", ["relay", "ruin"])
    assert [plain(skill.paragraphs) for skill in relay.skills] == [
        "Wenn der OPERATOR an diesem OBJECTIVE angegriffen wird, erleidet er 1 DAMAGE weniger. "
        "(DAMAGE: was der Angriff zum HITCOUNTER addiert.)\n"
        "Wenn ein Angriff des OPERATOR hier trifft, erhält der OPERATOR hier +1 Aufklärung. "
        "(Aufklärung: Was man vom Gegner weiß.)"
    ]
    assert (ruin.skills, ruin.translations) == ((), ())
    assert [face.lang for face in relay.translations] == ["en"]
    assert rules_plain(workspace, ["relay", "ruin"], "de").startswith("Relais\n  Wenn der OPERATOR an")


def test_the_reference_explains_the_words_of_the_chosen_cards(workspace: Workspace) -> None:
    chosen = tuple(faces(workspace, "en", ["sharpshooter", "relay"]))
    keywords = build_reference(workspace, chosen, "en").keywords
    topics, where = (
        {topic.title: plain((topic.lines[number].words,)) for topic in keywords if len(topic.lines) > number}
        for number in (0, 1)
    )
    assert list(topics) == ["PERFORMANCE", "DAMAGE", "Long arm", "Patient", "Intel"]
    assert topics["Long arm"] == "This OPERATOR gets +1 RANGE."
    assert topics["Intel"] == "What is known of the enemy."
    assert where["Intel"] == "Counters on an OPERATOR: cards lay them, and count or spend them."
