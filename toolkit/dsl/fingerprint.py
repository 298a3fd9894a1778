"""A short name for what an effect says, for ``text_for:``."""

from __future__ import annotations

import json
from typing import Any

from toolkit.dsl.tree import Effect, Node, said_by

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
    if not isinstance(value, Node):
        return value
    defaults = value.__struct_defaults__
    usual = dict(zip(reversed(value.__struct_fields__), reversed(defaults), strict=False))
    parts = [(name, getattr(value, name)) for name in said_by(type(value))]
    said = [[name, _plain(part)] for name, part in parts if name not in usual or part != usual[name]]
    return [type(value).__name__, *said]
