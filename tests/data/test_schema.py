"""Schemas: the quick test accepts exactly what jsonschema accepts, and each value is described."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.data.projects import CARDS, PLAY, SCENARIOS, SETTINGS
from tests.thoroughness import examples
from toolkit.data.checks.schema_findings import validator
from toolkit.data.mistakes.value_findings import Violation
from toolkit.data.schema import KINDS, SECTIONS, acceptance, compile_test, schema_for
from toolkit.data.yaml.nodes import Mapping
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.source import SourceFile
from toolkit.vocabulary import RANGES


def plain(text: str) -> Any:
    root = parse_tree(SourceFile(Path("a"), "a", text)).root
    assert root is not None
    return root.value


LAYOUT = {
    "id": "wide",
    "card_size": "63x88mm",
    "gap": {"across": 2},
    "margins": 4.5,
    "slots": [{"x": 1, "y": 2.5, "turn": 90}],
    "marks": "full",
}
PRINTED = {
    "project": "Printed",
    "card_sizes": {"objective": "mini"},
    "layout": ["wide", "mini-a4"],
    "backs": {"operator": "team", "deck": "art/back.svg"},
}
MARKER = {
    "id": "intel",
    "name": {"en": "Intel", "de": "Aufklärung"},
    "bearer": "operator",
    "maximum": 3,
    "stays": False,
}
KEYWORD = {"id": "swift", "name": "Swift", "effect": "self gets +1 MP.", "reminder": "Fast.", "text_for": "a"}
OBJECTIVE = {
    "id": "tower",
    "name": "Tower",
    "value": 3,
    "effect": "self gets +1 EP.",
    "text": {"en": "+1 EP."},
}
ENTRIES: list[tuple[str, str | None, Any]] = [
    (section, entry.get("kind"), entry)
    for text in (CARDS, PLAY, SCENARIOS)
    for section, entries in plain(text).items()
    for entry in entries
] + [
    ("project", None, plain(SETTINGS)),
    ("project", None, PRINTED),
    ("layouts", None, LAYOUT),
    ("markers", None, MARKER),
    ("keywords", None, KEYWORD),
    ("objectives", None, OBJECTIVE),
]
WORDS = [
    "",
    " ",
    "viper",
    "Viper",
    "a--b",
    "id\n",
    "unlimited",
    "unlimited\n",
    "all",
    "double",
    "#abc",
    "63x88mm",
    "draw",
]
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 1000),
    st.sampled_from([0.0, 4.0, 1.5, math.nan, math.inf, 10**30]),
    st.sampled_from(WORDS),
    st.text(max_size=4),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["en", "id", "A b", "name"]), inner)
    ),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of everything inside a value."""
    found = [path]
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(part, (*path, key))
    return found


@st.composite
def mutated_entries(draw: st.DrawFn) -> tuple[str, str | None, Any]:
    """An entry that is right, with up to three changes."""
    section, kind, entry = draw(st.sampled_from(ENTRIES))
    entry = copy.deepcopy(entry)
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(places(entry)[1:] or [("id",)]))
        around = entry
        for step in path[:-1]:
            around = around[step]
        change = draw(st.sampled_from(["replace", "drop", "add", "double"]))
        if change == "replace":
            around[path[-1]] = draw(VALUES)
        elif change == "drop":
            del around[path[-1]]
        elif isinstance(around, dict):
            around[draw(st.sampled_from(["nmae", "name", "effect", "ap", "Ap", "text_for", "id"]))] = draw(
                VALUES
            )
        else:
            around.append(copy.deepcopy(around[path[-1]]) if change == "double" else draw(VALUES))
        if not entry:
            break
    return section, kind, entry


@given(mutated_entries())
@examples(1500)
def test_the_quick_test_accepts_exactly_what_jsonschema_accepts(mutant: tuple[str, str | None, Any]) -> None:
    section, kind, entry = mutant
    assert acceptance(section, kind)(entry) == validator(section, kind).is_valid(entry)


@given(st.sampled_from(sorted(SECTIONS)), VALUES)
@examples(300)
def test_the_quick_test_takes_any_value(section: str, value: Any) -> None:
    assert acceptance(section)(value) == validator(section, None).is_valid(value)


def test_the_entries_of_the_language_page_are_accepted() -> None:
    assert {section for section, _, _ in ENTRIES} == {*SECTIONS, "project"}
    for section, kind, entry in ENTRIES:
        assert acceptance(section, kind)(entry), entry


def test_a_keyword_without_a_test_cannot_slip_into_a_schema() -> None:
    with pytest.raises(ValueError, match="format"):
        compile_test({"type": "string", "format": "date"})
    with pytest.raises(ValueError, match="minLenght"):
        compile_test({"type": "string", "minimum": 3, "minLenght": 1})


def all_schemas() -> list[Any]:
    return [schema_for("cards", kind) for kind in KINDS] + [
        schema_for(name) for name in (*SECTIONS, "project")
    ]


def parts_of(schema: Any) -> list[Any]:
    inner = [*schema.get("properties", {}).values()]
    inner += [
        schema[key]
        for key in ("items", "additionalProperties", "propertyNames")
        if isinstance(schema.get(key), dict)
    ]
    return [schema, *(part for item in inner for part in parts_of(item))]


def test_every_part_is_titled_and_described_for_editors() -> None:
    for schema in all_schemas():
        Draft202012Validator.check_schema(schema)
        for part in parts_of(schema):
            assert part["title"]
            assert part["description"].endswith("."), part


def keys_of(schema: Any) -> list[tuple[str, Any]]:
    """All keys in a schema, each with the schema of its value."""
    return [item for part in parts_of(schema) for item in part.get("properties", {}).items()]


def test_messages_name_a_key_as_it_is_written() -> None:
    """But AP and other words that are printed as they are said."""
    for key, part in (item for schema in all_schemas() for item in keys_of(schema)):
        for value in ("{x: 1}", "[[]]", "2.5"):
            root = parse_tree(SourceFile(Path("a"), "a", f"{key}: {value}\n")).root
            assert isinstance(root, Mapping)
            node = root.nodes[key]
            errors = [one for one in Draft202012Validator(part).iter_errors(node.value) if not one.path]
            if errors and part["title"].islower() and errors[0].validator == "type":
                message = Violation(errors[0]).finding(node, root.keys[key], None).message
                assert message.startswith(f"`{key}` "), message


def test_ranges_come_from_the_vocabulary() -> None:
    properties = schema_for("cards", "operator")["properties"]
    for key in ("ap", "ep", "dp", "mp"):
        assert (properties[key]["minimum"], properties[key]["maximum"]) == RANGES["VALUE"]
    limits = schema_for("modes")["properties"]["field_positions"]
    assert (limits["minimum"], limits["maximum"]) == RANGES["FIELDPOSITION"]
