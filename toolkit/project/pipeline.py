"""The pipeline of a project: from its files to its entries, effects and findings.

``STAGES`` lists the stages in order, and ``open_project`` runs them. Each stage takes the project so far,
adds to it and returns findings; a broken card stops at its stage, and the other cards go on. All else is
made on request from the resulting ``Workspace``:

- effect objects: ``ParsedEffect.objects``; attacks, scenarios and GAMEs from them: ``toolkit.play``
- rules text and faces: ``toolkit.project.faces``; sheets, pictures and decks from them: ``toolkit.products``

Stages that few projects need are imported only for them: layouts take 50 ms, scenarios 7, house rules 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from toolkit.data.effect_sources import EffectSource, effect_bearers, effect_sources
from toolkit.data.loading import Cache as FileCache
from toolkit.data.loading import load_project, without_garbage_collection
from toolkit.data.looks import PLAIN
from toolkit.data.model import CardSet, Entry, Mode, Options, Ruleset
from toolkit.data.project_files import Folder
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use, severity_of
from toolkit.lint import RunCache, check_card_text, check_project
from toolkit.project.analyse_effects import AnalysedEffects, EffectAnalyser, ParsedEffect
from toolkit.render.checks.appearance_findings import appearance_findings
from toolkit.source.paths import PROJECT_FILE
from toolkit.source.short_repr import PublicValue, short_repr
from toolkit.vocabulary.nearest import nearest, reset_steps

__all__ = ["STAGES", "Cache", "ParsedEffect", "Workspace", "open_project"]

if TYPE_CHECKING:
    from toolkit.data.checks.scenario_findings import CheckedScenario, ScenarioCache
    from toolkit.engine.compiled_rules import Rules
    from toolkit.engine.explaining.sums import Origins
    from toolkit.render.face import Face


class Workspace(PublicValue, Struct, frozen=True, dict=True):
    """A loaded project: its entries, each effect parsed and checked, and all findings.

    ``effects`` are by entry id and part, without those that cannot be parsed. ``scenarios`` are those that
    match their schema; their findings are among ``findings`` too. ``built`` and ``by_entry`` are caches: of
    rules by mode, ruleset and options, and of the effects of each entry.
    """

    root: Path
    cards: CardSet
    effects: dict[tuple[str, str], ParsedEffect]
    findings: tuple[Diagnostic, ...]
    scenarios: tuple[CheckedScenario, ...] = ()
    built: dict[tuple[str, str, Options], Rules] = field(default_factory=dict)
    by_entry: dict[str, list[ParsedEffect]] = field(default_factory=dict)

    def __repr__(self) -> str:
        counts = [(name, len(getattr(self.cards, name))) for name in ("cards", "objectives")]
        return short_repr(self, [("root", str(self.root)), *counts, ("findings", len(self.findings))])

    def rules(self, mode: Mode, ruleset: Ruleset, options: Options | None = None) -> Rules:
        """Return the rules of a mode under a ruleset, with its options or others; they are built once."""
        from toolkit.engine.compiled_rules import build_rules

        options = options or ruleset.options
        key = mode.id, ruleset.id, options
        if key not in self.built:
            effects = {entry_and_part: compiled.objects for entry_and_part, compiled in self.effects.items()}
            self.built[key] = build_rules(self.cards, effects, mode, ruleset, options)
        return self.built[key]

    @property
    def card_counts(self) -> dict[Path, int]:
        """The number of cards (entries of `cards` and `objectives`) written in each file, broken ones too."""
        return {file.path: self.cards.counts.get(file.path, 0) for file in self.cards.files}

    @property
    def text_only_counts(self) -> dict[Path, int]:
        """The number of cards with text-only rules (E-1) in each file that has some."""
        return dict(Counter(card.file.path for card in self.cards.text_only_cards()))

    @cached_property
    def _faces(self) -> dict[tuple[Entry, str], Face]:
        """The faces of cards by language, as far as ``toolkit.project.faces`` has made them."""
        return {}

    @cached_property
    def errors(self) -> tuple[Diagnostic, ...]:
        """All findings because of which something cannot be used."""
        return tuple(finding for finding in self.findings if prevents_use(finding.name))

    def origins(self, language: str | None = None) -> Origins:
        """Return the origins of all effects, with names in a language, without one the project's first."""
        from toolkit.engine.explaining.sums import Origins

        return Origins(self.cards, language or self.cards.project.languages[0], self._sources)

    @cached_property
    def _sources(self) -> dict[tuple[str, str], EffectSource]:
        """All effects by entry and part; the first entry with an id is the one that counts."""
        sources: dict[tuple[str, str], EffectSource] = {}
        for source in effect_sources(self.cards):
            sources.setdefault((source.entry.id, source.part), source)
        return sources

    def effects_of(self, entry: str) -> list[ParsedEffect]:
        """Return the effects of an entry in the order of the file."""
        if not self.by_entry:
            for (owner, _), compiled in self.effects.items():
                self.by_entry.setdefault(owner, []).append(compiled)
        return self.by_entry.get(entry, [])

    def errors_about(self, ids: Collection[str] = (), kinds: Collection[str] = ()) -> tuple[Diagnostic, ...]:
        """Return the errors about chosen entries; all errors without a choice.

        If a chosen entry could not be read, errors about unknown entries may be about it and are returned
        too. So are always those in the project file.
        """
        errors = self.errors
        if not errors or (not ids and not kinds):
            return errors
        kind_by_id = {entry.id: getattr(entry, "kind", "objective") for entry in self.cards.entries()}
        chosen_ids = {entry for entry, kind in kind_by_id.items() if entry in ids or kind in kinds}
        has_unread_entry = bool(kinds) or any(entry not in kind_by_id for entry in ids)
        project_file = self.root / PROJECT_FILE
        return tuple(
            error
            for error in errors
            if error.card in chosen_ids
            or (has_unread_entry and error.card not in kind_by_id)
            or (error.card is None and error.span.file.path == project_file)
        )

    def unknown_ids(self, ids: Iterable[str]) -> str | None:
        """Return a sentence about the first id that the project lacks; one that cannot be read is known."""
        known_ids = [entry.id for entry in self.cards.entries()]
        if self.cards.incomplete:
            return None  # it may be in what could not be read
        for wanted_id in ids:
            if wanted_id not in known_ids and wanted_id not in self.cards.broken_ids:
                near = nearest(wanted_id, known_ids)
                hint = f" Did you mean {near!r}?" if near else ""
                return f"There is no card or other entry {wanted_id!r} in {self.root.name}.{hint}"
        return None

    def unknown_language(self, language: str | None) -> str | None:
        """Return a sentence if the project does not have a language."""
        offered = self.cards.project.languages
        if language is None or language in offered:
            return None
        return f"There is no language {language!r} here; the project has {', '.join(offered)}."


