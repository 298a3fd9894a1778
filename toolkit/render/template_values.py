"""What templates are filled with: texts, numbers, and frozen records of these; and names they do not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from jinja2 import StrictUndefined
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.utils import missing
from msgspec import Struct

from toolkit.render.face import Face, RulesText, Stat
from toolkit.render.fit import CardFit
from toolkit.render.markup import flavour_lines
from toolkit.vocabulary.nearest import nearest
from toolkit.wording.badge import Badge

_UNSEEN = ("art", "back", "hyphenated", "places", "set_symbol", "team_logo", "translations")
"""Fields of a face that hold files or whole faces; the pictures are replaced by their addresses."""


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


def values_of(record: Record) -> Mapping[str, Any]:
    """The values of a record by the names of its fields."""
    return record._values


_PLAIN = frozenset((str, int, type(None), bool, float))
"""Most values are of one of these types."""


def plain(value: object) -> Any:
    """Return a value as templates get it: a value class as a record of its fields and properties.

    Raises ``TypeError`` for what templates must not have, such as a path.
    """
    if type(value) in _PLAIN or isinstance(value, (str, int, float, CardFit, Record)):
        return value
    if isinstance(value, (Badge, RulesText, Stat)):
        return type(value)(*map(plain, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(plain, value))
    if isinstance(value, Mapping):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, Face):
        return face_record(value)
    if isinstance(value, Struct):
        return Record(
            type(value).__name__, {name: plain(getattr(value, name)) for name in _names(type(value))}
        )
    raise TypeError(f"Templates get no {type(value).__name__}.")


def face_record(
    face: Face, art: str | None = None, logo: str | None = None, symbol: str | None = None
) -> Record:
    """A face as templates get it, its pictures as addresses, its flavour text with the lines of print."""
    values = {name: plain(getattr(face, name)) for name in _names(type(face)) if name not in _UNSEEN}
    if face.flavour is not None:
        values["flavour"] = flavour_lines(face.flavour)
    return Record("Face", {**values, "art": art, "team_logo": logo, "set_symbol": symbol})


@cache
def _names(kind: Any) -> list[str]:
    """The fields and properties of a value class."""
    properties = (name for name, one in vars(kind).items() if isinstance(one, property))
    return [*kind.__struct_fields__, *properties]


NAMES = (
    *("face", "w", "h", "b", "unit", "uid", "fit", "art", "logo", "back", "pages", "shapes"),
    *("symbol", "fonts", "low_ink", "picture", "colours", "shape", "inside"),
    *("icon", "ink", "mix", "readable", "contrast", "range", "loop"),
    *("gradient", "shadow", "icon_image"),
)
"""What the shipped templates know by name: what they are filled with, what they import, and functions."""

_WORDS: tuple[tuple[type, str], ...] = (
    (CardFit, "`fit`"),
    (Badge, "`face.badge`"),
    (Stat, "a stat of `face.stats`"),
    (RulesText, "a text of `face.skills`"),
    (LoopContext, "`loop`"),
    (Macro, "a macro"),
    (BlockReference, "a block"),
    (TemplateModule, "the imported template"),
    (str, "a text"),
    (bool, "a yes or no"),
    (int, "a number"),
    (float, "a number"),
    (type(None), "an empty value"),
    (tuple, "a list"),
    (list, "a list"),
)
"""What a template calls the values it meets; the first that fits."""

_RECORDS = {"Face": "`face`", "Run": "a part of a paragraph"}


def word_for(value: object) -> str:
    """Return what a designer calls a value."""
    if isinstance(value, Record):
        return _RECORDS.get(value._kind, f"this {value._kind.lower()}")
    return next((word for kind, word in _WORDS if isinstance(value, kind)), "this value")


class UnknownName(StrictUndefined):
    """Stands for what is not there; any use of it but a test is an error, with a sentence of ours."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        name, thing = str(self._undefined_name), self._undefined_obj
        if issubclass(self._undefined_exception, SecurityError):
            return f"`{name}` is unsafe and cannot be used in templates"
        if self._undefined_hint:
            return self._undefined_hint
        if thing is missing:
            return f"there is no `{name}`{_hint(name, NAMES)}"
        known: Iterable[object] = values_of(thing) if isinstance(thing, Record) else thing
        if not isinstance(thing, (dict, Record)):
            known = (one for one in dir(thing) if not one.startswith("_"))
        return f"{word_for(thing)} has no `{name}`{_hint(name, map(str, known))}"


def _hint(name: str, candidates: Iterable[str]) -> str:
    near = nearest(name, candidates)
    return f". Did you mean `{near}`?" if near else ""
