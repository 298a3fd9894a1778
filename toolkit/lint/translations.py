"""Languages that texts lack: those in which opforge makes none of its own, and those that nobody thought of.

missing-text: an effect without a hand-written text in such a language. missing-words: it lacks words that
opforge itself prints. text-in-one-language: a sentence is printed as it is in each language of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Lookup

from toolkit.data.effect_sources import EffectSource, effect_sources
from toolkit.data.model import Card, CardSet, Ruleset
from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.diagnostics import Diagnostic, suggestion
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import fingerprint
from toolkit.source import ScalarText, Span
from toolkit.vocabulary import PRINTED, Role
from toolkit.vocabulary.nearest import nearest
from toolkit.wording.en import ENGLISH
from toolkit.wording.languages import built_in_words, numbers_in, word_of

_WITHOUT_TEXT = (Role.SUPPRESSION, Role.TEAMWORK, Role.PERFORMANCE)
"""Effects that no card bears; their texts are among the words."""

_SENTENCES = ("flavour", "text", "text_only", "reminder")
"""Keys of printed sentences; a ``name`` is often the same in every language."""

_LETTERS = re.compile(r"[^\W\d_]{2,}")

_MOST_NAMED = 3
"""So many missing words are named."""


def check(cards: CardSet, effects: Lookup[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    """Everything that is missing, at its place; nothing in a project in English and German."""
    if not cards.project.languages_known:
        return
    own = [language for language in cards.project.languages if language not in PRINTED]
    if own:
        yield from _missing_texts(cards, effects, own)
    if own or cards.project.words:
        yield from _missing_words(cards, own)


def check_plain(cards: CardSet) -> Iterator[Diagnostic]:
    """Sentences that name no language in a project of several.

    A sign or a number, such as ``…`` or ``1:2``, is the same in all of them.
    """
    languages = cards.project.languages
    if len(languages) < 2 or not cards.project.languages_known:
        return
    listed = " and ".join(f"`{language}`" for language in languages)
    step = f"Write it by language: `{{{', '.join(f'{language}: …' for language in languages)}}}`."
    for entry in cards.entries():
        for key, text in _plain_sentences(entry.node):
            if _LETTERS.search(text.text):
                message = f"`{key}` names no language, so the same sentence is printed in {listed}."
                yield Diagnostic("text-in-one-language", message, text.span, step, card=entry.id)


def _plain_sentences(entry: Mapping) -> Iterator[tuple[str, Scalar]]:
    """Yield the sentences of an entry, of its SKILLs and its ACTIONs that are one text for all languages."""
    actions = entry.mapping("actions")
    bearers = (entry, *entry.items("skills"), *(actions.nodes.values() if actions is not None else ()))
    for bearer in bearers:
        if isinstance(bearer, Mapping):
            for key in _SENTENCES:
                if isinstance(text := bearer.nodes.get(key), Scalar):
                    yield key, text


def _missing_texts(
    cards: CardSet, effects: Lookup[tuple[str, str], tree.Effect], languages: list[str]
) -> Iterator[Diagnostic]:
    """Effects that have no text in languages for which none is generated."""
    for source in effect_sources(cards):
        if source.role in _WITHOUT_TEXT:
            continue
        whole = source.entry.text if isinstance(source.entry, Card) else None
        texts = [text for text in (source.text, whole) if text is not None]
        missing = [language for language in languages if not any(text.is_in(language) for text in texts)]
        if missing:
            effect = effects.get((source.entry.id, source.part))
            yield _missing_text(source, missing, fingerprint(effect) if effect is not None else "…")


def _missing_text(source: EffectSource, missing: list[str], right: str) -> Diagnostic:
    """Return the finding about an effect with a text of one's own in some languages only."""
    listed = " and ".join(f"`{language}`" for language in missing)
    written = ", ".join(f"{language}: …" for language in missing)
    key = _key_of_text(source)
    effect_phrase = f"`{source.entry.id}`"
    if source.part != "effect":
        effect_phrase = f"{source.part} of {effect_phrase}"
    return Diagnostic(
        "missing-text",
        f"The effect of {effect_phrase} has no text in {listed}.",
        _place(source),
        f"Add `{key}: {{{written}}}` and `text_for: {right}`; other languages stay generated.",
        card=source.entry.id,
    )


def _key_of_text(source: EffectSource) -> str:
    return "reminder" if source.role is Role.KEYWORD else "text"


