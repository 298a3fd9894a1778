"""Completion: keys, values and ids by the schemas, and sentences of the effect language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from toolkit.apps.lsp.completion_items import Client, Item, completion_list
from toolkit.apps.lsp.editor_documents import Document
from toolkit.data.model import Card, CardSet, Entry, Text
from toolkit.data.schema import SECTIONS
from toolkit.data.schemas.parts import Schema, is_effect, missing_keys
from toolkit.data.schemas.scenario_schema import SIDES
from toolkit.data.yaml.cursor import Cursor, cursor_at
from toolkit.dsl.completing import completions
from toolkit.dsl.house_rules import as_written, next_words
from toolkit.editing.saying import completed_sentences
from toolkit.lint.broken_house_rules import KnownWords
from toolkit.project.value_at import effect_names, role_at, schema_at
from toolkit.source.paths import PROJECT_FILE
from toolkit.source.yaml_scalars import escaped_for, format_scalar

_RULES = ("house rule", "rule", "where")
"""The titles of the schemas of what is a house rule, or part of one."""

_WORD = re.compile(r"[\w.-]*\Z")
_REST_OF_KEY = re.compile(r"[\w.-]*")
_COLON = re.compile(r"[ \t]*:")
_NEXT_KEY = re.compile(r"[ \t]+[\w-]+[ \t]*:")
_OTHER_NODE = re.compile(r"[ \t]*[{\[\"'|>&*!]")
_PICTURE = re.compile(r"\.(svg|png|jpe?g|webp|gif)$", re.IGNORECASE)


def complete(document: Document, offset: int, cards: CardSet, client: Client) -> types.CompletionList:
    """Return the completions at an offset of an open file."""
    file = document.file
    is_project_file = document.path is not None and document.path.name == PROJECT_FILE
    cursor = cursor_at(file.text, offset, has_entries=not is_project_file)
    if cursor is None or _would_split_text(cursor, file.text[offset:]):
        return types.CompletionList(False, [])
    candidates = [
        item
        for item in _items_at(cursor, cards, file.text[offset:], is_project_file)
        # an edit replaces nothing but what it was made for, on one line
        if file.text.endswith(item.typed, 0, offset) and file.text.startswith(item.tail, offset)
    ]
    return completion_list(file, offset, candidates, client, " " if cursor.lacks_space else "")


def _would_split_text(cursor: Cursor, text_after: str) -> bool:
    """Whether something follows that a new key or value at the cursor would tear or push aside.

    This is so in the indentation of a line, and in front of brackets, quotes and blocks.
    """
    if cursor.before or cursor.style:
        return False
    rest_of_line, _, _ = text_after.partition("\n")
    if rest_of_line.startswith("#"):
        return True
    begins_line = not cursor.in_flow and not cursor.is_on_line
    if begins_line and rest_of_line.startswith((" ", "\t")) and rest_of_line.strip():  # in the indentation
        return True
    return not cursor.is_key and _OTHER_NODE.match(rest_of_line) is not None


def _items_at(cursor: Cursor, cards: CardSet, text_after: str, is_project_file: bool) -> Iterator[Item]:
    """Yield what can be written: sections, words of an effect or house rule, or what the schema has."""
    schema = schema_at(cursor.path, cursor.kind, is_project_file)
    if not cursor.path and not is_project_file:
        yield from _section_keys(cursor, text_after)
    elif schema is not None and is_effect(schema) and not cursor.is_key:
        yield from _effect_items(cursor, cards)
    else:
        is_in_house_rules = cursor.path[:1] == ("house_rules",)
        if schema is not None and schema["title"] in _RULES and is_in_house_rules:
            yield from _rule_items(cursor, cards)
        parent_schema = schema_at(cursor.path[:-1], cursor.kind, is_project_file)
        yield from _schema_items(cursor, schema, parent_schema, cards, text_after)


def _section_keys(cursor: Cursor, text_after: str) -> Iterator[Item]:
    """Yield the sections of a card file that it has not yet."""
    for section in SECTIONS:
        if section not in cursor.siblings:
            schema = {"type": "array", "description": f"Entries of `{section}`."}
            yield _key(section, "", schema, cursor, text_after)


def _effect_items(cursor: Cursor, cards: CardSet) -> Iterator[Item]:
    """Yield what the effect language allows between the text before the cursor and that behind it."""
    role = role_at(cursor.path, cursor.kind)
    if role is None:
        return
    text_before, text_after, style = cursor.before, cursor.after, cursor.style
    names = effect_names(cards)
    offers = completions(text_before, role, after=text_after, comments=style == "|", names=names)
    replaces_sentence = not offers and not text_after.strip()
    if replaces_sentence:
        offers = completed_sentences(text_before, role, cards)
    for offer in offers:
        kind = types.CompletionItemKind.Value if '"' in offer.text else types.CompletionItemKind.Keyword
        text, typed, tail = (
            escaped_for(fragment, style)
            for fragment in (offer.text, text_before[offer.begin :], text_after[: offer.tail])
        )
        filtered_by = typed if replaces_sentence else ""
        yield Item(offer.label, text, typed, tail, kind, offer.about, filtered_by=filtered_by)


def _rule_items(cursor: Cursor, cards: CardSet) -> Iterator[Item]:
    """Yield what can come next in a house rule."""
    if cursor.is_key:
        return
    typed = _word_before(cursor)
    match = _REST_OF_KEY.match(cursor.after)
    tail = match.group() if match else ""
    for word, meaning in next_words(cursor.before, KnownWords(cards).of).items():
        yield Item(word, as_written(word), typed, tail, types.CompletionItemKind.Keyword, meaning)


def _schema_items(
    cursor: Cursor, schema: Schema | None, parent_schema: Schema | None, cards: CardSet, text_after: str
) -> Iterator[Item]:
    """Yield the keys, or the values, of a schema; ``parent_schema`` is that around it."""
    if schema is None:
        return
    if cursor.is_key and cursor.style == "":
        yield from _keys(cursor, schema, cards, text_after)
    if cursor.is_key:
        return
    if "object" in _types(schema) and cursor.style == "":
        yield from _first_keys(cursor, schema, cards, text_after)
    if "string" in _types(schema) or "items" not in schema:
        is_unique = parent_schema is not None and parent_schema.get("uniqueItems", False)
        taken_words = cursor.siblings if is_unique else frozenset[str]()
        yield from (item for item in _values(cursor, schema, cards) if item.label not in taken_words)


def _types(schema: Schema) -> list[str]:
    """Return the types that a value may have, of which a schema names one or several."""
    type_names = schema.get("type", [])
    return type_names if isinstance(type_names, list) else [type_names]


def _keys(cursor: Cursor, schema: Schema, cards: CardSet, text_after: str) -> Iterator[Item]:
    """Yield the keys that an entry lacks, the required ones first."""
    properties: dict[str, Schema] = schema.get("properties", {})
    required = missing_keys(schema, cursor.siblings)
    for name in sorted(properties, key=lambda name: name not in required):
        if name not in cursor.siblings:
            detail = "required" if name in required else ""
            yield _key(name, detail, properties[name], cursor, text_after)
    if schema.get("minProperties") and "pattern" in schema:  # a printed text by language
        for language in cards.project.languages:
            if language not in cursor.siblings:
                yield _key(language, "", schema["additionalProperties"], cursor, text_after)
    yield from _own_words(cursor, schema, cards, text_after)


def _own_words(cursor: Cursor, schema: Schema, cards: CardSet, text_after: str) -> Iterator[Item]:
    """Yield the keys that are not the schema's own: words that are proposed, and ids of the project."""
    names = schema.get("propertyNames", {})
    additional = schema.get("additionalProperties")
    value_schema = additional if isinstance(additional, dict) else {}
    for word in names.get("x-words", ()):
        if word not in cursor.siblings:
            yield _key(word, "", value_schema, cursor, text_after)
    if "x-refers" in names:
        for entry in _entries(cards, names["x-refers"]):
            if entry.id not in cursor.siblings:
                yield _key(entry.id, entry_detail(entry), value_schema, cursor, text_after)


