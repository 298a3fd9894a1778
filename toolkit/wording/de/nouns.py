"""OPERATORs, groups and numbers in German."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.vocabulary import STATS
from toolkit.wording import plan_nodes as say
from toolkit.wording.de.cards import card, where
from toolkit.wording.language import Case, GroupWords, formula, is_short_sum, listed, numeral, plain_part
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
_ARTICLES = {"m": _THE, "f": ("die", "der", "der"), "n": ("das", "des", "dem"), "pl": _THE_MANY}
_OWN_ENDINGS = {"m": ("", "es", "em"), "f": ("e", "er", "er"), "n": ("", "es", "em"), "pl": ("e", "er", "en")}
_NumberCase = Literal["nom", "gen", "dat"]


def name(mention: say.Mention, case: Case = "nom") -> str:
    """Return the words for an OPERATOR in a case."""
    case_index = _CASES.index(case)
    if is_pronoun(mention, case):
        return (_THEY if mention.many else _HE)[case_index]
    if mention.form in ("its", "that"):
        return (_ITS_TARGET if mention.form == "its" else _NAMES["target"])[case_index]
    if mention.noun == "holder":
        location = "an diesem OBJECTIVE" if mention.form == "full" else "hier"
        return f"{_NAMES['operator'][case_index]} {location}"
    text = (_MANY if mention.many else _NAMES)[mention.noun][case_index]
    return f"{text} dieser Karte" if mention.noun == "bearer" and mention.form == "full" else text


def is_pronoun(mention: say.Mention, case: Case) -> bool:
    """Whether a pronoun is unambiguous: next to "sein Ziel", "er" and "ihn" are, "ihm" and "sein" are not."""
    return mention.form == "pronoun" and (not mention.beside_target or case in ("nom", "acc"))


def is_neuter(mention: say.Mention) -> bool:
    """Whether its pronoun is "es": das Ziel; all others are "er"."""
    return mention.form == "its" or mention.noun == "target"


def of(mention: say.Mention, quantity: str, case: _NumberCase = "nom") -> str:
    """Return what belongs to an OPERATOR: "seine AP", "der HITCOUNTER des Angreifers"."""
    gender, case_index = "pl" if mention.many else _gender(quantity), _CASES.index(case)
    if is_pronoun(mention, "gen"):
        return f"{_own(mention)}{_OWN_ENDINGS[gender][case_index]} {quantity}"
    return f"{_ARTICLES[gender][case_index]} {quantity} {name(mention, 'gen')}"


def of_him(noun: str, genitive: str) -> str:
    """Return what belongs to one whose name is given: "der Angriff deines Gegners"."""
    return f"{_nominative_article(noun)} {noun} {genitive}"


def _nominative_article(noun: str) -> str:
    article, *_ = _ARTICLES[_gender(noun)]
    return article


def owned(possessive: str, noun: str) -> str:
    """Return what belongs to somebody who was named: "seine AP", "sein Angriff", "ihre Angriffe"."""
    is_single = possessive != "ihre" and _gender(noun) == "m"
    return f"{possessive.removesuffix('e') if is_single else possessive} {noun}"


def _own(mention: say.Mention) -> str:
    return "ihr" if mention.many else "sein"


def _gender(quantity: str) -> str:
    if quantity in PLURAL:
        return "pl"
    return "n" if quantity in ("ITEM", "TEAM") else "f" if quantity in ("FIELDPOSITION", "ACTION") else "m"


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


def group(kind: GroupKind, operators: say.GroupPhrase, before_object: bool = False) -> str:
    """Return a group with its filters; a relative clause at its end ends with a comma.

    ``before_object`` says that an amount follows, so that the group must not end with a number ("von genau 1
    +1 AP").
    """
    return head(kind, operators) + filters(operators, kind not in ("each", "single"), before_object)


def head(
    kind: GroupKind, operators: say.GroupPhrase, names_side: bool = True, ending: str | None = None
) -> str:
    """Return a group up to "OPERATOR"."""
    end = ("e" if kind == "some" else "en") if ending is None else ending
    return _noun(_HEADS.get(kind, ""), "", operators, end, names_side)


def _noun(
    article: str, adjective: str, operators: say.GroupPhrase, ending: str, names_side: bool = True
) -> str:
    """Return `OPERATOR` with its article and adjectives in one ending, by default with its side."""
    words = [article, adjective + ending if adjective else "", f"ander{ending}" if operators.other else ""]
    if operators.side in _SIDES and (names_side or operators.side != "own"):
        words.append(_SIDES[operators.side] + ending)
    return " ".join(word for word in (*words, "OPERATOR") if word)


_NUMBERS = {2: "zwei", 3: "drei"}


def chosen(subject: say.GroupSubject, case: Case = "nom", before_object: bool = False) -> str:
    """Return who is chosen: "ein eigener OPERATOR deiner Wahl", "bis zu zwei feindliche OPERATOR"."""
    operators, in_plural, case_index = subject.group, subject.number > 1, _CASES.index(case)
    random_adjective = "zufällig" if subject.random else ""
    if in_plural:
        number = f"{'bis zu ' if subject.up_to else ''}{_NUMBERS[subject.number]}"
        if subject.fixed:
            article, ending = f"{_THE_MANY[case_index]} {number}", "en"
        else:  # "zweier" is possible, "bis zu zweier" is not
            article = f"{'von ' if case == 'gen' else ''}{number}"
            ending = "e" if case in ("nom", "acc") else "en"
    elif subject.fixed:
        article = (_THIS_ONE if operators.other else _THE)[case_index]
        ending = "e" if case == "nom" else "en"
    else:
        article, ending = _A[case_index], "er" if case == "nom" else "en"
    choice = " nach Wahl deines Gegners" if subject.by_opponent else " deiner Wahl"
    choice = "" if subject.random or operators.extreme else choice
    noun = _noun(article, random_adjective, operators, ending)
    return noun + choice + filters(operators, in_plural, before_object)


def some(subject: say.Mention | say.GroupPhrase, case: Case = "nom") -> str:
    """Return the OPERATOR of a trigger: "ein anderer eigener OPERATOR"."""
    if isinstance(subject, say.Mention):
        return name(subject, case)
    noun = _noun(_A[_CASES.index(case)], "", subject, "er" if case == "nom" else "en")
    return noun + filters(subject, in_plural=False)


def of_some(subject: say.Mention | say.GroupPhrase, quantity: str) -> str:
    """Return what belongs to the OPERATOR of a trigger: "der HITCOUNTER eines feindlichen OPERATOR"."""
    if isinstance(subject, say.Mention):
        return of(subject, quantity)
    return f"{_nominative_article(quantity)} {quantity} {some(subject, 'gen')}"


def filters(operators: say.GroupPhrase, in_plural: bool, before_object: bool = False) -> str:
    """Return what follows "OPERATOR", with a comma after a relative clause."""
    has_numbers = any(isinstance(having, say.HasQuantity) for having in operators.having)
    has_numbers = has_numbers or any(isinstance(somewhere, say.Position) for somewhere in operators.places)
    if before_object and has_numbers and not operators.needs_relative_clause:
        team_and_field = nearby(replace(operators, having=(), places=()))
        return team_and_field + _relative_clause(operators, in_plural) + excepted(operators)
    if operators.narrowed:  # the excluded OPERATOR is not one of those that are compared
        return nearby(operators) + excepted(operators) + relative(operators, in_plural)
    return nearby(operators) + relative(operators, in_plural) + excepted(operators)


def relative(operators: say.GroupPhrase, in_plural: bool) -> str:
    """Return the relative clause between commas, if one is needed.

    It includes everything, because a "die" after a possession could refer to it.
    """
    return _relative_clause(operators, in_plural) if operators.needs_relative_clause else ""


class _Verb(NamedTuple):
    """A verb as it ends a relative clause, with its participle."""

    singular: str
    plural: str

    def form(self, in_plural: bool) -> str:
        return self.plural if in_plural else self.singular


_HAVE = _Verb("hat", "haben")
_LACK = _Verb("nicht hat", "nicht haben")
_BEAR = _Verb("angelegt hat", "angelegt haben")
_BELONG = _Verb("gehört", "gehören")
_BE = _Verb("ist", "sind")
_STAND = _Verb("steht", "stehen")


def _relative_clause(operators: say.GroupPhrase, in_plural: bool) -> str:
    """Return such as ", der HIT ist und mindestens 3 AP hat,"; neighbours with one verb share it."""
    facts: list[tuple[str, _Verb | None]] = []  # None for a text that has its own verb
    for having in operators.having:
        if isinstance(having, say.HasBearing):
            if len(having.bearings) == 1:
                [bearing] = having.bearings
                facts.append(_bearing_and_verb(bearing, having.negated))
            elif having.bearings:
                facts.append((_bearing_alternatives(having.bearings, in_plural), None))
        else:
            facts.append((_having(having, "acc"), _HAVE))
    facts += [(place(somewhere), _STAND if is_standing(somewhere) else _BE) for somewhere in operators.places]
    if operators.status:
        statuses = listed([word.text for word in (operators.status.status, *operators.status.others)], "oder")
        statuses = f"entweder {statuses}" if operators.status.others and operators.places else statuses
        facts.append((f"{'nicht ' if operators.status.negated else ''}{statuses}", _BE))
    if operators.narrowed and operators.extreme:
        highest = superlative(operators.extreme, "acc")
        facts.append((f"von diesen {highest} {_HAVE.form(in_plural)}", None))
    clauses = list[str]()
    for verb, run in groupby(facts, key=itemgetter(1)):
        texts = [text for text, _ in run]
        clauses += texts if verb is None else [f"{listed(texts, 'und')} {verb.form(in_plural)}"]
    return f", {'die' if in_plural else 'der'} {listed(clauses, 'und')},"


def _bearing_and_verb(bearing: tuple[str, str | None], negated: bool = False) -> tuple[str, _Verb]:
    """Return what an OPERATOR has or lacks, and its verb, in a relative clause."""
    kind, bearing_name = bearing
    if kind == "TEAM":
        return f"{'nicht ' if negated else ''}zum TEAM {mark('TEAM', bearing_name)}", _BELONG
    if bearing_name is not None:
        return _bearings((bearing,), "acc"), _LACK if negated else _HAVE
    return f"{'k' if negated else ''}{attached(kind)}", _BEAR


def _bearing_alternatives(bearings: tuple[tuple[str, str | None], ...], in_plural: bool) -> str:
    """Return such as "das Merkmal „a“ oder „b“ haben", "entweder zum TEAM X gehören oder ein ITEM angelegt
    haben"."""
    alternatives = list[str]()
    bearings_and_verbs = [(bearing, *_bearing_and_verb(bearing)) for bearing in bearings]
    for verb, run in groupby(bearings_and_verbs, key=itemgetter(2)):
        bearings_of_verb = [*run]
        if verb == _HAVE:  # several traits share the noun "Merkmal"
            text = _bearings(tuple(bearing for bearing, _, _ in bearings_of_verb), "acc")
        else:
            text = listed([text for _, text, _ in bearings_of_verb], "oder")
        alternatives.append(f"{text} {verb.form(in_plural)}")
    return f"{'entweder ' if len(alternatives) > 1 else ''}{' oder '.join(alternatives)}"


def excepted(operators: say.GroupPhrase) -> str:
    """Return the excluded OPERATOR."""
    return f" außer {name(operators.excepted, 'dat')}" if operators.excepted else ""


def _having(having: say.Having, case: Literal["dat", "acc"]) -> str:
    """Return such as "mindestens 3 AP", "einem HITCOUNTER von mindestens 3", "angelegter Karte"."""
    if isinstance(having, say.HasBearing):
        return _bearings(having.bearings, case)
    quantity = having.quantity
    if isinstance(having, say.HasThan):
        return _comparison(having, case)
    amount = numeral(having.number)
    if quantity in PLURAL or is_marker(quantity):
        return f"{AMOUNTS[having.compare]} {amount} {quantity}"
    article = _article(quantity, case)
    if having.compare == "!=":
        return f"k{article} {quantity} von genau {amount}"
    return f"{article} {quantity} von {AMOUNTS[having.compare]} {amount}"


def _article(quantity: str, case: Literal["dat", "acc"]) -> str:
    """Return the article: "einem" HITCOUNTER, "eine" FIELDPOSITION."""
    dative, accusative = ("er", "e") if quantity == "FIELDPOSITION" else ("em", "en")
    return f"ein{dative if case == 'dat' else accusative}"


_ATTACHED = {"dat": ("angelegter", "angelegtem"), "acc": ("angelegte", "angelegtes")}
"""For a card and for an ITEM."""


def _bearings(bearings: tuple[tuple[str, str | None], ...], case: Literal["dat", "acc"]) -> str:
    """Return such as "dem Merkmal „sniper“ oder „scout“", "angelegter Karte"."""
    bearing_texts, trait_words = list[str](), f"{'dem' if case == 'dat' else 'das'} Merkmal "
    kind_before = ""
    for kind, bearing_name in bearings:
        if kind == "trait":
            words_before = "" if kind_before == "trait" else trait_words
            bearing_texts.append(f"{words_before}„{mark('trait', bearing_name)}“")
        elif bearing_name is not None:
            bearing_texts.append(mark("KEYWORD", bearing_name))
        else:
            attached_card, attached_item = _ATTACHED[case]
            participle = attached_item if kind == "ITEM" else attached_card
            bearing_texts.append(f"{participle} {_attached(kind)}")
        kind_before = kind
    return listed(bearing_texts, "oder")


def attached(card_kind: str) -> str:
    """Return such as "ein ITEM", "eine ATTACK-Karte"."""
    return f"{'ein' if card_kind == 'ITEM' else 'eine'} {_attached(card_kind)}"


def _attached(card_kind: str) -> str:
    return "Karte" if card_kind == "card" else card_kind.replace(" card", "-Karte")


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


def _comparison(having: say.HasThan, case: Literal["dat", "acc"]) -> str:
    """Return such as "weniger AP als dieser OPERATOR", "einem niedrigeren HITCOUNTER als sein Ziel"."""
    quantity = having.quantity
    other_measure = say.Measure(having.other, having.of)
    other_quantity = name(having.of) if quantity == having.other else _leaf(other_measure)
    if quantity in PLURAL or is_marker(quantity):
        comparison_words, particle = (AS_MUCH if is_marker(quantity) else AS_MANY)[having.compare]
        ending = "n" if case == "dat" and comparison_words.endswith("viele") else ""
        return f"{comparison_words}{ending} {quantity} {particle} {other_quantity}"
    comparison_words, particle = _HIGHER[having.compare]
    is_feminine = quantity == "FIELDPOSITION"
    ending = "e" if is_feminine and case == "acc" else "en"
    if having.compare in ("=", "!="):
        masculine, feminine = {"dat": ("dem", "der"), "acc": ("den", "die")}[case]
        article = feminine if is_feminine else masculine
        negation = "nicht " if having.compare == "!=" else ""
        return f"{negation}{article} {comparison_words}{ending} {quantity} {particle} {other_quantity}"
    return f"{_article(quantity, case)} {comparison_words}{ending} {quantity} {particle} {other_quantity}"


def superlative(extreme: tree.Superlative, case: Literal["dat", "acc"]) -> str:
    """Return such as "den höchsten AP", "am meisten Aufklärung"."""
    quantity = quantity_mark(extreme.quantity)
    if is_marker(quantity):
        return f"am {'meisten' if extreme.highest else 'wenigsten'} {quantity}"
    gender, adjective = _gender(quantity), "höchste" if extreme.highest else "niedrigste"
    dative = {"m": "dem", "f": "der", "pl": "den"}[gender]
    article = dative if case == "dat" else {"m": "den", "f": "die", "pl": "die"}[gender]
    return f"{article} {adjective}{'' if (gender, case) == ('f', 'acc') else 'n'} {quantity}"


_GROUP = GroupWords(
    team=" aus dem TEAM {}",
    team_of=lambda mention: f" aus {of(mention, 'TEAM', 'dat')}",
    in_savezone=" in der SAVEZONE",
    on_field=" auf dem FIELD",
    has="mit",
    lacks="ohne",
    conjunction="und",
    place=place,
    having=lambda having: _having(
        having, "acc" if isinstance(having, say.HasBearing) and having.negated else "dat"
    ),
    superlative=lambda extreme: superlative(extreme, "dat"),
)
nearby = _GROUP.nearby


def _at_player(markers: say.Held) -> str:
    return "bei dir" if markers.side == "own" else "bei ihm" if markers.of_actor else "bei deinem Gegner"


def _has_captured(captured: say.CapturedNumber) -> str:
    if captured.side == "own":
        return "du CAPTURED hast"
    return f"{'er' if captured.of_actor else 'dein Gegner'} CAPTURED hat"


def number(phrase: say.NumberPhrase, case: _NumberCase = "nom") -> str:
    """Return a number in a case: "seine AP", "(nicht über) seinen AP"."""

    def leaf(operand: say.NumberPhrase) -> str:
        return _leaf(operand, case)

    if isinstance(phrase, say.Formula) and is_short_sum(phrase):
        is_sum = phrase.operator == "+"
        if isinstance(phrase.right, say.Measure):
            right = of(phrase.right.of, phrase.right.quantity, "gen")
            return f"{leaf(phrase.left)} {'zuzüglich' if is_sum else 'abzüglich'} {right}"
        return f"{leaf(phrase.left)} {'plus' if is_sum else 'minus'} {leaf(phrase.right)}"
    divisor = plain_part(phrase)
    if divisor is not None and isinstance(phrase, say.Formula):
        if divisor in _PARTS:
            nominative, dative = _PARTS[divisor]
            return f"{dative if case == 'dat' else nominative} {_leaf(phrase.left, 'gen')}"
        return f"{leaf(phrase.left)} geteilt durch {divisor}"
    return formula(phrase, leaf)


_PARTS = {2: ("die Hälfte", "der Hälfte"), 3: ("ein Drittel", "einem Drittel")}
"""Nominative and dative."""


def is_plural(phrase: say.NumberPhrase) -> bool:
    """Whether a number has its verb in the plural."""
    head_number = phrase
    if isinstance(phrase, say.Formula) and (is_short_sum(phrase) or (plain_part(phrase) or 0) > max(_PARTS)):
        head_number = phrase.left
    return isinstance(head_number, say.Measure) and head_number.quantity in PLURAL


def _leaf(phrase: say.NumberPhrase, case: _NumberCase = "nom") -> str:
    """Return a number as a noun phrase in a case."""
    the_number = "die Anzahl" if case == "nom" else "der Anzahl"
    match phrase:
        case say.Integer(value):
            return numeral(value)
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"{the_number} {quantity} auf {name(owner, 'dat')}"
        case say.Measure(quantity, owner):
            return of(owner, quantity, case)
        case say.Count(operators):
            return f"{the_number} {group('of the', operators)}"
        case say.Cards(kind=kind):
            return f"{the_number} der {card(kind, is_single=False)} {where(phrase)}"
        case say.Held(marker):
            return f"{the_number} {marker} {_at_player(phrase)}"
        case say.CapturedNumber():
            return f"{the_number} der OBJECTIVE, die {_has_captured(phrase)},"
        case tree.Discarded():
            return f"{the_number} der so abgeworfenen Karten"
        case tree.Damage():
            return f"{_THE[_CASES.index(case)]} DAMAGE"
        case tree.Round():
            return f"{'die' if case == 'nom' else 'der'} Nummer der ROUND"
        case _:
            return formula(phrase, lambda operand: _leaf(operand, case))


def counted(counted_phrase: say.Counted) -> str:
    """Return "für jeden …" or, of a part, "je 2 …", with those that do not count and its maximum."""
    part = counted_phrase.part
    for_each = _each_part(counted_phrase.what, part) if part else _each(counted_phrase.what)
    for_each = for_each if for_each.startswith("je ") else f"für {for_each}"
    if counted_phrase.beyond:
        is_group = isinstance(counted_phrase.what, say.GroupPhrase)
        uncounted = "den ersten" if is_group else "die erste"  # the OPERATOR, or the card
        if counted_phrase.beyond != 1:
            uncounted = f"die ersten {counted_phrase.beyond}"
        for_each += f" über {uncounted} hinaus"
    if counted_phrase.maximum is None:
        return for_each
    comma = "," if for_each.endswith(",") else ""  # that of a relative clause comes after the parenthesis
    return f"{for_each.removesuffix(',')} (max. {counted_phrase.maximum}×){comma}"


_FRACTIONS = dict(
    enumerate(
        ("Hälfte", "Drittel", "Viertel", "Fünftel", "Sechstel", "Siebtel", "Achtel", "Neuntel"), start=2
    )
)
_ROUNDED = {"up": "aufgerundet", "nearest": "gerundet"}


def _each_part(what: say.GroupPhrase | say.NumberPhrase, part: say.Part) -> str:
    """Return such as "je 2 seiner AP", "jede Hälfte seiner AP (aufgerundet)"."""
    if part.rounding != "down":
        whole_text = _leaf(say.Count(what) if isinstance(what, say.GroupPhrase) else what, "gen")
        if isinstance(what, (say.Formula, say.Minus)):
            whole_text = f"({whole_text})"
        each = "jede" if part.divisor == 2 else "jedes"
        return f"{each} {_FRACTIONS[part.divisor]} {whole_text} ({_ROUNDED[part.rounding]})"
    match what:
        case say.GroupPhrase():
            counted_things = group("some", what)
        case say.Measure(quantity, owner) if quantity in PLURAL:
            counted_things = (
                of(owner, quantity, "gen") if is_pronoun(owner, "gen") else f"{quantity} {name(owner, 'gen')}"
            )
        case say.Measure(quantity, owner) if not is_marker(quantity):
            counted_things = f"Punkte {of(owner, quantity, 'gen')}"
        case say.Cards(kind=kind):
            counted_things = f"{card(kind, is_single=False)} {where(what)}"
        case say.CapturedNumber():
            counted_things = f"OBJECTIVE, die {_has_captured(what)},"
        case say.Measure() | say.Held():
            counted_things = _each(what).removeprefix("je ")
        case tree.Damage():
            counted_things = "DAMAGE"
        case tree.Round():
            counted_things = "bisher begonnene ROUND"
        case _:
            counted_things = f"Punkte von ({_in_dative(what)})"
    return f"je {part.divisor} {counted_things}"


def _each(phrase: say.GroupPhrase | say.NumberPhrase) -> str:
    """Return what an amount is multiplied by, as after "für": "jeden Punkt …"."""
    match phrase:
        case say.GroupPhrase():
            return group("each", phrase)
        case say.Measure(quantity, owner) if quantity in PLURAL:
            if is_pronoun(owner, "gen"):
                return f"jeden {_own(owner)}er {quantity}"
            return f"jeden {_one_point(quantity)} {name(owner, 'gen')}"
        case say.Measure(quantity, owner) if is_marker(quantity):
            return f"je {quantity} auf {name(owner, 'dat')}"
        case say.Measure(quantity, owner):
            return f"jeden Punkt {of(owner, quantity, 'gen')}"
        case say.Cards(kind=kind):
            return f"jede {card(kind, is_single=True)} {where(phrase)}"
        case say.Held(marker):
            return f"je {marker} {_at_player(phrase)}"
        case say.CapturedNumber():
            return f"jedes OBJECTIVE, das {_has_captured(phrase)},"
        case tree.Discarded():
            return "jede so abgeworfene Karte"
        case tree.Damage():
            return "jeden Punkt DAMAGE"
        case tree.Round():
            return "jede bisher begonnene ROUND"
        case _:
            return f"jeden Punkt von ({_in_dative(phrase)})"


def _in_dative(phrase: say.NumberPhrase) -> str:
    return formula(phrase, lambda operand: _leaf(operand, "dat"))


def _one_point(quantity: str) -> str:
    return "SQUADPOINT" if quantity == "SQUADPOINTS" else quantity