def _place(source: EffectSource) -> Span:
    """The key of the effect, or that of a text beside it that lacks the language."""
    entry = source.entry
    node = entry.node
    if isinstance(entry, Card):
        node = entry.parts[source.part].node
    elif isinstance(entry, Ruleset):
        node = entry.actions[source.part.removeprefix("action ")].node
    return node.keys[_key_of_text(source) if source.text is not None else "effect"].span


def _missing_words(cards: CardSet, languages: list[str]) -> Iterator[Diagnostic]:
    """Yield what is wrong with the project's own words, then the words that a language lacks.

    Effects that are on no card, such as SUPPRESSION, are words, too: the rules reference prints them.
    """
    project = cards.project
    english = built_in_words(ENGLISH)
    rules = (project.ruleset, project.mode)
    for source in effect_sources(cards):
        if source.role in _WITHOUT_TEXT and source.entry.id in rules:
            english[word_of(source.part)] = source.scalar.value
    for language, words in project.words.items():
        yield from _wrong_words(cards, language, words, english)
    for language in languages:
        words = project.words.get(language, {})
        missing_names = [name for name, text in english.items() if text and name not in words]
        if missing_names:
            yield _missing_words_finding(cards, language, missing_names)


def _wrong_words(
    cards: CardSet, language: str, words: Lookup[str, ScalarText], english: dict[str, str]
) -> Iterator[Diagnostic]:
    """Yield a language that the project does not have, else its words that opforge does not print."""
    languages = cards.project.languages
    if language not in languages:
        near, key = nearest(language, languages), _span_of_language(cards, language)
        step = f"Did you mean `{near}`?" if near else "Remove it, or add it to the languages of the project."
        fix = suggestion(key, language, near, languages)
        yield Diagnostic("unknown-language", f"The project has no language `{language}`.", key, step, fix=fix)
        return
    for name, word in words.items():
        if name in english:
            yield from _unknown_numbers(name, word, english[name])
            continue
        near, key = nearest(name, english), _span_of_word(cards, language, name)
        step = f"Did you mean `{near}`?" if near else "`opforge explain words` lists those that there are."
        fix = suggestion(key, name, near, english)
        yield Diagnostic("unknown-key", f"opforge prints no word `{name}`.", key, step, fix=fix)


def _missing_words_finding(cards: CardSet, language: str, names: list[str]) -> Diagnostic:
    """Return the finding that a language lacks words, which are printed in another one instead."""
    printed_in = next((code for code in cards.project.languages if code in PRINTED), ENGLISH.code)
    and_more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    first_names = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    return Diagnostic(
        "missing-words",
        f"Of the words that opforge prints these are not there in `{language}`: {first_names}{and_more}.",
        _span_of_language(cards, language),
        f"They are printed in `{printed_in}`. Add them to `words: {{{language}: {{…}}}}`; "
        "`opforge explain words` lists all.",
    )


def _span_of_language(cards: CardSet, language: str) -> Span:
    """Return the place of a language in ``words``, or, where it is missing, in the list of languages."""
    project_node = cards.project.node
    words_node = project_node.mapping("words") if project_node is not None else None
    if words_node is not None and language in words_node.keys:
        return words_node.keys[language].span
    items = project_node.words("languages") if project_node is not None else []
    listed_language = next((item for item in items if item.text == language), None)
    return listed_language.span if listed_language is not None else cards.project.span_of("languages")


def _span_of_word(cards: CardSet, language: str, name: str) -> Span:
    """Return the place of a word's key in ``words``, or, where it cannot be told, of its language."""
    project_node = cards.project.node
    words_node = project_node.mapping("words") if project_node is not None else None
    language_node = words_node.mapping(language) if words_node is not None else None
    if language_node is not None and name in language_node.keys:
        return language_node.keys[name].span
    return _span_of_language(cards, language)


def _unknown_numbers(name: str, word: ScalarText, english_text: str) -> Iterator[Diagnostic]:
    """Numbers in braces, such as ``{count}``, that the built-in text of a word does not have."""
    usable_numbers = " and ".join(f"`{{{number}}}`" for number in sorted(numbers_in(english_text)))
    for number in sorted(numbers_in(word.value) - numbers_in(english_text)):
        offset = word.value.index(f"{{{number}}}")
        yield Diagnostic(
            "unknown-value",
            f"`{{{number}}}` stands for nothing in the word `{name}`.",
            word.locate(offset, offset + len(number) + len("{}")),
            f"Here {usable_numbers} can stand." if usable_numbers else "Write it without braces.",
        )
