"""A name in a template that is not there: told in a designer's words, with the nearest right one."""

from __future__ import annotations

from collections.abc import Iterable

from jinja2 import StrictUndefined
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.utils import missing

from toolkit.render.face import RulesText, Stat
from toolkit.render.fit import CardFit
from toolkit.render.template_values import Record, kind_of, values_of
from toolkit.vocabulary.nearest import nearest

NAMES = (
    *("face", "w", "h", "b", "unit", "uid", "fit", "art", "logo", "back", "pages", "shapes"),
    *("low_ink", "picture", "colours"),
    *("icon", "ink", "mix", "readable", "contrast", "range", "loop"),
    *("gradient", "shadow", "icon_image"),
)
"""What the shipped templates know by name: what they are filled with, what they import, and functions."""

_WORDS: tuple[tuple[type, str], ...] = (
    (CardFit, "`fit`"),
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
    """What a template calls a value."""
    if isinstance(value, Record):
        return _RECORDS.get(kind_of(value), f"this {kind_of(value).lower()}")
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
        return f"{word_for(thing)} has no `{name}`{_hint(name, _names(thing))}"


def _names(thing: object) -> Iterable[str]:
    """What a template may ask the thing for."""
    if isinstance(thing, (dict, Record)):
        return [str(key) for key in (values_of(thing) if isinstance(thing, Record) else thing)]
    return [name for name in dir(thing) if not name.startswith("_")]


def _hint(name: str, candidates: Iterable[str]) -> str:
    near = nearest(name, candidates)
    return f". Did you mean `{near}`?" if near else ""
