"""The log of a GAME: what is needed to play it again, every decision and every die, one JSON value a line.

The first line is the header: format, seed, squads, mode, ruleset, players and fingerprints of all cards that
matter. Then follow, in order, the TURNs, the decisions (kind, whose, the index of the answer and what it
means) and the dice, and after the end the verdict. The same seed and cards give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from random import Random

from msgspec import Struct

from toolkit.data.model import Squad
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import CardRules, EffectTable, Rules
from toolkit.engine.decisions import Decision, Dice, DieOption, NoAnswer, Player, RandomDice
from toolkit.engine.game import BOUNDS, EARLIER_BOUNDS
from toolkit.engine.phases import Ending, Observer, new_game, play_game
from toolkit.engine.state import SIDES, GameState, Key, Side
from toolkit.vocabulary import STATS

VERSION = 4
"""The format of new logs. In format 1 what lasts until the end of a TURN lapsed once (M-11); in 1 and 2
chains of events were stopped earlier; in 1 to 3 amounts were read one by one (E-34). Such a log is played
again in this way."""
VERSIONS = (1, 2, 3, 4)
_FIRST_LINE = 2
"""The number of the first line after the header."""
Line = dict[str, object]
Seed = int | str


class Match(Struct, frozen=True, eq=False):
    """What a GAME is played with. Blue is the first-named squad and begins."""

    rules: Rules
    blue: Squad
    red: Squad
    seed: Seed


class GameLog(Struct):
    """A log as it grows: the header, and the lines after it."""

    header: Line
    lines: list[Line] = []

    def text(self) -> str:
        """The log as JSON lines."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (self.header, *self.lines))

    def decisions(self) -> list[Line]:
        """The lines of decisions."""
        return [line for line in self.lines if "decision" in line]

    @property
    def ended(self) -> bool:
        """Whether the GAME was played to its end."""
        return bool(self.lines) and "ending" in self.lines[-1]

    def names(self, header_key: str) -> dict[Side, str]:
        """Ids of the squads or names of the players by side."""
        header_value = self.header[header_key]
        assert isinstance(header_value, dict)
        return {side: str(header_value[side]) for side in SIDES}


def new_log(match: Match, players: dict[Side, str], version: object = VERSION) -> GameLog:
    """The log of a GAME that has not begun; ``players`` are names for the reader."""
    cards = fingerprints(match.rules, (match.blue, match.red))
    header: Line = {
        "log": version,
        "seed": match.seed,
        "mode": match.rules.mode.id,
        "ruleset": match.rules.ruleset.id,
        "squads": {"blue": match.blue.id, "red": match.red.id},
        "players": dict(players),
        "fingerprint": _hash(sorted(cards.items())),
        "cards": cards,
    }
    return GameLog(header)


def read_log(text: str) -> GameLog | str:
    """A saved log, or a sentence that says what is wrong with it."""
    lines: list[Line] = []
    for number, line_text in enumerate(text.splitlines(), 1):
        try:
            line = json.loads(line_text)
        except (ValueError, RecursionError):
            return f"Line {number} is no JSON; this is no log of a GAME, or it was changed."
        if not isinstance(line, dict):
            return f"Line {number} is no object; this is no log of a GAME."
        lines.append(line)
    if not lines or lines[0].get("log") not in VERSIONS:
        return f"The first line must be the header of a log of format {VERSION} or older."
    log = GameLog(lines[0], lines[1:])
    return _unusable(log) or log


def _unusable(log: GameLog) -> str:
    """What is missing in a log, as a sentence; nothing if it can be played."""
    header = log.header
    for key in ("squads", "players", "cards"):
        header_value = header.get(key)
        if not isinstance(header_value, dict):
            return f"The header has no `{key}`."
        if not all(isinstance(value, str) for value in header_value.values()):
            return f"The header has no `{key}`."
        if key != "cards" and set(header_value) != set(SIDES):
            return f"The header's `{key}` must be of blue and red."
    for key in ("mode", "ruleset"):
        if not isinstance(header.get(key), str):
            return f"The header has no `{key}`."
    if not isinstance(header.get("seed"), (int, str)):
        return "The header has no `seed`."
    for number, line in enumerate(log.lines, _FIRST_LINE):
        if "decision" in line and not isinstance(line.get("answer"), int):
            return f"Line {number} has no `answer`."
    return ""


