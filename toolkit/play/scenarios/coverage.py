"""Coverage of scenarios: cards that take part, sentences that come to effect, verbs, and rules that act.

A sentence comes to effect when it changes or forbids something, or makes something happen. It is only judged
if its condition was false each time, or it had no target. A verb is reached with a sentence that contains it,
a rule when it acts or refuses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Any

from msgspec import Struct, field

from toolkit.data.model import CardSet
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.dsl.effect_objects import Origin, all_actions
from toolkit.dsl.tree import Group, Node, walk
from toolkit.engine.compiled_rules import Effects
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.permissions import forbidden_in_attack, forbidding
from toolkit.engine.state import SIDES, Key
from toolkit.engine.state_queries import StateQueries
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import VERB_OF
from toolkit.vocabulary.rule_ids import RULES

Sentence = tuple[str, str, int]
"""An entry's id, the part, and the number of the sentence from 1."""

_SILENT = ("C-4", "E-1", "E-7", "E-18", "E-25", "E-27", "E-30", "K-4", "E-34")
RULES_THAT_ACT = tuple(rule for rule in RULES if not rule.startswith(("N-", "F-")) and rule not in _SILENT)
"""Rules that a trace or a refusal can name. Others (N-2, F-1, E-7 …) define numbers, places and who is meant;
E-1 says what does not act; what E-18 lets act is traced as M-4 and the rules of events, what E-30 takes as
E-17."""


class SentenceCoverage(PublicValue, Struct, frozen=True):
    """A sentence, whether it came to effect, and whether it was at least judged."""

    origin: Origin
    acted: bool
    judged: bool


class Coverage(PublicValue, Struct, frozen=True):
    """The coverage of a project; ``cards``, ``verbs`` and ``rules`` say for each whether it was reached.

    ``text_only`` are the cards with rules that no scenario can play (E-1). ``skipped`` is the number of
    scenarios that were not played because of errors: what only they reach counts as not reached.
    """

    cards: dict[str, bool]
    sentences: tuple[SentenceCoverage, ...]
    verbs: dict[str, bool]
    rules: dict[str, bool]
    text_only: tuple[str, ...] = ()
    skipped: int = 0


class CoverageRecorder(Struct):
    """Records what scenarios reach while they are played."""

    acted: set[Sentence] = field(default_factory=set)
    judged: set[Sentence] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    cards: set[str] = field(default_factory=set)

    def record_state(self, resolver: StateQueries) -> None:
        """Record what acts outside of attacks (M-10)."""
        for change in resolver.changes():
            self._record(change.origin, change.rule)
        for operator in resolver.state.operators:
            # C-3 acts by what does not happen: no trace has a SKILL that is not on the FIELD
            if not operator.is_active and resolver.rules.cards[operator.card].objects:
                self.rules.add("C-3")
            for holding in resolver.held(operator):
                self._record(holding.origin, holding.rule)
        for side in SIDES:
            for holding in resolver.held_by_player(side):
                self._record(holding.origin, holding.rule)
        for entry in resolver.idle():
            self.record_entry(entry)

    def record_trace(self, trace: Iterable[TraceEntry]) -> None:
        """Record the outcome of a step."""
        for entry in trace:
            self.record_entry(entry)

    def record_entry(self, entry: TraceEntry) -> None:
        """Record an entry of a trace, or an idle sentence.

        A sentence that was skipped was judged and has not acted; but the rule by which it was skipped has.
        """
        if entry.kind != "skipped":
            self._record(entry.origin, entry.rule)
            return
        self.rules.add(entry.rule)
        if entry.origin is not None:
            self.judged.add(_key(entry.origin))

    def record_refusal(self, resolver: StateQueries, rule: str, attack: tuple[Key, Key] | None) -> None:
        """Record a step that a rule refuses; effects of the attack itself may forbid it (M-8)."""
        self.rules.add(rule)
        if attack is None:
            return
        attacker, attacked = (resolver.state.operators[key] for key in attack)
        if forbidden_in_attack(resolver, attacker, attacked):
            for pending_effect in forbidding(resolver, attacker, attacked):
                self._record(pending_effect.effect.origin, "M-8")

    def _record(self, origin: Origin | None, rule: str) -> None:
        self.rules.add(rule)
        if origin is not None:
            self.acted.add(_key(origin))


def _key(origin: Origin) -> Sentence:
    """Return the sentence at which an effect stands; effects of one sentence are covered together."""
    return origin.entry, origin.part, origin.sentence


def coverage_of(recorder: CoverageRecorder, cards: CardSet, effects: Effects, skipped: int = 0) -> Coverage:
    """Return the recorded coverage of a project, whose scenarios were played but for those ``skipped``."""
    sentences: dict[Sentence, SentenceCoverage] = {}
    verbs: dict[str, bool] = {}
    rules = set(recorder.rules)
    for effect in chain.from_iterable(effects.values()):
        key = _key(effect.origin)
        has_acted = key in recorder.acted
        was_judged = has_acted or key in recorder.judged
        sentences.setdefault(key, SentenceCoverage(effect.origin, has_acted, was_judged))
        nodes: list[Node | None] = [effect.condition]
        for action in all_actions(effect.actions):
            verb = VERB_OF[type(action.does).__name__].one
            verbs[verb] = verbs.get(verb, False) or has_acted
            nodes += (action.target, action.does)
        if has_acted and any(map(_is_by_rank, nodes)):
            rules.add("E-9")
    return Coverage(
        {card: card in recorder.cards for card in cards.cards},
        tuple(sentences.values()),
        dict(sorted(verbs.items())),
        {rule: rule in rules for rule in RULES_THAT_ACT},
        tuple(card.id for card in cards.text_only_cards()),
        skipped,
    )


