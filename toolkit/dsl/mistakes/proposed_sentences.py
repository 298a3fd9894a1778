"""What is said about a sentence that cannot be read, once the sentences nearest to it are known.

The finding keeps its name and place; what is proposed is one edit, of the words that differ, and the next
step shows it. A proposal that leaves words out is called the nearest, and is never made a fix.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from toolkit.diagnostics.phrases import listed_in_text
from toolkit.dsl.lalr import terminals_by_word
from toolkit.dsl.mistakes.typing_mistakes import PIECE, terminal_of
from toolkit.dsl.nearest_sentences.phrases import noted_at
from toolkit.dsl.nearest_sentences.proposals import Proposal
from toolkit.dsl.nearest_sentences.text_words import words_of_text
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus, verbs_about
from toolkit.dsl.tree import Place, Problem, Rewording
from toolkit.vocabulary.nearest import changes_meaning, is_ambiguous, nearest

_GENERAL = ("unexpected-word", "unknown-word", "unfinished-sentence")
"""Findings that say no more than where the parser stopped."""
_AT_A_WORD = ("unknown-word", "unknown-verb", "unknown-trigger", "unknown-who")
"""Findings about one word that the language does not have."""
_GERMAN = "Effects are English, and `{}` is German."
_ORDER = (
    "A sentence has an order: first `when` or `while`, then `if`, then who, what they do, and for how long."
)
_MANY_FOREIGN = 2
"""With so many words that the language does not have a sentence is no slip of one that it has."""
_SHORTEST_STEM = 4
_MOST_SHOWN = 6
"""If more words differ, the whole sentence is shown."""


def with_proposals(
    problem: Problem, text: str, place: Place, proposals: Sequence[Proposal], why_not: str | None = None
) -> Problem:
    """Return the problem of the sentence at a place of a text, with what is nearest to the sentence.

    The best proposal is the fix if it says all of the sentence; with words left out it is only mentioned.
    ``why_not`` says what is wrong with that if nothing can be proposed because of it.
    """
    sentence = text[slice(*place)]
    rewordings = [_reworded(text, place, proposal) for proposal in proposals]
    note = _note_about(sentence)
    if not problem.fix or proposals:  # proposals for the whole sentence replace a guess about one word
        problem = replace(problem, message=problem.message.partition(" Did you mean ")[0], fix=None)
    if not rewordings:
        return _with_nothing_near(problem, sentence, note, why_not)
    offered = [edit for edit in rewordings if not _may_be_another(text[slice(*edit.place)], edit.text)]
    problem = replace(problem, alternatives=tuple(offered), safe=False)
    if proposals[0].left_out:
        message = problem.message if note is None else note
        return replace(problem, message=message, next_step=_nearest(proposals))
    best = rewordings[0]
    is_offered = best in offered
    if not problem.name.startswith(("unknown-", *_GENERAL)):  # the fix then has to mend this problem's place
        best = _widened(best, problem.place, text)
    problem = replace(problem, place=best.place, fix=best.text, safe=proposals[0].is_same)
    explained = _explained(problem, text, note, proposals)
    return explained if problem.safe or is_offered else replace(explained, fix=None)


def _may_be_another(written: str, right: str) -> bool:
    """Whether an edit changes a side, a moment or a negation, or another word may be meant as well.

    `attack` may be `attacks` as well as `attacked`, which means another side: where words differ in their
    endings only, it does not matter which one is more similar.
    """
    if changes_meaning(written, right):
        return True
    other_words = [word for word in terminals_by_word() if word != right]
    same_stem_words = [word for word in other_words if _is_of_same_stem(written, word)]
    if any(changes_meaning(right, word) for word in same_stem_words):
        return _is_of_same_stem(written, right)
    is_misspelling = nearest(written, (right,)) is not None
    return is_misspelling and is_ambiguous(written, right, other_words)


def _is_of_same_stem(word: str, other: str) -> bool:
    """Whether two words differ in their endings only: `attacks` and `attacking`."""
    stem_length, _ = _common_ends(word.casefold(), other.casefold())
    return stem_length > _SHORTEST_STEM and max(len(word), len(other)) - stem_length <= len("ing")


def _widened(rewording: Rewording, place: Place, text: str) -> Rewording:
    """Return an edit so that it replaces all of a place that it touches; one elsewhere as it is."""
    (start, end), (place_start, place_end) = rewording.place, place
    if place_end < start or end < place_start:
        return rewording
    first, last = min(start, place_start), max(end, place_end)
    return Rewording((first, last), text[first:start] + rewording.text + text[end:last])


def told_as_german(problem: Problem, text: str) -> Problem:
    """Return a problem that stops at a German word as one about that."""
    written = text[slice(*problem.place)]
    if problem.name not in _AT_A_WORD or not _is_german(written):
        return problem
    step = problem.next_step if problem.fix is None else f"Write `{problem.fix}`."
    return replace(problem, name="german-word", message=_GERMAN.format(written), next_step=step)


def _with_nothing_near(problem: Problem, sentence: str, note: str | None, why_not: str | None) -> Problem:
    """Return a problem with what the language has instead, where it has no sentence near enough."""
    if note is not None:
        problem = replace(problem, message=note)
    if problem.fix is not None or not problem.name.startswith(("unknown-", "unexpected-")):
        return problem
    if why_not is not None:
        return replace(problem, next_step=f"In the words of the language it would be wrong, too: {why_not}")
    if not sentence.endswith("."):
        return problem  # it may still be written
    foreign_words = [word for word in PIECE.findall(sentence) if word.isalpha() and terminal_of(word) is None]
    step = problem.next_step
    if len(foreign_words) >= _MANY_FOREIGN:
        step, *_ = verbs_about(sentence)
    return replace(problem, next_step=f"No effect says that; a card can, with `text_only:`. {step}")


def _explained(problem: Problem, text: str, note: str | None, proposals: Sequence[Proposal]) -> Problem:
    """Return a problem whose fix says all of the sentence, with its message and next step."""
    written, right = " ".join(text[slice(*problem.place)].split()), problem.fix or ""
    others = [proposal for proposal in proposals[1:] if not proposal.left_out]
    is_short = max(len(written.split()), len(right.split())) <= _MOST_SHOWN
    if _is_german(written):
        name, message = "german-word", _GERMAN.format(written)
    elif note is not None:
        name, message = "unexpected-word", note
    elif _says_what_is_wrong(problem, written):
        name, message = problem.name, problem.message
    elif right.startswith(written) or right.endswith(written):
        name, message = _missing(written, right)
    elif not _spoken(written):
        name, message = "unexpected-word", f"`{written}` is not the right symbol here."
    elif _spoken(written) != _spoken(right) and sorted(_spoken(written)) == sorted(_spoken(right)):
        name, message = "unexpected-word", _ORDER
    elif not is_short:
        name, message = "unexpected-word", "The language says this in other words, or in another order."
    elif not right:
        name, message = "unexpected-word", f"`{written}` is not needed here."
    else:
        unknown_in = "the word here" if terminal_of(written) is not None else "in the effect language"
        name, message = "unexpected-word", f"`{written}` is not {unknown_in}."
    if not right:
        step = f"Remove `{written}`."
    elif others and not problem.safe:
        effects = [f"`{proposal.effect}`" for proposal in (proposals[0], *others)]
        step = f"Write {listed_in_text(effects, 'or')}."
    else:
        step = f"Write `{right if is_short else proposals[0].effect}`."
    return replace(problem, name=name, message=message, next_step=step)


def _says_what_is_wrong(problem: Problem, written: str) -> bool:
    """Whether a finding is about just what its fix mends."""
    if problem.name.startswith("unknown-"):
        return not problem.safe and " " not in written
    return problem.name not in _GENERAL


def _is_german(written: str) -> bool:
    words = _spoken(written)
    return bool(words) and thesaurus().german.issuperset(words)


def _spoken(text: str) -> list[str]:
    """Return the words of a text in lower case, without numbers and symbols."""
    return [word.casefold() for word in PIECE.findall(text) if word.isalpha()]


def _missing(written: str, right: str) -> tuple[str, str]:
    """Return finding and message for words that lack others before or behind them."""
    is_behind = right.startswith(written)
    missing = (right[len(written) :] if is_behind else right[: -len(written)]).strip()
    if missing == ",":
        return "missing-comma", f"A comma is missing after `{written}`."
    return "missing-word", f"`{missing}` is missing {'after' if is_behind else 'before'} `{written}`."


def _nearest(proposals: Sequence[Proposal]) -> str:
    """Return a sentence with the proposals, each with the words that it leaves out."""
    descriptions = []
    for proposal in proposals:
        left_out = listed_in_text([f"`{word}`" for word in proposal.left_out], "and")
        descriptions.append(f"`{proposal.effect}`" + (f", without {left_out}" if left_out else ""))
    return f"The nearest is {'; or '.join(descriptions)}."


def _reworded(text: str, place: Place, proposal: Proposal) -> Rewording:
    """Return the edit that makes a sentence a proposal: it replaces the words that differ, at least one."""
    written, right = [*PIECE.finditer(text, *place)], [*PIECE.finditer(proposal.effect)]
    head, tail = _common_ends([match.group() for match in written], [match.group() for match in right])
    if head + tail == len(written):  # something is missing: replace the word before it, or that behind
        is_behind_word = head > 0 and (tail == 0 or written[head - 1].group()[-1].isalnum())
        head, tail = (head - 1, tail) if is_behind_word else (head, tail - 1)
    begin, end = written[head].start(), written[len(written) - 1 - tail].end()
    if head + tail == len(right):  # words are removed, with the space before a symbol, else behind them
        if head and tail and not written[-tail].group()[0].isalnum():
            return Rewording((written[head - 1].end(), end), "")
        return Rewording((begin, written[-tail].start() if tail else end), "")
    replacement = proposal.effect[right[head].start() : right[len(right) - 1 - tail].end()]
    next_character = text[end : end + 1]
    is_glued = next_character.isalnum() and replacement[-1].isalnum()
    return Rewording((begin, end), f"{replacement} " if is_glued else replacement)


def _common_ends(first: Sequence[str], second: Sequence[str]) -> tuple[int, int]:
    """Return how many items of two sequences are the same at their beginnings, and how many at their ends.

    None counts for both, even if one sequence is the beginning and the end of the other.
    """
    shorter = min(len(first), len(second))
    head = next((index for index in range(shorter) if first[index] != second[index]), shorter)
    most = shorter - head
    tail = next((index for index in range(most) if first[-1 - index] != second[-1 - index]), most)
    return head, tail


def _note_about(sentence: str) -> str | None:
    """Return the note that explains something in a sentence, if there is one."""
    spoken = [word.casefold() for word in words_of_text(sentence)]
    notes = (noted_at(spoken, position) for position in range(len(spoken)))
    return next((note for note in notes if note is not None), None)
