"""Hints beside the text: when a sentence acts and on which layer, and what an id stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lsprotocol import types
from msgspec import Struct

from toolkit.apps.lsp.editor_documents import Documents
from toolkit.apps.lsp.hover import mechanics
from toolkit.data.model import Card, Entry, Text
from toolkit.diagnostics.phrases import shown
from toolkit.dsl.effect_objects import EffectObject, EventHook, all_actions
from toolkit.project.live_project import LiveProject
from toolkit.project.name_references import Occurrence, in_entry, in_project_file
from toolkit.project.pipeline import ParsedEffect
from toolkit.project.value_at import entries_of
from toolkit.source import SourceFile


class HintKinds(Struct, frozen=True):
    """Which hints an editor wants: ``steps`` of sentences, ``names`` of ids."""

    steps: bool = True
    names: bool = True


def wanted_hints(options: Any) -> HintKinds:
    """Return what the options of an editor say about hints.

    ``{"inlayHints": false}`` is none, ``{"inlayHints": {"names": false}}`` only those of sentences.
    """
    chosen = options.get("inlayHints") if isinstance(options, dict) else None
    if isinstance(chosen, bool):
        return HintKinds(chosen, chosen)
    settings = chosen if isinstance(chosen, dict) else {}
    return HintKinds(settings.get("steps") is not False, settings.get("names") is not False)


class _Hint(Struct, frozen=True):
    """A hint behind an offset of a file."""

    offset: int
    label: str
    tooltip: str = ""


def inlay_hints(
    project: LiveProject, file: SourceFile, start: int, end: int, kinds: HintKinds, documents: Documents
) -> list[types.InlayHint]:
    """Return the hints between two offsets of a file of the project, in order."""
    hints: list[_Hint] = []
    if kinds.steps:
        for effect in _effects_within(project, file, start, end):
            hints += _of_sentences(effect)
    if kinds.names:
        for occurrence in _ids_within(project, file, start, end):
            hints += _of_id(project, occurrence)
    hints.sort(key=lambda hint: hint.offset)
    return [
        types.InlayHint(
            documents.position(file, hint.offset), hint.label, tooltip=hint.tooltip or None, padding_left=True
        )
        for hint in hints
        if start <= hint.offset <= end
    ]


# sentences


def _effects_within(project: LiveProject, file: SourceFile, start: int, end: int) -> Iterator[ParsedEffect]:
    """Yield the effects of the entries that touch a part of a file."""
    for entry in project.cards.entries():
        if entry.file is file and entry.node.start <= end and start <= entry.node.end:
            yield from project.current.effects_of(entry.id)


def _of_sentences(effect: ParsedEffect) -> Iterator[_Hint]:
    """Yield a hint behind each sentence of an effect; none while it has errors."""
    for number, sentence in enumerate(effect.tree.sentences, 1):
        objects = [acting for acting in effect.objects if acting.origin.sentence == number]
        if objects:
            offset = effect.source.scalar.locate(*sentence.place).end
            yield _Hint(offset, _label(objects), "\n".join(mechanics(objects)))


def _label(objects: Sequence[EffectObject]) -> str:
    """Return when a sentence acts, in short: ``step 2 · add``, ``event``."""
    moments = []
    for acting in objects:
        layers = dict.fromkeys(action.layer for action in all_actions(acting.actions) if action.layer)
        hook = acting.hook
        moment = "event" if isinstance(hook, EventHook) else f"step {hook.step}"
        moments.append(" · ".join((moment, ", ".join(layers))) if layers else moment)
    return ", ".join(dict.fromkeys(moments))


# ids


def _ids_within(project: LiveProject, file: SourceFile, start: int, end: int) -> Iterator[Occurrence]:
    """Yield the uses of ids in the entries that touch a part of a file: of each id the first in an entry.

    A scenario names the same OPERATOR again and again.
    """
    root = project.tree(file)
    if file is project.cards.project.file:
        yield from _first_uses(in_project_file(root))
        return
    for section, entry in entries_of(root):
        if entry.start <= end and start <= entry.end:
            yield from _first_uses(in_entry(section, entry))


def _first_uses(occurrences: Iterable[Occurrence]) -> Iterable[Occurrence]:
    """Return the first use of each id; where it is defined is none."""
    uses: dict[str, Occurrence] = {}
    for occurrence in occurrences:
        if occurrence.kind == "id" and not occurrence.defines:
            uses.setdefault(occurrence.word, occurrence)
    return uses.values()


def _of_id(project: LiveProject, use: Occurrence) -> Iterator[_Hint]:
    """Yield the hint behind an id: the name of its entry and, of an OPERATOR, that of its TEAM.

    A name that only spells the id in other letters is left out.
    """
    entry = project.cards.find(use.word)
    team_id = entry.team if isinstance(entry, Card) else None
    names = [_name_beyond_id(project, entry)] if entry is not None else []
    if team_id:
        team = project.cards.teams.get(team_id)
        names.append(_printed_name(project, team) if team is not None else team_id)
    label = " · ".join(filter(None, names))
    if label:
        yield _Hint(_behind_quote(use), label)


def _name_beyond_id(project: LiveProject, entry: Entry) -> str:
    """Return the name of an entry, or nothing if that is its id in other letters."""
    name = _printed_name(project, entry)
    return "" if "-".join(name.lower().split()) == entry.id else name


def _printed_name(project: LiveProject, entry: Entry) -> str:
    """Return the name of an entry in the first language of the project, in a line; empty without one."""
    name = getattr(entry, "name", None)
    language = project.cards.project.languages[0]
    return shown(name.in_language(language).value) if isinstance(name, Text) else ""


def _behind_quote(use: Occurrence) -> int:
    """Return the offset behind an id, and behind the quote that closes it."""
    end, text = use.span.end, use.span.file.text
    for quote in ('\\"', '"', "'"):
        if text.startswith(quote, end):
            return end + len(quote)
    return end
