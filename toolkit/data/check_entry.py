"""What a schema has against an entry, as findings at the exact places."""

from __future__ import annotations

from toolkit.data.nodes import Mapping
from toolkit.data.schemas.parts import Schema
from toolkit.diagnostics import Diagnostic


def check_entry(node: Mapping, schema: Schema, card: str | None) -> list[Diagnostic]:
    """The findings of an entry that its schema does not accept; never empty for such a one."""
    return [Diagnostic("wrong-type", "This entry is not as it should be.", node.span, card=card)]
