"""What was left out before the word that the parser refused: a full stop, a comma, a word, a sign."""

from __future__ import annotations

import re

from toolkit.dsl.building import parser
from toolkit.dsl.lalr import Refused
from toolkit.dsl.lexicon import terminals_by_word
from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import PIECE, Stop, shown, terminal_of
from toolkit.vocabulary import VERBS

BEGINNINGS = (
    *("when", "if", "either", "self", "target", "attacker", "attacked"),
    *("one", "all", "owner", "opponent"),
)
"""Words with which a sentence begins."""


_GLUE = ("of", "the", "an", "to", "on", "at", "by", "with", "that", "each", "D6")
"""Words that may be put in where nothing else can stand: they say nothing by themselves."""


def no_full_stop(stop: Stop, safe: bool = True) -> Problem:
    """A sentence that ends without a full stop: told at its last word."""
    return Problem(
        "missing-full-stop",
        f"The sentence has no full stop after `{stop.last}`.",
        stop.before,
        f"Write `{stop.last}.`",
        f"{stop.last}.",
        safe=safe,
    )


def text_ends(stop: Stop) -> Problem | None:
    """The end of the text where the sentence is not at its end."""
    if stop.word:
        return None
    if "." in stop.words:
        return no_full_stop(stop)
    message = f"The sentence breaks off after `{stop.last}`."
    return Problem("unfinished-sentence", message, stop.before, stop.expected)


def no_sign(stop: Stop) -> Problem | None:
    """An amount without its sign."""
    if not stop.word.isdecimal() or "+" not in stop.words:
        return None
    either = "`+` or `-`" if "-" in stop.words else "`+`"
    return Problem(
        "missing-word",
        f"`{stop.word}` has no sign: an amount is written with {either}.",
        stop.place,
        f"Write `+{stop.word}`.",
        f"+{stop.word}",
        safe=False,  # `gets 2 AP` may set it, and `rolls 2 ATTACK D6` speak of two dice and not of two more
    )


def left_out(stop: Stop) -> Problem | None:
    """A known word that would fit if exactly one word were put before it."""
    terminal = terminal_of(stop.word)
    if terminal is None or terminal in stop.accepted:
        return None
    by_word = terminals_by_word()
    fitting = [word for word in stop.words if _would_fit(by_word[word], terminal, stop)]
    if "." in fitting and stop.word in BEGINNINGS:
        # what was said under a `when` or `if` may have been meant to hold for what follows, too
        begun = stop.text.startswith(("when ", "if "), _clause_starts(stop)[0])
        return no_full_stop(stop, safe=not begun and stop.word not in ("when", "if"))
    open_to_any = any(_would_fit(name, terminal, stop) for name in ("INT", "STRING") if name in stop.accepted)
    if len(shown(fitting)) != 1 or open_to_any:
        return None
    missing = shown(fitting)[0].strip("`")
    if missing[0].isalpha() and not _goes_on(missing, stop.place[0], stop.text):
        return None
    return _one_missing(missing, stop)


def _goes_on(missing: str, start: int, text: str) -> bool:
    """Whether with the word the parser takes what follows: two words, behind `if` three."""
    refused = parser().parse(f"{text[:start]}{missing} {text[start:]}")
    if not isinstance(refused, Refused):
        return True
    taken = PIECE.findall(text[start : max(refused.position - len(missing) - 1, start)])
    return len(taken) >= (3 if missing == "if" else 2)


def _would_fit(before: str, terminal: str, stop: Stop) -> bool:
    then = stop.situation.after(before)
    return then is not None and terminal in then.accepts()


def _one_missing(missing: str, stop: Stop) -> Problem:
    last, word = stop.last, stop.word
    if missing == "then":
        return Problem(
            "missing-word",
            f"`{word}` cannot follow this comma: a new WHO begins a new sentence, or comes after `then`.",
            stop.before,
            f"Write `. {word}`, or `, then {word}` after an event.",
        )
    if missing == "(" and word == "max":
        return Problem("missing-word", "`max` stands in parentheses.", stop.place, "Write it as `(max 2)`.")
    together = f"{last}{missing}" if missing in ",)+" else f"{last} {missing}"
    if missing == ",":
        message = f"A comma is missing after `{last}`."
        return Problem("missing-comma", message, stop.before, f"Write `{together}`.", together)
    sort = "word" if missing[0].isalpha() else "sign"
    safe = missing in _GLUE or missing in ".()+"
    if not last:
        message = f"Before `{word}` the {sort} `{missing}` is missing."
        opened = f"{missing} {word}"
        return Problem("missing-word", message, stop.place, f"Write `{opened}`.", opened, safe=safe)
    message = f"Between `{last}` and `{word}` the {sort} `{missing}` is missing."
    return Problem("missing-word", message, stop.before, f"Write `{together}`.", together, safe=safe)


_CLAUSE = re.compile(
    r"(?:self|target|attacker|attacked|owner|opponent) "
    rf"(?:{'|'.join(sorted({form.split()[0] for verb in VERBS for form in (verb.one, verb.many)}))})\\b"
)


def missing_comma(stop: Stop) -> Problem | None:
    """No comma before the clause, where a condition could go on as well."""
    if "," not in stop.words or not _CLAUSE.match(stop.text, stop.place[0]):
        return None
    message, right = f"A comma is missing after `{stop.last}`.", f"{stop.last},"
    return Problem("missing-comma", message, stop.before, f"Write `{right}`.", right)


def no_opening(stop: Stop) -> Problem | None:
    """A trigger without `when`, or a condition without `if`: with the word the parser gets further."""
    for start in _clause_starts(stop):
        for word in ("when", "if"):
            refused = parser().parse(f"{stop.text[:start]}{word} {stop.text[start:]}")
            if isinstance(refused, Refused) and refused.position < stop.place[1] + len(word) + 1:
                continue
            if word == "if" and not _goes_on(word, start, stop.text):
                continue
            found = PIECE.match(stop.text, start)
            if found is not None and found.group() != word:
                first = found.group()
                message = f"Before `{first}` the word `{word}` is missing."
                opened = f"{word} {first}"
                step = f"Write `{opened}`."
                return Problem("missing-word", message, found.span(), step, opened, safe=False)
    return None


def _clause_starts(stop: Stop) -> list[int]:
    """Where the refused sentence begins, and what follows its commas."""
    starts = [0]
    for piece in PIECE.finditer(stop.text, 0, stop.place[0]):
        if piece.group() == ".":
            starts = [piece.end()]
        elif piece.group() == ",":
            starts.append(piece.end())
    found = [PIECE.search(stop.text, start) for start in starts]
    return [piece.start() for piece in found if piece is not None and piece.start() <= stop.place[0]]
