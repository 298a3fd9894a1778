"""What the page shows of a project: its state, a row for each card, and the changes between two readings.

A broken card keeps the row of its last good state as long as its id or its file exists.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.schemas.look_schema import LOOKS
from toolkit.diagnostics.catalogue import reported_severity
from toolkit.diagnostics.phrases import counted
from toolkit.source import shown_name
from toolkit.source.paths import PROJECT_FILE

if TYPE_CHECKING:
    from toolkit.data.model import Card, Objective, Text
    from toolkit.diagnostics import Diagnostic
    from toolkit.project.live_project import LiveProject
    from toolkit.project.pipeline import Workspace

MAX_ROWS = 500
"""Above this number of changed rows pages are sent to ask for all rows again."""

Row = dict[str, Any]

_UNREADABLE = ("unreadable-file", "file-too-large", "wrong-encoding", "control-character")
"""Findings because of which nothing of a file is known."""

_EDITOR_LINKS = {
    "vscode": "vscode://file{path}/{{file}}:{{line}}:{{column}}",
    "zed": "zed://file{path}/{{file}}:{{line}}:{{column}}",
    "idea": "idea://open?file={path}/{{file}}&line={{line}}&column={{column}}",
    "subl": "subl://open?url=file://{path}/{{file}}&line={{line}}&column={{column}}",
}
"""The links that open a place in an editor, by the values of ``--editor`` of ``opforge preview``."""


class PreviewOptions(Struct, frozen=True):
    """The options of the command."""

    lang: str | None = None
    since: str | None = None
    editor: str | None = None
    read_only: bool = False
    poll: bool = False


class LastGoodState(Struct, frozen=True):
    """The state in which a broken card was sound the last time, and when it broke, as ``14:02:11``.

    Both are None for a card that was never sound while the preview was running.
    """

    workspace: Workspace | None = None
    since: str | None = None


class Snapshot(Struct, frozen=True):
    """A project as it was read.

    ``rows`` are by id in the order of the files; ``last_good`` has the broken cards among them. ``findings``
    are by card, None for those of no card; ``texts`` are the texts of files by name. ``entries`` are what the
    rows of sound cards were made from: not making the 5,000 rows of a large set again saves 40 ms a save.
    """

    state: dict[str, Any]
    rows: dict[str, Row]
    last_good: dict[str, LastGoodState] = {}
    findings: dict[str | None, list[Diagnostic]] = {}
    texts: dict[str, str] = {}
    entries: dict[str, Card | Objective] = {}

    def lost_since(self, snapshot_before: Snapshot) -> set[str]:
        """Return the cards that were sound and are broken or gone now.

        Cards with new errors count too if their file is now a beginning of what it was: it is half saved.
        """
        truncated = set()
        for name, text in self.texts.items():
            old_text = snapshot_before.texts.get(name, "")
            if text != old_text and old_text.startswith(text):
                truncated.add(name)
        lost_ids = set()
        for id, old_row in snapshot_before.rows.items():
            row = self.rows.get(id)
            if id in snapshot_before.last_good:  # it was broken before
                continue
            is_half_saved = row is not None and row["file"] in truncated and row["errors"] > old_row["errors"]
            if row is None or id in self.last_good or is_half_saved:
                lost_ids.add(id)
        return lost_ids

    def with_rows_of(self, snapshot_before: Snapshot, ids: Iterable[str]) -> Snapshot:
        """Return the snapshot with the former rows of some cards, and with the former counts."""
        kept_rows = {id: snapshot_before.rows[id] for id in ids}
        last_good = {id: good for id, good in self.last_good.items() if id not in kept_rows}
        old_state = snapshot_before.state
        state = {**self.state, "counts": old_state["counts"], "stage": old_state["stage"]}
        state["project"] = state["project"] or old_state["project"]
        return replace(self, state=state, rows=_in_order(self.rows | kept_rows), last_good=last_good)

    def with_marks(self, ids: Collection[str] | None, unprinted: Collection[str] = ()) -> Snapshot:
        """Return the snapshot with marks of the cards that changed since a revision (None without one).

        ``unprinted`` are cards on screen that cannot be printed.
        """
        rows = {}
        for id, row in self.rows.items():
            marks = {"changed": None if ids is None else id in ids, "unprinted": id in unprinted}
            rows[id] = row if row.items() >= marks.items() else row | marks
        return replace(self, rows=rows)

    def log_line(self, snapshot_before: Snapshot, seconds: float) -> str:
        """Return the line of the log about a change, which took some seconds."""
        counts = self.state["counts"]
        changed = sum(snapshot_before.rows.get(id) is not row for id, row in self.rows.items())
        gone_count = len(snapshot_before.rows.keys() - self.rows.keys())
        words = [counted(changed, "card") + (" changed" if snapshot_before.rows else "")]
        if gone_count:
            words.append(f"{gone_count} gone")
        words += [counted(counts["errors"], "error"), counted(counts["warnings"], "warning")]
        if self.state["stage"] == "no-project":
            words = ["no project; waiting for opforge.yaml"]
        return f"{time.strftime('%H:%M:%S')}  {', '.join(words)}  {seconds:.2f} s"


def initial_snapshot(root: Path, options: PreviewOptions, stage: str = "reading") -> Snapshot:
    """Return what is shown before a project has been read, or where there is none."""
    return Snapshot(_state(root, options, stage, None, {}), {})


def project_snapshot(
    project: LiveProject, options: PreviewOptions, snapshot_before: Snapshot, workspace: Workspace | None
) -> Snapshot:
    """Return the snapshot of a project that was just read; ``workspace`` is its state at
    ``snapshot_before``."""
    cards, root = project.cards, project.root
    findings: dict[str | None, list[Diagnostic]] = {}
    for finding in project.reported:
        findings.setdefault(finding.card, []).append(finding)
    errors = sum(reported_severity(finding) == "error" for finding in project.reported)
    entries: dict[str, Card | Objective] = {**cards.cards, **cards.objectives}
    names = {file.path: shown_name(file.path, root) for file in cards.files}
    rows = dict(_sound_rows(project, entries, names, findings, snapshot_before))
    last_good: dict[str, LastGoodState] = {}
    for row, last_good_state in _broken_rows(project, names, snapshot_before, workspace):
        if row["id"] not in rows:
            last_good[row["id"]] = last_good_state
            rows[row["id"]] = _stale_row(row, findings)
    counts = {"cards": len(rows), "errors": errors, "warnings": len(project.reported) - errors}
    return Snapshot(
        state=_state(root, options, "ready", project, counts),
        rows=_in_order(rows),
        last_good=last_good,
        findings=findings,
        texts={names[file.path]: file.text for file in cards.files},
        entries=entries,
    )


def _sound_rows(
    project: LiveProject,
    entries: Mapping[str, Card | Objective],
    names: Mapping[Path, str],
    findings: Mapping[str | None, list[Diagnostic]],
    snapshot_before: Snapshot,
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of the cards that can be read, by id; ``names`` are those of the files."""
    for id, entry in entries.items():
        node, card_findings = entry.node.nodes["id"], findings.get(id, ())
        error_count = sum(reported_severity(finding) == "error" for finding in card_findings)
        place_and_counts = {
            "file": names[node.file.path],
            "line": node.file.position(node.start).line,
            "errors": error_count,
            "warnings": len(card_findings) - error_count,
        }
        yield id, _sound_row(entry, project.cards.project.languages, place_and_counts, snapshot_before)


