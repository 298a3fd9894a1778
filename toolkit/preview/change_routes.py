"""What changed on the cards since a revision of git, or since the older copy that the command named."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.routing import Route

from toolkit.preview.answers import Refused, get_route, keep
from toolkit.preview.session import Session
from toolkit.preview.snapshot import numbers_of
from toolkit.project.output import Refusal

if TYPE_CHECKING:
    from toolkit.data.model import Card, Objective
    from toolkit.pipeline import Workspace
    from toolkit.project.changes.model import Changes
    from toolkit.project.live_project import LiveProject

_SLICE = 0.05
"""Seconds for which cards are compared before something else may be read."""

_MOST_KEPT = 2
"""So many older versions are kept; each lies in a temporary folder, from which its faces are drawn."""

_MOST_RESULTS = 4
_MOST_FACES = 500
"""Of so many changed cards faces are shown; there is a limit to how many have an address."""

_AT_ONCE = 20
"""So many faces get their addresses at once."""


def routes(session: Session) -> list[Route]:
    """The route of the changes.

    ``GET /api/changes?since=&lang=&trial=`` answers as ``opforge changes --format json`` prints, with the
    ``commit`` of the revision (null for a folder), and for each card four pairs ``{before, now}``, null where
    there is no such card: ``faces`` and ``backs`` (digests), ``texts`` (the rules text by language) and
    ``stats`` (numbers by key).
    """
    comparisons = Comparisons(session)

    async def changes(request: Request) -> dict[str, Any]:
        asked = request.query_params
        return await comparisons.since(asked.get("since"), asked.get("lang"), asked.get("trial"))

    return [get_route("/api/changes", changes)]


T = TypeVar("T")
Comparing = Generator[None, None, T]
"""Steps of a comparison, and its result."""


_Key = tuple[str, str, str | None]
"""An older version, a language and a trial."""


class _Older(Struct):
    """An older version that was read, and the folder that holds it as long as it is kept."""

    commit: str | None
    project: LiveProject
    held: ExitStack


class Comparisons:
    """Comparisons with older versions. The last result of each is kept until the project changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._older: OrderedDict[str, _Older] = OrderedDict()
        self._changes: dict[_Key, tuple[Workspace, Changes]] = {}
        self._answers: dict[_Key, tuple[Workspace, dict[str, Any]]] = {}
        self._one = asyncio.Lock()
        self._folder: TemporaryDirectory[str] | None = None
        session.on_close.append(self._close)
        if session.options.since is not None:
            session.after_update.append(self._mark)

    async def since(
        self, revision: str | None, language: str | None, trial: str | None = None
    ) -> dict[str, Any]:
        """Return what changed since a revision that git lists, or that of the command; ``HEAD`` by default.

        With a ``trial`` its values count as saved. Raises ``Refused``: 404 where there is no such revision,
        or no project in it, or no such trial; 422 for a language that one of the two versions lacks.
        """
        async with self._one:
            return await self._done(lambda: self._answered(revision, language, trial))

    async def _mark(self) -> None:
        """Mark the cards that have changed since the revision of the command."""
        ids: frozenset[str] | None = None
        with suppress(Refused):
            async with self._one:
                _, _, changes = await self._done(lambda: self._compared(None, None, None))
            ids = frozenset(
                card.id for card in changes.cards if card.now and (card.to_print or card.differences)
            )
        self._session.mark_changed(ids)

    async def _done(self, comparing: Callable[[], Comparing[T]]) -> T:
        """Compare in the reading thread, where a save may be read in between."""
        steps = await self._session.reading(comparing)
        while (found := await self._session.reading(_advanced, steps)) is None:
            pass
        return found

    # in the reading thread

    def _answered(
        self, revision: str | None, language: str | None, trial: str | None
    ) -> Comparing[dict[str, Any]]:
        """Answer what changed; it yields whenever something else may be done."""
        while True:
            key, now, changes = yield from self._compared(revision, language, trial)
            kept = self._answers.get(key)
            if kept is None or kept[0] is not now:
                kept = now, (yield from _answer(self._session, self._older[key[0]], now, changes))
                keep(self._answers, key, kept, _MOST_RESULTS)
            if now is self._session.trials.workspace(trial):  # nothing was saved meanwhile
                return {**kept[1], "since": changes.since}

    def _compared(
        self, revision: str | None, language: str | None, trial: str | None
    ) -> Comparing[tuple[_Key, Workspace, Changes]]:
        from toolkit.project.changes.comparison import compare

        session = self._session
        since = revision or session.options.since or "HEAD"
        version = self._opened(since)
        while True:
            now = self._session.trials.workspace(trial)
            spoken = language or session.options.lang or now.cards.project.languages[0]
            unspoken = now.unknown_language(spoken)
            if unspoken:
                raise Refused(422, unspoken)
            key = version, spoken, trial
            kept = self._changes.get(key)
            if kept is None or kept[0] is not now:
                found = yield from compare(self._older[version].project, now, since, spoken)
                if isinstance(found, Refusal):
                    raise Refused(422, found.message)
                kept = now, found
                keep(self._changes, key, kept, _MOST_RESULTS)
            if now is self._session.trials.workspace(trial):
                return key, now, replace(kept[1], since=since)

    def _opened(self, since: str) -> str:
        """Read an older version, if it is not kept; return its commit or folder."""
        from toolkit.project.changes.baseline_project import baseline_project
        from toolkit.project.changes.comparison import read_baseline
        from toolkit.project.changes.git import commit_of, revisions

        root = self._session.project.root
        by_command = since == self._session.options.since
        if not by_command and since not in revisions(root):
            if since == "HEAD":
                raise Refused(404, "The project is in no git repository with a revision to compare it with.")
            raise Refused(404, f"git lists no branch or tag {since!r}.")
        commit = None if by_command and os.path.isdir(since) else commit_of(root, since)
        key = commit or since
        known = self._older.get(key)
        if known is not None:
            self._older.move_to_end(key)
            return key
        with ExitStack() as stack:
            self._folder = self._folder or TemporaryDirectory(
                prefix="opforge-preview-", ignore_cleanup_errors=True
            )
            found = baseline_project(root, since, folders=by_command, within=self._folder.name)
            folder = stack.enter_context(found)
            if isinstance(folder, Refusal):
                raise Refused(404, folder.message)
            self._older[key] = _Older(commit, read_baseline(folder), stack.pop_all())
        while len(self._older) > _MOST_KEPT:
            self._older.popitem(last=False)[1].held.close()
        return key

    def _close(self) -> None:
        if self._folder is not None:  # also where a version is being read into it
            self._folder.cleanup()


