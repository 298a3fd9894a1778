"""Who acts, where it cannot stand or does not say whom: a new WHO after `and`, two of them, `it`."""

from __future__ import annotations

from toolkit.dsl.misorder import FILTERS, REFS, WHO, opening, told
from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import PIECE, Stop


def new_who(stop: Stop) -> Problem | None:
    """`self gets +2 AP and target gets -1 EP.`: a clause has one WHO."""
    if stop.last != "and" or stop.word not in WHO or "gets" not in stop.words:
        return None
    begun = opening(stop)
    place = (stop.before[0], stop.place[1])
    if stop.word not in ("one", "all") and stop.word == _who_of_clause(stop, begun.end()):
        message = f"`and {stop.word}` is written `and` here."
        return Problem("unexpected-word", message, place, "Write `and`.", "and", safe=False)
    message = f"`{stop.word}` cannot follow `and`: a new WHO begins a new sentence, or comes after `then`."
    return told(message, place, how_to_begin(stop))


def how_to_begin(stop: Stop) -> str:
    """What to write before a WHO that the sentence has no place for; the new sentence begins as this one."""
    again = " ".join(f"{opening(stop).group()} {stop.word}".split())
    return f"Write `. {again}`; after an event also `, then {stop.word}`."


def several_who(stop: Stop) -> Problem | None:
    """`self and target get …`: a clause has one WHO."""
    if stop.word not in ("and", "or") or stop.last == "and" or "gets" not in stop.words:
        return None
    following = PIECE.search(stop.text, stop.place[1])
    if following is not None and following.group() in WHO:
        return told(
            "A clause has one WHO.", stop.place, "Write a sentence for each, with the same beginning."
        )
    if following is not None and following.group() in FILTERS and stop.word == "and":
        return told("Filters stand one behind the other, without `and`.", stop.place, "Take `and` away.")
    return None


def neither_one_nor_all(stop: Stop) -> Problem | None:
    """`own OPERATORs get …`."""
    if stop.word not in ("own", "enemy", "any", "other") or "all" not in stop.words:
        return None
    message = f"Before `{stop.word}` the word `all` is missing, or `one`."
    right = f"all {stop.word}"
    return Problem("missing-word", message, stop.place, f"Write `{right}`.", right, safe=False)


def nameless(stop: Stop) -> Problem | None:
    """`it` and `he` where the sentence has named somebody else than `self`."""
    if stop.word not in ("it", "he", "she"):
        return None
    if stop.last == "and" and "gets" in stop.words:
        place = (stop.before[0], stop.place[1])
        step = "Write `and` where the same OPERATOR does it, else begin a new sentence."
        return told(f"`and {stop.word}` does not say who is meant.", place, step)
    if "self" not in stop.words:
        return None
    begun = opening(stop)
    before = [piece.group() for piece in PIECE.finditer(stop.text, begun.start(), stop.place[0])]
    named = [word for word in dict.fromkeys(before) if word in REFS and word != "self"]
    chosen = _who_of_clause(stop, begun.end()) in ("one", "all")
    if not named and not chosen:
        return None
    message = f"`{stop.word}` does not say who is meant."
    if chosen:
        step = "Join with `and` what the same OPERATORs do, or name who is meant."
    else:
        step = f"Write `self`{''.join(f' or `{name}`' for name in named)}."
    return Problem("unknown-who", message, stop.place, step)


def _who_of_clause(stop: Stop, start: int) -> str:
    """The WHO with which the last clause before the refused word begins."""
    who, begins = "", True
    for piece in PIECE.finditer(stop.text, start, stop.place[0]):
        word = piece.group()
        if begins and word in WHO:
            who = word
        begins = word in ("then", "either", "or")
    return who
