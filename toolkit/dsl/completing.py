"""What can come next in an effect: asked of the parser, and of what exists where the effect stands.

The words are those that the LALR tables accept behind what was written. A word that leaves no choice is
offered together with what must follow it (``until end of``, ``while on the FIELD``), a trigger as a whole.
Of what the parser accepts, nothing is offered that the game forbids there: no ``target`` where there is none,
no ``draws`` without an event.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl.lalr import Situation, lex, tables, words_by_terminal
from toolkit.dsl.names import NAMED_BY_ID
from toolkit.dsl.parsing import MOST_CHARACTERS
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Sentence, When
from toolkit.vocabulary import COUNTERS, ROLES, TRIGGERS, VERBS, Role

_PARTIAL = re.compile(r'[^\s.,()"=!<>*+\-]*\Z')
_TOKEN = re.compile(r'"[^"\n]*"|\.')
_OPEN_NAME = re.compile(rf'\b({"|".join(NAMED_BY_ID)}|trait)\s+"([^"\n]*)\Z')
_COMMENT = re.compile(r'"[^"\n]*"|(#[^\n]*)')
_REFS = ("self", "target", "attacker", "attacked")
_PLAYERS = ("owner", "opponent")
_WHO = (*_REFS, "all", "one", *_PLAYERS)
_CLAUSE_STARTS = (",", "then", "either", "or")
_FIRST = ("+", "-", "if", *_WHO, "either", "gets", "get")
"""What comes first among the offers; all else is in the order of the vocabulary and the grammar."""
_MANY = {verb.one: verb.many for verb in VERBS if verb.many != verb.one}
_SECOND_FORMS = {*_MANY.values(), "OPERATOR", "cards", "SKILL"}
_NOT_OFFERED = {*_SECOND_FORMS, "when", ",", ".", ")"}
"""Triggers are offered as a whole, words in the form that is right, and signs are typed."""
_VERBS = {verb.one.split()[0] for verb in VERBS}
_ONCE = tuple(verb.one for verb in VERBS if all(form.once for form in verb.forms))
_DICE = ("ATTACK", "DEFENCE")
_FILTERS = {"in": 1, "adjacent": 2, "opposite": 3, "with": 4, "trait": 4.5, "that": 6}
"""The words with which filters of a GROUP begin, in the language's order."""
_PLAYERS_VERBS = tuple(verb.one for verb in VERBS if all(form.player for form in verb.forms))
_EVENT_WORDS = (
    *_ONCE,
    *_PLAYERS,
    "one",
    "either",
    "then",
    "until",
    "while",
    "permanently",
)
_EVENTS_ONLY = (Role.EFFECT, Role.PERFORMANCE)
_MEANINGS = {form.split()[0]: verb.meaning for verb in VERBS for form in (verb.one, verb.many)}


class Offer(Struct, frozen=True):
    """Something that can come next: ``text`` in place of what was written from ``begin`` on.

    ``label`` is what it is called, ``about`` says in a line what it does, or nothing.
    """

    text: str
    begin: int
    label: str
    about: str = ""


def completions(
    before: str, role: Role, *, comments: bool, names: Mapping[str, Collection[str]]
) -> list[Offer]:
    """What can come at the end of ``before``, the beginning of an effect in that role, in a useful order.

    ``names`` are those that may stand in quotes, by the word before them: ``TEAM``, ``trait`` …

    The last word of it may be half written; those who ask choose among the offers by it. ``comments`` says
    whether ``# …`` is a comment, in which nothing is offered.
    """
    if len(before) > MOST_CHARACTERS:
        return []
    if any(found[1] for found in _COMMENT.finditer(before)):
        if not comments or _in_comment(before):
            return []
        before = _COMMENT.sub(lambda found: " " * len(found[0]) if found[1] else found[0], before)
    name = _OPEN_NAME.search(before)
    if name:
        return [Offer(f'{one}"', name.start(2), one) for one in sorted(names.get(name[1], ()))]
    partial = _PARTIAL.search(before)
    begin = partial.start() if partial else len(before)
    sentence = _sentence(before[:begin])
    situation = _situation(sentence)
    if situation is None or before[begin - 1 : begin].isdigit():
        return []
    words = [str(word) for word in lex(sentence, tables().words)]
    point = _Point(words, situation, _scope(sentence, role), begin)
    found = _unique(point.offers(names))
    if before[begin - 1 : begin] in (".", ","):  # right behind the sign: its space comes along
        return [replace(offer, text=f" {offer.text}") for offer in found]
    return list(found)


