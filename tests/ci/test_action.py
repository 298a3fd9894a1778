"""The GitHub Action: its form, its words on the how-to page, and its steps as a runner would execute them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.ci.action_steps import ACTION, PROGRAMS, STEPS, execute
from tests.ci.reading import PAGE, PULL_REQUESTS, ROOT, files_of_the_page, read_yaml, wrong_by
from tests.thoroughness import THOROUGH, some
from toolkit.apps.cli import run

SMALL = ROOT / "tests" / "projects" / "small"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the action's steps are for bash")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a project, as a runner has it."""
    shutil.copytree(SMALL, tmp_path / "repository" / "my cards")
    return tmp_path / "repository"


def test_the_action_is_of_the_form_that_github_reads() -> None:
    assert wrong_by("github-action.json", ACTION) == []
    assert wrong_by("github-action.json", ACTION | {"runs": {"using": "composite"}})


def test_no_input_becomes_a_part_of_a_script() -> None:
    for step in STEPS.values():
        assert "${{" not in step.get("run", "")
        assert ("run" in step) != ("uses" in step)


def test_the_page_tells_all_inputs_and_no_others() -> None:
    told = re.findall(
        r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8").partition("## On GitLab")[0], re.M
    )
    assert told == list(ACTION["inputs"])


@pytest.mark.parametrize("name", [name for name in files_of_the_page() if name.startswith(".github")])
def test_the_workflows_of_the_page_are_right(name: str) -> None:
    workflow = files_of_the_page()[name]
    assert wrong_by("github-workflow.json", workflow) == []
    assert wrong_by("github-workflow.json", workflow | {"jobs": {"cards": {"steps": 1}}})
    steps: list[dict[str, Any]] = [step for job in workflow["jobs"].values() for step in job["steps"]]
    ours = [step["with"] for step in steps if step["uses"].startswith("OWNER/opforge@")]
    assert ours
    assert all(set(given) <= set(ACTION["inputs"]) for given in ours)


OF_A_STRANGER = "import pathlib; pathlib.Path(__file__).with_name('spoilt').touch()\n"
MODULES = ("pip", "toolkit", "sitecustomize", "usercustomize", "yaml", "click", "jinja2", "re", "json")


def with_files_of_a_stranger(checkout: Path) -> None:
    """Programs and modules that leave a file ``spoilt`` if they are executed."""
    for name in MODULES:
        (checkout / f"{name}.py").write_text(OF_A_STRANGER, encoding="utf-8")
    for name in ("pip", "toolkit"):
        (checkout / name).mkdir()
        for inner in ("__init__", "__main__"):
            (checkout / name / f"{inner}.py").write_text(OF_A_STRANGER, encoding="utf-8")
    (checkout / "opforge").write_text("#!/bin/sh\ntouch spoilt\n", encoding="utf-8")
    (checkout / "opforge").chmod(0o755)
    (checkout / "stranger.pth").write_text(f"import os; os.mkdir({str(checkout / 'spoilt')!r})\n")


@pytest.mark.parametrize(
    "variables", [(), ("PYTHONPATH",), ("PYTHONSTARTUP",)] if THOROUGH else [("PYTHONPATH", "PYTHONSTARTUP")]
)
def test_a_clean_project_is_checked_played_and_printed_and_no_file_of_the_checkout_executed(
    checkout: Path, variables: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_files_of_a_stranger(checkout)
    for variable in variables:  # a workflow may set it for a program of its own
        monkeypatch.setenv(variable, str(checkout / "pip.py" if variable == "PYTHONSTARTUP" else checkout))
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # how far pip gets is enough
    installed = execute(checkout, "Install opforge", version="0.0.0")
    assert "No matching distribution found for opforge==0.0.0" in installed.stderr
    for name in ("Check the cards", "Play the scenarios", "Print the sheets"):
        done = execute(checkout, name, path="my cards", sheet="the sheet.pdf", sarif="a.sarif", strict="true")
        assert done.returncode == 0, done.stderr
    assert not list(checkout.rglob("spoilt"))
    assert (checkout / "the sheet.pdf").read_bytes().startswith(b"%PDF-")
    assert json.loads((checkout / "a.sarif").read_text("utf-8"))["runs"][0]["results"] == []
    assert "No findings" in (checkout.parent / "summary.md").read_text("utf-8")
    outputs = dict(
        line.split("=", 1) for line in (checkout.parent / "outputs").read_text("utf-8").splitlines()
    )
    assert {key: outputs[key] for key in ("errors", "warnings", "failed", "sheet")} == {
        "errors": "0", "warnings": "0", "failed": "0", "sheet": "the sheet.pdf",
    }  # fmt: skip
    assert json.loads(Path(outputs["report"]).read_text("utf-8"))["findings"] == []
    told = {re.search(r"outputs\.(\w+)", output["value"])[1] for output in ACTION["outputs"].values()}  # type: ignore[index]
    assert told == {*outputs, "changes"}


def test_a_red_step_stops_no_other() -> None:
    conditions = {name: step.get("if", "") for name, step in STEPS.items()}
    behind = [*conditions][[*conditions].index("Check the cards") + 1 :]
    assert behind == ["Play the scenarios", "Print the sheets", "List the changes"]
    assert all("!cancelled() && steps.install.outcome == 'success'" in conditions[name] for name in behind)


def test_actions_of_others_are_pinned() -> None:
    used = [step["uses"] for step in STEPS.values() if "uses" in step]
    workflows = [value for name, value in files_of_the_page().items() if name.startswith(".github")]
    used += [step["uses"] for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]
    others = [name for name in used if not name.startswith("OWNER/opforge@")]
    assert [name for name in others if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name)] == []


