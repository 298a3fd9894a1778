"""The details of a card: its places, effects, rules texts, findings, and where it is used."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import is_
from pathlib import Path
from typing import Any

from toolkit.apps.preview.snapshot import Snapshot, names_by_language
from toolkit.data.checks.scenario_findings import CheckedScenario
from toolkit.data.effect_sources import sources_of
from toolkit.data.model import Card, Objective, Text
from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import reported_severity
from toolkit.diagnostics.report import limited, sorted_findings
from toolkit.diagnostics.reporters import finding_data
from toolkit.dsl.effect_objects import as_data, as_lines
from toolkit.play.scenarios.reports import cause_of
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.faces import rules_by_part
from toolkit.project.live_project import LiveProject
from toolkit.project.name_references import Occurrence
from toolkit.project.pipeline import Workspace
from toolkit.source import Span, shown_name
from toolkit.wording.text import plain

_MAX_SOURCE_LINES = 4
_MAX_LINE_LENGTH = 1000
_NUMBER_KEYS = ("ap", "ep", "dp", "mp", "squadpoints", "quantity", "value")
_SLICE = 0.05
"""Seconds of playing scenarios after which the reading thread may do something else."""
_SINGULAR = {"cards": "card", "": "project"}
"""The words for one entry of a section, where that is not the section without its `s`."""


def place_data(span: Span, root: Path) -> dict[str, Any]:
    """Return a place: lines and columns from 1, the end exclusive; the file relative to the project."""
    begin, end = span.begin_position, span.end_position
    return {
        "file": shown_name(span.file.path, root),
        "line": begin.line,
        "column": begin.column,
        "end_line": end.line,
        "end_column": end.column,
    }


def finding_json(finding: Diagnostic, root: Path) -> dict[str, Any]:
    """Return a finding as ``check --format json`` prints it, but with files relative to the project.

    ``fix`` says whether it has a safe fix; ``source`` has the numbers and texts of its first lines.
    """
    data = finding_data(finding) | place_data(finding.span, root)
    for related, label in zip(data["related"], finding.labels, strict=True):
        related["file"] = shown_name(label.span.file.path, root)
    first_line = data["line"]
    last_line = min(data["end_line"], first_line + _MAX_SOURCE_LINES - 1)
    lines = range(first_line, last_line + 1) if finding.span.file.text else ()
    data["fix"] = finding.fix is not None and finding.fix.safe
    data["source"] = [[number, finding.span.file.line(number)[:_MAX_LINE_LENGTH]] for number in lines]
    return data


def findings_json(findings: Iterable[Diagnostic], root: Path) -> dict[str, Any]:
    """Return findings in the order of the files, as many as a report lists, and how many are not listed."""
    listed, omitted_files = limited(sorted_findings(findings))
    return {
        "findings": [finding_json(finding, root) for finding in listed],
        "not_listed": sum(omitted.number for omitted in omitted_files),
    }


class CardDetails:
    """The details of all cards, in the state of one snapshot. For the reading thread only.

    ``earlier_workspace`` is the last state that was shown whole. ``outcomes`` say by scenario whether it
    passed when it was last played, in this state or an earlier one, or why it was skipped.
    """

    def __init__(
        self,
        project: LiveProject,
        snapshot: Snapshot,
        earlier_workspace: Workspace | None = None,
        outcomes: dict[str, bool | str] | None = None,
    ) -> None:
        self.project, self.snapshot, self.root = project, snapshot, project.root
        self._earlier_workspace = earlier_workspace
        self.outcomes = outcomes or {}
        self._played: set[str] = set()  # the names of scenarios that were played in this state
        self._uses: dict[str, list[Occurrence]] | None = None  # of each id, once they are asked for

    def card(self, id: str) -> dict[str, Any] | None:
        """Return all of a card but its faces, a broken one as it was last; None if there is no such card."""
        row = self.snapshot.rows.get(id)
        if row is None:
            return None
        last_good = self.snapshot.last_good.get(id)
        workspace = self._shown_state(id)
        entry = workspace.cards.printed_entry(id) if workspace is not None else None
        findings, stale = self.snapshot.findings.get(id, []), None
        if last_good is not None:
            causes = findings_json(self._causes(id, row["file"]), self.root)["findings"]
            findings, stale = [], {"since": last_good.since, "findings": causes}
        data = {
            **row,
            "stale": stale,
            "place": None,
            "effects": [],
            "findings": findings_json(findings, self.root)["findings"],
            "scenarios": list(self._scenarios(id)),
            "used_by": list(self._used_by(id)),
            "art": None,
            "logo": None,
            "tries": [],
        }
        if workspace is not None and entry is not None:
            data |= self._data_of_entry(workspace, entry)
            if stale is not None:  # its places are those of an older text
                line = {"line": row["line"], "column": 1, "end_line": row["line"], "end_column": 1}
                data["place"] = {"file": row["file"], **line}
                data["effects"] = [{**effect, "place": None} for effect in data["effects"]]
        return data

    def _data_of_entry(self, workspace: Workspace, entry: Card | Objective) -> dict[str, Any]:
        """Return what is known of a card only if it can be read."""
        team = workspace.cards.teams.get(entry.team or "") if isinstance(entry, Card) else None
        return {
            "place": place_data(entry.id_span, self.root),
            "effects": list(self._effects(workspace, entry)),
            "art": entry.art.value if entry.art else None,
            "logo": team.logo.value if team and team.logo else None,
            "tries": list(self._triable_values(entry)),
        }

    def _shown_state(self, id: str) -> Workspace | None:
        """Return the state of the project in which a card is shown: a broken card is shown as it was."""
        last_good = self.snapshot.last_good.get(id)
        states = (
            last_good.workspace if last_good is not None else None,
            self.project.workspace,
            self._earlier_workspace,
        )
        states_with_card = (state for state in states if state is not None and state.cards.printed_entry(id))
        return next(states_with_card, None)

    def _causes(self, id: str, file_name: str) -> list[Diagnostic]:
        """Return why a card is broken: its findings in its file, or without any the errors there."""
        file_findings = [
            finding
            for finding in chain.from_iterable(self.snapshot.findings.values())
            if shown_name(finding.span.file.path, self.root) == file_name
        ]
        card_findings = [finding for finding in file_findings if finding.card == id]
        return card_findings or [
            finding for finding in file_findings if reported_severity(finding) == "error"
        ]

    def play_scenarios(self, id: str) -> bool:
        """Play scenarios that name a card, each once, for a slice of time; return whether any is left."""
        end = time.monotonic() + _SLICE
        is_time_up = False

        def is_chosen(checked: CheckedScenario) -> bool:
            """Whether a scenario is played: it names the card, was not played yet, and there is time."""
            nonlocal is_time_up
            if id not in checked.words or checked.script.entry.id in self._played:
                return False
            is_time_up = time.monotonic() > end
            return not is_time_up

        for result in run_scenarios(self.project.current, [self.root], is_chosen=is_chosen).results:
            self._played.add(result.scenario.id)
            cause = result.cause
            self.outcomes[result.scenario.id] = result.passed if cause is None else cause_of(cause)
        return is_time_up

    def findings(self, more_findings: Iterable[Diagnostic] = ()) -> dict[str, Any]:
        """Return all findings of the project, and ``more_findings`` of print."""
        findings = chain(*self.snapshot.findings.values(), more_findings)
        return findings_json(findings, self.root)

    def _scenarios(self, id: str) -> Iterator[dict[str, Any]]:
        """Yield the scenarios that name a card, with their outcomes as far as they were played."""
        for checked in self.project.current.scenarios:
            if id in checked.words:
                entry = checked.script.entry
                outcome = self.outcomes.get(entry.id)
                yield {
                    "name": entry.id,
                    "place": place_data(entry.id_span, self.root),
                    "passes": outcome if isinstance(outcome, bool) else None,
                    "skipped": outcome if isinstance(outcome, str) else None,
                }

    def _used_by(self, id: str) -> Iterator[dict[str, Any]]:
        """Yield the entries that name a card, each once with its first place; scenarios are listed apart."""
        if self._uses is None:
            self._uses = self.project.uses()
        first_uses: dict[tuple[str, str], Occurrence] = {}
        for occurrence in self._uses.get(id, []):
            first_uses.setdefault((occurrence.section, occurrence.entry), occurrence)
        languages = self.project.cards.project.languages
        for section, entry_id in sorted(first_uses):
            if section == "scenarios":
                continue
            entry = self.project.cards.find(entry_id) if entry_id else None
            name = getattr(entry, "name", None)
            yield {
                "kind": _SINGULAR.get(section, section.removesuffix("s")),
                "id": entry_id,
                "name": names_by_language(name, languages) if isinstance(name, Text) else entry_id,
                "place": place_data(first_uses[section, entry_id].span, self.root),
            }

    def _effects(self, workspace: Workspace, entry: Card | Objective) -> Iterator[dict[str, Any]]:
        """Yield each SKILL and effect. Texts without an effect have no ``source``: those of KEYWORDs,
        text-only rules, and texts that replace those of all SKILLs."""
        languages = workspace.cards.project.languages
        rules_by_language = {code: rules_by_part(workspace, entry, code) for code in languages}
        sources = {source.part: source for source in sources_of(entry)}
        objects_by_part = {effect.source.part: effect.objects for effect in workspace.effects_of(entry.id)}
        # Printed texts that belong to no SKILL and no effect come first, such as those of KEYWORDs.
        printed_parts = chain.from_iterable(rules_by_language.values())
        extra_parts = [card_part for card_part in printed_parts if card_part not in entry.parts]
        for card_part in dict.fromkeys([*extra_parts, *entry.parts]):
            source = sources.get(card_part)
            printed_texts = {
                code: plain(rules[card_part].paragraphs)
                for code, rules in rules_by_language.items()
                if card_part in rules
            }
            if source is None and not printed_texts:
                continue
            hand_text = source.text if source is not None else None
            if card_part == "text":  # which stands for the whole card
                hand_text = entry.text
            yield {
                "part": card_part,
                "key": _effect_key(card_part) if source else None,
                "name": names_by_language(_skill_name(entry, card_part), languages),
                "source": source.scalar.value if source else None,
                "place": place_data(source.scalar.span, self.root) if source else None,
                "text": printed_texts,
                "by_hand": {code: hand_text is not None and hand_text.is_in(code) for code in languages},
                "objects": [
                    as_data(effect) | {"text": "\n".join(as_lines([effect]))}
                    for effect in objects_by_part.get(card_part, ())
                ],
            }

    def _triable_values(self, entry: Card | Objective) -> Iterator[dict[str, Any]]:
        """Yield the values that can be tried, with their places."""
        nodes = entry.node.nodes
        for key in _NUMBER_KEYS:
            number = nodes.get(key)
            if isinstance(number, Scalar):
                yield self._triable_value(key, number)
        yield from self._triable_names("name", nodes.get("name"))
        for card_part, owner in entry.parts.items():
            key = _effect_key(card_part)
            if owner is not entry:
                yield from self._triable_names(key.replace("effect", "name"), owner.node.nodes.get("name"))
            effect = owner.node.nodes.get("effect")
            if isinstance(effect, Scalar):
                yield self._triable_value(key, effect)

    def _triable_names(self, key: str, node: Node | None) -> Iterator[dict[str, Any]]:
        """Yield the texts of a key that can be tried, one for all languages or by language."""
        if isinstance(node, Scalar):
            yield self._triable_value(key, node)
        elif isinstance(node, Mapping):
            for code, text in node.nodes.items():
                if isinstance(text, Scalar):
                    yield self._triable_value(f"{key}.{code}", text)

    def _triable_value(self, key: str, node: Scalar) -> dict[str, Any]:
        return {"key": key, "value": node.value, "place": place_data(node.span, self.root)}


def _skill_name(entry: Card | Objective, card_part: str) -> Text | None:
    """Return the name of a part that is a SKILL; None for any other."""
    part_owner = entry.parts.get(card_part)
    return None if part_owner is None or isinstance(part_owner, Card | Objective) else part_owner.name


def _effect_key(card_part: str) -> str:
    """Return the key of the effect of a part: ``skills[0].effect`` for ``skill 1``."""
    word, _, number = card_part.partition(" ")
    return f"skills[{int(number) - 1}].effect" if word == "skill" else card_part


class SearchedTexts:
    """The texts of all cards in all languages, made by the first search. For the reading thread only.

    540 cards take 0.4 s: they are made in steps, and kept as long as what they depend on is the same.
    """

    def __init__(self) -> None:
        self._texts: dict[Card | Objective, str] = {}
        self._inputs: list[object] = []

    def search(self, workspace: Workspace, words: str, limit: int = 50) -> list[str] | None:
        """Return the cards with all of the words; None if texts still have to be made after ``limit``."""
        cards = workspace.cards
        groups = (cards.teams, cards.keywords, cards.markers, cards.rulesets)
        inputs: list[object] = [cards.project.node, *(entry for group in groups for entry in group.values())]
        entries = cards.printed_entries()
        # what was not read again is the same object, and comparing objects by their values would take long
        is_unchanged = len(inputs) == len(self._inputs) and all(map(is_, inputs, self._inputs))
        known_texts = self._texts if is_unchanged else {}
        self._texts = {entry: known_texts[entry] for entry in entries if entry in known_texts}
        self._inputs = inputs
        missing = [entry for entry in entries if entry not in self._texts]
        for entry in missing[:limit]:
            self._texts[entry] = searchable_text(workspace, entry)
        if len(missing) > limit:
            return None
        searched_words = words.casefold().split()
        return [entry.id for entry in entries if all(word in self._texts[entry] for word in searched_words)]


def searchable_text(workspace: Workspace, entry: Card | Objective) -> str:
    """Return all texts of a card in all languages, its id and its effects, in lower case."""
    texts = [entry.id, *(source.scalar.value for source in sources_of(entry))]
    for code in workspace.cards.project.languages:
        texts.append(entry.name.in_language(code).value)
        for rules in rules_by_part(workspace, entry, code).values():
            texts += [rules.name, plain(rules.paragraphs)]
    return "\n".join(texts).casefold()
