"""The attack bench: it plays a scenario without `expect`, and records every decision and its answer.

The same scenario in the same project always has the same result: dice that it does not list are rolled from a
seed, and decisions that it does not answer take the first option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.checks.scenario_findings import CheckedScenario, check_scenario
from toolkit.data.file_entries import read_entries
from toolkit.data.loading import problem_finding
from toolkit.data.model import Scenario
from toolkit.data.scenarios import Given, Step, decode_scenario, operator_ref
from toolkit.data.schema import schema_for
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.engine.actions import GameAction
from toolkit.engine.card_zones import item_bearers
from toolkit.engine.decisions import Decision, DieOption, NoAnswer, RandomDice
from toolkit.engine.explaining.explanation import BEFORE, Explanation, Section, blocks_of
from toolkit.engine.explaining.lines import Tell, origin_data, steps_data
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.log import described_action
from toolkit.engine.outcomes import Refusal
from toolkit.engine.state import GameState, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.play.attack.attack_report import attack_data, refused_data
from toolkit.play.attack.request import AttackRequest, PlayedAttack, Refused
from toolkit.play.attack.run import forbidding_effects
from toolkit.play.playable_game import text_only_warnings
from toolkit.play.scenarios.playing import attack_of, play
from toolkit.play.scenarios.runner import failures_of, operator_value, preventing_errors, rules_of
from toolkit.play.scenarios.scenario_answers import ANSWERED_BY, StepDice, StepPlayer, option_name
from toolkit.play.scenarios.scenario_writer import expectation, scenario_text
from toolkit.play.scenarios.setup import Bindings
from toolkit.project.pipeline import Workspace
from toolkit.source import SourceFile
from toolkit.source.reading import text_problem
from toolkit.vocabulary import STATS
from toolkit.wording.languages import words_in
from toolkit.wording.narration import narrator_of

FILE = "bench.yaml"
"""The name of the file in which findings of a bench scenario are placed; it is never written."""

MAX_STEPS = 100
MAX_CHARACTERS = 50_000
MAX_DEPTH = 8
"""Bounds of a scenario: its steps, the length of its text, and the nesting of lists and mappings."""

_SUPPORT = ("exchange", "substitute", "retreat", "fill")
"""Decisions of SUPPORT (T-4), which a step also answers in `choose`."""


class BenchResult(Struct, frozen=True):
    """The result of a scenario on the bench.

    ``data`` is what ``opforge attack --format json`` prints of its last attack, and more (``play_bench``); it
    is empty if ``findings`` prevent playing. ``text`` is the scenario as a card file, in which findings of
    the file ``bench.yaml`` are placed.
    """

    text: str
    data: dict[str, Any] = {}
    findings: tuple[Diagnostic, ...] = ()


def play_bench(workspace: Workspace, scenario: Mapping[str, Any], seed: int = 1) -> BenchResult | str:
    """Play a scenario without `expect`, given as plain data, or return a sentence if it exceeds a bound.

    Dice beyond those that a step lists are rolled from the seed. An answer that cannot be taken is skipped.
    Beside the attack, the data has

    - ``at``: the index of the attack's step; ``rolled``: the results of dice by step
    - ``asked``: each decision with its ``step``, its kind (``what``), the side that decides (``of``), a
      question (``why``), its ``origin``, the options ``offered`` and the index of the one ``taken``; each
      option has the keys of the step that would take it (``answer``), None if no scenario can express that
    - ``state``: every OPERATOR after the play; ``warnings``: cards with text-only rules (E-1)
    - ``scenario``: the same scenario with every die and answer; ``yaml``: the same as a file with `expect`,
      which passes as a test, or None for a reason that is in ``notes``
    """
    problem = _exceeded_bound(scenario)
    if problem is not None:
        return problem
    scenario_values = {"name": _name(scenario), **{key: scenario[key] for key in scenario if key != "expect"}}
    if isinstance(scenario_values["name"], str):
        scenario_values["name"] = _unused_name(workspace, scenario_values["name"])
    text = scenario_text({**scenario_values, "expect": {}})
    if len(text) > MAX_CHARACTERS:
        return f"The scenario has {len(text):,} letters, and the bench reads {MAX_CHARACTERS:,}."
    checked = read_scenario(workspace, text)
    if not isinstance(checked, CheckedScenario):
        return BenchResult(text, findings=tuple(checked))
    bench = _Bench(workspace, scenario_values, seed, checked)
    return BenchResult(text, bench.data(workspace.origins()))


def read_scenario(workspace: Workspace, text: str) -> CheckedScenario | list[Diagnostic]:
    """Return the scenario in a card file, or the findings that prevent playing it."""
    file = SourceFile(workspace.root / FILE, FILE, text)
    problem = text_problem(file)
    if problem is not None:
        return [problem_finding(problem)]
    file_entries = read_entries(file, workspace.cards.project.languages)
    entry = next((entry for _, entry in file_entries.entries if isinstance(entry, Scenario)), None)
    if entry is None or any(prevents_use(finding.name) for finding in file_entries.findings):
        return file_entries.findings
    checked = check_scenario(workspace.cards, decode_scenario(entry), frozenset())
    if any(prevents_use(finding.name) for finding in checked.findings):
        return checked.findings
    return list(dict.fromkeys(preventing_errors(workspace, checked))) or checked


def _unused_name(workspace: Workspace, name: str) -> str:
    """Return a name, numbered if a scenario of the project has it: a file may have each name once."""
    used_names = {checked.script.entry.id for checked in workspace.scenarios}
    numbered_names = (f"{name} {number}" for number in count(2))
    return next(unused for unused in chain((name,), numbered_names) if unused not in used_names)


def _exceeded_bound(scenario: Mapping[str, Any]) -> str | None:
    """Return which bound a scenario exceeds, None if it exceeds none."""
    steps = scenario.get("do")
    if isinstance(steps, list) and len(steps) > MAX_STEPS:
        return f"The scenario has {len(steps)} steps, and the bench plays {MAX_STEPS}."
    if _depth(scenario, MAX_DEPTH) < 0:
        return f"Lists and mappings stand in each other more than {MAX_DEPTH} deep."
    return None


def _depth(value: object, levels: int) -> int:
    """Return how many further levels a value may have; below 0 if it has too many."""
    if levels < 0 or not isinstance(value, (dict, list)):
        return levels
    members = value.values() if isinstance(value, dict) else value
    return min((_depth(member, levels - 1) for member in members), default=levels)


def _name(scenario: Mapping[str, Any]) -> str:
    """Return a name for a scenario, by the OPERATORs of its last attack."""
    steps = scenario.get("do")
    steps = steps if isinstance(steps, list) else []
    attacks = [step for step in steps if isinstance(step, dict) and "on" in step]
    if not attacks:
        return "as it plays today"
    return f"{attacks[-1].get('by')} and {attacks[-1]['on']} as they play today"


class _DecisionLog(Struct):
    """A decision and the index of the option that was taken.

    For a PERFORMANCE the options are to draw a card, then the ``item`` for each of the ``bearers``: the
    engine asks in two decisions, a step answers in one key.
    """

    decision: Decision
    option_index: int
    item: str = ""
    bearers: tuple[int, ...] = ()


class _Option(NamedTuple):
    """An option of a decision: in words, and as a step of a scenario lists it (``answer``)."""

    text: str
    answer: Any


class _StepLog(Struct):
    """The outside input of a step: decisions, dice, and what chance drew with its index."""

    decisions: list[_DecisionLog] = field(default_factory=list)
    rolled: list[int] = field(default_factory=list)
    drawn: list[tuple[int, str]] = field(default_factory=list)


class _LoggingPlayer(StepPlayer):
    """Answers as its step does, and with the first option if that cannot be taken; logs each answer."""

    def __init__(self, step: Step, bindings: Bindings, bench: _Bench, log: _StepLog) -> None:
        super().__init__(step, bindings)
        self.bench, self.log = bench, log

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the answer, and log it."""
        try:
            index = super().answer(decision, state)
        except NoAnswer as problem:
            self.bench.notes.append(f"{problem} The first option was taken.")
            index = 0
        if decision.kind == "item_to":
            reward, bearer = self.log.decisions[-1], decision.options[index]
            assert isinstance(bearer, int), "ITEMs are given to OPERATORs"
            reward.option_index = 1 + reward.bearers.index(bearer)
            return index
        logged = _DecisionLog(decision, index)
        if decision.kind == "performance" and "item" in decision.options:
            logged.item = state.player(decision.whose).item_deck[0]
            resolver = StateQueries(self.bench.rules, state)
            logged.bearers = tuple([operator.key for operator in item_bearers(resolver, decision.whose)])
        self.log.decisions.append(logged)
        return index


