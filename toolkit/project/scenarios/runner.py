"""Play the scenarios of a project and compare what comes of each with what it expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from toolkit.data.model import CardSet, Options
from toolkit.data.nodes import Plain
from toolkit.data.scenario_findings import Checked
from toolkit.data.scenarios import Given, Script
from toolkit.data.schema import SECTIONS
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import hinders
from toolkit.diagnostics.report import limited
from toolkit.diagnostics.reporters import unstyled
from toolkit.engine.board import Board
from toolkit.engine.explaining import lines
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.explaining.origins import Origins, origins_of
from toolkit.engine.outcomes import Outcome, Stopped
from toolkit.engine.rules import Effects, Rules, build_rules
from toolkit.engine.state import GameState, Key, OperatorState, Side
from toolkit.pipeline import Workspace
from toolkit.project.scenarios.coverage import Watch, coverage_of
from toolkit.project.scenarios.playing import Failure, Played, Result, TestRun, Value, play
from toolkit.project.scenarios.setup import Cast, cast_of
from toolkit.source import SourceFile
from toolkit.source.paths import is_below
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import nearest

_TOP_KEY = re.compile(r"^[{\"' ]{0,2}([A-Za-z_-]+)[\"']? *:", re.MULTILINE)


def run_scenarios(workspace: Workspace, below: Iterable[Path], coverage: bool = False) -> TestRun:
    """Play the scenarios in files at or below absolute paths; of a file with errors nothing is played.

    With ``coverage`` the run says what they reached of the project.
    """
    roots = list(below)
    errors: dict[SourceFile, list[Diagnostic]] = {}
    for finding in workspace.findings:
        if hinders(finding.name):
            errors.setdefault(finding.span.file, []).append(finding)
    holding = {checked.script.entry.file for checked in workspace.scenarios}
    files = [
        file
        for file in workspace.cards.files
        if any(is_below(file.path, root) for root in roots)
        and (file in holding or (file in errors and (file.path in roots or _means_scenarios(file))))
    ]
    chosen = {file for file in files if file not in errors}
    findings = [finding for file in files for finding in errors.get(file, ())]
    effects = {key: compiled.objects for key, compiled in workspace.effects.items()}
    watch = Watch() if coverage else None
    table = Table(workspace.cards, effects, watch)
    results = []
    for checked in workspace.scenarios:
        if checked.script.entry.file not in chosen:
            continue
        hindering = list(_hindering(workspace, checked, errors))
        findings += hindering
        results.append(_unplayed(checked, hindering) if hindering else table.play(checked))
    unplayed = tuple(file.name for file in files if file in errors)
    reached = () if watch is None else ((coverage_of(watch, workspace.cards, effects), table.origins()),)
    return TestRun(tuple(results), tuple(dict.fromkeys(findings)), unplayed, reached)


def joined(runs: Iterable[TestRun]) -> TestRun:
    """The runs of several projects as one, with as many errors as a report lists."""
    all_runs = list(runs)
    listed, left_out = limited([finding for run in all_runs for finding in run.findings])
    return TestRun(
        tuple(result for run in all_runs for result in run.results),
        listed,
        tuple(name for run in all_runs for name in run.unplayed),
        tuple(reached for run in all_runs for reached in run.coverage),
        left_out,
    )


def _means_scenarios(file: SourceFile) -> bool:
    """Whether a file that cannot be read was meant to hold scenarios: by its top keys, misspelt or not."""
    return any(nearest(key, SECTIONS) == "scenarios" for key in _TOP_KEY.findall(file.text))


def _hindering(
    workspace: Workspace, checked: Checked, errors: dict[SourceFile, list[Diagnostic]]
) -> Iterator[Diagnostic]:
    """Errors of the cards and rules that a scenario plays with."""
    used = set(checked.script.ids())
    if checked.mode is not None:
        used |= {checked.mode.id, *checked.mode.objectives}
    if checked.ruleset is not None:
        used.add(checked.ruleset.id)
    everything = [finding for found in errors.values() for finding in found]
    yield from (finding for finding in everything if finding.card in used)
    if checked.mode is None or checked.ruleset is None or not used <= _known(workspace):
        # which of them it is cannot be told where a file is torn
        torn = [one for one in everything if one.card is None or one.card in workspace.cards.broken_ids]
        yield from torn or everything


def _known(workspace: Workspace) -> set[str]:
    return {entry.id for entry in workspace.cards.entries()}


def _unplayed(checked: Checked, hindering: list[Diagnostic]) -> Result:
    """The result of a scenario whose cards or rules have errors."""
    finding = hindering[0]
    what = f"`{finding.card}`" if finding.card else finding.span.file.name
    got = f"{what} has an error: {finding.message}"
    entry = checked.script.entry
    return Result(entry, (Failure("cards", "without errors", got, entry.id_span, f"not played: {got}"),))


PLAYED = "to be played"
"""What is expected of a step that was not."""


class Table:
    """Plays scenarios of one project; the rules of a mode are built once; ``watch`` looks on."""

    def __init__(self, cards: CardSet, effects: Effects, watch: Watch | None = None) -> None:
        self._cards, self._effects, self._watch = cards, effects, watch
        self._rules: dict[tuple[str, str, Options], Rules] = {}
        self._origins: Origins | None = None

    def origins(self) -> Origins:
        """What effects are called, and where they stand; read once, when something is to be explained."""
        if self._origins is None:
            self._origins = origins_of(self._cards)
        return self._origins

    def rules(self, checked: Checked) -> Rules:
        """What a scenario is played by."""
        assert checked.mode is not None, "a scenario without a mode has a finding"
        assert checked.ruleset is not None, "a scenario without a ruleset has a finding"
        options = _options(checked.ruleset.options, checked.script)
        key = (checked.mode.id, checked.ruleset.id, options)
        if key not in self._rules:
            self._rules[key] = build_rules(self._cards, self._effects, checked.mode, checked.ruleset, options)
        return self._rules[key]

    def play(self, checked: Checked) -> Result:
        """Play a scenario without findings and compare."""
        script = checked.script
        rules = self.rules(checked)
        cast = cast_of(script)
        played = play(script, rules, cast, self._watch)
        if played.chain is not None:
            played.refusal = Stopped("", self.origins().chain(played.chain))
        found = [*played.slips, *_failures(script, rules, cast, played)]
        failures = tuple(sorted(found, key=lambda one: one.span.start))
        compared = any(not failure.sentence for failure in failures)
        return Result(
            script.entry,
            failures,
            (played.refusal.rule_id or None) if played.refusal else None,
            tuple(trace_lines(script, rules, self.origins(), cast, played)) if compared else (),
            tuple(played.notes),
        )


def _options(options: Options, script: Script) -> Options:
    """The ruleset's options with those of the scenario."""
    chosen = {key: given.value for key, given in script.options.items()}
    known = {key: value for key, value in chosen.items() if key in Options.__struct_fields__}
    values = {key: known.get(key, getattr(options, key)) for key in Options.__struct_fields__}
    return Options(**values)


