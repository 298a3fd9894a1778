"""OPERATORs, groups and numbers in English."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from toolkit.dsl import tree
from toolkit.vocabulary import STATS
from toolkit.wording import plan_nodes as say
from toolkit.wording.en.cards import card, where
from toolkit.wording.language import GroupWords, formula, is_short_sum, listed, numeral
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


def is_pronoun(who: say.Mention) -> bool:
    """Whether "it" is unambiguous: next to "its target", which is an "it", too, it is not."""
    return who.form == "pronoun" and not who.beside_target


def name(who: say.Mention, subject: bool = False) -> str:
    """Return the words for an OPERATOR, as object or as ``subject``."""
    if is_pronoun(who):
        return ("they" if subject else "them") if who.many else "it"
    if who.form in ("its", "that"):
        return "its target" if who.form == "its" else "that OPERATOR"
    if who.noun == "bearer":
        return "the OPERATOR bearing this card" if who.form == "full" else "the bearer"
    if who.noun == "holder":
        return f"the OPERATOR {'at this OBJECTIVE' if who.form == 'full' else 'here'}"
    return _MANY[who.noun] if who.many else _NAMES[who.noun]


def of(who: say.Mention, thing: str) -> str:
    """Return what belongs to an OPERATOR: "its AP", "the attacker's AP"."""
    if is_pronoun(who):
        return f"{'their' if who.many else 'its'} {thing}"
    if who.noun == "holder" or (who.noun == "bearer" and who.form == "full"):
        return f"the {thing} of {name(who)}"
    return f"{name(who)}{'’' if who.many else '’s'} {thing}"


def of_some(who: say.Mention | say.GroupPhrase, thing: str) -> str:
    """Return what belongs to the OPERATOR of a trigger: "the HITCOUNTER of an enemy OPERATOR"."""
    return of(who, thing) if isinstance(who, say.Mention) else f"the {thing} of {group('a', who)}"


def some(who: say.Mention | say.GroupPhrase, _case: str = "nom") -> str:
    """Return the OPERATOR of a trigger: "another of your OPERATORs"."""
    return name(who, subject=True) if isinstance(who, say.Mention) else group("a", who)


def group(kind: GroupKind, who: say.GroupPhrase) -> str:
    """Return a group: "all your OPERATORs …", "one of …", "each of …", or without an article."""
    other = "other " if who.other else ""
    if who.side == "own":
        head = {"all": "all ", "a": "another of " if other else "one of ", "each": "each of ", "plural": ""}
        text = head[kind] + f"your {'' if kind == 'a' else other}OPERATORs"
    else:
        noun = f"{other}{'enemy ' if who.side == 'enemy' else ''}OPERATOR"
        text = {
            "all": f"all {noun}s",
            "a": f"an{'' if other else ' '}{noun}",
            "each": f"each {noun}",
            "plural": f"{noun}s",
        }[kind]
    return text + filters(who, many=kind in ("all", "plural"))


_NUMBERS = {1: "one", 2: "two", 3: "three"}


def chosen(said: say.GroupSubject, another: bool = False) -> str:
    """Return who is chosen: "one of your OPERATORs", "up to two random enemy OPERATORs".

    ``another`` says that the subject of the clause is excluded: "another of your OPERATORs".
    """
    who, many = said.group, said.number > 1
    another = another and not (many or said.fixed)
    number = "another" if another else ("up to " if said.up_to else "") + _NUMBERS[said.number]
    other, own = "other " if who.other and not another else "", who.side == "own"
    noun = f"{'enemy ' if who.side == 'enemy' else ''}OPERATOR{'s' if many else ''}"
    if said.random:
        text = f"{number} random {other}{noun}{' of yours' if own else ''}"
    elif own and not said.fixed:
        text = f"{number} of your {other}OPERATORs"
    elif own:
        text = f"your {f'{number} ' if many else ''}{other}{noun}"
        text = f"the one of your {other}OPERATORs" if other and not many else text
    elif said.fixed:
        text = f"the {f'{number} ' if many else ''}{other}{noun}"
    else:
        text = f"{number} {other}{noun}{'' if who.extreme else ' of your choice'}"
    return text + filters(who, many)


def filters(who: say.GroupPhrase, many: bool) -> str:
    """Return what follows "OPERATORs": TEAM, possessions, places and statuses."""
    excepted = f" except {name(who.excepted)}" if who.excepted else ""
    if not who.described:
        return _GROUP.nearby(who) + excepted
    # one relative clause for everything: a "that" after a possession could refer to it
    early, late = (excepted, "") if who.narrowed else ("", excepted)
    places = [place(somewhere) for somewhere in who.places]
    return f"{_GROUP.nearby(who)}{early} that {_description(who, places, many)}{late}"


def _description(who: say.GroupPhrase, places: list[str], many: bool) -> str:
    """Return the relative clause without "that"."""
    having, said = list[str](), list[str]()
    have, do_not, be = ("have", "do not", "are") if many else ("has", "does not", "is")
    for part in who.having:
        if isinstance(part, say.HasBearing) and (part.negated or len(part.bearings) > 1 or part.team):
            said.append(_bears(part, have, do_not))
        elif not isinstance(part, say.HasBearing) and part.compare == "!=":
            said.append(f"{do_not} have {_having(part)}")
        else:
            having.append(_having(part))
    said = [f"{have} {listed(having, 'and')}"] * bool(having) + said
    if who.status:
        either = listed([word.text for word in (who.status.status, *who.status.others)], "or")
        either = f"either {either}" if who.status.others and places else either
        places = [*places, f"{'not ' if who.status.negated else ''}{either}"]
    said += [f"{be} {listed(places, 'and')}"] if places else []
    said += [f"{have} {superlative(who.extreme)} of those"] if who.narrowed and who.extreme else []
    return listed(said, "and")


def _bears(part: say.HasBearing, have: str, do_not: str) -> str:
    """Return such as "belong to TEAM X or TEAM Y", "do not have the trait “x”", "has no card attached"."""
    belong = "belong" if have == "have" else "belongs"
    if part.negated:
        what, called = part.bearings[0]
        if what == "TEAM":
            return f"{do_not} belong to TEAM {mark('TEAM', called)}"
        if called is None:
            return f"{have} no {what} attached"
        return f"{do_not} have {_having(part)}"
    said = list[str]()
    for teams, run in groupby(part.bearings, key=lambda bearing: bearing[0] == "TEAM"):
        some = tuple(run)
        names = [f"TEAM {mark('TEAM', called)}" for _, called in some]
        said.append(f"{belong} to {listed(names, 'or')}" if teams else f"{have} {_bearings(some)}")
    return f"either {' or '.join(said)}" if len(said) > 1 else said[0]


def superlative(said: tree.Superlative) -> str:
    """Return such as "the highest AP"."""
    what = quantity_mark(said.quantity)
    words = ("least", "most") if is_marker(what) else ("lowest", "highest")
    return f"the {words[said.highest]} {what}"


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


def _having(part: say.Having) -> str:
    """Return such as "at least 3 AP", "a HITCOUNTER of at least 3"; for ``!=`` what they do not have."""
    if isinstance(part, say.HasBearing):
        return _bearings(part.bearings)
    what = part.quantity
    if isinstance(part, say.HasThan):
        return _more_than(part)
    if what in PLURAL or is_marker(what):
        return f"{AMOUNTS[part.compare].removeprefix('not ')} {numeral(part.number)} {what}"
    how = "less than" if part.compare == "<" else AMOUNTS[part.compare].removeprefix("not ")
    return f"{_article(what)} {what} of {how} {numeral(part.number)}"


_GROUP = GroupWords(
    team=" from TEAM {}",
    in_savezone=" in the SAVEZONE",
    on_field=" on the FIELD",
    has="with",
    lacks="without",
    conjunction="and",
    place=place,
    having=_having,
    superlative=superlative,
)


def _article(what: str) -> str:
    return "an" if what[0] in "AEMOI" else "a"


def _bearings(bearings: tuple[tuple[str, str | None], ...]) -> str:
    """Return such as "the trait “sniper” or “scout”", "a card attached"."""
    said, trait = list[str](), "the trait "
    for what, called in bearings:
        if what == "trait":
            said.append(f"{trait}“{mark('trait', called)}”")
            trait = ""
            continue
        trait = "the trait "
        said.append(f"{_article(what)} {what} attached" if called is None else mark("KEYWORD", called))
    return listed(said, "or")


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


def _more_than(part: say.HasThan) -> str:
    """Return such as "less AP than this OPERATOR", "a lower HITCOUNTER than its target"."""
    what, same = part.quantity, part.quantity == part.other
    other = name(part.of) if same else of(part.of, part.other)
    if what in PLURAL or is_marker(what):
        how, than = _MORE[part.compare]
        how = how.replace("many", "much") if is_marker(what) else how
        return f"{how} {what} {than} {other}"
    if part.compare in ("<=", ">="):
        that_of = f"that of {name(part.of)}" if same else other
        return f"{_HIGHER[part.compare].format(f'{_article(what)} {what}')} {that_of}"
    return f"{_HIGHER[part.compare].format(what)} {other}"


def number(said: say.NumberPhrase) -> str:
    """Return a number, as subject or after "than"."""
    if isinstance(said, say.Formula) and is_short_sum(said):
        return f"{_leaf(said.left)} {'plus' if said.operator == '+' else 'minus'} {_leaf(said.right)}"
    return formula(said, _leaf)


def is_plural(said: say.NumberPhrase) -> bool:
    """Whether a number has its verb in the plural."""
    return isinstance(said, say.Measure) and said.quantity in PLURAL


def _leaf(said: say.NumberPhrase) -> str:
    match said:
        case say.Integer(value):
            return numeral(value)
        case say.Count(who):
            return f"the number of {group('plural', who)}"
        case say.Measure(quantity, owner) if not is_marker(quantity):
            return of(owner, quantity)
        case say.Measure() | say.Cards() | say.Held() | say.CapturedNumber():
            return f"the number of {_things(said, one=False)}"
        case tree.Damage():
            return "the DAMAGE"
        case tree.Round():
            return "the ROUND number"
        case _:
            return formula(said, _leaf)


def _things(said: say.Measure | say.Cards | say.Held | say.CapturedNumber, one: bool) -> str:
    """Return what is counted: "Intel on it", "cards in your hand", "OBJECTIVE that you have CAPTURED"."""
    match said:
        case say.Measure(marker, owner):
            return f"{marker} on {name(owner)}"
        case say.Cards(kind=kind):
            return f"{card(kind, one)} in {where(said)}"
        case say.Held(marker):
            return f"{marker} {_player_has(said)}"
        case say.CapturedNumber():
            return f"OBJECTIVE{'' if one else 's'} that {_player_has(said)} CAPTURED"


def _player_has(said: say.Held | say.CapturedNumber) -> str:
    return "you have" if said.side == "own" else "they have" if said.of_actor else "your opponent has"


def counted(said: say.Counted) -> str:
    """Return "for each …", with its maximum."""
    most = f" (max. {said.maximum}×)" if said.maximum is not None else ""
    beyond = f" beyond the first{f' {said.beyond}' if said.beyond > 1 else ''}" if said.beyond else ""
    return f"for each {_each(said.what)}{beyond}{most}"


def _each(what: say.GroupPhrase | say.NumberPhrase) -> str:
    match what:
        case say.GroupPhrase():
            return group("each", what).removeprefix("each ")
        case say.Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner):
                return f"of {of(owner, quantity)}"
            return f"{'SQUADPOINT' if quantity == 'SQUADPOINTS' else quantity} of {name(owner)}"
        case say.Measure(quantity) if not is_marker(quantity):
            return f"point of {_leaf(what)}"
        case say.Measure() | say.Cards() | say.Held() | say.CapturedNumber():
            return _things(what, one=True)
        case tree.Damage():
            return "point of DAMAGE"
        case tree.Round():
            return "ROUND begun so far"
        case _:
            return f"point of ({formula(what, _leaf)})"
