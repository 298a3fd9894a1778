"""Trials of values of cards: the project is read as if they were in its files, and nothing is written.

Writing a value changes its scalar and nothing else, which is verified before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolkit.data.project_files import FolderReader
from toolkit.data.yaml import entry_edits
from toolkit.data.yaml.nodes import REFUSED, Mapping, Node, Scalar, node_at
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.diagnostics.report import new_errors
from toolkit.dsl.completing import Completion, completions
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect
from toolkit.editing.formatting.formatter import comments
from toolkit.editing.formatting.yaml_printer import canonical_lines, comments_of
from toolkit.editing.saying import completed_sentences
from toolkit.project.live_project import LiveProject
from toolkit.project.output import Change
from toolkit.project.pipeline import Workspace
from toolkit.project.value_at import effect_names, has_letters, kind_of, name_of, role_at
from toolkit.source import ScalarText, SourceFile, Span, yaml_scalars
from toolkit.source.edits import Edit, apply
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import nearest

MAX_TRIES = 50
"""Values in a trial, at most."""

_NUMBER_KEYS = (*[stat.key for stat in STATS.values()], "squadpoints", "quantity", "value")
_KEY = re.compile(
    r"(?:skills\[(?P<skill>\d{1,2})\]\.)?(?:(?P<effect>effect)|(?P<name>name)(?:\.(?P<language>[a-z][a-zA-Z-]{0,20}))?)"
)
_WHOLE_NUMBER = re.compile(r"-?\d{1,9}")


class TriedValue(Struct, frozen=True):
    """A value of a card or OBJECTIVE: ``key`` is such as ``ap``, ``name.de`` or ``skills[0].effect``."""

    card: str
    key: str
    value: str | int


class Trial(Struct, frozen=True):
    """Valid values: the project as it is with them, and the changes of its files.

    In ``changes`` effects are in canonical form, in ``project`` as they were typed. ``before`` are the
    findings of the project without them.
    """

    values: tuple[TriedValue, ...]
    project: LiveProject
    changes: tuple[Change, ...]
    before: Sequence[Diagnostic]

    def findings(self) -> Iterator[tuple[Diagnostic, dict[str, Any]]]:
        """Yield the findings of the tried cards, and new ones of others.

        With a finding in a tried value come its ``card`` and ``key``, and its range of characters in the
        value (``offset``, ``end_offset``); with any other an empty dictionary.
        """
        cards = {tried_value.card for tried_value in self.values}
        entries = _entries(self.project)
        value_texts = []
        for tried_value in self.values:
            scalar = _scalar(entries.get(tried_value.card), _node_path(tried_value.key))
            if scalar is not None:
                value_texts.append((tried_value, scalar.as_text()))
        known_findings = {(finding.name, finding.message) for finding in self.before}
        for finding in self.project.reported:
            if finding.card in cards or (finding.name, finding.message) not in known_findings:
                value_places = (
                    _place_in_value(tried_value, text, finding.span) for tried_value, text in value_texts
                )
                yield finding, next(filter(None, value_places), {})

    def errors(self) -> list[Diagnostic]:
        """Return the errors that the project did not have before."""
        return new_errors(self.before, self.project.reported)


def open_for_trials(root: Path) -> LiveProject:
    """Return the project in a folder, read, so that values can be tried in it."""
    project = LiveProject(root, FolderReader(root))
    project.read()
    return project


def project_with(project: LiveProject, texts: Sequence[str]) -> Workspace | str | list[Diagnostic]:
    """Return a project as it would be with values such as ``viper.ap=5`` or ``aimed-shot.effect=…``.

    A sentence says why one cannot be tried, findings what would be wrong with it then.
    """
    values: list[TriedValue] = []
    for text in texts:
        match = _WRITTEN_VALUE.fullmatch(text.strip())
        if match is None:
            return f"{shown(text)!r} is not a value of a card; write it like viper.ap=5."
        unknown = project.current.unknown_ids([match["card"]])
        if unknown is not None:
            return unknown
        value = TriedValue(match["card"], match["key"], match["value"].strip())
        for earlier in values:
            if (earlier.card, earlier.key) == (value.card, value.key):
                written = f"{earlier.value} and {value.value}"
                return f"`{value.key}` of `{value.card}` is given twice, {shown(written)}; leave one out."
        values.append(value)
    trial = try_values(project, values)
    if isinstance(trial, str):
        return trial
    return trial.errors() or trial.project.current


_WRITTEN_VALUE = re.compile(r"(?P<card>[^.=]+)\.(?P<key>[^=]+?)\s*=(?P<value>.*)", re.DOTALL)


def _place_in_value(tried_value: TriedValue, text: ScalarText, span: Span) -> dict[str, Any] | None:
    """Return where a span is in a tried value, if it is."""
    value = text.span
    if span.file is not value.file or not value.start <= span.start <= span.end <= value.end:
        return None
    begin, end = text.index_at(span.start) or 0, text.index_at(span.end)
    end_offset = len(text.value) if end is None else max(begin, end)
    return {"card": tried_value.card, "key": tried_value.key, "offset": begin, "end_offset": end_offset}


def try_values(project: LiveProject, values: Sequence[TriedValue]) -> Trial | str:
    """Read a project as it would be with other values, or return a sentence why one cannot be tried.

    The project itself stays as it is. The trial is valid until the project is read again.
    """
    typed_edits: dict[SourceFile, list[Edit]] = {}
    canonical_edits: dict[SourceFile, list[Edit]] = {}
    latest = {(tried_value.card, tried_value.key): tried_value for tried_value in values}
    entries = _entries(project)
    for tried_value in latest.values():
        entry, value = entries.get(tried_value.card), str(tried_value.value)
        scalar = _scalar(entry, _node_path(tried_value.key))
        if entry is None and tried_value.card in project.cards.broken_ids:
            return f"`{tried_value.card}` cannot be read; correct its file first."
        if scalar is None:
            hint = _hint_at_keys(tried_value.key, entry)
            return f"`{tried_value.key}` of `{tried_value.card}` is not a value that can be tried.{hint}"
        if len(value) > MAX_CHARACTERS:
            return f"A value may have at most {MAX_CHARACTERS:,} characters."
        canonical_text = canonical_effect(value, scalar) if tried_value.key.endswith("effect") else value
        for edits, text in ((typed_edits, value), (canonical_edits, canonical_text)):
            edit = _edit_of_value(tried_value, scalar, text, in_flow=_in_brackets(entry, scalar))
            if edit is None:
                line = scalar.span.begin_position.line
                return f"This value cannot be changed here; edit it in {scalar.file.name}, line {line}."
            edits.setdefault(scalar.file, []).append(edit)
    trial_project = project.copy()
    trial_project.read({file.path: apply(file.text, edits) for file, edits in typed_edits.items()})
    changes = tuple([Change(file, apply(file.text, edits)) for file, edits in canonical_edits.items()])
    return Trial(tuple(latest.values()), trial_project, changes, project.reported)


def _edit_of_value(tried_value: TriedValue, scalar: Scalar, text: str, *, in_flow: bool) -> Edit | None:
    """Return the edit that writes a text for a tried value; None if it cannot be made safely."""
    is_number = (
        tried_value.key in _NUMBER_KEYS and _WHOLE_NUMBER.fullmatch(str(tried_value.value)) is not None
    )
    return entry_edits.change_scalar(scalar, text, number=is_number, in_flow=in_flow)


def _entries(project: LiveProject) -> dict[str, Mapping]:
    """Return the cards and OBJECTIVEs by id, also broken ones; the first for a duplicate id."""
    entries_by_id: dict[str, Mapping] = {}
    for _, root, _ in project.trees():
        for (section, _), entry in _cards(root):
            name = name_of(section, entry)
            if name is not None:
                entries_by_id.setdefault(name.text, entry)
    return entries_by_id


NodePath = tuple[str | int, ...]


def _cards(root: Node | None) -> Iterator[tuple[tuple[str, int], Mapping]]:
    """Yield the cards and OBJECTIVEs of a file with their paths: the section, and their index in it."""
    if not isinstance(root, Mapping):
        return
    for section in ("cards", "objectives"):
        for number, entry in enumerate(root.items(section)):
            if isinstance(entry, Mapping):
                yield (section, number), entry


def _node_path(key: str) -> NodePath | None:
    """Return the path from a card to a value that can be tried; None for any other key.

    ``skills[0].name.de`` is ``("skills", 0, "name", "de")``.
    """
    if key in _NUMBER_KEYS:
        return (key,)
    match = _KEY.fullmatch(key)
    if match is None:
        return None
    skill: NodePath = ("skills", int(match["skill"])) if match["skill"] else ()
    return (*skill, *filter(None, match.group("effect", "name", "language")))


def _keys_to_try(entry: Mapping | None) -> Iterator[str]:
    """Yield the keys of a card whose values can be tried, as they are written."""
    for path, _ in _values(entry):
        key, *keys_below = path
        if key == "skills" and len(keys_below) > 1:
            skill, key_of_skill, *keys_below = keys_below
            key = f"skills[{skill}].{key_of_skill}"
        written_key = ".".join(map(str, (key, *keys_below)))
        if _node_path(written_key) is not None:
            yield written_key


def _hint_at_keys(key: str, entry: Mapping | None) -> str:
    """Return a sentence about the key that is meant, or about those that make a difference in play."""
    keys = [*_keys_to_try(entry)]
    near_key = nearest(key, keys)
    if near_key is not None:
        return f" Did you mean `{near_key}`?"
    played_keys = [key for key in keys if key in _NUMBER_KEYS or key.endswith("effect")]
    return f" Values to try: {', '.join(played_keys)}." if played_keys else ""


def _scalar(entry: Mapping | None, path: NodePath | None) -> Scalar | None:
    """Return the value at a path in a card; None if there is none that could be replaced."""
    node = node_at(entry, path) if path is not None else None
    return node if isinstance(node, Scalar) and node.end > node.start and node.style != REFUSED else None


def _in_brackets(node: Node | None, scalar: Scalar) -> bool:
    """Whether a value below a node is in brackets or braces, in the node itself or further in."""
    if node is None or isinstance(node, Scalar):
        return False
    if isinstance(node, Mapping):
        is_in_brackets, children = node.in_braces, list(node.nodes.values())
    else:
        is_in_brackets, children = node.in_brackets, list(node.items)
    around = (child for child in children if child.start <= scalar.start and scalar.end <= child.end)
    return is_in_brackets or _in_brackets(next(around, None), scalar)


def canonical_effect(text: str, scalar: Scalar) -> str:
    """Return an effect as the formatter writes it in place of a scalar; unchanged if it has errors."""
    is_block = scalar.style in ("|", ">") or "\n" in text
    yaml_text = yaml_scalars.format_block(text, 2) if is_block else yaml_scalars.format_scalar(text)
    tree = parse_tree(SourceFile(scalar.file.path, scalar.file.name, f"effect: {yaml_text}\n"))
    effect_node = tree.root.nodes.get("effect") if isinstance(tree.root, Mapping) else None
    if not isinstance(effect_node, Scalar) or effect_node.style not in ("", "|"):
        return text
    lines = canonical_lines(effect_node)
    if lines is None:
        return text
    return "\n".join([f"{line.words}  {line.comment.text}" if line.comment else line.words for line in lines])


MAX_COMPLETIONS = 100


def effect_completions(
    project: LiveProject, card: str, key: str, text: str, offset: int
) -> list[Completion] | None:
    """Return the completions at an offset of an effect of a card; None if the key is not an effect's."""
    path, entry = _node_path(key), _entries(project).get(card)
    scalar = _scalar(entry, path)
    if entry is None or path is None or scalar is None or not key.endswith("effect"):
        return None
    kind = kind_of(entry)
    section = "cards" if kind is not None else "objectives"
    role = role_at((section, 0, *path), kind)  # which of its entries makes no difference
    if role is None:
        return []
    text_before, text_after = text[: max(offset, 0)], text[max(offset, 0) :]
    will_be_block = scalar.style == "|" or "\n" in text
    has_comments, names = will_be_block, effect_names(project.cards)
    offered = completions(text_before, role, after=text_after, comments=has_comments, names=names)
    if not offered and not text_after.strip():
        return completed_sentences(text_before, role, project.cards)
    first_offered = next(iter(offered), None)
    typed_letters = text_before[first_offered.begin :].lower() if first_offered else ""
    matches = [completion for completion in offered if has_letters(completion.label, typed_letters)]
    # labels that begin with the typed letters come first
    matches.sort(key=lambda completion: not completion.label.lower().startswith(typed_letters))
    return matches[:MAX_COMPLETIONS]


