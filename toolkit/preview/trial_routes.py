"""Values that are tried, completed while they are typed, and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.routing import Route

from toolkit.preview.answers import Refused, post_route
from toolkit.preview.card_routes import card_data
from toolkit.preview.session import Session
from toolkit.source import SourceFile, shown_name

if TYPE_CHECKING:
    from toolkit.project.output import Change
    from toolkit.project.trial import Trial


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


def routes(session: Session) -> list[Route]:
    """The routes of this group."""

    async def attempt(asked: TryRequest) -> dict[str, Any]:
        return await session.reading(_tried, session, asked)

    async def complete(asked: CompleteRequest) -> dict[str, Any]:
        return await session.reading(_completed, session, asked)

    async def write(asked: WriteRequest) -> dict[str, Any]:
        if session.options.read_only:
            raise _not_written("The preview was started with --read-only.")
        data = await session.reading(_written, session, asked)
        session.changed()
        return data

    return [
        post_route("/api/try", TryRequest, attempt),
        post_route("/api/complete", CompleteRequest, complete),
        post_route("/api/write", WriteRequest, write),
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
        "diff": "".join(map(difference, _changes(session, trial))),
    }


def _changes(session: Session, trial: Trial) -> list[Change]:
    """What a trial changes, with the files relative to the project."""
    from toolkit.project.output import Change

    return [
        Change(SourceFile(one.file.path, shown_name(one.file.path, session.root), one.file.text), one.after)
        for one in trial.changes
    ]


def _not_written(why: str) -> Refused:
    return Refused(409, why, why=why)


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
    from toolkit.project.output import save
    from toolkit.project.trial import refused_write
    from toolkit.source.paths import inside

    trial = session.trials.trial(asked.trial)
    if len(trial.tries) != 1:
        raise Refused(422, "One value is written at a time.", findings=[])
    errors = trial.errors()
    if errors and not asked.anyway:
        sentence = "The value has an error. It can be written all the same."
        raise Refused(422, sentence, **findings_json(errors, session.root))
    (change,) = _changes(session, trial)
    name = change.file.name
    if not session.is_in_place or inside(change.file.path, session.root) is None:
        why: str | None = f"{name} leads out of the project; it was not changed."
    elif not session.trials.is_as_shown(asked.trial):
        why = f"{name} has changed since its difference was shown; it was not changed."
    else:
        why = refused_write(trial) or save(change)
    if why is not None:
        raise _not_written(why)
    return {"written": [name]}
