"""Versions of packages: pin those with which the tests pass, and check the bounds in ``pyproject.toml``.

    python -m tests.dependencies pin       # writes tests/constraints.txt with the newest versions
    python -m tests.dependencies check     # runs opforge with the lowest and with the newest versions

Both need ``uv`` (``pip install uv``): pip resolves neither for other versions of Python nor to the lowest.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "tests" / "constraints.txt"
_HEAD = """\
# All packages, with the versions with which the tests pass, for each version of Python that is supported.
# Written by `python -m tests.dependencies pin`.
"""
_PATIENCE = 300
"""Seconds until a command counts as hanging."""
_BEGINNINGS = {".pdf": b"%PDF-", ".png": b"\x89PNG\r\n", ".xlsx": b"PK\3\4", ".html": b"<!doctype html>"}


class Failed(Exception):
    """A command failed; the text says how."""


class Run(NamedTuple):
    """A run of opforge in a folder with the shipped cards: its exit status, and a file that it writes."""

    arguments: str
    status: int = 0
    written: str = ""

    def __str__(self) -> str:
        return f"opforge {self.arguments}"

    def __call__(self, python: Path, folder: Path) -> None:
        """Raise ``Failed`` unless it ends with the status and writes the file."""
        run = _opforge(python, folder, *self.arguments.split())
        if run.returncode != self.status:
            lines = (run.stderr or run.stdout).decode(errors="replace").strip().splitlines()
            raise Failed(f"exit status {run.returncode} instead of {self.status}: {' / '.join(lines[-2:])}")
        files = list(folder.glob(self.written)) if self.written else []
        if self.written and not files:
            raise Failed(f"there is no {self.written}")
        for file in files:
            if not file.read_bytes()[:20].lower().startswith(_BEGINNINGS[file.suffix].lower()):
                raise Failed(f"{file.name} is no {file.suffix[1:].upper()}")


def _opforge(
    python: Path, folder: Path, *arguments: str, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    command = [python, "-m", "toolkit", *arguments]
    try:
        return subprocess.run(
            command, cwd=folder, env=_environment(folder), capture_output=True, timeout=_PATIENCE, **options
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"it did not end within {_PATIENCE} s") from None


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "OPFORGE_CACHE": str(folder / "cache"), "PYTHONUTF8": "1"}


def language_server(python: Path, folder: Path) -> None:
    """Raise ``Failed`` unless the language server says what it can do and ends."""
    start = {"processId": None, "rootUri": None, "capabilities": {}}
    calls: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = (json.dumps({"jsonrpc": "2.0", **call}).encode() for call in calls)
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    run = _opforge(python, folder, "lsp", input=sent)
    if run.returncode or b"completionProvider" not in run.stdout:
        raise Failed(f"exit status {run.returncode}: {run.stderr.decode(errors='replace')[-200:]}")


def preview(python: Path, folder: Path) -> None:
    """Raise ``Failed`` unless the preview serves its page."""
    command = [python, "-m", "toolkit", "preview", "cards", "--no-open", "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode(errors="replace")
            address = re.search(r"http://[^\s#]+", line)
            if address is None:
                raise Failed(line.strip() or "it printed nothing")
            with urllib.request.urlopen(address[0], timeout=_PATIENCE) as answer:
                if b"<html" not in answer.read():
                    raise Failed("its page is none")
        finally:
            process.kill()


RUNS: tuple[Callable[[Path, Path], None], ...] = (
    Run("check cards"),
    Run("check cards --fit --format sarif"),
    Run("check nosuch", status=2),
    Run("check cards --onyl unknown-stat", status=2),
    Run("explain aura"),
    Run("schema"),
    Run("attack viper bishop --project cards"),
    Run("test cards"),
    Run("play --blue greedy --red random --seed 1 --project cards"),
    Run("sheet cards --backs --stamp -o sheet.pdf", written="sheet.pdf"),
    Run("sheet cards --fold --lang de -o fold.pdf", written="fold.pdf"),
    Run("preflight sheet.pdf --service printplaygames", status=1),
    Run("watch cards --once"),
    Run("cards cards --card viper -o pictures", written="pictures/*.png"),
    Run("cards cards --card viper --service drivethrucards -o inks.pdf", written="inks.pdf"),
    Run("cards cards --card viper --service game-crafter -o shop", written="shop/**/*.png"),
    Run("contact cards -o contact.png", written="contact.png"),
    Run("contact cards -o contact.pdf", written="contact.pdf"),
    Run("showcase --project cards -o showcase.png", written="showcase.png"),
    Run("print-and-play cards --lang en --paper a4 -o all", written="all/**/*.pdf"),
    Run("site cards -o site", written="site/**/*.html"),
    Run("tts cards -o tts", written="tts/*.png"),
    Run("export table.xlsx cards", written="table.xlsx"),
    Run("import table.xlsx --update --dry-run --project cards"),
    language_server,
    preview,
)


class Installed(NamedTuple):
    """A virtual environment with opforge and chosen versions of what it needs, by their names."""

    python: Path
    versions: Mapping[str, str]

    def problems(
        self, runs: tuple[Callable[[Path, Path], None], ...]
    ) -> dict[Callable[[Path, Path], None], str]:
        """Return the runs that fail, with the reasons."""
        problems = {}
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "cards", Path(folder, "cards"))
            for run in runs:
                try:
                    run(self.python, Path(folder))
                except Failed as error:
                    problems[run] = str(error)
        return problems


def uv(*arguments: str | Path, given: str | None = None) -> str:
    """Run uv and return what it prints. Raises ``Failed``."""
    program = shutil.which(
        "uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    )
    if program is None:
        sys.exit("This needs uv: pip install uv")
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    run = subprocess.run(
        [program, *arguments], input=given, capture_output=True, text=True, env=environment, cwd=ROOT
    )
    if run.returncode:
        raise Failed(run.stderr.strip())
    return run.stdout


def pin() -> None:
    """Write the newest versions of all packages, those of the extras included."""
    options = ("--universal", "--python-version", "3.10", "--no-header", "--no-annotate", "--all-extras")
    CONSTRAINTS.write_text(_HEAD + uv("pip", "compile", "-q", *options, "pyproject.toml"), encoding="utf-8")
    print(f"Wrote {CONSTRAINTS.relative_to(ROOT)}. Run the README's test command before you commit it.")


def direct_requirements() -> list[str]:
    """Return what opforge needs to be built and to run."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lists = (re.search(rf"(?ms)^{key} = (\[.*?\])$", text) for key in ("requires", "dependencies"))
    # the lists are those of Python, too; Python 3.10 has no module for TOML
    return [requirement for found in lists if found for requirement in ast.literal_eval(found[1])]


