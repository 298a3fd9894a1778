"""What the page shows of a project as it was read: its state, a row for each card, and what changed.

A card that is broken keeps the row of its last good state, as long as its id or its file is there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from toolkit.data.model import Card, Objective, Text
    from toolkit.diagnostics import Diagnostic
    from toolkit.pipeline import Workspace
    from toolkit.project.live_project import LiveProject

MOST_ROWS = 500
"""Above so many changed rows all are to be asked for again."""

Row = dict[str, Any]

_EDITORS = {
    "vscode": "vscode://file{path}/{{file}}:{{line}}:{{column}}",
    "zed": "zed://file{path}/{{file}}:{{line}}:{{column}}",
    "idea": "idea://open?file={path}/{{file}}&line={{line}}&column={{column}}",
    "subl": "subl://open?url=file://{path}/{{file}}&line={{line}}&column={{column}}",
}
"""The links that open a place in an editor."""
EDITORS = tuple(_EDITORS)


class PreviewOptions(Struct, frozen=True):
    """The options of the command."""

    lang: str | None = None
    since: str | None = None
    editor: str | None = None
    read_only: bool = False
    poll: bool = False


class LastGood(Struct, frozen=True):
    """The state in which a broken card was sound the last time, and when that was seen, as ``14:02:11``."""

    workspace: Workspace
    since: str


class Snapshot(Struct, frozen=True):
    """A project as it was read. ``rows`` are by id in the order of the files; ``last_good`` are the broken
    cards among them. ``findings`` are by card, None for those of no card."""

    state: dict[str, Any]
    rows: dict[str, Row]
    last_good: dict[str, LastGood] = {}
    findings: dict[str | None, list[Diagnostic]] = {}
    entries: dict[str, Card | Objective] = {}

    def lost_since(self, before: Snapshot) -> set[str]:
        """The cards that were sound and are broken or gone now."""
        sound = before.rows.keys() - before.last_good.keys()
        return {id for id in sound if id not in self.rows or id in self.last_good}

    def with_rows_of(self, before: Snapshot, ids: Iterable[str]) -> Snapshot:
        """The same with the former rows of some cards, and so with the former counts."""
        kept = {id: before.rows[id] for id in ids}
        last_good = {id: good for id, good in self.last_good.items() if id not in kept}
        state = {**self.state, "counts": before.state["counts"], "stage": before.state["stage"]}
        return replace(self, state=state, rows=_in_order(self.rows | kept), last_good=last_good)

    def line(self, before: Snapshot, seconds: float) -> str:
        """The line of the log about a change."""
        counts = self.state["counts"]
        changed = sum(before.rows.get(id) is not row for id, row in self.rows.items())
        gone = len(before.rows.keys() - self.rows.keys())
        words = [_count(changed, "card") + (" changed" if before.rows else "")]
        words += [f"{gone} gone"] if gone else []
        words += [_count(counts["errors"], "error"), _count(counts["warnings"], "warning")]
        if self.state["stage"] == "no-project":
            words = ["no project; waiting for opforge.yaml"]
        return f"{time.strftime('%H:%M:%S')}  {', '.join(words)}  {seconds:.2f} s"


def starting(root: Path, options: PreviewOptions, stage: str = "reading") -> Snapshot:
    """What is shown before a project was read, or where there is none."""
    return Snapshot(_state(root, options, stage, None, {}), {})


def project_snapshot(
    project: LiveProject, options: PreviewOptions, before: Snapshot, workspace: Workspace | None
) -> Snapshot:
    """What is shown of a project that was just read; ``workspace`` is how it stood before."""
    from toolkit.diagnostics.catalogue import severity_of

    cards, root = project.cards, project.root
    findings: dict[str | None, list[Diagnostic]] = {}
    errors = 0
    for finding in project.reported:
        findings.setdefault(finding.card, []).append(finding)
        errors += severity_of(finding.name) == "error"
    entries: dict[str, Card | Objective] = {**cards.cards, **cards.objectives}
    names = {file.path: _relative(file.path, root) for file in cards.files}
    rows: dict[str, Row] = {}
    for id, entry in entries.items():
        row = _row(entry, names, findings.get(id, ()), cards.project.languages)
        old = before.rows.get(id)
        rows[id] = old if old == row else row
    last_good: dict[str, LastGood] = {}
    for id, row in before.rows.items():
        if id in rows or not _is_torn(id, row, project):
            continue
        good = before.last_good.get(id)
        if good is None:
            assert workspace is not None, "a card that was shown was read"
            good = LastGood(workspace, time.strftime("%H:%M:%S"))
        found = findings.get(id) or [one for one in project.reported if _file_of(one, root) == row["file"]]
        worst = sum(severity_of(one.name) == "error" for one in found)
        stale = {**row, "errors": max(worst, 1), "warnings": len(found) - worst, "stale": True}
        last_good[id], rows[id] = good, row if row == stale else stale
    counts = {"cards": len(rows), "errors": errors, "warnings": len(project.reported) - errors}
    state = _state(root, options, "ready", project, counts)
    return Snapshot(state, _in_order(rows), last_good, findings, entries)


def difference(before: Snapshot, now: Snapshot) -> dict[str, Any] | None:
    """The data of the ``cards`` event between two states; None if no row has changed."""
    changed = [row for id, row in now.rows.items() if before.rows.get(id) is not row]
    changed = [row for row in changed if before.rows.get(row["id"]) != row]
    gone = [id for id in before.rows if id not in now.rows]
    if not changed and not gone:
        return None
    if len(changed) > MOST_ROWS or len(gone) > MOST_ROWS:
        return {"all": True}
    data: dict[str, Any] = {"rows": changed, "gone": gone}
    new = {row["id"] for row in changed} - before.rows.keys()
    if new:
        ids = [None, *now.rows]
        data["after"] = {id: ids[at] for at, id in enumerate(now.rows) if id in new}
    return data


def _state(
    root: Path, options: PreviewOptions, stage: str, project: LiveProject | None, counts: Mapping[str, int]
) -> dict[str, Any]:
    link = _EDITORS.get(options.editor or "", "").format(path=quote(root.as_posix()))
    return {
        "stage": stage,
        "project": None if project is None else _project(project),
        "counts": counts or {"cards": 0, "errors": 0, "warnings": 0},
        "revisions": [],
        "read_only": options.read_only,
        "editor": {"name": options.editor, "link": link} if link else None,
        "root": str(root).encode("utf-8", "replace").decode(),
        "lang": options.lang,
        "since": options.since,
    }


def _project(project: LiveProject) -> dict[str, Any]:
    from toolkit.data.schema import KINDS

    cards = project.cards
    settings = cards.project
    languages = settings.languages
    kinds = {card.kind for card in cards.cards.values()} | ({"objective"} if cards.objectives else set())
    return {
        "name": settings.name,
        "languages": list(languages),
        "layouts": [*cards.layouts],
        "modes": [{"id": id, "name": names_of(mode.name, languages)} for id, mode in cards.modes.items()],
        "kinds": [kind for kind in (*KINDS, "objective") if kind in kinds],
        "teams": [{"id": id, "name": names_of(team.name, languages)} for id, team in cards.teams.items()],
        "traits": [
            {"id": trait, "name": names_of(settings.traits.get(trait), languages) or {}}
            for trait in sorted(cards.traits())
        ],
    }


def names_of(text: Text | None, languages: Iterable[str]) -> dict[str, str]:
    """A text in each language of the project."""
    return {} if text is None else {code: text.in_language(code).value for code in languages}


def _row(
    entry: Card | Objective,
    names: Mapping[Path, str],
    findings: Iterable[Diagnostic],
    languages: Iterable[str],
) -> Row:
    from toolkit.data.model import Card
    from toolkit.diagnostics.catalogue import severity_of

    severities = [severity_of(finding.name) for finding in findings]
    card = entry if isinstance(entry, Card) else None
    is_operator = card is not None and card.kind == "operator"
    span = entry.id_span
    return {
        "id": entry.id,
        "kind": card.kind if card else "objective",
        "name": names_of(entry.name, languages),
        "team": card.team if card else None,
        "traits": list(card.traits) if card else [],
        "stats": {key.lower(): value for key, value in card.stats.items()} if card and is_operator else None,
        "squadpoints": card.squadpoints if card and is_operator else None,
        "value": None if isinstance(entry, Card) else entry.value,
        "quantity": entry.quantity,
        "file": names[span.file.path],
        "line": span.begin_position.line,
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "stale": False,
        "changed": None,
    }


def _is_torn(id: str, row: Row, project: LiveProject) -> bool:
    """Whether a card that cannot be used is still there: its id is somewhere, or its file is not readable."""
    cards = project.cards
    if id in cards.broken_ids or any(entry.id == id for entry in cards.broken):
        return True
    file = project.root / row["file"]
    return file not in {one.path for one in cards.files} and file.is_file()


def _in_order(rows: dict[str, Row]) -> dict[str, Row]:
    return dict(sorted(rows.items(), key=lambda item: _file_order(item[1])))


def _file_order(row: Row) -> tuple[bool, tuple[str, ...], int]:
    """The place in the list: the project file first, then by path, as the files are read."""
    return row["file"] != "opforge.yaml", Path(row["file"]).parts, row["line"]


def _relative(path: Path, root: Path) -> str:
    from toolkit.source import shown_name

    return shown_name(path, root)


def _file_of(finding: Diagnostic, root: Path) -> str:
    return _relative(finding.span.file.path, root)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
