"""The scenario of LANGUAGE.md §5, and two more that it is made of."""

from __future__ import annotations

from tests.engine.tables import of_shipped, operator, table


def test_a_suppressed_sniper_still_doubles_her_value() -> None:
    game = of_shipped("viper hawk", "bishop ~ pawn", blue_hand="aimed-shot", red_hand="hard-cover")
    game.give("viper", hitcounter=1)
    minus = table([operator("one", "self gets -1 EP.")], "one", "")
    assert minus.number("one", "EP") == 2
    from toolkit.dsl import tree
    from toolkit.effects.objects import Origin
    from toolkit.engine.state import Lasting

    lasting = Lasting(
        1, Origin("scenario", "state", "effect", 1, ""), "N-3", "blue", tree.Gets(-1, tree.Word("EP")),
        "permanently", "EP", "subtract", -1,
    )
    game.give("bishop", lasting=(lasting,))
    game.answer("blue", critical=["double"])
    outcome = game.do("attack", "viper", "bishop", dice=(6, 2), attack_card="aimed-shot", defence_card="hard-cover")
    assert outcome.attack is not None
    assert (outcome.attack.ap, outcome.attack.ep) == (7, 6)
    assert outcome.attack.damage == 1
    assert outcome.attack.critical
    bishop = game.who("bishop")
    assert (bishop.hitcounter, bishop.status, bishop.position) == (1, "NORMAL", 0)
    assert game.state.blue.hand == ()
    for entry in outcome.trace:
        print(entry.step, entry.rule, entry.kind, entry.text)
