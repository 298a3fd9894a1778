"""Parts of a sentence where they cannot stand: a late `when` or `if`, a choice, a DURATION."""

from __future__ import annotations

import re

from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import PIECE, Stop
from toolkit.dsl.tree import Place
from toolkit.vocabulary import STATUSES

_OPENING = re.compile(r"\s*(?P<when>when\s[^,.]*,\s*)?(?P<condition>if\s[^,.]*,\s*)?")
_LASTS = ("ATTACK", "TURN", "ROUND", "FIELD", "permanently")
REFS = ("self", "target", "attacker", "attacked")
WHO = (*REFS, "one", "all", "owner", "opponent")
"""Words with which a WHO begins."""
FILTERS = ("of", "in", "adjacent", "opposite", "with", "that")
"""Words with which a filter of a GROUP begins."""
_OPPOSITE = "Write a sentence of its own, with `if not (…),` and the same condition."
_MISSED = {
    "otherwise": _OPPOSITE,
    "else": _OPPOSITE,
    "once": "Name the event at which it happens, for example `when the TURN begins,`.",
}
"""Words that people miss, and what to do without them."""
_QUOTES = "\"'“”„«»‚‘’"


def opening(stop: Stop) -> re.Match[str]:
    """The `when …,` and `if …,` with which the refused sentence begins, as far as they are complete."""
    start = 0
    for piece in PIECE.finditer(stop.text, 0, stop.place[0]):
        start = piece.end() if piece.group() == "." else start
    found = _OPENING.match(stop.text, start, stop.place[0])
    assert found is not None, "both parts may be missing"
    return found


def late_opening(stop: Stop) -> Problem | None:
    """`self gets +1 AP when attacking.` and `if …, when attacking, …`: a part that begins a sentence."""
    if stop.word not in ("when", "if"):
        return None
    part = re.compile(r"[^,.]*").match(stop.text, stop.place[0])
    assert part is not None
    place, said = (stop.place[0], stop.place[0] + len(part.group().rstrip())), part.group().rstrip()
    begun = opening(stop)
    early = begun.end() == stop.place[0] and bool(
        begun["condition"] or (stop.word == "when" and begun["when"])
    )
    unfinished = stop.word == "when" and re.match(r"\s*if\s[^,]*$", stop.text[begun.start() : stop.place[0]])
    behind = "." in stop.words and stop.text[part.end() : part.end() + 1] in ("", ".")
    if said == stop.word or not (early or unfinished or behind):
        return None
    if stop.word == "when" and begun["when"]:
        return told("A sentence has one `when`.", place, "Write two sentences, one for each.")
    if stop.word == "if" and begun["condition"]:
        return told("A sentence has one `if`.", place, "Join the conditions with `and`.")
    if stop.word == "if" and begun["when"]:
        step = f"Put `{said},` behind `{begun['when'].strip()}`."
        return told("`if` comes before what happens, behind `when`.", place, step)
    step = f"Put `{said},` at the beginning of the sentence."
    return told(f"`{stop.word}` stands at the beginning of its sentence.", place, step)


def two_triggers(stop: Stop) -> Problem | None:
    """`when attacking or attacked, …`."""
    begun = stop.text[opening(stop).start() : stop.place[0]]
    if stop.word not in ("or", "and") or stop.words != [","] or not re.match(r"\s*when\s[^,]*$", begun):
        return None
    return told("A sentence has one `when`.", stop.place, "Write two sentences, one for each.")


def narrowed_trigger(stop: Stop) -> Problem | None:
    """`when an enemy OPERATOR in RANGE attacks`: a trigger speaks of every OPERATOR of a side."""
    if stop.last != "OPERATOR" or "attacks" not in stop.words or stop.word not in FILTERS:
        return None
    message = "A trigger has no filter; which OPERATOR it must be is asked behind `if`."
    step = "Write for example `when an enemy OPERATOR attacks, if attacker is in RANGE of self,`."
    return told(message, stop.place, step)


def choice_without_either(stop: Stop) -> Problem | None:
    """`gets +1 AP or +1 EP`: a choice is between two whole clauses."""
    inside = stop.word == "either" and "+" in stop.words
    if not inside and (stop.word != "or" or "." not in stop.words):
        return None
    if stop.word == "or" and "cannot" in _clause_before(stop):
        step = "Write `and cannot`, and the verb again: `cannot perform MOVE and cannot perform EVADE`."
        return told("What cannot be done is joined by `and cannot`.", stop.place, step)
    message = "A choice is `either CLAUSE or CLAUSE`, each with its own WHO."
    return told(message, stop.place, "Begin with `either`, and write the WHO again behind `or`.")


def behind_duration(stop: Stop) -> Problem | None:
    """`+1 AP until end of TURN and +1 EP until end of ROUND`: a DURATION ends its clause."""
    if stop.word != "and" or stop.last not in _LASTS or "." not in stop.words:
        return None
    message = f"`and` cannot follow `{stop.last}`: a DURATION ends its clause."
    following = PIECE.search(stop.text, stop.place[1])
    if following is not None and following.group() in WHO:
        return told(message, stop.place, "Write `, then` in place of `and`.")
    step = "Put what stands behind `and` before the DURATION, or write `, then` and the WHO again."
    return told(message, stop.place, step)


def while_status(stop: Stop) -> Problem | None:
    """`self gets +1 AP while SUPPRESSED`: the only `while` is that of the FIELD."""
    if stop.last != "while" or stop.word not in STATUSES:
        return None
    step = f"Begin with `if self is {stop.word},`, or write `OPERATORs that are {stop.word}`."
    return told("A status is no DURATION; it is asked behind `if`.", stop.place, step)


def otherwise(stop: Stop) -> Problem | None:
    """There is no `else` and no `once`, and nothing near to them is meant."""
    step = _MISSED.get(stop.word)
    if step is None:
        return None
    return Problem("unknown-word", f"The language has no `{stop.word}`.", stop.place, step)


def quoted(stop: Stop) -> Problem | None:
    """The whole effect in quotes."""
    text = stop.text.strip()
    if stop.last or len(text) < 2 or text[0] not in _QUOTES or text[-1] not in _QUOTES:
        return None
    start = stop.text.index(text)
    place = (start, start + len(text))
    message = "The quotes around the effect are too much."
    return Problem("unexpected-word", message, place, "Take them away.", text[1:-1], safe=False)


def broken_number(stop: Stop) -> Problem | None:
    """`+2.5 AP`: numbers are whole."""
    found = re.compile(r"[0-9]+[.,][0-9]+").match(stop.text, stop.before[0])
    if found is None or found.end() <= stop.place[0]:
        return None
    return told(f"`{found.group()}` is not a whole number.", found.span(), "Write a whole number.")


def _clause_before(stop: Stop) -> list[str]:
    """The words between the last comma or full stop and the refused word."""
    words: list[str] = []
    for piece in PIECE.finditer(stop.text, 0, stop.place[0]):
        words = [] if piece.group() in (",", ".") else [*words, piece.group()]
    return words


def told(message: str, place: Place, step: str) -> Problem:
    """A part that cannot stand where it stands."""
    return Problem("unexpected-word", message, place, step)
