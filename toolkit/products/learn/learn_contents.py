"""What Learn to play says: aim, set-up, one TURN and one attack that the engine plays, and how a GAME is won.

Numbers come from the mode, names from the two SQUADs of the first game, and what happens from the engine; the
sentences are texts ``learn-…`` of ``reference.yaml`` and those of the rules reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Mode, Squad
from toolkit.data.squad_copies import PLAYERS
from toolkit.products.learn.example_attack import ExampleAttack
from toolkit.products.learn.first_turn import PlayedPhase
from toolkit.products.reference.reference_contents import Reference, Topic, build_reference
from toolkit.products.squads import Member, member_of
from toolkit.project.faces import faces
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.vocabulary import STATS
from toolkit.wording.languages import Words, words_in
from toolkit.wording.text import Paragraph, plain

_ACTIONS_A_MINUTE = 2
_QUARTER = 15


class Side(Struct, frozen=True):
    """A player of the first game: its colour in words, its SQUAD, and its OPERATORs by place."""

    colour: str
    squad: str
    field: tuple[Member | None, ...]
    waiting: tuple[Member, ...]
    has_items: bool


class LearnContents(Struct, frozen=True):
    """The contents of the pages.

    ``numbers`` are those on OPERATORs, and their TEAM, ``kinds`` those of cards, ``keywords`` those on the
    SQUADs' cards. ``sides`` are blue and red, empty without SQUADs; ``objectives`` name and value by place.
    ``turn`` says whose TURN was played, ``phases`` are those of a TURN with what happened in that one,
    ``attack`` is an attack, if one was played.
    """

    language: str
    words: Words
    project: str
    mode: str
    aim: tuple[Paragraph, ...]
    box: tuple[Paragraph, ...]
    setup: tuple[Paragraph, ...]
    sides: tuple[Side, ...]
    objectives: tuple[tuple[str, int], ...]
    turn: tuple[Paragraph, ...]
    numbers: tuple[Topic, ...]
    phases: tuple[PlayedPhase, ...]
    attack: ExampleAttack | None
    kinds: tuple[Topic, ...]
    keywords: tuple[Topic, ...]
    actions: tuple[Topic, ...]
    victory: tuple[Topic, ...]
    next_game: tuple[Paragraph, ...]


def build_contents(
    workspace: Workspace,
    language: str,
    phases: tuple[PlayedPhase, ...],
    attack: ExampleAttack | None,
    pair: Sequence[str],
    pictures: Roots | None,
) -> LearnContents:
    """Return the contents for the project's mode and a pair of SQUADs; ``pictures`` None: without any."""
    words = words_in(workspace.cards.project, language)
    return _Builder(workspace, language, words, pair, pictures).contents(phases, attack)