class _LoggingDice(StepDice, kw_only=True):
    """The dice of a step, then those of a seed; logs each result."""

    chance: RandomDice
    bench: _Bench
    log: _StepLog

    def roll(self, purpose: str, side: Side) -> int:
        """Return the next result, and log it."""
        # A listed die also consumes a result of the seed, so that listing one does not change the others.
        result_of_seed = self.chance.roll(purpose, side)
        is_listed = self.rolled < len(self.step.dice)
        result = super().roll(purpose, side) if is_listed else result_of_seed
        self.log.rolled.append(result)
        return result

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:
        """Return what is drawn, and log it."""
        if self.drawn < len(self.step.random) or self.step.dice:
            try:
                index = super().pick(purpose, side, options)
            except NoAnswer as problem:
                self.bench.notes.append(f"{problem} The first one was drawn.")
                index = 0
        else:
            index = self.chance.pick(purpose, side, options)
        self.log.drawn.append((index, option_name(options[index], self.bindings)))
        return index


_ANSWERS = ("critical", "either", "may", "choose", "cards", "order", "place", "reroll", "set", "performance")
"""The keys with which a step answers decisions."""


class _Bench:
    """A scenario that was played, with a log of each step."""

    def __init__(
        self, workspace: Workspace, scenario_values: dict[str, Any], seed: int, checked: CheckedScenario
    ) -> None:
        self.workspace, self.given, self.seed, self.checked = workspace, scenario_values, seed, checked
        self.rules = rules_of(workspace, checked)
        self.notes: list[str] = []
        self.logs: list[_StepLog] = []
        self.played = play(checked.script, self.rules, sources=self._sources)
        self.bindings = self.played.bindings

    def _sources(self, step: Step, bindings: Bindings) -> tuple[StepPlayer, StepDice]:
        """Return player and dice of the next step, which log what they do; each has a seed of its own."""
        log, number = _StepLog(), len(self.logs)
        self.logs.append(log)
        chance = RandomDice(self.seed if number == 0 else f"{self.seed}/{number}")
        player = _LoggingPlayer(step, bindings, self, log)
        return player, _LoggingDice(step, bindings, chance=chance, bench=self, log=log)

    def data(self, origins: Origins) -> dict[str, Any]:
        """Return the result as plain data (``play_bench``)."""
        played = self.played
        explicit = {**self.given, "do": self._explicit_steps()}
        yaml_text = self._as_test(explicit)
        notes = [*self.notes, *played.notes, *(failure.sentence for failure in played.unmet)]
        ids = {*played.state.cards(), *self.rules.mode.objectives}
        return {
            **self._outcome(origins),
            "at": played.attack.step if played.attack is not None else None,
            "asked": list(self._decisions(origins)),
            "rolled": [log.rolled for log in self.logs],
            "state": {name: self._operator(key) for key, name in self.bindings.names.items()},
            "scenario": explicit,
            "yaml": yaml_text,
            "notes": notes,
            "warnings": [warning.message for warning in text_only_warnings(self.workspace.cards, ids)],
        }

    def _outcome(self, origins: Origins) -> dict[str, Any]:
        """Return what ``opforge attack`` prints of the last attack, or of the refusal."""
        played, attack = self.played, self.played.attack
        if played.refusal is not None:
            return self._refusal_data(played.refusal, origins)
        if attack is None:
            return self._data_without_attack(origins)
        both = attack_of(played.script.steps[attack.step], self.bindings)
        assert both is not None, "it is an attack"
        results, listed_dice = tuple(self.logs[attack.step].rolled), played.script.steps[attack.step].dice
        attacker_card, attacked_card = (attack.before.operators[key].card for key in both)
        were_all_listed = len(listed_dice) >= len(results)
        request = AttackRequest(
            attacker_card, attacked_card, dice=results if were_all_listed else None, seed=self.seed
        )
        played_attack = PlayedAttack(
            request,
            self.rules,
            origins,
            scenario=None,
            before=attack.before,
            after=attack.after,
            outcome=attack.outcome,
            both=both,
            rolled=results,
            notes=(),
        )
        return attack_data(played_attack, self._tell())

    def _refusal_data(self, refusal: Refusal, origins: Origins) -> dict[str, Any]:
        """Return what ``opforge attack`` prints of a refused attack, with the step that was refused."""
        played = self.played
        both = attack_of(played.script.steps[played.at], self.bindings)
        if played.chain is not None:
            refusal = replace(refusal, sentence=origins.chain(played.chain))
        resolver = StateQueries(self.rules, played.state)
        effects = forbidding_effects(resolver, both, refusal) if both is not None else ()
        data = refused_data(Refused(refusal, tuple(effects), origins))
        data["refused"]["step"] = played.at
        return data

    def _data_without_attack(self, origins: Origins) -> dict[str, Any]:
        """Return what is printed if no step is an attack: what the last step did, and no result."""
        blocks = tuple(blocks_of(list(self.played.last_trace)))
        sections = (Section(BEFORE, blocks),) if blocks else ()
        explained = Explanation((0, 0), self.bindings.names, None, sections, ())
        steps = steps_data(explained, origins, self._tell())
        no_attack = dict.fromkeys(("refused", "attacker", "attacked", "result"))
        return {"version": 1, **no_attack, "sums": {}, "steps": steps}

    def _tell(self) -> Tell:
        """Return what says an entry of the trace in each language of the project."""
        cards = self.workspace.cards
        narrators = {
            language: narrator_of(cards, words_in(cards.project, language))
            for language in cards.project.languages
        }
        return lambda entry: {language: narrator.sentence(entry) for language, narrator in narrators.items()}

    def _operator(self, key: int) -> dict[str, Any]:
        operator = self.played.state.operators[key]
        values = {"side": operator.side, "card": operator.card}
        keys = ("position", "hitcounter", "objectivecounter", "status", "attached", *map(str.lower, STATS))
        return {**values, **{value_name: operator_value(self.played, key, value_name) for value_name in keys}}

    # The scenario with every die and answer

    def _explicit_steps(self) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = self.given["do"]
        logs = zip(steps, self.logs, self.played.used_at_once, strict=False)
        explicit_steps = [self._explicit(step, log, used_at_once) for step, log, used_at_once in logs]
        return [*explicit_steps, *steps[len(explicit_steps) :]]

    def _explicit(self, step: Mapping[str, Any], log: _StepLog, used_at_once: int) -> dict[str, Any]:
        """Return a step in which all dice, answers and draws are named as they were."""
        values = {key: value for key, value in step.items() if key not in (*_ANSWERS, "dice", "random")}
        if log.rolled:
            values["dice"] = log.rolled
        values |= self._answers_taking(log, [logged.option_index for logged in log.decisions]) or {}
        if any(index for index, _ in log.drawn):
            values["random"] = [name for _, name in log.drawn]
        if "at_once" in step:
            values["at_once"] = step["at_once"][:used_at_once]
        return {key: value for key, value in values.items() if key != "at_once" or value}

    def _as_test(self, explicit: dict[str, Any]) -> str | None:
        """Return the scenario with its result as a file that passes as a test; None if there is none."""
        played = self.played
        if played.refusal is not None and not played.refusal.rule_id:
            return None
        steps = explicit["do"][: played.at + 1] if played.refusal is not None else explicit["do"]
        text = scenario_text({**explicit, "do": steps, "expect": expectation(played)})
        checked = read_scenario(self.workspace, text)
        if not isinstance(checked, CheckedScenario):
            problem = checked[0].message
        elif failures := failures_of(play(checked.script, self.rules)):
            problem = failures[0].sentence or f"{failures[0].what} is not the same when it is played again."
        else:
            return text
        self.notes.append(f"It cannot be copied as a scenario: {problem}")
        return None

    # Decisions

    def _answers_taking(self, log: _StepLog, option_indexes: Sequence[int]) -> dict[str, Any] | None:
        """Return the answers of a step that take these options; None if no scenario can express that."""
        answers_by_key: dict[str, list[Any]] = {}
        needed_lengths: dict[str, int] = {}
        reward: object = None
        rewarded_sides: set[Side] = set()
        for logged, index in zip(log.decisions, option_indexes, strict=True):
            decision, answer = logged.decision, self._options(logged)[index].answer
            is_first_option = index == 0
            if decision.kind == "performance":
                if answer != "draw":
                    if reward is not None or decision.whose in rewarded_sides:
                        return None  # a step names one reward, which the first PERFORMANCE takes
                    reward = answer
                rewarded_sides.add(decision.whose)
                continue
            key = _answering_key(decision)
            if key is None:  # no key of a step answers it, so the first option is taken
                if not is_first_option:
                    return None
                continue
            if answer is None and decision.kind in _SUPPORT:
                continue  # `choose` of a step names only who comes or goes in SUPPORT
            answers_by_key.setdefault(key, []).append(answer)
            if not is_first_option:
                needed_lengths[key] = len(answers_by_key[key])
        # without an answer the first option is taken, so those at the end of a list can be left out
        answers = {key: answers_by_key[key][:length] for key, length in needed_lengths.items()}
        return answers if reward is None else {**answers, "performance": reward}

    def _options(self, logged: _DecisionLog) -> list[_Option]:
        """Return the options of a decision."""
        names, decision, item = self.bindings.names, logged.decision, logged.item
        if decision.kind == "performance":
            bearers = [names[key] for key in logged.bearers]
            items = [_Option(f"{item} to {bearer}", {"item": item, "to": bearer}) for bearer in bearers]
            return [_Option("draw a card", "draw"), *items]
        return [_describe_option(option, decision.kind, names) for option in decision.options]

    def _decisions(self, origins: Origins) -> Iterator[dict[str, Any]]:
        """Yield every decision with more than one option."""
        for step_number, step_log in enumerate(self.logs):
            for decision_number, logged in enumerate(step_log.decisions):
                options = self._options(logged)
                # two copies of a card are one option
                offered = [index for index, option in enumerate(options) if option not in options[:index]]
                if len(offered) < 2:
                    continue
                decision = logged.decision
                yield {
                    "step": step_number,
                    "what": decision.kind,
                    "of": decision.whose,
                    "why": decision.why,
                    "origin": None if decision.source is None else origin_data(decision.source, origins),
                    "taken": offered.index(logged.option_index),
                    "offered": [
                        {
                            "text": options[index].text,
                            "answer": self._other_answer(step_number, decision_number, index),
                        }
                        for index in offered
                    ],
                }

    def _other_answer(self, step_number: int, decision_number: int, index: int) -> dict[str, Any] | None:
        """Return the keys of a step that answer a decision with another option; keys to remove are None.

        Return None if no scenario can express that.
        """
        log, step = self.logs[step_number], self.checked.script.steps[step_number]
        option_indexes = [
            index if logged_number == decision_number else logged.option_index
            for logged_number, logged in enumerate(log.decisions)
        ]
        answers = self._answers_taking(log, option_indexes)
        if answers is None:
            return None
        player = StepPlayer(_with_answers(step, answers), self.bindings)
        for logged, option_index in zip(log.decisions[: decision_number + 1], option_indexes, strict=False):
            if logged.decision.kind == "performance":
                continue  # its answer does not depend on earlier ones
            try:
                if player.answer(logged.decision, self.played.state) != option_index:
                    return None
            except NoAnswer:
                return None
        return {key: answers.get(key) for key in _ANSWERS if key in answers or key in step.keys}


