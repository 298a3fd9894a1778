"""A completion fits into what stands around the cursor: nothing is doubled, and nothing torn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from tests.help.examples import BASE
from tests.help.test_cookbook import recipes
from tests.lsp.marked import cut
from tests.lsp.test_effect_offers import shipped_effects
from tests.thoroughness import examples, share
from toolkit.apps.lsp.completion import complete
from toolkit.apps.lsp.completion_items import Client
from toolkit.apps.lsp.editor_documents import Document, offset_at
from toolkit.data.model import CardSet
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.dsl.completing import completions
from toolkit.dsl.lalr import lex, tables
from toolkit.project.pipeline import open_project
from toolkit.resources import cards_folder
from toolkit.source import SourceFile

PROJECT = Path(__file__).parent / "project"
CARD = "cards:\n  - id: x\n    kind: attack\n"
STATS = "\n    ".join(f"{stat}: 1" for stat in ("squadpoints", "ap", "ep", "dp", "mp"))
OPERATOR = "cards:\n  - kind: operator\n"


@cache
def cards_of(folder: Path) -> CardSet:
    return open_project(folder).cards


def offered(
    text: str, offset: int, cards: CardSet, name: str = "new.yaml", *, snippets: bool = False
) -> Iterator[tuple[types.CompletionItem, int, int, str]]:
    """The completions at an offset: the item, where its edit begins and ends, and the text after it."""
    document = Document("file:///x", PROJECT / name, 1, text)
    for item in complete(document, offset, cards, Client("utf-16", snippets)).items:
        edit = item.text_edit
        assert isinstance(edit, types.TextEdit)
        start, end = (
            offset_at(document.file, place, "utf-16") for place in (edit.range.start, edit.range.end)
        )
        yield item, start, end, text[:start] + edit.new_text + text[end:]


def results(marked: str, *, snippets: bool = False) -> dict[str, str]:
    text, offset = cut(marked)
    found = offered(text, offset, cards_of(PROJECT), snippets=snippets)
    return {item.label: result for item, _, _, result in found}


QUOTES = 'if target has trait "¦", self gets +2 AP.'
WRITTEN = QUOTES.replace("¦", "sniper")
ESCAPED = 'if target has trait \\"{}\\", self gets +2 AP.'


def test_the_look_is_completed_to_its_values() -> None:
    def labels(look: str) -> set[str]:
        text, offset = cut(f"project: x\nlook:{look}\n")
        return {item.label for item, *_ in offered(text, offset, cards_of(PROJECT), "opforge.yaml")}

    assert labels(" ¦") >= {"dusk", "palette"}
    assert "{en: …, de: …}" not in labels(" ¦")
    assert labels("\n  palette:\n    ¦") >= {"attack", "paper", "teams"}
    assert labels("\n  palette:\n    teams:\n      ¦") == {"night-owls", "foxes"}
    assert labels("\n  icons: ¦") == {"solid", "line"}
    assert labels("\n  fonts:\n    names: ¦") >= {"Bangers"}


def test_what_stands_on_the_box_is_completed() -> None:
    text, offset = cut("project: x\nbox: {¦}\n")
    keys = {item.label for item, *_ in offered(text, offset, cards_of(PROJECT), "opforge.yaml")}
    assert keys == {"players", "time", "age", "art"}
    text, offset = cut("project: x\nbox: {art: ¦}\n")
    arts = {item.label for item, *_ in offered(text, offset, cards_of(cards_folder()), "opforge.yaml")}
    assert {"hawk", "radio-mast", "art/hawk.svg"} <= arts


@pytest.mark.parametrize(
    ("before", "label", "after"),
    [
        (f"{CARD}    effect: {QUOTES}\n", "sniper", f"{CARD}    effect: {WRITTEN}\n"),
        (f"{CARD}    effect: '{QUOTES}'\n", "sniper", f"{CARD}    effect: '{WRITTEN}'\n"),
        (f"{CARD}    effect: >-\n      {QUOTES}\n", "sniper", f"{CARD}    effect: >-\n      {WRITTEN}\n"),
        (f"{CARD}    effect: |\n      {QUOTES}\n", "sniper", f"{CARD}    effect: |\n      {WRITTEN}\n"),
        (
            f'{CARD}    effect: "{ESCAPED.format("¦")}"\n',
            "sniper",
            f'{CARD}    effect: "{ESCAPED.format("sniper")}"\n',
        ),
        (
            f"""{CARD}    effect: "{ESCAPED.format("sniper").replace("trait ", "trait ¦")}"\n""",
            '"sniper"',
            f'{CARD}    effect: "{ESCAPED.format("sniper")}"\n',
        ),
        (f"{OPERATOR}    kind:¦\n", "operator", f"{OPERATOR}    kind: operator\n"),
        (f"{OPERATOR}    team:¦ foxes\n", "night-owls", f"{OPERATOR}    team: night-owls\n"),
        (f"{OPERATOR}    team: f¦oxes # red\n", "night-owls", f"{OPERATOR}    team: night-owls # red\n"),
        (f'{OPERATOR}    team: "f¦oxes"\n', "night-owls", f'{OPERATOR}    team: "night-owls"\n'),
        (f'{OPERATOR}    team: "f¦\n', "night-owls", f'{OPERATOR}    team: "night-owls\n'),
        ("teams:\r\n  - {id: 🎯, na¦me: x}\r\n", "name", "teams:\r\n  - {id: 🎯, name: x}\r\n"),
        (f"{OPERATOR}    na¦me: x\n", "name", f"{OPERATOR}    name: x\n"),
        (f"{OPERATOR}    na¦ x\n", "name", f"{OPERATOR}    name: x\n"),
        (
            "scenarios:\n  - do:\n      - {action: attack, o¦ by: x}\n",
            "on",
            "scenarios:\n  - do:\n      - {action: attack, on: , by: x}\n",
        ),
        ("squads:\n  - deck: aim¦\n", "aimed-shot", "squads:\n  - deck: {aimed-shot: }\n"),
        ("squads:\n  - deck:\n      ¦\n", "aimed-shot", "squads:\n  - deck:\n      aimed-shot: \n"),
        (f"{CARD}    name: ¦\n", "{en: …, de: …}", f"{CARD}    name: {{en: , de: }}\n"),
        (
            f"{CARD}    name:¦\n    art: a\n",
            "{en: …, de: …}",
            f"{CARD}    name: {{en: , de: }}\n    art: a\n",
        ),
        (f"{CARD}    name:\n      ¦\n", "en", f"{CARD}    name:\n      en: \n"),
        (f"{CARD}    effect:¦ self gets +1 AP.\n", "if", f"{CARD}    effect: if self gets +1 AP.\n"),
    ],
)
def test_what_is_chosen_takes_the_place_of_what_stands_there(before: str, label: str, after: str) -> None:
    assert results(before).get(label) == after, results(before)


def test_an_editor_with_snippets_jumps_to_the_languages() -> None:
    assert results(f"{CARD}    name: ¦\n", snippets=True) == {
        "{en: …, de: …}": f"{CARD}    name: {{en: $1, de: $2}}\n"
    }


@pytest.mark.parametrize(
    "text",
    [
        f"{CARD}    flavour: Hello ¦\n",
        f"{CARD}    name: ¦Hello\n",
        f"{CARD}    name: ¦ {{en: x}}\n",
        f"{CARD}    name:¦\n      en: x\n",
        f"{CARD}    name:¦ # two languages\n      en: x\n",
        f"{CARD}¦    name: x\n",
        f"{OPERATOR}    traits: [¦, sniper]\n",
        f"{OPERATOR}    traits: ['sniper', ¦]\n",
        f"{OPERATOR}    traits:\n      - ¦\n      - sniper # far\n",
        f"{OPERATOR}    traits:\n    - sniper\n    - ¦\n",
        "teams:\n  - {id: a, ¦, name: {en: x}}\n",
    ],
)
def test_nothing_is_offered_twice_or_into_what_stands_there(text: str) -> None:
    found = results(text)
    assert not {"sniper", "id", "name", "en", "{en: …, de: …}", "teams"} & set(found)


def test_a_language_that_is_there_is_not_offered() -> None:
    assert list(results(f"{CARD}    name:\n      ¦\n      de: x\n")) == ["en"]


def test_a_name_that_plain_text_cannot_hold_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: T\nversion: 0.1.0\nlanguages: [en]\n", encoding="utf-8")
    card = f"{OPERATOR}    id: o\n    name: O\n    team: t\n    {STATS}\n"
    (tmp_path / "o.yaml").write_text(f'{card}    traits: ["a, b"]\n', encoding="utf-8")
    text, offset = cut(f"{OPERATOR}    traits: [¦]\n")
    (found,) = offered(text, offset, cards_of(tmp_path))
    assert found[3] == f'{OPERATOR}    traits: ["a, b"]\n'


# laws


@cache
def files() -> list[tuple[str, str, CardSet]]:
    """The shipped files, and the recipes of the cookbook and the eighty ideas: name, text, their project."""
    shipped = sorted(cards_folder().rglob("*.yaml"))
    own = [(path.name, path.read_text(encoding="utf-8"), cards_of(cards_folder())) for path in shipped]
    return [*own, *((recipe.intent, recipe.yaml, cards_of(BASE)) for recipe in recipes())]


_DOUBLED = re.compile(r"""""|''|::|(?<=\S)  |,\s*,|(?<![:\s])\s+[.,]|\.\.""")
_WRONG_VALUE = {"missing-dash"}
"""Findings of the syntax that a key gets from the value that stands behind it, as ``do: a name`` does."""


@given(st.deferred(lambda: st.sampled_from(files())), st.floats(0, 1, exclude_max=True), st.data())
@examples(600)
def test_no_completion_tears_a_file(
    chosen: tuple[str, str, CardSet], where: float, data: st.DataObject
) -> None:
    name, text, cards = chosen
    offset = int(len(text) * where)
    items = list(offered(text, offset, cards, name if name == "opforge.yaml" else "new.yaml"))
    for item, start, end, result in items:
        shown = f"{text[start:offset]}¦{text[offset:end]} + {item.label}: {result[start - 20 : end + 20]}"
        assert start <= offset <= end, shown
        assert "\n" not in text[start:end], shown
        region, behind = max(0, start - 30), len(text) - end - 30
        edited = result[region : max(start, len(result) - behind)]
        assert len(_DOUBLED.findall(edited)) <= len(_DOUBLED.findall(text[region : end + 30])), shown
    if items:
        result = data.draw(st.sampled_from(items))[3]
        assert syntax_of(result) - _WRONG_VALUE <= syntax_of(text), result[max(0, offset - 80) : offset + 80]


def syntax_of(text: str) -> set[str]:
    return {finding.name for finding in parse_tree(SourceFile(Path("x.yaml"), "x.yaml", text)).findings}


def test_the_word_that_stands_there_can_be_chosen_and_changes_nothing() -> None:
    """At the beginning of each word of the shipped effects, and within it."""
    effects = shipped_effects()
    tried = 0
    for role, effect in effects[:: max(1, len(effects) // share(len(effects)))]:
        quoted = re.findall(r'"([^"]*)"', effect)
        names = dict.fromkeys(("TEAM", "trait", "KEYWORD", "MARKER"), quoted)
        for token in lex(effect, tables().words):
            if not token[0].isalpha() and token.type != "STRING":
                continue
            for offset in (token.place[0], sum(token.place) // 2):
                before, after = effect[:offset], effect[offset:]
                found = completions(before, role, after=after, comments=False, names=names)
                texts = {before[: one.begin] + one.text + after[one.tail :] for one in found}
                if any(re.match(rf"{re.escape(one.label)}\b", effect[token.place[0] :]) for one in found):
                    assert effect in texts, f"{before}¦{after}"
                    tried += 1
    assert tried > 100


@pytest.mark.parametrize(
    ("lines", "label", "line"),
    [
        ("checks:\n  ignore: [missing-p¦]", "missing-picture", "  ignore: [missing-picture]"),
        ("checks:\n  severity:\n    st¦", "style", "    style: "),
        ("checks:\n  severity: {style: ¦}", "off", "  severity: {style: off}"),
        ("checks:\n  per¦", "per-path", "  per-path:"),
        ("house_rules:\n  - ap <= 3 and has fl¦", "flavour", "  - ap <= 3 and has flavour"),
        ("house_rules:\n  - {where: kind = op¦}", "operator", "  - {where: kind = operator}"),
        ("house_rules:\n  - rule: name ¦", "starts with", "  - rule: name starts with"),
        ("house_rules:\n  - {per: ¦}", "team", "  - {per: team}"),
    ],
)  # fmt: skip
def test_checks_and_house_rules_are_completed(lines: str, label: str, line: str) -> None:
    text, offset = cut(f"project: x\n{lines}\n")
    found = {
        item.label: result for item, _, _, result in offered(text, offset, cards_of(PROJECT), "opforge.yaml")
    }
    assert found[label].splitlines()[-1] == line
