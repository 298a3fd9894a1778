"""New entries for ``opforge new``: a card, OBJECTIVE, TEAM, SQUAD, mode or scenario, valid as it is written.

A card is imported as a table with one row. It gets an example effect, two others as comments, a placeholder
for its picture, and a scenario that expects what the card does today.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median_low
from typing import Any

from msgspec import Struct

from toolkit.data.model import Entry
from toolkit.data.schemas.parts import ID_PATTERN
from toolkit.data.yaml import entry_edits
from toolkit.data.yaml.nodes import Mapping as MappingNode
from toolkit.diagnostics.report import new_errors
from toolkit.editing.tables.columns import KINDS, OBJECTIVE, columns_of
from toolkit.editing.tables.entry_editor import dash_column
from toolkit.editing.tables.headers import resolve_headers
from toolkit.editing.tables.importing import ImportRequest, has_blank_line_above, id_from_names, plan_import
from toolkit.editing.tables.table_reader import Book, Sheet, SheetRow
from toolkit.play.attack_bench import play_bench
from toolkit.project.output import Change
from toolkit.project.pipeline import Workspace, open_project
from toolkit.render.checks.appearance_findings import look_alike
from toolkit.resources import templates_folder
from toolkit.source import SourceFile, yaml_scalars
from toolkit.source.edits import Edit, apply
from toolkit.source.paths import inside
from toolkit.source.reading import ReadProblem, read_file
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import nearest

EXAMPLES: dict[str, tuple[str, str, str]] = {
    "operator": (
        "while attacking, self gets +1 AP.",
        "while attacked, if number of other own OPERATORs in RANGE >= 1, self gets +2 EP.",
        "when self becomes HIT, opponent discards 1 card.",
    ),
    "attack": (
        "while attacking, self gets +2 AP.",
        "while attacking, self rolls +1 ATTACK D6.",
        "when the attack hits, owner rolls a D6 for 4+, if so, target becomes EXHAUSTED.",
    ),
    "defence": (
        "while attacked, self gets +2 EP.",
        "while attacked, attacker halves AP.",
        "while attacked, self may reroll 1 DEFENCE D6.",
    ),
    "effect": (
        "when played, owner draws 2 cards.",
        "when played, one enemy OPERATOR that is SUPPRESSED becomes EXHAUSTED, then it gets +1 HITCOUNTER.",
        "when played, owner puts 1 ATTACK card from own DISCARDZONE into the hand.",
    ),
    "strategy": (
        "all own OPERATORs get +1 EP.",
        "while an own OPERATOR attacks, attacker gets +1 AP.",
        "when the own TURN begins, if number of cards in own hand = 0, owner draws 1 card.",
    ),
    "item": (
        "self gets +1 AP.",
        "while attacked, self gets +1 EP.",
        "self ignores SUPPRESSION.",
    ),
}
"""For each kind an example effect, and two others for comments; all are valid."""

_TEAM_COLOURS = (
    ("#7a3b8f", "#ffe066"),
    ("#1f6f78", "#f4e9cd"),
    ("#b23a24", "#ffd9a0"),
    ("#d9c8a0", "#203040"),
    ("#1b1b2f", "#ff8c69"),
    ("#f2f2f2", "#8a1538"),
    ("#2d4a3e", "#e0b84c"),
    ("#4a2d3e", "#e8d9b0"),
)
"""The ground of a TEAM, and lines on it; no two look alike, also to people who are colour-blind."""


_USUAL_NUMBER = 3
"""A stat, and the SQUADPOINTS, of an OPERATOR in a project that has none yet."""
_USUAL_OBJECTIVE = 4
"""The value of an OBJECTIVE in a project that has none yet."""


class NewEntry(Struct, frozen=True):
    """The changes of card files, other ``files`` to write, and the ``places`` (``file:line``) of what is new.

    Or the ``problems`` that prevent it, or the keys that are ``missing`` in the request.
    """

    id: str = ""
    changes: tuple[Change, ...] = ()
    files: Mapping[Path, bytes] = {}
    places: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def plan_entry(
    workspace: Workspace, kind: str, id: str | None, given_values: Mapping[str, str], file: Path | None = None
) -> NewEntry:
    """Plan a new entry. ``given_values`` are values by key, such as ``ap`` or ``name.de``."""
    values = _expand_texts(given_values, workspace.cards.project.languages)
    entry_id = id or id_from_names({"name": given_values.get("name", ""), **values})
    if not entry_id:
        return NewEntry(missing=("name",))
    if not re.search(ID_PATTERN, entry_id):
        return NewEntry(
            problems=(f"{entry_id!r} is not an id: write lower-case letters, digits and hyphens.",)
        )
    unknown = tuple(_unknown_keys(kind, values, workspace.cards.project.languages))
    if unknown:
        return NewEntry(problems=unknown)
    unreadable = _unreadable(workspace, file, kind)
    if unreadable:
        return NewEntry(problems=(unreadable,))
    entry_of_id = next((entry for entry in workspace.cards.entries() if entry.id == entry_id), None)
    if entry_of_id is not None and kind != "scenario":
        location = f"{entry_of_id.file.name}:{entry_of_id.id_span.begin_position.line}"
        return NewEntry(problems=(f"The id {entry_id!r} is taken: {location}.",))
    if kind in KINDS:
        return _plan_card(workspace, kind, entry_id, values, file)
    return _plan_other(workspace, kind, entry_id, values, file)


def _unreadable(workspace: Workspace, file: Path | None, kind: str) -> str | None:
    """Return why a file that a new entry, or the scenario of a new card, may be appended to cannot be read,
    if there is one."""
    section = "scenarios" if kind in KINDS else f"{kind}s"
    for path in filter(None, (file, workspace.root / f"{section}.yaml")):
        source = read_file(path, workspace.root) if path.exists() else None
        if isinstance(source, ReadProblem):
            location = f"{source.span.file.name}:{source.span.begin_position.line}"
            return f"{location}: {source.message} {source.next_step}"
    return None


def defaults(workspace: Workspace, kind: str) -> dict[str, str]:
    """Return values for the required keys of a kind: the most common or the median of the project."""
    if kind == OBJECTIVE:
        values = [objective.value for objective in workspace.cards.objectives.values()]
        return {"value": _median(values, _USUAL_OBJECTIVE)}
    if kind != "operator":
        return {}
    operators = [card for card in workspace.cards.cards.values() if card.kind == "operator"]
    default_values = {}
    teams = [card.team for card in operators if card.team] or list(workspace.cards.teams)
    if teams:
        ((most_common_team, _),) = Counter(teams).most_common(1)
        default_values["team"] = most_common_team
    default_values["squadpoints"] = _median([card.squadpoints for card in operators], _USUAL_NUMBER)
    for stat in STATS.values():
        if stat.required:
            values = [card.stats.get(stat.name, _USUAL_NUMBER) for card in operators]
            default_values[stat.key] = _median(values, _USUAL_NUMBER)
    return default_values


def _median(values: Sequence[int], otherwise: int) -> str:
    return str(median_low(values or [otherwise]))


def _expand_texts(given_values: Mapping[str, str], languages: Sequence[str]) -> dict[str, str]:
    """Return the values with each text that was given for all languages repeated for each of them."""
    values = {key: value for key, value in given_values.items() if key not in ("name", "flavour", "text")}
    for key in ("name", "flavour", "text"):
        if key in given_values:
            values = {**{f"{key}.{language}": given_values[key] for language in languages}, **values}
    return values


def _unknown_keys(kind: str, keys: Iterable[str], languages: Sequence[str]) -> Iterator[str]:
    """Yield a sentence about each key that cannot be given to a new entry of this kind."""
    is_card = kind in KINDS
    known_headers = [column.header for column in columns_of(kind, languages)] if is_card else []
    known_headers = known_headers or [f"name.{language}" for language in languages]
    for key in keys:
        # the import of a table also knows other ways to write a key, and reports keys of other kinds itself
        is_header = is_card and resolve_headers(Sheet(kind, {key: ""}, ()), languages, {}).columns
        if key in known_headers or is_header:
            continue
        near = nearest(key, known_headers)
        if near:
            yield f"`{key}` is not a key of a new {kind}. Did you mean `{near}`?"
        elif is_card:
            yield f"`{key}` is not a key of {kind} cards. Leave it out."
        else:
            yield f"`opforge new {kind}` takes only an id and a name. Write `{key}` into the new entry."


def _plan_card(
    workspace: Workspace, kind: str, id: str, given_values: Mapping[str, str], file: Path | None
) -> NewEntry:
    """Plan a card by an import of one row: given values, defaults, an example of its effect, a placeholder
    for its picture, and a scenario that shows what it does."""
    default_values = defaults(workspace, kind)
    if kind == "operator" and "team" not in {**default_values, **given_values}:
        return NewEntry(missing=("team",))
    names = {f"name.{language}": _name_from(id) for language in workspace.cards.project.languages}
    effect_key = "skill1.effect" if kind == "operator" else "effect"
    given = {effect_key if key == "effect" else key: value for key, value in given_values.items()}
    cells = {"id": id, "kind": kind, **names, **default_values, **given}
    further_examples: list[str] = []
    if kind in EXAMPLES and effect_key not in given:
        cells[effect_key], *further_examples = EXAMPLES[kind]
    files: dict[Path, bytes] = {}
    if "art" not in given:
        art = workspace.root / "art" / f"{id}.svg"
        cells["art"] = f"art/{id}.svg"
        if inside(art, workspace.root) is None:
            return NewEntry(problems=("The folder art is a link that leads out of the project.",))
        if not art.exists():
            files[art] = _placeholder(kind)
    plan = plan_import(workspace, _book_of_row(cells), ImportRequest(new_cards_file=file))
    if plan.serious:
        problems = [problem for problem in plan.problems if problem.serious]
        sentences = [f"{problem.message} {problem.next_step}".strip() for problem in problems]
        return NewEntry(problems=tuple(sentences))
    (change,) = plan.changes
    if further_examples:
        change = Change(change.file, _with_examples(change.after, id, further_examples))
    return _with_scenario(workspace, kind, NewEntry(id, (change,), files))


def _book_of_row(cells: Mapping[str, str]) -> Book:
    """Return a table with one row, which has no places in a file."""
    return Book((Sheet("", dict.fromkeys(cells, ""), (SheetRow("", cells, {}),)),))


def _with_scenario(workspace: Workspace, kind: str, card: NewEntry) -> NewEntry:
    """Return a new card with a scenario, if one can be played, and with the places of all that is new."""
    (change,) = card.changes
    changes = [change]
    scenario = _scenario_of(workspace, kind, card.id, changes)
    places = [_place(change, f"id: {card.id}"), *(f"art/{path.name}" for path in card.files)]
    if scenario is not None:
        scenario_change, scenario_name = scenario
        changes.append(scenario_change)
        places.insert(1, _place(scenario_change, scenario_name))
    return NewEntry(card.id, tuple(changes), card.files, tuple(places))


def _name_from(id: str) -> str:
    return id.replace("-", " ").capitalize()


def _place(change: Change, words: str) -> str:
    """Return where some words stand for the last time in a changed file, as ``file:line``."""
    line = change.after[: change.after.rindex(words)].count("\n") + 1
    return f"{change.file.name}:{line}"


def _with_examples(text: str, id: str, examples: Iterable[str]) -> str:
    """Return the text with other effects behind that of a new card, as comments."""
    effect_start = text.index("effect: ", text.rindex(f"id: {id}\n"))
    line = text.rfind("\n", 0, effect_start) + 1
    end = text.index("\n", effect_start)
    indent = " " * (effect_start - line)
    comments = "".join(f"\n{indent}# effect: {example}" for example in examples)
    return text[:end] + comments + text[end:]


def _placeholder(kind: str) -> bytes:
    """Return an SVG with the kind's icon, as a placeholder for a picture."""
    icon = (templates_folder() / "icons" / f"{kind}.svg").read_text(encoding="utf-8")
    drawing = icon[icon.index(">") + 1 : icon.rindex("</svg>")]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 126 100">\n'
        '<rect width="126" height="100" fill="#37414b"/>\n'
        f'<g transform="translate(45 32) scale(1.5)" fill="#8894a0">{drawing}</g>\n</svg>\n'
    ).encode()


