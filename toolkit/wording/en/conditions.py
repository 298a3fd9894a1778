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


def condition(phrase: say.ConditionPhrase, within: str = "") -> str:
    """Return a condition, as after "when".

    ``within`` is the word that joins the list of conditions that it is part of, "and" or "or", or "()" in a
    nested list: then its words or parentheses must show where it begins and ends.
    """
    match phrase:
        case say.Together(word, parts):
            return _together(
                [condition(nested_condition, inside(within, word)) for nested_condition in parts],
                word,
                within,
            )
        case say.Compares(left, compare, right):
            verb = "are" if is_plural(left) else "is"
            if (compare, right) == ("=", say.Integer(0)):
                return f"{number(left)} {verb} 0"
            words = _TO_A_NUMBER if isinstance(right, say.Integer) else _TO_ANOTHER
            return f"{number(left)} {verb} {words[compare]} {number(right)}"
        case say.CountIs(what, compare, value):
            subject_and_verb, noun = _counted(what, compare, is_single=value == 1)
            return f"{subject_and_verb} {_amount(compare, value)} {noun}"
        case say.RoundIs(compare, value):
            return f"it is {_ROUNDS[compare].format(numeral(value))}"
        case say.CountsCompared():
            return _counts_compared(phrase)
        case say.JoinedConditions():
            return _facts(phrase, within)
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
    for part_before, part_text in zip(["", *parts], parts, strict=False):
        text += f"{',' if part_before.startswith('either ') else ''} and {part_text}" if text else part_text
    return text


def _facts(facts_said: say.JoinedConditions, within: str) -> str:
    subject, facts = name(facts_said.who, subject=True), [_fact(fact) for fact in facts_said.facts]
    if facts_said.who.many:
        facts = [(_for_many(verb), complement, closing) for verb, complement, closing in facts]
    if len({(verb, closing) for verb, _, closing in facts}) == 1:
        verb, _, closing = facts[0]
        rests = [complement for _, complement, _ in facts]
        if facts_said.word == "and" and within in ("or", "()") and len(facts) == 2:
            return f"{subject} {verb} both {' and '.join(rests)}{closing}"
        text = f"{subject} {verb} {listed(rests, facts_said.word)}{closing}"
        grouped = (within == "and" and facts_said.word == "or") or len(facts) == 1
        return text if grouped or within in ("", facts_said.word) else f"({text})"
    if within == "and" and facts_said.word == "or":
        sentences = (f"{subject} {verb} {complement}{closing}" for verb, complement, closing in facts)
        return f"either {' or '.join(sentences)}"
    if facts_said.word == "and" and within == "or" and len(facts) == 2:
        joined_facts = (f"{verb} {complement}{closing}" for verb, complement, closing in facts)
        return f"{subject} both {' and '.join(joined_facts)}"
    text = f"{subject} {listed(_shared(facts, facts_said.word), facts_said.word)}"
    return text if within in ("", facts_said.word) else f"({text})"


def _for_many(verb: str) -> str:
    first, _, verb_ending = verb.partition(" ")
    many = {"is": "are", "has": "have", "does": "do", "belongs": "belong"}[first]
    return f"{many} {verb_ending}".strip()


def _shared(facts: list[tuple[str, str, str]], word: str) -> list[str]:
    """Return the facts about one OPERATOR; adjacent ones share "is"."""
    shared_facts = []
    for (verb, closing), run in groupby(facts, key=lambda fact: (fact[0], fact[2])):
        rests = [complement for _, complement, _ in run]
        rests = [listed(rests, word)] if verb in ("is", "are") else rests
        shared_facts += [f"{verb} {complement}{closing}" for complement in rests]
    return shared_facts


def _fact(fact: say.Fact) -> tuple[str, str, str]:
    """Return the verb, what follows it, and what ends the fact."""
    match fact:
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
            return "is", _not(fact.negated) + place(fact.where), ""


def _not(negated: bool) -> str:
    return "not " if negated else ""


def _amount(compare: str, value: int) -> str:
    return (
        "no" if (compare, value) == ("=", 0) else f"{AMOUNTS[compare].removeprefix('not ')} {numeral(value)}"
    )


def _has_so_many(hand_owner: tuple[str, bool], compare: str) -> str:
    """Return subject and verb: "you have", "your opponent does not have" (exactly 3 cards)."""
    subject, is_single = hand_owner
    if compare == "!=":
        return f"{subject} {'does' if is_single else 'do'} not have"
    return f"{subject} {'has' if is_single else 'have'}"


def _counts_compared(comparison: say.CountsCompared) -> str:
    """Return such as "you have more OPERATORs on the FIELD than your opponent"."""
    how, than = (_AS_MUCH if isinstance(comparison.left, say.Held) else _AS_MANY)[comparison.compare]
    subject_and_verb, noun = _counted(comparison.left, comparison.compare)
    if comparison.right is None:
        other = "you" if comparison.left.side == "enemy" else "your opponent"
        if isinstance(comparison.left, say.Cards) and comparison.left.zone != "hand":
            other = "in yours" if comparison.left.side == "enemy" else "in your opponent’s"
        if isinstance(comparison.left, say.Count) and comparison.left.side == "enemy":
            subject_and_verb = _has_so_many(_HANDS["enemy"], comparison.compare)
            noun = noun.removeprefix("enemy ")
        return f"{subject_and_verb} {how} {noun} {than} {other}"
    return f"{subject_and_verb} {how} {noun} {than} {' '.join(_counted(comparison.right, '='))}"


def _counted(counts: say.Counts, compare: str, is_single: bool = False) -> tuple[str, str]:
    """Return subject and verb ("you have", "there are"), and what is counted."""
    match counts:
        case say.Cards(side, "hand", kind):
            return _has_so_many(_HANDS[side], compare), f"{card(kind, is_single)} in hand"
        case say.Cards(kind=kind):
            return _there(compare, is_single), f"{card(kind, is_single)} in {where(counts)}"
        case say.Held(marker, side):
            return _has_so_many(_HANDS[side], compare), marker
        case say.CapturedNumber(side):
            has = _has_so_many(_HANDS[side], "=")
            return (
                f"{has}{' not' if compare == '!=' else ''} CAPTURED",
                f"OBJECTIVE{'' if is_single else 's'}",
            )
        case say.Count(who):
            other = "other " if who.other else ""
            noun = f"{other}{'enemy ' if who.side == 'enemy' else ''}OPERATOR{'' if is_single else 's'}"
            noun += filters(who, many=not is_single)
            return _has_so_many(_HANDS["own"], compare) if who.side == "own" else _there(
                compare, is_single
            ), noun


def _there(compare: str, is_single: bool) -> str:
    return f"there {'is' if is_single else 'are'}{' not' if compare == '!=' else ''}"