class _Builder(Struct, frozen=True):
    """Builds the contents in one language."""

    workspace: Workspace
    language: str
    words: Words
    pair: Sequence[str]
    pictures: Roots | None

    @property
    def mode(self) -> Mode:
        """The mode of the project."""
        cards = self.workspace.cards
        return cards.modes[cards.project.mode or ""]

    @property
    def squads(self) -> tuple[Squad, ...]:
        """The two SQUADs of the first game; fewer if the project has fewer."""
        return tuple(self.workspace.cards.squads[name] for name in self.pair)

    def say(self, key: str, **numbers: object) -> Paragraph:
        return self.words.said(self.words.say(key, **numbers))

    def contents(self, phases: tuple[PlayedPhase, ...], attack: ExampleAttack | None) -> LearnContents:
        """Return all contents, with these phases and this attack as examples."""
        cards, mode = self.workspace.cards, self.mode
        printed_faces = tuple(faces(self.workspace, self.language, self._card_ids()))
        reference = build_reference(self.workspace, printed_faces, self.language)
        first_lines = {topic.sign: next(iter(topic.lines)) for topic in reference.phases}
        objectives = [cards.objectives.get(name) for name in mode.objectives[: mode.field_positions]]
        return LearnContents(
            language=self.language,
            words=self.words,
            project=f"{cards.project.name} {cards.project.version}".strip(),
            mode=mode.name.in_language(self.language).value,
            aim=tuple(self._aim()),
            box=tuple(self._box(reference)),
            setup=tuple(self._setup()),
            sides=tuple(self._sides(printed_faces)),
            objectives=tuple(
                (objective.name.in_language(self.language).value, objective.value)
                for objective in objectives
                if objective is not None
            ),
            turn=tuple(self._turn()),
            numbers=(
                *(topic for topic in reference.icons if topic.sign.upper() in (*STATS, "SQUADPOINTS")),
                *(topic for topic in reference.explained if topic.title == self.words.say("word-team")),
            ),
            kinds=reference.kinds,
            keywords=reference.keywords,
            phases=tuple(replace(phase, rule=first_lines[phase.number].words) for phase in phases),
            attack=attack,
            actions=tuple(topic for topic in reference.actions if topic.sign != "attack"),
            victory=tuple(topic for topic in reference.setup if topic.title == self.words.say("setup-end")),
            next_game=tuple(self._next_game()),
        )

    def _card_ids(self) -> set[str]:
        return {card_id for squad in self.squads for card_id in squad.cards()} | {*self.mode.objectives}

    def _aim(self) -> Iterator[Paragraph]:
        """Yield what a GAME is about, and how long it takes: as the box says, else by its ACTIONs."""
        mode = self.mode
        yield self.say("learn-aim")
        if mode.objectives:
            yield self.say("learn-aim-objectives")
        actions = mode.max_rounds * mode.field_positions * PLAYERS
        quarters = max(1, round(actions / _ACTIONS_A_MINUTE / _QUARTER))
        minutes = max(self.workspace.cards.project.box.time, default=quarters * _QUARTER)
        yield self.say("learn-players", rounds=mode.max_rounds, minutes=minutes)

    def _box(self, reference: Reference) -> Iterator[Paragraph]:
        """Yield what is in the box: the cards of each SQUAD, OBJECTIVEs, and dice or counters."""
        for squad in self.squads:
            yield self.say(
                "learn-box-squad-items" if squad.item_deck else "learn-box-squad",
                squad=squad.name.in_language(self.language).value,
                operators=len(squad.operators),
                deck=sum(squad.deck.values()),
                items=sum(squad.item_deck.values()),
            )
        if self.mode.objectives:
            yield self.say("learn-box-objectives", number=self.mode.field_positions * PLAYERS)
        needed = [topic for topic in reference.setup if topic.title == self.words.say("setup-needed")]
        needed_lines = tuple(line.words for topic in needed for line in topic.lines)
        yield from needed_lines
        yield self.say("learn-d10" if "D10" in plain(needed_lines) else "learn-d6")
        yield self.say("learn-box-rest")

    def _setup(self) -> Iterator[Paragraph]:
        """Yield what is done before the first GAME, step by step."""
        mode = self.mode
        names = [squad.name.in_language(self.language).value for squad in self.squads]
        if len(names) == PLAYERS:
            blue, red = names
            yield self.say("learn-setup-squads", blue=blue, red=red)
        yield self.say("learn-setup-field", number=mode.field_positions)
        if len(self.squads) == PLAYERS and any(
            len(squad.operators) > mode.field_positions for squad in self.squads
        ):
            yield self.say("learn-setup-save-zone")
        if mode.objectives:
            yield self.say("learn-setup-objectives")
        yield self.say("learn-setup-deck", number=mode.starting_hand)
        if mode.item_deck_maximum and any(squad.item_deck for squad in self.squads):
            yield self.say("learn-setup-items")
        yield self.say("setup-begins-text")

    def _turn(self) -> Iterator[Paragraph]:
        """Yield what the example of a TURN is about."""
        names = [squad.name.in_language(self.language).value for squad in self.squads]
        if len(names) == PLAYERS:
            blue, red = names
            yield self.say("learn-turn-lead", blue=blue, red=red)
        yield self.say("turn-lead")
        yield self.say("learn-exhausted")
        yield self.say("learn-sums")

    def _sides(self, printed_faces: Iterable[Face]) -> Iterator[Side]:
        """Yield the two sides of the first GAME with their SQUADs, on the FIELD and waiting."""
        faces_by_id = {face.id: face for face in printed_faces}
        positions = self.mode.field_positions
        for colour, squad in zip(("blue", "red"), self.squads, strict=False):
            members = [
                member_of(faces_by_id[name], "", self.pictures)
                for name in squad.operators
                if name in faces_by_id
            ]
            empty_positions = [None] * (positions - len(members))
            yield Side(
                colour=self.words.say(f"site-{colour}").capitalize(),
                squad=squad.name.in_language(self.language).value,
                field=(*members[:positions], *empty_positions),
                waiting=tuple(members[positions:]),
                has_items=bool(squad.item_deck),
            )

    def _next_game(self) -> Iterator[Paragraph]:
        """Yield what the first game leaves out: other SQUADs, SQUADs of one's own, other modes."""
        cards, mode = self.workspace.cards, self.mode
        others = [squad for squad in cards.squads.values() if squad not in self.squads]
        if others:
            yield self.say("learn-next-squads", squads=self._names(others))
        yield self.say(
            "learn-next-own",
            operators=mode.squad_operators,
            squadpoints=mode.squad_squadpoints,
            minimum=mode.deck_minimum,
            maximum=mode.deck_maximum,
        )
        other_modes = [entry for entry in cards.modes.values() if entry is not mode]
        if other_modes:
            yield self.say("learn-next-modes", modes=self._names(other_modes))
        yield self.say("learn-next-reference")

    def _names(self, entries: Sequence[Squad] | Sequence[Mode]) -> str:
        return ", ".join(entry.name.in_language(self.language).value for entry in entries)