def changed_cards(log: GameLog, match: Match) -> tuple[str, ...]:
    """Ids of what has changed since the log was written, or came to it, or went from it."""
    then, fingerprints_now = log.header["cards"], fingerprints(match.rules, (match.blue, match.red))
    assert isinstance(then, dict)
    return tuple(
        sorted(
            card_name
            for card_name in {*then, *fingerprints_now}
            if then.get(card_name) != fingerprints_now.get(card_name)
        )
    )


# Playing a GAME into its log


def play_match(
    match: Match, players: dict[Side, Player], log: GameLog, observer: Observer | None = None
) -> Ending:
    """Play a GAME from its beginning to its end and write it into the log.

    Decks and dice come from the seed. An exception of a player (one who leaves) goes through; the log holds
    everything up to then. If the log is to be compared with an old one, it has the format of that, and the
    GAME is played as it was under that format (``VERSION``).
    """
    state = new_game(match.rules, match.blue, match.red, Random(f"{match.seed} decks"))
    recorded: dict[Side, Player] = dict.fromkeys(SIDES, _Recorder(players, log.lines, state))
    dice = _RecordedDice(RandomDice(f"{match.seed} dice"), log.lines)
    version = log.header["log"]
    # what each format changed stands at ``VERSION``
    bounds = EARLIER_BOUNDS if version in (1, 2) else BOUNDS
    ending = play_game(
        state,
        match.rules,
        recorded,
        dice,
        observer,
        lapses_once=version == 1,
        reads_amounts_apart=version in (1, 2, 3),
        bounds=bounds,
    )
    if ending.verdict is not None:
        verdict = ending.verdict
        line: Line = {"winner": verdict.winner, "by": verdict.by, "sentence": verdict.sentence}
        log.lines.append({"ending": line, "round": ending.state.round})
    return ending


class _Recorder:
    """Both players, whose decisions are written into a log, before the first of each TURN a line for it."""

    __slots__ = ("lines", "names", "players", "turn")

    def __init__(self, players: dict[Side, Player], lines: list[Line], state: GameState) -> None:
        self.players, self.lines = players, lines
        self.names = state.names()
        self.turn: tuple[Side, int] | None = None

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the player's answer, and record it unless no option has that index."""
        options, whose = decision.options, decision.whose
        index = self.players[whose].answer(decision, state)
        if not 0 <= index < len(options):
            return index
        if self.turn != (state.turn, state.round):
            self.turn = state.turn, state.round
            self.lines.append({"turn": state.turn, "round": state.round})
        self.lines.append(
            {
                "decision": decision.kind,
                "by": whose,
                "of": len(options),
                "answer": index,
                "means": described(decision, options[index], self.names),
            }
        )
        return index


class _RecordedDice(Struct):
    """Dice whose results are written down."""

    dice: Dice
    lines: list[Line]

    def roll(self, purpose: str, side: Side) -> int:
        result = self.dice.roll(purpose, side)
        self.lines.append({"die": purpose, "by": side, "shows": result})
        return result

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:
        index = self.dice.pick(purpose, side, options)
        self.lines.append({"drawn": purpose, "by": side, "of": len(options), "is": index})
        return index

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:
        order = self.dice.shuffle(side, cards)
        self.lines.append({"shuffled": len(cards), "by": side})
        return order


_ABOUT_OPERATORS = frozenset(("choose", "item_to", "substitute", "exchange", "retreat", "fill"))


def described_action(action: GameAction, names: Mapping[Key, str]) -> str:
    """Return an ACTION in a few words that do not change."""
    text = f"{names[action.by]} {action.name}"
    if action.on is not None:
        text += f" on {names[action.on]}"
    if action.swap is not None:
        text += f" with {names[action.swap]}"
    return f"{text} as BONUS" if action.bonus else text


def described(decision: Decision, option: object, names: Mapping[Key, str]) -> str | None:
    """Return an option in a few words that do not change: ids of cards, OPERATORs by ``GameState.names``."""
    if isinstance(option, GameAction):
        return described_action(option, names)
    if isinstance(option, DieOption):
        return f"{option.die} D6 number {option.number}: {option.result}"
    if isinstance(option, int) and decision.kind in _ABOUT_OPERATORS:
        return names[option]
    if decision.kind == "place" and isinstance(option, int):
        return f"FIELDPOSITION {option + 1}"
    return None if option is None else str(option)


# Playing a log again, and going on from where it ends


