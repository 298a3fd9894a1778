"""The tries of the pages: kept by what is tried, and read again when the project has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from toolkit.preview.answers import Refused, keep
from toolkit.preview.served_project import ServedProject

if TYPE_CHECKING:
    from toolkit.pipeline import Workspace
    from toolkit.preview.card_details import CardDetails
    from toolkit.project.trial import Trial, Try

MOST_TRIALS = 32
"""So many are known; the one that was used least recently is forgotten."""
_MOST_READ = 4


class _Reading(Struct):
    """A trial in a state of the project, and what is shown of its cards."""

    workspace: Workspace
    trial: Trial
    details: CardDetails | None = None


class Trials:
    """The trials of a session, for the reading thread only. A trial is named by the digest of its tries."""

    def __init__(self, session: ServedProject) -> None:
        self.session = session
        self._known: dict[str, tuple[Try, ...]] = {}
        self._read: dict[str, _Reading] = {}
        self._shown: dict[str, tuple[str, ...]] = {}

    def add(self, tries: Iterable[Try]) -> tuple[str, Trial]:
        """Try values; return the trial with its name. Raises ``Refused`` where one cannot be tried."""
        from toolkit.project.trial import MOST_TRIES

        listed = tuple(tries)
        if len(listed) > MOST_TRIES:
            raise Refused(422, f"At most {MOST_TRIES} values are tried at once.")
        name = hashlib.sha256(msgspec.json.encode(listed)).hexdigest()[:16]
        self._known[name] = listed
        try:
            trial = self.trial(name)
        except Refused as refused:
            raise Refused(422, str(refused)) from None
        keep(self._shown, name, tuple([change.file.text for change in trial.changes]), MOST_TRIALS)
        return name, trial

    def is_as_shown(self, name: str) -> bool:
        """Whether the files of a trial are still those to which the page was shown the difference."""
        return self._shown.get(name) == tuple([change.file.text for change in self.trial(name).changes])

    def trial(self, name: str) -> Trial:
        """Return a trial in the project as it stands. Raises ``Refused`` where it is not known any more."""
        from toolkit.project.trial import try_values

        tries = self._known.get(name)
        if tries is None:
            raise Refused(404, "This trial is not known any more; try the values again.")
        workspace = self.session.workspace
        read = self._read.get(name)
        if read is None or read.workspace is not workspace:
            found = try_values(self.session.project, tries)
            if isinstance(found, str):
                del self._known[name]
                raise Refused(404, found)
            read = _Reading(workspace, found)
        keep(self._known, name, tries, MOST_TRIALS)
        keep(self._read, name, read, _MOST_READ)
        return read.trial

    def details(self, name: str) -> CardDetails:
        """Return what is shown of cards while the values of a trial stand in their files."""
        from toolkit.preview.card_details import CardDetails
        from toolkit.preview.snapshot import project_snapshot

        session, project = self.session, self.trial(name).project
        read = self._read[name]
        if read.details is None:
            snapshot = project_snapshot(project, session.options, session.snapshot, read.workspace)
            read.details = CardDetails(project, snapshot, read.workspace)
        return read.details

    def workspace(self, name: str | None) -> Workspace:
        """Return the project in which the values of a trial stand; without a trial as it stands."""
        return self.trial(name).project.current if name else self.session.workspace
