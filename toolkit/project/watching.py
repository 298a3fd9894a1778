"""Watching the files of a project: which of them have changed, as soon as the system reports it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from watchfiles import watch

from toolkit.data.project_files import FONT_ENDINGS, TEMPLATES, find_files, is_picture
from toolkit.source.paths import PROJECT_FILE, is_below

HALF_SAVED = 0.15
"""Seconds after which a file that is written in pieces should be whole: editors and synchronised folders
empty a file and then fill it. A card that was sound and is gone or broken is reported if it is still so after
this time; what got better is reported at once."""

_STEP = 10
"""Milliseconds without another change after which a batch is complete. The library's default of 50 adds 60
ms to each save; with 10 a save by renaming and 400 files at once still come as one batch, a slow write as
two."""

_DEBOUNCE = 200
"""Milliseconds after which a batch is complete although changes go on; the library's default is 1600, and a
save should be seen in its picture after 150."""

_WAIT = 200
"""Milliseconds without a change after which the library comes back."""

_LOOK = 10
"""After so many waits the files themselves are looked at: folders in a network, and those that a container
shares with its host, change without an event. A look at 5,000 files takes 30 ms."""

_MISSED = 2
"""So many looks in a row must find changes that were not reported before the files are polled: when the
system's queue is full, a few events are lost too."""

_POLL = 0.3
"""Seconds between two looks when files are polled, at least."""

_NO_FILE = (0, 0, 0)


class ProjectWatcher:
    """The changes of a project's files, as batches of absolute paths, for one thread to iterate over.

    Watched is what cards are made from: YAML files, templates, pictures and fonts, where ``find_files`` takes
    them for a part of the project. A batch has the paths that may have changed since the batch before, or
    since the watcher was made: make it first, then read the project. If the project file disappears, a batch
    has its path, and the batch that comes when it is there again has it too.

    Setting ``stop`` from any thread ends the iteration within 0.3 s. ``notice`` is called with a sentence if
    files are polled because the system does not report their changes; with ``poll`` they are from the start.
    """

    def __init__(
        self,
        root: Path,
        stop: threading.Event,
        *,
        poll: bool = False,
        notice: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        self._root, self._stop, self._polling, self._notice = root, stop, poll, notice
        self._project_file = os.fspath(root / PROJECT_FILE)
        self._folders: list[str] = []
        self._linked: dict[str, str] = {}
        self._stamps: dict[str, tuple[int, int, int]] = {}
        self._missed = 0
        self._look()

    def __iter__(self) -> Iterator[frozenset[Path]]:
        """Yield batches until ``stop`` is set."""
        while not self._stop.is_set():
            if not os.path.isfile(self._project_file):
                yield _batch([self._project_file])
                while not os.path.isfile(self._project_file):
                    if self._stop.wait(_POLL):
                        return
                yield _batch({self._project_file, *self._look()})
            elif self._polling:
                yield from self._polled()
            else:
                yield from self._reported()

    def _look(self) -> set[str]:
        """Look at all files, and return the paths of those that have changed since they were looked at."""
        found = find_files(self._root)
        self._linked = {os.fspath(real): os.fspath(path) for path, real in found.linked.items()}
        # what a link leads to is written where it lies
        self._folders = list(dict.fromkeys([*found.folders, *map(os.path.dirname, self._linked)]))
        before = self._stamps
        paths = (os.path.join(self._root, name) for name in found.names if _makes_cards(name))
        self._stamps = {path: _stamp(path) for path in paths}
        changed = {path for path, stamp in self._stamps.items() if before.get(path) != stamp}
        return changed | (before.keys() - self._stamps.keys())

    def _look_at(self, paths: Iterable[str]) -> None:
        """Keep the stamps of files that were reported."""
        for path in paths:
            self._stamps[path] = _stamp(path)
            if self._stamps[path] == _NO_FILE:
                del self._stamps[path]

    def _polled(self) -> Iterator[frozenset[Path]]:
        """Yield what differs between two looks, while there is a project file."""
        took = 0.0
        while not self._stop.wait(max(_POLL, 5 * took)) and os.path.isfile(self._project_file):
            began = time.monotonic()
            changed = self._look()
            took = time.monotonic() - began
            if changed:
                yield _batch(changed)

    def _reported(self) -> Iterator[frozenset[Path]]:
        """Yield what the system reports, until folders come or go, or it turns out not to report all."""
        folders = self._folders
        # Each folder by itself: `recursive` would follow links out of the project, and watch `.git`.
        events = watch(
            *folders,
            watch_filter=None,
            debounce=_DEBOUNCE,
            step=_STEP,
            stop_event=self._stop,
            rust_timeout=_WAIT,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,  # it compares whole seconds
            recursive=False,
            ignore_permission_denied=True,
        )
        waits = _LOOK - 1  # what changed before the watch began is looked for at once
        begun = False
        try:
            with closing(events):
                for batch in events:
                    paths = {path for _, path in batch}
                    changed = set(filter(None, map(self._of_project, paths)))
                    if any(os.path.basename(path) == PROJECT_FILE for path in paths) or any(
                        path in folders or os.path.isdir(path) for path in paths
                    ):
                        changed |= self._look()
                    else:
                        self._look_at(changed)
                    waits = 0 if paths else waits + 1
                    if changed:
                        self._missed = 0
                    elif waits == _LOOK:
                        waits = 0
                        changed = self._look()
                        self._missed += bool(changed) and begun
                        begun = True
                    if changed:
                        yield _batch(changed)
                    if self._missed == _MISSED:
                        self._poll("the system does not report all changes")
                    if self._polling or self._folders != folders or not os.path.isfile(self._project_file):
                        return
        except FileNotFoundError:  # a folder is gone that was there when it was looked at
            yield _batch(self._look())
        except (OSError, RuntimeError) as error:  # no more watches, or a name that is not UTF-8
            self._poll(f"the system cannot report changes ({error})")

    def _of_project(self, path: str) -> str | None:
        """The path as the project has it, if cards may be made from that file."""
        path = self._linked.get(path, path)
        return path if _makes_cards(os.path.relpath(path, self._root)) else None

    def _poll(self, why: str) -> None:
        self._polling = True
        self._notice(f"The files are looked at every {_POLL:g} s, because {why}.")


def _batch(paths: Iterable[str]) -> frozenset[Path]:
    return frozenset(map(Path, paths))


def _makes_cards(name: str) -> bool:
    """Whether cards may be made from a file, by its name relative to the project."""
    if any(part.startswith(".") for part in name.split(os.sep)):
        return False
    return (
        name.endswith((".yaml", ".yml"))
        or is_picture(name)
        or name.lower().endswith(FONT_ENDINGS)
        or is_below(name, TEMPLATES)
    )


def _stamp(path: str) -> tuple[int, int, int]:
    """Time, size and number of a file, of which one differs when it has changed."""
    try:
        found = os.stat(path)
    except OSError:
        return _NO_FILE
    return found.st_mtime_ns, found.st_size, found.st_ino
