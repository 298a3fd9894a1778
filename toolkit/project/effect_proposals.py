"""What may be written instead of a wrong sentence of an effect, proven where it stands.

A slip of typing is mended at its word. For anything else the sentences nearest to the whole one are looked
for, with the names of the project and on the card where it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_objects import compile_effect
from toolkit.dsl.mistakes.proposed_sentences import told_as_german, with_proposals
from toolkit.dsl.mistakes.typing_mistakes import BEGINNINGS, PIECE, terminal_of, where_it_stops
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.proposals import OPENINGS, CardKind, Proposal, nearest_sentences
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus
from toolkit.dsl.parsing import parse_effect, sentence_ends, without_comments
from toolkit.dsl.tree import Effect, Place, Problem
from toolkit.lint import EffectContext, check_text, lint_effect
from toolkit.vocabulary import Role
from toolkit.vocabulary.nearest import changes_meaning, is_opposite, may_search, words_of

_HARMLESS = frozenset(
    ("self", "it", "owner", "all", "one", "when", "while", "if", "has", "have", "number", "card", "cards")
) | frozenset(("OPERATOR", "OPERATORs", "ATTACK", "DEFENCE", "trait", "performs", "into", "from", "end"))
"""The words that may be missing in a sentence although it is clear what was meant."""
_MOST_FIXES = 30
"""More mistakes in one sentence are not counted: what was meant is not certain then."""


def with_what_was_meant(
    text: str, problems: Sequence[Problem], comments: bool, names: Names, context: EffectContext
) -> tuple[Problem, ...]:
    """Return the problems of an effect with what was probably meant.

    A fix that is kept changes no meaning and leaves its sentence without an error; it is safe if nothing else
    can be meant. There is one problem for each sentence that cannot be read.
    """
    text = without_comments(text) if comments else text
    told: list[Problem] = []
    told_up_to = 0  # the end of the last sentence that has its one problem
    for problem in _with_kept_fixes(text, problems, names, context):
        mistake_start, _ = problem.place
        sentence_place = _sentence_at(text, problem.place)
        _, sentence_end = sentence_place
        tree, _ = parse_effect(text[slice(*sentence_place)])
        is_readable = tree is not None
        is_certain = problem.fix is not None and problem.safe
        if is_readable or is_certain or _is_half_typed(text, sentence_place, problem):
            told.append(problem)
        elif told_up_to <= mistake_start:
            told_up_to = sentence_end
            nearest = _with_nearest(text, sentence_place, problem, names, context)
            told.append(told_as_german(nearest, text))
    return tuple(told)


def _is_half_typed(text: str, place: Place, problem: Problem) -> bool:
    """Whether the sentence at a place has only not ended yet, once its misspelt word is mended."""
    if problem.fix is None or not problem.name.startswith("unknown-"):
        return problem.name == "unfinished-sentence"
    (start, end), (mistake_start, mistake_end) = place, problem.place
    _, problems = parse_effect(text[start:mistake_start] + problem.fix + text[mistake_end:end])
    first_problem = next(iter(problems), None)
    return first_problem is not None and first_problem.name == "unfinished-sentence"


def _with_nearest(text: str, place: Place, problem: Problem, names: Names, context: EffectContext) -> Problem:
    """Return the problem of the sentence at a place with the sentences nearest to that, or why none is right.

    They are looked for only while steps are left in this check.
    """
    sentence_start, sentence_end = place
    sentence = text[sentence_start:sentence_end]

    def problems_of(effect: Effect) -> tuple[Problem, ...]:
        return check_effect(effect, context.role, names) or lint_effect(effect, context)

    def is_right(effect: Effect) -> bool:
        return not problems_of(effect)

    card_kind = CardKind(context.role.value, OPENINGS.get(context.role, ""), is_right)
    refused: list[Effect] = []  # the sentences that are near, but not right here
    nearest = nearest_sentences(sentence, names, [card_kind], refused=refused) if may_search() else []
    proposals = [*worth_telling([_with_numbers(sentence, proposal) for proposal in nearest], context.role)]
    mended = None
    if problem.fix is not None:
        start, end = problem.place
        mended, _ = parse_effect(text[sentence_start:start] + problem.fix + text[end:sentence_end])
    if mended is None or not is_right(mended):
        problem = _without_guess(problem, sentence, sentence_start)
    why_not = None
    if refused and not proposals:
        nearest_refused, *_ = refused
        first_problem, *_ = problems_of(nearest_refused)
        why_not = first_problem.message
    told = with_proposals(problem, text, place, proposals, why_not)
    nearest_tree = next((proposal.tree for proposal in proposals), None)
    if problem.fix is not None and mended is not None and mended == nearest_tree:
        # the fix of its word says the same as the nearest sentence, and shows better what is wrong
        return replace(problem, safe=told.safe, alternatives=told.alternatives)
    return told


def _without_guess(problem: Problem, sentence: str, start: int) -> Problem:
    """Return the problem of a sentence as the word at which it stops to be one."""
    stopped = where_it_stops(sentence)
    if stopped is None or problem.name not in ("missing-word", "missing-comma", "missing-full-stop"):
        return replace(problem, fix=None)
    stop_start, stop_end = stopped.place
    return replace(stopped, place=(start + stop_start, start + stop_end))


def _with_numbers(sentence: str, proposal: Proposal) -> Proposal:
    """Return a proposal that names the numbers of a sentence which it leaves out."""
    words = set(_WORD.findall(proposal.effect))
    unsaid = [
        number
        for number in _NUMBER.findall(sentence)
        if number not in words and words.isdisjoint(_SAID_BY.get(number, ()))
    ]
    return proposal._replace(left_out=(*proposal.left_out, *unsaid), is_same=proposal.is_same and not unsaid)


_WORD, _NUMBER = re.compile(r"\w+"), re.compile(r"(?<![\w.])\d+(?!\w)")
_SAID_BY = {
    "0": ("no", "not", "cannot"),
    "1": ("one", "a", "an", "the", "each", "self", "card", "all"),
    "2": ("two", "doubles", "double", "halves", "halve", "up"),
    "3": ("three",),
    "50": ("halves", "halve"),
    "100": ("doubles", "double"),
}
"""The words of the language that say a number."""


def worth_telling(proposals: Sequence[Proposal], role: Role) -> Iterator[Proposal]:
    """Yield the proposals that differ in their meaning, and invent nothing beside the nearest one."""
    meanings: list[object] = []
    for proposal in proposals:
        effects = compile_effect(proposal.tree, role, "", "")
        meaning = [(effect.hook, effect.condition, effect.actions, effect.limit) for effect in effects]
        is_nearest = not meanings
        adds_only_harmless = _HARMLESS.issuperset(proposal.added)
        is_invented = proposal.added and not (is_nearest and not proposal.left_out and adds_only_harmless)
        if meaning not in meanings and not is_invented:
            meanings.append(meaning)
            yield proposal


def _sentence_at(text: str, place: Place) -> Place:
    """Return the place of a sentence, with the one before or behind it where the two are one in fact."""
    bounds = _bounds(text)
    first, last = _sentences_of(place, bounds)
    if first and _continues(text[bounds[first] :]):
        first -= 1
    while last < len(bounds) - 1 and _belongs_to_it(text[bounds[last] :]):
        last += 1
    sentence = text[bounds[first] : bounds[last]]
    start = bounds[first] + len(sentence) - len(sentence.lstrip())
    return start, start + len(sentence.strip())


def _bounds(text: str) -> list[int]:
    """Return the offsets between the sentences of a text, with its beginning and its end."""
    return [0, *(full_stop.end() for full_stop in sentence_ends(text)), len(text)]


def _sentences_of(problem_place: Place, bounds: list[int]) -> tuple[int, int]:
    """Return the indexes of the bounds before and behind all sentences that a place is in."""
    start, end = problem_place
    # a place at the very end belongs to the last sentence
    first = bisect_right(bounds, start, hi=len(bounds) - 1) - 1
    # an empty place at the beginning of a sentence belongs to that sentence
    last = bisect_left(bounds, max(end, bounds[first] + 1))
    return first, last


def _belongs_to_it(text_behind: str) -> bool:
    """Whether the full stop before a text does not end a sentence."""
    is_glued = text_behind[:1].strip() not in ("", ".")
    return is_glued or _goes_on(text_behind.lstrip()) or _continues(text_behind)


def _continues(text_behind: str) -> bool:
    """Whether a text begins with words that belong to the sentence before it, such as `Otherwise`."""
    spoken = text_behind.casefold().split()
    return any(spoken[: len(words)] == [*words] for words in thesaurus().continuations)


def _with_kept_fixes(
    text: str, problems: Sequence[Problem], names: Names, context: EffectContext
) -> tuple[Problem, ...]:
    """Return the problems with the fixes that they may keep.

    None changes who acts, when, a side or a negation. A fix is safe only if its sentence has no error left
    when all that is certain in it is fixed.
    """
    bounds = _bounds(text)
    kept_problems = [_without_fix_of_other_meaning(problem, text) for problem in problems]
    proven: dict[tuple[int, int], bool] = {}
    for number, problem in enumerate(kept_problems):
        if problem.fix is None or not problem.safe:
            continue
        first, last = _sentences_of(problem.place, bounds)
        start, end = bounds[first], bounds[last]
        if (start, end) not in proven:
            is_whole = not _goes_on(text[end:].lstrip())
            proven[start, end] = is_whole and _can_be_fixed(text[start:end], names, context)
        if not proven[start, end]:
            # `inadjacent` is not `in adjacent` but its opposite, unless all is right with the two words
            *_, last_word = problem.fix.split(" ")
            is_negated = is_opposite(text[slice(*problem.place)], last_word)
            kept_problems[number] = replace(problem, safe=False, fix=None if is_negated else problem.fix)
    return tuple(kept_problems)


def _goes_on(text_behind: str) -> bool:
    """Whether a full stop stands in the midst of a sentence: what follows it begins none."""
    match = PIECE.match(text_behind)
    if match is None or match.group() in BEGINNINGS:
        return False
    is_word_of_language = terminal_of(match.group()) is not None
    return is_word_of_language or not match.group()[0].isalpha()


def _can_be_fixed(sentence: str, names: Names, context: EffectContext) -> bool:
    """Whether a sentence has no error left when all that is certain in it is fixed, one after the other.

    Where two words are missing, it may as well be others that were meant. A fix that would change the meaning
    is no fix here.
    """
    missing_count = 0
    for _ in range(_MOST_FIXES):
        _, problems = check_text(sentence, comments=False, names=names, context=context)
        error = next(filter(_is_error, problems), None)
        if error is None:
            return True
        error = _without_fix_of_other_meaning(error, sentence)
        if error.fix is None or not error.safe:
            return False
        start, end = error.place
        adds_word = len(words_of(error.fix)) > len(words_of(sentence[start:end]))
        if error.name == "missing-word" and adds_word:
            missing_count += 1
        if missing_count > 1:
            return False
        sentence = sentence[:start] + error.fix + sentence[end:]
    return False


def _without_fix_of_other_meaning(problem: Problem, text: str) -> Problem:
    """Return a problem without a fix that would change the meaning."""
    if problem.fix is None or not changes_meaning(text[slice(*problem.place)], problem.fix):
        return problem
    return replace(problem, fix=None)


def _is_error(problem: Problem) -> bool:
    return severity_of(problem.name) == "error"
