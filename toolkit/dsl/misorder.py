"""Parts of a sentence where they cannot stand: a late `when` or `if`, a new WHO after `and`, a choice."""

from __future__ import annotations

import re

from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import PIECE, Stop
from toolkit.dsl.tree import Place
from toolkit.vocabulary import STATUSES

_OPENING = re.compile(r"\s*(?P<when>when\s[^,.]*,\s*)?(?P<condition>if\s[^,.]*,\s*)?")
_REFS = ("self", "target", "attacker", "attacked")
_WHO = (*_REFS, "one", "all", "owner", "opponent")
_LASTS = ("ATTACK", "TURN", "ROUND", "FIELD", "permanently")
_FILTERS = ("of", "in", "adjacent", "opposite", "with", "that")
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
    early = stop.word == "when" and begun.end() == stop.place[0] and begun["condition"] is not None
    unfinished = stop.word == "when" and re.match(r"\s*if\s[^,]*$", stop.text[begun.start() : stop.place[0]])
    behind = "." in stop.words and stop.text[part.end() : part.end() + 1] in ("", ".")
    if not (early or unfinished or behind):
        return None
    if stop.word == "when" and begun["when"]:
        return _told("A sentence has one `when`.", place, "Write two sentences, one for each.")
    if stop.word == "if" and begun["condition"]:
        return _told("A sentence has one `if`.", place, "Join the conditions with `and`.")
    if stop.word == "if" and begun["when"]:
        step = f"Put `{said},` behind `{begun['when'].strip()}`."
        return _told("`if` comes before what happens, behind `when`.", place, step)
    step = f"Put `{said},` at the beginning of the sentence."
    return _told(f"`{stop.word}` stands at the beginning of its sentence.", place, step)


def two_triggers(stop: Stop) -> Problem | None:
    """`when attacking or attacked, …`."""
    begun = stop.text[opening(stop).start() : stop.place[0]]
    if stop.word not in ("or", "and") or stop.words != [","] or not re.match(r"\s*when\s[^,]*$", begun):
        return None
    return _told("A sentence has one `when`.", stop.place, "Write two sentences, one for each.")


def new_who(stop: Stop) -> Problem | None:
    """`self gets +2 AP and target gets -1 EP.`: a clause has one WHO."""
    if stop.last != "and" or stop.word not in _WHO or "gets" not in stop.words:
        return None
    begun = opening(stop)
    place = (stop.before[0], stop.place[1])
    if stop.word not in ("one", "all") and stop.word == _who_of_clause(stop, begun.end()):
        message = f"`and {stop.word}` is written `and` here."
        return Problem("unexpected-word", message, place, "Write `and`.", "and", safe=False)
    message = f"`{stop.word}` cannot follow `and`: a new WHO begins a new sentence, or comes after `then`."
    return _told(message, place, how_to_begin(stop))


def how_to_begin(stop: Stop) -> str:
    """What to write before a WHO that the sentence has no place for; the new sentence begins as this one."""
    again = " ".join(f"{opening(stop).group()} {stop.word}".split())
    return f"Write `. {again}`; after an event also `, then {stop.word}`."


def several_who(stop: Stop) -> Problem | None:
    """`self and target get …`: a clause has one WHO."""
    if stop.word not in ("and", "or") or "gets" not in stop.words:
        return None
    return _told("A clause has one WHO.", stop.place, "Write a sentence for each, with the same beginning.")


def neither_one_nor_all(stop: Stop) -> Problem | None:
    """`own OPERATORs get …`."""
    if stop.word not in ("own", "enemy", "any", "other") or "all" not in stop.words:
        return None
    message = f"Before `{stop.word}` the word `all` is missing, or `one`."
    right = f"all {stop.word}"
    return Problem("missing-word", message, stop.place, f"Write `{right}`.", right, safe=False)


def narrowed_trigger(stop: Stop) -> Problem | None:
    """`when an enemy OPERATOR in RANGE attacks`: a trigger speaks of every OPERATOR of a side."""
    if stop.last != "OPERATOR" or "attacks" not in stop.words or stop.word not in _FILTERS:
        return None
    message = "A trigger has no filter; which OPERATOR it must be is asked behind `if`."
    step = "Write for example `when an enemy OPERATOR attacks, if attacker is in RANGE of self,`."
    return _told(message, stop.place, step)


