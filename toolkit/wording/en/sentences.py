"""Sentences in English: triggers, acts with their durations, and explanations of keywords."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.vocabulary import MANY
from toolkit.wording import plan_nodes as say
from toolkit.wording.en.cards import discarded, discarded_in_play, look_phrases, put_back, put_phrases
from toolkit.wording.en.conditions import all_of, condition
from toolkit.wording.en.nouns import chosen, counted, group, name, number, of, of_some, some
from toolkit.wording.language import DICE_VERBS, SentenceWords, damage, filled, listed, signed, subject_stat
from toolkit.wording.text import mark

_MANY = MANY | {"treats": "treat", "takes": "take", "searches": "search", "shuffles": "shuffle", "is": "are"}
"""The plural of each verb, which is also its infinitive."""

_INFINITIVES = {"is": "be", "may": "be allowed to", "cannot": "be unable to", "cannot be": "not be"}


class _Person(Struct, frozen=True):
    """The subject of an act. ``many`` says that its verbs are in the plural, ``several`` that each one acts.

    ``fixed`` returns a number of it as the subject ("the attacker’s AP become 6"), ``resumed`` is the subject
    of what follows that.
    """

    name: str
    possessive: str
    pronoun: str
    fixed: Callable[[str], str]
    resumed: str
    many: bool = False
    several: bool = False


class _VerbPhrase(NamedTuple):
    """A verb with all its objects; ``is_shared`` says that the next doing may add one to them.

    ``is_further`` is one more thing that is got where no verb says so: "+1 AP, plus +1 EP for each …".
    """

    subject: str
    verb: str
    complements: list[str]
    is_shared: bool
    is_further: bool = False


class _Act:
    """Writes the verb phrases of one act in order, the first one with the subject.

    ``limit`` is a duration of all of them, written after the subject; ``may`` is a template around the first
    subject for an optional act. If the subject is ``unsaid``, so are "gets" and "gains" behind it.
    """

    def __init__(self, person: _Person, limit: str = "", may: str = "", unsaid: bool = False) -> None:
        self.person = person
        self._is_choice, self._may = bool(may), may
        self._resumed = person.resumed
        if may == _MAY["has"]:  # "you may have its AP become 6 and have it get"
            self._resumed = f"have {'them' if person.resumed == 'they' else person.resumed}"
        self._subject = person.name + limit
        self._leaves_out_gets = unsaid and not may
        self._fixed: Callable[[str], str] = lambda stat: person.fixed(stat) + limit

    def _infinitive(self, verb: str) -> str:
        return _INFINITIVES.get(verb, _MANY.get(verb, verb)) if self._is_choice else verb

    def _next_subject(self, thing: str) -> str:
        """Return the subject of the next verb: the act's before the first one, then none.

        With a ``thing`` it is that of the OPERATOR, which is then named again before the verb after it.
        """
        subject, self._subject = self._subject, ""
        if thing:
            subject, self._subject = self._fixed(thing), self._resumed
        if self._may:
            subject, self._may = self._may.format(subject).lstrip(), ""
        self._fixed = lambda stat: f"{self.person.possessive} {stat}"
        return subject

    def verbs(self, doings: tuple[say.DoingPhrase, ...]) -> list[str]:
        """Return the phrases for doings; adjacent ones share a verb, but not across a "for each".

        A number that is fixed or limited, and what something is forbidden to, is a subject of its own.
        """
        person = self.person
        phrases: list[_VerbPhrase] = []
        for doing in doings:
            (verb, complement), *further_verbs = _doings(doing, person)
            subject = self._next_subject(_own_subject(doing, person))
            if person.several and isinstance(doing, DICE_VERBS):
                complement = f"each {complement}"
            is_shared = verb in _SHARED and not getattr(doing, "counted", None)
            self._leaves_out_gets = self._leaves_out_gets and verb in ("gets", "gains")
            verb = "" if self._leaves_out_gets else verb
            if phrases and is_shared and phrases[-1].is_shared and phrases[-1].verb == verb:
                phrases[-1].complements.append(complement)
            else:
                is_further = self._leaves_out_gets and bool(phrases)
                phrases.append(_VerbPhrase(subject, verb, [complement], is_shared, is_further))
            for further_verb, further_complement in further_verbs:
                phrases.append(_VerbPhrase("", further_verb, [further_complement], is_shared=False))
        self._leaves_out_gets = False
        texts = list[str]()
        for phrase in phrases:
            words = _agree(self._infinitive(phrase.verb), person.many, listed(phrase.complements, "and"))
            if phrase.is_further:
                texts[-1] += f", plus {words}"
            else:
                texts.append(f"{phrase.subject} {words}" if phrase.subject else words)
        return texts


def _own_subject(doing: say.DoingPhrase, person: _Person) -> str:
    """Return what of the OPERATOR a doing has as its subject, in the plural of several; else nothing."""
    if isinstance(doing, say.ThingCannot):
        return f"{doing.thing}{'s' if person.several else ''}"
    return subject_stat(doing)


_MAY = {"": "", "acts": "{} may", "has": "you may have {}"}


def act(act_phrase: say.ActPhrase, _is_preceded: bool = False) -> str:
    """Return an act with its durations; its order of words is the same if something precedes it.

    A duration comes before its verb if it must not apply to what precedes it, or if its "it" would be
    ambiguous at the end.
    """
    person = _acting_person(act_phrase)
    *stretches, last_stretch = act_phrase.stretches
    limit = ""
    if not stretches and last_stretch.duration == "FIELD" and say.counts_group(last_stretch):
        # behind "for each …" the "it" of "as long as it stays" could be one of those counted
        limit = f", {_duration('FIELD', person)},"
        last_stretch = replace(last_stretch, duration=None)
    act_writer = _Act(person, limit, _MAY[act_phrase.may], act_phrase.unsaid)
    phrases = list[str]()
    for stretch in stretches:
        phrases += _stretch(stretch, act_writer, ends_act=False)
    if not phrases or last_stretch.duration is None:
        return listed([*phrases, *_stretch(last_stretch, act_writer, ends_act=True)], "and")
    limit = _duration(last_stretch.duration, person)
    limit = f", {limit}," if last_stretch.duration == "FIELD" else f" {limit}"
    last_verbs = listed(act_writer.verbs(last_stretch.doings), "and")
    return f"{listed(phrases, 'and')} and{limit} {last_verbs}"


def _acting_person(act_phrase: say.ActPhrase) -> _Person:
    """Return the words for the subject of an act: no name if unsaid, no pronoun if that is ambiguous."""
    becomes_target = any(isinstance(doing, tree.BecomesTarget) for doing in act_phrase.doings)
    person = _person(act_phrase.subject, in_place_of_another=becomes_target)
    if act_phrase.order or act_phrase.unsaid:
        person = replace(person, name="")
    if act_phrase.for_another:
        # "its target" a second time could be the target of the target
        is_its_target = isinstance(act_phrase.subject, say.Mention) and act_phrase.subject.form == "its"
        person = replace(person, pronoun="that OPERATOR" if is_its_target else person.resumed)
    return person


def _stretch(stretch: say.Stretch, act_writer: _Act, ends_act: bool) -> list[str]:
    """Return phrases with their duration, joined if more of the act follows (not ``ends_act``)."""
    verbs = act_writer.verbs(stretch.doings)
    if stretch.duration is None:
        return verbs
    needs_comma = say.counts_group(stretch) and not verbs[-1].endswith("×)")
    limit = f"{',' if needs_comma else ''} {_duration(stretch.duration, act_writer.person)}"
    if ends_act:
        return [*verbs[:-1], verbs[-1] + limit]
    return [listed(verbs, "and") + limit + ("," if needs_comma or len(verbs) > 1 else "")]


def _person(subject: say.Subject, in_place_of_another: bool = False) -> _Person:
    """Return the words for the subject of an act; ``in_place_of_another`` that of the trigger (E-22)."""
    match subject:
        case tree.Player("owner"):
            return _Person("you", "your", "you", lambda stat: f"your {stat}", "you", many=True)
        case tree.Player("players"):
            return _Person("players", "their", "they", lambda stat: f"players’ {stat}", "they", many=True)
        case tree.Player(player_name):
            player = "each player" if player_name == "each player" else "your opponent"
            return _Person(player, "their", "they", lambda stat: f"{player}’s {stat}", "they")
        case say.GroupSubject("all" | "bare" as count, operators):
            return _several(group("all" if count == "all" else "plural", operators))
        case say.GroupSubject() if subject.number > 1:
            return _several(chosen(subject))
        case say.GroupSubject():
            is_another = in_place_of_another and subject.group.other
            operator = chosen(subject, is_another, is_another)
            return _Person(operator, "its", "it", lambda stat: f"the {stat} of {operator}", "it")
        case say.Mention():
            later_mention = replace(subject, form="short") if subject.form == "full" else subject
            full_name, resumed = name(subject, subject=True), name(later_mention, subject=True)
            fixed = partial(of, subject)
            if subject.many:
                return _Person(full_name, "their", "they", fixed, resumed, many=True, several=True)
            return _Person(full_name, "its", "it", fixed, resumed)


def _several(operators: str) -> _Person:
    return _Person(
        operators, "their", "they", lambda stat: f"the {stat} of {operators}", "they", many=True, several=True
    )


def _duration(duration: tree.DurationName, person: _Person) -> str:
    """Return how long something lasts; ``person`` is who has it."""
    if duration == "FIELD":
        stays = "stay" if person.many or person.pronoun == "they" else "stays"
        return f"as long as {person.pronoun} {stays} on the FIELD"
    if duration == "own TURN":
        return "until your next TURN begins"
    return "permanently" if duration == "permanently" else f"until the end of the {duration}"


def _agree(verb: str, in_plural: bool, complement: str) -> str:
    """Return a verb in the right number, with what follows it; an "each" there moves before the verb."""
    if complement.startswith("each ") and "may" not in verb and " " not in verb:  # "may each reroll"
        return f"each {_MANY.get(verb, verb)} {complement.removeprefix('each ')}"
    return f"{_MANY.get(verb, verb) if in_plural else verb} {complement}".strip()


_VERBS: dict[type[tree.Node], tuple[str, str]] = {
    tree.Multiplies: ("multiplies", "{own} {stat} by {factor}"),
    tree.Divides: ("divides", "{own} {stat} by {divisor}"),
    tree.Fixes: ("become", "{value}"),
    tree.RollsExtra: ("rolls", "{count} additional {die} D6"),
    tree.MayReroll: ("may", "reroll {count} {whose}{die} D6"),
    tree.SetsDice: ("sets", "{count} {whose}{die} D6 to {result}"),
    tree.MakesDiceCritical: ("treats", "{own} ATTACK D6 as CRITICAL on {threshold}+"),
    tree.MakesAttackCritical: ("makes", "the attack CRITICAL"),
    tree.CannotBeAttacked: ("cannot", "be attacked"),
    tree.CannotHaveDefence: ("cannot", "have DEFENCE cards"),
    tree.CannotPlay: ("cannot", "play {kind} cards"),
    tree.CannotDraw: ("cannot", "draw cards"),
    tree.GainsRuleviolation: ("gains", "RULEVIOLATION {threshold}+"),
    tree.GainsBonus: ("gains", "BONUS ({action})"),
    tree.FulfilsPerformance: ("fulfils", "PERFORMANCE"),
    tree.Draws: ("draws", "{count} {cards}"),
    tree.Becomes: ("becomes", "{status}"),
    tree.BecomesTarget: ("becomes", "the target of the attack instead"),
    tree.Advances: ("advances", ""),
    tree.Retreats: ("retreats", "to the SAVEZONE"),
    tree.EntersField: ("enters", "the FIELD"),
    tree.DiscardsThisCard: ("discards", "this card"),
    tree.Performs: ("performs", "the {action} ACTION at once"),
    tree.WinsGame: ("wins", "the GAME"),
    tree.LosesGame: ("loses", "the GAME"),
    tree.FetchesItems: ("draws", "{count} {items}"),
    tree.Shuffles: ("shuffles", "{own} DECK"),
}
"""A row for each verb: its singular, and the rest with fields of its node. ``own`` is "its", "their" or
"your", ``cards`` agrees with ``count``, ``whose`` is "enemy " or empty."""
_SHARED = ("gets", "gains", "takes", "loses")
"""Verbs that adjacent doings share."""


_DAMAGE: dict[object, str] = {
    ("multiply", 2): "double DAMAGE",
    ("divide", 2): "half the DAMAGE",
    ("fix", 0): "no DAMAGE",
    "multiply": "{} times the DAMAGE",
    "divide": "a DAMAGE divided by {}",
    "fix": "exactly {} DAMAGE",
    "more": "{} more DAMAGE",
    "less": "{} less DAMAGE",
}


def _doings(doing: say.DoingPhrase, person: _Person) -> list[tuple[str, str]]:
    """Return the singular verbs of a doing, each with the rest; several if cards are looked at first."""
    match doing:
        case say.Looks(source):
            return [*look_phrases(source, person.possessive)]
        case say.Puts():
            return [*put_phrases(doing, person.possessive)]
        case _:
            return [_doing(doing, person)]


def _partner(partner: say.Mention | say.GroupSubject) -> str:
    if isinstance(partner, say.Mention):
        return name(partner)
    return chosen(partner, another=True)


def _doing(doing: say.OneVerb, person: _Person) -> tuple[str, str]:
    """Return the verb of a doing in the singular, and the rest."""
    possessive = person.possessive
    match doing:
        case say.TakesDamage():
            return "takes", damage(doing, _DAMAGE, counted)
        case say.Limited("DAMAGE", bounds):
            return "takes", listed([_limit_of_damage(*bound) for bound in bounds], "and")
        case say.Limited(_, bounds):
            limits = [f"{'below' if is_lower else 'above'} {number(bound)}" for bound, is_lower in bounds]
            return "cannot be", listed(limits, "or")
        case tree.MayReroll(shown=tree.Shown(compare, shown)):
            verb, complement = _doing(replace(doing, shown=None), person)
            show = "shows" if doing.count == 1 else "show"
            if compare == "!=":
                show = "does not show" if doing.count == 1 else "do not show"
            return verb, f"{complement} that {show} {_SHOWN[compare].format(shown)}"
        case tree.KeepsDice(count, highest, die):
            number_word = "" if count == 1 else f"{count} "
            return "keeps", f"the {number_word}{'highest' if highest else 'lowest'} {die} D6"
        case say.Swaps(partner):
            return "swaps", f"places with {_partner(partner)}"
        case tree.Loses(quantity):
            lost_card = "attached card" if quantity == "card" else quantity
            return "loses", f"{possessive} {lost_card}{'s' if person.many else ''}"
        case tree.LosesSkills():
            return "loses", f"all {possessive} SKILLs"
        case say.TakesItem(giver):
            if isinstance(giver, say.Mention):
                return "takes", of(giver, "ITEM")
            return "takes", f"the ITEM of {chosen(giver, another=giver.group.other)}"
        case tree.Discards():
            return "discards", discarded(doing, possessive)
        case tree.PutsThisCard(to):
            return "puts", f"this card {put_back(to)}"
        case say.MovesCards(cards, multiplier):
            verb, complement = _doing(cards, person)
            return verb, f"{complement} {counted(multiplier)}"
        case say.DiscardsInPlay():
            return "discards", discarded_in_play(doing, possessive)
        case tree.GainsKeyword(keyword):
            return "gains", mark("KEYWORD", keyword)
        case tree.GainsTrait(trait):
            return "gains", f"the trait “{mark('trait', trait)}”"
        case say.Change(amount, quantity, multiplier):
            return "gets", f"{signed(amount)} {quantity}" + (f" {counted(multiplier)}" if multiplier else "")
        case tree.Multiplies(stat, 2):
            return "doubles", f"{possessive} {stat.text}"
        case tree.Divides(stat, 2):
            return "halves", f"{possessive} {stat.text}"
        case say.EachAttack(dice, attacking):
            verb, complement = _doing(dice, person)
            if attacking:
                attack_verb = "attack" if person.many else "attacks"
            else:
                attack_verb = "are attacked" if person.many else "is attacked"
            return verb, f"{complement} each time {person.pronoun} {attack_verb}"
        case say.RollsDie(threshold):
            return "rolls", "a D6" if threshold is None else f"a D6 for {threshold}+"
        case say.IgnoresActions(actions):
            return "is", f"not changed by {listed([f'the {action} ACTION' for action in actions], 'or')}"
        case say.IgnoresAll(steps):
            ignored = ["STRATEGY cards" if step == "STRATEGY" else step for step in steps]
            return "ignores", listed(ignored, "and")
        case say.MakesItsAttacksCritical():
            return "makes", f"{possessive} attacks CRITICAL"
        case say.CannotPerformAny(actions):
            action_names = [
                "BONUS ACTIONs" if action == "BONUS" else f"the {action} ACTION" for action in actions
            ]
            return "cannot", f"perform {listed(action_names, 'or')}"
        case tree.CannotHave(cards):
            return "cannot", f"have {'cards attached' if cards == 'cards' else cards}"
        case say.ThingCannot(thing):
            return "cannot", "be CRITICAL" if thing == "attack" else "fall"
        case tree.Node():
            node: tree.Node = doing  # mypy compares each of its 30 types otherwise
            verb, complement = _VERBS[type(node)]
            enemy_word = "enemy " if getattr(node, "enemy", False) else ""
            is_single = getattr(node, "count", 1) == 1
            return verb, filled(
                complement,
                node,
                own=possessive,
                whose=enemy_word,
                cards="card" if is_single else "cards",
                items="ITEM" if is_single else "ITEMs",
            )


_SHOWN = {
    "=": "exactly {}",
    "!=": "{}",
    "<": "less than {}",
    "<=": "at most {}",
    ">": "more than {}",
    ">=": "at least {}",
}
"""What a die shows that may be rerolled (E-25)."""


def _limit_of_damage(bound: say.NumberPhrase, is_lower: bool) -> str:
    """Return a least or greatest DAMAGE: a number, or as much as something counts."""
    amount_words = "at least" if is_lower else "at most"
    if isinstance(bound, say.Integer):
        return f"{amount_words} {number(bound)} DAMAGE"
    return f"{amount_words} as much DAMAGE as {number(bound)}"


WORDS = SentenceWords(
    triggers={
        "own-attacks": "one of your OPERATORs attacks",
        "own-is-attacked": "one of your OPERATORs is attacked",
        "enemy-attacks": "an enemy OPERATOR attacks",
        "enemy-is-attacked": "an enemy OPERATOR is attacked",
        "played": "you play this card",
        "attached": "this card is attached",
        "own-becomes-hit": "one of your OPERATORs becomes HIT",
        "enemy-becomes-hit": "an enemy OPERATOR becomes HIT",
        "turn-begins": "a TURN begins",
        "turn-ends": "a TURN ends",
        "own-turn-begins": "your TURN begins",
        "own-turn-ends": "your TURN ends",
        "enemy-turn-begins": "your opponent’s TURN begins",
        "enemy-turn-ends": "your opponent’s TURN ends",
        "round-begins": "a ROUND begins",
        "round-ends": "a ROUND ends",
        "attacks": "{who} attacks",
        "is-attacked": "{who} is attacked",
        "becomes-hit": "{who} becomes HIT",
        "becomes-out": "{who} becomes OUT",
        "would-become-hit": "{who} would become HIT",
        "enters": "{who} enters the FIELD",
        "attacking": "{who} attacks",
        "attacked": "{who} is attacked",
        "self-becomes-hit": "{who} becomes HIT",
        "reaches": "{who} REACHES the OBJECTIVE",
        "reaches here": "one of your OPERATORs REACHES this OBJECTIVE",
        "captures": "{who} CAPTURES the OBJECTIVE",
        "captures here": "one of your OPERATORs CAPTURES this OBJECTIVE",
        "action-ends": "{of} ends",
        "performs": "{who} performs the {what} ACTION",
        "performs ACTION": "{who} performs an ACTION",
        "gets": "{of} rises",
        "gets MARKER": "{who} gets {what}",
        "loses": "{of} falls",
        "loses MARKER": "{who} loses {what}",
        "begins": "{attack} begins",
        "hits": "{attack} hits",
        "misses": "{attack} misses",
        "critical": "{attack} is CRITICAL",
    },
    attacks={
        "any": "the attack",
        "own": "an attack by one of your OPERATORs",
        "attacker": "an attack by {who}",
        "attacked": "an attack on {who}",
    },
    openings={
        "when": "when {}, ",
        "while": "while {}, ",
        "if": "if {}, ",
        "before": "before {} becomes HIT, ",
    },
    turns={"own": "during your TURN, ", "enemy": "during your opponent’s TURN, "},
    limited="once per {limit}, {rest}",
    limited_unsaid="once per {limit}, {rest}",
    own_attack="its attack",
    joints={"then": ", then ", "afterwards": ". Then "},  # a comma would leave open what it belongs to
    branches={
        "owner": ("if you do,", "if you do not,"),
        "reader": ("if you do,", "if you do not,"),
        "opponent": ("if your opponent does,", "if your opponent does not,"),
        "each player": ("if both players do,", "if not both players do,"),
        "it": ("if it does,", "if it does not,"),
        "they": ("if they do,", "if they do not,"),
        "roll": ("if the roll succeeds,", "if the roll does not succeed,"),
        "outcome": ("if this happens,", "if this does not happen,"),
    },
    cannot={
        "owner": "if you cannot,",
        "opponent": "if your opponent cannot,",
        "each player": "if not both players can,",
    },
    rolls={
        "done": "on {}+,",
        "less": "on less than {},",
        "owner": "if you do not roll {}+,",
        "else": "if your opponent does not roll {}+,",
    },
    otherwise="otherwise,",
    choose="choose: {rest}",
    either="either",
    words=("and", "or"),
    reminders={
        "SUPPRESSED": "An OPERATOR is SUPPRESSED when {when}.",
        "RULEVIOLATION": "RULEVIOLATION {x}+: at the end of its ACTION roll a D6; on less than {x} it is "
        "OUT.",
        "BONUS": "BONUS ({action}): one additional {kind} this TURN, even when EXHAUSTED; at most one BONUS "
        "for each OPERATOR.",
        "PERFORMANCE": "PERFORMANCE: draw a card, or draw an ITEM from your ITEMDECK and attach it to one of "
        "your OPERATORs without a card, or to an EXHAUSTED one in place of its ATTACK or DEFENCE card.",
        "CRITICAL": "CRITICAL: instead of adding the ATTACK D6, the attacking player may double {doubled}.",
        "DAMAGE": "DAMAGE: what the attack adds to the HITCOUNTER.",
        "advances": "Advance: add its MP to its OBJECTIVECOUNTER.",
        "would become HIT": "It then becomes HIT only if its HITCOUNTER still equals or exceeds its DP.",
        "highest": "If tied, you choose.",
        "highest by opponent": "If tied, your opponent chooses.",
        "condition": "{when}",
    },
    bonus_kinds={None: "ACTION of that kind", "ANY": "ACTION of your choice"},
    doubled_ap=("the attacker’s AP VALUE", "the AP that the attacker has so far"),
    any_suppression="the ruleset’s SUPPRESSION applies to it",
    act=act,
    condition=condition,
    all_of=all_of,
    some=some,
    of_some=of_some,
)
