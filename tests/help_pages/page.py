"""The language reference: ``language.md`` of this room with its marks filled in.

A mark is a line of its own: ``[[places]]``, ``[[triggers]]``, ``[[verbs]]``, ``[[examples GROUP]]`` and
``[[grammar SECTION]]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import fill

from tests.help_pages.examples import GROUPS, KEYWORDS, MARKERS, TEAMS, TRAITS, Example
from tests.help_pages.grammar import grammar_sections
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_objects import as_lines, compile_effect
from toolkit.dsl.names import MarkerFacts
from toolkit.dsl.names import Names as KnownNames
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect
from toolkit.vocabulary import ROLES, STEPS, TRIGGERS, VERBS, Verb
from toolkit.wording.card_text import rules_text
from toolkit.wording.text import Names, plain

_SOURCE = Path(__file__).with_name("language.md")
_MARK = re.compile(r"^\[\[(\w+) ?([^\]]*)\]\]$", re.MULTILINE)
_MARKER_FACTS = {"intel": MarkerFacts(False, 99), "supply": MarkerFacts(True, 99)}
_LANGUAGES = {"en": "English", "de": "Deutsch"}


class BrokenExample(Exception):
    """An example of the reference that is no effect of the language."""


def language_page() -> str:
    """The whole page as Markdown; raises BrokenExample for an example that is wrong."""
    return _MARK.sub(_filled, _SOURCE.read_text(encoding="utf-8"))


def _filled(mark: re.Match[str]) -> str:
    what, name = mark.groups()
    match what:
        case "places":
            return "\n".join(_places())
        case "triggers":
            return "\n".join(_triggers())
        case "verbs":
            return "\n\n".join(_verb(verb) for verb in VERBS)
        case "examples":
            return "\n".join(_examples(GROUPS[name]))
        case "grammar":
            return f"```text\n{grammar_sections()[name]}\n```"
    raise KeyError(what)


def _verb(verb: Verb) -> str:
    """The section of a verb."""
    parts = [f"### {verb.one}", f"`{verb.example}`: {verb.meaning}.", "\n".join(_examples(GROUPS[verb.one]))]
    if verb.note:
        parts.insert(2, fill(verb.note, 112))
    return "\n\n".join(parts)


def _places() -> Iterator[str]:
    """A row for each place where an effect can stand."""
    yield "| place | step of MODIFY | `self` | without `when` |"
    yield "|---|---|---|---|"
    for facts in ROLES.values():
        step = f"{facts.step} {STEPS[facts.step - 1]}" if facts.step else "none"
        always = "acts once" if facts.is_event else "always" if facts.step else "not possible"
        yield f"| {facts.title} | {step} | {'yes' if facts.has_self else 'no'} | {always} |"


def _triggers() -> Iterator[str]:
    """A row for each trigger."""
    yield "| trigger | acts | in an attack | where |"
    yield "|---|---|---|---|"
    for trigger in TRIGGERS.values():
        acts = "once" if trigger.event else "while it lasts"
        attack = "yes" if trigger.attack else "no"
        where = [role.value.upper() for role, facts in ROLES.items() if trigger.name in facts.triggers]
        yield f"| `{trigger.opening}` | {acts} | {attack} | {', '.join(where)} |"


def _examples(examples: Iterable[Example]) -> Iterator[str]:
    """A block: each example with what is printed and what it is compiled to."""
    yield "```text"
    for number, example in enumerate(examples):
        if number:
            yield ""
        yield from _example(example)
    yield "```"


def _example(example: Example) -> Iterator[str]:
    """An effect, where it stands, its rules text, and its steps and layers."""
    effect = parsed(example)
    yield example.effect
    yield f"    in {ROLES[example.role].title}"
    for language, name in _LANGUAGES.items():
        text = rules_text(effect, example.role, language, Names(TEAMS, TRAITS, MARKERS, KEYWORDS))
        if text is None:
            raise BrokenExample(language)
        yield f"    {name}: {' '.join(plain(text).splitlines())}"
    for line in as_lines(compile_effect(effect, example.role, "example", "effect")):
        if line.startswith(" "):  # the others repeat the sentence
            yield f"  {line}"


def parsed(example: Example) -> Effect:
    """The tree of an example; raises BrokenExample where there is anything wrong with it."""
    effect, problems = parse_effect(example.effect)
    if effect is not None:
        problems = check_effect(
            effect, example.role, KnownNames(TEAMS, TRAITS, TRAITS, KEYWORDS, _MARKER_FACTS)
        )
    if effect is None or problems:
        raise BrokenExample(f"{example.effect} {problems[0].message}")
    return effect
