"""Checks of a team's own: functions of installed packages, which `checks: plugins:` names.

Such a function is an entry point of the group ``opforge.checks``. Only packages of the environment that runs
opforge count, never what stands in the checked folder, whose author may be a stranger. Each check has a
process of its own with a time limit, so that one that fails, hangs or ends the process stops nothing.
"""

from __future__ import annotations

import json
import os
import signal
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.own_finding import OwnFinding
from toolkit.diagnostics.phrases import shown
from toolkit.project import own_check_process
from toolkit.project.check_cache import PROGRAM, stamp_of
from toolkit.source.paths import checkout_around, file_stamp
from toolkit.vocabulary.nearest import nearest

if TYPE_CHECKING:
    from toolkit.data.model import CardSet
    from toolkit.data.yaml.nodes import Scalar

GROUP = "opforge.checks"
"""The group of entry points."""

SECONDS = 20.0
"""Limit for one check."""

_MAX_ANSWER = 16 * 1024 * 1024
_BOOT = f"""\
import json, sys
sys.path.insert(0, sys.argv[1])
import toolkit
sys.path[:] = sys.path[1:] + json.loads(sys.argv[2])
from {own_check_process.__name__} import main
main()
"""
"""The program of the process: this opforge, and of all else only what is installed."""


class OwnCheck(Struct, frozen=True):
    """A check that is installed: its ``name``, where its function is (``package.module:function``), and a
    stamp that changes with its code."""

    name: str
    function: str
    stamp: str


class Answer(Struct, frozen=True):
    """What the process answers: the findings, or why there are none, as a phrase after the plug-in's name."""

    findings: list[OwnFinding] = []
    failure: str = ""


def environment_folders() -> list[str]:
    """Return the folders of installed packages: not the current one, nor what PYTHONPATH adds."""
    paths = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        paths.append(site.getusersitepackages())
    return list(dict.fromkeys(os.path.realpath(path) for path in paths))


def installed_checks(names: Sequence[str]) -> tuple[OwnCheck, ...]:
    """Return those of the named checks that are installed."""
    entry_points = _entry_points()
    checks = []
    for name in names:
        if name in entry_points:
            package, function = entry_points[name]
            checks.append(OwnCheck(name, function, f"{package} {function} {_code_stamp(function)}"))
    return tuple(checks)


def _entry_points() -> dict[str, tuple[str, str]]:
    """Return the checks by name: the package, with its version, and the function.

    The files are read here: importlib.metadata takes 30 ms for it, of the 100 that a check takes.
    """
    entry_points = {}
    for folder in environment_folders():
        names: list[str] = []
        with suppress(OSError):
            names = sorted(os.listdir(folder))
        packages = [name for name in names if name.endswith((".dist-info", ".egg-info"))]
        for package in packages:
            for check, function in _of_group(Path(folder, package, "entry_points.txt")):
                entry_points[check] = package, function
    return entry_points


def _of_group(file: Path) -> Iterator[tuple[str, str]]:
    """Yield name and function of each entry point of our group in a file, which need not exist."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        return
    is_ours = False
    for line in lines:
        name, _, function = (part.strip() for part in line.partition("="))
        if name.startswith("["):
            is_ours = name == f"[{GROUP}]"
        elif is_ours and function:
            function_name, _, _extras = function.partition("[")  # as in `module:function [extra]`
            yield name, function_name.strip()


def _code_stamp(function: str) -> str:
    """Return a stamp of the code of a function's package; it is found, and nothing of it is executed."""
    module, _, _name = function.partition(":")
    package, _, _submodules = module.partition(".")
    spec = util.find_spec(package)
    if spec is None:
        return stamp_of(())
    folders = list(spec.submodule_search_locations or ())
    return stamp_of(folders) if folders else str(file_stamp(spec.origin or ""))  # a module that is one file


def own_findings(cards: CardSet, checks: Sequence[OwnCheck]) -> list[Diagnostic]:
    """Return what the checks that the project names find, and which of them failed."""
    return findings_in(cards, answers_of(cards.project.root, cards.project.checks.plugins, checks))


