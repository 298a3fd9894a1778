"""Who does what and for how long, in English."""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.dsl import tree
from toolkit.vocabulary import VERBS
from toolkit.wording.en.nouns import group, name
from toolkit.wording.en.numbers import counted
from toolkit.wording.language import listed, signed
from toolkit.wording.phrases import (
    ActPhrase,
    CannotPerformAny,
    Change,
    DoingPhrase,
    GroupPhrase,
    GroupSubject,
    IgnoresAll,
    MakesItsAttacksCritical,
    PlayerSubject,
    Stretch,
    Subject,
)

_MANY = {**{verb.one: verb.many for verb in VERBS}, "treats": "treat"}
"""The form of each verb for several."""


@dataclass(frozen=True, slots=True)
class _Person:
    """The subject, whether its verbs stand in the plural, and what its own things are called.

    ``several``: what is done is done by each of them.
    """

    name: str
    many: bool
    own: str
    again: str
    several: bool = False


def act(said: ActPhrase) -> str:
    """One act and its duration, which comes first where it must not hold for what stands before."""
    person = _person(said.subject)
    *stretches, last = said.stretches
    before = [phrase for stretch in stretches for phrase in _stretch(stretch, person, ends=False)]
    if not before or last.duration is None:
        return f"{person.name} {listed([*before, *_stretch(last, person, ends=True)], 'and')}"
    limit = _duration(last.duration, person)
    limit = f", {limit}," if last.duration == "FIELD" else f" {limit}"
    return f"{person.name} {listed(before, 'and')} and{limit} {listed(_verbs(last.doings, person), 'and')}"


def _stretch(stretch: Stretch, person: _Person, ends: bool) -> list[str]:
    """What is done and the duration, in one piece where more comes behind it; ``ends`` with the act."""
    verbs = _verbs(stretch.doings, person)
    if stretch.duration is None:
        return verbs
    last = stretch.doings[-1]
    apart = isinstance(last, Change) and last.counted and isinstance(last.counted.what, GroupPhrase)
    limit = f"{',' if apart else ''} {_duration(stretch.duration, person)}"
    if ends:
        return [*verbs[:-1], verbs[-1] + limit]
    return [listed(verbs, "and") + limit + ("," if apart or len(verbs) > 1 else "")]


def _person(subject: Subject) -> _Person:
    match subject:
        case PlayerSubject("owner"):
            return _Person("you", True, "your", "you")
        case PlayerSubject():
            return _Person("your opponent", False, "their", "they")
        case GroupSubject("all" | "bare" as count, who):
            return _Person(group("all" if count == "all" else "plural", who), True, "their", "they", True)
        case GroupSubject(_, who):
            return _Person(group("one", who), False, "its", "it")
        case _:
            return _Person(name(subject), False, "its", "it")


def _duration(duration: tree.DurationName, person: _Person) -> str:
    if duration == "FIELD":
        stays = "stay" if person.many or person.again == "they" else "stays"
        return f"as long as {person.again} {stays} on the FIELD"
    return "permanently" if duration == "permanently" else f"until the end of the {duration}"


def _verbs(doings: tuple[DoingPhrase, ...], person: _Person) -> list[str]:
    """The verb phrases; neighbours with the same verb share it, but never across a counted amount."""
    phrases: list[tuple[str, list[str], bool]] = []
    for doing in doings:
        verb, rest = _doing(doing, person.own)
        if person.several and isinstance(doing, (tree.RollsExtra, tree.MayReroll)):
            rest = f"each {rest}"
        shares = not (isinstance(doing, Change) and doing.counted)
        if phrases and shares and phrases[-1][2] and verb in ("gets", "gains") and phrases[-1][0] == verb:
            phrases[-1][1].append(rest)
        else:
            phrases.append((verb, [rest], shares))
    return [_agree(verb, person.many, listed(rests, "and")) for verb, rests, _ in phrases]


def _agree(verb: str, many: bool, rest: str) -> str:
    if rest.startswith("each ") and verb != "may":  # "each roll", but "may each reroll"
        return f"each {_MANY[verb]} {rest.removeprefix('each ')}"
    return f"{_MANY.get(verb, verb) if many else verb} {rest}"


def _doing(doing: DoingPhrase, own: str) -> tuple[str, str]:
    """The verb for one, and the rest."""
    match doing:
        case Change(amount, what, by):
            return "gets", f"{signed(amount)} {what}" + (f" {counted(by)}" if by else "")
        case tree.Multiplies(stat, factor):
            return ("doubles", f"{own} {stat.text}") if factor == 2 else _by("multiplies", own, stat, factor)
        case tree.Divides(stat, divisor):
            return ("halves", f"{own} {stat.text}") if divisor == 2 else _by("divides", own, stat, divisor)
        case tree.Fixes(stat, value):
            return "fixes", f"{own} {stat.text} at {value}"
        case IgnoresAll(steps):
            return "ignores", listed(steps, "and")
        case tree.RollsExtra(count, die):
            return "rolls", f"{count} additional {die} D6"
        case tree.MayReroll(count, die, enemy):
            return "may", f"reroll {count} {'enemy ' if enemy else ''}{die} D6"
        case tree.MakesDiceCritical(threshold):
            return "treats", f"{own} ATTACK D6 as CRITICAL on {threshold}+"
        case tree.MakesAttackCritical():
            return "makes", "the attack CRITICAL"
        case MakesItsAttacksCritical():
            return "makes", f"{own} attacks CRITICAL"
        case CannotPerformAny(actions):
            return "cannot", f"perform {listed([f'the {action} ACTION' for action in actions], 'or')}"
        case tree.CannotBeAttacked():
            return "cannot", "be attacked"
        case tree.CannotHaveDefence():
            return "cannot", "have DEFENCE cards"
        case tree.GainsRuleviolation(threshold):
            return "gains", f"RULEVIOLATION {threshold}+"
        case tree.GainsBonus(action):
            return "gains", f"BONUS ({action})"
        case tree.FulfilsPerformance():
            return "fulfils", "PERFORMANCE"
        case tree.Draws(count):
            return "draws", _cards(count)
        case tree.Discards(count):
            return "discards", _cards(count)
        case tree.Becomes(status):
            return "becomes", status


def _by(verb: str, own: str, stat: tree.Word, number: int) -> tuple[str, str]:
    return verb, f"{own} {stat.text} by {number}"


def _cards(count: int) -> str:
    return f"{count} {'card' if count == 1 else 'cards'}"
