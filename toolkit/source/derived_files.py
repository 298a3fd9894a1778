"""Files that were derived at some cost, and are kept in the user's cache folder until somebody deletes them.

An entry begins with a digest of what follows. What is damaged, cut off or another program's has another
digest, and is as if it were not there: it is made again.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from toolkit.resources import cache_folder
from toolkit.source.reading import blake2b
from toolkit.source.writing import write_atomically

_DIGEST = 32


class DerivedFile:
    """The entry of a kind (a folder of the cache) for what was derived from ``origins``: texts or bytes.

    They are all that the content depends on, the version of the program that derives it included.
    """

    def __init__(self, kind: str, *origins: object) -> None:
        digest = blake2b(digest_size=20)
        for origin in origins:
            if not isinstance(origin, bytes):
                origin = str(origin).encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(origin) + origin)  # the length keeps ("ab", "c") and ("a", "bc") apart
        self.key = digest.hexdigest()
        self._file = cache_folder() / kind / self.key

    def load(self) -> bytes | None:
        """Return what is kept; None if there is nothing sound."""
        return load_derived(self._file)

    def keep(self, content: bytes, max_files: int | None = None) -> None:
        """Keep what was derived, and of the kind only the ``max_files`` files that were written last."""
        keep_derived(self._file, content)
        if max_files is not None:
            _remove_oldest(self._file.parent, max_files)


def load_derived(file: Path) -> bytes | None:
    """Return what is kept in a file of the cache; None if there is nothing sound."""
    with suppress(OSError):
        entry = file.read_bytes()
        content = entry[_DIGEST:]
        if blake2b(content, digest_size=_DIGEST).digest() == entry[:_DIGEST]:
            return content
    return None


def keep_derived(file: Path, content: bytes) -> None:
    """Keep what was derived. If it cannot be written, only time is lost."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, blake2b(content, digest_size=_DIGEST).digest() + content)


def _remove_oldest(folder: Path, max_files: int) -> None:
    """Keep only the files of a folder that were written last."""
    with suppress(OSError):
        files = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        for path in files[:-max_files]:
            path.unlink(missing_ok=True)
