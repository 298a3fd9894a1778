"""The process of one check of a team's own: it opens the project, calls the function, and answers with JSON.

``own_checks`` starts it. Modules of the check are imported here only, and only after it is known where they
are.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib import import_module, util
from pathlib import Path
from typing import Any

import msgspec

import toolkit
from toolkit.diagnostics.own_finding import OwnFinding
from toolkit.source.paths import is_below

MAX_MEMORY = 4 << 30
"""Limit of the address space in bytes, where the system has one."""


def _limit_memory() -> None:
    """Limit the memory of this process, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def main() -> None:
    """Answer the question on standard input."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the check prints is no answer
    question = json.load(sys.stdin)
    _limit_memory()
    try:
        failure = refusal(question["function"], Path(question["tree"]), question["trusted"])
        findings = [] if failure else found(question["function"], Path(question["root"]))
    except BaseException as error:  # the check may raise anything, and may call sys.exit
        failure, findings = _described(error), []
    answers.write(msgspec.json.encode({"failure": failure, "findings": findings}))
    answers.close()
    os._exit(0)  # threads of the check do not keep the process


def refusal(function: str, tree: Path, trusted: Sequence[str]) -> str:
    """Return why a function is not called, or nothing: its code must not stand in the checked tree."""
    module, _, _name = function.partition(":")
    package, *_submodules = module.split(".")
    spec = util.find_spec(package)
    if spec is None:
        return f"cannot be imported: there is no module `{package}`"
    places = [spec.origin, *(spec.submodule_search_locations or ())]
    for code_path in (os.path.realpath(place) for place in places if place):
        is_trusted = any(is_below(code_path, folder) for folder in trusted)
        if is_below(code_path, os.path.realpath(tree)) and not is_trusted:
            return "is not run, because its code is in the folder that is checked"
    return ""


def found(function: str, root: Path) -> list[OwnFinding]:
    """Return the findings of a function for the project in ``root``."""
    module, _, names = function.partition(":")
    check: Any = import_module(module)
    for name in names.split("."):
        check = getattr(check, name)
    findings = check(toolkit.open(root))
    if not isinstance(findings, Iterable):
        raise TypeError(f"it returns {type(findings).__name__} and no list of OwnFinding")
    findings = list(findings)
    for finding in findings:
        if not isinstance(finding, OwnFinding):
            raise TypeError(f"it returns {type(finding).__name__} among its findings, and no OwnFinding")
        _check_types(finding)
    return findings


def _check_types(finding: OwnFinding) -> None:
    """Raise ``TypeError`` for a field of another type than is declared: the answer could not be read."""
    try:
        msgspec.json.decode(msgspec.json.encode(finding), type=OwnFinding)
    except msgspec.ValidationError as error:
        problem, _, field = str(error).partition(" - at `$.")
        raise TypeError(
            f"`{field.rstrip('`')}` of an OwnFinding: {problem[0].lower()}{problem[1:]}"
        ) from None


def _described(error: BaseException) -> str:
    """Return what went wrong and where, as a phrase."""
    frame = next(reversed(traceback.extract_tb(error.__traceback__)), None)  # the innermost one
    where = f" ({os.path.basename(frame.filename)}, line {frame.lineno})" if frame else ""
    sentence = " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(".: ")
    return f"failed: {sentence}{where}"
