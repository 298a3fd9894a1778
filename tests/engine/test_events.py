"""E-4 to E-7 and E-19: limits, TURNs and ROUNDs, events of OPERATORs with filters, and `it`.

What a designer sees of them stands in ``tests/scenarios/second``; here are their order and trace, and laws.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games import match, where_everybody_has
from tests.engine.tables import CORE, MODE, Table, card, operator, project, rules, table
from tests.engine.values import Outcome, ScriptedDice, close_turn, end_turn, fresh_turn, replace
from tests.thoroughness import THOROUGH, examples
from toolkit.dsl.effect_objects import as_lines, compile_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import RandomPlayer, ScriptedPlayer
from toolkit.engine.game import MOST_LINKS, Game
from toolkit.engine.log import GameLog, Match, new_log, play_match
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.phases import GameStep
from toolkit.engine.state import SIDES
from toolkit.vocabulary import Role

ONE, TWO = operator("one"), operator("two")
WOUND = card("wound", "effect", "when played, one OPERATOR gets +6 HITCOUNTER.")


def lines(trace: Sequence[TraceEntry], *rules: str) -> list[tuple[str, str, str]]:
    """Kind, rule and words of the lines by these rules."""
    return [(one.kind, one.rule, one.text) for one in trace if one.rule in rules]


def acted(trace: Sequence[TraceEntry]) -> list[str]:
    """The entries whose sentences acted, in order."""
    return [one.origin.entry for one in trace if one.kind == "event" and one.origin is not None]


def fulfilled(trace: Sequence[TraceEntry]) -> list[str]:
    return [text for kind, _, text in lines(trace, "K-1") if kind == "event"]


# E-4


def test_e_4_the_trace_says_that_a_limit_is_used_up() -> None:
    one = operator("one", "once per TURN, when self performs EVADE, owner draws 1 card.")
    game = table([one, TWO], "one", "two", blue_deck="wound wound")
    first, second = game.do("evade", "one").trace, game.do("evade", "one").trace
    assert lines(first, "E-4") == []
    assert lines(second, "E-4") == [("skipped", "E-4", "it has acted in this TURN")]


def test_e_4_a_reroll_of_a_limit_is_traced_when_it_is_over() -> None:
    one = operator("one", "once per TURN, while attacking, self may reroll 1 ATTACK D6.")
    game = table([one, TWO], "one", "two").answer("blue", reroll=[1])
    game.attack("one", "two", 1, 6, 2)
    game.attack("one", "two", 1, 6)
    assert isinstance(game.last, Outcome)
    assert lines(game.last.trace, "E-4") == [("skipped", "E-4", "it has acted in this TURN")]


def test_e_4_a_reroll_without_while_has_a_limit_too() -> None:
    one = operator("one", "once per GAME, self may reroll 1 ATTACK D6.")
    game = table([one, TWO], "one", "two").answer("blue", reroll=[1])
    game.attack("one", "two", 1, 6, 2)
    game.attack("one", "two", 1, 6)  # a third die would be missing


def test_e_4_a_limit_does_not_begin_anew_with_a_refused_action() -> None:
    one = operator("one", "once per TURN, when self performs EVADE, owner draws 1 card.")
    game = table([one, TWO], "one", "two", blue_deck="wound wound wound")
    used = game.do("evade", "one").state.used
    assert len(used) == 1
    assert game.refused("attack", "one", "one") == "R-3"
    assert game.state.used == used
    assert game.state.copy().used == used


def test_e_4_an_item_that_comes_back_begins_anew() -> None:
    flask = card("flask", "item", "once per GAME, when self performs EVADE, owner draws 1 card.")
    game = table([ONE, TWO, flask], "one", "two", blue_deck="flask flask flask").give("one", attached="flask")
    game.do("evade", "one")
    assert len(game.state.used) == 1
    players = {side: ScriptedPlayer({"item_stays": ["discard"]}) for side in SIDES}
    outcome = end_turn(game.state, game.rules, players, ScriptedDice(()))
    assert isinstance(outcome, Outcome)
    assert outcome.state.used == frozenset()


def test_e_4_each_card_that_is_played_begins_anew() -> None:
    made = where_everybody_has("self gets +1 AP.", effect="once per GAME, when played, owner draws 1 card.")
    gift = next(one.id for one in made.cards.values() if one.kind == "effect")
    operators = [one.id for one in made.cards.values() if one.kind == "operator"][:2]
    game = Table(made, *operators, blue_hand=f"{gift} {gift}", blue_deck=f"{gift} {gift} {gift}")
    assert [lines(game.play("blue", gift).trace, "E-4") for _ in range(2)] == [[], []]
    assert len(game.state.blue.hand) == 2


def test_e_4_performance_of_the_mode_counts_for_each_player() -> None:
    mode = MODE + "    performance: ['once per TURN, when self performs EVADE, owner fulfils PERFORMANCE.']\n"
    made = project("cards:\n" + ONE + operator("mate") + TWO, CORE, mode)
    game = Table(rules(made, "plain"), "one mate", "two")
    told = [fulfilled(game.do("evade", name).trace) for name in ("one", "mate", "two")]
    assert told == [["blue fulfils PERFORMANCE"], [], ["red fulfils PERFORMANCE"]]


# E-5


TURNS = [
    card("a", "strategy", "when the TURN ends, owner draws 1 card."),
    card("b", "strategy", "when the own TURN ends, owner draws 1 card."),
    card("c", "strategy", "when the enemy TURN ends, owner draws 1 card."),
    card("d", "strategy", "when the ROUND ends, owner draws 1 card."),
    card("e", "strategy", "when the ROUND begins, owner draws 1 card."),
    card("f", "strategy", "when the own TURN begins, owner draws 1 card."),
    card("g", "strategy", "when the TURN begins, owner draws 1 card."),
]


def test_e_5_the_order_of_a_turn() -> None:
    """TURN ends in one sequence, the TURN's player first; ROUND ends, begins; PREPARATION; TURN begins."""
    game = table([ONE, TWO, *TURNS], "one", "two", blue_strategies="a b c d e f g", red_strategies="c d g")
    game.state = fresh_turn(game.state, "red", 1)
    outcome = end_turn(game.state, game.rules, game.players(), ScriptedDice(()))
    assert isinstance(outcome, Outcome)
    told = [
        one.origin.entry if one.origin else one.rule
        for one in outcome.trace
        if one.rule == "T-1" or one.kind == "event"
    ]
    assert told == ["a", "c", "d", "d", "e", "T-1", "f", "g", "g"]
    # red's own c hears of no enemy TURN, blue's b of no own one


