"""What a check of a team's own finds."""

from __future__ import annotations

from msgspec import Struct

from toolkit.diagnostics.finding import Severity
from toolkit.source.short_repr import PublicValue


class OwnFinding(PublicValue, Struct, frozen=True):
    """What a check of your own finds: a sentence, about a card if it names one.

    ``key`` is the key of the card that the finding is at, such as ``ap``; without it that is the id.
    """

    message: str
    card: str | None = None
    key: str = ""
    severity: Severity = "error"
    next_step: str = ""
