"""The measured offsets between fronts and backs of the user's printers, in the user's configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.resources import config_folder
from toolkit.source.writing import write_atomically

Orientation = Literal["portrait", "landscape"]

MAX_OFFSET = 10.0
"""In mm: a larger offset comes from a wrong flip or a scaled page, not from the printer."""


class Shift(NamedTuple):
    """The offset of a back from its front, seen from the front: to the right and up, in mm."""

    dx: float = 0.0
    dy: float = 0.0


class Printer(Struct, frozen=True):
    """A printer's measured offsets; None if not measured."""

    portrait: Shift | None = None
    landscape: Shift | None = None

    def shift(self, landscape: bool) -> Shift | None:
        """Return the offset for an orientation of the paper."""
        return self.landscape if landscape else self.portrait


class PrintersFileError(Exception):
    """The file of printers cannot be used; the message is for users."""


def printers_file() -> Path:
    """Return the path of the file with the printers."""
    return config_folder() / "printers.json"


def read_printers() -> dict[str, Printer]:
    """Return all printers by name. Raises ``PrintersFileError`` if the file cannot be used."""
    file = printers_file()
    try:
        written = json.loads(file.read_text(encoding="utf-8"))["printers"]
        printers = {}
        for name, offsets in sorted(written.items()):
            shifts = {str(orientation): Shift(*map(float, shift)) for orientation, shift in offsets.items()}
            printers[str(name)] = Printer(**shifts)
        return printers
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        message = f"{file} cannot be read. Fix it, or delete it and measure again."
        raise PrintersFileError(message) from None


def save_offset(name: str, orientation: Orientation, shift: Shift) -> None:
    """Save a measured offset. Raises ``PrintersFileError`` and ``OSError``."""
    printers = read_printers()
    printers[name] = replace(printers.get(name, Printer()), **{orientation: shift})
    data: dict[str, Any] = {"version": 1, "printers": {}}
    for printer_name, printer in sorted(printers.items()):
        offsets = {"portrait": printer.portrait, "landscape": printer.landscape}
        data["printers"][printer_name] = {key: [*offset] for key, offset in offsets.items() if offset}
    file = printers_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8"))
