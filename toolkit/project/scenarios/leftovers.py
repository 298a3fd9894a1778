"""Answers and dice of a step that nobody asked for: what was meant by them did not come about."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.project.scenarios.answers import StepDice, StepPlayer
from toolkit.project.scenarios.results import Failure
from toolkit.source import Span

_WHAT = {
    "critical": "no die is CRITICAL for its `critical` answer {}",
    "either": "there is no choice for its `either` answer {}",
    "choose": "nobody is to be chosen for its `choose` answer {}",
    "reroll": "it may not reroll die {}",
    "performance": "no PERFORMANCE is fulfilled, and it answers `performance`",
}


def leftovers(number: int, player: StepPlayer, dice: StepDice) -> Iterator[Failure]:
    """What a step (counted from 1) says and nobody asked for, each key once, at the first of its answers."""
    step = player.step
    name = f"step {number} ({step.action})"
    if dice.unused:
        left = ", ".join(str(die.value) for die in dice.unused)
        told = f"{name}: of its `dice` nobody rolls {left}."
        yield _failure(number, "dice", left, dice.unused[0].span, told)
    for key, answers in player.unused.items():
        words = ", ".join(answer.text for answer in answers)
        what = _WHAT[key].format(words)
        if key == "performance" and step.performance is not None and step.performance.to is not None:
            side = player.cast.side(step.performance.to)
            what = f"{side} fulfils no PERFORMANCE, and it gives an ITEM to {step.performance.to.written}"
        told = f"{name}: {what}."
        yield _failure(number, key, words, answers[0], told)


def _failure(number: int, key: str, words: str, span: Span, sentence: str) -> Failure:
    return Failure(f"step {number}.{key}", words, None, span, sentence)
