"""``opforge watch``: as a process at a terminal with its keys, in a pipe and as JSON; and once."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.apps.cli.watch import screen

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="this system has no terminals")

OPFORGE = (sys.executable, "-m", "toolkit")
CARDS = Path("small/cards.yaml")
SCENARIO = """
scenarios:
  - name: Viper attacks
    field: {blue: [viper], red: [viper]}
    do: [{action: attack, by: blue.viper, on: red.viper, dice: [3, 3]}]
    expect: {attack: {ap: 7}}
"""


@pytest.fixture(autouse=True)
def _project(small_project: None) -> None:  # noqa: ARG001 it makes the project
    """The small project in the current folder, with a scenario."""
    Path("small/scenarios.yaml").write_text(SCENARIO)


def edit(before: str, after: str) -> None:
    text = CARDS.read_text("utf-8")
    assert before in text
    CARDS.write_text(text.replace(before, after), "utf-8")


class Terminal:
    """A terminal in which the command runs."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.written = b""
        self._controller, terminal = pty.openpty()
        self.before = termios.tcgetattr(terminal)
        self._terminal = terminal
        self.process = subprocess.Popen(
            [*OPFORGE, "watch", *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**os.environ, **variables, "TERM": "xterm", "COLUMNS": "90", "LINES": "24"},
            start_new_session=True,
            preexec_fn=_become_foreground,
        )
        assert self.before[3] & termios.ECHO

    @property
    def shown(self) -> str:
        """What is on the screen: all that follows the last time that the cursor went home."""
        last = self.written.rpartition(b"\x1b[H")[2].decode("utf-8", "replace")
        return re.sub("\x1b\\[[0-9;]*[a-zA-Z]", "", last).replace("\r\n", "\n")

    def until(self, pattern: str) -> str:
        """Read until the screen shows something, and return the screen."""
        end = time.monotonic() + 60
        while not re.search(pattern, self.shown):
            assert time.monotonic() < end, f"no {pattern!r} in\n{self.shown}"
            if select.select([self._controller], [], [], 0.1)[0]:
                self.written += os.read(self._controller, 65536)
        return self.shown

    def press(self, key: str) -> None:
        os.write(self._controller, key.encode())

    def end(self) -> int:
        """Wait for the end of the command, and return its exit status; the terminal is as it was."""
        end = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self._controller], [], [], 0.1)[0]:
                self.written += os.read(self._controller, 65536)
        while select.select([self._controller], [], [], 0.1)[0]:
            self.written += os.read(self._controller, 65536)
        assert termios.tcgetattr(self._terminal) == self.before
        return self.process.wait(1)


