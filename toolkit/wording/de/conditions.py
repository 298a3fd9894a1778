"""Conditions in German, as in a subordinate clause: with the verb at the end.

A text may end with a comma, that of a relative clause; ``tidy`` removes superfluous ones.
"""

from __future__ import annotations

from itertools import groupby

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


def condition(said: say.ConditionPhrase, within: str = "") -> str:
    """Return a condition, as after "wenn".

    ``within`` is the word that joins the list of conditions that it is part of, "and" or "or", or "()" in a
    nested list: then its words or parentheses must show where it begins and ends.
    """
    match said:
        case say.Together(word, parts):
            return _together([condition(part, inside(within, word)) for part in parts], word, within)
        case say.Compares():
            return _compares(said)
        case say.CountIs(say.Count(group), compare, value):
            return _count(group, compare, value)
        case say.CountIs(what, compare, value):
            who, noun, has, _ = _counted(what, one=value == 1)
            amount = _of_marker(compare, value) if isinstance(what, say.Held) else _amount(compare, value)
            if isinstance(what, say.CapturedNumber) and amount == "keine":
                amount = "kein"  # das OBJECTIVE
            return f"{who} {amount} {noun} {has}"
        case say.RoundIs(compare, value):
            return f"es {_ROUNDS[compare].format(numeral(value))} ist"
        case say.CountsCompared():
            return _counts_compared(said)
        case say.Facts():
            return _facts(said, within)
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
    *before, last = parts
    comma = "," if before[-1].startswith("entweder ") else ""
    return f"{', '.join(before)}{comma} und {last}"


def _facts(said: say.Facts, within: str) -> str:
    who, word = name(said.who), _WORDS[said.word]
    facts = [_fact(fact) for fact in said.facts]
    if said.who.many:
        facts = [(text, _for_many(verb)) for text, verb in facts]
    verbs = {verb for _, verb in facts}
    runs = []
    for verb, run in groupby(facts, key=lambda fact: fact[1]):
        runs.append(f"{listed([rest for rest, _ in run], word)} {verb}".strip())
    text = listed(runs, word)
    if len(facts) == 1 or within in ("", said.word):
        return f"{who} {text}"
    if said.word == "or" and within == "and":
        return f"{who} {text}" if len(verbs) == 1 else f"{who} entweder {text}"
    if len(facts) == 2:
        (one, verb), (two, other) = facts
        both = f"{one} als auch {two}" if verb == other else f"{one} {verb} als auch {two}"
        return f"{who} sowohl {both} {other}"
    return f"({who} {text})"


def _for_many(verb: str) -> str:
    *before, last = verb.split()
    many = {"ist": "sind", "hat": "haben", "gehört": "gehören"}.get(last, f"{last[:-1]}en")
    return " ".join((*before, many))


def _fact(said: say.Fact) -> tuple[str, str]:
    """Return what precedes the verb, and the verb."""
    match said:
        case tree.HasStatus(_, status, negated):
            return _not(negated) + status.text, "ist"
        case tree.Bears(_, "TEAM", team, negated):
            return f"{_not(negated)}zum TEAM {mark('TEAM', team)}", "gehört"
        case tree.Bears(_, "trait", trait, negated):
            return f"das Merkmal „{mark('trait', trait)}“{' nicht' if negated else ''}", "hat"
        case tree.HasReached(_, negated):
            return f"das OBJECTIVE{' nicht' if negated else ''}", "REACHED hat"
        case tree.Bears(_, "KEYWORD", called, negated):
            return mark("KEYWORD", called) + (" nicht" if negated else ""), "hat"
        case tree.Bears(_, what, _, negated):
            return f"{'k' if negated else ''}{attached(what)}", "angelegt hat"
        case say.HasMarkers(marker, compare, than=say.Mention() as other):
            how, than = AS_MUCH[compare]
            return f"{how} {marker} {than} {name(other)}", "hat"
        case say.HasMarkers(marker, compare, value):
            return f"{_of_marker(compare, value)} {marker}", "hat"
        case _ if isinstance(said.where, say.Somewhere) and said.where.relation == "opposite":
            return f"{name(said.where.to, 'dat')}{' nicht' if said.negated else ''}", "gegenübersteht"
        case _:
            return _not(said.negated) + place(said.where), "steht" if is_standing(said.where) else "ist"


