"""Who does what and for how long, in German: main clauses, the verb second."""

from __future__ import annotations

from dataclasses import dataclass, replace

from toolkit.dsl import tree
from toolkit.wording.de.groups import group
from toolkit.wording.de.nouns import is_neuter, name
from toolkit.wording.de.verbs import FORMS, Predicate, predicate
from toolkit.wording.language import listed
from toolkit.wording.phrases import ActPhrase, DoingPhrase, GroupSubject, Mention, PlayerSubject, Subject


@dataclass(frozen=True, slots=True)
class _Person:
    """The subject, which form its verbs have, its "seine", and its pronoun."""

    name: str
    form: int
    own: str
    again: str


def act(said: ActPhrase, verb_first: bool) -> str:
    """One act; ``verb_first`` behind whatever takes the first place: "erhält er +2 AP".

    The duration stands behind the first verb that it holds for, and "so lange" behind each other.
    """
    person = _person(said.subject, verb_first)
    phrases: list[str] = []
    behind = ""
    for stretch in said.stretches:
        first, again, last = _duration(stretch.duration, person)
        if len(said.stretches) == 1 and last:
            first, again, behind = "", "", last
        for at, (verb, rests, closing) in enumerate(_runs(stretch.doings, person.own)):
            words = [FORMS[verb][person.form]]
            if not phrases:
                words.insert(1 if verb_first else 0, person.name)
            words[-1] += again if at else first
            words += [listed(rests, "und"), closing]
            phrases.append(" ".join(word for word in words if word))
    return listed(phrases, "und") + behind


def _person(subject: Subject, verb_first: bool) -> _Person:
    match subject:
        case PlayerSubject("owner"):
            return _Person("du", 2, "deine", "du")
        case PlayerSubject():
            return _Person("dein Gegner", 0, "seine", "er")
        case GroupSubject("all" | "bare" as count, who):
            return _Person(group("all" if count == "all" else "some", who, verb_first), 1, "ihre", "sie")
        case GroupSubject(_, who):
            return _Person(group("one", who, verb_first), 0, "seine", "er")
        case Mention():
            return _Person(name(subject), 0, "seine", "es" if is_neuter(subject) else "er")


def _runs(doings: tuple[DoingPhrase, ...], own: str) -> list[tuple[str, list[str], str]]:
    """Verb, what follows it, and its closing; neighbours share a verb, never across a counted amount."""
    runs: list[tuple[str, list[str], str]] = []
    before: Predicate | None = None
    for doing in doings:
        said = predicate(doing, own)
        if own == "ihre" and isinstance(doing, (tree.RollsExtra, tree.MayReroll)):
            said = replace(said, rest=f"jeweils {said.rest}")
        if before and before.shared and said.shared and before.verb == said.verb:
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
