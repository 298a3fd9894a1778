"""German clauses in an order in which they can be read word by word.

A verb whose beginning stands at the end of its clause is put together, a relative clause that only describes
gets its verb to the front, `jeder Feind, der kommt, …` becomes a condition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolkit.dsl.nearest_sentences.german_lexicon import has_verb, lexicon

MARKS = frozenset(".,:;!?()")
_LONGEST_WITHOUT_VERB = 2
_SHORT_OF_ES = re.compile(r"(gibt|geht|wenn|hat|ist|kriegt|wird|kann|darf|macht|trifft|kommt)s")
_AFTER_CLAUSE = frozenset(("und", "dann", "aber"))
_VERBS_WITHOUT_T = frozenset(("wird", "werden", "haben", "sind"))


def _is_listed(word: str, name: str) -> bool:
    return word.casefold() in lexicon().lists[name]


def in_order(words: Sequence[str]) -> list[str]:
    """Return the words of a German text with its clauses in order."""
    joined = _joined(_separated(words))
    return _without_modals(_without_relative_clauses(_with_conditions(_with_choice(joined))))


def _separated(words: Sequence[str]) -> list[str]:
    """Return words without what is short for `es`, and with commas for dashes between clauses."""
    separated = list[str]()
    for number, word in enumerate(words):
        following = words[number + 1] if number + 1 < len(words) else ""
        if word == "'s":
            continue
        if len(word) > 1 and word[-1] in "?!" and word[:-1].isalpha():
            separated += [word[:-1], word[-1]]
        elif _SHORT_OF_ES.fullmatch(word.casefold()):
            separated.append(word[:-1])
        elif word == "-" and _begins_clause(following):
            separated.append(",")
        else:
            separated.append(word)
    return separated


def _begins_clause(word: str) -> bool:
    """Whether a word behind a dash begins a clause: it is no number and no part of a compound."""
    return not word[:1].isdecimal() and (not word[:1].isupper() or _is_listed(word, "verbs"))


def _joined(words: Sequence[str]) -> list[str]:
    """Return words with what stands at the end of a clause put before its verb: `ab+wirft`.

    What may follow a clause (`behind clauses`) does not end it, but the verb's beginning may stand before it.
    """
    joined, spoken = list(words), [word.casefold() for word in words]
    removed = set[int]()
    begin = 0
    for end in range(len(words) + 1):
        is_mark = end == len(words) or spoken[end] in MARKS
        is_end = is_mark or _is_listed(spoken[end], "ends of clauses")
        if not is_end and not _is_listed(spoken[end], "behind clauses"):
            continue
        last = spoken[end - 1] if end > begin else ""
        if last in lexicon().beginnings:
            verbs = (position for position in range(begin, end - 1) if has_verb(last, spoken[position]))
            verb = next(verbs, None)
            if verb is not None:
                joined[verb] = f"{last}+{spoken[verb]}"
                removed.add(end - 1)
        if is_end:
            begin = end + 1
    return [word for position, word in enumerate(joined) if position not in removed]


def _with_choice(words: Sequence[str]) -> list[str]:
    """Return words in which `wähle einen Feind: er bekommt …` is written as `einen Feind bekommt …`."""
    end = _end_of_clause(words, 0)
    if not (words and _is_listed(words[0], "choosing") and _is_listed((*words, ".", ".")[end + 1], "chosen")):
        return list(words)
    chosen = [word for word in words[1:end] if word.casefold() not in ("dir", "ihr")]
    return [*chosen, *words[end + 2 :]]


def _with_conditions(words: Sequence[str]) -> list[str]:
    """Return words in which `jeder Feind, der kommt, ist …` is `wenn ein Feind kommt, ist er …`."""
    if not words or not _is_listed(words[0], "every") or words.count(",") < 2:
        return list(words)
    comma = words.index(",")
    end = words.index(",", comma + 1)
    is_relative, tells_state = (
        _is_listed(words[comma + 1], "relative"),
        _is_listed(words[end - 1], "state verbs"),
    )
    if not is_relative or tells_state or end - comma <= _LONGEST_WITHOUT_VERB or end + 1 == len(words):
        return list(words)
    subject, event = words[1:comma], words[comma + 2 : end]
    main_verb, remaining = words[end + 1], words[end + 2 :]
    return ["wenn", "ein", *subject, *event, ",", main_verb, "er", *remaining]


def _without_relative_clauses(words: Sequence[str]) -> list[str]:
    """Return words in which `, der schon erschöpft ist` is in the English order: `that ist schon …`."""
    reordered = list[str]()
    position = 0
    while position < len(words):
        end = _end_of_description(words, position)
        if end is None:
            reordered.append(words[position])
            position += 1
        else:
            verb, description = words[end - 1], words[position + 2 : end - 1]
            reordered += ["that", verb, *description]
            has_comma_behind = words[end : end + 1] == [","]
            position = end + 1 if has_comma_behind else end
    return reordered


def _end_of_description(words: Sequence[str], position: int) -> int | None:
    """Return where a relative clause ends that begins at a position and says what somebody is."""
    following = words[position + 1 : position + 3]
    if words[position] != "," or len(following) < 2 or not _is_listed(following[0], "relative"):
        return None
    end = _end_of_clause(words, position + 1)
    is_relative = end > position + 3 and not _is_listed(following[1], "second verbs")
    return end if is_relative and _is_listed(words[end - 1], "state verbs") else None


def _end_of_clause(words: Sequence[str], position: int) -> int:
    return next((end for end in range(position, len(words)) if words[end] in MARKS), len(words))


def _without_modals(words: Sequence[str]) -> list[str]:
    """Return words in which what may not be done is only negated: `kann sich nicht mehr bewegen`."""
    remaining = list[str]()
    begin_of_clause = 0
    for position, word in enumerate(words):
        if word in MARKS:
            begin_of_clause = position
        behind = words[position + 1 : _end_of_clause(words, position + 1)]
        is_negated = _has_negation(words[begin_of_clause:position])
        is_modal = _is_listed(word, "modals") and (is_negated or _has_negation(behind))
        is_no_longer = word.casefold() == "mehr" and is_negated and behind[:1] != ["als"]
        if not (is_modal or is_no_longer):
            remaining.append(word)
    return remaining


def _has_negation(words: Sequence[str]) -> bool:
    return any(_is_listed(word, "negations") for word in words)


def begins_condition(words: Sequence[str], position: int) -> bool:
    """Whether a clause with its verb at the front is a condition: `trifft er, …`."""
    before = words[position - 1].casefold() if position else "."
    verb = words[position].casefold().rpartition("+")[2]
    subject = words[position + 1 : position + 2]
    end = _end_of_clause(words, position)
    if (
        (before not in MARKS and before not in _AFTER_CLAUSE)
        or not verb.isalpha()
        or (verb[-1] != "t" and verb not in _VERBS_WITHOUT_T)
        or not subject
        or not (_is_listed(subject[0], "subjects") or subject[0][0].isupper())
        or end + 1 >= len(words)
    ):
        return False
    following = words[end + 1].casefold().rpartition("+")[2]
    if words[end] == ",":
        return _is_listed(following or "+", "verbs") or following[-1:] == "t" or following.isdecimal()
    return words[end] == "?" or (words[end] == ":" and before != ",")
