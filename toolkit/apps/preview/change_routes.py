"""The route of what changed on the cards since a git revision, or since the older copy of ``--since``.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

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

from toolkit.apps.preview.responses import ApiError, get_route, keep_newest
from toolkit.apps.preview.session import Session
from toolkit.apps.preview.snapshot import numbers_by_key
from toolkit.products.changes.baseline_project import baseline_project
from toolkit.products.changes.git import commit_of, revisions
from toolkit.project.output import Refusal

if TYPE_CHECKING:
    from toolkit.data.model import Card, Objective
    from toolkit.products.changes.change_model import Changes
    from toolkit.project.live_project import LiveProject
    from toolkit.project.pipeline import Workspace

_SLICE = 0.05
"""Seconds of comparing after which the reading thread may do something else."""

_MAX_BASELINES = 2
"""Older versions that are kept, at most; each has a temporary folder, from which its faces are drawn."""

_MAX_RESULTS = 4
_MAX_FACES = 500
"""Changed cards with faces, at most: the number of pictures with an address is limited."""

_BATCH = 20
"""Faces that get their addresses in one step."""


def routes(session: Session) -> list[Route]:
    """The route of the changes.

    ``GET /api/changes?since=&lang=&trial=`` answers as ``opforge changes --format json`` prints, with the
    ``commit`` of the revision (null for a folder), and for each card four pairs ``{before, now}``, null where
    there is no such card: ``faces`` and ``backs`` (digests), ``texts`` (the rules text by language) and
    ``stats`` (numbers by key).
    """
    comparisons = Comparisons(session)

    async def changes(request: Request) -> dict[str, Any]:
        query = request.query_params
        return await comparisons.since(query.get("since"), query.get("lang"), query.get("trial"))

    return [get_route("/api/changes", changes)]


T = TypeVar("T")
Steps = Generator[None, None, T]
"""A computation that yields where it may be interrupted, and returns its result."""

_Key = tuple[str, str, str | None]
"""An older version, a language and a trial."""


class _Baseline(Struct):
    """An older version that was read; ``resources`` hold its temporary folder until they are closed."""

    commit: str | None
    project: LiveProject
    resources: ExitStack


class Comparisons:
    """Comparisons with older versions; results are kept until the project changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._baselines: OrderedDict[str, _Baseline] = OrderedDict()  # by commit or folder, the newest last
        self._changes: dict[_Key, tuple[Workspace, Changes]] = {}
        self._responses: dict[_Key, tuple[Workspace, dict[str, Any]]] = {}
        self._lock = asyncio.Lock()
        self._folder: TemporaryDirectory[str] | None = None  # for the files of older versions
        session.on_close.append(self._close)
        if session.options.since is not None:
            session.after_update.append(self._mark_changed)

    async def since(
        self, revision: str | None, language: str | None, trial: str | None = None
    ) -> dict[str, Any]:
        """Return what changed since a revision that git lists, or that of the command; ``HEAD`` by default.

        With a ``trial`` its values count as saved. Raises ``ApiError``: 404 where there is no such revision,
        or no project in it, or no such trial; 422 for a language that one of the two versions lacks.
        """
        async with self._lock:
            return await self._run_steps(lambda: self._response_steps(revision, language, trial))

    async def _mark_changed(self) -> None:
        """Mark the cards that have changed since the revision of the command."""
        ids: frozenset[str] | None = None
        with suppress(ApiError):
            async with self._lock:
                _, _, changes = await self._run_steps(lambda: self._comparison_steps(None, None, None))
            ids = frozenset(
                card.id for card in changes.cards if card.now and (card.to_print or card.differences)
            )
        self._session.mark_changed(ids)

    async def _run_steps(self, start: Callable[[], Steps[T]]) -> T:
        """Run steps in the reading thread, a slice at a time, so that a save need not wait for all."""
        steps = await self._session.in_reader(start)
        while (outcome := await self._session.in_reader(_advance, steps)) is None:
            pass
        return outcome

    # in the reading thread

    def _response_steps(
        self, revision: str | None, language: str | None, trial: str | None
    ) -> Steps[dict[str, Any]]:
        """Return the response about what changed."""
        while True:
            key, workspace, changes = yield from self._comparison_steps(revision, language, trial)
            kept_workspace, response = self._responses.get(key, (None, {}))
            if kept_workspace is not workspace:
                version, _, _ = key
                response = yield from _response(self._session, self._baselines[version], workspace, changes)
                keep_newest(self._responses, key, (workspace, response), _MAX_RESULTS)
            if workspace is self._session.trials.workspace(trial):  # else something was saved meanwhile
                return {**response, "since": changes.since}

    def _comparison_steps(
        self, revision: str | None, language: str | None, trial: str | None
    ) -> Steps[tuple[_Key, Workspace, Changes]]:
        """Return the changes since a revision, the state of the project that was compared, and their key."""
        from toolkit.products.changes.comparison import compare

        session = self._session
        since = revision or session.options.since or "HEAD"
        version = self._open_baseline(since)
        while True:  # until nothing was saved during a comparison
            workspace = self._session.trials.workspace(trial)
            chosen_language = language or session.options.lang or workspace.cards.project.languages[0]
            problem = workspace.unknown_language(chosen_language)
            if problem:
                raise ApiError(422, problem)
            key = version, chosen_language, trial
            kept_workspace, changes = self._changes.get(key, (None, None))
            if changes is None or kept_workspace is not workspace:
                result = yield from compare(
                    self._baselines[version].project, workspace, since, chosen_language
                )
                if isinstance(result, Refusal):
                    raise ApiError(422, result.message)
                changes = result
                keep_newest(self._changes, key, (workspace, changes), _MAX_RESULTS)
            if workspace is self._session.trials.workspace(trial):
                return key, workspace, replace(changes, since=since)

    def _open_baseline(self, since: str) -> str:
        """Read an older version, unless it is kept; return its key, a commit or folder."""
        from toolkit.products.changes.comparison import read_baseline

        root = self._session.project.root
        is_of_command = since == self._session.options.since
        if not is_of_command and since not in revisions(root):
            if since == "HEAD":
                raise ApiError(404, "The project is in no git repository with a revision to compare it with.")
            raise ApiError(404, f"git lists no branch or tag {since!r}.")
        commit = None if is_of_command and os.path.isdir(since) else commit_of(root, since)
        key = commit or since
        known_baseline = self._baselines.get(key)
        if known_baseline is not None:
            self._baselines.move_to_end(key)
            return key
        with ExitStack() as stack:
            self._folder = self._folder or TemporaryDirectory(
                prefix="opforge-preview-", ignore_cleanup_errors=True
            )
            older_version = baseline_project(root, since, folders=is_of_command, within=self._folder.name)
            folder = stack.enter_context(older_version)
            if isinstance(folder, Refusal):
                raise ApiError(404, folder.message)
            self._baselines[key] = _Baseline(commit, read_baseline(folder), stack.pop_all())
        while len(self._baselines) > _MAX_BASELINES:
            _, oldest = self._baselines.popitem(last=False)
            oldest.resources.close()
        return key

    def _close(self) -> None:
        """Remove the older versions and their folder."""
        for baseline in list(self._baselines.values()):
            baseline.resources.close()
        if self._folder is not None:  # also where a version is being read into it
            self._folder.cleanup()


