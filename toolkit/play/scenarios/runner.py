"""Playing the scenarios of a project, and comparing their results with what they expect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from toolkit.data.checks.scenario_findings import CheckedScenario
from toolkit.data.effect_sources import own_words
from toolkit.data.model import Options, Scenario
from toolkit.data.scenarios import Given
from toolkit.data.schema import SECTIONS
from toolkit.data.yaml.nodes import Plain
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.diagnostics.report import limited
from toolkit.diagnostics.reporters import unstyled
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.compiler import has_reached
from toolkit.engine.explaining import lines
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.outcomes import Stopped
from toolkit.engine.state import GameState, Key, Side, count_of
from toolkit.engine.state_queries import StateQueries
from toolkit.play.playable_game import errors_of_used, text_only_warnings
from toolkit.play.scenarios.coverage import Coverage, CoverageRecorder, coverage_of
from toolkit.play.scenarios.playing import Failure, Played, Result, TestRun, Value, play
from toolkit.play.scenarios.setup import side_of
from toolkit.project.pipeline import Workspace
from toolkit.source import SourceFile
from toolkit.source.paths import is_below
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import nearest

OF_ATTACK = ("ap", "ep", "damage", "critical")
OF_SIDE = ("hand", "deck", "discard", "captured")
"""The keys of `expect` for an attack, and for the numbers of cards of a side."""

_TOP_KEY = re.compile(r"^[{\"' ]{0,2}([A-Za-z_-]+)[\"']? *:", re.MULTILINE)


def run_scenarios(
    workspace: Workspace,
    below: Iterable[Path],
    coverage: bool = False,
    is_chosen: Callable[[CheckedScenario], bool] = lambda _checked: True,
) -> TestRun:
    """Play the scenarios in files at or below absolute paths, except those in ``unplayable_files``.

    A scenario that uses an entry with an error is skipped. With ``coverage`` the run has their coverage of
    the project. ``is_chosen`` is called just before each scenario; an exception that it raises ends the run.
    """
    file_errors, unplayable = _errors_by_file(workspace), unplayable_files(workspace)
    files = _files_of_scenarios(workspace, list(below), file_errors)
    playable_files = {*files} - unplayable
    findings = [finding for file in files for finding in file_errors.get(file, ())]
    recorder = CoverageRecorder() if coverage else None
    origins = workspace.origins
    results = []
    used_ids: set[str] = set()
    for checked in workspace.scenarios:
        if checked.script.entry.file not in playable_files or not is_chosen(checked):
            continue
        errors = list(preventing_errors(workspace, checked))
        findings += errors
        if errors:
            first_error = errors[0]
            results.append(Result(checked.script.entry, cause=first_error))
        else:
            used_ids.update(checked.script.ids(), checked.mode.objectives if checked.mode else ())
            results.append(_play_and_compare(workspace, checked, origins, recorder))
    unplayed = tuple(file.name for file in files if file in unplayable)
    coverages: tuple[tuple[Coverage, Origins], ...] = ()
    if recorder is not None:
        effects = {key: compiled.objects for key, compiled in workspace.effects.items()}
        skipped = sum(result.cause is not None for result in results)
        coverages = ((coverage_of(recorder, workspace.cards, effects, skipped), origins()),)
    warnings = text_only_warnings(workspace.cards, used_ids)
    return TestRun(tuple(results), tuple(dict.fromkeys(findings)), unplayed, coverages, warnings=warnings)


def _files_of_scenarios(
    workspace: Workspace, roots: list[Path], file_errors: dict[SourceFile, list[Diagnostic]]
) -> list[SourceFile]:
    """Return the files at or below the roots that have scenarios, or had some that could not be read.

    Those are files with errors that are named as a root, or whose keys speak of scenarios.
    """
    scenario_files = {checked.script.entry.file for checked in workspace.scenarios}
    files = []
    for file in workspace.cards.files:
        if not any(is_below(file.path, root) for root in roots):
            continue
        is_named_or_meant = file.path in roots or _means_scenarios(file)
        if file in scenario_files or (file in file_errors and is_named_or_meant):
            files.append(file)
    return files


def join_runs(runs: Iterable[TestRun]) -> TestRun:
    """Return the runs of several projects as one run, with as many errors as a report lists."""
    all_runs = list(runs)
    listed, left_out = limited([finding for run in all_runs for finding in run.findings])
    return TestRun(
        tuple(result for run in all_runs for result in run.results),
        listed,
        tuple(name for run in all_runs for name in run.unplayed),
        tuple(reached for run in all_runs for reached in run.coverage),
        left_out,
        tuple(warning for run in all_runs for warning in run.warnings),
    )


def _errors_by_file(workspace: Workspace) -> dict[SourceFile, list[Diagnostic]]:
    """Return the findings for which something cannot be used, by file."""
    errors: dict[SourceFile, list[Diagnostic]] = {}
    for finding in workspace.findings:
        if prevents_use(finding.name):
            errors.setdefault(finding.span.file, []).append(finding)
    return errors


def unplayable_files(workspace: Workspace) -> set[SourceFile]:
    """Return the files with errors that concern their scenarios, or that leave open which there are.

    A file of which no scenario could be read leaves that open. In a file with scenarios an error in a card
    only concerns the scenarios that use the card, wherever they are; other errors, and those of cards that
    are named like a scenario, may be those of a scenario.
    """
    cards = workspace.cards
    names = {entry.name for entry in cards.scenarios}
    ids = {entry.id for entry in cards.entries() if not isinstance(entry, Scenario)} | cards.broken_ids
    scenario_files = {entry.file for entry in cards.scenarios}
    return {
        file
        for file, errors in _errors_by_file(workspace).items()
        if file not in scenario_files or any(error.card not in ids or error.card in names for error in errors)
    }


def _means_scenarios(file: SourceFile) -> bool:
    """Whether an unreadable file was meant to have scenarios, by its top-level keys, misspelt or not."""
    return any(nearest(key, SECTIONS) == "scenarios" for key in _TOP_KEY.findall(file.text))


def preventing_errors(workspace: Workspace, checked: CheckedScenario) -> Iterator[Diagnostic]:
    """Yield the errors of the cards and rules that a scenario uses."""
    script, project = checked.script, workspace.cards.project
    used_ids = ids_played(workspace, checked) | {*script.words()}
    for entry, written_id, project_id in (
        (checked.mode, script.mode, project.mode),
        (checked.ruleset, script.ruleset, project.ruleset),
    ):
        if entry is None:
            used_ids.add(written_id.value if written_id is not None else project_id or "")
    return errors_of_used(workspace, used_ids)


def ids_played(workspace: Workspace, checked: CheckedScenario) -> set[str]:
    """Return the ids of the entries that a scenario uses: cards and their TEAMs, mode, OBJECTIVEs, ruleset,
    own words."""
    used_ids = set(checked.script.ids())
    cards = (workspace.cards.cards.get(name) for name in used_ids)
    used_ids |= {card.team for card in cards if card is not None and card.team is not None}
    if checked.mode is not None:
        used_ids |= {checked.mode.id, *checked.mode.objectives}
    if checked.ruleset is not None:
        used_ids.add(checked.ruleset.id)
    return used_ids | own_words(workspace.cards, used_ids)


def rules_of(workspace: Workspace, checked: CheckedScenario) -> Rules:
    """Return the rules for a scenario without findings: its options replace those of its ruleset."""
    assert checked.mode is not None, "a scenario without a mode has a finding"
    assert checked.ruleset is not None, "a scenario without a ruleset has a finding"
    options = checked.ruleset.options
    chosen = {key: statement.value for key, statement in checked.script.options.items()}
    values = {key: chosen.get(key, getattr(options, key)) for key in Options.__struct_fields__}
    return workspace.rules(checked.mode, checked.ruleset, Options(**values))


def _play_and_compare(
    workspace: Workspace,
    checked: CheckedScenario,
    origins: Callable[[], Origins],
    recorder: CoverageRecorder | None,
) -> Result:
    """Play a scenario without findings and compare its result; ``origins`` is called only if needed."""
    script = checked.script
    played = play(script, rules_of(workspace, checked), recorder)
    if played.chain is not None:
        played.refusal = Stopped("", origins().chain(played.chain))
    failures = failures_of(played)
    refusing_rule = played.refusal.rule_id if played.refusal else ""
    # a failure with a sentence of its own is explained by that, one of numbers by the trace
    needs_trace = any(not failure.sentence for failure in failures)
    return Result(
        script.entry,
        failures,
        refusing_rule or None,
        tuple(_trace_lines(played, origins())) if needs_trace else (),
        tuple(played.notes),
    )


def failures_of(played: Played) -> tuple[Failure, ...]:
    """Return the failures of a scenario in the order of the file."""
    failures = [*played.unmet, *_failures(played)]
    return tuple(sorted(failures, key=lambda failure: failure.span.start))


def _failures(played: Played) -> Iterable[Failure]:
    """Return the differences; after a step that was not played nothing is compared."""
    script, refusal = played.script, played.refusal
    expected_rule = script.expected.refused
    if refusal is None:
        if expected_rule is None:
            return _compare(played)
        sentence = f"step {len(script.steps)} was to be refused by {expected_rule.value}, and it was played."
        return [Failure("refused", expected_rule.value, None, expected_rule.span, sentence)]
    step, number = script.steps[played.at], played.at + 1
    name = f"step {number} ({step.action})"
    if not refusal.rule_id:  # an answer or a die is missing, or events went on without end
        sentence = f"{name}: {refusal.sentence}"
        return [Failure(f"step {number}", "to be played", refusal.sentence, step.span, sentence)]
    if expected_rule is None or number < len(script.steps):
        sentence = f"{name} is refused by {refusal.rule_id}: {refusal.sentence}"
        if expected_rule is not None:
            sentence += f" `refused` speaks of the last step, step {len(script.steps)}."
        return [Failure("refused", None, refusal.rule_id, step.span, sentence)]
    if expected_rule.value == refusal.rule_id:
        return _compare(played)
    actual_text = f"it is by {refusal.rule_id}: {refusal.sentence}"
    sentence = f"{name} was to be refused by {expected_rule.value}, and {actual_text}"
    return [
        Failure("refused", expected_rule.value, refusal.rule_id, expected_rule.span, sentence),
        *_compare(played),
    ]


def _compare(played: Played) -> Iterator[Failure]:
    """Yield every difference, in the order of `expect`: the attack, sides, OPERATORs."""
    expected = played.script.expected
    if expected.attack is not None:
        yield from _differences("attack", expected.attack, partial(attack_value, played))
    if expected.winner is not None:
        winner = {"winner": expected.winner}
        yield from _differences("GAME", winner, lambda _: _winner(played.state))
    for card in expected.not_played:
        if card.value not in played.not_played:
            sentence = f"`{card.value}` was expected not to be played (E-1), and it was not in play."
            yield Failure("not_played", card.value, None, card.span, sentence)
    for name, values in expected.sides.items():
        side = side_of(name)
        yield from _differences(name, values, partial(side_value, played.state, side))
        yield from _pile_differences(played.state, side, expected.piles.get(name, {}))
    for ref, values in expected.operators:
        operator_key = played.bindings.key(ref)
        yield from _differences(ref.written, values, partial(operator_value, played, operator_key))


def _winner(state: GameState) -> Value:
    """Return who has won by an effect, or ``draw``; None while nobody has (E-31)."""
    return "draw" if len(state.winners) > 1 else next(iter(state.winners), None)


def _differences(
    subject: str, values: dict[str, Given[Plain]], actual_of: Callable[[str], Value]
) -> Iterator[Failure]:
    """Yield a failure for each expected value of a subject that is not the actual one."""
    for key, statement in values.items():
        expected = statement.value
        if isinstance(expected, (dict, float)):
            continue  # the schema reports it
        actual = actual_of(key)
        if isinstance(expected, list):
            if not isinstance(actual, str):
                continue  # lists of cards are compared by `_pile_differences`
            expected = _listed(sorted(map(str, expected)))
        # True and 1 are equal in Python; here they are not
        if actual != expected or isinstance(actual, bool) != isinstance(expected, bool):
            yield Failure(f"{subject}.{key}", expected, actual, statement.span)


def attack_value(played: Played, key: str) -> Value:
    """Return the value of a key of `expect` for the last attack; None if it compared no AP and EP."""
    result = played.compared
    value: Value = getattr(result, key) if result and key in OF_ATTACK else None
    return value


def side_value(state: GameState, side: Side, key: str) -> Value:
    """Return the value of a key of `expect` for a side, except lists of cards."""
    player = state.player(side)
    if key.startswith("markers."):
        return count_of(player.markers, key.removeprefix("markers."))
    return len(getattr(player, key)) if key in OF_SIDE else None


def _pile_differences(
    state: GameState, side: Side, piles: dict[str, Given[tuple[Given[str], ...]]]
) -> Iterator[Failure]:
    """Yield the differences of lists of cards; only that of the DECK has an order."""
    for key, pile in piles.items():
        expected_cards = [card.value for card in pile.value]
        actual_cards = list(getattr(state.player(side), key))
        if key != "deck":
            expected_cards, actual_cards = sorted(expected_cards), sorted(actual_cards)
        if expected_cards != actual_cards:
            yield Failure(f"{side}.{key}", _listed(expected_cards), _listed(actual_cards), pile.span)


def _listed(cards: Iterable[str]) -> str:
    """Return a list of cards or words as one value, which is compared and printed."""
    return ", ".join(cards) or "none"


def operator_value(played: Played, operator_key: Key, key: str) -> Value:
    """Return the value of a key of `expect` for an OPERATOR."""
    operator = played.state.operators[operator_key]
    resolver = StateQueries(played.rules, played.state)
    if key.startswith("markers."):
        return count_of(operator.markers, key.removeprefix("markers."))
    match key:
        case _ if key.upper() in STATS:
            return resolver.number(operator, key.upper())
        case "traits":
            return _listed(sorted(resolver.traits_of(operator)))
        case "keywords":
            return _listed(sorted(resolver.keywords_of(operator)))
        case "range":
            return resolver.range_of(operator)
        case "hitcounter" | "objectivecounter" | "status" | "attached":
            value: Value = getattr(operator, key)
            return value
        case "position":
            # scenarios count FIELDPOSITIONs from 1
            return None if operator.position is None else operator.position + 1
        case "objective":
            # REACHED by its counter at the OBJECTIVE of its FIELDPOSITION, else CAPTURED if it did so (A-2b)
            if operator.position is not None and has_reached(resolver, operator):
                return "REACHED"
            return "CAPTURED" if operator_key in played.captors else None
    return None


_WIDTH = lines.WIDTH - 4
"""Reports put four spaces before each line."""


def _trace_lines(played: Played, origins: Origins) -> Iterator[str]:
    """Yield the explanation of the numbers; nothing if no step was played."""
    names = played.bindings.names
    page = lines.Page(names, origins, unstyled, _WIDTH)
    attack, result = played.attack, played.result
    if attack is not None and result is not None:
        fighters = (result.attacker, result.attacked)
        yield f"the attack of {names[result.attacker]} on {names[result.attacked]} (step {attack.step + 1}):"
        resolver = StateQueries(played.rules, attack.before)
        explained = explain(resolver, attack.after, attack.outcome, fighters, origins, thorough=False)
        filled_sections = tuple(section for section in explained.sections if section.blocks)
        short = replace(explained, sections=filled_sections)
        yield from (f"  {line}" for line in lines.explanation_lines(short, page) if line)
    elif played.last_trace:
        # a refused step has no trace: the last one is that of the step before it
        index = played.at - 1 if played.refusal else played.at
        yield f"step {index + 1} ({played.script.steps[index].action}):"
        yield from lines.trace_lines(played.last_trace, page)
