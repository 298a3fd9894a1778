"""Play scenarios and say how each went."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.data.model import CardSet, Options
from toolkit.data.scenario_findings import Checked
from toolkit.data.scenarios import Script
from toolkit.engine.explaining.origins import Origins, origins_of
from toolkit.engine.outcomes import Stopped
from toolkit.engine.rules import Effects, Rules, build_rules
from toolkit.project.scenarios.comparing import compare
from toolkit.project.scenarios.coverage import Watch
from toolkit.project.scenarios.playing import Played, play
from toolkit.project.scenarios.results import Failure, Result
from toolkit.project.scenarios.setup import Cast, cast_of
from toolkit.project.scenarios.trace_lines import trace_lines

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
