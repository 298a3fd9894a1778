"""The scenario of LANGUAGE.md §5."""

from __future__ import annotations

from tests.engine.tables import of_shipped
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.state import Lasting

MINUS_ONE_EP = Lasting(
    0,
    Origin("scenario", "state", "effect", 1, ""),
    "N-3",
    "blue",
    tree.Gets(-1, tree.Word("EP")),
    "permanently",
    "EP",
    "subtract",
    -1,
)


def test_a_suppressed_sniper_still_doubles_her_value() -> None:
    """4 x 2 / 2 + 1 teamwork + 2 card against 3 - 1 + 2 card + 2 die."""
    game = of_shipped("viper hawk", "bishop ~ pawn", blue_hand="aimed-shot", red_hand="hard-cover")
    game.give("viper", hitcounter=1).give("bishop", lasting=(MINUS_ONE_EP,))
    game.answer("blue", critical=["double"])
    wishes = {"attack_card": "aimed-shot", "defence_card": "hard-cover"}
    attack = game.do("attack", "viper", "bishop", dice=(6, 2), **wishes).attack
    assert attack is not None
    assert (attack.ap, attack.ep, attack.damage, attack.critical) == (7, 6, 1, True)
    bishop = game.who("bishop")
    assert (bishop.hitcounter, bishop.status, bishop.position) == (1, "NORMAL", 0)
    assert game.state.blue.hand == ()


def test_its_trace_tells_how_the_numbers_came_about() -> None:
    game = of_shipped("viper hawk", "bishop ~ pawn", blue_hand="aimed-shot", red_hand="hard-cover")
    game.give("viper", hitcounter=1).give("bishop", lasting=(MINUS_ONE_EP,))
    game.answer("blue", critical=["double"])
    wishes = {"attack_card": "aimed-shot", "defence_card": "hard-cover"}
    trace = game.do("attack", "viper", "bishop", dice=(6, 2), **wishes).trace
    assert [f"{entry.step} {entry.rule} {entry.text}" for entry in trace] == [
        "None A-1 viper performs ATTACK on bishop",
        "0 N-3 EP of bishop -1: 3 → 2",
        "1 M-1 AP of viper ÷ 2: 4 → 2",
        "2 M-8 its condition is false: target is not SUPPRESSED",
        "3 M-3 AP of viper +1: 2 → 3",
        "5 M-5 aimed-shot is attached to viper",
        "5 M-10 EP of viper -1: 3 → 2",
        "5 M-5 hard-cover is attached to bishop",
        "5 M-5 AP of viper +2: 3 → 5",
        "5 M-5 EP of bishop +2: 2 → 4",
        "6 M-6 ATTACK D6 of viper: 6",
        "6 M-6 DEFENCE D6 of bishop: 2",
        "6 M-7 blue doubles AP in place of adding the critical 6",
        "6 M-7 AP of viper × 2: 5 → 7",
        "6 M-6 EP of bishop +2: 4 → 6",
        "None A-1 AP 7 of viper against EP 6 of bishop: the attack hits for 1",
        "None A-1 HITCOUNTER of bishop: 0 → 1",
    ]
    skill = next(entry for entry in trace if entry.kind == "skipped")
    assert skill.origin is not None
    assert (skill.origin.entry, skill.origin.part) == ("viper", "skill 1")
    assert skill.origin.text == "when attacking, if target is SUPPRESSED, self gets +2 AP."
