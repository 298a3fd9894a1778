"""OPERATORs, groups and numbers in English."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from toolkit.dsl import tree
from toolkit.vocabulary import STATS
from toolkit.wording import plan_nodes as say
from toolkit.wording.en.cards import card, where
from toolkit.wording.language import GroupWords, formula, is_short_sum, listed, numeral, plain_part
from toolkit.wording.text import is_marker, mark, quantity_mark

PLURAL = (*STATS, "SQUADPOINTS")
"""Quantities in points, which have their verb in the plural."""

_NAMES = {
    "this": "this OPERATOR",
    "operator": "the OPERATOR",
    "actor": "the acting OPERATOR",
    "attacker": "the attacker",
    "attacked": "the attacked OPERATOR",
    "chosen": "the chosen OPERATOR",
    "target": "the target",
    "that": "that OPERATOR",
}
_MANY = {"that": "those OPERATORs", "chosen": "the chosen OPERATORs"}
AMOUNTS = {
    ">=": "at least",
    "<=": "at most",
    "=": "exactly",
    "!=": "not exactly",
    "<": "fewer than",
    ">": "more than",
}

GroupKind = Literal["all", "a", "each", "plural"]
"""``all …``, ``a …`` in a trigger, ``each …``, and without an article after a number."""


def is_pronoun(mention: say.Mention) -> bool:
    """Whether "it" is unambiguous: next to "its target", which is an "it", too, it is not."""
    return mention.form == "pronoun" and not mention.beside_target


def name(mention: say.Mention, subject: bool = False) -> str:
    """Return the words for an OPERATOR, as object or as ``subject``."""
    if is_pronoun(mention):
        return ("they" if subject else "them") if mention.many else "it"
    if mention.form in ("its", "that"):
        return "its target" if mention.form == "its" else "that OPERATOR"
    if mention.noun == "bearer":
        return "the OPERATOR bearing this card" if mention.form == "full" else "the bearer"
    if mention.noun == "holder":
        return f"the OPERATOR {'at this OBJECTIVE' if mention.form == 'full' else 'here'}"
    return _MANY[mention.noun] if mention.many else _NAMES[mention.noun]


def of(mention: say.Mention, quantity: str) -> str:
    """Return what belongs to an OPERATOR: "its AP", "the attacker's AP"."""
    if is_pronoun(mention):
        return f"{'their' if mention.many else 'its'} {quantity}"
    if mention.noun == "holder" or (mention.noun == "bearer" and mention.form == "full"):
        return f"the {quantity} of {name(mention)}"
    return f"{name(mention)}{'’' if mention.many else '’s'} {quantity}"


def of_some(subject: say.Mention | say.GroupPhrase, quantity: str) -> str:
    """Return what belongs to the OPERATOR of a trigger: "the HITCOUNTER of an enemy OPERATOR"."""
    if isinstance(subject, say.Mention):
        return of(subject, quantity)
    return f"the {quantity} of {group('a', subject)}"


def some(subject: say.Mention | say.GroupPhrase, _case: str = "nom") -> str:
    """Return the OPERATOR of a trigger: "another of your OPERATORs"."""
    return name(subject, subject=True) if isinstance(subject, say.Mention) else group("a", subject)


def group(kind: GroupKind, operators: say.GroupPhrase) -> str:
    """Return a group: "all your OPERATORs …", "one of …", "each of …", or without an article."""
    other_word = "other " if operators.other else ""
    if operators.side == "own":
        beginnings = {
            "all": "all ",
            "a": "another of " if other_word else "one of ",
            "each": "each of ",
            "plural": "",
        }
        text = beginnings[kind] + f"your {'' if kind == 'a' else other_word}OPERATORs"
    else:
        noun = f"{other_word}{'enemy ' if operators.side == 'enemy' else ''}OPERATOR"
        text = {
            "all": f"all {noun}s",
            "a": f"an{'' if other_word else ' '}{noun}",
            "each": f"each {noun}",
            "plural": f"{noun}s",
        }[kind]
    return text + filters(operators, in_plural=kind in ("all", "plural"))


_NUMBERS = {1: "one", 2: "two", 3: "three"}


def chosen(subject: say.GroupSubject, another: bool = False, of_choice: bool = False) -> str:
    """Return who is chosen: "one of your OPERATORs", "up to two random enemy OPERATORs".

    ``another`` says that the subject of the clause is excluded: "another of your OPERATORs"; ``of_choice``
    that "of your choice" follows this, too.
    """
    operators, in_plural = subject.group, subject.number > 1
    another = another and not (in_plural or subject.fixed)
    number = "another" if another else ("up to " if subject.up_to else "") + _NUMBERS[subject.number]
    other_word, is_own = "other " if operators.other and not another else "", operators.side == "own"
    noun = f"{'enemy ' if operators.side == 'enemy' else ''}OPERATOR{'s' if in_plural else ''}"
    if subject.random:
        text = f"{number} random {other_word}{noun}{' of yours' if is_own else ''}"
    elif is_own and not subject.fixed:
        text = f"{number} of your {other_word}OPERATORs{' of your choice' if of_choice else ''}"
    elif is_own:
        text = f"your {f'{number} ' if in_plural else ''}{other_word}{noun}"
        text = f"the one of your {other_word}OPERATORs" if other_word and not in_plural else text
    elif subject.fixed:
        text = f"the {f'{number} ' if in_plural else ''}{other_word}{noun}"
    else:
        is_yours = not (operators.extreme or subject.by_opponent)
        text = f"{number} {other_word}{noun}{' of your choice' if is_yours else ''}"
    if subject.by_opponent and not subject.fixed:
        text += " of your opponent’s choice"
    return text + filters(operators, in_plural)


def filters(operators: say.GroupPhrase, in_plural: bool) -> str:
    """Return what follows "OPERATORs": TEAM, possessions, places and statuses."""
    excepted = f" except {name(operators.excepted)}" if operators.excepted else ""
    if not operators.needs_relative_clause:
        return _GROUP.nearby(operators) + excepted
    # one relative clause for everything: a "that" after a possession could refer to it
    places = [place(somewhere) for somewhere in operators.places]
    description = _description(operators, places, in_plural)
    if operators.narrowed:
        return f"{_GROUP.nearby(operators)}{excepted} that {description}"
    return f"{_GROUP.nearby(operators)} that {description}{excepted}"


def _description(operators: say.GroupPhrase, places: list[str], in_plural: bool) -> str:
    """Return the relative clause without "that"."""
    possessions, predicates = list[str](), list[str]()
    have, do_not, be = ("have", "do not", "are") if in_plural else ("has", "does not", "is")
    for having in operators.having:
        if isinstance(having, say.HasBearing) and (having.negated or len(having.bearings) > 1 or having.team):
            predicates.append(_bearing_predicate(having, have, do_not))
        elif not isinstance(having, say.HasBearing) and having.compare == "!=":
            predicates.append(f"{do_not} have {_having(having)}")
        else:
            possessions.append(_having(having))
    if possessions:
        predicates.insert(0, f"{have} {listed(possessions, 'and')}")
    if operators.status:
        statuses = listed([word.text for word in (operators.status.status, *operators.status.others)], "or")
        statuses = f"either {statuses}" if operators.status.others and places else statuses
        places = [*places, f"{'not ' if operators.status.negated else ''}{statuses}"]
    if places:
        predicates.append(f"{be} {listed(places, 'and')}")
    if operators.narrowed and operators.extreme:
        predicates.append(f"{have} {superlative(operators.extreme)} of those")
    return listed(predicates, "and")


def _bearing_predicate(having: say.HasBearing, have: str, do_not: str) -> str:
    """Return such as "belong to TEAM X or TEAM Y", "do not have the trait “x”", "has no card attached"."""
    belong = "belong" if have == "have" else "belongs"
    if having.negated:
        [(kind, bearing_name)] = having.bearings
        if kind == "TEAM":
            return f"{do_not} belong to TEAM {mark('TEAM', bearing_name)}"
        if bearing_name is None:
            return f"{have} no {kind} attached"
        return f"{do_not} have {_having(having)}"
    bearing_texts = list[str]()
    for are_teams, run in groupby(having.bearings, key=lambda bearing: bearing[0] == "TEAM"):
        bearings_of_run = tuple(run)
        if are_teams:
            teams = [f"TEAM {mark('TEAM', team)}" for _, team in bearings_of_run]
            bearing_texts.append(f"{belong} to {listed(teams, 'or')}")
        else:
            bearing_texts.append(f"{have} {_bearings(bearings_of_run)}")
    return f"{'either ' if len(bearing_texts) > 1 else ''}{' or '.join(bearing_texts)}"


def superlative(extreme: tree.Superlative) -> str:
    """Return such as "the highest AP"."""
    quantity = quantity_mark(extreme.quantity)
    lowest, highest = ("least", "most") if is_marker(quantity) else ("lowest", "highest")
    return f"the {highest if extreme.highest else lowest} {quantity}"


_POSITIONS = {
    "=": "on FIELDPOSITION {}",
    "!=": "not on FIELDPOSITION {}",
    "<": "on a FIELDPOSITION lower than {}",
    "<=": "on FIELDPOSITION {} or lower",
    ">": "on a FIELDPOSITION higher than {}",
    ">=": "on FIELDPOSITION {} or higher",
}


def place(somewhere: say.Somewhere | say.Position) -> str:
    """Return a place: "in RANGE of it", "adjacent to the attacker", "on FIELDPOSITION 1 or 4"."""
    if isinstance(somewhere, say.Position):
        return _POSITIONS[somewhere.compare].format(listed([*map(numeral, somewhere.numbers)], "or"))
    if somewhere.to.form == "bare":
        return "in RANGE"
    joined = {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}
    return f"{joined[somewhere.relation]} {name(somewhere.to)}"


def _having(having: say.Having) -> str:
    """Return such as "at least 3 AP", "a HITCOUNTER of at least 3"; for ``!=`` what they do not have."""
    if isinstance(having, say.HasBearing):
        return _bearings(having.bearings)
    quantity = having.quantity
    if isinstance(having, say.HasThan):
        return _comparison(having)
    if quantity in PLURAL or is_marker(quantity):
        return f"{AMOUNTS[having.compare].removeprefix('not ')} {numeral(having.number)} {quantity}"
    amount_words = "less than" if having.compare == "<" else AMOUNTS[having.compare].removeprefix("not ")
    return f"{_article(quantity)} {quantity} of {amount_words} {numeral(having.number)}"


_GROUP = GroupWords(
    team=" from TEAM {}",
    team_of=lambda mention: f" from {of(mention, 'TEAM')}",
    in_savezone=" in the SAVEZONE",
    on_field=" on the FIELD",
    has="with",
    lacks="without",
    conjunction="and",
    place=place,
    having=_having,
    superlative=superlative,
)


def _article(noun: str) -> str:
    return "an" if noun[0] in "AEMOI" else "a"


def _bearings(bearings: tuple[tuple[str, str | None], ...]) -> str:
    """Return such as "the trait “sniper” or “scout”", "a card attached"."""
    bearing_texts, trait_words = list[str](), "the trait "
    for kind, bearing_name in bearings:
        if kind == "trait":
            bearing_texts.append(f"{trait_words}“{mark('trait', bearing_name)}”")
            trait_words = ""
            continue
        trait_words = "the trait "
        bearing_texts.append(
            f"{_article(kind)} {kind} attached" if bearing_name is None else mark("KEYWORD", bearing_name)
        )
    return listed(bearing_texts, "or")


_MORE = {
    "=": ("as many", "as"),
    "!=": ("as many", "as"),
    "<": ("less", "than"),
    "<=": ("at most as many", "as"),
    ">": ("more", "than"),
    ">=": ("at least as many", "as"),
}
_HIGHER = {
    "=": "the same {} as",
    "!=": "the same {} as",
    "<": "a lower {} than",
    "<=": "{} at most as high as",
    ">": "a higher {} than",
    ">=": "{} at least as high as",
}


def _comparison(having: say.HasThan) -> str:
    """Return such as "less AP than this OPERATOR", "a lower HITCOUNTER than its target"."""
    quantity, is_same_quantity = having.quantity, having.quantity == having.other
    other_quantity = name(having.of) if is_same_quantity else of(having.of, having.other)
    if quantity in PLURAL or is_marker(quantity):
        amount_words, particle = _MORE[having.compare]
        amount_words = amount_words.replace("many", "much") if is_marker(quantity) else amount_words
        return f"{amount_words} {quantity} {particle} {other_quantity}"
    if having.compare in ("<=", ">="):
        that_of = f"that of {name(having.of)}" if is_same_quantity else other_quantity
        return f"{_HIGHER[having.compare].format(f'{_article(quantity)} {quantity}')} {that_of}"
    return f"{_HIGHER[having.compare].format(quantity)} {other_quantity}"


def number(phrase: say.NumberPhrase) -> str:
    """Return a number, as subject or after "than"."""
    if isinstance(phrase, say.Formula) and is_short_sum(phrase):
        return f"{_leaf(phrase.left)} {'plus' if phrase.operator == '+' else 'minus'} {_leaf(phrase.right)}"
    divisor = plain_part(phrase)
    if divisor is not None and isinstance(phrase, say.Formula):
        whole = _leaf(phrase.left)
        return f"{_PARTS[divisor]} {whole}" if divisor in _PARTS else f"{whole} divided by {divisor}"
    return formula(phrase, _leaf)


_PARTS = {2: "half", 3: "a third of"}


def is_plural(phrase: say.NumberPhrase) -> bool:
    """Whether a number has its verb in the plural."""
    if plain_part(phrase) is not None and isinstance(phrase, say.Formula):
        return is_plural(phrase.left)
    return isinstance(phrase, say.Measure) and phrase.quantity in PLURAL


def _leaf(phrase: say.NumberPhrase) -> str:
    """Return a number as a noun phrase."""
    match phrase:
        case say.Integer(value):
            return numeral(value)
        case say.Count(operators):
            return f"the number of {group('plural', operators)}"
        case say.Measure(quantity, owner) if not is_marker(quantity):
            return of(owner, quantity)
        case say.Measure() | say.Cards() | say.Held() | say.CapturedNumber():
            return f"the number of {_counted_noun(phrase, is_single=False)}"
        case tree.Discarded():
            return "the number of cards discarded this way"
        case tree.Damage():
            return "the DAMAGE"
        case tree.Round():
            return "the ROUND number"
        case _:
            return formula(phrase, _leaf)


def _counted_noun(phrase: say.Measure | say.Cards | say.Held | say.CapturedNumber, is_single: bool) -> str:
    """Return what is counted: "Intel on it", "cards in your hand", "OBJECTIVE that you have CAPTURED"."""
    match phrase:
        case say.Measure(marker, owner):
            return f"{marker} on {name(owner)}"
        case say.Cards(kind=kind):
            return f"{card(kind, is_single)} in {where(phrase)}"
        case say.Held(marker):
            return f"{marker} {_player_has(phrase)}"
        case say.CapturedNumber():
            return f"OBJECTIVE{'' if is_single else 's'} that {_player_has(phrase)} CAPTURED"


def _player_has(holder: say.Held | say.CapturedNumber) -> str:
    return "you have" if holder.side == "own" else "they have" if holder.of_actor else "your opponent has"


def counted(counted_phrase: say.Counted) -> str:
    """Return "for each …", with its maximum."""
    maximum_text = f" (max. {counted_phrase.maximum}×)" if counted_phrase.maximum is not None else ""
    if counted_phrase.part is not None:
        return f"for {_each_part(counted_phrase.what, counted_phrase.part)}{maximum_text}"
    beyond_text = " beyond the first" if counted_phrase.beyond else ""
    beyond_text += f" {counted_phrase.beyond}" if counted_phrase.beyond > 1 else ""
    return f"for each {_each(counted_phrase.what)}{beyond_text}{maximum_text}"


_FRACTIONS = dict(
    enumerate(("half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth"), start=2)
)
_ROUNDED = {"up": "rounded up", "nearest": "rounded"}


def _each_part(what: say.GroupPhrase | say.NumberPhrase, part: say.Part) -> str:
    """Return such as "every 2 of its AP", "each half of its AP (rounded up)"."""
    if part.rounding != "down":
        whole_text = _leaf(say.Count(what) if isinstance(what, say.GroupPhrase) else what)
        if isinstance(what, (say.Formula, say.Minus)):
            whole_text = f"({whole_text})"
        return f"each {_FRACTIONS[part.divisor]} of {whole_text} ({_ROUNDED[part.rounding]})"
    match what:
        case say.GroupPhrase():
            counted_things = f"{'of ' if what.side == 'own' else ''}{group('plural', what)}"
        case say.Measure() | say.Cards() | say.Held() | say.CapturedNumber() if not (
            isinstance(what, say.Measure) and not is_marker(what.quantity)
        ):
            counted_things = _counted_noun(what, is_single=False)
        case say.Measure("SQUADPOINTS", owner) if not is_pronoun(owner):
            counted_things = f"SQUADPOINTS of {name(owner)}"
        case tree.Damage():
            counted_things = "DAMAGE"
        case tree.Round():
            counted_things = "ROUNDs begun so far"
        case _:
            counted_things = _each(what).replace("point of", "points of", 1)
    return f"every {part.divisor} {counted_things}"


def _each(phrase: say.GroupPhrase | say.NumberPhrase) -> str:
    """Return what an amount is multiplied by, as after "for each"."""
    match phrase:
        case say.GroupPhrase():
            return group("each", phrase).removeprefix("each ")
        case say.Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner):
                return f"of {of(owner, quantity)}"
            return f"{'SQUADPOINT' if quantity == 'SQUADPOINTS' else quantity} of {name(owner)}"
        case say.Measure(quantity) if not is_marker(quantity):
            return f"point of {_leaf(phrase)}"
        case say.Measure() | say.Cards() | say.Held() | say.CapturedNumber():
            return _counted_noun(phrase, is_single=True)
        case tree.Discarded():
            return "card discarded this way"
        case tree.Damage():
            return "point of DAMAGE"
        case tree.Round():
            return "ROUND begun so far"
        case _:
            return f"point of ({formula(phrase, _leaf)})"
