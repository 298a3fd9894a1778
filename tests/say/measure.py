"""Measure how well ideas are said: those of ``ideas.tsv``, ``more_ideas.tsv`` or ``held_out_ideas.tsv``.

    python -m tests.say.measure                          # the figures
    python -m tests.say.measure --list                   # also the ideas that are said otherwise
    python -m tests.say.measure --file more_ideas.tsv
    python -m tests.say.measure --file paraphrases_en.tsv --half even

A line has a group, the kind of card, the idea and what says it: sentences separated by ``||``, ``~`` and
the nearest sentence where nothing says it exactly, or ``-`` where nothing is near. The ideas were written
before the search was built, by somebody who had not seen the language; those of ``more_ideas.tsv`` later,
by somebody else who had not seen it either, in the prose of people who talk about a game: 2 % of what can
be said were right first before they were looked at, 60 % afterwards. ``unseen_ideas.tsv`` is the other half
of these: 19 % were right first, 2 % other than meant before anybody looked. ``paraphrases_en.tsv`` and
``paraphrases_de.tsv`` are sentences of the language as people say them. Their odd lines are for whoever
works on the search; at the even ones nobody looks, they are only measured.
Those of ``blind_ideas.tsv`` were said by somebody who had not seen what the search makes of them.
``pairs_*.tsv`` and ``designs_*.tsv`` are there to learn from: ideas with their sentences, the second written
by people who had seen only the rules of the game, and said afterwards.
"""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from msgspec.structs import replace

from toolkit.api import open_project
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import MarkerFacts
from toolkit.dsl.parsing import parse_effect
from toolkit.editing.saying import Phrasebook, phrasebook_of
from toolkit.resources import cards_folder

FOLDER = Path(__file__).parent
IDEAS, MORE_IDEAS, HELD_OUT, BLIND = (
    FOLDER / f"{name}.tsv" for name in ("ideas", "more_ideas", "held_out_ideas", "blind_ideas")
)
HALVES = {"odd": slice(0, None, 2), "even": slice(1, None, 2)}
"""The lines of a file by number, the first is 1."""
_TRAIT, _MARKER = re.compile(r'trait "([^"]*)"'), re.compile(r'MARKER "([^"]*)"')


@dataclass(frozen=True)
class Idea:
    """An idea with what says it, as its file has it; that is parsed only where it is asked for."""

    group: str
    kind: str
    text: str
    said: str

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """The sentences that say it exactly."""
        if self.said.startswith(("~", "-")):
            return ()
        return tuple(map(canonical, self.said.split(" || ")))

    @cached_property
    def nearest(self) -> str | None:
        """The sentence that comes nearest where nothing says it exactly."""
        return canonical(self.said.removeprefix("~ ")) if self.said.startswith("~") else None

    def can_be_said(self) -> bool:
        """Whether a sentence says it exactly."""
        return not self.said.startswith(("~", "-"))


def ideas_in(path: Path) -> list[Idea]:
    """Return the ideas of a file."""
    return [Idea(*line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines()]


def canonical(sentence: str) -> str:
    """Return a sentence as it is printed; fails for one that cannot be parsed."""
    tree, problems = parse_effect(sentence)
    assert tree is not None, (sentence, problems)
    return print_effect(tree)


@cache
def _shipped() -> Phrasebook:
    return phrasebook_of(open_project(cards_folder()).cards)


def phrasebook_for(ideas: list[Idea]) -> Phrasebook:
    """Return the names of the shipped set, with the traits and markers that the answers speak of."""
    phrasebook = _shipped()
    text = " ".join(idea.said for idea in ideas)
    known_names = phrasebook.known_names
    names = replace(
        known_names.names,
        traits=dict.fromkeys([*known_names.names.traits, *_TRAIT.findall(text)]),
        markers={
            **{name: MarkerFacts(False, 99) for name in _MARKER.findall(text)},
            **known_names.names.markers,
        },
    )
    return replace(phrasebook, known_names=replace(known_names, names=names))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", default=IDEAS.name)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    ideas = ideas_in(FOLDER / options.file)
    phrasebook = phrasebook_for(ideas)
    ideas = ideas[HALVES[options.half]] if options.half else ideas
    if options.list and options.half == "even":
        parser.error("nobody looks at the even lines")
    figures = {"first": 0, "among three": 0, "other": 0, "nothing": 0, "guessed first": 0, "guessed": 0}
    unsayable = {"nearest": 0, "other": 0, "nothing": 0}
    seconds = []
    for idea in ideas:
        start = time.process_time()
        said = phrasebook.say(idea.text, (idea.kind,))
        seconds.append(time.process_time() - start)
        effects = [candidate.effect for candidate in said.candidates]
        if idea.answers:
            rank = next((rank for rank, effect in enumerate(effects) if effect in idea.answers), None)
            figures["first"] += rank == 0
            figures["among three"] += rank is not None
            figures["other"] += rank is None and bool(effects)
            figures["nothing"] += not effects
            is_right = [guess.effect in idea.answers for guess in said.guesses]
            figures["guessed first"] += is_right[:1] == [True]
            figures["guessed"] += any(is_right)
            if options.list and rank != 0:
                print(f"{idea.text}\n    wanted {idea.answers[0]}")
                for candidate in said.candidates:
                    print(f"    said   {candidate.effect} {[*candidate.left_out]}")
        else:
            outcome = "nothing" if not effects else "nearest" if effects[0] == idea.nearest else "other"
            unsayable[outcome] += 1
    count = sum(bool(idea.answers) for idea in ideas)
    print(
        f"{count} ideas that can be said:", {name: f"{value / count:.0%}" for name, value in figures.items()}
    )
    print(f"{len(ideas) - count} that cannot be said exactly:", unsayable)
    seconds.sort()
    print(f"ms an idea: median {1000 * seconds[len(seconds) // 2]:.0f}, most {1000 * seconds[-1]:.0f}")


if __name__ == "__main__":
    main()
