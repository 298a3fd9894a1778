"""Values that a script sets: planned as an import of a table, which keeps comments and verifies itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toolkit.editing.tables.columns import join_words
from toolkit.editing.tables.importing import ImportRequest, plan_import
from toolkit.editing.tables.rows import kind_of
from toolkit.editing.tables.table_reader import Book, Sheet, SheetRow
from toolkit.project.output import Change
from toolkit.project.pipeline import Workspace
from toolkit.scripting.arguments import given
from toolkit.scripting.problems import ProjectError

Written = str | int | Sequence[str] | None
"""A value of a card: a text, a number, or a list of words; None removes its key."""

Values = Mapping[str, Mapping[str, Written]]
"""Values by key, by the id of a card: ``{"viper": {"ap": 5, "name.de": "Viper"}}``."""


def checked_values(card_id: str, values: Mapping[str, Written]) -> dict[str, Written]:
    """Return values of a card by key; raises ``ProjectError`` for one that no cell of a table can hold."""
    return {
        given(f"a key of {card_id}", key, str): given(f"{card_id}.{key}", value, Written)
        for key, value in given(card_id, values, dict).items()
    }


def plan_values(workspace: Workspace, values: Values) -> tuple[Change, ...]:
    """Return the changes of files after which cards have some values.

    Raises ``ProjectError`` if a card or a key does not exist, or if a value would be an error.
    """
    plan = plan_import(workspace, Book(tuple(_sheets(workspace, values))), ImportRequest(update=True))
    if plan.problems:
        problem, *_ = plan.problems
        raise ProjectError(f"{problem.place}: {problem.message} {problem.next_step}".rstrip())
    return plan.changes


def _sheets(workspace: Workspace, values: Values) -> Iterable[Sheet]:
    """Yield a table for each card: a cell that a row lacks would remove the value."""
    for card_id, written in values.items():
        card = workspace.cards.printed_entry(card_id)
        assert card is not None, "the caller has looked it up"
        cells = {"id": card_id, **{key: _cell(value) for key, value in written.items()}}
        # what messages call a column and its only cell
        places = {"id": card_id, **{key: f"{card_id}.{key}" for key in written}}
        yield Sheet(kind_of(card), places, (SheetRow(card_id, cells, places),))


def _cell(value: Written) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, (str, int)) else join_words(value)
