"""Short reprs: a public value is one line in a notebook or a failing assert, whatever it contains.

A card knows its file, and a project all cards: a full repr of either would be megabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from msgspec import NODEFAULT, Struct

T = TypeVar("T")
Field = tuple[str, object]
"""The name of a field and its value; the name is empty if it need not be said."""

LONGEST = 160
"""The length of the longest repr, in characters."""

_CUT = "…"
_PLAIN = (int, float, Fraction, PurePath, Enum, type(None))
_BRACKETS = {tuple: ("(", ")"), set: ("{", "}"), frozenset: ("{", "}")}


class PublicValue:
    """A mixin for the structs that scripts get: their repr is one short line."""

    __slots__ = ()
    __struct_fields__: ClassVar[tuple[str, ...]]
    __struct_defaults__: ClassVar[tuple[Any, ...]]

    def __repr__(self) -> str:
        return short_repr(self, _written_fields(self))

    if not TYPE_CHECKING:  # that of a struct yields its fields

        def __rich_repr__(self) -> None:
            """Let rich show the repr."""


def short_repr(value: object, fields: Iterable[Field], room: int = LONGEST) -> str:
    """Return the repr of a value with these fields, as many of them as there is room for."""
    return _joined(f"{type(value).__name__}(", fields, ")", room, _field)


def one_line(value: object, room: int = LONGEST) -> str:
    """Return any value on one line of at most ``room`` characters; no more of it is read than that takes."""
    if isinstance(value, (str, bytes)):
        return _cut(repr(value[:room]), room)
    if isinstance(value, Mapping):
        return _joined("{", value.items(), "}", room, _pair)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return short_repr(value, zip(value._fields, value, strict=True), room)
    if isinstance(value, (Sequence, Set)):
        opening, closing = _BRACKETS.get(type(value), ("[", "]"))
        return _joined(opening, value, closing, room, one_line)
    if isinstance(value, Struct) and type(value).__repr__ in (PublicValue.__repr__, Struct.__repr__):
        return short_repr(value, _written_fields(value), room)
    is_short = isinstance(value, (*_PLAIN, Struct))
    return _cut(repr(value), room) if is_short else f"<{type(value).__name__}>"


def _field(field: Field, room: int) -> str:
    name, value = field
    caption = f"{name}=" if name else ""
    return caption + one_line(value, room - len(caption))


def _pair(pair: tuple[object, object], room: int) -> str:
    key, value = pair
    caption = f"{one_line(key, room)}: "
    return caption + one_line(value, room - len(caption))


def _joined(
    opening: str, members: Iterable[T], closing: str, room: int, shown: Callable[[T, int], str]
) -> str:
    """Return the members between brackets, as many as there is room for."""
    texts: list[str] = []
    rest_of_room = room - len(opening) - len(closing)
    for member in members:
        if rest_of_room <= 0:
            texts.append(_CUT)
            break
        text = shown(member, rest_of_room)
        texts.append(text)
        rest_of_room -= len(text) + len(", ")
    return _cut(f"{opening}{', '.join(texts)}{closing}", room)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 1, 0)].rstrip(f"{_CUT}, ") + _CUT


def _written_fields(value: PublicValue | Struct) -> Iterator[Field]:
    """Yield the fields of a struct that are not private and differ from their defaults."""
    names, defaults = value.__struct_fields__, value.__struct_defaults__
    default_by_name = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    for name in names:
        field_value, default = getattr(value, name), default_by_name.get(name, NODEFAULT)
        default = default.factory() if hasattr(default, "factory") else default
        # the types are compared, too, since 1 == True
        if not name.startswith("_") and (type(default) is not type(field_value) or field_value != default):
            yield name, field_value
