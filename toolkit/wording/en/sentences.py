"""Whole sentences in English: triggers, who does what and for how long, and keywords explained."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.vocabulary import VERBS
from toolkit.wording import phrases as say
from toolkit.wording.en.cards import discarded, discarded_in_play, looked_at, moved
from toolkit.wording.en.conditions import TURNS, all_of, condition
from toolkit.wording.en.nouns import chosen, counted, group, name, of, of_some, some
from toolkit.wording.language import Reminder, capital, filled, listed, signed, tidy
from toolkit.wording.text import is_marker, keyword_mark, trait_mark

_MANY = {verb.one: verb.many for verb in VERBS}
_MANY |= {"treats": "treat", "takes": "take", "searches": "search", "shuffles": "shuffle"}
"""The form of each verb for several, which is its infinitive too."""

_INFINITIVES = {"may": "be allowed to", "cannot": "be unable to"}


class _Person(Struct, frozen=True):
    """The subject, whether its verbs stand in the plural, and what its own things are called.

    ``several``: what is done is done by each of them. ``fixed`` calls a number of it where the number is the
    subject ("the attacker’s AP become 6"), and ``resumed`` is the subject of what comes behind that.
    """

    name: str
    many: bool
    own: str
    again: str
    fixed: Callable[[str], str]
    resumed: str
    several: bool = False


class _Act:
    """The verb phrases of one act as they are said one after the other, the subject with the first.

    ``limit``: how long all of it lasts, behind the subject whichever that is; ``may`` what is said around the
    first subject where somebody may choose.
    """

    def __init__(self, person: _Person, limit: str = "", may: str = "") -> None:
        self.person = person
        self._is_choice, self._may = bool(may), may
        self._resumed = person.resumed
        if may == _MAY["has"]:  # "you may have its AP become 6 and have it get"
            self._resumed = f"have {'them' if person.resumed == 'they' else person.resumed}"
        self._subject = person.name + limit
        self._fixed: Callable[[str], str] = lambda stat: person.fixed(stat) + limit

    def _infinitive(self, verb: str) -> str:
        return _INFINITIVES.get(verb, _MANY.get(verb, verb)) if self._is_choice else verb

    def verbs(self, doings: tuple[say.DoingPhrase, ...]) -> list[str]:
        """The phrases for some doings; neighbours with the same verb share it, but never across a counted
        amount. A number that is fixed is a subject of its own."""
        person = self.person
        phrases: list[tuple[str, str, list[str], bool]] = []
        for doing in doings:
            first, *more = _doings(doing, person)
            subject, self._subject = self._subject, ""
            verb, rest = first
            if isinstance(doing, tree.Fixes):
                subject, self._subject = self._fixed(doing.stat.text), self._resumed
            if self._may:
                subject, self._may = self._may.format(subject), ""
            self._fixed = lambda stat: f"{person.own} {stat}"
            if person.several and isinstance(doing, (tree.RollsExtra, tree.MayReroll)):
                rest = f"each {rest}"
            shares = verb in _SHARED and not getattr(doing, "counted", None)
            if phrases and shares and phrases[-1][3] and phrases[-1][1] == verb:
                phrases[-1][2].append(rest)
            else:
                phrases.append((subject, verb, [rest], shares))
            phrases += [("", verb, [rest], False) for verb, rest in more]
        said = (
            (subject, _agree(self._infinitive(verb), person.many, listed(rests, "and")))
            for subject, verb, rests, _ in phrases
        )
        return [f"{subject} {words}" if subject else words for subject, words in said]


_MAY = {"": "", "acts": "{} may", "has": "you may have {}"}


def act(said: say.ActPhrase) -> str:
    """One act and its duration, which comes first where it must not hold for what stands before, or where
    "it" would not be clear behind."""
    person = _person(said.subject)
    if said.order:
        person = replace(person, name="")
    if said.for_another:
        its_target = isinstance(said.subject, say.Mention) and said.subject.form == "its"
        person = replace(person, again="that OPERATOR" if its_target else person.resumed)
    *stretches, last = said.stretches
    limit = ""
    if not stretches and last.duration == "FIELD" and say.counts_group(last):
        limit = f", {_duration('FIELD', person)},"
        last = replace(last, duration=None)
    said_of = _Act(person, limit, _MAY[said.may])
    before = [phrase for stretch in stretches for phrase in _stretch(stretch, said_of, ends=False)]
    if not before or last.duration is None:
        return listed([*before, *_stretch(last, said_of, ends=True)], "and")
    limit = _duration(last.duration, person)
    limit = f", {limit}," if last.duration == "FIELD" else f" {limit}"
    return f"{listed(before, 'and')} and{limit} {listed(said_of.verbs(last.doings), 'and')}"


def _stretch(stretch: say.Stretch, said_of: _Act, ends: bool) -> list[str]:
    """What is done and the duration, in one piece where more comes behind it; ``ends`` with the act."""
    verbs = said_of.verbs(stretch.doings)
    if stretch.duration is None:
        return verbs
    apart = say.counts_group(stretch) and not verbs[-1].endswith("×)")
    limit = f"{',' if apart else ''} {_duration(stretch.duration, said_of.person)}"
    if ends:
        return [*verbs[:-1], verbs[-1] + limit]
    return [listed(verbs, "and") + limit + ("," if apart or len(verbs) > 1 else "")]


def _person(subject: say.Subject) -> _Person:
    match subject:
        case say.PlayerSubject("owner"):
            return _Person("you", True, "your", "you", lambda stat: f"your {stat}", "you")
        case say.PlayerSubject(who):
            player = "each player" if who == "each player" else "your opponent"
            return _Person(player, False, "their", "they", lambda stat: f"{player}’s {stat}", "they")
        case say.GroupSubject("all" | "bare" as count, who):
            them = group("all" if count == "all" else "plural", who)
            return _several(them)
        case say.GroupSubject() if subject.number > 1:
            return _several(chosen(subject))
        case say.GroupSubject():
            one = chosen(subject)
            return _Person(one, False, "its", "it", lambda stat: f"the {stat} of {one}", "it")
        case say.Mention():
            again = replace(subject, form="short") if subject.form == "full" else subject
            called, resumed = name(subject, subject=True), name(again, subject=True)
            if subject.many:
                return _Person(called, True, "their", "they", partial(of, subject), resumed, True)
            return _Person(called, False, "its", "it", partial(of, subject), resumed)


def _several(them: str) -> _Person:
    return _Person(them, True, "their", "they", lambda stat: f"the {stat} of {them}", "they", True)


def _duration(duration: tree.DurationName, person: _Person) -> str:
    if duration == "FIELD":
        stays = "stay" if person.many or person.again == "they" else "stays"
        return f"as long as {person.again} {stays} on the FIELD"
    if duration == "own TURN":
        return "until your next TURN begins"
    return "permanently" if duration == "permanently" else f"until the end of the {duration}"


def _agree(verb: str, many: bool, rest: str) -> str:
    if rest.startswith("each ") and "may" not in verb and " " not in verb:  # "may each reroll"
        return f"each {_MANY.get(verb, verb)} {rest.removeprefix('each ')}"
    return f"{_MANY.get(verb, verb) if many else verb} {rest}".strip()


_VERBS: dict[type[tree.Node], tuple[str, str]] = {
    tree.Multiplies: ("multiplies", "{own} {stat} by {factor}"),
    tree.Divides: ("divides", "{own} {stat} by {divisor}"),
    tree.Fixes: ("become", "{value}"),
    tree.RollsExtra: ("rolls", "{count} additional {die} D6"),
    tree.MayReroll: ("may", "reroll {count} {whose}{die} D6"),
    tree.MakesDiceCritical: ("treats", "{own} ATTACK D6 as CRITICAL on {threshold}+"),
    tree.MakesAttackCritical: ("makes", "the attack CRITICAL"),
    tree.CannotBeAttacked: ("cannot", "be attacked"),
    tree.CannotHaveDefence: ("cannot", "have DEFENCE cards"),
    tree.GainsRuleviolation: ("gains", "RULEVIOLATION {threshold}+"),
    tree.GainsBonus: ("gains", "BONUS ({action})"),
    tree.FulfilsPerformance: ("fulfils", "PERFORMANCE"),
    tree.Draws: ("draws", "{count} {cards}"),
    tree.Becomes: ("becomes", "{status}"),
    tree.Advances: ("advances", ""),
    tree.Retreats: ("retreats", "to the SAVEZONE"),
    tree.EntersField: ("enters", "the FIELD"),
    tree.DiscardsThisCard: ("discards", "this card"),
}
_SHARED = ("gets", "gains", "takes", "loses")
"""A row for each verb: the verb for one, and the rest with the fields of its node. ``own`` is "its", "their"
or "your", ``cards`` is in the number of ``count``, ``whose`` is "enemy" or nothing."""


_DAMAGE = {
    ("multiply", 2): "double DAMAGE",
    ("divide", 2): "half the DAMAGE",
    ("fix", 0): "no DAMAGE",
    "multiply": "{} times the DAMAGE",
    "divide": "a DAMAGE divided by {}",
    "fix": "exactly {} DAMAGE",
}


def _damage(said: say.TakesDamage) -> str:
    if said.layer == "add":
        by = f" {counted(said.counted)}" if said.counted else ""
        return f"{abs(said.number)} {'less' if said.number < 0 else 'more'} DAMAGE{by}"
    return (_DAMAGE.get((said.layer, said.number)) or _DAMAGE[said.layer]).format(said.number)


def _doings(doing: say.DoingPhrase, person: _Person) -> list[tuple[str, str]]:
    """The verbs for one, each with the rest; several where cards are looked at first."""
    match doing:
        case say.Looks(source):
            return [*looked_at(source, person.own)]
        case say.Puts():
            return [*moved(doing, person.own)]
        case _:
            return [_doing(doing, person)]


def _partner(partner: say.Mention | say.GroupSubject) -> str:
    if isinstance(partner, say.Mention):
        return name(partner)
    return chosen(partner, another=True)


def _doing(doing: say.OneVerb, person: _Person) -> tuple[str, str]:
    """The verb for one, and the rest."""
    own = person.own
    match doing:
        case say.TakesDamage():
            return "takes", _damage(doing)
        case say.Swaps(partner):
            return "swaps", f"places with {_partner(partner)}"
        case tree.Loses(what):
            lost = "attached card" if what == "card" else what
            return "loses", f"{own} {lost}{'s' if person.many else ''}"
        case tree.Discards(count, kind=kind, random=random):
            return "discards", discarded(count, kind, random)
        case say.MovesCards(cards, by):
            verb, rest = _doing(cards, person)
            return verb, f"{rest} {counted(by)}"
        case say.DiscardsInPlay():
            return "discards", discarded_in_play(doing, own)
        case tree.GainsKeyword(keyword):
            return "gains", keyword_mark(keyword.text)
        case tree.GainsTrait(trait):
            return "gains", f"the trait “{trait_mark(trait.text)}”"
        case say.Change(amount, what, by):
            return "gets", f"{signed(amount)} {what}" + (f" {counted(by)}" if by else "")
        case tree.Multiplies(stat, 2):
            return "doubles", f"{own} {stat.text}"
        case tree.Divides(stat, 2):
            return "halves", f"{own} {stat.text}"
        case say.EachAttack(dice, attacking):
            verb, rest = _doing(dice, person)
            again = {False: ("attacks", "is attacked"), True: ("attack", "are attacked")}[person.many]
            return verb, f"{rest} each time {person.again} {again[not attacking]}"
        case say.RollsDie(threshold):
            return "rolls", "a D6" if threshold is None else f"a D6 for {threshold}+"
        case say.IgnoresAll(steps):
            ignored = ["STRATEGY cards" if step == "STRATEGY" else step for step in steps]
            return "ignores", listed(ignored, "and")
        case say.MakesItsAttacksCritical():
            return "makes", f"{own} attacks CRITICAL"
        case say.CannotPerformAny(actions):
            return "cannot", f"perform {listed([f'the {action} ACTION' for action in actions], 'or')}"
        case tree.Node():
            verb, rest = _VERBS[type(doing)]
            whose = "enemy " if getattr(doing, "enemy", False) else ""
            one = getattr(doing, "count", 1) == 1
            return verb, filled(rest, doing, own=own, whose=whose, cards="card" if one else "cards")


def reminder(said: Reminder) -> str:
    """The explanation in parentheses."""
    return f"({_text(said)})"


def _text(said: Reminder) -> str:
    match said.keyword:
        case "SUPPRESSED":
            when = condition(said.condition) if said.condition else "the ruleset’s SUPPRESSION applies to it"
            return f"An OPERATOR is SUPPRESSED when {when}."
        case "RULEVIOLATION":
            x = str(said.threshold) if said.threshold is not None else "X"
            return f"RULEVIOLATION {x}+: at the end of its ACTION roll a D6; on less than {x} it is OUT."
        case "BONUS":
            kind = {None: "ACTION of that kind", "ANY": "ACTION of your choice"}.get(
                said.action, f"{said.action} ACTION"
            )
            return (
                f"BONUS ({said.action or 'ACTION'}): one additional {kind} this TURN, even when EXHAUSTED; "
                "at most one BONUS for each OPERATOR."
            )
        case "PERFORMANCE":
            return (
                "PERFORMANCE: draw a card, or draw an ITEM from your ITEMDECK and attach it to one of your "
                "OPERATORs without a card, or to an EXHAUSTED one in place of its ATTACK or DEFENCE card."
            )
        case "CRITICAL":
            doubled = "the AP that the attacker has so far" if said.stepwise else "the attacker’s AP VALUE"
            return f"CRITICAL: instead of adding the ATTACK D6, the attacking player may double {doubled}."
        case "DAMAGE":
            return "DAMAGE: what the attack adds to the HITCOUNTER."
        case "advances":
            return "Advance: add its MP to its OBJECTIVECOUNTER."
        case "would become HIT":
            return "It then becomes HIT only if its HITCOUNTER still equals or exceeds its DP."
        case "highest":
            return "If tied, you choose."
    raise KeyError(said.keyword)


_TRIGGERS = {
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
}
_OF_SOMEBODY = {
    "attacks": "attacks",
    "is-attacked": "is attacked",
    "becomes-hit": "becomes HIT",
    "becomes-out": "becomes OUT",
    "would-become-hit": "would become HIT",
    "enters": "enters the FIELD",
    "attacking": "attacks",
    "attacked": "is attacked",
    "self-becomes-hit": "becomes HIT",
    "reaches": "REACHES the OBJECTIVE",
    "captures": "CAPTURES the OBJECTIVE",
}
_OUTCOMES = {"hits": "hits", "misses": "misses", "critical": "is CRITICAL"}


def sentence(plan: say.SentencePlan) -> str:
    """One sentence from its capital to its full stop."""
    return tidy(f"{_opening(plan)}{_clauses(plan)}.")


def _opening(plan: say.SentencePlan) -> str:
    limit = f"once per {plan.limit}, " if plan.limit else ""
    if plan.opening == "during" and isinstance(turn := plan.conditions[0], say.TurnIs):
        return f"{limit}during {TURNS[turn.side]}, "
    if plan.opening == "before" and plan.trigger and plan.trigger.who:
        return f"{limit}before {some(plan.trigger.who)} becomes HIT, "
    parts = [_trigger(plan.trigger)] if plan.trigger else []
    several = len(parts) + len(plan.conditions) > 1
    parts += [condition(part, "and" if several else "") for part in plan.conditions]
    return f"{limit}{plan.opening} {all_of(parts)}, " if parts else limit


def _trigger(trigger: say.TriggerPhrase) -> str:
    if trigger.name in _OUTCOMES:
        return f"{_attack(trigger)} {_OUTCOMES[trigger.name]}"
    if trigger.who is None:
        return _TRIGGERS[trigger.name]
    if trigger.name == "action-ends":
        return f"{of_some(trigger.who, 'ACTION')} ends"
    if trigger.name == "performs":
        what = "an ACTION" if trigger.what == "ACTION" else f"the {trigger.what} ACTION"
        return f"{some(trigger.who)} performs {what}"
    if trigger.name in ("gets", "loses"):
        if is_marker(trigger.what):
            return f"{some(trigger.who)} {trigger.name} {trigger.what}"
        return f"{of_some(trigger.who, trigger.what)} {'rises' if trigger.name == 'gets' else 'falls'}"
    if _is_holder(trigger) and trigger.name in ("reaches", "captures"):
        return f"one of your OPERATORs {_OF_SOMEBODY[trigger.name].replace('the', 'this')}"
    return f"{some(trigger.who)} {_OF_SOMEBODY[trigger.name]}"


def _is_holder(trigger: say.TriggerPhrase) -> bool:
    return isinstance(trigger.who, say.Mention) and trigger.who.noun == "holder"


def _attack(trigger: say.TriggerPhrase) -> str:
    if trigger.who is None:
        return "an attack by one of your OPERATORs" if trigger.attack_by == "own" else "the attack"
    return f"an attack {'by' if trigger.attack_by == 'attacker' else 'on'} {some(trigger.who)}"


def _clauses(plan: say.SentencePlan) -> str:
    text, apart = _clause(plan.clauses[0]), plan.joints.count("and") > 1
    for joint, before, clause in zip(plan.joints, plan.clauses, plan.clauses[1:], strict=False):
        if isinstance(joint, say.Branch):
            text += f". {capital(_branch(joint))}, {_clause(clause)}"
        elif joint == "and":
            text += f"{',' if apart or _is_long(before) or _is_long(clause) else ''} and {_clause(clause)}"
        elif joint == "afterwards":
            text += f". Then {_clause(clause)}"  # a comma would leave open what it belongs to
        else:
            text += f", then {_clause(clause)}"
    return text


_BRANCHES: dict[say.Asked, tuple[str, str]] = {
    "owner": ("if you do", "if you do not"),
    "reader": ("if you do", "if you do not"),
    "opponent": ("if your opponent does", "if your opponent does not"),
    "each player": ("if both players do", "if not both players do"),
    "it": ("if it does", "if it does not"),
    "they": ("if they do", "if they do not"),
    "roll": ("if the roll succeeds", "if the roll does not succeed"),
    "outcome": ("if this happens", "if this does not happen"),
}
_CANNOT: dict[say.Asked, str] = {
    "owner": "if you cannot",
    "opponent": "if your opponent cannot",
    "each player": "if not both players can",
}
"""Behind an order, which is not done only where it cannot be."""


def _branch(said: say.Branch) -> str:
    if said.otherwise:
        return "otherwise"
    if said.threshold is None:
        if said.asked in _CANNOT and not (said.done or said.may):
            return _CANNOT[said.asked]
        return _BRANCHES[said.asked][not said.done]
    if said.done:
        return f"on {said.threshold}+"
    if said.may:
        roller = "you do" if said.asked == "owner" else "your opponent does"
        return f"if {roller} not roll {said.threshold}+"
    return f"on less than {said.threshold}"


def _is_long(clause: say.ClausePhrase) -> bool:
    return isinstance(clause, say.ActPhrase) and bool(len(clause.doings) > 1 or clause.may)


def _clause(clause: say.ClausePhrase) -> str:
    return act(clause) if isinstance(clause, say.ActPhrase) else f"choose: {_either(clause)}"


def _either(choice: say.ChoicePhrase) -> str:
    first, second = (
        act(part) if isinstance(part, say.ActPhrase) else f"({_either(part)})"
        for part in (choice.first, choice.second)
    )
    return f"either {first}{',' if ' and ' in first else ''} or {second}"
