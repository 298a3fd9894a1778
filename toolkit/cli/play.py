"""``opforge play``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolkit.cli.shared import existing_paths, print_report, project_of

if TYPE_CHECKING:
    from pathlib import Path

    from toolkit.project.workspace import Workspace

_PLAYERS = click.Choice(("person", "random", "greedy"))


@click.command()
@click.option("--squads", nargs=2, metavar="BLUE RED", help="Ids of two squads. Default: the first two.")
@click.option("--mode", metavar="ID", help="The game mode. Default: the project's.")
@click.option("--blue", type=_PLAYERS, help="The player of blue, who begins. Default: a person.")
@click.option("--red", type=_PLAYERS, help="The player of red. Default: greedy.")
@click.option("--seed", type=int, help="The same seed and cards give the same decks and dice.")
@click.option("--save", metavar="FILE", help="Write the log of the GAME to this file.")
@click.option("--resume", metavar="FILE", help="Resume an interrupted GAME.")
@click.option("--replay", metavar="FILE", help="Replay a log and report whether the result is the same.")
@click.option(
    "--lang", metavar="LANGUAGE", help="Language of card names: en or de. Default: the project's first."
)
@click.option("--project", "path", metavar="PATH", help="The project, or a file of it.")
def play(
    squads: tuple[str, str] | None,
    mode: str | None,
    blue: str | None,
    red: str | None,
    seed: int | None,
    save: str | None,
    resume: str | None,
    replay: str | None,
    lang: str | None,
    path: str | None,
) -> int:
    """Play a GAME in the terminal.

    Leave it with q, Ctrl-D or Ctrl-C, and go on with --resume. Two built-in players play without any input.
    """
    from toolkit import api
    from toolkit.cli.play_session import Session, go_on, start, tell_again
    from toolkit.diagnostics.report import make_report

    saved = resume or replay
    _check_together(resume, replay, any(one is not None for one in (squads, mode, seed)))
    if replay and any(one is not None for one in (save, blue, red)):
        raise click.UsageError("--replay plays a log as it is: omit --save, --blue and --red.")
    workspace = api.open_project(project_of(existing_paths((path,))[0] if path else None))
    refused = workspace.unknown_language(lang)
    if refused:
        raise click.UsageError(refused)
    log_file = existing_paths((saved,))[0] if saved else None
    session = Session(
        workspace,
        lang or workspace.cards.project.languages[0],
        {"blue": blue, "red": red},
        _written_to(_target(save, log_file) if save else (log_file if resume else None)),
    )
    if log_file is None:
        result = start(session, squads, mode, seed)
    else:
        result = tell_again(session, log_file) if replay else go_on(session, log_file)
    if isinstance(result, int):
        return result
    if result.sentence:
        raise click.UsageError(result.sentence)
    report = make_report(result.findings, *_counts(workspace))
    print_report(report, "text", err=True)
    return report.exit_status()


def _check_together(resume: str | None, replay: str | None, new: bool) -> None:
    if resume and replay:
        raise click.UsageError("--resume continues a GAME, --replay plays a log again: choose one.")
    if new and (resume or replay):
        raise click.UsageError("--squads, --mode and --seed are for a new GAME; a log has its own.")


def _written_to(target: Path | None) -> Path | None:
    """The file for the log; wrong use if a link would decide where it is."""
    from toolkit.source.writing import refused_link

    refused = refused_link(target) if target is not None else None
    if refused:
        raise click.UsageError(refused)
    return target


def _target(save: str, resumed: Path | None) -> Path:
    """The file to write; wrong use if its folder does not exist, or it holds another GAME that is not
    finished and that nobody wants to lose."""
    from pathlib import Path

    target = Path(save)
    if target.is_dir() or not target.parent.is_dir():
        raise click.UsageError(f"{save!r} cannot be written: its folder does not exist, or it is a folder.")
    if not target.exists() or (resumed is not None and target.samefile(resumed)):
        return target
    if not (target.is_file() and _is_log(target)):
        raise click.UsageError(f"{save!r} exists and is not the log of a GAME; it was not changed.")
    if _is_unfinished(target) and not _may_overwrite(save):
        raise click.UsageError(
            f"{save!r} holds a GAME that is not finished; it was left as it is. "
            f"Go on with it with --resume {save}, or give --save another name."
        )
    return target


def _is_log(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(7) in (b"", b'{"log":')


def _is_unfinished(file: Path) -> bool:
    """Whether a log holds a GAME without its end; also one that is damaged, as nobody knows what it holds."""
    lines = file.read_bytes().splitlines()
    return bool(lines) and not lines[-1].startswith(b'{"ending":')


def _may_overwrite(save: str) -> bool:
    """Asked at a terminal; nobody can answer in a pipe."""
    import sys

    return sys.stdin.isatty() and click.confirm(f"{save!r} contains an unfinished GAME. Overwrite it?")


def _counts(workspace: Workspace) -> tuple[int, int]:
    from toolkit import api

    counts = api.card_counts(workspace)
    return len(counts), sum(counts.values())
