"""Watching the files of a project for changes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from watchfiles import watch
from watchfiles.main import FileChange

from toolkit.data.project_files import FONT_ENDINGS, TEMPLATES, find_files, is_picture
from toolkit.source.paths import NO_STAMP, PROJECT_FILE, Stamp, file_stamp, has_ending, is_below, is_yaml

_HALF_SAVED = 0.15
"""Seconds after which a file that is written in pieces should be complete: editors and synchronised folders
empty a file and then fill it. A card that was sound and is gone or broken is reported only if it still is
after this time; improvements are reported immediately."""

_STEP = 10
"""Milliseconds without another change after which a batch is complete. The library's default of 50 adds 60
ms to each save; with 10 a save by renaming and 400 files at once still come as one batch, a slow write as
two."""

_DEBOUNCE = 200
"""Milliseconds after which a batch is complete although changes go on; the library's default is 1600, and a
save should be seen in its picture after 150."""

_RUST_TIMEOUT = 200
"""Milliseconds without a change after which the library yields an empty batch."""

_SCAN_EVERY = 10
"""Empty batches after which the files themselves are scanned: folders in a network, and those that a
container shares with its host, change without an event. A scan of 5,000 files takes 30 ms."""

_MAX_MISSED_IN_ROW = 2
"""Scans in a row that found unreported changes, after which the files are polled. One is not enough: a few
events are also lost when the system's queue is full."""

_POLL_INTERVAL = 0.3
"""Seconds between two scans when files are polled, at least."""


class HalfSaved(Struct):
    """The wait for cards that a save has lost, because their file may be half saved."""

    _end: float | None = None  # while it waits

    def seconds(self, is_any_lost: bool) -> float:
        """Return the seconds to wait after a reading until lost cards are reported; 0 if they are now."""
        now = time.monotonic()
        has_waited = self._end is not None and self._end <= now
        if not is_any_lost or has_waited:
            self._end = None
            return 0.0
        if self._end is None:
            self._end = now + _HALF_SAVED
        return self._end - now