def _failures(script: Script, rules: Rules, cast: Cast, played: Played) -> Iterable[Failure]:
    """How it differs; a step that was not played makes all that comes after it meaningless."""
    wanted, refusal = script.expected.refused, played.refusal
    if refusal is None:
        if wanted is not None:
            sentence = f"step {len(script.steps)} was to be refused by {wanted.value}, and it was played."
            return [Failure("refused", wanted.value, None, wanted.span, sentence)]
        return compare(script, rules, cast, played)
    step = script.steps[played.at]
    name = f"step {played.at + 1} ({step.action})"
    if not refusal.rule_id:
        return [
            Failure(
                f"step {played.at + 1}", PLAYED, refusal.sentence, step.span, f"{name}: {refusal.sentence}"
            )
        ]
    told = f"{name} is refused by {refusal.rule_id}: {refusal.sentence}"
    if wanted is not None and played.at < len(script.steps) - 1:
        told += f" `refused` speaks of the last step, step {len(script.steps)}."
        return [Failure("refused", None, refusal.rule_id, step.span, told)]
    if wanted is None:
        return [Failure("refused", None, refusal.rule_id, step.span, told)]
    if wanted.value == refusal.rule_id:
        return compare(script, rules, cast, played)
    told = f"{name} was to be refused by {wanted.value}, and it is by {refusal.rule_id}: {refusal.sentence}"
    return [
        Failure("refused", wanted.value, refusal.rule_id, wanted.span, told),
        *compare(script, rules, cast, played),
    ]


