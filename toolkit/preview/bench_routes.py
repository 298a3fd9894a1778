"""The attack bench: a scenario is played, and what it can be begun from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.requests import Request
from starlette.routing import Route

from toolkit.preview.answers import Refused, get_route, post_route
from toolkit.preview.session import Session
from toolkit.source import shown_name

if TYPE_CHECKING:
    from toolkit.pipeline import Workspace
    from toolkit.project.bench import Situation


class BenchRequest(Struct):
    """A scenario as a file has it but for `expect`; dice that it does not list are rolled from the seed."""

    scenario: dict[str, Any]
    seed: int = 1
    trial: str | None = None


def routes(session: Session) -> list[Route]:
    """The routes of this group."""
    bench = Bench(session)

    async def play(asked: BenchRequest) -> dict[str, Any]:
        return await session.reading(bench.play, asked)

    async def choices(request: Request) -> dict[str, Any]:
        return await session.reading(_choices, session, request.query_params.get("scenario"))

    return [post_route("/api/bench", BenchRequest, play), get_route("/api/bench", choices)]


class Bench:
    """Plays scenarios, in the reading thread; it keeps the project as it was when it last could play one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._last: Workspace | None = None

    def play(self, asked: BenchRequest) -> dict[str, Any]:
        """What came of a scenario, with ``stale``: the findings for which it was played in the last good
        state.

        Findings for which it cannot be played are placed in ``yaml``, or in the files of cards that it needs.
        """
        from toolkit.preview.card_details import findings_json

        root = self._session.root
        workspace = self._session.trials.workspace(asked.trial)
        found, stale = _play(workspace, asked), None
        if asked.trial is None and not found.findings:
            self._last = workspace
        if asked.trial is None and found.findings:
            for good in filter(None, (self._last, self._session.sound_workspace)):
                before = found if good is workspace else _play(good, asked)
                if not before.findings:
                    stale = findings_json(found.findings, root)
                    found, workspace = before, good
                    break
        if found.findings:
            sentence = "The scenario cannot be played as it stands."
            raise Refused(422, sentence, **findings_json(found.findings, root), yaml=found.text)
        names = {file.name: shown_name(file.path, root) for file in workspace.cards.files}
        return {**_with_files(found.data, names), "stale": stale}


def _play(workspace: Workspace, asked: BenchRequest) -> Situation:
    from toolkit.project.bench import play_bench

    found = play_bench(workspace, asked.scenario, asked.seed)
    if isinstance(found, str):
        raise Refused(400, found)
    return found


def _with_files(data: Any, names: Mapping[str, str]) -> Any:
    """The same data with files relative to the project wherever a sentence is placed."""
    if isinstance(data, list):
        return [_with_files(one, names) for one in data]
    if not isinstance(data, dict):
        return data
    if "sentence" in data and "file" in data:
        return {**data, "file": names.get(data["file"], data["file"])}
    return {key: _with_files(value, names) for key, value in data.items()}


def _choices(session: Session, name: str | None) -> dict[str, Any]:
    """What a scenario can be played by and begun from, or one scenario without what it expects."""
    from toolkit.project.bench import bench_choices
    from toolkit.project.scenarios.writing import scenario_data

    workspace = session.workspace
    if name is None:
        choices = bench_choices(workspace)
        for one in choices["scenarios"]:
            one["file"] = shown_name(one.pop("path"), session.root)
        return choices
    found = next((one for one in workspace.cards.scenarios if one.id == name), None)
    if found is None:
        raise Refused(404, f"There is no scenario {name!r}.")
    return {"scenario": scenario_data(found)}
