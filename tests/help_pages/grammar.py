"""The grammar's own text, cut into its sections."""

from __future__ import annotations

import re

from toolkit.resources import grammar_file

_TITLE = re.compile(r"^// -{5,} ?([A-Za-z ]+)$", re.MULTILINE)
_NAME = re.compile(r" *-> [a-z_]+$", re.MULTILINE)


def grammar_sections() -> dict[str, str]:
    """The rules of the grammar by the title of their section, without the names that only programs need."""
    text = grammar_file().read_text(encoding="utf-8")
    _, *parts = _TITLE.split(text)
    return {
        title.strip(): _NAME.sub("", body).strip()
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    }