def test_findings_are_annotated_and_fail_the_step(checkout: Path) -> None:
    cards = checkout / "my cards" / "cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("+2 AP.", "+2 APP."), encoding="utf-8")
    done = execute(checkout, "Check the cards", path="my cards")
    assert done.returncode == 1
    assert "::error file=my cards/cards.yaml,line=14,endLine=14,col=" in done.stdout
    assert "| error |" in (checkout.parent / "summary.md").read_text("utf-8")


def test_the_baseline_and_strictness_reach_the_check(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = checkout / "my cards" / "cards.yaml"
    text = cards.read_text("utf-8").replace("    kind: attack\n", "    kind: attack\n    art: no.svg\n")
    cards.write_text(text, encoding="utf-8")
    assert execute(checkout, "Check the cards", path="my cards").returncode == 0
    assert execute(checkout, "Check the cards", path="my cards", strict="true").returncode == 1
    monkeypatch.chdir(checkout)
    assert run(["check", "my cards", "--baseline", "old.json", "--update-baseline"]) == 0
    done = execute(checkout, "Check the cards", path="my cards", strict="true", baseline="old.json")
    assert done.returncode == 0
    assert "1 in the baseline" in done.stdout


@pytest.mark.parametrize(
    "path", some(["$(touch spoilt)", "; touch spoilt", "--output=text:spoilt", "-h"], 0, 2)
)
def test_an_input_is_only_ever_a_path(checkout: Path, path: str) -> None:
    done = execute(checkout, "Check the cards", path=path)
    assert done.returncode == 2
    assert "There is no file or folder" in done.stderr
    assert not (checkout / "spoilt").exists()


GITLAB = "\n---\n"
"""Between the inputs of the template for GitLab and its job."""


@pytest.mark.parametrize("broken", some([True, False], 0))
def test_the_job_for_gitlab_does_what_the_page_says_and_goes_on_after_red(
    tmp_path: Path, broken: bool
) -> None:
    shutil.copytree(SMALL, tmp_path / "my cards")
    if broken:
        (tmp_path / "my cards" / "more.yaml").write_text("cards: [{id: x, kind: atack}]\n", encoding="utf-8")
    inputs, template = (
        read_yaml(text, "gitlab.yml")
        for text in (ROOT / ".ci" / "gitlab.yml").read_text(encoding="utf-8").split(GITLAB)
    )
    defaults = {key: one["default"] for key, one in inputs["spec"]["inputs"].items()}
    (given,) = files_of_the_page()[".gitlab-ci.yml"]["include"]
    assert given["inputs"].keys() <= defaults.keys()
    values = defaults | {"path": "my cards"}

    def filled(text: str) -> str:
        return re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda found: str(values[found[1]]), text)

    job = template["cards"]
    variables = {key: filled(text) for key, text in job["variables"].items()}
    install, script = job["script"]
    assert "$[[" not in install + script, "inputs reach the shell through variables only"
    assert install.endswith('"opforge==$OPFORGE_VERSION"')
    environment = os.environ | variables | {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"CI_PROJECT_DIR": str(tmp_path), "OPFORGE_CACHE": str(tmp_path / "cache")}
    command = ["bash", "-eo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True)
    assert done.returncode == broken
    reports = job["artifacts"]["reports"]
    assert bool(json.loads((tmp_path / reports["codequality"]).read_text("utf-8"))) == broken
    assert "<testsuites" in (tmp_path / reports["junit"]).read_text("utf-8")
    assert all((tmp_path / filled(path)).is_file() for path in job["artifacts"]["paths"])


@pytest.mark.parametrize("name", files_of_the_page(PULL_REQUESTS))
def test_the_workflows_about_pull_requests_are_right(name: str) -> None:
    workflow = files_of_the_page(PULL_REQUESTS)[name]
    assert wrong_by("github-workflow.json", workflow) == []
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []
    if (
        "workflow_run" in workflow["on"]
    ):  # it has the rights of the repository, and a stranger's run begins it
        assert not [action for action in used if "checkout" in action]
        assert not [step for step in steps if "run" in step]
        assert workflow["on"]["workflow_run"]["workflows"] == [
            files_of_the_page()[".github/workflows/cards.yml"]["name"]
        ]
        assert not any("${{" in json.dumps(step.get("with", {}).get("script", "")) for step in steps)


def test_what_changed_is_listed_and_drawn(checkout: Path) -> None:
    older = checkout.parent / "older"
    shutil.copytree(checkout / "my cards", older)
    cards = older / "cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("+2 AP.", "+1 AP."), encoding="utf-8")
    done = execute(checkout, "List the changes", path="my cards", **{"changes-since": str(older)})
    assert done.returncode == 0, done.stderr
    folder = checkout.parent / "opforge-changes"
    text = (folder / "changes.md").read_text("utf-8")
    assert text == (checkout.parent / "summary.md").read_text("utf-8")
    names = re.findall(r"^\| .* <code>([a-z-]+)</code> \|", text, re.MULTILINE)
    assert names
    for version in ("before", "after"):
        assert sorted(path.stem for path in (folder / version).iterdir()) == sorted(names)
