"""A short word for what is printed on a card: it changes when anything on the face does."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from toolkit.data.picture_files import MOST_BYTES
from toolkit.render.face import Face
from toolkit.source.paths import read_regular

_NOT_SEEN = frozenset({"places", "quantity", "back"})


def fingerprint(face: Face) -> str:
    """Eight hexadecimal digits, made of the words, numbers and pictures of the face."""
    digest = blake2b(digest_size=4)
    for name in face.__struct_fields__:
        if name not in _NOT_SEEN:
            value = getattr(face, name)
            digest.update(f"{name}={'' if isinstance(value, Path) else value!r}\n".encode())
            if isinstance(value, Path):
                digest.update(_content(value))
    return digest.hexdigest()


def _content(picture: Path) -> bytes:
    """The picture itself, wherever it lies; a missing one is as none."""
    with suppress(OSError):
        return read_regular(picture, MOST_BYTES)
    return b""