def _not(negated: bool) -> str:
    return "nicht " if negated else ""


def _compares(said: say.Compares) -> str:
    left, many = number(said.left), is_plural(said.left)
    if isinstance(said.right, say.Integer) and said.compare in _AMOUNTS_TO:
        how = "" if (said.compare, said.right.value) == ("=", 0) else f"{_AMOUNTS_TO[said.compare]} "
        return f"{left} {how}{number(said.right)} {'betragen' if many else 'beträgt'}"
    verb = "sind" if many else "ist"
    how, than = _TO_ANOTHER[said.compare].rsplit(" ", 1)
    if isinstance(said.right, say.Integer):
        return f"{left} {how} {than} {number(said.right)} {verb}"
    return f"{left} {how} {verb} {than} {number(said.right)}"  # what may be long comes last


def _amount(compare: str, value: int) -> str:
    return "keine" if (compare, value) == ("=", 0) else f"{AMOUNTS[compare]} {numeral(value)}"


def _count(who: say.GroupPhrase, compare: str, number: int) -> str:
    """Return such as "du mindestens 2 andere OPERATOR in RANGE hast", "es keine OPERATOR gibt"."""
    one, amount = number == 1, _amount(compare, number)
    ending = "en" if amount == "keine" else None
    noun = head("single" if one else "some", who, whose=False, ending=ending)
    there, verb = ("du", "hast") if who.side == "own" else ("es", "gibt")
    return f"{there} {amount} {noun}{nearby(who)}{excepted(who)} {verb}{relative(who, many=not one)}"


def _counts_compared(said: say.CountsCompared) -> str:
    """Return such as "du mehr OPERATOR auf dem FIELD hast als dein Gegner"."""
    how, than = (AS_MUCH if isinstance(said.left, say.Held) else AS_MANY)[said.compare]
    theirs = said.right is None and said.left.side == "enemy"
    who, noun, has, rest = _counted(said.left, theirs)
    left = f"{who} {how} {noun} {has}{rest}"
    if said.right is None:
        other = "du" if theirs else "dein Gegner"
        if isinstance(said.left, say.Cards) and said.left.zone != "hand":
            of_him, of_you = ("dem", "deinem") if said.left.zone == "DECK" else ("der", "deiner")
            other = f"in {of_you}" if theirs else f"in {of_him} deines Gegners"
        return f"{left} {than} {other}"
    who, noun, has, rest = _counted(said.right)
    return f"{left}, {than} {who} {noun} {has}{rest}"


def _counted(said: say.Counts, theirs: bool = False, one: bool = False) -> tuple[str, str, str, str]:
    """Return the subject, what is counted, the verb, and the relative clause after it."""
    match said:
        case say.Cards(side, "hand", kind):
            who, has = _HANDS[side]
            return who, f"{card(kind, one)} auf der Hand", has, ""
        case say.Cards(kind=kind):
            return where(said), card(kind, one), "liegt" if one else "liegen", ""
        case say.Held(marker, side):
            who, has = _HANDS[side]
            return who, marker, has, ""
        case say.CapturedNumber(side):
            who, has = _HANDS[side]
            return who, "OBJECTIVE CAPTURED", has, ""
        case say.Count(group):
            who, has = _HANDS[group.side] if theirs or group.side == "own" else ("es", "gibt")
            noun = head("some", replace(group, side="own") if theirs else group, whose=False)
            return who, noun + nearby(group) + excepted(group), has, relative(group, many=True)


def _of_marker(compare: str, value: int) -> str:
    """Return such as "mindestens 2"; a MARKER's name has no gender, so that 0 is "keinerlei"."""
    return "keinerlei" if (compare, value) == ("=", 0) else _amount(compare, value)
