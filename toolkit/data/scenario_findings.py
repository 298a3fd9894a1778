"""What is wrong with scenarios, found before anything is played, at the exact places.

A scenario whose form is wrong is told of by its schema and never gets here. What refers to an entry that is
broken itself is no second mistake.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from toolkit.data.model import CardSet, Mode, Ruleset
from toolkit.data.references import Reference, resolve
from toolkit.data.scenario_decoding import decode_scenario
from toolkit.data.scenario_expectation_findings import expectation_findings
from toolkit.data.scenario_setup_findings import setup_findings
from toolkit.data.scenario_step_findings import step_findings
from toolkit.data.scenarios import Given, Script
from toolkit.diagnostics import Diagnostic

Entry = TypeVar("Entry", Mode, Ruleset)


@dataclass(frozen=True, slots=True)
class Checked:
    """A scenario as it was read, the mode and ruleset that it plays by, and what is wrong with it."""

    script: Script
    mode: Mode | None
    ruleset: Ruleset | None
    findings: list[Diagnostic] = field(default_factory=list)


def check_scenarios(card_set: CardSet) -> list[Checked]:
    """Every scenario of a project whose form is right."""
    return [check_scenario(card_set, decode_scenario(entry)) for entry in card_set.scenarios]


def check_scenario(card_set: CardSet, script: Script) -> Checked:
    """One scenario; its findings are in the order of the file."""
    mode = _chosen(card_set.modes, script.mode, card_set.project.mode)
    ruleset = _chosen(card_set.rulesets, script.ruleset, card_set.project.ruleset)
    checked = Checked(script, mode, ruleset)
    findings = checked.findings
    findings += _rules(card_set, script, "mode", mode)
    findings += _rules(card_set, script, "ruleset", ruleset)
    findings += setup_findings(card_set, script, mode)
    findings += step_findings(card_set, script)
    findings += expectation_findings(card_set, script, mode)
    findings.sort(key=lambda finding: finding.span.start)
    return checked


def _chosen(known: dict[str, Entry], given: Given[str] | None, of_project: str | None) -> Entry | None:
    """What the scenario names, else the project, else the only one that there is."""
    name = given.value if given else of_project
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    return known.get(name) if name is not None else None


def _rules(card_set: CardSet, script: Script, key: str, found: Mode | Ruleset | None) -> list[Diagnostic]:
    """The finding about a mode or ruleset that does not exist or is not named."""
    given = script.mode if key == "mode" else script.ruleset
    if found is not None:
        return []
    what = "a game mode" if key == "mode" else "a ruleset"
    if given is not None:
        return resolve(card_set, Reference(given.value, given.span, what, script.name), ())
    of_project = card_set.project.mode if key == "mode" else card_set.project.ruleset
    if of_project is not None or card_set.incomplete or card_set.broken_ids:
        return []  # told of in opforge.yaml, or it may be in what could not be read
    message = f"There is no `{key}` to play by: neither this scenario nor opforge.yaml names one."
    step = f"Add `{key}: …` with the id of {what} here or to opforge.yaml."
    return [Diagnostic("missing-key", message, script.entry.id_span, step, card=script.name)]
