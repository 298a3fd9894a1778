"""The first TURN of the first game, played by the engine and told in sentences.

Of a few TURNs, each with other dice and another order of cards, the one is told that shows most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Card, CardSet
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import RandomDice
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.log import Match
from toolkit.engine.outcomes import Roll, TraceEntry
from toolkit.engine.phases import GameStep, new_game, play_game
from toolkit.engine.players import built_in
from toolkit.engine.state import SIDES, GameState
from toolkit.engine.state_queries import StateQueries
from toolkit.play.playable_game import PlayRequest, Unplayable, make_match
from toolkit.project.faces import faces
from toolkit.project.pipeline import Workspace
from toolkit.wording.languages import Words
from toolkit.wording.narration import Narrator, narrator_of
from toolkit.wording.text import Paragraph, Run, plain

_PHASES = ("PREPARATION", "STRATEGY", "COMBAT", "SUPPORT")
_SEEDS = range(1, 13)
"""The TURNs from which one is chosen; a TURN takes 2 to 20 ms."""
_TOLD_ACTIONS = 6
"""So many ACTIONs of COMBAT are told, those of both players in turn; then it goes on like that."""
_GOOD_CARDS = 3
"""More cards in STRATEGY are more to read than a first TURN needs."""
_COMBAT_RULES = ("A-1", "A-2", "A-2a", "A-2b", "A-3", "A-4", "A-5", "E-22", "K-1", "K-2", "K-3", "M-5", "H-1")
"""Rules of COMBAT that are told; how numbers come about is said by their sums."""
_TOLD_RULES = {"PREPARATION": ("T-1",), "COMBAT": _COMBAT_RULES, "SUPPORT": ("T-4",)}
"""By phase the rules that are told; of STRATEGY all are."""
_TOLD_KINDS = ("card", "event", "compare", "counter", "status", "die")


_REMINDER = re.compile(r"\s*\([^()]*\.\)")


class PlayedTurn(Struct, frozen=True):
    """A TURN: the rules by which it was played, and its steps."""

    rules: Rules
    steps: tuple[GameStep, ...]


class PlayedPhase(Struct, frozen=True):
    """A phase with its rule, and what happened in it, a paragraph for each ACTION or card."""

    number: str
    title: str
    story: tuple[Paragraph, ...]
    rule: Paragraph = ()


class _Steps(Struct):
    """An observer that keeps the steps of a GAME."""

    steps: list[GameStep] = []

    def observe(self, step: GameStep) -> None:
        self.steps.append(step)


def first_turn(workspace: Workspace, pair: Sequence[str]) -> PlayedTurn | None:
    """Return a first TURN, as two programs play it; None without SQUADs, or if they cannot be played.

    A single SQUAD plays against itself. Of the TURNs that differ by their dice it is the most telling one.
    """
    if not pair:
        return None
    first_seed, *_ = _SEEDS
    blue, red = pair[0], pair[-1]
    match = make_match(workspace, PlayRequest((blue, red)), first_seed)
    if isinstance(match, Unplayable):
        return None
    turns = (played_turn(match, seed) for seed in _SEEDS)
    return max(turns, key=lambda turn: _worth_telling(workspace.cards, turn))


def played_turn(match: Match, seed: int) -> PlayedTurn:
    """Return the first TURN of a match, played by two programs with the dice of a seed."""
    rules = replace(match.rules, mode=replace(match.rules.mode, max_rounds=1))
    observer = _Steps()
    state = new_game(rules, match.blue, match.red, Random(seed))
    players = {side: built_in("greedy", rules, seed) for side in SIDES}
    play_game(state, rules, players, RandomDice(seed), observer)
    # up to the first step of SUPPORT, in which the TURN ends
    end = next((number for number, step in enumerate(observer.steps, 1) if step.phase == "SUPPORT"), 0)
    return PlayedTurn(rules, tuple(observer.steps[:end]))


def _worth_telling(cards: CardSet, turn: PlayedTurn) -> tuple[bool | int, ...]:
    """Return how much a TURN shows: a hit, an ACTION but ATTACK, cards that do something, and not too many.

    A CRITICAL is explained on the second page only.
    """
    results = [step.outcome.attack for step in turn.steps if step.outcome.attack is not None]
    others = [step for step in turn.steps if isinstance(step.what, GameAction) and step.what.name != "attack"]
    played = [step for step in turn.steps if step.phase == "STRATEGY" and isinstance(step.what, str)]
    idle = [step for step in played if not _stays(cards, step) and not _does_something(step)]
    return (
        any(result.damage for result in results),
        bool(others),
        -len(idle),
        not any(result.critical for result in results),
        min(len(played), 1) - max(len(played) - _GOOD_CARDS, 0),
    )


def _stays(cards: CardSet, step: GameStep) -> bool:
    """Whether the card of a step stays in play."""
    card = cards.cards.get(step.what) if isinstance(step.what, str) else None
    return isinstance(card, Card) and card.kind == "strategy"


def _does_something(step: GameStep) -> bool:
    """Whether the card of a step does something at once that is told, or that people do by hand."""
    return any(entry.origin is not None and _is_told(entry, step.phase) for entry in step.outcome.trace)


def told_phases(workspace: Workspace, turn: PlayedTurn | None, words: Words) -> tuple[PlayedPhase, ...]:
    """Return the four phases of a TURN, each with what happened in it."""
    phases = []
    for number, phase in enumerate(_PHASES, 1):
        story: list[Paragraph] = []
        if turn is not None:
            narrator, origins = narrator_of(workspace.cards, words), workspace.origins(words.language)
            story = list(_Teller(workspace, words, narrator, origins, turn).story(phase))
            if phase == "STRATEGY" and not story:
                story = [words.said(words.say("learn-no-card"))]
        phases.append(PlayedPhase(str(number), words.say(f"phase-{number}"), tuple(story)))
    return tuple(phases)


class _Teller(Struct, frozen=True):
    """Tells the steps of a TURN."""

    workspace: Workspace
    words: Words
    narrator: Narrator
    origins: Origins
    turn: PlayedTurn

    def story(self, phase: str) -> Iterator[Paragraph]:
        """Yield what happened in a phase, a paragraph for each ACTION or card."""
        all_steps = self.turn.steps
        states_before = [step.state for step in (*all_steps[:1], *all_steps[:-1])]
        steps = [
            (state_before, step)
            for state_before, step in zip(states_before, all_steps, strict=True)
            if step.phase == phase
        ]
        told_steps = steps[:_TOLD_ACTIONS] if phase == "COMBAT" else steps
        for state_before, step in told_steps:
            sentences = list(self._sentences(step, state_before))
            if isinstance(step.what, str):  # a card: what it says stands behind who plays it
                sentences[1:1] = self._rules_text(step.what)
            if sentences:
                yield _joined(dict.fromkeys(sentences))
        if len(steps) > len(told_steps):
            actions = sum(isinstance(step.what, GameAction) for _, step in steps)
            yield self._say("learn-and-so-on", number=actions)

    def _say(self, key: str, **fields: object) -> Paragraph:
        return self.words.said(self.words.say(key, **fields))

    def _sentences(self, step: GameStep, state_before: GameState) -> Iterator[Paragraph]:
        """Yield what happened in a step; where numbers are compared, first how they came about."""
        for entry in step.outcome.trace:
            if entry.kind == "compare" and entry.rule == "A-1":
                yield from self._sums(step, state_before)
            if _is_told(entry, step.phase) or _is_cost(entry, step):
                yield self._said(entry)
        if step.phase == "STRATEGY" and isinstance(step.what, str):
            yield from self._afterwards(step)

    def _sums(self, step: GameStep, state_before: GameState) -> Iterator[Paragraph]:
        """Yield the dice that were rolled, then AP of the attacker and EP of the attacked as sums."""
        outcome = step.outcome
        if outcome.attack is None:
            return
        dice = ", ".join(f"{roll.die} D6 {_results(roll)}" for roll in outcome.attack.rolls)
        yield self._say("learn-rolls", dice=dice)
        both = (outcome.attack.attacker, outcome.attack.attacked)
        resolver = StateQueries(self.turn.rules, state_before)
        explained = explain(resolver, step.state, outcome, both, self.origins, thorough=False)
        for sum_ in explained.sums:
            yield (Run("text", f"{self.narrator.sum(sum_.text)}."),)

    def _afterwards(self, step: GameStep) -> Iterator[Paragraph]:
        """Yield what becomes of a card that has been played, or that it did nothing."""
        if _stays(self.workspace.cards, step):
            yield self._say("learn-stays")
        elif not _does_something(step):
            yield self._say("learn-no-effect")

    def _said(self, entry: TraceEntry) -> Paragraph:
        """Return the sentence of an entry, behind the name of the effect that did it."""
        text = self.narrator.sentence(entry)
        if entry.origin is None or entry.rule == "E-1" or entry.origin.role.startswith("action "):
            return self.words.said(text)
        return self._say("learn-effect", title=self.origins.title(entry.origin), text=text)

    def _rules_text(self, card_id: str) -> Iterator[Paragraph]:
        """Yield what a card says that is played, in quotes and without reminders."""
        for face in faces(self.workspace, self.words.language, (card_id,)):
            text = plain(tuple(paragraph for skill in face.skills for paragraph in skill.paragraphs))
            if text:
                yield self._say("learn-says", text=_REMINDER.sub("", text).replace("\n", " "))


def _joined(sentences: Iterable[Paragraph]) -> Paragraph:
    """Return sentences as one paragraph."""
    runs: list[Run] = []
    for sentence in sentences:
        runs += [Run("text", " "), *sentence] if runs else sentence
    return tuple(runs)


def _results(roll: Roll) -> str:
    """Return what a die showed, with its earlier results; in parentheses if it was set aside."""
    results = " → ".join(map(str, (*roll.rerolled, roll.result)))
    return f"({results})" if roll.is_aside else results


def _is_told(entry: TraceEntry, phase: str) -> bool:
    """Whether an entry is told: what players see happen, not how its numbers come about."""
    if entry.rule == "E-1":
        return True
    is_sentence = entry.origin is not None and entry.text == entry.origin.text
    is_unchanged = entry.kind != "compare" and entry.before is not None and entry.before == entry.after
    is_of_phase = phase not in _TOLD_RULES or entry.rule in _TOLD_RULES[phase]
    return is_of_phase and entry.kind in _TOLD_KINDS and not (is_sentence or is_unchanged)


def _is_cost(entry: TraceEntry, step: GameStep) -> bool:
    """Whether an entry is what an ACTION but ATTACK does to the numbers of an OPERATOR."""
    is_other = isinstance(step.what, GameAction) and step.what.name != "attack"
    of_action = entry.origin is not None and entry.origin.role.startswith("action ")
    return is_other and of_action and entry.kind == "change"
