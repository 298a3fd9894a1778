"""How many findings a report lists, and that all of them count."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from tests.diagnostics.test_formats import BASE, SCHEMA, file_of
from tests.thoroughness import examples
from toolkit import api
from toolkit.apps.cli import run
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.formats import FormatOptions, format_report
from toolkit.diagnostics.report import MAX_IN_FILE, MAX_IN_RUN, Report, limited, make_report
from toolkit.project.checks import CheckRequest

MORE = 30
MANY = MAX_IN_FILE + MORE


@examples(40)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 400), st.booleans()), max_size=3),
    st.booleans(),
)
def test_all_findings_are_listed_or_counted_and_errors_are_listed_first(
    groups: list[tuple[int, int, bool]], crowded: bool
) -> None:
    files = [file_of("x" * 500, f"cards/{number}.yaml") for number in range(31)]
    groups = [*groups, *((number, 150, number % 2 == 0) for number in range(25 if crowded else 0))]
    findings = [
        Diagnostic("missing-key" if error else "fixes-meet", str(at), files[number].span(at, at + 1))
        for number, size, error in groups
        for at in range(size)
    ]
    whole = Report(tuple(findings), 1, 1)
    listed, left_out = limited(findings)
    report = Report(listed, 1, 1, left_out=left_out)
    assert (report.names, report.errors, report.warnings) == (whole.names, whole.errors, whole.warnings)
    assert [report.exit_status(strict) for strict in (False, True)] == [
        whole.exit_status(strict) for strict in (False, True)
    ]
    kept = set(map(id, listed))
    assert [finding for finding in findings if id(finding) in kept] == list(listed)
    assert len(listed) <= MAX_IN_RUN
    for file in files:
        here = [finding for finding in findings if finding.span.file is file]
        shown = [finding for finding in here if id(finding) in kept]
        assert len(shown) <= MAX_IN_FILE
        warned = any(severity_of(finding.name) == "warning" for finding in shown)
        hidden = [finding for finding in here if id(finding) not in kept]
        assert not (warned and any(severity_of(finding.name) == "error" for finding in hidden))


def crowded_report() -> Report:
    """A report with more errors and warnings of one file than it lists, and with one finding of another."""
    file, other = file_of("x" * MANY), file_of("y", "cards/two.yaml")
    findings = [Diagnostic("missing-key", "No.", file.span(at, at + 1)) for at in range(MANY)]
    return make_report([*findings, Diagnostic("fixes-meet", "So.", other.span(0, 1))], 2, 1)


def test_people_read_how_many_are_not_listed() -> None:
    for form in ("text", "concise"):
        text = format_report(crowded_report(), form, FormatOptions(BASE))
        assert text.count("missing-key") == MAX_IN_FILE
        assert f"{MORE} more findings are not listed: {MORE} in cards/one.yaml.\n" in text
        assert f"{MANY} errors and 1 warning: 1 card in 2 files checked." in text


def test_every_format_for_programs_says_how_many_are_not_listed() -> None:
    report = crowded_report()
    summary = json.loads(format_report(report, "json", FormatOptions(BASE)))["summary"]
    assert (summary["errors"], summary["not_listed"]) == (MANY, MORE)

    log = json.loads(format_report(report, "sarif", FormatOptions(BASE)))
    Draft4Validator(SCHEMA).validate(log)
    (notice,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"] == f"{MORE} more findings in this file are not listed."
    assert notice["level"] == "error"

    suites = ElementTree.fromstring(format_report(report, "junit", FormatOptions(BASE)))
    assert int(suites.get("tests", "0")) == len(suites.findall("testsuite/testcase")) == MAX_IN_FILE + 2
    assert int(suites.get("failures", "0")) == len(suites.findall(".//failure")) == MAX_IN_FILE + 1
    assert f"{MORE} more findings" in ElementTree.tostring(suites, encoding="unicode")

    lines = format_report(report, "github", FormatOptions(BASE)).splitlines()
    assert (
        f"::error file=cards/one.yaml,title=not listed::{MORE} more findings in this file are not listed."
        in lines
    )

    issues = json.loads(format_report(report, "gitlab", FormatOptions(BASE)))
    assert f"{MORE} more findings in this file are not listed." in [issue["description"] for issue in issues]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose card has more unknown keys than a report lists, all of them misspelt or not."""
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "opforge.yaml").write_text("project: P\nlanguages: [en]\n", "utf-8")
    entries = [
        f"  - {{id: c{at}, kindd: attack, name: N, effect: 'self gets +{at % 9 + 1} AP.'}}\n"
        for at in range(MANY)
    ]
    (tmp_path / "cards.yaml").write_text("cards:\n" + "".join(entries), "utf-8")
    return tmp_path


def test_the_cap_changes_neither_counts_nor_fixes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = api.check(CheckRequest([(project, None)], "2026-06-01", only=["unknown-key"]))
    assert isinstance(report, Report)
    assert (len(report.findings), report.errors, report.fixable) == (MAX_IN_FILE, MANY, MANY)
    assert run(["check", "--statistics", "--only", "unknown-key"]) == 1
    assert f"{MANY}  error[unknown-key]" in capsys.readouterr().out
    run(["check", "--fix"])
    assert f"Fixed {MANY - MAX_IN_FILE} more." in capsys.readouterr().out
    assert "kindd" not in (project / "cards.yaml").read_text("utf-8")


def test_a_baseline_holds_more_than_a_report_lists(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = api.check(CheckRequest([(project, None)], "2026-06-01", baseline=project / "base.json"))
    assert isinstance(made, Report)
    assert (made.findings, made.baselined) == ((), MANY)
    (project / "base.json").write_text('{"version": 1, "findings": []}\n', "utf-8")
    assert run(["check", "--baseline", "base.json"]) == 1
    assert run(["check", "--baseline", "base.json", "--update-baseline"]) == 0
    assert f"Hidden: {MANY} in the baseline" in capsys.readouterr().out
