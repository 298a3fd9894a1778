"""A designer at work: an editor, a server in a process of its own, and everything it can be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Editor
from tests.lsp.marked import cut
from toolkit.apps.lsp.editor_documents import offset_at, position_at, range_at
from toolkit.source import SourceFile

Shared = tuple[Editor, Path]


def file(text: str) -> SourceFile:
    return SourceFile(Path("x.yaml"), "x.yaml", text)


def position(text: str, offset: int) -> tuple[int, int]:
    found = position_at(file(text), offset, "utf-16")
    return found.line, found.character


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits, as an editor makes them."""
    for edit in sorted(
        edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True
    ):
        start, end = (offset_at(file(text), place, "utf-16") for place in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def at(shared: Shared, name: str, words: str) -> tuple[Editor, str, dict[str, Any], str]:
    """The place of the mark in some words of a file, which is opened."""
    editor, root = shared
    text = (root / name).read_text(encoding="utf-8")
    plain, mark = cut(words)
    uri = editor.open(root / name)
    return editor, uri, editor.at(uri, *position(text, text.index(plain) + mark)), text


# findings


def test_a_finding_and_its_fix_behind_an_umlaut_and_an_emoji(shared: Shared) -> None:
    editor, root = shared
    path = root / "operators.yaml"
    text = path.read_text(encoding="utf-8")
    uri = editor.open(path)
    wrong = text.replace("self gets +2 AP.", "self gets +2 APP.")
    editor.write(uri, wrong)
    (finding,) = editor.until(uri, "unknown-stat")
    assert finding.range == range_at(file(wrong).span(wrong.index("APP"), wrong.index("APP") + 3), "utf-16")
    action = actions(editor, uri, finding.range)[0]
    assert action.title == "Replace `APP` with `AP`"
    assert applied(wrong, edits_of(action, uri)) == text
    editor.write(uri, text, 3)
    editor.until(uri)


def test_a_fix_of_spaces_says_so(shared: Shared) -> None:
    editor, root = shared
    text = (root / "operators.yaml").read_text(encoding="utf-8")
    uri = editor.open(root / "operators.yaml")
    place = text.index("kind: operator")
    editor.write(uri, text[:place] + " " + text[place:])
    (finding,) = editor.until(uri, "wrong-indentation")
    assert actions(editor, uri, finding.range)[0].title == "Put 4 spaces here"
    editor.write(uri, text, 3)
    editor.until(uri)


@pytest.mark.parametrize(
    ("wrong", "name", "offered"),
    [
        ("when atacking, ", "unknown-trigger", [("Replace `atacking` with `attacking`", True)]),
        ("when attacks, ", "unexpected-word", []),  # it may be `attacking` or `attacked`
        ("when attacking, if target is unsuppressed, ", "unknown-status", []),
        ("when attacking, slef gets +1 MP. ", "unknown-who", [("Replace `slef` with `self`", None)]),
    ],
)
def test_only_a_fix_that_keeps_the_meaning_is_offered(
    shared: Shared, wrong: str, name: str, offered: list[tuple[str, bool | None]]
) -> None:
    editor, root = shared
    text = (root / "operators.yaml").read_text(encoding="utf-8")
    uri = editor.open(root / "operators.yaml")
    editor.write(uri, text.replace("self gets +2 AP.", f"self gets +2 AP. {wrong}self gets +1 AP."))
    (finding,) = editor.until(uri, name)
    found = actions(editor, uri, finding.range)
    assert [(one.title, one.is_preferred) for one in found if "Ignore" not in one.title] == offered
    editor.write(uri, text, 3)
    editor.until(uri)


def actions(editor: Editor, uri: str, place: types.Range) -> list[types.CodeAction]:
    asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
    return list(editor.wait(editor.client.text_document_code_action_async(asked)) or [])  # type: ignore[arg-type]


def edits_of(action: types.CodeAction, uri: str) -> list[types.TextEdit]:
    assert action.edit is not None
    assert action.edit.changes is not None
    return list(action.edit.changes[uri])


def test_a_change_in_one_file_is_reported_in_another(shared: Shared) -> None:
    editor, root = shared
    rules, cards = editor.open(root / "rules.yaml"), (root / "cards.yaml").as_uri()
    text = (root / "rules.yaml").read_text(encoding="utf-8")
    editor.write(rules, text.replace("id: night-owls", "id: day-owls"))
    (finding,) = editor.until(cards, "unknown-team")
    assert "night-owls" in finding.message
    editor.write(rules, text, 3)
    editor.until(cards)


def test_edits_of_parts_arrive(shared: Shared) -> None:
    """The editor sends what was typed behind an emoji, in UTF-16, not the whole text."""
    editor, root = shared
    path = root / "operators.yaml"
    text = path.read_text(encoding="utf-8")
    uri = editor.open(path)
    place = position_at(file(text), text.index("+2 AP"), "utf-16")
    after = types.Position(place.line, place.character + len("+2"))
    editor.edit(uri, types.TextDocumentContentChangePartial(types.Range(place, after), "+0"))
    editor.until(uri, "adds-nothing")
    editor.edit(uri, types.TextDocumentContentChangePartial(types.Range(place, after), "+2"), version=3)
    editor.until(uri)


@pytest.mark.parametrize("words", ["+2 AP", "+3 AP", "+1 AP."])
def test_a_finding_is_kept_back_by_a_comment_in_every_style(shared: Shared, words: str) -> None:
    editor, root = shared
    path = root / "cards.yaml"
    text = path.read_text(encoding="utf-8")
    uri = editor.open(path)
    wrong = text.replace(words, words.replace("AP", "MP and +0 AP"), 1)
    editor.write(uri, wrong)
    (finding,) = editor.until(uri, "adds-nothing")
    (action,) = (one for one in actions(editor, uri, finding.range) if one.title.startswith("Ignore"))
    mended = applied(wrong, edits_of(action, uri))
    assert "# opforge: ignore[adds-nothing]" in mended
    editor.write(uri, mended, 3)
    editor.until(uri)
    editor.write(uri, text, 4)
    editor.until(uri)


# completion


def labels(editor: Editor, uri: str, text: str) -> list[types.CompletionItem]:
    plain, offset = cut(text)
    editor.write(uri, plain)
    asked = types.CompletionParams(**editor.at(uri, *position(plain, offset)))
    found = editor.wait(editor.client.text_document_completion_async(asked))
    assert isinstance(found, types.CompletionList)
    return list(found.items)


@pytest.fixture
def new_file(shared: Shared) -> Any:
    """A file that is only in the editor, in the project."""
    editor, root = shared
    uri = editor.open(root / "new.yaml", "")
    yield editor, uri
    editor.close(uri)


HEAD = "cards:\n  - id: ü-🎯\n    kind: attack\n    name: X\n"


@pytest.mark.parametrize(
    ("text", "label", "result"),
    [
        ("ca¦", "cards", "cards:"),
        ("cards:\n  - ¦", "id", "cards:\n  - id: "),
        ("cards:\n  - id: x\n    ki¦\n", "kind", "cards:\n  - id: x\n    kind: \n"),
        ("cards:\n  - id: x\n    ki¦: attack\n", "kind", "cards:\n  - id: x\n    kind: attack\n"),
        ("cards:\n  - id: x\n    kind: ¦", "operator", "cards:\n  - id: x\n    kind: operator"),
        (
            "cards:\n  - kind: operator\n    team: nig¦",
            "night-owls",
            "cards:\n  - kind: operator\n    team: night-owls",
        ),
        ("cards:\n  - name: {en: A, ¦}", "de", "cards:\n  - name: {en: A, de: }"),
        ("squads:\n  - deck: {aim¦}", "aimed-shot", "squads:\n  - deck: {aimed-shot: }"),
        ("scenarios:\n  - field: {blue: [vi¦]}", "viper", "scenarios:\n  - field: {blue: [viper]}"),
        (
            "scenarios:\n  - do:\n      - {by: blue.¦}",
            "viper",
            "scenarios:\n  - do:\n      - {by: blue.viper}",
        ),
        (HEAD + "    effect: ¦", "while attacking", HEAD + "    effect: while attacking, "),
        (HEAD + "    effect: when att¦", "attacking", HEAD + "    effect: when attacking, "),
        (HEAD + "    effect: 'self g¦'", "gets", HEAD + "    effect: 'self gets '"),
        (
            HEAD + '    effect: "if target has TEAM ¦"',
            '"foxes"',
            HEAD + '    effect: "if target has TEAM \\"foxes\\""',
        ),
        (
            HEAD + '    effect: "if target has TEAM \\"f¦"',
            "foxes",
            HEAD + '    effect: "if target has TEAM \\"foxes\\""',
        ),
        (
            HEAD + "    effect: |\n      # 🎯\n      self ge¦",
            "gets",
            HEAD + "    effect: |\n      # 🎯\n      self gets ",
        ),
        (
            HEAD + "    effect: >\n      self\n      ge¦",
            "gets",
            HEAD + "    effect: >\n      self\n      gets ",
        ),
        (HEAD + "    effect: self g¦et +1 AP.", "gets", HEAD + "    effect: self gets +1 AP."),
    ],
)
def test_what_is_chosen_is_written(new_file: Any, text: str, label: str, result: str) -> None:
    editor, uri = new_file
    items = labels(editor, uri, text)
    chosen = next((item for item in items if item.label == label), None)
    assert chosen is not None, [item.label for item in items]
    assert isinstance(chosen.text_edit, types.TextEdit)
    assert applied(cut(text)[0], [chosen.text_edit]) == result


def test_nothing_is_offered_that_stands_there_already(new_file: Any) -> None:
    editor, uri = new_file
    found = [
        item.label for item in labels(editor, uri, "cards:\n  - id: x\n    ¦\n    kind: attack\n    art: a\n")
    ]
    assert found[:2] == ["name", "effect"]
    assert not {"id", "kind", "art", "squadpoints"} & set(found)


def test_settings_of_the_project_file(shared: Shared) -> None:
    editor, root = shared
    text = (root / "opforge.yaml").read_text(encoding="utf-8")
    uri = editor.open(root / "opforge.yaml")
    found = [item.label for item in labels(editor, uri, text.replace("mode: skirmish", "mode: ¦"))]
    assert found == ["skirmish"]
    assert "paper" in [item.label for item in labels(editor, uri, text + "p¦")]
    editor.write(uri, text, 9)


# hover


def hovered(shared: Shared, name: str, words: str) -> str:
    editor, _, place, _ = at(shared, name, words)
    found = editor.wait(editor.client.text_document_hover_async(types.HoverParams(**place)))
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize(
    ("name", "words", "reported"),
    [
        (
            "cards.yaml",
            "self g¦ets +2 AP",
            ["it gets +2 AP", "erhält er +2 AP", "MODIFY step 5", "layer add"],
        ),
        ("cards.yaml", "self gets ¦+3 AP", ["MODIFY step 5", "Füchse"]),
        ("cards.yaml", "get ¦+1 AP", ["MODIFY step 4 (STRATEGY)"]),
        ("operators.yaml", "self gets +2¦ AP", ["MODIFY step 2 (SKILL)", "Füchse"]),
        ("rules.yaml", "owner dr¦aws", ["Event: when the ACTION is performed"]),
        (
            "cards.yaml",
            "operators: [vi¦per]",
            ["Viper 🐍", "OPERATOR", "AP 4 · EP 3 · DP 6 · MP 2", "sniper"],
        ),
        ("cards.yaml", "aimed-s¦hot: 2", ["Aimed shot / Gezielter Schuss", "ATTACK `aimed-shot`"]),
        ("cards.yaml", 'TEAM "fo¦xes"', ["Foxes / Füchse", "1 OPERATOR: reynard"]),
        ("cards.yaml", "by: blue.vi¦per", ["SQUADPOINTS 4"]),
        ("operators.yaml", "squad¦points", ["**squadpoints**: What the OPERATOR costs"]),
        ("opforge.yaml", "langu¦ages", ["**languages**"]),
    ],
)
def test_hover(shared: Shared, name: str, words: str, reported: list[str]) -> None:
    shown = hovered(shared, name, words)
    assert [words for words in reported if words not in shown] == [], shown


def test_hover_shows_nothing_about_a_name(shared: Shared) -> None:
    assert hovered(shared, "cards.yaml", "Aimed s¦hot") == ""


# ids


def test_from_a_use_to_the_definition(shared: Shared) -> None:
    editor, _, place, text = at(shared, "cards.yaml", "[aimed-¦shot, 'ambush']")
    found = editor.wait(editor.client.text_document_definition_async(types.DefinitionParams(**place)))
    assert found is not None
    (one,) = found  # type: ignore[misc]
    start = text.index("aimed-shot")
    assert one.range == range_at(file(text).span(start, start + 10), "utf-16")  # type: ignore[union-attr]


def test_all_uses(shared: Shared) -> None:
    editor, _, place, _ = at(shared, "rules.yaml", "id: fo¦xes")
    asked = types.ReferenceParams(context=types.ReferenceContext(False), **place)
    found = editor.wait(editor.client.text_document_references_async(asked)) or []
    assert sorted(one.uri.rpartition("/")[2] for one in found) == [
        "cards.yaml",
        "operators.yaml",
        "operators.yaml",
    ]


@pytest.mark.parametrize(
    ("name", "words", "new", "times"),
    [
        ("cards.yaml", "id: aimed-s¦hot", "good-shot", 4),
        ("cards.yaml", "'amb¦ush'", "trap", 3),
        ("operators.yaml", "id: vi¦per", "adder", 6),
        ("rules.yaml", "id: fo¦xes", "river-foxes", 4),
        ("operators.yaml", "[sni¦per]", "sharp shooter", 3),
        ("rules.yaml", "id: ra¦dio-mast", "mast", 2),
    ],
)
def test_another_name_everywhere(shared: Shared, name: str, words: str, new: str, times: int) -> None:
    """After a rename the project has no findings and says the new name as often as the old one before."""
    editor, _, place, _ = at(shared, name, words)
    prepared = editor.wait(
        editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
    )
    assert isinstance(prepared, types.PrepareRenamePlaceholder)
    old = prepared.placeholder
    asked = types.RenameParams(new_name=new, **place)
    found = editor.wait(editor.client.text_document_rename_async(asked))
    assert found is not None
    assert found.changes is not None
    assert sum(map(len, found.changes.values())) == times
    root = shared[1]
    before = {path: path.read_text(encoding="utf-8") for path in root.glob("*.yaml")}
    after = {path: applied(text, list(found.changes.get(path.as_uri(), ()))) for path, text in before.items()}
    assert not any(f'"{old}"' in text or f" {old}:" in text or f"[{old}]" in text for text in after.values())
    from toolkit.project.pipeline import open_project

    assert open_project(root, after).findings == ()


@pytest.mark.parametrize(
    ("words", "new", "why"),
    [
        ("id: aimed-s¦hot", "viper", "is already used"),
        ("id: aimed-s¦hot", "Aimed Shot", "is not an id"),
        ("id: aimed-s¦hot", "12", "would be read as a number"),
        ("id: aimed-s¦hot", "", "is not an id"),
        ("name: {en: Aimed s¦hot", "x", "no id or trait"),
    ],
)
def test_names_that_are_refused(shared: Shared, words: str, new: str, why: str) -> None:
    editor, _, place, _ = at(shared, "cards.yaml", words)
    with pytest.raises(JsonRpcException, match=why):
        editor.wait(editor.client.text_document_rename_async(types.RenameParams(new_name=new, **place)))


# the whole file


def test_the_outline(shared: Shared) -> None:
    editor, root = shared
    uri = editor.open(root / "operators.yaml")
    asked = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    found = editor.wait(editor.client.text_document_document_symbol_async(asked))
    assert found is not None
    (cards,) = found
    assert isinstance(cards, types.DocumentSymbol)
    assert [one.name for one in cards.children or ()] == ["viper", "reynard"]
    viper = (cards.children or ())[0]
    assert viper.detail == "OPERATOR · Viper 🐍"
    assert [one.name for one in viper.children or ()] == ["Cover 🛡️"]


def test_entries_by_name(shared: Shared) -> None:
    editor, root = shared
    editor.open(root / "cards.yaml")
    found = editor.wait(editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("rey"))) or []
    assert [one.name for one in found] == ["reynard"]


def test_where_a_card_is_used(shared: Shared) -> None:
    editor, root = shared
    uri = editor.open(root / "cards.yaml")
    asked = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = editor.wait(editor.client.text_document_code_lens_async(asked)) or []
    titles = [one.command.title for one in found if one.command]
    assert titles == ["in 1 squad, 1 scenario", "in 1 squad, 1 scenario", "in 1 squad"]
    assert {one.command.command for one in found if one.command} == {""}


def test_formatting(shared: Shared) -> None:
    editor, root = shared
    uri = editor.open(root / "new.yaml", HEAD + "    effect:   when attacking, self get +2   AP.\n")
    options = types.FormattingOptions(2, True)
    asked = types.DocumentFormattingParams(types.TextDocumentIdentifier(uri), options)
    edits = editor.wait(editor.client.text_document_formatting_async(asked)) or []
    written = HEAD + "    effect:   when attacking, self get +2   AP.\n"
    assert applied(written, list(edits)) == HEAD + "    effect: when attacking, self gets +2 AP.\n"
    editor.write(uri, HEAD + "    effect: [", 2)
    assert not editor.wait(editor.client.text_document_formatting_async(asked))
    editor.close(uri)
