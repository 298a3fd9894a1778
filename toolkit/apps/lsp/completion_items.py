"""What completion offers, whatever it completes, in the form of the protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from msgspec import Struct

from toolkit.apps.lsp.editor_documents import Encoding, range_at
from toolkit.project.value_at import has_letters
from toolkit.source import SourceFile, Span

MAX_ITEMS = 200
"""Items in a list, at most; the editor asks again when more letters are typed."""


class Item(Struct, frozen=True):
    """A completion: ``text`` replaces what is written before the cursor, ``typed``, and behind it, ``tail``.

    ``snippet`` is the same text with places to fill in, for editors that have them; ``filtered_by`` is what
    an editor compares with what is typed, if it is not the label.
    """

    label: str
    text: str
    typed: str
    tail: str
    kind: types.CompletionItemKind
    detail: str = ""
    documentation: str = ""
    snippet: str = ""
    filtered_by: str = ""


class Client(Struct, frozen=True):
    """What an editor can do: its ``encoding`` of positions, and whether it has ``snippets``."""

    encoding: Encoding
    snippets: bool = False


def completion_list(
    file: SourceFile, offset: int, candidates: Sequence[Item], client: Client, space: str = ""
) -> types.CompletionList:
    """Return the list of what can be written at an offset; ``space`` is put before each text."""
    best_matches = _best_matches(candidates)
    completions = [
        _completion(
            match, file.span(offset - len(match.typed), offset + len(match.tail)), index, space, client
        )
        for index, match in enumerate(best_matches)
    ]
    return types.CompletionList(len(best_matches) < len(candidates), completions)


def _best_matches(candidates: Sequence[Item]) -> Sequence[Item]:
    """Return all items, or only those that match what is typed if there are too many to send."""
    if len(candidates) <= MAX_ITEMS:
        return candidates
    matches = [candidate for candidate in candidates if has_letters(candidate.label, candidate.typed.lower())]
    return matches[:MAX_ITEMS]


def _completion(
    offer: Item, replaced_span: Span, index: int, space: str, client: Client
) -> types.CompletionItem:
    """Return an offer in the form of the protocol; ``index`` is its place in the list.

    ``space`` is missing between the colon of a key and the cursor, or empty.
    """
    is_snippet = bool(offer.snippet) and client.snippets
    return types.CompletionItem(
        label=offer.label,
        kind=offer.kind,
        detail=offer.detail or None,
        documentation=offer.documentation or None,
        filter_text=offer.filtered_by or None,
        sort_text=f"{index:04}",  # else editors sort by label, and required keys would not be first
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
        text_edit=types.TextEdit(
            range_at(replaced_span, client.encoding), space + (offer.snippet if is_snippet else offer.text)
        ),
    )
