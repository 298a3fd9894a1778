"""Hover texts: the rules text of a sentence, the card behind an id, the meaning of a key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types
from msgspec import Struct

from toolkit.apps.lsp.editor_documents import Documents
from toolkit.data.model import Card, Entry, Keyword, Marker, Objective, Team, Text
from toolkit.data.schema import SECTIONS
from toolkit.data.schemas.parts import is_effect
from toolkit.data.yaml.nodes import Scalar
from toolkit.diagnostics.escaping import markdown, one_line
from toolkit.diagnostics.help_pages import page_of_finding
from toolkit.diagnostics.phrases import counted
from toolkit.dsl.effect_objects import EffectObject, EventHook, all_actions, compile_effect, trigger_words
from toolkit.dsl.lalr import lex, tables
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect, Sentence
from toolkit.project.faces import keyword_rules_of, rules_of
from toolkit.project.live_project import LiveProject
from toolkit.project.name_references import occurrence_at
from toolkit.project.value_at import Place, below, part_at, place_at, role_at, schema_at
from toolkit.source import SourceFile, Span
from toolkit.vocabulary import NOUNS, STEPS, VERBS, Role
from toolkit.wording.card_text import own_word, rules_text
from toolkit.wording.language import keyword_of
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.text import names_in, plain

_MAX_LISTED = 20
"""The limit of OPERATORs that the page of a TEAM lists."""

_MEANINGS = NOUNS | {form.split()[0]: verb.meaning for verb in VERBS for form in (verb.one, verb.many)}


class _HoverText(Struct, frozen=True):
    """A text in Markdown, and the span that it is about."""

    text: str
    span: Span


def hover(project: LiveProject, file: SourceFile, offset: int, documents: Documents) -> types.Hover | None:
    """Return the hover text at an offset of a file of the project, if there is any."""
    hover_text = _text_at(project, file, offset)
    if hover_text is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, hover_text.text)
    return types.Hover(content, documents.range(hover_text.span))


def _text_at(project: LiveProject, file: SourceFile, offset: int) -> _HoverText | None:
    """Return what the cursor is on: the name of a finding, an id, a key or part of an effect, or None."""
    value_place = place_at(project.tree(file), offset)
    if value_place is None:
        names = (name for comment in project.suppressions(file) for name in comment.names)
        return _about_finding(next((name for name in names if name.start <= offset <= name.end), None))
    occurrence = occurrence_at(value_place)
    if occurrence is not None and occurrence.kind == "id":
        entry = project.cards.find(occurrence.word)
        if entry is not None:
            return _HoverText(entry_page(project, entry), occurrence.span)
    schema = value_place.schema
    if schema is not None and schema.get("title") == "finding":
        return _about_finding(value_place.scalar.span)
    if value_place.is_key:
        return _about_key(value_place)
    is_sentences = schema is not None and is_effect(schema)
    role = role_at(value_place.path, value_place.kind) if is_sentences else None
    return _about_effect(project, value_place, role) if role is not None else None


def _about_finding(name: Span | None) -> _HoverText | None:
    """Return the page of a finding that a comment or a setting names."""
    page = page_of_finding(name.text) if name is not None else None
    return _HoverText(page, name) if page is not None and name is not None else None


def _about_key(value_place: Place) -> _HoverText | None:
    """Return what the schema says about a key, or that it is a section of a card file."""
    key = value_place.scalar.text
    if not value_place.path and key in SECTIONS:
        return _HoverText(f"**{key}**: entries of `{key}`.", value_place.scalar.span)
    schema = schema_at(value_place.path, value_place.kind, value_place.is_in_project_file)
    key_schema = below(schema, (key,))
    if key_schema is None or "description" not in key_schema:
        return None
    return _HoverText(f"**{key}**: {key_schema['description']}", value_place.scalar.span)


# ids


def entry_page(project: LiveProject, entry: Entry) -> str:
    """Return the page of an entry in Markdown: kind, names, values and rules text."""
    if isinstance(entry, Card):
        return "\n\n".join(_card(project, entry))
    kind = type(entry).__name__.lower()
    kind_text = kind.upper() if isinstance(entry, (Team, Objective, Keyword)) else kind
    lines = [f"**{_names(project, entry)}** · {kind_text} `{entry.id}`"]
    if isinstance(entry, Objective):
        lines += [f"OBJECTIVECOUNTER {entry.value} reaches it.", *_rules(project, entry)]
    if isinstance(entry, Marker):
        stays = ", and it stays when the OPERATOR falls" if entry.stays else ""
        lines.append(f"{entry.bearer.capitalize()}s have it, at most {entry.maximum}{stays}.")
    if isinstance(entry, Keyword):
        lines += _keyword_texts(project, entry)
    if isinstance(entry, Team):
        operator_ids = [card.id for card in project.cards.cards.values() if card.team == entry.id]
        listed_ids = ", ".join(operator_ids[:_MAX_LISTED])
        ellipsis = " …" if len(operator_ids) > _MAX_LISTED else ""
        lines.append(f"{counted(len(operator_ids), 'OPERATOR')}: {listed_ids}{ellipsis}")
    return "\n\n".join(lines)


def _keyword_texts(project: LiveProject, keyword: Keyword) -> Iterator[str]:
    """Yield the reminder text of a KEYWORD in each language that has one."""
    names, rules = names_in(project.cards), keyword_rules_of(project.current)
    for language in project.cards.project.languages:
        _, text = own_word(keyword_of(keyword.id), language, names, rules)
        if text:
            yield f"`{language}` {_markdown(text)}"


def _names(project: LiveProject, entry: Entry) -> str:
    """Return the printed names of an entry in the languages of the project; its id if it has none."""
    name = getattr(entry, "name", None)
    if not isinstance(name, Text):
        return entry.id
    languages = project.cards.project.languages
    names = dict.fromkeys(one_line(name.in_language(language).value) for language in languages)
    return markdown(" / ".join(names))


def _card(project: LiveProject, card: Card) -> Iterator[str]:
    """Yield the lines about a card: its names, the figures of an OPERATOR, and its rules text."""
    yield f"**{_names(project, card)}** · {card.kind.upper()} `{card.id}`"
    if card.kind == "operator":
        values = " · ".join(f"{stat} {value}" for stat, value in card.stats.items())
        team = f" · TEAM `{card.team}`" if card.team else ""
        yield f"SQUADPOINTS {card.squadpoints} · {values}{team}"
        if card.traits:
            yield f"traits: {markdown(one_line(', '.join(card.traits)))}"
    yield from _rules(project, card)


def _rules(project: LiveProject, card: Card | Objective) -> Iterator[str]:
    """Yield the rules text in each language of the project."""
    for language in project.cards.project.languages:
        for rule in rules_of(project.current, card, language, "full"):
            title = f"*{markdown(one_line(rule.name))}*: " if rule.name else ""
            yield f"`{language}` {title}{_markdown(plain(rule.paragraphs))}"


def _markdown(text: str) -> str:
    """Return rules text as one paragraph of Markdown, with its line ends kept (by two spaces)."""
    return markdown(text).replace("\n", "  \n")


# effects


def _about_effect(project: LiveProject, value_place: Place, role: Role) -> _HoverText | None:
    """Return the rules text of the sentence at a place, how it acts, and the meaning of the word there."""
    scalar = value_place.scalar.as_text()
    index = scalar.index_at(value_place.offset)
    if index is None:
        return None
    tree, _ = parse_effect(scalar.value, scalar.style == "|")
    lines: list[str] = []
    place_of_text = (0, 0)
    for word in lex(scalar.value, tables().words):
        start, end = word.place
        if start <= index < end and str(word) in _MEANINGS:
            lines, place_of_text = [f"`{word}`: {_MEANINGS[str(word)]}"], word.place
    sentences = tree.sentences if tree is not None else ()
    for sentence in sentences:
        start, end = sentence.place
        if start <= index <= end:
            lines, place_of_text = (
                [*_about_sentence(project, value_place, role, sentence), *lines],
                sentence.place,
            )
            break
    return _HoverText("\n\n".join(lines), scalar.locate(*place_of_text)) if lines else None


def _about_sentence(
    project: LiveProject, value_place: Place, role: Role, sentence: Sentence
) -> Iterator[str]:
    """Yield the rules text of a sentence in each language, and how it acts."""
    effect = Effect((sentence,))
    names, rounding = names_in(project.cards), keyword_rules_of(project.current).rounding
    for language in LANGUAGES:
        text = rules_text(effect, role, language, names, rounding)
        if text is not None:
            yield f"`{language}` {_markdown(plain(text))}"
    id_node = value_place.entry.nodes.get("id") if value_place.entry else None
    entry_id = id_node.text if isinstance(id_node, Scalar) else ""
    yield from mechanics(compile_effect(effect, role, entry_id, part_at(value_place.path)))


def mechanics(objects: Iterable[EffectObject]) -> Iterator[str]:
    """Yield when a sentence acts: the step of MODIFY or the event, and the layers of its changes."""
    for effect in objects:
        layers = dict.fromkeys(action.layer for action in all_actions(effect.actions) if action.layer)
        layer_text = f" · layer {', '.join(layers)}" if layers else ""
        hook = effect.hook
        if isinstance(hook, EventHook):
            yield f"Event: when {trigger_words(hook)}{layer_text}"
        else:
            yield f"MODIFY step {hook.step} ({STEPS[hook.step - 1]}){layer_text}"
