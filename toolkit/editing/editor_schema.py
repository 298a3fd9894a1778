"""The JSON Schema of the project file and of card files, for editors without the language server.

It is draft-07, which the YAML extension of VS Code, IntelliJ and validators on the command line all read, and
it accepts what the schemas in ``toolkit.data`` accept. Beside the keywords of JSON Schema it has annotations
of editors, which validators ignore: Markdown, HTML, the meanings of words, and snippets.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Lookup
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from toolkit.data import model
from toolkit.data.decode import MODE_LIMITS
from toolkit.data.schema import KINDS, SECTIONS, compile_test, schema_for
from toolkit.data.schemas.parts import Schema, is_effect, missing_keys
from toolkit.data.yaml.nodes import Mapping, Plain
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics.help_pages import WEB_ADDRESS
from toolkit.editing.new_entry import EXAMPLES
from toolkit.source import SourceFile
from toolkit.source.paths import PROJECT_FILE
from toolkit.vocabulary import NOUNS

_DRAFT = "http://json-schema.org/draft-07/schema#"

ANNOTATIONS = frozenset(
    {
        *("markdownDescription", "enumDescriptions", "defaultSnippets", "patternErrorMessage"),  # VS Code
        *("x-intellij-html-description", "x-intellij-enum-metadata"),
    }
)
"""The keywords that are not those of JSON Schema; strict validators refuse them."""

_KEYWORDS_OF_TYPE = {
    "string": ("pattern", "enum"),
    "integer": ("minimum", "maximum", "multipleOf"),
    "number": ("minimum", "maximum", "multipleOf"),
    "boolean": (),
    "null": (),
    "array": ("items", "minItems", "maxItems", "uniqueItems"),
    "object": (
        *("properties", "required", "anyOf", "additionalProperties", "propertyNames", "minProperties"),
    ),
}
_CODE = re.compile(r"`([^`]+)`")
_SUCH_AS = re.compile(r"\b[Ss]uch as (`[^`]+`(?:,? (?:or )?`[^`]+`)*)")

_USUAL_NUMBER = 3
"""What stands in a snippet where a number is filled in."""

_SCENARIO = {
    "name": "${1:what it shows}",
    "field": {"blue": ["${2:attacker}"], "red": ["${3:target}"]},
    "do": [{"action": "attack", "by": "${2:attacker}", "on": "${3:target}", "dice": ["${4:4}", "${5:3}"]}],
    "expect": {"attack": {"damage": "${6:1}"}},
}
"""The body of the snippet of a scenario: one attack."""

_CLASSES: dict[str, type[Struct]] = {
    "cards": model.Card,
    "teams": model.Team,
    "objectives": model.Objective,
    "markers": model.Marker,
    "keywords": model.Keyword,
    "modes": model.Mode,
    "rulesets": model.Ruleset,
    "squads": model.Squad,
    "scenarios": model.Scenario,
    "layouts": model.Layout,
    "project": model.Project,
}
"""What the entries of a section are decoded to; its defaults are those of their keys."""


def editor_schema(*, annotated: bool = True) -> Schema:
    """Return the schema of all files; not ``annotated``, with the keywords of JSON Schema only."""
    sections = [section for section in SECTIONS if section != "cards"]
    schema = {
        "$schema": _DRAFT,
        "$id": f"{WEB_ADDRESS}/schema.json",
        "title": "opforge",
        **_described(f"The project file `{PROJECT_FILE}` and the card files of opforge."),
        "defaultSnippets": list(_snippets("project")),
        "if": {"type": "object", "required": ["project"], "properties": {"project": {}}},
        "then": {"$ref": "#/definitions/project"},
        "else": {"$ref": "#/definitions/card-file"},
        "definitions": {
            "project": _for_editors("project"),
            "card-file": _card_file(),
            "cards": _any_card(),
            **{f"card-{kind}": _card(kind) for kind in KINDS},
            **{section: _for_editors(section) for section in sections},
        },
    }
    return schema if annotated else _for_strict_validators(schema)


def _for_strict_validators(schema: Any) -> Any:
    """Return a schema without annotations, each of whose required keys is among its ``properties``."""
    if isinstance(schema, list):
        return [_for_strict_validators(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: _for_strict_validators(value) for key, value in schema.items() if key not in ANNOTATIONS}
    if "required" in strict and "properties" not in strict:
        strict["properties"] = {key: {} for key in strict["required"]}
    return strict


def _card_file() -> Schema:
    """Return the schema of a card file, with a list for each section."""
    lists = {
        section: {
            "title": section,
            **_described(f"Entries of `{section}`."),
            "type": "array",
            "items": {"$ref": f"#/definitions/{section}"},
            "defaultSnippets": list(_snippets(section)),
        }
        for section in SECTIONS
    }
    return {
        "title": "card file",
        **_described("A card file: lists of entries by section."),
        "type": "object",
        "properties": lists,
        "additionalProperties": False,
    }


def _any_card() -> Schema:
    """Return the schema of a card, which is that of its kind."""
    kind_schema = _converted(schema_for("cards")["properties"]["kind"])
    by_kind = [
        {
            "if": {"type": "object", "required": ["kind"], "properties": {"kind": {"const": kind}}},
            "then": {"$ref": f"#/definitions/card-{kind}"},
        }
        for kind in KINDS
    ]
    return {
        "title": "card",
        **_described("An entry of `cards`."),
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {**kind_schema, **_meanings({kind: _about(kind) for kind in KINDS})}},
        "allOf": by_kind,
    }


def _about(kind: str) -> str:
    """Return what a kind of card does; an OPERATOR has no effect but SKILLs, so it is said what that is."""
    effect = schema_for("cards", kind)["properties"].get("effect")
    return effect["description"] if effect else _sentence(NOUNS["OPERATOR"])


def _card(kind: str) -> Schema:
    """Return the schema of a kind of card, so that an editor proposes the keys of this kind only."""
    schema = _for_editors("cards", kind)
    properties = schema["properties"]
    properties["kind"] = {**properties["kind"], "enum": [kind]}
    schema_with_effect = properties["skills"]["items"] if kind == "operator" else schema
    schema_with_effect["properties"]["effect"]["examples"] = list(EXAMPLES[kind])
    return schema


def _for_editors(section: str, kind: str | None = None) -> Schema:
    """Return the schema of the entries of a section, or of the project file."""
    return _converted(_with_defaults(schema_for(section, kind), _defaults(_CLASSES[section])))


# defaults


def _defaults(values: Struct | type[Struct]) -> dict[str, Any]:
    """Return the defaults of a class by key, those of settings inside of it as mappings."""
    defaults: dict[str, Any] = {field.name: field.default for field in fields(values)}
    if values is model.Mode:  # its limits are fields of the class, but stand in mappings in the file
        for name, (section, key) in MODE_LIMITS.items():
            defaults.setdefault(section, {})[key] = defaults.pop(name)
    return {key: _as_written(default) for key, default in defaults.items()}


def _as_written(default: Any) -> Any:
    """Return a default as it is written in a file."""
    if isinstance(default, float):
        return int(default) if default.is_integer() else default
    return list(default) if isinstance(default, tuple) else default


def _with_defaults(schema: Schema, defaults: Lookup[str, Any]) -> Schema:
    """Return a schema whose keys have the defaults that they can be written with."""
    properties = dict(schema["properties"])
    for key, default in defaults.items():
        inner = _defaults(default) if isinstance(default, Struct) else default
        if key not in properties or key in schema["required"]:
            continue
        if isinstance(inner, dict) and "properties" in properties[key]:
            properties[key] = _with_defaults(properties[key], inner)
        # an empty list is no default worth showing, and a value that the schema refuses cannot be written
        elif inner != [] and compile_test(properties[key])(inner):
            properties[key] = {**properties[key], "default": inner}
    return {**schema, "properties": properties}


# keywords and annotations


def _converted(schema: Schema) -> Schema:
    """Return a schema as draft-07, without annotations of opforge's own but with those of editors."""
    converted: Schema = {"title": schema["title"], **_described(schema["description"])}
    if "default" in schema:
        converted |= {**_described(_with_default(schema)), "default": schema["default"]}
    if examples := _examples(schema):
        converted["examples"] = examples
    words = schema.get("enum", ())
    if words and all(word in NOUNS for word in words):
        converted |= _meanings({word: _sentence(NOUNS[word]) for word in words})
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    alternatives = [dict(_of_type(schema, name)) for name in types]
    if len(types) > 1:  # `type` with several names is not allowed in ajv's strict mode
        return converted | {"anyOf": alternatives}
    (only_alternative,) = alternatives
    return converted | only_alternative