def write_refusal(trial: Trial) -> str | None:
    """Return why the values of a trial must not be written, if something else would change.

    The files are read as they would be: all but the tried values must be the same, and no comment be lost.
    """
    for change in trial.changes:
        file = SourceFile(change.file.path, change.file.name, change.after)
        tree_before, tree_after = parse_tree(change.file), parse_tree(file)
        values_by_path = _values_by_path(tree_before.root, trial.values)
        scalars_before, scalars_after = dict(_values(tree_before.root)), dict(_values(tree_after.root))
        removed_comments: Counter[str] = Counter()  # comments of a replaced effect may go
        for path, tried_value in values_by_path.items():
            scalar_before, scalar_after = scalars_before.pop(path, None), scalars_after.pop(path, None)
            if scalar_before is None or scalar_after is None or not _holds_value(scalar_after, tried_value):
                return f"`{tried_value.key}` of `{tried_value.card}` would not be read as it was typed."
            removed_comments.update(comments_of(scalar_before))
        is_changed = _contents(scalars_before) != _contents(scalars_after)
        lost_comments = Counter(comments(tree_before)) - Counter(comments(tree_after)) - removed_comments
        if is_changed or tree_after.findings or lost_comments:
            return f"More than the value would change in {file.name}; edit it there."
    return None