def test_e_5_the_trace_names_it() -> None:
    game = table([ONE, TWO, *TURNS], "one", "two", blue_strategies="b a")
    trace = close_turn(game.state, game.rules, game.players(), ScriptedDice(()), ends_round=False).trace
    assert [one.rule for one in trace if one.kind == "event"] == ["E-5", "M-11"]


def test_e_5_the_first_turn_of_a_game_begins_a_round() -> None:
    seen = Steps()
    log = _played(where_everybody_has("when the ROUND begins, owner draws 1 card."), 1, seen)
    assert log.ended
    first = seen.steps[0]
    assert (first.phase, first.side) == ("PREPARATION", "blue")
    assert lines(first.outcome.trace, "E-5")[0][0] == "event"
    rounds = [step.state.round for step in seen.steps if _tells(step, "E-5")]
    assert [*dict.fromkeys(rounds)] == [*range(1, 1 + len({*rounds}))]


def test_e_19_what_lasts_until_the_own_turn_begins_is_the_controllers() -> None:
    """Of an enemy OPERATOR too; and HIT, and RETURN, do not matter: H-2 removes it."""
    curse = card("curse", "effect", "when played, all enemy OPERATORs get -1 AP until the own TURN begins.")
    game = table([ONE, TWO, curse], "one", "two", blue_hand="curse")
    game.play("blue", "curse")
    seen = [game.number("two", "AP")]
    for _ in range(2):
        outcome = end_turn(game.state, game.rules, game.players(), ScriptedDice(()))
        assert isinstance(outcome, Outcome)
        game.state = outcome.state
        seen.append(game.number("two", "AP"))
    assert seen == [3, 3, 4]
    assert lines(outcome.trace, "E-19") == [("note", "E-19", "what curse did to two lapses")]


# E-6


