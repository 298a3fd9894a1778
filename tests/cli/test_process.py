"""The command as a process: Ctrl-C in every phase, and standard streams that are closed or not read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thoroughness import THOROUGH, some

WITH_SQUADS = str(Path(__file__).parent.parent / "projects" / "trilingual")
COMMANDS = {
    "align": ("align", "-o", "align.pdf"),
    "attack": ("attack", "viper", "viper", "--dice", "3,3", "--project", "small"),
    "cards": ("cards", "small", "-o", "pictures", "--card", "aimed-shot", "--dpi", "30"),
    "changes": ("changes", "small", "small"),
    "check": ("check", "small"),
    "check as SARIF": ("check", "small", "--format", "sarif"),
    "check and show fixes": ("check", "small", "--diff"),
    "check with findings": ("check", "-", "--stdin-filename", "small/cards.yaml"),
    "compile": ("compile", "--project", "small"),
    "explain": ("explain", "language"),
    "fmt": ("fmt", "small", "--check"),
    "fmt a text": ("fmt", "-"),
    "help": ("--help",),
    "help of a command": ("check", "--help"),
    "init": ("init", "new"),
    "layouts": ("layouts", "small"),
    "lsp": ("lsp",),
    "mat": ("mat", "small", "-o", "mat.pdf"),
    "play": ("play", "--project", WITH_SQUADS, "--blue", "random", "--red", "random", "--seed", "1"),
    "play as a person": ("play", "--project", WITH_SQUADS, "--seed", "1"),
    "reference": ("reference", "small", "-o", "reference.pdf"),
    "schema": ("schema",),
    "sheet": ("sheet", "small", "-o", "sheet.pdf"),
    "squads": ("squads", WITH_SQUADS, "-o", "squads.pdf", "--squad", "blue"),
    "test": ("test", "small"),
    "text": ("text", "--project", "small"),
    "tts": ("tts", "small", "-o", "table"),
    "version": ("--version",),
    "wrong use": ("check", "nowhere"),
}
ONE_OF_EACH_SORT = (
    *(
        "check",
        "check as SARIF",
        "check with findings",
        "explain",
        "fmt",
        "init",
        "play as a person",
        "sheet",
    ),
    *("version", "wrong use"),
)
"""In a quick run: the others write to standard output as one of these does."""
STATUS = {"check with findings": 1, "wrong use": 2}
OPFORGE = (sys.executable, "-m", "toolkit")

needs_sh = pytest.mark.skipif(shutil.which("sh") is None, reason="streams are closed by a shell")


@pytest.fixture(autouse=True)
def _project(small_project: None) -> None:
    """The small project in the current folder."""


def started(*command: str, **streams: int) -> subprocess.CompletedProcess[str]:
    """A command at its end; standard input holds nothing."""
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run(command, check=False, text=True, encoding="utf-8", **given)


@needs_sh
@pytest.mark.parametrize("command", COMMANDS if THOROUGH else ONE_OF_EACH_SORT)
def test_the_exit_status_does_not_depend_on_who_reads(command: str) -> None:
    """Neither output that nobody reads nor streams that are closed; half of the commands try one of them."""
    number = list(COMMANDS).index(command)
    if THOROUGH or number % 2 == 0:
        reading, writing = os.pipe()
        os.close(reading)
        unread = started(*OPFORGE, *COMMANDS[command], stdout=writing)
        os.close(writing)
        assert unread.returncode == STATUS.get(command, 0), unread.stderr
        assert "broke" not in unread.stderr.lower()
        shutil.rmtree("new", ignore_errors=True)
    if THOROUGH or number % 2 == 1:
        closed = started("sh", "-c", '"$@" <&- >&- 2>&-', "sh", *OPFORGE, *COMMANDS[command])
        assert closed.returncode == STATUS.get(command, 0)


def test_a_full_disk_behind_the_output_is_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = started(*OPFORGE, "check", "small", stdout=full.fileno())
    assert done.returncode == 2
    assert done.stderr == "Error: No space left on device\n"


@needs_sh
def test_a_current_folder_that_is_gone_is_an_error() -> None:
    done = started(
        "sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && "$@"', "sh", *OPFORGE, "init", "new"
    )
    assert done.returncode == 2
    assert done.stderr == "Error: The current folder does not exist any more: change to another one.\n"


INTERRUPTED = """
import os, runpy, signal, sys
sort, where, *arguments = sys.argv[1:]
count = 0

def watch(event, args):
    global count
    if event == sort and where in str(args[0]):
        count += 1
        if count == 1:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell ignores it
sys.addaudithook(watch)
sys.argv = ["opforge", *arguments]
runpy.run_module("toolkit", run_name="__main__", alter_sys=True)
"""


PHASES = (
    ("import", "toolkit.apps.cli", "check"),
    ("import", "toolkit.project.checks", "check"),
    ("import", "click", "help"),
    ("import", "toolkit.apps.cli.report_output", "check as SARIF"),
    ("import", "pikepdf", "sheet"),
    ("import", "lsprotocol", "lsp"),
    ("open", "cards.yaml", "check"),
    ("open", "cards.yaml", "check as SARIF"),
    ("open", "cards.yaml", "sheet"),
    ("open", "sheet.pdf", "sheet"),
    ("open", "explain", "explain"),
)


@pytest.mark.parametrize(("sort", "where", "command"), some(PHASES, 0, 3, 4, 5, 6, 9))
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot press Ctrl-C for itself there")
def test_ctrl_c_ends_it_with_one_line_at_most(sort: str, where: str, command: str) -> None:
    done = started(sys.executable, "-c", INTERRUPTED, sort, where, *COMMANDS[command])
    assert done.returncode == 130
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) <= 1, done.stderr
    assert not done.stderr.strip()
    assert not list(Path().glob("*.pdf*"))
