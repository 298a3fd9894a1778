"""Files that were derived at some cost, and are kept in the user's cache folder until somebody deletes them.

An entry begins with a digest of what follows. What is damaged, cut off or another program's has another
digest, and is as if it were not there: it is made again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from toolkit.resources import cache_folder
from toolkit.source.writing import write_atomically

_DIGEST = 32


def load_derived(kind: str, key: str) -> bytes | None:
    """Return what is kept of a kind (a folder of the cache) under a key; None if there is nothing sound."""
    with suppress(OSError):
        entry = _place(kind, key).read_bytes()
        content = entry[_DIGEST:]
        if hashlib.sha256(content).digest() == entry[:_DIGEST]:
            return content
    return None


def keep_derived(kind: str, key: str, content: bytes) -> None:
    """Keep what was derived. If it cannot be written, only time is lost."""
    with suppress(OSError):
        file = _place(kind, key)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, hashlib.sha256(content).digest() + content)


def _place(kind: str, key: str) -> Path:
    return cache_folder() / kind / key
