"""Conditions in English."""

from __future__ import annotations

from itertools import groupby

from toolkit.dsl import tree
from toolkit.wording import plan_nodes as say
from toolkit.wording.en.cards import card, where
from toolkit.wording.en.nouns import AMOUNTS, filters, is_plural, name, number, place
from toolkit.wording.language import inside, listed, numeral
from toolkit.wording.text import mark

_TO_A_NUMBER = {
    "=": "exactly",
    "!=": "not",
    "<": "lower than",
    "<=": "at most",
    ">": "higher than",
    ">=": "at least",
}
_TO_ANOTHER = {
    "=": "equal to",
    "!=": "not equal to",
    "<": "lower than",
    "<=": "at most as high as",
    ">": "higher than",
    ">=": "at least as high as",
}
_AS_MANY = {
    "=": ("exactly as many", "as"),
    "!=": ("exactly as many", "as"),
    "<": ("fewer", "than"),
    "<=": ("at most as many", "as"),
    ">": ("more", "than"),
    ">=": ("at least as many", "as"),
}
_AS_MUCH = {sign: (how.replace("many", "much"), than) for sign, (how, than) in _AS_MANY.items()}
_AS_MUCH["<"] = ("less", "than")
"""For MARKERs, whose names have no plural."""
_HANDS = {"own": ("you", False), "enemy": ("your opponent", True), "any": ("both players together", False)}
_TURNS = {"own": "your TURN", "enemy": "your opponent’s TURN"}
_ROUNDS = {
    "=": "ROUND {}",
    "!=": "not ROUND {}",
    "<": "before ROUND {}",
    "<=": "ROUND {} or earlier",
    ">": "after ROUND {}",
    ">=": "ROUND {} or later",
}


def condition(said: say.ConditionPhrase, within: str = "") -> str:
    """Return a condition, as after "when".

    ``within`` is the word that joins the list of conditions that it is part of, "and" or "or", or "()" in a
    nested list: then its words or parentheses must show where it begins and ends.
    """
    match said:
        case say.Together(word, parts):
            return _together([condition(part, inside(within, word)) for part in parts], word, within)
        case say.Compares(left, compare, right):
            verb = "are" if is_plural(left) else "is"
            if (compare, right) == ("=", say.Integer(0)):
                return f"{number(left)} {verb} 0"
            words = _TO_A_NUMBER if isinstance(right, say.Integer) else _TO_ANOTHER
            return f"{number(left)} {verb} {words[compare]} {number(right)}"
        case say.CountIs(what, compare, value):
            there, noun = _counted(what, compare, one=value == 1)
            return f"{there} {_amount(compare, value)} {noun}"
        case say.RoundIs(compare, value):
            return f"it is {_ROUNDS[compare].format(numeral(value))}"
        case say.CountsCompared():
            return _counts_compared(said)
        case say.Facts():
            return _facts(said, within)
        case tree.AttackIsCritical(negated):
            return f"the attack is {_not(negated)}CRITICAL"
        case tree.TurnIs(side):
            return f"it is {_TURNS[side]}"


def _together(parts: list[str], word: str, within: str) -> str:
    """Return several conditions: with "either … or …" inside a list, "both … and …" inside that."""
    if not within:
        return f" {word} ".join(parts)
    if (within, word) == ("and", "or"):
        return f"either {' or '.join(parts)}"
    if (within, word) == ("or", "and") and len(parts) == 2:
        return f"both {' and '.join(parts)}"
    return f"({f' {word} '.join(parts)})"


def all_of(parts: list[str]) -> str:
    """Return conditions that must all hold; a comma after "either … or …" shows that more follows."""
    text = ""
    for before, part in zip(["", *parts], parts, strict=False):
        text += f"{',' if before.startswith('either ') else ''} and {part}" if text else part
    return text


def _facts(said: say.Facts, within: str) -> str:
    who, facts = name(said.who, subject=True), [_fact(fact) for fact in said.facts]
    if said.who.many:
        facts = [(_for_many(verb), rest, closing) for verb, rest, closing in facts]
    if len({(verb, closing) for verb, _, closing in facts}) == 1:
        verb, _, closing = facts[0]
        rests = [rest for _, rest, _ in facts]
        if said.word == "and" and within in ("or", "()") and len(facts) == 2:
            return f"{who} {verb} both {' and '.join(rests)}{closing}"
        text = f"{who} {verb} {listed(rests, said.word)}{closing}"
        grouped = (within == "and" and said.word == "or") or len(facts) == 1
        return text if grouped or within in ("", said.word) else f"({text})"
    if within == "and" and said.word == "or":
        return f"either {' or '.join(f'{who} {verb} {rest}{closing}' for verb, rest, closing in facts)}"
    if said.word == "and" and within == "or" and len(facts) == 2:
        return f"{who} both {' and '.join(f'{verb} {rest}{closing}' for verb, rest, closing in facts)}"
    text = f"{who} {listed(_shared(facts, said.word), said.word)}"
    return text if within in ("", said.word) else f"({text})"


