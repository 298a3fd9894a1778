"""Schema errors of an entry, as findings at the exact places.

jsonschema finds the errors. It is imported only here, for entries that the fast test has refused. An error
becomes a finding by following its path through the tree: an unknown key is reported at the key, a missing one
at the entry's id, a wrong value at the value.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend
from msgspec import Struct, field

from toolkit.data.checks.project_languages import is_no_language, no_language
from toolkit.data.mistakes.key_findings import (
    KeyChecker,
    glued_finding,
    glued_keys,
    other_name,
    split_text,
    with_article,
)
from toolkit.data.mistakes.value_findings import Violation
from toolkit.data.scenarios import misspelt_expect_keys
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import missing_keys
from toolkit.data.yaml.nodes import REFUSED, Mapping, Node, Scalar, Sequence
from toolkit.diagnostics import Diagnostic
from toolkit.vocabulary import PRINTED
from toolkit.vocabulary.nearest import nearest

_OF_KEYS = ("required", "anyOf", "additionalProperties")
_OF_NUMBERS = ("minimum", "maximum", "multipleOf")


class CheckedEntry(Struct):
    """The findings of an entry. It is still ``usable`` if it merely has unknown keys."""

    findings: list[Diagnostic] = field(default_factory=list)
    usable: bool = True


def check_entry(node: Mapping, section: str, card: str | None) -> CheckedEntry:
    """Return the findings of an entry that the fast test has refused, in file order.

    ``section`` is that of the entry, or ``project`` for the project file.
    """
    kind = _meant_kind(node) if section == "cards" else None
    checked = CheckedEntry()
    if section == "cards" and kind is None and (other := _other_section(node)) is not None:
        kind_phrase = with_article(schema_for(other)["title"])
        message = f"{kind_phrase[0].upper()}{kind_phrase[1:]} is not a card."
        step = f"Move the entry to a list below `{other}:` and remove `kind`."
        span = node.nodes["kind"].span
        checked.findings.append(Diagnostic("unknown-kind", message, span, step, card=card))
        checked.usable = False
        section, node = other, _without_kind(node)
    glued = list(glued_keys(node))
    checked.findings += [glued_finding(key, card) for _, key in glued]
    checked.usable &= not glued
    unclear = {id(mapping) for mapping, _ in glued}  # their keys are unknown until the space is added
    misspelt = misspelt_expect_keys(node) if section == "scenarios" else ()
    mappings_with_checked_keys: set[int] = set()
    schema = validator(section, kind).schema
    for error in validator(section, kind).iter_errors(node.value):
        error_place = _follow(node, list(error.absolute_path))
        is_unclear = not unclear.isdisjoint((id(error_place.node), id(error_place.around)))
        if _is_reported(error, misspelt) or is_unclear:
            continue
        if isinstance(error_place.node, Scalar) and error_place.node.style == REFUSED:
            checked.usable = False
        elif error.validator in _OF_KEYS and isinstance(error_place.node, Mapping):
            # unknown and missing keys are separate errors, and are judged together, once for each mapping
            mapping = error_place.node
            if id(mapping) not in mappings_with_checked_keys:
                mappings_with_checked_keys.add(id(mapping))
                is_inside = mapping is not node
                name = (error_place.key.text if error_place.key else None) if is_inside else section
                keys = KeyChecker(mapping, error.schema, name, card, inside=is_inside)
                checked.findings += keys.findings()
                checked.usable &= keys.complete
        else:
            checked.usable = False
            checked.findings.append(_finding_about_value(error, error_place, schema, card))
    checked.findings.sort(key=lambda finding: finding.span.start)
    return checked


def _finding_about_value(
    error: Any, error_place: _Place, schema: dict[str, Any], card: str | None
) -> Diagnostic:
    """Return the finding about a value, or the name of a key, that its schema refuses."""
    path = list(error.absolute_schema_path)
    by_key = path[-2:-1] == ["additionalProperties"]
    violation = Violation(error, required=_is_required(schema, path), by_key=by_key)
    is_about_key_name = "propertyNames" in path[-2:]
    if is_about_key_name and isinstance(error_place.node, Mapping):
        key = error_place.node.keys[error.instance]
        return violation.finding(key, None, card)
    return _value(violation, error_place, card)


def _is_reported(error: Any, misspelt: Collection[str]) -> bool:
    """Whether an error is the consequence of another one, which is reported."""
    match list(error.absolute_path):
        case ["expect", key, *_] if key in misspelt:
            return True  # the key is the mistake, not its value; it is reported once all ids are known
    if error.validator == "enum":
        return not isinstance(error.instance, str)  # its type is wrong, which is an error of its own
    types = error.schema["type"]
    must_be_whole = "integer" in (types if isinstance(types, list) else [types])
    return error.validator in _OF_NUMBERS and isinstance(error.instance, float) and must_be_whole


def _is_required(schema: dict[str, Any], path: list[Any]) -> bool:
    """Whether the keyword that failed belongs to the schema of a required key.

    The path to it in the schema then ends in ``properties``, the key, and the keyword.
    """
    if len(path) < 3:
        return False
    *path_of_mapping, properties, key, _keyword = path
    if properties != "properties":
        return False
    for step in path_of_mapping:
        schema = schema[step]
    return key in missing_keys(schema, ())


class _Place(Struct, frozen=True):
    """A node, with its mapping and key if it is a value of a mapping."""

    node: Node
    around: Mapping | None = None
    key: Scalar | None = None


def _value(violation: Violation, inside: _Place, card: str | None) -> Diagnostic:
    """Return the finding about a value; in braces its key may be the rest of a text split at a comma."""
    if inside.around is not None and inside.key is not None and "properties" not in violation.schema:
        split = split_text(inside.around, inside.key, card)
        by_language = violation.by_key and violation.schema.get("x-finding") == "empty-text"
        if split is not None and (" " in inside.key.text or (by_language and inside.key.text not in PRINTED)):
            return split
        if by_language and is_no_language(inside.key.text):
            return no_language(inside.key, card)
    return violation.finding(inside.node, inside.key, card)


def _follow(node: Node, path: list[str | int]) -> _Place:
    """Return the node at a path of keys and indexes."""
    node_place = _Place(node)
    for step in path:
        if isinstance(node_place.node, Mapping) and isinstance(step, str):
            node_place = _Place(node_place.node.nodes[step], node_place.node, node_place.node.keys[step])
        elif isinstance(node_place.node, Sequence) and isinstance(step, int):
            node_place = _Place(node_place.node.items[step])
    return node_place


def _meant_kind(node: Mapping) -> str | None:
    """Return the kind of a card, or the likely one: misspelt, under another key, or inferred from keys."""
    written = node.value.get("kind")
    if "kind" not in node.value:
        unknown = [key for key in node.nodes if key not in schema_for("cards")["properties"]]
        misspelt_key = nearest("kind", unknown) or next(
            (key for key in unknown if other_name(key, ["kind"])), None
        )
        written = node.value[misspelt_key] if misspelt_key else None
    kind = nearest(written, KINDS) if isinstance(written, str) else None
    if kind is None and "effect" not in node.nodes and _other_section(node) is None:
        of_other_kinds = schema_for("cards", "attack")["properties"]
        only_of_operators = schema_for("cards", "operator")["properties"].keys() - of_other_kinds.keys()
        kind = None if only_of_operators.isdisjoint(node.nodes) else "operator"
    return kind


def _other_section(node: Mapping) -> str | None:
    """Return the section of an entry whose kind is that of another section, such as ``kind: objective``."""
    written = node.value.get("kind")
    word = written.casefold().removesuffix("s") if isinstance(written, str) else ""
    return next((name for name in SECTIONS if name != "cards" and word == name.removesuffix("s")), None)


def _without_kind(node: Mapping) -> Mapping:
    value, nodes, keys = dict(node.value), dict(node.nodes), dict(node.keys)
    del value["kind"], nodes["kind"], keys["kind"]
    return Mapping(node.anchor, node.at, node.to, node.in_braces, value, nodes, keys)


@cache
def validator(section: str, kind: str | None) -> Any:
    """Return the jsonschema validator of an entry. Unlike JSON Schema's, ``4.0`` is not an integer.

    ``.nan`` is not a number, and booleans are neither, as for Python's ``type``.
    """
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    types = types.redefine("number", lambda _, value: type(value) in (int, float) and value == value)
    strict: Any = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    return strict(schema_for(section, kind))
