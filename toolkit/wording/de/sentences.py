"""Sentences in German: triggers, acts with their durations, and explanations of keywords."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.wording import plan_nodes as say
from toolkit.wording.de.cards import (
    Predicate,
    card,
    discarded,
    discarded_in_play,
    look_predicates,
    put_back,
    put_predicates,
)
from toolkit.wording.de.conditions import all_of, condition
from toolkit.wording.de.nouns import (
    chosen,
    counted,
    group,
    is_neuter,
    name,
    number,
    of,
    of_him,
    of_some,
    owned,
    some,
)
from toolkit.wording.language import DICE_VERBS, SentenceWords, damage, filled, listed, signed, subject_stat
from toolkit.wording.text import mark

FORMS = {
    "betragen": ("betragen", "betragen", "betragen", ""),
    "können": ("können", "können", "können", ""),
    "erhält": ("erhält", "erhalten", "erhältst", "erhalte"),
    "verdoppelt": ("verdoppelt", "verdoppeln", "verdoppelst", ""),
    "würfelt": ("würfelt", "würfeln", "würfelst", "würfle"),
    "darf": ("darf", "dürfen", "darfst", ""),
    "wertet": ("wertet", "werten", "wertest", ""),
    "kann": ("kann", "können", "kannst", ""),
    "wirft": ("wirft", "werfen", "wirfst", "wirf"),
    "wird": ("wird", "werden", "wirst", ""),
    "erleidet": ("erleidet", "erleiden", "erleidest", ""),
    "behält": ("behält", "behalten", "behältst", "behalte"),
    "setzt": ("setzt", "setzen", "setzt", "setze"),
    "sieht": ("sieht", "sehen", "siehst", "sieh"),
    "nimmt": ("nimmt", "nehmen", "nimmst", "nimm"),
    "gibt": ("gibt", "geben", "gibst", "gib"),
    "gewinnt": ("gewinnt", "gewinnen", "gewinnst", ""),
}
"""The forms for er/sie/es, plural (also the infinitive), du, and the imperative: "Ziehe 2 Karten."."""
_STEMS = (
    "multiplizier",
    "halbier",
    "teil",
    "ignorier",
    "mach",
    "erfüll",
    "zieh",
    "verlier",
    "tausch",
    "rück",
    "führ",
)
FORMS |= {
    f"{stem}t": (f"{stem}t", f"{stem}en", f"{stem}st", f"{stem}e")
    for stem in (*_STEMS, "komm", "leg", "durchsuch", "misch")
}

_SINGULAR, _PLURAL, _YOU, _ORDER = range(4)
"""Indexes of the forms; the plural is also the infinitive."""
_IGNORED = {
    "STRATEGY": "STRATEGY-Karten",
    "SKILLs": "alle SKILL",
    "ATTACK cards": "ATTACK-Karten",
    "DEFENCE cards": "DEFENCE-Karten",
}


_VERBS: dict[type[tree.Node], Predicate] = {
    tree.Multiplies: Predicate("multipliziert", "{own} {stat} mit {factor}"),
    tree.Divides: Predicate("teilt", "{own} {stat} durch {divisor}"),
    tree.Fixes: Predicate("betragen", "{value}"),
    tree.RollsExtra: Predicate("würfelt", "{count} zusätzliche{n} {die} D6"),
    tree.MayReroll: Predicate("darf", "{count} {whose}{die} D6", "neu würfeln"),
    tree.SetsDice: Predicate("setzt", "{count} {whose}{die} D6 auf {result}"),
    tree.MakesDiceCritical: Predicate("wertet", "{own} ATTACK D6 bei {threshold}+ als CRITICAL"),
    tree.MakesAttackCritical: Predicate("macht", "den Angriff CRITICAL"),
    tree.CannotBeAttacked: Predicate("kann", "nicht", "angegriffen werden"),
    tree.CannotHaveDefence: Predicate("kann", "keine DEFENCE-Karten", "haben"),
    tree.CannotPlay: Predicate("kann", "keine {kind}-Karten", "spielen"),
    tree.CannotDraw: Predicate("kann", "keine Karten", "ziehen"),
    tree.GainsRuleviolation: Predicate("erhält", "RULEVIOLATION {threshold}+", shared=True),
    tree.GainsBonus: Predicate("erhält", "BONUS ({action})", shared=True),
    tree.FulfilsPerformance: Predicate("erfüllt", "PERFORMANCE"),
    tree.Draws: Predicate("zieht", "{count} {cards}"),
    tree.Becomes: Predicate("wird", "{status}"),
    tree.BecomesTarget: Predicate("wird", "zum Ziel des Angriffs", adverb="stattdessen"),
    tree.Advances: Predicate("rückt", "", "vor"),
    tree.Retreats: Predicate("zieht", "in die SAVEZONE", "zurück", "sich"),
    tree.EntersField: Predicate("kommt", "auf das FIELD"),
    tree.DiscardsThisCard: Predicate("wirft", "diese Karte", "ab"),
    tree.FetchesItems: Predicate("zieht", "{count} ITEM"),
    tree.Shuffles: Predicate("mischt", "{own} DECK"),
    tree.LosesSkills: Predicate("verliert", "alle SKILL", shared=True),
    tree.Performs: Predicate("führt", "sofort die {action} ACTION", "durch"),
    tree.WinsGame: Predicate("gewinnt", "das GAME"),
    tree.LosesGame: Predicate("verliert", "das GAME"),
}
"""A row for each verb, with fields of its node. ``own`` is "seine", "ihre" or "deine", ``n`` ends adjectives
if ``count`` is 1, ``cards`` agrees with ``count``, ``whose`` is "feindlich… " or empty."""


_DAMAGE: dict[object, str] = {
    ("multiply", 2): "doppelten DAMAGE",
    ("divide", 2): "den halben DAMAGE",
    ("fix", 0): "keinen DAMAGE",
    "multiply": "{}-fachen DAMAGE",
    "divide": "den DAMAGE geteilt durch {}",
    "fix": "genau {} DAMAGE",
    "more": "{} DAMAGE mehr",
    "less": "{} DAMAGE weniger",
}


def _predicates(doing: say.DoingPhrase, person: _Person) -> list[Predicate]:
    """Return the predicates of a doing; several if cards are looked at first."""
    possessive_stem = person.possessive.removesuffix("e")
    reflexive = "dir" if person.pronoun == "du" else "sich"
    match doing:
        case say.Looks(source):
            return [*look_predicates(source, possessive_stem, reflexive)]
        case say.Puts():
            return [*put_predicates(doing, possessive_stem, reflexive)]
        case _:
            return [predicate(doing, person.possessive)]


def _partner(partner: say.Mention | say.GroupSubject) -> str:
    return name(partner, "dat") if isinstance(partner, say.Mention) else chosen(partner, "dat")


def predicate(doing: say.OneVerb, possessive: str) -> Predicate:
    """Return the predicate of a doing; ``possessive`` is "seine", "ihre" or "deine"."""
    match doing:
        case say.TakesDamage():
            return Predicate("erleidet", damage(doing, _DAMAGE, counted), shared=doing.counted is None)
        case say.Limited("DAMAGE", bounds):
            limits = listed([_limit_of_damage(*bound) for bound in bounds], "und")
            return Predicate("erleidet", limits, shared=True)
        case say.Limited(_, bounds):
            places = [
                f"{'unter' if is_lower else 'über'} {number(bound, 'dat')}" for bound, is_lower in bounds
            ]
            return Predicate("können", f"nicht {listed(places, 'oder')}", "liegen")
        case tree.MayReroll(shown=tree.Shown(compare, shown)):
            inner_predicate = predicate(replace(doing, shown=None), possessive)
            pronoun, verb = ("der", "zeigt") if doing.count == 1 else ("die", "zeigen")
            clause = f", {pronoun} {_SHOWN[compare].format(shown)} {verb},"
            return replace(inner_predicate, rest=inner_predicate.rest + clause)
        case tree.KeepsDice(count, highest, die):
            adjective = "höchsten" if highest else "niedrigsten"
            dice = f"den {adjective} {die} D6" if count == 1 else f"die {count} {adjective} {die} D6"
            return Predicate("behält", dice)
        case say.Swaps(partner):
            return Predicate("tauscht", f"den Platz mit {_partner(partner)}")
        case say.RollsDie(threshold):
            return Predicate("würfelt", "einen D6" if threshold is None else f"mit einem D6 auf {threshold}+")
        case tree.Loses(card_kind):
            in_plural = possessive == "ihre"
            if card_kind == "ITEM":  # neuter: "sein ITEM", but "ihre ITEM" of several
                item_possessive = possessive if in_plural else possessive.removesuffix("e")
                return Predicate("verliert", f"{item_possessive} ITEM", shared=True)
            kind = None if card_kind == "card" else card_kind.removesuffix(" card")
            attached_word = "" if kind else "angelegten " if in_plural else "angelegte "
            lost_card = f"{possessive} {attached_word}{card(kind, not in_plural)}"
            return Predicate("verliert", lost_card, shared=True)
        case say.TakesItem(giver):
            if isinstance(giver, say.Mention):
                return Predicate("nimmt", of(giver, "ITEM"))
            return Predicate("nimmt", f"das ITEM {chosen(giver, 'gen')}")
        case tree.Discards():
            return Predicate("wirft", discarded(doing, possessive.removesuffix("e")), "ab")
        case tree.PutsThisCard(to):
            return put_back(to)
        case tree.Shuffles():
            return Predicate("mischt", f"{possessive.removesuffix('e')} DECK")
        case say.MovesCards(tree.Draws() as draws, multiplier):
            inner_predicate = predicate(draws, possessive)
            return replace(inner_predicate, rest=f"{inner_predicate.rest} {counted(multiplier)}")
        case say.MovesCards(discards, multiplier):
            inner_predicate = predicate(discards, possessive)
            return replace(inner_predicate, rest=f"{counted(multiplier)} {inner_predicate.rest}")
        case say.DiscardsInPlay():
            return Predicate("wirft", discarded_in_play(doing, possessive.removesuffix("e")), "ab")
        case tree.GainsKeyword(keyword):
            return Predicate("erhält", mark("KEYWORD", keyword), shared=True)
        case tree.GainsTrait(trait):
            return Predicate("erhält", f"das Merkmal „{mark('trait', trait)}“", shared=True)
        case say.Change(amount, quantity, multiplier):
            text = f"{signed(amount)} {quantity}"
            return Predicate(
                "erhält", f"{text} {counted(multiplier)}" if multiplier else text, shared=multiplier is None
            )
        case tree.Multiplies(stat, 2):
            return Predicate("verdoppelt", f"{possessive} {stat.text}")
        case tree.Divides(stat, 2):
            return Predicate("halbiert", f"{possessive} {stat.text}")
        case say.EachAttack(dice, attacking):
            inner_predicate = predicate(dice, possessive)
            attacks = f"jedem {possessive}r Angriffe" if attacking else "jedem Angriff auf sich"
            return replace(inner_predicate, rest=f"bei {attacks} {inner_predicate.rest}")
        case say.IgnoresActions((action,)):
            return Predicate("wird", f"durch die {action} ACTION nicht", "verändert")
        case say.IgnoresActions(actions):
            by_actions = " noch ".join(f"durch die {action} ACTION" for action in actions)
            return Predicate("wird", f"weder {by_actions}", "verändert")
        case say.IgnoresAll(steps):
            return Predicate("ignoriert", listed([_IGNORED.get(step, step) for step in steps], "und"))
        case say.MakesItsAttacksCritical():
            return Predicate("macht", f"{possessive} Angriffe CRITICAL")
        case say.CannotPerformAny(("BONUS",)):
            return Predicate("kann", "keine BONUS ACTION", "durchführen")
        case say.CannotPerformAny((action,)):
            return Predicate("kann", f"die {action} ACTION nicht", "durchführen")
        case say.CannotPerformAny(actions):
            forbidden_actions = " noch ".join(
                f"{'eine' if action == 'BONUS' else 'die'} {action} ACTION" for action in actions
            )
            return Predicate("kann", f"weder {forbidden_actions}", "durchführen")
        case tree.CannotHave(cards):
            kept_cards = "angelegten Karten" if cards == "cards" else cards.replace(" cards", "-Karten")
            return Predicate("kann", f"keine {kept_cards.replace('ITEMs', 'ITEM')}", "haben")
        case say.ThingCannot("attack"):
            return Predicate("kann", "nicht CRITICAL", "sein")
        case say.ThingCannot():
            return Predicate("kann", "nicht", "sinken")
        case tree.Node():
            node: tree.Node = doing  # mypy compares each of its 30 types otherwise
            row, is_single = _VERBS[type(node)], getattr(node, "count", 1) == 1
            n, cards = ("n", "Karte") if is_single else ("", "Karten")
            enemy_word = f"feindliche{n} " if getattr(node, "enemy", False) else ""
            complement = filled(row.rest, node, own=possessive, n=n, whose=enemy_word, cards=cards)
            return replace(row, rest=complement)


_SHOWN = {
    "=": "genau {}",
    "!=": "keine {}",
    "<": "weniger als {}",
    "<=": "höchstens {}",
    ">": "mehr als {}",
    ">=": "mindestens {}",
}
"""What a die shows that may be rerolled (E-25)."""


def _limit_of_damage(bound: say.NumberPhrase, is_lower: bool) -> str:
    """Return a least or greatest DAMAGE: a number, or as much as something counts."""
    amount_words = "mindestens" if is_lower else "höchstens"
    if isinstance(bound, say.Integer):
        return f"{amount_words} {number(bound)} DAMAGE"
    return f"{amount_words} so viel DAMAGE wie {number(bound)}"


class _Person(Struct, frozen=True):
    """The subject of an act: its name, the index of its verbs in ``FORMS``, its possessive and its pronoun.

    ``fixed`` returns something of it as the subject ("die AP des Angreifers betragen 6"), ``resumed`` is the
    subject of what follows that.
    """

    name: str
    form: int
    possessive: str
    pronoun: str
    fixed: Callable[[str], str]
    resumed: str


def act(act_phrase: say.ActPhrase, verb_first: bool) -> str:
    """Return an act; ``verb_first`` if something else is in the first position: "erhält er +2 AP".

    A duration comes after the first verb that it applies to, and "so lange" after the others.
    """
    person = _person(act_phrase.subject, verb_first)
    if act_phrase.unsaid:
        person = replace(person, name="")
    if act_phrase.for_another and person.pronoun == "er":
        person = replace(person, pronoun=person.resumed)
    if act_phrase.may == "acts":
        return _choice(act_phrase, person, verb_first)
    phrases: list[str] = []
    closing_text, subject = "", person.name
    leaves_out_gets = act_phrase.unsaid
    for stretch in act_phrase.stretches:
        limit = _duration(stretch.duration, person)
        if len(act_phrase.stretches) == 1 and limit.at_end and not say.counts_group(stretch):
            limit, closing_text = _Limit("", "", ""), limit.at_end
        for run_number, run in enumerate(_runs(stretch.doings, person)):
            leaves_out_gets = leaves_out_gets and run.predicate.verb == "erhält"
            if run.thing:
                own_thing = owned(person.possessive, run.thing)
                subject = own_thing if phrases else person.fixed(run.thing)
            form = _ORDER if act_phrase.order else person.form
            phrase = _phrase(
                run,
                "" if leaves_out_gets else FORMS[run.predicate.verb][form],
                "" if act_phrase.order else subject,
                limit.after_later if run_number else limit.after_first,
                verb_first and not phrases,
            )
            if leaves_out_gets and phrases:
                phrases[-1] += f", dazu {phrase}"
            else:
                phrases.append(phrase)
            subject = person.resumed if run.thing else ""
        leaves_out_gets = False
    text = listed(phrases, "und") + closing_text
    return f"{text}, wenn du möchtest," if act_phrase.may else text


def _phrase(run: _Run, verb: str, subject: str, limit: str, verb_first: bool) -> str:
    """Return a verb with its subject, its duration and its objects; verb and subject may be empty."""
    words = [verb]
    if subject:
        words.insert(1 if verb_first else 0, subject)
    beside_verb = run.predicate.pronoun or run.predicate.adverb
    if beside_verb:
        # "zieht sich der Träger zurück", but "zieht er sich zurück", "der Träger zieht sich zurück"
        is_before_subject = subject not in _PRONOUNS and words[0] != subject
        words.insert(1 if is_before_subject else 2, beside_verb)
    words[-1] += limit
    words += [listed(run.complements, "und"), run.predicate.closing]
    return " ".join(word for word in words if word).lstrip(", ")


_MODAL = ("darf", "kann")
_PRONOUNS = ("er", "es", "sie", "du")


def _choice(act_phrase: say.ActPhrase, person: _Person, verb_first: bool) -> str:
    """Return an optional act, in infinitives: "darf dieser OPERATOR EXHAUSTED werden".

    The pronoun of the first verb comes before a subject that is none: "darf sich dein Gegner …".
    """
    modal_verb, early_pronoun = FORMS["darf"][person.form], ""
    if verb_first and person.name not in _PRONOUNS:
        first_run, *_ = _runs(act_phrase.stretches[0].doings, person)
        early_pronoun = first_run.predicate.pronoun
    opening_words = (modal_verb, early_pronoun, person.name) if verb_first else (person.name, modal_verb)
    opening = " ".join(word for word in opening_words if word)
    phrases = list[str]()
    for stretch in act_phrase.stretches:
        duration = _duration(stretch.duration, person)
        limit = duration.after_first  # of the first verb; each later one has only "so lange"
        infinitives = list[str]()
        for predicate_of_run, complements, thing in _runs(stretch.doings, person):
            pronoun, early_pronoun = "" if early_pronoun else predicate_of_run.pronoun, ""
            adverb, complement = predicate_of_run.adverb, listed(complements, "und")
            words = (limit.strip(), pronoun, adverb, thing, complement, _infinitive(predicate_of_run))
            infinitives.append(" ".join(word for word in words if word))
            limit = duration.after_later
        phrases.append(listed(infinitives, "und"))
    text = f"{opening} {listed(phrases, 'und')}"
    return text.replace(" ,", ",")  # "du darfst, solange du auf dem FIELD bleibst, …"


def _infinitive(predicate: Predicate) -> str:
    """Return a verb in the infinitive behind what ends its clause: "zurückziehen", "neu würfeln dürfen"."""
    space = " " if predicate.verb in _MODAL else ""  # what ends the clause of others is a prefix of the verb
    return f"{predicate.closing}{space}{FORMS[predicate.verb][_PLURAL]}"


def _person(subject: say.Subject, verb_first: bool) -> _Person:
    """Return the words for the subject of an act."""
    match subject:
        case tree.Player("owner"):
            return _Person("du", _YOU, "deine", "du", lambda stat: f"deine {stat}", "du")
        case tree.Player("each player"):
            return _he("jeder Spieler", "jedes Spielers")
        case tree.Player("players"):
            return _they("Spieler", "der Spieler")
        case tree.Player():
            return _he("dein Gegner", "deines Gegners")
        case say.GroupSubject("all" | "bare" as count, operators):
            nominative = group("all" if count == "all" else "some", operators, verb_first)
            return _they(nominative, group("of all", operators, before_object=True))
        case say.GroupSubject():
            nominative = chosen(subject, "nom", verb_first)
            genitive = chosen(subject, "gen", before_object=True)
            return _they(nominative, genitive) if subject.number > 1 else _he(nominative, genitive)
        case say.Mention():
            resumed = name(replace(subject, form="short") if subject.form == "full" else subject)
            if subject.many:
                return _Person(name(subject), _PLURAL, "ihre", "sie", partial(of, subject), resumed)
            pronoun = "es" if is_neuter(subject) else "er"
            return _Person(name(subject), _SINGULAR, "seine", pronoun, partial(of, subject), resumed)


def _he(nominative: str, genitive: str) -> _Person:
    return _Person(nominative, _SINGULAR, "seine", "er", lambda thing: of_him(thing, genitive), "er")


def _they(nominative: str, genitive: str) -> _Person:
    return _Person(nominative, _PLURAL, "ihre", "sie", lambda stat: f"die {stat} {genitive}", "sie")


class _Run(NamedTuple):
    """A verb with all its objects: "erhält +2 AP und BONUS (ATTACK)" are two doings.

    ``thing`` is what of the OPERATOR is its subject: a number that is fixed, an attack that cannot be
    CRITICAL.
    """

    predicate: Predicate
    complements: list[str]
    thing: str = ""


def _runs(doings: tuple[say.DoingPhrase, ...], person: _Person) -> list[_Run]:
    """Return each verb with what follows it; adjacent doings share a verb, but not across a "für jeden"."""
    runs: list[_Run] = []
    for doing in doings:
        first_predicate, *further_predicates = _predicates(doing, person)
        if person.possessive == "ihre" and isinstance(doing, DICE_VERBS):
            first_predicate = replace(first_predicate, rest=f"jeweils {first_predicate.rest}")
        thing = _own_subject(doing, person)
        if thing:
            runs.append(_Run(first_predicate, [first_predicate.rest], thing))
        elif runs and _share_verb(runs[-1].predicate, first_predicate):
            runs[-1].complements.append(first_predicate.rest)
        else:
            runs.append(_Run(first_predicate, [first_predicate.rest]))
        runs += [_Run(further, [further.rest]) for further in further_predicates]
    return runs


def _own_subject(doing: say.DoingPhrase, person: _Person) -> str:
    """Return what of the OPERATOR a doing has as its subject, in the plural of several; else nothing."""
    if isinstance(doing, say.ThingCannot):
        attacks = "Angriffe" if person.form == _PLURAL else "Angriff"
        return attacks if doing.thing == "attack" else doing.thing
    return subject_stat(doing)


def _share_verb(predicate_before: Predicate, predicate: Predicate) -> bool:
    is_shared = predicate_before.shared and predicate.shared
    return is_shared and predicate_before.verb == predicate.verb


class _Limit(NamedTuple):
    """A duration as written after the first verb and subject, after each later verb, or at the very end."""

    after_first: str
    after_later: str
    at_end: str


def _duration(duration: tree.DurationName | None, person: _Person) -> _Limit:
    """Return a duration: " bis zum Ende des TURN", then " so lange"; only "solange …" can come at the end."""
    if duration is None:
        return _Limit("", "", "")
    if duration == "FIELD":
        stays = {_SINGULAR: "bleibt", _PLURAL: "bleiben", _YOU: "bleibst"}[person.form]
        condition_of_stay = f", solange {person.pronoun} auf dem FIELD {stays},"
        return _Limit(condition_of_stay, " so lange", condition_of_stay)
    if duration == "permanently":
        return _Limit(" dauerhaft", " dauerhaft", "")
    if duration == "own TURN":
        return _Limit(" bis zum Beginn deines nächsten TURN", " so lange", "")
    return _Limit(f" bis zum Ende {'der' if duration == 'ROUND' else 'des'} {duration}", " so lange", "")


WORDS = SentenceWords(
    triggers={
        "own-attacks": "ein eigener OPERATOR angreift",
        "own-is-attacked": "ein eigener OPERATOR angegriffen wird",
        "enemy-attacks": "ein feindlicher OPERATOR angreift",
        "enemy-is-attacked": "ein feindlicher OPERATOR angegriffen wird",
        "played": "du diese Karte spielst",
        "attached": "diese Karte angelegt wird",
        "own-becomes-hit": "ein eigener OPERATOR HIT wird",
        "enemy-becomes-hit": "ein feindlicher OPERATOR HIT wird",
        "turn-begins": "ein TURN beginnt",
        "turn-ends": "ein TURN endet",
        "own-turn-begins": "dein TURN beginnt",
        "own-turn-ends": "dein TURN endet",
        "enemy-turn-begins": "der TURN deines Gegners beginnt",
        "enemy-turn-ends": "der TURN deines Gegners endet",
        "round-begins": "eine ROUND beginnt",
        "round-ends": "eine ROUND endet",
        "attacks": "{who} angreift",
        "is-attacked": "{who} angegriffen wird",
        "becomes-hit": "{who} HIT wird",
        "becomes-out": "{who} OUT wird",
        "would-become-hit": "{who} HIT werden würde",
        "enters": "{who} auf das FIELD kommt",
        "attacking": "{who} angreift",
        "attacked": "{who} angegriffen wird",
        "self-becomes-hit": "{who} HIT wird",
        "reaches": "{who} das OBJECTIVE REACHED hat",
        "reaches here": "ein eigener OPERATOR dieses OBJECTIVE REACHED hat",
        "captures": "{who} das OBJECTIVE CAPTURED hat",
        "captures here": "ein eigener OPERATOR dieses OBJECTIVE CAPTURED hat",
        "action-ends": "{of} endet",
        "performs": "{who} die {what} ACTION durchführt",
        "performs ACTION": "{who} eine ACTION durchführt",
        "gets": "{of} steigt",
        "gets MARKER": "{who} {what} erhält",
        "loses": "{of} sinkt",
        "loses MARKER": "{who} {what} verliert",
        "begins": "{attack} beginnt",
        "hits": "{attack} trifft",
        "misses": "{attack} fehlschlägt",
        "critical": "{attack} CRITICAL ist",
    },
    attacks={
        "any": "der Angriff",
        "own": "ein Angriff eines eigenen OPERATOR",
        "attacker": "ein Angriff {gen}",
        "attacked": "ein Angriff auf {acc}",
    },
    openings={
        "when": "wenn {}, ",
        "while": "solange {}, ",
        "if": "falls {}, ",
        "before": "bevor {} HIT wird, ",
        # the words of the rules are participles: "das OBJECTIVE REACHED hat"
        "reaches": "sobald {}, ",
        "captures": "sobald {}, ",
    },
    turns={"own": "während deines TURN ", "enemy": "während des TURN deines Gegners "},
    limited="Einmal pro {limit}: {Rest}",
    limited_unsaid="Einmal pro {limit}, {rest}",
    own_attack="sein Angriff",
    joints={"then": ", dann ", "afterwards": ". Dann "},
    branches={
        "owner": ("wenn du dies tust,", "wenn du dies nicht tust,"),
        "reader": ("wenn dies geschieht,", "wenn dies nicht geschieht,"),
        "opponent": ("wenn er dies tut,", "wenn er dies nicht tut,"),
        "each player": ("wenn beide dies tun,", "wenn nicht beide dies tun,"),
        "it": ("wenn er dies tut,", "wenn er dies nicht tut,"),
        "they": ("wenn sie dies tun,", "wenn sie dies nicht tun,"),
        "roll": ("wenn der Wurf gelingt,", "wenn der Wurf nicht gelingt,"),
        "outcome": ("wenn dies geschieht,", "wenn dies nicht geschieht,"),
    },
    cannot={
        "owner": "wenn du das nicht kannst,",
        "opponent": "wenn er das nicht kann,",
        "each player": "wenn das nicht beide können,",
    },
    rolls={
        "done": "bei {}+",
        "less": "bei weniger als {}",
        "owner": "wenn du keine {}+ würfelst,",
        "else": "wenn er keine {}+ würfelt,",
    },
    otherwise="andernfalls",
    choose="wähle: {Rest}",
    either="entweder",
    words=("und", "oder"),
    reminders={
        "SUPPRESSED": "Ein OPERATOR ist SUPPRESSED, wenn {when}.",
        "RULEVIOLATION": "RULEVIOLATION {x}+: Am Ende seiner ACTION einen D6 würfeln; bei weniger als {x} "
        "ist er OUT.",
        "BONUS": "BONUS ({action}): eine zusätzliche {kind} in diesem TURN, auch wenn EXHAUSTED; höchstens "
        "ein BONUS je OPERATOR.",
        "PERFORMANCE": "PERFORMANCE: Ziehe eine Karte, oder ziehe ein ITEM aus deinem ITEMDECK und lege es "
        "an einen eigenen OPERATOR deiner Wahl ohne Karte an oder an einen, der EXHAUSTED ist, statt seiner "
        "ATTACK- oder DEFENCE-Karte.",
        "CRITICAL": "CRITICAL: Statt den ATTACK D6 zu addieren, darf der angreifende Spieler {doubled}.",
        "DAMAGE": "DAMAGE: was der Angriff zum HITCOUNTER addiert.",
        "advances": "Vorrücken: seine MP zu seinem OBJECTIVECOUNTER addieren.",
        "would become HIT": "Er wird danach nur HIT, wenn sein HITCOUNTER seine DP noch erreicht.",
        "highest": "Bei Gleichstand wählst du.",
        "highest by opponent": "Bei Gleichstand wählt dein Gegner.",
        "condition": "{when}",
    },
    bonus_kinds={None: "ACTION dieser Art", "ANY": "ACTION deiner Wahl"},
    doubled_ap=(
        "den AP VALUE des Angreifers verdoppeln",
        "die AP verdoppeln, die der Angreifer bis dahin hat",
    ),
    any_suppression="die SUPPRESSION der Spielregeln für ihn gilt",
    act=act,
    condition=condition,
    all_of=all_of,
    some=some,
    of_some=of_some,
)