def answers_of(root: Path, names: Sequence[str], checks: Sequence[OwnCheck]) -> dict[str, Answer | None]:
    """Run the named checks for the project in ``root``; None is the answer of one that is not installed."""
    checks_by_name = {check.name: check for check in checks}
    return {name: _answer(checks_by_name[name], root) if name in checks_by_name else None for name in names}


def findings_in(cards: CardSet, answers: Mapping[str, Answer | None]) -> list[Diagnostic]:
    """Return the findings in answers, at the places that the cards have now."""
    node = cards.project.node.mapping("checks") if cards.project.node is not None else None
    findings: list[Diagnostic] = []
    if node is None:
        return findings
    for word in node.words("plugins"):
        if word.text not in answers:
            continue
        answer = answers[word.text]
        if answer is None:
            findings += _not_installed(word)
        else:
            findings += _findings_of(answer, word, cards)
    return findings


def _not_installed(word: Scalar) -> list[Diagnostic]:
    """Return the finding about the name of a check that no package here has."""
    known_names = list(_entry_points())
    near = nearest(word.text, known_names)
    step = f"Did you mean `{near}`?" if near else "Install the package that has it, or remove the name."
    message = f"The plug-in `{shown(word.text)}` is not installed: no package here has it as `{GROUP}`."
    return [Diagnostic("failed-plugin", message, word.span, step)]


def _findings_of(answer: Answer, word: Scalar, cards: CardSet) -> Iterator[Diagnostic]:
    """Yield the findings of an own check, and one about the check itself if it failed."""
    if answer.failure:
        yield _failed(word, answer.failure)
    for finding in answer.findings:
        entry = cards.find(finding.card) if finding.card is not None else None
        if finding.card is not None and entry is None:
            yield _failed(word, f"names the card `{shown(finding.card)}`, which does not exist")
            continue
        span = word.span  # a finding without a card is about the project
        if entry is not None:
            span = entry.span_of(finding.key) if finding.key else entry.id_span
        yield Diagnostic(
            "own-advice" if finding.severity == "warning" else "own-check",
            f"{finding.message.rstrip('.')} (`{word.text}`).",
            span,
            finding.next_step,
            card=finding.card,
        )


def _failed(word: Scalar, failure: str) -> Diagnostic:
    message = f"The plug-in `{word.text}` {failure}."
    step = "Tell its author; `opforge check --no-plugins` leaves all of them out."
    return Diagnostic("failed-plugin", message, word.span, step)


# the process


def _answer(check: OwnCheck, root: Path) -> Answer:
    """Run a check in a process of its own; what it prints is dropped."""
    folders = environment_folders()
    request = {
        "function": check.function,
        "root": str(root),
        "tree": str(checkout_around(root) or root),
        "trusted": folders,
    }
    program_folder, *_ = PROGRAM
    command = [sys.executable, "-I", "-c", _BOOT, os.path.dirname(program_folder), json.dumps(folders)]
    with tempfile.TemporaryFile() as question, tempfile.TemporaryFile() as answer:
        question.write(json.dumps(request).encode())
        question.seek(0)
        try:
            _run(command, question.fileno(), answer.fileno())
        except subprocess.TimeoutExpired:
            return Answer(failure=f"took more than {SECONDS:.0f} seconds and was stopped")
        except OSError as error:
            return Answer(failure=f"cannot be started: {error.strerror}")
        answer.seek(0)
        return _decoded(answer.read(_MAX_ANSWER + 1))


def _run(command: Sequence[str], stdin: int, stdout: int) -> None:
    """Run a process, and end it with all that it has started when its time is over.

    Its output is a file and no pipe, which a process that it leaves behind could hold open.
    """
    process = subprocess.Popen(
        command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # it still runs, so that the group is its own
        process.kill()
        process.wait()
        raise


def _decoded(answer: bytes) -> Answer:
    """Return what a check answered, or that it answered nothing that can be read."""
    if len(answer) > _MAX_ANSWER:
        return Answer(failure="finds too much")
    try:
        return msgspec.json.decode(answer, type=Answer)
    except msgspec.MsgspecError:
        return Answer(failure="ended without an answer")