class ProjectWatcher:
    """The changes of a project's files, as batches of absolute paths, for one thread to iterate over.

    Watched are the YAML files, templates, pictures and fonts that ``find_files`` finds in the project. A
    batch has the paths that may have changed since the batch before, or since the watcher was made: make it
    first, then read the project. A batch also has the path of a project file that disappears or is back.
    Without one, the folder is not scanned: it may be a home folder, with any number of files.

    Setting ``stop`` from any thread ends the iteration within 0.3 s. With ``poll`` files are polled from the
    start. If they must be because the system does not report changes, ``notice`` is called with a sentence.
    """

    def __init__(
        self,
        root: Path,
        stop: threading.Event,
        *,
        poll: bool = False,
        notice: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        self._root = root
        self._stop = stop
        self._polling = poll
        self._report_polling = notice
        self._project_file = os.fspath(root / PROJECT_FILE)
        self._folders: list[str] = []  # that are watched
        self._path_of_target: dict[str, str] = {}  # by the file that a link leads to, the link's own path
        self._stamps: dict[str, Stamp] = {}
        self._missed_in_row = 0  # scans in a row that found unreported changes
        if os.path.isfile(self._project_file):
            self._scan()

    def __iter__(self) -> Iterator[frozenset[Path]]:
        """Yield batches until ``stop`` is set."""
        while not self._stop.is_set():
            if not os.path.isfile(self._project_file):  # that it disappears, and is back, are changes, too
                yield _batch([self._project_file])
                while not os.path.isfile(self._project_file):
                    if self._stop.wait(_POLL_INTERVAL):
                        return
                yield _batch({self._project_file, *self._scan()})
            elif self._polling:
                yield from self._poll_changes()
            else:
                yield from self._system_changes()

    def _scan(self) -> set[str]:
        """Scan all files, and return the paths of those that have changed since their last scan."""
        listing = find_files(self._root)
        self._path_of_target = {os.fspath(real): os.fspath(path) for path, real in listing.linked.items()}
        # a link does not change when its target is written, so the target's folder is watched
        self._folders = list(dict.fromkeys([*listing.folders, *map(os.path.dirname, self._path_of_target)]))
        stamps_before = self._stamps
        paths = (os.path.join(self._root, name) for name in listing.names if _is_watched(name))
        self._stamps = {path: file_stamp(path) for path in paths}
        changed = {path for path, stamp in self._stamps.items() if stamps_before.get(path) != stamp}
        return changed | (stamps_before.keys() - self._stamps.keys())

    def _poll_changes(self) -> Iterator[frozenset[Path]]:
        """Yield the differences between scans, as long as there is a project file."""
        seconds = 0.0
        while not self._stop.wait(max(_POLL_INTERVAL, 5 * seconds)) and os.path.isfile(self._project_file):
            start = time.monotonic()
            changed = self._scan()
            seconds = time.monotonic() - start
            if changed:
                yield _batch(changed)

    def _system_changes(self) -> Iterator[frozenset[Path]]:
        """Yield what the system reports, until folders come or go, or it turns out to miss changes."""
        folders = self._folders
        events = _events_in(folders, self._stop)
        empty_batches = _SCAN_EVERY - 1  # the first empty batch scans for what changed before the watch began
        has_scanned = False
        try:
            with closing(events):
                for batch in events:
                    changed = self._changed_among({path for _, path in batch})
                    empty_batches = 0 if batch else empty_batches + 1
                    if changed:
                        self._missed_in_row = 0
                    elif empty_batches == _SCAN_EVERY:
                        empty_batches = 0
                        changed = self._scan()
                        if changed and has_scanned:  # the first scan may find what changed before the watch
                            self._missed_in_row += 1
                        has_scanned = True
                    if changed:
                        yield _batch(changed)
                    if self._missed_in_row == _MAX_MISSED_IN_ROW:
                        self._switch_to_polling("the system does not report all changes")
                    if self._polling or self._folders != folders or not os.path.isfile(self._project_file):
                        return
        except FileNotFoundError:  # a folder has been removed since the scan
            yield _batch(self._scan())
        except (OSError, RuntimeError) as error:  # no more watches, or a name that is not UTF-8
            self._switch_to_polling(f"the system cannot report changes ({error})")

    def _changed_among(self, paths: set[str]) -> set[str]:
        """Return the project's files among changed paths; where folders changed, scan all files."""
        changed = set(filter(None, map(self._project_path, paths)))
        are_folders = (path in self._folders or os.path.isdir(path) for path in paths)
        is_project_file = (os.path.basename(path) == PROJECT_FILE for path in paths)
        if any(is_project_file) or any(are_folders):
            return changed | self._scan()
        for path in changed:
            self._stamps[path] = file_stamp(path)
            if self._stamps[path] == NO_STAMP:
                del self._stamps[path]
        return changed

    def _project_path(self, path: str) -> str | None:
        """Return the project's path for a changed file or the target of a link; None if unwatched."""
        path = self._path_of_target.get(path, path)
        return path if _is_watched(os.path.relpath(path, self._root)) else None

    def _switch_to_polling(self, reason: str) -> None:
        self._polling = True
        self._report_polling(f"The files are polled every {_POLL_INTERVAL:g} s, because {reason}.")


def _events_in(folders: list[str], stop: threading.Event) -> Generator[set[FileChange], None, None]:
    """Return the batches of changes that the system reports, and empty ones in between."""
    # each folder by itself: `recursive` would follow links out of the project, and watch `.git`
    return watch(
        *folders,
        watch_filter=None,
        debounce=_DEBOUNCE,
        step=_STEP,
        stop_event=stop,
        rust_timeout=_RUST_TIMEOUT,
        yield_on_timeout=True,
        raise_interrupt=False,
        force_polling=False,  # its polling compares whole seconds
        recursive=False,
        ignore_permission_denied=True,
    )


def _batch(paths: Iterable[str]) -> frozenset[Path]:
    return frozenset(map(Path, paths))


def _is_watched(name: str) -> bool:
    """Whether a file is watched, by its name relative to the project."""
    if any(folder_name.startswith(".") for folder_name in name.split(os.sep)):
        return False
    return is_yaml(name) or is_picture(name) or has_ending(name, FONT_ENDINGS) or is_below(name, TEMPLATES)
