"""Reports in the formats of other programs: what they would read, whatever the findings hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator
from msgspec.structs import replace

from tests.thoroughness import examples
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.formats import FORMATS, MAX_ROWS, FormatOptions, as_step_summary, format_report
from toolkit.diagnostics.help_pages import address_of_finding, page_of_finding
from toolkit.diagnostics.report import Report
from toolkit.source import SourceFile

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json").read_text("utf-8"))
BASE = Path("/games/set")
NASTY = "100 % of `a|b`, <b>:\n::error::[x](y) 🐍 \x07"


def file_of(text: str, name: str = "cards/one.yaml") -> SourceFile:
    return SourceFile(BASE / name, name, text)


def finding_at(
    file: SourceFile, word: str, name: str = "unknown-stat", card: str | None = "viper"
) -> Diagnostic:
    start = file.text.index(word)
    return Diagnostic(name, f"`{word}` is wrong.", file.span(start, start + len(word)), "Mend it.", card=card)


def report_of(*findings: Diagnostic) -> Report:
    paths = tuple(dict.fromkeys(finding.span.file.path for finding in findings))
    return Report(findings, len(paths), 1, paths)


def sarif(report: Report) -> dict[str, object]:
    log = json.loads(format_report(report, "sarif", FormatOptions(BASE)))
    Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_of_sarif_refuses_what_is_no_sarif() -> None:
    assert list(Draft4Validator(SCHEMA).iter_errors({"version": "2.1.0", "runs": [{"results": [{}]}]}))


def test_sarif_tells_place_rule_help_fix_and_what_is_related() -> None:
    file = file_of("name: 🦉🦉 Eule\neffect: self gets +2 APP.\n")
    start = file.text.index("APP")
    finding = Diagnostic(
        "unknown-stat",
        "`APP` is no stat.",
        file.span(start, start + 3),
        "Write `AP`.",
        (Label(file.span(6, 8), "this card"),),
        "owl",
        Fix(file.span(start, start + 3), "AP"),
    )
    run = sarif(report_of(finding))
    (result,), (rule,) = run["results"], run["tool"]["driver"]["rules"]  # type: ignore[misc, index]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("unknown-stat", 0, "error")
    assert result["message"]["text"] == "`APP` is no stat.\nWrite `AP`."
    assert rule["help"]["markdown"] == page_of_finding("unknown-stat")
    assert rule["helpUri"] == address_of_finding("unknown-stat")
    assert rule["fullDescription"]["text"] == "This is not a stat of the game."
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "cards/one.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 2, "startColumn": 22, "endLine": 2, "endColumn": 25}
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": place["region"], "insertedContent": {"text": "AP"}},
    ]
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["endColumn"] == 11  # two units an owl


def test_sarif_encodes_paths() -> None:
    run = sarif(report_of(finding_at(file_of("x", "Die Käuze #1/50%.yaml"), "x")))
    (result,) = run["results"]  # type: ignore[misc]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9%/._-]+", uri)
    assert unquote(uri) == "Die Käuze #1/50%.yaml"


def test_sarif_has_the_address_of_a_file_outside_of_the_checkout() -> None:
    path = BASE.parent / "other cards" / "x.yaml"
    run = sarif(report_of(finding_at(SourceFile(path, "x.yaml", "x"), "x")))
    (result,) = run["results"]  # type: ignore[misc]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": path.as_uri()}


def test_a_github_annotation_is_one_line_and_escaped() -> None:
    file = file_of("one: two\n", "a,b:c%.yaml")
    finding = Diagnostic("missing-key", NASTY, file.span(5, 8), "Then\r\nmore.")
    line, summary = format_report(report_of(finding), "github", FormatOptions(BASE)).splitlines()
    assert line == (
        "::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=6,endColumn=9,title=missing-key::"
        "100 %25 of `a|b`, <b>: ::error::[x](y) 🐍 \\u0007%0AThen more."
    )
    assert summary == "1 error: 1 card in 1 file checked."


def test_a_github_annotation_over_several_lines_has_no_columns() -> None:
    file = file_of("a: b\nc: d\n")
    finding = Diagnostic("fixes-meet", "Two Fixes.", file.span(0, 9))
    line = format_report(report_of(finding), "github", FormatOptions(BASE)).splitlines()[0]
    assert line == "::warning file=cards/one.yaml,line=1,endLine=2,title=fixes-meet::Two Fixes."


def test_the_step_summary_is_a_table_that_no_message_can_break() -> None:
    file = file_of("one: two\n", "a|b.yaml")
    summary = as_step_summary(report_of(Diagnostic("missing-key", NASTY, file.span(5, 8), "Add `ap: 1`.")))
    row = summary.splitlines()[-1]
    assert row.startswith(
        "| error | <code>a\\|b.yaml:1:6</code> | 100 % of <code>a\\|b</code>, &lt;b&gt;: ::error::"
    )
    assert row.endswith("<br>Add <code>ap: 1</code>.<br>missing-key |")
    assert len(re.findall(r"(?<!\\)\|", row)) == 4


def test_a_long_step_summary_says_that_it_is_cut() -> None:
    file = file_of("x" * 600)
    findings = [Diagnostic("missing-key", "No.", file.span(at, at + 1)) for at in range(600)]
    summary = as_step_summary(report_of(*findings))
    assert summary.count("| error |") == MAX_ROWS
    assert "The first 500 of 600 are listed." in summary


def test_gitlab_has_its_keys() -> None:
    finding = finding_at(file_of("a\nb: APP\n"), "APP")
    (issue,) = json.loads(format_report(report_of(finding), "gitlab", FormatOptions(BASE / "cards")))
    assert issue.pop("fingerprint")
    assert issue == {
        "description": "`APP` is wrong.",
        "check_name": "unknown-stat",
        "severity": "major",
        "location": {"path": "one.yaml", "lines": {"begin": 2, "end": 2}},
    }


@pytest.mark.parametrize("card", ["viper", None])
def test_fingerprints_stay_when_lines_move_and_differ_between_mistakes(card: str | None) -> None:
    def fingerprints(text: str) -> list[str]:
        file = file_of(text)
        places = [found.start() for found in re.finditer("APP", text)]
        findings = [Diagnostic("unknown-stat", str(at), file.span(at, at + 3), card=card) for at in places]
        issues = json.loads(format_report(report_of(*findings), "gitlab", FormatOptions(BASE)))
        return [issue["fingerprint"] for issue in issues]

    first = fingerprints("a: APP\nb: APP\n")
    assert len(set(first)) == 2
    assert fingerprints("# a remark\n\na: APP\n  # another\nb: APP\n") == first


def test_junit_has_a_case_for_each_finding_and_each_clean_file() -> None:
    file = file_of("a: APP\n")
    findings = [finding_at(file, "APP"), finding_at(file, "a", "fixes-meet")]
    report = Report(tuple(findings), 2, 1, (file.path, BASE / "cards" / "two.yaml"))
    for strict, failures in ((False, "1"), (True, "2")):
        root = ElementTree.fromstring(format_report(report, "junit", FormatOptions(BASE, strict)))
        assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", failures, "0")
        assert len(root.findall("testsuite/testcase/failure")) == int(failures)
        assert len(root.findall("testsuite")) == 2
        # the schema of Jenkins, junit-10.xsd of its xunit plug-in, has no other attributes than these
        assert {*root.attrib} == {"name", "tests", "failures", "errors"}
        suites, cases = root.findall("testsuite"), root.findall("testsuite/testcase")
        assert {key for suite in suites for key in suite.attrib} == {*root.attrib, "skipped", "file"}
        assert {key for case in cases for key in case.attrib} == {"name", "classname"}


def test_rdjson_has_columns_in_bytes_and_fixes_as_suggestions() -> None:
    file = file_of("name: 🦉ß\neffect: 🦉 APP.\n")
    start = file.text.index("APP")
    word = file.span(start, start + 3)
    finding = Diagnostic("unknown-stat", "`APP` is no stat.", word, "Write `AP`.", fix=Fix(word, "AP"))
    other = Diagnostic("unknown-stat", "x", word, alternatives=(Fix(word, "AP"), Fix(word, "EP")))
    chosen = replace(other, severity="warning")
    report = json.loads(format_report(report_of(finding, chosen), "rdjson", FormatOptions(BASE)))
    (first, second), at = (
        report["diagnostics"],
        {"start": {"line": 2, "column": 14}, "end": {"line": 2, "column": 17}},
    )
    assert report["source"]["name"] == "opforge"
    assert first == {
        "message": "`APP` is no stat.\nWrite `AP`.",
        "location": {"path": "cards/one.yaml", "range": at},
        "severity": "ERROR",
        "code": {"value": "unknown-stat", "url": address_of_finding("unknown-stat")},
        "suggestions": [{"range": at, "text": "AP"}],
    }
    assert second["severity"] == "WARNING"
    assert [suggestion["text"] for suggestion in second["suggestions"]] == ["AP", "EP"]


words = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@examples(40)
@given(text=words, message=words, step=words, card=st.none() | words, name=words)
def test_no_finding_breaks_a_format(text: str, message: str, step: str, card: str | None, name: str) -> None:
    file = SourceFile(BASE / "x", name, text)
    finding = Diagnostic(
        "unknown-stat", message, file.span(0, len(text)), step, (), card, Fix(file.span(0, 0), message)
    )
    report = report_of(finding)
    written = {form: format_report(report, form, FormatOptions(BASE)) for form in FORMATS}
    assert len(set(written.values())) == len(FORMATS)
    Draft4Validator(SCHEMA).validate(json.loads(written["sarif"]))
    assert len(json.loads(written["gitlab"])) == 1
    assert len(json.loads(written["rdjson"])["diagnostics"]) == 1
    assert len(ElementTree.fromstring(written["junit"]).findall("testsuite/testcase/failure")) == 1
    assert sum(line.startswith("::") for line in written["github"].split("\n")) == 1
    assert len(written["markdown"].split("\n")) == 8