def _advanced(steps: Comparing[T]) -> T | None:
    """Go on comparing for a while; the result once there is one."""
    until = time.monotonic() + _SLICE
    try:
        while time.monotonic() < until:
            next(steps)
    except StopIteration as done:
        return cast("T", done.value)
    return None


def _answer(session: Session, older: _Older, now: Workspace, changes: Changes) -> Comparing[dict[str, Any]]:
    """The changes with the faces, texts and numbers of both versions."""
    from toolkit.project.changes.report import as_data, card_data

    before = older.project.current
    shown = changes.cards[:_MOST_FACES]
    old_ids = [card.older_id for card in shown if card.before]
    new_ids = [card.id for card in shown if card.now]
    old_faces = yield from _addresses(session, before, old_ids, changes.language)
    new_faces = yield from _addresses(session, now, new_ids, changes.language)
    cards = []
    for card in changes.cards:
        yield
        faces = old_faces.get(card.older_id), new_faces.get(card.id)
        old = before.cards.printed_entry(card.older_id) if card.before else None
        new = now.cards.printed_entry(card.id) if card.now else None
        cards.append(
            {
                **card_data(card),
                "faces": _pair(*(face and face[0] for face in faces)),
                "backs": _pair(*(face and face[1] for face in faces)),
                "texts": _pair(_texts(before, old), _texts(now, new)),
                "stats": _pair(old and numbers_of(old), new and numbers_of(new)),
            }
        )
    return {**as_data(changes), "commit": older.commit, "cards": cards}


def _pair(before: object, now: object) -> dict[str, object]:
    return {"before": before, "now": now}


def _addresses(
    session: Session, workspace: Workspace, ids: Sequence[str], language: str
) -> Comparing[dict[str, tuple[str, str]]]:
    """Give the faces and backs of cards their addresses; none where no engine prints."""
    found: dict[str, tuple[str, str]] = {}
    for start in range(0, len(ids), _AT_ONCE):
        yield
        try:
            named = session.pictures.name(workspace, ids[start : start + _AT_ONCE], language)
        except Refused:
            return {}
        found |= {id: (one.front, one.back) for id, one in named.items()}
    return found


def _texts(workspace: Workspace, entry: Card | Objective | None) -> dict[str, str] | None:
    """The rules text of a card in each language of its project, a line for each SKILL or paragraph."""
    from toolkit.project.faces import rules_of
    from toolkit.wording.text import plain

    if entry is None:
        return None
    found = {}
    for language in workspace.cards.project.languages:
        rules = [(rule.name, plain(rule.paragraphs)) for rule in rules_of(workspace, entry, language)]
        found[language] = "\n".join(f"{name}: {text}" if name else text for name, text in rules)
    return found
