"""Who does what and for how long, in German: main clauses, the verb second."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.wording.de.groups import group
from toolkit.wording.de.nouns import is_neuter, name, of
from toolkit.wording.de.verbs import FORMS, ORDERS, Predicate, predicate
from toolkit.wording.language import listed
from toolkit.wording.phrases import (
    ActPhrase,
    DoingPhrase,
    GroupSubject,
    Mention,
    PlayerSubject,
    Subject,
    counts_group,
)


class _Person(Struct, frozen=True):
    """The subject, which form its verbs have, its "seine", its pronoun, and what its numbers are called where
    they are the subject ("die AP des Angreifers betragen 6"), and the subject of what comes behind that."""

    name: str
    form: int
    own: str
    again: str
    fixed: Callable[[str], str]
    resumed: str


def act(said: ActPhrase, verb_first: bool) -> str:
    """One act; ``verb_first`` behind whatever takes the first place: "erhält er +2 AP".

    The duration stands behind the first verb that it holds for, and "so lange" behind each other.
    """
    person = _person(said.subject, verb_first)
    if said.for_another and person.again == "er":
        person = replace(person, again=person.resumed)
    phrases: list[str] = []
    behind, subject = "", person.name
    for stretch in said.stretches:
        first, again, last = _duration(stretch.duration, person)
        if len(said.stretches) == 1 and last and not counts_group(stretch):
            first, again, behind = "", "", last
        for at, (verb, rests, closing) in enumerate(_runs(stretch.doings, person.own)):
            words = [ORDERS[verb] if said.order else FORMS[verb][person.form]]
            if verb == "betragen":  # a number that is fixed is a subject of its own
                stat, rests = rests[0], rests[1:]
                subject = f"{person.own} {stat}" if phrases else person.fixed(stat)
            if subject and not said.order:
                words.insert(1 if verb_first and not phrases else 0, subject)
            subject = person.resumed if verb == "betragen" else ""
            words[-1] += again if at else first
            words += [listed(rests, "und"), closing]
            phrases.append(" ".join(word for word in words if word))
    return listed(phrases, "und") + behind


def _person(subject: Subject, verb_first: bool) -> _Person:
    match subject:
        case PlayerSubject("owner"):
            return _Person("du", 2, "deine", "du", lambda stat: f"deine {stat}", "du")
        case PlayerSubject():
            return _Person("dein Gegner", 0, "seine", "er", lambda stat: f"die {stat} deines Gegners", "er")
        case GroupSubject("all" | "bare" as count, who):
            them = group("all" if count == "all" else "some", who, verb_first)
            of_them = group("of all", who, before_object=True)
            return _Person(them, 1, "ihre", "sie", lambda stat: f"die {stat} {of_them}", "sie")
        case GroupSubject(_, who):
            one = group("one", who, verb_first)
            of_it = group("of one", who, before_object=True)
            return _Person(one, 0, "seine", "er", lambda stat: f"die {stat} {of_it}", "er")
        case Mention():
            it = "es" if is_neuter(subject) else "er"
            resumed = name(replace(subject, form="short") if subject.form == "full" else subject)
            return _Person(name(subject), 0, "seine", it, partial(of, subject), resumed)


def _runs(doings: tuple[DoingPhrase, ...], own: str) -> list[tuple[str, list[str], str]]:
    """Verb, what follows it, and its closing; neighbours share a verb, never across a counted amount."""
    runs: list[tuple[str, list[str], str]] = []
    before: Predicate | None = None
    for doing in doings:
        said = predicate(doing, own)
        if own == "ihre" and isinstance(doing, (tree.RollsExtra, tree.MayReroll)):
            said = replace(said, rest=f"jeweils {said.rest}")
        if isinstance(doing, tree.Fixes):
            runs.append((said.verb, [doing.stat.text, said.rest], said.closing))
        elif before and before.shared and said.shared and before.verb == said.verb:
            runs[-1][1].append(said.rest)
        else:
            runs.append((said.verb, [said.rest], said.closing))
        before = said
    return runs


def _duration(duration: tree.DurationName | None, person: _Person) -> tuple[str, str, str]:
    """What goes on behind the first verb and its subject, behind a further verb, or else at the very end."""
    if duration is None:
        return "", "", ""
    if duration == "FIELD":
        stays = {0: "bleibt", 1: "bleiben", 2: "bleibst"}[person.form]
        there = f", solange {person.again} auf dem FIELD {stays},"
        return there, " so lange", there
    if duration == "permanently":
        return " dauerhaft", " dauerhaft", ""
    return f" bis zum Ende {'der' if duration == 'ROUND' else 'des'} {duration}", " so lange", ""
