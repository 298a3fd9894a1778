"""Completion of effects: the words that the grammar accepts next and the game allows there.

The words are those that the LALR tables accept after what was written. A word without alternatives is
completed together with what must follow it (``until end of``, ``while on the FIELD``), a trigger as a whole.
Words that the game forbids are left out: no ``target`` where there is none, no ``draws`` without an event.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl.building import parser
from toolkit.dsl.fitting import Gap, gap, rest_of_name
from toolkit.dsl.lalr import ParserState, lex, tables, terminals_by_word, words_by_terminal
from toolkit.dsl.names import NAMED_BY_ID
from toolkit.dsl.parsing import MAX_CHARACTERS, comments_in, sentence_ends, without_comments
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Effect, Sentence
from toolkit.vocabulary import (
    ACTIONS,
    COUNTERS,
    FORMS,
    MANY,
    ROLES,
    STATUSES,
    TRIGGERS,
    UNLISTED,
    VERB_WORDS,
    VERBS,
    Role,
)

_PARTIAL = re.compile(r'[^\s.,()"=!<>*+\-]*\Z')
_OPEN_NAME = re.compile(rf'\b(?P<kind>{"|".join(NAMED_BY_ID)}|trait)\s+"(?P<begun>[^"\n]*)\Z')
_REFS = ("self", "target", "attacker", "attacked", "it")
_PLAYERS = ("owner", "opponent", "each")
_CHOSEN = ("one", "two", "three")
_WHO = (*_REFS, "all", *_CHOSEN, "up", *_PLAYERS)
_CLAUSE_STARTS = (",", "then", "either", "or")
_FIRST = (
    "+",
    "-",
    "if",
    "unless",
    "while",
    *_WHO,
    "either",
    "gets",
    "get",
    "other",
    "own",
    "enemy",
    "OPERATORs",
    "OPERATOR",
)
"""What comes first among the completions; the rest is in the order of the vocabulary and the grammar."""
_SECOND_FORMS = {*UNLISTED, "they", "them", "have", "are"}
_NOT_OFFERED = {*_SECOND_FORMS, "when", "any", ",", ".", ")"} - {"are"}
"""Not completed: triggers, which are completed as a whole, other forms of the same words, punctuation."""
_LESS_USUAL_FORMS = {"OPERATOR": "OPERATORs", "ITEMs": "ITEM"}
"""Forms that are completed only where the other one is not possible."""
_VERBS = {verb.one.split()[0] for verb in VERBS}
_ONCE = tuple(verb.one for verb in VERBS if all(form.once for form in verb.forms))
_TARGET = FORMS["becomes_target"]
_DICE = ("ATTACK", "DEFENCE")
_FILTERS = {"in": 1, "adjacent": 2, "opposite": 3, "with": 4, "that": 5}
"""The words with which filters of a GROUP begin, in the language's order."""
_PLAYERS_VERBS = tuple(verb.one for verb in VERBS if all(form.player for form in verb.forms))
_EVENT_WORDS = (*_ONCE, *_PLAYERS, *_CHOSEN, "up", "either", "then", "until", "permanently")
"""Words that need an event; ``either`` and ``up`` have other uses, too."""
_STATES = ("is", "has", "are", "have")
_SCALED = {form for verb in VERBS if any(one.layer for one in verb.forms) for form in (verb.one, verb.many)}
_CARD_ROLES = (Role.ATTACK, Role.DEFENCE, Role.ITEM, Role.STRATEGY)
_COMING_BACK = (Role.ATTACK, Role.DEFENCE, Role.EFFECT, Role.STRATEGY)
_RULES = (Role.TEAMWORK, Role.SUPPRESSION)
_EVENTS_ONLY = (Role.EFFECT, Role.PERFORMANCE)
_MEANINGS = {form.split()[0]: verb.meaning for verb in VERBS for form in (verb.one, verb.many)}


