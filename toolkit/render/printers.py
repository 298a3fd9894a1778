"""How far each printer puts backs from their fronts: measured once, kept in the user's configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct

from toolkit.resources import config_folder
from toolkit.source.writing import write_atomically

Orientation = Literal["portrait", "landscape"]

MAX_OFFSET = 10.0
"""An offset beyond this is no printer's, but a wrong flip or a scaled page; in mm."""


class Shift(NamedTuple):
    """How far a back is from its front, seen from the front: to the right and up, in mm."""

    dx: float = 0.0
    dy: float = 0.0


class Printer(Struct, frozen=True):
    """A printer's measured shifts; None where it was not measured."""

    portrait: Shift | None = None
    landscape: Shift | None = None

    def shift(self, landscape: bool) -> Shift | None:
        """That for paper that lies so."""
        return self.landscape if landscape else self.portrait


class PrintersFileError(Exception):
    """The file of printers cannot be used; the message says why."""


def printers_file() -> Path:
    """Where the printers are kept."""
    return config_folder() / "printers.json"


def read_printers() -> dict[str, Printer]:
    """Return all printers by name. Raises ``PrintersFileError`` if the file cannot be used."""
    file = printers_file()
    try:
        written = json.loads(file.read_text(encoding="utf-8"))["printers"]
        return {
            str(name): Printer(**{str(way): Shift(*map(float, shift)) for way, shift in ways.items()})
            for name, ways in sorted(written.items())
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        message = f"{file} cannot be read. Fix it, or delete it and measure again."
        raise PrintersFileError(message) from None


def save_offset(name: str, orientation: Orientation, shift: Shift) -> None:
    """Keep what was measured. Raises ``PrintersFileError``, and ``OSError`` where it cannot be written."""
    printers = read_printers()
    known = printers.get(name, Printer())
    ways = {"portrait": known.portrait, "landscape": known.landscape, orientation: shift}
    printers[name] = Printer(**ways)
    data = {
        "version": 1,
        "printers": {
            each: {way: [*kept] for way in ("portrait", "landscape") if (kept := getattr(printer, way))}
            for each, printer in sorted(printers.items())
        },
    }
    file = printers_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8"))