def _in_comment(before: str) -> bool:
    last = [found for found in _COMMENT.finditer(before) if found[1]][-1]
    return last.end() == len(before)


def _sentence(text: str) -> str:
    """What was written of the last sentence."""
    ends = [found.end() for found in _TOKEN.finditer(text) if found[0] == "."]
    return text[ends[-1] :] if ends else text


def _situation(sentence: str) -> Situation | None:
    """Where the parser stands behind the words, or None where it refuses one of them."""
    situation: Situation | None = Situation(tables(), (0,))
    for token in lex(sentence, tables().words):
        situation = situation.after(token.type) if situation else None
    return situation


def _scope(sentence: str, role: Role) -> Scope:
    """Who exists in the sentence, as far as it says its trigger."""
    written = " ".join(sentence.split())
    name = next((name for name, one in TRIGGERS.items() if written.startswith(f"when {one.words},")), None)
    return scope_of(Sentence((), When(name) if name else None), role)


def _unique(offers: Iterator[Offer]) -> Iterator[Offer]:
    seen = set()
    for offer in offers:
        if offer.text not in seen:
            seen.add(offer.text)
            yield offer


class _Point(Struct, frozen=True):
    """The end of what was written of a sentence, with the parser's situation there."""

    words: list[str]
    situation: Situation
    scope: Scope
    begin: int

    def offers(self, names: Mapping[str, Collection[str]]) -> Iterator[Offer]:
        """Everything that can come next, triggers first."""
        accepted = self.situation.accepts()
        if "STRING" in accepted:
            known = sorted(names.get(self.words[-1], ()))
            yield from (Offer(f'"{one}"', self.begin, f'"{one}"') for one in known)
            return
        yield from self._triggers()
        needs_trigger = not self.words and self.scope.role in _EVENTS_ONLY
        if needs_trigger or ("when" in self.words and "," not in self.words):
            return
        fitting = {
            word: terminal
            for terminal, word in words_by_terminal().items()
            if terminal in accepted and self._fits(word)
        }
        for word in sorted(fitting, key=lambda word: _FIRST.index(word) if word in _FIRST else len(_FIRST)):
            yield self._offer(fitting[word], word)

    def _triggers(self) -> Iterator[Offer]:
        """The triggers that can come about, or what is left of those that begin as was written."""
        started = self.words[:1] == ["when"]
        if self.words and not (started and "," not in self.words):
            return
        said = self.words[1:]
        for name in ROLES[self.scope.role].triggers:
            trigger = TRIGGERS[name]
            spoken = trigger.words.split()
            if spoken[: len(said)] != said or len(spoken) == len(said):
                continue
            left = " ".join(spoken[len(said) :])
            about = "an event: acts once" if trigger.event else "holds as long as this is so"
            text = left if started else f"when {left}"
            yield Offer(f"{text}, ", self.begin, text, about)

    def _fits(self, word: str) -> bool:
        """Whether the game allows a word that the parser accepts there, and it is the right form."""
        if word in _NOT_OFFERED:
            return False
        if word in _REFS:
            return word in self.scope.sides
        if word == "-" and "INT" in self.situation.accepts():
            return False  # a number is rarely negative, and a sentence never begins with one
        if word == "the" and not self.scope.attack:
            return self.words[-1:] != ["if"] and not {"not", "and", "or", "("} & set(self.words[-1:])
        if word in ("HIT", "OUT") and self.words[-1:] != ["becomes"] and self._is_in_an_attack():
            return False  # R-2: who is HIT or OUT takes no part in an attack
        if word == "ATTACK" and self.words[-3:] == ["until", "end", "of"]:
            return self.scope.attack
        if word == "other" and "self" not in self.scope.sides:
            return False  # `other` leaves out self
        if word == "makes" and self.scope.parts.get(self._subject() or "") == "attacked":
            return False  # only ATTACK D6 can be CRITICAL
        if word in _DICE and not self._fits_die(word):
            return False
        if self.words[-1:] and word in _FILTERS and not self._fits_filter(word):
            return False
        subject = self._subject()
        if word in _VERBS and subject in _PLAYERS:
            return word in _PLAYERS_VERBS
        if word in _PLAYERS_VERBS and subject is not None:
            return False
        if self.scope.event:
            return True
        if word in COUNTERS:
            return not {"gets", "get"} & set(self.words)
        return word not in _EVENT_WORDS

    def _is_in_an_attack(self) -> bool:
        """Whether the last REF is one of the two of an attack that goes on, of which a status is asked."""
        asked = [word for word in self.words[-3:] if word in _REFS]
        return bool(asked) and not self.scope.event and asked[-1] in self.scope.parts

    def _fits_die(self, word: str) -> bool:
        """Whether the subject rolls these dice: the attacker rolls ATTACK D6, the attacked one DEFENCE D6."""
        if not {"rolls", "roll", "reroll"} & set(self.words[-4:]):
            return True
        part = self.scope.parts.get(self._subject() or "")
        other = "enemy" in self.words[-1:]
        return part is None or (word == "ATTACK") == ((part == "attacker") != other)

    def _fits_filter(self, word: str) -> bool:
        """Whether a filter of a GROUP comes behind those that are written, and none of them again."""
        begun = max((n for n, one in enumerate(self.words) if one in ("OPERATOR", "OPERATORs")), default=None)
        if begun is None or not self.words[begun - 1 : begun]:
            return True
        written = self.words[begun + 1 :]
        if any(one in _VERBS or one in (",", "is", "has", "for") for one in written):
            return True
        if self.words[-1] == "with":
            return word != "trait" or "trait" not in written[:-1]
        ranks = [_FILTERS[one] for one in written if one in _FILTERS]
        if word == "of":
            return True
        return not ranks or _FILTERS[word] > max(ranks) or (word == "with" and ranks[-2:] == [4, 4.5])

    def _subject(self) -> str | None:
        """The WHO of the clause that is being written: its first word."""
        starts = zip((",", *self.words), self.words, strict=False)
        found = [word for before, word in starts if word in _WHO and before in _CLAUSE_STARTS]
        return found[-1] if found else None

    def _offer(self, terminal: str, word: str) -> Offer:
        text = self._form(word)
        following = self.situation.after(terminal)
        while following is not None and (forced := _forced(following)) is not None:
            following = following.after(forced)
            text = _joined(text, self._form(words_by_terminal()[forced]))
        ending = "" if text[-1] in "(+-" else " "
        return Offer(text + ending, self.begin, text, _MEANINGS.get(word, ""))

    def _form(self, word: str) -> str:
        """The form of a word that the formatter would write: verbs and nouns for one or for several."""
        if word in ("OPERATOR", "OPERATORs"):
            among = self.words[-4:]
            return "OPERATOR" if {"one", "an"} & set(among) else "OPERATORs"
        if word in ("card", "cards"):
            return "card" if self.words[-1:] == ["1"] or "has" in self.words[-3:] else "cards"
        if word in ("SKILL", "SKILLs"):
            return "SKILLs"
        return _MANY.get(word, word) if self._subject() == "all" else word


def _forced(situation: Situation) -> str | None:
    """The terminal that must come, if there is no choice; spellings of one word are no choice."""
    known = words_by_terminal()
    accepted = [terminal for terminal in situation.accepts() if known.get(terminal) not in _SECOND_FORMS]
    return accepted[0] if len(accepted) == 1 and accepted[0] in known else None


def _joined(text: str, word: str) -> str:
    glued = word in ",.)" or text[-1] == "(" or (word == "+" and text[-1].isdigit())
    return text + word if glued else f"{text} {word}"
