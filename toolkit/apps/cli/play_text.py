"""The text of a GAME in the terminal, in 80 columns: names, the FIELD, and events."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from msgspec import Struct

from toolkit import api
from toolkit.data.model import Card, Keyword, Marker, Mode, Objective, Squad
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import GameState, Key, Markers, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.play.playable_game import victory_sentences
from toolkit.project.pipeline import Workspace
from toolkit.wording.en import ENGLISH
from toolkit.wording.languages import Words

WIDTH = 80
_PLACES_IN_A_BAND = 4
_CELL = WIDTH // _PLACES_IN_A_BAND

_ALWAYS = ("die", "status", "counter", "card", "compare", "decision")
"""Kinds of trace entries that are always printed; the others explain numbers, for the command `?`."""

_ID = re.compile(r"(?<![\w-])(?:(blue|red)\.)?([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])")


_CARD_PLAYED = re.compile(
    r"(?:(?P<side>blue|red) plays )?(?P<card>[a-z0-9-]+)(?P<attached> is attached to .+)?"
)
"""A sentence of the trace about a card that comes into play."""

_IN_SENTENCES = (Card, Objective, Marker, Keyword)
"""Entries that sentences of a trace name by id."""


class Names(Struct, frozen=True):
    """Printed names and rules texts of a project's entries in a language."""

    workspace: Workspace
    language: str

    def card(self, entry_id: str) -> str:
        """Return the printed name of a card, OBJECTIVE, marker, KEYWORD or squad; else the id."""
        named_entry = self.workspace.cards.find(entry_id)
        if not isinstance(named_entry, (Card, Objective, Marker, Keyword, Squad)):
            return entry_id
        return named_entry.name.in_language(self.language).value

    def text(self, card: str) -> list[str]:
        """Return the lines of a card's rules text, the first of them its name."""
        return api.rules_plain(self.workspace, [card], self.language, "full").splitlines()

    def operator(self, state: GameState, key: Key) -> str:
        """Return an OPERATOR's name, with side and place if others have the same name."""
        return self.sentence(state.name(key))

    def sentence(self, text: str) -> str:
        """Return a sentence of the trace with names in place of ids."""

        def name(match: re.Match[str]) -> str:
            side, entry_id = match.groups()
            if not isinstance(self.workspace.cards.find(entry_id), _IN_SENTENCES):
                return match.group()
            return f"{self.card(entry_id)} ({side})" if side else self.card(entry_id)

        return _ID.sub(name, text)

    def action(self, state: GameState, action: GameAction) -> str:
        """Return an ACTION in words."""
        text = f"{self.operator(state, action.by)}: {action.name.capitalize()}"
        if action.swap is not None:
            text += f", swap with {self.operator(state, action.swap)}"
        elif action.name == "move":
            text += ", advance"
        elif action.on is not None:
            text += f" {self.operator(state, action.on)}"
        is_bonus = action.bonus or state.operators[action.by].status == "EXHAUSTED"
        return f"{text} (BONUS)" if is_bonus else text

    def option(self, decision: Decision, option: object, state: GameState) -> str:
        """Return an option of a decision in words."""
        if option is None:
            return _NOTHING.get(decision.kind, "no")
        if isinstance(option, GameAction):
            return self.action(state, option)
        if isinstance(option, DieOption):
            return f"the {option.die} D6 that shows {option.result}"
        if decision.kind == "place" and isinstance(option, int):
            return f"FIELDPOSITION {option + 1}"
        if isinstance(option, int):
            return self.operator(state, option)
        if decision.kind == "either":
            return _branch(decision, str(option))
        return _WORDS.get((decision.kind, str(option))) or self.card(str(option))


def _branch(decision: Decision, option: str) -> str:
    """Return the ``first`` or ``second`` branch of `either … or …` in the words of its sentence; not in these
    words if it has more than one `or`."""
    sentence = decision.source.text if decision.source is not None else ""
    _, _, both_branches = sentence.rpartition("either ")
    first, is_split, second = both_branches.removesuffix(".").partition(" or ")
    if not is_split or " or " in second:
        return f"the {option}"
    return second if option == "second" else first


def winning(mode: Mode) -> str:
    """Return who wins a GAME of a mode, in the words of the rules reference."""
    words = Words("en", ENGLISH.reference)
    return " ".join(text for text, _ in victory_sentences(mode, words))


