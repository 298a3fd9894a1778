"""Routes that try values, complete effects while they are typed, write values, and make safe fixes.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from starlette.routing import Route

from toolkit.apps.preview.card_routes import card_data
from toolkit.apps.preview.responses import ApiError, post_route
from toolkit.apps.preview.session import Session
from toolkit.project.output import Change, difference, save_all
from toolkit.source import SourceFile, shown_name
from toolkit.source.paths import inside

if TYPE_CHECKING:
    from toolkit.diagnostics import Diagnostic
    from toolkit.project.output import Change
    from toolkit.project.pipeline import Workspace

T = TypeVar("T")


class Value(Struct):
    """A value of a card, by a key such as ``ap``, ``name.de`` or ``skills[0].effect``."""

    card: str
    key: str
    value: str | int


class TryRequest(Struct):
    """The values that are tried together."""

    tries: list[Value]


class CompleteRequest(Struct):
    """An effect that is being typed; the cursor is at ``offset``, in characters."""

    card: str
    key: str
    text: str
    offset: int


class WriteRequest(Struct):
    """The trial whose value is written, with ``anyway`` even if it has errors."""

    trial: str
    anyway: bool = False


class FixRequest(Struct):
    """A finding to fix, as it was listed; with the ``diff`` that was shown, the fix is written."""

    name: str
    message: str
    file: str
    line: int
    column: int
    diff: str | None = None


def routes(session: Session) -> list[Route]:
    """The routes of this group.

    ``POST /api/fix`` with the place, name and message of a finding answers with the ``diff`` of its safe fix;
    with that ``diff`` in the request, the fix is written.
    """

    async def attempt(request: TryRequest) -> dict[str, Any]:
        return await session.in_reader(_try_values, session, request)

    async def complete(request: CompleteRequest) -> dict[str, Any]:
        return await session.in_reader(_complete, session, request)

    async def write(request: WriteRequest) -> dict[str, Any]:
        return await write_change(_write, request)

    async def fix(request: FixRequest) -> dict[str, Any]:
        if request.diff is None:
            return await session.in_reader(_fix, session, request)
        return await write_change(_fix, request)

    async def write_change(function: Callable[[Session, T], dict[str, Any]], request: T) -> dict[str, Any]:
        """Call a function that writes files. Raises ``ApiError`` if the preview may only read."""
        if session.options.read_only:
            sentence = "The preview was started with --read-only."
            raise ApiError(409, sentence, why=sentence)
        data = await session.in_reader(function, session, request)
        session.changed()
        return data

    return [
        post_route("/api/try", TryRequest, attempt),
        post_route("/api/complete", CompleteRequest, complete),
        post_route("/api/write", WriteRequest, write),
        post_route("/api/fix", FixRequest, fix),
    ]


def _try_values(session: Session, request: TryRequest) -> dict[str, Any]:
    """Return the last card with its tried values, their findings, the cards that differ, and the diff.

    A finding within a value has its ``card`` and ``key``, with ``offset`` and ``end_offset`` in the value.
    """
    from toolkit.apps.preview.card_details import finding_json
    from toolkit.editing.what_if import TriedValue

    if not request.tries:
        return {"trial": None, "card": None, "findings": [], "differs": [], "diff": ""}
    name, trial = session.trials.add(
        TriedValue(value.card, value.key, value.value) for value in request.tries
    )
    *_, last_tried = request.tries
    rows_now, rows_before = session.trials.details(name).snapshot.rows, session.snapshot.rows
    differing_ids = {id for id, row in rows_now.items() if rows_before.get(id) != row}
    return {
        "trial": name,
        "card": card_data(session, last_tried.card, name),
        "findings": [finding_json(finding, session.root) | extra for finding, extra in trial.findings()],
        "differs": sorted({value.card for value in trial.values} | differing_ids),
        "diff": "".join(map(difference, _with_relative_names(session, trial.changes))),
    }


def _with_relative_names(session: Session, changes: Iterable[Change]) -> list[Change]:
    """The same changes, with the files relative to the project."""
    relative_changes = []
    for change in changes:
        path = change.file.path
        file = SourceFile(path, shown_name(path, session.root), change.file.text)
        relative_changes.append(Change(file, change.after))
    return relative_changes


def _complete(session: Session, request: CompleteRequest) -> dict[str, Any]:
    """Return completions of an effect: each item replaces the text from ``from`` to its own ``to``."""
    from toolkit.editing.what_if import effect_completions

    offers = effect_completions(session.project, request.card, request.key, request.text, request.offset)
    if offers is None:
        raise ApiError(404, f"`{request.key}` of `{request.card}` is not an effect.")
    begin = next((offer.begin for offer in offers), request.offset)  # that of all offers
    end = min(max(request.offset, 0), len(request.text))
    items = [
        {"text": offer.text, "label": offer.label, "detail": offer.about, "to": end + offer.tail}
        for offer in offers
    ]
    return {"from": begin, "items": items}


def _write(session: Session, request: WriteRequest) -> dict[str, Any]:
    """Write the one value of a trial, and return its file. Raises ``ApiError``: 404, 409, 422."""
    from toolkit.apps.preview.card_details import findings_json
    from toolkit.editing.what_if import write_refusal

    trial = session.trials.trial(request.trial)
    if len(trial.values) != 1:
        raise ApiError(422, "One value is written at a time.", findings=[])
    errors = trial.errors()
    if errors and not request.anyway:
        sentence = "The value has an error. It can be written all the same."
        raise ApiError(422, sentence, **findings_json(errors, session.root))
    changes = _with_relative_names(session, trial.changes)
    return _save(session, changes, session.trials.is_as_shown(request.trial), write_refusal(trial))


def _fix(session: Session, request: FixRequest) -> dict[str, Any]:
    """Return the diff of a fix, as ``check --fix`` makes it; or make it, if that diff was shown.

    Raises ``ApiError``: 409, 422.
    """
    from toolkit.editing.fixing import fix_project

    project = session.project
    wanted_finding = (request.name, request.message, request.file, request.line, request.column)

    def identity(finding: Diagnostic) -> tuple[str | int, ...]:
        file_name = shown_name(finding.span.file.path, session.root)
        return (finding.name, finding.message, file_name, *finding.span.begin_position)

    def matches(workspace: Workspace) -> list[Diagnostic]:
        return [finding for finding in workspace.findings if identity(finding) == wanted_finding]

    fixed = fix_project(session.root, matches, folder=project.reader.read(), cache=project.copy().cache)
    changes = _with_relative_names(session, fixed.changes)
    diff = "".join(map(difference, changes))
    if request.diff is None and not diff:
        raise ApiError(422, "This finding has no safe fix.")
    if request.diff is None:
        return {"diff": diff}
    return _save(session, changes, diff == request.diff)


def _save(
    session: Session, changes: Sequence[Change], is_as_shown: bool, problem: str | None = None
) -> dict[str, Any]:
    """Write changes whose difference was shown, and return their files. Raises ``ApiError``: 409."""
    names = ", ".join(change.file.name for change in changes) or "The file"
    leaves_project = any(inside(change.file.path, session.root) is None for change in changes)
    if not session.is_same_folder or leaves_project:
        problem = f"{names} leads out of the project; it was not changed."
    elif not is_as_shown:
        problem = f"{names} has changed since its difference was shown; it was not changed."
    problem = problem or " ".join(save_all(changes))
    if problem:
        raise ApiError(409, problem, why=problem)
    return {"written": [change.file.name for change in changes]}
