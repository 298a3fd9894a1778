"""Hints beside the text: step and layer behind a sentence, names and TEAMs behind ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.in_process import EVERYWHERE, Asked
from toolkit.apps.lsp import handlers
from toolkit.apps.lsp.inlay_hints import HintKinds, wanted_hints


def hints(asked: Asked, uri: str, place: types.Range = EVERYWHERE) -> list[tuple[str, str]]:
    """What stands before each hint on its line, in the units of the editor, and the hint."""
    lines = asked.server.state.documents.by_uri[uri].text.split("\n")
    answer = asked.about_file(types.TEXT_DOCUMENT_INLAY_HINT, uri, range=place)
    return [
        (
            lines[hint.position.line].encode("utf-16-le")[: hint.position.character * 2].decode("utf-16-le"),
            hint.label,
        )
        for hint in answer
    ]


def test_steps_and_layers_in_every_style(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(project / "cards.yaml")
    assert [hint for hint in hints(asked, uri) if "AP." in hint[0] or "EP" in hint[0]] == [
        ("      when attacking, self gets +2 AP.", "step 5 · add"),
        ("      self gets -1 EP.", "step 5 · subtract"),
        ("      self gets +3 AP.", "step 5 · add"),
        ('    effect: all own OPERATORs of TEAM "night-owls" with trait "sniper" get +1 AP.', "step 4 · add"),
    ]
    answer = asked.about_file(types.TEXT_DOCUMENT_INLAY_HINT, uri, range=EVERYWHERE)
    assert answer[0].tooltip == "MODIFY step 5 (ATTACK and DEFENCE cards) · layer add"


@pytest.mark.parametrize(
    ("effect", "label"),
    [
        ("when attacking, self gets +1 AP and rolls +1 ATTACK D6.", "step 5 · add, step 6"),
        ("when the attack hits, target gets +2 HITCOUNTER.", "event"),
        ("when attacking, self doubles AP.", "step 5 · multiply"),
        ("when the attack hits, target gets -1 EP until end of TURN.", "event · subtract"),
    ],
)
def test_what_a_hint_says(project: Path, effect: str, label: str) -> None:
    asked = Asked(project)
    head = "# 🎯\ncards:\n  - id: a\n    kind: attack\n    name: 🎯\n"
    text = f"{head}    effect: {effect}\n"
    uri = asked.open(project / "new.yaml", text)
    assert hints(asked, uri) == [(f"    effect: {effect}", label)]


def test_an_effect_with_errors_has_none(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(
        project / "new.yaml", "cards:\n  - {id: a, kind: attack, name: A, effect: self gets +1 APP.}\n"
    )
    assert hints(asked, uri) == []


def test_names_and_teams_behind_ids(project: Path) -> None:
    asked = Asked(project)
    text = (project / "opforge.yaml").read_text(encoding="utf-8")
    settings = asked.open(project / "opforge.yaml", text.replace("[en, de]", "[de, en]"))
    uri = asked.open(project / "cards.yaml")
    shown = hints(asked, uri)
    assert ("    operators: [viper", "Viper 🐍 · Nachteulen") in shown
    assert ("    deck: {aimed-shot", "Gezielter Schuss") in shown
    assert ('    deck: {aimed-shot: 2, "ambush"', "Hinterhalt") in shown, "behind the closing quote"
    assert ('      if target has TEAM "foxes"', "Füchse") in shown
    assert ("    field: {blue: [viper", "Viper 🐍 · Nachteulen") in shown
    assert not any(line.endswith("blue.viper") for line, _ in shown), "the second time in an entry"
    assert not any(line.endswith("id: aimed-shot") for line, _ in shown), "a definition needs none"
    assert hints(asked, settings)[-1] == ("mode: skirmish", "Scharmützel")
    operators = asked.open(project / "operators.yaml")
    quoted = [label for line, label in hints(asked, operators) if line.endswith('TEAM \\"foxes\\"')]
    assert quoted == ["Füchse"]
    asked.write(settings, text)
    assert ("    deck: {aimed-shot", "Aimed shot") not in hints(asked, uri), "the id says the same"


def test_a_part_of_a_file(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(project / "cards.yaml")
    whole = hints(asked, uri)
    seventh = types.Range(types.Position(7, 0), types.Position(8, 0))
    assert hints(asked, uri, seventh) == [("      when attacking, self gets +2 AP.", "step 5 · add")]
    backwards = types.Range(types.Position(99_999, 5), types.Position(0, 0))
    assert hints(asked, uri, backwards) == whole
    assert hints(asked, uri, types.Range(types.Position(5000, 0), types.Position(6000, 0))) == []


@pytest.mark.parametrize(
    ("options", "steps", "names"),
    [
        (None, True, True),
        ({}, True, True),
        ({"inlayHints": False}, False, False),
        ({"inlayHints": True}, True, True),
        ({"inlayHints": {"steps": False}}, False, True),
        ({"inlayHints": {"names": False, "steps": True}}, True, False),
        ({"inlayHints": "no"}, True, True),
        ([1], True, True),
    ],
)
def test_which_are_wanted(options: Any, steps: bool, names: bool, project: Path) -> None:
    assert wanted_hints(options) == HintKinds(steps, names)
    asked = Asked(project)
    asked.server.hint_kinds = wanted_hints(options)
    labels = [label for _, label in hints(asked, asked.open(project / "cards.yaml"))]
    assert any(label.startswith("step") for label in labels) == steps
    assert any("Night Owls" in label for label in labels) == names


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"opforge": {"inlayHints": {"names": False}}}, False),
        ({"opforge": {"path": "x"}}, True),
        ({"yaml": {"inlayHints": False}}, True),
        (None, True),
    ],
)
def test_settings_that_change(settings: Any, names: bool, project: Path) -> None:
    asked, refreshed = Asked(project), []
    asked.server.can_refresh_hints = True
    asked.server.workspace_inlay_hint_refresh = refreshed.append  # type: ignore[method-assign, assignment]
    handlers._configuration_changed(asked.server, types.DidChangeConfigurationParams(settings))
    assert asked.server.hint_kinds.names == names
    assert bool(refreshed) != names