def test_e_6_the_events_of_an_attack_follow_one_another() -> None:
    """CRITICAL, hits, gets HITCOUNTER, HIT; performs comes after all of it, and after T-3."""
    cards = [
        operator("one", "when self performs ATTACK, owner draws 1 card."),
        TWO,
        card("d", "strategy", "when an attack by an own OPERATOR is CRITICAL, owner draws 1 card."),
        card("c", "strategy", "when an attack by an own OPERATOR hits, owner draws 1 card."),
        card("b", "strategy", "when an enemy OPERATOR gets HITCOUNTER, owner draws 1 card."),
        card("a", "strategy", "when an OPERATOR becomes HIT, owner draws 1 card."),
    ]
    game = table(cards, "one", "two", blue_strategies="a b c d").answer("blue", critical=["double"])
    trace = game.do("attack", "one", "two", dice=(6, 1), exhausts=True).trace
    assert acted(trace) == ["d", "c", "b", "one"]
    assert {rule for kind, rule, _ in lines(trace, "E-6") if kind == "event"} == {"E-6"}
    exhausted = [at for at, one in enumerate(trace) if one.rule == "T-3"]
    performs = [at for at, one in enumerate(trace) if one.origin and one.origin.entry == "one"]
    assert exhausted[0] < performs[0]


def test_e_6_who_is_hit_by_then_performs_nothing() -> None:
    one = operator("one", "when self performs ATTACK, owner draws 1 card.")
    thorns = card(
        "thorns", "strategy", "when an attack by an enemy OPERATOR hits, attacker gets +9 HITCOUNTER."
    )
    watch = card("watch", "strategy", "when an own OPERATOR performs ATTACK, owner draws 1 card.")
    game = table([one, TWO, thorns, watch], "one", "two", red_strategies="thorns", blue_strategies="watch")
    trace = game.do("attack", "one", "two", dice=(1, 1)).trace
    assert game.who("one").status == "HIT"
    assert acted(trace) == ["thorns"]


def test_e_6_an_action_that_ended_early_was_not_performed() -> None:
    core = CORE.replace("effect: target gets +3 DP while on the FIELD.", "effect: target becomes OUT.")
    one = operator("one", "when self performs MEDIC, owner draws 1 card.")
    made = project("cards:\n" + one + operator("mate") + TWO, core, MODE)
    game = Table(rules(made, "plain"), "one mate", "two").give("mate", hitcounter=1)
    assert acted(game.do("medic", "one", "mate").trace) == ["core"]


def test_e_6_reactions_come_in_the_order_of_m_11() -> None:
    """The TURN's player first, from left to right, a card behind the SKILLs, STRATEGY cards last."""
    watch = "when an OPERATOR performs RELOAD, owner draws 1 card."
    cards = [operator(name, watch) for name in ("p", "q", "r")]
    cards += [card("tag", "item", watch), card("plan", "strategy", watch)]
    game = table(cards, "p q", "r", blue_strategies="plan", red_strategies="plan").give("p", attached="tag")
    assert acted(game.do("reload", "r").trace) == ["core", "p", "tag", "q", "plan", "r", "plan"]


def test_e_6_filters_read_the_numbers_outside_of_the_attack() -> None:
    strong = card(
        "strong", "strategy", "when an attack by an own OPERATOR with AP >= 5 hits, owner draws 1 card."
    )
    one = operator("one", "while attacking, self gets +5 AP.")
    game = table([one, TWO, strong], "one", "two", blue_strategies="strong")
    assert acted(game.do("attack", "one", "two", dice=(1, 1)).trace) == []
    game = table([operator("one", ap=5), TWO, strong], "one", "two", blue_strategies="strong")
    assert acted(game.do("attack", "one", "two", dice=(1, 1)).trace) == ["strong"]


def test_e_6_a_filter_may_name_the_other_of_the_attack() -> None:
    hears = "when an attack by an own OPERATOR opposite attacked hits, owner draws 1 card."
    plan = card("plan", "strategy", hears)
    game = table([ONE, operator("mate"), TWO, plan], "one mate", "two", blue_strategies="plan")
    assert acted(game.do("attack", "mate", "two", dice=(1, 1)).trace) == []
    assert acted(game.do("attack", "one", "two", dice=(1, 1)).trace) == ["plan"]


def test_e_6_a_filter_is_judged_when_it_happens_and_not_when_its_turn_comes() -> None:
    """Two fall together; the reaction to the first makes the numbers others by the time of the second."""
    cards = [
        operator(
            "one", "when an own OPERATOR with AP >= 4 becomes HIT, all OPERATORs get -9 AP permanently.", dp=9
        ),
        operator("left"),
        operator("right"),
        card("bomb", "effect", "when played, all OPERATORs with DP = 6 get +6 HITCOUNTER."),
        TWO,
    ]
    game = table(cards, "left one right", "two", blue_hand="bomb")
    trace = game.play("blue", "bomb").trace
    assert acted(trace).count("one") == 2


