"""What the fit check found out about each card, kept in the user's cache folder.

A card is known by everything that is printed on it; what is known of it holds for the same templates, engine,
card size and program. The cache may be deleted at any time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from msgspec.structs import replace

from toolkit import __version__
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.fit import Measure
from toolkit.resources import cache_folder
from toolkit.source.writing import write_atomically

Measures = Mapping[Face, tuple[Measure, ...]]
"""Of each card the regions whose text does not fit at its smallest size."""


class FitMemory:
    """What is known under certain circumstances, which are told by their words."""

    def __init__(self, roots: Roots, circumstances: Iterable[object]) -> None:
        digest = blake2b(digest_size=16)
        for part in (__version__, _program(), *circumstances):
            digest.update(f"{part}\0".encode())
        for folder in roots.folders:
            for path in roots.files(folder):
                digest.update(f"{path}\0{_stamp(path)}\0".encode())
        self._place = cache_folder() / "fit" / f"{digest.hexdigest()}.json"

    def recall(self, faces: Iterable[Face]) -> dict[Face, tuple[Measure, ...]]:
        """What is known of those of the cards of which something is known."""
        try:
            known = json.loads(self._place.read_text(encoding="utf-8"))
            found = ((face, known.get(_key(face))) for face in faces)
            return {face: tuple(map(_measure, data)) for face, data in found if data is not None}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def keep(self, measures: Measures) -> None:
        """Keep what is known now, and nothing else. A cache that cannot be written is no mistake."""
        data = {_key(face): found for face, found in measures.items()}
        with suppress(OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._place, json.dumps(data).encode())


def _key(face: Face) -> str:
    """All that is printed on a card, and of its pictures whether they have changed."""
    pictures = [_stamp(path) for path in (face.art, face.team_logo) if path is not None]
    shown = repr((replace(face, places={}, quantity=1), pictures))
    return blake2b(shown.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _measure(data: list[object]) -> Measure:
    number, region, size, floor, box, content, *tail = data
    return Measure(number, region, size, floor, tuple(box), tuple(content), *tail)  # type: ignore[arg-type]


def _program() -> str:
    """Changes whenever a module of this room does."""
    stamps = [_stamp(path) for path in sorted(Path(__file__).parent.glob("*.py"))]
    return blake2b(repr(stamps).encode(), digest_size=8).hexdigest()


def _stamp(path: Path) -> tuple[int, int]:
    """Time and size of a file; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
