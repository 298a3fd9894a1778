"""Folds, links, hints and formatting of parts after any edits are those of a file that was just opened."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.in_process import Asked
from tests.lsp.test_editor import applied
from tests.lsp.test_one_file import edited, whole
from tests.thoroughness import share, some
from toolkit.apps.lsp.editor_documents import position_at
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.source import SourceFile

__all__ = ["whole"]  # a fixture

URI = "untitled:Untitled-1"


def answers(asked: Asked, uri: str, place: types.Range) -> list[Any]:
    """What is asked about a file and a part of it."""
    return [
        asked.about_file(types.TEXT_DOCUMENT_FOLDING_RANGE, uri),
        asked.about_file(types.TEXT_DOCUMENT_DOCUMENT_LINK, uri),
        asked.about_file(types.TEXT_DOCUMENT_INLAY_HINT, uri, range=place),
    ]


def somewhere(file: SourceFile, chance: random.Random) -> types.Position:
    """A position in a text, or one behind its end or behind that of a line."""
    if chance.random() < 0.1:
        return types.Position(chance.randrange(9999), chance.randrange(9999))
    return position_at(file, chance.randrange(len(file.text) + 1), "utf-16")


def all_positions(answer: Any) -> list[types.Position]:
    if answer is None:
        return []
    ranges = [one.range for one in answer if not isinstance(one, (types.InlayHint, types.FoldingRange))]
    hints = [one.position for one in answer if isinstance(one, types.InlayHint)]
    return [*hints, *(place for one in ranges for place in (one.start, one.end))]


@pytest.mark.parametrize("seed", some(range(2), 0))
def test_after_any_edits(whole: Path, seed: int) -> None:
    chance = random.Random(f"parts {seed}")
    good = text = whole.read_text(encoding="utf-8")
    asked = Asked(whole.parent)
    asked.server.window_log_message = lambda _: None  # type: ignore[method-assign]
    uri = asked.open(whole)
    asked.open(URI, good)
    for step in range(share(60)):
        text = good if step % 5 == 4 else edited(text, chance)
        file = SourceFile(whole, whole.name, text.removeprefix("\ufeff"))
        place = types.Range(somewhere(file, chance), somewhere(file, chance))
        fresh = Asked(whole.parent)
        fresh.open(whole, text)
        asked.write(uri, text)
        asked.write(URI, text)
        got = answers(asked, uri, place)
        assert got == answers(fresh, uri, place), (seed, step)
        answers(asked, URI, place)
        lines = len(file.line_starts())
        assert all(position.line < lines for answer in got for position in all_positions(answer))
        options = types.FormattingOptions(2, True)
        method = types.TEXT_DOCUMENT_RANGE_FORMATTING
        edits = asked.about_file(method, uri, range=place, options=options)
        if edits:
            after = SourceFile(whole, whole.name, applied(text, edits))
            assert not parse_tree(after).findings, (seed, step)
        comment = position_at(file, chance.randrange(len(text) + 1), "utf-16")
        asked.at(types.TEXT_DOCUMENT_COMPLETION, uri, comment.line, comment.character)
