"""Values that are tried, completed while they are typed, and written; and fixes that are certain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from starlette.routing import Route

from toolkit.preview.answers import Refused, post_route
from toolkit.preview.card_routes import card_data
from toolkit.preview.session import Session
from toolkit.source import SourceFile, shown_name

if TYPE_CHECKING:
    from toolkit.diagnostics import Diagnostic
    from toolkit.pipeline import Workspace
    from toolkit.project.output import Change

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
    """An effect while it is typed, as far as ``offset``, in characters."""

    card: str
    key: str
    text: str
    offset: int


class WriteRequest(Struct):
    """The value to write, and whether that is to be done although it has errors."""

    trial: str
    anyway: bool = False


class FixRequest(Struct):
    """A finding to be fixed, as it was listed; with the difference that was shown, it is written."""

    name: str
    message: str
    file: str
    line: int
    column: int
    diff: str | None = None


def routes(session: Session) -> list[Route]:
    """The routes of this group.

    Beyond the contract: ``POST /api/fix`` with the place, name and message of a finding answers with the
    ``diff`` of its fix, if that is certain; with that ``diff`` too, it is written.
    """

    async def attempt(asked: TryRequest) -> dict[str, Any]:
        return await session.reading(_tried, session, asked)

    async def complete(asked: CompleteRequest) -> dict[str, Any]:
        return await session.reading(_completed, session, asked)

    async def write(asked: WriteRequest) -> dict[str, Any]:
        return await saved(_written, asked)

    async def fix(asked: FixRequest) -> dict[str, Any]:
        if asked.diff is None:
            return await session.reading(_fixed, session, asked)
        return await saved(_fixed, asked)

    async def saved(function: Callable[[Session, T], dict[str, Any]], asked: T) -> dict[str, Any]:
        if session.options.read_only:
            sentence = "The preview was started with --read-only."
            raise Refused(409, sentence, why=sentence)
        data = await session.reading(function, session, asked)
        session.changed()
        return data

    return [
        post_route("/api/try", TryRequest, attempt),
        post_route("/api/complete", CompleteRequest, complete),
        post_route("/api/write", WriteRequest, write),
        post_route("/api/fix", FixRequest, fix),
    ]


def _tried(session: Session, asked: TryRequest) -> dict[str, Any]:
    """The last card with the values, what is found in them, which cards differ, and what writing changes.

    A finding within a value has its ``card`` and ``key``, with ``offset`` and ``end_offset`` in the value.
    """
    from toolkit.preview.card_details import finding_json
    from toolkit.project.output import difference
    from toolkit.project.trial import Try

    if not asked.tries:
        return {"trial": None, "card": None, "findings": [], "differs": [], "diff": ""}
    name, trial = session.trials.add(Try(one.card, one.key, one.value) for one in asked.tries)
    now, before = session.trials.details(name).snapshot.rows, session.snapshot.rows
    others = {id for id, row in now.items() if before.get(id) != row}
    return {
        "trial": name,
        "card": card_data(session, asked.tries[-1].card, name),
        "findings": [finding_json(one, session.root) | within for one, within in trial.findings()],
        "differs": sorted({one.card for one in trial.tries} | others),
        "diff": "".join(map(difference, _relative(session, trial.changes))),
    }


def _relative(session: Session, changes: Iterable[Change]) -> list[Change]:
    """The same changes, with the files relative to the project."""
    from toolkit.project.output import Change

    return [
        Change(SourceFile(one.file.path, shown_name(one.file.path, session.root), one.file.text), one.after)
        for one in changes
    ]


def _completed(session: Session, asked: CompleteRequest) -> dict[str, Any]:
    """What can follow in an effect: each item replaces the text from ``from`` to the offset."""
    from toolkit.project.trial import effect_completions

    found = effect_completions(session.project, asked.card, asked.key, asked.text, asked.offset)
    if found is None:
        raise Refused(404, f"`{asked.key}` of `{asked.card}` is not an effect.")
    begin = found[0].begin if found else asked.offset
    items = [{"text": one.text, "label": one.label, "detail": one.about} for one in found]
    return {"from": begin, "items": items}


def _written(session: Session, asked: WriteRequest) -> dict[str, Any]:
    """Write the one value of a trial, and say into which file. Raises ``Refused``: 404, 409, 422."""
    from toolkit.preview.card_details import findings_json
    from toolkit.project.trial import refused_write

    trial = session.trials.trial(asked.trial)
    if len(trial.tries) != 1:
        raise Refused(422, "One value is written at a time.", findings=[])
    errors = trial.errors()
    if errors and not asked.anyway:
        sentence = "The value has an error. It can be written all the same."
        raise Refused(422, sentence, **findings_json(errors, session.root))
    changes = _relative(session, trial.changes)
    return _save(session, changes, session.trials.is_as_shown(asked.trial), refused_write(trial))


def _fixed(session: Session, asked: FixRequest) -> dict[str, Any]:
    """What fixing one finding changes, as ``check --fix`` fixes it; or fix it, if that was shown.

    Raises ``Refused``: 409, 422.
    """
    from toolkit.project.fixing import fix_project
    from toolkit.project.output import difference

    project, wanted = session.project, (asked.name, asked.message, asked.file, asked.line, asked.column)

    def listed(one: Diagnostic) -> tuple[str | int, ...]:
        return one.name, one.message, shown_name(one.span.file.path, session.root), *one.span.begin_position

    def chosen(workspace: Workspace) -> list[Diagnostic]:
        return [one for one in workspace.findings if listed(one) == wanted]

    found = fix_project(session.root, chosen, folder=project.reader.read(), cache=project.copy().cache)
    changes = _relative(session, found.changes)
    diff = "".join(map(difference, changes))
    if asked.diff is None and not diff:
        raise Refused(422, "There is no fix of this finding that is certain.")
    if asked.diff is None:
        return {"diff": diff}
    return _save(session, changes, diff == asked.diff)


def _save(
    session: Session, changes: Sequence[Change], as_shown: bool, wrong: str | None = None
) -> dict[str, Any]:
    """Write changes whose difference was shown, and say into which files. Raises ``Refused``: 409."""
    from toolkit.project.output import save_all
    from toolkit.source.paths import inside

    names = ", ".join(change.file.name for change in changes) or "The file"
    if not session.is_in_place or any(inside(one.file.path, session.root) is None for one in changes):
        wrong = f"{names} leads out of the project; it was not changed."
    elif not as_shown:
        wrong = f"{names} has changed since its difference was shown; it was not changed."
    wrong = wrong or " ".join(save_all(changes))
    if wrong:
        raise Refused(409, wrong, why=wrong)
    return {"written": [change.file.name for change in changes]}