_NOTHING = {
    "strategy": "no more cards",
    "action": "pass",
    "attack_card": "no card",
    "late_attack_card": "no card",
    "defence_card": "no card",
    "reroll": "no reroll",
    "set": "set none",
    "fill": "leave it free",
    "choose": "nobody else",
    "card": "no further card",
    "discard": "no further card",
}
_WORDS = {
    ("may", "no"): "no",
    ("may", "yes"): "yes",
    ("critical", "add"): "add the die",
    ("critical", "double"): "double AP",
    ("performance", "draw"): "draw a card",
    ("performance", "item"): "draw an ITEM and attach it",
    ("item_stays", "keep"): "it stays",
    ("item_stays", "discard"): "lay it down",
}


def field_lines(state: GameState, rules: Rules, names: Names) -> Iterator[str]:
    """Yield both players and their rows: red above, blue below, position 1 on the left."""
    for side in ("red", "blue"):
        yield from _player(state, names, side)
        yield from _row(state, rules, names, side)
        yield "-" * WIDTH


def _player(state: GameState, names: Names, side: Side) -> Iterator[str]:
    """Yield what a player has outside of the FIELD."""
    player = state.player(side)
    zones = {
        "hand": player.hand,
        "DECK": player.deck,
        "discarded": player.discard,
        "ITEMDECK": player.item_deck,
        "CAPTURED": player.captured,
    }
    yield cut(f"{side.upper()} · " + " · ".join(f"{name} {len(cards)}" for name, cards in zones.items()))
    save_zone = []
    for operator in (state.operators[key] for key in player.save_zone):
        status = "" if operator.status == "NORMAL" else f" ({operator.status})"
        save_zone.append(names.card(operator.card) + status)
    yield from _listed("SAVEZONE", save_zone)
    yield from _listed("STRATEGY", [names.card(card) for card in player.strategies])
    yield from _listed("CAPTURED", [names.card(card) for card in player.captured])
    yield from _listed("MARKERs", _markers(player.markers, names))


def _markers(markers: Markers, names: Names) -> list[str]:
    return [f"{names.card(marker)} {count}" for marker, count in markers]


def _listed(heading: str, items: list[str]) -> Iterator[str]:
    if items:
        yield from textwrap.wrap(f"  {heading}: {', '.join(items)}", WIDTH, subsequent_indent="    ")


def _row(state: GameState, rules: Rules, names: Names, side: Side) -> Iterator[str]:
    """Yield the lines of a side's FIELDPOSITIONs, as many beside each other as fit."""
    cells = [_cell(state, rules, names, side, position) for position in range(rules.field_positions)]
    for start in range(0, len(cells), _PLACES_IN_A_BAND):
        band = cells[start : start + _PLACES_IN_A_BAND]
        for lines in zip(*band, strict=True):
            line = "".join(cut(text, _CELL - 1).ljust(_CELL) for text in lines).rstrip()
            if line:
                yield line


def _cell(state: GameState, rules: Rules, names: Names, side: Side, position: int) -> list[str]:
    """Return a FIELDPOSITION in eight lines, which may be empty; `+` marks KEYWORDs that are not printed."""
    operator = state.at(side, position)
    title = f"{position + 1} {names.card(operator.card) if operator else '(free)'}"
    objective = _objective(state, rules, names, side, position)
    if operator is None:
        return [title, "", "", "", "", "", objective, ""]
    marks = _markers(operator.markers, names)
    if not operator.is_up:
        return [title, operator.status, "", "", "", " ".join(marks), objective, ""]
    values = rules.cards[operator.card].values
    queries = StateQueries(rules, state)
    stats = {stat: f"{stat} {queries.number(operator, stat)}/{values[stat]}" for stat in values}
    hits = f"HITCOUNTER {operator.hitcounter}" if operator.hitcounter else ""
    attached = f"[{names.card(operator.attached)}]" if operator.attached else ""
    printed = rules.cards[operator.card].keywords
    marks += [
        f"+{names.card(keyword)}" for keyword in queries.keywords_of(operator) if keyword not in printed
    ]
    return [
        title,
        operator.status,
        f"{stats['AP']}  {stats['EP']}",
        f"{stats['DP']}  {stats['MP']}",
        hits,
        " ".join(marks),
        objective,
        attached,
    ]


def _objective(state: GameState, rules: Rules, names: Names, side: Side, position: int) -> str:
    """Return the OBJECTIVE of a FIELDPOSITION with its value and the OBJECTIVECOUNTER of its OPERATOR."""
    objectives = state.player(side).objectives
    objective_id = objectives[position] if position < len(objectives) else None
    operator = state.at(side, position)
    counter = operator.objectivecounter if operator else 0
    if objective_id is None:
        return f"OBJ.COUNTER {counter}" if counter else ""
    score = f" {counter}/{rules.objective_values[objective_id]}"
    return cut(names.card(objective_id), _CELL - 1 - len(score)) + score


