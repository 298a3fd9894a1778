"""Scenarios as rulings: the initial state, the ACTIONs, the outcome, and how its numbers were computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from toolkit.data.model import CardSet, Scenario
from toolkit.data.scenarios import Given, OperatorRef, Script, Step
from toolkit.engine.compiled_rules import AFTER_CRITICAL, START
from toolkit.engine.explaining.explanation import BEFORE, COMPARISON, EVENTS, Block, blocks_of, explain
from toolkit.engine.explaining.lines import operation
from toolkit.engine.explaining.sums import Origins, is_row
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import SIDES, Key
from toolkit.engine.state_queries import StateQueries
from toolkit.play.scenarios.playing import Failure, Played, play
from toolkit.play.scenarios.reports import difference
from toolkit.play.scenarios.runner import failures_of, preventing_errors, rules_of, unplayable_files
from toolkit.project.pipeline import Workspace
from toolkit.wording.languages import Words, words_in
from toolkit.wording.narration import narrator_of

MAX_PER_CARD = 20
"""The maximum of rulings on the page of a card; those in which it does something come first."""

_SECTIONS = {
    BEFORE: "site-before-modify",
    START: "site-before-step-1",
    AFTER_CRITICAL: "site-after-critical",
    COMPARISON: "site-comparison",
    EVENTS: "site-events",
}

_KEY_WORDS = {
    "hand": "site-hand",
    "discard": "site-discard",
    "status": "site-status",
    "attached": "site-attached",
    "traits": "what-traits",
    "keywords": "what-keywords",
}
_GAME_WORDS = {"position": "FIELDPOSITION", "item_deck": "ITEMDECK"}


class PlayedScenario(Struct, frozen=True):
    """A scenario that was played, with its number and failures.

    ``acting`` are the entries whose effects did something, ``named`` those that its steps name.
    """

    number: int
    played: Played
    failures: tuple[Failure, ...]
    acting: frozenset[str]
    named: frozenset[str]


class PlacedOperator(Struct, frozen=True):
    """An OPERATOR of a scenario, or an empty place: its card's id and name, and its stated properties."""

    card: str | None = None
    name: str = ""
    state: tuple[str, ...] = ()


class TraceRow(Struct, frozen=True):
    """A row of a trace. A change has ``what``, ``sign``, ``before`` and ``after``, any other row a text."""

    rule: str
    kind: str
    text: str = ""
    what: str = ""
    sign: str = ""
    before: str = ""
    after: str = ""


class RulingPart(Struct, frozen=True):
    """What an effect or a rule did: its heading, its sentence, and the rows of the trace."""

    heading: str
    sentence: str
    rows: tuple[TraceRow, ...]


class Ruling(Struct, frozen=True):
    """A scenario for a page, in a language.

    ``sides`` are FIELD and SAVEZONE of red and blue, ``given`` other stated values, ``outcome`` the results
    as (who, what, value), ``wrong`` the failures, ``sections`` the trace.
    """

    anchor: str
    name: str
    sides: tuple[tuple[str, tuple[PlacedOperator, ...], tuple[PlacedOperator, ...]], ...]
    given: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str, tuple[str, ...]], ...]
    outcome: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    wrong: tuple[str, ...]
    sums: tuple[str, ...]
    sections: tuple[tuple[str, tuple[RulingPart, ...]], ...]


def play_all(
    workspace: Workspace, is_wanted: Callable[[Scenario], bool] = lambda _scenario: True
) -> list[PlayedScenario]:
    """Play every wanted scenario whose cards and rules have no errors, in the order of the files."""
    broken = unplayable_files(workspace)
    scenarios = []
    for number, checked in enumerate(workspace.scenarios, 1):
        entry = checked.script.entry
        if not is_wanted(entry) or entry.file in broken or any(preventing_errors(workspace, checked)):
            continue
        played = play(checked.script, rules_of(workspace, checked))
        trace = played.attack.outcome.trace if played.attack is not None else played.last_trace
        acting = frozenset([row.origin.entry for row in trace if row.origin and row.kind != "skipped"])
        named = frozenset().union(*map(_named_in, played.script.steps))
        scenarios.append(PlayedScenario(number, played, failures_of(played), acting, named))
    return scenarios


def _named_in(step: Step) -> frozenset[str]:
    """Return the ids of the OPERATORs and cards that a step of a scenario names."""
    operators = (ref.card for ref in (step.by, step.on, step.swap) if ref)
    return frozenset((*operators, *_cards_of(step)))


def _cards_of(step: Step) -> Iterator[str]:
    """Return the ids of the cards that are played in a step."""
    cards = (step.card, step.attack_card, step.defence_card, step.late_attack_card)
    return (card.value for card in cards if card is not None)


