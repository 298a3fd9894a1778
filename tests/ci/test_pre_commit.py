"""pre-commit, run for real: the hooks are installed from this repository into a scratch one.

What is installed is the last commit, as pre-commit does it; what is not committed yet takes no part.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ci.action_steps import execute
from tests.ci.reading import ROOT, files_of_the_page, read_file
from tests.thoroughness import THOROUGH

SMALL = ROOT / "tests" / "projects" / "small"
HOOKS = {hook["id"]: hook for hook in read_file(".pre-commit-hooks.yaml")}
GIT = shutil.which("git")

needs_git = pytest.mark.skipif(
    GIT is None or not (ROOT / ".git").exists(), reason="pre-commit takes its hooks from a git repository"
)


def test_the_page_names_the_hooks_that_there_are() -> None:
    (repo,) = files_of_the_page()[".pre-commit-config.yaml"]["repos"]
    assert [hook["id"] for hook in repo["hooks"]] == list(HOOKS)


@pytest.mark.parametrize("hook", HOOKS)
def test_the_names_of_files_follow_the_end_of_the_options(hook: str) -> None:
    assert HOOKS[hook]["args"][-1] == "--"


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_is_a_command_that_there_is(hook: str) -> None:
    command = HOOKS[hook]["entry"].removeprefix("opforge ").split()
    done = subprocess.run(
        [sys.executable, "-m", "toolkit", command[0], "--help"], capture_output=True, text=True, check=True
    )
    assert all(option in done.stdout for option in command[1:])


class Repository:
    """A scratch repository with pre-commit's hooks in it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.setenv("PRE_COMMIT_HOME", str(folder.parent / "hooks"))
        monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        monkeypatch.setenv("OPFORGE_CACHE", str(folder.parent / "cache"))
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        settings = {"user.name": "A designer", "user.email": "designer@example.org", "safe.directory": "*"}
        monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
        for number, (key, value) in enumerate(settings.items()):
            monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
            monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
        for name in [name for name in os.environ if name.startswith(("GIT_DIR", "GIT_INDEX", "GIT_WORK"))]:
            monkeypatch.delenv(name)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, encoding="utf-8", check=False
        )

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, *, verify: bool = True) -> tuple[bool, str]:
        """Commit everything; whether it came about, and what was said."""
        self.run("git", "add", "-A")
        done = self.run("git", "commit", "-m", "cards", *([] if verify else ["--no-verify"]))
        return done.returncode == 0, done.stdout + done.stderr


@needs_git
@pytest.mark.skipif(not THOROUGH, reason="pre-commit builds an environment, which takes long")
def test_a_commit_with_mistakes_does_not_come_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pre_commit", reason="pip install 'opforge[thorough]'")
    shutil.copytree(SMALL, tmp_path / "repository" / "game")
    repository = Repository(tmp_path / "repository", monkeypatch)
    repository.run("git", "init", "-q")
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    hooks = "".join(f"      - id: {hook}\n" for hook in HOOKS)
    config = f"repos:\n  - repo: {ROOT}\n    rev: {head}\n    hooks:\n{hooks}"
    repository.write(".pre-commit-config.yaml", config)
    repository.write("game/scenarios.yaml", SCENARIO)
    assert repository.commit(verify=False)[0]
    assert repository.run("pre-commit", "install").returncode == 0

    # a change in one file is a mistake in another one, which is told although it was not passed
    settings = (SMALL / "opforge.yaml").read_text("utf-8")
    repository.write("game/opforge.yaml", settings.replace("[en, de]", "[en]"))
    done, said = repository.commit()
    assert not done
    assert re.search(r"opforge check\.+Failed", said), said
    assert "error[unknown-language]" in said
    assert "game/cards.yaml:" in said
    repository.write("game/opforge.yaml", settings)

    # a card that is right by its form but does not do what a scenario expects
    cards = (SMALL / "cards.yaml").read_text("utf-8")
    repository.write("game/cards.yaml", cards.replace("+2 AP.\n      self", "+3 AP.\n      self"))
    done, said = repository.commit()
    assert not done
    assert re.search(r"opforge check\.+Passed", said), said
    assert re.search(r"opforge test\.+Failed", said), said

    # a file that is not in the usual form is written so, and can then be committed; others stay as they are
    repository.write("game/cards.yaml", cards.replace("    kind: attack\n", "    kind:   attack\n"))
    done, said = repository.commit()
    assert not done
    assert re.search(r"opforge fmt\.+Failed", said), said
    assert (repository.folder / "game" / "cards.yaml").read_text("utf-8") == cards

    # what is in no card project is none of its business
    repository.write("game/cards.yaml", cards + "# one more remark\n")
    repository.write("compose.yaml", "services:    {}\n")
    done, said = repository.commit()
    assert done, said
    assert len(re.findall(r"opforge \w+\.+Passed", said)) == 3

    # the name of a file is never an option, whatever arguments a user adds
    baseline = str(repository.folder / "b.png")
    wrong = cards.replace("+2 AP.\n      self", "+2 APP.\n      self").replace("# one", "# a")
    repository.write("game/cards.yaml", wrong)
    made = repository.run("opforge", "check", "game", "--baseline", baseline, "--update-baseline")
    assert made.returncode == 0, made.stderr
    assert repository.run("opforge", "check", "game", "--baseline=b.png").returncode == 0
    repository.write("--baseline=b.png", "")
    repository.write("--check.yaml", "services: {}\n")
    for arguments in ("", "        args: [--strict, --]\n"):
        own = config.replace("      - id: opforge-check\n", f"      - id: opforge-check\n{arguments}")
        repository.write(".pre-commit-config.yaml", own)
        done, said = repository.commit()
        assert not done
        assert re.search(r"opforge check\.+Failed", said), said
        assert "error[unknown-stat]" in said
        assert re.search(r"opforge fmt\.+Passed", said), said
    repository.run("git", "rm", "-qf", "--", "--baseline=b.png", "--check.yaml", "b.png")
    repository.write("game/cards.yaml", cards + "# one more remark\n")

    # the environment that pre-commit made has what opforge needs: there the action installs it too
    (program,) = (tmp_path / "hooks").glob("repo*/py_env-*/bin/opforge")
    program.unlink()
    installed = execute(repository.folder, "Install opforge", program.parent)
    assert installed.returncode == 0, installed.stderr
    checked = execute(repository.folder, "Check the cards", program.parent, path="game")
    assert "No findings: 4 cards in 4 files checked." in checked.stdout


SCENARIO = """\
scenarios:
  - name: an aimed shot adds two
    field: {blue: [viper], red: [viper]}
    do:
      - {action: attack, by: blue.viper, on: red.viper, attack_card: aimed-shot, dice: [1, 1]}
    hands: {blue: [aimed-shot]}
    expect:
      attack: {ap: 7}
"""
