"""URIs as editors write them, and paths."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")


def path_of(uri: str, *, windows: bool = os.name == "nt") -> Path | None:
    """The absolute path that a ``file:`` URI means; None for any other (``untitled:`` …) or a broken one.

    Editors escape more than they must (``file:///c%3A/cards``), and on Windows name a drive or a server.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or not path.startswith("/") or "\0" in path:
        return None
    server = "" if parts.netloc in ("", "localhost") else unquote(parts.netloc)
    if windows:
        path = path[1:] if _DRIVE.match(path) else path
        return Path(f"//{server}{path}" if server else path)
    return None if server else Path(os.path.abspath(path))


def uri_of(path: Path) -> str:
    """The URI of an absolute path."""
    return path.as_uri()
