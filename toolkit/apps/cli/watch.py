"""``opforge watch``: a project checked again after each save, on one screen of a terminal or line by line.

`poll` is imported where it is used: Windows has none.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from enum import IntEnum
from functools import partial
from operator import itemgetter
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from toolkit.apps.cli.continuous_checks import ContinuousChecks, ScenarioSummary, WatchRequest, WatchState
from toolkit.apps.cli.options import existing_path, format_option, project_of, reject
from toolkit.apps.cli.terminal import draw_screen, echo, rows_of, style
from toolkit.data.project_files import find_project, no_project
from toolkit.diagnostics.catalogue import reported_severity
from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.reporters import as_data, finding_text, not_listed
from toolkit.play.scenarios.reports import failed_text, result_data
from toolkit.project.output import Refusal, refused_pdf
from toolkit.project.watching import HalfSaved, ProjectWatcher
from toolkit.source.paths import PROJECT_FILE

if sys.platform == "win32":
    import msvcrt
else:
    import termios
    import tty

if TYPE_CHECKING:
    from types import FrameType

_KEYS = {"a": ("tests", "fit", "sheet"), "t": ("tests",), "f": ("fit",), "s": ("sheet",)}
"""The stages that a key makes the next run do completely."""

_QUIT = ("q", "\x04")

_MAX_BLOCK_LINES = 8
"""Lines of a finding or a failed scenario that are shown, at most, if the screen is full."""


@click.command()
@click.argument("path", required=False)
@click.option("--no-fit", is_flag=True, help="Do not check whether the texts of changed cards fit.")
@click.option("--no-test", is_flag=True, help="Do not play scenarios.")
@click.option(
    "-o",
    "--sheet",
    metavar="FILE.pdf",
    help="After each save, print the cards whose face changed since the start to this PDF.",
)
@click.option("--once", is_flag=True, help="Do everything once, and do not watch.")
@click.option("--no-clear", is_flag=True, help="Append to what is on the terminal instead of replacing it.")
@click.option("--poll", is_flag=True, help="Scan the files regularly; for folders in a network.")
@format_option("text", "json")
def watch(**options: Any) -> int:
    """Check a project after each save of a file: findings, scenarios, fit of changed cards.

    Findings come first, then scenarios that play with what changed, then the faces of changed cards. A newer
    save drops the rest of a run. Keys at a terminal: a (do all again), t (tests), f (fit), s (sheet of all
    cards), q (quit). `q` returns the exit status of the last run. JSON is one object for each run.
    """
    path = existing_path(options["path"])
    sheet = Path(options["sheet"]) if options["sheet"] is not None else None
    reject(refused_pdf(sheet) if sheet is not None else None)
    request = WatchRequest(not options["no_test"], not options["no_fit"], sheet)
    if options["once"]:
        return _run_once(project_of(path), request, options["form"])
    is_screen = sys.stdout.isatty() and options["form"] == "text" and not options["no_clear"]
    output = _Screen() if is_screen else _output_of(options["form"])
    watching = _Watching(path, request, output, poll=options["poll"])
    try:
        with _queue_keys(watching.events, output.redraw) if sys.stdout.isatty() else nullcontext():
            status = watching.run()
    except KeyboardInterrupt:
        echo("\nInterrupted." if is_screen else "Interrupted.", err=True)
        return 130
    if is_screen:
        echo("")
    return status


class _Run(Struct):
    """A run as it is shown: its state so far, the saved files, its start, and its duration in seconds."""

    state: WatchState
    root: Path
    changed: frozenset[Path]
    began: float
    took: float

    @property
    def clock(self) -> str:
        """The local time of its start, such as 14:02:11."""
        return time.strftime("%H:%M:%S", time.localtime(self.began))


def _output_of(form: str) -> _Lines:
    return _JSON() if form == "json" else _Lines()


def _run_once(root: Path, request: WatchRequest, form: str) -> int:
    """Do everything once and return the exit status."""
    checks = ContinuousChecks(root, request)
    began, start = time.time(), time.monotonic()
    checks.read()
    checks.redo(("sheet",))
    output = _output_of(form)
    for state in checks.run():
        output.show(run := _Run(state, root, frozenset(), began, time.monotonic() - start))
    output.stop(run)
    return state.exit_status


class _Watching:
    """The event loop: each save and each key starts a run.

    An event is a batch of paths, a key, or a function that shows something.
    """

    def __init__(self, path: Path | None, request: WatchRequest, output: _Lines, *, poll: bool) -> None:
        self.events: SimpleQueue[_Event] = SimpleQueue()
        self._path, self._request, self._output, self._poll = path, request, output, poll
        self._stop = threading.Event()
        self._status = 0  # the exit status of the last run
        self._changed: frozenset[Path] = frozenset()  # what the next run checks
        self._keys: list[str] = []  # that were pressed since the last run

    def run(self) -> int:
        """Watch until `q` is pressed or the output's reader has gone; return the status of the last run."""
        if hasattr(signal, "SIGWINCH"):
            signal.signal(signal.SIGWINCH, lambda *_: self.events.put(self._output.redraw))
        try:
            root = self._wait_for_project()
            watcher = ProjectWatcher(root, self._stop, poll=self._poll, notice=self._queue_notice)
            threading.Thread(target=self._queue_changes, args=(watcher,), daemon=True).start()
            self._watch(root)
        except _Quit:
            pass
        finally:
            self._stop.set()
        return self._status

    def _queue_changes(self, watcher: ProjectWatcher) -> None:
        for batch in watcher:
            self.events.put(batch)

    def _queue_notice(self, sentence: str) -> None:
        self.events.put(partial(self._output.say, sentence))

    def _wait_for_project(self) -> Path:
        """Return the folder of the project, once there is one."""
        root = find_project(self._path)
        if root is None:
            self._output.wait(f"{no_project(self._path)} Waiting for it.")
        while root is None:
            self._process_events(0.3)
            root = find_project(self._path)
        return root

    def _watch(self, root: Path) -> None:
        """Run the checks whenever something has changed, until ``_Quit`` is raised."""
        checks, is_complete = ContinuousChecks(root, self._request), False
        while True:
            self._process_events(0)
            if not (root / PROJECT_FILE).is_file():
                self._status, is_complete = 1, False
                self._output.wait(f"{root / PROJECT_FILE} is missing. Waiting for it.")
                # polled: if it is back quickly, the watcher may report no change
                while not (root / PROJECT_FILE).is_file():
                    self._process_events(0.3)
            elif self._changed or self._keys or not is_complete:
                is_complete = self._run(checks, root)
            else:
                self._process_events()

    def _run(self, checks: ContinuousChecks, root: Path) -> bool:
        """Run the checks; return whether they were completed."""
        began, start = time.time(), time.monotonic()
        half_saved = HalfSaved()
        # what a save has lost may still come, so the project is read again until it is back or time is over
        while seconds := half_saved.seconds(is_any_lost=not checks.read(self._changed)):
            if not self._wait_for_change(seconds):
                break
        keys, changed = self._keys, self._changed
        self._keys, self._changed = [], frozenset()
        for key in keys:
            checks.redo(_KEYS.get(key, ()))
        run = None
        for state in checks.run(lambda: not self.events.empty()):
            run = _Run(state, root, changed, began, time.monotonic() - start)
            self._output.show(run)
        if run is None:  # cancelled before it had a result: the next run shows these files, too
            self._changed |= changed
            return False
        self._status = run.state.exit_status
        self._output.stop(run)
        gc.collect()  # now, when nobody waits: Python itself would collect in the middle of a later run
        return run.state.next_stage == ""

    def _wait_for_change(self, seconds: float) -> bool:
        """Wait for a save, at most some seconds; return whether there was one."""
        end, changed_before = time.monotonic() + seconds, self._changed
        while self._changed is changed_before and time.monotonic() < end:
            self._process_events(end - time.monotonic())
        return self._changed is not changed_before

    def _process_events(self, seconds: float | None = None) -> None:
        """Wait for events, for some seconds or without end, and process all that there are."""
        try:
            # on Windows Ctrl-C does not interrupt a wait without a timeout
            self._process(self.events.get(timeout=1 if seconds is None else max(0.0, seconds)))
            while True:
                self._process(self.events.get_nowait())
        except Empty:
            if _is_reader_gone():
                raise _Quit from None

    def _process(self, event: _Event) -> None:
        """Note what has changed, keep a key for later, or do what another thread hands over."""
        if isinstance(event, frozenset):
            self._changed |= event
        elif not isinstance(event, str):
            event()
        elif event in _QUIT:
            raise _Quit
        elif event in _KEYS:
            self._keys.append(event)