def _first_keys(cursor: Cursor, schema: Schema, cards: CardSet, text_after: str) -> Iterator[Item]:
    """Yield the first key of a mapping that is still to be written, on the line of its own key in braces.

    Nothing where a text has begun that is one for all languages.
    """
    is_text = "string" in _types(schema)
    has_text = is_text and bool(cursor.before or _tail(cursor))
    continues_below = cursor.is_on_line and "\n" in cursor.after
    if has_text or continues_below:
        return
    if not cursor.is_on_line:
        yield from _keys(cursor, schema, cards, text_after)
    elif is_text and not schema.get("properties"):
        languages = cards.project.languages
        label = f"{{{', '.join(f'{language}: …' for language in languages)}}}"
        yield _in_braces(label, list(languages), cursor, schema.get("description", ""))
    else:
        for item in _keys(cursor, schema, cards, ""):
            yield _in_braces(item.label, [item.label], cursor, item.documentation, item.detail)


def _in_braces(label: str, keys: list[str], cursor: Cursor, documentation: str, detail: str = "") -> Item:
    """Return the item of a mapping with keys that have no values yet."""
    kind = types.CompletionItemKind.Property
    text = f"{{{', '.join(f'{key}: ' for key in keys)}}}"
    snippet = f"{{{', '.join(f'{key}: ${number}' for number, key in enumerate(keys, 1))}}}"
    return Item(label, text, cursor.before, _tail(cursor), kind, detail, documentation, snippet)


