"""Play scenarios and say how each went."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.data.model import CardSet, Options
from toolkit.data.scenario_findings import Checked
from toolkit.data.scenarios import Script
from toolkit.engine.rules import Effects, Rules, build_rules
from toolkit.scenarios.comparing import compare
from toolkit.scenarios.playing import Played, play
from toolkit.scenarios.results import Failure, Result
from toolkit.scenarios.setup import Cast, cast_of
from toolkit.scenarios.trace_lines import trace_lines

PLAYED = "to be played"
"""What is expected of a step that was not."""


class Table:
    """Plays scenarios of one project; the rules of a mode under a ruleset are built once."""

    def __init__(self, cards: CardSet, effects: Effects) -> None:
        self._cards, self._effects = cards, effects
        self._rules: dict[tuple[str, str, Options], Rules] = {}

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
        played = play(script, rules, cast)
        failures = tuple(_failures(script, rules, cast, played))
        return Result(
            script.entry,
            failures,
            (played.refusal.rule_id or None) if played.refusal else None,
            tuple(trace_lines(script, cast, played)) if failures else (),
            tuple(played.notes),
        )


def _options(options: Options, script: Script) -> Options:
    """The ruleset's options with those of the scenario."""
    chosen = {key: given.value for key, given in script.options.items()}
    known = {key: value for key, value in chosen.items() if key in Options.__dataclass_fields__}
    values = {key: known.get(key, getattr(options, key)) for key in Options.__dataclass_fields__}
    return Options(**values)


def _failures(script: Script, rules: Rules, cast: Cast, played: Played) -> Iterable[Failure]:
    """How it differs; a step that was not played makes all that comes after it meaningless."""
    wanted, refusal = script.expected.refused, played.refusal
    is_last = played.at == len(script.steps) - 1
    if refusal is not None and not (wanted and is_last and refusal.rule_id):
        step = script.steps[played.at]
        got = f"refused by {refusal.rule_id}: {refusal.sentence}" if refusal.rule_id else refusal.sentence
        return [Failure(f"step {played.at + 1} ({step.action})", PLAYED, got, step.span)]
    if wanted is not None and refusal is None:
        return [Failure("refused", wanted.value, None, wanted.span)]
    failures = []
    if wanted is not None and refusal is not None and refusal.rule_id != wanted.value:
        got = f"{refusal.rule_id}: {refusal.sentence}"
        failures.append(Failure("refused", wanted.value, got, wanted.span))
    return [*failures, *compare(script, rules, cast, played)]
