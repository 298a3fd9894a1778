"""The steps of the GitHub Action, executed as its runner would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.ci.reading import ROOT, read_file

ACTION = read_file("action.yml")
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
PROGRAMS = Path(sys.executable).parent
_EXPRESSION = re.compile(r"\$\{\{ *([a-z_]+)\.([a-z_-]+) *\}\}")


def execute(
    checkout: Path, name: str, programs: Path = PROGRAMS, **given: str
) -> subprocess.CompletedProcess[str]:
    """Execute a step as the runner does: `bash -eo pipefail`, expressions filled in, in the checkout.

    ``programs`` is the folder in which `python` and `opforge` are found.
    """
    step = STEPS[name]
    values: dict[str, dict[str, str]] = {
        "inputs": {key: str(one["default"]) for key, one in ACTION["inputs"].items()} | given,
        "github": {"action_path": str(ROOT)},
        "runner": {"temp": str(checkout.parent)},
    }
    environment = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "OPFORGE_CACHE": str(checkout.parent / "cache"),
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(checkout),
        "GITHUB_STEP_SUMMARY": str(checkout.parent / "summary.md"),
        "GITHUB_OUTPUT": str(checkout.parent / "outputs"),
    }
    for key, text in step["env"].items():
        environment[key] = _EXPRESSION.sub(lambda found: values[found[1]][found[2]], text)
    script = checkout.parent / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    return subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
