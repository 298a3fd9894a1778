"""A project whose games take a millisecond or two."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from toolkit.play.simulation.games import GameSetup, setup_of
from toolkit.play.simulation.simulating import Plan, SimulationRequest, Tally, plan_of, play_plan
from toolkit.play.simulation.workers import ThisProcess, Workers
from toolkit.project.pipeline import Workspace, open_project

FOLDER = Path(__file__).parent / "project"
PAIR = ("hunters", "family")


@cache
def workspace() -> Workspace:
    return open_project(FOLDER.resolve())


@cache
def setup(players: tuple[str, str] = ("random", "random")) -> GameSetup:
    setup = setup_of(workspace(), ("hunters", "family", "diggers"), players, 7)
    assert isinstance(setup, GameSetup)
    return setup


def plan(*squads: str, players: str = "random", **options: object) -> Plan:
    request = SimulationRequest(squads, players=(players, players), **options)  # type: ignore[arg-type]
    plan = plan_of(workspace(), request)
    assert isinstance(plan, Plan)
    return plan


def played(plan: Plan, workers: Workers | None = None) -> Tally:
    *_, tally = play_plan(plan, workers or ThisProcess())
    return tally