def _scenario_of(
    workspace: Workspace, kind: str, id: str, changes: Sequence[Change]
) -> tuple[Change, str] | None:
    """Return a change that adds a scenario for a new card, and a text to find it by in the file.

    None for an OBJECTIVE, and without two OPERATORs to play it.
    """
    scenario = _attack_scenario(workspace, id if kind == "operator" else None)
    if scenario is None or kind == OBJECTIVE:
        return None
    (step,) = scenario["do"]
    if kind == "attack":
        scenario |= {"hands": {"blue": [id]}, "do": [{**step, "attack_card": id}]}
    elif kind == "defence":
        scenario |= {"hands": {"red": [id]}, "do": [{**step, "defence_card": id}]}
    elif kind == "item":
        scenario["state"] = {step["by"]: {"attached": id}}
    elif kind == "strategy":
        scenario["strategies"] = {"blue": [id]}
    elif kind == "effect":
        played = {"action": "play", "card": id, "by": "blue"}
        scenario |= {"hands": {"blue": [id]}, "do": [played]}
    name = f"{id} as it plays today"
    change = _new_scenario(workspace, {"name": name, **scenario}, changes, note="is this what you want?")
    return (change, f"name: {name}") if change is not None else None


def _attack_scenario(workspace: Workspace, attacker: str | None) -> dict[str, Any] | None:
    """Return a scenario without a name in which one OPERATOR (``attacker``, if it is given) attacks another;
    None without two of them.

    OPERATORs that are in a SQUAD come first.
    """
    cards = workspace.cards
    ids_in_squads = [card_id for squad in cards.squads.values() for card_id in squad.operators]
    operator_ids = [card.id for card in cards.cards.values() if card.kind == "operator"]
    candidates = dict.fromkeys((*ids_in_squads, *operator_ids))
    fighters = [] if attacker is None else [attacker]
    fighters += [card_id for card_id in candidates if card_id in operator_ids and card_id != attacker]
    mode = cards.modes.get(cards.project.mode or "") or next(iter(cards.modes.values()), None)
    if mode is None or len(fighters) < 2:
        return None
    blue, red = fighters[:2]
    empty_positions = [None] * (mode.field_positions - 1)
    step = {"action": "attack", "by": blue, "on": red, "dice": [3, 3]}
    return {"field": {"blue": [blue, *empty_positions], "red": [red, *empty_positions]}, "do": [step]}


