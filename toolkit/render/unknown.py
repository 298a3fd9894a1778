"""A name in a template that is not there: told in a designer's words, with the nearest right one."""

from __future__ import annotations

from collections.abc import Iterable

from jinja2 import StrictUndefined
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext
from jinja2.utils import missing

from toolkit.render.face import Face, RulesText, Stat
from toolkit.render.fit import CardFit
from toolkit.vocabulary.nearest import nearest
from toolkit.wording.text import Run

NAMES = (
    *("face", "w", "h", "b", "unit", "uid", "fit", "art", "logo", "back", "pages", "shapes"),
    *("low_ink", "picture", "colours"),
    *("icon", "ink", "mix", "readable", "contrast", "range", "loop"),
    *("gradient", "shadow", "icon_image"),
)
"""What the shipped templates know by name: what they are filled with, what they import, and functions."""

_WORDS: tuple[tuple[type, str], ...] = (
    (Face, "`face`"),
    (CardFit, "`fit`"),
    (Stat, "a stat of `face.stats`"),
    (RulesText, "a text of `face.skills`"),
    (Run, "a part of a paragraph"),
    (LoopContext, "`loop`"),
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
        owner = next((word for kind, word in _WORDS if isinstance(thing, kind)), "this value")
        return f"{owner} has no `{name}`{_hint(name, _names(thing))}"


def _names(thing: object) -> Iterable[str]:
    """What a template may ask the thing for."""
    if isinstance(thing, dict):
        return [str(key) for key in thing]
    return [name for name in dir(thing) if not name.startswith("_")]


def _hint(name: str, candidates: Iterable[str]) -> str:
    near = nearest(name, candidates)
    return f". Did you mean `{near}`?" if near else ""
