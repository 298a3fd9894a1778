"""Addresses of the web: where what is written here is published."""

from __future__ import annotations

import re


def invalid_address(address: str | None) -> str | None:
    """Return an error message if a page cannot link to an address or show its pictures; without one, None."""
    if address is None or re.fullmatch(r"(?i:https?)://[^\s\"'<>()|]+", address):
        return None
    return f"{address!r} is not a valid address: it must begin with https:// and have no spaces or brackets."


def invalid_folder_address(address: str | None) -> str | None:
    """Return an error message if names of files cannot be written behind an address; without one, None.

    A link to a page may end with ``?`` or ``#`` and what follows, a folder may not.
    """
    if address is not None and re.search(r"[?#]", address):
        return f"{address!r} is not the address of a folder: leave out what begins with ? or #."
    return invalid_address(address)