def _become_foreground() -> None:
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals whose commands are ended with the test."""
    begun: list[Terminal] = []
    yield begun
    for terminal in begun:
        terminal.process.kill()
        terminal.process.wait()


def opened(terminals: list[Terminal], *arguments: str, **variables: str) -> Terminal:
    terminals.append(Terminal(*arguments, **variables))
    return terminals[-1]


def test_a_terminal_shows_what_each_save_does_and_quits_with_the_last_status(
    terminals: list[Terminal],
) -> None:
    terminal = opened(terminals, "small")
    shown = terminal.until("0 faces changed")
    assert re.search(r"\d\d:\d\d:\d\d  no findings, 1 scenario passes, 0 faces changed  \d+\.\d s", shown)
    assert "q quit" in shown
    assert b"\x1b[36m" in terminal.written
    edit("ap: 4", "ap: 5")
    shown = terminal.until("no findings, 1 of 1 scenario fails, 1 face changed")
    assert "failed: Viper attacks" in shown
    assert "attack.ap: expected 7, got 8" in shown
    edit("ap: 5", "ap: 4")
    terminal.until("no findings, 1 scenario passes, 1 face changed")
    terminal.press("a")
    terminal.until("no findings, 1 scenario passes, 0 faces changed")
    edit("ap: 4", "ap: much")
    shown = terminal.until("1 error, 1 not played, 0 faces changed")
    assert "error[wrong-type]: AP must be a whole number" in shown
    assert "--> small/cards.yaml:7:9" in shown
    terminal.press("q")
    assert terminal.end() == 1


@pytest.mark.parametrize("moment", some(["1 scenario passes", "0 faces changed"], 1))
def test_ctrl_c_ends_with_one_line_and_the_terminal_as_it_was(terminals: list[Terminal], moment: str) -> None:
    terminal = opened(terminals, "small")
    terminal.until(moment)
    terminal.press("\x03")
    assert terminal.end() == 130
    assert terminal.shown.endswith("\nInterrupted.\n") or moment != "0 faces changed"
    assert "Traceback" not in terminal.shown


def test_a_project_that_is_not_there_yet_and_one_that_goes_away(terminals: list[Terminal]) -> None:
    Path("small/opforge.yaml").rename("small/later")
    terminal = opened(terminals, "small", "--no-fit", NO_COLOR="1")
    terminal.until("There is no opforge.yaml at or above small. `opforge init DIR` creates one. Waiting")
    Path("small/later").rename("small/opforge.yaml")
    terminal.until("0 faces changed")
    Path("small").rename("away")
    terminal.until("small/opforge.yaml is missing. Waiting for it.")
    Path("away").rename("small")
    terminal.until("no findings, 1 scenario passes, 0 faces changed")
    assert re.findall(rb"\x1b\[[0-9;]*m", terminal.written) == []
    terminal.press("q")
    assert terminal.end() == 0


def test_a_folder_that_does_not_exist_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "nowhere"]) == 2
    assert "There is no file or folder 'nowhere'." in capsys.readouterr().err


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [*OPFORGE, "watch", *arguments]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def test_in_a_pipe_lines_are_appended_and_a_closed_pipe_ends_it() -> None:
    with started("small", "--no-fit") as process:
        assert process.stdout is not None
        assert "no findings, 1 scenario passes, 0 faces changed" in process.stdout.readline()
        edit("ap: 4", "ap: much")
        lines = [process.stdout.readline() for _ in range(7)]
        assert lines[0].startswith("error[wrong-type]: AP must be")
        assert "1 error, 1 not played" in lines[6]
        assert "\x1b" not in "".join(lines)
        process.stdout.close()
        assert process.wait(60) == 1


def test_json_is_an_object_a_run_and_an_interrupt_is_no_error_of_the_program() -> None:
    with started("small", "--format", "json", "--no-fit") as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        edit("ap: 4", "ap: 5")
        second = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert (first["complete"], first["exit_status"], first["findings"], first["faces"]) == (True, 0, [], [])
    assert first["scenarios"] == {"passed": 1, "failed": [], "not_played": 0, "files_not_played": []}
    assert second["changed"] == ["cards.yaml"]
    assert second["faces"] == ["viper"]
    assert second["exit_status"] == 1
    assert [one["name"] for one in second["scenarios"]["failed"]] == ["Viper attacks"]


def test_once_with_a_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "small", "--once", "-o", "sheet.pdf"]) == 0
    assert "1 scenario passes, 0 faces changed, sheet.pdf: 5 cards on 1 page" in capsys.readouterr().out
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF-")


def test_a_screen_has_no_more_rows_than_the_terminal() -> None:
    blocks = [f"error {number}\n  " + "x" * 50 for number in range(10)]
    assert screen(blocks, ["head"], ["foot"], 40, 60)[2:5] == ["error 0", "  " + "x" * 50, ""]
    shown = screen(blocks, ["head"], ["foot"], 40, 16)
    assert shown[-3:] == ["… and 8 more", "", "foot"]
    rows = sum(2 if len(line) > 40 else 1 for line in shown)
    assert rows <= 16
    long = screen(["\n".join(map(str, range(50))), "next"], ["head"], ["foot"], 40, 20)
    assert "  …" in long
    eight = ["\n".join(f"{number} {at}" for at in range(8)) for number in range(3)]
    assert "  …" not in screen(eight, ["head"], ["foot"], 80, 24)
    assert "1 7" in screen(eight, ["head"], ["foot"], 80, 24)
    assert "next" in long