def _values_by_path(root: Node | None, values: Sequence[TriedValue]) -> dict[NodePath, TriedValue]:
    """Return those of the tried values whose card is in a file, by their path in it."""
    paths_by_id: dict[str, NodePath] = {}
    for path, entry in _cards(root):
        name = name_of("cards", entry)
        if name is not None:
            paths_by_id[name.text] = path
    values_by_path: dict[NodePath, TriedValue] = {}
    for tried_value in values:
        card_path = paths_by_id.get(tried_value.card)
        if card_path is not None:
            value_path = (*card_path, *(_node_path(tried_value.key) or ()))
            values_by_path[value_path] = tried_value
    return values_by_path


def _contents(scalars: dict[NodePath, Scalar]) -> dict[NodePath, tuple[object, str]]:
    return {path: (scalar.value, scalar.style) for path, scalar in scalars.items()}


def _values(node: Node | None, path: NodePath = ()) -> Iterator[tuple[NodePath, Scalar]]:
    """Yield every scalar below a node with its path."""
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Mapping):
        for key, child in node.nodes.items():
            yield from _values(child, (*path, key))
    elif node is not None:
        for number, child in enumerate(node.items):
            yield from _values(child, (*path, number))


def _holds_value(scalar: Scalar, tried_value: TriedValue) -> bool:
    """Whether a scalar has the typed value; an effect may be in another form."""
    typed_text = str(tried_value.value)
    if tried_value.key in _NUMBER_KEYS and _WHOLE_NUMBER.fullmatch(typed_text):
        return scalar.value == int(typed_text)
    if tried_value.key.endswith("effect"):
        has_comments = scalar.style == "|"
        typed_effect, _ = parse_effect(typed_text, has_comments)
        effect_in_file, _ = parse_effect(scalar.text, has_comments)
        if typed_effect is not None:
            return typed_effect == effect_in_file
    return scalar.text.rstrip("\n") == typed_text.rstrip("\n")