class Completion(Struct, frozen=True):
    """Something that can come next: ``text`` replaces what was written from ``begin``.

    ``label`` is its name in a list; ``about`` explains it in one line, or is empty. ``tail`` is the number of
    characters behind the cursor that it replaces, too.
    """

    text: str
    begin: int
    label: str
    about: str = ""
    tail: int = 0


def completions(
    text_before: str, role: Role, *, after: str = "", comments: bool, names: Mapping[str, Collection[str]]
) -> list[Completion]:
    """Return what can come after ``text_before``, the beginning of an effect in a role, the most useful
    first.

    Its last word may be incomplete; the caller filters the completions by it. ``after`` is the text behind
    the cursor, into which they fit. ``comments`` says whether ``# …`` is a comment, in which there are none.
    ``names`` are the names in quotes, by the word before it: ``TEAM``, ``trait`` …
    """
    if len(text_before) > MAX_CHARACTERS:
        return []
    after = after[:MAX_CHARACTERS]
    written_comments = list(comments_in(text_before))
    if written_comments:
        is_in_comment = written_comments[-1].end() == len(text_before)
        if is_in_comment or not comments:
            return []
        text_before = without_comments(text_before)
    if comments:
        after = without_comments(after)
    open_name = _OPEN_NAME.search(text_before)
    if open_name:
        tail, quote = rest_of_name(after)
        known_names = sorted(names.get(open_name["kind"], ()))
        begin = open_name.start("begun")
        return [
            Completion(f"{known_name}{quote}", begin, known_name, tail=tail) for known_name in known_names
        ]
    partial = _PARTIAL.search(text_before)
    begin = partial.start() if partial else len(text_before)
    start = max((sentence_end.end() for sentence_end in sentence_ends(text_before[:begin])), default=0)
    sentence = text_before[start:begin]
    state = _parser_state(sentence)
    is_glued_to_number = text_before[begin - 1 : begin].isdigit()
    if state is None or is_glued_to_number:
        return []
    words = [str(word) for word in lex(sentence, tables().words)]
    point = _Point(words, state, _scope(sentence, role), begin)
    insertion_gap = gap(state, text_before[begin:], after)
    # right after the punctuation a space is missing
    space = " " if text_before[begin - 1 : begin] in (".", ",") else ""
    return [_fitted(offer, insertion_gap, space) for offer in _unique(point.offers(names))]


def _fitted(offer: Completion, insertion_gap: Gap, space: str) -> Completion:
    """Return a completion as it fits in front of the text behind the cursor."""
    fit = insertion_gap.fit(offer.text)
    return replace(offer, text=space + fit.text, tail=fit.length)


def _parser_state(sentence: str) -> ParserState | None:
    """Return the parser's state after a sentence, or None if it rejects one of its words."""
    state: ParserState | None = ParserState(tables(), (0,))
    for token in lex(sentence, tables().words):
        state = state.after(token.type) if state else None
    return state


def _scope(sentence: str, role: Role) -> Scope:
    """Return the scope of an unfinished sentence, from its trigger if that is complete."""
    for comma in [offset for offset, char in enumerate(sentence) if char == ","]:
        # any clause makes a sentence of a complete trigger, so that the parser builds it
        effect = parser().parse(f"{sentence[:comma]}, owner draws 1 card.")
        if isinstance(effect, Effect) and effect.sentences[0].when is not None:
            return scope_of(effect.sentences[0], role)
    return scope_of(Sentence(()), role)


def _unique(offers: Iterator[Completion]) -> Iterator[Completion]:
    """Yield the first of the completions with the same text."""
    seen_texts = set()
    for offer in offers:
        if offer.text not in seen_texts:
            seen_texts.add(offer.text)
            yield offer


