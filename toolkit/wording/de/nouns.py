"""OPERATORs, groups and numbers in German."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.vocabulary import STATS
from toolkit.wording import plan_nodes as say
from toolkit.wording.de.cards import card, where
from toolkit.wording.language import Case, GroupWords, formula, is_short_sum, listed, numeral
from toolkit.wording.text import is_marker, mark, quantity_mark

PLURAL = (*STATS, "SQUADPOINTS")
"""Quantities in points, which are plural nouns."""

_CASES: tuple[Case, ...] = ("nom", "gen", "dat", "acc")


def _declined(adjective: str) -> tuple[str, ...]:
    """Return such as "der gewählte OPERATOR" in all cases."""
    return (f"der {adjective}e OPERATOR", *(f"{the} {adjective}en OPERATOR" for the in _THE[1:]))


_A = ("ein", "eines", "einem", "einen")
_THE = ("der", "des", "dem", "den")
_THE_MANY = ("die", "der", "den", "die")
_THIS_ONE = ("derjenige", "desjenigen", "demjenigen", "denjenigen")
_NAMES = {
    "this": ("dieser OPERATOR", "dieses OPERATOR", "diesem OPERATOR", "diesen OPERATOR"),
    "bearer": ("der Träger", "des Trägers", "dem Träger", "den Träger"),
    "operator": tuple(f"{the} OPERATOR" for the in _THE),
    "actor": _declined("ausführend"),
    "attacker": ("der Angreifer", "des Angreifers", "dem Angreifer", "den Angreifer"),
    "attacked": _declined("angegriffen"),
    "chosen": _declined("gewählt"),
    "target": ("das Ziel", "des Ziels", "dem Ziel", "das Ziel"),
    "that": ("jener OPERATOR", "jenes OPERATOR", "jenem OPERATOR", "jenen OPERATOR"),
}
_MANY = {
    "that": ("jene OPERATOR", "jener OPERATOR", "jenen OPERATOR", "jene OPERATOR"),
    "chosen": tuple(f"{the} gewählten OPERATOR" for the in _THE_MANY),
}
_ITS_TARGET = ("sein Ziel", "seines Ziels", "seinem Ziel", "sein Ziel")
_HE = ("er", "seiner", "ihm", "ihn")
_THEY = ("sie", "ihrer", "ihnen", "sie")
_ARTICLES = {"m": ("der", "des"), "f": ("die", "der"), "pl": ("die", "der")}
_OWN_ENDINGS = {"m": ("", "es"), "f": ("e", "er"), "pl": ("e", "er")}


def name(who: say.Mention, case: Case = "nom") -> str:
    """Return the words for an OPERATOR in a case."""
    at = _CASES.index(case)
    if is_pronoun(who, case):
        return (_THEY if who.many else _HE)[at]
    if who.form in ("its", "that"):
        return (_ITS_TARGET if who.form == "its" else _NAMES["target"])[at]
    if who.noun == "holder":
        return f"{_NAMES['operator'][at]} {'an diesem OBJECTIVE' if who.form == 'full' else 'hier'}"
    text = (_MANY if who.many else _NAMES)[who.noun][at]
    return f"{text} dieser Karte" if who.noun == "bearer" and who.form == "full" else text


def is_pronoun(who: say.Mention, case: Case) -> bool:
    """Whether a pronoun is unambiguous: next to "sein Ziel", "er" and "ihn" are, "ihm" and "sein" are not."""
    return who.form == "pronoun" and (not who.beside_target or case in ("nom", "acc"))


def is_neuter(who: say.Mention) -> bool:
    """Whether its pronoun is "es": das Ziel; all others are "er"."""
    return who.form == "its" or who.noun == "target"


def of(who: say.Mention, quantity: str, case: Literal["nom", "gen"] = "nom") -> str:
    """Return what belongs to an OPERATOR: "seine AP", "der HITCOUNTER des Angreifers"."""
    gender, at = _gender(quantity), 0 if case == "nom" else 1
    if is_pronoun(who, "gen"):
        return f"{_own(who)}{_OWN_ENDINGS[gender][at]} {quantity}"
    return f"{_ARTICLES[gender][at]} {quantity} {name(who, 'gen')}"


def _own(who: say.Mention) -> str:
    return "ihr" if who.many else "sein"


def _gender(quantity: str) -> str:
    if quantity in PLURAL:
        return "pl"
    return "f" if quantity in ("FIELDPOSITION", "ACTION") else "m"


_POSITIONS = {
    "=": "auf FIELDPOSITION {}",
    "!=": "nicht auf FIELDPOSITION {}",
    "<": "auf einer FIELDPOSITION unter {}",
    "<=": "auf FIELDPOSITION {} oder niedriger",
    ">": "auf einer FIELDPOSITION über {}",
    ">=": "auf FIELDPOSITION {} oder höher",
}


def is_standing(somewhere: say.Somewhere | say.Position) -> bool:
    """Whether the verb of a place is "steht"; with RANGE it is "ist"."""
    return isinstance(somewhere, say.Position) or somewhere.relation != "in RANGE"


def place(somewhere: say.Somewhere | say.Position) -> str:
    """Return a place: "in seiner RANGE", "neben dem Angreifer", "auf FIELDPOSITION 1 oder 4"."""
    if isinstance(somewhere, say.Position):
        return _POSITIONS[somewhere.compare].format(listed([*map(numeral, somewhere.numbers)], "oder"))
    to = somewhere.to
    if somewhere.relation == "adjacent":
        return f"neben {name(to, 'dat')}"
    if somewhere.relation == "opposite":
        return f"{name(to, 'dat')} gegenüber" if is_pronoun(to, "dat") else f"gegenüber {name(to, 'dat')}"
    if to.form == "bare":
        return "in RANGE"
    return f"in {_own(to)}er RANGE" if is_pronoun(to, "gen") else f"in RANGE {name(to, 'gen')}"


GroupKind = Literal["all", "each", "of the", "of all", "some", "single"]
"""``alle …`` (nominative), ``jeden …`` (accusative), ``der …`` and ``aller …`` (genitive); without an article
in the plural (nominative or accusative), and for the number 1, accusative."""

_HEADS: dict[GroupKind, str] = {"all": "alle", "each": "jeden", "of the": "der", "of all": "aller"}
_SIDES = {"own": "eigen", "enemy": "feindlich"}
AMOUNTS = {
    ">=": "mindestens",
    "<=": "höchstens",
    "=": "genau",
    "!=": "nicht genau",
    "<": "weniger als",
    ">": "mehr als",
}


def group(kind: GroupKind, who: say.GroupPhrase, before_object: bool = False) -> str:
    """Return a group with its filters; a relative clause at its end ends with a comma.

    ``before_object`` says that an amount follows, so that the group must not end with a number ("von genau 1
    +1 AP").
    """
    return head(kind, who) + filters(who, kind not in ("each", "single"), before_object)


def head(kind: GroupKind, who: say.GroupPhrase, whose: bool = True, ending: str | None = None) -> str:
    """Return a group up to "OPERATOR"."""
    end = ("e" if kind == "some" else "en") if ending is None else ending
    return _noun(_HEADS.get(kind, ""), "", who, end, whose)


def _noun(article: str, adjective: str, who: say.GroupPhrase, end: str, whose: bool = True) -> str:
    words = [article, adjective + end if adjective else "", f"ander{end}" if who.other else ""]
    words += [_SIDES[who.side] + end] if who.side in _SIDES and (whose or who.side != "own") else []
    return " ".join(word for word in (*words, "OPERATOR") if word)


_NUMBERS = {2: "zwei", 3: "drei"}


def chosen(said: say.GroupSubject, case: Case = "nom", before_object: bool = False) -> str:
    """Return who is chosen: "ein eigener OPERATOR deiner Wahl", "bis zu zwei feindliche OPERATOR"."""
    who, many, at = said.group, said.number > 1, _CASES.index(case)
    random = "zufällig" if said.random else ""
    if many:
        number = f"{'bis zu ' if said.up_to else ''}{_NUMBERS[said.number]}"
        if said.fixed:
            article, end = f"{_THE_MANY[at]} {number}", "en"
        else:  # "zweier" is possible, "bis zu zweier" is not
            article, end = (
                f"{'von ' if case == 'gen' else ''}{number}",
                "e" if case in ("nom", "acc") else "en",
            )
    elif said.fixed:
        article, end = (_THIS_ONE if who.other else _THE)[at], "e" if case == "nom" else "en"
    else:
        article, end = _A[at], "er" if case == "nom" else "en"
    choice = "" if said.random or who.extreme else " deiner Wahl"
    return _noun(article, random, who, end) + choice + filters(who, many, before_object)


def some(who: say.Mention | say.GroupPhrase, case: Case = "nom") -> str:
    """Return the OPERATOR of a trigger: "ein anderer eigener OPERATOR"."""
    if isinstance(who, say.Mention):
        return name(who, case)
    return _noun(_A[_CASES.index(case)], "", who, "er" if case == "nom" else "en") + filters(who, many=False)


def of_some(who: say.Mention | say.GroupPhrase, quantity: str) -> str:
    """Return what belongs to the OPERATOR of a trigger: "der HITCOUNTER eines feindlichen OPERATOR"."""
    if isinstance(who, say.Mention):
        return of(who, quantity)
    return f"{_ARTICLES[_gender(quantity)][0]} {quantity} {some(who, 'gen')}"


def filters(who: say.GroupPhrase, many: bool, before_object: bool = False) -> str:
    """Return what follows "OPERATOR", with a comma after a relative clause."""
    numbers = any(isinstance(part, say.HasQuantity) for part in who.having)
    numbers = numbers or any(isinstance(place, say.Position) for place in who.places)
    if before_object and numbers and not who.described:
        return nearby(replace(who, having=(), places=())) + _clause(who, many) + excepted(who)
    if who.narrowed:  # the excluded OPERATOR is not one of those that are compared
        return nearby(who) + excepted(who) + relative(who, many)
    return nearby(who) + relative(who, many) + excepted(who)


def relative(who: say.GroupPhrase, many: bool) -> str:
    """Return the relative clause between commas, if one is needed.

    It includes everything, because a "die" after a possession could refer to it.
    """
    return _clause(who, many) if who.described else ""


_Verb = tuple[str, str]
"""Singular and plural."""

_HAVE: _Verb = ("hat", "haben")
_LACK: _Verb = ("nicht hat", "nicht haben")
_BEAR: _Verb = ("angelegt hat", "angelegt haben")
_BELONG: _Verb = ("gehört", "gehören")
_BE: _Verb = ("ist", "sind")
_STAND: _Verb = ("steht", "stehen")


def _clause(who: say.GroupPhrase, many: bool) -> str:
    facts: list[tuple[str, _Verb | None]] = []
    for part in who.having:
        if isinstance(part, say.HasBearing):
            facts += [_bears(part.bearings[0], part.negated)] if len(part.bearings) == 1 else []
            facts += [(_one_of(part.bearings, many), None)] if len(part.bearings) > 1 else []
        else:
            facts.append((_having(part, "acc"), _HAVE))
    facts += [(place(somewhere), _STAND if is_standing(somewhere) else _BE) for somewhere in who.places]
    if who.status:
        either = listed([word.text for word in (who.status.status, *who.status.others)], "oder")
        either = f"entweder {either}" if who.status.others and who.places else either
        facts.append((f"{'nicht ' if who.status.negated else ''}{either}", _BE))
    if who.narrowed and who.extreme:
        facts.append((f"von diesen {superlative(who.extreme, 'acc')} {_HAVE[many]}", None))
    said = list[str]()
    for verb, run in groupby(facts, key=lambda fact: fact[1]):
        texts = [text for text, _ in run]
        said += texts if verb is None else [f"{listed(texts, 'und')} {verb[many]}"]
    return f", {'die' if many else 'der'} {listed(said, 'und')},"


def _bears(bearing: tuple[str, str | None], negated: bool = False) -> tuple[str, _Verb]:
    """Return what an OPERATOR has or lacks, and its verb, in a relative clause."""
    what, called = bearing
    if what == "TEAM":
        return f"{'nicht ' if negated else ''}zum TEAM {mark('TEAM', called)}", _BELONG
    if called is not None:
        return _bearings((bearing,), "acc"), _LACK if negated else _HAVE
    return f"{'k' if negated else ''}{attached(what)}", _BEAR


def _one_of(bearings: tuple[tuple[str, str | None], ...], many: bool) -> str:
    """Return such as "das Merkmal „a“ oder „b“ haben", "entweder zum TEAM X gehören oder ein ITEM angelegt
    haben"."""
    said = list[str]()
    for verb, run in groupby(bearings, key=lambda bearing: _bears(bearing)[1]):
        some = tuple(run)
        text = _bearings(some, "acc") if verb == _HAVE else listed([_bears(one)[0] for one in some], "oder")
        said.append(f"{text} {verb[many]}")
    return f"{'entweder ' if len(said) > 1 else ''}{' oder '.join(said)}"


def excepted(who: say.GroupPhrase) -> str:
    """Return the excluded OPERATOR."""
    return f" außer {name(who.excepted, 'dat')}" if who.excepted else ""


def _having(part: say.Having, case: Literal["dat", "acc"]) -> str:
    """Return such as "mindestens 3 AP", "einem HITCOUNTER von mindestens 3", "angelegter Karte"."""
    if isinstance(part, say.HasBearing):
        return _bearings(part.bearings, case)
    what = part.quantity
    if isinstance(part, say.HasThan):
        return _more_than(part, case)
    amount = numeral(part.number)
    if what in PLURAL or is_marker(what):
        return f"{AMOUNTS[part.compare]} {amount} {what}"
    article = _article(what, case)
    if part.compare == "!=":
        return f"k{article} {what} von genau {amount}"
    return f"{article} {what} von {AMOUNTS[part.compare]} {amount}"


def _article(what: str, case: Literal["dat", "acc"]) -> str:
    """Return the article: "einem" HITCOUNTER, "eine" FIELDPOSITION."""
    endings = ("er", "e") if what == "FIELDPOSITION" else ("em", "en")
    return f"ein{endings[case == 'acc']}"


_ATTACHED = {"dat": ("angelegter", "angelegtem"), "acc": ("angelegte", "angelegtes")}


def _bearings(bearings: tuple[tuple[str, str | None], ...], case: Literal["dat", "acc"]) -> str:
    """Return such as "dem Merkmal „sniper“ oder „scout“", "angelegter Karte"."""
    said, trait = list[str](), f"{'dem' if case == 'dat' else 'das'} Merkmal "
    before = ""
    for what, called in bearings:
        if what == "trait":
            said.append(f"{'' if before == 'trait' else trait}„{mark('trait', called)}“")
        elif called is not None:
            said.append(mark("KEYWORD", called))
        else:
            said.append(f"{_ATTACHED[case][what == 'ITEM']} {_attached(what)}")
        before = what
    return listed(said, "oder")


def attached(what: str) -> str:
    """Return such as "ein ITEM", "eine ATTACK-Karte"."""
    return f"{'ein' if what == 'ITEM' else 'eine'} {_attached(what)}"


def _attached(what: str) -> str:
    return "Karte" if what == "card" else what.replace(" card", "-Karte")


AS_MANY = {
    "=": ("genauso viele", "wie"),
    "!=": ("nicht genauso viele", "wie"),
    "<": ("weniger", "als"),
    "<=": ("höchstens so viele", "wie"),
    ">": ("mehr", "als"),
    ">=": ("mindestens so viele", "wie"),
}
AS_MUCH = {sign: (how.replace("viele", "viel"), than) for sign, (how, than) in AS_MANY.items()}
"""For MARKERs, whose names have no plural."""
_HIGHER = {
    "=": ("gleich", "wie"),
    "!=": ("gleich", "wie"),
    "<": ("niedriger", "als"),
    "<=": ("höchstens so hoh", "wie"),
    ">": ("höher", "als"),
    ">=": ("mindestens so hoh", "wie"),
}


def _more_than(part: say.HasThan, case: Literal["dat", "acc"]) -> str:
    """Return such as "weniger AP als dieser OPERATOR", "einem niedrigeren HITCOUNTER als sein Ziel"."""
    what = part.quantity
    other = name(part.of) if what == part.other else _leaf(say.Measure(part.other, part.of))
    if what in PLURAL or is_marker(what):
        how, than = (AS_MUCH if is_marker(what) else AS_MANY)[part.compare]
        return f"{how}{'n' if case == 'dat' and how.endswith('viele') else ''} {what} {than} {other}"
    how, than = _HIGHER[part.compare]
    feminine = what == "FIELDPOSITION"
    end = "e" if feminine and case == "acc" else "en"
    if part.compare in ("=", "!="):
        same = {"dat": ("dem", "der"), "acc": ("den", "die")}[case][feminine]
        return f"{'nicht ' if part.compare == '!=' else ''}{same} {how}{end} {what} {than} {other}"
    return f"{_article(what, case)} {how}{end} {what} {than} {other}"


def superlative(said: tree.Superlative, case: Literal["dat", "acc"]) -> str:
    """Return such as "den höchsten AP", "am meisten Aufklärung"."""
    what = quantity_mark(said.quantity)
    if is_marker(what):
        return f"am {'meisten' if said.highest else 'wenigsten'} {what}"
    gender, best = _gender(what), "höchste" if said.highest else "niedrigste"
    dative = {"m": "dem", "f": "der", "pl": "den"}[gender]
    article = dative if case == "dat" else {"m": "den", "f": "die", "pl": "die"}[gender]
    return f"{article} {best}{'' if (gender, case) == ('f', 'acc') else 'n'} {what}"


_GROUP = GroupWords(
    team=" aus dem TEAM {}",
    in_savezone=" in der SAVEZONE",
    on_field=" auf dem FIELD",
    has="mit",
    lacks="ohne",
    conjunction="und",
    place=place,
    having=lambda part: _having(part, "acc" if isinstance(part, say.HasBearing) and part.negated else "dat"),
    superlative=lambda said: superlative(said, "dat"),
)
nearby = _GROUP.nearby


def _at_player(said: say.Held) -> str:
    return "bei dir" if said.side == "own" else "bei ihm" if said.of_actor else "bei deinem Gegner"


def _has_captured(said: say.CapturedNumber) -> str:
    if said.side == "own":
        return "du CAPTURED hast"
    return f"{'er' if said.of_actor else 'dein Gegner'} CAPTURED hat"


def number(said: say.NumberPhrase) -> str:
    """Return a number in the nominative."""
    if isinstance(said, say.Formula) and is_short_sum(said):
        more = said.operator == "+"
        if isinstance(said.right, say.Measure):
            right = of(said.right.of, said.right.quantity, "gen")
            return f"{_leaf(said.left)} {'zuzüglich' if more else 'abzüglich'} {right}"
        return f"{_leaf(said.left)} {'plus' if more else 'minus'} {_leaf(said.right)}"
    return formula(said, _leaf)


def is_plural(said: say.NumberPhrase) -> bool:
    """Whether a number has its verb in the plural."""
    first = said.left if isinstance(said, say.Formula) and is_short_sum(said) else said
    return isinstance(first, say.Measure) and first.quantity in PLURAL


def _leaf(said: say.NumberPhrase) -> str:
    match said:
        case say.Integer(value):
            return numeral(value)
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"die Anzahl {quantity} auf {name(owner, 'dat')}"
        case say.Measure(quantity, owner):
            return of(owner, quantity)
        case say.Count(who):
            return f"die Anzahl {group('of the', who)}"
        case say.Cards(kind=kind):
            return f"die Anzahl der {card(kind, one=False)} {where(said)}"
        case say.Held(marker):
            return f"die Anzahl {marker} {_at_player(said)}"
        case say.CapturedNumber():
            return f"die Anzahl der OBJECTIVE, die {_has_captured(said)},"
        case tree.Damage():
            return "der DAMAGE"
        case tree.Round():
            return "die Nummer der ROUND"
        case _:
            return formula(said, _leaf)


def counted(said: say.Counted) -> str:
    """Return "für jeden …", with its maximum."""
    each = _each(said.what)
    each = each if each.startswith("je ") else f"für {each}"
    if said.beyond:
        one = "ersten" if isinstance(said.what, say.GroupPhrase) else "erste"
        first = f"den {one}" if one == "ersten" else f"die {one}"
        first = first if said.beyond == 1 else f"die ersten {said.beyond}"
        each += f" über {first} hinaus"
    if said.maximum is None:
        return each
    comma = "," if each.endswith(",") else ""  # that of a relative clause comes after the parenthesis
    return f"{each.removesuffix(',')} (max. {said.maximum}×){comma}"


def _each(what: say.GroupPhrase | say.NumberPhrase) -> str:
    match what:
        case say.GroupPhrase():
            return group("each", what)
        case say.Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner, "gen"):
                return f"jeden {_own(owner)}er {quantity}"
            return f"jeden {_one_point(quantity)} {name(owner, 'gen')}"
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"je {quantity} auf {name(owner, 'dat')}"
        case say.Measure(quantity, owner):
            return f"jeden Punkt {of(owner, quantity, 'gen')}"
        case say.Cards(kind=kind):
            return f"jede {card(kind, one=True)} {where(what)}"
        case say.Held(marker):
            return f"je {marker} {_at_player(what)}"
        case say.CapturedNumber():
            return f"jedes OBJECTIVE, das {_has_captured(what)},"
        case tree.Damage():
            return "jeden Punkt DAMAGE"
        case tree.Round():
            return "jede bisher begonnene ROUND"
        case _:
            return f"jeden Punkt von ({formula(what, _leaf)})"


def _one_point(quantity: str) -> str:
    return "SQUADPOINT" if quantity == "SQUADPOINTS" else quantity