def cut(text: str, width: int = WIDTH) -> str:
    """Return a text, shortened to a number of columns."""
    return text if len(text) <= width else text[: width - 1] + "…"


def wrapped(text: str, indent: str = "") -> list[str]:
    """Return a text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


class GameEvent(Struct):
    """An event so far, and how much of it is printed.

    ``move`` is the ACTION, the card, or None for a phase.
    """

    move: GameAction | str | None
    headline: str
    trace: tuple[TraceEntry, ...] = ()
    chain: str = ""
    headline_printed: bool = False
    lines_printed: int = 0


class EventText(Struct, frozen=True):
    """Formats events as lines.

    ``readers`` are the sides that persons play: they see the text of cards that their opponent plays.
    """

    names: Names
    readers: frozenset[Side] = frozenset()

    def headline(self, side: Side, move: GameAction | str, state: GameState) -> str:
        """Return what a player does; ``state`` is before it, for places that distinguish OPERATORs."""
        if isinstance(move, GameAction):
            return f"{side}: {self.names.action(state, move)}"
        return f"{side}: plays {self.names.card(move)}"

    def new_lines(self, event: GameEvent, state: GameState) -> Iterator[str]:
        """Yield the lines of an event that were not printed yet, and mark them as printed."""
        if not event.headline_printed:
            yield from wrapped(event.headline)
        for entry in event.trace[event.lines_printed :]:
            if _is_printed(entry):
                # the headline says already that the card is played
                if not (entry.kind == "card" and entry.text.endswith(f" plays {event.move}")):
                    yield from wrapped(self._sentence(entry, event), "    ")
                yield from self._text_of_played(entry, state)
        event.headline_printed, event.lines_printed = True, len(event.trace)
        if event.chain:
            yield from wrapped(event.chain, "    ")

    def _sentence(self, entry: TraceEntry, event: GameEvent) -> str:
        """Return what happened, with the card that did it if that is not in the headline."""
        text, origin = self.names.sentence(entry.text), entry.origin
        if origin is None or origin.entry == event.move or origin.role.startswith("action "):
            return text
        return f"{text} [{self.names.card(origin.entry)}]"

    def _text_of_played(self, entry: TraceEntry, state: GameState) -> Iterator[str]:
        """Yield the text of a card that comes into play, if a person beside its player reads this."""
        match = _CARD_PLAYED.fullmatch(entry.text) if entry.kind == "card" else None
        if match is None or not (match["side"] or match["attached"]):  # the text is only an id
            return
        side = match["side"] if entry.who is None else state.operators[entry.who].side
        other_readers = self.readers - {side}
        if other_readers:
            yield from self.text(match["card"], "      ")

    def explained(self, event: GameEvent) -> Iterator[str]:
        """Yield every line of the trace, with rule, step and effect."""
        if event.trace:
            yield from wrapped(event.headline)
        for entry in event.trace:
            step = f" step {entry.step}" if entry.step else ""
            skipped = "nothing happens: " if entry.kind == "skipped" else ""
            origin = entry.origin
            source = f" [{self.names.card(origin.entry)}: {origin.text}]" if origin else ""
            text = f"{entry.rule}{step}: {skipped}{self.names.sentence(entry.text)}{source}"
            yield from wrapped(text, "  ")

    def text(self, card: str, indent: str) -> Iterator[str]:
        """Yield the rules text of a card without its name."""
        _name, *lines = self.names.text(card)
        for line in lines:
            yield from wrapped(line.strip(), indent)


def _is_printed(entry: TraceEntry) -> bool:
    """Whether a line is printed without `?`.

    Beside the usual kinds these are changes that last beyond an attack, PERFORMANCE, and why something ends
    early. What a played card forbids and what lapses is not printed: it is in the text of the card.
    """
    if entry.kind in _ALWAYS or entry.rule == "E-1":  # text-only rules are played by hand
        return True
    if entry.step is not None:
        return False
    is_performance = entry.kind == "event" and entry.rule == "K-1"
    # T-2 is what a played card forbids, M-11 what lapses
    is_note_beyond_card = entry.kind == "note" and entry.rule not in ("T-2", "M-11")
    return entry.kind == "change" or is_performance or is_note_beyond_card
