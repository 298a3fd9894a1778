"""The check that every word of the vocabulary is declared in all places that need it.

A word that has a row but no wording, or no place in the grammar, would pass a check of cards and fail later,
when a card is printed or played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.lalr import tables
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.engine import actions, compiled_verbs
from toolkit.vocabulary import (
    ACTIONS,
    COUNTERS,
    DURATIONS,
    FACTS,
    FORMS,
    KEYWORDS,
    ROLES,
    STATS,
    STATUSES,
    TRIGGERS,
    VERBS,
    Action,
    Form,
    Keyword,
    Role,
)

_NAMES = {"en": "English", "de": "German"}
_VALUES = {
    "stat": "AP",
    "die": "ATTACK",
    "action": "MOVE",
    "status": "NORMAL",
    "card": "cards",
    "per": "",
    "kind": "",
    "side": "",
    "partner": "one own OPERATOR",
    "source": "own DECK",
    "to": "into the hand",
    "bound": "3",
    "shown": "",
    "Loses.what": "card",
    "CannotHave.what": "ITEMs",
    "CannotPlay.kind": "EFFECT ",
}
"""Values of the fields of verbs in the sentences that try them."""
_NAME = "AP"
"""The name in quotes in these sentences."""
_KNOWN = Names((_NAME,), (_NAME,), (_NAME,), (_NAME,))


class HalfDeclared(Exception):
    """A word is declared in one place of the program but missing in another; the message is a sentence."""


def require(is_there: bool, sort: str, word: str, lacks: str, where: str) -> None:
    """Raise HalfDeclared unless ``is_there``; ``where`` is the file that lacks something for the word."""
    if not is_there:
        raise HalfDeclared(f"The {sort} `{word}` has no {lacks} ({where}).")


def check_all_words() -> None:
    """Raise HalfDeclared for the first word that has no place in the grammar, no wording or no behaviour."""
    from toolkit.diagnostics.help_pages import sections
    from toolkit.wording.language import Reminder
    from toolkit.wording.languages import LANGUAGES

    for kind, word, role, text in _sentences():
        _try(kind, word, role, text)
    for form in FORMS.values():
        known = form.keyword is None or form.keyword in KEYWORDS
        require(known, "keyword", str(form.keyword), "row", "toolkit/vocabulary/verbs.py")
        if not form.lasts:
            verbs = compiled_verbs._PLAYERS_VERBS if form.player else compiled_verbs._OPERATORS_VERBS
            is_played = getattr(tree, form.node) in verbs
            require(is_played, "verb", form.rule, "function", "toolkit/engine/compiled_verbs.py")
    for action in ACTIONS.values():
        require(action.key in actions.ACTIONS, "ACTION", action.name, "row", "toolkit/engine/actions.py")
    explained = sections()
    page = "toolkit/help/reference/rules.md"
    rows: tuple[Action | Keyword, ...] = (*ACTIONS.values(), *KEYWORDS.values())
    for row in rows:
        require(row.rule in explained, "word", row.name, f"section {row.rule}", page)
    for code, language in LANGUAGES.items():
        where, name = f"toolkit/wording/{code}", _NAMES.get(code, code)
        for action in ACTIONS.values():
            said = f"action-{action.key}" in language.reference
            require(said, "ACTION", action.name, f"sentence of the reference in {name}", where)
        for stat in STATS.values():
            said = f"icon-{stat.key}-text" in language.reference
            require(said, "stat", stat.name, f"caption of the reference in {name}", where)
        for keyword in KEYWORDS:
            try:
                language.reminder(Reminder(keyword))
            except KeyError:
                raise HalfDeclared(
                    f"The keyword `{keyword}` has no explanation in {name} ({where})."
                ) from None


def _sentences() -> Iterator[tuple[str, str, Role, str]]:
    """Yield a sentence for each word: its kind, the word, the role of the effect, and the sentence."""
    for form in FORMS.values():
        yield "verb", re.sub(r" ?\{.*?\}", "", form.text), Role.STRATEGY, _of_verb(form)
    for stat in STATS:
        yield "stat", stat, Role.SKILL, f"if {stat} VALUE of self > 1, self gets +1 {stat}."
    for status in STATUSES:
        yield "status", status, Role.SKILL, f"if self is {status}, self gets +1 AP."
    for action in ACTIONS:
        yield "ACTION", action, Role.SKILL, f"self cannot perform {action}."
    for name, words in DURATIONS.items():
        yield "duration", name, Role.SKILL, f"when the attack hits, self gets +1 AP {words}."
    for trigger in TRIGGERS.values():
        role = next((role for role, facts in ROLES.items() if trigger.name in facts.triggers), None)
        require(role is not None, "trigger", trigger.words, "place", "toolkit/vocabulary/roles.py")
        lasts = " until end of TURN" if trigger.event else ""
        yield (
            "trigger",
            trigger.words,
            role or Role.SKILL,
            (f"when {trigger.words}, all own OPERATORs get +1 AP{lasts}."),
        )


def _of_verb(form: Form) -> str:
    """Return a sentence in which an event brings about a form of a verb."""
    kinds = getattr(tree, form.node).__annotations__
    values: dict[str, object] = {}
    for name in form.fields:
        kind = kinds[name]
        if kind in ("bool", "int", "int | None"):
            values[name] = "" if kind == "bool" else 3
        else:
            usual = _NAME if kind == "Word" else "SUPPRESSION"
            values[name] = _VALUES.get(f"{form.node}.{name}") or _VALUES.get(name, usual)
    who = "owner" if form.player else "one own OPERATOR"
    lasts = " until end of TURN" if form.lasts else ""
    opening = "an attack by an enemy OPERATOR begins" if form.triggers else "played"
    return f"when {opening}, {who} {form.text.format(**values, card='cards')}{lasts}."


def _try(kind: str, word: str, role: Role, text: str) -> None:
    """Parse and check a sentence with a word, and print it in each language."""
    from toolkit.wording.card_text import rules_text
    from toolkit.wording.languages import LANGUAGES

    effect, problems = parse_effect(text)
    if effect is None:
        why = problems[0].message.rstrip(".")
        raise HalfDeclared(f"The {kind} `{word}` is not read by grammar/effect.lark in `{text}`: {why}.")
    problems = check_effect(effect, role, _KNOWN)
    if problems:
        why = problems[0].message.rstrip(".")
        raise HalfDeclared(f"The {kind} `{word}` cannot be used in `{text}`: {why}.")
    for code in LANGUAGES:
        try:
            printed = rules_text(effect, role, code)
        except Exception as error:
            lacks = f"wording in {_NAMES.get(code, code)}"
            raise HalfDeclared(f"The {kind} `{word}` has no {lacks} (toolkit/wording/{code}).") from error
        require(bool(printed), kind, word, f"wording in {_NAMES.get(code, code)}", f"toolkit/wording/{code}")


def check_grammar() -> None:
    """Raise HalfDeclared for the first word that the grammar lacks, or rule without a word."""
    grammar = tables()
    rules = {rule.build for rule in grammar.rules}
    for form in FORMS.values():
        require(form.rule in rules or form.rule == "gets", "verb", form.rule, "rule", "grammar/effect.lark")
    for rule in grammar.rules:
        if rule.origin == "does" and rule.build is not None:
            require(rule.build in FORMS, "rule", rule.build, "row", "toolkit/vocabulary/verbs.py")
    words = {
        "verb": [word for verb in VERBS for form in (verb.one, verb.many) for word in form.split()],
        "stat": STATS,
        "counter": COUNTERS,
        "number": FACTS,
        "status": STATUSES,
        "ACTION": ACTIONS,
        "trigger": [word for trigger in TRIGGERS.values() for word in trigger.words.split()],
        "duration": [word for words in DURATIONS.values() for word in words.split()],
    }
    for sort, several in words.items():
        for word in several:
            require(word in grammar.words, sort, word, "place", "grammar/effect.lark")