def test_e_6_a_sentence_with_filters_hears_only_what_happens_while_its_card_is_in_play() -> None:
    """The ITEM comes by the PERFORMANCE of an earlier event than the one that waits."""
    cards = [
        ONE,
        operator("two", dp=1),
        operator("mate"),
        card("early", "item", "when an enemy OPERATOR becomes HIT, owner draws 1 card."),
        card("late", "item", "when an enemy OPERATOR with HITCOUNTER >= 0 becomes HIT, owner draws 1 card."),
        card("bomb", "effect", "when played, all enemy OPERATORs get +9 HITCOUNTER."),
    ]
    for item, heard in (("early", 0), ("late", 0)):
        game = table(cards, "one mate", "two", blue_hand="bomb", blue_item_deck=item)
        game.answer("blue", performance=["item"], item_to=["one"])
        assert acted(game.play("blue", "bomb").trace).count(item) == heard


def test_e_6_who_enters_in_support_is_heard_of_when_it_is_over() -> None:
    """One event for each, the TURN's player first, from left to right; before the TURN ends."""
    hears = "when self enters the FIELD, owner draws 1 card."
    cards = [operator(name, hears) for name in ("p", "q", "r")] + [ONE, TWO, TURNS[0]]
    game = table(cards, "one p q", "two r", blue_strategies="a")
    for name in ("p", "q", "r"):
        game.state.place(game.who(name), None)
    for name in ("one", "two"):
        game.give(name, status="OUT")
    game.answer("blue", substitute=[game.key("q")], fill=[None, game.key("p")])
    game.state = fresh_turn(game.state, "red", 1)
    outcome = end_turn(game.state, game.rules, game.players(), ScriptedDice(()))
    assert isinstance(outcome, Outcome)
    assert acted(outcome.trace) == ["r", "q", "p", "a"]
    support = [one.rule for one in outcome.trace].index("E-6")
    assert all(one.rule != "T-4" for one in outcome.trace[support:])


def test_e_6_performance_of_the_mode_may_hear_of_the_new_events() -> None:
    mode = MODE + (
        "    performance:\n"
        "      - when self performs EVADE, owner fulfils PERFORMANCE.\n"
        "      - when an enemy OPERATOR opposite self performs MEDIC, owner fulfils PERFORMANCE.\n"
        "      - when an enemy OPERATOR with MP >= 2 performs RELOAD, owner fulfils PERFORMANCE.\n"
        "      - when the own TURN ends, owner fulfils PERFORMANCE.\n"
    )
    made = project("cards:\n" + ONE + TWO, CORE, mode)
    game = Table(rules(made, "plain"), "one", "two")
    assert fulfilled(game.do("evade", "one").trace) == ["blue fulfils PERFORMANCE"]
    assert fulfilled(game.do("reload", "one").trace) == ["red fulfils PERFORMANCE"]
    trace = close_turn(game.state, game.rules, game.players(), ScriptedDice(()), ends_round=False).trace
    assert fulfilled(trace) == ["blue fulfils PERFORMANCE"]


def test_what_is_compiled_names_whom_a_sentence_hears_of() -> None:
    sentence = "once per TURN, when an enemy OPERATOR in RANGE performs MOVE, it gets +1 HITCOUNTER."
    effect, _ = parse_effect(sentence)
    assert effect is not None
    assert list(as_lines(compile_effect(effect, Role.SKILL, "one", "skill 1")))[1] == (
        "  event: when an enemy OPERATOR in RANGE performs MOVE, once per TURN"
    )


def test_e_6_who_becomes_out_together_reacts_from_left_to_right() -> None:
    """However they were chosen."""
    cards = [operator(name, "when self becomes OUT, owner draws 1 card.") for name in ("p", "q")]
    cards.append(card("raid", "effect", "when played, two enemy OPERATORs become OUT."))
    game = table([*cards, ONE], "one", "p q", blue_hand="raid").answer("blue", choose=["q", "p"])
    assert acted(game.play("blue", "raid").trace) == ["raid", "p", "q"]


# Endless chains


