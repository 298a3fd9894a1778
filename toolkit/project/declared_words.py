"""The check that every word of the vocabulary is declared in all places that need it.

A word that has a row but no wording, or no place in the grammar, would pass a check of cards and fail later,
when a card is printed or played. So it is reported when the program starts, once for each state of the
program: the check costs about as much as reading fifty cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.project.check_cache import program_stamp
from toolkit.resources import cache_folder
from toolkit.vocabulary import (
    ACTIONS,
    DURATIONS,
    FORMS,
    KEYWORDS,
    ROLES,
    STATS,
    STATUSES,
    TRIGGERS,
    Action,
    Form,
    HalfDeclared,
    Keyword,
    Role,
    require,
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
    "Loses.what": "card",
}
"""Values of the fields of verbs in the sentences that try them."""
_NAME = "AP"
"""The name in quotes in these sentences."""
_KNOWN = Names((_NAME,), (_NAME,), (_NAME,), (_NAME,))


@cache
def check_words() -> None:
    """Raise HalfDeclared for the first word that lacks something.

    The last state of the program that passed is stored in the user's cache folder, so that this costs 3 ms
    and not 60. It is not an error if the folder cannot be written.
    """
    mark, stamp = cache_folder() / "words", program_stamp()
    try:
        if mark.read_text(encoding="utf-8") == stamp:
            return
    except (OSError, ValueError):
        pass
    check_all_words()
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(stamp, encoding="utf-8")
    except OSError:
        pass


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
        if kind in ("bool", "int"):
            values[name] = 3 if kind == "int" else ""
        else:
            usual = _NAME if kind == "Word" else "SUPPRESSION"
            values[name] = _VALUES.get(f"{form.node}.{name}") or _VALUES.get(name, usual)
    who = "owner" if form.player else "one own OPERATOR"
    lasts = " until end of TURN" if form.lasts and not form.once else ""
    return f"when played, {who} {form.text.format(**values, card='cards')}{lasts}."


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
