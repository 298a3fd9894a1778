"""Routes of the attack bench: play a scenario, and list what one can start from.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.requests import Request
from starlette.routing import Route

from toolkit.apps.preview.responses import ApiError, get_route, post_route
from toolkit.apps.preview.session import Session
from toolkit.source import shown_name

if TYPE_CHECKING:
    from toolkit.play.attack_bench import BenchResult
    from toolkit.project.pipeline import Workspace


class BenchRequest(Struct):
    """A scenario as in a file, without `expect`; dice that it does not list are rolled from the seed."""

    scenario: dict[str, Any]
    seed: int = 1
    trial: str | None = None


def routes(session: Session) -> list[Route]:
    """The routes of this group."""
    bench = Bench(session)

    async def play(request: BenchRequest) -> dict[str, Any]:
        return await session.in_reader(bench.play, request)

    async def choices(request: Request) -> dict[str, Any]:
        return await session.in_reader(_choices, session, request.query_params.get("scenario"))

    return [post_route("/api/bench", BenchRequest, play), get_route("/api/bench", choices)]


class Bench:
    """Plays scenarios in the reading thread; keeps the last project state in which one could be played."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._last_playable: Workspace | None = None

    def play(self, request: BenchRequest) -> dict[str, Any]:
        """Return the result of a scenario as data.

        ``stale`` are the findings that prevent it now, where it was played in the last state without them.
        Raises ``ApiError`` with findings, placed in ``yaml`` or in files of the project, if it cannot be
        played at all.
        """
        from toolkit.apps.preview.card_details import findings_json

        root = self._session.root
        workspace = self._session.trials.workspace(request.trial)
        result, stale = _play(workspace, request), None
        is_saved_state = request.trial is None
        if is_saved_state and not result.findings:
            self._last_playable = workspace
        elif is_saved_state:
            earlier_state = self._play_in_earlier_state(request, workspace)
            if earlier_state is not None:
                stale = findings_json(result.findings, root)
                result, workspace = earlier_state
        if result.findings:
            sentence = "The scenario cannot be played as it is."
            raise ApiError(422, sentence, **findings_json(result.findings, root), yaml=result.text)
        names = {file.name: shown_name(file.path, root) for file in workspace.cards.files}
        return {**_with_relative_files(result.data, names), "stale": stale}

    def _play_in_earlier_state(
        self, request: BenchRequest, workspace: Workspace
    ) -> tuple[BenchResult, Workspace] | None:
        """Play in the last state before this one in which the scenario can be played, if there is one."""
        for earlier_workspace in filter(None, (self._last_playable, self._session.error_free_workspace)):
            if earlier_workspace is not workspace:
                result = _play(earlier_workspace, request)
                if not result.findings:
                    return result, earlier_workspace
        return None


def _play(workspace: Workspace, request: BenchRequest) -> BenchResult:
    """Play a scenario; raises ``ApiError`` for what is none."""
    from toolkit.play.attack_bench import play_bench

    result = play_bench(workspace, request.scenario, request.seed)
    if isinstance(result, str):
        raise ApiError(400, result)
    return result


def _with_relative_files(data: Any, names: Mapping[str, str]) -> Any:
    """Return data in which the ``file`` beside each ``sentence`` is relative to the project."""
    if isinstance(data, list):
        return [_with_relative_files(item, names) for item in data]
    if not isinstance(data, dict):
        return data
    if "sentence" in data and "file" in data:
        return {**data, "file": names.get(data["file"], data["file"])}
    return {key: _with_relative_files(value, names) for key, value in data.items()}


def _choices(session: Session, name: str | None) -> dict[str, Any]:
    """Return the modes, rulesets and scenarios to start from, or the named scenario without `expect`."""
    from toolkit.play.attack_bench import bench_choices
    from toolkit.play.scenarios.scenario_writer import scenario_data

    workspace = session.workspace
    if name is None:
        choices = bench_choices(workspace)
        for choice in choices["scenarios"]:
            choice["file"] = shown_name(choice.pop("path"), session.root)
        return choices
    scenario = next((choice for choice in workspace.cards.scenarios if choice.id == name), None)
    if scenario is None:
        raise ApiError(404, f"There is no scenario {name!r}.")
    return {"scenario": scenario_data(scenario)}
