"""How a completion fits in front of the text behind the cursor: what it replaces, and what it leaves out.

A completion replaces the rest of the word in which the cursor is. It replaces further words of the line only
if the sentence could not be read otherwise, and at most as many words as it has itself: ``while attacking,``
takes the place of ``while attacked,``, a stat that of another stat, but ``if`` comes before what is there.
"""

from __future__ import annotations

import re

from msgspec import Struct

from toolkit.dsl.lalr import ParserState, Token, lex, tables
from toolkit.dsl.parsing import sentence_ends

_REST_OF_WORD = re.compile(r'[^\s.,()"=!<>*+\-]*')
_REST_OF_NAME = re.compile(r"[\w-]*")


def rest_of_name(after: str) -> tuple[int, str]:
    """Return the length of the rest of a name in quotes, and the quote that is missing behind it, if one is.

    Quotes come in pairs. So if the number of those behind the cursor, which is in a name, is odd, the first
    one of them ends this name.
    """
    line = after.partition("\n")[0]
    if line.count('"') % 2:
        return line.index('"'), ""
    name_end = _REST_OF_NAME.match(line)
    return name_end.end() if name_end else 0, '"'


class Fit(Struct, frozen=True):
    """The text of a completion, and how many characters behind the cursor it replaces."""

    text: str
    length: int


class Gap(Struct, frozen=True):
    """The place of the cursor: the parser's state before its word, and the words behind it.

    ``rest`` is the length of what belongs to the word at the cursor; ``words`` are those of the line behind
    it, ``below`` those of the following lines, both up to the end of the sentence. ``unread`` is the number
    of words that the parser does not reach as the sentence stands.
    """

    state: ParserState
    after: str
    rest: int
    words: list[Token]
    below: list[Token]
    unread: int

    def fit(self, text: str) -> Fit:
        """Return the completion with this text as it fits best: it replaces as few words as it can.

        It fits if the parser reads at least as much of the sentence as before. At most as many words are
        replaced as it has; one of them is for the word at the cursor, if that goes on behind it.
        """
        own_words = lex(text, tables().words)
        most_replaced = len(own_words) - (1 if self.rest > 0 else 0)
        for replaced_count in range(min(most_replaced, len(self.words)) + 1):
            following = [*self.words[replaced_count:], *self.below]
            kept_count = _count_unrepeated(own_words, following)
            kept_words = own_words[:kept_count]
            if following[:1] == kept_words[-1:]:  # a word twice: `not not` can be read
                continue
            # its own words must all be read, so no more than the following ones may be left
            most_unread = min(self.unread, len(following))
            if _unread(self.state, [*kept_words, *following]) <= most_unread:
                _, end = self.words[replaced_count - 1].place if replaced_count else (0, self.rest)
                _, end_of_kept = kept_words[-1].place
                kept_text = text[:end_of_kept] if kept_count < len(own_words) else text
                return self._spaced(kept_text, end)
        return self._spaced(text, self.rest)

    def _spaced(self, text: str, end: int) -> Fit:
        """Return a fit without a space at its end where what follows needs none, or has one."""
        following = self.after[end : end + 1]
        is_behind_word = end > 0 and not following
        return Fit(text.rstrip(" ") if is_behind_word or following in _NO_SPACE else text, end)


_NO_SPACE = frozenset(" \n\t.,)")


def gap(state: ParserState, partial: str, after: str) -> Gap:
    """Return the gap between a parser's state with the word that is begun there, and the text behind it.

    What is behind the cursor counts up to the end of the sentence.
    """
    rest_of_word = _REST_OF_WORD.match(after) if partial else None
    rest_length = rest_of_word.end() if rest_of_word else 0
    sentence_end = next((full_stop.end() for full_stop in sentence_ends(after, rest_length)), len(after))
    line_end = after.find("\n", rest_length, sentence_end)
    following = [_moved(token, rest_length) for token in lex(after[rest_length:sentence_end], tables().words)]
    in_line = [token for token in following if line_end < 0 or token.place[0] < line_end]
    below = following[len(in_line) :]
    at_cursor = lex(partial + after[:rest_length], tables().words)
    # the word at the cursor does not count: it is replaced
    unread = min(_unread(state, [*at_cursor, *following]), len(following))
    return Gap(state, after, rest_length, words=in_line, below=below, unread=unread)


def _moved(token: Token, by: int) -> Token:
    start, end = token.place
    token.place = (start + by, end + by)
    return token


def _unread(state: ParserState | None, words: list[Token]) -> int:
    """Return how many of the words the parser does not reach, because it rejects an earlier one."""
    for position, word in enumerate(words):
        state = state.after(word.type) if state is not None else None
        if state is None:
            return len(words) - position
    return 0


def _count_unrepeated(own: list[Token], following: list[Token]) -> int:
    """Return how many words of a completion are needed: the others follow already, in the same order."""
    for kept_count in range(1, len(own)):
        if own[kept_count:] == following[: len(own) - kept_count]:
            return kept_count
    return len(own)
