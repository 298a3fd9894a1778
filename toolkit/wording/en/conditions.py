"""Conditions in English."""

from __future__ import annotations

from itertools import groupby

from toolkit.dsl import tree
from toolkit.wording import plan_nodes as say
from toolkit.wording.en.cards import card, where
from toolkit.wording.en.nouns import AMOUNTS, filters, is_plural, name, number, of, place
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
            texts = [condition(inner_condition, inside(within, word)) for inner_condition in parts]
            return _together(texts, word, within)
        case say.Compares(left, compare, right):
            verb = "are" if is_plural(left) else "is"
            if (compare, right) == ("=", say.Integer(0)):
                return f"{number(left)} {verb} 0"
            comparison_words = _TO_A_NUMBER if isinstance(right, say.Integer) else _TO_ANOTHER
            return f"{number(left)} {verb} {comparison_words[compare]} {number(right)}"
        case say.CountIs(counts, compare, count):
            subject_and_verb, noun = _counted(counts, compare, is_single=count == 1)
            return f"{subject_and_verb} {_amount(compare, count)} {noun}"
        case say.RoundIs(compare, round_number):
            return f"it is {_ROUNDS[compare].format(numeral(round_number))}"
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
    parts_before = [f"{part}," if part.startswith("either ") else part for part in parts[:-1]]
    return " and ".join([*parts_before, *parts[-1:]])


def _facts(conditions: say.JoinedConditions, within: str) -> str:
    """Return conditions of one OPERATOR, with as few verbs as possible: "it is HIT or OUT"."""
    subject, facts = name(conditions.who, subject=True), [_fact(fact) for fact in conditions.facts]
    if conditions.who.many:
        facts = [(_plural_of(verb), complement, closing) for verb, complement, closing in facts]
    if len({(verb, closing) for verb, _, closing in facts}) == 1:  # one verb for all
        verb, _, closing = facts[0]
        complements = [complement for _, complement, _ in facts]
        if conditions.word == "and" and within in ("or", "()") and len(facts) == 2:
            return f"{subject} {verb} both {' and '.join(complements)}{closing}"
        text = f"{subject} {verb} {listed(complements, conditions.word)}{closing}"
        is_grouped = (within == "and" and conditions.word == "or") or len(facts) == 1
        return text if is_grouped or within in ("", conditions.word) else f"({text})"
    if within == "and" and conditions.word == "or":
        sentences = (f"{subject} {verb} {complement}{closing}" for verb, complement, closing in facts)
        return f"either {' or '.join(sentences)}"
    if conditions.word == "and" and within == "or" and len(facts) == 2:
        joined_facts = (f"{verb} {complement}{closing}" for verb, complement, closing in facts)
        return f"{subject} both {' and '.join(joined_facts)}"
    text = f"{subject} {listed(_facts_with_shared_verbs(facts, conditions.word), conditions.word)}"
    return text if within in ("", conditions.word) else f"({text})"


def _plural_of(verb: str) -> str:
    finite_verb, _, words_behind = verb.partition(" ")  # "does not have"
    plural = {"is": "are", "has": "have", "does": "do", "belongs": "belong"}[finite_verb]
    return f"{plural} {words_behind}".strip()


def _facts_with_shared_verbs(facts: list[tuple[str, str, str]], word: str) -> list[str]:
    """Return the facts about one OPERATOR; adjacent ones share "is"."""
    shared_facts = []
    for (verb, closing), run in groupby(facts, key=lambda fact: (fact[0], fact[2])):
        complements = [complement for _, complement, _ in run]
        complements = [listed(complements, word)] if verb in ("is", "are") else complements
        shared_facts += [f"{verb} {complement}{closing}" for complement in complements]
    return shared_facts