def _broken_rows(
    project: LiveProject, names: Mapping[Path, str], snapshot_before: Snapshot, workspace: Workspace | None
) -> Iterator[tuple[Row, LastGoodState]]:
    """Yield the former rows of cards that may be broken, then what can be read of the broken ones."""
    cards = project.cards
    unreadable = [finding.span.file for finding in project.reported if finding.name in _UNREADABLE]
    unreadable_names = {shown_name(file.path, project.root) for file in unreadable if cards.incomplete}
    for id, row in snapshot_before.rows.items():
        if id in cards.broken_ids or row["file"] in unreadable_names:
            earlier_state = snapshot_before.last_good.get(id)
            yield row, earlier_state or LastGoodState(workspace, time.strftime("%H:%M:%S"))
    for row in _readable_rows(project, names):
        yield row, LastGoodState()


def _sound_row(
    entry: Card | Objective,
    languages: Iterable[str],
    place_and_counts: Mapping[str, object],
    snapshot_before: Snapshot,
) -> Row:
    """Return the row of a card: the former one itself if nothing in it has changed."""
    old_row = snapshot_before.rows.get(entry.id)
    if old_row is not None and snapshot_before.entries.get(entry.id) is entry:
        is_same = all(old_row[key] == value for key, value in place_and_counts.items())
        return old_row if is_same else {**old_row, **place_and_counts}
    row: Row = {**_row(entry, languages), **place_and_counts}
    if old_row is None:
        return row
    row |= {key: old_row[key] for key in ("changed", "unprinted")}
    return old_row if old_row == row else row


