"""The attack that Learn to play tells step by step: that of a scenario, played by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.engine.explaining.explanation import COMPARISON, EVENTS, Block, Explanation, Section, explain
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import GameState
from toolkit.engine.state_queries import StateQueries
from toolkit.products.reference.reference_contents import Reference
from toolkit.products.squads import Member, member_of
from toolkit.products.website.rulings import PlayedScenario, play_all
from toolkit.project.faces import faces
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.vocabulary import STATS
from toolkit.wording.languages import Words
from toolkit.wording.narration import Narrator, narrator_of
from toolkit.wording.text import Paragraph

_ENOUGH_EFFECTS = 5
"""Effects in a scenario beyond which more show no more."""

_TOLD_IN_FULL = ("3", "5")
"""TEAMWORK, and who may attach a card when: who does not know the game reads more than a reminder."""


class PlayedCard(Struct, frozen=True):
    """A card that is attached in the attack, or a SKILL: its kind, name and rules text."""

    kind: str
    label: str
    name: str
    text: tuple[Paragraph, ...]


class AttackStep(Struct, frozen=True):
    """A step: its number (empty: the comparison), its rules in short, and what happened."""

    number: str
    title: str
    rules: tuple[Paragraph, ...]
    story: tuple[Paragraph, ...]


class ExampleAttack(Struct, frozen=True):
    """An attack: a sentence about it, attacker and attacked, their SKILLs, cards, the steps, and the sums."""

    lead: Paragraph
    before: Paragraph
    fighters: tuple[tuple[Member, tuple[PlayedCard, ...]], ...]
    cards: tuple[PlayedCard, ...]
    steps: tuple[AttackStep, ...]
    sums: tuple[str, ...]


def choose_example(
    workspace: Workspace, pair: Sequence[str]
) -> tuple[PlayedScenario | None, list[Diagnostic]]:
    """Return the scenario marked as example, else the one that shows most; and findings about marked ones."""
    marked = _usable(play_all(workspace, lambda scenario: scenario.is_example))
    usable_entries = [scenario.played.script.entry for scenario in marked]
    findings = [
        Diagnostic(
            "unusable-example",
            f"The scenario {entry.name!r} is the example of an attack, and it fails or has none to tell.",
            entry.id_span,
            "Make it pass with `opforge test`, or mark another one with `example: true`.",
        )
        for entry in workspace.cards.scenarios
        if entry.is_example and entry not in usable_entries
    ]
    if marked:
        first_marked, *_ = marked
        return first_marked, findings
    ids = {card_id for name in pair for card_id in workspace.cards.squads[name].cards()}
    best = max(_usable(play_all(workspace)), key=lambda scenario: _merits(scenario, ids), default=None)
    return best, findings


def _usable(scenarios: Iterable[PlayedScenario]) -> list[PlayedScenario]:
    """Return the scenarios that are as expected and have an attack that was compared."""
    return [scenario for scenario in scenarios if not scenario.failures and scenario.played.result]


def _merits(scenario: PlayedScenario, ids: set[str]) -> tuple[int, ...]:
    """Return how much a scenario shows, the most important first, as numbers of which larger ones are better.

    Best is one by the usual rules, with cards on both sides, of the first game (``ids``), and with a hit.
    """
    played = scenario.played
    script, attack = played.script, played.attack
    assert attack is not None, "a usable scenario has an attack"
    step = script.steps[attack.step]
    is_changed = any(stat.lower() in values for _, values in script.state for stat in STATS)
    has_own_rules = bool(script.mode or script.ruleset or script.options)
    is_plain = not (has_own_rules or is_changed or played.not_played)
    trace = attack.outcome.trace
    acting = {entry.origin for entry in trace if entry.origin and entry.kind == "change"}
    is_hit = played.result is not None and played.result.hits
    cards_played = sum(card is not None for card in (step.attack_card, step.defence_card))
    known_cards = scenario.named <= ids
    return (is_plain, cards_played, known_cards, is_hit, min(len(acting), _ENOUGH_EFFECTS), -len(trace))


def told_attack(
    workspace: Workspace,
    scenario: PlayedScenario,
    reference: Reference,
    words: Words,
    pictures: Roots | None,
) -> ExampleAttack:
    """Return the attack of a played scenario, told in the language of the words."""
    attack, rules = scenario.played.attack, scenario.played.rules
    assert attack is not None, "a usable scenario has an attack"
    assert attack.outcome.attack is not None, "which was compared"
    both = (attack.outcome.attack.attacker, attack.outcome.attack.attacked)
    origins = workspace.origins(words.language)
    resolver = StateQueries(rules, attack.before)
    explained = explain(resolver, attack.after, attack.outcome, both, origins, thorough=False)
    teller = _Teller(words, narrator_of(workspace.cards, words), origins)
    card_ids = [attack.before.operators[key].card for key in explained.both]
    attached_ids = [
        str(entry.after)
        for entry in attack.outcome.trace
        if entry.kind == "card" and entry.rule == "M-5" and entry.who in explained.both
    ]
    faces_by_id = {face.id: face for face in faces(workspace, words.language, {*card_ids, *attached_ids})}
    return ExampleAttack(
        lead=teller.lead([faces_by_id[card_id] for card_id in card_ids]),
        before=teller.before(explained, attack.before),
        fighters=tuple(
            (member_of(faces_by_id[card_id], "", pictures), tuple(_skills(faces_by_id[card_id])))
            for card_id in card_ids
        ),
        cards=tuple(_played_card(faces_by_id[card_id]) for card_id in attached_ids if card_id in faces_by_id),
        steps=tuple(teller.steps(explained, reference)),
        sums=tuple(teller.narrator.sum(sum_.text) for sum_ in explained.sums),
    )


def _skills(face: Face) -> Iterator[PlayedCard]:
    for skill in face.skills:
        yield PlayedCard("operator", "SKILL", skill.name or "", skill.paragraphs)


def _played_card(face: Face) -> PlayedCard:
    text = tuple(paragraph for skill in face.skills for paragraph in skill.paragraphs)
    return PlayedCard(face.kind, face.kind_label, face.name, text)


class _Teller(Struct, frozen=True):
    """Tells an attack."""

    words: Words
    narrator: Narrator
    origins: Origins

    def lead(self, fighters: Sequence[Face]) -> Paragraph:
        """Return the sentence that says who attacks whom."""
        attacker, attacked = fighters
        return self._said(
            "learn-attack-lead",
            attacker=attacker.name,
            attacked=attacked.name,
            ap=_stat(attacker, "ap"),
            ep=_stat(attacked, "ep"),
        )

    def before(self, explained: Explanation, state: GameState) -> Paragraph:
        """Return the counters and cards that lie on the two before the attack; nothing if there are none."""
        facts = []
        for key in explained.both:
            operator, name = state.operators[key], self.narrator.name(explained.names[key])
            if operator.hitcounter:
                facts.append(f"{name} HITCOUNTER {operator.hitcounter}")
            if operator.status == "EXHAUSTED":
                facts.append(f"{name} EXHAUSTED")
            if operator.attached:
                facts.append(f"{name} {self.narrator.name(operator.attached)}")
        return self._said("learn-before", state=", ".join(facts)) if facts else ()

    def steps(self, explained: Explanation, reference: Reference) -> Iterator[AttackStep]:
        """Yield the six steps and the comparison, each with its rules: in short where that says enough."""
        sections = {section.number: section for section in explained.sections}
        for topic in reference.steps:
            lines = topic.lines if topic.sign in _TOLD_IN_FULL else topic.short or topic.lines
            rules = tuple(line.words for line in lines)
            if topic.sign:
                story = self._story(sections.get(int(topic.sign)))
            else:
                story = [*self._story(sections.get(COMPARISON)), *self._story(sections.get(EVENTS))]
            nothing = [self.words.say("learn-nothing")]
            told = tuple(self.words.said(text) for text in story or nothing)
            yield AttackStep(topic.sign, topic.title, rules, told)

    def _story(self, section: Section | None) -> list[str]:
        """Return what happened in a section; if nothing did, why the first effect did nothing.

        Without an effect, too, there is nothing to tell.
        """
        blocks = section.blocks if section is not None else ()
        acting = [
            text for block in blocks if not block.idle or _is_by_hand(block) for text in self._acts(block)
        ]
        if acting:
            return acting
        idle = [block for block in blocks if block.idle and block.entries and block.origin is not None]
        return [self._not_now(block) for block in idle[:1]]

    def _acts(self, block: Block) -> Iterator[str]:
        """Yield what an effect does, with its title, but for what only repeats its sentence."""
        title = self.origins.title(block.origin) if block.origin is not None else ""
        for entry in block.entries:
            if _repeats_sentence(entry):
                continue
            text = self.narrator.sentence(entry)
            yield self.words.say("learn-effect", title=title, text=text) if title else text

    def _not_now(self, block: Block) -> str:
        title = self.origins.title(block.origin) if block.origin is not None else ""
        return self.words.say("learn-not-now", title=title, text=self.narrator.sentence(block.entries[0]))

    def _said(self, key: str, **numbers: object) -> Paragraph:
        return self.words.said(self.words.say(key, **numbers))


def _stat(face: Face, name: str) -> int:
    return next((stat.value for stat in face.stats if stat.icon == name), 0)


def _repeats_sentence(entry: TraceEntry) -> bool:
    return entry.origin is not None and entry.text == entry.origin.text


def _is_by_hand(block: Block) -> bool:
    """Whether a block says that people play the rules of a card (E-1)."""
    return any(entry.rule == "E-1" for entry in block.entries)
