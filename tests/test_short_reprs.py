"""A public value is one line, whatever it contains: in a notebook, in a failing assert, in a log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tests.public_types import public_types, types_in
from tests.thoroughness import examples
from toolkit import api
from toolkit.data.looks import Look
from toolkit.press.card_previews import CardStyle
from toolkit.products.sheets.project_layouts import Layouts
from toolkit.products.sheets.write_sheets import SheetSettings
from toolkit.render.face import Back, Face
from toolkit.resources import cards_folder
from toolkit.source.short_repr import LONGEST, PublicValue, one_line
from toolkit.vocabulary import Trigger
from toolkit.wording.text import Run

SHORT_BY_NATURE = {Trigger, Run, Look}
"""A row of a table; and a few words of a face and its colours, whose reprs are part of cache keys."""


def test_every_public_type_has_a_short_repr() -> None:
    long = {kind for kind in public_types() if _has_whole_repr(kind) and not _is_of_numbers(kind)}
    assert long - SHORT_BY_NATURE == set()


def _has_whole_repr(kind: type) -> bool:
    return kind.__repr__ is Struct.__repr__ or getattr(kind.__repr__, "__module__", "") == "collections"


def _is_of_numbers(kind: type) -> bool:
    annotations = vars(kind).get("__annotations__", {}).values()
    texts = [getattr(annotation, "__forward_arg__", annotation) for annotation in annotations]
    return {*re.findall(r"\w+", str(texts))} <= {"int", "float", "bool", "tuple", "Dice", "None"}


def test_every_value_of_the_shipped_set_is_one_line() -> None:
    workspace = api.open_project(cards_folder())
    attack = api.attack(workspace, api.AttackRequest("viper", "bishop"))
    report = api.report_of(workspace, ())
    public, number = public_types(), 0
    for value in _values_in([workspace, attack, report]):
        if type(value) in public:
            number += 1
            shown = repr(value)
            assert len(shown) <= LONGEST, shown
            assert "\n" not in shown
    assert number > 1000


def _values_in(waiting: list[Any]) -> Iterator[Any]:
    """Yield values and all that is in their fields; of a list or mapping the first of each type."""
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, (str, int, float, Enum, type(None))):
            continue
        seen.add(id(value))
        if isinstance(value, Struct):
            yield value
            waiting += [getattr(value, name) for name in value.__struct_fields__]
        elif isinstance(value, dict):
            waiting += list(value.values())[:50]
        elif isinstance(value, (tuple, list)):
            waiting += value[:50]


class Box(PublicValue, Struct, frozen=True):
    """A value with a default that is not empty."""

    content: Any
    copies: int = 1
    _hidden: str = ""


def test_rich_shows_the_repr_too() -> None:
    """rich asks ``__rich_repr__``, which a struct has, and takes the repr where that returns nothing."""
    structs = [kind for kind in public_types() if issubclass(kind, Struct) and not _is_of_numbers(kind)]
    assert len(structs) > 150
    others = [kind for kind in structs if vars(PublicValue)["__rich_repr__"] is not kind.__rich_repr__]
    assert {*others} - SHORT_BY_NATURE == set()


def test_a_repr_names_what_differs_from_the_default() -> None:
    assert repr(Box("viper")) == "Box(content='viper')"
    assert repr(Box("viper", copies=0, _hidden="no")) == "Box(content='viper', copies=0)"
    assert repr(Box(object())) == "Box(content=<object>)"
    assert repr(Box(Box({"ap": 3}))) == "Box(content=Box(content={'ap': 3}))"
    assert repr(Box("x" * 500)) == f"Box(content='{'x' * 145}…)"


PLAIN = st.recursive(
    st.none() | st.integers() | st.text(max_size=300) | st.floats(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner) | st.builds(Box, inner)
    ),
)


@examples(400)
@given(PLAIN, st.integers(10, 300))
def test_any_value_is_cut_to_the_room(value: object, room: int) -> None:
    shown = one_line(value, room)
    assert len(shown) <= room
    assert "\n" not in shown


def test_no_cache_key_is_made_of_a_shortened_repr() -> None:
    """Faces, styles and layouts are told apart by their whole reprs."""
    waiting, seen = {Back, CardStyle, Face, Layouts, SheetSettings}, set()
    while waiting:
        kind = waiting.pop()
        seen.add(kind)
        assert not issubclass(kind, PublicValue), kind
        # the places of a face are left out of its key
        waiting |= {inner for inner in types_in(kind) if inner.__name__ != "Span"} - seen
    assert len(seen) > 10
