"""A file that holds all cards, edited again and again: what is known of it is what a fresh reading gives."""

from __future__ import annotations

import gc
import random
import re
from datetime import date
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.test_incremental import reported
from tests.thoroughness import share
from toolkit.apps.lsp.editor_findings import published_diagnostics
from toolkit.apps.lsp.server_state import ServerState
from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import NOT_LIVE
from toolkit.diagnostics.suppressions import filter_suppressed
from toolkit.project.checks import check_all
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.resources import cards_folder
from toolkit.source import SourceFile

LISTED = ("teams", "squads", "attack", "operators/night-owls", "operators/river-foxes", "scenarios/actions")
MOST = 6
"""Entries of each file, which are enough."""
SIGNS = (
    *(
        "viper",
        "2",
        "99",
        "[",
        "]",
        "{",
        "}",
        ":",
        ".",
        '"',
        "'",
        "-",
        "- ",
        "\n",
        "\n  - ",
        "\n- ",
        "\n    ",
    ),
    *(
        "\n  - id: new\n    kind: attack",
        "\n    id: viper",
        "|",
        "|+\n",
        "|2",
        "> ",
        "&a ",
        "*a",
        "!t ",
        "<<: ",
    ),
    *("---", "\n---\n", "\n...\n", "%YAML 1.1\n", "? ", "\t", "\n\t", "\r", "# x\n", " #", "\u2028", "\x85"),
    *("\nlayouts: []\n", "\nfoo: bar\n", "squads: # x\n", "\nmodes: |\n"),
    *("\u00a0", "\U0001f600", "cards:\n", "\nobjectives:\n", "\nscenarios:\n  - name: x\n", "\x00"),
    *("", "\n  # opforge: ignore[untested-card] because\n"),
)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A project of which some cards, TEAMs, squads and scenarios stand in one file."""
    (tmp_path / "opforge.yaml").write_text("project: One\nlanguages: [en, de]\n", encoding="utf-8")
    sections: dict[str, str] = {}
    for name in LISTED:
        text = (cards_folder() / f"{name}.yaml").read_text(encoding="utf-8")
        for key, entries in re.findall(r"(?ms)^(\w+):\n(.*?)(?=^\w|\Z)", text):
            first = re.split(r"(?m)^(?=  - )", entries)[: MOST + 1]
            sections[key] = sections.get(key, "") + "".join(first)
    path = tmp_path / "all.yaml"
    path.write_text("".join(f"{key}:\n{text}" for key, text in sections.items()), encoding="utf-8")
    return path


def edited(text: str, chance: random.Random) -> str:
    """Something put in, taken out, doubled or moved; often what is not YAML any more."""
    words = [found.span() for found in re.finditer(r"[\w-]+|[^\w\s]", text)]
    start, end = chance.choice(words)
    new = chance.choice((*SIGNS, text[start:end] * 2, text[slice(*chance.choice(words))]))
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    some = slice(at, at + chance.choice((1, 1, 1, 2, 9)))
    match chance.randrange(9):
        case 0:
            lines[some] = []
        case 1:
            lines[some] = lines[some] * 2
        case 2:
            lines[at] = chance.choice((" ", "  ", "", "   ")) + lines[at].lstrip()
        case 3:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        case 4:
            lines = [text[:start], new, text[start:]]
        case 5 if chance.random() < 0.3:
            lines = [text.replace("\r", "") if "\r" in text else text.replace("\n", "\r\n")]
        case _:
            lines = [text[:start], new, text[end:]]
    return "".join(lines)


def shape(node: Node | None) -> object:
    """A tree with all its places."""
    if node is None:
        return None
    place = (type(node).__name__, node.start, node.end, node.span.file.text[node.start : node.end])
    if isinstance(node, Scalar):
        return (*place, node.value, node.text, node.style, node.parsed_end)
    if isinstance(node, Mapping):
        parts = [(shape(node.keys[key]), shape(value)) for key, value in node.nodes.items()]
        return (*place, node.in_braces, repr(node.value), parts)
    return (*place, node.in_brackets, repr(node.value), [shape(item) for item in node.items])


class Typing:
    """A server with one open file, and the findings that its editor shows by URI."""

    def __init__(self, path: Path, text: str) -> None:
        self.state, self.uri = ServerState(), path.as_uri()
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.state.documents.open(types.TextDocumentItem(self.uri, "yaml", 1, text))
        self.state.load(path)
        self.listen()

    def write(self, text: str) -> None:
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.state.mark_stale(self.state.documents.change(self.uri, 2, [change]))
        self.listen()

    def listen(self) -> None:
        self.shown |= {news.uri: list(news.diagnostics) for news in self.state.diagnostics()}


def checked(path: Path, text: str) -> Workspace:
    """The project read from nothing."""
    return open_project(path.parent, {path: text})


def shown_after_check(workspace: Workspace, state: ServerState) -> dict[str, list[types.Diagnostic]]:
    """What an editor would show of a fresh check."""
    found = check_all(workspace)
    today = date.today().isoformat()
    by_path: dict[Path, list[Diagnostic]] = {}
    for finding in filter_suppressed(found.findings, found.suppressions, today, NOT_LIVE).reported:
        by_path.setdefault(finding.span.file.path, []).append(finding)
    return {
        state.documents.uri_of(path): published_diagnostics(some, state.documents)
        for path, some in by_path.items()
    }


def in_order(shown: dict[str, list[types.Diagnostic]]) -> dict[str, list[str]]:
    return {uri: sorted(map(repr, some)) for uri, some in shown.items() if some}


@pytest.mark.parametrize("seed", range(3))
def test_any_edits(whole: Path, seed: int) -> None:
    chance = random.Random(seed)
    good = text = whole.read_text(encoding="utf-8")
    typing, before = Typing(whole, good), [good]
    for step in range(share(30)):
        if step % 6 == 5:
            text, before = good, [good]
        elif len(before) > 1 and chance.random() < 0.3:
            text = before.pop()
        else:
            before.append(text)
            text = edited(text, chance)
        typing.write(text)
        project = typing.state.load(whole)
        kept, fresh = project.workspace, checked(whole, text)
        assert kept is not None
        assert sorted(map(reported, kept.findings), key=repr) == sorted(
            map(reported, fresh.findings), key=repr
        )
        assert in_order(typing.shown) == in_order(shown_after_check(fresh, typing.state)), (seed, step)
        ours, right = project.cache.files.get(whole), fresh.cards.files[-1]
        if ours is not None and ours.file.text == right.text:
            tree = parse_tree(right)
            assert (shape(ours.root), ours.cut) == (shape(tree.root), tree.cut), (seed, step)
        entries = [[shape(one.node) for one in some.cards.entries()] for some in (kept, fresh)]
        assert entries[0] == entries[1]


def test_what_is_the_same_stays_the_same_object(whole: Path) -> None:
    text = whole.read_text(encoding="utf-8")
    cache = Cache(incremental=True)
    before = open_project(whole.parent, {whole: text}, cache).cards
    broken = text.replace("name: {en: Aimed", "name: {en: 'Aimed", 1)
    longer = text.replace("  - id: viper", "  # a line more\n  - id: viper", 1)
    assert text not in (broken, longer)
    for one in (longer, broken, text):
        after = open_project(whole.parent, {whole: one}, cache).cards
        new = [word for word, card in after.cards.items() if card is not before.cards[word]]
        assert len(new) <= 1, new  # a comment belongs to the entry before it
    assert after.cards.keys() == before.cards.keys()


WRONG = """
  - id: slip-one
    kind: attack
    name: {en: One, de: Eins}
    effect: when attacking, self get +2 AP.
    text_for: 00000000
  - id: slip-two
    kind: attack
    name: {en: Two, de: Zwei}
    efect: when attacking, self gets +2 AP.
  - id: slip-three
    kind: defence
    name: {en: Three}
    text: {en: By hand, de: Von Hand}
    effect: |
      when attacked, self gets +1 EP.
      when attacked, sefl gets +1EP.
  - id: slip-four
    kind: item
    name: {en: Four, de: Vier}
    effect: 'self gets +2 AP. when attacking, self ignores STRATEGY and ignores STRATEGY.'
  - id: slip-five
    kind: item
    name: {en: Five, de: Fünf}
    effect: when attacking, self gets +2 AP for each own OPERATORs of TEAM "night-owl".
    quantity: many
  - {id: slip-six, kind: atack, name: Six, effect: when attacking, self gets +2 AP.}
  - id: slip-seven
    kind: attack
    name: {en: Seven, de: Sieben}
    text_for: 00000000
    effect: when attacking, self gets +7 AP and +7 EP. # and more