def rulings_of(card: str, scenarios: Iterable[PlayedScenario]) -> tuple[list[PlayedScenario], int]:
    """Return the rulings of a card, those in which it does something first, and how many more there are."""
    relevant = [scenario for scenario in scenarios if card in scenario.acting or card in scenario.named]
    ranked = sorted(relevant, key=lambda scenario: card not in scenario.acting)
    return ranked[:MAX_PER_CARD], len(ranked[MAX_PER_CARD:])


class _Explanation(NamedTuple):
    """The sums of an ATTACK in words, and the sections of the trace: a heading and what happened."""

    sums: tuple[str, ...]
    sections: tuple[tuple[str, tuple[RulingPart, ...]], ...]


class Rulings:
    """Makes rulings in a language."""

    def __init__(self, workspace: Workspace, language: str) -> None:
        self._cards: CardSet = workspace.cards
        self._language = language
        self._words: Words = words_in(workspace.cards.project, language)
        self._origins: Origins = workspace.origins(language)
        self._narrator = narrator_of(workspace.cards, self._words)

    def ruling(self, scenario: PlayedScenario) -> Ruling:
        """Return a scenario in this language."""
        played, script = scenario.played, scenario.played.script
        names = {key: self._person(name) for key, name in played.bindings.names.items()}
        explanation = self._explanation(played, names)
        return Ruling(
            anchor=f"ruling-{scenario.number}",
            name=script.name,
            sides=tuple(self._side(script, played, side) for side in reversed(SIDES)),
            given=tuple(self._given(script)),
            steps=tuple(self._step(step) for step in script.steps),
            outcome=tuple(self._outcome(script)),
            wrong=tuple(difference(failure) for failure in scenario.failures),
            sums=explanation.sums,
            sections=explanation.sections,
        )

    def _say(self, key: str, **numbers: object) -> str:
        return self._words.say(key, **numbers)

    def _name(self, card: str) -> str:
        entry = self._cards.cards.get(card) or self._cards.objectives.get(card)
        return entry.name.in_language(self._language).value if entry else card

    def _person(self, written: str) -> str:
        """Return the name of an OPERATOR, with its side if the scenario names it."""
        side, dot, card = written.partition(".")
        return f"{self._name(card)} ({self._say(f'site-{side}')})" if dot else self._name(written)

    def _side(
        self, script: Script, played: Played, side: str
    ) -> tuple[str, tuple[PlacedOperator, ...], tuple[PlacedOperator, ...]]:
        """Return a side's name, and its OPERATORs on the FIELD and in the SAVEZONE as a script places
        them."""
        states = {played.bindings.key(ref): values for ref, values in script.state}

        def placed_operator(card: Given[str] | None) -> PlacedOperator:
            if card is None:
                return PlacedOperator()
            values = states.get(played.bindings.keys[side, card.value], {})
            properties = tuple(self._value(key, written_value.value) for key, written_value in values.items())
            return PlacedOperator(card.value, self._name(card.value), properties)

        field, zone = script.field[side], script.save_zone[side]
        return (
            self._say(f"site-{side}"),
            tuple(map(placed_operator, field)),
            tuple(map(placed_operator, zone)),
        )

    def _key(self, key: str) -> str:
        """Return a key of a scenario in this language; words of the game are the same in all of them."""
        if key in _KEY_WORDS:
            return self._say(_KEY_WORDS[key])
        if key in _GAME_WORDS:
            return _GAME_WORDS[key]
        return key.removeprefix("markers.").replace("_", " ").upper()

    def _value(self, key: str, value: object) -> str:
        """Return a key with its value, such as ``HITCOUNTER 2`` or ``AP +1``."""
        if isinstance(value, str):
            value = self._name(value)
        if isinstance(value, (list, tuple)):
            value = ", ".join(map(str, value))
        sign = "+" if isinstance(value, int) and value > 0 and key in ("ap", "ep", "dp", "mp") else ""
        return f"{self._key(key)} {sign}{value}"

    def _given(self, script: Script) -> Iterator[tuple[str, str]]:
        """Yield the cards in hands and piles, and the options of the rules, each with its label."""
        piles = (
            ("site-hand", script.hands),
            ("site-strategies", script.strategies),
            ("site-deck", script.decks),
            ("site-item-deck", script.item_decks),
            ("site-discard", script.discards),
        )
        for word, by_side in piles:
            for side in SIDES:
                if by_side[side]:
                    label = f"{self._say(f'site-{side}')}, {self._say(word)}"
                    yield label, ", ".join(self._name(card.value) for card in by_side[side])
        options = [f"{key} {written_value.value}" for key, written_value in script.options.items()]
        options += [f"{key} {written_value.value}" for key, written_value in script.markers.items()]
        if options:
            yield self._say("site-rules-options"), ", ".join(options)

    def _step(self, step: Step) -> tuple[str, str, tuple[str, ...]]:
        """Return the ACTION, its OPERATORs, and its cards, dice and answers."""
        operator_name = self._ref(step.by) if step.by else ""
        target = step.on or step.swap
        operator_words = f"{operator_name} → {self._ref(target)}" if target else operator_name
        details = list(map(self._name, _cards_of(step)))
        if step.dice:
            details.append(f"D6: {', '.join(str(die.value) for die in step.dice)}")
        if step.critical:
            details.append(f"CRITICAL: {', '.join(answer.value for answer in step.critical)}")
        answers = [self._ref(answer) if isinstance(answer, OperatorRef) else "–" for answer in step.choose]
        answers += [self._ref(answer) for answer in step.random]
        answers += [self._name(answer.value) if answer.value else "–" for answer in step.cards]
        answers += [self._name(answer.value) for answer in step.order]
        answers += [answer.value for answer in (*step.either, *step.may)]
        if answers:
            details.append(", ".join(answers))
        action = self._say("site-plays") if step.action == "play" else step.action.upper().replace("-", " ")
        return action, operator_words, tuple(details)

    def _ref(self, ref: OperatorRef) -> str:
        return self._say(f"site-{ref.card}") if ref.card in SIDES else self._person(ref.written)

    def _outcome(self, script: Script) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        """Yield the expected results: of whom they are (empty: of the ATTACK), and each with its value."""
        expected = script.expected
        if expected.refused is not None:
            yield "", ((self._say("site-refused"), expected.refused.value),)
        if expected.attack:
            yield "", self._results(expected.attack)
        for ref, values in expected.operators:
            yield self._person(ref.written), self._results(values)
        for side, values in expected.sides.items():
            pile_results = tuple(
                (self._key(key), ", ".join(self._name(card.value) for card in written_cards.value) or "–")
                for key, written_cards in expected.piles.get(side, {}).items()
            )
            yield self._say(f"site-{side}"), (*self._results(values), *pile_results)

    def _results(self, values: Mapping[str, Given[Any]]) -> tuple[tuple[str, str], ...]:
        return tuple(
            (self._key(key), self._result(written_value.value)) for key, written_value in values.items()
        )

    def _result(self, value: object) -> str:
        """Return a value of a scenario in words."""
        if isinstance(value, bool):
            return self._say("site-yes" if value else "site-no")
        if value is None:
            return "–"
        return ", ".join(map(str, value)) if isinstance(value, list) else self._name(str(value))

    def _explanation(self, played: Played, names: dict[Key, str]) -> _Explanation:
        """Return how the ATTACK of a scenario came out, or what its last step did if there was none."""
        attack = played.attack
        if attack is None:
            parts = self._parts(blocks_of(list(played.last_trace)), names)
            return _Explanation((), (("", parts),) if parts else ())
        attack_result = attack.outcome.attack
        if attack_result is None:  # AP and EP were not compared
            return _Explanation((), (("", self._parts(blocks_of(list(attack.outcome.trace)), names)),))
        fighters = (attack_result.attacker, attack_result.attacked)
        resolver = StateQueries(played.rules, attack.before)
        explained = explain(resolver, attack.after, attack.outcome, fighters, self._origins, thorough=False)
        sections = []
        for section in explained.sections:
            blocks = section.blocks
            if section.number == BEFORE:  # the event of the ATTACK itself needs no mention
                blocks = tuple(
                    block for block in blocks if any(entry.kind != "event" for entry in block.entries)
                )
            if section.is_step:
                heading = f"{section.number} · {self._say(f'step-{section.number}')}"
            else:
                heading = self._say(_SECTIONS[section.number])
            parts = self._parts(blocks, names)
            if parts:
                sections.append((heading, parts))
        sums = tuple(self._narrator.sum(sum_.text) for sum_ in explained.sums)
        return _Explanation(sums, tuple(sections))

    def _parts(self, blocks: Iterable[Block], names: dict[Key, str]) -> tuple[RulingPart, ...]:
        """Return the blocks of a trace that have rows, each below its sentence."""
        parts = []
        for block in blocks:
            rows = tuple(self._row(entry, names) for entry in (*block.entries, *block.others))
            origin = block.origin
            heading = self._origins.title(origin) if origin else ""
            sentence = self._narrator.effect(origin) if origin and not block.again else ""
            parts.append(RulingPart(heading, sentence, rows))
        return tuple(ruling_part for ruling_part in parts if ruling_part.rows)

    def _row(self, entry: TraceEntry, names: dict[Key, str]) -> TraceRow:
        """Return an entry of a trace as a row: a number before and after a change, else a sentence."""
        if is_row(entry):
            operator_name = names.get(entry.who, "") if entry.who is not None else ""
            subject = f"{entry.stat} · {operator_name}" if operator_name else str(entry.stat)
            return TraceRow(
                entry.rule,
                "change",
                "",
                subject,
                self._narrator.sum(operation(entry)),
                str(entry.before),
                str(entry.after),
            )
        is_sentence = (
            entry.origin is not None and entry.text == entry.origin.text
        )  # which stands above already
        return TraceRow(entry.rule, entry.kind, "" if is_sentence else self._narrator.sentence(entry))
