"""A short name for what an effect says, for ``text_for:``."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from toolkit.dsl.tree import Effect

_DIGITS = 10


def fingerprint(effect: Effect) -> str:
    """Ten hexadecimal digits that change when the tree changes, and only then.

    Places, spaces, line ends, comments and the forms that are interchangeable (``get``/``gets``) do not
    count. It is the same in every run and version of Python. Fields that have their default value do not
    count either, so that a field added to the tree later leaves the fingerprints of today's effects alone.
    """
    import hashlib  # it loads OpenSSL, and few effects need it

    text = json.dumps(_plain(effect), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not is_dataclass(value):
        return value
    said = [
        [field.name, _plain(getattr(value, field.name))]
        for field in fields(value)
        if field.compare and (field.default is MISSING or getattr(value, field.name) != field.default)
    ]
    return [type(value).__name__, *said]
