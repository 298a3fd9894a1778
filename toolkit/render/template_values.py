"""What templates are filled with: texts, numbers, and frozen records of these."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from toolkit.render.face import Face, RulesText, Stat
from toolkit.render.fit import CardFit

_UNSEEN = ("art", "back", "places", "team_logo", "translations")
"""Fields of a face that hold files or whole faces; the two pictures are replaced by their addresses."""


class Record:
    """A value with named fields, and with no other names, which could be those of fields.

    Templates reach its fields and nothing else. Two records are equal only if they are the same one.
    """

    __slots__ = ("_kind", "_values")

    def __init__(self, kind: str, values: Mapping[str, object]) -> None:
        self._kind = kind
        self._values = MappingProxyType(dict(values))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        return f"<{self._kind}>"


def kind_of(record: Record) -> str:
    """The name of the class that the record was made from."""
    return record._kind


def values_of(record: Record) -> Mapping[str, Any]:
    """The values of a record by the names of its fields."""
    return record._values


def plain(value: object) -> Any:
    """The value as templates get it: a value class as a record of its fields and properties.

    Raises ``TypeError`` for what templates must not have, such as a path.
    """
    if value is None or isinstance(value, (str, int, float, CardFit, Record)):
        return value
    if isinstance(value, (Stat, RulesText)):
        return type(value)(*map(plain, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(plain, value))
    if isinstance(value, Mapping):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, Face):
        return face_record(value)
    if isinstance(value, Struct):
        return Record(type(value).__name__, {name: plain(getattr(value, name)) for name in _names(value)})
    raise TypeError(f"Templates get no {type(value).__name__}.")


def face_record(face: Face, art: str | None = None, logo: str | None = None) -> Record:
    """A face as templates get it, its pictures as addresses."""
    values = {name: plain(getattr(face, name)) for name in _names(face) if name not in _UNSEEN}
    return Record("Face", {**values, "art": art, "team_logo": logo})


def _names(value: Any) -> list[str]:
    """The fields and properties of a value."""
    properties = (name for name, one in vars(type(value)).items() if isinstance(one, property))
    return [*value.__struct_fields__, *properties]
