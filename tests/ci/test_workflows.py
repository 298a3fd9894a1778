"""Our own workflows, which cannot run here: their form, what they may do, and what they name."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.ci.reading import ROOT, read_file, wrong_by
from toolkit.diagnostics.help_pages import WEB_ADDRESS

NAMES = sorted(path.name for path in (ROOT / ".github" / "workflows").glob("*.yml"))
SETTINGS = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
VERSIONS = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', SETTINGS)


def read(name: str) -> Any:
    return read_file(f".github/workflows/{name}")


def test_there_is_one_for_tests_for_versions_and_for_releases() -> None:
    assert NAMES == ["release.yml", "tests.yml", "weekly.yml"]


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_is_of_the_form_that_github_reads_and_may_only_what_it_needs(name: str) -> None:
    workflow = read(name)
    assert wrong_by("github-workflow.json", workflow) == []
    assert workflow["permissions"] == {"contents": "read"}
    jobs = workflow["jobs"]
    assert {key for key, job in jobs.items() if "permissions" in job} <= {"publish"}
    for step in (step for job in jobs.values() for step in job["steps"]):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", "a@" + "0" * 40)), step
        assert "${{" not in step.get("run", ""), step
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
        for module in re.findall(r"python -m (tests[\w.]*)", step.get("run", "")):
            assert (ROOT / f"{module.replace('.', '/')}.py").is_file()


def test_every_supported_python_is_tested_on_three_systems() -> None:
    matrix = read("tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == VERSIONS
    assert [system.partition("-")[0] for system in matrix["os"]] == ["ubuntu", "windows", "macos"]
    weekly = read("weekly.yml")
    assert weekly["jobs"]["versions"]["strategy"]["matrix"]["python"] == [VERSIONS[0], VERSIONS[-1]]
    assert "schedule" in weekly["on"]


def test_a_release_is_published_without_a_password_and_only_from_a_tag() -> None:
    release = read("release.yml")
    assert release["on"] == {"push": {"tags": ["v*"]}}
    publish = release["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets" not in str(release)
    assert not [step for step in publish["steps"] if "run" in step], "it only hands on what was built"


def test_opforge_has_one_address() -> None:
    addresses = re.findall(r'= "(https://[^"]*opforge[^"]*)"', SETTINGS.partition("[project.urls]")[2])
    assert addresses
    assert [address for address in addresses if not address.startswith(WEB_ADDRESS)] == []