def _answering_key(decision: Decision) -> str | None:
    """Return the key of a step that answers a decision, if there is one."""
    if decision.kind in ("reroll", "set"):
        return decision.kind
    return "choose" if decision.kind in _SUPPORT else ANSWERED_BY.get(decision.kind)


_NOTHING = {
    "choose": "nobody else",
    "fill": "nobody",
    "card": "no further card",
    "discard": "no further card",
}
"""What no option of a decision means, by its kind."""


def _describe_option(option: object, kind: str, names: Mapping[int, str]) -> _Option:
    """Return an option of the engine as one that can be read and written; FIELDPOSITIONs count from 1."""
    if isinstance(option, DieOption):
        number = option.number_of_side if kind == "set" else option.number
        return _Option(f"die {option.number}: {option.die} D6 {option.result}", number)
    if isinstance(option, GameAction):
        return _Option(described_action(option, names), None)
    if option is None:
        return _Option(_NOTHING.get(kind, "no"), None)
    if kind == "place" and isinstance(option, int):
        return _Option(f"FIELDPOSITION {option + 1}", option + 1)
    word = names.get(option, str(option)) if isinstance(option, int) else str(option)
    return _Option(word, word)


def _with_answers(step: Step, answers: Mapping[str, Any]) -> Step:
    """Return a step with other answers, and none to PERFORMANCE."""
    step_answers: dict[str, tuple[Any, ...]] = {
        key: tuple([Given(value, step.span) for value in answers.get(key, ())]) for key in _ANSWERS
    }
    # `choose` names OPERATORs by references, and nobody by an empty answer
    step_answers["choose"] = tuple(
        [
            answer if answer.value is None else operator_ref(answer.value, step.span)
            for answer in step_answers["choose"]
        ]
    )
    return replace(step, **{**step_answers, "performance": None})


def bench_choices(workspace: Workspace) -> dict[str, Any]:
    """Return the modes, rulesets and options that a scenario can have, and the scenarios to start from."""
    cards = workspace.cards
    languages = cards.project.languages
    rulings = schema_for("rulesets")["properties"]["options"]["properties"]
    return {
        "modes": [
            {
                "id": mode.id,
                "name": {code: mode.name.in_language(code).value for code in languages},
                "field_positions": mode.field_positions,
            }
            for mode in cards.modes.values()
        ],
        "mode": cards.project.mode or next(iter(cards.modes), None),
        "rulesets": [
            {"id": ruleset.id, "options": {name: getattr(ruleset.options, name) for name in rulings}}
            for ruleset in cards.rulesets.values()
        ],
        "ruleset": cards.project.ruleset or next(iter(cards.rulesets), None),
        "options": {name: schema.get("enum") for name, schema in rulings.items()},
        "scenarios": [
            {"name": scenario.id, "path": scenario.file.path, "line": scenario.id_span.begin_position.line}
            for scenario in cards.scenarios
        ],
    }