_Event = frozenset[Path] | str | Callable[[], None]


class _Quit(Exception):
    """The user quits, or the output's reader has gone."""


def _is_reader_gone() -> bool:
    """Whether standard output is a pipe whose reader has gone, which a write would show only later."""
    try:
        from select import POLLERR, poll

        poller = poll()
        poller.register(sys.stdout.fileno(), POLLERR)
        return any(event & POLLERR for _, event in poller.poll(0))
    except (ImportError, OSError, ValueError):  # Windows, or no real file
        return False


# what is shown


class _Rank(IntEnum):
    """The order of results on a screen."""

    ERROR = 0
    FAILURE = 1  # of a scenario or another stage after the check
    WARNING = 2


def _blocks(run: _Run) -> Iterator[tuple[_Rank, str]]:
    """Yield all results of a run as text, with their rank on a screen."""
    state = run.state
    for finding in state.report.findings:
        is_error = reported_severity(finding) == "error"
        yield _Rank.ERROR if is_error else _Rank.WARNING, finding_text(finding, style())
    for sentence in not_listed(state.report.left_out):
        yield _Rank.WARNING, sentence
    if state.tests is not None:
        for result in state.tests.failed:
            yield _Rank.FAILURE, failed_text(result, style())
    if state.problem:
        yield _Rank.FAILURE, state.problem
    if isinstance(state.sheet, Refusal) and state.sheet.message:
        yield _Rank.FAILURE, state.sheet.message


