"""Effect objects as data for programs: ``opforge compile --format json``."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from toolkit.effects.objects import EffectObject

_PLACES = ("place", "amount_place", "number_place", "maximum_place", "order")


def as_data(value: EffectObject | Any) -> Any:
    """Lists, mappings, strings and numbers; a node says what it is under ``is``. Places are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        if value.__class__.__name__ == "Word":
            return value.text  # type: ignore[attr-defined]
        kind = {"is": _name(value.__class__.__name__)}
        parts = {f.name: as_data(getattr(value, f.name)) for f in fields(value) if f.name not in _PLACES}
        return kind | parts
    if isinstance(value, tuple):
        return [as_data(item) for item in value]
    return value


def _name(class_name: str) -> str:
    """``MakesDiceCritical`` → ``makes-dice-critical``."""
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(class_name))
