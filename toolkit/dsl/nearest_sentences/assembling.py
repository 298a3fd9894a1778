"""Sentences put together from what people speak of: when, if, who does what, how long.

They say these components in any order and leave out who acts where it is clear; the language has one order
and says all. From left to right components are chosen that cover the text; then they are put in order.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.frames import Framed
from toolkit.dsl.nearest_sentences.pieces import Reading, words_in
from toolkit.dsl.nearest_sentences.search import Found, can_be_parsed
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus

MOST_COST = 8.0
"""What costs more is not near."""
_MOST_WAYS = 40
"""How many ways to cover the text up to a word are followed."""
_MOST_COVERED = 12
"""How many ways to cover all of it are put together."""
_MOST_DEEDS = 3
_FILLER, _MARK, _TWO_SENTENCES = 0.04, 0.02, 0.1
_THEN, _AND, _JOINED, _CHEAPER = 0.02, 0.03, 0.06, -0.05
_PRONOUN = 0.3
_SAID_AGAIN = frozenset(words_in("he she it him her you they them gets has is makes"))
"""What may be said once more: who acts, or that something is so."""
_REMARK, _WORD_OF_REMARK, _DEAR_OF_REMARK = 0.6, 0.3, 0.8
_MOST_OF_REMARK = 7
"""How many words a mere remark may have."""
_STOPS = frozenset(".!?")
_MARKS = frozenset(".,:;!?()-")
_STOP = "@stop"
_SIGN = re.compile(r"(?P<sign>[+-])(?P<number>\d)")
_UNSAID = re.compile(r"@who|@he")
_MEANT = {
    "@who": (("self", 0.0), ("target", 0.3), ("it", 0.25), ("attacker", 0.45), ("attacked", 0.45)),
    "@he": (("self", 0.0), ("it", 0.05), ("target", 0.2), ("attacker", 0.45), ("attacked", 0.45)),
}
"""Who may be meant where nobody is named, and by a pronoun, with what that costs."""
_OF_ANOTHER = re.compile(r"(?:once per \w+ , )?(?:when|while) (?:an|another) (?P<side>\w+)[^,]*,")
_HARM = re.compile(
    r"@he (?:gets? (?:- |\+ \d+ HITCOUNTER)|becomes? (?:EXHAUSTED|OUT)|loses?|cannot|discards?|retreats?"
    r"|halves)"
)
_THAT_ONE = -0.15
"""A pronoun behind what happens to another is that one, unless it is an enemy to whom good is done."""
_LASTS = re.compile(r" (?:gets? [+-]|cannot|ignores?|doubles?|halves?) ")
_PRICE = re.compile(r"(?:owner|opponent) (?:may )?discards? ")
_CHANGE = re.compile(r"gets? [+-] ")


class Component(NamedTuple):
    """A component of a sentence, up to ``end``: its words, and which component it is.

    ``kind`` is ``opening``, ``limit``, ``if``, ``deed``, ``duration``, ``per``, or for words that only hold
    deeds together the word with an ``@`` that the frames have for it.
    """

    end: int
    kind: str
    words: str
    cost: float
    left_out: tuple[str, ...]


class _Covered(NamedTuple):
    """Parts that cover a text up to a word."""

    cost: float
    components: tuple[Component, ...]
    left_out: tuple[str, ...]


def assembled(
    spoken: Sequence[str], readings: Sequence[Sequence[Reading]], framed: Sequence[Sequence[Framed]]
) -> Iterator[Found]:
    """Yield sentences that the components of a text say, each once with what it costs."""
    components = [_components_at(*at_word) for at_word in zip(readings, framed, strict=True)]
    sentences = set[str]()
    # only a text that cannot be covered otherwise has mere remarks: they could be anything
    ways_to_cover = _covering(spoken, readings, components, {}) or _covering(
        spoken, readings, components, _remarks(spoken)
    )
    for covered in ways_to_cover:
        for sentence, cost in _sentences(_without_repetitions(covered.components)):
            if sentence not in sentences and can_be_parsed(sentence):
                sentences.add(sentence)
                yield Found(covered.cost + cost, sentence, covered.left_out, ())


def _components_at(readings: Iterable[Reading], framed: Iterable[Framed]) -> list[Component]:
    """Return the components that begin at a word."""
    components: dict[tuple[int, str], Component] = {}
    as_read = [
        Framed(reading.end, " ".join(piece.text for piece in reading.pieces), reading.cost, reading.left_out)
        for reading in readings
    ]
    for end, right, cost, left_out in (*as_read, *framed):
        words = _SIGN.sub(r"\g<sign> \g<number>", right.removesuffix(" ,"))
        kind = _kind_of(words)
        if kind:
            component = Component(end, kind, words, cost, left_out)
            components[end, words] = min(
                component, components.get((end, words), component), key=lambda either: either.cost
            )
    return list(components.values())


@lru_cache(maxsize=20_000)
def _kind_of(words: str) -> str:
    """Return which component of a sentence words are: empty if they are none."""
    first = words.partition(" ")[0]
    if first[:1] == "@" and first not in _MEANT:
        return first
    named = _UNSAID.sub("self", words)
    for kind, begins, tried in (
        ("duration", ("until", "permanently", "while"), f"self advances {named} ."),
        ("limit", ("once",), f"{named} , self advances ."),
        ("per", ("for",), f"self gets + 1 AP {named} ."),
        ("opening", ("when", "while"), f"{named} , self advances ."),
        ("if", ("if", "unless"), f"{named} , self advances ."),
    ):
        if first in begins and can_be_parsed(tried):
            return kind
    return "deed" if first and can_be_parsed(f"{named} .") else ""


def _covering(
    spoken: Sequence[str],
    readings: Sequence[Sequence[Reading]],
    components: Sequence[Sequence[Component]],
    remarks: Mapping[int, _Remark],
) -> list[_Covered]:
    """Return the cheapest ways to cover a text with components, and with what may be mere remarks."""
    ways: list[dict[tuple[str, ...], _Covered]] = [{} for _ in range(len(spoken) + 1)]
    ways[0][()] = _Covered(0.0, (), ())

    def reach(end: int, covered: _Covered) -> None:
        words = tuple(component.words for component in covered.components)
        cheapest = ways[end].get(words)
        if covered.cost <= MOST_COST and (cheapest is None or covered.cost < cheapest.cost):
            ways[end][words] = covered

    for position, word in enumerate(spoken):
        for cost, chosen, left_out in heapq.nsmallest(_MOST_WAYS, ways[position].values(), key=_cost_of):
            if word in _STOPS and chosen:
                stop = Component(position + 1, _STOP, _STOP, 0.0, ())
                reach(position + 1, _Covered(cost, (*chosen, stop), left_out))
            if word in _MARKS:
                reach(position + 1, _Covered(cost + _MARK, chosen, left_out))
            for reading in readings[position]:
                if not reading.pieces:
                    price = reading.cost if reading.left_out else min(_FILLER, reading.cost)
                    reach(reading.end, _Covered(cost + price, chosen, left_out + reading.left_out))
            if word in _SAID_AGAIN:
                reach(position + 1, _Covered(cost + _PRONOUN, chosen, left_out))
            if position in remarks:
                remark = remarks[position]
                left_out_with_it = left_out + tuple(spoken[position : remark.end])
                reach(remark.end, _Covered(cost + remark.cost, chosen, left_out_with_it))
            for component in components[position]:
                reach(
                    component.end,
                    _Covered(cost + component.cost, (*chosen, component), left_out + component.left_out),
                )
    sentences = (covered for covered in ways[-1].values() if _has_deed(covered.components))
    return heapq.nsmallest(_MOST_COVERED, sentences, key=_cost_of)


class _Remark(NamedTuple):
    """Words of a text up to ``end`` that may be left out as a mere remark, and what that costs."""

    end: int
    cost: float


def _remarks(spoken: Sequence[str]) -> dict[int, _Remark]:
    """Return by where it begins what may be a mere remark: few words between two marks, without a number."""
    remarks = dict[int, _Remark]()
    begin = 0
    ends = [position for position, word in enumerate(spoken) if word in _MARKS]
    for end in (*ends, len(spoken)):
        words = spoken[begin:end]
        if 0 < len(words) <= _MOST_OF_REMARK and not any(word.isdecimal() for word in words):
            dear_words = sum(word in thesaurus().dear for word in words)
            cost = _REMARK + _WORD_OF_REMARK * len(words) + _DEAR_OF_REMARK * dear_words
            remarks[begin] = _Remark(end, cost)
        begin = end + 1
    return remarks


def _cost_of(covered: _Covered) -> float:
    return covered.cost


def _has_deed(components: Iterable[Component]) -> bool:
    return any(component.kind == "deed" for component in components)


def _without_repetitions(components: Iterable[Component]) -> list[Component]:
    """Return components without those that say again what was said: `harder to hit: +1 EP`."""
    words_so_far, remaining = set[str](), list[Component]()
    for component in components:
        words = _UNSAID.sub("self", component.words)
        only_links = component.kind[0] == "@"  # `then` may link more than two deeds
        if only_links or words not in words_so_far:
            remaining.append(component)
        words_so_far.add(words)
    return remaining


def _sentences(components: Sequence[Component]) -> Iterator[tuple[str, float]]:
    """Yield what components say in one sentence, and in two where a full stop stands between deeds."""
    yield from _put_together(_without_stops(components))
    for number, component in enumerate(components):
        if component.kind == _STOP:
            first_half, second_half = _without_stops(components[:number]), _without_stops(components[number:])
            if not (_has_deed(first_half) and _has_deed(second_half)):
                continue
            pairs = product(_put_together(first_half), _put_together(second_half))
            for (first, cost_of_first), (second, cost_of_second) in pairs:
                yield f"{first} {second}", cost_of_first + cost_of_second + _TWO_SENTENCES


def _without_stops(components: Iterable[Component]) -> list[Component]:
    return [component for component in components if component.kind != _STOP]


def _put_together(components: Sequence[Component]) -> Iterator[tuple[str, float]]:
    """Yield what components say as one sentence, with what that costs; nothing if they do not fit."""
    head, clauses = _head_of(components), _clauses_of(components)
    if head is not None and clauses is not None:
        for body, cost in _linked(clauses):
            yield from _with_who(f"{head}{body} .", cost)


def _head_of(components: Sequence[Component]) -> str | None:
    """Return what stands before the deeds: a limit, an opening and conditions; None if they do not fit.

    A sentence has one opening. Of several, all but the last are conditions if they speak of a state:
    `while it is HIT, when attacking`. Conditions are joined if they begin alike, with `if` or with `unless`.
    """
    openings, limits, conditions = (
        [component.words for component in components if component.kind == kind]
        for kind in ("opening", "limit", "if")
    )
    for opening in openings[:-1]:
        state = f"if {opening.partition(' ')[2]}"
        if can_be_parsed(f"{state} , self advances ."):
            openings.remove(opening)
            conditions.append(state)
    first_words = {condition.partition(" ")[0] for condition in conditions}
    if len(openings) > 1 or len(limits) > 1 or len(first_words) > 1:
        return None
    heads = [*limits, *openings]
    for first_word in first_words:
        states = [condition.partition(" ")[2] for condition in conditions]
        heads.append(f"{first_word} {' and '.join(states)}")
    return "".join(f"{words} , " for words in heads)


class _Clause(NamedTuple):
    """A deed, how long it lasts, and what links it with the one before."""

    deed: str
    duration: str = ""
    link: str = ""

    def __str__(self) -> str:
        return f"{self.deed} {self.duration}".strip()


def _clauses_of(components: Iterable[Component]) -> list[_Clause] | None:
    """Return the clauses of a sentence; None if its components do not fit together."""
    clauses = list[_Clause]()
    link, said_before_deed, is_permitted, is_choice = "", "", False, False
    for component in components:
        if component.kind == "deed":
            clauses.append(_Clause(f"{component.words} {said_before_deed}".strip(), "", link))
            link = said_before_deed = ""
        elif component.kind in ("duration", "per") and not clauses:
            said_before_deed = f"{component.words} {said_before_deed}".strip()
        elif component.kind == "duration" and not clauses[-1].duration:
            clauses[-1] = clauses[-1]._replace(duration=component.words)
        elif component.kind == "per":
            clauses[-1] = clauses[-1]._replace(deed=f"{clauses[-1].deed} {component.words}")
        elif component.kind == "@max" and clauses and " for each " in clauses[-1].deed:
            most = component.words.partition(" ")[2]
            clauses[-1] = clauses[-1]._replace(deed=f"{clauses[-1].deed} ( max {most} )")
        elif component.kind == "@same" and clauses:
            # `and so does one adjacent own OPERATOR`: the last clause once more with another who acts
            deed, duration, _ = clauses[-1]
            group = component.words.partition(" ")[2]
            clauses.append(_Clause(group + deed[len(who_of(deed)) :], duration))
        elif component.kind == "@may":
            is_permitted = True
        elif component.kind == "@either":
            is_choice = True
        elif component.kind in ("@or", "@so", "@not", "@then"):
            link = component.kind
        elif component.kind in ("duration", "@max", "@same"):
            return None
    has_open_link = link != ""
    has_alternatives = any(clause.link == "@or" for clause in clauses)
    if not clauses or has_open_link or len(clauses) > _MOST_DEEDS or (is_choice and not has_alternatives):
        return None
    if is_permitted:
        clauses[0] = clauses[0]._replace(deed=_permitted(clauses[0].deed))
    return clauses


def _permitted(deed: str) -> str:
    """Return a deed with `may`, unless it has it or is forbidden."""
    actor = who_of(deed)
    does = deed[len(actor) :]
    return deed if not actor or does.startswith((" may ", " cannot ")) else f"{actor} may{does}"


def _linked(clauses: Sequence[_Clause]) -> list[tuple[str, float]]:
    """Return the ways to say clauses one after the other, with what each costs."""
    bodies = [(str(clauses[0]), 0.0)]
    for earlier, clause in pairwise(clauses):
        bodies = [
            (linked, cost + price)
            for body, cost in bodies
            for linked, price in _links(body, earlier.deed, clause)
        ]
    return bodies


def _links(body: str, earlier: str, clause: _Clause) -> Iterator[tuple[str, float]]:
    """Yield what was said so far (``body``) with one more clause, ``earlier`` being the deed before it."""
    if clause.link == "@or":
        yield f"either {body} or {clause}", 0.0
        if _PRICE.match(body):
            yield f"{_permitted(body)} , if not , {clause}", _CHEAPER
    elif clause.link == "@not":
        yield f"{body} , if not , {clause}", 0.0
    elif clause.link == "@so" or " rolls a D6 for " in earlier:
        yield f"{body} , if so , {clause}", 0.0
    else:
        joined = _joined(body, clause)
        if joined:
            yield joined, 0.0 if _LASTS.search(clause.deed) else _JOINED
        if " may " in earlier:
            yield f"{body} , if so , {clause}", _CHEAPER
        yield f"{body} , then {clause}", _THEN
        yield f"{body} , and {clause}", _AND


def _joined(body: str, clause: _Clause) -> str:
    """Return two clauses about the same one as one; empty if they cannot be joined."""
    first_actor, second_actor = who_of(body), who_of(clause.deed)
    deed = clause.deed[len(second_actor) + 1 :]
    is_about_same = first_actor == second_actor or second_actor in _MEANT
    has_duration = " until " in body or "permanently" in body
    if not first_actor or not is_about_same or deed.startswith("may ") or has_duration:
        return ""
    if _CHANGE.match(deed) and _CHANGE.search(body.rpartition(" and ")[2]):
        deed = deed.partition(" ")[2]  # `gets +1 AP and +1 EP`, the verb once
    return f"{body} and {deed} {clause.duration}".strip()


@lru_cache(maxsize=8192)
def who_of(clause: str) -> str:
    """Return the words of a clause that say who acts; empty if it does not begin with them."""
    words = clause.split(" ")
    for length in range(len(words) - 1, 0, -1):
        actor = " ".join(words[:length])
        if can_be_parsed(f"{_UNSAID.sub('self', actor)} advances ."):
            return actor
    return ""


def _with_who(sentence: str, cost: float) -> Iterator[tuple[str, float]]:
    """Yield a sentence with each who may be meant where nobody is named, and its cost with that."""
    unsaid = list(dict.fromkeys(_UNSAID.findall(sentence)))
    other = _OF_ANOTHER.match(sentence)
    is_about_other = other is not None and (other["side"] != "enemy" or _HARM.search(sentence) is not None)
    for meant in product(*(_MEANT[name] for name in unsaid)):
        named_sentence, cost_of_named = sentence, cost
        actors = [actor for actor, _ in meant]
        if is_about_other and ("@he", "it") in zip(unsaid, actors, strict=True):
            cost_of_named += _THAT_ONE
        for name, (actor, extra_cost) in zip(unsaid, meant, strict=True):
            named_sentence = named_sentence.replace(name, actor)
            cost_of_named += extra_cost
        yield named_sentence, cost_of_named
