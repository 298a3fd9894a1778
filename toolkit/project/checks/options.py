"""What a check is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from toolkit.data.project_files import Target
from toolkit.diagnostics import Severity

if TYPE_CHECKING:
    from toolkit.diagnostics.baseline import Baseline


class Text(Struct, frozen=True):
    """A text that counts in place of a file on disk; ``path`` is absolute."""

    path: Path
    data: bytes


class CheckWish(Struct, frozen=True):
    """What to check, and what of the findings to tell.

    ``today`` is the date, as 2027-01-31. ``only`` are names of findings and ``cards`` ids of entries; without
    any all are told. ``level`` is the least severity that is told. ``text`` is what is piped in.

    What is in ``baseline`` is not told. A path alone stands for a baseline that is to be made of all that
    would be told; with ``update`` what is gone is taken out of the baseline. ``fit`` asks whether the texts
    of all cards fit in print, too.
    """

    targets: Sequence[Target]
    today: str
    only: Collection[str] = ()
    cards: Collection[str] = ()
    level: Severity = "warning"
    text: Text | None = None
    baseline: Baseline | Path | None = None
    update: bool = False
    fit: bool = False


class Refusal(Struct, frozen=True):
    """Why a wish cannot be fulfilled, in a sentence."""

    message: str
