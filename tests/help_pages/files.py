"""The page of files: every key of ``opforge.yaml`` and of card files, from the schemas; and that of words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from json import dumps

from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.vocabulary import ROLES, Role
from toolkit.wording.en import ENGLISH
from toolkit.wording.languages import built_in_words

_INTRODUCTION = """\
# Files: every key

The keys of `opforge.yaml` and of card files. A key inside another is written with a dot: `deck.minimum` is
`minimum` in `deck`. `…` stands for a word of your own, such as an id, or for each key of the line above;
`[]` for each entry of a list. `opforge schema` prints the same for editors, which then complete keys as you
type: see the page `editor`."""

_WORDS = """\
# Words: what opforge itself prints

The keys of `words:` in `opforge.yaml` with their English, for languages that opforge does not have: see the
page `third-language`. Copy the block, put your language in place of `fr`, and translate what stands behind
the keys. What stands in braces is put in when it is printed, wherever your sentence needs it. Nouns of the
rules in CAPITALS are the same in every language. The word before the first colon of a reminder is its title.

Three more keys say what your ruleset and game mode do: `suppression`, `teamwork`, and `performance-1` for the
first of the mode's `performance`."""

ANY = "…"
"""Stands in a path for a word of the designer's own, or for each of several keys that are alike."""

_ENTRIES = {
    "teams": "TEAMs",
    "objectives": "OBJECTIVEs",
    "markers": "Markers of your own",
    "keywords": "KEYWORDs of your own",
    "modes": "Game modes",
    "rulesets": "Rulesets: what the steps and ACTIONs do",
    "squads": "Squads that are ready to play",
    "scenarios": "Scenarios: tests of cards and rules",
    "layouts": "Layouts of sheets",
}


def files_page() -> str:
    """The whole page as Markdown."""
    parts = [_INTRODUCTION, _section("opforge.yaml", "The project file", schema_for("project"))]
    parts.append(_section("cards", "OPERATORs", schema_for("cards", "operator")))
    parts.append(_other_cards())
    parts += [_section(name, _ENTRIES[name], schema_for(name)) for name in SECTIONS if name != "cards"]
    return "\n\n".join(parts) + "\n"


def words_page() -> str:
    """The page of words as Markdown; its block is YAML that can be copied."""
    words = built_in_words(ENGLISH).items()
    lines = [f"    {key}: {dumps(word, ensure_ascii=False)}" for key, word in words if word]
    return "\n".join([_WORDS, "", "```yaml", "words:", "  fr:", *lines, "```"]) + "\n"


def _section(where: str, title: str, schema: Schema) -> str:
    return "\n".join([f"## {title} (`{where}`)", "", *_keys(schema)])


def _other_cards() -> str:
    """The cards that are not OPERATORs: what is their own, and which keys they share."""
    others = [schema_for("cards", kind) for kind in KINDS if kind != "operator"]
    own = schema_for("cards", "operator")["properties"]
    shared = [f"`{key}`" for key in others[0]["properties"] if key in own]
    lines = ["## Other cards (`cards`)", "", f"As for OPERATORs: {', '.join(shared)}. And:", ""]
    for schema, kind in zip(others, (kind for kind in KINDS if kind != "operator"), strict=True):
        meant = ROLES[Role(kind)].title
        needed = _needed(schema, "effect")
        lines.append(f"- `effect` of {meant}{needed}: {schema['properties']['effect']['description']}")
    text_only, needed = others[0]["properties"]["text_only"], _needed(others[0], "text_only")
    lines.append(f"- `text_only` of each of them{needed}: {text_only['description']}")
    return "\n".join(lines)


def _keys(schema: Schema, before: str = "") -> Iterator[str]:
    """A line for each key and what stands in its value; keys that are alike share one."""
    for _, alike in groupby(schema.get("properties", {}).items(), lambda pair: _but_its_name(pair[1])):
        keys, values = zip(*alike, strict=True)
        must = _needed(schema, keys[0])
        names = ", ".join(f"`{before}{key}`" for key in keys)
        yield f"- {names}{must}: {values[0]['description']}"
        yield from _inside(values[0], f"{before}{keys[0] if len(keys) == 1 else ANY}")


def _needed(schema: Schema, key: str) -> str:
    """What is said behind a key that must be there: it, or another one in its place."""
    ways = [way["required"][0] for way in schema.get("anyOf", ())]
    if key in ways:
        return f" (this or {' or '.join(f'`{way}`' for way in ways if way != key)} is required)"
    return " (required)" if key in schema.get("required", ()) else ""


def _but_its_name(value: Schema) -> Schema:
    return {key: part for key, part in value.items() if key != "title"}


def _inside(value: Schema, path: str) -> Iterator[str]:
    """The lines for what stands in a value: a list, keys that are known, or keys of the designer's own."""
    items, entry = value.get("items"), value.get("additionalProperties")
    if isinstance(items, dict):
        yield from _keys(items, f"{path}[].")
    yield from _keys(value, f"{path}.")
    if isinstance(entry, dict):
        yield from _keys(entry, f"{path}.{ANY}.")
