"""The first TURN of the first game, played by the engine and told in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import RandomDice
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.phases import GameStep, new_game, play_game
from toolkit.engine.players import built_in
from toolkit.engine.state import SIDES
from toolkit.play.playable_game import PlayRequest, Unplayable, make_match
from toolkit.project.faces import faces
from toolkit.project.pipeline import Workspace
from toolkit.wording.languages import Words
from toolkit.wording.narration import Narrator, narrator_of
from toolkit.wording.text import Paragraph, plain

_PHASES = ("PREPARATION", "STRATEGY", "COMBAT", "SUPPORT")
_SEED = 1
_TOLD_ACTIONS = 8
"""So many ACTIONs of COMBAT are told, those of both players in turn; then it goes on like that."""
_TOLD_RULES = {
    "PREPARATION": ("T-1",),
    "STRATEGY": ("T-2", "E-1"),
    "COMBAT": ("A-1", "A-2", "A-2a", "A-2b", "A-3", "A-4", "A-5", "K-1", "K-2", "K-3", "M-5", "H-1", "E-1"),
    "SUPPORT": ("T-4",),
}
_TOLD_KINDS = ("card", "event", "compare", "counter", "status", "die")


_REMINDER = re.compile(r"\s*\([^()]*\.\)")


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


def first_turn(workspace: Workspace, pair: Sequence[str]) -> tuple[GameStep, ...]:
    """Return the steps of the first TURN, as two programs play it; none if the SQUADs cannot be played."""
    if not pair:
        return ()
    match = make_match(workspace, PlayRequest((pair[0], pair[-1])), _SEED)
    if isinstance(match, Unplayable):
        return ()
    rules = replace(match.rules, mode=replace(match.rules.mode, max_rounds=1))
    observer = _Steps()
    state = new_game(rules, match.blue, match.red, Random(_SEED))
    players = {side: built_in("greedy", rules, _SEED) for side in SIDES}
    play_game(state, rules, players, RandomDice(_SEED), observer)
    end = next((number for number, step in enumerate(observer.steps) if step.phase == "SUPPORT"), -1)
    return tuple(observer.steps[: end + 1])


def told_phases(workspace: Workspace, steps: Sequence[GameStep], words: Words) -> tuple[PlayedPhase, ...]:
    """Return the four phases of a TURN, each with what happened in it."""
    teller = _Teller(workspace, words, narrator_of(workspace.cards, words), workspace.origins(words.language))
    phases = []
    for number, phase in enumerate(_PHASES, 1):
        steps_of_phase = [step for step in steps if step.phase == phase]
        told = list(teller.story(phase, steps_of_phase))
        if steps and phase == "STRATEGY" and not told:
            told = [words.say("learn-no-card")]
        story = [words.said(text) for text in told]
        phases.append(PlayedPhase(str(number), words.say(f"phase-{number}"), tuple(story)))
    return tuple(phases)


class _Teller(Struct, frozen=True):
    """Tells the steps of a TURN."""

    workspace: Workspace
    words: Words
    narrator: Narrator
    origins: Origins

    def story(self, phase: str, steps: Sequence[GameStep]) -> Iterator[str]:
        """Yield what happened, a text for each ACTION or card."""
        told_steps = steps[:_TOLD_ACTIONS] if phase == "COMBAT" else steps
        for step in told_steps:
            sentences = [self._said(entry) for entry in step.outcome.trace if _is_told(entry, phase)]
            if isinstance(step.what, str):
                sentences[1:1] = self._rules_text(step.what)
            if sentences:
                yield " ".join(dict.fromkeys(sentences))
        if len(steps) > len(told_steps):
            actions = sum(isinstance(step.what, GameAction) for step in steps)
            yield self.words.say("learn-and-so-on", number=actions)

    def _said(self, entry: TraceEntry) -> str:
        """Return the sentence of an entry, behind the name of the effect that did it."""
        text = self.narrator.sentence(entry)
        if entry.origin is None or entry.rule == "E-1":
            return text
        return self.words.say("learn-effect", title=self.origins.title(entry.origin), text=text)

    def _rules_text(self, card_id: str) -> Iterator[str]:
        """Yield what a card says that is played, in quotes and without reminders."""
        for face in faces(self.workspace, self.words.language, (card_id,)):
            text = plain(tuple(paragraph for skill in face.skills for paragraph in skill.paragraphs))
            if text:
                yield self.words.say("learn-says", text=_REMINDER.sub("", text).replace("\n", " "))


def _is_told(entry: TraceEntry, phase: str) -> bool:
    """Whether an entry is told: what players see happen, not how its numbers come about."""
    if entry.rule == "E-1":
        return True
    is_sentence = entry.origin is not None and entry.text == entry.origin.text
    is_nothing = is_sentence or (entry.before is not None and entry.before == entry.after)
    return entry.rule in _TOLD_RULES[phase] and entry.kind in _TOLD_KINDS and not is_nothing
