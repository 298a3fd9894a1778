"""Addresses of the web: where what is written here is published."""

from __future__ import annotations

import re


def invalid_address(address: str | None) -> str | None:
    """Return an error message for what no page can link to or show pictures from; None is no address."""
    if address is None or re.fullmatch(r"https?://[^\s\"'<>()|]+", address):
        return None
    return f"{address!r} is not a valid address: it must begin with https:// and have no spaces or brackets."
