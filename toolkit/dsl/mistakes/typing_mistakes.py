"""Syntax errors of effects: where parsing stopped, and the slip of typing that explains it, as one problem.

``EXPLANATIONS`` are tried in turn: a word or symbol that is missing, doubled, glued to another one, without
quotes or misspelt. What was meant with words of another kind is the business of ``nearest_sentences``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from toolkit.diagnostics.phrases import alternatives
from toolkit.dsl.building import parser
from toolkit.dsl.lalr import ParserState, Refused, terminals_by_word, words_by_terminal
from toolkit.dsl.tree import Place, Problem
from toolkit.vocabulary import (
    ACTIONS,
    COUNTERS,
    DURATIONS,
    FACTS,
    SECOND_FORMS,
    STATS,
    STATUSES,
    TRIGGERS,
    UNLISTED,
    VERB_WORDS,
    VERBS,
)
from toolkit.vocabulary.nearest import allowed_mistakes, distance, is_ambiguous, is_certain, nearest

PIECE = re.compile(r'"[^"\n]*"|[^\s.,()"=!<>*+\-]+|<=|>=|!=|\S')
"""A word, a name in quotes or a symbol, as a person would count them."""


class Stop(Struct, frozen=True):
    """A place where the parser stopped.

    ``word`` at ``place`` was rejected (empty at the end of the text); ``last`` at ``before`` is the word
    before it (empty at the beginning); ``accepted`` are the terminals that are possible there.
    """

    text: str
    word: str
    place: Place
    last: str
    before: Place
    state: ParserState
    accepted: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The words and symbols that are possible, in the order of the vocabulary."""
        return [word for terminal, word in words_by_terminal().items() if terminal in self.accepted]

    @property
    def expected(self) -> str:
        """A sentence with what is possible: at most six words, the most similar to the rejected one first."""
        words = self._words_by_similarity()
        descriptions = []
        if "INT" in self.accepted:
            descriptions.append("a number")
        if "STRING" in self.accepted:
            descriptions.append('a name in "quotes"')
        if len(words) + len(descriptions) > MAX_LISTED:
            sorts, words = _by_sort(words)
            if len(sorts) == 1 and not words and not descriptions:
                [(sort, words_of_sort)] = sorts
                examples = [f"`{word}`" for word in words_of_sort[:_EXAMPLES_OF_SORT]]
                return f"Expected {sort}, such as {alternatives(examples)}."
            descriptions += [f"{sort} like `{words_of_sort[0]}`" for sort, words_of_sort in sorts]
        if len(words) + len(descriptions) > MAX_LISTED:
            words = words[: MAX_LISTED - len(descriptions)]
        return f"Expected {alternatives([*(f'`{word}`' for word in words), *descriptions])}."

    def _words_by_similarity(self) -> list[str]:
        """Return the possible words, the most similar to the rejected one first, and symbols last.

        A second form of a word (``get`` for ``gets``) is only among them if there is nothing else.
        """
        refused = self.word.casefold()
        most = allowed_mistakes(refused)

        def away(word: str) -> int:
            return min(distance(refused, word.casefold(), most), most + 1)

        words = [word for word in self.words if word not in UNLISTED] or self.words
        return sorted(words, key=lambda word: (not word[0].isalpha(), away(word)))


MAX_LISTED = 6
_EXAMPLES_OF_SORT = 3
_SMALLEST_SORT = 3
_SHORTEST_GUESSED = 4
"""How many words a message lists: nobody reads more."""

_WHO = ("self", "target", "attacker", "attacked", "one", "all", "owner", "opponent")
_EXPECTED = {
    "a verb": [verb.one.split()[0] for verb in VERBS],
    "a stat": [*STATS, *COUNTERS, *FACTS],
    "a status": STATUSES,
    "an OPERATOR or player": _WHO,
    "a filter": ("of", "in", "adjacent", "opposite", "with", "that"),
    "an ACTION": ACTIONS,
    "a comparison": ("=", "!=", "<", "<=", ">", ">="),
    "a duration": tuple(dict.fromkeys(words.split()[0] for words in DURATIONS.values())),
    "a calculation": ("+", "-", "*", "/"),
}


