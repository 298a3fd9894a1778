"""The scenarios that are shipped with the cards pass, and reach all that the cards do."""

from __future__ import annotations

from functools import cache

from tests.engine.tables import SHIPPED, shipped
from toolkit.play.scenarios.playing import TestRun
from toolkit.play.scenarios.runner import run_scenarios


@cache
def played() -> TestRun:
    """All shipped scenarios, played once."""
    return run_scenarios(shipped(), [SHIPPED], coverage=True)


def test_all_files_can_be_played_and_every_scenario_passes() -> None:
    run = played()
    assert run.findings == ()
    assert len(run.results) >= 60
    for result in run.results:
        assert (result.failures, result.notes) == ((), ()), result.scenario.name


def test_the_shipped_scenarios_reach_every_card_sentence_and_verb() -> None:
    ((found, _),) = played().coverage
    assert [card for card, known in found.cards.items() if not known] == []
    assert [one.origin.text for one in found.sentences if not one.acted] == []
    assert [verb for verb, known in found.verbs.items() if not known] == []
    assert [rule for rule, known in found.rules.items() if not known] == []