def _for_many(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    many = {"is": "are", "has": "have", "does": "do", "belongs": "belong"}[first]
    return f"{many} {rest}".strip()


def _shared(facts: list[tuple[str, str, str]], word: str) -> list[str]:
    """Return the facts about one OPERATOR; adjacent ones share "is"."""
    said = []
    for (verb, closing), run in groupby(facts, key=lambda fact: (fact[0], fact[2])):
        rests = [rest for _, rest, _ in run]
        rests = [listed(rests, word)] if verb in ("is", "are") else rests
        said += [f"{verb} {rest}{closing}" for rest in rests]
    return said


def _fact(said: say.Fact) -> tuple[str, str, str]:
    """Return the verb, what follows it, and what ends the fact."""
    match said:
        case tree.HasStatus(_, status, negated):
            return "is", _not(negated) + status.text, ""
        case say.HasMarkers(marker, compare, than=say.Mention() as other):
            how, than = _AS_MUCH[compare]
            has = "does not have" if compare == "!=" else "has"
            return has, f"{how} {marker} {than} {name(other)}", ""
        case say.HasMarkers(marker, compare, value):
            return ("does not have" if compare == "!=" else "has"), f"{_amount(compare, value)} {marker}", ""
        case tree.Bears(_, "TEAM", team, negated):
            return ("does not belong to" if negated else "belongs to"), f"TEAM {mark('TEAM', team)}", ""
        case tree.Bears(_, "trait", trait, negated):
            return ("does not have" if negated else "has"), f"the trait “{mark('trait', trait)}”", ""
        case tree.HasReached(_, negated):
            return f"has {_not(negated)}REACHED", "the OBJECTIVE", ""
        case tree.Bears(_, "KEYWORD", called, negated):
            return ("does not have" if negated else "has"), mark("KEYWORD", called), ""
        case tree.Bears(_, what, _, negated):
            return "has", f"{'no' if negated else 'an' if what[0] in 'AI' else 'a'} {what}", " attached"
        case _:
            return "is", _not(said.negated) + place(said.where), ""


def _not(negated: bool) -> str:
    return "not " if negated else ""


def _amount(compare: str, value: int) -> str:
    return (
        "no" if (compare, value) == ("=", 0) else f"{AMOUNTS[compare].removeprefix('not ')} {numeral(value)}"
    )


def _has_so_many(who: tuple[str, bool], compare: str) -> str:
    """Return subject and verb: "you have", "your opponent does not have" (exactly 3 cards)."""
    subject, one = who
    if compare == "!=":
        return f"{subject} {'does' if one else 'do'} not have"
    return f"{subject} {'has' if one else 'have'}"


def _counts_compared(said: say.CountsCompared) -> str:
    """Return such as "you have more OPERATORs on the FIELD than your opponent"."""
    how, than = (_AS_MUCH if isinstance(said.left, say.Held) else _AS_MANY)[said.compare]
    there, noun = _counted(said.left, said.compare)
    if said.right is None:
        other = "you" if said.left.side == "enemy" else "your opponent"
        if isinstance(said.left, say.Cards) and said.left.zone != "hand":
            other = "in yours" if said.left.side == "enemy" else "in your opponent’s"
        if isinstance(said.left, say.Count) and said.left.side == "enemy":
            there = _has_so_many(_HANDS["enemy"], said.compare)
            noun = noun.removeprefix("enemy ")
        return f"{there} {how} {noun} {than} {other}"
    return f"{there} {how} {noun} {than} {' '.join(_counted(said.right, '='))}"


def _counted(said: say.Counts, compare: str, one: bool = False) -> tuple[str, str]:
    """Return subject and verb ("you have", "there are"), and what is counted."""
    match said:
        case say.Cards(side, "hand", kind):
            return _has_so_many(_HANDS[side], compare), f"{card(kind, one)} in hand"
        case say.Cards(kind=kind):
            return _there(compare, one), f"{card(kind, one)} in {where(said)}"
        case say.Held(marker, side):
            return _has_so_many(_HANDS[side], compare), marker
        case say.CapturedNumber(side):
            has = _has_so_many(_HANDS[side], "=")
            return f"{has}{' not' if compare == '!=' else ''} CAPTURED", f"OBJECTIVE{'' if one else 's'}"
        case say.Count(who):
            other = "other " if who.other else ""
            noun = f"{other}{'enemy ' if who.side == 'enemy' else ''}OPERATOR{'' if one else 's'}"
            noun += filters(who, many=not one)
            return _has_so_many(_HANDS["own"], compare) if who.side == "own" else _there(compare, one), noun


def _there(compare: str, one: bool) -> str:
    return f"there {'is' if one else 'are'}{' not' if compare == '!=' else ''}"
