"""The trials of the pages: kept by a digest of their values, and read again after the project has changed.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from toolkit.apps.preview.responses import ApiError, keep_newest
from toolkit.apps.preview.served_project import ServedProject
from toolkit.apps.preview.snapshot import project_snapshot

if TYPE_CHECKING:
    from toolkit.apps.preview.card_details import CardDetails
    from toolkit.editing.what_if import Trial, TriedValue
    from toolkit.project.pipeline import Workspace

MAX_TRIALS = 32
"""Trials that are kept at most; the least recently used is dropped."""
_MAX_READ_TRIALS = 4


class _ReadTrial(Struct):
    """A trial as it was read with a state of the project, and the details of its cards once they are used."""

    workspace: Workspace
    trial: Trial
    details: CardDetails | None = None


class Trials:
    """The trials of a session, for the reading thread only. A trial is named by the digest of its tries."""

    def __init__(self, session: ServedProject) -> None:
        self.session = session
        self._tries: dict[str, tuple[TriedValue, ...]] = {}
        self._read_trials: dict[str, _ReadTrial] = {}
        self._shown_texts: dict[
            str, tuple[str, ...]
        ] = {}  # of the changed files, as their difference has them

    def add(self, tries: Iterable[TriedValue]) -> tuple[str, Trial]:
        """Return a trial of values, with its name. Raises ``ApiError`` if one cannot be tried."""
        from toolkit.editing.what_if import MAX_TRIES

        all_tries = tuple(tries)
        if len(all_tries) > MAX_TRIES:
            raise ApiError(422, f"A trial may have at most {MAX_TRIES} values.")
        name = hashlib.sha256(msgspec.json.encode(all_tries)).hexdigest()[:16]
        self._tries[name] = all_tries
        try:
            trial = self.trial(name)
        except ApiError as error:  # a wrong value is no unknown trial
            raise ApiError(422, str(error)) from None
        texts = tuple([change.file.text for change in trial.changes])
        keep_newest(self._shown_texts, name, texts, MAX_TRIALS)
        return name, trial

    def is_as_shown(self, name: str) -> bool:
        """Whether the files of a trial are unchanged since its difference was shown."""
        return self._shown_texts.get(name) == tuple([change.file.text for change in self.trial(name).changes])

    def trial(self, name: str) -> Trial:
        """Return a trial, read with the present project. Raises ``ApiError`` if it has been dropped."""
        from toolkit.editing.what_if import try_values

        tries = self._tries.get(name)
        if tries is None:
            raise ApiError(404, "This trial is not known any more; try the values again.")
        workspace = self.session.workspace
        read_trial = self._read_trials.get(name)
        if read_trial is None or read_trial.workspace is not workspace:
            trial = try_values(self.session.project, tries)
            if isinstance(trial, str):
                del self._tries[name]
                raise ApiError(404, trial)
            read_trial = _ReadTrial(workspace, trial)
        keep_newest(self._tries, name, tries, MAX_TRIALS)
        keep_newest(self._read_trials, name, read_trial, _MAX_READ_TRIALS)
        return read_trial.trial

    def details(self, name: str) -> CardDetails:
        """Return the details of cards as if the values of a trial were saved."""
        from toolkit.apps.preview.card_details import CardDetails

        session, project = self.session, self.trial(name).project
        read_trial = self._read_trials[name]
        if read_trial.details is None:
            snapshot = project_snapshot(project, session.options, session.snapshot, read_trial.workspace)
            read_trial.details = CardDetails(project, snapshot, read_trial.workspace)
        return read_trial.details

    def workspace(self, name: str | None) -> Workspace:
        """Return the project as if the values of a trial were saved; without a trial as it is."""
        return self.trial(name).project.current if name else self.session.workspace