def cards_event(
    snapshot_before: Snapshot, snapshot_now: Snapshot, last_whole: Snapshot
) -> dict[str, Any] | None:
    """Return the data of the ``cards`` event between two snapshots; None if no row has changed.

    ``last_whole`` is the last snapshot without former rows of lost cards: renamed cards are matched with it,
    since in the one before a card and its new id may stand side by side.
    """
    from toolkit.products.changes.renamed import match_renamed

    if snapshot_before.state["stage"] != snapshot_now.state["stage"]:
        return {"all": True}
    old_rows, new_rows = snapshot_before.rows, snapshot_now.rows
    changed = _changed_rows(old_rows, new_rows)
    gone_ids = [id for id in old_rows if id not in new_rows]
    if _is_reordered(old_rows, new_rows) or max(len(changed), len(gone_ids)) > MAX_ROWS:
        return {"all": True}
    if not changed and not gone_ids:
        return None
    data: dict[str, Any] = {"rows": changed, "gone": gone_ids}
    old_ids = match_renamed(last_whole.rows, new_rows, [lambda row: (row["kind"], str(row["name"]))])
    renamed = {old_id: new_id for new_id, old_id in old_ids.items() if old_id in gone_ids}
    if renamed:
        data["renamed"] = renamed
    new_ids = {row["id"] for row in changed} - old_rows.keys()
    if new_ids:  # each comes behind the row before it, the first one behind None
        predecessors = dict(zip(new_rows, [None, *new_rows], strict=False))
        data["after"] = {id: predecessors[id] for id in new_rows if id in new_ids}
    return data


def _changed_rows(old_rows: Mapping[str, Row], new_rows: Mapping[str, Row]) -> list[Row]:
    """Return the rows that are new or other than they were; first those that are the same object are left
    out, which is fast."""
    replaced = [row for id, row in new_rows.items() if old_rows.get(id) is not row]
    return [row for row in replaced if old_rows.get(row["id"]) != row]


def _is_reordered(old_rows: Mapping[str, Row], new_rows: Mapping[str, Row]) -> bool:
    """Whether the rows that were there before have another order."""
    return [id for id in old_rows if id in new_rows] != [id for id in new_rows if id in old_rows]


def _state(
    root: Path, options: PreviewOptions, stage: str, project: LiveProject | None, counts: Mapping[str, int]
) -> dict[str, Any]:
    """Return the state for the page; ``project`` is None until it was read, and where there is none."""
    link = _EDITOR_LINKS.get(options.editor or "", "").format(path=quote(root.as_posix()))
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
    """Return the settings of the project, and the values by which its cards can be filtered."""
    from toolkit.data.schema import KINDS

    cards = project.cards
    settings = cards.project
    languages = settings.languages
    kinds = {card.kind for card in cards.cards.values()} | ({"objective"} if cards.objectives else set())
    return {
        "name": settings.name,
        "languages": list(languages),
        "layouts": [*cards.layouts],
        "looks": [*LOOKS],
        "modes": [
            {"id": id, "name": names_by_language(mode.name, languages)} for id, mode in cards.modes.items()
        ],
        "kinds": [kind for kind in (*KINDS, "objective") if kind in kinds],
        "teams": [
            {"id": id, "name": names_by_language(team.name, languages)} for id, team in cards.teams.items()
        ],
        "traits": [
            {"id": trait, "name": names_by_language(settings.traits.get(trait), languages) or {}}
            for trait in sorted(cards.traits())
        ],
    }


