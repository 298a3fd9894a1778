"""A run that is killed at any moment: the next one goes on, and clears away what is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.products.print_and_play import write_set as print_and_play
from toolkit.resources import starter_folder

KILLED = """
import os, sys
from toolkit.apps.cli import run

left = int(sys.argv[1])

def count(event, arguments):
    global left
    name = str(arguments[0]) if arguments else ""
    writes = event in ("os.rename", "os.mkdir", "os.remove")
    if event == "open" and isinstance(arguments[2], int):
        writes = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    if writes and ("/out" in name or "print-and-play" in name):
        left -= 1
        if left == 0:
            os._exit(9)

sys.addaudithook(count)
run(sys.argv[2:])
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its paths are written otherwise")


def run_killed(moment: int, *command: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(moment), *command], capture_output=True)
    assert done.returncode == 9


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = copytree(starter_folder(), tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


def test_a_site_goes_on_wherever_it_was_killed(project: Path) -> None:
    for moment in some([1, 2, 3, 4, 5, 6, 10, 20, 40, 60, 80], 8):
        rmtree(project / "out", ignore_errors=True)
        run_killed(moment, "site", "-o", "out", "--lang", "en")
        assert run(["site", "-o", "out", "--lang", "en"]) == 0, moment
        assert [path for path in (project / "out").rglob(".*") if path.is_file()] == []


def test_the_work_folder_of_a_killed_run_is_removed_by_the_next(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = project / ".print-and-play-1-notours.x"
    foreign.mkdir()
    run_killed(4, "print-and-play", "-o", "out", "--paper", "a4", "--lang", "en")
    assert len(list(project.glob(".print-and-play-*"))) == 2
    monkeypatch.setattr(print_and_play, "_PARTS", {"tuckbox": print_and_play._PARTS["tuckbox"]})
    assert run(["print-and-play", "-o", "out", "--paper", "a4", "--lang", "en"]) == 0
    assert list(project.glob(".print-and-play-*")) == [foreign]


def test_a_picture_that_changed_behind_its_time_and_size_is_seen(project: Path) -> None:
    picture = project / "art" / "kestrel.svg"
    assert run(["check", "--fit"]) == 0
    status = picture.stat()
    text = picture.read_text(encoding="utf-8")
    broken = text.replace("</svg>", "<!svg>")
    assert len(broken) == len(text)
    picture.write_text(broken, encoding="utf-8", newline="")
    os.utime(picture, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(["check", "--fit"]) == 1
