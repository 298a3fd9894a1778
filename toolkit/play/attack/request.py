"""The request of ``opforge attack``: the setting of the attack, its dice and its decisions.

The setting is two OPERATORs alone, or the state in which a scenario begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.checks.scenario_findings import CheckedScenario
from toolkit.data.model import Mode, Ruleset
from toolkit.data.scenarios import Script
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import counted
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision, NoAnswer, RandomDice, ScriptedPlayer
from toolkit.engine.explaining.explanation import Explanation, explain
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.state import SIDES, GameState, Key, OperatorState, PlayerState, Side, other
from toolkit.engine.state_queries import StateQueries
from toolkit.play.playable_game import Unplayable
from toolkit.play.scenarios.playing import play
from toolkit.play.scenarios.runner import rules_of
from toolkit.play.scenarios.scenario_answers import ANSWERED_BY
from toolkit.project.pipeline import Workspace
from toolkit.source.paths import absolute
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import nearest

DEFAULT_SEED = 1


class AttackRequest(PublicValue, Struct, frozen=True):
    """The attack to play.

    ``attacker`` and ``target`` are ids of OPERATORs; with a scenario also ``blue.viper``. ``scenario`` is a
    file and a name, a part of the name, or None if the file has only one; ``after`` is the number of its
    steps that are played before the attack. Without ``dice`` they are rolled from ``seed``. Without ``mode``
    it is the project's. Cards are ids; None is no card.

    Answers are in the order of the decisions. ``critical`` is for each critical die; ``reroll`` are numbers
    of dice as rolled, from 1. ``choose`` are OPERATORs, or ``~`` for nobody else; ``either`` is ``first`` or
    ``second``; ``may`` is ``yes`` or ``no``; ``performance`` is ``draw``, or the OPERATOR that gets the ITEM
    (K-1). ``cards``, ``order``, ``place`` and ``random`` are as in a scenario.
    """

    attacker: str
    target: str
    scenario: tuple[Path, str | None] | None = None
    dice: tuple[int, ...] | None = None
    seed: int = DEFAULT_SEED
    attack_card: str | None = None
    defence_card: str | None = None
    late_attack_card: str | None = None
    critical: tuple[str, ...] = ()
    reroll: tuple[int, ...] = ()
    choose: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    performance: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    place: tuple[int, ...] = ()
    random: tuple[str, ...] = ()
    after: int = 0
    mode: str | None = None
    language: str | None = None


class Refused(PublicValue, Struct, frozen=True):
    """An attack that the rules forbid; ``because`` are the effects that do, if any."""

    refusal: Refusal
    because: tuple[Origin, ...]
    origins: Origins


class PlayedAttack(PublicValue, Struct, frozen=True, dict=True):
    """An attack that was played.

    ``before`` and ``after`` are the states, ``both`` the keys of attacker and target; ``rolled`` are all dice
    in the order rolled; ``notes`` name unused and missing answers. ``warnings`` name cards with text-only
    rules, which were not played (E-1).
    """

    request: AttackRequest
    rules: Rules
    origins: Origins
    scenario: Script | None
    before: GameState
    after: GameState
    outcome: Outcome
    both: tuple[Key, Key]
    rolled: tuple[int, ...]
    notes: tuple[str, ...]
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property  # of a thousand attacks it would take as long as playing them
    def explained(self) -> Explanation:
        """How it went: the trace in sections, and its two numbers as sums."""
        resolver = StateQueries(self.rules, self.before)
        return explain(resolver, self.after, self.outcome, self.both, self.origins, thorough=True)


class Setting(Struct, frozen=True):
    """The state before the attack, its rules, and the attacker and the target."""

    state: GameState
    rules: Rules
    attacker_and_target: tuple[Key, Key]
    scenario: Script | None = None


def duel_setting(workspace: Workspace, request: AttackRequest, mode: Mode, ruleset: Ruleset) -> Setting:
    """Return the setting without a scenario: a blue attacker and a red target opposite each other, alone."""
    rules = workspace.rules(mode, ruleset)
    empty_positions = (None,) * (rules.field_positions - 1)
    operators = (
        OperatorState(0, request.attacker, "blue", position=0),
        OperatorState(1, request.target, "red", position=0),
    )
    players = [PlayerState((key, *empty_positions), objectives=rules.objectives) for key in (0, 1)]
    return Setting(GameState(operators, players[0], players[1]), rules, (0, 1))


def scenario_setting(
    workspace: Workspace, request: AttackRequest, checked: CheckedScenario
) -> Setting | Unplayable:
    """Return the setting of a scenario, after the requested number of its steps."""
    script = checked.script
    rules = rules_of(workspace, checked)
    if request.after > len(script.steps):
        steps = counted(len(script.steps), "step")
        return Unplayable(f"--after {request.after}: the scenario {script.name!r} has {steps}.")
    played = play(replace(script, steps=script.steps[: request.after]), rules)
    if played.refusal is not None:
        return Unplayable(f"Step {played.at + 1} of the scenario cannot be played: {played.refusal.sentence}")
    state = played.state
    attackers = _matching_operators(state, request.attacker)
    targets = _matching_operators(state, request.target)
    if len(attackers) > 1 and len(targets) == 1:
        attackers = [key for key in attackers if _are_enemies(state, key, targets[0])]
    if len(targets) > 1 and len(attackers) == 1:
        targets = [key for key in targets if _are_enemies(state, key, attackers[0])]
    attacker = _single_operator(state, request.attacker, attackers, "this scenario")
    target = _single_operator(state, request.target, targets, "this scenario")
    if isinstance(attacker, Unplayable):
        return attacker
    return target if isinstance(target, Unplayable) else Setting(state, rules, (attacker, target), script)


def fill_hands(setting: Setting, request: AttackRequest) -> GameState:
    """Add the requested cards to the hands that do not have them, and return the state."""
    state = setting.state
    attacker_side = state.operators[setting.attacker_and_target[0]].side
    requested_cards: tuple[tuple[Side, str | None], ...] = (
        (attacker_side, request.attack_card),
        (other(attacker_side), request.defence_card),
        (attacker_side, request.late_attack_card),
    )
    for side in SIDES:
        player = state.player(side)
        requested = [card for holder, card in requested_cards if holder == side and card is not None]
        if requested:
            player.hand += tuple((Counter(requested) - Counter(player.hand)).elements())
    return state


def find_scenario(workspace: Workspace, request: AttackRequest) -> CheckedScenario | Unplayable:
    """Return the scenario of a file by its name, or by a part of the name that no other contains."""
    assert request.scenario is not None, "a scenario was asked for"
    file, name = request.scenario
    path = absolute(file)
    scenarios = [scenario for scenario in workspace.scenarios if scenario.script.entry.file.path == path]
    if not scenarios:
        return Unplayable(f"There are no scenarios in {file}.")
    if name is None:
        if len(scenarios) == 1:
            return scenarios[0]
        return Unplayable(f"{file} has {len(scenarios)} scenarios; name one as {file}#NAME.")
    exact_matches = [scenario for scenario in scenarios if scenario.script.name == name]
    matches = exact_matches or [
        scenario for scenario in scenarios if name.casefold() in scenario.script.name.casefold()
    ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = "\n  ".join(scenario.script.name for scenario in matches[:_MAX_NAMES])
        further_names = f"\n  and {len(matches) - _MAX_NAMES} more" if len(matches) > _MAX_NAMES else ""
        return Unplayable(f"{len(matches)} scenarios of {file} fit {name!r}:\n  {names}{further_names}")
    suggestion = _suggestion(name, [scenario.script.name for scenario in scenarios])
    return Unplayable(f"There is no scenario {name!r} in {file}; {suggestion}")


def _single_operator(state: GameState, name: str, matches: Sequence[Key], scope: str) -> Key | Unplayable:
    """Return the only match for an OPERATOR, or why there is not exactly one."""
    if len(matches) == 1:
        return matches[0]
    if matches:
        return Unplayable(f"Both sides field {name!r}: write blue.{name} or red.{name}.")
    return Unplayable(f"{name!r} takes no part in {scope}; {_suggestion(name, state.names().values())}")


def _are_enemies(state: GameState, first: Key, second: Key) -> bool:
    return state.operators[first].side != state.operators[second].side


def _matching_operators(state: GameState, name: str) -> list[Key]:
    """Return the OPERATORs that ``viper`` or ``blue.viper`` may mean."""
    side, dot, card = name.partition(".")
    if not dot:
        return [operator.key for operator in state.operators if operator.card == name]
    return [operator.key for operator in state.operators if (operator.side, operator.card) == (side, card)]


_MAX_NAMES = 8


def _suggestion(name: str, known_names: Iterable[str]) -> str:
    """Return ``did you mean …?``, or a list of the known names."""
    names = list(known_names)
    match = nearest(name, names)
    if match:
        return f"did you mean {match!r}?"
    further_names = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return f"there are: {', '.join(names[:_MAX_NAMES])}{further_names}."


class RequestedDice:
    """The dice of a request, or those of its seed; ``rolled`` are the results so far.

    ``drawn`` are the requested draws: cards, or keys of OPERATORs; ``undrawn`` are those not made yet.
    """

    def __init__(self, request: AttackRequest, drawn: Sequence[object]) -> None:
        self.request, self.undrawn = request, list(drawn)
        self.rolled: list[int] = []
        self._random = RandomDice(request.seed)

    def roll(self, purpose: str, side: Side) -> int:
        """Return the next result; NoAnswer after the end of the listed ones."""
        listed_dice = self.request.dice
        if listed_dice is None:
            result = self._random.roll(purpose, side)
        elif len(self.rolled) < len(listed_dice):
            result = listed_dice[len(self.rolled)]
        else:
            names = {"reroll": "die that is rerolled", "RULEVIOLATION": "D6 of RULEVIOLATION"}
            die = names.get(purpose, purpose)
            raise NoAnswer(
                f"--dice lists {len(listed_dice)}, and there is one more to roll: the {die} of {side}."
                " Add its result, or leave --dice out and let --seed roll."
            )
        self.rolled.append(result)
        return result

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:
        """Return the next requested draw, then one of the seed; with listed dice the first option."""
        if self.undrawn:
            draw, *self.undrawn = self.undrawn
            if draw in options:
                return options.index(draw)
            raise NoAnswer(
                f"--random {self.request.random[-len(self.undrawn) - 1]}: it cannot be drawn here."
            )
        return self._random.pick(purpose, side, options) if self.request.dice is None else 0

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:
        """Return cards shuffled by the seed; with listed dice in their present order."""
        return self._random.shuffle(side, cards) if self.request.dice is None else cards


class RequestedAnswers:
    """Answers as in a step of a scenario, else the first option; ``asked`` counts decisions by key."""

    def __init__(self, answers: Mapping[str, Sequence[object]]) -> None:
        self.given = answers
        self.asked: dict[str, int] = {}
        self._script = ScriptedPlayer(answers)

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the index of the answer; a decision is counted only if there is a choice."""
        decision = replace(decision, kind=ANSWERED_BY.get(decision.kind, decision.kind))
        if decision.kind == "place":  # FIELDPOSITIONs are counted from 1
            places = [position + 1 for position in decision.options if isinstance(position, int)]
            decision = replace(decision, options=tuple(places))
        if len(decision.options) > 1:
            self.asked[decision.kind] = self.asked.get(decision.kind, 0) + 1
        next_rewards = self.unused.get("performance", ())[:1]
        takes_item = decision.kind == "performance" and "item" in next_rewards
        if takes_item and "item" not in decision.options:
            reason = f"no OPERATOR of {decision.whose} can bear the ITEM"
            if not state.player(decision.whose).item_deck:
                reason = f"the ITEMDECK of {decision.whose} is empty; use --scenario with one that has"
                reason += " `item_decks`"
            raise NoAnswer(f"--performance: {reason}.")
        return self._script.answer(decision, state)

    @property
    def unused(self) -> dict[str, tuple[object, ...]]:
        """The unused answers by key."""
        return self._script.unused