def names_by_language(text: Text | None, languages: Iterable[str]) -> dict[str, str]:
    """Return a text in each language; empty without a text."""
    return {} if text is None else {code: text.in_language(code).value for code in languages}


def _row(entry: Card | Objective, languages: Iterable[str]) -> Row:
    """Return the row of a card without its place and its numbers of findings."""
    from toolkit.data.model import Card

    card = entry if isinstance(entry, Card) else None
    is_operator = card is not None and card.kind == "operator"
    return {
        "id": entry.id,
        "kind": card.kind if card else "objective",
        "name": names_by_language(entry.name, languages),
        "team": card.team if card else None,
        "traits": list(card.traits) if card else [],
        "stats": {key.lower(): value for key, value in card.stats.items()} if card and is_operator else None,
        "squadpoints": card.squadpoints if card and is_operator else None,
        "value": None if isinstance(entry, Card) else entry.value,
        "quantity": entry.quantity,
        "stale": False,
        "changed": None,
        "unprinted": False,
    }


def numbers_by_key(entry: Card | Objective) -> dict[str, int]:
    """Return the numbers of a card by key."""
    row = _row(entry, ())
    other_numbers = {key: row[key] for key in ("squadpoints", "value", "quantity") if row[key] is not None}
    return {**(row["stats"] or {}), **other_numbers}


def _stale_row(row: Row, findings: Mapping[str | None, list[Diagnostic]]) -> Row:
    """Return the row of a broken card. It has at least one error, even if that is elsewhere in its file."""
    severities = [reported_severity(finding) for finding in findings.get(row["id"], ())]
    errors = max(1, severities.count("error"))
    stale = {**row, "errors": errors, "warnings": severities.count("warning"), "stale": True}
    return row if row == stale else stale


def _readable_rows(project: LiveProject, names: Mapping[Path, str]) -> Iterator[Row]:
    """Yield the rows of broken cards, as far as they can be read."""
    from toolkit.data.schema import KINDS
    from toolkit.project.value_at import entries_of, kind_of

    languages = project.cards.project.languages
    for file, root, entries in project.trees():
        broken = entries.broken_ids if entries is not None else ()
        if not broken:
            continue
        for section, node in entries_of(root):
            value, id = node.value, node.value.get("id")
            is_broken = isinstance(id, str) and id in broken
            if section not in ("cards", "objectives") or not is_broken:
                continue
            kind = "objective" if section == "objectives" else kind_of(node)
            yield {
                "id": id,
                "kind": kind if kind in (*KINDS, "objective") else None,
                **_readable_values(value, kind, languages),
                "file": names[file.path],
                "line": node.nodes["id"].span.begin_position.line,
                "changed": None,
                "unprinted": False,
            }


def _readable_values(value: Mapping[str, Any], kind: str | None, languages: Iterable[str]) -> Row:
    """Return the values of a row of an entry that may have any values, without those of a wrong type."""
    name, traits, team = value.get("name"), value.get("traits"), value.get("team")
    printed_names = name if isinstance(name, dict) else dict.fromkeys(languages, name)
    trait_list = traits if isinstance(traits, list) else []
    is_operator = kind == "operator"
    stats = {key: _number(value.get(key)) for key in ("ap", "ep", "dp", "mp")}
    return {
        "name": {code: text for code, text in printed_names.items() if isinstance(text, str)},
        "team": team if isinstance(team, str) else None,
        "traits": [trait for trait in trait_list if isinstance(trait, str)],
        "stats": stats if is_operator else None,
        "squadpoints": _number(value.get("squadpoints")) if is_operator else None,
        "value": _number(value.get("value")) if kind == "objective" else None,
        "quantity": _number(value.get("quantity", 1)),
    }


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _in_order(rows: dict[str, Row]) -> dict[str, Row]:
    """Return the rows in the order in which files are read: the project file first, then by path and line."""
    files = {row["file"] for row in rows.values()}
    order = sorted(files, key=lambda name: (name != PROJECT_FILE, Path(name).parts))
    ranks = {name: number for number, name in enumerate(order)}
    ids = sorted(rows, key=lambda id: (ranks[rows[id]["file"]], rows[id]["line"]))
    return {id: rows[id] for id in ids}