def _new_scenario(
    workspace: Workspace,
    scenario: Mapping[str, Any],
    other_changes: Iterable[Change] = (),
    file: Path | None = None,
    note: str = "",
) -> Change | None:
    """Return the change that adds a scenario which expects its own result; None if it cannot be played."""
    overlay = {change.file.path: change.after for change in other_changes}
    played = play_bench(open_project(workspace.root, overlay) if overlay else workspace, scenario)
    if isinstance(played, str) or played.findings:
        return None
    if played.data["refused"] or not played.data["yaml"]:
        return None
    _section_line, name_line, *other_lines = played.data["yaml"].splitlines()
    if note:
        name_line += f"      # {note}"
    return _append(workspace, "scenarios", "\n".join([name_line, *other_lines]), file)


def _entries_of(workspace: Workspace, section: str) -> list[Entry]:
    if section == "scenarios":
        return list(workspace.cards.scenarios)
    return list(getattr(workspace.cards, section).values())


def _append(workspace: Workspace, section: str, lines: str, file: Path | None = None) -> Change:
    """Return the change that appends an entry to a section, in the file with most of it or a new one.

    ``lines`` are those of the entry, with its dash in column 2.
    """
    entries = [entry for entry in _entries_of(workspace, section) if entry_edits.is_block_item(entry.node)]
    if file is not None:
        entries = [entry for entry in entries if entry.file.path == file]
    if not entries:
        path = file or workspace.root / f"{section}.yaml"
        source = read_file(path, workspace.root) if path.exists() else SourceFile(path, path.name, "")
        assert isinstance(source, SourceFile), "plan_entry has looked at the files"
        text_before = source.text if source.text.endswith("\n") or not source.text else f"{source.text}\n"
        return Change(source, f"{text_before}{section}:\n{lines}\n")
    ((fullest_path, _),) = Counter(entry.file.path for entry in entries).most_common(1)
    nodes = [entry.node for entry in entries if entry.file.path == fullest_path]
    return _insert_behind(max(nodes, key=lambda node: node.start), lines)