def _advance(steps: Steps[T]) -> T | None:
    """Run steps for a slice of time; return their result once there is one, which is never None."""
    deadline = time.monotonic() + _SLICE
    try:
        while time.monotonic() < deadline:
            next(steps)
    except StopIteration as stop:
        return cast("T", stop.value)
    return None


def _response(
    session: Session, baseline: _Baseline, workspace_now: Workspace, changes: Changes
) -> Steps[dict[str, Any]]:
    """Return the changes with the faces, texts and numbers of both versions."""
    from toolkit.products.changes.change_report import as_data, card_data

    workspace_before = baseline.project.current
    shown_cards = changes.cards[:_MAX_FACES]
    old_ids = [card.older_id for card in shown_cards if card.before]
    new_ids = [card.id for card in shown_cards if card.now]
    old_digests = yield from _picture_digests(session, workspace_before, old_ids, changes.language)
    new_digests = yield from _picture_digests(session, workspace_now, new_ids, changes.language)
    cards = []
    for card in changes.cards:
        yield
        old_front, old_back = old_digests.get(card.older_id, (None, None))
        new_front, new_back = new_digests.get(card.id, (None, None))
        older_entry = workspace_before.cards.printed_entry(card.older_id) if card.before else None
        current_entry = workspace_now.cards.printed_entry(card.id) if card.now else None
        older_numbers = older_entry and numbers_by_key(older_entry)
        current_numbers = current_entry and numbers_by_key(current_entry)
        cards.append(
            {
                **card_data(card),
                "faces": _pair(old_front, new_front),
                "backs": _pair(old_back, new_back),
                "texts": _pair(_texts(workspace_before, older_entry), _texts(workspace_now, current_entry)),
                "stats": _pair(older_numbers, current_numbers),
            }
        )
    return {**as_data(changes), "commit": baseline.commit, "cards": cards}


def _pair(value_before: object, value_now: object) -> dict[str, object]:
    return {"before": value_before, "now": value_now}


def _picture_digests(
    session: Session, workspace: Workspace, ids: Sequence[str], language: str
) -> Steps[dict[str, tuple[str, str]]]:
    """Return the addresses of the fronts and backs of cards by id; none without a PDF engine."""
    digests_by_id: dict[str, tuple[str, str]] = {}
    for start in range(0, len(ids), _BATCH):
        yield
        try:
            pictures = session.pictures.register(workspace, ids[start : start + _BATCH], language)
        except ApiError:
            return {}
        digests_by_id |= {
            id: (card_pictures.front, card_pictures.back) for id, card_pictures in pictures.items()
        }
    return digests_by_id


def _texts(workspace: Workspace, entry: Card | Objective | None) -> dict[str, str] | None:
    """Return the rules text of a card in each language of its project, a line for each SKILL or paragraph."""
    from toolkit.project.faces import rules_of
    from toolkit.wording.text import plain

    if entry is None:
        return None
    texts_by_language = {}
    for language in workspace.cards.project.languages:
        rules = [(rule.name, plain(rule.paragraphs)) for rule in rules_of(workspace, entry, language)]
        texts_by_language[language] = "\n".join(f"{name}: {text}" if name else text for name, text in rules)
    return texts_by_language