def nameless(stop: Stop) -> Problem | None:
    """`it` and `he` where the sentence has named somebody else than `self`."""
    if stop.word not in ("it", "he", "she"):
        return None
    if stop.last == "and" and "gets" in stop.words:
        place = (stop.before[0], stop.place[1])
        step = "Write `and` where the same OPERATOR does it, else begin a new sentence."
        return _told(f"`and {stop.word}` does not say who is meant.", place, step)
    if "self" not in stop.words:
        return None
    begun = opening(stop)
    before = [piece.group() for piece in PIECE.finditer(stop.text, begun.start(), stop.place[0])]
    named = [word for word in dict.fromkeys(before) if word in _REFS and word != "self"]
    chosen = _who_of_clause(stop, begun.end()) in ("one", "all")
    if not named and not chosen:
        return None
    message = f"`{stop.word}` does not say who is meant."
    if chosen:
        step = "Join with `and` what the same OPERATORs do, or name who is meant."
    else:
        step = f"Write `self`{''.join(f' or `{name}`' for name in named)}."
    return Problem("unknown-who", message, stop.place, step)


def choice_without_either(stop: Stop) -> Problem | None:
    """`gets +1 AP or +1 EP`: a choice is between two whole clauses."""
    inside = stop.word == "either" and "+" in stop.words
    if not inside and (stop.word != "or" or "." not in stop.words):
        return None
    if stop.word == "or" and "cannot" in _clause_before(stop):
        step = "Write `and cannot`, and the verb again: `cannot perform MOVE and cannot perform EVADE`."
        return _told("What cannot be done is joined by `and cannot`.", stop.place, step)
    message = "A choice is `either CLAUSE or CLAUSE`, each with its own WHO."
    return _told(message, stop.place, "Begin with `either`, and write the WHO again behind `or`.")


def behind_duration(stop: Stop) -> Problem | None:
    """`+1 AP until end of TURN and +1 EP until end of ROUND`: a DURATION ends its clause."""
    if stop.word != "and" or stop.last not in _LASTS or "." not in stop.words:
        return None
    message = f"`and` cannot follow `{stop.last}`: a DURATION ends its clause."
    following = PIECE.search(stop.text, stop.place[1])
    if following is not None and following.group() in _WHO:
        return _told(message, stop.place, "Write `, then` in place of `and`.")
    step = "Put what stands behind `and` before the DURATION, or write `, then` and the WHO again."
    return _told(message, stop.place, step)


def while_status(stop: Stop) -> Problem | None:
    """`self gets +1 AP while SUPPRESSED`: the only `while` is that of the FIELD."""
    if stop.last != "while" or stop.word not in STATUSES:
        return None
    step = f"Begin with `if self is {stop.word},`, or write `OPERATORs that are {stop.word}`."
    return _told("A status is no DURATION; it is asked behind `if`.", stop.place, step)


def otherwise(stop: Stop) -> Problem | None:
    """There is no `else`."""
    if stop.word not in ("otherwise", "else"):
        return None
    message = f"`{stop.word}` is not a word of the language."
    step = "Write a sentence of its own, with `if not (…),` and the same condition."
    return Problem("unknown-word", message, stop.place, step)


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
    return _told(f"`{found.group()}` is not a whole number.", found.span(), "Write a whole number.")


def _clause_before(stop: Stop) -> list[str]:
    """The words between the last comma or full stop and the refused word."""
    words: list[str] = []
    for piece in PIECE.finditer(stop.text, 0, stop.place[0]):
        words = [] if piece.group() in (",", ".") else [*words, piece.group()]
    return words


def _who_of_clause(stop: Stop, start: int) -> str:
    """The WHO with which the last clause before the refused word begins."""
    who, begins = "", True
    for piece in PIECE.finditer(stop.text, start, stop.place[0]):
        word = piece.group()
        if begins and word in _WHO:
            who = word
        begins = word in ("then", "either", "or")
    return who


def _told(message: str, place: Place, step: str) -> Problem:
    return Problem("unexpected-word", message, place, step)