def install(folder: Path, resolution: str) -> Installed:
    """Install opforge with the lowest or the newest versions that its bounds allow. Raises ``Failed``."""
    wanted = "\n".join(direct_requirements())
    options = ("--resolution", resolution, "--no-header", "--no-annotate", "--python", sys.executable)
    pins = uv("pip", "compile", "-q", *options, "-", given=wanted)
    uv("venv", "-q", "--python", sys.executable, folder)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    uv("pip", "install", "-q", "--python", python, "-r", "-", given=pins)
    uv("pip", "install", "-q", "--python", python, "--no-deps", "--no-build-isolation", ROOT)
    return Installed(python, dict(line.split(";")[0].strip().split("==") for line in pins.splitlines()))


def blame(newest: Installed, lowest: Installed, failing: Mapping[Callable[[Path, Path], None], str]) -> None:
    """Print which package makes runs fail: try each in its lowest version alone."""
    runs = tuple(failing)
    names = (re.split(r"[^\w.-]", requirement)[0].lower() for requirement in direct_requirements())
    is_explained = False
    for name in names:
        if newest.versions.get(name) == lowest.versions.get(name):
            continue
        bound = f"{name}=={lowest.versions[name]}"
        try:
            uv("pip", "install", "-q", "--python", newest.python, bound)
            problems = newest.problems(runs)
        except Failed as error:
            problems = {}
            print(f"  {bound} cannot be installed beside the newest: {str(error).splitlines()[0]}")
        for run, problem in problems.items():
            is_explained = True
            print(f"  because of {bound}: {_name(run)}: {problem}")
        pins = "\n".join(f"{package}=={version}" for package, version in newest.versions.items())
        uv("pip", "install", "-q", "--python", newest.python, "-r", "-", given=pins)
    if not is_explained:
        print("  No package alone makes them fail: several do together.")


def _name(run: Callable[[Path, Path], None]) -> str:
    return str(run) if isinstance(run, Run) else run.__name__.replace("_", " ")


def check() -> int:
    """Run opforge with the lowest and the newest versions; print what fails, and return the exit status."""
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        installed: dict[str, Installed] = {}
        for title, resolution in (("newest", "highest"), ("lowest", "lowest-direct")):
            try:
                installed[title] = install(Path(folder, title), resolution)
            except Failed as error:
                status = 1
                print(f"The {title} versions cannot be installed:\n{error}")
                continue
            print(f"{title}: {', '.join(' '.join(pair) for pair in installed[title].versions.items())}")
            problems = installed[title].problems(RUNS)
            for run, problem in problems.items():
                status = 1
                print(f"  {_name(run)}: {problem}")
            print(f"  {len(RUNS) - len(problems)} of {len(RUNS)} runs are right.", flush=True)
            if problems and title == "lowest" and "newest" in installed:
                blame(installed["newest"], installed["lowest"], problems)
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The versions of packages that opforge needs.")
    parser.add_argument("task", choices=("pin", "check"))
    if parser.parse_args().task == "pin":
        pin()
    else:
        sys.exit(check())
