"""A test run as text for people, JSON for programs, or in the formats of continuous integration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.escaping import json_text, markdown_code, markdown_sentence, one_line, xml
from toolkit.diagnostics.formats import (
    MAX_ROWS,
    FormatOptions,
    annotation,
    document,
    element,
    finding_case,
    finding_table,
    set_counts,
    unlisted_case,
)
from toolkit.diagnostics.locations import path_from, place
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import MAX_IN_RUN
from toolkit.diagnostics.reporters import Style, finding_data, finding_text, not_listed, unstyled
from toolkit.play.scenarios.coverage import coverage_data, coverage_text
from toolkit.play.scenarios.playing import Failure, Result, TestRun, Value

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
    failed = [result for result in run.results if result.failed]
    blocks += [failed_text(result, style) for result in failed[:MAX_IN_RUN]]
    if len(failed) > MAX_IN_RUN:
        blocks.append(f"{len(failed) - MAX_IN_RUN} more failed and are not listed.")
    notes = list(_notes_of_passed(run.results, style))
    if notes:
        blocks.append("\n".join(notes))
    blocks += [coverage_text(coverage, origins, style).rstrip("\n") for coverage, origins in run.coverage]
    skipped = list(skipped_sentences(run.results))
    if skipped:
        blocks.append("\n".join(skipped))
    return "\n\n".join([*blocks, summary(run)]) + "\n"


def _notes_of_passed(results: Iterable[Result], style: Style) -> Iterator[str]:
    """Yield the notes of scenarios that passed; those of others stand with their failures."""
    for result in results:
        if result.passed:
            for text in result.notes:
                yield f"{style('note', 'note')}: {place(result.scenario.id_span)}: {text}"


def summary(run: TestRun) -> str:
    """Return a sentence with the numbers of scenarios, and the files of which none was played."""
    if not run.results and not run.findings:
        return "No scenarios found."
    text = f"{counted(run.played, 'scenario')} played: {run.passed} passed, {run.failed} failed."
    if run.skipped:
        text = f"{text.rstrip('.')}; {run.skipped} skipped."
    if run.unplayed:
        files = ", ".join(run.unplayed)
        text += f" Nothing of {files} was played, because of the errors above."
    return text


def skipped_sentences(results: Iterable[Result]) -> Iterator[str]:
    """Yield a sentence for each cause why scenarios were skipped, with their number."""
    causes = Counter(cause_of(result.cause) for result in results if result.cause is not None)
    for cause, number in islice(causes.items(), MAX_IN_RUN):
        yield f"{counted(number, 'scenario')} {'is' if number == 1 else 'are'} skipped: {cause}."
    if len(causes) > MAX_IN_RUN:
        yield f"{len(causes) - MAX_IN_RUN} more causes are not listed."


def cause_of(finding: Diagnostic) -> str:
    """Return why a scenario was skipped, such as ``viper is broken (cards.yaml:21:71 unknown-stat)``."""
    entry = f"`{one_line(finding.card)}`" if finding.card else finding.span.file.name
    return f"{entry} is broken ({place(finding.span)} {finding.name})"


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
    _subject, _, key = failure.what.rpartition(".")
    return f"{failure.what}: expected {_words(key, failure.expected)}, got {_words(key, failure.got)}"


def _words(key: str, value: Value) -> str:
    """Return a value as a scenario writes it, or in words what it means that there is none."""
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
        | ({"skipped": run.skipped} if run.skipped else {})
        | ({"not_listed": sum(left_out.number for left_out in run.left_out)} if run.left_out else {}),
        **reached,
    }


def result_data(result: Result) -> dict[str, Any]:
    """Return the result of a scenario as plain data; only one that was skipped has ``skipped``, the cause."""
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
        **({"skipped": cause_of(result.cause)} if result.cause is not None else {}),
    }


def as_junit(run: TestRun, base: Path) -> str:
    """Return the run as JUnit XML: a suite a file, a case a scenario, an error a finding.

    Paths are relative to ``base``.
    """
    files = [result.scenario.file for result in run.results]
    files += [finding.span.file for finding in run.findings]
    files += [left_out.file for left_out in run.left_out]
    root = ElementTree.Element("testsuites", name="opforge test")
    for path in dict.fromkeys(file.path for file in files):
        name = path_from(base, path)
        results = [result for result in run.results if result.scenario.file.path == path]
        findings = [finding for finding in run.findings if finding.span.file.path == path]
        suite = element(root, "testsuite", name=name, file=name)
        for result in results:
            _case(suite, name, result)
        for finding in findings:
            finding_case(suite, name, finding, "error")
        left_out_of_file = [left_out for left_out in run.left_out if left_out.file.path == path]
        for left_out in left_out_of_file:
            unlisted_case(suite, name, left_out, "error")
        errors = len(findings) + len(left_out_of_file)
        failed = sum(result.failed for result in results)
        skipped = sum(result.cause is not None for result in results)
        set_counts(suite, len(results) + errors, failed, errors, skipped)
    errors = len(run.findings) + len(run.left_out)
    set_counts(root, len(run.results) + errors, run.failed, errors, run.skipped)
    return document(root)


def _case(suite: ElementTree.Element, file: str, result: Result) -> None:
    """Add the result of a scenario to a test suite in JUnit's XML."""
    case = element(suite, "testcase", classname=file, name=result.scenario.name)
    if result.failures:
        message = _differences(result)
        failed = element(case, "failure", message=message, type="difference")
        failed.text = xml(failed_text(result))
    elif result.cause is not None:
        element(case, "skipped", message=cause_of(result.cause))


def _differences(result: Result) -> str:
    """Return all differences of a scenario as one text, where a format has room for one only."""
    return "; ".join(difference(failure) for failure in result.failures)


def as_github(run: TestRun, base: Path) -> str:
    """Return an annotation for each error and each failed scenario, and the summary of the run."""
    lines = [
        annotation("error", finding.span, finding.name, (finding.message, finding.next_step), base)
        for finding in run.findings
    ]
    lines += [
        annotation("error", result.scenario.id_span, result.scenario.name, [_differences(result)], base)
        for result in run.results
        if result.failed
    ]
    return (
        "\n".join([*lines, *not_listed(run.left_out), *skipped_sentences(run.results), summary(run)]) + "\n"
    )


def as_markdown(run: TestRun) -> str:
    """Return the run in Markdown, for the page of a workflow run or a comment."""
    lines = ["### Scenarios", "", markdown_sentence(summary(run)), ""]
    lines += finding_table(run.findings, sum(left_out.number for left_out in run.left_out))
    failed = [result for result in run.results if result.failed]
    if failed:
        lines += ["| failed | where | what |", "|---|---|---|"]
        for result in failed[:MAX_ROWS]:
            name, where = markdown_sentence(result.scenario.name), place(result.scenario.id_span)
            lines.append(f"| {name} | {markdown_code(where)} | {markdown_sentence(_differences(result))} |")
        lines.append("")
    if len(failed) > MAX_ROWS:
        lines += [f"The first {MAX_ROWS} of {len(failed)} are listed.", ""]
    for sentence in skipped_sentences(run.results):
        lines += [markdown_sentence(sentence), ""]
    return "\n".join(lines)


FORMATS: Mapping[str, Callable[[TestRun, FormatOptions], str]] = {
    "text": lambda run, options: as_text(run, options.style),
    "json": lambda run, _: as_json(run),
    "junit": lambda run, options: as_junit(run, options.base),
    "github": lambda run, options: as_github(run, options.base),
    "markdown": lambda run, _: as_markdown(run),
}
"""The formats by name."""
