"""Who does what, planned in the order of the printed words."""

from __future__ import annotations

from itertools import groupby

from toolkit.dsl import tree
from toolkit.dsl.checking import needs_duration
from toolkit.wording import phrases as say
from toolkit.wording.mentions import Speech, noun_of
from toolkit.wording.plan_numbers import counted_phrase, group_phrase

_FORBIDDING = (tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence)


def clause_phrase(speech: Speech, clause: tree.Clause) -> say.ClausePhrase:
    """An act or a choice, with who acts, what is done, and for how long."""
    if isinstance(clause, tree.Either):
        return say.ChoicePhrase(clause_phrase(speech, clause.first), clause_phrase(speech, clause.second))
    subject = _subject(speech, clause.who, isinstance(clause.doings[0], _FORBIDDING))
    stretches = _stretches(speech, clause)
    for_another = speech.mentions.acts_for_another()
    speech.mentions.end_act()
    return say.ActPhrase(subject, stretches, for_another)


def _subject(speech: Speech, who: tree.Who, forbidden: bool) -> say.Subject:
    match who:
        case tree.Ref(name):
            return speech.mentions.act(noun_of(name, speech.scope))
        case tree.Player(name):
            speech.mentions.act_as_others(one=False)
            return say.PlayerSubject(name)
        case tree.One(group):
            speech.mentions.choose()
            one = say.GroupSubject("one", group_phrase(speech, group))
            speech.mentions.act_as_others(one=True)
            return one
        case tree.Every(group):
            every = say.GroupSubject("bare" if forbidden else "all", group_phrase(speech, group))
            speech.mentions.act_as_others(one=False)
            return every


def _stretches(speech: Speech, act: tree.Act) -> tuple[say.Stretch, ...]:
    """The doings, parted where a duration does not hold for all of them: nothing ends what acts once."""
    duration = act.duration.name if act.duration else None
    if duration is None or not any(map(needs_duration, act.doings)):
        return (_stretch(speech, act.doings, duration),)
    return tuple(
        _stretch(speech, tuple(doings), duration if lasts else None)
        for lasts, doings in groupby(act.doings, needs_duration)
    )


def _stretch(
    speech: Speech, doings: tuple[tree.Doing, ...], duration: tree.DurationName | None
) -> say.Stretch:
    """The doings in order; what is ignored, and which ACTIONs are forbidden, is said in one list."""
    one_attack = duration == "ATTACK" or (duration is None and speech.scope.attack)
    said: list[say.DoingPhrase] = []
    for doing in doings:
        phrase = _doing(speech, doing, one_attack)
        match said[-1:], phrase:
            case [say.IgnoresAll(before)], say.IgnoresAll(what):
                said[-1] = say.IgnoresAll(before + what)
            case [say.CannotPerformAny(before)], say.CannotPerformAny(actions):
                said[-1] = say.CannotPerformAny(before + actions)
            case _:
                said.append(phrase)
    return say.Stretch(tuple(said), duration)


def _doing(speech: Speech, doing: tree.Doing, one_attack: bool) -> say.DoingPhrase:
    if isinstance(doing, tree.Ignores):
        return say.IgnoresAll((doing.what,))
    if isinstance(doing, tree.CannotPerform):
        return say.CannotPerformAny((doing.action,))
    if isinstance(doing, tree.MakesAttackCritical) and not speech.scope.attack:
        return say.MakesItsAttacksCritical()
    if isinstance(doing, (tree.RollsExtra, tree.MayReroll)) and not one_attack:
        of_enemy = isinstance(doing, tree.MayReroll) and doing.enemy
        return say.EachAttack(doing, attacking=(doing.die == "ATTACK") != of_enemy)
    if not isinstance(doing, tree.Gets):
        return doing
    counted = counted_phrase(speech, doing.per) if doing.per is not None else None
    return say.Change(doing.amount, doing.what.text, counted)
