"""A project as it stands: its entries, each effect parsed, checked and compiled, and all findings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from toolkit.data.loading import Cache as FileCache
from toolkit.data.loading import load_project, without_garbage_collection
from toolkit.data.model import CardSet, Entry
from toolkit.data.project_files import Folder
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import hinders, severity_of
from toolkit.effects.sources import effect_bearers
from toolkit.lint import Memory, check_card_text, check_project
from toolkit.project.effect_analysis import Compiled, EffectReader, Readings
from toolkit.source.paths import PROJECT_FILE
from toolkit.vocabulary.nearest import begin, nearest

__all__ = ["Cache", "Compiled", "Workspace", "open_project"]

_ADVICE = frozenset({"odd-squadpoints", "outclassed-card", "same-effect", "untested-card"})
"""What is told of a card as a whole."""

if TYPE_CHECKING:
    from toolkit.data.scenario_findings import Checked
    from toolkit.data.scenario_findings import Known as KnownScenarios


class Workspace(Struct, frozen=True):
    """A loaded project. ``effects`` are by entry id and part; those that cannot be parsed are left out.

    ``scenarios`` are those whose form is right, with their findings, which are among ``findings`` too.
    """

    root: Path
    cards: CardSet
    effects: dict[tuple[str, str], Compiled]
    findings: tuple[Diagnostic, ...]
    scenarios: tuple[Checked, ...] = ()

    def effects_of(self, entry: str) -> list[Compiled]:
        """The effects of an entry in the order of the file."""
        return [compiled for (owner, _), compiled in self.effects.items() if owner == entry]

    def errors_about(self, ids: Collection[str] = (), kinds: Collection[str] = ()) -> tuple[Diagnostic, ...]:
        """The errors that concern chosen entries; without a choice all errors.

        Where a chosen entry could not be read, the errors of entries that could not be read concern it. Those
        in the project file concern all.
        """
        errors = tuple(finding for finding in self.findings if hinders(finding.name))
        if not ids and not kinds:
            return errors
        known = {entry.id: getattr(entry, "kind", "objective") for entry in self.cards.entries()}
        chosen = {entry for entry, kind in known.items() if entry in ids or kind in kinds}
        hidden = bool(kinds) or any(entry not in known for entry in ids)
        settings = self.root / PROJECT_FILE
        return tuple(
            error
            for error in errors
            if error.card in chosen
            or (hidden and error.card not in known)
            or (error.card is None and error.span.file.path == settings)
        )

    def unknown_ids(self, ids: Iterable[str]) -> str | None:
        """A sentence if one of the ids is not of the project; one that could not be read counts as known."""
        known = [entry.id for entry in self.cards.entries()]
        for wanted in ids:
            if wanted not in known and wanted not in self.cards.broken_ids and not self.cards.incomplete:
                near = nearest(wanted, known)
                hint = f" Did you mean {near!r}?" if near else ""
                return f"There is no card or other entry {wanted!r} in {self.root.name}.{hint}"
        return None

    def unknown_language(self, language: str | None) -> str | None:
        """A sentence if cards cannot be printed in the language."""
        from toolkit.wording.languages import LANGUAGES

        offered = [known for known in self.cards.project.languages if known in LANGUAGES]
        if language is None or language in offered:
            return None
        if language in self.cards.project.languages:
            return f"No rules text can be generated in {language!r}, only in {', '.join(LANGUAGES)}."
        return f"There is no language {language!r} here; the project has {', '.join(offered)}."


class Knowledge(Struct):
    """What was found out about effects, between cards, and about scenarios."""

    effects: Readings = field(default_factory=Readings)
    comparisons: Memory = field(default_factory=Memory)
    scenarios: KnownScenarios | None = None

    def copy(self) -> Knowledge:
        """The same for another course of things."""
        scenarios = self.scenarios.copy() if self.scenarios is not None else None
        return Knowledge(self.effects, self.comparisons.copy(), scenarios)


class Cache(Struct):
    """What was read and checked before in this process: the next opening does only what has changed.

    With ``moving`` what has not changed moves to where it stands then: the findings of an earlier opening are
    not to be asked for their places any more.
    """

    moving: bool = False
    files: FileCache = field(default_factory=dict)
    whole: Knowledge = field(default_factory=Knowledge)
    broken: Knowledge | None = None

    def knowledge(self, cards: CardSet) -> Knowledge:
        """What is known of the project. While something of it is broken, what was known before is kept."""
        if not (cards.broken_ids or cards.incomplete):
            self.broken = None
            return self.whole
        self.broken = self.broken or self.whole.copy()
        return self.broken


def open_project(
    root: Path,
    overlay: dict[Path, str] | None = None,
    cache: Cache | None = None,
    folder: Folder | None = None,
) -> Workspace:
    """Load the project in a folder and everything its cards do. Never raises for what the files hold.

    ``overlay`` holds texts, by absolute path, that count in place of what is on disk; ``cache`` is filled
    and makes the next opening of a changed project quick; ``folder`` is what was read just before.
    """
    with without_garbage_collection(for_good=cache is None):
        return _open(root, overlay, Cache() if cache is None else cache, folder)


def _open(root: Path, overlay: dict[Path, str] | None, cache: Cache, folder: Folder | None) -> Workspace:
    begin()
    cards, loading = load_project(
        root, overlay=overlay, cache=cache.files, folder=folder, moving=cache.moving
    )
    known = cache.knowledge(cards)
    reader = EffectReader(cards, known.effects)
    effects: dict[tuple[str, str], Compiled] = {}
    findings = list(loading)
    left_out = frozenset[Entry]((*cards.doubled, *cards.broken))
    for entry in (*effect_bearers(cards), *cards.broken):
        for reading in reader.read(entry):
            findings += reading.findings
            if reading.compiled is not None and entry not in left_out:  # the first entry with the id counts
                effects[entry.id, reading.compiled.source.part] = reading.compiled
    known.effects = reader.readings
    for card in cards.cards.values():
        if card.kind == "operator" and (card.text or card.text_for):
            skills = [effects[card.id, part].tree for owner, part in effects if owner == card.id]
            findings += check_card_text(card, skills)
    findings += _layout_findings(cards)
    known.comparisons.begin()
    findings += _house_rule_findings(cards, effects, known.comparisons)
    trees = {key: compiled.tree for key, compiled in effects.items()}
    between = check_project(cards, trees, known.comparisons)
    wrong = {finding.card for finding in findings if severity_of(finding.name) == "error"}
    findings += [finding for finding in between if not _comes_too_early(finding, wrong)]
    scenarios = _scenarios(cards, known)
    findings += [finding for scenario in scenarios for finding in scenario.findings]
    return Workspace(root, cards, effects, tuple(findings), tuple(scenarios))


def _comes_too_early(finding: Diagnostic, wrong: Collection[str | None]) -> bool:
    """Whether it may be gone when errors are mended; ``wrong`` are the entries that have some.

    What is wrong may be what uses the thing that nothing seems to use; and how good a card is, and what its
    scenario is to show, is seen when it says what it is to do.
    """
    if finding.name.startswith("unused-"):
        return bool(wrong)
    return finding.name in _ADVICE and finding.card in wrong


def _layout_findings(cards: CardSet) -> list[Diagnostic]:
    """What is wrong with layouts; what that takes is loaded only if there are some."""
    if not (cards.layouts or cards.project.layouts):
        return []
    from toolkit.render.layout_findings import layout_findings

    return list(layout_findings(cards))


def _house_rule_findings(
    cards: CardSet, effects: dict[tuple[str, str], Compiled], memory: Memory
) -> list[Diagnostic]:
    """Rules of the project's own; what they take is loaded only if there are some."""
    if cards.project.node is None or "house_rules" not in cards.project.node.nodes:
        return []
    from toolkit.lint.house_rules import check

    return list(check(cards, {key: one.tree for key, one in effects.items() if one.sound}, memory))


def _scenarios(cards: CardSet, known: Knowledge) -> list[Checked]:
    """The scenarios of the project, checked; what that takes is loaded only if there are any."""
    if not cards.scenarios:
        return []
    from toolkit.data.scenario_findings import Known, check_scenarios

    known.scenarios = known.scenarios or Known()
    return check_scenarios(cards, known.scenarios)