class Analyses(Struct):
    """The results of earlier analyses: of effects, of comparisons between cards, and of scenarios."""

    effects: AnalysedEffects = field(default_factory=AnalysedEffects)
    comparisons: RunCache = field(default_factory=RunCache)
    scenarios: ScenarioCache | None = None

    def copy(self) -> Analyses:
        """Return a copy that can be changed independently."""
        scenarios = self.scenarios.copy() if self.scenarios is not None else None
        return Analyses(self.effects, self.comparisons.copy(), scenarios)


class Cache(Struct):
    """What was read and checked before in this process, so that the next opening does only what has changed.

    With ``incremental`` the spans of unchanged nodes are updated to their new places; findings of an earlier
    opening must then not be used any more.
    """

    incremental: bool = False
    files: FileCache = field(default_factory=dict)
    whole: Analyses = field(default_factory=Analyses)
    broken: Analyses | None = None

    def analyses(self, cards: CardSet) -> Analyses:
        """Return the earlier results that apply.

        While something is broken, a copy is used, and the results for the complete project are kept for the
        time when it is mended.
        """
        if not (cards.broken_ids or cards.incomplete):
            self.broken = None
            return self.whole
        self.broken = self.broken or self.whole.copy()
        return self.broken


class _ProjectInProgress:
    """A project on its way through the stages."""

    cards: CardSet
    analyses: Analyses

    def __init__(
        self, root: Path, overlay: dict[Path, str] | None, cache: Cache, folder: Folder | None
    ) -> None:
        self.root, self.overlay, self.cache, self.folder = root, overlay, cache, folder
        self.effects: dict[tuple[str, str], ParsedEffect] = {}
        self.findings: list[Diagnostic] = []
        self.scenarios: list[CheckedScenario] = []


def open_project(
    root: Path,
    overlay: dict[Path, str] | None = None,
    cache: Cache | None = None,
    folder: Folder | None = None,
) -> Workspace:
    """Load the project in a folder with everything its cards do. Never raises for what the files hold.

    ``overlay`` has texts by absolute path that replace those on disk; ``cache`` is filled, and makes the next
    opening of a changed project quick; ``folder`` has the files as read just before.
    """
    with without_garbage_collection(for_good=cache is None):
        reset_steps()
        project = _ProjectInProgress(root, overlay, Cache() if cache is None else cache, folder)
        for stage in STAGES:
            project.findings += stage(project)
        return Workspace(
            root, project.cards, project.effects, tuple(project.findings), tuple(project.scenarios)
        )


