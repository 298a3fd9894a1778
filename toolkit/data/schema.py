"""The schema of each entry, and a fast test whether a value is valid.

The schema is chosen by section and, for cards, by ``kind`` before anything is validated, so that no finding
lists alternatives of another kind. It is compiled once to nested closures that accept exactly what jsonschema
accepts (a property test verifies it) without saying why not: jsonschema, which takes 110 to 230 ms to import
and run, is imported only for what they reject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from toolkit.data.schemas import card_schema, layouts, play_schema, scenario_schema
from toolkit.data.schemas.parts import Schema
from toolkit.data.yaml.nodes import Plain
from toolkit.vocabulary import PRINTED

KINDS = card_schema.KINDS
"""The kinds of card."""

SECTIONS: dict[str, Callable[[], Schema]] = {
    "cards": card_schema.any_card,
    "teams": card_schema.team,
    "objectives": card_schema.objective,
    "markers": card_schema.marker,
    "keywords": card_schema.keyword,
    "modes": play_schema.mode,
    "rulesets": play_schema.ruleset,
    "squads": play_schema.squad,
    "scenarios": scenario_schema.scenario,
    "layouts": layouts.layout,
}
"""The top-level keys of a card file, with the schemas of their entries."""


@cache
def schema_for(section: str, kind: str | None = None) -> Schema:
    """Return the schema of an entry of a section, for cards by kind; ``project`` is the project file."""
    if section == "project":
        return play_schema.project()
    if section == "cards" and kind in KINDS:
        return card_schema.card(kind)
    return SECTIONS[section]()


@cache
def known_keys() -> frozenset[str]:
    """Return every key that any entry or the project file can have."""
    schemas = [
        schema_for("project"),
        *map(schema_for, SECTIONS),
        *(schema_for("cards", kind) for kind in KINDS),
    ]
    # a text in several languages has those as its keys
    return frozenset([*SECTIONS, *PRINTED, *(key for schema in schemas for key in _keys(schema))])


def _keys(schema: Any) -> Iterator[str]:
    """Yield all names of keys in a schema and below it."""
    if isinstance(schema, list):
        for inner_schema in schema:
            yield from _keys(inner_schema)
    elif isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for inner_schema in schema.values():
            yield from _keys(inner_schema)


Test = Callable[[Any], bool]

_TYPES: dict[str, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "null": frozenset({type(None)}),
    "array": frozenset({list}),
    "object": frozenset({dict}),
}
_KEYWORDS = frozenset(
    [
        *("title", "description", "default", "x-finding", "x-says", "x-words", "x-refers"),
        *("type", "pattern", "enum"),
        *("minimum", "maximum", "multipleOf", "items", "minItems", "maxItems", "uniqueItems", "properties"),
        *("required", "anyOf", "additionalProperties", "propertyNames", "minProperties"),
    ]
)


@cache
def acceptance(section: str, kind: str | None = None) -> Callable[[Plain], bool]:
    """Return the test of an entry of a section, for cards by kind."""
    return compile_test(schema_for(section, kind))


def compile_test(schema: Schema) -> Test:
    """Compile a schema to a test. Raises ``ValueError`` for a keyword that is not supported here."""
    if unknown := schema.keys() - _KEYWORDS:
        raise ValueError(f"keywords without a test: {sorted(unknown)}")
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    tests_by_type = {python_type: _TESTS[name](schema) for name in types for python_type in _TYPES[name]}
    if len(tests_by_type) == 1:
        ((only_type, test),) = tests_by_type.items()
        return lambda value: type(value) is only_type and test(value)

    def test_by_type(value: Any) -> bool:
        type_test = tests_by_type.get(type(value))
        return type_test is not None and type_test(value)

    return test_by_type


def _yes(value: Any) -> bool:  # noqa: ARG001 -- it has the signature of a test
    return True


def _string_test(schema: Schema) -> Test:
    """Return the test for strings: one of the words, else of this form, else any."""
    if "enum" in schema:
        return frozenset(schema["enum"]).__contains__
    if "pattern" not in schema:
        return _yes
    search = re.compile(schema["pattern"]).search
    return lambda value: search(value) is not None


def _number_test(schema: Schema) -> Test:
    """Return the test for numbers; each is within bounds and a multiple, where the schema says so."""
    if "minimum" not in schema:
        return lambda value: bool(value == value)  # .nan is no number
    least, greatest, step = schema["minimum"], schema["maximum"], schema.get("multipleOf")
    if step:
        return lambda value: bool(least <= value <= greatest and value % step == 0)
    return lambda value: bool(least <= value <= greatest)


def _array_test(schema: Schema) -> Test:
    """Return the test for lists: of each item, of their number, and whether all are different."""
    item_test = compile_test(schema["items"])
    least, greatest = schema.get("minItems", 0), schema.get("maxItems", float("inf"))
    must_differ = schema.get("uniqueItems", False)

    def test(value: list[Any]) -> bool:
        if not least <= len(value) <= greatest or not all(map(item_test, value)):
            return False
        return not must_differ or len(set(value)) == len(value)

    return test


def _object_test(schema: Schema) -> Test:
    """Compile the schema of a mapping; of ``anyOf`` only "one of these keys is required" is supported."""
    properties = schema.get("properties", {})
    property_tests = {key: compile_test(property_schema) for key, property_schema in properties.items()}
    required = frozenset(schema.get("required", ()))
    alternative_keys = [key for alternative in schema.get("anyOf", ()) for key in alternative["required"]]
    least = schema.get("minProperties", 0)
    name_test = compile_test(schema["propertyNames"]) if "propertyNames" in schema else _yes
    additional = schema.get("additionalProperties", True)
    additional_test: Test | None = None  # no other keys are allowed
    if additional:
        additional_test = _yes if additional is True else compile_test(additional)

    def test(value: dict[str, Any]) -> bool:
        if len(value) < least or not required <= value.keys():
            return False
        if alternative_keys and not any(key in value for key in alternative_keys):
            return False
        for key, item in value.items():
            value_test = property_tests.get(key, additional_test)
            if value_test is None or not name_test(key) or not value_test(item):
                return False
        return True

    return test


_TESTS: dict[str, Callable[[Schema], Test]] = {
    "string": _string_test,
    "integer": _number_test,
    "number": _number_test,
    "boolean": lambda _: _yes,
    "null": lambda _: _yes,
    "array": _array_test,
    "object": _object_test,
}
