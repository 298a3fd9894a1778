"""Completion: keys, values and ids by the schemas, and sentences of the effect language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types
from msgspec import Struct

from toolkit.data.cursor import Cursor, cursor_at
from toolkit.data.model import Card, CardSet, Entry, Text
from toolkit.data.schema import SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema, missing_keys
from toolkit.data.schemas.scenarios import SIDES
from toolkit.dsl.completing import completions
from toolkit.lsp.documents import Document, Encoding, range_at
from toolkit.project.places import below, effect_names, has_letters, is_effect, role_at, schema_at
from toolkit.source import Span
from toolkit.source.edits import escaped_for
from toolkit.source.paths import PROJECT_FILE

MAX_ITEMS = 200
"""Items in a list, at most; the editor asks again when more letters are typed."""

_WORD = re.compile(r"[\w.-]*\Z")
_REST_OF_WORD = re.compile(r"[\w-]*")
_PICTURE = re.compile(r"\.(svg|png|jpe?g|webp|gif)$", re.IGNORECASE)


class _Item(Struct, frozen=True):
    """A completion: ``text`` replaces the last ``typed`` characters before the cursor."""

    label: str
    text: str
    typed: int
    kind: types.CompletionItemKind
    detail: str = ""
    documentation: str = ""


def complete(document: Document, offset: int, cards: CardSet, encoding: Encoding) -> types.CompletionList:
    """Return the completions at an offset of an open file."""
    file = document.file
    is_project_file = document.path is not None and document.path.name == PROJECT_FILE
    cursor = cursor_at(file.text, offset, has_entries=not is_project_file)
    if cursor is None:
        return types.CompletionList(False, [])
    found = list(_items_at(cursor, cards, file.text[offset:], is_project_file))
    behind = _REST_OF_WORD.match(file.text, offset)
    end = behind.end() if behind else offset
    chosen = _best_matches(found, cursor.before)
    space_follows = file.text.startswith(" ", end)
    items = [
        _completion(item, range_at(Span(file, offset - item.typed, end), encoding), index, space_follows)
        for index, item in enumerate(chosen)
    ]
    return types.CompletionList(len(chosen) < len(found), items)


def looks_like_cards(text: str) -> bool:
    """Whether a file outside all projects seems to be a card file: it has a section at its top level."""
    return any(text.startswith(f"{section}:") or f"\n{section}:" in text for section in SECTIONS)


def _best_matches(found: list[_Item], before: str) -> list[_Item]:
    """Return all items, or only those that match what is typed if there are too many to send."""
    if len(found) <= MAX_ITEMS:
        return found
    typed = before[len(before) - found[0].typed :].lower()
    near = [item for item in found if has_letters(item.label, typed)]
    return near[:MAX_ITEMS]


def _completion(item: _Item, place: types.Range, index: int, space_follows: bool) -> types.CompletionItem:
    """Return an item in the form of the protocol; ``index`` is its place in the list.

    ``space_follows`` says that a space stands behind the cursor already.
    """
    return types.CompletionItem(
        label=item.label,
        kind=item.kind,
        detail=item.detail or None,
        documentation=item.documentation or None,
        sort_text=f"{index:04}",  # else editors sort by label, and required keys would not be first
        filter_text=item.text.strip(),
        text_edit=types.TextEdit(place, item.text.rstrip(" ") if space_follows else item.text),
    )


def _items_at(cursor: Cursor, cards: CardSet, rest: str, is_project_file: bool) -> Iterator[_Item]:
    if is_project_file:
        schema = below(schema_for("project"), cursor.path)
        yield from _schema_items(cursor, schema, cards, rest)
    elif not cursor.path:
        yield from _section_keys(cursor, rest)
    else:
        schema = schema_at(cursor.path, cursor.kind)
        if schema is not None and is_effect(schema) and not cursor.is_key:
            yield from _effect_items(cursor, cards)
        else:
            yield from _schema_items(cursor, schema, cards, rest)


def _section_keys(cursor: Cursor, rest: str) -> Iterator[_Item]:
    for section in SECTIONS:
        if section not in cursor.siblings:
            schema = {"type": "array", "description": f"Entries of `{section}`."}
            yield _key(section, "", schema, cursor, rest)


def _effect_items(cursor: Cursor, cards: CardSet) -> Iterator[_Item]:
    """Yield what the effect language allows behind the text before the cursor."""
    role = role_at(cursor.path, cursor.kind)
    if role is None:
        return
    offers = completions(cursor.before, role, comments=cursor.style == "|", names=effect_names(cards))
    for offer in offers:
        kind = types.CompletionItemKind.Value if '"' in offer.text else types.CompletionItemKind.Keyword
        typed = len(escaped_for(cursor.before[offer.begin :], cursor.style))
        yield _Item(offer.label, escaped_for(offer.text, cursor.style), typed, kind, offer.about)


def _schema_items(cursor: Cursor, schema: Schema | None, cards: CardSet, rest: str) -> Iterator[_Item]:
    if schema is None:
        return
    # an empty value that may be a mapping can get its first key, unless it is quoted
    is_entry = not cursor.is_key and "object" in _types(schema)
    if (cursor.is_key or is_entry) and cursor.style == "":
        yield from _keys(cursor, schema, cards, rest)
    if not cursor.is_key:
        item = schema.get("items") if "string" not in _types(schema) else None
        yield from _values(cursor, schema if item is None else {}, cards)


def _types(schema: Schema) -> list[str]:
    found = schema.get("type", [])
    return found if isinstance(found, list) else [found]


def _keys(cursor: Cursor, schema: Schema, cards: CardSet, rest: str) -> Iterator[_Item]:
    """Yield the keys that an entry lacks, the required ones first."""
    known: dict[str, Schema] = schema.get("properties", {})
    required = missing_keys(schema, cursor.siblings)
    for name in sorted(known, key=lambda name: name not in required):
        if name not in cursor.siblings:
            detail = "required" if name in required else ""
            yield _key(name, detail, known[name], cursor, rest)
    if schema.get("minProperties") and "pattern" in schema:  # a printed text by language
        for language in cards.project.languages:
            if language not in cursor.siblings:
                yield _key(language, "", schema["additionalProperties"], cursor, rest)
    names = schema.get("propertyNames", {})
    if "x-refers" in names:
        inner = schema.get("additionalProperties")
        for entry in _entries(cards, names["x-refers"]):
            if entry.id not in cursor.siblings:
                yield _key(
                    entry.id, entry_detail(entry), inner if isinstance(inner, dict) else {}, cursor, rest
                )


def _key(name: str, detail: str, schema: Schema, cursor: Cursor, rest: str) -> _Item:
    """Return the item of a key, with a colon unless one follows already."""
    follows = re.match(r"[\w-]*\s*:", rest)
    inner = set(_types(schema)) & {"array", "object"} and "string" not in _types(schema)
    ending = "" if follows else ":" if inner and not cursor.in_flow else ": "
    typed = _typed_length(cursor.before)
    documentation = schema.get("description", "")
    return _Item(name, name + ending, typed, types.CompletionItemKind.Property, detail, documentation)


def _typed_length(before: str) -> int:
    found = _WORD.search(before)
    return len(found.group()) if found else 0


def _values(cursor: Cursor, schema: Schema, cards: CardSet) -> Iterator[_Item]:
    """Yield the words, ids, traits and pictures that a value can be."""
    typed = _typed_length(cursor.before)
    for word in filter(None, (*schema.get("enum", ()), *schema.get("x-words", ()))):
        documentation = schema.get("description", "")
        yield _Item(word, word, typed, types.CompletionItemKind.EnumMember, documentation=documentation)
    if "boolean" in _types(schema):
        for word in ("true", "false"):
            yield _Item(word, word, typed, types.CompletionItemKind.EnumMember)
    refers = schema.get("x-refers", [])
    if refers == ["trait"]:
        for word in sorted(cards.traits()):
            yield _Item(word, word, len(cursor.before), types.CompletionItemKind.Constant)
    else:
        side = next((f"{side}." for side in SIDES if cursor.before.startswith(f"{side}.")), "")
        for entry in _entries(cards, refers):
            kind = types.CompletionItemKind.Reference
            yield _Item(entry.id, entry.id, typed - len(side), kind, entry_detail(entry))
    if schema.get("title") in ("art", "file", "logo", "set symbol"):
        for path in sorted(filter(_PICTURE.search, cards.pictures)):
            yield _Item(path, path, len(cursor.before), types.CompletionItemKind.File)


def _entries(cards: CardSet, kinds: list[str]) -> Iterator[Entry]:
    """Yield the entries of some kinds: kinds of cards, or ``team``, ``objective`` …"""
    for entry in cards.entries() if kinds else ():
        if (entry.kind if isinstance(entry, Card) else type(entry).__name__.lower()) in kinds:
            yield entry


def entry_detail(entry: Entry) -> str:
    """Return the name of an entry, for a card with its kind."""
    name = getattr(entry, "name", None)
    shown = name.in_language("en").value if isinstance(name, Text) else ""
    return f"{shown} ({entry.kind.upper()})" if isinstance(entry, Card) else shown