def load_entries(project: _ProjectInProgress) -> list[Diagnostic]:
    """Files → YAML trees → entries: cards, TEAMs, modes, rulesets, squads, scenarios, layouts."""
    cache = project.cache
    project.cards, findings = load_project(
        project.root,
        overlay=project.overlay,
        cache=cache.files,
        folder=project.folder,
        incremental=cache.incremental,
    )
    project.analyses = cache.analyses(project.cards)
    return list(findings)


def analyse_effects(project: _ProjectInProgress) -> list[Diagnostic]:
    """Effect texts → effect trees, with the findings about names, types and what the rules make pointless."""
    cards = project.cards
    findings: list[Diagnostic] = []
    analyser = EffectAnalyser(cards, project.analyses.effects)
    left_out = frozenset[Entry]((*cards.doubled, *cards.broken))
    for entry in (*effect_bearers(cards), *cards.broken):
        for effect in analyser.analyse(entry):
            findings += effect.findings
            if effect.compiled is not None and entry not in left_out:  # of duplicate ids the first one counts
                project.effects[entry.id, effect.compiled.source.part] = effect.compiled
    project.analyses.effects = analyser.results
    return findings


def check_card_texts(project: _ProjectInProgress) -> list[Diagnostic]:
    """Compare hand-written texts of whole OPERATORs with what their SKILLs do."""
    findings: list[Diagnostic] = []
    for card in project.cards.cards.values():
        if card.kind == "operator" and (card.text or card.text_for):
            skills = [effect.tree for (owner, _), effect in project.effects.items() if owner == card.id]
            findings += check_card_text(card, skills)
    return findings


def check_layouts(project: _ProjectInProgress) -> list[Diagnostic]:
    """Check the project's layouts of sheets, and the shapes of its cards."""
    settings = project.cards.project
    sizes = (settings.card_size, *settings.card_sizes.values())
    has_shapes = any(size.startswith(("round", "hex")) for size in sizes)
    if not (project.cards.layouts or settings.layouts or has_shapes):
        return []
    from toolkit.press.layout_check import layout_findings

    return list(layout_findings(project.cards))


def check_appearance(project: _ProjectInProgress) -> list[Diagnostic]:
    """Check the TEAMs' colours, the theme and the look."""
    cards, settings = project.cards, project.cards.project
    has_settings = settings.theme != "classic" or settings.look != PLAIN or settings.fonts
    if not has_settings and not any(team.colours for team in cards.teams.values()):
        return []
    return list(appearance_findings(cards))


def check_house_rules(project: _ProjectInProgress) -> list[Diagnostic]:
    """Check the project's own rules: the first stage of those that compare cards."""
    project.analyses.comparisons.begin()
    node = project.cards.project.node
    if node is None or "house_rules" not in node.nodes:
        return []
    from toolkit.lint.broken_house_rules import check

    trees = {key: effect.tree for key, effect in project.effects.items() if effect.sound}
    return list(check(project.cards, trees, project.analyses.comparisons))


def check_between_cards(project: _ProjectInProgress) -> list[Diagnostic]:
    """Compare cards with each other and with the project; leave out premature findings."""
    trees = {key: effect.tree for key, effect in project.effects.items()}
    wrong = {finding.card for finding in project.findings if severity_of(finding.name) == "error"}
    findings = check_project(project.cards, trees, project.analyses.comparisons)
    return [finding for finding in findings if not _is_premature(finding, wrong)]


def check_scenarios(project: _ProjectInProgress) -> list[Diagnostic]:
    """Check the scenarios."""
    if not project.cards.scenarios:
        return []
    from toolkit.data.checks.scenario_findings import ScenarioCache
    from toolkit.data.checks.scenario_findings import check_scenarios as check

    project.analyses.scenarios = project.analyses.scenarios or ScenarioCache()
    project.scenarios = check(project.cards, project.analyses.scenarios)
    return [finding for scenario in project.scenarios for finding in scenario.findings]


STAGES: tuple[Callable[[_ProjectInProgress], list[Diagnostic]], ...] = (
    load_entries,
    analyse_effects,
    check_card_texts,
    check_layouts,
    check_appearance,
    check_house_rules,
    check_between_cards,
    check_scenarios,
)

_WHOLE_CARD_FINDINGS = frozenset({"odd-squadpoints", "outclassed-card", "same-effect", "untested-card"})
"""Findings about a card as a whole."""


def _is_premature(finding: Diagnostic, wrong: Collection[str | None]) -> bool:
    """Whether a finding may disappear when errors are fixed; ``wrong`` are the entries that have some.

    A thing that seems unused may be used by an entry with an error. How good a card is, and what its scenario
    must show, cannot be judged before its effects are right.
    """
    if finding.name.startswith("unused-"):
        return bool(wrong)
    return finding.name in _WHOLE_CARD_FINDINGS and finding.card in wrong