class _Point(Struct, frozen=True):
    """The end of an unfinished sentence, with the parser's state there."""

    words: list[str]
    state: ParserState
    scope: Scope
    begin: int

    def offers(self, names: Mapping[str, Collection[str]]) -> Iterator[Completion]:
        """Yield everything that can come next, triggers first."""
        accepted = self.state.accepts()
        if "STRING" in accepted:
            named_kind = self.words[-1]
            for known_name in sorted(names.get(named_kind, ())):
                yield Completion(f'"{known_name}"', self.begin, f'"{known_name}"')
            if "OF" in accepted:  # `of TEAM of self`
                yield self._offer("OF", "of")
            return
        yield from self._triggers()
        if not self.words and self.scope.role in _EVENTS_ONLY:
            return  # such an effect begins with a trigger and nothing else
        fitting_terminals = {
            word: terminal
            for terminal, word in words_by_terminal().items()
            if terminal in accepted and self._fits(word)
        }
        rank_of_others = len(_FIRST)
        ranks = {word: rank for rank, word in enumerate(_FIRST)} | {"ITEM": rank_of_others + 1}
        for word in sorted(fitting_terminals, key=lambda word: ranks.get(word, rank_of_others)):
            yield self._offer(fitting_terminals[word], word)

    def _triggers(self) -> Iterator[Completion]:
        """Yield the triggers that are possible, or the rest of those that begin with what was written."""
        written_words = self._words_of_trigger()
        has_limit = self.words[:1] == ["once"]
        is_behind_limit = has_limit and self.words[3:] == [","]  # `once per TURN,`
        if written_words is None and self.words and not is_behind_limit:
            return
        is_after_while = written_words is not None and "while" in self.words
        for name in ROLES[self.scope.role].triggers:
            trigger = TRIGGERS[name]
            if (is_after_while and trigger.event) or (has_limit and not trigger.event):
                continue
            trigger_words = trigger.words.split()
            if "self" in trigger_words and "self" not in self.scope.sides:
                continue
            text = trigger.opening
            if written_words is not None:
                begin, rest = trigger_words[: len(written_words)], trigger_words[len(written_words) :]
                if begin != written_words or not rest:
                    continue
                text = " ".join(rest)
            description = "an event: acts once" if trigger.event else "holds as long as this is so"
            yield Completion(f"{text}, ", self.begin, text, description)

    def _words_of_trigger(self) -> list[str] | None:
        """Return the words behind the ``when`` or ``while`` of an unfinished trigger; None outside of one."""
        if self._subject() is not None:
            return None  # a `while` behind a subject begins a duration
        begun = next((index for index, word in enumerate(self.words) if word in ("when", "while")), None)
        if begun is None or "," in self.words[begun:]:
            return None
        return self.words[begun + 1 :]

    @property
    def _hears_events(self) -> bool:
        """Whether the role has triggers of events of any OPERATOR, as cards and SKILLs have."""
        return "becomes-hit" in self.scope.facts.triggers

    @property
    def _hears_attacks(self) -> bool:
        """Whether the role has triggers of attacks of any OPERATOR."""
        return "attacks" in self.scope.facts.triggers

    def _fits_state(self, word: str, written_words: list[str]) -> bool:
        """Whether a word can follow after ``while``, which is about a state, and the words behind it."""
        if not written_words:
            if word in ("an", "another"):
                return self._hears_attacks
            return word not in ("played", "attached", "attacking", "attacked")
        last = written_words[-1]
        if last == "the":
            return word in ("TURN", "SAVEZONE", "OBJECTIVE", "highest", "lowest")
        if written_words[-2:] == ["the", "TURN"]:
            return word == "is"
        if written_words == ["self"]:
            return word in _STATES
        if written_words[0] in ("an", "another") and last in ("OPERATOR", "attacks", "is"):
            return word in ("attacks", "is", "attacked", *_FILTERS, "of")
        return True

    def _fits_event(self, word: str, written_words: list[str]) -> bool:
        """Whether a word can follow after ``when``, which is about an event, and the words behind it."""
        if word == "self" and "self" not in self.scope.sides:
            return False
        if not written_words:
            return self._hears_events and word in ("an", "another")
        if not self._hears_events or word in _STATES:  # only `an OPERATOR is attacked` has such a word
            has_subject = "OPERATOR" in written_words and written_words[-1] != "that"
            return self._hears_attacks and word == "is" and has_subject
        return word != "attacks" or self._hears_attacks

    def _fits(self, word: str) -> bool:
        """Whether the game allows a word that the parser accepts, and its form is the right one."""
        last, accepted = self.words[-1:], self.state.accepts()
        is_behind_limit = self.words[:1] == ["once"] and last == [","] and self.words.count(",") == 1
        if is_behind_limit:  # `once per TURN,`
            return word in ("when", "while")
        if word in _LESS_USUAL_FORMS:
            return terminals_by_word()[_LESS_USUAL_FORMS[word]] not in accepted
        if word == "when":
            return self._hears_events
        if last == ["cannot"]:
            return self._fits_cannot(word)
        if word in _NOT_OFFERED:
            return False
        trigger_words = self._words_of_trigger()
        fits_trigger = None if trigger_words is None else self._fits_trigger(word, trigger_words)
        if fits_trigger is not None:
            return fits_trigger
        if word == "it" or (word == "other" and "self" not in self.scope.sides):
            return self._has_it()  # `other` excludes self, or `it`
        if word in _PLAYERS and last == ["of"]:
            return self.words[-3:-2] == ["MARKER"]  # a player has no other numbers
        if word in _REFS:
            return word in self.scope.sides
        if word in ("is", "are") and last == ["that"]:
            is_plural = _noun(self.words) == "OPERATORs"
            return word == ("are" if is_plural else "is")
        if word == "once":
            return any(TRIGGERS[name].event for name in self.scope.facts.triggers)
        if word == "attack" and last == ["the"] and not self._may_be_critical():
            return trigger_words is not None  # `when the attack hits`, but not `if the attack is CRITICAL`
        if word == "ATTACK" and self.words[-3:] == ["until", "end", "of"]:
            return self.scope.attack
        if word == "are" or (word == "-" and "INT" in accepted):
            return False  # a negative number is allowed but rarely meant
        if self._is_against_rules(word):
            return False
        return self._fits_clause(word, is_in_trigger=trigger_words is not None)

    def _fits_trigger(self, word: str, trigger_words: list[str]) -> bool | None:
        """Whether a word can go on with an unfinished trigger; None where that is not decided by it alone."""
        last = trigger_words[-1:]
        expects_ref = last in (["of"], ["to"], ["opposite"])
        if "when" in self.words and not expects_ref:
            if word in ("is", "are") and last == ["that"]:
                return word == "is"
            has_filter = not {"that", "with", "in", "no", "either"}.isdisjoint(trigger_words)
            if not has_filter or word in _STATES:
                return self._fits_event(word, trigger_words)
        if "while" in self.words and not self._fits_state(word, trigger_words):
            return False
        return None

    def _is_against_rules(self, word: str) -> bool:
        """Whether the parser accepts a word that the rules of the game make impossible or pointless here."""
        last = self.words[-1:]
        if word in ("HIT", "OUT") and last != ["becomes"] and self._is_in_an_attack():
            return True  # an OPERATOR that is HIT or OUT takes no part in an attack
        if word == "makes" and self.scope.parts.get(self._subject() or "") == "attacked":
            return True  # only ATTACK D6 can be CRITICAL
        if word in _DICE and not self._fits_die(word):
            return True
        if last and word in _FILTERS and not self._fits_filter(word):
            return True
        return "with" in self.words[-2:] and word not in ("no", "either") and not self._fits_with(word)

    def _fits_clause(self, word: str, *, is_in_trigger: bool) -> bool:
        """Whether a word can come in a clause, before its subject or behind it."""
        subject = self._subject()
        if subject is not None:
            return self._fits_verb(word, subject) and (self.scope.event or self._fits_lasting(word))
        if word == "DAMAGE" and not self._knows_damage():
            return False
        if is_in_trigger and word in _VERBS:
            return True  # the verb of a trigger: `an enemy OPERATOR in RANGE performs`
        starts_clause = self.words[-1:] in ([], [","])
        return self.scope.event or word not in _EVENT_WORDS or (word == "either" and not starts_clause)

    def _fits_verb(self, word: str, subject: str) -> bool:
        """Whether the subject can do this, and whether a word can follow its verb."""
        of_player, last = subject in _PLAYERS, self.words[-1]
        if last in ("rolls", "roll"):  # one player rolls `a` D6; OPERATORs roll more ATTACK D6
            return word == "a" and subject != "each" if of_player else word != "a"
        if last in ("loses", "lose") and word != "reroll":  # a player loses `the` GAME
            return (word == "the") == of_player
        if word == "while":
            return not of_player  # a player is not on the FIELD
        if "cannot" in self.words[-2:] and self._is_in_rules():
            return word in (*ACTIONS, "DEFENCE", "attacked", "cards")
        if word in _VERBS or word in _PLAYERS_VERBS or word == "reroll":
            return self._fits_as_verb(word, subject)
        if self._is_behind_amount():
            return word == "MARKER" if of_player else self._fits_amount(word, subject)
        if word == "DAMAGE":
            is_changed = last in _SCALED  # `doubles DAMAGE`; else it is a number that is read
            return self._fits_amount(word, subject) if is_changed else self._knows_damage()
        if last == "if" and word in ("so", "not"):
            return not self._branches() if word == "so" else "not" not in self._branches()
        if word == "if":
            return self.scope.event and "not" not in self._branches()
        return self._fits_object(word, subject)

    def _fits_as_verb(self, word: str, subject: str) -> bool:
        """Whether the subject can do this."""
        of_player, last = subject in _PLAYERS, self.words[-1]
        if word == "reroll":
            return not of_player
        if word == last == "may":
            return False
        if word in ("performs", "wins") and self._is_in_rules():
            return False
        if word == "sets" and last == "may" and not self.scope.event:
            return not of_player
        if of_player and last != "for":
            if word == "may":
                return last != "and"  # behind an `and` only `may reroll` can follow, which players cannot do
            of_one = ("rolls", "wins", "loses")  # not of `each player`
            several = tuple(verb for verb in _PLAYERS_VERBS if verb not in of_one)
            return word in (*several, "gets", "cannot", *(of_one if subject != "each" else ()))
        return of_player or word not in _PLAYERS_VERBS

    def _fits_amount(self, word: str, subject: str) -> bool:
        """Whether an amount of an OPERATOR can be of this."""
        if word == "RANGE":
            return self.scope.event or not self.scope.attack  # an attack has begun in RANGE
        return word != "DAMAGE" or self.scope.parts.get(subject) != "attacker"  # which takes none

    def _fits_object(self, word: str, subject: str) -> bool:
        """Whether what a verb is about can be this, or go on with it."""
        last = self.words[-1]
        if word in ("KEYWORD", "trait") and last in ("gains", "gain"):
            # they are settled before an attack
            return not self._is_in_rules() and (self.scope.event or not self.scope.attack)
        if word == "permanently" and last in ("SKILL", "SKILLs"):
            return not {"loses", "lose"} & set(self.words[-2:])  # lost SKILLs never come back
        if word == "this":
            if last in ("puts", "put"):
                return subject == "owner" and self.scope.role in _COMING_BACK
            return self.scope.role in _CARD_ROLES
        if word == "discarded":
            return bool({"discards", "discard"} & {*self.words})  # `card discarded this way`
        if word == "the" and last in ("becomes", "become"):
            return self.scope.trigger is not None and self.scope.trigger.name in _TARGET.triggers
        return True

    def _fits_cannot(self, word: str) -> bool:
        """Whether a word can follow ``cannot``: players do not play or draw, OPERATORs all else (E-33)."""
        subject = self._subject() or ""
        if subject in _PLAYERS:
            return word in ("play", "draw")
        if self._is_in_rules():
            return word in ("perform", "be", "have")
        can_be_critical = self.scope.parts.get(subject) != "attacked"
        return word in ("perform", "be", "have", "lose") or (word == "make" and can_be_critical)

    def _is_in_rules(self) -> bool:
        """Whether it is TEAMWORK, SUPPRESSION or an ACTION, for which not everything is."""
        return self.scope.role in _RULES or self.scope.facts.is_event

    def _may_be_critical(self) -> bool:
        """Whether there is an attack of which it may be asked whether it is CRITICAL."""
        trigger = self.scope.trigger
        return self.scope.attack and trigger is not None and not trigger.precedes_dice

    def _knows_damage(self) -> bool:
        """Whether DAMAGE is a number that can be read: an attack has hit."""
        return self.scope.trigger is not None and self.scope.trigger.name.endswith("hits")

    def _fits_lasting(self, word: str) -> bool:
        """Whether a word can come in a sentence without an event, after its subject."""
        last = self.words[-1]
        if last == "may":
            return word in ("reroll", "sets")
        if word in (*COUNTERS, "MARKER"):
            return not self._is_behind_amount()  # a counter changes at one moment
        if word in ("either", "up"):
            return last in ("with", "are", "is")  # in a filter
        return word not in _EVENT_WORDS or (last, word) == ("for", "each")

    def _is_behind_amount(self) -> bool:
        """Whether the last words are an amount: `+ 2`."""
        return self.words[-1].isdecimal() and self.words[-2:-1] in (["+"], ["-"])

    def _branches(self) -> list[str]:
        """Return the second words of the ``if so`` and ``if not`` that were written."""
        triples = zip(self.words, self.words[1:], self.words[2:], strict=False)
        return [
            word
            for link_word, word, end in triples
            if link_word == "if" and word in ("so", "not") and end == ","
        ]

    def _has_it(self) -> bool:
        """Whether ``it`` has an antecedent: chosen by an earlier subject, or the trigger's OPERATOR (E-7)."""
        if "it" in self.scope.sides:
            return True
        choices = [index for index, word in enumerate(self.words) if word in _CHOSEN]
        return any(VERB_WORDS & {*self.words[index:]} for index in choices)

    def _is_in_an_attack(self) -> bool:
        """Whether the last REF, whose status is tested, takes part in the current attack."""
        refs = [word for word in self.words[-3:] if word in _REFS]
        return bool(refs) and not self.scope.event and refs[-1] in self.scope.parts

    def _fits_die(self, word: str) -> bool:
        """Whether the subject rolls these dice: attackers roll ATTACK D6, attacked OPERATORs DEFENCE D6."""
        if not {"rolls", "roll", "reroll", "keeps", "keep", "sets", "set"} & set(self.words[-4:]):
            return True
        attack_part = self.scope.parts.get(self._subject() or "")
        if attack_part is None:
            return True
        if self.words[-1:] == ["enemy"]:  # the dice of the other side
            return word == ("DEFENCE" if attack_part == "attacker" else "ATTACK")
        return word == ("ATTACK" if attack_part == "attacker" else "DEFENCE")

    def _fits_filter(self, word: str) -> bool:
        """Whether a filter comes after those of the group that are written, and repeats none of them."""
        noun_index = _last_noun_index(self.words)
        if noun_index is None or noun_index == 0:
            return True
        if word == "that" and self.words[noun_index - 1] in STATUSES:
            return False  # `HIT OPERATORs` has its status already
        words_behind = self.words[noun_index + 1 :]
        has_predicate = any(
            written_word == "is" and word_before != "that"
            for word_before, written_word in pairwise(("", *words_behind))
        )
        ends_group = any(behind in _VERBS or behind in (",", "has", "for") for behind in words_behind)
        if has_predicate or ends_group:
            return True
        if word == "with":  # may be repeated
            return "highest" not in words_behind and "lowest" not in words_behind
        written_ranks = [_FILTERS[written_word] for written_word in words_behind if written_word in _FILTERS]
        return not written_ranks or _FILTERS[word] > max(written_ranks)

    def _fits_with(self, word: str) -> bool:
        """Whether a word after ``with`` begins a filter that the group does not have yet."""
        with_index = max(index for index, written_word in enumerate(self.words) if written_word == "with")
        noun_index = _last_noun_index(self.words[:with_index]) or 0
        words_between = self.words[noun_index + 1 : with_index]
        if self.words[-1] == "with" and "that" in words_between:
            return word == "the"  # behind `that are …` only `with the highest …` follows
        return word not in words_between

    def _subject(self) -> str | None:
        """Return the first word of the current clause's subject; None before it."""
        subject_word = None
        for index, word in enumerate(self.words):
            word_before = self.words[index - 1] if index else ","
            if word_before == "and" and self.words[index - 2] == ",":
                word_before = ","  # `, and` begins a clause as a comma does
            if word in _WHO and word_before in _CLAUSE_STARTS and not self._is_listed(index):
                subject_word = word
        return subject_word

    def _is_listed(self, index: int) -> bool:
        """Whether a word follows the ``or`` of a condition rather than that of ``either``."""
        return self.words[index - 1] == "or" and "either" not in self.words[:index]

    def _offer(self, terminal: str, word: str) -> Completion:
        """Return the completion with a word and all that can only follow it."""
        text = self._form(word)
        following = self.state.after(terminal)
        while following is not None and (forced := _forced(following)) is not None:
            following = following.after(forced)
            text = _joined(text, self._form(words_by_terminal()[forced]))
        # the forms of words that follow from what is only now written before them
        text = text.replace("would becomes", "would become").replace("this cards", "this card")
        if text.startswith("that is") and _noun(self.words) == "OPERATORs":
            text = text.replace("that is", "that are")
        ending = "" if text[-1] in "(+-" else " "
        return Completion(text + ending, self.begin, text, _MEANINGS.get(word, ""))

    def _form(self, word: str) -> str:
        """Return the form of a word that the formatter would write: singular or plural."""
        if word in ("OPERATOR", "OPERATORs"):
            words_of_group = self.words[-5:]  # at most `one random other own EXHAUSTED`
            return "OPERATOR" if {"one", "an", "another", "each"} & {*words_of_group} else "OPERATORs"
        if word in ("card", "cards"):
            words_of_cards = self.words[-3:]  # at most `1 random ATTACK`
            single = {"1", "has", "no", "with", "loses", "lose", "this", "each", "either"}
            return "card" if single & {*words_of_cards} else "cards"
        if word in ("SKILL", "SKILLs"):
            return "SKILLs"
        if word == "ITEM":
            return "ITEMs" if self.words[-1].isdecimal() and self.words[-1] != "1" else "ITEM"
        several = self._subject() in ("all", "two", "three", "up") or self.words[-1:] == ["may"]
        return MANY.get(word, word) if several else word


def _noun(words: list[str]) -> str:
    """Return the noun of the last group; empty if there is none."""
    noun_index = _last_noun_index(words)
    return "" if noun_index is None else words[noun_index]


def _last_noun_index(words: list[str]) -> int | None:
    nouns = (index for index, word in enumerate(words) if word in ("OPERATOR", "OPERATORs"))
    return max(nouns, default=None)


def _forced(state: ParserState) -> str | None:
    """Return the terminal that must come next, if there is only one, not counting other forms of a word."""
    words_of_terminals = words_by_terminal()
    accepted = [
        terminal for terminal in state.accepts() if words_of_terminals.get(terminal) not in _SECOND_FORMS
    ]
    return accepted[0] if len(accepted) == 1 and accepted[0] in words_of_terminals else None


def _joined(text: str, word: str) -> str:
    glued = word in ",.)" or text[-1] == "(" or (word == "+" and text[-1].isdigit())
    return text + word if glued else f"{text} {word}"