class ReplayedPlayer(Struct):
    """A player that first gives the answers of a log, from a queue for both sides.

    ``then`` goes on when the queue has run out; None ends the GAME there. So that it goes on as if it had
    never stopped, it gets what was answered (``recall``), or, without such a method, is asked once more.
    """

    queue: deque[Line]
    then: Player | None

    def answer(self, decision: Decision, state: GameState) -> int:
        """The recorded answer; NoAnswer where the log answers another question than is asked."""
        if not self.queue:
            if self.then is None:
                raise NoAnswer("The log ends here.")
            return self.then.answer(decision, state)
        line = self.queue.popleft()
        expected_line = {"decision": decision.kind, "by": decision.whose, "of": len(decision.options)}
        if any(line.get(key) != value for key, value in expected_line.items()):
            raise NoAnswer(_mismatch(line, decision, state))
        index = line["answer"]
        assert isinstance(index, int)
        if not 0 <= index < len(decision.options):
            raise NoAnswer(_mismatch(line, decision, state))
        if line.get("means") != described(decision, decision.options[index], state.names()):
            raise NoAnswer(_mismatch(line, decision, state))
        self._recall(decision, state, index)
        return index

    def _recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Tell the player that goes on after the log what was answered in it."""
        if self.then is None:
            return
        recall = getattr(self.then, "recall", None)
        if recall is not None:
            recall(decision, state, index)
        else:
            self.then.answer(decision, state)


def _mismatch(line: Line, decision: Decision, state: GameState) -> str:
    """A sentence that says which answer the log has, and which question is asked."""
    where = f"ROUND {state.round}, TURN of {state.turn}"
    logged_answer = f"`{line.get('decision')}` of {line.get('by')}: {line.get('means')}"
    return (
        f"In {where} the log has the answer to {logged_answer}; "
        f"but asked is `{decision.kind}` of {decision.whose}, with {len(decision.options)} options."
    )


def replay_players(log: GameLog, then: dict[Side, Player] | None = None) -> dict[Side, Player]:
    """Players who give the answers of a log, and then those of others, if there are any."""
    queue = deque(log.decisions())
    return {side: ReplayedPlayer(queue, then[side] if then else None) for side in SIDES}


class Replay(Struct, frozen=True):
    """A log that was played again: ``same`` says whether it gave the same bytes.

    ``changed`` are ids of cards that have changed since; ``difference`` says where it first went another way.
    """

    log: GameLog
    ending: Ending
    same: bool
    changed: tuple[str, ...]
    difference: str = ""


def replay(log: GameLog, match: Match, observer: Observer | None = None) -> Replay:
    """Play a log again with the cards of a match, whose seed must be the log's."""
    again = new_log(match, log.names("players"), log.header["log"])
    ending = play_match(match, replay_players(log), again, observer)
    changed = changed_cards(log, match)
    is_same_log = again.text() == log.text()
    difference = "" if is_same_log else _difference(log.lines, again.lines, ending)
    return Replay(again, ending, is_same_log, changed, difference)


def _difference(lines_before: Sequence[Line], lines_now: Sequence[Line], ending: Ending) -> str:
    """Return what is first different in a log that was played again; both without their headers."""
    pairs = zip(lines_before, lines_now, strict=False)
    for number, (line_before, line_now) in enumerate(pairs, _FIRST_LINE):
        if line_before != line_now:
            return f"line {number} was {_short(line_before)}, and now is {_short(line_now)}"
    if len(lines_before) != len(lines_now):
        return ending.stopped or f"it had {len(lines_before) + 1} lines, and now has {len(lines_now) + 1}"
    return "only the header differs"


def _short(line: Line) -> str:
    """Return what a line says, for people: without what only serves to play it again."""
    values: Iterable[object] = (value for key, value in line.items() if key not in ("of", "answer"))
    return " ".join(str(value) for value in values)


# Fingerprints of what a GAME is played with, to tell later what has changed

_LENGTH = 12


def fingerprints(rules: Rules, squads: Iterable[Squad]) -> dict[str, str]:
    """Fingerprints by id of every card of the squads, the squads, the OBJECTIVEs, the mode and the ruleset,
    and of the KEYWORDs and markers that these name.

    They see what is played, not names, pictures or how a text is laid out.
    """
    squads = tuple(squads)
    card_ids = {entry_id for squad in squads for entry_id in squad.cards()}
    card_prints = {
        entry_id: _of_card(rules.cards[entry_id]) for entry_id in card_ids if entry_id in rules.cards
    }
    for squad in squads:
        card_prints[squad.id] = _hash(
            [squad.operators, sorted(squad.deck.items()), sorted(squad.item_deck.items())]
        )
    for entry_id in rules.objectives:
        if entry_id is not None:
            value, table = rules.objective_values.get(entry_id), rules.places.get(entry_id)
            card_prints[entry_id] = _hash(value if table is None else [value, *_sentences(table)])
    if rules.keywords or rules.markers:
        card_prints |= _own_words(
            rules, [rules.cards[entry_id] for entry_id in card_ids if entry_id in rules.cards]
        )
    card_prints[rules.mode.id] = _of_mode(rules)
    card_prints[rules.ruleset.id] = _of_ruleset(rules)
    return dict(sorted(card_prints.items()))