def _fact(fact: say.Fact) -> tuple[str, str, str]:
    """Return the verb, what follows it, and what ends the fact."""
    match fact:
        case tree.HasStatus(_, status, negated):
            return "is", _not(negated) + status.text, ""
        case say.HasMarkers(marker, compare, than=say.Mention() as other_operator):
            amount_words, particle = _AS_MUCH[compare]
            has = "does not have" if compare == "!=" else "has"
            return has, f"{amount_words} {marker} {particle} {name(other_operator)}", ""
        case say.HasMarkers(marker, compare, count):
            return ("does not have" if compare == "!=" else "has"), f"{_amount(compare, count)} {marker}", ""
        case tree.Bears(_, "TEAM", team, negated):
            return ("does not belong to" if negated else "belongs to"), f"TEAM {mark('TEAM', team)}", ""
        case tree.Bears(_, "trait", trait, negated):
            return ("does not have" if negated else "has"), f"the trait “{mark('trait', trait)}”", ""
        case say.HasTeamOf(mate, negated):
            return ("does not belong to" if negated else "belongs to"), of(mate, "TEAM"), ""
        case tree.HasPerformed(_, action, negated):
            if negated:  # "has not performed A and B" could mean that it has performed one of them
                return "has", f"not performed the {action} ACTION", " this TURN"
            return "has performed", f"the {action} ACTION", " this TURN"
        case tree.HasReached(_, negated):
            return f"has {_not(negated)}REACHED", "the OBJECTIVE", ""
        case tree.Bears(_, "KEYWORD", keyword, negated):
            return ("does not have" if negated else "has"), mark("KEYWORD", keyword), ""
        case tree.Bears(_, card_kind, _, negated):
            article = "no" if negated else "an" if card_kind[0] in "AI" else "a"
            return "has", f"{article} {card_kind}", " attached"
        case _:
            return "is", _not(fact.negated) + place(fact.where), ""


def _not(negated: bool) -> str:
    return "not " if negated else ""


def _amount(compare: str, count: int) -> str:
    if (compare, count) == ("=", 0):
        return "no"
    return f"{AMOUNTS[compare].removeprefix('not ')} {numeral(count)}"


def _has_so_many(hand_owner: tuple[str, bool], compare: str) -> str:
    """Return subject and verb: "you have", "your opponent does not have" (exactly 3 cards)."""
    subject, is_single = hand_owner
    if compare == "!=":
        return f"{subject} {'does' if is_single else 'do'} not have"
    return f"{subject} {'has' if is_single else 'have'}"


def _counts_compared(comparison: say.CountsCompared) -> str:
    """Return such as "you have more OPERATORs on the FIELD than your opponent"."""
    rows = _AS_MUCH if isinstance(comparison.left, say.Held) else _AS_MANY
    amount_words, particle = rows[comparison.compare]
    subject_and_verb, noun = _counted(comparison.left, comparison.compare)
    if comparison.right is None:
        other_owner = "you" if comparison.left.side == "enemy" else "your opponent"
        if isinstance(comparison.left, say.Cards) and comparison.left.zone != "hand":
            other_owner = "in yours" if comparison.left.side == "enemy" else "in your opponent’s"
        if isinstance(comparison.left, say.Count) and comparison.left.side == "enemy":
            subject_and_verb = _has_so_many(_HANDS["enemy"], comparison.compare)
            noun = noun.removeprefix("enemy ")
        return f"{subject_and_verb} {amount_words} {noun} {particle} {other_owner}"
    return f"{subject_and_verb} {amount_words} {noun} {particle} {' '.join(_counted(comparison.right, '='))}"


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
            negation = " not" if compare == "!=" else ""
            return f"{has}{negation} CAPTURED", f"OBJECTIVE{'' if is_single else 's'}"
        case say.Count(operators):
            other_word = "other " if operators.other else ""
            enemy_word = "enemy " if operators.side == "enemy" else ""
            noun = f"{other_word}{enemy_word}OPERATOR{'' if is_single else 's'}"
            noun += filters(operators, in_plural=not is_single)
            if operators.side == "own":
                return _has_so_many(_HANDS["own"], compare), noun
            return _there(compare, is_single), noun


def _there(compare: str, is_single: bool) -> str:
    return f"there {'is' if is_single else 'are'}{' not' if compare == '!=' else ''}"
