"""What holds for every play: random ACTIONs and cards of the shipped set in random states."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.dsl_trees import KEYWORDS, sentences_without_findings
from tests.engine.games import check_state, squads
from tests.engine.tables import Table, project, rules, shipped
from tests.engine.values import (
    Outcome,
    begin_turn,
    close_turn,
    fresh_turn,
    legal_actions,
    perform,
    play_card,
    replace,
)
from tests.thoroughness import examples
from toolkit.data.model import Options
from toolkit.dsl.effect_objects import EffectObject, compile_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect
from toolkit.engine.compiled_rules import effect_table
from toolkit.engine.decisions import Player, RandomDice, RandomPlayer
from toolkit.engine.greedy import GreedyPlayer
from toolkit.engine.log import GameLog, Match, new_log, play_match, read_log, replay
from toolkit.engine.outcomes import Refusal
from toolkit.engine.phases import GameStep
from toolkit.engine.state import SIDES, GameState, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import Role

OPTIONS = st.builds(
    Options,
    stacking=st.sampled_from(("layered", "stepwise")),
    rounding=st.sampled_from(("down", "up", "nearest")),
    swap_counters=st.sampled_from(("with_operator", "with_position")),
)


def of_kind(*kinds: str) -> list[str]:
    return [card.id for card in shipped().cards.cards.values() if card.kind in kinds]


def any_table(random: Random, options: Options) -> Table:
    """Eight OPERATORs, full hands, decks and STRATEGY cards at random."""
    operators = random.sample(of_kind("operator"), 8)
    deck = of_kind("attack", "defence", "effect", "strategy")
    given = {}
    for side in SIDES:
        given[f"{side}_hand"] = " ".join(random.choices(deck, k=6))
        given[f"{side}_deck"] = " ".join(random.choices(deck, k=9))
        given[f"{side}_item_deck"] = " ".join(random.choices(of_kind("item"), k=3))
        given[f"{side}_strategies"] = " ".join(random.choices(of_kind("strategy"), k=2))
    made = rules(shipped(), random.choice(list(shipped().cards.modes)), options)
    game = Table(made, " ".join(operators[:4]), " ".join(operators[4:]), **given)
    for who in game.state.operators:
        attached = random.choice([None, None, *of_kind("item", "attack", "defence")])
        game.give(who.card, attached=attached, hitcounter=random.choice((0, 0, 1)))
    return game


def check(state: GameState, before: GameState) -> None:
    """What must be true of every state."""
    for side in SIDES:
        player = state.player(side)
        for position, key in enumerate(player.field):
            if key is not None:
                assert state.operators[key].position == position
        places = [key for key in (*player.field, *player.save_zone, *player.out_of_play) if key is not None]
        assert len(set(places)) == len(places)
    for who in state.operators:
        assert who.hitcounter >= 0
        assert who.objectivecounter >= 0
        if not who.is_up:
            assert (who.hitcounter, who.objectivecounter, who.attached) == (0, 0, None)
            assert all(one.duration == "permanently" for one in who.lasting)
        assert all(one.duration != "ATTACK" for one in who.lasting)
    assert cards_of(state) == cards_of(before)


def cards_of(state: GameState) -> list[str]:
    """Every card somewhere; none is lost and none is made."""
    found = [who.attached for who in state.operators if who.attached is not None]
    for side in SIDES:
        player = state.player(side)
        for zone in (player.hand, player.deck, player.discard, player.item_deck, player.item_discard):
            found += zone
        found += player.strategies
    return sorted(found)


@examples(120)
@given(st.integers(0, 2**32), OPTIONS)
def test_any_play_keeps_the_table_in_order(seed: int, options: Options) -> None:
    random = Random(seed)
    game = any_table(random, options)
    players = {side: RandomPlayer(seed) for side in SIDES}
    dice = RandomDice(seed)
    state = game.state
    for turn in range(4):
        outcome = begin_turn(state, game.rules, players, dice)
        check(outcome.state, state)
        state = outcome.state
        for side in SIDES:
            for card in state.player(side).hand[:2]:
                played = play_card(state, game.rules, side, card, players, dice)
                if isinstance(played, Outcome):
                    check(played.state, state)
                    state = played.state
        for _ in range(6):
            side = random.choice(SIDES)
            actions = legal_actions(state, game.rules, side)
            if not actions or state.winners:
                continue
            before = deepcopy(state)
            done = perform(state, game.rules, random.choice(actions), players, dice)
            assert state == before
            assert not isinstance(done, Refusal), done
            assert done.chain is None
            check(done.state, state)
            state = done.state
            resolver = StateQueries(game.rules, state)
            for who in state.operators:
                if who.is_active and who.hitcounter:
                    assert who.hitcounter < resolver.number(who, "DP")  # H-1 has been judged
        ended = close_turn(state, game.rules, players, dice, ends_round=turn % 2 == 1)
        check(ended.state, state)
        assert not any(one.duration == "TURN" for who in ended.state.operators for one in who.lasting)
        state = fresh_turn(ended.state, "red" if turn % 2 == 0 else "blue", 1 + turn // 2)


@examples(60)
@given(st.integers(0, 2**32), OPTIONS)
def test_the_trace_changes_nothing_and_the_same_seed_gives_the_same(seed: int, options: Options) -> None:
    game = any_table(Random(seed), options)
    results = []
    for traced in (True, False, True):
        players = {side: RandomPlayer(seed) for side in SIDES}
        dice = RandomDice(seed)
        actions = legal_actions(game.state, game.rules, "blue")
        if not actions:
            return
        action = actions[seed % len(actions)]
        done = perform(game.state, game.rules, action, players, dice, traced=traced)
        assert isinstance(done, Outcome)
        results.append(done)
    assert results[0] == results[2]
    assert (results[0].state, results[0].attack) == (results[1].state, results[1].attack)
    assert results[1].trace == ()


@examples(60)
@given(st.integers(0, 2**32), OPTIONS)
def test_the_last_numbers_of_the_trace_are_those_compared(seed: int, options: Options) -> None:
    """So that "why is this 5?" can be answered from it, also where things are ignored."""
    random = Random(seed)
    game = any_table(random, options)
    attacks = [one for one in legal_actions(game.state, game.rules, "blue") if one.name == "attack"]
    if not attacks:
        return
    action = random.choice(attacks)
    players = {side: RandomPlayer(seed) for side in SIDES}
    done = perform(game.state, game.rules, action, players, RandomDice(seed))
    assert isinstance(done, Outcome)
    if done.attack is None:
        return
    for key, stat, number in (
        (done.attack.attacker, "AP", done.attack.ap),
        (done.attack.attacked, "EP", done.attack.ep),
    ):
        compared = next(i for i, entry in enumerate(done.trace) if entry.kind == "compare")
        changes = [entry for entry in done.trace[:compared] if entry.who == key and entry.stat == stat]
        assert changes, "the die at least"
        assert isinstance(changes[-1].after, int)
        assert max(0, changes[-1].after) == number


ROLES = {
    "operator": Role.SKILL,
    "attack": Role.ATTACK,
    "defence": Role.DEFENCE,
    "effect": Role.EFFECT,
    "strategy": Role.STRATEGY,
    "item": Role.ITEM,
    "objective": Role.OBJECTIVE,
    "keyword": Role.KEYWORD,
}
WORDS_OF_ITS_OWN = """cards:
  - {id: one, kind: operator, name: one, team: alone-one, squadpoints: 3, ap: 1, ep: 1, dp: 5, mp: 1,
     keywords: [steadfast, swift]}
  - {id: two, kind: effect, name: two, effect: 'when played, owner gets +1 MARKER "supply".'}
  - {id: six, kind: effect, name: six, effect: 'when played, all OPERATORs get +1 MARKER "intel".'}
