"""The tries of the pages: kept by what is tried, and read again when the project has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct

from toolkit.preview.answers import Refused

if TYPE_CHECKING:
    from toolkit.pipeline import Workspace
    from toolkit.preview.card_details import CardDetails
    from toolkit.preview.pictures import Pictures
    from toolkit.preview.snapshot import PreviewOptions, Snapshot
    from toolkit.project.live_project import LiveProject
    from toolkit.project.trial import Trial, Try

MOST_TRIALS = 32
"""So many are known; the one that was used least recently is forgotten."""
_MOST_READ = 4


class Previewed(Protocol):
    """Whose values are tried: a session."""

    root: Path
    options: PreviewOptions
    snapshot: Snapshot
    pictures: Pictures

    @property
    def project(self) -> LiveProject:
        """The project, in the reading thread only."""
        ...

    @property
    def workspace(self) -> Workspace:
        """The project as it stands, in the reading thread only."""
        ...


class _Reading(Struct):
    """A trial in a state of the project, and what is shown of its cards."""

    workspace: Workspace
    trial: Trial
    details: CardDetails | None = None


class Trials:
    """The trials of a session, for the reading thread only. A trial is named by the digest of its tries."""

    def __init__(self, session: Previewed) -> None:
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
        self._shown.pop(name, None)
        self._shown[name] = tuple([change.file.text for change in trial.changes])
        while len(self._shown) > MOST_TRIALS:
            del self._shown[next(iter(self._shown))]
        return name, trial

    def is_as_shown(self, name: str) -> bool:
        """Whether the files of a trial are still those to which the page was shown the difference."""
        return self._shown.get(name) == tuple([change.file.text for change in self.trial(name).changes])

    def trial(self, name: str) -> Trial:
        """Return a trial in the project as it stands. Raises ``Refused`` where it is not known any more."""
        from toolkit.project.trial import try_values

        tries = self._known.pop(name, None)
        if tries is None:
            raise Refused(404, "This trial is not known any more; try the values again.")
        workspace = self.session.workspace
        read = self._read.pop(name, None)
        if read is None or read.workspace is not workspace:
            found = try_values(self.session.project, tries)
            if isinstance(found, str):
                raise Refused(404, found)
            read = _Reading(workspace, found)
        self._known[name], self._read[name] = tries, read
        for kept, most in ((self._known, MOST_TRIALS), (self._read, _MOST_READ)):
            while len(kept) > most:
                del kept[next(iter(kept))]
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

    def card(self, name: str, id: str) -> dict[str, Any]:
        """Return all of a card while the values of a trial stand. Raises ``Refused`` for an unknown one."""
        from toolkit.preview.card_details import findings_json

        details = self.details(name)
        found = details.card(id)
        if found is None:
            raise Refused(404, f"There is no card {id!r}.")
        project = details.project if details.project.cards.find(id) is not None else self.session.project
        state = project.workspace
        pictures, findings = self.session.pictures.of_card(id, state)
        found["findings"] += findings_json(findings, self.session.root)["findings"]
        return found | pictures

    def workspace(self, name: str | None) -> Workspace:
        """Return the project in which the values of a trial stand; without a trial as it stands."""
        found = self.trial(name).project.workspace if name else self.session.workspace
        assert found is not None, "it was read"
        return found
