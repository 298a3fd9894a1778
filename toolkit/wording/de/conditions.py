"""Conditions in German, as in a subordinate clause: with the verb at the end.

A text may end with a comma, that of a relative clause; ``tidy`` removes superfluous ones.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.wording import plan_nodes as say
from toolkit.wording.de.cards import card, where
from toolkit.wording.de.nouns import (
    AMOUNTS,
    AS_MANY,
    AS_MUCH,
    attached,
    excepted,
    head,
    is_plural,
    is_standing,
    name,
    nearby,
    number,
    of,
    place,
    relative,
)
from toolkit.wording.language import inside, listed, numeral
from toolkit.wording.text import mark

_AMOUNTS_TO = {"=": "genau", "!=": "nicht", "<=": "höchstens", ">=": "mindestens"}
_TO_ANOTHER = {
    "=": "genauso hoch wie",
    "!=": "nicht genauso hoch wie",
    "<": "niedriger als",
    "<=": "höchstens so hoch wie",
    ">": "höher als",
    ">=": "mindestens so hoch wie",
}
_ROUNDS = {
    "=": "ROUND {}",
    "!=": "nicht ROUND {}",
    "<": "vor ROUND {}",
    "<=": "ROUND {} oder früher",
    ">": "nach ROUND {}",
    ">=": "ROUND {} oder später",
}
_WORDS = {"and": "und", "or": "oder"}
_HANDS = {"own": ("du", "hast"), "enemy": ("dein Gegner", "hat"), "any": ("beide Spieler zusammen", "haben")}


def condition(phrase: say.ConditionPhrase, within: str = "") -> str:
    """Return a condition, as after "wenn".

    ``within`` is the word that joins the list of conditions that it is part of, "and" or "or", or "()" in a
    nested list: then its words or parentheses must show where it begins and ends.
    """
    match phrase:
        case say.Together(word, parts):
            texts = [condition(inner_condition, inside(within, word)) for inner_condition in parts]
            return _together(texts, word, within)
        case say.Compares():
            return _compares(phrase)
        case say.CountIs(say.Count(group), compare, count):
            return _count(group, compare, count)
        case say.CountIs(counts, compare, count):
            owner, noun, has, _ = _counted(counts, is_single=count == 1)
            amount = _of_marker(compare, count) if isinstance(counts, say.Held) else _amount(compare, count)
            if isinstance(counts, say.CapturedNumber) and amount == "keine":
                amount = "kein"  # das OBJECTIVE
            return f"{owner} {amount} {noun} {has}"
        case say.RoundIs(compare, round_number):
            return f"es {_ROUNDS[compare].format(numeral(round_number))} ist"
        case say.CountsCompared():
            return _counts_compared(phrase)
        case say.JoinedConditions():
            return _facts(phrase, within)
        case tree.AttackIsCritical(negated):
            return f"der Angriff {_not(negated)}CRITICAL ist"
        case tree.TurnIs(side):
            return f"{'dein TURN' if side == 'own' else 'der TURN deines Gegners'} läuft"


def _together(parts: list[str], word: str, within: str) -> str:
    """Return several conditions: "entweder … oder …" inside a list, "sowohl … als auch …" inside that."""
    if not within:
        return listed(parts, _WORDS[word])
    if (within, word) == ("and", "or"):
        return f"entweder {' oder '.join(parts)}"
    if (within, word) == ("or", "and") and len(parts) == 2:
        return f"sowohl {' als auch '.join(parts)}"
    return f"({listed(parts, _WORDS[word])})"


def all_of(parts: list[str]) -> str:
    """Return conditions that must all hold; a comma after "entweder … oder …" shows that more follows."""
    if len(parts) < 2:
        return "".join(parts)
    *earlier_parts, last_part = parts
    comma = "," if earlier_parts[-1].startswith("entweder ") else ""
    return f"{', '.join(earlier_parts)}{comma} und {last_part}"


def _facts(conditions: say.JoinedConditions, within: str) -> str:
    """Return conditions of one OPERATOR; neighbours with one verb share it: "HIT oder OUT ist"."""
    subject, word = name(conditions.who), _WORDS[conditions.word]
    facts = [_fact(fact) for fact in conditions.facts]
    if conditions.who.many:
        facts = [(text, _plural_of(verb)) for text, verb in facts]
    verbs = {verb for _, verb in facts}
    runs = []
    for verb, run in groupby(facts, key=itemgetter(1)):
        texts = [text for text, _ in run]
        runs.append(f"{listed(texts, word)} {verb}".strip())
    text = listed(runs, word)
    if len(facts) == 1 or within in ("", conditions.word):
        return f"{subject} {text}"
    if conditions.word == "or" and within == "and":
        return f"{subject} {text}" if len(verbs) == 1 else f"{subject} entweder {text}"
    if len(facts) == 2:
        (first_text, first_verb), (second_text, second_verb) = facts
        verb_between = "" if first_verb == second_verb else f" {first_verb}"
        return f"{subject} sowohl {first_text}{verb_between} als auch {second_text} {second_verb}"
    return f"({subject} {text})"


def _plural_of(verb: str) -> str:
    *leading_words, finite_verb = verb.split()
    plural = {"ist": "sind", "hat": "haben", "gehört": "gehören"}.get(finite_verb, f"{finite_verb[:-1]}en")
    return " ".join((*leading_words, plural))


def _fact(fact: say.Fact) -> tuple[str, str]:
    """Return what precedes the verb, and the verb."""
    match fact:
        case tree.HasStatus(_, status, negated):
            return _not(negated) + status.text, "ist"
        case tree.Bears(_, "TEAM", team, negated):
            return f"{_not(negated)}zum TEAM {mark('TEAM', team)}", "gehört"
        case tree.Bears(_, "trait", trait, negated):
            return f"das Merkmal „{mark('trait', trait)}“{' nicht' if negated else ''}", "hat"
        case say.HasTeamOf(mate, negated):
            to_team = f"zu {of(mate, 'TEAM', 'dat')}".replace("zu dem ", "zum ")
            return f"{_not(negated)}{to_team}", "gehört"
        case tree.HasPerformed(_, action, negated):
            action_words = f"in diesem TURN die {action} ACTION"
            return f"{action_words}{' nicht' if negated else ''}", "durchgeführt hat"
        case tree.HasReached(_, negated):
            return f"das OBJECTIVE{' nicht' if negated else ''}", "REACHED hat"
        case tree.Bears(_, "KEYWORD", keyword, negated):
            return mark("KEYWORD", keyword) + (" nicht" if negated else ""), "hat"
        case tree.Bears(_, card_kind, _, negated):
            return f"{'k' if negated else ''}{attached(card_kind)}", "angelegt hat"
        case say.HasMarkers(marker, compare, than=say.Mention() as other_operator):
            amount_words, particle = AS_MUCH[compare]
            return f"{amount_words} {marker} {particle} {name(other_operator)}", "hat"
        case say.HasMarkers(marker, compare, count):
            return f"{_of_marker(compare, count)} {marker}", "hat"
        case say.Stands(say.Somewhere("opposite", to), negated):
            return f"{name(to, 'dat')}{' nicht' if negated else ''}", "gegenübersteht"
        case say.Stands(where, negated):
            return _not(negated) + place(where), "steht" if is_standing(where) else "ist"


def _not(negated: bool) -> str:
    return "nicht " if negated else ""


def _compares(comparison: say.Compares) -> str:
    """Return such as "sein HITCOUNTER mindestens 3 beträgt", "seine AP höher sind als seine EP"."""
    left_text, in_plural = number(comparison.left), is_plural(comparison.left)
    if isinstance(comparison.right, say.Integer) and comparison.compare in _AMOUNTS_TO:
        is_zero = (comparison.compare, comparison.right.value) == ("=", 0)
        amount_words = "" if is_zero else f"{_AMOUNTS_TO[comparison.compare]} "
        verb = "betragen" if in_plural else "beträgt"
        return f"{left_text} {amount_words}{number(comparison.right)} {verb}"
    verb = "sind" if in_plural else "ist"
    comparison_words, particle = _TO_ANOTHER[comparison.compare].rsplit(" ", 1)
    if isinstance(comparison.right, say.Integer):
        return f"{left_text} {comparison_words} {particle} {number(comparison.right)} {verb}"
    # what may be long comes last
    return f"{left_text} {comparison_words} {verb} {particle} {number(comparison.right)}"


def _amount(compare: str, count: int) -> str:
    return "keine" if (compare, count) == ("=", 0) else f"{AMOUNTS[compare]} {numeral(count)}"


def _count(operators: say.GroupPhrase, compare: str, number: int) -> str:
    """Return such as "du mindestens 2 andere OPERATOR in RANGE hast", "es keine OPERATOR gibt"."""
    is_single, amount = number == 1, _amount(compare, number)
    ending = "en" if amount == "keine" else None
    noun = head("single" if is_single else "some", operators, names_side=False, ending=ending)
    subject, verb = ("du", "hast") if operators.side == "own" else ("es", "gibt")
    described = f"{noun}{nearby(operators)}{excepted(operators)}"
    return f"{subject} {amount} {described} {verb}{relative(operators, in_plural=not is_single)}"


def _counts_compared(comparison: say.CountsCompared) -> str:
    """Return such as "du mehr OPERATOR auf dem FIELD hast als dein Gegner"."""
    rows = AS_MUCH if isinstance(comparison.left, say.Held) else AS_MANY
    amount_words, particle = rows[comparison.compare]
    is_of_enemy = comparison.right is None and comparison.left.side == "enemy"
    owner, noun, has, addition = _counted(comparison.left, is_of_enemy)
    left_text = f"{owner} {amount_words} {noun} {has}{addition}"
    if comparison.right is None:
        other_owner = "du" if is_of_enemy else "dein Gegner"
        if isinstance(comparison.left, say.Cards) and comparison.left.zone != "hand":
            of_him, of_you = ("dem", "deinem") if comparison.left.zone == "DECK" else ("der", "deiner")
            other_owner = f"in {of_you}" if is_of_enemy else f"in {of_him} deines Gegners"
        return f"{left_text} {particle} {other_owner}"
    owner, noun, has, addition = _counted(comparison.right)
    return f"{left_text}, {particle} {owner} {noun} {has}{addition}"


def _counted(
    counts: say.Counts, is_of_enemy: bool = False, is_single: bool = False
) -> tuple[str, str, str, str]:
    """Return the subject, what is counted, the verb, and the relative clause after it."""
    match counts:
        case say.Cards(side, "hand", kind):
            owner, has = _HANDS[side]
            return owner, f"{card(kind, is_single)} auf der Hand", has, ""
        case say.Cards(kind=kind):
            return where(counts), card(kind, is_single), "liegt" if is_single else "liegen", ""
        case say.Held(marker, side):
            owner, has = _HANDS[side]
            return owner, marker, has, ""
        case say.CapturedNumber(side):
            owner, has = _HANDS[side]
            return owner, "OBJECTIVE CAPTURED", has, ""
        case say.Count(group):
            owner, has = _HANDS[group.side] if is_of_enemy or group.side == "own" else ("es", "gibt")
            noun = head("some", replace(group, side="own") if is_of_enemy else group, names_side=False)
            return owner, noun + nearby(group) + excepted(group), has, relative(group, in_plural=True)


def _of_marker(compare: str, count: int) -> str:
    """Return such as "mindestens 2"; a MARKER's name has no gender, so that 0 is "keinerlei"."""
    return "keinerlei" if (compare, count) == ("=", 0) else _amount(compare, count)