def _by_sort(words: list[str]) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Group words: return the sorts that enough of them are of, the largest first, and the other words.

    A word that is of several sorts counts for the largest of these.
    """
    large_sorts = []
    remaining_words = words
    sizes = {sort: sum(word in of_sort for word in words) for sort, of_sort in _EXPECTED.items()}
    for sort in sorted(sizes, key=lambda sort: -sizes[sort]):
        words_of_sort = [word for word in remaining_words if word in _EXPECTED[sort]]
        if len(words_of_sort) >= _SMALLEST_SORT:
            large_sorts.append((sort, words_of_sort))
            remaining_words = [word for word in remaining_words if word not in words_of_sort]
    return large_sorts, remaining_words


def stop_at(text: str, position: int, state: ParserState) -> Stop:
    """Return the stop at a position: the beginning of the rejected word, or the end of the text."""
    space = len(text[position:]) - len(text[position:].lstrip())
    position += space
    match = PIECE.match(text, position)
    span_before = (0, 0)
    for piece in PIECE.finditer(text, 0, position):
        span_before = piece.span()
    word, span = (match.group(), match.span()) if match else ("", (position, position))
    return Stop(text, word, span, text[slice(*span_before)], span_before, state, state.accepts())


def shown(words: list[str]) -> list[str]:
    """Return words as messages show them: verbs in one form only, symbols last."""
    if len(words) > 1:
        words = [word for word in words if word not in UNLISTED] or words
    return [f"`{word}`" for word in sorted(words, key=lambda word: not word[0].isalpha())]


def terminal_of(word: str) -> str | None:
    """Return the terminal of a word, number or name in quotes; None if it is not one of the language."""
    if word.isdecimal() and word.isascii():
        return "INT"
    if len(word) > 1 and word[0] == word[-1] == '"':
        return "STRING"
    return terminals_by_word().get(word)


_GLUED = re.compile(r'([+\-]?[0-9]+)([^\s.,()"=!<>*+\-0-9][^\s.,()"=!<>*+\-]*)')
_NAME = re.compile(r"[\w-]*\w")
_TYPOGRAPHIC = {
    **dict.fromkeys("−–—", "-"),
    **dict.fromkeys("“”„‟«»‚‘’'", '"'),
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "×": "*",
    "·": "*",
    "÷": "/",
    "…": ".",
}
_ODD_QUOTES = re.compile("[“”„‟«»‚‘’'\"](?P<name>[\\w-]+(?: [\\w-]+)*)[“”„‟«»‚‘’'\"]")
_APOSTROPHE = re.compile(r"[A-Za-z]['’][A-Za-z]")
_ALIKE = dict(zip("АВЕКМНОРСТХаеорсухіѕΑΒΕΗΙΚΜΝΟΡΤΧΥο。", "ABEKMHOPCTXaeopcyxisABEHIKMNOPTXYo.", strict=True))
"""Cyrillic and Greek letters, and the Latin ones that they look like."""
_SWAPPED = {"=>": ">=", "=<": "<=", "=!": "!=", "<>": "!=", "==": "="}

_SORTS = {
    "unknown-stat": ("a stat", {*STATS, *COUNTERS, *FACTS, "VALUE"}),
    "unknown-verb": ("a verb", {"reroll", *VERB_WORDS}),
    "unknown-status": ("a status", {*STATUSES}),
    "unknown-action": ("an ACTION", {*ACTIONS, "ANY"}),
    "unknown-trigger": (
        "a trigger",
        {word for trigger in TRIGGERS.values() for word in trigger.words.split()}
        - {"CRITICAL", "HIT", "OPERATOR", "of"},
    ),
    "unknown-who": ("an OPERATOR or player", {*_WHO}),
    "unknown-duration": (
        "a duration",
        {word for words in DURATIONS.values() for word in words.split()} - {"ATTACK", "of", "on", "the"},
    ),
}
"""The findings about unknown words: by name, the sort of word and the words of that sort."""


_QUOTES = "\"'“”„«»‚‘’"


def _problem_with_fix(name: str, message: str, span: Place, right: str, safe: bool = True) -> Problem:
    """Return a problem whose next step is to write what its fix writes."""
    return Problem(name, message, span, f"Write `{right}`.", right, safe=safe)


def quoted(stop: Stop) -> Problem | None:
    """The whole effect in quotes."""
    text = stop.text.strip()
    stops_at_first_word = not stop.last
    is_quoted = len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES
    if not (stops_at_first_word and is_quoted):
        return None
    start = stop.text.index(text)
    span = (start, start + len(text))
    message = "The effect needs no quotes around it."
    return Problem("unexpected-word", message, span, "Remove them.", text[1:-1], safe=False)


def doubled(stop: Stop) -> Problem | None:
    """The same word twice; not a symbol that may be (nor no word at all, at the end of an empty text)."""
    if stop.word != stop.last or stop.word in ("", "(", ")", "-"):
        return None
    message = f"`{stop.word}` is written twice."
    step = f"Remove one `{stop.word}`."
    # a repeated number may be meant as another number, or as a digit of the first one
    return Problem("doubled-word", message, stop.place, step, "", safe=not stop.word.isdecimal())


def swapped_symbol(stop: Stop) -> Problem | None:
    """`=>` for `>=` and the like."""
    written = stop.last + stop.word
    right = _SWAPPED.get(written)
    if right is None or stop.before[1] != stop.place[0]:
        return None
    span = (stop.before[0], stop.place[1])
    return _problem_with_fix("wrong-sign", f"`{written}` is not a symbol of the language.", span, right)


def typographic(stop: Stop) -> Problem | None:
    """A typographic character, such as a curly quote or a dash."""
    sign = next((c for c in stop.word if c in _TYPOGRAPHIC), None)
    if sign is None or _APOSTROPHE.search(stop.word):  # `don’t` is an unknown word
        return None
    plain = _TYPOGRAPHIC[sign]
    word_start, _ = stop.place
    quoted_name = _ODD_QUOTES.match(stop.text, word_start) if plain == '"' else None
    if quoted_name is not None and "STRING" not in stop.accepted:
        return _problem_with_fix(
            "wrong-sign", "Only names need quotes.", quoted_name.span(), quoted_name["name"], safe=False
        )
    if quoted_name is not None:
        right, span = f'"{quoted_name["name"]}"', quoted_name.span()
    else:
        right, span = "".join(_TYPOGRAPHIC.get(c, c) for c in stop.word), stop.place
    message = f"`{sign}` is not a symbol of the language; it is written `{plain}`."
    return _problem_with_fix("wrong-sign", message, span, right)


def look_alike(stop: Stop) -> Problem | None:
    """A letter of another alphabet, a full-width character, or an invisible one.

    Only if all such characters look like those of the language; else the word is in another script.
    """
    plain_characters = {c: _plain(c) for c in stop.word if not c.isascii()}
    right = "".join(plain_characters.get(c, c) for c in stop.word)
    if not plain_characters or not right or not right.isascii():
        return None
    sign, looks_like = next(iter(plain_characters.items()))
    code = f"U+{ord(sign):04X}"
    if looks_like:
        message = f"`{sign}` ({code}) is not a character of the language; it only looks like `{looks_like}`."
    else:
        message = f"There is an invisible character ({code}) in `{right}`."
    return _problem_with_fix("wrong-sign", message, stop.place, right)


def _plain(char: str) -> str:
    """Return the character of the language that another one looks like; nothing for an invisible one."""
    if unicodedata.category(char) == "Cf":
        return ""
    return _ALIKE.get(char) or unicodedata.normalize("NFKC", char)


def glued(stop: Stop) -> Problem | None:
    """A number glued to a word, with the sign that may be before it: `+1AP`."""
    start, _ = stop.place
    _, end_before = stop.before
    is_signed = stop.last in ("+", "-") and end_before == start
    match = _GLUED.match(stop.text, start - 1 if is_signed else start)
    if match is None:
        return None
    number, word = match.groups()
    message = f"`{number}{word}` is a number glued to a word."
    if word == "D6":
        step = f"Write `{number} ATTACK D6` or `{number} DEFENCE D6`."
        return Problem("glued-number", message, match.span(), step)
    return _problem_with_fix("glued-number", message, match.span(), f"{number} {word}")


def quotes(stop: Stop) -> Problem | None:
    """A name without quotes, or without the closing quote."""
    if stop.word == '"':
        message = 'The name in quotes has no closing `"` on its line.'
        step = 'Write a `"` before and after the name, on one line.'
        return Problem("unclosed-quote", message, stop.place, step)
    word_start, _ = stop.place
    name = _NAME.match(stop.text, word_start)
    expects_name = "STRING" in stop.accepted and {*stop.accepted} <= {"STRING", "OF"}  # `of TEAM of self`
    if not expects_name or name is None:
        return None
    message = f"`{name.group()}` is a name and needs quotes."
    return _problem_with_fix("missing-quotes", message, name.span(), f'"{name.group()}"')


def joined(stop: Stop) -> Problem | None:
    """Two words of the language without a space between them."""
    word = stop.word
    if terminal_of(word) is not None:
        return None
    apart = [
        f"{word[:cut]} {word[cut:]}"
        for cut in range(1, len(word))
        if word[:cut].isalpha() and terminal_of(word[:cut]) in stop.accepted and terminal_of(word[cut:])
    ]
    if not apart:
        return None
    message = f"`{word}` is two words without a space."
    return _problem_with_fix("joined-words", message, stop.place, apart[0], safe=len(apart) == 1)


def certainly_misspelt(stop: Stop) -> Problem | None:
    """A word with one mistake that can only be one word of the language."""
    problem = misspelt(stop)
    return problem if problem is not None and problem.fix is not None and problem.safe else None


def misspelt(stop: Stop) -> Problem | None:
    """A word that the language does not have."""
    word = stop.word
    if terminal_of(word) is not None or not word[0].isalnum():
        return None
    candidates = stop.words
    meant = nearest(word, candidates)
    name, sort = _sort_of(meant, candidates)
    hint = f" Did you mean `{meant}`?" if meant else ""
    # `get` and `gets` are the same word, so one makes the other no less certain
    first_form = SECOND_FORMS.get(meant or "", meant)
    other_words = [other for other in candidates if SECOND_FORMS.get(other, other) != first_form]
    safe = is_certain(word, meant, other_words)
    fix = None if meant and is_ambiguous(word, meant, other_words) else meant
    return Problem(name, f"`{word}` is not {sort}.{hint}", stop.place, stop.expected, fix, safe=safe)


def _sort_of(meant: str | None, candidates: list[str]) -> tuple[str, str]:
    """Return finding and sort for an unknown word: of the word that was meant, or of most possible ones."""
    sorts = [
        (sum(word in words for word in candidates), name, sort)
        for name, (sort, words) in _SORTS.items()
        if meant is None or meant in words
    ]
    candidates_of_sort, name, sort = max(sorts, key=itemgetter(0), default=(0, "", ""))
    is_majority = 2 * candidates_of_sort > len(candidates)
    if not name or (meant is None and not is_majority):
        return "unknown-word", "a word of the language"
    return name, sort


def where_it_stops(text: str) -> Problem | None:
    """Return the problem of a text as the word at which the parser stops, without a guess what was meant."""
    refused = parser().parse(text)
    if not isinstance(refused, Refused):
        return None
    stop = stop_at(text, refused.position, refused.state)
    problem = text_ends(stop) or misspelt(stop) or misplaced(stop)
    return replace(problem, message=problem.message.partition(" Did you mean ")[0], fix=None, safe=False)


def misplaced(stop: Stop) -> Problem:
    """A word or symbol that is not possible there, if nothing more specific applies."""
    where = f"after `{stop.last}`" if stop.last else "at the beginning"
    meant = nearest(stop.word, stop.words)
    # a word of the language is not a misspelling of another one, unless only its case differs
    safe = meant is not None and stop.word.casefold() == meant.casefold()
    if len(stop.word) < _SHORTEST_GUESSED and not safe:
        meant = None
    hint = f" Did you mean `{meant}`?" if meant else ""
    message = f"`{stop.word}` is not possible {where}.{hint}"
    return Problem("unexpected-word", message, stop.place, stop.expected, meant, safe=safe)


BEGINNINGS = (
    *("when", "if", "either", "self", "target", "attacker", "attacked"),
    *("one", "all", "owner", "opponent"),
)
"""Words that a sentence begins with."""


_GLUE = ("of", "the", "an", "to", "on", "at", "by", "with", "that", "each", "D6")
"""Words without a meaning of their own: to insert one that is missing is safe."""


def no_full_stop(stop: Stop, safe: bool = True) -> Problem:
    """A sentence without a full stop, reported at its last word."""
    right, message = f"{stop.last}.", f"The sentence has no full stop after `{stop.last}`."
    return Problem("missing-full-stop", message, stop.before, f"Write `{right}`", right, safe=safe)


def text_ends(stop: Stop) -> Problem | None:
    """The end of the text before that of the sentence."""
    if stop.word:
        return None
    if "." in stop.words:
        return no_full_stop(stop)
    message = f"The sentence is incomplete after `{stop.last}`."
    return Problem("unfinished-sentence", message, stop.before, stop.expected)


def no_plus_or_minus(stop: Stop) -> Problem | None:
    """An amount without its plus or minus."""
    if not stop.word.isdecimal() or "+" not in stop.words:
        return None
    either = "`+` or `-`" if "-" in stop.words else "`+`"
    message = f"`{stop.word}` has no sign: an amount is written with {either}."
    # `gets 2 AP` may set it, and `rolls 2 ATTACK D6` speak of two dice and not of two more
    return _problem_with_fix("missing-word", message, stop.place, f"+{stop.word}", safe=False)


def missing_word(stop: Stop) -> Problem | None:
    """A known word that would be possible if exactly one word were inserted before it."""
    terminal = terminal_of(stop.word)
    if terminal is None or terminal in stop.accepted:
        return None
    fitting_words = [word for word in stop.words if _would_fit(terminals_by_word()[word], terminal, stop)]
    if "." in fitting_words and stop.word in BEGINNINGS:
        # a `when` or `if` may have been meant for the following clause, too
        sentence_start, *_ = _clause_starts(stop)
        has_opening = stop.text.startswith(("when ", "if "), sentence_start)
        return no_full_stop(stop, safe=not has_opening and stop.word not in ("when", "if"))
    numbers_and_names = {"INT", "STRING"}.intersection(stop.accepted)
    if len(shown(fitting_words)) != 1 or any(_would_fit(kind, terminal, stop) for kind in numbers_and_names):
        return None
    missing = shown(fitting_words)[0].strip("`")
    if missing[0].isalpha() and not _parses_further(missing, stop.place[0], stop.text):
        return None
    return _one_missing(missing, stop)


def _parses_further(missing: str, start: int, text: str) -> bool:
    """Whether the parser accepts what follows an inserted word: two more words, after ``if`` three.

    Fewer would be accepted by chance.
    """
    refused = parser().parse(f"{text[:start]}{missing} {text[start:]}")
    if not isinstance(refused, Refused):
        return True
    read_words = PIECE.findall(text[start : max(refused.position - len(missing) - 1, start)])
    return len(read_words) >= (3 if missing == "if" else 2)


def _would_fit(inserted: str, terminal: str, stop: Stop) -> bool:
    """Whether the parser accepts a terminal behind another one that is inserted where it stopped."""
    state = stop.state.after(inserted)
    return state is not None and terminal in state.accepts()


_MAXIMUM = re.compile(r"max\s+[0-9]+")


def _one_missing(missing: str, stop: Stop) -> Problem:
    """Return the problem that just this word or symbol is missing before the rejected word."""
    last, word = stop.last, stop.word
    if missing == "then":
        return Problem(
            "missing-word",
            f"`{word}` is not possible after this comma: a new WHO begins a new sentence or follows `then`.",
            stop.before,
            f"Write `. {word}`, or `, then {word}` after an event.",
        )
    maximum = _MAXIMUM.match(stop.text, stop.place[0])
    if missing == "(" and maximum is not None:
        right = f"({maximum.group()})"
        return _problem_with_fix("missing-word", "`max` needs parentheses.", maximum.span(), right)
    together = f"{last}{missing}" if missing in ",)+" else f"{last} {missing}"
    if missing == ",":
        return _comma(stop)
    sort = "word" if missing[0].isalpha() else "symbol"
    safe = missing in _GLUE or missing in ".()+"
    if not last:
        message = f"Before `{word}` the {sort} `{missing}` is missing."
        return _problem_with_fix("missing-word", message, stop.place, f"{missing} {word}", safe=safe)
    message = f"Between `{last}` and `{word}` the {sort} `{missing}` is missing."
    return _problem_with_fix("missing-word", message, stop.before, together, safe=safe)


_CLAUSE = re.compile(
    r"(?:(?:self|target|attacker|attacked|owner|opponent|it|they|each player) "
    rf"(?:{'|'.join(sorted(VERB_WORDS))})|(?:one|two|three|all) (?:random |other |own |enemy )*OPERATORs?)\b"
)


def missing_comma(stop: Stop) -> Problem | None:
    """A missing comma before a clause, where the condition could also continue."""
    if "," not in stop.words or not _CLAUSE.match(stop.text, stop.place[0]):
        return None
    return _comma(stop)


def _comma(stop: Stop) -> Problem:
    return _problem_with_fix(
        "missing-comma", f"A comma is missing after `{stop.last}`.", stop.before, f"{stop.last},"
    )


def no_opening(stop: Stop) -> Problem | None:
    """A trigger without ``when``, or a condition without ``if``: inserted, the parser gets further."""
    for start in _clause_starts(stop):
        for word in ("when", "if"):
            refused = parser().parse(f"{stop.text[:start]}{word} {stop.text[start:]}")
            end_of_rejected = stop.place[1] + len(f"{word} ")
            if isinstance(refused, Refused) and refused.position < end_of_rejected:
                continue
            if word == "if" and not _parses_further(word, start, stop.text):
                continue
            match = PIECE.match(stop.text, start)
            if match is not None and match.group() != word:
                word_behind = match.group()
                message = f"Before `{word_behind}` the word `{word}` is missing."
                right = f"{word} {word_behind}"
                return _problem_with_fix("missing-word", message, match.span(), right, safe=False)
    return None


def _clause_starts(stop: Stop) -> list[int]:
    """Return where the rejected sentence begins, and where the parts after its commas begin."""
    starts = [0]
    for piece in PIECE.finditer(stop.text, 0, stop.place[0]):
        if piece.group() == ".":
            starts = [piece.end()]
        elif piece.group() == ",":
            starts.append(piece.end())
    matches = [PIECE.search(stop.text, start) for start in starts]
    return [piece.start() for piece in matches if piece is not None and piece.start() <= stop.place[0]]


EXPLANATIONS: tuple[Callable[[Stop], Problem | None], ...] = (
    quoted,
    text_ends,
    doubled,
    swapped_symbol,
    typographic,
    look_alike,
    glued,
    quotes,
    no_plus_or_minus,
    missing_word,
    missing_comma,
    no_opening,
    joined,
    certainly_misspelt,
    misspelt,
)
"""All explanations in the order in which they are tried; the first that applies is reported."""


def explain(text: str, position: int, state: ParserState) -> Problem:
    """Return the problem at a position where the parser stopped."""
    stop = stop_at(text, position, state)
    problems = (explanation(stop) for explanation in EXPLANATIONS)
    return next((problem for problem in problems if problem is not None), None) or misplaced(stop)