markers:
  - {id: intel, name: Intel}
  - {id: supply, name: Supply, bearer: player}
keywords:
  - {id: steadfast, name: Steadfast, effect: "while attacked, self gets +1 EP."}
  - {id: swift, name: Swift, effect: "when self performs MOVE, owner may draw 1 card."}
"""


@st.composite
def any_effects(draw: st.DrawFn) -> dict[str, Effect]:
    """For each kind of card, OBJECTIVEs and KEYWORDs: any sentence without a finding, read from its text."""
    found = {}
    for kind, role in ROLES.items():
        drawn = draw(sentences_without_findings(role))
        effect, problems = parse_effect(print_effect(Effect((drawn,))))
        assert effect is not None, problems
        found[kind] = effect
    return found


class Checked:
    """Looks at every state of a GAME."""

    def observe(self, step: GameStep) -> None:
        check_state(step.state)


@examples(60)
@given(any_effects(), st.integers(0, 2**32))
def test_any_sentence_can_be_played_and_replayed(effects: dict[str, Effect], seed: int) -> None:
    own, made = rules(project(WORDS_OF_ITS_OWN), "plain"), rules(shipped(), "skirmish")

    def objects(kind: str, name: str) -> tuple[EffectObject, ...]:
        return compile_effect(effects[kind], ROLES[kind], name, "effect")

    made = replace(
        made,
        cards={
            name: replace(card, objects=objects(card.kind, name), keywords=KEYWORDS)
            if card.kind == "operator"
            else replace(card, objects=objects(card.kind, name))
            for name, card in made.cards.items()
        },
        mode=replace(made.mode, max_rounds=2),
        markers=own.markers,
        keywords={name: effect_table(objects("keyword", name)) for name in KEYWORDS},
        places={name: effect_table(objects("objective", name)) for name in made.objectives},
    )
    match = Match(made, squads()[seed % 8], squads()[seed // 8 % 8], seed)
    players: dict[Side, Player] = {"blue": RandomPlayer(seed), "red": GreedyPlayer(made)}
    log = new_log(match, {"blue": "random", "red": "greedy"})
    assert play_match(match, players, log, Checked()).stopped == ""
    read = read_log(log.text())
    assert isinstance(read, GameLog)
    again = replay(read, match)
    assert again.same, again.difference