CHAINS = {  # with a condition or filter, which `check` does not follow
    "gets": "when an own OPERATOR gets OBJECTIVECOUNTER, if ROUND < 9, it gets +1 OBJECTIVECOUNTER.",
    "loses": "when an own OPERATOR gets HITCOUNTER, if ROUND < 9, it gets -1 HITCOUNTER. "
    "when an own OPERATOR loses HITCOUNTER, if ROUND < 9, it gets +1 HITCOUNTER.",
    "filter": "when an own OPERATOR with AP >= 1 gets OBJECTIVECOUNTER, it gets +1 OBJECTIVECOUNTER.",
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_without_end_over_new_events_is_stopped_and_told(name: str) -> None:
    loop = card("loop", "strategy", CHAINS[name])
    push = card("push", "effect", "when played, one own OPERATOR gets +1 HITCOUNTER and +1 OBJECTIVECOUNTER.")
    game = table([ONE, TWO, loop, push], "one", "two", blue_strategies="loop", blue_hand="push")
    outcome = game.play("blue", "push")
    assert outcome.chain is not None
    assert len(outcome.chain.links) == MOST_LINKS + 2
    assert {link.origin.entry for link in outcome.chain.links if link.origin} == {"push", "loop"}
    assert "when an own OPERATOR" in outcome.chain.sentence


PING = "when self gets HITCOUNTER, {} +1 HITCOUNTER."


@pytest.mark.parametrize(
    ("numbers", "more_dp", "whom", "fallen"),
    [
        (1, 0, "one enemy OPERATOR gets", "q-a"),  # 31 events
        (1, 79, "one enemy OPERATOR gets", "q-a"),  # 198 events
        (2, 79, "one enemy OPERATOR with the lowest HITCOUNTER gets", "q-a"),  # about 396
        (4, 79, "all enemy OPERATORs get", "p-a"),  # each event brings about four
    ],
)
def test_a_chain_that_h_1_ends_is_played_to_its_end(
    numbers: int, more_dp: int, whom: str, fallen: str
) -> None:
    sides = {side: [f"{side}-{letter}" for letter in "abcd"[:numbers]] for side in "pq"}
    cards = [operator(name, PING.format(whom), dp=20) for names in sides.values() for name in names]
    push = card("push", "effect", "when played, one enemy OPERATOR gets +1 HITCOUNTER.")
    stiff = card("stiff", "strategy", f"all OPERATORs get +{more_dp} DP.") if more_dp else ""
    game = table(
        [*cards, push, stiff],
        " ".join(sides["p"]),
        " ".join(sides["q"]),
        blue_hand="push",
        blue_strategies="stiff" if more_dp else "",
    )
    if not more_dp:  # as the case of a designer begins
        game.give("p-a", hitcounter=4).give("q-a", hitcounter=4)
    outcome = game.play("blue", "push")
    assert outcome.chain is None
    assert game.who(fallen).status == "HIT"
    if numbers == 1:
        assert (game.who("p-a").status, game.who("p-a").hitcounter) == ("NORMAL", 19 + more_dp)


def test_a_limit_ends_a_chain() -> None:
    loop = card("loop", "strategy", "once per TURN, " + CHAINS["gets"])
    push = card("push", "effect", "when played, one own OPERATOR gets +1 OBJECTIVECOUNTER.")
    game = table([ONE, TWO, loop, push], "one", "two", blue_strategies="loop", blue_hand="push")
    assert game.play("blue", "push").chain is None
    assert game.who("one").objectivecounter == 2


# Laws, over games of the shipped squads in which every OPERATOR has these sentences as its only SKILL


class Steps:
    """An observer that keeps everything."""

    def __init__(self) -> None:
        self.steps: list[GameStep] = []

    def observe(self, step: GameStep) -> None:
        self.steps.append(step)


def _tells(step: GameStep, rule: str) -> bool:
    return any(one.rule == rule for one in step.outcome.trace)


def _played(made: Rules, seed: int, observer: Steps | None = None) -> GameLog:
    given = match(seed % 4, (seed + 1) % 4, seed)
    made = replace(made, mode=replace(made.mode, max_rounds=3))
    game = Match(made, given.blue, given.red, seed)
    log = new_log(game, dict.fromkeys(SIDES, "random"))
    play_match(game, {side: RandomPlayer(f"{seed} {side}") for side in SIDES}, log, observer)
    return log


SAME = [
    (
        "when the attack hits, target gets +1 HITCOUNTER.",
        "when an attack by self hits, target gets +1 HITCOUNTER.",
    ),
    (
        "when an own OPERATOR becomes HIT, all own OPERATORs get +1 AP until end of TURN.",
        "when an own OPERATOR with MP >= 0 becomes HIT, all own OPERATORs get +1 AP until end of TURN.",
    ),
    (
        "when an own OPERATOR becomes HIT, owner draws 1 card. "
        "when an enemy OPERATOR becomes HIT, owner draws 1 card.",
        "when an OPERATOR with MP VALUE >= 0 becomes HIT, owner draws 1 card.",
    ),
    (
        "when the TURN begins, self gets +1 OBJECTIVECOUNTER.",
        "when the own TURN begins, self gets +1 OBJECTIVECOUNTER. "
        "when the enemy TURN begins, self gets +1 OBJECTIVECOUNTER.",
    ),
    (
        "when the ACTION of self ends, one own OPERATOR becomes NORMAL.",
        "when self performs an ACTION, one own OPERATOR becomes NORMAL.",
    ),
    (
        "when an attack by self begins, owner draws 1 card.",
        "when an attack on an enemy OPERATOR begins, if attacker is SUPPRESSED and attacker is not "
        "SUPPRESSED, attacked becomes OUT. when an attack by self begins, owner draws 1 card.",
    ),
    (
        "when the TURN begins, all OPERATORs lose SKILLs until end of TURN. "
        "while attacking, self gets +5 AP.",
        "when the TURN begins, all OPERATORs lose SKILLs until end of TURN. "
        "when self becomes HIT, owner draws 2 cards.",
    ),
    (
        "while attacking, self gets +2 AP.",
        "while an OPERATOR adjacent to self attacks, attacker gets +0 AP. while attacking, self gets +2 AP.",
    ),
]


@pytest.mark.parametrize("number", range(len(SAME)))
@examples(12 if THOROUGH else 1)
@given(st.integers(0, 2**16))
def test_what_says_the_same_plays_the_same(number: int, seed: int) -> None:
    one, two = (_played(where_everybody_has(sentences), seed) for sentences in SAME[number])
    assert one.lines == two.lines


LIMITED = (
    "once per TURN, when an enemy OPERATOR performs an ACTION, it gets +1 AP until end of TURN. "
    "once per ROUND, when an attack by an own OPERATOR hits, owner draws 1 card. "
    "once per GAME, when an own OPERATOR with EP >= 1 gets HITCOUNTER, it gets -1 HITCOUNTER."
)


@examples(24)
@given(st.integers(0, 2**16))
def test_e_4_nothing_acts_more_often_than_its_limit(seed: int) -> None:
    seen = Steps()
    _played(where_everybody_has(LIMITED), seed, seen)
    found: set[tuple[object, ...]] = set()
    for step in seen.steps:
        for one in step.outcome.trace:
            if one.kind != "event" or one.origin is None or one.origin.role != "skill":
                continue
            sentence = one.origin.sentence
            period = [(step.state.round, step.state.turn), step.state.round, None][sentence - 1]
            key = (one.who, sentence, period)
            assert key not in found
            found.add(key)
    assert found


GUARDING = (
    "when an attack on another own OPERATOR begins, self may become the target. "
    "when an attack on an own OPERATOR begins, it gets +1 EP until end of TURN. "
    "when an attack by self begins, target loses SKILLs until end of ATTACK."
)


@examples(24)
@given(st.integers(0, 2**16))
def test_e_22_a_sentence_comes_up_once_in_an_attack_and_nobody_is_attacked_twice(seed: int) -> None:
    seen = Steps()
    _played(where_everybody_has(GUARDING), seed, seen)
    redirected = 0
    for step in seen.steps:
        trace = step.outcome.trace
        up = [(one.origin, one.who) for one in trace if one.kind == "event" and one.rule == "E-21"]
        targets = [one.who for one in trace if one.kind == "status" and one.rule == "E-22"]
        assert len({*up}) == len(up)
        assert len({*targets}) == len(targets)
        if step.outcome.attack is not None and targets:
            assert step.outcome.attack.attacked == targets[-1]
            redirected += 1
    assert redirected


@examples(12)
@given(st.integers(0, 2**16))
def test_e_6_events_that_no_card_waits_for_make_no_difference(seed: int) -> None:
    """Nor does whether the cards in play are looked through beforehand."""
    made = where_everybody_has(LIMITED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rules, "waits_for", lambda _rules, _cards: None)
        all_pushed = _played(made, seed)
    assert all_pushed.lines == _played(made, seed).lines


def test_filters_cost_nothing_where_nobody_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """No filter is judged in a game of the first edition."""

    def never(*_: object) -> bool:
        raise AssertionError("a filter was judged")

    monkeypatch.setattr(Game, "outside_attack", never)
    assert _played(where_everybody_has("when an own OPERATOR becomes HIT, owner draws 1 card."), 1).ended
