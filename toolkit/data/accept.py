"""A quick yes for entries that a schema accepts, so that jsonschema is loaded only to explain a no.

A schema is turned into nested closures once. They accept exactly what jsonschema accepts (a property test
holds that); for a no they do not say why.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from toolkit.data.nodes import Plain
from toolkit.data.schema import schema_for
from toolkit.data.schemas.parts import Schema

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
_NO_TEST = frozenset({"title", "description", "x-finding", "x-says", "x-words", "x-refers"})


@cache
def acceptance(section: str, kind: str | None = None) -> Callable[[Plain], bool]:
    """The test of an entry of a section, for cards by kind."""
    return compile_test(schema_for(section, kind))


def compile_test(schema: Schema) -> Test:
    """The test that a schema stands for. It knows the keywords that the schemas use and no others."""
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    known: set[str] = {"type", *_NO_TEST}
    by_type: dict[type, Test] = {}
    for name in types:
        used, test = _FAMILIES[name](schema)
        known |= used
        for sort in _TYPES[name]:
            by_type[sort] = test
    for name, family in _FAMILIES.items():
        known |= family({})[0] if name not in types else set()
    unknown = schema.keys() - known
    if unknown:
        raise ValueError(f"keywords without a test: {sorted(unknown)}")
    if len(by_type) == 1:
        ((only, test),) = by_type.items()
        return lambda value: type(value) is only and test(value)

    def one_of(value: Any) -> bool:
        found = by_type.get(type(value))
        return found is not None and found(value)

    return one_of


def _yes(value: Any) -> bool:  # noqa: ARG001 -- it has the form of a test
    return True


def _string(schema: Schema) -> tuple[set[str], Test]:
    used = {"pattern", "enum"}
    if "enum" in schema:
        return used, frozenset(schema["enum"]).__contains__
    if "pattern" in schema:
        search = re.compile(schema["pattern"]).search
        return used, lambda value: search(value) is not None
    return used, _yes


def _number(schema: Schema) -> tuple[set[str], Test]:
    used = {"minimum", "maximum", "multipleOf"}
    if "minimum" not in schema:
        return used, _yes
    least, greatest, step = schema["minimum"], schema["maximum"], schema.get("multipleOf")
    if step:
        return used, lambda value: bool(least <= value <= greatest and value % step == 0)
    return used, lambda value: bool(least <= value <= greatest)


def _array(schema: Schema) -> tuple[set[str], Test]:
    used = {"items", "minItems", "maxItems", "uniqueItems"}
    if not schema:
        return used, _yes
    item = compile_test(schema["items"])
    least, greatest = schema.get("minItems", 0), schema.get("maxItems", float("inf"))
    unique = schema.get("uniqueItems", False)

    def test(value: list[Any]) -> bool:
        if not least <= len(value) <= greatest or not all(map(item, value)):
            return False
        return not unique or len(set(value)) == len(value)

    return used, test


def _object(schema: Schema) -> tuple[set[str], Test]:
    used = {"properties", "required", "additionalProperties", "propertyNames", "minProperties"}
    if not schema:
        return used, _yes
    tests = {key: compile_test(part) for key, part in schema.get("properties", {}).items()}
    required = frozenset(schema.get("required", ()))
    least = schema.get("minProperties", 0)
    name = compile_test(schema["propertyNames"]) if "propertyNames" in schema else _yes
    others = schema.get("additionalProperties", True)
    other: Test | None = _yes if others is True else compile_test(others) if others else None

    def test(value: dict[str, Any]) -> bool:
        if len(value) < least or not required <= value.keys():
            return False
        for key, part in value.items():
            found = tests.get(key, other)
            if found is None or not name(key) or not found(part):
                return False
        return True

    return used, test


_FAMILIES: dict[str, Callable[[Schema], tuple[set[str], Test]]] = {
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": lambda _: (set(), _yes),
    "null": lambda _: (set(), _yes),
    "array": _array,
    "object": _object,
}