def _last_line(run: _Run) -> str:
    """Return a line such as `14:02:11  1 error, 212 scenarios pass, 1 face changed  0.3 s`."""
    state, report, tests = run.state, run.state.report, run.state.tests
    counts = []
    if report.errors:
        counts.append(counted(report.errors, "error"))
    if report.warnings:
        counts.append(counted(report.warnings, "warning"))
    parts = ["no findings"]
    if counts:
        parts = [style()(", ".join(counts), "error" if report.errors else "warning")]
    if state.next_stage == "tests":
        parts.append("scenarios …")
    elif tests is not None:
        parts += _about_scenarios(tests)
    if state.next_stage == "fit":
        parts.append("faces …")
    elif state.next_stage in ("sheet", ""):
        parts.append(f"{counted(len(state.changed_faces), 'face')} changed")
    if state.next_stage == "sheet":
        parts.append("sheet …")
    if state.sheet is not None and not isinstance(state.sheet, Refusal):
        parts.append(state.sheet.sentence.rstrip("."))
    return f"{run.clock}  {', '.join(parts)}  {run.took:.1f} s"


def _about_scenarios(tests: ScenarioSummary) -> Iterator[str]:
    """Yield how many scenarios pass or fail, and how many were not played."""
    failed = len(tests.failed)
    if failed:
        verb = "fails" if failed == 1 else "fail"
        yield style()(f"{failed} of {counted(tests.passed + failed, 'scenario')} {verb}", "error")
    elif tests.passed or not (tests.not_played or tests.files):
        verb = "passes" if tests.passed == 1 else "pass"
        yield f"{counted(tests.passed, 'scenario')} {verb}"
    if tests.files:
        yield style()(f"nothing of {', '.join(tests.files)} played", "error")
    elif tests.not_played:
        yield style()(f"{tests.not_played} not played", "error")