def _insert_behind(last_node: MappingNode, lines: str) -> Change:
    """Return the change that inserts an entry behind the last one, indented and spaced like that."""
    shifted_lines = _shifted(lines.split("\n"), dash_column(last_node) - _DASH_COLUMN)
    blank_line = "\n" if has_blank_line_above(last_node) else ""
    insertion = entry_edits.insert_behind(last_node, blank_line + shifted_lines)
    return Change(last_node.file, apply(last_node.file.text, [insertion]))


def _plan_other(
    workspace: Workspace, kind: str, id: str, given_values: Mapping[str, str], file: Path | None
) -> NewEntry:
    """Plan a TEAM, a copy of the project's first SQUAD or mode, or a scenario."""
    section, languages = f"{kind}s", workspace.cards.project.languages
    if kind == "scenario":
        return _plan_scenario(workspace, given_values.get(f"name.{languages[0]}", id), file)
    names = {language: given_values.get(f"name.{language}", _name_from(id)) for language in languages}
    first_name, *other_names = dict.fromkeys(names.values())
    # a name that is the same in all languages is written once
    name = entry_edits.format_texts(names) if other_names else yaml_scalars.format_scalar(first_name)
    if kind == "team":
        lines = f"  - id: {id}\n    name: {name}\n    colours: [{_team_colours(workspace)}]"
    else:
        blocks = (entry for entry in _entries_of(workspace, section) if entry_edits.is_block_item(entry.node))
        entry_to_copy = next(blocks, None)
        if entry_to_copy is None:
            return NewEntry(problems=(f"There is no {kind} in the project to begin from.",))
        lines = _copied_lines(entry_to_copy, id, name)
    change = _append(workspace, section, lines, file)
    opened = open_project(workspace.root, {change.file.path: change.after})
    errors = tuple([error.message for error in new_errors(workspace.findings, opened.findings)])
    places = (_place(change, f"id: {id}"),)
    return NewEntry(id, () if errors else (change,), places=places, problems=errors)


