"""JUnit XML, which nearly every service for continuous integration shows: a suite for each file."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.escaping import one_line, xml
from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.report import LeftOut, Report
from toolkit.diagnostics.reporters import finding_text, left_out_of
from toolkit.source import shown_name


def as_junit(report: Report, strict: bool) -> str:
    """The report as JUnit XML: a file without findings is a case that passes, each error one that fails.

    A warning fails with ``strict`` only; else it is the output of a case that passes.
    """
    found: dict[Path, list[Diagnostic]] = {path: [] for path in report.paths}
    left_out = {one.file.path: one for one in report.left_out}
    found |= {path: [] for path in left_out if path not in found}
    for finding in report.findings:
        found.setdefault(finding.span.file.path, []).append(finding)
    root = Element("testsuites", name="opforge check")
    tests = failures = 0
    for path, findings in found.items():
        name = findings[0].span.file.name if findings else shown_name(path)
        suite = element(root, "testsuite", name=name)
        failing = sum(_case(suite, name, finding, strict) for finding in findings)
        more = left_out.get(path)
        if more is not None:
            fails = strict or more.errors > 0
            others_case(suite, name, more, "failure" if fails else "system-out")
            failing += fails
        elif not findings:
            element(suite, "testcase", classname=name, name="no findings", file=name)
        cases = max(1, len(findings) + (more is not None))
        count(suite, cases, failing, 0)
        tests, failures = tests + cases, failures + failing
    count(root, tests, failures, 0)
    return document(root)


def _case(suite: Element, file: str, finding: Diagnostic, strict: bool) -> bool:
    """Add the case of one finding; whether it fails."""
    fails = strict or severity_of(finding.name) == "error"
    finding_case(suite, file, finding, "failure" if fails else "system-out")
    return fails


def finding_case(suite: Element, file: str, finding: Diagnostic, outcome: str) -> None:
    """Add a case for a finding: an ``error``, a ``failure``, or one that passes and has a ``system-out``."""
    line = finding.span.begin_position.line
    case = element(
        suite, "testcase", classname=file, name=f"{finding.name} in line {line}", file=file, line=str(line)
    )
    if outcome == "system-out":
        told = element(case, outcome)
    else:
        told = element(case, outcome, message=one_line(finding.message), type=finding.name)
    told.text = xml(finding_text(finding))


def others_case(suite: Element, file: str, others: LeftOut, outcome: str) -> None:
    """Add a case for the findings of a file that are not listed, with an outcome as in ``finding_case``."""
    case = element(suite, "testcase", classname=file, name="findings that are not listed", file=file)
    said = left_out_of(others)
    attributes = {} if outcome == "system-out" else {"message": said, "type": "not-listed"}
    element(case, outcome, **attributes).text = said


def count(suite: Element, tests: int, failures: int, errors: int) -> None:
    """Say how many cases there are, how many failed and how many could not be run."""
    for key, number in (("tests", tests), ("failures", failures), ("errors", errors)):
        suite.set(key, str(number))


def element(parent: Element, tag: str, **attributes: str) -> Element:
    """A new element in another one."""
    return ElementTree.SubElement(parent, tag, {key: xml(value) for key, value in attributes.items()})


def document(root: Element) -> str:
    """The whole file."""
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'
