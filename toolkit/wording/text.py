"""Rules text as it is handed on: runs of characters that know what they are, without any markup."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

RunKind = Literal["text", "keyword", "stat", "die", "reminder"]
"""What a run is: plain words; a keyword in capitals (BONUS, HIT); the name of a stat or a counter (AP,
HITCOUNTER), which a face may print with an icon; a die (ATTACK D6, DEFENCE D6), likewise; a reminder in
parentheses."""


class Run(Struct, frozen=True):
    """A stretch of rules text of one kind; ``text`` is complete, a face that knows no icons prints it.

    ``icon`` names the icon of a stat or die run, the same in every language: ``ap ep dp mp``,
    ``hitcounter``, ``objectivecounter``, ``attack-d6``, ``defence-d6``.
    """

    kind: RunKind
    text: str
    icon: str = ""


Paragraph = tuple[Run, ...]


def plain(paragraphs: tuple[Paragraph, ...]) -> str:
    """The text without kinds, one line for each paragraph."""
    return "\n".join("".join(run.text for run in paragraph) for paragraph in paragraphs)
