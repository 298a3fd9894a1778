"""The values that templates get (texts, numbers, frozen records of these), and errors for unknown names."""

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

_HIDDEN_FIELDS = ("art", "back", "hyphenated", "places", "set_symbol", "team_logo", "translations")
"""Fields of a face that templates do not get: paths, spans and whole faces. Pictures become addresses."""


class Record:
    """A value with named fields, which are all that templates can reach. Compared by identity."""

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
    """Return the values of a record by field name."""
    return record._values


_PLAIN_TYPES = frozenset((str, int, type(None), bool, float))
"""Types that are tried first, because most values have one of them."""


def template_value(value: object) -> Any:
    """Return a value as templates get it: an instance of a value class becomes a ``Record``.

    Raises ``TypeError`` for values that templates must not reach, such as a path, which would be a shell.
    """
    if type(value) in _PLAIN_TYPES or isinstance(value, (str, int, float, CardFit, Record)):
        return value
    if isinstance(value, (Badge, RulesText, Stat)):
        return type(value)(*map(template_value, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(template_value, value))
    if isinstance(value, Mapping):
        return {template_value(key): template_value(item_value) for key, item_value in value.items()}
    if isinstance(value, Face):
        return face_record(value)
    if isinstance(value, Struct):
        return Record(
            type(value).__name__, {name: template_value(getattr(value, name)) for name in _names(type(value))}
        )
    raise TypeError(f"Templates get no {type(value).__name__}.")


def face_record(
    face: Face, art: str | None = None, logo: str | None = None, symbol: str | None = None
) -> Record:
    """Return a face as templates get it: with addresses of pictures, and flavour text in printed lines."""
    values = {
        name: template_value(getattr(face, name)) for name in _names(type(face)) if name not in _HIDDEN_FIELDS
    }
    if face.flavour is not None:
        values["flavour"] = flavour_lines(face.flavour)
    return Record("Face", {**values, "art": art, "team_logo": logo, "set_symbol": symbol})


@cache
def _names(kind: Any) -> list[str]:
    """Return the names of the fields and properties of a value class."""
    properties = (name for name, attribute in vars(kind).items() if isinstance(attribute, property))
    return [*kind.__struct_fields__, *properties]


KNOWN_NAMES = (
    *("face", "w", "h", "b", "unit", "uid", "fit", "art", "logo", "back", "pages", "shapes"),
    *("symbol", "fonts", "low_ink", "picture", "colours", "shape", "inside", "look", "tones"),
    *("icon", "ink", "mix", "readable", "contrast", "range", "loop"),
    *("gradient", "shadow", "icon_image"),
)
"""Names that the shipped templates use: values, imported templates and functions. They are suggested."""

_TYPE_WORDS: tuple[tuple[type, str], ...] = (
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
"""Words for values in messages; the first type that fits counts."""

_RECORD_WORDS = {
    "Face": "`face`",
    "LookValues": "`look`",
    "Run": "a part of a paragraph",
    "Tones": "what `tones` gives",
}


def word_for(value: object) -> str:
    """Return what a designer calls a value."""
    if isinstance(value, Record):
        return _RECORD_WORDS.get(value._kind, f"this {value._kind.lower()}")
    return next((word for kind, word in _TYPE_WORDS if isinstance(value, kind)), "this value")


class UnknownName(StrictUndefined):
    """A missing name. Any use but a test is an error, which names similar names."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        """Return why a value of a template is undefined, with a name that may be meant."""
        name, owner = str(self._undefined_name), self._undefined_obj
        if issubclass(self._undefined_exception, SecurityError):
            return f"`{name}` is unsafe and cannot be used in templates"
        if self._undefined_hint:
            return self._undefined_hint
        if owner is missing:
            return f"there is no `{name}`{_hint(name, KNOWN_NAMES)}"
        known_names: Iterable[object]
        if isinstance(owner, Record):
            known_names = values_of(owner)
        elif isinstance(owner, dict):
            known_names = owner
        else:
            known_names = [attribute for attribute in dir(owner) if not attribute.startswith("_")]
        return f"{word_for(owner)} has no `{name}`{_hint(name, map(str, known_names))}"


def _hint(name: str, candidates: Iterable[str]) -> str:
    similar_names = nearest(name, candidates)
    return f". Did you mean `{similar_names}`?" if similar_names else ""