def _of_type(schema: Schema, type_name: str) -> Iterator[tuple[str, Any]]:
    """Yield the keywords that a schema has for values of a type."""
    yield "type", type_name
    for keyword in _KEYWORDS_OF_TYPE[type_name]:
        if keyword not in schema:
            continue
        value = schema[keyword]
        if keyword == "properties":
            yield keyword, {key: _converted(inner) for key, inner in value.items()}
        elif keyword == "enum":
            yield keyword, [word for word in value if word is not None]  # which has a type of its own, "null"
        elif isinstance(value, dict):
            yield keyword, _converted(value)
        else:
            yield keyword, value
        if keyword == "pattern":
            yield "patternErrorMessage", f"This must be {schema['x-says']}."


def _described(description: str) -> Schema:
    """Return the annotations that describe something: as text and, if it has code, as Markdown and HTML."""
    text = {"description": description.replace("`", "")}
    if "`" not in description:
        return text
    as_html = _CODE.sub(r"<code>\1</code>", html.escape(description, quote=False))
    return {**text, "markdownDescription": description, "x-intellij-html-description": as_html}


def _with_default(schema: Schema) -> str:
    """Return the description of a schema, with the default unless it says that already."""
    description: str = schema["description"]
    if "Default: " in description:
        return description
    default = schema["default"]
    return f"{description} Default: `{default if isinstance(default, str) else json.dumps(default)}`."