def _key(name: str, detail: str, schema: Schema, cursor: Cursor, text_after: str) -> Item:
    """Return the item of a key, with a colon unless one follows already."""
    match = _REST_OF_KEY.match(text_after)
    tail = match.group() if match else ""
    following = text_after[len(tail) :]
    is_collection = set(_types(schema)) & {"array", "object"} and "string" not in _types(schema)
    if _COLON.match(following):
        ending = ""
    elif cursor.in_flow and _NEXT_KEY.match(following):
        ending = ": ,"  # the value is written before the comma, which the next key needs
    else:
        ending = ":" if (is_collection and not cursor.in_flow) or following.startswith(" ") else ": "
    documentation = schema.get("description", "")
    kind = types.CompletionItemKind.Property
    return Item(name, name + ending, _word_before(cursor), tail, kind, detail, documentation)


def _word_before(cursor: Cursor) -> str:
    match = _WORD.search(cursor.before)
    return match.group() if match else ""


def _tail(cursor: Cursor) -> str:
    """Return the rest of the scalar on the line of the cursor, as it is written."""
    rest_of_line, _, _ = cursor.after.partition("\n")
    return escaped_for(rest_of_line, cursor.style)


def _values(cursor: Cursor, schema: Schema, cards: CardSet) -> Iterator[Item]:
    """Yield the words, ids, traits and pictures that a value can be."""
    side_prefixes = (f"{side}." for side in SIDES)
    side_prefix = next(filter(cursor.before.startswith, side_prefixes), "")
    entry_kinds = schema.get("x-refers", [])
    description = schema.get("description", "")
    item_kinds = types.CompletionItemKind
    for word in filter(None, (*schema.get("enum", ()), *schema.get("x-words", ()))):
        yield _value(word, cursor, item_kinds.EnumMember, documentation=description)
    if "boolean" in _types(schema):
        for word in ("true", "false"):
            yield _value(word, cursor, item_kinds.EnumMember, is_text=False)
    if entry_kinds == ["trait"]:
        for word in sorted(cards.traits()):
            yield _value(word, cursor, item_kinds.Constant)
    else:
        for entry in _entries(cards, entry_kinds):
            detail, prefix_length = entry_detail(entry), len(side_prefix)
            yield _value(entry.id, cursor, item_kinds.Reference, detail, prefix_length=prefix_length)
    if schema.get("title") in ("art", "file", "logo", "set symbol"):
        for path in sorted(filter(_PICTURE.search, cards.pictures)):
            yield _value(path, cursor, item_kinds.File)


def _value(
    word: str,
    cursor: Cursor,
    kind: types.CompletionItemKind,
    detail: str = "",
    *,
    documentation: str = "",
    prefix_length: int = 0,
    is_text: bool = True,
) -> Item:
    """Return the item of a word that replaces the whole value but its first characters, the side."""
    text = escaped_for(word, cursor.style)
    if cursor.style == "" and is_text:
        text = format_scalar(word, in_flow=cursor.in_flow)
    typed = escaped_for(cursor.before[prefix_length:], cursor.style)
    return Item(word, text, typed, _tail(cursor), kind, detail, documentation)


def _entries(cards: CardSet, kinds: list[str]) -> Iterator[Entry]:
    """Yield the entries of some kinds: kinds of cards, or ``team``, ``objective`` …"""
    if not kinds:
        return
    for entry in cards.entries():
        kind = entry.kind if isinstance(entry, Card) else type(entry).__name__.lower()
        if kind in kinds:
            yield entry


def entry_detail(entry: Entry) -> str:
    """Return the name of an entry, for a card with its kind."""
    name = getattr(entry, "name", None)
    printed_name = name.in_language("en").value if isinstance(name, Text) else ""
    return f"{printed_name} ({entry.kind.upper()})" if isinstance(entry, Card) else printed_name
