"""A test run as text for people, JSON for programs, or JUnit XML for continuous integration."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from toolkit.diagnostics.escaping import json_text, one_line, xml
from toolkit.diagnostics.formats import count, document, element, finding_case, others_case
from toolkit.diagnostics.locations import place
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import MAX_IN_RUN
from toolkit.diagnostics.reporters import Style, finding_data, finding_text, not_listed, unstyled
from toolkit.project.scenarios.coverage import coverage_data, coverage_text
from toolkit.project.scenarios.playing import Failure, Result, TestRun, Value

_NOT_COMPARED = "nothing: the last attack was not compared"
_NOTHING = {
    "position": "on no FIELDPOSITION",
    "attached": "no card",
    "objective": "neither REACHED nor CAPTURED",
    "ap": _NOT_COMPARED,
    "ep": _NOT_COMPARED,
    "damage": _NOT_COMPARED,
    "critical": _NOT_COMPARED,
}
"""What None means, by key; numbers are None only for an attack that ended before A-1."""


def as_text(run: TestRun, style: Style = unstyled) -> str:
    """Return the errors as `check` prints them, each failed scenario with its differences, and a summary."""
    blocks = [*(finding_text(finding, style) for finding in run.findings), *not_listed(run.left_out)]
    failed = [result for result in run.results if not result.passed]
    blocks += [failed_text(result, style) for result in failed[:MAX_IN_RUN]]
    if len(failed) > MAX_IN_RUN:
        blocks.append(f"{len(failed) - MAX_IN_RUN} more failed and are not listed.")
    note = style("note", "note")
    passed = [(result, place(result.scenario.id_span)) for result in run.results if result.passed]
    notes = [f"{note}: {where}: {text}" for result, where in passed for text in result.notes]
    if notes:
        blocks.append("\n".join(notes))
    blocks += [coverage_text(coverage, origins, style).rstrip("\n") for coverage, origins in run.coverage]
    return "\n\n".join([*blocks, summary(run)]) + "\n"


def summary(run: TestRun) -> str:
    """Return a sentence with the numbers of scenarios, and the files of which none was played."""
    if not run.results and not run.findings:
        return "No scenarios found."
    text = f"{counted(len(run.results), 'scenario')} played: {run.passed} passed, {run.failed} failed."
    if run.unplayed:
        files = ", ".join(run.unplayed)
        text += f" Nothing of {files} was played, because of the errors above."
    return text


def failed_text(result: Result, style: Style = unstyled) -> str:
    """Return a failed scenario with its differences, as ``as_text`` prints it."""
    arrow, note = style("-->", "place"), style("note", "note")
    lines = [f"{style('failed', 'error')}: {one_line(result.scenario.name)}"]
    lines.append(f"  {arrow} {place(result.scenario.id_span)}")
    for failure in result.failures:
        lines.append(f"  {difference(failure)}")
        if failure.span.start != result.scenario.id_span.start:
            lines.append(f"    {arrow} {place(failure.span)}")
    lines += [f"  {note}: {text}" for text in result.notes]
    return "\n".join([*lines, *(f"  {line}".rstrip() for line in result.trace)])


def difference(failure: Failure) -> str:
    """Return one difference as a line."""
    if failure.sentence:
        return failure.sentence
    key = failure.what.rpartition(".")[2]
    return f"{failure.what}: expected {_shown(key, failure.expected)}, got {_shown(key, failure.got)}"


def _shown(key: str, value: Value) -> str:
    if value is None:
        return _NOTHING.get(key, "nothing")
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_json(run: TestRun) -> str:
    """Return the run as JSON, version 1."""
    return json_text(as_data(run))


def as_data(run: TestRun) -> dict[str, Any]:
    """Return what ``as_json`` prints as plain data, with ``coverage`` only if it was requested."""
    reached = {"coverage": coverage_data(run.coverage)} if run.coverage else {}
    return {
        "version": 1,
        "scenarios": [result_data(result) for result in run.results],
        "findings": [finding_data(finding) for finding in (*run.findings, *run.warnings)],
        "summary": {"passed": run.passed, "failed": run.failed}
        | ({"not_listed": sum(one.number for one in run.left_out)} if run.left_out else {}),
        **reached,
    }


def result_data(result: Result) -> dict[str, Any]:
    """Return the result of a scenario as plain data."""
    return {
        "name": result.scenario.name,
        "file": result.scenario.file.name,
        "line": result.scenario.id_span.begin_position.line,
        "passed": result.passed,
        "failures": [
            {"what": failure.what, "expected": failure.expected, "got": failure.got}
            for failure in result.failures
        ],
        "refused": result.refused,
    }


def as_junit(run: TestRun) -> str:
    """Return the run as JUnit XML: a suite a file, a case a scenario, an error a finding."""
    names = [result.scenario.file.name for result in run.results]
    names += [finding.span.file.name for finding in run.findings]
    names += [one.file.name for one in run.left_out]
    root = ElementTree.Element("testsuites", name="opforge test")
    for name in dict.fromkeys(names):
        results = [result for result in run.results if result.scenario.file.name == name]
        findings = [finding for finding in run.findings if finding.span.file.name == name]
        suite = element(root, "testsuite", name=name)
        for result in results:
            _case(suite, name, result)
        for finding in findings:
            finding_case(suite, name, finding, "error")
        others = [one for one in run.left_out if one.file.name == name]
        for one in others:
            others_case(suite, name, one, "error")
        errors = len(findings) + len(others)
        count(suite, len(results) + errors, sum(not r.passed for r in results), errors)
    errors = len(run.findings) + len(run.left_out)
    count(root, len(run.results) + errors, run.failed, errors)
    return document(root)


def _case(suite: ElementTree.Element, file: str, result: Result) -> None:
    line = str(result.scenario.id_span.begin_position.line)
    case = element(suite, "testcase", classname=file, name=result.scenario.name, file=file, line=line)
    if result.failures:
        message = "; ".join(difference(failure) for failure in result.failures)
        failed = element(case, "failure", message=message, type="difference")
        failed.text = xml(failed_text(result))
