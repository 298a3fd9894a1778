"""What people leave unsaid and the language must say: when it happens, how long it lasts, of whom.

A sentence of the search is right in its words and its grammar; whether it makes sense where it stands is
checked afterwards. What it becomes with a trigger, with a duration, or without one that says nothing is
yielded here, each with what that costs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.search import can_be_parsed

_SLIGHTLY, _EXPECTED, _MENDED, _UNSAID_MOMENT, _NO_OPENING, _NO_MOMENT = 0.05, 0.1, 0.3, 1.1, 0.5, 1.5
_UNSAID = {
    "when played ,": {"when played ,": _EXPECTED},
    "when attacking ,": {"when attacking ,": _EXPECTED, "when attached ,": 0.2},
    "when attacked ,": {"when attacked ,": _EXPECTED, "when attached ,": 0.2},
    "when self CAPTURES the OBJECTIVE ,": {"when self CAPTURES the OBJECTIVE ,": 0.2},
    "": {"when the own TURN begins ,": _UNSAID_MOMENT, "when attached ,": 0.5},
}
"""What may be meant where a kind of card suggests an opening, with what that costs."""
_ATTACKS = {
    "when attacking ,": ("attacking", "attacked"),
    "when attacked ,": ("attacked", "attacking"),
}
"""A card of an attack is always on the same side of it."""
_LIMIT = re.compile(r"(?:once per \w+ , )?")
_OPENED = re.compile(r"(?:when|while) .*? ,")
_CONTINUOUS = re.compile(
    r"(?:when|while) (?:attacking|attacked|an(?:other)? [^,]* (?:attacks|is attacked)) ,"
    r"|while |if |unless |(?!when )"
)
_OF_ATTACK = re.compile(r"when (?:attached|an attack (?:by|on) [^,]* begins) ,")
_LASTING = re.compile(
    r" (?:(?:gets? |and )?[+-] \d+ (?:AP|EP|DP|MP|DAMAGE|RANGE)|ignores?|cannot|doubles?|halves?|halve"
    r"|fix(?:es)?|limits?|divides?|multipl(?:y|ies)|rolls? \+|may reroll|makes?|keeps?|sets?"
    r"|gains? (?:RULEVIOLATION|trait|KEYWORD)|loses? SKILLs)\b"
)
_DURATION = re.compile(r" (?:until |permanently|while on)")
_SAID_DURATION = re.compile(r"until end of (?:ATTACK|TURN|ROUND)|until the own TURN begins")
_ONCE = r"(?:once per \w+ , )?"
_READ_AS = (
    (
        re.compile(_ONCE + r"(?:when|while) an(?:other)? [^,]* (?:attacks|is attacked) ,"),
        re.compile(r"\btarget\b"),
        "attacked",
        _SLIGHTLY,
    ),
    (
        re.compile(_ONCE + r"(?:when|while) attacked ,.*\bself (?:may reroll|rolls)\b"),
        re.compile(r"(?<= )ATTACK(?= D6)"),
        "DEFENCE",
        -_SLIGHTLY,
    ),
    (
        re.compile(_ONCE + r"when the attack hits ,.* DAMAGE"),
        re.compile(r"when the attack hits(?= ,)"),
        "while attacking",
        _SLIGHTLY,
    ),
)
"""What is read as something else where it stands: behind which words, what, as what, and what that costs."""
_ONE_ALWAYS = re.compile(r"one (?P<who>(?:(?:other|own|enemy) )*OPERATOR) ")
"""Who is meant always is not one of them."""
_COUNTED = re.compile(r"\b(number of|for each) OPERATOR")
"""OPERATORs that are counted are the own ones if nothing else is said."""
_ACTING = re.compile(
    r"\b(?:one|two|three|all) (?:random )?"
    r"(OPERATORs? (?:(?:in RANGE|adjacent|opposite|with|that) [^,.]*? )?)"
    r"(?=(?:may )?(?:gets?|becomes?|loses?|cannot|ignores?|halves?|doubles?|gains?|retreats?|performs?"
    r"|advances?|enters?) )"
)
"""OPERATORs of whom it was left unsaid whose they are: those to whom harm is done are enemies."""
_HARM = re.compile(
    r"(?:gets? (?:- \d+ (?:AP|EP|DP|MP|RANGE)|\+ \d+ (?:HITCOUNTER|DAMAGE))|becomes? (?:EXHAUSTED|OUT)|loses?"
    r"|cannot|halves?|retreats?)"
)
_CLAUSE = re.compile(r"(?P<clause>.+?)(?P<end> (?:, (?:then|and|if (?:so|not) ,)|\.|or) |  *\.$)")
_IDLE = re.compile(
    r"(?:(?<= \))|(?<= cards)|(?<= card)|(?<= DECK)|(?<= hand)|(?<= HITCOUNTER)) until end of (?:TURN|ATTACK)"
)
"""A duration that says nothing: a BONUS lapses at the end of the TURN, a card is drawn once."""
_SAME_AGAIN = re.compile(
    r"(?P<who>\b(?:self|target|attacker|attacked|it))(?P<deeds> [^,.]*?) , and (?P=who) "
)
_BECOMING = re.compile(r"(?P<who>(?<=when )(?:self|an(?:other)? [^,]*?)) is (?P<status>HIT|OUT) ,")
_ATTACK_ON_ANOTHER = re.compile(r"when an attack on an|(?:when|while) an(?:other)? [^,]* is attacked ,")
_CHOSEN = re.compile(r"\b(?:one|two|three|another|all)\b")
_PLAYER_ACTS = re.compile(r"\b(?:self|it|target)(?= (?:may )?(?:draws?|discards?|puts?|looks?) )")
_AS_EVENTS = {f"{when} attacking ,": "when self performs ATTACK ," for when in ("when", "while")}
_CARD_ATTACKS = ("when attacked ,", "while attacked ,")
_PERFORMED = re.compile(r"^when ([^,]*) performs ATTACK ,")
_OTHERS_AS_EVENTS = (
    (re.compile(r"^(?:when|while) (an(?:other)? [^,]*) attacks ,"), r"when \1 performs ATTACK ,"),
    (re.compile(r"^(?:when|while) (an(?:other)? [^,]*) is attacked ,"), r"when an attack on \1 begins ,"),
)
_MOMENTS = {
    "BONUS ( ATTACK )": "when self performs ATTACK ,",
    "BONUS ( MOVE )": "when self performs MOVE ,",
    "BONUS ( MEDIC )": "when self performs MEDIC ,",
    " target ": "while attacking ,",
    " attacker ": "while attacked ,",
    "self gets - 1 DAMAGE": "while attacked ,",
    " DEFENCE D6": "while attacked ,",
    " ATTACK D6": "while attacking ,",
    "self halves DAMAGE": "while attacked ,",
    "self fixes DAMAGE": "while attacked ,",
    "self limits DAMAGE": "while attacked ,",
}
"""When something happens that speaks of an attack or of one more ACTION and says no moment."""


class Mend(NamedTuple):
    """What a sentence becomes, with what that costs and the words with a meaning that it adds."""

    sentence: str
    cost: float
    added: tuple[str, ...] = ()


def cost_without_opening(sentence: str, openings: Sequence[str]) -> float:
    """Return what it costs to leave an opening away where all kinds of card suggest one.

    One more ATTACK comes after the one that goes on, not while a card is attached to it.
    """
    if _as_condition(_LIMIT.sub("", sentence, 1)) is None:
        return (
            _NO_OPENING if sentence.startswith("when attached ,") and "BONUS ( ATTACK )" in sentence else 0.0
        )
    return _NO_MOMENT if " BONUS " in sentence else 0.0 if "" in openings else _NO_OPENING


def mends(sentence: str, openings: Sequence[str]) -> Iterator[Mend]:
    """Yield what a sentence becomes with what was left unsaid, where cards suggest such openings."""
    if len(openings) == 1 and openings[0] in _ATTACKS:
        own_part, other_part = _ATTACKS[openings[0]]
        for when in ("when", "while"):
            if f"{when} {other_part} ," in sentence:
                yield Mend(sentence.replace(f"{when} {other_part} ,", f"{when} {own_part} ,"), -_MENDED)
    for pattern, written, right, cost in _READ_AS:
        if pattern.match(sentence) and written.search(sentence):
            yield Mend(written.sub(right, sentence), cost)
    if "" in openings and (first := _ONE_ALWAYS.match(sentence)) is not None:
        yield Mend(f"all {first['who']}s {sentence[first.end() :]}", _EXPECTED)
    if _COUNTED.search(sentence):
        yield Mend(_COUNTED.sub(r"\1 own OPERATOR", sentence), -_SLIGHTLY)
    if (acting := _ACTING.search(sentence)) is not None:
        side = "enemy" if _HARM.match(sentence, acting.end()) else "own"
        yield Mend(f"{sentence[: acting.start(1)]}{side} {sentence[acting.start(1) :]}", _EXPECTED)
    limit = _LIMIT.match(sentence).group()  # type: ignore[union-attr]
    body = sentence[len(limit) :]
    condition = _as_condition(body)
    if condition is not None:
        for mend in _opened(condition, openings):
            yield mend._replace(sentence=limit + mend.sentence)
    for mend in (*_timed(body), *_reread(body)):
        yield mend._replace(sentence=limit + mend.sentence)


def _as_condition(body: str) -> str | None:
    """Return a sentence that has no trigger with `if` before its condition; None for one that has."""
    opened = _OPENED.match(body)
    if opened is None:
        return body
    condition = f"if {body.split(' ', 1)[1]}"
    return condition if can_be_parsed(condition) else None


def _reread(body: str) -> Iterator[Mend]:
    """Yield a sentence with a state as what happens, and with a player where an OPERATOR cannot act."""
    happening = _BECOMING.sub(r"\g<who> becomes \g<status> ,", body)
    if happening != body:
        yield Mend(happening, _EXPECTED)
    if body.startswith("when self ") and " it " in body and not _CHOSEN.search(body):
        yield Mend(body.replace(" it ", " self "), -_SLIGHTLY)
    if _ATTACK_ON_ANOTHER.match(body) and " self fixes DAMAGE" in body:
        ref = "it" if "begins" in body else "attacked"
        yield Mend(body.replace(" self fixes DAMAGE", f" {ref} fixes DAMAGE"), -_EXPECTED)
    own_number = body.replace(" owner gets ", " self gets ")
    if own_number != body and "MARKER" not in body:
        yield Mend(own_number, _EXPECTED)
    player = "opponent" if "enemy" in body.split(",")[0] else "owner"
    acting = _PLAYER_ACTS.sub(player, body)
    if acting != body:
        yield Mend(acting, _MENDED)


def _opened(condition: str, openings: Sequence[str]) -> Iterator[Mend]:
    """Yield a sentence without a trigger with each that may be meant."""
    for opening in openings:
        for words, cost in _UNSAID.get(opening, {}).items():
            is_added = not opening
            yield Mend(f"{words} {condition}", cost, tuple(words.split()) if is_added else ())
    if (
        "target gets + " in condition.replace("adjacent to target", "target")
        and "HITCOUNTER" in condition
        and "when played ," not in openings
    ):
        yield Mend(f"when the attack hits , {condition}", _MENDED)
    for sign, words in _MOMENTS.items():
        if sign in f" {condition}" and "" in openings:
            yield Mend(f"{words} {condition}", _EXPECTED if "attack" in words else _MENDED)


def _timed(body: str) -> Iterator[Mend]:
    """Yield a sentence with a duration where an event needs one, without one that is idle, as an event."""
    is_continuous = _CONTINUOUS.match(body) is not None
    yield from _shortened(body, is_continuous=is_continuous)
    yield from _as_event(body)
    if not is_continuous:
        yield from _lasting(body)
    elif " it " in body and (subject := re.match(r"(?:when|while) [^,]* (attacks|is attacked) ,", body)):
        ref = "attacker" if subject.group(1) == "attacks" else "attacked"
        yield Mend(body.replace(" it ", f" {ref} "), _EXPECTED)


def _shortened(body: str, *, is_continuous: bool) -> Iterator[Mend]:
    """Yield a sentence without what it says twice, and without durations that go without saying."""
    shorter = _IDLE.sub("", body)
    if is_continuous:
        joined = _SAME_AGAIN.sub(r"\g<who>\g<deeds> and ", body)
        if joined != body:
            yield Mend(joined.replace(" and gets +", " and +").replace(" and gets -", " and -"), -_EXPECTED)
        shorter = shorter.replace(" until end of ATTACK", "")
    if shorter != body:
        yield Mend(shorter, _EXPECTED)


def _as_event(body: str) -> Iterator[Mend]:
    """Yield a sentence about the time of an attack as one about its beginning."""
    for written, event in _AS_EVENTS.items():
        if body.startswith(written):
            yield Mend(f"{event}{body.removeprefix(written)}", _MENDED, ("performs",))
    if body.startswith(_CARD_ATTACKS):
        deed = body[body.index(" ,") :]
        yield Mend(f"when attached{deed}", _MENDED)
        yield Mend(f"when an attack on self begins{deed}", _MENDED, ("begins",))
    if "until end of ATTACK" in body:
        begins = _PERFORMED.sub(r"when an attack by \1 begins ,", body)
        if begins != body:
            yield Mend(begins, _EXPECTED, ("begins",))
    for pattern, event in _OTHERS_AS_EVENTS:
        happening = pattern.sub(event, body)
        if happening != body:
            yield Mend(happening, _MENDED, ("performs",))


def _lasting(body: str) -> Iterator[Mend]:
    """Yield a sentence about an event with the duration that it says last, or the one that it may mean."""
    opening = body.split(",")[0]
    is_of_attack = "attack" in opening or "ATTACK" in opening
    if " target " in body and not is_of_attack:  # without an attack nobody is the target
        yield Mend(body.replace(" target ", " it "), _MENDED)
    durations = _SAID_DURATION.findall(body)[-1:] or ["until end of TURN"]
    if _OF_ATTACK.match(body) and "until end of ATTACK" not in durations:
        durations.insert(0, "until end of ATTACK")
    for duration in durations:
        timed = _with_durations(body, duration)
        if timed != body:
            yield Mend(timed, _MENDED, tuple(duration.split()))


def _with_durations(body: str, duration: str) -> str:
    """Return a sentence with a duration behind each clause that needs one and has none."""
    return _CLAUSE.sub(
        lambda match: (
            f"{match['clause']} {duration}{match['end']}"
            if _LASTING.search(match["clause"]) and not _DURATION.search(match["clause"])
            else match.group()
        ),
        body,
    )