class _Lines:
    """Shows runs, and sentences between them, by appending each result as soon as it is known."""

    def __init__(self) -> None:
        self._shown: set[str] = set()

    def show(self, run: _Run) -> None:
        """Print the new results of this run."""
        for rank, block in _blocks(run):
            # until the scenarios are played, failures are those of the run before
            is_old = rank == _Rank.FAILURE and run.state.next_stage == "tests"
            if block not in self._shown and not is_old:
                self._shown.add(block)
                echo(block + "\n")

    def stop(self, run: _Run) -> None:
        """Print the last line of a run, unless it was cancelled."""
        self._shown.clear()
        if run.state.next_stage == "":
            echo(_last_line(run))

    def say(self, sentence: str) -> None:
        """Print a sentence on standard error: it is not a result."""
        echo(sentence, err=True)

    def wait(self, sentence: str) -> None:
        """Print a sentence about what is waited for; earlier results do not hold any more."""
        self.say(sentence)

    def redraw(self) -> None:
        """Do nothing: printed lines stay."""


class _JSON(_Lines):
    """An object on a line for each run."""

    def show(self, run: _Run) -> None:
        """Do nothing before the end of the run."""

    def stop(self, run: _Run) -> None:
        """Print the run."""
        echo(json_text(_data(run), indent=None), nl=False)


def _data(run: _Run) -> dict[str, Any]:
    """Return a run as plain data, with findings and scenarios as in `check` and `test`."""
    state, tests = run.state, run.state.tests
    sheet = state.sheet.message if isinstance(state.sheet, Refusal) else state.sheet and state.sheet.sentence
    return {
        **as_data(state.report),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(run.began)),
        "seconds": round(run.took, 3),
        "complete": state.next_stage == "",
        "exit_status": state.exit_status,
        "changed": sorted(os.path.relpath(path, run.root).replace(os.sep, "/") for path in run.changed),
        "scenarios": tests
        and {
            "passed": tests.passed,
            "failed": [result_data(result) for result in tests.failed],
            "not_played": tests.not_played,
            "files_not_played": list(tests.files),
        },
        "faces": list(state.changed_faces),
        "fit_problem": state.problem,
        "sheet": sheet,
    }


class _Screen(_Lines):
    """Shows the latest results on one screen of a terminal, with as many findings as fit."""

    def __init__(self) -> None:
        super().__init__()
        self._run: _Run | None = None  # the run that is shown
        self._sentence = ""  # below it
        self._is_fresh = True  # nothing was drawn yet: what is on the terminal is scrolled away first

    def show(self, run: _Run) -> None:
        """Draw the screen."""
        self._run, self._sentence = run, self._sentence if run.state.next_stage else ""
        self.redraw()

    def stop(self, run: _Run) -> None:
        """Do nothing: the screen is up to date, and after a cancelled run shows which stages are missing."""

    def say(self, sentence: str) -> None:
        """Draw the screen with a sentence at the bottom."""
        self._sentence = sentence
        self.redraw()

    def wait(self, sentence: str) -> None:
        """Draw the screen with nothing but a sentence."""
        self._run = None
        self.say(sentence)

    def redraw(self) -> None:
        """Draw the screen for the current size of the terminal."""
        columns, rows = shutil.get_terminal_size()  # 80 x 24 where the terminal does not know
        run = self._run
        blocks = [text for _, text in sorted(_blocks(run), key=itemgetter(0))] if run else []
        foot = [line for line in (self._sentence, _last_line(run) if run else "") if line]
        keys = "a all   t tests   f fit   s sheet   q quit"
        lines = screen(blocks, [style()(keys, "note")], foot, columns, rows)
        draw_screen(lines, columns, scroll_by=rows if self._is_fresh else 0)
        self._is_fresh = False