@lru_cache(maxsize=1024)
def _of_card(card: CardRules) -> str:
    """Return a hash of what a card says, without names."""
    # a stat that cards need not have counts where they have it: logs from before it came stay good
    values = sorted((stat, value) for stat, value in card.values.items() if value or STATS[stat].required)
    facts = [card.kind, card.team, sorted(card.traits), values, card.squadpoints]
    facts += [sorted(card.keywords)] if card.keywords else []
    return _hash([*facts, *_sentences(card.effects)])


def _own_words(rules: Rules, cards: Iterable[CardRules]) -> dict[str, str]:
    """Fingerprints of the KEYWORDs and markers that are named where a GAME is played."""
    tables = [rules.suppression, rules.teamwork, rules.performance, *rules.actions.values()]
    tables += [rules.places[name] for name in rules.objectives if name in rules.places]
    named_words = {keyword for card in cards for keyword in card.keywords}
    named_words.update(_named(chain(tables, (card.effects for card in cards))))
    keywords = {name: rules.keywords[name] for name in named_words if name in rules.keywords}
    named_words.update(_named(keywords.values()))
    word_prints = {name: _hash([*_sentences(table)]) for name, table in keywords.items()}
    markers = [marker for marker in rules.markers.values() if marker.id in named_words]
    return word_prints | {
        own_marker.id: _hash([own_marker.bearer, own_marker.maximum, own_marker.stays])
        for own_marker in markers
    }


def _named(tables: Iterable[EffectTable]) -> set[str]:
    """Return the KEYWORDs and markers that effects name: in quotes, as nothing else is."""
    return {name for table in tables for text in _sentences(table) for name in re.findall('"([^"]*)"', text)}


@lru_cache(maxsize=8)
def _of_mode(rules: Rules) -> str:
    """Return a hash of what a mode and its effects say, without names."""
    mode = rules.mode
    facts = [
        mode.field_positions,
        mode.save_zone,
        mode.strategy_positions,
        rules.objectives,
        mode.starting_hand,
        mode.hand_limit,
        mode.max_rounds,
        mode.victory_objectives_captured,
        mode.victory_operators_out_or_hit,
        mode.tie_break,
    ]
    return _hash([*facts, *_sentences(rules.teamwork), *_sentences(rules.performance)])


@lru_cache(maxsize=8)
def _of_ruleset(rules: Rules) -> str:
    """Return a hash of what a ruleset and its effects say, without names."""
    options = rules.options
    facts: list[object] = [
        options.stacking,
        options.rounding,
        options.floor,
        options.swap_counters,
        options.swap_mp,
        sorted(rules.limits.items()),
        *_sentences(rules.suppression),
    ]
    for name, table in sorted(rules.actions.items()):
        facts += [name, *_sentences(table)]
    return _hash(facts)


def _sentences(table: EffectTable) -> Iterator[str]:
    """The effects in their canonical words, SKILL by SKILL."""
    origins = [effect.origin for effect in (*table.always, *table.in_attack)]
    origins += [effect.origin for event_effects in table.events.values() for effect in event_effects]
    sentences = {(origin.part, origin.sentence, origin.text) for origin in origins}
    for effect_part, _number, text in sorted(sentences):
        yield f"{effect_part}: {_FIRST_FORM.sub(_in_first_form, text)}"


_FIRST_FORM = re.compile(
    r'"[^"]*"|^while\b|(?<!own )(?<!enemy )\bOPERATORs?\b|\bthat is\b|\bfor each card in (?=\w+ hand\b)'
)


def _in_first_form(match: re.Match[str]) -> str:
    """What is printed shorter today, as it was when the first logs were written: their fingerprints stay."""
    words = match[0]
    if words.startswith("OPERATOR"):
        return f"any {words}"
    shorter = {"while": "when", "that is": "that are", "for each card in ": "for each number of cards in "}
    return shorter.get(words, words)


def _hash(facts: object) -> str:
    """Return the fingerprint of plain data: the beginning of a hash of its JSON."""
    written = json.dumps(facts, ensure_ascii=False, default=list)
    return hashlib.sha256(written.encode("utf-8")).hexdigest()[:_LENGTH]
