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
_REMARK, _WORD_OF_REMARK, _DEAR_OF_REMARK, _MOST_OF_REMARK = 0.6, 0.3, 0.8, 7
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
    read = (spoken, readings, components)
    for covered in _covering(*read, {}) or _covering(*read, _remarks(spoken)):
        for sentence, cost in _sentences(_once(covered.components)):
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
    remarks: Mapping[int, tuple[int, float]],
) -> list[_Covered]:
    """Return the cheapest ways to cover a text with components, and with what may be mere remarks."""
    ways: list[dict[tuple[str, ...], _Covered]] = [{} for _ in range(len(spoken) + 1)]
    ways[0][()] = _Covered(0.0, (), ())

    def reach(end: int, covered: _Covered) -> None:
        key = tuple(component.words for component in covered.components)
        other = ways[end].get(key)
        if covered.cost <= MOST_COST and (other is None or covered.cost < other.cost):
            ways[end][key] = covered

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
                end, price = remarks[position]
                reach(end, _Covered(cost + price, chosen, left_out + tuple(spoken[position:end])))
            for component in components[position]:
                reach(
                    component.end,
                    _Covered(cost + component.cost, (*chosen, component), left_out + component.left_out),
                )
    return heapq.nsmallest(_MOST_COVERED, filter(_has_deed, ways[-1].values()), key=_cost_of)


def _remarks(spoken: Sequence[str]) -> dict[int, tuple[int, float]]:
    """Return where what stands between two marks begins, with its end and what it costs as a mere remark."""
    remarks = dict[int, tuple[int, float]]()
    begin = 0
    for end in range(len(spoken) + 1):
        if end < len(spoken) and spoken[end] not in _MARKS:
            continue
        words = spoken[begin:end]
        if 0 < len(words) <= _MOST_OF_REMARK and not any(word.isdecimal() for word in words):
            dear = sum(word in thesaurus().dear for word in words)
            remarks[begin] = end, _REMARK + _WORD_OF_REMARK * len(words) + _DEAR_OF_REMARK * dear
        begin = end + 1
    return remarks


def _cost_of(covered: _Covered) -> float:
    return covered.cost


def _has_deed(covered: _Covered) -> bool:
    return any(component.kind == "deed" for component in covered.components)


def _once(components: Iterable[Component]) -> list[Component]:
    """Return components without those that say again what was said: `harder to hit: +1 EP`."""
    words_so_far, once = set[str](), list[Component]()
    for component in components:
        words = _UNSAID.sub("self", component.words)
        if component.kind[0] == "@" or words not in words_so_far:
            once.append(component)
        words_so_far.add(words)
    return once


def _sentences(components: Sequence[Component]) -> Iterator[tuple[str, float]]:
    """Yield what components say in one sentence, and in two where a full stop stands between deeds."""
    yield from _put_together([component for component in components if component.kind != _STOP])
    for number, component in enumerate(components):
        if component.kind == _STOP:
            halves = [[*filter(_says_something, half)] for half in (components[:number], components[number:])]
            if all(any(component.kind == "deed" for component in half) for half in halves):
                for (sentence, cost), (other, price) in product(*map(_put_together, halves)):
                    yield f"{sentence} {other}", cost + price + _TWO_SENTENCES


def _says_something(component: Component) -> bool:
    return component.kind != _STOP


def _put_together(components: Sequence[Component]) -> Iterator[tuple[str, float]]:
    """Yield what components say as one sentence, with what that costs."""
    openings, limits, conditions = (
        [component.words for component in components if component.kind == kind]
        for kind in ("opening", "limit", "if")
    )
    for opening in openings[:-1]:
        state = f"if {opening.partition(' ')[2]}"
        if can_be_parsed(f"{state} , self advances ."):
            openings.remove(opening)
            conditions.append(state)
    if len(openings) > 1 or len(limits) > 1 or len({words.partition(" ")[0] for words in conditions}) > 1:
        return
    heads = [*limits, *openings]
    if conditions:
        first = conditions[0].partition(" ")[0]
        heads.append(f"{first} {' and '.join(words.partition(' ')[2] for words in conditions)}")
    head = "".join(f"{words} , " for words in heads)
    clauses = _clauses_of(components)
    if clauses is not None:
        for body, cost in _linked(clauses):
            yield from _with_who(f"{head}{body} .", cost)


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
    link, ahead, is_permitted, is_choice = "", "", False, False
    for component in components:
        if component.kind == "deed":
            clauses.append(_Clause(f"{component.words} {ahead}".strip(), "", link))
            link = ahead = ""
        elif component.kind in ("duration", "per") and not clauses:
            ahead = f"{component.words} {ahead}".strip()
        elif component.kind == "duration" and not clauses[-1].duration:
            clauses[-1] = clauses[-1]._replace(duration=component.words)
        elif component.kind == "per":
            clauses[-1] = clauses[-1]._replace(deed=f"{clauses[-1].deed} {component.words}")
        elif component.kind == "@max" and clauses and " for each " in clauses[-1].deed:
            most = component.words.partition(" ")[2]
            clauses[-1] = clauses[-1]._replace(deed=f"{clauses[-1].deed} ( max {most} )")
        elif component.kind == "@same" and clauses:
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
    has_choice = any(clause.link == "@or" for clause in clauses)
    if not clauses or link or len(clauses) > _MOST_DEEDS or (is_choice and not has_choice):
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
    """Yield what was said with one more clause."""
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
    first, second = who_of(body), who_of(clause.deed)
    deed = clause.deed[len(second) + 1 :]
    is_same = first == second or second in _MEANT
    if not first or not is_same or deed.startswith("may ") or " until " in body or "permanently" in body:
        return ""
    change = _CHANGE.match(deed)
    is_after_change = _CHANGE.search(body.rpartition(" and ")[2]) is not None
    deed = deed.partition(" ")[2] if change and is_after_change else deed
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
    """Yield a sentence with each who may be meant where nobody is named."""
    unsaid = list(dict.fromkeys(_UNSAID.findall(sentence)))
    other = _OF_ANOTHER.match(sentence)
    is_other = other is not None and (other["side"] != "enemy" or _HARM.search(sentence) is not None)
    for chosen in product(*(_MEANT[name] for name in unsaid)):
        is_it = is_other and ("@he", "it") in zip(unsaid, (actor for actor, _ in chosen), strict=True)
        named, price = sentence, cost + _THAT_ONE * is_it
        for name, (actor, extra) in zip(unsaid, chosen, strict=True):
            named = named.replace(name, actor)
            price += extra
        yield named, price
