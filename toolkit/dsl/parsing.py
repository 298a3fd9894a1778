"""Parsing of effects. No text raises an exception: errors are returned as problems.

What explains mistakes is imported only where a mistake is met: it takes 4 ms of a check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from toolkit.dsl.building import parser
from toolkit.dsl.lalr import Refused
from toolkit.dsl.tree import Effect, Problem

MAX_CHARACTERS = 2000
MAX_NESTING = 40
MAX_DIGITS = 4

_COMMENT = r'"[^"\n]*"|(#[^\n]*)'
_NESTING = r'"[^"\n]*"|(\(|\bnot\b|\beither\b|-\s*-|-\s*\()'
_TOO_MANY_DIGITS = re.compile(rf"[0-9]{{{MAX_DIGITS + 1},}}")
_SENTENCE_END = r'"[^"\n]*"|(\.)'


@lru_cache(maxsize=8192)
def parse_effect(text: str, comments: bool = False) -> tuple[Effect | None, tuple[Problem, ...]]:
    """Return the tree of an effect, or None and its problems, one for each invalid sentence.

    ``comments`` says whether ``# …`` is a comment, as in ``|`` blocks only. Places in the tree and in
    problems are offsets in ``text``.
    """
    problem = _comment_problem(text) if not comments else None
    if problem is not None:
        return None, (problem,)
    text = without_comments(text) if comments and "#" in text else text
    problem = _out_of_bounds(text)
    if problem is not None:
        return None, (problem,)
    return _parse_sentences(text)


def comments_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the comments in a text; ``#`` in quotes does not begin one."""
    return (match for match in re.finditer(_COMMENT, text) if match.group(1))


def without_comments(text: str) -> str:
    """Return a text with its comments replaced by spaces, so that places stay the same."""
    return re.sub(_COMMENT, lambda match: " " * len(match[0]) if match[1] else match[0], text)


def _comment_problem(text: str) -> Problem | None:
    """Return the problem of the first comment, where there must be none."""
    match = next(comments_in(text), None) if "#" in text else None
    if match is None:
        return None
    return Problem(
        "comment-not-allowed",
        "A `#` begins a comment only in a `|` block, so it is not possible here.",
        (match.start(), match.start() + 1),
        "Write the effect as a `|` block, or put the comment on a line of its own above the key.",
    )


def _out_of_bounds(text: str) -> Problem | None:
    """Return the problem of an effect that is empty, or too long or too deep to be parsed."""
    if not text.strip():
        return Problem(
            "empty-effect",
            "The effect is empty.",
            (0, len(text)),
            "Write a sentence, for example `self gets +1 AP.`, or remove the key.",
        )
    if len(text) > MAX_CHARACTERS:
        return Problem(
            "effect-too-long",
            f"The effect has {len(text)} characters; the limit is {MAX_CHARACTERS}.",
            (0, min(len(text), 40)),
            "Shorten it, or split it into several SKILLs.",
        )
    nested = _nested(text)
    if len(nested) > MAX_NESTING:
        return Problem(
            "effect-too-deep",
            f"The effect has more than {MAX_NESTING} parentheses, `not` and `either`.",
            nested[MAX_NESTING].span(),
            "Write it more simply.",
        )
    number = _TOO_MANY_DIGITS.search(text)
    if number is not None:
        return Problem(
            "number-too-large",
            f"`{number.group()[:12]}` is too large: a number in an effect has at most {MAX_DIGITS} digits.",
            number.span(),
            "Write a smaller number.",
        )
    return None


def _nested(text: str) -> list[re.Match[str]]:
    """Return the tokens that nest parts; none if there are obviously not too many of them."""
    if sum(map(text.count, ("(", "not", "either", "-"))) <= MAX_NESTING:
        return []
    return [match for match in re.finditer(_NESTING, text) if match.group(1)]


def _parse_sentences(text: str) -> tuple[Effect | None, tuple[Problem, ...]]:
    """Parse all sentences; after an error, blank out its sentence and those before, and parse the rest."""
    problems: list[Problem] = []
    remaining_text = text
    while True:
        parsed = parser().parse(remaining_text)
        if not isinstance(parsed, Refused):
            return (parsed, ()) if not problems else (None, tuple(problems))
        from toolkit.dsl.mistakes.typing_mistakes import explain

        problems.append(explain(remaining_text, parsed.position, parsed.state))
        begin = _after_full_stop(remaining_text, max(parsed.position, problems[-1].place[1]))
        remaining_text = " " * begin + remaining_text[begin:]
        if not remaining_text.strip():
            return None, tuple(problems)


def sentence_ends(text: str, position: int = 0) -> Iterator[re.Match[str]]:
    """Yield the full stops from a position on; one in quotes does not end a sentence."""
    return (match for match in re.compile(_SENTENCE_END).finditer(text, position) if match.group(1))


def _after_full_stop(text: str, position: int) -> int:
    match = next(sentence_ends(text, position), None)
    return len(text) if match is None else match.end()