def resolve_answers(request: AttackRequest, setting: Setting) -> RequestedAnswers | Unplayable:
    """Return the answers of a request, with their OPERATORs resolved to keys."""
    chosen: list[Key | None] = []
    bearers: list[Key | None] = []
    for names, keys in ((request.choose, chosen), (request.performance, bearers)):
        for name in names:
            if name == "draw" and keys is bearers:
                continue
            if name == "~" and keys is chosen:
                keys.append(None)
                continue
            matching_keys = _matching_operators(setting.state, name)
            operator_key = _single_operator(setting.state, name, matching_keys, "it")
            if isinstance(operator_key, Unplayable):
                return operator_key
            keys.append(operator_key)
    return RequestedAnswers(
        {
            "critical": request.critical,
            "reroll": request.reroll,
            "either": request.either,
            "may": request.may,
            "choose": chosen,
            "cards": request.cards,
            "order": request.order,
            "place": request.place,
            "performance": ["draw" if reward == "draw" else "item" for reward in request.performance],
            "item_to": bearers,
        }
    )


def resolve_random(request: AttackRequest, state: GameState) -> list[object] | Unplayable:
    """Return the requested draws: keys of OPERATORs that take part, and other cards."""
    draws: list[object] = []
    for name in request.random:
        matches = _matching_operators(state, name)
        operator_key = _single_operator(state, name, matches, "it") if matches else name
        if isinstance(operator_key, Unplayable):
            return operator_key
        draws.append(operator_key)
    return draws