def _sentence(phrase: str) -> str:
    return f"{phrase[0].upper()}{phrase[1:]}."


def _meanings(meanings: Lookup[str, str]) -> Schema:
    """Return the annotations that say what the words of an ``enum`` mean."""
    return {
        "enumDescriptions": list(meanings.values()),
        "x-intellij-enum-metadata": {word: {"description": text} for word, text in meanings.items()},
    }


def _examples(schema: Schema) -> list[Any]:
    """Return values for the key of a schema: words to propose, and those that its description names."""
    if "enum" in schema:
        return []
    named = [code for codes in _SUCH_AS.findall(schema["description"]) for code in _CODE.findall(codes)]
    values = [*schema.get("x-words", ()), *filter(compile_test(schema), map(_yaml_value, named))]
    distinct_values: list[Any] = []
    for value in values:  # some are lists, of which there can be no set
        if value not in distinct_values:
            distinct_values.append(value)
    return distinct_values


def _yaml_value(text: str) -> Plain:
    """Return the value that a text has as YAML."""
    tree = parse_tree(SourceFile(Path(PROJECT_FILE), PROJECT_FILE, f"value: {text}"))
    return tree.root.value["value"] if isinstance(tree.root, Mapping) else None


# snippets


def _snippets(section: str) -> Iterator[Schema]:
    """Yield the snippets of a section, with what an entry needs; of cards one for each kind."""
    any_kind, *_ = KINDS  # the entries of other sections are all alike; it only decides on example effects
    kinds = KINDS if section == "cards" else (any_kind,)
    for kind in kinds:
        schema = schema_for(section, kind)
        yield {
            "label": f"new {schema['title']}",
            "description": _described(schema["description"])["description"],
            "body": _SCENARIO if section == "scenarios" else _body(schema, kind, count(1)),
        }


def _body(schema: Schema, kind: str, numbers: Iterator[int]) -> dict[str, Any]:
    """Return the required keys with values to fill in; ``kind`` is that of a card, or of example effects.

    ``numbers`` are those of the places to fill in.
    """
    keys = missing_keys(schema, ())
    return {key: _placeholder(key, schema["properties"][key], kind, numbers) for key in keys}


def _placeholder(key: str, schema: Schema, kind: str, numbers: Iterator[int]) -> Any:
    """Return the value of a key in a snippet, with a place to type in."""
    if key == "kind":
        return kind
    if schema["type"] == "array":
        item = schema["items"]
        return [_placeholder(item["title"].lower(), item, kind, numbers)]
    example_effect, *_ = EXAMPLES[kind]
    text = example_effect if is_effect(schema) else key
    return f"${{{next(numbers)}:{_USUAL_NUMBER if schema['type'] == 'integer' else text}}}"