def screen(blocks: list[str], head: list[str], foot: list[str], columns: int, rows: int) -> list[str]:
    """Return the lines of a screen: as many blocks as fit, and the number of those that do not.

    If not all fit, long ones are shortened: a trace alone could fill the screen.
    """

    def height(lines: list[str]) -> int:
        return sum(rows_of(line, columns) for line in lines)

    free_rows = rows - height(head) - height(foot) - 1  # an empty line below the head
    listed_blocks = [[*block.split("\n"), ""] for block in blocks]
    if sum(map(height, listed_blocks)) > free_rows:
        free_rows -= 2  # for the number of those that do not fit, and an empty line
        listed_blocks = [
            [*lines[:_MAX_BLOCK_LINES], "  …", ""] if len(lines) > _MAX_BLOCK_LINES + 2 else lines
            for lines in listed_blocks
        ]
    body: list[str] = []
    for number, lines in enumerate(listed_blocks):
        if height([*body, *lines]) > free_rows:
            body += [f"… and {len(listed_blocks) - number} more", ""]
            break
        body += lines
    return [*head, "", *body, *foot][-rows:]  # what a tiny terminal has room for


# keys and signals


@contextmanager
def _queue_keys(events: SimpleQueue[_Event], redraw: Callable[[], None]) -> Iterator[None]:
    """Queue each key that is pressed as an event, if standard input is a terminal in the foreground.

    The screen is drawn again when the process continues after Ctrl-Z.
    """
    if sys.platform == "win32":
        _read_windows_keys(events)
        yield
        return
    try:
        descriptor = sys.stdin.fileno()
        termios.tcgetattr(descriptor)
        if os.tcgetpgrp(descriptor) != os.getpgrp():  # in the background reading a key would stop the process
            raise OSError
    except (OSError, ValueError, termios.error):
        yield
        return

    def read_keys() -> None:
        while key := os.read(descriptor, 1):
            events.put(key.decode("ascii", "replace"))

    with _keys_without_enter(descriptor, lambda: events.put(redraw)):
        threading.Thread(target=read_keys, daemon=True).start()
        yield


@contextmanager
def _keys_without_enter(descriptor: int, on_resume: Callable[[], None]) -> Iterator[None]:
    """Let a terminal hand over each key at once, and restore it however the process ends or is stopped."""
    settings_before = termios.tcgetattr(descriptor)

    def restore() -> None:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, settings_before)

    def exit_on_signal(signal_number: int, _frame: FrameType | None) -> None:
        restore()
        os._exit(128 + signal_number)

    def resume(_number: int, _frame: FrameType | None) -> None:
        tty.setcbreak(descriptor)
        on_resume()

    tty.setcbreak(descriptor)
    interrupt_handler = signal.getsignal(signal.SIGINT)

    def restore_and_interrupt(signal_number: int, frame: FrameType | None) -> None:
        restore()  # before the handler, which may exit without cleaning up (toolkit.__main__)
        if callable(interrupt_handler):
            interrupt_handler(signal_number, frame)

    signal.signal(signal.SIGTERM, exit_on_signal)
    signal.signal(signal.SIGHUP, exit_on_signal)
    signal.signal(signal.SIGCONT, resume)
    if callable(interrupt_handler):
        signal.signal(signal.SIGINT, restore_and_interrupt)
    try:
        yield
    finally:
        restore()


def _read_windows_keys(events: SimpleQueue[_Event]) -> None:
    """Put the keys that are pressed as events, from a thread of its own: reading one blocks."""
    read_key: Callable[[], str] = msvcrt.getwch  # type: ignore[name-defined]  # only on Windows

    def put_all() -> None:
        while True:
            events.put(read_key())

    if sys.stdin.isatty():
        threading.Thread(target=put_all, daemon=True).start()