def notes_of(request: AttackRequest, dice: RequestedDice, answers: RequestedAnswers) -> Iterator[str]:
    """Yield notes about unused and missing answers."""
    unused = answers.unused
    if request.dice is not None and len(request.dice) > len(dice.rolled):
        unrolled = ", ".join(map(str, request.dice[len(dice.rolled) :]))
        yield f"not all of --dice was rolled: {unrolled} left"
    if "critical" in unused:
        asked_count = answers.asked.get("critical", 0)
        answered_dice = _dice(len(request.critical))
        yield f"--critical answers for {answered_dice}, and {_dice(asked_count)} could be doubled"
    if "reroll" in unused:
        yield f"--reroll names {', '.join(map(str, unused['reroll']))}, which could not be rerolled"
    if dice.undrawn:
        yield "not all of --random was drawn"
    for kind in _UNANSWERED_NOTES:
        if kind in unused:
            yield f"not all answers of --{kind} were needed"
    if answers.asked.get("critical", 0) > len(request.critical):
        yield "a critical die is added unless you add --critical double"
    if answers.asked.get("reroll") and not request.reroll:
        yield "a die could be rerolled: --reroll 1 takes the first that was rolled, and --dice needs one more"
    for kind, note in _UNANSWERED_NOTES.items():
        if answers.asked.get(kind, 0) > len(answers.given[kind]):
            yield note


_UNANSWERED_NOTES = {
    "choose": "an effect chose the first possible OPERATOR: --choose ID names another",
    "either": "the first branch of either … or … happened: --either second takes the other",
    "may": "what an effect allows was not done: --may yes makes it happen",
    "cards": "the first possible card was taken: --cards ID names another",
    "order": "cards were put back in their order: --order ID names the one that comes next",
    "place": "an OPERATOR entered the FIELD at the first free FIELDPOSITION: --place N names another",
    "performance": "the reward of the PERFORMANCE was a card: --performance ID gives that OPERATOR the ITEM",
}
"""Notes about decisions for which the request had no answer."""


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"