def _team_colours(workspace: Workspace) -> str:
    """Return the next colours that ``check`` can tell from those of all other TEAMs; if there are none, the
    next."""
    colours_of_teams = [team.colours for team in workspace.cards.teams.values() if team.colours]
    start = len(workspace.cards.teams) % len(_TEAM_COLOURS)
    next_pair, *further_pairs = _TEAM_COLOURS[start:] + _TEAM_COLOURS[:start]
    distinct_pairs = (pair for pair in (next_pair, *further_pairs) if not look_alike(pair, colours_of_teams))
    ground, lines = next(distinct_pairs, next_pair)
    return f'"{ground}", "{lines}"'


def _plan_scenario(workspace: Workspace, name: str, file: Path | None) -> NewEntry:
    """Plan a scenario in which one OPERATOR attacks another, as an example to change."""
    scenario = _attack_scenario(workspace, None)
    if scenario is None:
        return NewEntry(problems=("A scenario needs two OPERATORs and a mode; there are none yet.",))
    change = _new_scenario(workspace, {"name": name, **scenario}, file=file)
    if change is None:
        return NewEntry(problems=("The scenario cannot be played as it is; write it by hand.",))
    return NewEntry(name, (change,), places=(_place(change, "name: "),))


def _copied_lines(entry: Entry, id: str, name: str) -> str:
    """Return the lines of an entry with another id and name, and without the comment behind its id."""
    node = entry.node
    text = node.file.text
    begin = text.rfind("\n", 0, node.start) + 1
    end = text.find("\n", node.end)
    copied = text[begin : end if end >= 0 else len(text)]
    edits = []
    for key, new in (("id", id), ("name", name)):
        value = node.nodes.get(key)
        if value is not None:
            # a comment behind the id is about the other entry
            stop = text.find("\n", value.end) if key == "id" and not node.in_braces else value.end
            edits.append(Edit(value.start - begin, stop - begin, new))
    return _shifted(apply(copied, edits).split("\n"), _DASH_COLUMN - dash_column(node)).rstrip()


_DASH_COLUMN = 2
"""Where the dash of an entry is in lines that are not shifted yet."""


def _shifted(lines: Iterable[str], columns: int) -> str:
    """Return lines with so many blanks more in front, or fewer where the number is negative."""
    return "\n".join(" " * columns + line[max(-columns, 0) :] for line in lines)
