"""Playing a log again, and going on from where it ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolkit.engine.decisions import Decision, NoAnswer, Player
from toolkit.engine.game import Ending, Watcher
from toolkit.engine.log import GameLog, Line, Match, changed_cards, new_log
from toolkit.engine.recording import described, play_match
from toolkit.engine.state import SIDES, GameState, Side


@dataclass(slots=True)
class Retold:
    """A player who first gives the answers of a log, of which he takes his turn in a queue for both sides.

    ``then`` goes on when the queue has run out; None ends the GAME there. So that he goes on as if he had
    never stopped, he is told what he once answered (``recall``), or, without such a method, asked once more.
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
        asked = {"decision": decision.kind, "by": decision.whose, "of": len(decision.options)}
        if any(line.get(key) != value for key, value in asked.items()):
            raise NoAnswer(_mismatch(line, decision, state))
        index = line["answer"]
        assert isinstance(index, int)
        if not 0 <= index < len(decision.options):
            raise NoAnswer(_mismatch(line, decision, state))
        if line.get("means") != described(decision, decision.options[index], state):
            raise NoAnswer(_mismatch(line, decision, state))
        self._tell(decision, state, index)
        return index

    def _tell(self, decision: Decision, state: GameState, index: int) -> None:
        if self.then is None:
            return
        recall = getattr(self.then, "recall", None)
        if recall is not None:
            recall(decision, state, index)
        else:
            self.then.answer(decision, state)


def _mismatch(line: Line, decision: Decision, state: GameState) -> str:
    where = f"ROUND {state.round}, TURN of {state.turn}"
    said = f"`{line.get('decision')}` of {line.get('by')}: {line.get('means')}"
    return (
        f"In {where} the log has the answer to {said}; "
        f"but asked is `{decision.kind}` of {decision.whose}, with {len(decision.options)} options."
    )


def retold(log: GameLog, then: dict[Side, Player] | None = None) -> dict[Side, Player]:
    """Players who give the answers of a log, and then those of others, if there are any."""
    queue = deque(log.decisions())
    return {side: Retold(queue, then[side] if then else None) for side in SIDES}


@dataclass(frozen=True, slots=True)
class Replay:
    """A log that was played again: ``same`` says whether it gave the same bytes.

    ``changed`` are ids of cards that have changed since; ``difference`` says where it first went another way.
    """

    log: GameLog
    ending: Ending
    same: bool
    changed: tuple[str, ...]
    difference: str = ""


def replay(log: GameLog, match: Match, watcher: Watcher | None = None) -> Replay:
    """Play a log again with the cards of a match, whose seed must be the log's."""
    again = new_log(match, log.names("players"))
    ending = play_match(match, retold(log), again, watcher)
    changed = changed_cards(log, match)
    same = again.text() == log.text()
    return Replay(again, ending, same, changed, "" if same else _difference(log.lines, again.lines, ending))


def _difference(before: Sequence[Line], after: Sequence[Line], ending: Ending) -> str:
    for number, (one, two) in enumerate(zip(before, after, strict=False), 2):
        if one != two:
            return f"line {number} was {_short(one)}, and now is {_short(two)}"
    if len(before) != len(after):
        return ending.stopped or f"it had {len(before) + 1} lines, and now has {len(after) + 1}"
    return "only the header differs"


def _short(line: Line) -> str:
    values: Iterable[object] = (value for key, value in line.items() if key not in ("of", "answer"))
    return " ".join(str(value) for value in values)