def _is_by_rank(effect_node: Node | None) -> bool:
    """Whether a node selects OPERATORs by rank (highest, lowest), or in the SAVEZONE (E-9)."""
    if effect_node is None:
        return False
    groups = [node for node in walk(effect_node) if isinstance(node, Group)]
    return any(group.superlative or group.savezone for group in groups)


_WIDTH = 100


def coverage_text(coverage: Coverage, origins: Origins, style: Style = unstyled) -> str:
    """Return a table of numbers, then all that was not reached."""
    lines = [style("coverage", "note")]
    flags_by_subject: dict[str, Collection[bool]] = {
        "cards": coverage.cards.values(),
        "sentences": [sentence.acted for sentence in coverage.sentences],
        "verbs": coverage.verbs.values(),
        "rules": coverage.rules.values(),
    }
    lines += [f"  {subject:<10} {sum(flags)} of {len(flags)}" for subject, flags in flags_by_subject.items()]
    if coverage.skipped:
        scenarios = counted(coverage.skipped, "scenario")
        lines.append(f"  without {scenarios} skipped because of errors: what they reach may be listed here")
    lines += _listed("cards in no scenario", _unreached(coverage.cards))
    lines += _listed("cards with text-only rules, which no scenario plays", list(coverage.text_only))
    silent_lines = [
        f"  {_sentence_line(sentence, origins)}" for sentence in coverage.sentences if not sentence.acted
    ]
    if silent_lines:
        lines += ["", "sentences that never came to effect", *silent_lines]
    lines += _listed("verbs that never came to effect", _unreached(coverage.verbs))
    rules = [f"{rule} ({RULES[rule]})" for rule in _unreached(coverage.rules)]
    return "\n".join([*lines, *_listed("rules that never acted", rules)]) + "\n"


def _unreached(reached_by_name: dict[str, bool]) -> list[str]:
    return [name for name, reached in reached_by_name.items() if not reached]


def _listed(title: str, words: list[str]) -> list[str]:
    """Return words below a title in lines; nothing without words."""
    if not words:
        return []
    lines, line = ["", title], " "
    for word in words:
        if len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = " "
        line += f" {word}" + ("," if word is not words[-1] else "")
    return [*lines, line]


def _sentence_line(sentence: SentenceCoverage, origins: Origins) -> str:
    """Return a line such as ``cards/item.yaml:12:13  bipod, effect: self cannot perform EVADE.``"""
    span = origins.place(sentence.origin)
    begin = span.begin_position if span else None
    position_text = f"{span.file.name}:{begin.line}:{begin.column}  " if span and begin else ""
    judged = "   (judged, and its condition never held)" if sentence.judged else ""
    return f"{position_text}{sentence.origin.entry}, {sentence.origin.part}: {sentence.origin.text}{judged}"


def coverage_data(coverages: Iterable[tuple[Coverage, Origins]]) -> dict[str, Any]:
    """Return the coverage of all projects together as plain data."""
    reached_by_subject: dict[str, dict[str, bool]] = {"cards": {}, "verbs": {}, "rules": {}}
    sentences = []
    text_only: list[str] = []
    skipped = 0
    for coverage, origins in coverages:
        text_only += coverage.text_only
        skipped += coverage.skipped
        for subject, reached_by_name in reached_by_subject.items():
            for name, reached in getattr(coverage, subject).items():
                reached_by_name[name] = reached_by_name.get(name, False) or reached
        sentences += [(sentence, origins) for sentence in coverage.sentences]
    silent = [_sentence_data(sentence, origins) for sentence, origins in sentences if not sentence.acted]
    data: dict[str, Any] = {
        subject: {
            "reached": sum(reached_by_name.values()),
            "total": len(reached_by_name),
            "never": _unreached(reached_by_name),
        }
        for subject, reached_by_name in reached_by_subject.items()
    }
    return {
        "cards": data["cards"],
        "sentences": {"reached": len(sentences) - len(silent), "total": len(sentences), "never": silent},
        "verbs": data["verbs"],
        "rules": data["rules"],
        **({"text_only": text_only} if text_only else {}),
        **({"skipped": skipped} if skipped else {}),
    }


def _sentence_data(sentence: SentenceCoverage, origins: Origins) -> dict[str, Any]:
    span = origins.place(sentence.origin)
    return {
        "card": sentence.origin.entry,
        "part": sentence.origin.part,
        "sentence": sentence.origin.sentence,
        "text": sentence.origin.text,
        "file": span.file.name if span else None,
        "line": span.begin_position.line if span else None,
        "judged": sentence.judged,
    }