"""


def test_texts_that_are_gone_are_not_kept(whole: Path) -> None:
    text = whole.read_text(encoding="utf-8")
    typing = Typing(whole, text)
    for number in range(12):
        typing.write(text.replace("+2 AP", f"+{number} AP") + "'" * (number % 3 == 2))
    gc.collect()
    files = [one for one in gc.get_objects() if isinstance(one, SourceFile) and one.path == whole]
    assert len({one.text for one in files}) <= 3  # that of now, that of before, and that of the first reading


def test_all_places_of_a_finding_move(whole: Path) -> None:
    text = whole.read_text(encoding="utf-8").replace("cards:\n", f"cards:{WRONG}", 1)
    cache = Cache(incremental=True)
    open_project(whole.parent, {whole: text}, cache)
    for line in ("# one line more\n", "# and another\n"):
        text = line + text
        kept, fresh = (
            open_project(whole.parent, {whole: text}, cache),
            open_project(whole.parent, {whole: text}),
        )
        assert sorted(map(reported, kept.findings)) == sorted(map(reported, fresh.findings))
        assert len({one.name for one in kept.findings if (one.card or "").startswith("slip")}) > 8
        assert sum(one.fix is not None for one in kept.findings) > 5


def test_a_finding_is_reported_again_when_the_line_before_it_is_new(whole: Path) -> None:
    text = whole.read_text(encoding="utf-8").replace("team: river-foxes", "team: river-fixes")
    typing = Typing(whole, text)

    def lines() -> list[int]:
        return [one.range.start.line for one in typing.shown[typing.uri] if one.code == "unknown-team"]

    before = lines()
    typing.write(f"# one line more\n{text}")
    assert before
    assert lines() == [line + 1 for line in before]