def compare(script: Script, rules: Rules, cast: Cast, played: Played) -> Iterator[Failure]:
    """Every difference, in the order of `expect`: the attack, sides, OPERATORs."""
    expected = script.expected
    if expected.attack is not None:
        yield from _differences("attack", expected.attack, lambda key: _of_attack(played, key))
    for name, values in expected.sides.items():
        side: Side = "blue" if name == "blue" else "red"
        yield from _differences(name, values, lambda key, side=side: _of_side(played.state, side, key))  # type: ignore[misc]  # mypy does not see the default
    for person, values in expected.operators:
        who = cast.key(person)
        yield from _differences(
            person.written,
            values,
            lambda key, who=who: _of_operator(played, rules, who, key),  # type: ignore[misc]  # the same
        )


def _differences(
    what: str, values: dict[str, Given[Plain]], got: Callable[[str], Value]
) -> Iterator[Failure]:
    for key, given in values.items():
        wanted = given.value
        if isinstance(wanted, (dict, list, float)):
            continue  # the schema has told of it
        found = got(key)
        if found != wanted or isinstance(found, bool) != isinstance(wanted, bool):
            yield Failure(f"{what}.{key}", wanted, found, given.span)


def _of_attack(played: Played, key: str) -> Value:
    """A number of the last attack; None where none was compared."""
    if played.attack is None:
        return None
    attack = played.attack.result
    values: dict[str, Value] = {
        "ap": attack.ap,
        "ep": attack.ep,
        "damage": attack.damage,
        "critical": attack.critical,
    }
    return values.get(key)


def _of_side(state: GameState, side: Side, key: str) -> Value:
    player = state.player(side)
    return {"hand": len(player.hand), "deck": len(player.deck), "discard": len(player.discard)}.get(key)


def _of_operator(played: Played, rules: Rules, who: Key, key: str) -> Value:
    operator = played.state.operators[who]
    match key:
        case _ if key.upper() in STATS:
            return Board(rules, played.state).number(operator, key.upper())
        case "hitcounter":
            return operator.hitcounter
        case "objectivecounter":
            return operator.objectivecounter
        case "status":
            return operator.status
        case "position":
            return None if operator.position is None else operator.position + 1
        case "attached":
            return operator.attached
        case "objective":
            return _objective(played, rules, operator)
    return None


def _objective(played: Played, rules: Rules, operator: OperatorState) -> Value:
    """REACHED by his counter at the OBJECTIVE of his FIELDPOSITION, else CAPTURED if he did so (A-2b)."""
    if operator.position is not None and operator.is_up:
        objective = played.state.player(operator.side).objectives[operator.position]
        if objective is not None and operator.objectivecounter >= rules.objective_values.get(objective, 0):
            return "REACHED"
    return "CAPTURED" if operator.key in played.captors else None


_WIDTH = lines.WIDTH - 4
"""Reports put four spaces before each line."""


def trace_lines(script: Script, rules: Rules, origins: Origins, cast: Cast, played: Played) -> Iterator[str]:
    """How the numbers came about; nothing if no step was played."""
    page = lines.Page(cast.names, origins, unstyled, _WIDTH)
    attack = played.attack
    if attack is not None:
        both = (attack.result.attacker, attack.result.attacked)
        yield f"the attack of {cast.names[both[0]]} on {cast.names[both[1]]} (step {attack.step + 1}):"
        outcome = Outcome(attack.trace, attack.result)
        board = Board(rules, attack.before)
        explained = explain(board, attack.after, outcome, both, origins, thorough=False)
        told = replace(explained, sections=tuple(one for one in explained.sections if one.blocks))
        yield from (f"  {line}" for line in lines.explanation_lines(told, page) if line)
    elif played.last_trace:
        number = played.at if played.refusal else played.at + 1
        yield f"step {number} ({script.steps[number - 1].action}):"
        yield from lines.trace_lines(played.last_trace, page)
